"""Dream's side of a workspace's memory: journal, runs, taking a run back, and the way to and from HISTORY.md."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.memory.dream.dreamer import Dreamer, add_missing_record
from mnemoscope.memory.dream.entry_sources import EntrySources
from mnemoscope.memory.dream.journal_upgrade import JournalUpgrade
from mnemoscope.memory.dream.unread_entries import UnreadEntries
from mnemoscope.memory.files.joint_changes import undo_edits
from mnemoscope.memory.files.memory_files import MemoryFiles
from mnemoscope.memory.structured_output.output_modes import OutputModes
from mnemoscope.memory.transactions.transactions import Transactions
from mnemoscope.store.files.atomic import digest_of, encode_text
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.logs.dream_runs import DreamRuns
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.memory.memory_file import MemoryText
from mnemoscope.store.memory.suggestion_file import encode_suggestion
from mnemoscope.store.transactions.intent import DREAM_RUN, RESTORE, Intent
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

_LOOKED_BACK: Final = 10_000


@dataclass(frozen=True, slots=True)
class UndoneRun:
    """Describes a run that was taken back: the files as they are now, and how many passages wait because later words
    stand."""

    change_id: str
    changed: tuple[tuple[str, MemoryText], ...]
    held: int = 0


@dataclass(frozen=True, slots=True)
class _UndoableRun:
    """Holds what has to be known of a run to take it back: its first entry, and the files it wrote."""

    id: str
    first: int
    last: int
    begun: int
    paths: tuple[str, ...]


class DreamMemory:
    """Keeps Dream's journal and runs in one workspace. Every method but that of a run blocks on the disk."""

    def __init__(
        self,
        paths: WorkspacePaths,
        ledger: Ledger,
        files: MemoryFiles,
        transactions: Transactions,
        journal: Journal,
        *,
        disk: Disk,
        modes: OutputModes,
        clock: Callable[[], datetime] = datetime.now,
        calls: FileCalls = REAL_CALLS,
        keys: Callable[[], Collection[str]] = frozenset,
        said: EntrySources | None = None,
        compare: Callable[[str, str], Awaitable[None]] | None = None,
    ) -> None:
        self._ledger = ledger
        self._files = files
        self._transactions = transactions
        self._clock = clock
        self.journal = journal
        self.unread = UnreadEntries(paths, journal)
        self.runs = DreamRuns(paths, calls=calls)
        self.dreamer = Dreamer(
            paths,
            journal,
            ledger,
            files,
            transactions,
            self.runs,
            disk=disk,
            modes=modes,
            clock=clock,
            keys=keys,
            said=said,
            compare=compare,
        )
        self.upgrade = JournalUpgrade(paths, journal, ledger, transactions, clock=clock)
        """The way to the journal from HISTORY.md, and back."""
        self._noted = ""

    def problems(self) -> list[str]:
        """Returns what cannot be followed in the journal, and what is done instead, a sentence each. Raises
        UnreadableFile."""
        cursor = self.journal.dream_cursor()
        unreadable = self.journal.after(cursor.value, 1).unreadable
        found = [f"{cursor.problem} All entries count as not read yet."] if cursor.problem else []
        if unreadable:
            lines = "1 line holds" if unreadable == 1 else f"{unreadable:,} lines hold"
            found.append(f"{lines} no entry in memory/history.jsonl; Dream passes over it, and it stays in the file.")
        return found

    def add_missing_record(self) -> None:
        """Adds the record of the newest run that changed something, if it is missing. A disk that refuses is asked
        again later.

        Nothing is read where the ledger holds what it held last time.
        """
        newest = self._ledger.newest(DREAM_RUN)
        if newest is None or newest.id == self._noted:
            return
        with suppress(StorageError):
            add_missing_record(self.runs, self._ledger)
            self._noted = newest.id

    def undo(self, run_id: str, *, again: bool) -> UndoneRun:
        """Takes back what a run wrote and keeps everything later, in one transaction, which can be undone as well.

        `again`: the run's entries, and no others, are dreamed again; otherwise they count as declined. Where a later
        change touched the same words, those stand, and the others wait as a suggestion. Raises StorageError for a run
        that is not known, wrote nothing, or of which nothing is left.
        """
        finished = self._transactions.recover().intent
        if finished is not None and (finished.origin_kind, finished.origin_detail) == ("undo", run_id):
            # It was refused half-way before, and is done now.
            return self._undone(finished)
        run = self._run(run_id)
        change_id = digest_of(encode_text(f"undo {run_id} {self._clock().isoformat()}"))[:16]
        back = undo_edits(self._files, run.paths, run.id, change_id, self._clock().isoformat())
        sets = self.unread.noted_back(run.first, run.last, run.begun) if again else ()
        if not back.edits and not back.holds and not sets:
            raise StorageError(
                "Nothing of this run is left to undo: its files are as they would be without it.",
                next_step="",
                id=run_id,
            )
        intent = Intent.of_kind(
            RESTORE,
            workspace_id=self._ledger.workspace_id(),
            when=self._clock().isoformat(),
            id=change_id,
            edits=back.edits,
            holds=tuple(encode_suggestion(each).decode("utf-8") for each in back.holds),
            sets=sets,
            origin_kind="undo",
            origin_detail=run_id,
        )
        self._transactions.run(intent)
        with suppress(StorageError):
            # Only a record; what counts stands in the files by now.
            self.runs.mark_undone(run_id, "again" if again else "declined")
        return self._undone(intent)

    def _undone(self, intent: Intent) -> UndoneRun:
        changed = tuple((each.path, self._files.of(each.path).file.read()) for each in intent.edits)
        return UndoneRun(intent.id, changed, len(intent.holds))

    def _run(self, run_id: str) -> _UndoableRun:
        for run in self.runs.newest(_LOOKED_BACK):
            if run.id == run_id:
                return _UndoableRun(
                    run_id, run.first, run.last, run.begun, tuple(edit.path for edit in run.edits if not edit.held)
                )
        intent = self._ledger.intent(run_id)
        if intent is not None and intent.kind == DREAM_RUN:
            # Committed, and its record lost in a crash right after.
            return _UndoableRun(run_id, intent.start, intent.stop, 0, tuple(edit.path for edit in intent.edits))
        raise StorageError("This run of Dream is not known any more.", next_step="", id=run_id)
