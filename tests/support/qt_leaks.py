"""Fails a test that a top-level widget, a running timer or a busy thread of Qt's outlives (marker may_leave)."""

import gc
from collections.abc import Iterator
from unittest.mock import patch

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QThreadPool, QTimer
from PySide6.QtWidgets import QApplication

from mnemoscope.ui.shell.garbage_collection import GarbageCollection
from tests.support.leaks import GRACE, may_leave


def _address(thing: shiboken6.Shiboken.Object) -> int:
    return int(shiboken6.getCppPointer(thing)[0])


def _widgets() -> dict[int, str]:
    return {_address(widget): f"widget {widget!r}" for widget in QApplication.topLevelWidgets()}


def _busy() -> dict[int, str]:
    """Timers and threads that run, of those that Python has made since the last gc.freeze()."""
    found = {}
    kinds = _with_subclasses(QTimer) | _with_subclasses(QThread)
    # By type: isinstance would ask proxies for their class and run their code.
    for thing in [each for each in gc.get_objects() if type(each) in kinds]:
        if not shiboken6.isValid(thing):
            continue
        if isinstance(thing, QThread):
            if thing.isRunning() and thing is not _main_thread():
                found[_address(thing)] = f"thread {thing!r}"
        # One of these goes on from test to test, as it does in the program.
        elif thing.isActive() and not isinstance(thing.parent(), GarbageCollection):
            found[_address(thing)] = f"timer {thing!r} of {thing.parent()!r}"
    return found


def _with_subclasses(kind: type) -> set[type]:
    return {kind}.union(*map(_with_subclasses, kind.__subclasses__()))


def _main_thread() -> QThread | None:
    app = QCoreApplication.instance()
    return app.thread() if app else None


def _delete_what_was_asked() -> None:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


def _left(widgets_before: set[int], request: pytest.FixtureRequest) -> list[str]:
    widgets = {} if may_leave(request, "widgets") else _widgets()
    timers = {} if may_leave(request, "timers") else _busy()
    return sorted([text for address, text in widgets.items() if address not in widgets_before] + list(timers.values()))


@pytest.fixture(autouse=True)
def _leaves_no_widget_or_timer(request: pytest.FixtureRequest) -> Iterator[None]:
    if not ("qapp" in request.fixturenames or QApplication.instance()):
        yield
        return
    before = set(_widgets()) if QApplication.instance() else set()
    # What is here already is set aside: only what the test makes has to be looked through. What only cycles of the test
    # before it hold goes first, or a worker would come to hold more and more.
    gc.collect()
    gc.freeze()
    with patch.object(gc, "freeze", wraps=gc.freeze) as freeze:
        yield
    if freeze.called:
        # The program has frozen what the test made.
        gc.unfreeze()
    _delete_what_was_asked()
    left = _left(before, request)
    if left:
        # What only a cycle held is gone now; what is still there has an owner that forgot it.
        gc.collect()
        _delete_what_was_asked()
        left = _left(before, request)
    if not QThreadPool.globalInstance().waitForDone(int(GRACE * 1000)):
        left.append("work in the global thread pool")
    if left:
        pytest.fail("The test left behind: " + ", ".join(left), pytrace=False)
