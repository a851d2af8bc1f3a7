"""A long message of one's own is folded: its beginning is shown, and how many lines there are."""

from __future__ import annotations

from typing import Final

FOLDED_FROM: Final = 28
"""A message that takes more lines than this on the screen is folded."""
SHOWN_LINES: Final = 14
"""So many lines of it stay, so that folding is worth what it hides."""
_WIDTH: Final = 88
"""Characters of a line on the screen, about."""
_BREAKS: Final = (" ", "。", "，", "、", "！", "？", "；")
"""A long line is cut at one of these: before a blank, behind a sign."""


def folded_length(text: str) -> int | None:
    """Returns how many characters of a message are shown while it is folded, which end with a line, or with a word
    where a line is long by itself; None where the message is short enough to be shown whole."""
    lines = text.split("\n")
    if sum(map(_height, lines)) <= FOLDED_FROM:
        return None
    taken = height = 0
    for line in lines:
        if height + _height(line) > FOLDED_FROM and (words := _first_words(line, SHOWN_LINES - height)):
            return taken + words
        height += _height(line)
        taken += len(line) + 1
        if height >= SHOWN_LINES:
            break
    return taken - 1 if text[taken:].strip() else None


def _first_words(line: str, lines: int) -> int:
    """Returns how many characters of a line are its first words, in so many lines on the screen; 0 where it has no
    place to break there."""
    return max(line.rfind(sign, 0, lines * _WIDTH) + len(sign.strip()) for sign in _BREAKS)


def _height(line: str) -> int:
    return max(1, -(-len(line) // _WIDTH))
