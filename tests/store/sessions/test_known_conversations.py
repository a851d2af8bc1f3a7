"""The list of known conversations names what has a file, forgets what the person closed or deleted, and may be lost."""

from __future__ import annotations

import errno
import json
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.sessions.known_conversations import KnownConversations, KnownKeys
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager

WHEN = datetime(2026, 11, 23, 10, 15, 2)
KEY = "desktop:one"


class _Full(FileCalls):
    """A disk that takes no list while it is full, and removes none unless `removes`."""

    def __init__(self) -> None:
        self.is_full = False
        self.removes = True
        self.writes = 0

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        if "conversations.json" in path:
            self.writes += 1
            if self.is_full:
                raise OSError(errno.ENOSPC, "full", path)
        return super().open(path, flags, mode)

    def unlink(self, path: str) -> None:
        if not self.removes and path.endswith("conversations.json"):
            raise OSError(errno.EROFS, "read-only", path)
        super().unlink(path)


class _KeepsTrash(FileCalls):
    def replace(self, source: str, target: str) -> None:
        if "trash" in target:
            raise OSError(errno.EIO, "broken", target)
        super().replace(source, target)


def said(manager: SessionManager, key: str = KEY, words: str = "How high is it?") -> Session:
    session = manager.get_or_create(key)
    session.add_message("user", words)
    manager.append(session)
    return session


def listed(root: Path) -> KnownKeys:
    return KnownConversations(root / ".mnemoscope" / "conversations.json").load()


def test_a_conversation_is_listed_with_its_first_record_and_no_word_of_it(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    manager.create(key="desktop:empty")
    assert listed(tmp_path) == KnownKeys()
    manager.create("A title", key="desktop:titled")
    session = said(manager)
    assert listed(tmp_path).known == {
        "desktop:titled": manager.get_or_create("desktop:titled").created_at.isoformat(timespec="seconds"),
        KEY: session.created_at.isoformat(timespec="seconds"),
    }
    text = (tmp_path / ".mnemoscope" / "conversations.json").read_text(encoding="utf-8")
    assert "How" not in text
    assert "A title" not in text


def test_it_is_written_once_a_conversation(tmp_path: Path) -> None:
    calls = _Full()
    manager = SessionManager(tmp_path, calls=calls)
    for _ in range(3):
        said(manager)
    once = calls.writes
    assert once
    manager = SessionManager(tmp_path, calls=calls)
    said(manager)
    assert calls.writes == once
    said(manager, "desktop:two")
    assert calls.writes == 2 * once


def test_what_is_closed_is_listed_again_when_it_goes_on(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = said(manager)
    manager.archive(session, WHEN)
    assert listed(tmp_path) == KnownKeys()
    # Nothing was said since: nothing is closed.
    assert manager.archive(session, WHEN) is None
    said(manager)
    assert list(listed(tmp_path).known) == [KEY]


def test_what_is_deleted_says_so_and_what_is_restored_is_known_again(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    said(manager)
    trashed = manager.trash(KEY)
    assert (list(listed(tmp_path).known), list(listed(tmp_path).deleted)) == ([], [KEY])
    manager.restore(trashed)
    assert (list(listed(tmp_path).known), list(listed(tmp_path).deleted)) == ([KEY], [])
    manager.create(key="desktop:empty")
    manager.trash("desktop:empty")
    assert list(listed(tmp_path).deleted) == []


@pytest.mark.parametrize("is_listed", [True, False])
def test_what_could_not_be_deleted_is_known_as_before(tmp_path: Path, is_listed: bool) -> None:
    said(SessionManager(tmp_path))
    if not is_listed:
        (tmp_path / ".mnemoscope" / "conversations.json").unlink()
    manager = SessionManager(tmp_path, calls=_KeepsTrash())
    with pytest.raises(StorageError):
        manager.trash(KEY)
    assert list(listed(tmp_path).known) == [KEY] * is_listed
    said(manager)
    assert (list(listed(tmp_path).known), list(listed(tmp_path).deleted)) == ([KEY], [])


def test_of_a_conversation_that_memory_never_took_from_nothing_is_listed(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    temporary = manager.temporary.create()
    temporary.add_message("user", "A secret.")
    manager.append(temporary)
    manager.save(temporary)
    manager.trash(temporary.key)
    session = manager.create("Titled", key=KEY)
    assert list(listed(tmp_path).known) == [KEY]
    manager.set_discretion(session, Discretion.READS_MEMORY)
    said(manager)
    assert listed(tmp_path) == KnownKeys()
    manager.trash(KEY)
    assert listed(tmp_path) == KnownKeys()
    said(manager, "desktop:two")
    manager.trash("desktop:two")
    assert "one" not in (tmp_path / ".mnemoscope" / "conversations.json").read_text(encoding="utf-8")


def test_one_that_was_remembered_before_stays_listed(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = said(manager)
    manager.set_discretion(session, Discretion.READS_MEMORY)
    assert list(listed(tmp_path).known) == [KEY]
    manager.trash(KEY)
    assert list(listed(tmp_path).deleted) == [KEY]


def test_a_temporary_one_is_listed_once_it_is_kept(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    for kind in (Discretion.READS_MEMORY, Discretion.REMEMBERED):
        temporary = manager.temporary.create()
        temporary.add_message("user", "Words.")
        manager.append(temporary)
        kept = manager.keep_temporary(temporary, kind)
        assert list(listed(tmp_path).known) == ([kept.key] if kind is Discretion.REMEMBERED else [])


def test_the_disk_may_refuse_the_list_and_takes_everything_else(tmp_path: Path) -> None:
    calls = _Full()
    manager = SessionManager(tmp_path, calls=calls)
    said(manager, "desktop:two")
    session = said(manager)
    calls.is_full = True
    said(manager, "desktop:three")
    assert "desktop:three" not in listed(tmp_path).known
    # A list that cannot be made shorter is removed: it would tell of a loss that is none.
    manager.archive(session, WHEN)
    assert listed(tmp_path) == KnownKeys()
    calls.is_full = False
    said(manager, "desktop:two")
    assert list(listed(tmp_path).known) == ["desktop:two"]
    calls.is_full, calls.removes = True, False
    assert manager.trash("desktop:two").kept is not None
    assert list(listed(tmp_path).known) == ["desktop:two"]


@pytest.mark.parametrize("damaged", [b"", b"[1]", b"{", b'{"known": 7}', b'{"known": {"a": 1}, "deleted": ["b"]}'])
def test_a_damaged_list_counts_as_none(tmp_path: Path, damaged: bytes) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(damaged)
    conversations = KnownConversations(path)
    assert conversations.load() == KnownKeys()
    conversations.drop(KEY)
    assert path.read_bytes() == damaged
    conversations.add(KEY, WHEN)
    assert conversations.load() == KnownKeys({KEY: "2026-11-23T10:15:02"})


def test_the_newest_ten_thousand_are_kept_and_no_endless_key(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps({"known": {f"desktop:{number:05}": "" for number in range(10_000)}}))
    conversations = KnownConversations(path)
    conversations.add(KEY, WHEN)
    conversations.add("k" * 501, WHEN)
    conversations.delete("k" * 501, WHEN)
    assert list(conversations.load().known)[-1] == KEY
    assert len(conversations.load().known) == 10_000
    assert not conversations.load().deleted
