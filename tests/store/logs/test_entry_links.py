"""Which consolidation an entry of a log came from."""

from __future__ import annotations

from pathlib import Path

from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.history_entries import is_same_entry
from mnemoscope.store.logs.entry_links import EntryLinks
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.search.history_query import HistoryQuery
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.history_searches import opened


def record(name: str, entry: str, cursor: int | None = None) -> ConsolidationRecord:
    return ConsolidationRecord(name, "desktop:x", "", 0, 4, "2026-05-03T09:00:00", entry, cursor=cursor)


def test_two_entries_of_the_same_words_are_told_apart_by_their_numbers() -> None:
    links = EntryLinks([record("first", "Tea.", 3), record("second", "Tea.", 7)])
    found = [links.record_for("Tea.", cursor) for cursor in (3, 7)]
    assert [one.transaction_id if one else "" for one in found] == ["first", "second"]


def test_entries_of_the_same_words_without_numbers_are_told_apart_by_their_order() -> None:
    links = EntryLinks([record("first", "Tea."), record("between", "Coffee."), record("second", "Tea.")])
    found = [links.record_for("Tea.", newer=newer) for newer in (0, 1, 2)]
    assert [one.transaction_id if one else "" for one in found] == ["second", "first", ""]
    assert [links.newer_than(record(name, "Tea.")) for name in ("first", "second", "unknown")] == [1, 0, 0]
    assert links.newer_than(record("x", "Water.")) == 0
    assert [links.is_ambiguous(text) for text in ("Tea.", "Coffee.", "Water.")] == [True, False, False]


def test_an_answer_that_says_the_same_twice_wrote_two_entries() -> None:
    links = EntryLinks([record("first", "[2026-05-03 09:00] Tea.\n\n[2026-05-03 09:00] Tea.")])
    found = [links.record_for("[2026-05-03 09:00] Tea.", newer=newer) for newer in (0, 1)]
    assert [one.transaction_id if one else "" for one in found] == ["first", "first"]


def test_a_number_of_a_journal_that_was_begun_anew_links_nothing_else() -> None:
    links = EntryLinks([record("old", "Tea.", 1)])
    assert links.record_for("Coffee.", 1) is None
    assert links.record_for("Tea.", 9) == record("old", "Tea.", 1)


def test_an_entry_of_the_journal_is_found_with_its_own_number(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.memory_dir.mkdir(parents=True)
    journal = Journal(paths)
    for words in ("One.", "Two."):
        journal.append(words)
    (tmp_path / "memory" / "HISTORY.md").write_text("[2026-05-03 09:00] Three.\n\n", encoding="utf-8")
    search = opened(paths)
    found = {match.entry.text: match.entry.cursor for match in search.logs.search(HistoryQuery(), 10).matches}
    assert (found["One."], found["Two."], found["[2026-05-03 09:00] Three."]) == (1, 2, None)
    search.close()


def test_an_entry_that_went_to_the_other_log_is_known_by_its_words_without_the_date() -> None:
    dated, plain = record("dated", "[2026-05-03 09:00] Tea\nand milk."), record("plain", "Coffee.\n\nAnd cake.", 3)
    links = EntryLinks([dated, plain])
    assert links.record_for("Tea\nand milk.", 1) == dated
    assert links.record_for("[2026-05-04 10:00] Coffee.\nAnd cake.") == plain
    assert links.record_for("[2026-05-04 10:00] Tea\nand milk.") is None, "another entry of the same words"
    assert links.record_for("Coffee. And cake.", 9) is None
    assert not links.is_ambiguous("Tea\nand milk.")


def test_entries_of_the_same_words_in_the_other_log_are_told_apart_by_their_order() -> None:
    links = EntryLinks([record("first", "[2026-05-03 09:00] Tea."), record("second", "[2026-05-04 09:00] Tea.")])
    assert links.is_ambiguous("Tea.")
    found = [links.record_for("Tea.", cursor, newer) for cursor, newer in ((2, 0), (1, 1))]
    assert [one.transaction_id if one else "" for one in found] == ["second", "first"]


def test_an_entry_is_located_in_the_log_it_went_to(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.memory_dir.mkdir(parents=True)
    journal = Journal(paths)
    for words in ("Tea and milk.", "Coffee."):
        journal.append(words)
    paths.history_file.write_text("[2026-05-04 09:00] Coffee.\n\n[2026-05-05 09:00]\n\n", encoding="utf-8")
    search = opened(paths)

    def source(text: str) -> tuple[str, str]:
        located = search.logs.locate(text)
        return (located[0].entry.source, located[0].entry.text) if located else ("", "")

    assert source("[2026-05-03 09:00] Tea and milk.") == ("memory/history.jsonl", "Tea and milk.")
    assert source("[2026-05-04 09:00] Coffee.") == ("memory/HISTORY.md", "[2026-05-04 09:00] Coffee.")
    assert source("Coffee.") == ("memory/history.jsonl", "Coffee.")
    assert source("[2026-05-05 09:00]") == ("memory/HISTORY.md", "[2026-05-05 09:00]")
    assert source("[2026-05-03 09:00] Tea.") == ("", "")
    search.close()


def test_an_entry_is_retold_where_only_one_of_two_bears_the_date_of_the_same_words() -> None:
    dated = "[2026-05-03 09:00] Tea\nand milk."
    assert is_same_entry(dated, "Tea and milk.")
    assert is_same_entry("Tea and milk.", dated)
    assert not is_same_entry(dated, "[2026-05-04 09:00] Tea and milk.")
    assert not is_same_entry("Tea and milk.", "Tea  and milk.")
    assert not is_same_entry(dated, "Coffee.")
