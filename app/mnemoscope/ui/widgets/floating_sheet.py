"""A card with a shadow that floats over a window, in its middle near the top, until a click elsewhere."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QDialog, QFrame, QGraphicsDropShadowEffect, QLayout, QVBoxLayout, QWidget

from mnemoscope.ui.widgets.theme import set_role

TOP: Final = 64
"""Pixels between the window's upper edge and the sheet's."""
_SIDE: Final = 16
"""Room for the shadow at either side."""


class FloatingSheet(QDialog):
    """Holds what it is given in a column; its height is theirs."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self._window = window
        self._card = QFrame(self)

    def hold(self, *parts: QWidget, below: int) -> None:
        """Put these on the card, from the top, with so many pixels of it below them."""
        set_role(self._card, role="sheet")
        shadow = QGraphicsDropShadowEffect(self._card)
        shadow.setBlurRadius(24)
        shadow.setOffset(0, 6)
        self._card.setGraphicsEffect(shadow)
        inner = QVBoxLayout(self._card)
        inner.setContentsMargins(12, 12, 12, below)
        for part in parts:
            inner.addWidget(part)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(_SIDE, 8, _SIDE, 24)
        outer.addWidget(self._card)
        outer.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)

    def float_over(self, widest: int, margin: int) -> None:
        """Show it over the window, at most so wide, and with this much of the window left at both sides together."""
        window = self._window
        width = min(widest, window.width() - margin)
        self._card.setFixedWidth(width - 2 * _SIDE)
        self.move(window.mapToGlobal(QPoint((window.width() - width) // 2, TOP)))
        self.show()
