"""One or several files read as one run of bytes, without keeping them open or in memory."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Final

_TAIL: Final = 4096
_OPEN_AT_MOST: Final = 16


@dataclass(frozen=True, slots=True)
class Segment:
    """One file as it was when looked at; `base` is its place in the run of bytes."""

    path: Path
    base: int
    size: int
    modified: int
    tail: bytes = b""
    """A hash of its last bytes: tells a file that grew from one that was rewritten."""

    @property
    def end(self) -> int:
        """Where the next file begins."""
        return self.base + self.size


class HistoryFiles:
    """The bytes of some files, one after the other, as of the last `look`. Files stay open until `rest`."""

    def __init__(self, segments: tuple[Segment, ...] = ()) -> None:
        self.segments = segments
        self._bases = [segment.base for segment in segments]
        self._open: dict[Path, FileIO] = {}

    @property
    def size(self) -> int:
        """Bytes in all."""
        return self.segments[-1].end if self.segments else 0

    def segment_at(self, offset: int) -> Segment:
        """The file that holds an offset."""
        return self.segments[bisect_right(self._bases, offset) - 1]

    def read(self, start: int, stop: int) -> bytes:
        """The bytes [start, stop); fewer where a file has shrunk or gone meanwhile."""
        data = b""
        while self.segments and start < stop:
            segment = self.segment_at(start)
            end = min(stop, segment.end)
            part = self._read(segment.path, start - segment.base, end - start)
            data = data + part if data else part
            if end <= start or len(part) < end - start:
                break
            start = end
        return data

    def rest(self) -> None:
        """Close what is open."""
        while self._open:
            self._open.popitem()[1].close()

    def _read(self, path: Path, offset: int, length: int) -> bytes:
        try:
            file = self._open.get(path)
            if file is None:
                if len(self._open) >= _OPEN_AT_MOST:
                    self.rest()
                file = self._open[path] = FileIO(path)
            file.seek(offset)
            return file.read(length) or b""
        except OSError:
            # The next look says what happened to the file.
            return b""


def look(paths: list[Path], known: tuple[Segment, ...] = ()) -> tuple[Segment, ...]:
    """The files as they are now; one that is not there is left out. Raises OSError where one is unreadable.

    A file that looks as in `known` is not read again.
    """
    before = {(segment.path, segment.size, segment.modified): segment.tail for segment in known}
    found: list[Segment] = []
    base = 0
    for path in paths:
        try:
            stat = path.stat()
            key = (path, stat.st_size, stat.st_mtime_ns)
            tail = before[key] if key in before else _tail(path, stat.st_size)
        except FileNotFoundError:
            continue
        found.append(Segment(path, base, stat.st_size, stat.st_mtime_ns, tail))
        base += stat.st_size
    return tuple(found)


def has_grown(old: Segment, new: Segment) -> bool:
    """Whether a file only gained bytes at its end since `old` was taken."""
    return old.path == new.path and new.size >= old.size and _tail(old.path, old.size) == old.tail


def _tail(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        file.seek(max(0, size - _TAIL))
        return hashlib.blake2b(file.read(min(size, _TAIL)), digest_size=16).digest()
