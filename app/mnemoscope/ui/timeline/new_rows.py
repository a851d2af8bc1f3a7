"""Rows that came below what the reader looks at: counted, and offered by a small button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from mnemoscope.domain.timeline.rows import Row, RowKind
from mnemoscope.ui.timeline.scroll import NEAR_END
from mnemoscope.ui.timeline.words import number, tr
from mnemoscope.ui.widgets.pill import Pill

if TYPE_CHECKING:
    from mnemoscope.ui.timeline.timeline_view import TimelineView


class NewRows(QObject):
    """Says how many rows are new below, until the reader has seen the end."""

    def __init__(self, view: TimelineView) -> None:
        super().__init__(view)
        self._view = view
        self._count = 0
        self.button = Pill("", view.viewport())
        self.button.clicked.connect(self._go)
        view.model.appended.connect(self._on_appended)
        view.model.replaced.connect(self._forget)
        view.verticalScrollBar().valueChanged.connect(self._refresh)
        view.verticalScrollBar().rangeChanged.connect(self._refresh)

    def _on_appended(self) -> None:
        model = self._view.model
        if model.stack.place_of_row(Row(RowKind.MESSAGE, model.total - 1)) is not None:
            self._count += 1
        self._refresh()

    def _refresh(self) -> None:
        bar = self._view.verticalScrollBar()
        if bar.value() >= bar.maximum() - NEAR_END:
            self._count = 0
        words = tr("1 new below ↓") if self._count == 1 else tr("{0} new below ↓").format(number(self._count))
        self.button.offer(bool(self._count), words)

    def _forget(self) -> None:
        self._count = 0
        self._refresh()

    def _go(self) -> None:
        self._view.place.to_end()
        self._view.setFocus()
