"""Says at the composer where words go; the middle of a longer line is left out."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QStyle, QStyleOptionButton, QWidget

from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.theme import set_role

_LEAST: Final = 48
"""Pixels; the line may be narrower than its words."""


class DestinationChip(QPushButton):
    """A button whose words are fitted into whatever width and padding it has; hidden until they are known."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_role(self, kind="chip")
        self.setMinimumWidth(_LEAST)
        self.hide()

    def show_words(self, words: str, whole: str) -> None:
        """Says where words go, in few words; `whole` says it in full to who rests the pointer on it."""
        self.setText(words)
        self.setToolTip(plain_tooltip(whole))
        self.setAccessibleName(whole)
        self.show()

    def fit_into(self, room: int) -> None:
        """Gives its words at most this many pixels."""
        self.setMaximumWidth(max(_LEAST, self.around() + min(room, self._words_width())))

    def around(self) -> int:
        """Returns the pixels of its width that no words can have."""
        return self.sizeHint().width() - self._words_width()

    def shown_words(self) -> str:
        """Returns as much of the words as there is room for."""
        room = max(0, self.width() - self.around())
        if self._words_width() <= room:
            return self.text()
        # What is left after eliding may be wider by a fraction of a pixel, which is rounded up.
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, max(0, room - 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = self.shown_words()
        with QPainter(self) as painter:
            self.style().drawControl(QStyle.ControlElement.CE_PushButton, option, painter, self)

    def _words_width(self) -> int:
        return self.fontMetrics().horizontalAdvance(self.text())
