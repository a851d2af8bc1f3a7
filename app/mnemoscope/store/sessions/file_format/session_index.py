"""Finds where the messages of a session file are, without decoding them.

The file is cut at line ends into blocks of about 64 KiB; of each block the index keeps its offset, the number of its
first message and of its first line: some 24 bytes for hundreds of messages. Newlines are counted with `bytes` methods
that run at memory speed; a block that is not plainly a run of messages is looked at line by line.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from operator import itemgetter
from typing import Any, Final

from mnemoscope.domain.conversation.message import is_deleted
from mnemoscope.store.files.json_record import RecordDamaged, bare, decode_object, is_utf8
from mnemoscope.store.sessions.file_format.record_line import DELETED_MARK, TYPE_MARK, plain_fault, session_record

Reader = Callable[[int, int], bytes]
"""`read(offset, size)`: bytes of the file, fewer at its end."""

_BLOCK_BYTES: Final = 1 << 16
_FRAGMENT_LIMIT: Final = 1 << 26
_PRINT_BYTES: Final = 512
_JOINT: Final = b'"}\n{"role": "'
_START: Final = b'{"role": "'
_BRACES: Final = (frozenset(b"{"), frozenset(b"}"))

_generations = count()
_first = itemgetter(0)
_last = itemgetter(-1)


@dataclass(frozen=True, slots=True)
class Damage:
    """Describes a line that cannot be read: its number in the file (from 1), where its bytes are, and why."""

    line: int
    offset: int
    length: int
    reason: str


@dataclass(frozen=True, slots=True)
class SessionIndex:
    """Indexes a file's first `end` bytes. Never changed: growing makes a new one of the same generation."""

    starts: array[int] = field(default_factory=lambda: array("Q"))
    firsts: array[int] = field(default_factory=lambda: array("Q"))
    lines: array[int] = field(default_factory=lambda: array("Q"))
    mixed: frozenset[int] = frozenset()
    """Blocks that hold more than messages."""
    count: int = 0
    line_count: int = 0
    end: int = 0
    open_end: bool = False
    """The last line is whole but its newline is missing."""
    damaged: dict[int, Damage] = field(default_factory=dict)
    """By message number; what only decoding shows is added when it is found."""
    deleted: array[int] = field(default_factory=lambda: array("Q"))
    """The numbers of the messages that are deleted, ascending."""
    record: dict[str, Any] | None = None
    """The metadata record that counts: the last one."""
    record_lines: tuple[int, ...] = ()
    """Lines of the first metadata records, at most three."""
    head: bytes = b""
    tail: bytes = b""
    generation: int = field(default_factory=lambda: next(_generations))

    def block_of(self, message: int) -> int:
        """Returns the block that holds message number `message`."""
        return bisect_right(self.firsts, message) - 1

    def span(self, block: int) -> tuple[int, int]:
        """Returns the offsets of a block's first byte and of the byte after its last."""
        stop = self.starts[block + 1] if block + 1 < len(self.starts) else self.end
        return self.starts[block], stop


def message_lines(data: bytes, *, mixed: bool) -> list[bytes]:
    """Returns the message lines of a block, in order, without their newlines."""
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [line for line in lines if _is_message(line)] if mixed else lines


def locate_line(data: bytes, index: SessionIndex, number: int, reason: str) -> Damage:
    """Returns where message `number` is in the file; `data` is its whole block."""
    block = index.block_of(number)
    left = number - index.firsts[block]
    offset = index.starts[block]
    for place, line in enumerate(data.split(b"\n")):
        if block not in index.mixed or _is_message(line):
            if not left:
                return Damage(index.lines[block] + place + 1, offset, len(line), reason)
            left -= 1
        offset += len(line) + 1
    msg = f"message {number} is not in block {block}"
    raise IndexError(msg)


def build_index(read: Reader, size: int) -> SessionIndex:
    """Returns the index of a file of `size` bytes."""
    return extend_index(SessionIndex(), read, size)


def extend_index(index: SessionIndex, read: Reader, size: int) -> SessionIndex:
    """Returns the index grown to the file's new size; a last line that is torn stays outside."""
    scan = _Scan(index)
    scan.take_all(read, size)
    return scan.result(read)


def _is_message(line: bytes) -> bool:
    return bool(bare(line)) and session_record(line) is None


class _Scan:
    """Collects an index from a file's blocks."""

    def __init__(self, index: SessionIndex) -> None:
        self._index = index
        self.starts = index.starts[:]
        self.firsts = index.firsts[:]
        self.lines = index.lines[:]
        self.mixed = set(index.mixed)
        self.deleted = index.deleted[:]
        self.count = index.count
        self.line_count = index.line_count
        self.end = index.end
        self.open_end = False
        self.record = index.record
        self.record_lines = list(index.record_lines)

    def take_all(self, read: Reader, size: int) -> None:
        """Takes every whole line up to `size`, and a last one that only lacks its newline."""
        for data, stop in _blocks(read, self.end, size):
            self._take(data, stop)
        if self.end < size and size - self.end <= _FRAGMENT_LIMIT:
            self._take_fragment(read(self.end, size - self.end))

    def result(self, read: Reader) -> SessionIndex:
        """Returns the index of what was taken."""
        return replace(
            self._index,
            starts=self.starts,
            firsts=self.firsts,
            lines=self.lines,
            mixed=frozenset(self.mixed),
            deleted=self.deleted,
            count=self.count,
            line_count=self.line_count,
            end=self.end,
            open_end=self.open_end,
            record=self.record,
            record_lines=tuple(self.record_lines[:3]),
            head=read(0, min(_PRINT_BYTES, self.end)),
            tail=read(max(0, self.end - _PRINT_BYTES), min(_PRINT_BYTES, self.end)),
        )

    def _take(self, data: bytes, stop: int) -> None:
        self._begin_block(stop)
        # `data` may hold the beginning of a line after `stop`; it has no newline, so the count is right.
        lines = len(data) - len(data.replace(b"\n", b""))
        if not _is_plain(data, stop, lines) and not _is_sound(data[:stop]):
            self._take_lines(data[:stop].split(b"\n")[:-1])
            return
        self._take_deleted(data, stop)
        self.count += lines
        self.line_count += lines
        self.end += stop

    def _take_deleted(self, data: bytes, stop: int) -> None:
        """Notes which messages of a block are deleted; only lines that bear the mark are decoded."""
        if _has_mark(data, DELETED_MARK):
            lines = enumerate(data[:stop].split(b"\n"), self.count)
            self.deleted.extend(number for number, line in lines if DELETED_MARK in line and _says_deleted(line))

    def _begin_block(self, length: int) -> None:
        # Small appends join the block before them, so that reading back does not touch hundreds of blocks.
        if self.starts and self.end + length - self.starts[-1] <= _BLOCK_BYTES:
            return
        self.starts.append(self.end)
        self.firsts.append(self.count)
        self.lines.append(self.line_count)

    def _take_lines(self, lines: list[bytes], *, newline: int = 1) -> None:
        for line in lines:
            self.line_count += 1
            self._take_line(line)
            self.end += len(line) + newline

    def _take_line(self, line: bytes) -> None:
        record = session_record(line)
        if record is not None or not bare(line):
            self.mixed.add(len(self.starts) - 1)
            if record is not None and record["_type"] == "metadata":
                self._take_record(record)
            return
        fault = plain_fault(line)
        if fault:
            self._index.damaged[self.count] = Damage(self.line_count, self.end, len(line), fault)
        elif DELETED_MARK in line and _says_deleted(line):
            self.deleted.append(self.count)
        self.count += 1

    def _take_record(self, record: dict[str, Any]) -> None:
        self.record = record
        if len(self.record_lines) < 3:
            self.record_lines.append(self.line_count)

    def _take_fragment(self, data: bytes) -> None:
        try:
            decode_object(data)
        except RecordDamaged:
            return
        self._begin_block(len(data))
        self._take_lines([data], newline=0)
        self.open_end = True


def _blocks(read: Reader, begin: int, size: int) -> Iterator[tuple[bytes, int]]:
    """Yields data from a line's beginning, and how much of it is whole lines."""
    wanted = _BLOCK_BYTES
    while begin < size:
        data = read(begin, min(wanted, size - begin))
        stop = data.rfind(b"\n") + 1
        if stop:
            yield data, stop
            begin, wanted = begin + stop, _BLOCK_BYTES
        elif not data or begin + len(data) >= size:
            return
        else:
            wanted *= 2


def _says_deleted(line: bytes) -> bool:
    try:
        return is_deleted(decode_object(line))
    except RecordDamaged:
        return False


def _is_plain(data: bytes, stop: int, lines: int) -> bool:
    """Returns whether every line is a message as nanobot and we write it, judged by counting the joints between
    lines."""
    return (
        data.startswith(_START)
        and data.endswith(b"}\n", 0, stop)
        and b"\0" not in data
        and not _has_mark(data, TYPE_MARK)
        and data.count(_JOINT, 0, stop) == lines - 1
        and (data.isascii() or is_utf8(data[:stop]))
    )


def _has_mark(data: bytes, mark: bytes) -> bool:
    """Returns whether the name of a field that begins with an underscore, `mark` in its quotes, stands in a block."""
    # One byte is found many times faster than seven; most conversations hold few underscores.
    place = data.find(b"_")
    for _ in range(64):
        if place < 0:
            return False
        if data[place - 1 : place - 1 + len(mark)] == mark:
            return True
        place = data.find(b"_", place + 1)
    return mark in data


def _is_sound(data: bytes) -> bool:
    """Returns whether every line looks like a JSON object and none is about the session."""
    if b"\0" in data or b"\r" in data or TYPE_MARK in data:
        return False
    lines = data.split(b"\n")[:-1]
    try:
        braced = set(map(_first, lines)) == _BRACES[0] and set(map(_last, lines)) == _BRACES[1]
    except IndexError:
        return False
    return braced and is_utf8(data)
