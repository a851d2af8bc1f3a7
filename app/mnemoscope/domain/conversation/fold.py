"""A long message of one's own is folded: its beginning is shown, and how many lines there are."""

from __future__ import annotations

from typing import Final

FOLDED_FROM: Final = 28
"""A message that takes more lines than this on the screen is folded."""
SHOWN_LINES: Final = 14
"""So many lines of it stay, so that folding is worth what it hides."""
_WIDTH: Final = 88
"""Characters of a line on the screen, about."""


def folded_length(text: str) -> int | None:
    """Returns how many characters of a message are shown while it is folded, which end with a line; None where it is
    short enough to be shown whole."""
    lines = text.split("\n")
    if len(lines) < 2 or sum(map(_height, lines)) <= FOLDED_FROM:
        return None
    taken = height = 0
    for line in lines[:-1]:
        height += _height(line)
        taken += len(line) + 1
        if height >= SHOWN_LINES:
            break
    return taken - 1 if text[taken:].strip() else None


def _height(line: str) -> int:
    return max(1, -(-len(line) // _WIDTH))
