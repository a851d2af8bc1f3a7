"""Leaves lines that say what the person had forgotten out of a text that a model is to be sent, and out of an entry."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_HEAD: Final = re.compile(
    r"(?P<stamp>\s*(?:[-*+] )?\[\d{4}-\d\d-\d\d[\dT :.+Z-]*\]\s+)?"
    r"(?:\s*[-*+] )?(?:\[(?:permanent|durable|ephemeral|correction)\]\s*)?(?:\*\*[a-z_]{1,24}\*\*:\s*)?",
    re.IGNORECASE,
)
"""The time, the kind and the category that stand before the words of an entry, a fact or a capture."""
_LEFT: Final = "[…]"
_SPEAKER: Final = re.compile(r"[A-Z]{4,9}(?: \[tools:[^\]]*\])?: ")
"""Who said it, as it stands in an entry that holds messages as they are."""
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")


def words_of(line: str) -> str:
    """Returns the words of a line, without the time, kind and category before them."""
    head = _HEAD.match(line)
    return line[head.end() :] if head is not None else line


def without_forgotten(text: str, is_forgotten: Callable[[str], bool]) -> tuple[str, int]:
    """Returns a text without the lines that `is_forgotten` knows, and how many those were.

    The time of an entry stays where further lines of the entry, which are indented, follow.
    """
    rows = text.split("\n")
    kept: list[str] = []
    count = 0
    for row, following in zip(rows, [*rows[1:], ""], strict=True):
        head = _HEAD.match(row) if row.strip() else None
        if head is None or not is_forgotten(row[head.end() :]):
            kept.append(row)
            continue
        count += 1
        if head["stamp"] and following.startswith("  "):
            kept.append(f"{head['stamp']}{_LEFT}")
    return "\n".join(kept), count


def entry_without_forgotten(text: str, is_forgotten: Callable[[str], bool]) -> tuple[str, list[str]]:
    """Returns an entry of a history log with a mark where it says what `is_forgotten` knows, and what it said there,
    each once: single sentences, or a whole line where only its sentences together say it."""
    said: list[str] = []
    rows = []
    for row in text.split("\n"):
        words = words_of(row)
        if not is_forgotten(words):
            rows.append(row)
            continue
        sentences = _SENTENCE.split(words)
        gone = [each for each in sentences if is_forgotten(each)]
        left = " ".join(_LEFT if each in gone else each for each in sentences)
        if not gone or is_forgotten(left):
            gone, left = [words], _LEFT
        said += (_SPEAKER.sub("", each, count=1) if _SPEAKER.match(each) else each for each in gone)
        rows.append(row[: len(row) - len(words)] + left)
    return "\n".join(rows), list(dict.fromkeys(each.strip() for each in said))
