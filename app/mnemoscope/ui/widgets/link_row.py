"""A row with a link at its edge: its words stand in line with what is above, the room of its focus ring beyond."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QHBoxLayout

from mnemoscope.ui.widgets.theme import LINK_INSET


class LinkRow(QHBoxLayout):
    """Lays out links beside each other. `left`, `right`: a link stands at that edge, and the layout around it leaves a
    margin of LINK_INSET there."""

    def __init__(self, *, left: bool = True, right: bool = False) -> None:
        super().__init__()
        self.setContentsMargins(0, 0, 0, 0)
        self._before, self._beyond = LINK_INSET * left, LINK_INSET * right

    def setGeometry(self, rect: QRect) -> None:
        """Makes the row a little wider than what it is given."""
        super().setGeometry(rect.adjusted(-self._before, 0, self._beyond, 0))
