"""Matching history entries at the edges: letters that fold, expressions that take too long, days and places."""

from datetime import date, timedelta
from pathlib import Path

import pytest

from mnemoscope.store.search.history_query import HistoryQuery
from mnemoscope.store.search.matcher import SPANS, Matcher, TooSlow
from tests.support.history_logs import FIRST, entry, log_of, workspace
from tests.support.history_searches import opened, texts


def test_words_over_two_lines_are_found_and_counted(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of("one\ntwo", "one two", "one\ntwo")))
    assert search.logs.count(HistoryQuery("one\ntwo")) == 2
    assert len(texts(search.logs, HistoryQuery("one\ntwo"))) == 2
    search.close()


def test_bytes_that_are_no_text_do_not_hide_a_match_from_the_count(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of("kiln é").encode() + b"[2026-01-05 10:00] \xff kiln\n\n"))
    assert search.logs.count(HistoryQuery("kiln")) == 2
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
    (match,) = search.logs.search(HistoryQuery("(a+)+b", regex=True)).matches
    assert match.spans == ()
    search.close()


def test_entries_of_other_days_are_not_even_read(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of(*(f"n{number}" for number in range(3_000)))))
    last = FIRST + timedelta(hours=2_999)
    assert search.logs.count(HistoryQuery("n", since=last.date() + timedelta(days=1))) == 0
    assert search.logs.count(HistoryQuery("n", since=last.date())) == last.hour + 1
    assert search.logs.count(HistoryQuery("n", until=FIRST.date())) == 24
    search.close()


def test_logs_that_were_not_asked_for_are_not_counted(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of("kiln", "kiln"))
    paths.history_jsonl.write_text('{"cursor": 1, "timestamp": "2026-01-02 10:00", "content": "kiln"}\n')
    search = opened(paths)
    assert search.logs.count(HistoryQuery("kiln", sources=frozenset({"jsonl"}))) == 1
    search.close()


def test_an_entry_is_located_among_the_logs_by_its_time(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of("one", "two", "three"))
    lines = (
        f'{{"cursor": {number}, "timestamp": "2026-01-0{number} 00:30", "content": "j{number}"}}\n'
        for number in range(1, 5)
    )
    paths.history_jsonl.write_text("".join(lines))
    search = opened(paths)
    located = search.logs.locate(entry(1, "two"))
    assert located is not None
    match, cursor, newer = located
    assert match.entry.number == 1
    assert newer == 1 + 3, "one of the log, three of history.jsonl"
    page = search.logs.search(HistoryQuery(), before=cursor)
    assert [each.entry.text[-3:] for each in page.matches] == ["two", "j1", "one"]
    search.close()
