"""Keeps on the disk what a guarded context needs: the working buffer and compactions, and recovers a thread from both.

Blocks on the disk. `agent/prompt/prompt_guard` decides when each is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.capture.captured_line import standing_rows
from mnemoscope.domain.context.compaction import Compaction
from mnemoscope.domain.context.exchange_reference import ExchangeReference, NotedExchange
from mnemoscope.domain.context.recovery import RecalledSource, RecoverySource, recovery_of
from mnemoscope.domain.context.working_buffer import (
    BUFFER_PATH,
    INACTIVE,
    WorkingBuffer,
    buffer_entry,
    buffer_head,
    buffer_stamp,
    heading_time,
    read_buffer,
)
from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.domain.memory.file_registry import STATE_PATH
from mnemoscope.memory.context.daily_notes import DailyNotes
from mnemoscope.memory.search.inactive_exchanges import InactiveExchanges
from mnemoscope.store.files.append import append_bytes, end_line
from mnemoscope.store.files.atomic import encode_text, make_folder, read_stable, replace_bytes, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.shipped import shipped_prompt
from mnemoscope.store.logs.exchange_log import ExchangeLog
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.workspace.draft_store import DraftStore
from mnemoscope.store.workspace.paths import WorkspacePaths

_NUMBERS: Final = ("start", "stop", "removed", "tokens")


class ContextRecords:
    """Holds the working buffer of one workspace and the compactions of its conversations."""

    def __init__(
        self,
        paths: WorkspacePaths,
        notes: DailyNotes,
        state_of: Callable[[str], str],
        left: InactiveExchanges,
        *,
        calls: FileCalls = REAL_CALLS,
        keys: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        """`state_of`: the text of a conversation's own SESSION-STATE.md as its messages on show have it, "" where it
        has none. `left`: tells the exchanges that a conversation has left, which are not recovered."""
        self._left = left
        self._references = ExchangeLog(paths, calls=calls)
        self._notes = notes
        self._keys = keys
        self._state_of = state_of
        self._buffer = BufferFile(paths.working_buffer, calls=calls)
        self._compactions = DraftStore(paths.own.compactions_dir, calls=calls)

    def compaction_of(self, session: Session) -> Compaction | None:
        """Returns the compaction, which says what messages of a conversation are left out of the prompt; None if none
        are, or if the conversation's file has shrunk since."""
        kept = self._compactions.load(_name_of(session))
        compaction = None if kept is None else _read_compaction(kept)
        return compaction if compaction is not None and compaction.stop <= len(session.messages) else None

    def keep_compaction(self, session: Session, compaction: Compaction) -> None:
        """Remembers the compaction of a conversation over a restart. Raises DiskFull or StorageError."""
        self._compactions.save(_name_of(session), asdict(compaction))

    def note(self, session: Session, question: str, answer: str, exchange: NotedExchange) -> None:
        """Adds an exchange to the working buffer. Raises DiskFull or StorageError."""
        now = self._notes.now()
        self._references.add(ExchangeReference(BUFFER_PATH, buffer_stamp(now), exchange))
        self._buffer.add(buffer_entry(now, question, answer, self._keys()), now, session.key)

    def reset_buffer(self, session: Session) -> None:
        """Resets the buffer, after the model was given what it held. Raises DiskFull or StorageError."""
        self._buffer.reset(self._notes.now(), session.key)

    def recovery(self, session_key: str, budget: int, *, with_state: bool) -> tuple[RecalledSource, ...]:
        """Returns what helps to find the thread again, at most `budget` tokens. A source that cannot be read is left
        out.

        `with_state`: SESSION-STATE.md is not in the prompt anyway.
        """
        sources = [RecoverySource("Working Buffer Recovery", BUFFER_PATH, self._read(self._exchanges, session_key))]
        if with_state:
            rows = self._read(lambda: standing_rows(self._state_of(session_key)))
            sources.append(RecoverySource("Session State", STATE_PATH, rows))
        sources.append(RecoverySource("Today's Notes", "daily notes", self._read(self._todays)))
        return recovery_of(sources, budget, shipped_prompt("recovery"))

    def _exchanges(self, session_key: str) -> Sequence[str]:
        buffer = self._buffer.read()
        if not buffer.serves(session_key):
            return ()
        left = self._left.among(BUFFER_PATH, [heading_time(each) for each in buffer.exchanges])
        return [each for each, is_left in zip(buffer.exchanges, left, strict=True) if not is_left]

    def _todays(self) -> Sequence[str]:
        file, notes = self._notes.today()
        left = self._left.among(file, [note.time for note in notes])
        return [f"[{note.time}]\n{note.text}" for note, is_left in zip(notes, left, strict=True) if not is_left]

    def _read(self, source: Callable[..., Sequence[str]], *args: Any) -> tuple[str, ...]:
        try:
            return tuple(source(*args))
        except UnreadableFile:
            return ()


def _name_of(session: Session) -> str:
    """Returns a name with the date of creation: /new begins a conversation of the same key with nothing compacted."""
    return f"{session.key} {session.created_at.isoformat()}"


def _read_compaction(kept: dict[str, Any]) -> Compaction | None:
    numbers = [number for name in _NUMBERS if isinstance(number := kept.get(name), int) and number >= 0]
    if len(numbers) < len(_NUMBERS):
        return None
    start, stop, removed, tokens = numbers
    summary = kept.get("summary")
    return Compaction(start, stop, removed, tokens, summary if isinstance(summary, str) else "")


class BufferFile:
    """Reads and writes the working buffer of one workspace."""

    def __init__(self, path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self.path, self._calls = path, calls

    def read(self) -> WorkingBuffer:
        """Returns what it says; an empty one where there is none. Raises UnreadableFile."""
        data = read_stable(self.path)
        return read_buffer("" if data is None else data.rstrip(b"\0").decode("utf-8", "replace"))

    def add(self, entry: str, when: datetime, conversation: str) -> None:
        """Adds an exchange; where the file serves no conversation yet, or another one, it is begun anew with it.

        Raises DiskFull or StorageError.
        """
        if not self.read().serves(conversation):
            make_folder(self.path.parent, calls=self._calls)
            replace_bytes(self.path, encode_text(buffer_head(when, conversation) + entry), calls=self._calls)
            return
        with storage_errors(self.path, "write"):
            before = end_line(self.path, calls=self._calls)
        append_bytes(self.path, encode_text(before + entry), calls=self._calls)

    def reset(self, when: datetime, conversation: str) -> None:
        """Empties the buffer but for its head, once it has served this conversation; another conversation's stays."""
        if self.read().serves(conversation):
            replace_bytes(self.path, encode_text(buffer_head(when, conversation, INACTIVE)), calls=self._calls)
