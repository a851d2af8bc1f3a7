"""History logs at their edges: files that change meanwhile, an index that breaks, expressions that take too long."""

import logging
import os
import sqlite3
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from threading import Event

import pytest

from mnemoscope.store.history_files import HistoryFiles, look
from mnemoscope.store.history_hits import IndexBroken
from mnemoscope.store.history_index import HistoryLog
from mnemoscope.store.history_log import JsonLinesFormat, MarkdownFormat, NotesFormat, parse_history
from mnemoscope.store.history_matcher import SPANS, Matcher, TooSlow
from mnemoscope.store.history_query import HistoryQuery
from mnemoscope.store.history_search import HistorySearch
from mnemoscope.store.history_trigrams import TrigramIndex
from mnemoscope.store.history_worker import AsyncHistorySearch
from mnemoscope.store.workspace_paths import WorkspacePaths
from tests.support.history_logs import FIRST, entry, log_of, workspace

LARGE = 17_000


def opened(paths: WorkspacePaths, *, index_from: int = 20_000, writable: bool = True) -> HistorySearch:
    search = HistorySearch(paths, index_from=index_from, writable=writable)
    search.refresh()
    while search.work(0.5)[0]:
        pass
    return search


def texts(search: HistorySearch, query: HistoryQuery, limit: int = 50) -> list[str]:
    return [match.entry.text for match in search.search(query, limit=limit).matches]


# -- a log large enough for everything that only large ones need -------------------------------------------------------


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
    assert search.state.indexed == LARGE - 1
    assert texts(search, HistoryQuery("q")) == [entry(0, "quartz").strip()]
    assert texts(search, HistoryQuery("x")) == []
    search.close()


def test_many_matches_are_counted_by_reading_in_order(large: Path) -> None:
    search = opened(WorkspacePaths(large), index_from=1)
    assert search.count(HistoryQuery("kiln")) == (LARGE - 1) // 3
    search.close()


def test_a_count_takes_several_slices(large: Path) -> None:
    search = AsyncHistorySearch(WorkspacePaths(large), index_from=1_000_000)
    search.refresh().result(60)
    assert search.count(HistoryQuery("o[wl]+", regex=True)).result(60) == LARGE - 1 - (LARGE - 1) // 3
    search.close()


def test_what_an_earlier_run_indexed_is_checked_in_slices(large: Path) -> None:
    paths = WorkspacePaths(large)
    log = HistoryLog("history", MarkdownFormat, lambda: [paths.history_file], paths.root)
    log.refresh()
    index = TrigramIndex(paths.own.index_file)
    assert index.build(log, 0)
    assert index.covered("history") == 0, "what was not checked is not used"
    assert not index.build(log, 60)
    assert index.covered("history") == LARGE - 1
    index.close()
    log.rest()


def test_an_index_is_built_in_slices(large: Path) -> None:
    paths = WorkspacePaths(large)
    log = HistoryLog("history", MarkdownFormat, lambda: [paths.history_file], paths.root)
    log.refresh()
    index = TrigramIndex(None)
    assert index.build(log, 0.001)
    assert index.covered("history") < LARGE - 1
    index.close()
    log.rest()


def test_too_many_runs_begin_with_a_letter_to_be_asked_for(large: Path) -> None:
    letters = "".join(chr(0x4E00 + number) for number in range(300))
    root = large / "many"
    paths = workspace(root, log_of(*(f"é{letter}x" for letter in letters)))
    log = HistoryLog("history", MarkdownFormat, lambda: [paths.history_file], root)
    log.refresh()
    index = TrigramIndex(None)
    assert not index.build(log, 5)
    assert index.continuations("history", "é", 300) is None
    assert list(index.continuations("history", letters[7], 300) or ()) == [7]
    index.close()
    log.rest()


# -- an index that breaks ----------------------------------------------------------------------------------------------


def broken(search: HistorySearch) -> None:
    """The tables of the index are gone, as after a damaged page of its file."""
    assert search._index is not None
    database = search._index._connection()
    database.execute("DROP TABLE text_history")


@pytest.mark.parametrize("step", ["search", "count", "short count"])
def test_an_index_that_cannot_be_asked_is_thrown_away_and_made_again(tmp_path: Path, step: str) -> None:
    search = opened(workspace(tmp_path, log_of("kiln", "bowl", "kiln", "x")), index_from=1)
    broken(search)
    if step == "search":
        assert search.search(HistoryQuery("kiln")).next_before is not None, "it is to be asked again"
    else:
        assert search.count(HistoryQuery("kiln" if step == "count" else "kil")) is None
    assert search.state.indexed == 0
    assert search.count(HistoryQuery("kiln")) == 2
    while search.work(0.5)[0]:
        pass
    assert search.state.indexed == 3
    search.close()


def test_an_index_that_cannot_forget_is_thrown_away(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of("kiln", "bowl", "kiln", "x"))
    search = opened(paths, index_from=1)
    broken(search)
    paths.history_file.write_text(log_of("other", "words"))
    search.refresh()
    assert texts(search, HistoryQuery("words")) == [entry(1, "words").strip()]
    search.close()


def test_an_index_that_breaks_again_and_again_is_done_without(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of("kiln", "bowl", "kiln", "x")), index_from=1)
    index = search._index
    assert index is not None
    for _ in range(3):
        index.discard("the test says so")
    assert not index.usable
    assert search.work(0.5) == (False, False)
    assert search.count(HistoryQuery("kiln")) == 2
    search.close()


def test_an_index_that_cannot_be_removed_is_done_without(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    paths = workspace(tmp_path, log_of("kiln", "bowl"))
    (paths.own.index_file / "odd").mkdir(parents=True)
    with caplog.at_level(logging.WARNING):
        search = opened(paths, index_from=1)
    assert "thrown away" in caplog.text
    assert texts(search, HistoryQuery("kiln")) == [entry(0, "kiln").strip()]
    search.close()


def test_a_log_that_shrank_since_it_was_indexed_is_indexed_anew(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of("kiln", "bowl", "kiln", "x"))
    opened(paths, index_from=1).close()
    log = HistoryLog("history", MarkdownFormat, lambda: [paths.history_file], tmp_path)
    log.refresh()
    # Cut after the log was looked at and before the index is checked.
    paths.history_file.write_bytes(b"")
    index = TrigramIndex(paths.own.index_file)
    index.build(log, 5)
    assert index.covered("history") == 3
    assert list(index.candidates("history", "kiln", 4)) == []
    index.close()
    log.rest()


def test_a_closed_index_is_closed_again_and_forgets_nothing(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of("kiln", "bowl"))
    opened(paths, index_from=1).close()
    index = TrigramIndex(paths.own.index_file)
    index.forget("history")
    index.close()
    index.close()
    with closing(sqlite3.connect(paths.own.index_file)) as database:
        assert database.execute("SELECT entries FROM covers").fetchall() == [(1,)]


def test_a_temporary_index_is_removed_when_it_is_closed(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of("kiln", "bowl")), index_from=1, writable=False)
    assert search.state.indexed == 1
    assert search._index is not None
    file = search._index._file()
    assert file.exists()
    search._index.discard("the test says so")
    while search.work(0.5)[0]:
        pass
    search.close()
    assert not file.exists()


def test_a_question_to_a_broken_index_says_so(tmp_path: Path) -> None:
    index = TrigramIndex(tmp_path / "index.db")
    index._connection().execute("DROP TABLE text_history")
    with pytest.raises(IndexBroken):
        list(index.candidates("history", "kiln", 4))
    index.close()


# -- files that change meanwhile ---------------------------------------------------------------------------------------


def test_files_that_shrank_or_went_give_what_they_have(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number:02}.md" for number in range(20)]
    for path in paths:
        path.write_bytes(b"0123456789")
    files = HistoryFiles(look(paths))
    assert files.read(0, 200) == b"0123456789" * 20, "more files than are held open at once"
    files.rest()
    paths[1].write_bytes(b"01")
    paths[2].unlink()
    assert files.read(5, 30) == b"5678901"
    assert files.read(20, 30) == b""
    files.rest()


def test_a_log_that_begins_with_an_undated_entry_and_grows_is_read_on(tmp_path: Path) -> None:
    paths = workspace(tmp_path, "")
    search = opened(paths)
    for number in range(3):
        with paths.history_file.open("a") as file:
            file.write("first words\n\n" if not number else entry(number, f"dated {number}"))
        assert search.refresh()
    assert [text[-7:] for text in texts(search, HistoryQuery())] == ["dated 2", "dated 1", "t words"]
    search.close()


def test_of_several_files_one_that_changed_in_the_middle_is_read_anew(tmp_path: Path) -> None:
    paths = workspace(tmp_path)
    for day in ("01", "02", "03"):
        (paths.memory_dir / f"2026-01-{day}.md").write_text(f"## [08:00:00]\nnote {day}\n")
    search = opened(paths)
    (paths.memory_dir / "2026-01-02.md").write_text("## [08:00:00]\nanother note\n")
    assert search.refresh()
    assert texts(search, HistoryQuery("another")) == ["another note"]
    (paths.memory_dir / "2026-01-03.md").write_text("## [08:00:00]\nnote 03\n## [09:00:00]\nand more\n")
    assert search.refresh()
    assert texts(search, HistoryQuery("note 03")) == ["note 03"]
    search.close()


def test_a_workspace_without_a_memory_folder_has_no_history(tmp_path: Path) -> None:
    search = opened(WorkspacePaths(tmp_path))
    assert (search.state.total, search.locate("")) == (0, None)
    search.close()


# -- what entries say --------------------------------------------------------------------------------------------------


def test_words_before_the_first_section_of_a_note_are_an_entry(tmp_path: Path) -> None:
    paths = workspace(tmp_path)
    note = paths.memory_dir / "2026-01-04.md"
    note.write_text("# Daily Notes\n\nWoke early.\n\n## [08:00:00]\nTea.\n")
    search = opened(paths)
    assert texts(search, HistoryQuery()) == ["Tea.", "Woke early."]
    with note.open("a") as file:
        file.write("## Plans\nGraz.\n")
    search.refresh()
    assert texts(search, HistoryQuery()) == ["Plans\nGraz.", "Tea.", "Woke early."]
    search.close()


def test_a_file_read_on_has_no_head_any_more() -> None:
    form = NotesFormat()
    found: list[int] = []
    form.begin("2026-01-04.md", stamped=True)
    form.feed(b"still of the entry before\n## [08:00:00]\nTea.\n", 0, lambda start, _day: found.append(start))
    assert found == [26]


def test_a_line_that_was_changed_after_it_was_found_says_nothing() -> None:
    assert JsonLinesFormat().decode(b"{broken", "history.jsonl") == ("", "", None)


def test_a_date_that_is_none_is_no_day() -> None:
    (found,) = parse_history("[2026-02-31 10:00] No such day.\n")
    assert found.text == "[2026-02-31 10:00] No such day."


def test_more_days_than_are_kept_in_mind_are_told_apart() -> None:
    days = MarkdownFormat()._days
    first = date(1800, 1, 1)
    for number in range(50_003):
        day = first + timedelta(days=number)
        assert days[day.isoformat().encode()] == day.toordinal()
    assert len(days) < 50_003


# -- matching ----------------------------------------------------------------------------------------------------------


def test_words_over_two_lines_are_found_and_counted(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of("one\ntwo", "one two", "one\ntwo")))
    assert search.count(HistoryQuery("one\ntwo")) == 2
    assert len(texts(search, HistoryQuery("one\ntwo"))) == 2
    search.close()


def test_bytes_that_are_no_text_do_not_hide_a_match_from_the_count(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of("kiln é").encode() + b"[2026-01-05 10:00] \xff kiln\n\n"))
    assert search.count(HistoryQuery("kiln")) == 2
    search.close()


def test_without_words_every_text_matches_and_nothing_is_marked() -> None:
    matcher = Matcher(HistoryQuery(" "))
    assert matcher.is_in("anything")
    assert matcher.spans("anything") == ()
    assert HistoryQuery().is_empty
    assert not HistoryQuery(since=date(2026, 1, 1)).is_empty


def test_letters_that_fold_into_two_are_marked_once() -> None:
    matcher = Matcher(HistoryQuery("s"))
    assert matcher.spans("ßs") == ((0, 1), (1, 2))


def test_so_many_matches_are_marked_and_no_more() -> None:
    assert len(Matcher(HistoryQuery("a")).spans("a" * 2 * SPANS)) == SPANS


def test_an_empty_match_is_not_marked() -> None:
    assert Matcher(HistoryQuery("a*", regex=True)).spans("baab") == ((1, 3),)


def test_marking_an_expression_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(TooSlow):
        Matcher(HistoryQuery("(a+)+b", regex=True)).spans("a" * 4_000 + "!")


def test_an_entry_whose_matches_cannot_be_marked_in_time_is_found_all_the_same(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of("ab " + "a" * 4_000 + "!")))
    (match,) = search.search(HistoryQuery("(a+)+b", regex=True)).matches
    assert match.spans == ()
    search.close()


# -- days and places ---------------------------------------------------------------------------------------------------


def test_entries_of_other_days_are_not_even_read(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of(*(f"n{number}" for number in range(3_000)))))
    last = FIRST + timedelta(hours=2_999)
    assert search.count(HistoryQuery("n", since=last.date() + timedelta(days=1))) == 0
    assert search.count(HistoryQuery("n", since=last.date())) == last.hour + 1
    assert search.count(HistoryQuery("n", until=FIRST.date())) == 24
    search.close()


def test_logs_that_were_not_asked_for_are_not_counted(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of("kiln", "kiln"))
    paths.history_jsonl.write_text('{"cursor": 1, "timestamp": "2026-01-02 10:00", "content": "kiln"}\n')
    search = opened(paths)
    assert search.count(HistoryQuery("kiln", sources=frozenset({"jsonl"}))) == 1
    search.close()


def test_an_entry_is_located_among_the_logs_by_its_time(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of("one", "two", "three"))
    lines = (
        f'{{"cursor": {number}, "timestamp": "2026-01-0{number} 00:30", "content": "j{number}"}}\n'
        for number in range(1, 5)
    )
    paths.history_jsonl.write_text("".join(lines))
    search = opened(paths)
    located = search.locate(entry(1, "two"))
    assert located is not None
    match, cursor, newer = located
    assert match.entry.number == 1
    assert newer == 1 + 3, "one of the log, three of history.jsonl"
    page = search.search(HistoryQuery(), before=cursor)
    assert [each.entry.text[-3:] for each in page.matches] == ["two", "j1", "one"]
    search.close()


# -- the worker --------------------------------------------------------------------------------------------------------


def test_an_error_while_counting_is_raised_by_the_future(tmp_path: Path) -> None:
    search = AsyncHistorySearch(workspace(tmp_path, log_of("kiln")))
    search.refresh().result(60)
    with pytest.raises(Exception, match="not complete"):
        search.count(HistoryQuery("(", regex=True)).result(60)
    search.close()


@pytest.mark.logs_errors("history search failed")
def test_an_error_while_closing_is_logged(tmp_path: Path) -> None:
    search = AsyncHistorySearch(workspace(tmp_path, log_of("kiln")))

    def fail() -> None:
        raise OSError("no")

    search._guarded(fail)
    search.close()
    assert os.listdir(tmp_path) == ["memory"]


def held(search: AsyncHistorySearch) -> Event:
    """The worker waits at this place of its queue until the event is set."""
    gate = Event()
    search._executor.submit(gate.wait, 60)
    return gate


def test_asking_twice_for_what_changed_works_once(tmp_path: Path) -> None:
    search = AsyncHistorySearch(workspace(tmp_path, log_of("kiln", "bowl")), index_from=1)
    gate = held(search)
    asked = [search.refresh(), search.refresh()]
    gate.set()
    assert [future.result(60).total for future in asked] == [2, 2]
    while search.state.indexed < 1:
        search.search(HistoryQuery()).result(60)
    search.close()


def test_work_that_waits_when_all_is_closed_is_not_done(tmp_path: Path) -> None:
    search = AsyncHistorySearch(workspace(tmp_path, log_of("kiln", "bowl")), index_from=1)
    first = held(search)
    asked = search.refresh()
    second = held(search)
    first.set()
    assert asked.result(60).total == 2
    search.close()
    second.set()
    search._executor.shutdown(wait=True)
    assert search.state.indexed == 0
    assert os.listdir(tmp_path) == ["memory"]


@pytest.mark.logs_errors("history search failed")
def test_a_listener_that_fails_keeps_nothing_from_being_read(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of(*["word " * 60] * 40_000))
    search = AsyncHistorySearch(paths)
    assert search.refresh().result(60).loading

    def fail(_state: object) -> None:
        raise ValueError("no")

    search.subscribe(fail)
    while search.state.loading:
        search.search(HistoryQuery(), limit=1).result(60)
    assert search.state.total == 40_000
    search.close()
