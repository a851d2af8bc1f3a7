"""Leaves lines that say what the person had forgotten out of a text that a model is to be sent."""

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
        head = _HEAD.match(row)
        if head is None or not is_forgotten(row[head.end() :]):
            kept.append(row)
            continue
        count += 1
        if head["stamp"] and following.startswith("  "):
            kept.append(f"{head['stamp']}{_LEFT}")
    return "\n".join(kept), count
