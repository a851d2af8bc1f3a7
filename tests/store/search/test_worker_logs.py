"""History search on its own thread: answers are futures, newer questions take older ones' place, closing is quick."""

import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, thread
from pathlib import Path
from threading import Event, current_thread
from typing import Any, Never

import pytest

from mnemoscope.store.search.history_query import HistoryQuery, HistoryQueryError
from mnemoscope.store.search.worker import SearchWorker
from tests.support.history_logs import entry, log_of, workspace


@pytest.fixture
def search(tmp_path: Path) -> Iterator[Any]:
    one = SearchWorker(workspace(tmp_path, log_of("pool one", "two", "pool three")), index_from=1)
    yield one
    one.close()


def test_a_page_and_a_count_are_answered(search: Any) -> None:
    search.logs.refresh().result(60)
    page = search.logs.search(HistoryQuery("pool"), seconds=60).result(60)
    assert [match.entry.number for match in page.matches] == [2, 0]
    assert search.logs.count(HistoryQuery("pool")).result(60) == 2
    assert search.logs.locate("[2026-01-01 01:00] two").result(60)[0].entry.number == 1


def test_the_next_page_goes_on_where_the_first_ended(search: Any) -> None:
    search.logs.refresh().result(60)
    query = HistoryQuery()
    first = search.logs.search(query, limit=2).result(60)
    assert [match.entry.number for match in search.logs.more(query, first.next_before).result(60).matches] == [0]


def test_a_malformed_expression_is_raised_by_the_future(search: Any) -> None:
    with pytest.raises(HistoryQueryError):
        search.logs.search(HistoryQuery("(", regex=True)).result(60)


def test_an_older_question_is_given_up_for_a_newer_one(search: Any) -> None:
    search.logs.refresh().result(60)
    gate = Event()
    search._executor.submit(gate.wait, 60)
    older = [search.logs.search(HistoryQuery(text)) for text in ("p", "po", "poo")]
    counted = search.logs.count(HistoryQuery("poo"))
    newest = search.logs.search(HistoryQuery("pool"), seconds=60)
    gate.set()
    assert len(newest.result(60).matches) == 2
    for future in (*older, counted):
        with pytest.raises(CancelledError):
            future.result(60)


def test_changes_are_told_on_the_worker_thread(search: Any, tmp_path: Path) -> None:
    names: list[str] = []
    published = Event()

    def hear(state: Any) -> None:
        names.append(current_thread().name)
        if state.total == 4:
            published.set()

    search.logs.subscribe(hear)
    search.logs.refresh().result(60)
    with (tmp_path / "memory/HISTORY.md").open("a") as file:
        file.write(entry(30, "four"))
    search.logs.refresh().result(60)
    assert published.wait(60)
    assert all(name.startswith("mnemoscope-search") for name in names)


def test_a_listener_that_left_hears_nothing(search: Any) -> None:
    heard: list[Any] = []
    search.logs.subscribe(heard.append)()
    search.logs.refresh().result(60)
    assert heard == []


def test_the_index_is_built_in_the_background(search: Any, tmp_path: Path) -> None:
    search.logs.refresh().result(60)
    deadline = time.monotonic() + 60
    while search.logs.state.indexed < 2 and time.monotonic() < deadline:
        search.logs.search(HistoryQuery()).result(60)
    assert search.logs.state.indexed == 2


def test_after_closing_everything_is_cancelled(search: Any) -> None:
    search.close()
    search.close()
    for future in (search.logs.search(HistoryQuery("a")), search.logs.refresh(), search.logs.count(HistoryQuery("a"))):
        with pytest.raises(CancelledError):
            future.result(60)
    assert search.is_closed


def test_closing_while_the_interpreter_ends_closes_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    search = SearchWorker(workspace(tmp_path, log_of("pool one")), writable=False)
    search.passages.find("pool").result(60)
    assert list(tmp_path.rglob("search.db"))
    # What the interpreter sets once it has ended all threads, and before it destroys what is left.
    monkeypatch.setattr(thread, "_shutdown", True)
    assert search.close().result(0) is None
    assert search.is_closed
    assert not list(tmp_path.rglob("search.db")), "an index in a temporary folder is not left behind"


@pytest.mark.slow
def test_closing_in_the_middle_of_a_large_load_ends_the_thread(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of(*["word " * 60] * 40_000))
    search = SearchWorker(paths)
    state = search.logs.refresh().result(60)
    assert state.loading
    assert 0 < state.total < 40_000
    newest = search.logs.search(HistoryQuery(), limit=1).result(60)
    assert newest.matches
    assert not newest.searched_all
    search.close()


@pytest.mark.logs_errors("a listener failed on HistoryState")
def test_a_listener_that_fails_is_logged_and_the_search_goes_on(search: Any) -> None:
    def fail(_state: Any) -> Never:
        raise ValueError("no")

    heard: list[Any] = []
    search.logs.subscribe(fail)
    search.logs.subscribe(heard.append)
    assert search.logs.refresh().result(60).total == 3
    assert heard
    assert search.logs.search(HistoryQuery("pool")).result(60).matches


@pytest.mark.logs_errors("search failed")
def test_a_step_that_fails_is_logged_and_the_next_question_is_answered(search: Any) -> None:
    def fail() -> Never:
        raise ValueError("no")

    assert search.go_on(fail)
    assert search.logs.refresh().result(60).total == 3
