from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.forgetting.forgetting_receipt import BY_CHOICE
from mnemoscope.domain.forgetting.plan import PlaceKind
from mnemoscope.domain.forgetting.tombstone import Recall
from mnemoscope.domain.memory.change import MemoryOrigin
from mnemoscope.domain.memory.suggestion import HALF_TAKEN_BACK, STAYED, WRITTEN_BACK
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.forgetting.byte_search import files_below
from mnemoscope.store.forgetting.forgetting_files import CompletedForgetting
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.draft_store import DraftStore
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.canaries import CANARY, LINE, plant
from tests.support.faulty_calls import FailingAt, SimulatedKill


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    root = tmp_path / "workspace"
    root.mkdir()
    return plant(root)


def forget(store: MemoryStore, *, everything: bool = True) -> CompletedForgetting:
    plan = store.forgettings.plan([LINE])
    chosen = plan.everything if everything else plan.by_default
    return store.forgettings.carry_out(plan.text, chosen, plan.without(chosen))


def test_a_plan_lists_places_in_the_order_of_their_kinds(paths: WorkspacePaths) -> None:
    plan = MemoryStore(paths.root).forgettings.plan([LINE])
    kinds = list(PlaceKind)
    assert [kinds.index(each.kind) for each in plan.places] == sorted(kinds.index(each.kind) for each in plan.places)


def test_too_little_is_refused(paths: WorkspacePaths) -> None:
    with pytest.raises(StorageError, match="too little"):
        MemoryStore(paths.root).forgettings.plan(["- a"])


def test_what_is_in_memory_is_read_afresh(paths: WorkspacePaths) -> None:
    sessions = SessionManager(paths.root)
    store = MemoryStore(paths.root, sessions=sessions)
    live = sessions.load("desktop:one")
    assert live is not None
    assert CANARY in str(live.messages[1])
    assert store.ledger.finished()
    assert store.editing.changes()
    carried = forget(store)
    assert CANARY not in str(list(live.messages))
    assert CANARY not in str(store.ledger.finished())
    assert CANARY not in str(store.editing.changes())
    store.forgettings.undo(carried)
    assert CANARY in str(live.messages[1])
    assert CANARY in str(store.ledger.finished())
    assert CANARY in str(store.editing.changes())


def test_what_was_forgotten_is_taken_back_with_what_came_since(paths: WorkspacePaths) -> None:
    before = {path: path.read_bytes() for path in files_below(paths.root)}
    store = MemoryStore(paths.root)
    carried = forget(store)
    paths.memory_file.write_text("# Notes\n\n- Known before\n- Came since\n", encoding="utf-8")
    with paths.own.captures_log.open("a", encoding="utf-8") as log:
        log.write('{"id": "since"}\n')
    (paths.own.drafts_dir / next(iter(sorted(paths.own.drafts_dir.iterdir()))).name).write_text("{}", encoding="utf-8")
    (stayed,) = store.forgettings.undo(carried)
    assert stayed.startswith(".mnemoscope/drafts/")
    assert paths.memory_file.read_text("utf-8") == f"# Notes\n\n- Known before\n{LINE}\n- Came since\n"
    assert paths.own.captures_log.read_bytes().endswith(b'{"id": "since"}\n')
    changed = {paths.memory_file, paths.own.captures_log, paths.root / stayed, paths.own.search_file}
    again = {path: path.read_bytes() for path in files_below(paths.root)}
    kept = {path for path in before if path not in changed and ".git" not in path.parts}
    assert {path: again[path] for path in kept} == {path: before[path] for path in kept}
    assert store.forgettings.receipts()[0].undone


def test_a_repository_in_the_quarantine_goes_whole_and_comes_back(paths: WorkspacePaths) -> None:
    git = GitStore(paths.root)
    git.init()
    aside = git.set_aside()
    assert aside is not None
    files = {path: path.read_bytes() for path in files_below(aside)}
    store = MemoryStore(paths.root)
    carried = forget(store)
    assert f".mnemoscope/quarantine/{aside.name}" in {each.path for each in carried.receipt.taken}
    assert not aside.exists()
    assert store.forgettings.undo(carried) == []
    assert {path: path.read_bytes() for path in files_below(aside)} == files


def test_what_is_left_by_choice_is_said(paths: WorkspacePaths) -> None:
    receipt = forget(MemoryStore(paths.root), everything=False).receipt
    assert {each.kind for each in receipt.left if each.reason == BY_CHOICE} >= {PlaceKind.CONVERSATIONS}


class Refusing(FileCalls):
    """Refuses to change a name from the moment on that it is told to."""

    def __init__(self, refuses: Callable[[str], bool]) -> None:
        self.refuses = refuses

    def exchange(self, one: str, other: str) -> bool:
        if self.refuses(other) or self.refuses(one):
            raise OSError(28, "No space left on device")
        return super().exchange(one, other)


def test_what_the_disk_refused_is_finished_at_the_next_opening(paths: WorkspacePaths) -> None:
    store = MemoryStore(paths.root, calls=Refusing(lambda name: name.endswith("HISTORY.md")))
    with pytest.raises(StorageError):
        forget(store)
    assert paths.own.intent_file.exists()
    (said,) = MemoryStore(paths.root).recover()
    assert said.startswith("Finished forgetting")
    assert not paths.own.intent_file.exists()
    left = [path for path in files_below(paths.root) if CANARY.encode() in path.read_bytes()]
    assert left == [paths.root / "notes" / "family.txt"]
    assert MemoryStore(paths.root).forgettings.receipts()[0].taken


def test_what_is_forgotten_leaves_a_tombstone_until_it_is_taken_back(paths: WorkspacePaths) -> None:
    store = MemoryStore(paths.root)
    carried = forget(store)
    assert store.tombstones.match(CANARY) is Recall.FORGOTTEN
    store.forgettings.undo(carried)
    assert store.tombstones.match(CANARY) is None


def test_what_was_never_begun_leaves_no_tombstone(paths: WorkspacePaths) -> None:
    store = MemoryStore(paths.root, calls=Refusing(lambda name: False))
    paths.own.intent_file.mkdir()
    with pytest.raises(StorageError):
        forget(store)
    paths.own.intent_file.rmdir()
    assert store.tombstones.match(CANARY) is None


def test_one_that_ends_with_its_tombstones_leaves_none_either(paths: WorkspacePaths) -> None:
    class NotForced(FileCalls):
        """The first tombstones are written, and then the disk reports an error."""

        written = 0

        def replace(self, source: str, target: str) -> None:
            super().replace(source, target)
            self.written += target == str(paths.own.tombstones_file)

        def fsync(self, descriptor: int) -> None:
            if self.written == 1:
                self.written += 1
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            super().fsync(descriptor)

    calls = NotForced()
    store = MemoryStore(paths.root, calls=calls)
    with pytest.raises(StorageError, match="the disk reports an error"):
        forget(store)
    assert calls.written == 3, "written, and taken away"
    assert store.tombstones.match(CANARY) is None
    store.forgettings.undo(forget(store))
    assert store.tombstones.match(CANARY) is None


def test_what_came_while_the_places_were_chosen_goes_as_its_kind_does(paths: WorkspacePaths) -> None:
    store = MemoryStore(paths.root)
    plan = store.forgettings.plan([LINE])
    drafts, results = DraftStore(paths.own.drafts_dir), paths.own.tool_results_dir
    drafts.save("desktop:new", {"text": CANARY})
    (results / "new.txt").write_text(CANARY, "utf-8")
    receipt = store.forgettings.carry_out(plan.text, plan.by_default, plan.without(plan.by_default)).receipt
    assert drafts.load("desktop:new") == {"text": CANARY}
    assert CANARY not in (results / "new.txt").read_text("utf-8")
    assert [each.kind for each in receipt.left].count(PlaceKind.DRAFTS) == 2


def test_after_everything_nothing_stays_that_came_while_the_places_were_chosen(paths: WorkspacePaths) -> None:
    store = MemoryStore(paths.root)
    for path in paths.own.drafts_dir.iterdir():
        path.unlink()
    plan = store.forgettings.plan([LINE])
    assert PlaceKind.DRAFTS not in {each.kind for each in plan.places}
    DraftStore(paths.own.drafts_dir).save("desktop:new", {"text": CANARY})
    receipt = store.forgettings.carry_out(plan.text, plan.everything, plan.without(plan.everything)).receipt
    assert [each.path for each in receipt.left] == ["notes/family.txt"]
    assert DraftStore(paths.own.drafts_dir).load("desktop:new") == {"text": "[…]"}


@pytest.mark.parametrize("fails", [False, True])
def test_a_second_forgetting_of_the_same_leaves_that_of_the_first_when_it_is_taken_back_or_fails(
    paths: WorkspacePaths, *, fails: bool
) -> None:
    store = MemoryStore(paths.root)
    forget(store, everything=False)
    paths.memory_file.write_text(f"{paths.memory_file.read_text('utf-8')}{LINE}\n", "utf-8")
    if fails:
        paths.own.intent_file.mkdir()
        with pytest.raises(StorageError):
            forget(store, everything=False)
    else:
        store.forgettings.undo(forget(store, everything=False))
    assert store.tombstones.match(CANARY) is Recall.FORGOTTEN
    assert not store.forgettings.receipts()[-1].undone


def test_what_the_person_said_again_between_two_forgettings_stands_once_the_second_is_taken_back(
    paths: WorkspacePaths,
) -> None:
    store = MemoryStore(paths.root)
    forget(store, everything=False)
    now = store.editing.read_text()
    store.files.memory.save(f"{now.text}{LINE}\n", now.digest, MemoryOrigin("editor", "2026-05-12T10:00:00"))
    assert store.tombstones.match(CANARY) is None
    second = forget(store, everything=False)
    assert store.tombstones.match(CANARY) is Recall.FORGOTTEN
    store.forgettings.undo(second)
    assert CANARY in store.read_long_term()
    assert store.tombstones.match(CANARY) is None


def test_a_way_back_that_a_kill_cuts_off_before_its_end_is_ended_at_the_next_opening(paths: WorkspacePaths) -> None:
    calls = FailingAt(SimulatedKill())
    store = MemoryStore(paths.root, calls=calls)
    carried = forget(store)
    calls.at = lambda path: path == paths.own.tombstones_file
    with pytest.raises(SimulatedKill):
        store.forgettings.undo(carried)
    again = MemoryStore(paths.root)
    assert again.tombstones.match(CANARY) is Recall.FORGOTTEN
    assert again.forgettings.receipts()[0].undone
    again.recover()
    assert again.tombstones.match(CANARY) is None


def test_files_that_are_gone_come_back_first_and_those_that_came_go_last(paths: WorkspacePaths) -> None:
    calls = FailingAt()
    store = MemoryStore(paths.root, calls=calls)
    carried = forget(store)
    missing = {path for path in carried.files if not path.exists()}
    going = {path for path, (before, _) in carried.files.items() if before is None}
    assert missing
    assert going
    put_back = noted(calls, carried)
    store.forgettings.undo(carried)
    assert set(put_back[: len(missing)]) == missing
    assert set(put_back[-len(going) :]) == going


def noted(calls: FailingAt, carried: CompletedForgetting) -> list[Path]:
    """Returns the files of a forgetting in the order in which they are changed from now on."""
    changed: list[Path] = []

    def note(path: Path) -> bool:
        if path in carried.files and path not in changed:
            changed.append(path)
        return False

    calls.at = note
    return changed


def test_a_way_back_that_is_cut_off_anywhere_is_no_change_of_another_program(paths: WorkspacePaths) -> None:
    calls = FailingAt(SimulatedKill())
    store = MemoryStore(paths.root, calls=calls)
    store.editing.read_text()
    carried = forget(store)
    # What is noted since is put back, too, so that the text of MEMORY.md is none that a version says.
    now = store.editing.read_text()
    store.write_long_term(f"{now.text}- Likes rain\n")
    forgotten = paths.root.with_name("forgotten")
    shutil.copytree(paths.root, forgotten, symlinks=True)
    put_back = noted(calls, carried)
    store.forgettings.undo(carried)
    assert len(put_back) > 10
    came_back = set()
    for next_one in put_back:
        shutil.rmtree(paths.root)
        shutil.copytree(forgotten, paths.root, symlinks=True)
        calls.at = next_one.__eq__
        with pytest.raises(SimulatedKill):
            store.forgettings.undo(carried)
        again = MemoryStore(paths.root)
        again.recover()
        came_back.add(CANARY in again.editing.read_text().text)
        changes = [each.origin.kind for each in again.editing.changes()]
        assert "outside" not in changes, f"{next_one} was not back yet"
    assert came_back == {False, True}


def marks_undone(paths: WorkspacePaths) -> Callable[[Path], bool]:
    """Returns what tells of a change that it marks a forgetting as undone: one of a receipt when all is back."""
    receipts = paths.own.forgetting_receipts_dir
    return lambda path: path.parent == receipts and CANARY in paths.memory_file.read_text("utf-8")


def test_a_way_back_that_is_cut_off_leaves_held_what_is_back_and_the_receipt_says_so(paths: WorkspacePaths) -> None:
    calls = FailingAt(SimulatedKill())
    store = MemoryStore(paths.root, calls=calls)
    carried = forget(store)
    calls.at = marks_undone(paths)
    with pytest.raises(SimulatedKill):
        store.forgettings.undo(carried)
    assert CANARY in paths.memory_file.read_text("utf-8")
    again = MemoryStore(paths.root)
    assert again.tombstones.match(CANARY) is Recall.FORGOTTEN
    assert again.files.memory.ask_about_forgotten(again.files.memory.read())
    again.recover()
    [receipt] = again.forgettings.receipts()
    assert receipt.taking_back
    assert not receipt.undone
    assert again.tombstones.match(CANARY) is Recall.FORGOTTEN
    calls.heal()
    assert store.forgettings.undo(carried) == []
    [receipt] = again.forgettings.receipts()
    assert receipt.undone
    assert not receipt.taking_back


def test_what_another_program_only_reads_while_it_is_taken_back_comes_back_all_the_same(paths: WorkspacePaths) -> None:
    class Read(FileCalls):
        times = 0

        def is_open_elsewhere(self, path: str) -> bool:
            is_memory = "MEMORY.md" in path and self.times > 0
            self.times -= is_memory
            return is_memory

    calls = Read()
    store = MemoryStore(paths.root, calls=calls)
    before = paths.memory_file.read_bytes()
    carried = forget(store)
    assert paths.memory_file.read_bytes() != before
    calls.times = 2
    assert store.forgettings.undo(carried) == []
    assert calls.times == 0
    assert paths.memory_file.read_bytes() == before


def test_a_text_as_it_was_is_a_version_again_after_a_forgetting(paths: WorkspacePaths) -> None:
    store = MemoryStore(paths.root)
    text = store.editing.read_text().text
    store.files.memory.changes.notice(store.files.memory.read())
    forget(store)
    now = store.editing.read_text()
    saved = store.files.memory.save(text, now.digest, MemoryOrigin("editor", "2026-05-12T10:00:00"))
    assert store.editing.version_text(saved.digest) == text


def test_a_line_that_is_back_since_a_way_back_was_cut_off_is_asked_about_as_that_and_not_as_of_another_program(
    paths: WorkspacePaths,
) -> None:
    calls = FailingAt(SimulatedKill())
    store = MemoryStore(paths.root, calls=calls)
    carried = forget(store)
    store.tombstones.add(["Owes Miriam 4,200 dollars"])
    calls.at = marks_undone(paths)
    with pytest.raises(SimulatedKill):
        store.forgettings.undo(carried)
    again = MemoryStore(paths.root)
    again.recover()
    for written, reasons in (
        ("", {HALF_TAKEN_BACK}),
        ("- Owes Miriam 4,200 dollars\n", {WRITTEN_BACK}),
    ):
        with paths.memory_file.open("a", encoding="utf-8") as file:
            file.write(written)
        current = again.files.memory.read()
        assert again.files.memory.ask_about_forgotten(current)
        [asked] = [each for each in again.ledger.suggestions() if each.is_written_back and each.before == current.text]
        assert {each for each in asked.reasons if "reject this" in each} == reasons


@pytest.mark.parametrize("step", ["receipt", "question"])
def test_what_a_forgetting_left_is_asked_about_though_a_kill_cut_it_off_and_its_text_was_asked_about_before(
    paths: WorkspacePaths, step: str
) -> None:
    others = "- Grünzweig is the quokka he keeps", "- The alarm has the code 7730"
    said = "Keeps a quokka called Grünzweig", "Code 7730 is of the alarm"
    paths.memory_file.write_text("# Facts\n\n" + "\n".join(others) + "\n", encoding="utf-8")
    paths.history_file.write_text("".join(f"[2026-11-20 10:00] {each}\n\n" for each in said), encoding="utf-8")
    calls = FailingAt(SimulatedKill())
    store = MemoryStore(paths.root, calls=calls)
    store.files.memory.changes.notice(store.files.memory.read())
    plan = store.forgettings.plan([said[0]])
    store.forgettings.carry_out(plan.text, plan.everything)
    [asked] = [each for each in store.ledger.suggestions() if each.is_written_back]
    assert asked.reasons == (f"You chose to forget this: “{others[0]}”.", STAYED)
    plan = store.forgettings.plan([said[1]])
    folder = paths.own.forgetting_receipts_dir if step == "receipt" else paths.own.suggestions_dir
    first = {each.name for each in paths.own.forgetting_receipts_dir.iterdir()}

    def is_at_step(path: Path) -> bool:
        is_rewritten = any(name in path.name for name in first)
        return path.parent == folder and not is_rewritten and said[1] not in paths.history_file.read_text("utf-8")

    calls.at = is_at_step
    with pytest.raises(SimulatedKill):
        store.forgettings.carry_out(plan.text, plan.everything)
    later = MemoryStore(paths.root)
    assert later.recover()
    waiting = sorted(each.reasons for each in later.ledger.suggestions() if each.is_written_back)
    assert waiting == [(f"You chose to forget this: “{each}”.", STAYED) for each in others]
    assert later.recover() == []
    assert sorted(each.reasons for each in later.ledger.suggestions() if each.is_written_back) == waiting
