"""One side of a conflict: where it came from, and its words with those marked that the other side has not."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from mnemoscope.domain.text.diff import Span
from mnemoscope.ui.widgets.text_offsets import to_utf16
from mnemoscope.ui.widgets.theme import Theme, blend, line_height, set_role, theme_notifier

_SHOWN = 20_000
_LEAST_LINES, _MOST_LINES = 2, 7


class SideText(QPlainTextEdit):
    """Read-only unless it is being reworded; Ctrl+Enter then says `done`, Esc `cancelled`."""

    done = Signal()
    cancelled = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not self.isReadOnly() and enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.done.emit()
        elif not self.isReadOnly() and event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        elif self.isReadOnly() and event.text() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            # Letters are the desk's keys.
            event.ignore()
        else:
            super().keyPressEvent(event)


class ConflictSide(QFrame):
    """`ground` is the colour role of the marked words."""

    def __init__(self, name: str, ground: str, parent: QWidget) -> None:
        super().__init__(parent)
        set_role(self, role="card")
        self._ground = ground
        self._spans: tuple[Span, ...] = ()
        self.caption = QLabel(self)
        self.caption.setTextFormat(Qt.TextFormat.PlainText)
        self.caption.setWordWrap(True)
        set_role(self.caption, role="caption")
        self.text = SideText(self)
        self.text.setAccessibleName(name)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setTabChangesFocus(True)
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 8, 8)
        column.setSpacing(4)
        column.addWidget(self.caption)
        column.addWidget(self.text)
        theme_notifier().changed.connect(self._restyle)
        self.show_side("", "", ())

    def show_side(self, caption: str, words: str, spans: tuple[Span, ...]) -> None:
        """Show these words, read-only, with the spans marked; without words, that the passage is deleted there."""
        self._spans = spans if words else ()
        self.caption.setText(caption)
        self.text.setPlainText(words[:_SHOWN] or self.tr("(deleted)"))
        self.text.setReadOnly(True)
        self._restyle()

    def begin_editing(self, caption: str, words: str) -> None:
        """Let the person word it."""
        self.show_side(caption, words, ())
        self.text.setPlainText(words)
        self.text.setReadOnly(False)
        self.text.moveCursor(QTextCursor.MoveOperation.End)
        self.text.setFocus()

    def _restyle(self) -> None:
        theme = Theme.current()
        self.text.setFont(theme.font("code"))
        lines = min(max(_LEAST_LINES, self.text.blockCount()), _MOST_LINES)
        self.text.setFixedHeight(round((lines + 1) * line_height()))
        look = QTextCharFormat()
        strong = {"diff_add": "success", "diff_del": "danger"}[self._ground]
        look.setBackground(blend(theme.color(self._ground), theme.color(strong), 0.28))
        words = self.text.toPlainText()
        self.text.setExtraSelections([self._mark(words, span, look) for span in self._spans])

    def _mark(self, words: str, span: Span, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(to_utf16(words, min(span[0], len(words))))
        cursor.setPosition(to_utf16(words, min(span[1], len(words))), QTextCursor.MoveMode.KeepAnchor)
        mark.cursor, mark.format = cursor, look
        return mark
