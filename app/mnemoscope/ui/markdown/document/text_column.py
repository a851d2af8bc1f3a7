"""One column of text in the middle of a view, never wider than is good to read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCursor, QTextDocument, QTextFrameFormat, QTextOption, QTextTable

from mnemoscope.ui.markdown.document.document_writer import set_mirrored_room, set_right_tab
from mnemoscope.ui.markdown.document.text_style import ActionTable, Mark, TextStyle
from mnemoscope.ui.widgets.theme import READING_WIDTH, Theme

_GUTTER: Final = 24
_NARROW: Final = 400
"""Pixels of a view below which it has half the gutter."""
_TOP: Final = 18
_BOTTOM: Final = 28


def gutter_of(width: float) -> int:
    """Returns the pixels left free at each side of a pane of `width` pixels."""
    return _GUTTER if width >= _NARROW else _GUTTER // 2


class TextColumn(QObject):
    """Holds a document and the place of its text; `column_left` and `column_width` are pixels. `actions`: where those
    that its text offers are kept."""

    def __init__(self, parent: QObject | None = None, *, actions: ActionTable[Any] | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self.document = QTextDocument(self)
        self.document.setUndoRedoEnabled(False)
        self.document.setDocumentMargin(0)
        options = QTextOption()
        options.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document.setDefaultTextOption(options)
        self.column_left = float(_GUTTER)
        self.column_width = float(READING_WIDTH)
        self._viewport = READING_WIDTH + 2.0 * _GUTTER
        self.restyle()

    def set_width(self, width: float, viewport: float) -> bool:
        """Lays the column out in the middle of a view of `width` pixels, of which the scroll bar leaves `viewport`.

        Says whether the column's width changed; that does not depend on whether there is a scroll bar.
        """
        column = max(min(float(READING_WIDTH), width - 2 * gutter_of(width)), 120.0)
        left = float(round((width - column) / 2))
        changed = column != self.column_width
        if not changed and (left, viewport) == (self.column_left, self._viewport):
            return False
        self.column_left = left
        self.column_width = column
        self._viewport = viewport
        with self.editing():
            self._set_margins()
            self._move_tables()
            if changed:
                self._move_tabs()
        return changed

    def _set_margins(self) -> None:
        frame = self.document.rootFrame()
        made = QTextFrameFormat(frame.frameFormat())
        made.setLeftMargin(self.column_left)
        made.setRightMargin(max(self._viewport - self.column_left - self.column_width, 0))
        made.setTopMargin(_TOP)
        made.setBottomMargin(_BOTTOM)
        frame.setFrameFormat(made)

    def _move_tables(self) -> None:
        for table in self.document.rootFrame().childFrames():
            form = table.frameFormat().toTableFormat()
            if isinstance(table, QTextTable) and form.hasProperty(Mark.MIRRORED_ROOM):
                set_mirrored_room(form, self.document)
                table.setFormat(form)

    def _move_tabs(self) -> None:
        cursor = QTextCursor(self.document)
        block = self.document.begin()
        while block.isValid():
            form = block.blockFormat()
            if form.boolProperty(Mark.RIGHT_TAB):
                set_right_tab(form, self.column_width)
                cursor.setPosition(block.position())
                cursor.setBlockFormat(form)
            block = block.next()

    def restyle(self) -> None:
        """Takes the theme in force; what is written already keeps its formats."""
        self.style = TextStyle(Theme.current(), actions=self._actions)
        self.document.setDefaultFont(self.style.theme.font("body"))
        self.style.set_tab_width(self.document)
        self._set_margins()

    @contextmanager
    def editing(self) -> Iterator[QTextCursor]:
        """Changes made within are laid out once."""
        cursor = QTextCursor(self.document)
        cursor.beginEditBlock()
        try:
            yield cursor
        finally:
            cursor.endEditBlock()
