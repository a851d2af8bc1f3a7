"""Chips of what goes with the message being written, side by side in as many columns as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from mnemoscope.ui.widgets.menus import offer_buttons

_GAP: Final = 8
Item = TypeVar("Item")


class ChipGrid(QWidget, Generic[Item]):
    """Shows a chip for each of its items, and is hidden while it has none. `_chip` makes the chip of one."""

    changed = Signal()
    """An item was added or taken away, or stands in the place of another one."""

    def __init__(self, most: int, width: int, parent: QWidget, *, least: int, fills_row: bool) -> None:
        """`most`: how many items there can be; `width`: the pixels of a chip; `least`: those it can do with. Where it
        `fills_row`, the chips share the room of a row; else they keep their width."""
        super().__init__(parent)
        self.items: tuple[Item, ...] = ()
        self._most = most
        self._width = width
        self._least = least
        self._fills_row = fills_row
        self._chips: list[QFrame] = []
        self._columns = 1
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_GAP)
        self.hide()

    def show_items(self, items: Sequence[Item]) -> None:
        """Shows these in place of those before, as many as there can be."""
        if tuple(items) == self.items:
            return
        self.items = tuple(items[: self._most])
        self.refill()
        self.changed.emit()

    def add(self, item: Item) -> bool:
        """Adds an item, unless it is there as it is; returns whether there was room for it."""
        if item in self.items:
            return True
        if len(self.items) >= self._most:
            return False
        self.show_items((*self.items, item))
        return True

    def remove(self, item: Item) -> None:
        """Takes an item away from the message."""
        self.show_items(tuple(each for each in self.items if each != item))

    def refill(self) -> None:
        """Makes every chip anew."""
        for chip in self._chips:
            chip.hide()
            chip.deleteLater()
        self._chips = [self._chip(number, item) for number, item in enumerate(self.items, 1)]
        for chip in self._chips:
            offer_buttons(chip)
        self._place()
        self.setVisible(bool(self.items))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        columns = max(1, (event.size().width() + _GAP) // (self._width + _GAP))
        if columns != self._columns:
            self._columns = columns
            self._place()

    def minimumSizeHint(self) -> QSize:
        """Returns a size as wide as one chip at its narrowest: what does not fit beside it goes below."""
        return QSize(self._least, super().minimumSizeHint().height())

    def _chip(self, number: int, item: Item) -> QFrame:
        """Returns the chip of an item, counted from 1."""
        raise NotImplementedError

    def _place(self) -> None:
        """Puts the chips side by side. They stay the same, so that whoever is at one by key stays there."""
        while self._grid.takeAt(0) is not None:
            pass
        for at, chip in enumerate(self._chips):
            self._grid.addWidget(chip, at // self._columns, at % self._columns)
        for column in range(self._most + 1):
            stretches = column < min(self._columns, self._most) if self._fills_row else column == self._columns
            self._grid.setColumnStretch(column, int(stretches))
