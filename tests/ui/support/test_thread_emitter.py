"""Signals that a thread emits, of an object that the window's thread destroys meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QObject, Qt, Signal

from mnemoscope.ui.support.thread_emitter import ThreadEmitter


class Announcer(QObject):
    announced = Signal(object)


class Announcement:
    """An emission on a thread of its own, held in its middle by a slot that is called on that thread."""

    def __init__(self, owner: Announcer, emitter: ThreadEmitter, heard: list[str]) -> None:
        self.began, self.may_end, self.heard = Event(), Event(), heard
        owner.announced.connect(self._hold, Qt.ConnectionType.DirectConnection)
        self._thread = Thread(target=emitter.emit, args=(owner.announced, "news"))
        self._thread.start()
        assert self.began.wait(60)

    def _hold(self, _news: object) -> None:
        self.began.set()
        assert self.may_end.wait(60)
        self.heard.append("announced")

    def end(self) -> None:
        self.may_end.set()
        self._thread.join(60)


def deleted(owner: Announcer, _emitter: ThreadEmitter) -> None:
    shiboken6.delete(owner)


def deleted_with_its_parent(owner: Announcer, _emitter: ThreadEmitter) -> None:
    parent = owner.parent()
    assert parent is not None
    shiboken6.delete(parent)


def stopped(_owner: Announcer, emitter: ThreadEmitter) -> None:
    emitter.stop()


@pytest.mark.parametrize("end", [deleted, deleted_with_its_parent, stopped])
def test_an_object_is_not_gone_before_the_thread_has_announced(
    qapp: object, end: Callable[[Announcer, ThreadEmitter], None]
) -> None:
    parent = QObject()
    owner = Announcer(parent)
    emitter = ThreadEmitter(owner)
    heard: list[str] = []
    announcement = Announcement(owner, emitter, heard)
    has_ended = Event()

    def let_it_end() -> None:
        # Whoever ends it waits by now, or has gone on too early.
        has_ended.wait(0.05)
        announcement.end()

    ending = Thread(target=let_it_end)
    ending.start()
    end(owner, emitter)
    heard.append("ended")
    has_ended.set()
    ending.join(60)
    assert heard == ["announced", "ended"]


def test_nothing_is_announced_of_an_object_that_is_gone(qapp: object) -> None:
    owner = Announcer()
    signal, emitter = owner.announced, ThreadEmitter(owner)
    heard: list[Any] = []
    signal.connect(heard.append)
    emitter.emit(signal, 1)
    shiboken6.delete(owner)
    emitter.emit(signal, 2)
    assert heard == [1]
