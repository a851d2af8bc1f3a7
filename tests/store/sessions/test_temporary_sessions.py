"""Temporary conversations: used as the others are, and on the disk there is nothing of them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.domain.conversation.branch import FORKS
from mnemoscope.domain.conversation.discretion import DISCRETION, Discretion
from mnemoscope.domain.conversation.message import is_deleted
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.sessions.file_format.message_log import deleted_in
from mnemoscope.store.sessions.message_trash import ChosenMessages
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.session_files import FailingCalls, SteppingClock, message


def opened(root: Path) -> tuple[SessionManager, Session]:
    manager = SessionManager(root, clock=SteppingClock())
    return manager, manager.temporary.create()


def say(manager: SessionManager, session: Session, *words: str) -> list[int]:
    for each in words:
        session.add_message("user", each)
    return manager.append(session)


def words_of(session: Session) -> list[str]:
    return [str(each["content"]) for each in session.messages]


def test_what_is_said_counts_as_saved_and_is_on_no_disk(tmp_path: Path) -> None:
    manager, session = opened(tmp_path)
    assert say(manager, session, "one", "two") == [0, 1]
    assert say(manager, session, "three") == [2]
    session.add_message("user", "four")
    assert [session.messages.durable, len(session.messages.pending), len(session.messages)] == [3, 1, 4]
    manager.save(session)
    assert words_of(session) == ["one", "two", "three", "four"] == words_of(manager.get_or_create(session.key))
    assert manager.load(session.key) is session
    assert not manager.refresh(session)
    assert manager.read_tail(session.key, 2).messages[-1]["content"] == "four"
    assert [manager.path_of(session.key), manager.stem_of(session.key)] == [None, ""]
    assert manager.discretion_of(session.key) is session.discretion is Discretion.TEMPORARY
    assert list(tmp_path.iterdir()) == []


def test_it_is_listed_and_named_as_long_as_it_is_open(tmp_path: Path) -> None:
    manager, session = opened(tmp_path)
    say(manager, session, "Hello")
    manager.set_title(session.key, "Secret plans")
    (seen,) = manager.overviews()
    assert (seen.title, seen.count, seen.discretion) == ("Secret plans", 1, Discretion.TEMPORARY)
    assert manager.trash(session.key).kept is None
    assert manager.overviews() == []
    assert manager.load(session.key) is None
    assert not manager.read_tail(session.key).messages
    # Work that ends late finds an empty one, in memory too.
    assert manager.get_or_create(session.key).discretion is Discretion.TEMPORARY
    assert list(tmp_path.iterdir()) == []


def test_it_is_begun_anew_under_its_key(tmp_path: Path) -> None:
    manager, session = opened(tmp_path)
    say(manager, session, "one", "two")
    manager.fork(session, 1)
    assert manager.archive(session, datetime(2026, 11, 21, 9)) is None
    assert [words_of(session), session.metadata, manager.branch_choices(session.key)] == [[], {}, []]
    say(manager, session, "three")
    session.clear()
    assert say(manager, session, "four") == [0]


def test_it_branches_as_the_others_do(tmp_path: Path) -> None:
    manager, session = opened(tmp_path)
    say(manager, session, "one", "two", "three")
    first, session.metadata["title"] = session.branch.began, "Both"
    manager.fork(session, 1)
    assert words_of(session) == ["one"]
    assert [each.began for each in session.other_branches] == [first]
    say(manager, session, "other")
    (choice,) = manager.branch_choices(session.key)
    assert (choice.index, choice.here, len(choice.places)) == (1, 1, 2)
    assert manager.branch_at(session.key, "sessions/branches/any.jsonl") == ""
    second = session.branch.began
    manager.switch_branch(session, first)
    assert (words_of(session), session.title) == (["one", "two", "three"], "Both")
    manager.switch_branch(session, second)
    assert words_of(session) == ["one", "other"]
    with pytest.raises(StorageError, match="not there any more"):
        manager.switch_branch(session, "2001-01-01")
    with pytest.raises(StorageError, match="Nothing follows"):
        manager.fork(session, 2)
    assert list(tmp_path.iterdir()) == []


def test_a_branch_in_which_nothing_was_said_is_dropped_when_it_is_left(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path, clock=lambda: datetime(2026, 11, 21, 9))
    session = manager.temporary.create()
    say(manager, session, "one", "two")
    first = session.branch.began
    manager.fork(session, 1)
    # Begun in the same moment, and a name of its own all the same.
    assert session.branch.began != first
    manager.switch_branch(session, first)
    assert session.other_branches == ()


@pytest.mark.parametrize("kind", [Discretion.REMEMBERED, Discretion.READS_MEMORY])
def test_it_is_kept_as_one_of_another_kind(tmp_path: Path, kind: Discretion) -> None:
    manager, session = opened(tmp_path)
    say(manager, session, "one", "two")
    manager.fork(session, 1)
    say(manager, session, "other")
    kept = manager.keep_temporary(session, kind)
    assert (kept.discretion, words_of(kept), FORKS in kept.metadata) == (kind, ["one", "other"], False)
    assert manager.load(session.key) is None
    (seen,) = manager.overviews()
    again = SessionManager(tmp_path).load(kept.key)
    assert again is not None
    assert (words_of(again), again.discretion, seen.discretion) == (["one", "other"], kind, kind)
    folder = "sessions/discreet" if kind is Discretion.READS_MEMORY else "sessions"
    assert seen.path.parent == tmp_path / folder
    assert (DISCRETION in again.metadata) == (kind is Discretion.READS_MEMORY)


def test_a_message_is_deleted_in_every_branch_and_brought_back(tmp_path: Path) -> None:
    manager, session = opened(tmp_path)
    say(manager, session, "one", "two", "three")
    first = session.branch.began
    manager.fork(session, 2)
    say(manager, session, "other")
    deletion = manager.delete_messages([ChosenMessages(session, (1, 2), tuple(session.messages[1:3]))])
    assert words_of(session) == ["one", "", ""]
    assert [is_deleted(each) for each in session.messages] == [False, True, True]
    manager.switch_branch(session, first)
    # The third message of this branch is another one.
    assert words_of(session) == ["one", "", "three"]
    assert manager.conversations_of_deletion(deletion.id) == {session.key}
    assert manager.restore_messages(deletion.id) == deletion
    assert words_of(session) == ["one", "two", "three"]
    assert manager.conversations_of_deletion(deletion.id) == frozenset()
    assert list(tmp_path.iterdir()) == []


def test_what_was_deleted_comes_back_in_a_branch_begun_since(tmp_path: Path) -> None:
    manager, session = opened(tmp_path)
    say(manager, session, "one", "two", "three")
    first = session.branch.began
    gone = manager.delete_messages([ChosenMessages(session, (0,), (session.messages[0],))])
    other = manager.delete_messages([ChosenMessages(session, (1,), (session.messages[1],))])
    assert [[each["content"] for each in log] for log in manager.temporary.deleted_messages()] == [["one"], ["two"]]
    manager.fork(session, 2)
    session.add_message("user", "other")
    assert manager.restore_messages(gone.id) == gone
    assert words_of(session) == ["one", "", "other"]
    manager.restore_messages(other.id)
    assert words_of(session) == ["one", "two", "other"]
    manager.switch_branch(session, first)
    assert words_of(session) == ["one", "two", "three"]


def test_a_message_that_is_deleted_is_counted_no_more(tmp_path: Path) -> None:
    manager, session = opened(tmp_path)
    say(manager, session, "one", "two")
    session.add_message("user", "three")
    manager.delete_messages([ChosenMessages(session, (0, 2), (session.messages[0], session.messages[2]))])
    assert deleted_in(session.messages) == [0, 2]
    (seen,) = manager.overviews()
    assert (seen.count, seen.left) == (3, 1)


def test_what_was_deleted_goes_with_the_conversation(tmp_path: Path) -> None:
    manager, session = opened(tmp_path)
    say(manager, session, "one")
    deletion = manager.delete_messages([ChosenMessages(session, (0,), tuple(session.messages))])
    with pytest.raises(StorageError, match="nothing there that could be deleted"):
        manager.delete_messages([ChosenMessages(session, (0,), tuple(session.messages))])
    manager.temporary.close(session.key)
    assert manager.temporary.deletion(deletion.id) is None


def test_kept_again_after_a_failure_it_is_there_once(tmp_path: Path) -> None:
    manager, session = opened(tmp_path)
    say(manager, session, "one")
    key = manager.keep_temporary(session, Discretion.REMEMBERED).key
    # As where the disk wrote it and could not say so.
    manager.temporary._open[session.key] = session
    manager.invalidate(key)
    say(manager, session, "two")
    kept = manager.keep_temporary(session, Discretion.REMEMBERED)
    assert (kept.key, words_of(kept), len(manager.overviews())) == (key, ["one", "two"], 1)


def test_where_the_disk_refuses_to_keep_it_it_is_open_as_before(tmp_path: Path) -> None:
    calls = FailingCalls()
    manager = SessionManager(tmp_path, clock=SteppingClock(), calls=calls)
    session = manager.temporary.create()
    session.messages.append(message(0))
    manager.append(session)
    calls.fault = "full"
    with pytest.raises(StorageError):
        manager.keep_temporary(session, Discretion.REMEMBERED)
    assert manager.load(session.key) is session
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_message_gives_its_place_to_another_in_the_branch_that_has_it(tmp_path: Path) -> None:
    manager, session = opened(tmp_path)
    say(manager, session, "one", "two")
    manager.fork(session, 1)
    say(manager, session, "three")
    [(_, active), (left, other)] = manager.temporary.with_branches()
    assert [words_of(session), words_of(left)] == [["one", "three"], ["one", "two"]]
    active.put(0, {"role": "user", "content": "1"})
    assert [words_of(session), words_of(left)] == [["1", "three"], ["one", "two"]]
    other.put(1, {"role": "user", "content": "2"})
    assert words_of(left) == ["one", "2"]
