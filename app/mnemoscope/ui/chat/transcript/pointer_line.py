"""The line in the transcript between what is settled into memory and what is not."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QTextCursor

from mnemoscope.ui.markdown.text_style import Mark

ROOM: Final = 22
"""Pixels added above the message the line stands over."""


class PointerLine:
    """Marks the one block the line is drawn above; the painter draws it."""

    def __init__(self) -> None:
        self.index = 0
        """Index of the first message that is not settled; 0 draws no line."""
        self._at: QTextCursor | None = None

    def forget(self) -> None:
        """The document is empty."""
        self._at = None

    def forget_at(self, position: int) -> None:
        """The block at `position` was written anew and carries no mark."""
        if self._at is not None and self._at.position() == position:
            self._at = None

    def stand_above(self, start: QTextCursor | None) -> None:
        """Draw the line above the block at `start`, or nowhere."""
        if self._at is not None and (start is None or self._at.position() != start.position()):
            _mark(self._at, on=False)
            self._at = None
        if start is not None:
            _mark(start, on=True)
            self._at = QTextCursor(start)


def _mark(start: QTextCursor, *, on: bool) -> None:
    cursor = QTextCursor(start)
    form = cursor.blockFormat()
    if form.boolProperty(Mark.DIVIDER) == on:
        return
    form.setProperty(Mark.DIVIDER, on)
    form.setProperty(Mark.PAINTED, on)
    form.setTopMargin(form.topMargin() + (ROOM if on else -ROOM))
    cursor.setBlockFormat(form)
