"""Reads files of JSON lines that another agent writes: in one pass, from the end, and on as they grow.

Of each line its offset and length are kept, 12 bytes, and it is decoded again when somebody looks at it. A line that is
no record costs itself and is told in a sentence. A last line without its end is no damage: the agent may be writing it
at this moment, so it is left for the next time.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import UnionType
from typing import Any, Final, Generic, Protocol, TypeVar, get_args, get_origin

import msgspec

from mnemoscope.store.files.atomic import open_to_read, storage_errors
from mnemoscope.store.files.json_record import RecordDamaged, bare, decode_object, is_utf8

_BLOCK: Final = 1 << 18
_LONGEST_LINE: Final = 64 << 20
"""In bytes. A longer line is damage and is never held in memory."""
_CHECKED_END: Final = 256

Entry = TypeVar("Entry")
StructType = TypeVar("StructType", bound=msgspec.Struct)


class RecordStream(Protocol):
    """Hands out records as bytes, wherever they stand."""

    def line(self, place: int) -> bytes:
        """Returns the bytes of one record. Raises IndexError and RecordDamaged."""


class ReportsDamage(Protocol):
    """Tells what could not be read of it: in sentences, and how many bytes of a last line that is not whole."""

    damage: list[str]
    unfinished: int


def damage_sentences(lines: ReportsDamage) -> list[str]:
    """Returns a sentence for each thing that could not be read."""
    last = f"The last line is not whole: {lines.unfinished:,} bytes. It may still be written."
    return [*lines.damage, last] if lines.unfinished else lines.damage.copy()


def line_or_nothing(lines: RecordStream, place: int) -> bytes:
    """Returns the bytes of one record, b"" where it is damaged or not there any more. Raises IndexError."""
    try:
        return lines.line(place)
    except RecordDamaged:
        return b""


class JsonLines(Generic[Entry]):
    """Holds the lines of one file, as far as `read` has read it. The place of a line counts from 0; blank lines have
    none.

    `decode` makes of a line what its reader needs of it, and raises RecordDamaged for what is no record.
    """

    def __init__(self, path: Path, decode: Callable[[bytes], Entry], *, longest: int = _LONGEST_LINE) -> None:
        self.path = path
        self.offsets = array("Q")
        self.lengths = array("I")
        self.damage: list[str] = []
        self.unfinished = 0
        """The length in bytes of a last line that is not whole; 0 if there is none."""
        self.number = 0
        """The number of the line that was read last, counted from 1, with the blank ones."""
        self._decode = decode
        self._longest = longest
        self._end = 0
        self._inode = 0
        self._last_bytes = b""

    def __len__(self) -> int:
        return len(self.offsets)

    def read(self) -> Iterator[tuple[int, Entry | None]]:
        """Yields the place and entry of each line that was appended since the last call; None for a damaged line.

        It is to be read to its end. Raises UnreadableFile where the file is gone or cannot be read.
        """
        with storage_errors(self.path, "read"), open_to_read(self.path) as file:
            status = os.fstat(file.fileno())
            self._inode = status.st_ino
            self.unfinished = 0
            file.seek(self._end)
            while self._end < status.st_size and (line := file.readline(self._longest + 1)):
                length = len(line)
                while not line.endswith(b"\n") and length > self._longest and (more := file.readline(self._longest)):
                    length += len(more)
                    line = more if more.endswith(b"\n") else line[:1]
                if not line.endswith(b"\n") and not self._is_record(line, length):
                    self.unfinished = length
                    break
                yield from self._take(line, length)
            self._last_bytes = self._bytes_before_end(file.fileno())

    def continues(self) -> bool:
        """Tells whether the file still begins with all that was read of it: it may only have grown."""
        try:
            with open_to_read(self.path) as file:
                status = os.fstat(file.fileno())
                is_same = status.st_ino == self._inode and status.st_size >= self._end
                return is_same and self._bytes_before_end(file.fileno()) == self._last_bytes
        except OSError:
            return False

    def repeat(self) -> int:
        """Gives the line that was read last one more place, for a line that holds several messages; returns it."""
        self.offsets.append(self.offsets[-1])
        self.lengths.append(self.lengths[-1])
        return len(self.offsets) - 1

    def first_place(self, place: int) -> int:
        """Returns the first of the places that the line at `place` has."""
        while place and self.offsets[place - 1] == self.offsets[place]:
            place -= 1
        return place

    def line(self, place: int) -> bytes:
        """Returns the bytes of one line. Raises IndexError beyond the last, and RecordDamaged where it is not there any
        more."""
        if not 0 <= place < len(self.offsets):
            raise IndexError(f"there is no record {place}")
        offset, length = self.offsets[place], self.lengths[place]
        begin = max(0, offset - 1)
        try:
            with open_to_read(self.path) as file:
                file.seek(begin)
                data = file.read(offset - begin + length + 1)
        except OSError as error:
            raise RecordDamaged("cannot be read any more") from error
        before, line, after = data[: offset - begin], data[offset - begin :][:length], data[offset - begin + length :]
        if len(line) < length or (before + after).strip(b"\r\n"):
            raise RecordDamaged("is not where it was any more")
        return line

    def record(self, place: int) -> dict[str, Any]:
        """Returns the object of one line. Raises as `line`, and RecordDamaged where it holds none."""
        return decode_object(self.line(place))

    def _is_record(self, line: bytes, length: int) -> bool:
        if length > self._longest:
            return False
        try:
            decode_object(line)
        except RecordDamaged:
            return False
        return True

    def _take(self, line: bytes, length: int) -> Iterator[tuple[int, Entry | None]]:
        offset = self._end
        self._end += length
        self.number += 1
        whole = length <= self._longest + 1
        text = line.rstrip(b"\r\n")
        if whole and not bare(text):
            return
        self.offsets.append(offset)
        self.lengths.append(len(text) if whole else 0)
        entry: Entry | None = None
        try:
            if not whole:
                raise RecordDamaged(f"is longer than {self._longest} bytes")
            entry = self._decoded(text)
        except RecordDamaged as damage:
            self.damage.append(f"Line {self.number} {damage}.")
        yield len(self.offsets) - 1, entry

    def _decoded(self, text: bytes) -> Entry:
        # A struct skips the strings that it does not name without asking whether they are text.
        if not text.isascii() and not is_utf8(text):
            raise RecordDamaged("is not valid UTF-8")
        return self._decode(bare(text))

    def _bytes_before_end(self, descriptor: int) -> bytes:
        begin = max(0, self._end - _CHECKED_END)
        os.lseek(descriptor, begin, os.SEEK_SET)
        return os.read(descriptor, self._end - begin)


def growing_tails(path: Path, count: int, most: int) -> Iterator[list[bytes]]:
    """Yields the whole lines within the last `count` bytes of a file, then those within four times as many, and so on,
    until these are all it has or `most` is reached. Raises UnreadableFile."""
    is_all = False
    while not is_all:
        lines, is_all = newest_lines(path, count)
        yield lines
        is_all = is_all or count >= most
        count *= 4


def newest_lines(path: Path, most: int) -> tuple[list[bytes], bool]:
    """Returns the whole lines within the last `most` bytes of a file, oldest first, and whether these are all it has.

    A last line without its end counts where it is a record. Raises UnreadableFile.
    """
    with storage_errors(path, "read"), open_to_read(path) as file:
        size = os.fstat(file.fileno()).st_size
        begin = max(0, size - most)
        file.seek(begin)
        data = file.read(size - begin)
    if begin:
        data = data.partition(b"\n")[2]
    *lines, last = data.split(b"\n")
    try:
        decode_object(last)
        lines.append(last)
    except RecordDamaged:
        pass
    return [line for line in map(bare, lines) if line], begin == 0


def holds_any(path: Path, words: Sequence[bytes]) -> bool:
    """Tells whether the bytes of a file hold any of some words; it is read no further than the first. Raises
    UnreadableFile."""
    overlap = max(map(len, words)) - 1
    data = b""
    with storage_errors(path, "read"), open_to_read(path) as file:
        while block := file.read(_BLOCK):
            data = data[-overlap:] + block
            if any(word in data for word in words):
                return True
    return False


def lenient_decoder(kind: type[StructType]) -> Callable[[bytes], StructType]:
    """Returns what decodes a line to a struct all of whose fields have a default.

    A field whose value has the wrong type keeps its default, and nothing else of the record is lost by it. What the
    struct does not name is skipped without being built. Raises RecordDamaged for what is no JSON object.
    """
    decoder = msgspec.json.Decoder(kind)

    def decode(line: bytes) -> StructType:
        try:
            return decoder.decode(line)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            value: StructType = _lenient(kind, decode_object(line))
            return value

    return decode


def _lenient(kind: Any, value: Any) -> Any:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        if not isinstance(value, dict):
            raise msgspec.ValidationError("no object")
        return kind(**dict(_fields(kind, value)))
    if isinstance(kind, UnionType):
        return _first_that_fits(get_args(kind), value)
    if get_origin(kind) is list and isinstance(value, list):
        return list(_items(get_args(kind)[0], value))
    return msgspec.convert(value, kind)


def _fields(kind: type[msgspec.Struct], value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for field in msgspec.structs.fields(kind):
        if field.encode_name in value:
            try:
                yield field.name, _lenient(field.type, value[field.encode_name])
            except msgspec.ValidationError:
                continue


def _items(kind: Any, values: list[Any]) -> Iterator[Any]:
    for value in values:
        try:
            yield _lenient(kind, value)
        except msgspec.ValidationError:
            continue


def _first_that_fits(kinds: tuple[Any, ...], value: Any) -> Any:
    for kind in kinds[:-1]:
        try:
            return _lenient(kind, value)
        except msgspec.ValidationError:
            continue
    return _lenient(kinds[-1], value)
