"""One history log as an index of where its entries are: 12 bytes an entry, text decoded when it is looked at."""

from __future__ import annotations

import hashlib
import time
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Final

from mnemoscope.domain.memory.history_entries import HistoryEntry, is_raw
from mnemoscope.store.logs.history_log import LogFormat
from mnemoscope.store.search.history_query import HistoryKind

_BLOCK: Final = 1 << 20
"""Bytes read at once while looking for entries."""
_PREVIEW: Final = 1 << 19
"""Bytes from the end of a log that are looked at first where the whole takes longer than a moment."""
_PREVIEW_FROM: Final = 4 * _PREVIEW
_LINE_LIMIT: Final = 64 * _BLOCK
_TAIL: Final = 4_096
_OPEN_AT_MOST: Final = 16


@dataclass(frozen=True, slots=True)
class Segment:
    """Describes one file as it was when looked at; `base` is its place in the run of bytes."""

    path: Path
    base: int
    size: int
    modified: int
    tail: bytes = b""
    """A hash of its last bytes: tells a file that grew from one that was rewritten."""

    @property
    def end(self) -> int:
        """Returns where the next file begins."""
        return self.base + self.size


class LogFiles:
    """Reads the bytes of some files, one after the other, as of the last `look_at`. Files stay open until `rest`."""

    def __init__(self, segments: tuple[Segment, ...] = ()) -> None:
        self.segments = segments
        self._bases = [segment.base for segment in segments]
        self._open: dict[Path, FileIO] = {}

    @property
    def size(self) -> int:
        """Returns how many bytes there are in all."""
        return self.segments[-1].end if self.segments else 0

    def segment_at(self, offset: int) -> Segment:
        """Returns the file that holds an offset."""
        return self.segments[bisect_right(self._bases, offset) - 1]

    def read(self, start: int, stop: int) -> bytes:
        """Returns the bytes [start, stop); fewer where a file has shrunk or gone meanwhile."""
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
        """Closes what is open."""
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


class EntryTable:
    """Lists where entries start and on which day they were written, oldest first."""

    def __init__(self, files: LogFiles | None = None) -> None:
        self.files = files or LogFiles()
        self.starts = array("Q")
        self.days = array("I")
        self.skipped = array("Q")
        self.first_dated = -1
        """Number of the first entry with a date, or -1."""

    def __len__(self) -> int:
        return len(self.starts)

    def add(self, start: int, day: int) -> None:
        """Adds an entry at the end."""
        if day and self.first_dated < 0:
            self.first_dated = len(self.starts)
        self.starts.append(start)
        self.days.append(day)

    def cut(self, count: int) -> None:
        """Keeps the first `count` entries."""
        if count < len(self.starts):
            edge = self.starts[count]
            del self.starts[count:], self.days[count:]
            del self.skipped[bisect_left(self.skipped, edge) :]
            if self.first_dated >= count:
                self.first_dated = -1

    def span(self, number: int) -> tuple[int, int]:
        """Returns the bytes of one entry."""
        start = self.starts[number]
        end = self.files.segment_at(start).end
        return start, min(self.starts[number + 1], end) if number + 1 < len(self.starts) else end


class EntryLog:
    """Keeps the entries of one kind of log, kept true to its files by `refresh`. Not safe for several threads."""

    def __init__(
        self,
        kind: HistoryKind,
        form: Callable[[], LogFormat],
        paths: Callable[[], list[Path]],
        root: Path,
        *,
        beside: Callable[[], object] = lambda: None,
    ) -> None:
        """`beside`: what decides, beside the files themselves, where their entries begin; where it changes, all is read
        anew."""
        self.kind = kind
        self.table = EntryTable()
        self.generation = 0
        """Changes when entries known before are gone or different; appending keeps it."""
        self.problem = ""
        self._form = form
        self._paths = paths
        self._root = root
        self._beside = beside
        self._known_beside = beside()
        self._reader = form()
        self._loading: _Load | None = None

    def __len__(self) -> int:
        return len(self.table)

    @property
    def loading(self) -> bool:
        """Returns whether only the newest entries are known so far."""
        return self._loading is not None

    @property
    def skipped(self) -> int:
        """Returns how many lines could not be read as entries."""
        return len(self.table.skipped)

    def refresh(self, seconds: float | None = None) -> bool:
        """Takes in what changed on disk, for at most `seconds`; True where entries came, went or changed.

        Appended entries are read on; anything else is read anew, in slices that further calls continue.
        """
        if self._loading is not None:
            return self._continue(seconds)
        known = self.table.files.segments
        try:
            now = look_at(self._paths(), known)
            grown = bool(known) and _common(known, now) is not None
            self.problem = ""
        except OSError as error:
            self.problem = f"{self._name(error)} could not be read: {error.strerror or error}."
            return False
        beside = self._beside()
        is_cut_alike = beside == self._known_beside
        if now == known and is_cut_alike:
            return False
        if grown and is_cut_alike:
            return self._read_on(known, now)
        self._known_beside, self._reader = beside, self._form()
        self._loading = _Load(self._form(), EntryTable(LogFiles(now)))
        if self._loading.table.files.size > _PREVIEW_FROM:
            self._show_preview(now)
            self._continue(seconds)
            return True
        return self._continue(seconds)

    def rest(self) -> None:
        """Closes what is open; reading opens it again."""
        self.table.files.rest()
        if self._loading is not None:
            self._loading.table.files.rest()

    def entry(self, number: int) -> HistoryEntry:
        """Returns one entry, read from the disk."""
        start, stop = self.table.span(number)
        segment = self.table.files.segment_at(start)
        read = self._reader.decode(self.table.files.read(start, stop), segment.path.name)
        source = segment.path.relative_to(self._root).as_posix()
        return HistoryEntry(number, read.when, read.text, source, raw=is_raw(read.text), cursor=read.cursor)

    def text(self, number: int) -> str:
        """Returns the words of one entry."""
        start, stop = self.table.span(number)
        name = self.table.files.segment_at(start).path.name
        return self._reader.decode(self.table.files.read(start, stop), name).text

    def texts(self, low: int, high: int) -> list[str]:
        """Returns the words of entries [low, high), read from the disk in one go."""
        data, base = self.block(low, high), self.table.starts[low] if low < high else 0
        return [self.text_in(number, data, base) for number in range(low, high)]

    def block(self, low: int, high: int) -> bytes:
        """Returns the bytes of entries [low, high)."""
        return self.table.files.read(self.table.starts[low], self.table.span(high - 1)[1]) if low < high else b""

    def text_in(self, number: int, data: bytes, base: int) -> str:
        """Returns the words of one entry within `data`, which starts at offset `base`."""
        start, stop = self.table.span(number)
        name = self.table.files.segment_at(start).path.name
        return self._reader.decode(data[start - base : stop - base], name).text

    def chunk_start(self, high: int, size: int, most: int) -> int:
        """Returns the lowest number such that entries up to `high` take about `size` bytes and are `most` at most."""
        starts = self.table.starts
        end = self.table.span(high - 1)[1]
        low = bisect_left(starts, max(0, end - size), 0, high - 1)
        return max(low, high - most, 0)

    def _continue(self, seconds: float | None) -> bool:
        load = self._loading
        if load is None or not load.run(seconds):
            return False
        self.rest()
        self._loading = None
        self.generation += 1
        changed = bool(len(load.table)) or bool(len(self.table))
        self.table = load.table
        return changed

    def _read_on(self, known: tuple[Segment, ...], now: tuple[Segment, ...]) -> bool:
        """Reads the last entry again and what follows, as nothing before the last known file's end changed."""
        table = self.table
        table.files.rest()
        old_count, last = len(table), known[-1]
        keep = bisect_left(table.starts, last.base)
        begin = last.base
        if self.kind != "notes" and old_count > keep:
            keep = old_count - 1
            begin = table.starts[keep]
        table.cut(keep)
        stamped = 0 <= table.first_dated < keep or (self.kind == "notes" and begin > last.base)
        table.files = LogFiles(now)
        _Load(self._form(), table, begin, stamped=stamped).run(None)
        return True

    def _show_preview(self, now: tuple[Segment, ...]) -> None:
        """Shows the newest entries while all of them are looked for; their numbers count within the preview."""
        self.table.files.rest()
        table = EntryTable(LogFiles(now))
        begin = max(now[-1].base, table.files.size - _PREVIEW)
        data = table.files.read(begin, table.files.size)
        line = data.find(b"\n") + 1 if begin > now[-1].base else 0
        form = self._form()
        form.begin(now[-1].path.name, stamped=True)
        form.feed(data[line:], begin + line, table.add)
        self.generation += 1
        self.table = table

    def _name(self, error: OSError) -> str:
        return Path(error.filename).name if isinstance(error.filename, str) else str(self.kind)


class _Load:
    """Looks for the entries of a log from `begin` on, in slices."""

    def __init__(self, form: LogFormat, table: EntryTable, begin: int = 0, *, stamped: bool = False) -> None:
        self.table = table
        self._form = form
        self._at = self._end = begin
        self._stamped = stamped
        self._rest = b""

    def run(self, seconds: float | None) -> bool:
        """Goes on for at most `seconds`; True once everything is read."""
        deadline = None if seconds is None else time.perf_counter() + seconds
        while self._at < self.table.files.size:
            self._step()
            if deadline is not None and time.perf_counter() > deadline:
                break
        return self._at >= self.table.files.size

    def _step(self) -> None:
        files = self.table.files
        segment = files.segment_at(self._at)
        if self._at >= self._end:
            self._form.begin(segment.path.name, stamped=self._stamped)
            self._stamped = False
            self._end = segment.end
            self._rest = b""
        stop = min(self._at + _BLOCK, segment.end)
        block = self._rest + files.read(self._at, stop)
        base = self._at - len(self._rest)
        whole = block.rfind(b"\n") + 1
        if stop == segment.end or (not whole and len(block) > _LINE_LIMIT):
            whole = len(block)
        self._rest = block[whole:]
        self.table.skipped.extend(self._form.feed(block[:whole], base, self.table.add))
        self._at = stop


def _common(known: tuple[Segment, ...], now: tuple[Segment, ...]) -> tuple[Segment, ...] | None:
    """Returns the files known before, if all but the last are as they were and the last one only grew."""
    last = len(known) - 1
    if len(now) < len(known) or now[:last] != known[:last] or now[last].base != known[last].base:
        return None
    return known if _has_grown(known[last], now[last]) else None


def look_at(paths: list[Path], known: tuple[Segment, ...] = ()) -> tuple[Segment, ...]:
    """Returns the files as they are now; one that is not there is left out. Raises OSError where one is unreadable.

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


def _has_grown(old: Segment, new: Segment) -> bool:
    """Returns whether a file only gained bytes at its end since `old` was taken."""
    return old.path == new.path and new.size >= old.size and _tail(old.path, old.size) == old.tail


def _tail(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        file.seek(max(0, size - _TAIL))
        return hashlib.blake2b(file.read(min(size, _TAIL)), digest_size=16).digest()
