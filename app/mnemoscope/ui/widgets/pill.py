"""A small button that floats over the lower end of a scrolling view, while there is something further down."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from mnemoscope.ui.widgets.theme import set_role, theme_notifier

_ABOVE_END: Final = 12
"""Pixels between the button and the lower edge."""


class Pill(QPushButton):
    """Stands in the middle above the lower edge of `view`; hidden until it is of use."""

    def __init__(self, words: str, view: QWidget) -> None:
        super().__init__(words, view)
        self._view = view
        set_role(self, kind="pill")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hide()
        view.installEventFilter(self)
        theme_notifier().changed.connect(self._place)

    def offer(self, wanted: bool, words: str = "") -> None:
        """Shows the pill or not, with these words or the ones it has."""
        if words and words != self.text():
            self.setText(words)
        if wanted:
            self._place()
            self.raise_()
        self.setVisible(wanted)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._view and event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def kept_free(self) -> int:
        """Returns how many pixels at the lower edge of the view have something that the pill is not to cover."""
        return 0

    def _place(self) -> None:
        size = self.sizeHint()
        self.resize(size)
        bottom = self._view.height() - self.kept_free()
        self.move((self._view.width() - size.width()) // 2, bottom - size.height() - _ABOVE_END)
