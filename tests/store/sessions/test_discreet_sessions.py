"""Conversations that memory takes nothing from: in a folder no other program reads, and marked wherever they go."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.domain.conversation.discretion import DISCRETION, Discretion
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.search.search_sources import SearchKind, SearchSources
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.faulty_calls import CountedCalls
from tests.support.session_files import FailingCalls, SteppingClock, message

KEY = "cli:direct"
READS, REMEMBERED = Discretion.READS_MEMORY, Discretion.REMEMBERED


class Refusing(FileCalls):
    """Real system calls; `replace` and writes fail where the test says so."""

    def __init__(self) -> None:
        self.may_replace: Callable[[str, str], bool] = lambda _one, _other: True
        self.may_write = True
        self.syncs = -1
        """How many calls of fsync go well yet; -1 for all."""

    def fsync(self, descriptor: int) -> None:
        if self.syncs == 0:
            raise OSError(5, "the test says so")
        self.syncs -= self.syncs > 0
        super().fsync(descriptor)

    def replace(self, one: str, other: str) -> None:
        if not self.may_replace(one, other):
            raise OSError(5, "the test says so")
        super().replace(one, other)

    def write(self, descriptor: int, data: bytes) -> int:
        if not self.may_write:
            raise OSError(5, "the test says so")
        return super().write(descriptor, data)


def opened(root: Path, calls: FileCalls | None = None) -> SessionManager:
    return SessionManager(root, clock=SteppingClock(), calls=calls or FileCalls())


def talked(manager: SessionManager, count: int = 4) -> Session:
    session = manager.get_or_create(KEY)
    session.messages.extend(message(number) for number in range(count))
    manager.save(session)
    return session


def forked(manager: SessionManager) -> Session:
    """Returns a conversation of two branches; the one on show has one message of its own."""
    session = talked(manager)
    manager.fork(session, 2)
    session.add_message("user", "other")
    manager.append(session)
    return session


def files(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in (root / "sessions").rglob("*.jsonl"))


def test_it_goes_into_a_folder_of_its_own_and_back(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    manager.set_discretion(session, READS)
    assert files(tmp_path) == ["sessions/discreet/cli_direct.jsonl"]
    assert (session.discretion, session.discreet_since) == (READS, 4)
    session.add_message("user", "only here")
    assert manager.append(session) == [4]
    again = opened(tmp_path)
    assert again.read_tail(KEY).total == 5
    assert again.discretion_of(KEY) is READS
    found = again.load(KEY)
    assert found is not None
    assert (len(found.messages), found.discretion, found.discreet_since) == (5, READS, 4)
    assert again.overviews()[0].discretion is READS
    again.set_discretion(found, REMEMBERED)
    assert files(tmp_path) == ["sessions/cli_direct.jsonl"]
    assert (len(found.messages), found.metadata) == (5, {})
    assert again.discretion_of("another") is REMEMBERED


def test_one_that_has_no_file_yet_gets_it_in_the_right_place(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = manager.create()
    manager.set_discretion(session, READS)
    assert [each.discretion for each in manager.overviews()] == [READS]
    session.add_message("user", "Hello")
    manager.append(session)
    assert [Path(name).parent.name for name in files(tmp_path)] == ["discreet"]
    (record, _) = (tmp_path / files(tmp_path)[0]).read_text().splitlines()
    assert json.loads(record)["metadata"] == {DISCRETION: "reads-memory"}


def test_its_branches_bear_the_mark_and_none_is_searched(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = forked(manager)
    sources = SearchSources(WorkspacePaths(tmp_path))
    assert [each.kind for each in sources.all()] == [SearchKind.SESSION, SearchKind.BRANCH]
    first = session.other_branches[0].began
    manager.set_discretion(session, READS)
    # The way that was left before bears no mark, and is of the same conversation.
    assert list(sources.all()) == []
    manager.set_discretion(session, REMEMBERED)
    assert [each.kind for each in sources.all()] == [SearchKind.SESSION, SearchKind.BRANCH]
    manager.set_discretion(session, READS)
    manager.switch_branch(session, first)
    assert session.discretion is READS
    assert list(sources.all()) == []
    manager.fork(session, 3)
    assert opened(tmp_path).get_or_create(KEY).discretion is READS
    assert list(sources.all()) == []


def test_what_new_closed_bears_the_mark_and_what_begins_is_of_the_same_kind(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    manager.set_discretion(session, READS)
    kept = manager.archive(session, datetime(2026, 11, 21, 9))
    assert kept is not None
    assert (session.discretion, session.discreet_since, len(session.messages)) == (READS, 0, 0)
    session.add_message("user", "anew")
    manager.append(session)
    sources = SearchSources(WorkspacePaths(tmp_path))
    assert list(sources.all()) == []
    # A file that is as it was at the last look is not read again.
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(Path, "read_bytes")
        assert list(sources.all()) == []


def test_the_branches_of_what_new_closed_are_not_searched_either(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = forked(manager)
    manager.set_discretion(session, READS)
    assert manager.archive(session, datetime(2026, 11, 21, 9)) is not None
    manager.set_discretion(session, REMEMBERED)
    session.add_message("user", "anew")
    manager.append(session)
    assert list((tmp_path / "sessions/branches").iterdir())
    assert [each.kind for each in SearchSources(WorkspacePaths(tmp_path)).all()] == [SearchKind.SESSION]


def test_what_vanishes_while_it_is_looked_at_is_for_the_search_to_find_out(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    for _ in range(2):
        assert manager.archive(talked(manager), datetime(2026, 11, 21, 9)) is not None
    found = SearchSources(WorkspacePaths(tmp_path)).all()
    kinds = [next(found).kind, next(found).kind]
    for path in (tmp_path / "sessions/archive").iterdir():
        path.unlink()
    assert [*kinds, *(each.kind for each in found)] == [SearchKind.SESSION, SearchKind.ARCHIVE, SearchKind.ARCHIVE]


def test_a_marked_file_that_lies_where_the_others_do_is_marked_and_unmarked_there(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    manager.set_discretion(session, READS)
    os.replace(tmp_path / "sessions/discreet/cli_direct.jsonl", tmp_path / "sessions/cli_direct.jsonl")
    again = opened(tmp_path)
    found = again.get_or_create(KEY)
    assert (found.discretion, again.discretion_of(KEY)) == (READS, READS)
    again.set_discretion(found, REMEMBERED)
    assert (found.discretion, files(tmp_path)) == (REMEMBERED, ["sessions/cli_direct.jsonl"])


def test_it_is_restored_from_the_trash_as_it_was(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    manager.set_discretion(session, READS)
    manager.restore(manager.trash(KEY))
    assert files(tmp_path) == ["sessions/discreet/cli_direct.jsonl"]
    assert manager.get_or_create(KEY).discretion is READS


def test_one_that_cannot_be_read_is_restored_to_where_it_would_be_looked_for(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    talked(manager)
    trashed = manager.trash(KEY)
    assert trashed.kept is not None
    trashed.kept.unlink()
    trashed.kept.mkdir()
    with pytest.raises(StorageError):
        manager.restore(trashed)


def test_where_two_files_state_its_key_the_discreet_one_is_used(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    manager.set_discretion(session, READS)
    theirs = tmp_path / "sessions" / "cli_direct.jsonl"
    theirs.write_bytes((tmp_path / "sessions/discreet/cli_direct.jsonl").read_bytes())
    again = opened(tmp_path)
    assert again.path_of(KEY) == tmp_path / "sessions/discreet/cli_direct.jsonl"
    (seen,) = again.overviews()
    assert seen.path.parent.name == "discreet"
    found = again.get_or_create(KEY)
    with pytest.raises(StorageError, match="Another program began a conversation of the same name"):
        again.set_discretion(found, REMEMBERED)
    assert found.discretion is READS


def test_a_file_that_another_program_keeps_elsewhere_stays_where_it_is(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    session = talked(manager)
    path, target = tmp_path / "sessions/cli_direct.jsonl", tmp_path / "elsewhere.jsonl"
    os.replace(path, target)
    path.symlink_to(target)
    with pytest.raises(StorageError, match="Another program keeps this conversation"):
        manager.set_discretion(session, READS)
    assert session.discretion is REMEMBERED
    assert path.is_symlink()


def test_where_the_disk_refuses_nothing_changes(tmp_path: Path) -> None:
    calls = Refusing()
    manager = opened(tmp_path, calls)
    session = talked(manager)
    calls.may_replace = lambda _one, _other: False
    with pytest.raises(StorageError):
        manager.set_discretion(session, READS)
    assert (session.discretion, files(tmp_path)) == (REMEMBERED, ["sessions/cli_direct.jsonl"])
    calls.may_replace = lambda _one, _other: True
    calls.may_write = False
    with pytest.raises(StorageError):
        manager.set_discretion(session, READS)
    assert (session.discretion, files(tmp_path)) == (REMEMBERED, ["sessions/cli_direct.jsonl"])
    calls.may_write = True
    manager.set_discretion(session, READS)
    calls.may_replace = lambda _one, _other: False
    with pytest.raises(StorageError):
        manager.set_discretion(session, REMEMBERED)
    assert (session.discretion, files(tmp_path)) == (READS, ["sessions/discreet/cli_direct.jsonl"])
    assert opened(tmp_path).get_or_create(KEY).discretion is READS


def test_a_move_that_the_disk_does_not_confirm_is_taken_back(tmp_path: Path) -> None:
    calls = Refusing()
    manager = opened(tmp_path, calls)
    session = talked(manager)
    (tmp_path / "sessions/discreet").mkdir()
    calls.syncs = 0
    with pytest.raises(StorageError):
        manager.set_discretion(session, READS)
    assert (session.discretion, files(tmp_path)) == (REMEMBERED, ["sessions/cli_direct.jsonl"])
    calls.syncs = -1
    session.add_message("user", "it goes on")
    manager.append(session)
    assert len(opened(tmp_path).get_or_create(KEY).messages) == 5


def test_a_change_that_a_crash_cut_off_is_finished_at_the_next_opening(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    talked(manager)
    discreet = tmp_path / "sessions/discreet"
    discreet.mkdir()
    # It was on its way in or out, and says of itself that it is remembered.
    os.replace(tmp_path / "sessions/cli_direct.jsonl", discreet / "cli_direct.jsonl")
    again = opened(tmp_path)
    again.tidy()
    assert files(tmp_path) == ["sessions/cli_direct.jsonl"]
    again.set_discretion(again.get_or_create(KEY), READS)
    again.tidy()
    assert files(tmp_path) == ["sessions/discreet/cli_direct.jsonl"]


def test_what_a_file_says_is_on_the_disk_before_it_is_moved_to_where_peers_read_it(tmp_path: Path) -> None:
    talked(opened(tmp_path))
    discreet = tmp_path / "sessions/discreet"
    discreet.mkdir()
    os.replace(tmp_path / "sessions/cli_direct.jsonl", discreet / "cli_direct.jsonl")
    calls = CountedCalls()
    opened(tmp_path, calls).tidy()
    assert files(tmp_path) == ["sessions/cli_direct.jsonl"]
    assert calls.names == ["fsync", "replace", "fsync", "fsync"]


def test_a_disk_that_refuses_to_tidy_is_tidied_the_next_time(tmp_path: Path) -> None:
    calls = Refusing()
    manager = opened(tmp_path, calls)
    talked(manager)
    discreet = tmp_path / "sessions/discreet"
    discreet.mkdir()
    os.replace(tmp_path / "sessions/cli_direct.jsonl", discreet / "cli_direct.jsonl")
    calls.may_replace = lambda _one, _other: False
    manager.tidy()
    assert files(tmp_path) == ["sessions/discreet/cli_direct.jsonl"]


def test_a_discreet_message_that_the_disk_refused_waits_as_any_other(tmp_path: Path) -> None:
    calls = FailingCalls()
    manager = opened(tmp_path, calls)
    session = talked(manager)
    manager.set_discretion(session, READS)
    session.add_message("user", "later")
    calls.fault = "full"
    with pytest.raises(StorageError):
        manager.append(session)
    calls.fault = ""
    assert manager.append(session) == [4]
