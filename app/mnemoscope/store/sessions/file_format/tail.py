"""The newest messages of a session file, read from its end: the same cost at any length."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.domain.conversation.message import Message
from mnemoscope.store.files.atomic import storage_errors
from mnemoscope.store.files.json_record import RecordDamaged, decode_object
from mnemoscope.store.sessions.file_format.message_log import MessageLog
from mnemoscope.store.sessions.file_format.record_line import decode_message, placeholder
from mnemoscope.store.sessions.file_format.session_file import opened, read_at
from mnemoscope.store.sessions.file_format.session_index import message_lines

_FIRST_READ: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Tail:
    """Holds the newest messages, oldest first. `total` is None where it is not known yet; `complete`: these are all."""

    messages: tuple[Message, ...]
    total: int | None
    complete: bool


EMPTY_TAIL: Final = Tail((), 0, True)


def tail_of_log(log: MessageLog, count: int) -> Tail:
    """Returns the tail of a session that is open."""
    total = len(log)
    return Tail(tuple(log[max(0, total - count) :]), total, total <= count)


def tail_of_file(path: Path, count: int) -> Tail:
    """Returns the tail of a file, without its index; NOTHING where there is none (any more). Raises UnreadableFile."""
    try:
        with opened(path) as (descriptor, status), storage_errors(path, "read"):
            return _read_tail(descriptor, status.st_size, count)
    except FileNotFoundError:
        return EMPTY_TAIL


def _read_tail(descriptor: int, size: int, count: int) -> Tail:
    wanted = _FIRST_READ
    while True:
        start = max(0, size - wanted)
        lines = _whole_lines(read_at(descriptor, start, size - start), from_start=start == 0)
        if start == 0 or len(lines) >= count:
            return _tail(lines, count, from_start=start == 0)
        wanted *= 2


def _tail(lines: list[bytes], count: int, *, from_start: bool) -> Tail:
    newest = lines[max(0, len(lines) - count) :]
    complete = from_start and len(lines) <= count
    return Tail(tuple(map(_message, newest)), len(lines) if from_start else None, complete)


def _whole_lines(data: bytes, *, from_start: bool) -> list[bytes]:
    if not from_start:
        data = data.partition(b"\n")[2]
    whole, newline, fragment = data.rpartition(b"\n")
    if fragment and _is_whole(fragment):
        whole, newline = data, b""
    return message_lines(whole + newline, mixed=True)


def _is_whole(fragment: bytes) -> bool:
    try:
        decode_object(fragment)
    except RecordDamaged:
        return False
    return True


def _message(line: bytes) -> Message:
    try:
        return decode_message(line)
    except RecordDamaged as damage:
        return placeholder(str(damage))
