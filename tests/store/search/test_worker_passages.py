"""Search on its own thread: answers are futures, what changed is taken in between them, closing is quick."""

import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from functools import partial
from pathlib import Path
from threading import Event, current_thread
from typing import Any

import pytest

from mnemoscope.domain.search import ranking
from mnemoscope.store.search import passage_search
from mnemoscope.store.search.history_query import HistoryQuery
from mnemoscope.store.search.passage_index import PassageIndex
from mnemoscope.store.search.search_hit import SearchState
from mnemoscope.store.search.search_sources import SearchKind
from mnemoscope.store.search.worker import SearchWorker
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.history_logs import log_of
from tests.support.search_files import message, session, workspace


@pytest.fixture
def paths(tmp_path: Path) -> Any:
    return workspace(tmp_path)


@pytest.fixture
def search(paths: WorkspacePaths) -> Iterator[Any]:
    one = SearchWorker(paths)
    yield one
    one.close().result(60)


def current(search: SearchWorker) -> list[SearchState]:
    """Waits until everything is taken in; the states told of on the way."""
    states: list[SearchState] = []
    done = Event()

    def listen(state: SearchState) -> None:
        states.append(state)
        if state.is_current:
            done.set()

    unsubscribe = search.passages.subscribe(listen)
    search.passages.refresh()
    assert done.wait(60)
    unsubscribe()
    unsubscribe()
    return states


def test_what_changed_is_taken_in_in_the_background(paths: WorkspacePaths, search: Any) -> None:
    session(paths, *(message(f"quokka {number}") for number in range(3_000)))
    search_state = current(search)
    assert not search_state[0].is_current
    assert search_state[-1] == search.passages.state == SearchState(3_000, is_current=True)
    assert len(search.passages.type("quokk", 10).result(60)) == 10


def test_a_whole_query_finds_what_is_on_disk_now(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- a quokka\n")
    assert [hit.line for hit in search.passages.find("quokka").result(60)] == [1]
    assert search.passages.ask(lambda own: own.state.passages).result(60) == 1
    assert search.passages.ask(lambda own: current_thread().name).result(60).startswith("mnemoscope-search")


def test_the_question_itself_is_no_answer(paths: WorkspacePaths, search: Any) -> None:
    asked = [message("the quokka is called Bo"), message("yes", "assistant"), message("how is the quokka called?")]
    session(paths, *asked)
    assert [hit.message_index for hit in search.passages.find("quokka called", asked_in="cli:direct").result(60)] == [0]
    assert [hit.message_index for hit in search.passages.find("quokka called").result(60)] == [0, 2]


def test_what_takes_too_long_is_answered_with_what_is_there(paths: WorkspacePaths, search: Any) -> None:
    session(paths, *(message(f"quokka {number}") for number in range(3_000)))
    assert len(search.passages.find("quokka", seconds=0.0).result(60)) <= 53
    assert current(search)[-1].passages == 3_000


def test_a_newer_key_takes_the_place_of_an_older_one(paths: WorkspacePaths, search: Any) -> None:
    held = Event()
    search.passages.ask(lambda _own: held.wait(60))
    older, newer = search.passages.type("a", 10), search.passages.type("ab", 10)
    search.passages.refresh()
    search.passages.refresh()
    held.set()
    assert newer.result(60) == []
    with pytest.raises(CancelledError):
        older.result(60)


def test_a_whole_query_of_which_the_next_key_asks_another_is_given_up_on_its_way(
    paths: WorkspacePaths, search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    session(paths, *(message(f"quokka {number}") for number in range(30)))
    current(search)
    begun, held = Event(), Event()
    fetched, whole = PassageIndex.fetch, ranking.grouped_duplicates
    grouped: list[int] = []

    def fetch(own: PassageIndex, numbers: Any) -> Any:
        begun.set()
        held.wait(60)
        return fetched(own, numbers)

    def group(passages: Any, stems: Any) -> Any:
        grouped.append(len(passages))
        return whole(passages, stems)

    # A query is held in the midst of its work.
    monkeypatch.setattr(PassageIndex, "fetch", fetch)
    monkeypatch.setattr(passage_search, "grouped_duplicates", group)
    older = search.passages.find("quokka", typing=True)
    assert begun.wait(60)
    newer = search.passages.type("quokka 2", 10)
    assert older.cancelled()
    held.set()
    assert newer.result(60)
    assert len(grouped) == 1


@pytest.mark.logs_errors
@pytest.mark.parametrize("given_up", [False, True])
def test_a_fault_of_a_whole_query_is_raised_to_whoever_still_waits(
    search: Any, monkeypatch: pytest.MonkeyPatch, given_up: bool
) -> None:
    begun, held = Event(), Event()

    def fail(*_arguments: object, **_named: object) -> None:
        begun.set()
        held.wait(60)
        raise ZeroDivisionError

    # No question makes it fail by itself.
    monkeypatch.setattr(passage_search.PassageSearch, "find", fail)
    future = search.passages.find("quokka", typing=True)
    assert begun.wait(60)
    if given_up:
        future.cancel()
    held.set()
    with pytest.raises(CancelledError if given_up else ZeroDivisionError):
        future.result(60)


@pytest.mark.logs_errors
def test_a_fault_is_raised_by_the_future(search: Any) -> None:
    def fail(_own: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search.passages.ask(fail).result(60)


@pytest.mark.logs_errors
@pytest.mark.parametrize("step", ["refresh", "work"])
def test_a_fault_while_what_is_on_disk_is_taken_in_keeps_no_question_waiting(search: Any, step: str) -> None:
    def fail(*_given: object) -> None:
        raise ZeroDivisionError

    def break_it(own: Any) -> None:
        setattr(own, step, fail)

    def mend_it(own: Any) -> None:
        delattr(own, step)

    search.passages.ask(break_it).result(60)
    with pytest.raises(ZeroDivisionError):
        search.passages.find("quokka").result(60)
    search.passages.ask(mend_it).result(60)
    assert search.passages.find("quokka").result(60) == []


def _hold(held: Event, begun: Event, _own: object) -> None:
    begun.set()
    held.wait(60)


def _note_current(current: Event, state: Any) -> None:
    if state.is_current:
        current.set()


def test_a_closed_search_answers_nothing(paths: WorkspacePaths) -> None:
    search = SearchWorker(paths)
    held, begun = Event(), Event()
    search.passages.ask(partial(_hold, held, begun))
    assert begun.wait(60)
    search.passages.refresh()
    search.close()
    ended = search.close()
    held.set()
    assert ended.result(60) is None
    assert search.passages.find("quokka").cancelled()
    search.passages.refresh()


def test_a_whole_question_waits_until_all_is_taken_in_slice_by_slice(paths: WorkspacePaths, search: Any) -> None:
    session(paths, *(message(f"quokka {number}") for number in range(3_000)))
    assert search.passages.find("quokka", seconds=600).result(60)
    assert search.passages.ask(lambda own: own.state.passages).result(60) == 3_000


def test_closing_ends_what_is_being_taken_in(paths: WorkspacePaths) -> None:
    session(paths, *(message(f"quokka {number}") for number in range(3_000)))
    search = SearchWorker(paths)
    found, begun = Event(), Event()

    def listen(_state: SearchState) -> None:
        begun.set()
        assert found.wait(60)

    search.passages.subscribe(listen)
    search.passages.refresh()
    assert begun.wait(60)
    ended = search.close()
    found.set()
    ended.result(60)
    assert not search.passages.state.is_current


def test_an_index_that_breaks_while_it_is_asked_for_the_logs_is_made_anew_for_the_passages_too(
    paths: WorkspacePaths,
) -> None:
    paths.memory_file.write_text("- a quokka\n")
    paths.history_file.write_text(log_of("kiln", "bowl", "kiln"))
    search = SearchWorker(paths, index_from=1)
    assert len(search.passages.find("quokka").result(60)) == 1
    search.logs.refresh().result(60)
    deadline = time.monotonic() + 60
    while search.logs.state.indexed < 2 and time.monotonic() < deadline:
        search.logs.search(HistoryQuery()).result(60)
    search.passages.ask(lambda own: own.index.db.execute("DROP TABLE trigrams_history")).result(60)
    assert search.logs.search(HistoryQuery("kiln")).result(60).next_before is not None, "it is to be asked again"
    assert search.passages.ask(lambda own: own.find("quokka")).result(60) == []
    search.logs.refresh().result(60)
    while not search.passages.type("quokk", 5).result(60) and time.monotonic() < deadline:
        pass
    assert len(search.passages.type("quokk", 5).result(60)) == 1
    search.close().result(60)


def test_only_where_somebody_searched_before_the_index_is_resumed(paths: WorkspacePaths) -> None:
    paths.memory_file.write_text("- a quokka\n")
    fresh = SearchWorker(paths)
    fresh.passages.resume()
    assert fresh.logs.refresh().result(60).total == 0
    assert not fresh.passages.is_begun
    assert len(fresh.passages.find("quokka").result(60)) == 1
    fresh.close().result(60)
    paths.memory_file.write_text("- a quokka\n- another quokka\n")
    again, current = SearchWorker(paths), Event()
    again.passages.subscribe(partial(_note_current, current))
    again.passages.resume()
    assert current.wait(60)
    assert again.passages.state.passages == 2
    again.close().result(60)


def test_where_the_index_cannot_be_asked_nothing_is_resumed(paths: WorkspacePaths) -> None:
    paths.own.search_file.write_bytes(b"not a database at all" * 500)
    search = SearchWorker(paths)
    search.passages.resume()
    assert search.logs.refresh().result(60).total == 0
    assert not search.passages.is_begun
    search.close().result(60)


def test_what_is_asked_and_not_answered_when_all_is_closed_is_cancelled(paths: WorkspacePaths) -> None:
    search = SearchWorker(paths)
    held, begun = Event(), Event()
    search.passages.ask(partial(_hold, held, begun))
    assert begun.wait(60)
    asked: list[Future[Any]] = [search.passages.find("quokka"), search.logs.count(HistoryQuery("kiln"))]
    ended = search.close()
    held.set()
    assert ended.result(60) is None
    assert all(future.cancelled() for future in asked)


def test_a_question_that_is_cancelled_is_not_answered(paths: WorkspacePaths) -> None:
    search = SearchWorker(paths)
    held, begun = Event(), Event()
    search.passages.ask(partial(_hold, held, begun))
    assert begun.wait(60)
    asked = search.passages.find("quokka")
    assert asked.cancel()
    held.set()
    assert search.passages.find("quokka").result(60) == []
    search.close().result(60)


def test_each_message_is_found_once_whichever_branch_is_active(paths: WorkspacePaths, search: Any) -> None:
    manager = SessionManager(paths.root)
    talk = manager.get_or_create("cli:direct")

    def say(*words: str) -> None:
        for each in words:
            talk.add_message("user", each)
        manager.save(talk)

    def found() -> list[tuple[str, int, bool]]:
        hits = search.passages.find("quokka", 50).result(60)
        assert not any(hit.duplicates for hit in hits)
        return sorted((hit.text, hit.message_index, hit.kind is SearchKind.BRANCH) for hit in hits)

    say("first quokka", "second quokka", "third quokka", "fourth quokka")
    root = talk.branch.began
    manager.fork(talk, 1)
    say("another quokka", "one more quokka")
    other = talk.branch.began
    manager.fork(talk, 2)
    say("latest quokka")
    here = [("first quokka", 0, False), ("another quokka", 1, False), ("latest quokka", 2, False)]
    beside = [("one more quokka", 2, True)]
    left = [("second quokka", 1, True), ("third quokka", 2, True), ("fourth quokka", 3, True)]
    assert found() == sorted([*here, *beside, *left])
    # The branches that are not active now hold others of the messages alone than before.
    manager.switch_branch(talk, root)
    on_root = [(text, index, not is_aside) for text, index, is_aside in left]
    aside = [("another quokka", 1, True), ("latest quokka", 2, True)]
    assert found() == sorted([here[0], *on_root, *aside, *beside])
    manager.switch_branch(talk, other)
    assert found() == sorted([*here[:2], ("one more quokka", 2, False), ("latest quokka", 2, True), *left])
    # What /new closed goes on being found once.
    manager.archive(talk, talk.clock())
    assert found() == sorted([*here[:2], ("one more quokka", 2, False), ("latest quokka", 2, True), *left])


def test_an_index_thrown_away_for_what_it_holds_is_made_again_from_the_files(
    paths: WorkspacePaths, search: SearchWorker
) -> None:
    paths.memory_file.parent.mkdir(parents=True, exist_ok=True)
    paths.memory_file.write_text("- Keeps a quokka\n", encoding="utf-8")
    assert search.passages.find("quokka", 5).result(60)
    assert paths.own.search_file.exists()
    search.begin_anew().result(60)
    assert not paths.own.search_file.exists()
    paths.memory_file.write_text("- Keeps a canary\n", encoding="utf-8")
    assert search.passages.find("canary", 5).result(60)
    assert search.passages.find("quokka", 5).result(60) == []
    assert paths.own.search_file.exists()
