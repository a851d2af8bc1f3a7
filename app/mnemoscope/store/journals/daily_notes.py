"""The files of daily notes: found by day, added to durably. Their lines are those of domain/context/daily_note."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from mnemoscope.domain.context.daily_note import note_name, note_title
from mnemoscope.domain.text.characters import BYTE_ORDER_MARK
from mnemoscope.store.files.append import append_bytes, end_line
from mnemoscope.store.files.atomic import encode_text, make_folder, read_stable, replace_bytes, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls


def append_note(folder: Path, day: date, entry: str, *, calls: FileCalls = REAL_CALLS) -> Path:
    """Add an entry to a day's file: one write, one fsync. Returns the file.

    One that is missing is there with its title and the entry, or not at all. A last line that another program, or a
    crash, left without an end is ended first. Raises DiskFull or StorageError.
    """
    # Its parent is there as long as the workspace is: where it was moved away, nothing is built in its place.
    make_folder(folder, calls=calls)
    path = folder / note_name(day)
    with storage_errors(path, "write"):
        before = end_line(path, calls=calls) if path.exists() else ""
        is_begun = path.exists() and path.stat().st_size
    if is_begun:
        append_bytes(path, encode_text(before + entry), calls=calls)
    else:
        replace_bytes(path, encode_text(note_title(day) + entry), calls=calls)
    return path


def read_note(folder: Path, day: date) -> str:
    """Returns a day's file as text, "" where there is none. Raises UnreadableFile."""
    data = read_stable(folder / note_name(day))
    return "" if data is None else data.rstrip(b"\0").decode("utf-8", "replace").removeprefix(BYTE_ORDER_MARK)
