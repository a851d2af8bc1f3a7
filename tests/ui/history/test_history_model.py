"""What the model of the history pane hears from the thread that searches."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import Any

from mnemoscope.ui.history.model import HistorySearchSignals


class Source:
    """Stands in for what is searched: keeps who listens."""

    def __init__(self) -> None:
        self.listeners: list[Callable[[object], None]] = []

    def subscribe(self, listener: Callable[[object], None]) -> Callable[[], None]:
        """Keeps a listener."""
        self.listeners.append(listener)
        return self.listeners.clear


def test_nothing_is_destroyed_while_the_thread_that_searches_announces(qapp: object) -> None:
    source: Any = Source()
    signals = HistorySearchSignals(source)
    began, may_go_on, stopped = Event(), Event(), Event()
    (listener,) = source.listeners
    heard: list[str] = []

    def hold() -> None:
        began.set()
        assert may_go_on.wait(60)
        heard.append("announced")

    def stop() -> None:
        signals.stop()
        heard.append("stopped")
        stopped.set()

    announcing = Thread(target=lambda: signals._emit(hold))
    announcing.start()
    assert began.wait(60)
    stopping = Thread(target=stop)
    stopping.start()
    assert not stopped.wait(0.05)
    may_go_on.set()
    announcing.join(60)
    stopping.join(60)
    assert heard == ["announced", "stopped"]
    signals.changed.connect(lambda: heard.append("changed"))
    listener(None)
    assert heard == ["announced", "stopped"], "what comes after that is not heard"
