"""Appends entries to HISTORY.md as nanobot does: the text and a blank line, always at the beginning of a line.

An append can be repeated after a crash: the entry of a committed consolidation is found in the file, whole or torn, so
it is neither lost nor written twice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.store.files.append import append_bytes, fsync_file, truncate_file
from mnemoscope.store.files.atomic import digest_of, encode_text, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls

_TAIL = 4_096
_SEARCHED = 1 << 20
_ENTRY_START = re.compile(rb"\n|\[\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class HistoryMark:
    """Marks the place at which a history log ended: its size in bytes and the SHA-256 of up to 4 KiB before that."""

    size: int
    tail: str


def entry_bytes(entry: str, path: Path) -> bytes:
    """Returns what has to be added for an entry: `entry.rstrip()`, a blank line, and a break before it where one
    lacks."""
    return _break_before(path) + encode_text(entry.rstrip() + "\n\n")


def append_history_entry(path: Path, entry: str, *, calls: FileCalls = REAL_CALLS) -> None:
    """Adds an entry durably. Raises DiskFull or StorageError; a half-written entry is taken back."""
    append_bytes(path, entry_bytes(entry, path), calls=calls)


def history_mark(path: Path) -> HistoryMark:
    """Returns where the file ends now; size 0 where it is missing. Raises UnreadableFile."""
    with storage_errors(path, "read"):
        size = path.stat().st_size if path.exists() else 0
    return HistoryMark(size, digest_of(_read(path, max(0, size - _TAIL), size)))


def still_begins_so(path: Path, mark: HistoryMark) -> bool:
    """Returns whether a file still holds what it held when it was marked, and at most more after it. Raises
    UnreadableFile."""
    with storage_errors(path, "read"):
        size = path.stat().st_size if path.exists() else 0
    return size >= mark.size and digest_of(_read(path, max(0, mark.size - _TAIL), mark.size)) == mark.tail


def settle_entry(path: Path, data: bytes, mark: HistoryMark, *, calls: FileCalls = REAL_CALLS) -> str:
    """Makes sure `data`, once to be added at `mark`, stands in the file exactly once.

    Returns what was done: `found`, `added`, or `completed` (a torn end was repaired). What other programs added
    meanwhile is kept. Raises UnreadableFile or StorageError.
    """
    with storage_errors(path, "read"):
        size = path.stat().st_size if path.exists() else 0
    unmoved = still_begins_so(path, mark)
    since = _read(path, mark.size if unmoved else max(0, size - _SEARCHED), size)
    if not data:
        return "found"
    if data in since or (not unmoved and data.strip() in since):
        fsync_file(path, calls=calls)
        return "found"
    torn = _torn(since, data) if unmoved else 0
    if torn == len(since) and since.rstrip(b"\0") != since:
        # A power cut can leave a file that is longer than what reached it: the rest reads as zeros.
        truncate_file(path, mark.size, calls=calls)
        torn = 0
    elif torn and torn < len(since):
        _cut_out(path, mark.size, since[torn:], calls)
        torn = 0
    append_bytes(path, data[torn:], calls=calls)
    return "completed" if since else "added"


def _torn(since: bytes, data: bytes) -> int:
    """Returns how many bytes at the start of `since` are a piece of `data` that a crash cut off; 0 if they are not
    ours."""
    pairs = enumerate(zip(since, data, strict=False))
    shared = next((place for place, (one, other) in pairs if one != other), min(len(since), len(data)))
    if shared == len(since) or not since[shared:].strip(b"\0"):
        return len(since)
    # What follows is not ours. Only where it plainly begins an entry of its own is the piece before it ours alone.
    starts = [found.start() for found in _ENTRY_START.finditer(since, 1) if found.start() <= shared]
    return starts[-1] if starts and since[: starts[-1]].strip() else 0


def _cut_out(path: Path, size: int, foreign: bytes, calls: FileCalls) -> None:
    truncate_file(path, size, calls=calls)
    append_bytes(path, foreign if foreign.endswith(b"\n") else foreign + b"\n\n", calls=calls)


def _break_before(path: Path) -> bytes:
    with storage_errors(path, "read"):
        size = path.stat().st_size if path.exists() else 0
    end = _read(path, max(0, size - 2), size)
    if not end or end.endswith(b"\n\n") or end == b"\n":
        return b""
    return b"\n" if end.endswith(b"\n") else b"\n\n"


def _read(path: Path, start: int, stop: int) -> bytes:
    if stop <= start:
        return b""
    with storage_errors(path, "read"), path.open("rb") as file:
        file.seek(start)
        return file.read(stop - start)
