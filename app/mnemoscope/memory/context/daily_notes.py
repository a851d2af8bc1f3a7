"""Notes of each day: what both sides said in each finished exchange, and what errors taught. Blocks on the disk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path

from mnemoscope.domain.context.daily_note import (
    DailyNoteEntry,
    exchange_text,
    lesson_text,
    note_entry,
    note_name,
    note_title,
    read_notes,
)
from mnemoscope.domain.context.exchange_reference import ExchangeReference, NotedExchange
from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.domain.text.characters import BYTE_ORDER_MARK
from mnemoscope.memory.files.write_hooks import notify_hooks
from mnemoscope.store.files.append import append_bytes, end_line
from mnemoscope.store.files.atomic import encode_text, make_folder, read_stable, replace_bytes, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.logs.exchange_log import ExchangeLog
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.time_zone import in_time_zone


def write_daily_note(content: str, workspace_dir: Path | str, user_id: str = "") -> None:
    """Adds an entry to today's notes, under the name that Qanot gives it. Raises DiskFull or StorageError."""
    DailyNotes(WorkspacePaths(Path(workspace_dir))).write(content, user_id)


class DailyNotes:
    """Keeps the notes of one workspace. `zone`: the IANA name of the person's time zone, "" for the system's."""

    def __init__(
        self,
        paths: WorkspacePaths,
        *,
        clock: Callable[[], datetime] = datetime.now,
        zone: Callable[[], str] = str,
        calls: FileCalls = REAL_CALLS,
        keys: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        self._folder = paths.memory_dir
        self._references = ExchangeLog(paths, calls=calls)
        self._clock = clock
        self._zone = zone
        self._calls = calls
        self._keys = keys

    def now(self) -> datetime:
        """Returns the person's time."""
        return in_time_zone(self._clock(), self._zone())

    def write(self, content: str, user: str = "", exchange: NotedExchange | None = None) -> bool:
        """Adds an entry, durably; False where there is nothing to say. `exchange`: the messages that it tells. Raises
        DiskFull or StorageError."""
        if not content.strip():
            return False
        now = self.now()
        if exchange is not None:
            file = f"{self._folder.name}/{note_name(now.date())}"
            self._references.add(ExchangeReference(file, f"{now:%H:%M:%S}", exchange))
        path = append_note(self._folder, now.date(), note_entry(now, content, user), calls=self._calls)
        notify_hooks(content, f"{self._folder.name}/{path.name}")
        return True

    def note_exchange(
        self, question: str, answer: str, errors: Sequence[str] = (), exchange: NotedExchange | None = None
    ) -> bool:
        """Notes what both sides said, and what went wrong meanwhile. `question`: the person's own words; `exchange`:
        the messages."""
        known = self._keys()
        parts = (exchange_text(question, answer, known), lesson_text(question, errors, known))
        return self.write("\n".join(filter(None, parts)), exchange=exchange)

    def note_lesson(self, occasion: str, errors: Sequence[str], exchange: NotedExchange | None = None) -> bool:
        """Notes what went wrong where no answer came of it; once, however often it is tried again in vain. `exchange`:
        the message that had none."""
        lesson = lesson_text(occasion, errors, self._keys())
        return not self._ends_with(lesson) and self.write(lesson, exchange=exchange)

    def _ends_with(self, content: str) -> bool:
        """Returns whether today's newest entry says this. What cannot be read says nothing."""
        now = self.now()
        with suppress(UnreadableFile):
            newest = read_notes(read_note(self._folder, now.date()))[-1:]
            return [each.text for each in newest] == [each.text for each in read_notes(note_entry(now, content))]
        return False

    def today(self) -> tuple[str, list[DailyNoteEntry]]:
        """Returns the name of today's file, relative to the workspace, and its entries, oldest first. Raises
        UnreadableFile."""
        day = self.now().date()
        return f"{self._folder.name}/{note_name(day)}", read_notes(read_note(self._folder, day))


def append_note(folder: Path, day: date, entry: str, *, calls: FileCalls = REAL_CALLS) -> Path:
    """Adds an entry to a day's file: one write, one fsync. Returns the file.

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
