"""Tests of the window run on the window's own loop, wait patiently and can open whole windows (fixture `stage`)."""

import asyncio
from collections.abc import Callable, Mapping

import pytest

from tests.ui.application_fixture import driver
from tests.ui.patient_bot import qtbot
from tests.ui.window_fixture import qt_loop, stage

__all__ = ["driver", "qtbot", "stage"]


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    return {"qt": qt_loop}
