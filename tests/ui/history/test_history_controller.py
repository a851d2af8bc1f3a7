"""The history controller: the pane follows the logs of the open workspace and what the core announces."""

from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from shiboken6 import isValid

from mnemoscope.agent.search.search_service import SearchService
from mnemoscope.domain import events
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.settings import Settings
from mnemoscope.store.files.disk import InlineDisk
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.ui.history.history_controller import HistoryController
from mnemoscope.ui.history.history_pane import HistoryPane
from mnemoscope.ui.history.history_words import standing_label
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.tasks import Tasks
from tests.support.history_logs import entry, log_of, workspace
from tests.ui.window_fixture import until


class _Bench:
    def __init__(self, paths: WorkspacePaths) -> None:
        self.workspace = SimpleNamespace(paths=paths, read_only=True)
        self.settings = Settings()
        self.search = SearchService(paths, events.EventBus(), read_only=True)
        self.disk = InlineDisk()
        self.records: list[ConsolidationRecord] = []
        self.memory = SimpleNamespace(
            ledger=SimpleNamespace(records=lambda: self.records), corrections=SimpleNamespace(standing=dict)
        )
        self.memory.files = SimpleNamespace(forgotten_now=lambda: lambda _line: False)
        self.dreaming = SimpleNamespace(reach=self._reach)

    async def _reach(self) -> None:
        return None


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Any]:
    bench: Any = _Bench(workspace(tmp_path, log_of("one", "two")))
    bus = events.EventBus()
    asked: list[tuple[str, int]] = []
    pane = HistoryPane()
    bridge = Bridge(bus, pane)
    navigation = SimpleNamespace(show_messages=lambda record: asked.append((record.session_key, record.start)))
    made = HistoryController(pane, bench, bridge, Tasks(), navigation)
    yield SimpleNamespace(
        controller=made, pane=pane, bench=bench, bus=bus, asked=asked, file=bench.workspace.paths.history_file
    )
    if isValid(pane):
        bridge.close()
        pane.deleteLater()
    await bench.search.close()


def record(text: str, start: int = 0, stop: int = 20) -> Any:
    return ConsolidationRecord("id", "desktop:1", "", start, stop, "", text.strip())


async def test_the_pane_shows_the_logs_and_follows_the_core(opened: Any) -> None:
    pane = opened.pane
    await opened.controller.open()
    await until(lambda: len(pane.model.matches) == 2, "the pane follows")
    text = entry(5, "three")
    with opened.file.open("a") as file:
        file.write(text)
    opened.bench.records = [record(text)]
    opened.bus.publish(events.Consolidated("desktop:1", 0, 20, text, "id", False, False))
    await until(lambda: len(pane.model.matches) == 3, "the pane follows")
    assert pane.view.show_messages(0)
    assert opened.asked == [("desktop:1", 0)]
    opened.pane.show_entry(record(entry(0, "one")))
    await until(lambda: pane.view.current == 2, "the pane follows")
    await opened.controller.close()
    await opened.controller.close()
    assert pane.model.matches == []


async def test_a_window_that_goes_takes_the_search_along(opened: Any) -> None:
    await opened.controller.open()
    search = opened.controller._search
    opened.pane.deleteLater()
    await until(lambda: search.is_closed, "the search ends")


async def test_notes_of_messages_that_were_left_bear_a_mark(opened: Any) -> None:
    note = opened.file.parent / "2026-11-22.md"
    note.write_text("## [10:30:00]\n**User:** the walnut table\n\n## [10:31:00]\n**User:** the maple table\n")
    asked: list[set[str]] = []

    async def inactive_notes(files: set[str]) -> dict[str, frozenset[str]]:
        asked.append(files)
        return {"memory/2026-11-22.md": frozenset({"**User:** the walnut table"})}

    opened.bench.abandoned = SimpleNamespace(inactive_notes=inactive_notes)
    await opened.controller.open()
    await until(lambda: len(opened.pane.model.matches) == 4, "the notes listed")
    await until(lambda: bool(asked), "asked about them")
    asked.clear()
    for _ in range(3):
        opened.bus.publish(events.BranchChanged("desktop:1", "", 0))
    await until(lambda: bool(asked), "asked about them once for all that changed")
    labels = {each.entry.text: standing_label(opened.pane.model, each.entry) for each in opened.pane.model.matches}
    assert asked == [{"memory/2026-11-22.md"}]
    assert [text for text, label in labels.items() if label.startswith("of messages that are deleted")] == [
        "**User:** the walnut table"
    ]
