"""The public entry to long-term memory, in nanobot's two layers: facts in MEMORY.md and events in HISTORY.md.

The constructor of `MemoryStore` makes the parts, each of which has a room of its own. `wal_scan` and `wal_write` are
the public functions of capture, under the names that Qanot gives them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from mnemoscope.domain.capture.scan import Capture, captures_in
from mnemoscope.domain.conversation.discretion import Trace
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import Event, EventBus
from mnemoscope.domain.forgetting.forgotten_lines import without_forgotten
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.file_registry import HISTORY_PATH, JOURNAL_PATH
from mnemoscope.domain.memory.history_entries import dated_entry, entry_time
from mnemoscope.memory.capture.captures import Captures
from mnemoscope.memory.consolidation.consolidator import (
    Consolidator,
    LastConsolidation,
    Plan,
    RunningConsolidation,
    window_plan,
)
from mnemoscope.memory.consolidation.provenance import traced_records
from mnemoscope.memory.consolidation.strategies import JournalStrategy, StrategyChoice, TwoLayerStrategy
from mnemoscope.memory.dream.dream_memory import DreamMemory
from mnemoscope.memory.dream.entry_sources import EntrySources
from mnemoscope.memory.files.committer import Committer
from mnemoscope.memory.files.entry_corrections import EntryCorrections
from mnemoscope.memory.files.memory_editing import MemoryEditing
from mnemoscope.memory.files.memory_files import MemoryFiles
from mnemoscope.memory.files.proposal_intake import ProposalIntake
from mnemoscope.memory.files.rejected_meanings import RejectedMeanings
from mnemoscope.memory.files.write_hooks import notify_hooks
from mnemoscope.memory.search.recall import known_history
from mnemoscope.memory.structured_output.output_modes import OutputModes
from mnemoscope.memory.transactions.conversation import Conversation
from mnemoscope.memory.transactions.forgetting_transactions import ForgettingTransactions
from mnemoscope.memory.transactions.transactions import Recovered, Transactions
from mnemoscope.store.capture.rule_files import default_rules
from mnemoscope.store.files.atomic import make_directory
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.disk import Disk, InlineDisk
from mnemoscope.store.forgetting.rejected_texts import RejectedTexts
from mnemoscope.store.forgetting.rejections import Rejections
from mnemoscope.store.forgetting.tombstones_file import Tombstones, tombstones_of_this_person
from mnemoscope.store.logs.history_append import append_history_entry
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.memory.proposal_inbox import ProposalInbox
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.output_modes_file import OutputModesFile
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.write_access import WriteAccess

log = logging.getLogger(__name__)


class MemoryStore:
    """Holds the memory of one workspace.

    `editing` is what the person and the agent's tools write memory files with, `corrections` what the person rewords
    entries of the history with, `captures` what they say that is kept at once, `proposals` what programs outside
    propose, `dream` Dream's side of it, `ledger` what was done and what waits for the person, `rejected_meanings` what
    knows a rejected fact by its meaning. `forgettings` takes words out of everything; `outside` the workspace it only
    searches.

    The synchronous methods, named as in nanobot and Qanot, work at once on the caller's thread; the asynchronous ones
    use `disk`. With `read_only` nothing is written and consolidation does not run. `keys`: those that are masked in
    whatever a model wants to be kept. `zone`: the IANA name of the person's time zone, "" for the system's. `paths`: of
    the workspace, None for as its files lie. `tombstones`: what the person had forgotten, None for as this person's key
    tells.
    """

    def __init__(
        self,
        workspace: Path,
        *,
        paths: WorkspacePaths | None = None,
        sessions: SessionManager | None = None,
        disk: Disk | None = None,
        bus: EventBus | None = None,
        read_only: bool = False,
        clock: Callable[[], datetime] = datetime.now,
        calls: FileCalls = REAL_CALLS,
        keys: Callable[[], Collection[str]] = frozenset,
        zone: Callable[[], str] = str,
        tombstones: Tombstones | None = None,
        outside: Sequence[Path] = (),
    ) -> None:
        paths = self._paths = paths or WorkspacePaths.found(workspace)
        self.memory_dir = paths.memory_dir
        self.memory_file = paths.memory_file
        self.history_file = paths.history_file
        sessions = sessions or SessionManager(workspace, read_only=read_only)
        disk = disk or InlineDisk()
        announce = bus.publish if bus is not None else _ignore_event
        self.tombstones = tombstones or tombstones_of_this_person(paths, calls=calls)
        self._calls = calls
        self._clock = clock
        self._access = WriteAccess(workspace, read_only)
        self.rejections = Rejections(
            self.tombstones.beside(paths.own.rejected_file),
            self.tombstones.beside(paths.own.rejected_removals_file),
            RejectedTexts(paths.own.rejected_facts_file, calls=calls),
        )
        self.rejected_meanings = RejectedMeanings(self.rejections, disk)
        self.ledger = Ledger(paths, calls=calls, split=self.rejections.split)
        self._versions = TextVersions(paths.own.text_versions_dir, calls=calls)
        self._journal = Journal(paths, clock=clock, calls=calls)
        self.files = MemoryFiles(
            paths,
            self._versions,
            self.ledger,
            finish_pending=lambda: self._transactions.recover(),
            clock=clock,
            calls=calls,
            tombstones=self.tombstones,
            rejections=self.rejections,
            half_undone=lambda: self.forgettings.half_undone(),
        )
        self._transactions = Transactions(
            paths, self.ledger, self.files, self._versions, sessions, outside=outside, calls=calls
        )
        self.captures = Captures(
            paths,
            self.files.memory,
            sessions.stem_of,
            disk=disk,
            announce=announce,
            waiting=lambda: len(self.ledger.suggestions()),
            session_of=sessions.load,
            read_only=read_only,
            clock=clock,
            calls=calls,
            keys=keys,
            zone=zone,
        )
        self.forgettings = ForgettingTransactions(
            paths,
            self.ledger,
            self.files,
            self._transactions,
            reread=self.captures.reread,
            tombstones=self.tombstones,
            outside=outside,
            clock=clock,
            calls=calls,
        )
        self.editing = MemoryEditing(
            self.files,
            self.ledger,
            self._access,
            disk=disk,
            announce=announce,
            clock=clock,
            keys=keys,
            undone=self.captures.change_undone,
            compare=self.rejected_meanings.compare,
            transact=self._transactions.run,
            finish=lambda: self._transactions.recover().intent,
        )
        self.corrections = EntryCorrections(
            paths,
            self.ledger,
            self.files,
            self._access,
            disk=disk,
            announce=announce,
            clock=clock,
            transact=self._transactions.run,
            finish=lambda: self._transactions.recover().intent,
        )
        self.proposals = ProposalIntake(
            paths, ProposalInbox(paths, calls=calls), self.files, self.ledger, self._access, keys=keys, clock=clock
        )
        modes = OutputModes(OutputModesFile(paths.own.model_modes_file, calls=calls), disk)
        self.dream = DreamMemory(
            paths,
            self.ledger,
            self.files,
            self._transactions,
            self._journal,
            disk=disk,
            modes=modes,
            clock=clock,
            calls=calls,
            keys=keys,
            said=EntrySources(paths, self.ledger, sessions),
            compare=self.rejected_meanings.compare,
        )
        self.strategies = StrategyChoice(
            paths,
            TwoLayerStrategy(
                history_file=paths.history_file,
                keys=keys,
                clock=clock,
                modes=modes,
                disk=disk,
                is_forgotten=self.files.is_forgotten,
                others=partial(self.files.other_facts, MEMORY_PATH),
                rejected=self.files.rejections_for_prompt,
                compare=self.rejected_meanings.compare,
            ),
            JournalStrategy(self._journal, keys, modes, disk, self.files.is_forgotten),
        )
        self._consolidator = Consolidator(
            self.ledger,
            self.files.memory.file,
            self._transactions,
            self.strategies.current,
            disk=disk,
            announce=announce,
            clock=clock,
            is_forgotten=self.files.is_forgotten,
        )
        if not read_only:
            # As in nanobot, the folder is made by itself. Where it cannot be, the first write says why.
            with suppress(StorageError):
                make_directory(self.memory_dir, calls=calls)

    def last_consolidation(self, session_key: str) -> LastConsolidation:
        """Returns how the last consolidation of a conversation ended."""
        return self._consolidator.last(session_key)

    def running_consolidation(self, session_key: str) -> RunningConsolidation | None:
        """Returns the consolidation of a conversation that a model is asked for, or None if there is none."""
        return self._consolidator.running(session_key)

    def being_consolidated(self) -> tuple[str, ...]:
        """Returns the conversations that a model is consolidating."""
        return self._consolidator.conversations()

    def read_long_term(self) -> str:
        """Returns the text of MEMORY.md, "" where there is none. Raises UnreadableFile."""
        return self.editing.read_text().text

    def write_long_term(self, content: str) -> None:
        """Replaces MEMORY.md, whatever it says; the text before stays among the versions. Raises StorageError."""
        self._access.require()
        self.files.memory.overwrite(content)
        notify_hooks(content, self.memory_file.name)

    def append_history(self, entry: str) -> int | None:
        """Adds an entry to the history log in force: to HISTORY.md with a date, if it has none, and a blank line, or to
        history.jsonl, whose cursor is then returned. Raises StorageError."""
        self._access.require()
        cursor = None
        if self.strategies.is_journal():
            cursor = self._journal.append(entry)
        else:
            make_directory(self.memory_dir, calls=self._calls)
            # An entry without a date would be a paragraph of the one before it.
            dated = entry if entry_time(entry) else dated_entry(entry, (), self._clock())
            append_history_entry(self.history_file, dated, calls=self._calls)
        notify_hooks(entry, HISTORY_PATH if cursor is None else JOURNAL_PATH)
        return cursor

    def get_memory_context(self) -> str:
        """Returns MEMORY.md under the heading `## Long-term Memory`, without the lines that came back though the person
        had them forgotten; "" if nothing is left. Raises UnreadableFile."""
        text, _ = without_forgotten(self.read_long_term(), self.files.forgotten_now())
        return f"## Long-term Memory\n{text}" if text.strip() else ""

    async def consolidate(
        self,
        session: Conversation,
        provider: Any,
        model: str,
        *,
        archive_all: bool = False,
        memory_window: int = 50,
    ) -> bool:
        """Consolidates what is older than the newest `memory_window // 2` messages, or everything with `archive_all`.

        True where it succeeded or there is nothing to do; False, with `last_consolidation` and an event saying why,
        where nothing (more) was written. Raises nothing but CancelledError: before the commit point, with nothing done.
        """
        plan = window_plan(memory_window, archive_all=archive_all)
        return await self.consolidate_part(session, provider, model, plan)

    async def consolidate_part(self, session: Conversation, provider: Any, model: str, plan: Plan) -> bool:
        """Consolidates the messages `plan` names when its turn comes, in the way that is in force. Otherwise as
        `consolidate`."""
        if self._access.read_only or not _may_remember(session):
            log.warning("neither a workspace that is open for looking only nor a discreet conversation is consolidated")
            return False
        return await self._consolidator.consolidate(session, provider, model, plan)

    async def archive_raw(self, session: Conversation, *, memory_window: int = 50, plan: Plan | None = None) -> bool:
        """Archives what would be consolidated as it is, without a model: one entry marked [RAW]. Otherwise as
        `consolidate`.

        `plan`: which messages, where it is not the window that says so.
        """
        self._access.require()
        if not _may_remember(session):
            return False
        return await self._consolidator.archive_raw(session, plan or window_plan(memory_window))

    def recover(self) -> list[str]:
        """Finishes what a crash left unfinished; returns a sentence for each thing. It is called when a workspace
        opens.

        Raises StorageError where the disk does not let it; nothing is lost then, and the next call tries again.
        """
        if self._access.read_only:
            return []
        recovered = self._recover(None, opening=True)
        self.forgettings.finish_undoing()
        return list(recovered.sentences)

    def finish_pending(self, session: Conversation | None = None) -> None:
        """Rolls forward what a refusing disk left unfinished, before something else is begun. Raises StorageError."""
        if not self._access.read_only:
            self._recover(session)

    def _recover(self, session: Conversation | None, *, opening: bool = False) -> Recovered:
        recovered = self._transactions.recover(session, opening=opening)
        self.dream.add_missing_record()
        return recovered

    def read_unprocessed_history(self, since_cursor: int) -> list[dict[str, Any]]:
        """Returns the journal's entries after a cursor, oldest first, as nanobot does: `cursor`, `timestamp`,
        `content`, and `session_key` if the entry names a conversation. Raises UnreadableFile."""
        return [entry.as_mapping() for entry in self._journal.after(since_cursor).entries]

    def get_last_dream_cursor(self) -> int:
        """Returns the number of the last entry Dream has read, 0 for none."""
        return self._journal.dream_cursor().value

    def set_last_dream_cursor(self, cursor: int) -> None:
        """Notes what Dream has read. Raises StorageError."""
        self._access.require()
        self._journal.set_dream_cursor(cursor)

    def committer(self) -> Committer:
        """Returns what makes a git commit of each change of a memory file. Its methods block on the disk."""
        return Committer(self._paths, self._versions, self.files.tracked_changes, calls=self._calls)

    def records(self, session: Conversation) -> list[ConsolidationRecord]:
        """Returns which of the session's messages became which entry, in order of messages.

        From the ledger; what it does not cover, as in a workspace another program wrote, is inferred from times.
        """
        known = self.ledger.records(session.key)
        return traced_records(session, known, partial(known_history, self._paths))


def wal_scan(text: str) -> list[Capture]:
    """Returns what is worth keeping in a person's message, in order; `[]` for most of what people say."""
    return captures_in(text, default_rules())


def wal_write(entries: Sequence[Capture], workspace_dir: Path | str, user_id: str = "") -> None:
    """Keeps captures durably: each in SESSION-STATE.md, what lasts in MEMORY.md too, once. Raises StorageError.

    In a folder that is empty, or not there yet, MEMORY.md is begun in the root, where Qanot reads it.
    """
    root = Path(workspace_dir)
    paths = WorkspacePaths.found(root)
    with suppress(OSError):
        if not root.exists() or not any(root.iterdir()):
            paths = WorkspacePaths(root, memory_at_root=True)
    MemoryStore(root, paths=paths).captures.writer.write(entries, user_id)


def _may_remember(session: Conversation) -> bool:
    """Returns whether memory may take anything from a conversation."""
    return not isinstance(session, Session) or session.discretion.permits(Trace.CONSOLIDATION)


def _ignore_event(_event: Event) -> None:
    """Ignores an event: the default where nobody listens."""
