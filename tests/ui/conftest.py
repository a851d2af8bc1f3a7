"""Tests of the window run on the window's own loop, wait patiently and can open whole windows (fixture `stage`)."""

import asyncio
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Mapping

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from mnemoscope.ui.shell.garbage_collection import GarbageCollection
from mnemoscope.ui.widgets.theme import Theme, apply_theme
from tests.support.shared_models import local_embedder, model_process
from tests.ui.application_fixture import driver
from tests.ui.patient_bot import qtbot
from tests.ui.window_fixture import qt_loop, stage

__all__ = ["driver", "local_embedder", "model_process", "qtbot", "stage"]

_loops: list[asyncio.AbstractEventLoop] = []
"""The loop of the test that runs now, or ran last."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Prints what the tasks of a hung test wait for, before its run is ended with nothing but the stacks of threads."""
    patience = 0.9 * float(item.config.getini("faulthandler_timeout"))
    watch = threading.Timer(patience, _print_tasks, [item])
    watch.daemon = True
    watch.start()
    try:
        return (yield)
    finally:
        watch.cancel()


def _print_tasks(item: pytest.Item) -> None:
    capture = item.config.pluginmanager.getplugin("capturemanager")
    assert capture is not None
    with capture.global_and_fixture_disabled():
        print(f"{item.nodeid} hangs. Its tasks:", file=sys.__stderr__)
        for task in asyncio.all_tasks(_loops[-1]) if _loops else ():
            print(task, file=sys.__stderr__)
            task.print_stack(file=sys.__stderr__)


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    return {"qt": _new_loop}


def _new_loop() -> asyncio.AbstractEventLoop:
    _loops[:] = [qt_loop()]
    return _loops[0]


@pytest.fixture(scope="session", autouse=True)
def _garbage_is_collected_as_in_the_program(qapp: QApplication) -> None:
    GarbageCollection(qapp)


@pytest.fixture(scope="session", autouse=True)
def _looks_as_in_the_program(qapp: QApplication) -> None:
    """Puts the theme on before the first test: without it a widget is of another size, and a test of one would pass or
    fail by whether a test before it opened a window, which puts it on."""
    apply_theme(qapp, "light")


@pytest.fixture(scope="session", autouse=True)
def _presses_of_a_test_are_presses_of_their_own(qapp: QApplication) -> None:
    """A test presses a button for the next thing at once, which a person does after a look: no time is that of a double
    click. `double_clicks` is for tests of presses that belong together."""
    qapp.setDoubleClickInterval(0)


@pytest.fixture
def double_clicks(qapp: QApplication) -> Iterator[None]:
    """Has presses that follow each other be those of a double click, however slow the machine is."""
    qapp.setDoubleClickInterval(600_000)
    yield
    qapp.setDoubleClickInterval(0)


@pytest.fixture(scope="session", autouse=True)
def _the_clipboard_is_empty_in_the_end(qapp: QApplication) -> Iterator[None]:
    """Yields what Python put there must not outlive the interpreter: the offscreen platform lets go of it after its
    end."""
    yield
    qapp.clipboard().clear()


@pytest.fixture(autouse=True)
def _the_next_test_has_the_theme_and_zoom_of_this_one(qapp: QApplication) -> Iterator[None]:
    """Fails a test that leaves another theme or zoom behind, and puts back what it found: sizes and colours of the next
    one would depend on the order of the tests."""
    before = Theme.current()
    yield
    after = Theme.current()
    if (after.dark, after.zoom) != (before.dark, before.zoom):
        apply_theme(qapp, "dark" if before.dark else "light", before.zoom)
        left = f"a {'dark' if after.dark else 'light'} theme at {after.zoom:.0%}"
        pytest.fail(f"the test left {left} behind")


@pytest.fixture(autouse=True)
def _no_button_of_the_mouse_stays_pressed(qapp: QApplication) -> Iterator[None]:
    """Fails a test that presses a button of the mouse and never releases it, and releases it: to the next one a key
    would come in the midst of a click."""
    yield
    pressed = qapp.mouseButtons()
    if pressed:
        widget = QWidget()
        widget.show()
        for button in Qt.MouseButton:
            if button in pressed and button.value.bit_count() == 1:
                QTest.mouseRelease(widget, button)
        widget.deleteLater()
        pytest.fail(f"the test left {pressed} pressed")
