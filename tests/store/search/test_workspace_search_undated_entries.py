"""Entries without a date are told apart once the ledger knows them, whatever was read before."""

from pathlib import Path

from mnemoscope.store.search.history_query import HistoryQuery
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.transactions.intent import CONSOLIDATION, Intent
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.history_logs import workspace
from tests.support.history_searches import opened, texts
from tests.support.search_files import found

LOG = "[2026-03-01 10:00] They talked of bandicoots.\n\nThey talked of wombats.\n\n"


def known_to_the_ledger(paths: WorkspacePaths) -> None:
    """A consolidation whose entry stands in HISTORY.md without its date, as older versions wrote it."""
    ledger = Ledger(paths)
    entry = "They talked of wombats.\n\n"
    when = "2026-03-02T10:00:00.000001"
    intent = Intent.of_kind(CONSOLIDATION, workspace_id="w", when=when, session_key="d:a", history_entry=entry)
    ledger.commit(intent)
    ledger.finish(intent)


def test_the_history_is_read_anew_when_the_ledger_knows_more_of_it(tmp_path: Path) -> None:
    paths = workspace(tmp_path, LOG)
    search = opened(paths)
    assert len(texts(search.logs, HistoryQuery())) == 1
    known_to_the_ledger(paths)
    assert search.logs.refresh()
    assert texts(search.logs, HistoryQuery()) == [
        "They talked of wombats.",
        "[2026-03-01 10:00] They talked of bandicoots.",
    ]
    (newest,) = search.logs.search(HistoryQuery("wombats")).matches
    assert newest.entry.when == "2026-03-02 10:00"
    assert not search.logs.refresh(), "what did not change is not read again"
    search.close()


def test_the_search_of_everything_cuts_it_anew_too_and_after_a_restart(tmp_path: Path) -> None:
    paths = workspace(tmp_path, LOG)
    search = WorkspaceSearch(paths)
    search.passages.catch_up()
    assert [text for _, _, text in found(search, "wombats")] == [LOG.strip()]
    search.close()
    known_to_the_ledger(paths)
    search = WorkspaceSearch(paths)
    search.passages.catch_up()
    assert [text for _, _, text in found(search, "wombats")] == ["They talked of wombats."]
    search.close()
