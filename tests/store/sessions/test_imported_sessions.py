"""Imported conversations are whole files with their branches, each in the folder of its kind."""

from __future__ import annotations

import errno
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.imported_conversation import ImportedConversation, is_at_rest
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.sessions.session_manager import SessionManager

BEGAN = datetime(2026, 5, 1, 8)


def spoken(*lines: str) -> tuple[Message, ...]:
    return tuple({"role": "user", "content": line, "timestamp": BEGAN.isoformat()} for line in lines)


def conversation(*ways: tuple[Message, ...], is_discreet: bool = False) -> ImportedConversation:
    return ImportedConversation("chatgpt:c", "chatgpt", "c", "A talk", ways, BEGAN, BEGAN, is_discreet)


def test_a_conversation_is_there_at_rest_with_its_title(tmp_path: Path) -> None:
    sessions = SessionManager(tmp_path)
    sessions.write_imported(conversation(spoken("one", "two")))
    session = SessionManager(tmp_path).load("chatgpt:c")
    assert session is not None
    assert ([each["content"] for each in session.messages], session.title) == (["one", "two"], "A talk")
    assert (session.created_at, session.last_consolidated) == (BEGAN, 0)
    assert is_at_rest(session.metadata, len(session.messages))
    session.add_message("user", "three")
    assert not is_at_rest(session.metadata, len(session.messages))


def test_other_ways_are_branches_that_can_be_switched_to(tmp_path: Path) -> None:
    ways = (spoken("a", "b", "c"), spoken("a", "x"), spoken("a", "x", "y"), spoken("a", "b"), spoken("z"))
    sessions = SessionManager(tmp_path)
    sessions.write_imported(conversation(*ways))
    session = sessions.load("chatgpt:c")
    assert session is not None
    others = sessions.branches.others(session)
    assert [each.count for each in others] == [2, 3, 1]
    sessions.switch_branch(session, others[1].branch.began)
    assert [each["content"] for each in session.messages] == ["a", "x", "y"]
    assert others[1].branch.own_start == 2


def test_what_is_not_to_be_remembered_lies_where_no_peer_looks(tmp_path: Path) -> None:
    sessions = SessionManager(tmp_path)
    sessions.write_imported(conversation(spoken("secret"), is_discreet=True))
    session = sessions.load("chatgpt:c")
    assert session is not None
    assert session.discretion is Discretion.READS_MEMORY
    assert [path.parent.name for path in tmp_path.rglob("*.jsonl")] == ["discreet"]


def test_a_conversation_without_a_title_is_called_by_its_first_words(tmp_path: Path) -> None:
    sessions = SessionManager(tmp_path)
    sessions.write_imported(ImportedConversation("claude:c", "claude", "c", "", (spoken("one"),), BEGAN, BEGAN))
    assert [each.title for each in sessions.overviews()] == ["one"]


def test_where_the_disk_refuses_it_is_not_there(tmp_path: Path) -> None:
    class Full(FileCalls):
        def replace(self, source: str, target: str) -> None:
            raise OSError(errno.ENOSPC, "full")

    sessions = SessionManager(tmp_path, calls=Full())
    with pytest.raises(StorageError):
        sessions.write_imported(conversation(spoken("a"), spoken("b")))
    assert SessionManager(tmp_path).overviews() == []


def test_what_was_deleted_or_closed_here_is_known_by_its_key(tmp_path: Path) -> None:
    sessions = SessionManager(tmp_path)
    for key in ("chatgpt:deleted", "chatgpt:closed", "chatgpt:kept"):
        sessions.write_imported(ImportedConversation(key, "chatgpt", "c", "", (spoken("one"),), BEGAN, BEGAN))
    sessions.trash("chatgpt:deleted")
    closed = sessions.load("chatgpt:closed")
    assert closed is not None
    sessions.archive(closed, BEGAN)
    assert sessions.keys_put_aside() == {"chatgpt:deleted", "chatgpt:closed"}
