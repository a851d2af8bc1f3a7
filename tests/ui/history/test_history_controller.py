"""The history desk: the pane follows the logs of the open workspace and what the core announces."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from mnemoscope.agent.search.search_service import SearchService
from mnemoscope.domain import events
from mnemoscope.domain.memory.records import ConsolidationRecord
from mnemoscope.store.files.disk import InlineDisk
from mnemoscope.ui.history.controller import HistoryController
from mnemoscope.ui.history.pane import HistoryPane
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.tasks import Tasks
from tests.support.history_logs import entry, log_of, workspace
from tests.ui.window_fixture import until


class _Timeline(QWidget):
    consolidate_requested = Signal()


class _Window(QWidget):
    def __init__(self):
        super().__init__()
        self.history = HistoryPane(self)
        self.timeline = _Timeline(self)


class _Bench:
    def __init__(self, paths):
        self.workspace = SimpleNamespace(paths=paths, read_only=True)
        self.search = SearchService(paths, events.EventBus(), read_only=True)
        self.disk = InlineDisk()
        self.memory = SimpleNamespace(ledger=SimpleNamespace(records=lambda: self.records))
        self.records = []
        self.dreaming = SimpleNamespace(reach=self._reach)

    async def _reach(self):
        return None


@pytest.fixture
async def desk(tmp_path):
    bench, bus, asked = _Bench(workspace(tmp_path, log_of("one", "two"))), events.EventBus(), []
    window = _Window()
    bridge = Bridge(bus, window)
    made = HistoryController(
        window, bench, bridge, Tasks(), lambda record: asked.append((record.session_key, record.start))
    )
    yield SimpleNamespace(
        desk=made, window=window, bench=bench, bus=bus, asked=asked, file=bench.workspace.paths.history_file
    )
    if isValid(window):
        bridge.close()
        window.deleteLater()
    await bench.search.close()


def record(text, start=0, stop=20):
    return ConsolidationRecord("id", "desktop:1", "", start, stop, "", text.strip())


async def test_the_pane_shows_the_logs_and_follows_the_core(desk):
    pane = desk.window.history
    await desk.desk.open()
    await until(lambda: len(pane.model.matches) == 2, "the pane follows")
    text = entry(5, "three")
    with desk.file.open("a") as file:
        file.write(text)
    desk.bench.records = [record(text)]
    desk.bus.publish(events.Consolidated("desktop:1", 0, 20, text, "id", False, False))
    await until(lambda: len(pane.model.matches) == 3, "the pane follows")
    assert pane.view.show_messages(0)
    assert desk.asked == [("desktop:1", 0)]
    desk.desk.show_entry(record(entry(0, "one")))
    await until(lambda: pane.view.current == 2, "the pane follows")
    await desk.desk.close()
    await desk.desk.close()
    assert pane.model.matches == []


async def test_consolidating_from_the_empty_pane_is_asked_of_the_timeline(desk):
    asked = []
    desk.window.timeline.consolidate_requested.connect(lambda: asked.append(True))
    desk.window.history.consolidate_requested.emit()
    assert asked


async def test_a_window_that_goes_takes_the_search_along(desk):
    await desk.desk.open()
    search = desk.desk._search
    desk.window.deleteLater()
    await until(lambda: search.is_closed, "the search ends")
