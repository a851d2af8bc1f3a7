"""Moves a history from HISTORY.md to history.jsonl and back: planned first, then done in one transaction.

nanobot numbers old entries 1 to n and never dreams them, without a word. Here the person is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.history_entries import HistoryEntry, entry_time, parse_history, stamp_length
from mnemoscope.domain.memory.journal_entry import JournalEntry, encode_entry, timestamp_of
from mnemoscope.memory.dream.unread_entries import UnreadEntries
from mnemoscope.memory.transactions.transactions import Transactions
from mnemoscope.store.files.atomic import encode_text, storage_errors
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.logs.history_append import entry_bytes, history_mark
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.transactions.file_steps import planned_move, planned_set
from mnemoscope.store.transactions.intent import UPGRADE, Intent
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

_KEPT: Final = ".bak"


@dataclass(frozen=True, slots=True)
class UpgradePlan:
    """Plans an upgrade: these entries are added, the old file is kept under another name.

    `undated` have no time of their own: they get that of the file. `waiting` were in history.jsonl before, undreamed.
    """

    entries: tuple[JournalEntry, ...]
    undated: int
    waiting: int
    kept_as: str
    """The place to which the old log goes, relative to the workspace; "" where there is none."""

    @property
    def is_needed(self) -> bool:
        """Tells whether there is anything to take over."""
        return bool(self.entries)


class JournalUpgrade:
    """Moves the history of one workspace to history.jsonl, or back to HISTORY.md. Blocks on the disk."""

    def __init__(
        self,
        paths: WorkspacePaths,
        journal: Journal,
        ledger: Ledger,
        transactions: Transactions,
        *,
        clock: Callable[[], datetime] = datetime.now,
    ) -> None:
        self._paths = paths
        self._journal = journal
        self._ledger = ledger
        self._transactions = transactions
        self._clock, self._unread = clock, UnreadEntries(paths, journal)

    def plan(self) -> UpgradePlan:
        """Returns what would be taken over from HISTORY.md; nothing is written. Raises UnreadableFile."""
        old = self._entries()
        last = self._journal.last_cursor()
        when = self._file_time()
        entries = [_numbered(entry, number, when) for number, entry in enumerate(old, last + 1)]
        waiting = self._unread.waiting().count
        kept = _free_name(self._paths.history_file).relative_to(self._paths.root).as_posix() if old else ""
        return UpgradePlan(tuple(entries), sum(not each.when for each in old), waiting, kept)

    def upgrade(self, *, dream_old: bool) -> UpgradePlan:
        """Takes the entries over; HISTORY.md is kept as .bak. `dream_old`: whether Dream shall read them.

        Raises StorageError: nothing was changed, or it is finished when the workspace opens next. So it does where they
        shall not be read but others wait before them: Dream reads in order, and would read them all the same.
        """
        self._transactions.recover()
        plan = self.plan()
        if not plan.entries:
            return plan
        if plan.waiting and not dream_old:
            raise _others_wait(plan.waiting)
        mark = history_mark(self._journal.file)
        first, *others = plan.entries
        data = self._journal.line(first) + b"".join(encode_text(encode_entry(each)) + b"\n" for each in others)
        last = plan.entries[-1].cursor
        sets = [planned_set(self._paths.root, self._journal.cursor_file, str(last))]
        if not dream_old:
            sets.append(planned_set(self._paths.root, self._journal.dream_cursor_file, str(last)))
        self._run(
            history_path=path_within(self._journal.file, self._paths.root),
            history_entry=data.decode("utf-8"),
            history_size=mark.size,
            history_tail=mark.tail,
            moves=(planned_move(self._paths.root, self._paths.history_file, self._paths.root / plan.kept_as),),
            sets=tuple(sets),
        )
        return plan

    def downgrade(self) -> int:
        """Goes back to HISTORY.md: the journal's entries are added to it, history.jsonl is kept as .bak; how many.

        Raises StorageError as `upgrade`.
        """
        self._transactions.recover()
        entries = self._journal.after(0).entries
        if not entries:
            return 0
        history = self._paths.history_file
        mark = history_mark(history)
        text = "".join(_paragraph(entry) for entry in entries)
        kept = _free_name(self._journal.file)
        cursors = (self._journal.cursor_file, self._journal.dream_cursor_file)
        moves = [planned_move(self._paths.root, self._journal.file, kept)]
        moves += [planned_move(self._paths.root, path, _free_name(path)) for path in cursors if path.exists()]
        self._run(
            history_entry=entry_bytes(text, history).decode("utf-8"),
            history_size=mark.size,
            history_tail=mark.tail,
            moves=tuple(moves),
            # The numbers mean nothing any more.
            sets=self._unread.forgotten(),
        )
        return len(entries)

    def _run(self, **parts: Any) -> None:
        workspace = self._ledger.workspace_id()
        intent = Intent.of_kind(UPGRADE, workspace_id=workspace, when=self._clock().isoformat(), **parts)
        self._transactions.run(intent)

    def _entries(self) -> Sequence[HistoryEntry]:
        with storage_errors(self._paths.history_file, "read"):
            data = self._paths.history_file.read_bytes() if self._paths.history_file.exists() else b""
        return parse_history(data, undated=self._ledger.undated_entries())

    def _file_time(self) -> datetime:
        try:
            return datetime.fromtimestamp(self._paths.history_file.stat().st_mtime)
        except (OSError, OverflowError, ValueError):
            return self._clock()


def _others_wait(count: int) -> StorageError:
    waiting = "1 entry of history.jsonl waits" if count == 1 else f"{count:,} entries of history.jsonl wait"
    return StorageError(
        f"{waiting} for Dream, which reads in order: it would read the old ones with them. Nothing was changed.",
        next_step="Run Dream first, or let it read the old ones too.",
    )


def _numbered(entry: HistoryEntry, number: int, when: datetime) -> JournalEntry:
    stamp = entry_time(entry.text)
    if not stamp:
        return JournalEntry(number, entry.when or timestamp_of(when), entry.text)
    # A day alone keeps its bracket among the words: midnight would be a guess.
    content = entry.text[stamp_length(entry.text) :] if len(stamp) > 10 else entry.text
    return JournalEntry(number, stamp if len(stamp) > 10 else f"{stamp} 00:00", content)


def _paragraph(entry: JournalEntry) -> str:
    words = entry.content if entry.content.startswith("[RAW]") else "\n".join(filter(None, entry.content.split("\n\n")))
    dated = words if entry_time(words) else f"[{entry.timestamp}] {words}"
    return dated.rstrip() + "\n\n"


def _free_name(path: Path) -> Path:
    """Returns `HISTORY.md.bak`, or that with a number behind it if it is taken."""
    for number in range(1, 10_000):
        name = path.with_name(f"{path.name}{_KEPT}{'' if number == 1 else f'.{number}'}")
        if not name.exists():
            return name
    return path.with_name(f"{path.name}{_KEPT}.last")
