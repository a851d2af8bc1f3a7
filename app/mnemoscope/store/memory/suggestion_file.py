"""A suggestion as a file: one JSON object. What an older version wrote is read, what is no suggestion is left alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from typing import Any

import msgspec

from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryConflict, MemoryOrigin
from mnemoscope.domain.memory.file_registry import is_untracked
from mnemoscope.domain.memory.outside_proposal import claimed_name
from mnemoscope.domain.memory.suggestion import FactSource, Suggestion
from mnemoscope.domain.text.json_text import parsed_object
from mnemoscope.store.files.atomic import encode_text
from mnemoscope.store.memory.change_log import read_origin
from mnemoscope.store.memory.tracked_files import is_tracked

_TEXTS = ("id", "when", "before", "proposed", "session_key")


def encode_suggestion(suggestion: Suggestion, **more: str) -> bytes:
    """Returns the file's bytes; `more` fields are kept beside the suggestion's own."""
    return encode_text(json.dumps({**asdict(suggestion), **more}, ensure_ascii=False) + "\n")


def settled_outcome(data: bytes) -> str:
    """Returns how a settled suggestion was settled; "" where the bytes do not say."""
    outcome = parsed_object(data).get("outcome")
    return outcome if isinstance(outcome, str) else ""


def decode_suggestion(data: bytes) -> Suggestion | None:
    """Returns the suggestion, or None where the bytes hold none."""
    document = parsed_object(data)
    texts = {name: document.get(name) for name in _TEXTS}
    numbers = {name: document.get(name) for name in ("start", "stop")}
    reasons, conflicts = document.get("reasons"), document.get("conflicts", [])
    if not all(isinstance(text, str) for text in texts.values()):
        return None
    if not all(type(number) is int for number in numbers.values()):
        return None
    if not isinstance(reasons, list) or not isinstance(conflicts, list):
        return None
    sentences = tuple(reason for reason in reasons if isinstance(reason, str))
    found = tuple(each for conflict in conflicts if (each := _conflict(conflict)) is not None)
    path = document.get("path", MEMORY_PATH)
    path = path if isinstance(path, str) and (is_tracked(path) or is_untracked(path)) else MEMORY_PATH
    claimed_by = document.get("claimed_by", "")
    claimed_by = claimed_name(claimed_by) if isinstance(claimed_by, str) and claimed_by else ""
    decided = document.get("decided", [])
    choices = tuple(each for each in decided if isinstance(each, str)) if isinstance(decided, list) else ()
    brought_from, rests_on = document.get("brought_from", ""), document.get("rests_on", "")
    known: dict[str, Any] = {**texts, **numbers}
    return Suggestion(
        **known,
        reasons=sentences,
        conflicts=found,
        path=path,
        claimed_by=claimed_by,
        decided=choices,
        brought_from=brought_from if isinstance(brought_from, str) else "",
        sources=tuple(_sources(document.get("sources", []))),
        rests_on=rests_on if isinstance(rests_on, str) else "",
    )


def _sources(documents: object) -> Iterator[FactSource]:
    for each in documents if isinstance(documents, list) else ():
        with suppress(msgspec.ValidationError):
            yield msgspec.convert(each, FactSource)


def _conflict(document: object) -> MemoryConflict | None:
    if not isinstance(document, dict):
        return None
    base, mine, theirs = (document.get(name) for name in ("base", "mine", "theirs"))
    if not (isinstance(base, str) and isinstance(mine, str) and isinstance(theirs, str)):
        return None
    mine_from, theirs_from = (read_origin(document.get(name)) for name in ("mine_from", "theirs_from"))
    return MemoryConflict(base, mine, theirs, mine_from or MemoryOrigin(), theirs_from or MemoryOrigin())
