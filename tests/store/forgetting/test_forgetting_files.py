"""A forgetting that the disk cuts off and a later try ends has what the files held before the first one."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemoscope.domain.errors import DiskFull, StorageError
from mnemoscope.domain.forgetting.forgetting_receipt import ASKS_ABOUT_LEFT, BY_CHOICE, STILL_THERE
from mnemoscope.domain.forgetting.plan import PlaceKind
from mnemoscope.domain.memory.suggestion import STAYED, Suggestion
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.forgetting.forgetting_files import ForgettingFiles
from mnemoscope.store.forgetting.plain_hashes import new_suggestion_id
from mnemoscope.store.memory.suggestion_file import encode_suggestion
from mnemoscope.store.transactions.intent import FORGET, ForgetStep, Intent
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

WORDS = "Keeps a quokka called Pumpernickel"
MEMORY = f"- Likes tea\n- {WORDS}\n"


class RefusesTheEnd(FileCalls):
    """Takes the intent away, or not, and in either case says that the disk reports an error, once."""

    def __init__(self, intent: Path, *, goes: bool) -> None:
        self.intent = str(intent)
        self.goes = goes
        self.has_refused = False

    def unlink(self, path: str) -> None:
        if path != self.intent or self.has_refused:
            super().unlink(path)
            return
        self.has_refused = True
        if self.goes:
            super().unlink(path)
        raise OSError(5, "Input/output error", path)


class FullDisk(FileCalls):
    """Has no room for HISTORY.md while it is full."""

    is_full = True

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        if self.is_full and "HISTORY.md" in path and flags & 3:
            raise OSError(28, "No space left on device", path)
        return super().open(path, flags, mode)


def test_the_files_are_known_as_they_were_before_the_first_try_with_what_came_between(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.memory_dir.mkdir()
    paths.memory_file.write_text(MEMORY, "utf-8")
    paths.history_file.write_text(f"[2026-11-20 10:00] {WORDS}\n\n", "utf-8")
    steps = [
        ForgetStep(kind.value, f"memory/{name}", 1)
        for kind, name in ((PlaceKind.MEMORY, "MEMORY.md"), (PlaceKind.HISTORY, "HISTORY.md"))
    ]
    intent = Intent.of_kind(FORGET, workspace_id="w", when="2026-11-20", forgotten=(WORDS,), forgets=tuple(steps))
    disk, ledger = FullDisk(), Ledger(paths)
    ledger.commit(intent)
    files = ForgettingFiles(paths, ledger, calls=disk)
    with pytest.raises(DiskFull):
        files.begin(intent)
    assert files.is_whole(intent.id)
    assert WORDS not in paths.memory_file.read_text("utf-8")
    with paths.memory_file.open("a", encoding="utf-8") as file:
        file.write("- Came between\n")
    disk.is_full = False
    carried = files.apply(intent)
    assert not files.is_whole(intent.id)
    assert carried.files[paths.memory_file] == (
        f"{MEMORY}- Came between\n".encode(),
        b"- Likes tea\n- Came between\n",
    )
    assert WORDS.encode() in (carried.files[paths.history_file][0] or b"")


def to_be_forgotten(root: Path) -> tuple[WorkspacePaths, Intent]:
    """Returns a workspace whose memory has the words, and what takes them out of it."""
    paths = WorkspacePaths(root)
    paths.memory_dir.mkdir()
    paths.memory_file.write_text(MEMORY, "utf-8")
    step = ForgetStep(PlaceKind.MEMORY.value, "memory/MEMORY.md", 1)
    intent = Intent.of_kind(
        FORGET, workspace_id="w", when="2026-11-20", forgotten=(WORDS,), forgets=(step,), secret="ab" * 32
    )
    return paths, intent


@pytest.mark.parametrize("goes", [True, False])
def test_one_whose_intent_is_gone_is_done_and_its_own_receipt_is_none_of_what_it_took(
    tmp_path: Path, *, goes: bool
) -> None:
    paths, intent = to_be_forgotten(tmp_path)
    calls = RefusesTheEnd(paths.own.intent_file, goes=goes)
    ledger = Ledger(paths, calls=calls)
    ledger.commit(intent)
    files = ForgettingFiles(paths, ledger, calls=calls)
    if goes:
        carried = files.begin(intent)
    else:
        with pytest.raises(StorageError):
            files.begin(intent)
        carried = files.apply(intent)
    assert not paths.own.intent_file.exists()
    assert carried.files[paths.memory_file] == (MEMORY.encode(), b"- Likes tea\n")
    assert not any(path.parent == paths.own.forgetting_receipts_dir for path in carried.files)


def test_what_asks_about_a_line_that_was_left_is_named_with_that_reason(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    note = "memory/2026-11-20.md"
    paths.memory_dir.mkdir()
    (tmp_path / note).write_text(MEMORY, "utf-8")
    steps = (ForgetStep(PlaceKind.NOTES.value, note, 1, BY_CHOICE),)
    intent = Intent.of_kind(FORGET, workspace_id="w", when="2026-11-20", forgotten=(WORDS,), forgets=steps)
    folder = paths.own.suggestions_dir
    reasons = {"question": STAYED, "other": "It is new."}

    def asks() -> None:
        for name, reason in reasons.items():
            held = Suggestion(name, "2026-11-20", MEMORY, "- Likes tea\n", (reason,), "", 0, 0, path=note)
            (folder / f"{name}.json").write_bytes(encode_suggestion(held))

    ledger = Ledger(paths)
    ledger.commit(intent)
    folder.mkdir()
    forgetting = ForgettingFiles(paths, ledger, before_search=asks)
    assert {each.path: each.reason for each in forgetting.apply(intent).receipt.left} == {
        note: BY_CHOICE,
        ".mnemoscope/suggestions/question.json": ASKS_ABOUT_LEFT,
        ".mnemoscope/suggestions/other.json": STILL_THERE,
    }


def test_what_is_kept_of_a_question_about_a_line_that_came_back_is_named_by_no_plain_hash(tmp_path: Path) -> None:
    paths, intent = to_be_forgotten(tmp_path)
    ledger = Ledger(paths)
    ledger.add_suggestion(Suggestion("0123456789abcdef", "2026-11-20", MEMORY, "- Likes tea\n", (STAYED,), "", 0, 0))
    ledger.settle("0123456789abcdef", "accept")
    (paths.own.settled_dir / "broken.json").write_text("{", "utf-8")
    ledger.commit(intent)
    ForgettingFiles(paths, ledger).begin(intent)
    names = {path.stem for path in paths.own.settled_dir.iterdir()}
    assert names == {"broken", new_suggestion_id("ab" * 32, "0123456789abcdef")}


def test_the_open_search_index_is_thrown_away_before_its_file_is_removed(tmp_path: Path) -> None:
    paths, intent = to_be_forgotten(tmp_path)
    index = paths.own.search_file
    index.parent.mkdir(exist_ok=True)
    index.write_text(WORDS, "utf-8")
    step = ForgetStep(PlaceKind.INDEX.value, index.relative_to(tmp_path).as_posix(), 1)
    intent = Intent.of_kind(FORGET, workspace_id="w", when="2026-11-20", forgotten=(WORDS,), forgets=(step,))
    ledger = Ledger(paths)
    ledger.commit(intent)
    files, was_there = ForgettingFiles(paths, ledger), list[bool]()
    files.before_removing_index(lambda: was_there.append(index.exists()))
    files.begin(intent)
    assert was_there == [True]
    assert not index.exists()
