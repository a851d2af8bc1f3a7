"""What is cut to the width of the text column, cut anew when that width changed."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer

from mnemoscope.ui.chat.transcript.tool_events import ToolEvents
from mnemoscope.ui.chat.transcript.transcript_view import TranscriptView

REFIT_MS: Final = 120
"""After the column's width changed, until what is cut to it is cut anew."""


class ColumnRefit(QObject):
    """Once for a window's edge that is dragged, and not at all while the text column keeps its width."""

    def __init__(self, view: TranscriptView, calls: ToolEvents) -> None:
        super().__init__(view)
        self._transcript, self._calls = view.transcript, calls
        self._fitted = self._transcript.column_width
        self._soon = QTimer(self, singleShot=True, interval=REFIT_MS)
        self._soon.timeout.connect(self._refit)
        view.resized.connect(self._on_resized)

    def _on_resized(self) -> None:
        if self._transcript.column_width != self._fitted:
            self._soon.start()

    def _refit(self) -> None:
        if self._transcript.column_width != self._fitted:
            self._fitted = self._transcript.column_width
            self._calls.refit()
