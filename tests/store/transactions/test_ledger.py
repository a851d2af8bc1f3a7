"""The ledger: what is under way, what is finished, what waits for the person."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.fact_outcomes import OBSOLETE
from mnemoscope.domain.memory.suggestion import HAD_FORGOTTEN, WRITTEN_BACK, Suggestion
from mnemoscope.store.memory.suggestion_file import decode_suggestion, encode_suggestion
from mnemoscope.store.transactions.intent import DREAM_RUN, Intent, TextEdit, decode_intent, encode_intent, with_facts
from mnemoscope.store.transactions.ledger import FULL_RECORDS, Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.faulty_calls import CountedCalls, FailingOnce

INTENT = Intent(
    id="a1",
    key="k",
    workspace_id="w",
    session_key="cli:direct",
    session_created_at="2026-03-01T09:00:00",
    persistent=True,
    start=0,
    stop=8,
    range_hash="h",
    when="2026-03-02T10:00:00.000001",
    model="m",
    history_entry="[2026-03-02 10:00] Tea.\n\n",
    history_size=0,
    history_tail="t",
    memory_before="# A\n- b\n",
    memory_before_version="v",
    memory_after="# A\n- c d e f\n",
)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(WorkspacePaths(tmp_path))


def test_the_newest_of_a_kind_is_looked_for_among_the_newest_of_all(ledger: Ledger) -> None:
    assert ledger.newest(DREAM_RUN) is None
    for second, kind in enumerate((DREAM_RUN, DREAM_RUN, INTENT.kind)):
        ledger.finish(
            _committed(ledger, replace(INTENT, id=f"a{second}", kind=kind, when=f"2026-03-02T10:00:0{second}"))
        )
    newest = ledger.newest(DREAM_RUN)
    assert newest is not None
    assert newest.id == "a1"
    assert ledger.newest(DREAM_RUN, 1) is None
    assert [each.id for each in ledger.newest_of(DREAM_RUN)] == ["a1", "a0"]


def _committed(ledger: Ledger, intent: Intent) -> Intent:
    ledger.commit(intent)
    return intent


def test_an_intent_reads_back_as_it_was_written() -> None:
    intent = with_facts(replace(INTENT, history_entry="“ünïcode”\u2028 \ud800", reasons=("why",)))
    assert decode_intent(encode_intent(intent)) == replace(intent, history_entry="“ünïcode”\u2028 \ufffd")


def test_an_intent_with_any_byte_changed_is_none_at_all() -> None:
    data = encode_intent(INTENT)
    for place in range(0, len(data) - 1, 7):
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        assert decode_intent(changed) is None
        assert decode_intent(data[:place]) is None


def test_a_committed_intent_is_pending_until_it_is_finished(ledger: Ledger) -> None:
    assert ledger.pending() is None
    ledger.commit(INTENT)
    assert ledger.pending() == INTENT
    assert ledger.records() == []
    ledger.finish(INTENT)
    assert ledger.pending() is None
    (record,) = ledger.records("cli:direct")
    assert (record.start, record.stop, record.entry) == (0, 8, "[2026-03-02 10:00] Tea.")
    assert ledger.records("cli:other") == []
    assert ledger.intent("a1") == INTENT


@pytest.mark.slow
def test_old_records_lose_their_texts_and_nothing_else(ledger: Ledger, tmp_path: Path) -> None:
    edits = (TextEdit("USER.md", "# User\n", "v", "# User\n- Likes tea\n"),)
    intents = [
        with_facts(replace(INTENT, id=f"{number:04}", when=f"2026-03-02T10:00:00.{number:06}")) for number in range(3)
    ]
    intents[1] = replace(INTENT, id="0001", when="2026-03-02T10:00:00.000001", memory_before="", edits=edits)
    for intent in intents:
        ledger.commit(intent)
        ledger.finish(intent)
    for number in range(FULL_RECORDS):
        later = replace(INTENT, id=f"z{number:04}", when=f"2026-03-03T10:00:00.{number:06}")
        ledger.commit(later)
        ledger.finish(later)
    again = Ledger(WorkspacePaths(tmp_path))
    first, second, last = again.intent("0000"), again.intent("0001"), again.intent("z0000")
    assert first is not None
    assert second is not None
    assert second.edits == ()
    assert last is not None
    assert (first.memory_before, first.memory_after) == ("", None)
    assert last.memory_before == INTENT.memory_before
    assert again.records()[0] == intents[0].record()
    assert len(again.records()) == FULL_RECORDS + 3


def test_a_ledger_file_that_cannot_be_read_hides_only_itself(ledger: Ledger, tmp_path: Path) -> None:
    ledger.commit(INTENT)
    ledger.finish(INTENT)
    (WorkspacePaths(tmp_path).own.ledger_dir / "20260301-bad.json").write_bytes(b"\xff\xfe")
    assert [record.transaction_id for record in Ledger(WorkspacePaths(tmp_path)).records()] == ["a1"]


def test_a_suggestion_waits_until_it_is_settled_and_is_held_once(ledger: Ledger, tmp_path: Path) -> None:
    suggestion = replace(INTENT, memory_after=None, held="# A\n", reasons=("It would drop “b”.",)).suggestion()
    assert suggestion is not None
    assert not ledger.knows_suggestion("a1")
    ledger.add_suggestion(suggestion)
    ledger.add_suggestion(suggestion)
    assert ledger.suggestions() == [suggestion]
    assert ledger.knows_suggestion("a1")
    ledger.settle("a1", "reject")
    ledger.settle("a1", "reject")
    assert ledger.suggestions() == []
    assert ledger.knows_suggestion("a1")
    assert [path.name for path in WorkspacePaths(tmp_path).own.settled_dir.iterdir()] == ["a1.json"]


def test_what_a_committed_transaction_decides_waits_no_more_and_what_it_holds_does(ledger: Ledger) -> None:
    first, second, third = (
        Suggestion(f"a{number}", f"2026-01-0{number}T10:00:00", "# A\n", "# A\n- b\n", (), "", 0, 0)
        for number in (1, 2, 3)
    )
    for each in (first, second):
        ledger.add_suggestion(each)
    assert ledger.undecided() == [first, second]
    moved = replace(second, proposed="# A\n- c\n")
    withdrawn = replace(second, id="a2w")
    holds = tuple(encode_suggestion(each).decode() for each in (moved, third, withdrawn))
    ledger.commit(replace(INTENT, settles=("a1", "a2w"), holds=(*holds, "no suggestion")))
    assert ledger.undecided() == [moved, third]
    assert ledger.suggestions() == [first, second]


def test_one_that_was_dropped_by_itself_may_be_asked_about_again(ledger: Ledger) -> None:
    suggestion = replace(INTENT, memory_after=None, held="# A\n", reasons=("It would drop “b”.",)).suggestion()
    assert suggestion is not None
    assert not ledger.asked_about("a1")
    for outcome, is_asked in ((OBSOLETE, False), ("reject", True)):
        ledger.add_suggestion(suggestion)
        assert ledger.asked_about("a1")
        ledger.settle("a1", outcome)
        assert ledger.asked_about("a1") == is_asked


def test_a_suggestion_that_does_not_wait_is_said_to_be_decided(ledger: Ledger) -> None:
    first = replace(INTENT, memory_after=None, held="# A\n", reasons=("It would drop “b”.",)).suggestion()
    assert first is not None
    second = replace(first, id="b2")
    for each in (first, second):
        ledger.add_suggestion(each)
    assert ledger.waiting("b2") == second
    ledger.settle("b2", "reject")
    with pytest.raises(StorageError, match="decided already"):
        ledger.waiting("b2")


def test_a_workspace_keeps_its_name(ledger: Ledger, tmp_path: Path) -> None:
    assert ledger.workspace_id() == Ledger(WorkspacePaths(tmp_path)).workspace_id() != ""


def test_an_intent_is_forced_before_it_is_acted_upon(ledger: Ledger, tmp_path: Path) -> None:
    ledger.commit(INTENT)
    calls = CountedCalls()
    Ledger(WorkspacePaths(tmp_path), calls=calls).confirm()
    assert calls.fsyncs == 2


def test_an_intent_that_cannot_be_followed_is_set_aside_and_kept(ledger: Ledger, tmp_path: Path) -> None:
    ledger.commit(INTENT)
    data = WorkspacePaths(tmp_path).own.intent_file.read_bytes()
    kept = ledger.set_aside()
    assert kept is not None
    assert kept.parent == WorkspacePaths(tmp_path).own.quarantine_dir
    assert kept.read_bytes() == data
    assert ledger.pending() is None


def test_a_new_workspace_has_no_records_and_no_suggestions(ledger: Ledger, tmp_path: Path) -> None:
    assert (ledger.records(), ledger.suggestions(), ledger.intent("a1")) == ([], [], None)
    WorkspacePaths(tmp_path).own.folder.mkdir()
    WorkspacePaths(tmp_path).own.ledger_dir.touch()
    WorkspacePaths(tmp_path).own.suggestions_dir.touch()
    assert (ledger.records(), ledger.suggestions()) == ([], [])


def test_a_folder_among_the_records_and_the_suggestions_is_none(ledger: Ledger, tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    (paths.own.ledger_dir / "20260301-a1.json").mkdir(parents=True)
    (paths.own.suggestions_dir / "a1.json").mkdir(parents=True)
    assert (ledger.records(), ledger.intent("a1"), ledger.intent("b2"), ledger.suggestions()) == ([], None, None, [])


def test_an_old_record_without_texts_is_not_written_again(ledger: Ledger, tmp_path: Path) -> None:
    folder = WorkspacePaths(tmp_path).own.ledger_dir
    folder.mkdir(parents=True)
    for number in range(FULL_RECORDS):
        (folder / f"2026030109{number:04}-s{number}.json").write_bytes(encode_intent(INTENT.slim()))
    before = (folder / "20260301090000-s0.json").stat().st_mtime_ns
    ledger.commit(INTENT)
    ledger.finish(INTENT)
    assert (folder / "20260301090000-s0.json").stat().st_mtime_ns == before


def test_the_words_of_an_entry_are_known_whichever_log_it_went_to() -> None:
    line = '{"cursor": 1, "timestamp": "2026-03-02 10:00", "content": "Tea."}\n'
    for text, words in ((line, "Tea."), ("{broken", ""), ("[1]", "")):
        assert replace(INTENT, history_path="memory/history.jsonl", history_entry=text).entry_text == words


def test_an_intent_that_changes_no_memory_names_no_facts_and_holds_nothing() -> None:
    intent = replace(INTENT, memory_after=None)
    assert with_facts(intent) == intent
    assert intent.suggestion() is None


def intent() -> Intent:
    return Intent.of_kind("new", workspace_id="w", when="2026-03-07T09:30:00")


def test_an_intent_that_was_not_forced_is_taken_back(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.own.ledger_dir.mkdir(parents=True)
    for at in range(1, 6):
        ledger = Ledger(paths, calls=FailingOnce(at))
        with pytest.raises(StorageError):
            ledger.commit(intent())
        assert ledger.pending() is None
    assert Ledger(paths).set_aside() is None


def test_another_intent_is_never_overwritten(tmp_path: Path) -> None:
    ledger = Ledger(WorkspacePaths(tmp_path))
    first = intent()
    ledger.commit(first)
    ledger.commit(first)
    with pytest.raises(StorageError, match="finished first"):
        ledger.commit(intent())
    assert ledger.pending() == first
    ledger.drop()
    assert ledger.pending() is None


def test_suggestions_are_named_plainly_and_unreadable_ones_are_none(tmp_path: Path) -> None:
    ledger = Ledger(WorkspacePaths(tmp_path))
    suggestion = Suggestion("a1", "2026-03-07", "", "x", ("why",), "", 0, 0)
    with pytest.raises(StorageError, match="no such proposal"):
        ledger.settle("../a1", "accept")
    ledger.settle("a1", "accept")
    ledger.add_suggestion(suggestion)
    assert [each.id for each in ledger.suggestions()] == ["a1"]
    for data in (b"{", b"[]", b"{}", b'{"id": 1}'):
        assert decode_suggestion(data) is None
    text = encode_suggestion(suggestion).decode()
    for wrong in (text.replace('"start": 0', '"start": "0"'), text.replace('["why"]', '"why"')):
        assert wrong != text
        assert decode_suggestion(wrong.encode()) is None
    for passage in ("[1]", '[{"base": 1}]'):
        found = decode_suggestion(text.replace('"conflicts": []', f'"conflicts": {passage}').encode())
        assert found is not None
        assert found.conflicts == ()


def test_entries_that_were_written_without_a_date_are_known_by_their_first_line(ledger: Ledger) -> None:
    undated = replace(INTENT, id="b1", history_entry="They talked about tea.\n\nAnd milk.\n\n")
    elsewhere = replace(undated, id="b2", when="2026-03-02T10:00:02", history_path="memory/history.jsonl")
    for intent in (INTENT, undated, elsewhere):
        ledger.finish(_committed(ledger, intent))
    assert ledger.undated_entries() == {b"They talked about tea.": "2026-03-02 10:00"}


def test_it_tells_which_suggestions_wait_and_how_the_others_were_settled(tmp_path: Path) -> None:
    ledger, paths = Ledger(WorkspacePaths(tmp_path)), WorkspacePaths(tmp_path)
    for name in ("s1", "s2"):
        folder = paths.own.suggestions_dir
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.json").write_bytes(
            encode_suggestion(Suggestion(name, "2026-03-07", "", "x", ("why",), "", 0, 0))
        )
    assert ledger.settled("s1") is None
    ledger.settle("s1", "accept")
    settled = ledger.settled("s1")
    assert settled is not None
    assert settled.id == "s1"
    assert ledger.settled("../suggestions/s2") is None
    folder = paths.own.settled_dir
    (folder / "s3.json").write_text("no JSON", encoding="utf-8")
    (folder / "s4.json").mkdir()
    states = ledger.suggestion_states()
    assert states.waiting == frozenset({"s2"})
    assert states.settled == {"s1": "accept"}
    assert ledger.suggestion_states().settled == {"s1": "accept"}


def test_files_that_were_written_without_words_are_read_afresh(tmp_path: Path) -> None:
    ledger, paths = Ledger(WorkspacePaths(tmp_path)), WorkspacePaths(tmp_path)
    paths.own.suggestions_dir.mkdir(parents=True)
    held = Suggestion("s1", "2026-03-07", "", "x", ("why",), "", 0, 0)
    (paths.own.suggestions_dir / "s1.json").write_bytes(encode_suggestion(held))
    ledger.settle("s1", "accept")
    assert ledger.suggestion_states().settled == {"s1": "accept"}
    settled = paths.own.settled_dir / "s1.json"
    moment = settled.stat().st_mtime_ns
    settled.write_bytes(b"[]")
    os.utime(settled, ns=(moment, moment))
    assert ledger.suggestion_states().settled == {"s1": "accept"}
    ledger.reread()
    assert ledger.suggestion_states().settled == {}


def test_what_waits_is_read_again_only_once_its_file_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, folder = Ledger(WorkspacePaths(tmp_path)), WorkspacePaths(tmp_path).own.suggestions_dir
    read: list[bytes] = []

    def decode(data: bytes) -> Suggestion | None:
        read.append(data)
        return decode_suggestion(data)

    ledger_module = "mnemoscope.store.transactions.ledger"
    # Files are read past the file calls.
    monkeypatch.setattr(f"{ledger_module}.decode_suggestion", decode)
    first, second = (Suggestion(name, "2026-03-07", "", "x", ("why",), "", 0, 0) for name in ("s1", "s2"))
    ledger.add_suggestion(first)
    ledger.add_suggestion(second)
    assert ledger.suggestions() == ledger.suggestions() == [first, second]
    assert len(read) == 2
    other = replace(first, proposed="y")
    ledger.add_suggestion(other)
    ledger.settle("s2", "reject")
    del read[:]
    assert ledger.suggestions() == ledger.suggestions() == [other]
    assert len(read) == 1
    (folder / "s1.json").unlink()
    assert ledger.suggestions() == []


def test_of_what_asked_about_a_forgotten_line_a_mark_without_its_words_is_kept(ledger: Ledger, tmp_path: Path) -> None:
    own = WorkspacePaths(tmp_path).own
    for name, reasons in (("back", (WRITTEN_BACK,)), ("again", (f"{HAD_FORGOTTEN}: “- quokka”.",)), ("new", ("why",))):
        ledger.add_suggestion(Suggestion(name, "2026-03-07", "- tea\n", "- tea\n- quokka\n", reasons, "some", 2, 4))
    for name, outcome in (("back", "accept"), ("again", "reject"), ("new", "reject")):
        ledger.settle(name, outcome)
    assert [each.name for each in own.settled_dir.iterdir() if b"quokka" in each.read_bytes()] == ["new.json"]
    mark = ledger.settled("again")
    assert mark is not None
    assert (mark.session_key, mark.start, mark.stop) == ("some", 2, 4)
    assert ledger.suggestion_states().settled["back"] == "accept"
