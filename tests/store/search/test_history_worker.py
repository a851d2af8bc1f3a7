"""History search on its own thread: answers are futures, newer questions take older ones' place, closing is quick."""

import time
from concurrent.futures import CancelledError
from threading import Event, current_thread

import pytest

from mnemoscope.store.search.history_query import HistoryQuery, HistoryQueryError
from mnemoscope.store.search.history_worker import AsyncHistorySearch
from tests.support.history_logs import entry, log_of, workspace


@pytest.fixture
def search(tmp_path):
    one = AsyncHistorySearch(workspace(tmp_path, log_of("pool one", "two", "pool three")), index_from=1)
    yield one
    one.close()


def test_a_page_and_a_count_are_answered(search):
    search.refresh().result(60)
    page = search.search(HistoryQuery("pool")).result(60)
    assert [match.entry.number for match in page.matches] == [2, 0]
    assert search.count(HistoryQuery("pool")).result(60) == 2
    assert search.locate("[2026-01-01 01:00] two").result(60)[0].entry.number == 1


def test_the_next_page_goes_on_where_the_first_ended(search):
    search.refresh().result(60)
    query = HistoryQuery()
    first = search.search(query, limit=2).result(60)
    assert [match.entry.number for match in search.more(query, first.next_before).result(60).matches] == [0]


def test_a_malformed_expression_is_raised_by_the_future(search):
    with pytest.raises(HistoryQueryError):
        search.search(HistoryQuery("(", regex=True)).result(60)


def test_an_older_question_is_given_up_for_a_newer_one(search):
    search.refresh().result(60)
    gate = Event()
    search._executor.submit(gate.wait, 60)
    older = [search.search(HistoryQuery(text)) for text in ("p", "po", "poo")]
    counted = search.count(HistoryQuery("poo"))
    newest = search.search(HistoryQuery("pool"))
    gate.set()
    assert len(newest.result(60).matches) == 2
    for future in (*older, counted):
        with pytest.raises(CancelledError):
            future.result(60)


def test_changes_are_told_on_the_worker_thread(search, tmp_path):
    names, told = [], Event()
    search.subscribe(lambda state: (names.append(current_thread().name), state.total == 4 and told.set()))
    search.refresh().result(60)
    with (tmp_path / "memory/HISTORY.md").open("a") as file:
        file.write(entry(30, "four"))
    search.refresh().result(60)
    assert told.wait(60)
    assert all(name.startswith("mnemoscope-history") for name in names)


def test_a_listener_that_left_hears_nothing(search):
    heard = []
    search.subscribe(heard.append)()
    search.refresh().result(60)
    assert heard == []


def test_the_index_is_built_in_the_background(search, tmp_path):
    search.refresh().result(60)
    deadline = time.monotonic() + 60
    while search.state.indexed < 2 and time.monotonic() < deadline:
        search.search(HistoryQuery()).result(60)
    assert search.state.indexed == 2


def test_after_closing_everything_is_cancelled(search):
    search.close()
    search.close()
    for future in (search.search(HistoryQuery("a")), search.refresh(), search.count(HistoryQuery("a"))):
        with pytest.raises(CancelledError):
            future.result(60)
    assert search.closed


def test_closing_in_the_middle_of_a_large_load_ends_the_thread(tmp_path):
    paths = workspace(tmp_path, log_of(*["word " * 60] * 40_000))
    search = AsyncHistorySearch(paths)
    state = search.refresh().result(60)
    assert state.loading
    assert 0 < state.total < 40_000
    newest = search.search(HistoryQuery(), limit=1).result(60)
    assert newest.matches
    assert not newest.searched_all
    search.close()


@pytest.mark.logs_errors("history search failed")
def test_a_listener_that_fails_is_logged_and_the_search_goes_on(search):
    def fail(_state):
        raise ValueError("no")

    search.subscribe(fail)
    with pytest.raises(ValueError, match="no"):
        search.refresh().result(60)
    assert search.search(HistoryQuery("pool")).result(60).matches
