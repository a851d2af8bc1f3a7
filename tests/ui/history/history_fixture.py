"""A history pane over a log of its own (fixture `opened`)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from mnemoscope.store.search.worker import SearchWorker
from mnemoscope.ui.history.history_pane import HistoryPane
from mnemoscope.ui.widgets.theme import apply_theme
from tests.support.history_logs import log_of, workspace

WORDS = ("pool one", "lake", "pool two", "the pool of the pool")


@pytest.fixture
def opened(qtbot: QtBot, tmp_path: Path, qapp: QApplication) -> Iterator[Any]:
    """Makes a pane over a log, and waits until it shows what is in it."""
    apply_theme(qapp, "light")
    searches = []

    def open_pane(history: Any = None, width: int = 384) -> Any:
        paths = workspace(tmp_path, log_of(*WORDS) if history is None else history)
        search = SearchWorker(paths)
        searches.append(search)
        pane = HistoryPane()
        qtbot.addWidget(pane)
        pane.resize(width, 600)
        pane.show()
        search.logs.refresh().result(60)
        pane.model.set_source(search.logs)
        qtbot.waitUntil(lambda: pane.model.ready and not pane.model.state.loading)
        return pane

    yield open_pane
    for search in searches:
        search.close()


def shown(pane: Any) -> Any:
    """Returns the words of the entries that are listed, newest first."""
    return [match.entry.text[19:] for match in pane.model.matches]


def type_text(qtbot: QtBot, pane: Any, text: str) -> None:
    """Types into the field and wait until all that matches is counted."""
    pane.field.clear()
    QTest.keyClicks(pane.field, text)
    qtbot.waitUntil(lambda: not pane._wait.isActive() and not pane.model._pending)
    qtbot.waitUntil(lambda: pane.model.count is not None or bool(pane.model.complaint))
