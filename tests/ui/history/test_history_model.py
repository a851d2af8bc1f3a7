"""What the model of the history pane hears from the thread that searches."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from threading import Thread
from typing import Any

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication

from mnemoscope.ui.history.history_model import HistorySearchSignals


class Source:
    """Stands in for what is searched: keeps who listens."""

    def __init__(self) -> None:
        self.listeners: list[Callable[[object], None]] = []

    def subscribe(self, listener: Callable[[object], None]) -> Callable[[], None]:
        """Keeps a listener."""
        self.listeners.append(listener)
        return self.listeners.clear


def test_what_the_thread_that_searches_announces_is_heard_until_the_model_stops(qapp: QApplication) -> None:
    source: Any = Source()
    signals = HistorySearchSignals(source)
    (listener,) = source.listeners
    heard: list[str] = []
    signals.changed.connect(lambda: heard.append("changed"))
    answer: Future[str] = Future()
    signals.ask(answer, heard.append)
    for announce in (partial(listener, None), partial(answer.set_result, "found")):
        announcing = Thread(target=announce)
        announcing.start()
        announcing.join(60)
    qapp.processEvents()
    assert heard == ["changed", "found"]
    late: Future[str] = Future()
    signals.ask(late, heard.append)
    signals.stop()
    listener(None)
    late.set_result("late")
    qapp.processEvents()
    assert heard == ["changed", "found"]


def test_what_is_announced_after_the_model_is_gone_is_heard_by_nobody(
    qapp: QApplication, caplog: pytest.LogCaptureFixture
) -> None:
    source: Any = Source()
    signals = HistorySearchSignals(source)
    (listener,) = source.listeners
    answer: Future[str] = Future()
    signals.ask(answer, lambda _found: None)
    shiboken6.delete(signals)
    listener(None)
    answer.set_result("found")
    assert not caplog.records
