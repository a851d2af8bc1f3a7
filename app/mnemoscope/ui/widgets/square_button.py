"""Buttons that show only an icon: as high as wide, and as large as the text beside them asks for."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize
from PySide6.QtWidgets import QAbstractButton, QToolButton, QWidget

from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier


def keep_square(button: QAbstractButton, side: int, icon: int) -> None:
    """Lets a button be `side` pixels square with an icon of `icon` pixels, and grow with the text from there."""
    _Square(button, side, icon)


def square_tool(parent: QWidget, name: str, side: int, icon: int, picture: str = "") -> QToolButton:
    """Returns a quiet button of `side` pixels that says its name to the mouse and to a screen reader.

    `picture` is the name of its icon, drawn again when the theme changes; without one the caller sets it.
    """
    button = QToolButton(parent)
    set_role(button, kind="tight")
    _Square(button, side, icon, picture)
    button.setToolTip(name)
    button.setAccessibleName(name)
    return button


class _Square(QObject):
    def __init__(self, button: QAbstractButton, side: int, icon: int, picture: str = "") -> None:
        super().__init__(button)
        self._button = button
        self._side = side
        self._icon = icon
        self._picture = picture
        theme_notifier().changed.connect(self.fit)
        self.fit()

    def fit(self) -> None:
        """Takes the size that suits the text in force, and the theme's colour."""
        theme = Theme.current()
        side, icon = theme.height(self._side), theme.scaled(self._icon)
        self._button.setFixedSize(side, side)
        self._button.setIconSize(QSize(icon, icon))
        if self._picture:
            self._button.setIcon(theme.icon(self._picture, "text_muted"))
