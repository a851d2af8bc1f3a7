"""A workspace that qanot 2.0.4 wrote, and what it finds in one of ours."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.sessions.file_format.qanot_messages import message_of_qanot
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.workspace import inspect_workspace
from tests.support.peers import used_by_qanot
from tests.support.session_files import write_session

TURNS = [("My name is Bobur", "Hello Bobur."), ("Remember that the kiln\nopens at nine", "I will — “nine”.")]


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    used_by_qanot(root, tmp_path, turns=TURNS)
    return root


def test_its_workspace_is_one_of_three_tiers(theirs: Path) -> None:
    report = inspect_workspace(theirs)
    assert (report.kind, report.profile) == ("peer", "three-tier")


def test_its_memory_is_read_where_it_lies(theirs: Path) -> None:
    text = MemoryStore(theirs).read_long_term()
    assert text == (theirs / "MEMORY.md").read_text()
    assert "- **proper_noun**: My name is Bobur" in text


def test_its_conversations_are_read_without_a_complaint(theirs: Path) -> None:
    manager = SessionManager(theirs)
    (found,) = manager.list_sessions()
    session = manager.get_or_create(found["key"])
    assert [(each["role"], each["content"]) for each in session.messages] == [
        (role, words) for turn in TURNS for role, words in zip(("user", "assistant"), turn, strict=True)
    ]
    assert session.messages[1]["tools_used"] == ["read_file"]
    assert manager.health.complaints(session.key) == []
    assert manager.health.damage(session.key) == []


def test_what_is_appended_to_its_conversation_leaves_its_lines_as_they_are(theirs: Path) -> None:
    manager = SessionManager(theirs)
    session = manager.get_or_create(manager.list_sessions()[0]["key"])
    (path,) = (theirs / "sessions").glob("*.jsonl")
    before = path.read_bytes()
    session.add_message("user", "and Tom?")
    manager.append(session)
    assert path.read_bytes().startswith(before)
    again = SessionManager(theirs).get_or_create(session.key)
    assert [each["content"] for each in again.messages][-2:] == ["I will — “nine”.", "and Tom?"]


def test_it_finds_what_is_written_to_its_memory_here(theirs: Path, tmp_path: Path) -> None:
    store = MemoryStore(theirs)
    store.write_long_term(store.read_long_term() + "- Tom drives the van\n")
    assert not (theirs / "memory" / "MEMORY.md").exists()
    (hit,) = used_by_qanot(theirs, tmp_path, queries=["drives the van"])["drives the van"]
    assert (hit["file"], hit["content"]) == ("MEMORY.md", "- Tom drives the van")


def record(content: object, role: object = "user", **more: object) -> dict[str, object]:
    return {"type": "message", "id": "msg_000001", "message": {"role": role, "content": content}, **more}


@pytest.mark.parametrize(
    "behind", ["\n\n---\n[MEMORY CONTEXT — relevant past information]\n- x", "\n\n---\n\n[COMPACTION RECOVERY]\ny"]
)
def test_what_it_put_behind_a_persons_words_is_not_the_persons(behind: str) -> None:
    message = message_of_qanot(record("I prefer tea" + behind))
    assert message is not None
    assert message["content"] == "I prefer tea"


def test_its_times_are_local_ones_here() -> None:
    when = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    message = message_of_qanot(record("x", timestamp=when.isoformat(), user_id="7"))
    assert message is not None
    assert message["timestamp"] == when.astimezone().replace(tzinfo=None).isoformat()
    assert message["user_id"] == "7"


@pytest.mark.parametrize("timestamp", [None, 5, "soon"])
def test_a_time_that_is_none_is_left_out(timestamp: object) -> None:
    message = message_of_qanot(record([{"type": "text", "text": "a"}, {"type": "tool_use"}], timestamp=timestamp))
    assert message == {"role": "user", "content": "a", "tools_used": ["?"], "timestamp": None}


def test_a_naive_time_is_kept() -> None:
    message = message_of_qanot(record("x", timestamp="2026-03-01T10:00:00"))
    assert message is not None
    assert message["timestamp"] == "2026-03-01T10:00:00"


@pytest.mark.parametrize("other", [{}, {"type": "usage"}, {"type": "message", "message": 1}, record("x", role=None)])
def test_any_other_record_is_no_message(other: dict[str, object]) -> None:
    assert message_of_qanot(json.loads(json.dumps(other))) is None


def test_in_a_workspace_of_qanots_a_conversation_begun_here_is_lost_to_it(tmp_path: Path) -> None:
    health = SessionManager(tmp_path).health
    assert not health.is_lost_to_qanot("desktop:a")
    folder = tmp_path / "sessions"
    (folder / "2026-11-19.jsonl").mkdir(parents=True)
    assert not health.is_lost_to_qanot("desktop:a")
    write_session(folder / "2026-11-20.jsonl", [record("I prefer tea")])
    assert health.is_lost_to_qanot("desktop:a")
    manager = SessionManager(tmp_path)
    session = manager.create(key="desktop:a")
    session.add_message("user", "Hello")
    manager.append(session)
    assert not manager.health.is_lost_to_qanot("desktop:a")
