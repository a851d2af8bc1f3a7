"""What we write nanobot reads, with the right pointer; what it writes we read."""

import json
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support import peers
from tests.support.peer_loaders import load_0_1_4, load_0_3_0, save_0_1_4
from tests.support.session_files import START, SteppingClock, line, message, metadata, write_session

KEY = "cli:direct"
CALL = {"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "a"}'}}
TURN = [
    message(0, "héllo \u2028 “quotes” \\ \t 飞书 🐈"),
    {"role": "assistant", "content": None, "tool_calls": [CALL], "timestamp": START.isoformat()},
    {"role": "tool", "tool_call_id": "c1", "name": "read_file", "content": "a\nb", "timestamp": START.isoformat()},
    {"role": "assistant", "content": "done", "reasoning_content": "why", "timestamp": START.isoformat()},
]


def test_a_turn_is_written_byte_for_byte_as_the_peer_does(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path, clock=SteppingClock())
    session = manager.get_or_create(KEY)
    session.messages.extend(TURN)
    assert manager.append(session) == [0, 1, 2, 3]
    first, rest = (tmp_path / "sessions" / "cli_direct.jsonl").read_bytes().split(b"\n", 1)
    assert rest == b"".join(map(line, TURN))
    record = json.loads(first)
    assert line(record) == first + b"\n"
    assert list(record) == [
        "_type",
        "key",
        "created_at",
        "updated_at",
        "metadata",
        "last_archived",
        "last_consolidated",
    ]


@pytest.mark.parametrize("moves", [[], [0], [2], [1, 2, 4]])
def test_peers_read_messages_and_pointer(tmp_path: Path, moves: list[int]) -> None:
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    session.messages.extend(TURN)
    manager.append(session)
    for pointer in moves:
        session.last_consolidated = pointer
        manager.save(session)
        session.add_message("user", f"after {pointer}")
        manager.append(session)
    manager.set_title(KEY, "Plans")
    path = manager.path_of(KEY)
    assert path is not None
    for peer in (load_0_1_4(path), load_0_3_0(path, KEY)):
        assert peer.messages == list(session.messages)
        assert peer.last_consolidated == session.last_consolidated
        assert peer.metadata["title"] == "Plans"
        assert peer.created_at == session.created_at.isoformat()


def test_a_moved_pointer_only_appends(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    session.messages.extend(TURN)
    manager.append(session)
    path = manager.path_of(KEY)
    assert path is not None
    before = path.read_bytes()
    session.last_consolidated = 3
    manager.save(session)
    after = path.read_bytes()
    assert after.startswith(before)
    assert after.count(b"\n") == before.count(b"\n") + 1
    manager.save(session)
    manager.save(session)
    assert path.read_bytes() == after, "what the file says already is not said again"


def test_a_peers_file_is_read_with_all_its_fields(tmp_path: Path) -> None:
    stated = metadata(metadata={"title": "Plans", "x": [1]}, last_consolidated=2)
    write_session(tmp_path / "sessions" / "cli_direct.jsonl", [stated, *TURN])
    session = SessionManager(tmp_path).get_or_create(KEY)
    assert session.messages == TURN
    assert session.last_consolidated == 2
    assert session.title == "Plans"
    assert session.metadata["x"] == [1]
    assert session.created_at == START


def test_ascii_escapes_of_the_first_generation_are_read(tmp_path: Path) -> None:
    text = (json.dumps(TURN[0]) + "\n").encode()
    write_session(tmp_path / "sessions" / "cli_direct.jsonl", [metadata(), text])
    assert SessionManager(tmp_path).get_or_create(KEY).messages == TURN[:1]


def test_the_last_metadata_record_counts_wherever_it_is(tmp_path: Path) -> None:
    records = [message(0), metadata(last_consolidated=1), message(1), metadata(last_consolidated=2), message(2)]
    path = write_session(tmp_path / "sessions" / "cli_direct.jsonl", records)
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    assert session.last_consolidated == 2 == load_0_1_4(path).last_consolidated
    assert list(session.messages) == load_0_1_4(path).messages
    assert any("not in the first line" in sentence for sentence in manager.health.complaints(KEY))


def test_last_archived_of_later_peers_counts_before_last_consolidated(tmp_path: Path) -> None:
    stated = metadata(last_archived=2, last_consolidated=1)
    write_session(tmp_path / "sessions" / "cli_direct.jsonl", [stated, *TURN])
    assert SessionManager(tmp_path).get_or_create(KEY).last_consolidated == 2


def test_records_of_unknown_types_are_kept_and_are_no_messages(tmp_path: Path) -> None:
    provider = {"_type": "provider_state", "state": {"a": 1}}
    path = write_session(tmp_path / "sessions" / "cli_direct.jsonl", [metadata(extra="kept"), provider, *TURN])
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    assert session.messages == TURN
    session.last_consolidated = 1
    manager.save(session)
    assert line(provider) in path.read_bytes()
    assert load_0_3_0(path, KEY).last_consolidated == 1
    assert json.loads(path.read_bytes().splitlines()[-1])["extra"] == "kept"


def test_text_about_type_is_a_message(tmp_path: Path) -> None:
    talk = message(0, '{"_type": "metadata", "last_consolidated": 9} "_type"')
    nested = {**message(1), "extra": {"_type": "metadata"}}
    write_session(tmp_path / "sessions" / "cli_direct.jsonl", [metadata(), talk, nested])
    session = SessionManager(tmp_path).get_or_create(KEY)
    assert session.messages == [talk, nested]
    assert session.last_consolidated == 0


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        (-1, "negative"),
        (10**30, "beyond"),
        (5, "beyond"),
        ("3", "not a number"),
        (True, "not a number"),
        (1.0, "not a number"),
        (None, "not a number"),
        ([1], "not a number"),
    ],
)
def test_a_pointer_that_cannot_be_followed_counts_as_zero_and_is_reported(
    tmp_path: Path, stated: object, words: str
) -> None:
    write_session(tmp_path / "sessions" / "cli_direct.jsonl", [metadata(last_consolidated=stated), *TURN])
    manager = SessionManager(tmp_path)
    assert manager.get_or_create(KEY).last_consolidated == 0
    assert [sentence for sentence in manager.health.complaints(KEY) if words in sentence]


def test_missing_metadata_is_reported_and_added_with_the_next_turn(tmp_path: Path) -> None:
    path = write_session(tmp_path / "sessions" / "cli_direct.jsonl", TURN)
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    assert session.messages == TURN
    assert any("missing" in sentence for sentence in manager.health.complaints(KEY))
    session.add_message("user", "more")
    manager.append(session)
    assert load_0_1_4(path).messages == list(session.messages)
    assert manager.health.complaints(KEY) == ["Its metadata is not in the first line; the last metadata record counts."]


@pytest.mark.parametrize(
    "broken",
    [
        {"created_at": "yesterday", "updated_at": 3, "metadata": []},
        {"created_at": "0001-01-01T00:00:00+14:00", "updated_at": None, "metadata": None},
        {"created_at": "2026-03-06T14:20:00+00:00"},
    ],
)
def test_metadata_of_wrong_types_costs_only_itself(tmp_path: Path, broken: dict[str, Any]) -> None:
    write_session(tmp_path / "sessions" / "cli_direct.jsonl", [metadata(**broken), *TURN])
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    assert session.messages == TURN
    assert session.created_at.tzinfo is None
    assert len(manager.overviews()) == 1


def test_a_peer_that_rewrites_the_file_in_place_is_followed(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    session.messages.extend(TURN)
    manager.append(session)
    session.last_consolidated = 2
    manager.save(session)
    path = manager.path_of(KEY)
    assert path is not None
    peer = load_0_1_4(path)
    peer.messages.append(message(9, "from the peer"))
    peer.last_consolidated = 3
    save_0_1_4(path, KEY, peer, "2026-03-07T00:00:00.000001")
    assert manager.refresh(session)
    assert list(session.messages) == peer.messages
    assert session.last_consolidated == 3
    assert manager.take_loss(KEY) is None
    session.add_message("user", "mine")
    assert manager.append(session) == [5]
    assert load_0_1_4(path).messages == list(session.messages)


@pytest.mark.slow
@pytest.mark.parametrize("version", ["0.1.4.post4", "0.3.0"])
def test_the_loaders_of_these_tests_read_what_the_published_peers_read(tmp_path: Path, version: str) -> None:
    manager = SessionManager(tmp_path / "workspace")
    session = manager.get_or_create(KEY)
    session.messages.extend(TURN)
    manager.append(session)
    for pointer in (2, 4):
        session.last_consolidated = pointer
        manager.save(session)
    path = manager.path_of(KEY)
    assert path is not None
    ours = load_0_1_4(path) if version == "0.1.4.post4" else load_0_3_0(path, KEY)
    (read,) = peers.read_by_nanobot(version, [tmp_path / "workspace"], tmp_path / "scratch", KEY)
    assert read.messages(KEY) == ours.messages == list(session.messages)
    assert read.pointer(KEY) == ours.last_consolidated == 4
    assert read.sessions[KEY]["created_at"] == ours.created_at
