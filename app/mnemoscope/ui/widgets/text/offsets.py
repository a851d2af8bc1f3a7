"""Converts between the offsets of Qt, which counts UTF-16 units, and those of Python, which counts characters; names
the character by which Qt ends a line."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

PARAGRAPH: Final = "\u2029"
"""The character that Qt gives for the end of a line in what is selected."""
_WIDE: Final = re.compile("[\U00010000-\U0010ffff]")


def to_utf16(text: str, index: int) -> int:
    """Returns the UTF-16 offset of a character of a short text."""
    return index if text.isascii() else index + len(_WIDE.findall(text, 0, index))


class Offsets:
    """Converts offsets of one long text in either direction, in logarithmic time; at no cost where all its characters
    lie in the basic plane."""

    def __init__(self, text: str) -> None:
        self._wide = [] if text.isascii() else [match.start() for match in _WIDE.finditer(text)]

    def to_qt(self, index: int) -> int:
        """Returns the UTF-16 offset of a character."""
        return index + bisect_left(self._wide, index)

    def from_qt(self, offset: int) -> int:
        """Returns the character at a UTF-16 offset."""
        low, high = 0, len(self._wide)
        while low < high:
            middle = (low + high) // 2
            if self._wide[middle] + middle < offset:
                low = middle + 1
            else:
                high = middle
        return offset - low
