"""Where the line being typed is on the screen: it stays there when the editor is moved, resized or rewritten."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtWidgets import QPlainTextEdit


class CaretPlace(QObject):
    """Notes the caret's height in the window while a person types, and scrolls so that it is there again."""

    def __init__(self, edit: QPlainTextEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        self._height: int | None = None
        self._holding = False
        edit.cursorPositionChanged.connect(self._note)
        edit.verticalScrollBar().valueChanged.connect(self._note)
        edit.installEventFilter(self)

    @contextmanager
    def held(self) -> Iterator[None]:
        """While the editor or its text changes inside: after it the line is at its height again, or in sight at least.

        Where nobody types, or the caret is out of sight, nothing is scrolled.
        """
        if self._holding:
            yield
            return
        self._holding = True
        try:
            yield
            if self._height is not None and self._edit.hasFocus():
                self._scroll_to(self._height)
        finally:
            self._holding = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut}:
            self._note()
        return super().eventFilter(watched, event)

    def _note(self) -> None:
        """This is where the person has the line; None where they look elsewhere."""
        if not self._holding:
            self._height = self._now() if self._edit.hasFocus() and self._is_in_sight() else None

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
