"""The ledger tells which entries are corrected, and what consolidations wrote as it reads now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mnemoscope.store.transactions.corrections import standing_corrections
from mnemoscope.store.transactions.intent import (
    CORRECTION,
    REVIEW,
    EntryEdit,
    Intent,
    decode_intent,
    encode_intent,
    paths_of,
)
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

HISTORY, JOURNAL = "memory/HISTORY.md", "memory/history.jsonl"
TEA, MILK, RUM = (f"[2026-03-02 10:00] {word}.\n\n" for word in ("Tea", "Milk", "Rum"))
LINE = '{"cursor": 7, "timestamp": "2026-03-02 10:00", "content": "Tea."}\n'


def correction(name: str, second: int, before: str, after: str, *, path: str = HISTORY, undoes: str = "") -> Intent:
    return Intent.of_kind(
        CORRECTION,
        id=name,
        workspace_id="w",
        when=f"2026-03-03T10:00:0{second}",
        corrections=(EntryEdit(path, 0, before, after, "a1"),),
        origin_kind="undo" if undoes else "editor",
        origin_detail=undoes,
    )


def consolidation(entry: str, path: str = "") -> Intent:
    parts = {"session_key": "cli:direct", "stop": 8, "history_entry": entry, "history_path": path}
    return replace(Intent.of_kind("consolidation", id="a1", workspace_id="w", when="2026-03-02T10:00:00"), **parts)  # type: ignore[arg-type]


def kept(root: Path, *intents: Intent) -> Ledger:
    ledger = Ledger(WorkspacePaths(root))
    for intent in intents:
        ledger.commit(intent)
        ledger.finish(intent)
    return ledger


def test_a_correction_reads_back_and_names_its_file(tmp_path: Path) -> None:
    intent = correction("c1", 0, TEA, MILK)
    assert decode_intent(encode_intent(intent)) == intent
    assert paths_of(intent) == [HISTORY]
    # In the long run, too, it is known what was said once.
    assert intent.slim().corrections == intent.corrections
    assert intent.corrections[0].reverse == replace(intent.corrections[0], before=MILK, after=TEA)


def test_the_newest_that_was_not_taken_back_stands() -> None:
    first, second = correction("c1", 0, TEA, MILK), correction("c2", 1, MILK, RUM)
    back = correction("c3", 2, RUM, MILK, undoes="c2")
    out = correction("c4", 3, MILK, TEA, undoes="c1")
    assert {key: each.id for key, each in standing_corrections([first, second]).items()} == {(HISTORY, RUM): "c2"}
    (stands,) = standing_corrections([first, second, back]).values()
    assert (stands.id, stands.former) == ("c1", "Tea.")
    assert standing_corrections([first, second, back, out]) == {}


def test_what_a_consolidation_wrote_is_told_as_it_reads_now(tmp_path: Path) -> None:
    ledger = kept(tmp_path, consolidation(TEA + RUM), correction("c1", 0, TEA, MILK))
    (record,) = ledger.records()
    assert record.entry == (MILK + RUM).strip()
    whole = ledger.intent("a1")
    assert whole is not None
    assert whole.history_entry == MILK + RUM
    assert [each.id for each in ledger.corrections()] == ["c1"]


def test_what_an_edit_of_the_log_made_of_it_is_told_too_and_is_no_correction(tmp_path: Path) -> None:
    edit = replace(correction("c2", 1, MILK, RUM), kind=REVIEW)
    edit = replace(edit, rewordings=edit.corrections, corrections=())
    assert decode_intent(encode_intent(edit.slim())) == edit, "in the long run, too"
    ledger = kept(tmp_path, edit, consolidation(TEA), correction("c1", 0, TEA, MILK))
    assert [each.entry for each in ledger.records()] == [RUM.strip()]
    assert [each.id for each in ledger.corrections()] == ["c1"]
    whole = ledger.intent("a1")
    assert whole is not None
    assert whole.history_entry == RUM


def test_a_line_of_the_journal_is_told_so_too(tmp_path: Path) -> None:
    edit = correction("c1", 0, LINE, LINE.replace("Tea", "Milk"), path=JOURNAL)
    (record,) = kept(tmp_path, consolidation(LINE, JOURNAL), edit).records()
    assert (record.entry, record.cursor) == ("Milk.", 7)


def test_an_entry_that_went_to_the_other_log_is_followed(tmp_path: Path) -> None:
    edit = correction("c1", 0, LINE, LINE.replace("Tea", "Milk"), path=JOURNAL)
    (record,) = kept(tmp_path / "there", consolidation(TEA), edit).records()
    assert record.entry == MILK.strip()
    (record,) = kept(tmp_path / "back", consolidation(LINE, JOURNAL), correction("c1", 0, TEA, MILK)).records()
    assert record.entry == "Milk."
