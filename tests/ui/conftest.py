"""Tests of the window run on the window's own loop, wait patiently and can open whole windows (fixture `stage`)."""

import asyncio
from collections.abc import Callable, Iterator, Mapping

import pytest
from PySide6.QtWidgets import QApplication

from mnemoscope.ui.support.garbage_collection import GarbageCollection
from tests.ui.application_fixture import driver
from tests.ui.patient_bot import qtbot
from tests.ui.window_fixture import qt_loop, stage

__all__ = ["driver", "qtbot", "stage"]


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    return {"qt": qt_loop}


@pytest.fixture(scope="session", autouse=True)
def _garbage_is_collected_as_in_the_program(qapp: QApplication) -> None:
    GarbageCollection(qapp)


@pytest.fixture(scope="session", autouse=True)
def _the_clipboard_is_empty_in_the_end(qapp: QApplication) -> Iterator[None]:
    """What Python put there must not outlive the interpreter: the offscreen platform lets go of it after its end."""
    yield
    qapp.clipboard().clear()
