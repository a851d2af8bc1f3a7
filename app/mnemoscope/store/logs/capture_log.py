"""The log of captures: .mnemoscope/captures.jsonl, one JSON object a line, the same id again replacing the one before.

Append-only and bounded: a file that is long becomes `captures.jsonl.1`, in place of the one before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Final

from mnemoscope.domain.capture.record import REFUSED, CaptureRecord, as_document, record_of
from mnemoscope.domain.conversation.branch import Branch
from mnemoscope.domain.text.json_text import parsed_json
from mnemoscope.store.files.append import append_lines
from mnemoscope.store.files.atomic import encode_text, fsync_directory, make_directory, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.logs.journal import lines_backwards
from mnemoscope.store.workspace.paths import WorkspacePaths

_LONGEST: Final = 1_000_000
"""Bytes of the file before another is begun."""


class CaptureLog:
    """Reads and writes the log of one workspace. Blocks on the disk; the disk thread owns it."""

    def __init__(self, paths: WorkspacePaths, *, calls: FileCalls = REAL_CALLS, longest: int = _LONGEST) -> None:
        self._file = paths.own.captures_log
        self._calls = calls
        self._longest = longest
        self._older = self._file.with_name(f"{self._file.name}.1")
        self._waiting: list[CaptureRecord] = []
        """Those a disk refused."""
        self._facts: dict[str, CaptureRecord] = {}
        self._places: set[tuple[str, str, int]] = set()
        self._lines: set[str] = set()
        self._kept_of: dict[str, dict[str, CaptureRecord]] = {}
        """By conversation and id, those that say something of what is kept."""
        self._is_known = False

    def add(self, records: Sequence[CaptureRecord]) -> None:
        """Adds records in one durable write, with those that wait. Raises DiskFull or StorageError; they are known, and
        wait for the next."""
        self._waiting += records
        if not self._waiting:
            return
        for record in records:
            self._know(record)
        make_directory(self._file.parent, calls=self._calls)
        self._begin_anew_if_long()
        documents = (json.dumps(as_document(record), ensure_ascii=False) + "\n" for record in self._waiting)
        lines = encode_text("".join(documents))
        append_lines(self._file, lines, calls=self._calls)
        self._waiting.clear()

    def reread(self) -> None:
        """Reads the file afresh when it is asked about the next time, as it was written without words."""
        self._facts.clear()
        self._places.clear()
        self._lines.clear()
        self._kept_of.clear()
        self._is_known = False

    def has(self, session_key: str, session_created_at: str, index: int) -> bool:
        """Returns whether anything is noted of a message. Raises UnreadableFile."""
        return (session_key, session_created_at, index) in self._known_places()

    def of_fact(self, fact: str) -> CaptureRecord | None:
        """Returns the newest record of a fact that was kept once, whatever became of it. Raises UnreadableFile."""
        self._known_places()
        return self._facts.get(fact)

    def has_line(self, memory_line: str) -> bool:
        """Returns whether a line of memory is noted of anything. Raises UnreadableFile."""
        self._known_places()
        return memory_line in self._lines

    def kept_of(self, session_key: str) -> list[CaptureRecord]:
        """Returns what was captured in a conversation, in whichever branch, kept or undone or known already, each as it
        was noted last. They are held in hand. Raises UnreadableFile."""
        self._known_places()
        return list(self._kept_of.get(session_key, {}).values())

    def newest(self, count: int = 200) -> list[CaptureRecord]:
        """Returns the records, newest first. Raises UnreadableFile."""
        return list(islice(self.newest_first(), count))

    def find(self, record_id: str) -> CaptureRecord | None:
        """Returns one record as it was noted last, None where it is not kept any more. Raises UnreadableFile."""
        return next((record for record in self.newest_first() if record.id == record_id), None)

    def of_conversation(self, session_key: str, branch: Branch) -> dict[int, list[CaptureRecord]]:
        """Returns the records of one conversation, as it went in this branch, by message, each message's in order.
        Raises UnreadableFile."""
        found: dict[int, list[CaptureRecord]] = {}
        for record in self.newest_first():
            if record.session_key == session_key and record.session_created_at == branch.owner_of(record.index):
                found.setdefault(record.index, []).insert(0, record)
        return found

    def newest_first(self) -> Iterator[CaptureRecord]:
        """Yields every record that is kept, as it was noted last; lines that hold none are passed over."""
        seen: set[str] = set()
        lines = chain(lines_backwards(self._file), lines_backwards(self._older))
        for record in chain(reversed(self._waiting), map(record_of, map(parsed_json, lines))):
            if record is not None and record.id not in seen:
                seen.add(record.id)
                yield record

    def _known_places(self) -> set[tuple[str, str, int]]:
        """Returns the places that are noted. They are read once, at the first capture."""
        if not self._is_known:
            for record in reversed(list(self.newest_first())):
                self._know(record)
            self._is_known = True
        return self._places

    def _know(self, record: CaptureRecord) -> None:
        self._places.add((record.session_key, record.session_created_at, record.index))
        if record.memory_line:
            self._lines.add(record.memory_line)
        if record.outcome != REFUSED or record.twin:
            self._kept_of.setdefault(record.session_key, {})[record.id] = record
        if record.fact and record.outcome != REFUSED:
            self._facts[record.fact] = record

    def _begin_anew_if_long(self) -> None:
        with storage_errors(self._file, "write"), suppress(FileNotFoundError):
            if self._file.stat().st_size > self._longest:
                self._calls.replace(str(self._file), str(self._older))
                fsync_directory(self._file.parent, calls=self._calls)
