"""Looking for words in messages that are not on screen: a slice at a time, so that typing and scrolling never wait."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from mnemoscope.domain.conversation.message import text_of
from mnemoscope.ui.chat.transcript.message_source import MessageSource

_SLICE_SECONDS: Final = 0.008


class MessageSearch(QObject):
    """Walks a conversation from one message towards its beginning or end until a message holds the words."""

    found = Signal(int)
    ended = Signal()
    """Nothing holds the words in that direction."""

    def __init__(self, source: Callable[[], MessageSource], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._words = ""
        self._at = self._by = 0
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._slice)

    @property
    def busy(self) -> bool:
        """Whether a walk is under way."""
        return self._timer.isActive()

    def start(self, words: str, index: int, by: int) -> None:
        """Look at `index`, then onwards by `by` (1 or -1)."""
        self._words, self._at, self._by = words.casefold(), index, by
        self._timer.start()

    def stop(self) -> None:
        """Look no further."""
        self._timer.stop()

    def _slice(self) -> None:
        source, until = self._source(), perf_counter() + _SLICE_SECONDS
        while source.first <= self._at < source.stop:
            if self._words in text_of(source[self._at]).casefold():
                self._timer.stop()
                self.found.emit(self._at)
                return
            self._at += self._by
            if perf_counter() > until:
                return
        self._timer.stop()
        self.ended.emit()
