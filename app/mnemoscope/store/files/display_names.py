"""Gives files the names a person knows: sentences about the disk never show one that only the program knows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import Final

from mnemoscope.domain.memory.file_registry import EDITABLE_FILES, HEARTBEAT_PATH, PROMPT_FILES, STATE_PATH

OWN_FOLDER: Final = ".mnemoscope"
_OWN: Final[Mapping[str, str]] = {
    # The text MEMORY.md had before is kept there: what cannot be saved, to a person, is MEMORY.md.
    "versions": "MEMORY.md",
    "ledger": "the record of consolidations",
    "intent.json": "the record of consolidations",
    "suggestions": "the proposal for MEMORY.md",
    "drafts": "what was typed and not sent or saved",
    "trash": "the trash",
    "quarantine": "the copy of damaged records",
    "search.db": "the search index",
}
_NAMED: Final[Mapping[str, str]] = {"HISTORY.md": "the history log", "history.jsonl": "the history log"}
_USUAL: Final = frozenset(
    PurePosixPath(path).name
    for path in (*PROMPT_FILES, *EDITABLE_FILES, HEARTBEAT_PATH, STATE_PATH, "config.json", "SKILL.md")
)
"""The names that files of a workspace always have."""
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d\.md")


def known_as(path: Path) -> str:
    """Returns the words for a file inside a sentence: `MEMORY.md`, `the history log`, `the conversation`. A name that a
    person or a model gave stands in quotes, so that it is shown and not kept in the log."""
    if path.name == OWN_FOLDER:
        return "the window's own folder"
    if OWN_FOLDER in path.parts:
        *_, inside = takewhile(lambda part: part != OWN_FOLDER, reversed(path.parts))
        return _OWN.get(inside, "a file of the window's own")
    if _is_image(path):
        return "the image"
    if _is_session(path):
        return "the transcript in the archive" if path.parent.name == "archive" else "the conversation"
    return _NAMED.get(path.name) or (path.name if has_usual_name(path) else f"“{path.name}”")


def has_usual_name(path: Path) -> bool:
    """Returns whether nobody chose the name of a file: it says nothing of what is in it."""
    is_usual = path.name in _USUAL or path.name in _NAMED or _DAY.fullmatch(path.name) is not None
    return is_usual or OWN_FOLDER in path.parts or _is_session(path) or _is_image(path)


def _is_session(path: Path) -> bool:
    return path.suffix == ".jsonl" and "sessions" in path.parts[-3:-1]


def _is_image(path: Path) -> bool:
    return path.parts[-3:-1] == ("sessions", "attachments")


def path_within(path: Path, root: Path) -> str:
    """Returns the path as it is seen from a folder, with forward slashes; the whole of it where it is elsewhere."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def path_words(path: Path) -> str:
    """Returns a path with the home folder as ~; a folder beside it whose name only begins like it is not in it, and the
    root of all folders is nobody's home."""
    home = Path.home()
    return str(Path("~", path.relative_to(home))) if path.is_relative_to(home) and home != Path("/") else str(path)


def begin_sentence(words: str) -> str:
    """Returns the words with a capital where they are no file's name."""
    return f"{words[0].upper()}{words[1:]}" if words.startswith(("the ", "a ")) else words
