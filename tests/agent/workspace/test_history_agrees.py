"""However a model dates its entries, audit, `/history`, the History pane and the search count the same ones."""

from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.agent.cli.audit import audit
from mnemoscope.domain.memory.history_entries import dated_entry
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.memory.search.recall import search_memory
from mnemoscope.store.logs.entry_links import EntryLinks
from mnemoscope.store.search.history_query import HistoryQuery
from mnemoscope.store.search.worker import SearchWorker
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.intent import CONSOLIDATION, Intent
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.agent.commands.test_slash_commands import answer
from tests.support.agent_bench import make_bench
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import conversation, save_memory

ENTRIES = ("[2026-03-14 09:00] They met.", "They talked of tea.\nAnd of milk.", "They talked of cake.")
DATED = ("[2026-03-14 09:00] They met.", "**[2026-03-15 10:00]** They talked of tea.", "They talked of cake.")


def damaged(root: Path, entries: tuple[str, ...], peer: str = "") -> WorkspacePaths:
    """Returns a workspace whose model left dates out, as earlier versions wrote it; `peer`: what another program
    added."""
    paths = WorkspacePaths(root)
    paths.memory_dir.mkdir(parents=True)
    ledger, log = Ledger(paths), ""
    for number, entry in enumerate(entries):
        intent = Intent.of_kind(
            CONSOLIDATION,
            workspace_id=ledger.workspace_id(),
            when=f"2026-03-{14 + number}T12:00:00",
            session_key="cli:direct",
            start=number * 10,
            stop=number * 10 + 10,
            history_entry=f"{entry}\n\n",
        )
        ledger.commit(intent)
        ledger.finish(intent)
        log += f"{entry}\n\n{peer}"
    paths.history_file.write_text(log, encoding="utf-8")
    return paths


@pytest.mark.parametrize("entries", [ENTRIES, DATED])
@pytest.mark.parametrize("peer", ["", "A paragraph that another program added.\n\n"])
async def test_entries_that_melted_are_read_apart_by_the_ledger(
    tmp_path: Path, entries: tuple[str, ...], peer: str
) -> None:
    paths = damaged(tmp_path, entries, peer)
    report = audit(tmp_path)
    (file,) = (each for each in report.memory_files if each.path == "memory/HISTORY.md")
    assert (report.history_entries, file.entries) == (3, 3)
    bench = make_bench(tmp_path, real_memory=True)
    assert (await answer(bench, "/history 1")).startswith("They talked of cake.")
    assert "They met" not in await answer(bench, "/history 2")
    found = [hit for hit in search_memory(paths, "talked") if hit.source == "memory/HISTORY.md"]
    assert [hit.where for hit in found] == [
        "2026-03-16 12:00",
        "2026-03-15 10:00" if entries is DATED else "2026-03-15 12:00",
    ]
    search = SearchWorker(paths)
    try:
        search.logs.refresh().result(60)
        (cake,) = search.logs.search(HistoryQuery("cake")).result(60).matches
        assert (cake.entry.number, cake.entry.when) == (2, "2026-03-16 12:00")
        record = EntryLinks(Ledger(paths).records()).record_for(cake.entry.text.partition("\n\n")[0])
        assert record is not None
        assert (record.start, record.stop) == (20, 30)
    finally:
        search.close().result(60)


@pytest.mark.parametrize(
    "given", ["They talked of {}.", "**[2026-03-15 10:00]** Of {}.", "[2026-03-15T10:00] {}", "2026: {}"]
)
async def test_three_consolidations_are_three_entries(tmp_path: Path, given: str) -> None:
    store, sessions = MemoryStore(tmp_path), SessionManager(tmp_path)
    for number, topic in enumerate(("tea", "milk", "cake")):
        session = conversation(sessions, 4, start=number * 4)
        model = ScriptedProvider(save_memory(given.format(topic), f"# Notes\n- {topic}\n"))
        assert await store.consolidate(session, model, "m", archive_all=True)
    report = audit(tmp_path)
    (file,) = (each for each in report.memory_files if each.path == "memory/HISTORY.md")
    assert (report.history_entries, file.entries) == (3, 3)
    said = session.messages[-1]["timestamp"][:16].replace("T", " ")
    newest = store.ledger.records()[-1].entry
    assert newest == dated_entry(given.format("cake"), [said], datetime.now())
    assert newest.startswith(f"[{said}] ")


async def test_a_history_that_cannot_be_read_is_not_called_empty(tmp_path: Path) -> None:
    paths = damaged(tmp_path, ENTRIES)
    paths.history_file.unlink()
    paths.history_file.mkdir()
    report = audit(tmp_path)
    assert any(each.startswith("The history log could not be read: it is a folder.") for each in report.problems)
    assert report.is_damaged
    bench = make_bench(tmp_path, real_memory=True)
    assert "The history log could not be read: it is a folder." in await answer(bench, "/history")
    assert search_memory(paths, "talked") == []
