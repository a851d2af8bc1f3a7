"""The ground of a pane: as narrow as a pane may become, in the colour that words are read on."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from mnemoscope.ui.widgets.theme import set_role

LEAST_WIDTH: Final = 280
"""Pixels: a line of a memory file, or a button with its words, has room in it."""


class Pane(QWidget):
    """Is one of the parts that share the window, or a page that fills one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(LEAST_WIDTH)
        set_role(self, role="canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
