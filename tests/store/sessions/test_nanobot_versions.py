"""Conversations between Mnemoscope and five versions of nanobot, both ways, each started on one folder by itself."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from mnemoscope.agent.cli.audit import audit
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.sessions.message_trash import ChosenMessages
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.nanobot_home import nanobot_home, workspace_id
from tests.support.peers import home, talked_in_nanobot

__all__ = ["home"]

pytestmark = pytest.mark.slow

KEY = "desktop:20261121-0a1b2c"
OLDER = ("0.1.4.post4", "0.1.5", "0.2.2")
ENCODED = base64.urlsafe_b64encode(KEY.encode()).decode().rstrip("=") + ".jsonl"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / "memory" / "MEMORY.md").write_text("# Memory\n", encoding="utf-8")
    return root


def said_here(root: Path, *words: str, key: str = KEY) -> SessionManager:
    manager = SessionManager(root)
    session = manager.load(key) or manager.create(key=key)
    for each in words:
        session.add_message("user", each)
    manager.append(session)
    return manager


def words_of(manager: SessionManager, key: str = KEY) -> list[str]:
    session = manager.load(key)
    return [] if session is None else [str(each["content"]) for each in session.messages]


@pytest.mark.parametrize("version", [*OLDER, "0.3.0"])
def test_what_is_said_here_goes_on_there_and_back(root: Path, home: Path, version: str) -> None:
    said_here(root, "one", "two")
    read = talked_in_nanobot(version, root, home, {KEY: ["three"]})
    assert [each["content"] for each in read.messages(KEY)] == ["one", "two", "three"]
    assert KEY in read.listed
    manager = said_here(root, "four")
    assert words_of(manager) == ["one", "two", "three", "four"]
    assert [each["content"] for each in talked_in_nanobot(version, root, home, {KEY: []}).messages(KEY)] == [
        *("one", "two", "three", "four")
    ]
    assert workspace_id(root) == ""


@pytest.mark.parametrize(
    "version",
    # One of each kind: what is sent of an empty message changed with 0.3.
    [OLDER[0], "0.3.5", *(pytest.param(each, marks=pytest.mark.long) for each in (*OLDER[1:], "0.3.0"))],
)
def test_a_deleted_message_is_counted_there_and_its_words_are_gone(root: Path, home: Path, version: str) -> None:
    key = "cli:direct"
    talked_in_nanobot(version, root, home, {key: ["one", "two", "three"]})
    manager = SessionManager(root)
    session = manager.get_or_create(key)
    deletion = manager.delete_messages([ChosenMessages(session, (1,), (session.messages[1],))])
    read = talked_in_nanobot(version, root, home, {key: ["four"]})
    assert [each["content"] for each in read.messages(key)] == ["one", "", "three", "four"]
    sent = [each["content"] for each in read.sent(key)]
    assert sent == (["one", "", "three", "four"] if version.startswith("0.1") else ["one", "three", "four"])
    back = SessionManager(root)
    back.restore_messages(deletion.id)
    assert words_of(back, key) == ["one", "two", "three", "four"]


def test_what_0_3_5_moved_goes_on_where_it_lies(root: Path, home: Path) -> None:
    manager = said_here(root, "one", "two")
    opened = manager.get_or_create(KEY)
    read = talked_in_nanobot("0.3.5", root, home, {"cli:direct": ["theirs"]})
    assert KEY not in read.listed
    assert not list((root / "sessions").glob("*.jsonl"))
    found = nanobot_home(root)
    assert found is not None
    moved = found.folder / "desktop_20261121-0a1b2c.jsonl"
    assert {path.name for path in found.files()} >= {moved.name}
    opened.add_message("user", "three")
    assert manager.append(opened) == [2]
    assert manager.take_loss(KEY) is None
    assert manager.path_of(KEY) == moved
    fresh = SessionManager(root)
    assert words_of(fresh) == ["one", "two", "three"]
    assert words_of(fresh, "cli:direct") == ["theirs"]
    assert [sentence for sentence in fresh.health.complaints(KEY) if "nanobot moved this conversation" in sentence]
    assert not fresh.health.complaints("cli:direct")
    assert {each.key for each in audit(root).sessions} == {KEY, "cli:direct"}


def test_a_new_one_takes_the_name_that_0_3_5_reads(root: Path, home: Path) -> None:
    talked_in_nanobot("0.3.5", root, home, {"cli:direct": ["theirs"]})
    said_here(root, "one")
    assert [path.name for path in (root / "sessions").glob("*.jsonl")] == [ENCODED]
    read = talked_in_nanobot("0.3.5", root, home, {KEY: ["two"], "cli:direct": []})
    assert list(read.listed) == ["cli:direct", KEY]
    assert [each["content"] for each in read.messages(KEY)] == ["one", "two"]
    manager = said_here(root, "three")
    said_here(root, "and mine", key="cli:direct")
    read = talked_in_nanobot("0.3.5", root, home, {KEY: ["four"], "cli:direct": []})
    assert [each["content"] for each in read.messages(KEY)] == ["one", "two", "three", "four"]
    assert [each["content"] for each in read.messages("cli:direct")] == ["theirs", "and mine"]
    manager = SessionManager(root)
    assert words_of(manager) == ["one", "two", "three", "four"]
    assert not manager.health.complaints(KEY)


def test_0_3_0_reads_a_new_one_too_and_older_ones_do_not(root: Path, home: Path) -> None:
    (root / ".nanobot").mkdir()
    (root / ".nanobot" / "workspace-id").write_text("0" * 32 + "\n")
    said_here(root, "one")
    assert [each["content"] for each in talked_in_nanobot("0.3.0", root, home, {KEY: []}).messages(KEY)] == ["one"]
    for version in OLDER:
        assert talked_in_nanobot(version, root, home, {KEY: []}).messages(KEY) == []


@pytest.mark.parametrize("key", [KEY, "cli:direct"])
def test_new_trash_and_rename_work_where_it_lies(root: Path, home: Path, key: str) -> None:
    said_here(root, "one", "two")
    talked_in_nanobot("0.3.5", root, home, {"cli:direct": ["one", "two"]})
    manager = SessionManager(root)
    place = manager.path_of(key)
    manager.set_title(key, "Plans")
    session = manager.get_or_create(key)
    kept = manager.archive(session, manager._clock())
    assert kept is not None
    assert kept.parent == root / "sessions" / "archive"
    assert manager.path_of(key) == place
    assert (len(session.messages), session.title) == (0, "")
    session.add_message("user", "three")
    manager.append(session)
    read = talked_in_nanobot("0.3.5", root, home, {"cli:direct": []})
    assert [each["content"] for each in read.messages("cli:direct")] == (["three"] if key != KEY else ["one", "two"])
    trashed = manager.trash(key)
    assert trashed.kept is not None
    assert trashed.kept.is_relative_to(root / ".mnemoscope" / "trash")
    assert manager.path_of(key) is None
    manager.restore(trashed)
    assert words_of(manager, key) == ["three"]


def test_a_conversation_that_is_gone_is_no_sound_workspace(root: Path, home: Path) -> None:
    talked_in_nanobot("0.3.5", root, home, {"cli:direct": ["theirs"]})
    assert not audit(root).is_damaged
    found = nanobot_home(root)
    assert found is not None
    found.folder.rename(found.folder.with_name("f" * 32))
    (problem,) = audit(root).problems
    assert "outside of it" in problem


def test_what_0_3_5_puts_aside_is_told(root: Path, home: Path) -> None:
    talked_in_nanobot("0.3.5", root, home, {"cli:direct": ["theirs"]})
    name = base64.urlsafe_b64encode(b"cli:direct").decode().rstrip("=")
    (root / "sessions").mkdir(exist_ok=True)
    found = nanobot_home(root)
    assert found is not None
    other = (found.folder / f"{name}.jsonl").read_text().replace("theirs", "of another copy")
    (root / "sessions" / f"{name}.jsonl").write_text(other)
    talked_in_nanobot("0.3.5", root, home, {})
    assert [problem for problem in audit(root).problems if "put a file aside" in problem]


def test_nobody_writes_while_nanobot_holds_its_lock(root: Path, home: Path) -> None:
    talked_in_nanobot("0.3.5", root, home, {"cli:direct": ["theirs"]})
    found = nanobot_home(root)
    assert found is not None
    manager = SessionManager(root)
    session = manager.get_or_create("cli:direct")
    session.add_message("user", "mine")
    with found.locked(), pytest.raises(StorageError, match="nanobot is holding its conversations"):
        manager.append(session)
    assert len(session.messages.pending) == 1
    assert manager.append(session) == [1]
