"""Reads the values that the records of every format have: times, titles, texts and objects where these should be, and
the record as it stands in the store."""

from __future__ import annotations

import json
import math
import re
from datetime import UTC, datetime
from typing import Any, Final

from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.store.files.atomic import encode_text

_RAW_SHOWN: Final = 20_000
_TITLE_SHOWN: Final = 80
_MILLISECONDS_FROM: Final = 1e11
"""A number from here on is in milliseconds: in seconds it would be the year 5138."""
_BULLET: Final = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+\S", re.MULTILINE)


def stated_moment(value: object) -> datetime | None:
    """Returns a time that a record tells, aware: in seconds or milliseconds since 1970, or in ISO 8601, where one
    without a zone is UTC. None for anything else, and for what lies beyond reason."""
    try:
        if isinstance(value, str):
            found = datetime.fromisoformat(value)
            found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            found = datetime.fromtimestamp(value / 1000 if value >= _MILLISECONDS_FROM else value, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return found if found.year > 1970 else None


def json_value(text: str) -> object:
    """Returns the value of a text of JSON, None where it is none. Lone surrogates, which no file can hold, are
    replaced."""
    try:
        value: object = json.loads(text)
        if "\\ud" in text.lower():
            value = json.loads(encode_text(json.dumps(value, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return None
    return value


def title_from(text: str) -> str:
    """Returns the first words of a text, on one line, for a conversation that has no title."""
    return shortened(" ".join(text[: 8 * _TITLE_SHOWN].split()), _TITLE_SHOWN)


def raw_shown(text: str) -> str:
    """Returns a record as it stands in the store, shortened where it is long."""
    return text if len(text) <= _RAW_SHOWN else f"{text[:_RAW_SHOWN]}…"


def text_in(value: object) -> str:
    """Returns a value that should be text, "" where it is none."""
    return value if isinstance(value, str) else ""


def object_in(value: object) -> dict[str, Any]:
    """Returns a value that should be an object, an empty one where it is none."""
    return value if isinstance(value, dict) else {}


def list_in(value: object) -> list[Any]:
    """Returns a value that should be a list, an empty one where it is none."""
    return value if isinstance(value, list) else []


def bullets_in(text: str) -> int:
    """Returns how many items of lists a Markdown text has: in most formats each is one entry of memory."""
    return len(_BULLET.findall(text))
