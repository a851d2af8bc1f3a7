"""`qtbot` with patience: each of its waits ends by its condition, so a busy machine may take its time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partialmethod
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

_MILLISECONDS = 90_000


class PatientBot(QtBot):
    """Gives up after a minute and a half instead of 1 or 5 seconds."""

    waitUntil: Callable[..., Any] = partialmethod(QtBot.waitUntil, timeout=_MILLISECONDS)  # type: ignore[assignment]
    waitSignal: Callable[..., Any] = partialmethod(QtBot.waitSignal, timeout=_MILLISECONDS)  # type: ignore[assignment]
    waitExposed: Callable[..., Any] = partialmethod(QtBot.waitExposed, timeout=_MILLISECONDS)  # type: ignore[assignment]


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """Returns as pytest-qt's."""
    return PatientBot(request)
