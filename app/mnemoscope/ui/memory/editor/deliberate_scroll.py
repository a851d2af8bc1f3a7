"""Distinguishes scrolling by the person from scrolling that a view does by itself while it is laid out anew."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QScrollBar
from shiboken6 import isValid


class DeliberateScroll(QObject):
    """Listens to a view's scroll bar. `happened`: a person, or the program for one, scrolled."""

    happened = Signal()
    laid_out = Signal(bool)
    """There is more or less to scroll: all was laid out anew (True), or a little more that came into sight."""

    def __init__(self, bar: QScrollBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self.holding = self._cut_off = False
        bar.rangeChanged.connect(self._on_range)
        bar.valueChanged.connect(self._on_value)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Takes nothing that scrolls for the person's doing while the view is laid out."""
        if self.holding:
            yield
            return
        self.holding = True
        try:
            yield
        finally:
            self.holding = False
            self.laid_out.emit(True)

    def _on_range(self, _least: int, most: int) -> None:
        # A view that is taken away is laid out once more.
        if not isValid(self._bar):
            return
        # What lies beyond the new end is cut off next: nobody scrolled that either.
        self._cut_off = self._bar.value() > most
        if not self.holding:
            self.laid_out.emit(False)

    def _on_value(self) -> None:
        if self._cut_off:
            self._cut_off = False
        elif not self.holding:
            self.happened.emit()
