"""How the parts of one workspace's memory are put together: plain constructor calls, for `MemoryStore` alone."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from mnemoscope.domain.events import Event, EventBus
from mnemoscope.memory.capture.captures import Captures
from mnemoscope.memory.consolidation.consolidator import Consolidator
from mnemoscope.memory.consolidation.strategies import JournalStrategy, StrategyChoice, TwoLayerStrategy
from mnemoscope.memory.dream.dream_memory import DreamMemory
from mnemoscope.memory.files.editing import MemoryEditing
from mnemoscope.memory.files.memory_files import MemoryFiles
from mnemoscope.memory.transactions.transactions import Transactions
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.files.disk import Disk, InlineDisk
from mnemoscope.store.journals.journal import Journal
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.write_access import WriteAccess


@dataclass(frozen=True, slots=True)
class MemoryParts:
    """What the memory of one workspace is made of."""

    paths: WorkspacePaths
    access: WriteAccess
    ledger: Ledger
    versions: TextVersions
    files: MemoryFiles
    transactions: Transactions
    journal: Journal
    captures: Captures
    editing: MemoryEditing
    dream: DreamMemory
    strategies: StrategyChoice
    consolidator: Consolidator


def wire_memory(
    workspace: Path,
    *,
    sessions: SessionManager | None,
    disk: Disk | None,
    bus: EventBus | None,
    read_only: bool,
    clock: Callable[[], datetime],
    calls: FileCalls,
    keys: Callable[[], Collection[str]],
    zone: Callable[[], str],
) -> MemoryParts:
    """Makes the parts. What is None is made too: sessions of that folder, a disk that works on the caller's thread, and
    nobody who listens."""
    paths = WorkspacePaths.found(workspace)
    access = WriteAccess(workspace, read_only)
    sessions = sessions or SessionManager(workspace, read_only=read_only)
    disk = disk or InlineDisk()
    announce = bus.publish if bus is not None else _unheard
    ledger = Ledger(paths, calls=calls)
    versions = TextVersions(paths.own.text_versions_dir, calls=calls)
    journal = Journal(paths, clock=clock, calls=calls)
    files = MemoryFiles(
        paths, versions, ledger, finish_pending=lambda: transactions.recover(), clock=clock, calls=calls
    )
    transactions = Transactions(paths, ledger, files, versions, sessions, calls=calls)
    captures = Captures(
        paths,
        files.memory,
        sessions.stem_of,
        disk=disk,
        announce=announce,
        waiting=lambda: len(ledger.suggestions()),
        read_only=read_only,
        clock=clock,
        calls=calls,
        keys=keys,
        zone=zone,
    )
    strategies = StrategyChoice(
        paths, TwoLayerStrategy(paths.history_file, keys, clock), JournalStrategy(journal, keys)
    )
    return MemoryParts(
        paths=paths,
        access=access,
        ledger=ledger,
        versions=versions,
        files=files,
        transactions=transactions,
        journal=journal,
        captures=captures,
        editing=MemoryEditing(
            files,
            ledger,
            access,
            disk=disk,
            announce=announce,
            clock=clock,
            keys=keys,
            undone=captures.change_undone,
        ),
        dream=DreamMemory(paths, ledger, files, transactions, journal, disk=disk, clock=clock, calls=calls, keys=keys),
        strategies=strategies,
        consolidator=Consolidator(
            ledger, files.memory.file, transactions, strategies.current, disk=disk, announce=announce, clock=clock
        ),
    )


def _unheard(_event: Event) -> None:
    """Where nobody listens."""
