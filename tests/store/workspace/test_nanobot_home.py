"""nanobot's own folder of a workspace's conversations: believed only where both sides name each other."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.capture.session_state_files import FRESH_STATE, STATE_SUFFIX, SessionStates
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.nanobot_home import (
    _is_at,
    home_sentence,
    nanobot_home,
    unclaimed_home,
    workspace_id,
)
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import inspect_workspace
from tests.support.faulty_calls import KillingCalls, SimulatedKill
from tests.support.session_files import message, metadata, write_session

ID = "0123456789abcdef0123456789abcdef"


WHEN = datetime(2026, 11, 22, 10, 0)


class Refusing(FileCalls):
    """A disk that puts nothing in place in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def replace(self, source: str, target: str) -> None:
        if Path(target).parent == self.folder:
            raise OSError(errno.EACCES, "access is refused", target)
        super().replace(source, target)


class Unconfirmed(FileCalls):
    """A disk that puts a file in place in one folder, and then refuses to say that it is durable."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.is_placed = False

    def replace(self, source: str, target: str) -> None:
        super().replace(source, target)
        self.is_placed = self.is_placed or Path(target).parent == self.folder

    def fsync(self, descriptor: int) -> None:
        if self.is_placed:
            self.is_placed = False
            raise OSError(errno.EROFS, "read-only", str(self.folder))
        super().fsync(descriptor)


class Place:
    """A workspace and a person's folder that name each other."""

    def __init__(self, folder: Path) -> None:
        self.home, self.root = folder / "home", folder / "workspace"
        self.kept = self.home / ".nanobot" / "sessions" / ID
        self.marker = self.root / ".nanobot" / "workspace-id"
        self.owner = self.kept / ".workspace"
        self.kept.mkdir(parents=True)
        self.marker.parent.mkdir(parents=True)
        self.marker.write_text(f"{ID}\n")
        self.owner.write_text(f"{self.root.resolve()}\n")
        write_session(self.kept / "cli_direct.jsonl", [metadata(), message(0)])


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    place = Place(tmp_path)
    monkeypatch.setenv("HOME", str(place.home))
    return place


def test_where_both_name_each_other_its_conversations_are_shown(place: Place) -> None:
    found = nanobot_home(place.root)
    assert found is not None
    assert found.files() == [place.kept / "cli_direct.jsonl"]
    assert unclaimed_home(place.root) == ""
    assert [each.key for each in SessionManager(place.root, read_only=True).overviews()] == ["cli:direct"]
    assert inspect_workspace(place.root).kind == "peer"


def link_to_marker(place: Place) -> None:
    other = place.root / "elsewhere"
    place.marker.rename(other)
    place.marker.symlink_to(other)


def link_to_state(place: Place) -> None:
    other = place.root / "elsewhere"
    place.marker.parent.rename(other)
    place.marker.parent.symlink_to(other)


def link_to_kept(place: Place) -> None:
    other = place.kept.with_name("other")
    place.kept.rename(other)
    place.kept.symlink_to(other)


def link_to_owner(place: Place) -> None:
    other = place.kept / "other"
    place.owner.rename(other)
    place.owner.symlink_to(other)


def pipe_as_marker(place: Place) -> None:
    place.marker.unlink()
    os.mkfifo(place.marker)


def pipe_as_owner(place: Place) -> None:
    place.owner.unlink()
    os.mkfifo(place.owner)


@pytest.mark.parametrize(
    "change",
    [
        lambda place: place.marker.write_text("../../../etc\n"),
        lambda place: place.marker.write_text(ID.upper()),
        lambda place: place.marker.write_text(ID + "0"),
        lambda place: place.marker.write_text(f"{ID}\n{ID}"),
        lambda place: place.marker.write_text(ID[:-1] + "\u0665"),
        lambda place: place.marker.write_bytes(b"\xff" * 32),
        lambda place: place.marker.write_text(""),
        lambda place: place.marker.unlink(),
        lambda place: place.owner.unlink(),
        lambda place: place.owner.write_text(""),
        lambda place: place.owner.write_text("."),
        lambda place: place.owner.write_text("workspace"),
        lambda place: place.owner.write_text("\0"),
        lambda place: place.owner.write_text(str(place.root.parent)),
        lambda place: place.owner.write_text("/no/such/folder"),
        link_to_marker,
        link_to_state,
        link_to_kept,
        link_to_owner,
        pipe_as_marker,
        pipe_as_owner,
    ],
)
def test_in_a_hostile_folder_nothing_of_another_workspace_is_opened(
    place: Place, change: Callable[[Place], object]
) -> None:
    change(place)
    assert nanobot_home(place.root) is None
    manager = SessionManager(place.root, read_only=True)
    assert manager.overviews() == []
    assert manager.load("cli:direct") is None


def test_a_copied_folder_does_not_open_the_conversations_of_the_first(place: Place, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    (copy / ".nanobot").mkdir(parents=True)
    (copy / ".nanobot" / "workspace-id").write_bytes(place.marker.read_bytes())
    assert nanobot_home(copy) is None
    assert SessionManager(copy).overviews() == []
    assert "names another folder" in unclaimed_home(copy)


def test_a_folder_reached_by_another_path_is_the_same(place: Place, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(place.root)
    assert nanobot_home(tmp_path / "link") is not None


def test_an_id_without_a_folder_is_told(place: Place) -> None:
    place.kept.rename(place.kept.with_name("gone"))
    assert "outside of it" in unclaimed_home(place.root)
    assert workspace_id(place.root) == ID


def test_links_among_its_files_are_no_conversations(place: Place, tmp_path: Path) -> None:
    outside = write_session(tmp_path / "outside.jsonl", [metadata(key="cli:other"), message(0)])
    (place.kept / "cli_other.jsonl").symlink_to(outside)
    os.mkfifo(place.kept / "pipe.jsonl")
    (place.kept / "folder.jsonl").mkdir()
    manager = SessionManager(place.root)
    assert [each.key for each in manager.overviews()] == ["cli:direct"]
    assert manager.path_of("cli:other") is None


def test_a_damaged_record_there_is_copied_aside_and_the_file_stays(place: Place) -> None:
    path = place.kept / "cli_direct.jsonl"
    path.write_bytes(path.read_bytes() + b"\xff broken\n" + b'{"role": "user", "con')
    manager = SessionManager(place.root)
    session = manager.get_or_create("cli:direct")
    assert session.messages[1]["role"] == "damaged"
    assert len(manager.health.damage("cli:direct")) == 2
    session.add_message("user", "more")
    assert manager.append(session) == [2]


def test_of_two_files_of_a_key_the_one_in_the_workspace_counts(place: Place) -> None:
    write_session(place.root / "sessions" / "cli_direct.jsonl", [metadata(), message(0), message(1)])
    manager = SessionManager(place.root)
    assert [(each.key, each.count) for each in manager.overviews()] == [("cli:direct", 2)]
    assert len(manager.get_or_create("cli:direct").messages) == 2
    assert any("states the same conversation" in sentence for sentence in manager.health.complaints("cli:direct"))


def test_what_is_said_of_it_counts_its_conversations(place: Place) -> None:
    found = nanobot_home(place.root)
    assert found is not None
    assert home_sentence(found).startswith(f"1 conversation of this folder is in nanobot's own folder, {place.kept}.")
    write_session(place.kept / "cli_other.jsonl", [metadata(key="cli:other"), message(0)])
    assert home_sentence(found).startswith("2 conversations of this folder are in nanobot's own folder")


def test_a_lock_file_that_is_not_there_any_more_locks_nobody_out(place: Place) -> None:
    found = nanobot_home(place.root)
    assert found is not None
    with found.locked():
        (place.kept / ".session-files.lock").rename(place.kept / "former")
        with found.locked():
            pass
    with (place.kept / "former").open() as former:
        assert not _is_at(former.fileno(), place.kept / ".session-files.lock")
        (place.kept / ".session-files.lock").unlink()
        assert not _is_at(former.fileno(), place.kept / ".session-files.lock")


def with_captures(place: Place) -> tuple[SessionManager, SessionStates]:
    manager = SessionManager(place.root)
    states = SessionStates(WorkspacePaths(place.root), manager.stem_of)
    manager.get_or_create("cli:direct")
    (place.root / ".mnemoscope").mkdir()
    states.claim("cli:direct")
    states.append(["- [2026-11-22T10:00:00+00:00] **preference**: I prefer tea"])
    return manager, states


def test_new_takes_what_was_captured_along_and_begins_its_state_anew(place: Place) -> None:
    manager, _ = with_captures(place)
    kept = manager.archive(manager.get_or_create("cli:direct"), WHEN)
    assert kept is not None
    assert "I prefer tea" in kept.with_name(kept.stem + STATE_SUFFIX).read_text()
    assert (place.root / "SESSION-STATE.md").read_text() == FRESH_STATE
    assert manager.path_of("cli:direct") == place.kept / "cli_direct.jsonl"


def test_new_takes_along_what_waits_beside_the_transcript(place: Place) -> None:
    manager, states = with_captures(place)
    states.claim("cli:other")
    states.append(["- [2026-11-22T10:00:00+00:00] **preference**: I like plov"])
    kept = manager.archive(manager.get_or_create("cli:direct"), WHEN)
    assert kept is not None
    assert "I prefer tea" in kept.with_name(kept.stem + STATE_SUFFIX).read_text()
    assert "I like plov" in (place.root / "SESSION-STATE.md").read_text()


def test_new_that_the_disk_does_not_confirm_loses_nothing(place: Place) -> None:
    manager = SessionManager(place.root, calls=Unconfirmed(place.kept))
    before = (place.kept / "cli_direct.jsonl").read_bytes()
    kept = manager.archive(manager.get_or_create("cli:direct"), WHEN)
    assert kept is not None
    assert kept.read_bytes() == before
    assert len(SessionManager(place.root).get_or_create("cli:direct").messages) == 0


def test_a_closing_that_a_crash_cut_off_is_taken_back_at_the_next_opening(place: Place) -> None:
    live = place.kept / "cli_direct.jsonl"
    archive = place.root / "sessions" / "archive"
    archive.mkdir(parents=True)
    whole = live.read_bytes()
    copy, older = archive / "cli_direct-20261122-100000.jsonl", archive / "cli_direct-20261101-100000.jsonl"
    copy.write_bytes(whole)
    older.write_bytes(whole[:-2] + b"!\n")
    other = archive / "cli_other-20261122-100000.jsonl"
    other.write_bytes(whole)
    # nanobot wrote on before the next opening.
    live.write_bytes(whole + b'{"role": "user", "content": "later"}\n')
    SessionManager(place.root).tidy()
    assert not copy.exists()
    assert older.exists()
    assert other.exists()
    session = SessionManager(place.root).get_or_create("cli:direct")
    assert session.messages[len(session.messages) - 1]["content"] == "later"


def test_new_that_is_refused_there_leaves_everything_and_one_cut_off_keeps_one_copy(place: Place) -> None:
    manager = SessionManager(place.root, calls=Refusing(place.kept))
    session = manager.get_or_create("cli:direct")
    before = (place.kept / "cli_direct.jsonl").read_bytes()
    with pytest.raises(StorageError):
        manager.archive(session, WHEN)
    archive = place.root / "sessions" / "archive"
    assert list(archive.iterdir()) == []
    assert (place.kept / "cli_direct.jsonl").read_bytes() == before
    # A crash between the two steps leaves the copy.
    (archive / "cli_direct-20261122-090000.jsonl").write_bytes(before)
    manager = SessionManager(place.root)
    assert manager.archive(manager.get_or_create("cli:direct"), WHEN) == archive / "cli_direct-20261122-090000.jsonl"
    assert len(list(archive.iterdir())) == 1


def test_what_is_deleted_there_goes_to_the_trash_and_comes_back_into_the_workspace(place: Place) -> None:
    manager = SessionManager(place.root)
    trashed = manager.trash("cli:direct")
    assert not (place.kept / "cli_direct.jsonl").exists()
    assert manager.overviews() == []
    assert len(manager.restore(trashed).messages) == 1
    path = manager.path_of("cli:direct")
    assert path is not None
    assert path.parent == place.root / "sessions"


def test_the_lock_is_given_back_and_waited_for(place: Place) -> None:
    found = nanobot_home(place.root)
    assert found is not None
    held, order = threading.Event(), list[str]()

    def hold() -> None:
        with found.locked():
            held.set()
            time.sleep(0.2)
            order.append("nanobot")

    other = threading.Thread(target=hold)
    other.start()
    held.wait()
    with found.locked():
        order.append("here")
    other.join()
    assert order == ["nanobot", "here"]


@pytest.mark.slow
def test_a_lock_that_is_a_link_is_not_followed(place: Place, tmp_path: Path) -> None:
    found = nanobot_home(place.root)
    assert found is not None
    (tmp_path / "mine").write_text("mine")
    (place.kept / ".session-files.lock").symlink_to(tmp_path / "mine")
    with pytest.raises(StorageError), found.locked():
        pass
    assert (tmp_path / "mine").read_text() == "mine"


def close(manager: SessionManager) -> None:
    manager.archive(manager.get_or_create("cli:direct"), WHEN)


def delete(manager: SessionManager) -> None:
    manager.trash("cli:direct")


def say(manager: SessionManager) -> None:
    session = manager.get_or_create("cli:direct")
    session.add_message("user", "more")
    session.last_consolidated = 1
    manager.save(session)


@pytest.mark.slow
@pytest.mark.parametrize("act", [close, delete, say])
def test_wherever_it_ends_nothing_that_was_said_there_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: Callable[[SessionManager], None]
) -> None:
    for at in range(1, 60):
        place = Place(tmp_path / str(at))
        monkeypatch.setenv("HOME", str(place.home))
        words = message(0)["content"]
        manager = SessionManager(place.root, calls=KillingCalls(at))
        done = False
        with suppress(SimulatedKill):
            act(manager)
            done = True
        opened = SessionManager(place.root)
        opened.health.mend_ends()
        kept = [*place.root.rglob("*.jsonl"), *place.kept.glob("*.jsonl")]
        assert [path for path in kept if str(words) in path.read_text(encoding="utf-8")]
        with suppress(SimulatedKill):
            if not done:
                act(opened)
        transcripts = [path for path in place.root.rglob("*.jsonl") if str(words) in path.read_text(encoding="utf-8")]
        if act is close:
            assert len(transcripts) == 1, "one copy, however often it was begun"
            assert str(words) not in (place.kept / "cli_direct.jsonl").read_text(encoding="utf-8")
        if act is say:
            session = SessionManager(place.root).get_or_create("cli:direct")
            assert session.last_consolidated == 1
            assert session.messages[0]["content"] == words
        if done:
            assert at > 2
            return
    raise AssertionError("it never came to an end")


def test_a_conversation_there_says_so_where_nanobot_does_not_read_its_name(place: Place) -> None:
    manager = SessionManager(place.root)
    (sentence,) = manager.health.complaints("cli:direct")
    assert sentence.startswith(f"nanobot moved this conversation to {place.kept}")
    (place.kept / "cli_direct.jsonl").rename(place.kept / "Y2xpOmRpcmVjdA.jsonl")
    assert SessionManager(place.root).health.complaints("cli:direct") == []
    write_session(place.kept / ".migration-conflicts" / "a.workspace.0.jsonl", [metadata(), message(0)])
    found = nanobot_home(place.root)
    assert found is not None
    assert [path.name for path in found.conflicts()] == ["a.workspace.0.jsonl"]


@pytest.mark.slow
def test_a_lock_that_is_held_for_long_is_said_and_nothing_is_lost(place: Place) -> None:
    found = nanobot_home(place.root)
    assert found is not None
    manager = SessionManager(place.root)
    session = manager.get_or_create("cli:direct")
    session.add_message("user", "mine")
    with found.locked(), pytest.raises(StorageError, match="nanobot is holding its conversations"):
        manager.append(session)
    assert manager.append(session) == [1]
