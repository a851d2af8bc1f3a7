"""A conversation's own records leave the workspace byte for byte, all of them or those that were chosen."""

import json
from pathlib import Path

import pytest

from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.store.sessions.exported_records import all_records, chosen_records
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.session_files import message, metadata

KEY = "cli:direct"
HOSTILE = (
    b'{"role": "user", "content": "\xd0\xb4\xd0\xb0 \xe2\x80\xae", "unknown": [1, {"a": null}]}',
    b'{"content":"no spaces","role":"assistant"}  ',
    b'{"role": "user", "content": broken',
    b'{"role": "assistant", "content": "\\ud800 \\u0000"}',
)


def session_with(root: Path, lines: list[bytes]) -> tuple[Session, Path]:
    path = root / "sessions" / "cli_direct.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    session = SessionManager(root, read_only=True).load(KEY)
    assert session is not None
    return session, path


def encoded(record: object) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode()


def test_all_records_are_the_file(tmp_path: Path) -> None:
    session, path = session_with(tmp_path, [encoded(metadata(last_consolidated=2)), *HOSTILE])
    assert b"".join(all_records(session)) == path.read_bytes()


def test_chosen_messages_are_their_lines_under_a_record_of_their_own(tmp_path: Path) -> None:
    lines = [encoded(message(number, "x" * 90)) for number in range(3_000)]
    begin = encoded(metadata(last_consolidated=1_501, metadata={"title": "Pots", "branch_of": [["a", 1]]}))
    session, _ = session_with(tmp_path, [begin, *lines])
    first, *rest = b"".join(chosen_records(session, range(1_400, 2_500))).splitlines()
    assert rest == lines[1_400:2_500]
    record = json.loads(first)
    assert (record["last_consolidated"], record["last_archived"]) == (101, 101)
    assert record["metadata"] == {"title": "Pots"}


@pytest.mark.parametrize(("chosen", "pointer"), [(range(2, 9), 0), (range(1), 1), (range(9, 12), 0)])
def test_what_is_chosen_may_reach_beyond_the_messages(tmp_path: Path, chosen: range, pointer: int) -> None:
    session, _ = session_with(tmp_path, [encoded(metadata(last_consolidated=1)), *HOSTILE])
    first, *rest = b"".join(chosen_records(session, chosen)).splitlines()
    assert json.loads(first)["last_consolidated"] == pointer
    assert rest == list(HOSTILE[chosen.start : chosen.stop])


def test_chosen_records_are_a_conversation_again(tmp_path: Path) -> None:
    session, _ = session_with(tmp_path, [encoded(metadata()), *(encoded(message(number)) for number in range(6))])
    data = b"".join(chosen_records(session, range(2, 5)))
    (tmp_path / "other").mkdir()
    again, _ = session_with(tmp_path / "other", data.splitlines())
    assert list(again.messages) == [message(number) for number in range(2, 5)]


def test_what_is_not_on_the_disk_is_said(tmp_path: Path) -> None:
    for records in (all_records(Session(KEY)), chosen_records(Session(KEY), range(1))):
        with pytest.raises(UnreadableFile, match="Nothing of this conversation is on the disk yet"):
            list(records)


def test_what_another_program_changes_meanwhile_is_said(tmp_path: Path) -> None:
    session, path = session_with(tmp_path, [encoded(metadata()), encoded(message(0))])
    path.write_bytes(encoded(metadata()) + b"\n")
    with pytest.raises(UnreadableFile, match="changed by another program"):
        list(chosen_records(session, range(1)))
    path.unlink()
    with pytest.raises(UnreadableFile, match="changed by another program"):
        list(all_records(session))
