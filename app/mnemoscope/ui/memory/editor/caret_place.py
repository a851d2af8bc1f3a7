"""Where a person is in the text: it stays there when the editor is moved, resized or rewritten."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from mnemoscope.ui.memory.editor.deliberate_scroll import DeliberateScroll


class CaretPlace(QObject):
    """Notes the caret's height in the window while a person types, and the words at the top of the view; scrolls so
    that the one, or else the other, is there again.

    The top is noted when somebody scrolls or moves the caret, never while the editor changes: made narrow and wide
    again it shows what it showed, though in between there was no room for it.
    """

    def __init__(self, edit: QPlainTextEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        self._height: int | None = None
        self._top = QTextCursor(edit.document())
        self._seen = 0
        self.scroll = DeliberateScroll(edit.verticalScrollBar())
        self.scroll.happened.connect(self._on_scroll)
        edit.cursorPositionChanged.connect(self.note)
        edit.installEventFilter(self)

    @contextmanager
    def held(self) -> Iterator[None]:
        """While the editor or its text changes inside: after it the line being typed is at its height again, or in
        sight at least. Where nobody types, or the caret is out of sight, the view begins with the words it began with.
        """
        if self.scroll.holding:
            yield
            return
        with self.scroll.held():
            yield
            if self._height is not None and self._edit.hasFocus():
                self._scroll_to(self._height)
            else:
                self._return_to_top()
            self._seen = self._position_at_top()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut} and not self.scroll.holding:
            self._note_height()
        return super().eventFilter(watched, event)

    def note(self) -> None:
        """This is where the person has the text."""
        if not self.scroll.holding:
            self._note_height()
            self._seen = self._position_at_top()
            self._top.setPosition(self._seen)

    def _on_scroll(self) -> None:
        # Rows above that are laid out only now give the same words another number: nobody scrolled.
        if self._position_at_top() != self._seen:
            self.note()

    def _note_height(self) -> None:
        """None where they look elsewhere."""
        self._height = self._now() if self._edit.hasFocus() and self._is_in_sight() else None

    def _position_at_top(self) -> int:
        """Where the first row in sight begins in the text."""
        block = self._edit.firstVisibleBlock()
        row = self._edit.verticalScrollBar().value() - block.firstLineNumber()
        line = block.layout().lineAt(max(0, min(row, block.layout().lineCount() - 1)))
        return block.position() + (line.textStart() if line.isValid() else 0)

    def _return_to_top(self) -> None:
        block = self._top.block()
        line = block.layout().lineForTextPosition(self._top.positionInBlock())
        row = line.lineNumber() if line.isValid() else 0
        self._edit.verticalScrollBar().setValue(block.firstLineNumber() + row)

    def _scroll_to(self, height: int) -> None:
        bar, row = self._edit.verticalScrollBar(), max(1, self._edit.fontMetrics().lineSpacing())
        bar.setValue(bar.value() + round((self._now() - height) / row))
        if not self._is_in_sight():
            self._edit.ensureCursorVisible()

    def _now(self) -> int:
        viewport = self._edit.viewport()
        return viewport.mapTo(viewport.window(), QPoint(0, self._edit.cursorRect().top())).y()

    def _is_in_sight(self) -> bool:
        place = self._edit.cursorRect()
        return place.top() >= 0 and place.bottom() <= self._edit.viewport().height()
