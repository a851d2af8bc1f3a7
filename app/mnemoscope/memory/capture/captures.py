"""Capture before answering: what the person says is on the disk before a model is asked, as in Qanot.

`CaptureWriter` does the work on the disk's thread; here it is announced what came of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime

from mnemoscope.domain.capture.record import CaptureRecord
from mnemoscope.domain.conversation.branch import Branch
from mnemoscope.domain.events import Captured, Event, MemoryChanged, SuggestionsChanged
from mnemoscope.memory.capture.active_states import ActiveStates
from mnemoscope.memory.capture.capture_writer import CaptureOutcome, CaptureWriter, PersonMessage
from mnemoscope.memory.files.memory_writer import MemorySaved, MemoryWriter
from mnemoscope.store.capture.rule_files import ActiveRules
from mnemoscope.store.capture.session_state_files import SessionStates
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.logs.capture_log import CaptureLog
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.write_access import WriteAccess


class Captures:
    """Captures of one workspace. Announces `Captured`, and `MemoryChanged` where MEMORY.md has a new text.

    `active_states` are the states of conversations as they are sent and found.
    """

    def __init__(
        self,
        paths: WorkspacePaths,
        memory: MemoryWriter,
        stem_of: Callable[[str], str],
        *,
        disk: Disk,
        announce: Callable[[Event], None],
        waiting: Callable[[], int],
        session_of: Callable[[str], Session | None],
        read_only: bool = False,
        clock: Callable[[], datetime] = datetime.now,
        calls: FileCalls = REAL_CALLS,
        keys: Callable[[], Collection[str]] = frozenset,
        zone: Callable[[], str] = str,
    ) -> None:
        """`memory`: the writer of MEMORY.md; `stem_of`: as SessionStates has it; `waiting`: how many suggestions wait;
        `session_of`: the conversation under a key, None where there is none, read on the disk's thread; `zone`: an IANA
        name, "" for the system's."""
        self.states = SessionStates(paths, stem_of, calls=calls)
        self._disk = disk
        self._announce = announce
        self._waiting = waiting
        self._access = WriteAccess(paths.root, read_only)
        self._log = CaptureLog(paths, calls=calls)
        self.active_states = ActiveStates(self.states, self._log, session_of)
        rules = ActiveRules(paths.root).rules
        self.writer = CaptureWriter(memory, self.states, self._log, rules, clock=clock, keys=keys, zone=zone)

    async def capture(self, said: PersonMessage, *, paused: bool = False) -> CaptureOutcome:
        """Keeps, durably, what a message says; returns a record of each capture and refusal. Raises StorageError.

        `paused`: it is only noted what would have been kept.
        """
        self._access.require()
        return self._announce_outcome(await self._disk.run(lambda: self.writer.capture(said, paused=paused)))

    async def undo(self, record_id: str) -> CaptureOutcome:
        """Takes a capture back. Raises StorageError with nothing changed."""
        self._access.require()
        return self._announce_outcome(await self._disk.run(lambda: self.writer.undo(record_id)), "restore")

    async def change_undone(self, change_id: str) -> None:
        """Takes out of the conversations' states what a change of MEMORY.md had captured, after that change was undone.

        Raises UnreadableFile or StorageError.
        """
        self._announce_outcome(await self._disk.run(lambda: self.writer.change_undone(change_id)))

    async def keep(self, record_id: str) -> CaptureOutcome:
        """Keeps what was refused or taken back after all. Raises StorageError with nothing changed."""
        self._access.require()
        return self._announce_outcome(await self._disk.run(lambda: self.writer.keep(record_id)))

    def reread(self) -> None:
        """Has the log read afresh when it is asked about the next time, as it was written without words."""
        self._log.reread()

    async def log(self, count: int = 200) -> list[CaptureRecord]:
        """Returns what was captured and what was not, the newest first. Raises UnreadableFile."""
        return await self._disk.run(self._log.newest, count)

    async def gone(self, records: Sequence[CaptureRecord]) -> frozenset[str]:
        """Returns the ids of those that were kept and whose line MEMORY.md does not have any more. Raises
        UnreadableFile."""
        return await self._disk.run(self.writer.gone, records)

    def note_missed(self, session_key: str, messages: Iterable[PersonMessage]) -> None:
        """Notes what messages of a conversation wrote that no record tells of, where anything may be written. Blocks on
        the disk. Raises UnreadableFile or StorageError."""
        if not self._access.read_only:
            self.writer.note_missed(session_key, messages)

    def records_of(self, session_key: str, branch: Branch) -> dict[int, list[CaptureRecord]]:
        """Returns what `of_conversation` does, on the disk's thread: it blocks. Raises UnreadableFile."""
        return self._log.of_conversation(session_key, branch)

    async def of_conversation(self, session_key: str, branch: Branch) -> dict[int, list[CaptureRecord]]:
        """Returns the records of what was captured in one conversation, as it went in this branch, by message. Raises
        UnreadableFile."""
        return await self._disk.run(self.records_of, session_key, branch)

    def _announce_outcome(self, outcome: CaptureOutcome, origin: str = "capture") -> CaptureOutcome:
        if outcome.memory is not None:
            self._announce_saved(outcome.memory, origin)
        if outcome.records:
            first = outcome.records[0]
            self._announce(Captured(first.session_key, first.index, outcome.records))
        return outcome

    def _announce_saved(self, saved: MemorySaved, origin: str) -> None:
        self._announce(MemoryChanged(saved.text, saved.digest, origin))
        if saved.conflicts:
            self._announce(SuggestionsChanged(self._waiting()))
