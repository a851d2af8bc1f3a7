"""Says at the composer which model answers, and where words go."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QStyle, QStyleOptionButton, QWidget

from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_ICON: Final = 16
_LETTERS: Final = 18
"""So many letters of a name fit; the middle of a longer one is left out."""
_LEAST: Final = 48
"""Pixels; the line on where words go may be narrower than its words."""


class ComposerChip(QPushButton):
    """Is a button among the composer's that shows a state in few words, and is hidden until it is known."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_role(self, kind="chip")
        self.hide()

    def _describe(self, whole: str) -> None:
        """Shows the button, with a sentence for who rests the pointer on it or hears it."""
        self.setToolTip(plain_tooltip(whole))
        self.setAccessibleName(whole)
        self.show()


class ModelChip(ComposerChip):
    """Shows an icon and the model's own name; hidden until one is known."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._name = ""
        self._is_brief = False
        theme_notifier().changed.connect(self._show)

    def show_model(self, name: str, whole: str) -> None:
        """Shows a model's name; `whole` is a sentence that names it in full."""
        self._name = name
        self._describe(whole)
        self._show()

    def set_brief(self, brief: bool) -> None:
        """Leaves the name out where there is no room for it."""
        if brief != self._is_brief:
            self._is_brief = brief
            self._show()

    def _show(self) -> None:
        metrics = self.fontMetrics()
        room = metrics.averageCharWidth() * _LETTERS
        self.setText("" if self._is_brief else metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, room))
        self.setIcon(Theme.current().icon("cpu", "text_muted"))
        # Wider than high: that keeps the name away from it.
        self.setIconSize(QSize(_ICON + (0 if self._is_brief else 4), _ICON))


class DestinationChip(ComposerChip):
    """Fits its words into whatever width and padding it has; hidden until they are known."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMinimumWidth(_LEAST)

    def show_words(self, words: str, whole: str) -> None:
        """Says where words go, in few words; `whole` says it in full to who rests the pointer on it."""
        self.setText(words)
        self._describe(whole)

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
