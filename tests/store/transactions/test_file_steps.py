"""Files are moved and begun once, however often a transaction is applied."""

from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.store.transactions.file_steps import (
    apply_files,
    correct_entries,
    cut_logs,
    is_open_correction,
    is_open_cut,
    planned_cut,
    planned_move,
    planned_set,
    set_files,
    undo_files,
)
from mnemoscope.store.transactions.intent import (
    CORRECTION,
    DREAM_RUN,
    NEW,
    RESTORE,
    EntryEdit,
    Intent,
    LogCut,
    NewFile,
    decode_intent,
    encode_intent,
)
from tests.store.files.test_compare_and_swap import Interfering
from tests.support.faulty_calls import CountedCalls, FailingOnce


@pytest.fixture
def intent(tmp_path: Path) -> Intent:
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions" / "a.jsonl").write_text("said\n")
    move = planned_move(tmp_path, tmp_path / "sessions" / "a.jsonl", tmp_path / "archive" / "a-1.jsonl")
    begins = (NewFile("sessions/a.jsonl", "begun\n"),)
    return Intent.of_kind(NEW, workspace_id="w", when="2026-03-07T09:30:00", moves=(move,), begins=begins)


def texts(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text() for path in root.rglob("*") if path.is_file()}


DONE = {"archive/a-1.jsonl": "said\n", "sessions/a.jsonl": "begun\n"}


def test_they_are_moved_and_begun_and_that_is_not_done_twice(tmp_path: Path, intent: Intent) -> None:
    apply_files(tmp_path, intent)
    assert texts(tmp_path) == DONE
    apply_files(tmp_path, intent)
    assert texts(tmp_path) == DONE


def test_what_was_added_meanwhile_goes_along(tmp_path: Path, intent: Intent) -> None:
    (tmp_path / "sessions" / "a.jsonl").write_text("said\nmore\n")
    apply_files(tmp_path, intent)
    assert texts(tmp_path) == DONE | {"archive/a-1.jsonl": "said\nmore\n"}


def test_a_file_that_another_program_began_anew_stays(tmp_path: Path, intent: Intent) -> None:
    (tmp_path / "sessions" / "a.jsonl").write_text("theirs\n")
    apply_files(tmp_path, intent)
    assert texts(tmp_path) == {"sessions/a.jsonl": "theirs\n"}


def test_a_file_that_is_gone_is_not_missed(tmp_path: Path, intent: Intent) -> None:
    (tmp_path / "sessions" / "a.jsonl").unlink()
    apply_files(tmp_path, intent)
    assert texts(tmp_path) == {"sessions/a.jsonl": "begun\n"}


def test_what_failed_is_taken_back_wherever_it_failed(tmp_path: Path, intent: Intent) -> None:
    for at in range(1, 20):
        try:
            apply_files(tmp_path, intent, calls=FailingOnce(at))
        except StorageError:
            undo_files(tmp_path, intent)
            assert texts(tmp_path) == {"sessions/a.jsonl": "said\n"}
        else:
            break
    assert texts(tmp_path) == DONE


def test_what_others_wrote_since_is_not_taken_back_over(tmp_path: Path, intent: Intent) -> None:
    apply_files(tmp_path, intent)
    (tmp_path / "sessions" / "a.jsonl").write_text("theirs\n")
    undo_files(tmp_path, intent)
    assert texts(tmp_path) == {"archive/a-1.jsonl": "said\n", "sessions/a.jsonl": "theirs\n"}


def set_to(root: Path, after: str) -> Intent:
    step = planned_set(root, root / "memory" / ".dream_cursor", after)
    return Intent.of_kind(DREAM_RUN, workspace_id="w", when="2026-03-07T09:30:00", sets=(step,))


def test_a_small_file_is_set_once_and_not_over_what_another_program_said_since(tmp_path: Path) -> None:
    file = tmp_path / "memory" / ".dream_cursor"
    first = set_to(tmp_path, "7")
    set_files(tmp_path, first)
    assert file.read_text() == "7"
    calls = CountedCalls()
    set_files(tmp_path, first, calls=calls)
    assert calls.names == ["fsync"], "what stands already is forced and not written again"
    second = set_to(tmp_path, "9")
    file.write_text("8")
    set_files(tmp_path, second)
    assert file.read_text() == "8"
    set_files(tmp_path, set_to(tmp_path, "10"))
    assert file.read_text() == "10"


def test_a_folder_in_the_place_of_a_small_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "memory" / ".dream_cursor").mkdir(parents=True)
    with pytest.raises(UnreadableFile):
        set_to(tmp_path, "7")


def of_cut(cut: LogCut) -> Intent:
    return Intent.of_kind(RESTORE, workspace_id="w", when="2026-03-07T09:30:00", cuts=(cut,))


def test_an_entry_goes_out_of_its_log_and_back_into_its_place_once(tmp_path: Path) -> None:
    log = tmp_path / "HISTORY.md"
    log.write_text("one\n\ntwo\n\nthree\n\n")
    cut = planned_cut(tmp_path, log, "two\n\n")
    assert cut == LogCut("HISTORY.md", 5, "two\n\n")
    intent = of_cut(cut)
    assert decode_intent(encode_intent(intent)) == intent
    # In the long run, too, it is known what goes back.
    assert intent.slim().cuts == (cut,)
    assert is_open_cut(tmp_path, cut)
    for _ in range(2):
        cut_logs(tmp_path, of_cut(cut))
        assert not is_open_cut(tmp_path, cut)
        assert log.read_text() == "one\n\nthree\n\n"
    with log.open("a") as file:
        file.write("four\n\n")
    for _ in range(2):
        cut_logs(tmp_path, of_cut(replace(cut, is_back=True)))
        assert log.read_text() == "one\n\ntwo\n\nthree\n\nfour\n\n"


def test_an_entry_that_stands_twice_or_nowhere_is_not_taken_out(tmp_path: Path) -> None:
    log = tmp_path / "HISTORY.md"
    assert planned_cut(tmp_path, log, "two\n\n") is None
    cut_logs(tmp_path, of_cut(LogCut("HISTORY.md", 0, "two\n\n")))
    assert not log.exists()
    log.write_text("two\n\ntwo\n\n")
    assert planned_cut(tmp_path, log, "two\n\n") is None
    assert planned_cut(tmp_path, log, "") is None


def test_what_another_program_adds_in_that_moment_stays(tmp_path: Path) -> None:
    log = tmp_path / "HISTORY.md"
    log.write_text("one\n\ntwo\n\n")
    cut = planned_cut(tmp_path, log, "one\n\n")
    assert cut is not None
    cut_logs(tmp_path, of_cut(cut), calls=Interfering(log, b"one\n\ntwo\n\nthree\n\n"))
    assert log.read_text() == "two\n\nthree\n\n"


def of_edit(edit: EntryEdit) -> Intent:
    return Intent.of_kind(CORRECTION, workspace_id="w", when="2026-03-07T09:30:00", corrections=(edit,))


@pytest.mark.parametrize(
    ("before", "after"), [("two\n\n", "deux\n\n"), ("two\n\n", "two\n\nand more\n\n"), ("two\n\nthree\n\n", "two\n\n")]
)
def test_an_entry_takes_other_words_in_its_place_once_and_gives_them_back(
    before: str, after: str, tmp_path: Path
) -> None:
    log = tmp_path / "HISTORY.md"
    log.write_text(f"one\n\n{before}")
    edit = EntryEdit("HISTORY.md", 5, before, after)
    assert is_open_correction(tmp_path, edit)
    for _ in range(2):
        correct_entries(tmp_path, of_edit(edit))
        assert log.read_text() == f"one\n\n{after}"
    assert not is_open_correction(tmp_path, edit)
    # Another program adds an entry and takes the first one out.
    log.write_text(f"{after}four\n\n")
    for _ in range(2):
        correct_entries(tmp_path, of_edit(edit.reverse))
        assert log.read_text() == f"{before}four\n\n"


def test_an_entry_that_is_another_one_by_now_stays(tmp_path: Path) -> None:
    log = tmp_path / "HISTORY.md"
    edit = EntryEdit("HISTORY.md", 5, "two\n\n", "deux\n\n")
    correct_entries(tmp_path, of_edit(edit))
    assert not log.exists()
    for text in ("one\n\nthree\n\n", "one and two\n\n", "two\n\nx two\n\ntwo\n\n"):
        log.write_text(text)
        correct_entries(tmp_path, of_edit(edit))
        assert log.read_text() == text
    log.write_text("one\n\ntwo\n\n")
    correct_entries(tmp_path, of_edit(edit), calls=Interfering(log, b"one\n\ntwo\n\nthree\n\n"))
    assert log.read_text() == "one\n\ndeux\n\nthree\n\n"
