"""Searching the history logs: the same answers with and without an index, newest first, within the time given."""

import os
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.store.logs.entry_links import EntryLinks
from mnemoscope.store.search.history_query import HistoryQuery, HistoryQueryError
from mnemoscope.store.search.log_search import TOO_SLOW
from mnemoscope.store.search.matcher import Matcher, literal_of
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.history_logs import entry, log_of, workspace


def opened(paths: WorkspacePaths, *, index_from: int = 20_000, writable: bool = True) -> Any:
    search = WorkspaceSearch(paths, index_from=index_from, writable=writable)
    search.logs.refresh()
    while search.logs.work(0.05)[0]:
        pass
    return search


def found(search: Any, text: str = "", **how: Any) -> Any:
    page = search.logs.search(HistoryQuery(text, **how), limit=1_000)
    assert page.searched_all
    return [match.entry.text.partition("] ")[2] or match.entry.text for match in page.matches]


@pytest.fixture(params=[20_000, 0], ids=["read", "indexed"])
def index_from(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_the_newest_entry_comes_first(tmp_path: Path, index_from: int) -> None:
    search = opened(workspace(tmp_path, log_of("pool one", "two", "pool three")), index_from=index_from)
    assert found(search) == ["pool three", "two", "pool one"]
    assert found(search, "pool") == ["pool three", "pool one"]
    search.close()


@pytest.mark.parametrize(
    "text", ["strasse", "STRASSE", "Straße", "ß", "ss", "СОЕДИНЕНИЙ", "пул", "続", "接続", "プール", "é", "İ", "k"]
)
def test_letters_are_compared_as_unicode_folds_them(tmp_path: Path, index_from: int, text: str) -> None:
    words = ["Straße", "пул соединений", "接続プール", "café", "İstanbul", "\u212aelvin", "plain", "x" * 400]
    search = opened(workspace(tmp_path, log_of(*words, "last")), index_from=index_from)
    expected = [one for one in reversed([*words, "last"]) if text.casefold() in one.casefold()]
    assert found(search, text) == expected
    assert expected
    search.close()


def test_a_match_is_marked_where_it_stands_in_the_text_as_written(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of("Die Straße und die STRASSE 🐘 strasse")))
    (match,) = search.logs.search(HistoryQuery("strasse")).matches
    assert [match.entry.text[a:b] for a, b in match.spans] == ["Straße", "STRASSE", "strasse"]
    search.close()


def test_case_and_whole_words_narrow_a_search(tmp_path: Path, index_from: int) -> None:
    search = opened(workspace(tmp_path, log_of("Pool", "pool", "pools", "x")), index_from=index_from)
    assert found(search, "Pool", case_sensitive=True) == ["Pool"]
    assert found(search, "pool", whole_words=True) == ["pool", "Pool"]
    search.close()


def test_an_expression_finds_what_it_describes(tmp_path: Path, index_from: int) -> None:
    search = opened(workspace(tmp_path, log_of("port 5432", "Port 80", "no", "x")), index_from=index_from)
    assert found(search, r"port \d+", regex=True) == ["Port 80", "port 5432"]
    assert found(search, r"^\[2026.*PORT", regex=True, case_sensitive=True) == []
    search.close()


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("(foo", "The expression is not complete: missing ) at position 4."),
        ("[abc", "The expression is not complete: unterminated character set at position 4."),
        ("*a", "The expression is not understood: nothing to repeat at position 1."),
        ("(" * 900 + ")" * 90, "The expression"),
        ("a" * 1_001, "The expression is longer than 1,000 characters."),
    ],
)
def test_a_malformed_expression_is_said_in_a_sentence(tmp_path: Path, expression: Any, sentence: Any) -> None:
    search = opened(workspace(tmp_path, log_of("a")))
    with pytest.raises(HistoryQueryError) as caught:
        search.logs.search(HistoryQuery(expression, regex=True))
    assert caught.value.sentence.startswith(sentence)
    search.close()


@pytest.mark.slow
def test_an_expression_that_takes_too_long_ends_with_what_was_found(tmp_path: Path) -> None:
    slow = "a" * 4_000 + "!"
    search = opened(workspace(tmp_path, log_of("never seen", *[slow] * 6, "aab")))
    page = search.logs.search(HistoryQuery("(a+)+b", regex=True))
    assert [match.entry.text[-3:] for match in page.matches] == ["aab"]
    assert page.complaint == TOO_SLOW
    assert page.next_before is None
    assert not page.searched_all
    assert search.logs.count(HistoryQuery("(a+)+b", regex=True)) is None
    search.close()


def test_what_was_slow_is_added_up_over_the_slices_of_a_search(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of(*["a" * 4_000 + "!"] * 20)))
    query = HistoryQuery("(a+)+b", regex=True)
    pages = [search.logs.search(query, seconds=0.0)]
    while pages[-1].next_before is not None:
        pages.append(search.logs.search(query, before=pages[-1].next_before, seconds=0.0))
    assert [page.passed_over for page in pages] == [1, 2, 3, 4]
    assert [page.complaint for page in pages] == ["", "", "", TOO_SLOW]
    assert not any(page.searched_all for page in pages)
    search.close()


def test_entries_passed_over_are_told_and_leave_the_count_unknown(tmp_path: Path) -> None:
    slow = "a" * 4_000 + "!"
    search = opened(workspace(tmp_path, log_of("aab 1", slow, "aab 2", slow)))
    query = HistoryQuery("(a+)+b", regex=True)
    first = search.logs.search(query, limit=1)
    assert ([match.entry.text[-5:] for match in first.matches], first.passed_over) == (["aab 2"], 1)
    rest = search.logs.search(query, before=first.next_before)
    assert ([match.entry.text[-5:] for match in rest.matches], rest.passed_over) == (["aab 1"], 2)
    assert (rest.next_before, rest.searched_all, rest.complaint) == (None, False, "")
    assert search.logs.count(query) is None
    search.close()


def test_days_are_inclusive_and_undated_entries_are_left_out(tmp_path: Path, index_from: int) -> None:
    history = "undated pool\n\n" + "".join(entry(24 * day, f"pool {day}") for day in range(5))
    search = opened(workspace(tmp_path, history), index_from=index_from)
    days: dict[str, Any] = {"since": date(2026, 1, 2), "until": date(2026, 1, 4)}
    assert found(search, "pool", **days) == ["pool 3", "pool 2", "pool 1"]
    assert found(search, **days) == ["pool 3", "pool 2", "pool 1"]
    assert search.logs.count(HistoryQuery("pool", **days)) == 3
    search.close()


def test_all_logs_are_searched_together_in_the_order_of_time(tmp_path: Path, index_from: int) -> None:
    paths = workspace(tmp_path, "[2026-01-01 10:00] a\n\n[2026-01-03 10:00] c\n\n")
    paths.history_jsonl.write_text('{"cursor": 1, "timestamp": "2026-01-02 10:00", "content": "b \\"quoted\\""}\n')
    (paths.memory_dir / "2026-01-04.md").write_text("# Daily Notes — 2026-01-04\n\n\n## [08:00:00]\nd\n")
    search = opened(paths, index_from=index_from)
    assert found(search) == ["d", "c", 'b "quoted"', "a"]
    assert found(search, 'b "quo') == ['b "quoted"']
    assert found(search, sources=frozenset({"jsonl", "history"})) == ["c", 'b "quoted"', "a"]
    assert search.logs.state.by_kind == {"history": 2, "jsonl": 1, "notes": 1}
    match = search.logs.search(HistoryQuery(sources=frozenset({"notes"}))).matches[0]
    assert (match.entry.source, match.entry.when) == ("memory/2026-01-04.md", "2026-01-04 08:00")
    search.close()


def test_pages_follow_each_other_without_gap_or_repetition(tmp_path: Path, index_from: int) -> None:
    paths = workspace(tmp_path, log_of(*[f"entry {number}" for number in range(230)]))
    paths.history_jsonl.write_text(
        "".join(
            f'{{"cursor": {n}, "timestamp": "2026-01-0{1 + n} 12:30", "content": "entry j{n}"}}\n' for n in range(5)
        )
    )
    search = opened(paths, index_from=index_from)
    for query in (HistoryQuery(), HistoryQuery("entry"), HistoryQuery("e")):
        whole = search.logs.search(query, limit=1_000).matches
        pages, before = [], None
        while True:
            page = search.logs.search(query, limit=7, before=before)
            pages += page.matches
            if page.next_before is None:
                break
            before = page.next_before
        assert [match.entry for match in pages] == [match.entry for match in whole]
        assert len(whole) == 235
        assert search.logs.count(query) == 235
    search.close()


def test_a_slice_of_time_ends_a_page_early_and_the_next_goes_on(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of("needle", *[f"hay {number}" for number in range(3_000)])))
    pages, before, rounds = [], None, 0
    while True:
        page = search.logs.search(HistoryQuery("needle"), before=before, seconds=0.0)
        pages += page.matches
        rounds += 1
        before = page.next_before
        if before is None:
            break
    assert len(pages) == 1
    assert rounds > 2
    search.close()


def test_a_stopped_count_says_nothing(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of("a", "b")))
    assert search.logs.count(HistoryQuery("a"), lambda: False) is None
    assert search.logs.count(HistoryQuery("a")) == 1
    search.close()


def test_appended_entries_are_found_and_the_index_goes_on(tmp_path: Path, index_from: int) -> None:
    paths = workspace(tmp_path, log_of("pool one", "pool two"))
    search = opened(paths, index_from=index_from)
    assert not search.logs.refresh()
    with paths.history_file.open("a") as file:
        file.write("its second paragraph about lakes\n\n" + entry(9, "pool three"))
    assert search.logs.refresh()
    assert found(search, "pool") == ["pool three", "pool two\n\nits second paragraph about lakes", "pool one"]
    while search.logs.work(0.05)[0]:
        pass
    assert found(search, "lakes") == ["pool two\n\nits second paragraph about lakes"]
    search.close()


@pytest.mark.parametrize("after", ["", "short\n\n", "[2026-01-01 00:00] PooL one\n\n[2026-01-01 01:00] lake two\n\n"])
def test_a_rewritten_log_is_read_anew(tmp_path: Path, index_from: int, after: Any) -> None:
    paths = workspace(tmp_path, log_of("pool one", "pool two"))
    search = opened(paths, index_from=index_from)
    paths.history_file.write_text(after)
    os.utime(paths.history_file, (1, 1))
    assert search.logs.refresh()
    while search.logs.work(0.05)[0]:
        pass
    assert len(found(search)) == after.count("\n\n")
    assert found(search, "pool") == (["PooL one"] if "PooL" in after else [])
    search.close()


def test_a_cursor_of_a_log_that_was_rewritten_leads_nowhere(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of(*["a"] * 9))
    search = opened(paths)
    before = search.logs.search(HistoryQuery(), limit=3).next_before
    paths.history_file.write_text(log_of("b", "c"))
    search.logs.refresh()
    page = search.logs.search(HistoryQuery(), before=before)
    assert (page.matches, page.next_before, page.searched_all) == ((), None, False)
    search.close()


def test_the_index_is_taken_up_again_and_only_while_it_fits_the_log(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of(*[f"pool {number}" for number in range(300)]))
    first = opened(paths, index_from=0)
    assert first.logs.state.indexed == 299
    first.close()
    paths.history_file.write_text(paths.history_file.read_text().replace("pool 7\n", "lake 7\n"))
    second = opened(paths, index_from=0)
    assert found(second, "lake") == ["lake 7"]
    assert "pool 7" not in found(second, "pool")
    second.close()


@pytest.mark.parametrize("rubbish", [b"no database at all" * 99, b"", b"SQLite format 3\0" + b"\xff" * 5_000])
def test_a_damaged_index_is_thrown_away_and_built_anew(tmp_path: Path, rubbish: Any) -> None:
    paths = workspace(tmp_path, log_of("pool one", "two", "three"))
    paths.own.search_file.write_bytes(rubbish)
    search = opened(paths, index_from=0)
    assert search.logs.state.indexed == 2
    assert found(search, "pool") == ["pool one"]
    search.close()


def test_an_index_of_another_program_is_not_used(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of("pool one", "two", "three"))
    first = opened(paths, index_from=0)
    first.close()
    import sqlite3

    with sqlite3.connect(paths.own.search_file) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    second = opened(paths, index_from=0)
    assert found(second, "pool") == ["pool one"]
    second.close()


def test_nothing_is_written_into_a_workspace_that_is_only_looked_at(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of("pool one", "two", "three"))
    before = sorted(tmp_path.rglob("*"))
    search = opened(paths, index_from=0, writable=False)
    assert search.logs.state.indexed == 2
    assert found(search, "pool") == ["pool one"]
    assert sorted(tmp_path.rglob("*")) == before
    search.close()


def test_a_log_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    paths = workspace(tmp_path)
    paths.history_file.mkdir()
    search = opened(paths)
    assert search.logs.state.problems == ("HISTORY.md could not be read: Is a directory.",)
    assert found(search) == []
    search.close()


def test_without_any_log_nothing_is_found(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path))
    assert found(search) == []
    assert search.logs.state.total == 0
    search.close()


def test_an_entry_is_located_by_its_words(tmp_path: Path, index_from: int) -> None:
    paths = workspace(tmp_path, log_of(*[f"entry {number}\n\nsecond {number}" for number in range(40)]))
    search = opened(paths, index_from=index_from)
    wanted = entry(20, "entry 20\r\n\r\nsecond 20")
    located = search.logs.locate(wanted, newer=3)
    assert located is not None
    match, cursor, ahead = located
    assert match.entry.number == 20
    assert ahead == 19
    page = search.logs.search(HistoryQuery(), limit=5, before=cursor)
    assert [one.entry.number for one in page.matches] == [23, 22, 21, 20, 19]
    assert search.logs.locate("never written") is None
    search.close()


def test_of_several_entries_of_the_same_words_each_is_located_from_the_newest_on(
    tmp_path: Path, index_from: int
) -> None:
    same = entry(3, "nothing new")
    search = opened(workspace(tmp_path, same + entry(4, "tea") + same + same), index_from=index_from)
    numbers = [located[0].entry.number for skip in range(4) if (located := search.logs.locate(same, skip=skip))]
    assert numbers == [3, 2, 0, 0]
    search.close()


def test_an_entry_takes_few_bytes(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of(*["word"] * 2_000)))
    table = search.logs._logs[0].table
    assert table.starts.itemsize + table.days.itemsize <= 16
    search.close()


def test_counting_reports_as_it_goes(tmp_path: Path) -> None:
    search = opened(workspace(tmp_path, log_of(*["pool lake"] * 3_000)))
    steps = list(search.logs.counting(HistoryQuery("lake")))
    assert steps[-1] == 3_000
    assert len(steps) > 3
    assert next(islice(search.logs.counting(HistoryQuery("lake")), 1)) == 0
    search.close()


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    words=st.lists(st.text(st.sampled_from("abAB ßsSẞİiKk\u212aпП続é\n"), max_size=12), min_size=1, max_size=12),
    text=st.text(st.sampled_from("abAB ßsSİiKkпП続é"), min_size=1, max_size=4),
    case=st.booleans(),
)
def test_index_and_reading_agree_on_any_text(tmp_path_factory: Any, words: Any, text: str, case: Any) -> None:
    paths = workspace(tmp_path_factory.mktemp("w"), log_of(*words, "end"))
    query = HistoryQuery(text, case_sensitive=case)
    answers = []
    for index_from in (20_000, 0):
        search = opened(paths, index_from=index_from)
        matches = search.logs.search(query, limit=1_000).matches
        answers.append([match.entry.number for match in matches])
        assert search.logs.count(query) == len(matches)
        for match in matches:
            for a, b in match.spans:
                part = match.entry.text[a:b]
                assert text in part if case else text.casefold() in part.casefold()
        search.close()
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("expression", "literal"),
    [
        ("pgbouncer", "pgbouncer"),
        ("colou?r", "colo"),
        ("a{3}bcd", "bcd"),
        (r"foo\bbar", "foo"),
        ("abc|def", ""),
        ("(abc)", ""),
        ("[abc]def", ""),
        ("ab", ""),
        ("größe", ""),
    ],
)
def test_the_literal_part_of_an_expression_is_what_every_match_holds(expression: Any, literal: Any) -> None:
    assert literal_of(expression) == literal


def test_text_of_spaces_alone_finds_everything(tmp_path: Path) -> None:
    assert Matcher(HistoryQuery("  ")).finds_all


def test_entries_are_linked_to_the_consolidation_that_wrote_them() -> None:
    def record(name: str, text: str) -> Any:
        return ConsolidationRecord(name, "k", "", 0, 20, "", text)

    two = "[2026-01-01 10:00] a\n\n[2026-01-01 11:00] b"

    def writer(text: str) -> str:
        found = links.record_for(text)
        return found.transaction_id if found else ""

    links = EntryLinks([record("1", two), record("2", "[2026-01-02 10:00] c\r\n\r\nmore\n\n")])
    assert writer("[2026-01-01 11:00] b") == "1"
    assert writer("[2026-01-02 10:00] c\n\nmore") == "2"
    assert writer("[2026-01-03 10:00] d") == ""
