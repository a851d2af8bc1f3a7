"""Messages are deleted in their place, in every branch that holds them, and come back byte for byte."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.conversation.deletion import MessageDeletion, record_of_deleted
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.conversation.message import is_deleted
from mnemoscope.domain.errors import MnemoscopeError, StorageError
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.sessions.archive import SessionArchive
from mnemoscope.store.sessions.file_format.message_log import MessageLog, deleted_in
from mnemoscope.store.sessions.message_trash import ChosenMessages
from mnemoscope.store.sessions.overview import overview_of_new
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.faulty_calls import CountedCalls, FailingOnce, KillingCalls, SimulatedKill
from tests.support.peer_loaders import load_0_1_4, load_0_3_0, save_0_1_4
from tests.support.session_files import SteppingClock, message

KEY = "cli:direct"
GONE = ""


def opened(root: Path, calls: FileCalls | None = None) -> SessionManager:
    return SessionManager(root, clock=SteppingClock(), calls=calls or FileCalls())


def talked(manager: SessionManager, count: int = 6, key: str = KEY) -> Session:
    """Returns a conversation of `count` messages."""
    session = manager.get_or_create(key)
    session.messages.extend(message(number) for number in range(count))
    session.last_consolidated = 2
    manager.save(session)
    return session


def go_another_way(manager: SessionManager, session: Session, at: int) -> None:
    """Leaves a conversation at a message for a branch with one message of its own."""
    manager.fork(session, at)
    session.add_message("user", "words on the other way")
    manager.save(session)


def chosen(session: Session, *indices: int) -> ChosenMessages:
    return ChosenMessages(session, indices, tuple(session.messages[index] for index in indices))


def delete(manager: SessionManager, session: Session, *indices: int) -> MessageDeletion:
    return manager.delete_messages([chosen(session, *indices)])


def words_of(session: Session) -> list[str]:
    return [str(each["content"]).removeprefix("words ") for each in session.messages]


def bytes_in(root: Path) -> dict[str, bytes]:
    """Returns every session file, by its name."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.glob("sessions/**/*.jsonl"))}


def trash(root: Path) -> list[Path]:
    return sorted(WorkspacePaths(root).own.message_trash_dir.glob("*"))


def recovered(root: Path) -> list[str]:
    """Returns what opening the workspace again says it finished."""
    return MemoryStore(root, sessions=opened(root)).recover()


def test_a_message_is_replaced_in_its_place_and_comes_back_byte_for_byte(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    before = bytes_in(tmp_path)
    deletion = delete(manager, session, 3)
    assert deletion.messages == {KEY: (3,)}
    assert manager.deleted_messages.find(deletion.id) == deletion
    assert manager.deleted_messages.conversations_of(deletion.id) == {KEY}
    assert words_of(session) == ["0", "1", "2", GONE, "4", "5"]
    assert is_deleted(session.messages[3])
    assert (len(session.messages), session.last_consolidated) == (6, 2)
    again = opened(tmp_path).get_or_create(KEY)
    assert (words_of(again), again.last_consolidated) == (words_of(session), 2)
    lines = (tmp_path / "sessions/cli_direct.jsonl").read_bytes().split(b"\n")
    old = before["sessions/cli_direct.jsonl"].split(b"\n")
    assert [number for number, line in enumerate(lines) if line != old[number]] == [4]
    assert b"words 3" not in b"\n".join(lines)
    assert [path.stem for path in trash(tmp_path)] == [deletion.id]
    assert b"words 3" in trash(tmp_path)[0].read_bytes()
    assert not WorkspacePaths(tmp_path).own.intent_file.exists()
    assert manager.take_loss(KEY) is None
    assert manager.restore_messages(deletion.id).messages == {KEY: (3,)}
    assert bytes_in(tmp_path) == before
    assert words_of(session) == ["0", "1", "2", "3", "4", "5"]
    assert manager.deleted_messages.conversations_of(deletion.id) == frozenset()
    assert not trash(tmp_path)
    assert recovered(tmp_path) == []


def test_what_is_said_after_a_deletion_follows_it(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    deletion = delete(manager, session, 5, 4)
    session.add_message("user", "words 6")
    assert manager.append(session) == [6]
    assert words_of(session) == ["0", "1", "2", "3", GONE, GONE, "6"]
    manager.restore_messages(deletion.id)
    assert words_of(session) == ["0", "1", "2", "3", "4", "5", "6"]
    assert manager.take_loss(KEY) is None


def test_a_message_that_waits_to_be_written_is_written_first(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    session.add_message("user", "words 6")
    deletion = delete(manager, session, 6)
    assert words_of(session)[5:] == ["5", GONE]
    manager.restore_messages(deletion.id)
    assert words_of(opened(tmp_path).get_or_create(KEY))[6:] == ["6"]


def test_a_message_in_several_branches_goes_in_all_and_comes_back_in_all(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    root = session.branch.began
    go_another_way(manager, session, 4)
    other = session.branch.began
    before = bytes_in(tmp_path)
    shared = delete(manager, session, 1)
    alone = delete(manager, session, 4)
    manager.switch_branch(session, root)
    assert words_of(session) == ["0", GONE, "2", "3", "4", "5"]
    # The files changed places since: what was deleted on one way is found there.
    manager.restore_messages(alone.id)
    manager.restore_messages(shared.id)
    assert words_of(session) == ["0", "1", "2", "3", "4", "5"]
    manager.switch_branch(session, other)
    assert words_of(session) == ["0", "1", "2", "3", "on the other way"]
    assert sorted(bytes_in(tmp_path)) == sorted(before)
    assert bytes_in(tmp_path)["sessions/cli_direct.jsonl"] == before["sessions/cli_direct.jsonl"]


def test_a_branch_forked_after_a_deletion_gets_its_message_back_too(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    root = session.branch.began
    deletion = delete(manager, session, 1)
    go_another_way(manager, session, 3)
    manager.restore_messages(deletion.id)
    assert words_of(session) == ["0", "1", "2", "on the other way"]
    manager.switch_branch(session, root)
    assert words_of(session) == ["0", "1", "2", "3", "4", "5"]


def test_a_branch_that_another_program_changed_keeps_what_it_says(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    go_another_way(manager, session, 4)
    (kept,) = (tmp_path / "sessions/branches").iterdir()
    theirs = kept.read_text().replace("words 1", "words of theirs")
    kept.write_text(theirs)
    delete(manager, session, 1)
    assert kept.read_text() == theirs


def test_messages_of_several_conversations_go_and_come_back_as_one(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    one, other = talked(manager), talked(manager, 3, "cli:other")
    before = bytes_in(tmp_path)
    deletion = manager.delete_messages([chosen(one, 1, 2), chosen(other, 1)])
    assert deletion.messages == {KEY: (1, 2), "cli:other": (1,)}
    assert (words_of(one)[:3], words_of(other)) == (["0", GONE, GONE], ["0", GONE, "2"])
    manager.restore_messages(deletion.id)
    assert bytes_in(tmp_path) == before


def test_a_closed_conversation_loses_a_message_and_gets_it_back(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    deletion = delete(manager, session, 0)
    manager.archive(session, SteppingClock()())
    archive = SessionArchive(tmp_path / "sessions/archive")
    (closed,) = archive.overviews()
    kept = archive.load(closed)
    assert words_of(kept)[0] == GONE
    manager.restore_messages(deletion.id)
    assert words_of(archive.load(closed))[0] == "0"
    delete(manager, archive.load(closed), 4)
    assert words_of(archive.load(closed)) == ["0", "1", "2", "3", GONE, "5"]


def test_another_window_that_looks_on_calls_nothing_lost(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    looking = opened(tmp_path)
    seen = looking.get_or_create(KEY)
    deletion = delete(manager, session, 5)
    assert looking.refresh(seen)
    assert words_of(seen)[5] == GONE
    manager.restore_messages(deletion.id)
    assert looking.refresh(seen)
    assert words_of(seen)[5] == "5"
    assert looking.take_loss(KEY) is None


def test_peers_count_the_record_and_read_nothing_of_it(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    delete(manager, talked(manager), 3)
    path = tmp_path / "sessions/cli_direct.jsonl"
    for read in (load_0_1_4(path), load_0_3_0(path, KEY)):
        assert (len(read.messages), read.last_consolidated) == (6, 2)
        assert (read.messages[3]["role"], read.messages[3]["content"]) == ("assistant", "")


def test_what_another_program_wrote_anew_in_its_own_way_comes_back_all_the_same(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    deletion = delete(manager, session, 3)
    path = tmp_path / "sessions/cli_direct.jsonl"
    theirs = load_0_1_4(path)
    # It dropped the first message: the others moved up.
    del theirs.messages[0]
    save_0_1_4(path, KEY, theirs, "2026-03-06T15:00:00")
    back = opened(tmp_path)
    assert back.restore_messages(deletion.id).messages == {KEY: (2,)}
    assert words_of(back.get_or_create(KEY)) == ["1", "2", "3", "4", "5"]


def test_a_file_of_another_systems_line_ends_keeps_them(tmp_path: Path) -> None:
    talked(opened(tmp_path))
    path = tmp_path / "sessions/cli_direct.jsonl"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    before = path.read_bytes()
    manager = opened(tmp_path)
    deletion = delete(manager, manager.get_or_create(KEY), 2)
    assert path.read_bytes().count(b"\r\n") == before.count(b"\r\n")
    manager.restore_messages(deletion.id)
    assert path.read_bytes() == before


def test_what_says_something_else_than_was_seen_is_refused(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    wanted = chosen(session, 1)
    path = tmp_path / "sessions/cli_direct.jsonl"
    path.write_text(path.read_text().replace("words 1", "words of theirs"))
    before = bytes_in(tmp_path)
    with pytest.raises(StorageError, match="changed by another program"):
        manager.delete_messages([wanted])
    assert bytes_in(tmp_path) == before
    assert not trash(tmp_path)
    assert recovered(tmp_path) == []


def test_what_became_unreadable_is_refused(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    wanted = chosen(session, 1)
    path = tmp_path / "sessions/cli_direct.jsonl"
    path.write_bytes(path.read_bytes().replace(b"words 1", b"words \x00"))
    with pytest.raises(StorageError, match="changed by another program"):
        manager.delete_messages([wanted])


def test_a_record_whose_mark_was_changed_does_not_come_back(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    deletion = delete(manager, session, 1, 2)
    path = tmp_path / "sessions/cli_direct.jsonl"
    path.write_text(path.read_text().replace('"record": 1', '"record": 7'))
    before = bytes_in(tmp_path)
    with pytest.raises(StorageError, match="not there any more"):
        manager.restore_messages(deletion.id)
    assert bytes_in(tmp_path) == before


def test_nothing_to_delete_is_said(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    delete(manager, session, 1)
    with pytest.raises(StorageError, match="nothing there"):
        delete(manager, session, 1)
    with pytest.raises(StorageError, match="nothing there"):
        manager.delete_messages([])
    with pytest.raises(StorageError, match="not on the disk"):
        manager.delete_messages([ChosenMessages(Session("cli:new"), (0,), (message(0),))])
    with pytest.raises(StorageError, match="changed by another program"):
        manager.delete_messages([ChosenMessages(session, (9,), (message(9),))])


@pytest.mark.parametrize("name", ["", "nothing", "../x"])
def test_what_is_not_in_the_trash_does_not_come_back(tmp_path: Path, name: str) -> None:
    manager = opened(tmp_path)
    talked(manager)
    with pytest.raises(StorageError, match="not in the trash"):
        manager.restore_messages(name)


def test_a_message_of_a_deleted_conversation_comes_back_after_it_alone(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    deletion = delete(manager, session, 1)
    trashed = manager.trash(KEY)
    with pytest.raises(StorageError, match="not there any more"):
        manager.restore_messages(deletion.id)
    back = manager.restore(trashed)
    manager.restore_messages(deletion.id)
    assert words_of(back)[1] == "1"


def test_only_who_may_write_deletes(tmp_path: Path) -> None:
    deletion = delete(manager := opened(tmp_path), talked(manager), 1)
    looking = SessionManager(tmp_path, read_only=True)
    session = looking.get_or_create(KEY)
    with pytest.raises(MnemoscopeError, match="read"):
        delete(looking, session, 2)
    with pytest.raises(MnemoscopeError, match="read"):
        looking.restore_messages(deletion.id)


def in_two_branches(root: Path) -> None:
    """A conversation whose first four messages stand in two branches."""
    manager = opened(root)
    session = talked(manager)
    go_another_way(manager, session, 4)


@dataclass(frozen=True)
class Tried:
    """A workspace before something is done to it: deleting a message that stands in two branches, or, with `deletion`,
    bringing it back."""

    root: Path
    deletion: MessageDeletion | None
    whole: dict[str, bytes]
    before: dict[str, bytes]

    @classmethod
    def begun(cls, root: Path, *, restoring: bool) -> Tried:
        in_two_branches(root)
        whole = bytes_in(root)
        deletion = delete(opened(root), opened(root).get_or_create(KEY), 1) if restoring else None
        return cls(root, deletion, whole, bytes_in(root))

    def copies(self) -> Iterator[tuple[int, Path]]:
        """Yields a copy of the workspace for each call that is made, with the number of the call."""
        counted = CountedCalls()
        shutil.copytree(self.root, self.root / "counted")
        self.do(opened(self.root / "counted", counted))
        for at in range(1, len(counted.names) + 1):
            shutil.copytree(self.root, copy := self.root.with_name(f"{self.root.name}-{at}"))
            yield at, copy

    def do(self, manager: SessionManager) -> MessageDeletion:
        if self.deletion is not None:
            return manager.restore_messages(self.deletion.id)
        return delete(manager, manager.get_or_create(KEY), 1)


# It takes no branch that no other test takes.
@pytest.mark.no_cover
@pytest.mark.parametrize("restoring", [False, True])
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
def test_wherever_the_disk_refuses_once_all_is_as_it_was_or_done(tmp_path: Path, restoring: bool, error: int) -> None:
    tried = Tried.begun(tmp_path / "tried", restoring=restoring)
    for at, root in tried.copies():
        manager = opened(root, FailingOnce(at, error))
        session = manager.get_or_create(KEY)
        done = None
        try:
            done = tried.do(manager)
        except StorageError:
            assert bytes_in(root) == tried.before
            assert words_of(session)[1] == (GONE if restoring else "1")
        if WorkspacePaths(root).own.intent_file.exists():
            recovered(root)
        again = opened(root)
        if done is None:
            assert bytes_in(root) == tried.before
            tried.do(again)
        assert words_of(again.get_or_create(KEY))[1] == ("1" if restoring else GONE)
        assert (bytes_in(root) == tried.whole) is restoring
        assert len(trash(root)) == (not restoring)


@pytest.mark.parametrize("restoring", [False, True])
def test_a_kill_anywhere_leaves_all_of_it_or_nothing(tmp_path: Path, restoring: bool) -> None:
    tried, seen = Tried.begun(tmp_path / "tried", restoring=restoring), set()
    for at, root in tried.copies():
        with pytest.raises(SimulatedKill):
            tried.do(opened(root, KillingCalls(at, "half")))
        recovered(root)
        is_done = bytes_in(root) != tried.before
        seen.add(is_done)
        assert len(trash(root)) == (is_done is not restoring)
        if restoring:
            assert bytes_in(root) == (tried.whole if is_done else tried.before)
        else:
            assert all((b"words 1" in data) is not is_done for data in bytes_in(root).values())
    assert seen == {False, True}


class Dead(CountedCalls):
    """From its exchange of the second file on, the disk takes nothing any more."""

    def _do(self, name: str, work: Callable[[], Any], half: Callable[[], Any] | None = None) -> Any:
        self.names.append(name)
        if self.names.count("exchange") >= 2:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return work()


def test_what_cannot_be_taken_back_is_said_and_finished_at_the_next_opening(tmp_path: Path) -> None:
    in_two_branches(tmp_path)
    manager = opened(tmp_path, Dead())
    with pytest.raises(StorageError) as caught:
        delete(manager, manager.get_or_create(KEY), 1)
    assert caught.value.next_step == "It is finished when the workspace is opened the next time."
    assert recovered(tmp_path) == ["Finished deleting messages from before the crash; they are in the trash."]
    assert not any(b"words 1" in data for data in bytes_in(tmp_path).values())
    assert len(trash(tmp_path)) == 1


def test_a_recovery_finds_what_another_program_wrote_in_its_own_way(tmp_path: Path) -> None:
    in_two_branches(tmp_path)
    manager = opened(tmp_path, KillingCalls(calls_until_committed(tmp_path / "counted")))
    with pytest.raises(SimulatedKill):
        delete(manager, manager.get_or_create(KEY), 1)
    path = tmp_path / "sessions/cli_direct.jsonl"
    path.write_text(
        "".join(
            json.dumps(json.loads(line), indent=None, separators=(",", ":")) + "\n"
            for line in path.read_text().splitlines()
        )
    )
    assert len(recovered(tmp_path)) == 1
    assert words_of(opened(tmp_path).get_or_create(KEY))[:3] == ["0", GONE, "2"]


def test_a_recovery_leaves_what_became_unreadable(tmp_path: Path) -> None:
    in_two_branches(tmp_path)
    manager = opened(tmp_path, KillingCalls(calls_until_committed(tmp_path / "counted")))
    with pytest.raises(SimulatedKill):
        delete(manager, manager.get_or_create(KEY), 1)
    path = tmp_path / "sessions/cli_direct.jsonl"
    path.write_bytes(path.read_bytes().replace(b"words 1", b"words \x00"))
    assert len(recovered(tmp_path)) == 1
    assert b"words \x00" in path.read_bytes()


class Rewritten(FileCalls):
    """Another program changes the message in the moment before the files change places."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def exchange(self, one: str, other: str) -> bool:
        if other == str(self._path):
            self._path.write_text(self._path.read_text().replace("words 1", "words of theirs"))
        return super().exchange(one, other)


def test_a_message_that_changes_while_it_is_deleted_stays(tmp_path: Path) -> None:
    in_two_branches(tmp_path)
    before = bytes_in(tmp_path)
    path = tmp_path / "sessions/cli_direct.jsonl"
    manager = opened(tmp_path, Rewritten(path))
    with pytest.raises(StorageError, match="changed by another program"):
        delete(manager, manager.get_or_create(KEY), 1)
    after = bytes_in(tmp_path)
    assert b"words of theirs" in after.pop("sessions/cli_direct.jsonl")
    assert all(before[name] == data for name, data in after.items())
    assert not trash(tmp_path)


def test_a_committed_deletion_of_a_file_that_is_gone_is_settled(tmp_path: Path) -> None:
    in_two_branches(tmp_path)
    manager = opened(tmp_path, KillingCalls(calls_until_committed(tmp_path / "counted")))
    with pytest.raises(SimulatedKill):
        delete(manager, manager.get_or_create(KEY), 1)
    (tmp_path / "sessions/cli_direct.jsonl").unlink()
    assert len(recovered(tmp_path)) == 1
    assert len(trash(tmp_path)) == 1


def calls_until_committed(root: Path) -> int:
    """Returns how many calls it takes until the intent is durable, and one more."""
    in_two_branches(root)
    counted = CountedCalls()
    manager = opened(root, counted)
    delete(manager, manager.get_or_create(KEY), 1)
    return counted.names.index("exchange") + 1


def test_in_nanobots_own_folder_it_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, home = tmp_path / "workspace", tmp_path / "home"
    folder = home / ".nanobot/sessions" / ("0" * 32)
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    talked(opened(root))
    (root / ".nanobot").mkdir()
    (root / ".nanobot/workspace-id").write_text("0" * 32)
    (folder / ".workspace").write_text(str(root))
    moved = folder / "cli_direct.jsonl"
    (root / "sessions/cli_direct.jsonl").rename(moved)
    before = moved.read_bytes()
    manager = opened(root)
    session = manager.get_or_create(KEY)
    deletion = delete(manager, session, 1)
    assert b"words 1" not in moved.read_bytes()
    assert json.loads(trash(root)[0].read_text().partition("\n")[0])["records"][0]["in_home"]
    manager.restore_messages(deletion.id)
    assert moved.read_bytes() == before
    (folder / ".workspace").write_text("/elsewhere")
    with pytest.raises(StorageError, match="no longer one of this workspace"):
        manager.deleted_messages.delete([chosen(session, 1)], SteppingClock()())


def test_a_message_comes_back_where_memory_takes_nothing_from_its_conversation_any_more(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    deletion = delete(manager, session, 1)
    manager.set_discretion(session, Discretion.READS_MEMORY)
    manager.restore_messages(deletion.id)
    assert words_of(session)[:2] == ["0", "1"]
    again = delete(manager, session, 2)
    manager.set_discretion(session, Discretion.REMEMBERED)
    manager.restore_messages(again.id)
    assert words_of(session) == ["0", "1", "2", "3", "4", "5"]


def test_what_is_deleted_of_a_temporary_conversation_is_in_no_trash(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = manager.temporary.create()
    session.add_message("user", "not saved yet")
    before = session.messages[0]
    deletion = manager.delete_messages([ChosenMessages(session, (0,), tuple(session.messages))])
    assert is_deleted(session.messages[0])
    assert manager.deleted_messages.find(deletion.id) is None
    manager.restore_messages(deletion.id)
    assert session.messages[0] == before


def test_what_is_deleted_is_not_counted_among_the_messages_that_are_there(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    deletion = delete(manager, session, 1, 4)
    assert session.messages.deleted == [1, 4]
    for each in (*manager.overviews(), *opened(tmp_path).overviews()):
        assert (each.count, each.left) == (6, 4)
        assert (each.last_consolidated, each.left_consolidated) == (2, 1)
    manager.restore_messages(deletion.id)
    assert session.messages.deleted == []
    assert [(each.left, each.left_consolidated) for each in manager.overviews()] == [(6, 2)]


def test_what_was_closed_counts_what_is_there(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    delete(manager, session, 1)
    manager.archive(session, session.clock())
    (closed,) = SessionArchive(WorkspacePaths(tmp_path).archive_dir).overviews()
    assert (closed.count, closed.left) == (6, 5)


def test_of_a_conversation_without_a_file_too(tmp_path: Path) -> None:
    session = Session("cli:new", MessageLog([message(0), record_of_deleted(message(1), "d1", 0), message(2)]))
    session.last_consolidated = 2
    seen = overview_of_new(session, tmp_path / "new.jsonl")
    assert (seen.left, seen.left_consolidated) == (2, 1)
    assert deleted_in(list(session.messages)) == deleted_in(session.messages) == [1]
    assert deleted_in(tuple(session.messages)) == [], "what is no list is not read through"
