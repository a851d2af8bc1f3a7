"""Forwards input methods: what is composed where nothing can be written is composed in the message."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QInputMethodEvent, QInputMethodQueryEvent
from PySide6.QtWidgets import QWidget

from mnemoscope.ui.chat.composer.composer_edit import ComposerEdit


class InputMethodForwarding(QObject):
    """Brings the keyboard to the field once the composition is over: an input method gives up what it composes where
    the keyboard goes elsewhere. Its candidates stand at the field meanwhile."""

    def __init__(self, edit: ComposerEdit, others: Iterable[QWidget]) -> None:
        super().__init__(edit)
        self._edit = edit
        for each in others:
            each.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
            each.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Answers an input method in the place of a widget where nothing can be written."""
        if isinstance(event, QInputMethodEvent):
            self._compose(event)
        elif isinstance(event, QInputMethodQueryEvent) and isinstance(watched, QWidget):
            self._answer(watched, event)
        else:
            return False
        return True

    def _compose(self, event: QInputMethodEvent) -> None:
        if not self._can_write():
            event.ignore()
            return
        # An input method that composes nothing says so too, when the keyboard only comes by.
        has_words = bool(event.commitString() or self._edit.preeditAreaText())
        self._edit.inputMethodEvent(event)
        if has_words and not event.preeditString():
            self._edit.setFocus()

    def _answer(self, asked: QWidget, event: QInputMethodQueryEvent) -> None:
        for query in event.queries():
            answer = self._edit.inputMethodQuery(query)
            if query == Qt.InputMethodQuery.ImEnabled:
                answer = self._can_write()
            elif isinstance(answer, QRect | QRectF):
                window = asked.window()
                away = self._edit.mapTo(window, QPoint()) - asked.mapTo(window, QPoint())
                answer = QRectF(answer).translated(QPointF(away))
            event.setValue(query, answer)
        event.accept()

    def _can_write(self) -> bool:
        return self._edit.isEnabled() and not self._edit.isReadOnly()
