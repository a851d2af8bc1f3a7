"""Branches on disk: one is active and lies where peers read it, the others are kept beside, and none is ever lost."""

from __future__ import annotations

import errno
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.domain.conversation.branch import FORKS
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support import peers
from tests.support.peer_loaders import load_0_1_4
from tests.support.peers import home
from tests.support.session_files import SteppingClock, message

__all__ = ["home"]

KEY = "cli:direct"


def opened(root: Path, calls: FileCalls | None = None) -> SessionManager:
    return SessionManager(root, clock=SteppingClock(), calls=calls or FileCalls())


def talked(manager: SessionManager, count: int, pointer: int = 0) -> Session:
    """Returns a conversation of `count` messages."""
    session = manager.get_or_create(KEY)
    session.messages.extend(message(number) for number in range(count))
    session.last_consolidated = pointer
    manager.save(session)
    return session


def say(manager: SessionManager, session: Session, *words: str) -> None:
    for each in words:
        session.add_message("user", each)
    manager.append(session)


def words_of(session: Session) -> list[str]:
    return [str(each["content"]) for each in session.messages]


def active_file(root: Path) -> Path:
    return root / "sessions" / "cli_direct.jsonl"


def kept_files(root: Path) -> list[Path]:
    return sorted((root / "sessions" / "branches").iterdir())


def all_words(root: Path) -> set[tuple[str, ...]]:
    """Returns what each branch says, whichever is active."""
    files = [active_file(root), *kept_files(root)]
    return {tuple(str(each["content"]) for each in load_0_1_4(file).messages) for file in files}


def test_a_fork_goes_on_from_its_first_messages_and_the_former_way_is_kept(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 6, pointer=4)
    before, former, log = active_file(tmp_path).read_bytes(), session.branch, session.messages
    manager.fork(session, 2)
    assert manager.load(KEY) is session
    assert words_of(session) == ["words 0", "words 1"]
    assert (session.last_consolidated, session.branch.own_start, session.branch.root) == (2, 2, former.began)
    (kept,) = kept_files(tmp_path)
    assert kept.read_bytes() == before
    assert [str(each["content"]) for each in log] == [f"words {number}" for number in range(6)]
    say(manager, session, "another way")
    assert words_of(opened(tmp_path).get_or_create(KEY)) == ["words 0", "words 1", "another way"]
    assert kept.read_bytes() == before


def test_the_messages_of_another_way_are_read_where_it_is_kept(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 6)
    former, said = session.branch, words_of(session)
    manager.fork(session, 2)
    say(manager, session, "otherwise")
    messages = manager.branches.messages_of(session, former.began)
    assert [str(each["content"]) for each in messages] == said
    assert not manager.branches.messages_of(session, "another")


def test_switching_brings_the_other_way_back_and_forth_in_the_same_object(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 6)
    root = session.branch.began
    manager.fork(session, 2)
    say(manager, session, "another way")
    other = session.branch.began
    manager.switch_branch(session, root)
    assert (words_of(session)[-1], session.branch.began) == ("words 5", root)
    say(manager, session, "on the first way")
    manager.switch_branch(session, other)
    assert words_of(session) == ["words 0", "words 1", "another way"]
    assert [each.branch.began for each in manager.branches.others(session)] == [root]
    again = opened(tmp_path)
    found = again.get_or_create(KEY)
    assert words_of(found) == words_of(session)
    again.switch_branch(found, root)
    assert words_of(found)[-2:] == ["words 5", "on the first way"]
    assert len(kept_files(tmp_path)) == 1


def test_the_pointer_covers_what_was_consolidated_on_any_way_and_is_shared(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 10)
    root = session.branch.began
    manager.fork(session, 6)
    say(manager, session, "b6", "b7", "b8")
    first = session.branch.began
    manager.fork(session, 8)
    say(manager, session, "c8")
    second = session.branch.began
    session.last_consolidated = 8
    manager.save(session)
    manager.switch_branch(session, root)
    assert session.last_consolidated == 6
    # The way to the branch that shares more goes over one that shares less.
    manager.switch_branch(session, first)
    assert session.last_consolidated == 8
    manager.switch_branch(session, second)
    assert session.last_consolidated == 8


def test_a_pointer_is_not_taken_over_where_another_program_changed_the_messages(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 6)
    root = session.branch.began
    manager.fork(session, 4)
    say(manager, session, "another way")
    session.last_consolidated = 4
    manager.save(session)
    (kept,) = kept_files(tmp_path)
    kept.write_text(kept.read_text().replace("words 3", "words 3, as another program has it"))
    manager.switch_branch(session, root)
    assert session.last_consolidated == 0


def test_a_way_in_which_nothing_was_said_is_dropped_when_it_is_left(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 6)
    root = session.branch.began
    manager.fork(session, 4)
    manager.fork(session, 2)
    assert len(kept_files(tmp_path)) == 1
    manager.switch_branch(session, root)
    assert (kept_files(tmp_path), words_of(session)[-1]) == ([], "words 5")


def test_a_name_given_on_one_way_is_the_name_of_all(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 4)
    root = session.branch.began
    manager.fork(session, 2)
    say(manager, session, "another way")
    manager.set_title(KEY, "Plans")
    manager.switch_branch(session, root)
    assert session.title == "Plans"
    assert [(each.key, each.title) for each in manager.overviews()] == [(KEY, "Plans")]


@pytest.mark.parametrize("stop", [-1, 4, 5])
def test_nothing_is_forked_where_nothing_follows(tmp_path: Path, stop: int) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 4)
    with pytest.raises(StorageError, match="Nothing follows"):
        manager.fork(session, stop)
    assert (len(session.messages), (tmp_path / "sessions/branches").exists()) == (4, False)


def test_a_branch_that_is_not_there_is_no_way_to_go(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 4)
    with pytest.raises(StorageError, match="not there any more"):
        manager.switch_branch(session, "2020-01-01T00:00:00")
    assert len(session.messages) == 4


@pytest.mark.parametrize("lost", [0, 1], ids=["the wanted one", "another"])
def test_a_branch_that_goes_while_it_is_switched_to_leaves_the_same_one_active(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: int
) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 8)
    manager.fork(session, 2)
    say(manager, session, "another way", "and on")
    manager.fork(session, 3)
    say(manager, session, "a third way")
    others = manager.branches.others(session)

    def listed(_: object, __: object) -> object:
        others[lost].path.unlink()
        return [others[0], replace(others[1], last_consolidated=others[1].count)]

    active = session.branch
    # It goes between two reads, which are no file calls.
    monkeypatch.setattr(type(manager.branches), "others", listed)
    with pytest.raises(StorageError, match="not there any more"):
        manager.branches.switch(session, others[0].branch.began)
    assert session.branch == active


def test_a_damaged_line_keeps_its_place_in_a_branch(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    talked(manager, 3)
    with active_file(tmp_path).open("ab") as file:
        file.write(b'{"role": "user", "content": \xff}\n')
    manager = opened(tmp_path)
    session = manager.get_or_create(KEY)
    say(manager, session, "after the damage", "and on")
    manager.fork(session, 5)
    assert [each["role"] for each in session.messages] == ["user", "assistant", "user", "damaged", "user"]


class Refusing(FileCalls):
    """Real calls, but the exchange of files fails: in the way that `number` names, or by saying that it cannot be."""

    def __init__(self, number: int = 0) -> None:
        self.number = number

    def exchange(self, one: str, other: str) -> bool:
        if self.number:
            raise OSError(self.number, "the test says so")
        return False


@pytest.mark.parametrize("number", [0, errno.EXDEV])
def test_where_files_cannot_change_places_they_are_copied(tmp_path: Path, number: int) -> None:
    manager = opened(tmp_path, Refusing(number))
    session = talked(manager, 6)
    root = session.branch.began
    manager.fork(session, 2)
    say(manager, session, "another way")
    manager.switch_branch(session, root)
    assert words_of(session)[-1] == "words 5"
    (kept,) = kept_files(tmp_path)
    assert [str(each["content"]) for each in load_0_1_4(kept).messages][-1] == "another way"


def test_a_linked_conversation_stays_linked(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    talked(manager, 6)
    elsewhere = tmp_path / "elsewhere.jsonl"
    active_file(tmp_path).rename(elsewhere)
    active_file(tmp_path).symlink_to(elsewhere)
    manager = opened(tmp_path)
    session = manager.get_or_create(KEY)
    manager.fork(session, 2)
    say(manager, session, "another way")
    assert active_file(tmp_path).is_symlink()
    assert len(load_0_1_4(elsewhere).messages) == 3


def test_a_disk_that_refuses_leaves_everything_as_it_was(tmp_path: Path) -> None:
    talked(opened(tmp_path), 6)
    manager = opened(tmp_path, Refusing(errno.EIO))
    session = manager.get_or_create(KEY)
    with pytest.raises(StorageError):
        manager.fork(session, 2)
    assert len(session.messages) == 6
    opened(tmp_path).tidy()
    assert (kept_files(tmp_path), words_of(opened(tmp_path).get_or_create(KEY))[-1]) == ([], "words 5")


def test_what_a_crash_left_is_cleared_away_and_no_branch_with_it(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 6)
    manager.fork(session, 2)
    say(manager, session, "another way")
    (kept,) = kept_files(tmp_path)
    # A copy of the active one, made before it was to be replaced, and a branch that never became active.
    shutil.copy(active_file(tmp_path), kept.with_name(kept.name.replace(".jsonl", "-left.jsonl")))
    manager.fork(session, 1)
    (tmp_path / "sessions/branches" / f"empty{kept.name[10:]}").write_bytes(active_file(tmp_path).read_bytes())
    before = all_words(tmp_path)
    assert len(kept_files(tmp_path)) == 4
    again = opened(tmp_path)
    found = again.get_or_create(KEY)
    again.switch_branch(found, again.branches.others(found)[0].branch.began)
    again.tidy()
    assert all_words(tmp_path) == before - {("words 0",)}
    assert len(kept_files(tmp_path)) == 1


def test_a_deleted_conversation_takes_its_branches_along_and_brings_them_back(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 6)
    root = session.branch.began
    manager.fork(session, 2)
    say(manager, session, "another way")
    before = all_words(tmp_path)
    trashed = manager.trash(KEY)
    assert kept_files(tmp_path) == []
    assert [each.trashed.key for each in manager.moves.trashed()] == [KEY]
    found = manager.restore(trashed)
    assert all_words(tmp_path) == before
    manager.switch_branch(found, root)
    assert words_of(found)[-1] == "words 5"


def test_a_deletion_that_was_cut_off_is_finished(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 6)
    manager.fork(session, 2)
    say(manager, session, "another way")
    (kept,) = kept_files(tmp_path)
    data = kept.read_bytes()
    trashed = manager.trash(KEY)
    (moved,) = (tmp_path / ".mnemoscope/trash/branches").iterdir()
    moved.rename(kept)
    opened(tmp_path).tidy()
    assert (kept_files(tmp_path), moved.read_bytes()) == ([], data)
    assert trashed.kept is not None
    trashed.kept.rename(active_file(tmp_path))
    opened(tmp_path).tidy()
    assert kept.read_bytes() == data


def test_new_closes_the_active_way_and_its_branches_are_no_ways_of_the_next_conversation(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 6)
    manager.fork(session, 2)
    say(manager, session, "another way")
    manager.archive(session, SteppingClock()())
    assert FORKS not in session.metadata
    assert manager.branches.others(session) == []
    opened(tmp_path).tidy()
    assert len(kept_files(tmp_path)) == 1


def test_a_window_that_looks_on_follows_to_another_branch_and_calls_nothing_lost(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 6)
    root = session.branch.began
    watching = SessionManager(tmp_path, read_only=True)
    seen = watching.get_or_create(KEY)
    manager.fork(session, 2)
    assert watching.refresh(seen)
    loss = watching.take_loss(KEY)
    assert (loss and loss.kind, words_of(seen)) == ("branched", words_of(session))
    assert seen.branch == session.branch
    say(manager, session, *(f"another way {number}" for number in range(9)))
    assert watching.refresh(seen)
    assert watching.take_loss(KEY) is None
    manager.switch_branch(session, root)
    assert watching.refresh(seen)
    loss = watching.take_loss(KEY)
    assert (loss and loss.kind, seen.branch.began) == ("branched", root)


def test_two_ways_that_begin_in_one_moment_have_names_of_their_own(tmp_path: Path) -> None:
    clock = SteppingClock()
    manager = SessionManager(tmp_path, clock=clock)
    session = talked(manager, 6)
    when = session.created_at
    manager.branches.fork(session, 4, when)
    say(manager, session, "one way")
    manager.branches.fork(session, 4, when)
    say(manager, session, "another way")
    began = {session.branch.began, *(each.branch.began for each in manager.branches.others(session))}
    assert len(began) == 3
    assert session.branch.root == when.isoformat()


def test_where_the_ways_part_and_how_far_a_range_reaches(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    assert manager.branch_choices(KEY) == []
    assert manager.branch_at(KEY, "sessions/branches/none.jsonl") == ""
    session = talked(manager, 6)
    root = session.branch.began
    manager.fork(session, 4)
    say(manager, session, "one way")
    first = session.branch.began
    (kept,) = kept_files(tmp_path)
    assert manager.branch_at(KEY, kept.relative_to(tmp_path).as_posix()) == root
    (choice,) = manager.branch_choices(KEY)
    assert (choice.index, [each.began for each in choice.places], choice.here) == (4, [root, first], 1)
    assert session.reach_of(first, 5) == 5, "its own"
    assert session.reach_of(root, 6) == 4, "the one it came out of"
    assert session.reach_of("2020-01-01T00:00:00", 6) == 0, "one of another conversation"
    manager.switch_branch(session, root)
    assert session.reach_of(first, 5) == 4, "one that left it"


def test_what_another_program_adds_to_a_branch_is_seen_at_the_next_look(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 6)
    manager.fork(session, 4)
    say(manager, session, "one way")
    (before,) = manager.branches.others(session)
    assert manager.branches.others(session) == [before]
    (kept,) = kept_files(tmp_path)
    with kept.open("ab") as file:
        file.write(b'{"role": "user", "content": "more", "timestamp": "2031-01-01T00:00:00"}\n')
    (after,) = manager.branches.others(session)
    assert (before.count, after.count, after.updated_at.year) == (6, 7, 2031)


def test_a_branch_whose_file_begins_with_a_message_is_known_from_the_record_further_down(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 6)
    manager.fork(session, 4)
    say(manager, session, "one way")
    (kept,) = kept_files(tmp_path)
    metadata, *messages = kept.read_bytes().splitlines(keepends=True)
    kept.write_bytes(b"".join([*messages, metadata]))
    session = opened(tmp_path).get_or_create(KEY)
    assert [each.began for each in session.other_branches] == [session.branch.root]


def test_a_file_of_another_conversation_among_the_branches_is_no_branch_of_this_one(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager, 6)
    manager.fork(session, 4)
    say(manager, session, "one way")
    (kept,) = kept_files(tmp_path)
    lines = kept.read_text().splitlines(keepends=True)
    foreign = kept.with_name(kept.name.replace(".jsonl", "-2.jsonl"))
    foreign.write_text("".join(line.replace(KEY, "cli:other") for line in lines))
    manager = opened(tmp_path)
    session = manager.get_or_create(KEY)
    assert [each.path for each in manager.branches.others(session)] == [kept]
    manager.tidy()
    assert foreign.exists(), "a branch of a conversation that is nowhere stays where it is"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes in folders")
def test_what_cannot_be_read_is_deleted_all_the_same(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    manager.tidy()
    session = talked(manager, 6)
    manager.fork(session, 2)
    say(manager, session, "another way")
    active_file(tmp_path).unlink()
    os.mkfifo(active_file(tmp_path))
    manager = opened(tmp_path)
    assert manager.branches.root_of(active_file(tmp_path)) == ""
    trashed = manager.moves.trash(KEY, active_file(tmp_path), SteppingClock()())
    assert trashed.kept is not None
    assert not active_file(tmp_path).exists()
    assert len(kept_files(tmp_path)) == 1, "whose branches they are is not known"


class Interrupting(FileCalls):
    """Real calls; what `before` does comes before a folder is made, and what it names is refused."""

    def __init__(
        self,
        *,
        no_sync_after_exchange: bool = False,
        no_way_back: bool = False,
        refused: str = "",
        cut: Path | None = None,
    ) -> None:
        self.no_sync_after_exchange, self.refused, self.cut = no_sync_after_exchange, refused, cut
        self.no_way_back = no_way_back
        self.exchanged = 0

    def exchange(self, one: str, other: str) -> bool:
        if self.refused:
            return False
        self.exchanged += 1
        if self.no_way_back and self.exchanged == 2:
            raise OSError(errno.EIO, "the test says so")
        return super().exchange(one, other)

    def fsync(self, descriptor: int) -> None:
        if self.no_sync_after_exchange and self.exchanged == 1:
            raise OSError(errno.EIO, "the test says so")
        super().fsync(descriptor)

    def replace(self, source: str, target: str) -> None:
        if self.refused and target.endswith(self.refused):
            raise OSError(errno.EIO, "the test says so")
        super().replace(source, target)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        super().mkdir(path)
        if self.cut is not None:
            self.cut.write_bytes(b"")


def test_an_exchange_that_the_disk_does_not_confirm_is_taken_back(tmp_path: Path) -> None:
    talked(opened(tmp_path), 6)
    manager = opened(tmp_path, Interrupting(no_sync_after_exchange=True))
    session = manager.get_or_create(KEY)
    with pytest.raises(StorageError):
        manager.fork(session, 2)
    assert words_of(opened(tmp_path).get_or_create(KEY))[-1] == "words 5"
    assert kept_files(tmp_path) == [], "the branch that did not come about is offered to nobody"


def test_a_former_branch_that_cannot_be_brought_back_is_kept_aside(tmp_path: Path) -> None:
    talked(opened(tmp_path), 6)
    manager = opened(tmp_path, Interrupting(no_sync_after_exchange=True, no_way_back=True))
    session = manager.get_or_create(KEY)
    with pytest.raises(StorageError):
        manager.fork(session, 2)
    (kept,) = kept_files(tmp_path)
    assert "words 5" in kept.read_text("utf-8")


def test_a_copy_that_the_disk_refuses_leaves_the_active_way(tmp_path: Path) -> None:
    talked(opened(tmp_path), 6)
    manager = opened(tmp_path, Interrupting(refused="cli_direct.jsonl"))
    session = manager.get_or_create(KEY)
    with pytest.raises(StorageError):
        manager.fork(session, 2)
    opened(tmp_path).tidy()
    assert (kept_files(tmp_path), words_of(opened(tmp_path).get_or_create(KEY))[-1]) == ([], "words 5")


def test_a_conversation_that_another_program_cuts_meanwhile_is_not_forked(tmp_path: Path) -> None:
    talked(opened(tmp_path), 6)
    manager = opened(tmp_path, Interrupting(cut=active_file(tmp_path)))
    session = manager.get_or_create(KEY)
    with pytest.raises(StorageError, match="changed by another program"):
        manager.fork(session, 2)
    assert kept_files(tmp_path) == []


def test_a_long_conversation_is_copied_no_further_than_the_fork(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = manager.get_or_create(KEY)
    session.messages.extend({"role": "user", "content": f"{number} " + "long " * 4_000} for number in range(12))
    manager.save(session)
    manager.fork(session, 2)
    assert [each.split()[0] for each in words_of(session)] == ["0", "1"]


@pytest.mark.slow
@pytest.mark.parametrize("version", ["0.1.4.post4", "0.1.5", "0.2.2", "0.3.0"])
def test_nanobot_reads_the_active_way_and_lists_no_other(tmp_path: Path, version: str) -> None:
    root, scratch = tmp_path / "workspace", tmp_path / "scratch"
    manager = opened(root)
    session = talked(manager, 6, pointer=4)
    manager.fork(session, 2)
    say(manager, session, "another way")
    (read,) = peers.read_by_nanobot(version, [root], scratch, KEY)
    assert [each["content"] for each in read.messages(KEY)] == words_of(session)
    assert read.pointer(KEY) == 2


@pytest.mark.slow
def test_nanobot_that_took_the_conversation_over_gets_the_other_way_where_it_keeps_it(
    tmp_path: Path, home: Path
) -> None:
    root = tmp_path / "workspace"
    (root / "sessions").mkdir(parents=True)
    peers.talked_in_nanobot("0.3.5", root, home, {"cli:other": ["theirs"]})
    manager = opened(root)
    session = talked(manager, 6)
    first = session.branch.began
    manager.fork(session, 2)
    say(manager, session, "another way")
    read = peers.talked_in_nanobot("0.3.5", root, home, {KEY: ["from nanobot"]})
    assert [each["content"] for each in read.messages(KEY)][:4] == ["words 0", "words 1", "another way", "from nanobot"]
    assert not active_file(root).exists()
    manager = opened(root)
    session = manager.get_or_create(KEY)
    manager.switch_branch(session, first)
    assert words_of(session)[-1] == "words 5"
    (kept,) = kept_files(root)
    assert [str(each["content"]) for each in load_0_1_4(kept).messages][3] == "from nanobot"
    read = peers.talked_in_nanobot("0.3.5", root, home, {KEY: ["on the first way"]})
    assert [each["content"] for each in read.messages(KEY)][5:7] == ["words 5", "on the first way"]
