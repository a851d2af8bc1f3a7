"""A plain-text edit whose hint makes way for what an input method composes, and which only copies what another program
drops in it."""

from __future__ import annotations

from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QInputMethodEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from mnemoscope.ui.widgets.text.dropped_copy import copy_from_elsewhere
from mnemoscope.ui.widgets.text.offsets import PARAGRAPH


class HintedEdit(QPlainTextEdit):
    """Hides its hint while words are composed. Qt shows a `QPlainTextEdit`'s hint until something is committed, and
    what is composed is painted over it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hint = ""
        self._composing = ""

    def text(self) -> str:
        """Returns the whole text, each character as it is: `toPlainText` would turn no-break spaces into spaces."""
        return self.document().toRawText().replace(PARAGRAPH, "\n")

    def setPlaceholderText(self, text: str) -> None:
        self._hint = text
        super().setPlaceholderText("" if self._composing else text)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composing = event.preeditString()
        self.setPlaceholderText(self._hint)
        super().inputMethodEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        super().dragEnterEvent(event)
        copy_from_elsewhere(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)
        copy_from_elsewhere(event)

    def dropEvent(self, event: QDropEvent) -> None:
        super().dropEvent(event)
        copy_from_elsewhere(event)
