"""Buttons that show only an icon: as high as wide, and as large as the text beside them asks for."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize
from PySide6.QtWidgets import QAbstractButton

from mnemoscope.ui.theme import Theme, theme_notifier


def keep_square(button: QAbstractButton, side: int, icon: int) -> None:
    """Let a button be `side` pixels square with an icon of `icon` pixels, and grow with the text from there."""
    _Square(button, side, icon)


class _Square(QObject):
    def __init__(self, button: QAbstractButton, side: int, icon: int) -> None:
        super().__init__(button)
        self._button, self._side, self._icon = button, side, icon
        theme_notifier().changed.connect(self.fit)
        self.fit()

    def fit(self) -> None:
        """Take the size that suits the text in force."""
        theme = Theme.current()
        side, icon = theme.height(self._side), theme.scaled(self._icon)
        self._button.setFixedSize(side, side)
        self._button.setIconSize(QSize(icon, icon))
