"""The index of a history log: large ones, and one that breaks."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mnemoscope.domain.memory.history_entries import MarkdownFormat
from mnemoscope.store.search.database import SearchDatabase
from mnemoscope.store.search.entry_log import EntryLog
from mnemoscope.store.search.history_query import HistoryQuery
from mnemoscope.store.search.trigrams import IndexBroken, TrigramIndex
from mnemoscope.store.search.worker import SearchWorker
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.history_logs import entry, log_of, workspace
from tests.support.history_searches import opened, texts

LARGE = 17_000


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Entries of which the oldest has a letter no other has, and each third the word “kiln”."""
    root = tmp_path_factory.mktemp("large")
    words = ("quartz" if number == 0 else "kiln" if number % 3 == 0 else "bowl" for number in range(LARGE))
    paths = workspace(root, log_of(*words))
    opened(paths, index_from=1).close()
    return root


def test_one_letter_is_found_by_the_index_behind_the_newest_thousands(large: Path) -> None:
    search = opened(WorkspacePaths(large), index_from=1)
    assert search.logs.state.indexed == LARGE - 1
    assert texts(search.logs, HistoryQuery("q")) == [entry(0, "quartz").strip()]
    assert texts(search.logs, HistoryQuery("x")) == []
    search.close()


def test_many_matches_are_counted_by_reading_in_order(large: Path) -> None:
    search = opened(WorkspacePaths(large), index_from=1)
    assert search.logs.count(HistoryQuery("kiln")) == (LARGE - 1) // 3
    search.close()


def test_a_count_takes_several_slices(large: Path) -> None:
    search = SearchWorker(WorkspacePaths(large), index_from=1_000_000)
    search.logs.refresh().result(60)
    assert search.logs.count(HistoryQuery("o[wl]+", regex=True)).result(60) == LARGE - 1 - (LARGE - 1) // 3
    search.close()


def test_what_an_earlier_run_indexed_is_checked_in_slices(large: Path) -> None:
    paths = WorkspacePaths(large)
    log = EntryLog("history", MarkdownFormat, lambda: [paths.history_file], paths.root)
    log.refresh()
    database = SearchDatabase(paths.own.search_file)
    index = TrigramIndex(database)
    assert index.build(log, 0)
    assert index.covered("history") == 0, "what was not checked is not used"
    assert not index.build(log, 60)
    assert index.covered("history") == LARGE - 1
    database.close()
    log.rest()


def test_an_index_is_built_in_slices(large: Path) -> None:
    paths = WorkspacePaths(large)
    log = EntryLog("history", MarkdownFormat, lambda: [paths.history_file], paths.root)
    log.refresh()
    database = SearchDatabase(None)
    index = TrigramIndex(database)
    assert index.build(log, 0.001)
    assert index.covered("history") < LARGE - 1
    database.close()
    log.rest()


def test_too_many_runs_begin_with_a_letter_to_be_asked_for(large: Path) -> None:
    letters = "".join(chr(0x4E00 + number) for number in range(300))
    root = large / "many"
    paths = workspace(root, log_of(*(f"é{letter}x" for letter in letters)))
    log = EntryLog("history", MarkdownFormat, lambda: [paths.history_file], root)
    log.refresh()
    database = SearchDatabase(None)
    index = TrigramIndex(database)
    assert not index.build(log, 5)
    assert index.continuations("history", "é", 300) is None
    assert list(index.continuations("history", letters[7], 300) or ()) == [7]
    database.close()
    log.rest()


def broken(search: WorkspaceSearch) -> None:
    """The tables of the index are gone, as after a damaged page of its file."""
    search.database.connection.execute("DROP TABLE trigrams_history")


@pytest.mark.parametrize("step", ["search", "count", "short count"])
def test_an_index_that_cannot_be_asked_is_thrown_away_and_made_again(tmp_path: Path, step: str) -> None:
    search = opened(workspace(tmp_path, log_of("kiln", "bowl", "kiln", "x")), index_from=1)
    broken(search)
    if step == "search":
        assert search.logs.search(HistoryQuery("kiln")).next_before is not None, "it is to be asked again"
    else:
        assert search.logs.count(HistoryQuery("kiln" if step == "count" else "kil")) is None
    assert search.logs.state.indexed == 0
    assert search.logs.count(HistoryQuery("kiln")) == 2
    while search.logs.work(0.5)[0]:
        pass
    assert search.logs.state.indexed == 3
    search.close()


def test_an_index_that_cannot_forget_is_thrown_away(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of("kiln", "bowl", "kiln", "x"))
    search = opened(paths, index_from=1)
    broken(search)
    paths.history_file.write_text(log_of("other", "words"))
    search.logs.refresh()
    assert texts(search.logs, HistoryQuery("words")) == [entry(1, "words").strip()]
    search.close()


def test_an_index_that_breaks_again_and_again_is_done_without(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of("kiln", "bowl", "kiln", "x")), index_from=1)
    for _ in range(3):
        search.database.discard("the test says so")
    assert search.logs.work(0.5) == (False, False)
    assert search.logs.count(HistoryQuery("kiln")) == 2
    search.close()


def test_an_index_that_cannot_be_removed_is_done_without(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    paths = workspace(tmp_path, log_of("kiln", "bowl"))
    (paths.own.search_file / "odd").mkdir(parents=True)
    with caplog.at_level(logging.WARNING):
        search = opened(paths, index_from=1)
    assert "thrown away" in caplog.text
    assert texts(search.logs, HistoryQuery("kiln")) == [entry(0, "kiln").strip()]
    search.close()


def test_a_log_that_shrank_since_it_was_indexed_is_indexed_anew(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of("kiln", "bowl", "kiln", "x"))
    opened(paths, index_from=1).close()
    log = EntryLog("history", MarkdownFormat, lambda: [paths.history_file], tmp_path)
    log.refresh()
    # Cut after the log was looked at and before the index is checked.
    paths.history_file.write_bytes(b"")
    database = SearchDatabase(paths.own.search_file)
    index = TrigramIndex(database)
    index.build(log, 5)
    assert index.covered("history") == 3
    assert list(index.candidates("history", "kiln", 4)) == []
    database.close()
    log.rest()


def test_a_database_that_is_not_open_is_closed_again_and_forgets_nothing(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of("kiln", "bowl"))
    opened(paths, index_from=1).close()
    database = SearchDatabase(paths.own.search_file)
    TrigramIndex(database).forget("history")
    database.close()
    database.close()
    with closing(sqlite3.connect(paths.own.search_file)) as file:
        assert file.execute("SELECT entries FROM covers").fetchall() == [(1,)]


def test_a_temporary_index_is_removed_when_it_is_closed(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of("kiln", "bowl")), index_from=1, writable=False)
    assert search.logs.state.indexed == 1
    file = search.database.file
    assert file.exists()
    search.database.discard("the test says so")
    while search.logs.work(0.5)[0]:
        pass
    search.close()
    assert not file.exists()


def test_a_question_to_a_broken_index_says_so(tmp_path: Path) -> None:
    database = SearchDatabase(tmp_path / "search.db")
    index = TrigramIndex(database)
    database.connection.execute("DROP TABLE trigrams_history")
    with pytest.raises(IndexBroken):
        list(index.candidates("history", "kiln", 4))
    database.close()


@pytest.mark.usefixtures("no_full_text_search")
def test_where_sqlite_has_no_full_text_search_logs_are_read(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of("kiln", "bowl")), index_from=0)
    assert "built without" in search.database.problem
    assert texts(search.logs, HistoryQuery("kiln")) == [entry(0, "kiln").strip()]
    search.close()


def test_the_index_of_before_is_removed_when_the_one_of_now_is_made(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of("kiln", "bowl"))
    former = paths.own.folder / "index.db"
    former.write_bytes(b"what the history was indexed in")
    opened(paths, index_from=0).close()
    assert not former.exists()
