"""The person's word on captures: what was kept is taken out, what was not is kept after all. Blocks on the disk."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Final

from mnemoscope.domain.capture.file_changes import with_memory_lines, without_memory_line
from mnemoscope.domain.capture.lines import line_of_memory, line_of_state
from mnemoscope.domain.capture.record import KEPT, UNDONE, CaptureRecord
from mnemoscope.domain.capture.rules import CATEGORIES
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.change import MemoryOrigin
from mnemoscope.domain.memory.facts import fact_key
from mnemoscope.domain.merge.deletions import fact_mark
from mnemoscope.memory.capture.capture_writer import CaptureOutcome
from mnemoscope.memory.files.memory_writer import MemorySaved, MemoryWriter
from mnemoscope.store.capture.session_state import SessionStates
from mnemoscope.store.journals.capture_log import CaptureLog
from mnemoscope.store.memory.memory_file import MemoryMoved
from mnemoscope.store.workspace.time_zone import in_time_zone

_TRIES: Final = 5


class CaptureDecisions:
    """Of one workspace."""

    def __init__(
        self,
        memory: MemoryWriter,
        states: SessionStates,
        log: CaptureLog,
        *,
        clock: Callable[[], datetime] = datetime.now,
        keys: Callable[[], Collection[str]] = frozenset,
        zone: Callable[[], str] = str,
    ) -> None:
        """`memory`: the writer of MEMORY.md; `zone`: the IANA name of the person's time zone, "" for the system's."""
        self._memory = memory
        self._states = states
        self._log = log
        self._clock = clock
        self._keys = keys
        self._zone = zone

    def undo(self, record_id: str) -> CaptureOutcome:
        """Take a capture out of memory and state; what it had taken the place of stands again. It is not captured anew.

        Raises StorageError where it is not kept any more, or memory says it in other words by now.
        """
        record = self._record(record_id)
        if record.outcome != KEPT:
            raise StorageError("This is not kept any more.", next_step="Nothing was changed.", id=record_id)
        saved = self._out_of_memory(record)
        self._out_of_state(record)
        after = replace(record, outcome=UNDONE)
        self._log.add([after])
        return CaptureOutcome((after,), saved)

    def change_undone(self, change_id: str) -> CaptureOutcome:
        """A change of memory was undone as such: what it had captured leaves its conversation's state as well.

        Raises UnreadableFile or StorageError; what was not done then can still be undone by itself.
        """
        gone: list[CaptureRecord] = []
        lines = set(self._memory.read().text.split("\n"))
        for record in self._log.newest_first():
            if (record.change_id, record.outcome) == (change_id, KEPT) and record.memory_line not in lines:
                self._out_of_state(record)
                gone.insert(0, replace(record, outcome=UNDONE))
        self._log.add(gone)
        return CaptureOutcome(tuple(gone))

    def keep(self, record_id: str) -> CaptureOutcome:
        """Keep what was refused or undone, in memory and in the state. Raises StorageError where that cannot be."""
        record = self._record(record_id)
        if not record.may_be_kept:
            sentence = "This is not kept: it is there already, or a key stands in it."
            raise StorageError(sentence, next_step="Write it into MEMORY.md yourself.", id=record_id)
        category = record.category if record.category in CATEGORIES else "remember"
        line = record.memory_line or line_of_memory(category, record.text, known=self._keys())
        saved, change_id = self._into_memory(record, line)
        told = line_of_state(category, record.text, in_time_zone(self._clock(), self._zone()), known=self._keys())
        if record.session_key:
            self._states.claim(record.session_key)
        self._states.append([told])
        after = replace(record, outcome=KEPT, reason="", state_line=told, memory_line=line, change_id=change_id)
        self._log.add([after])
        return CaptureOutcome((after,), saved)

    def _record(self, record_id: str) -> CaptureRecord:
        record = self._log.find(record_id)
        if record is None:
            raise StorageError("This capture is too long ago to be changed here.", next_step="Edit MEMORY.md instead.")
        return record

    def _out_of_memory(self, record: CaptureRecord) -> MemorySaved | None:
        if not record.memory_line:
            return None
        current = self._memory.read()
        mark = _mark(record.memory_line)
        line = next((each for each in current.text.split("\n") if _mark(each) == mark), None)
        if line is None:
            if mark in self._memory.changes.deleted():
                return None
            sentence = f"{self._memory.changes.name} says this in other words by now."
            raise StorageError(sentence, next_step="Change it there.", id=record.id)
        rows = without_memory_line(current.text, line).split("\n")
        text = "\n".join(record.replaced if row == record.struck and row else row for row in rows)
        origin = MemoryOrigin("undo", self._clock().isoformat(), detail=record.change_id or record.id)
        return self._memory.save_over(text, current.version, current.text, origin)

    def _out_of_state(self, record: CaptureRecord) -> None:
        for _ in range(_TRIES):
            state = self._states.read(record.session_key)
            rows = state.text.split("\n")
            line = next((row for row in rows if _says(row, record)), None)
            if line is None:
                return
            rows.remove(line)
            with suppress(MemoryMoved):
                self._states.rewrite(record.session_key, "\n".join(rows), state.version)
                return
        raise StorageError("SESSION-STATE.md is being changed by another program without a pause.")

    def _into_memory(self, record: CaptureRecord, line: str) -> tuple[MemorySaved | None, str]:
        current = self._memory.read()
        if line in current.text.split("\n"):
            return None, record.change_id
        origin = MemoryOrigin("kept", self._clock().isoformat(), record.session_key, record.index, record.index + 1)
        text = with_memory_lines(current.text, [line])
        saved = self._memory.save_over(text, current.version, current.text, origin)
        return saved, self._memory.changes.changes()[-1].id


def _says(row: str, record: CaptureRecord) -> bool:
    """Whether a line of the state is a record's; one that a crash kept from being noted is known by its words."""
    if record.state_line:
        return row == record.state_line
    return bool(record.memory_line) and row.partition("] ")[2] == record.memory_line.removeprefix("- ")


def _mark(line: str) -> str:
    return fact_mark(fact_key(line)) if line.strip() else ""
