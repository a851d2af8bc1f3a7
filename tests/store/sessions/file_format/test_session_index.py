"""The fast index agrees with reading every line, whatever the lines and the blocks are."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemoscope.domain.conversation.deletion import record_of_deleted
from mnemoscope.store.files.json_record import RecordDamaged
from mnemoscope.store.sessions.file_format import session_index
from mnemoscope.store.sessions.file_format.message_log import MessageLog
from mnemoscope.store.sessions.file_format.record_line import decode_message, placeholder, session_record
from mnemoscope.store.sessions.file_format.session_file import Change, SessionFile
from mnemoscope.store.sessions.file_format.session_index import build_index, extend_index
from tests.support.session_files import line, message, metadata

KINDS = [
    line(message(0)),
    line(message(1, "weiß 飞书")),
    line({**message(1), "interrupted": True}),
    line({"role": "tool", "tool_call_id": "c_1", "name": "read_file", "content": "_" * 90}),
    line(metadata(last_consolidated=1)),
    line({"_type": "provider_state"}),
    line({**message(0), "_type": "other"}),
    line(message(0, "x" * 70_000)),
    line(message(0, '"_type"')),
    line(message(2)).replace(b"\n", b"\r\n"),
    b"\n",
    b"  \n",
    b"\r\n",
    b"\0\0\0\n",
    b'{"role": "user", "content": "\xff"}\n',
    b'{"role": "user", \n',
    b"[]\n",
    b'{"role": "\n',
]
FILES = st.lists(st.sampled_from(KINDS), max_size=60)


def expected(data: bytes) -> list[object]:
    """Returns every message by reading line by line."""
    found: list[object] = []
    for each in data.split(b"\n")[:-1]:
        if not each.strip(b" \t\r") or session_record(each) is not None:
            continue
        try:
            found.append(decode_message(each))
        except RecordDamaged as damage:
            found.append(str(damage))
    return found


def found(log: MessageLog) -> list[object]:
    return [
        each if each["role"] != "damaged" else each["content"].removeprefix("This record ").removesuffix(".")
        for each in log
    ]


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=FILES, grown=FILES, fragment=st.sampled_from([b"", b'{"role": "us', b"\xc3"]))
def test_index_and_growth_agree_with_reading_every_line(
    tmp_path: Path, lines: list[bytes], grown: list[bytes], fragment: bytes
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(lines))
    file = SessionFile(path)
    log = MessageLog()
    log.attach(file)
    assert _same(found(log), expected(path.read_bytes()))
    with path.open("ab") as stream:
        stream.write(b"".join(grown) + fragment)
    file.refresh()
    assert len(file.read_torn()) == len(fragment)
    assert _same(found(log), expected(path.read_bytes()[: -len(fragment) or None]))
    for number, damage in log.damage.items():
        assert log[number] == placeholder(damage.reason)
        data = path.read_bytes()
        assert data.count(b"\n", 0, damage.offset) == damage.line - 1
        assert data[damage.offset + damage.length : damage.offset + damage.length + 1] == b"\n"


def _same(some: list[object], other: list[object]) -> bool:
    # The plain look names some faults otherwise than decoding does.
    return [each if isinstance(each, dict) else "" for each in some] == [
        each if isinstance(each, dict) else "" for each in other
    ]


def test_a_line_longer_than_a_block_is_one_block() -> None:
    data = b"".join([line(message(0)), line(message(1, "x" * 1_000_000)), line(message(2))])
    index = build_index(lambda offset, size: data[offset : offset + size], len(data))
    assert index.count == 3
    assert index.end == len(data)


def test_small_appends_share_a_block() -> None:
    data = b"".join(line(message(number)) for number in range(100))
    index = session_index.SessionIndex()
    for end in (place + 1 for place, byte in enumerate(data) if byte == 0x0A):
        index = extend_index(index, lambda offset, size: data[offset : offset + size], end)
    assert len(index.starts) == 1
    assert index.count == 100


def test_the_index_of_a_long_conversation_is_small() -> None:
    one = line(message(0, "x" * 150))
    data = one * 20_000
    index = build_index(lambda offset, size: data[offset : offset + size], len(data))
    size = sum(len(each) * each.itemsize for each in (index.starts, index.firsts, index.lines))
    assert index.count == 20_000
    assert size / index.count < 1
    assert not index.mixed, "plain messages are counted without looking at each line"


@pytest.mark.parametrize("words", ["plain", "weiß", "with_under_scores " * 9])
def test_plain_messages_are_never_looked_at_one_by_one(words: str) -> None:
    data = b"".join(line(message(number, words)) for number in range(2000))
    assert session_index._is_plain(data, len(data), 2000)


def test_a_file_is_unchanged_until_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(line(message(0)))
    file = SessionFile(path)
    assert file.refresh() is Change.NONE
    with path.open("ab") as stream:
        stream.write(line(message(1)))
    assert file.refresh() is Change.GREW
    path.write_bytes(line(message(5)))
    assert file.refresh() is Change.REWRITTEN
    path.unlink()
    assert file.refresh() is Change.GONE


_DELETED = record_of_deleted(message(0), "d1", 0)
_BLOCKS_OF_DELETED = st.lists(
    st.sampled_from(
        [
            line(message(0)),
            line(_DELETED),
            line({**message(0), "_deleted": False}),
            line(message(0, 'the word "_deleted" in what was said')),
            line(metadata(last_consolidated=1)),
            line(message(0, "x" * 70_000)),
            b'{"role": "user", "_deleted": \n',
            b'{"role": "user", "_deleted": }\n',
        ]
    ),
    max_size=30,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(lines=_BLOCKS_OF_DELETED, split=st.integers(0, 30))
def test_the_index_knows_which_messages_are_deleted(lines: list[bytes], split: int) -> None:
    def read(offset: int, size: int) -> bytes:
        return data[offset : offset + size]

    data = b"".join(lines[:split])
    index = build_index(read, len(data))
    data = b"".join(lines)
    index = extend_index(index, read, len(data))
    messages = [each for each in lines if session_record(each.rstrip(b"\n")) is None]
    assert list(index.deleted) == [number for number, each in enumerate(messages) if each == line(_DELETED)]
