"""`mnemoscope audit PATH [--json] [--lines]`: what is in a workspace or in another agent's store, what became of what
was said, which message a line of memory rests on, what is damaged.

Reads only: nothing in the folder is written, not even a lock. Needs no Qt and no model.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path
from typing import Final, TextIO, TypeVar

from mnemoscope.agent.cli.audit_report import (
    Audit,
    AuditedBranch,
    AuditedDamage,
    AuditedGroup,
    AuditedSession,
    audit_as_json,
)
from mnemoscope.agent.cli.audit_text import audit_text
from mnemoscope.agent.cli.foreign_audit import audit_store
from mnemoscope.agent.cli.workspace_memory import (
    WorkspaceMemory,
    is_of_peer,
    program_of,
    unknown_records,
    workspace_of_home,
)
from mnemoscope.agent.commits.memory_blame import MemoryBlame
from mnemoscope.agent.prompt.context_builder import RUNTIME_TAG
from mnemoscope.domain.consolidation.planning import waiting_count
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.fact_outcomes import FactOutcomes
from mnemoscope.domain.settings import TWO_LAYER, Settings
from mnemoscope.llm.destination import Destination, destinations, distinct_destinations
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.memory.search.recall import read_history
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.foreign.store_formats import open_store
from mnemoscope.store.git.commit_history import CommitHistory
from mnemoscope.store.logs.capture_log import CaptureLog
from mnemoscope.store.logs.prompt_log import PromptLog
from mnemoscope.store.sessions.archive import SessionArchive
from mnemoscope.store.sessions.branches import StoredBranch
from mnemoscope.store.sessions.file_format.message_log import deleted_in
from mnemoscope.store.sessions.file_format.names import lookup_names
from mnemoscope.store.sessions.known_conversations import KnownConversations
from mnemoscope.store.sessions.overview import SessionOverview
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.nanobot_home import nanobot_home, unclaimed_home
from mnemoscope.store.workspace.settings_store import SettingsStore
from mnemoscope.store.workspace.workspace import Workspace, inspect_workspace, open_workspace

Read = TypeVar("Read")
_FINE: Final = 0
_DAMAGE_FOUND: Final = 1
_NOT_A_WORKSPACE: Final = 2
_ALL: Final = 1_000_000
_AROUND_CLOSING: Final = timedelta(minutes=1)
"""The time after the closing of a conversation in which something may still be noted of it."""
_CONVERSATION: Final = re.compile(r"(?:\\n|\n)Conversation: (.+?)(?:\\n|\n)")
"""In a prompt's newest message, which is kept as JSON."""


def main(argv: Sequence[str] | None = None, out: TextIO | None = None) -> int:
    """Prints the audit and returns 0: fine, 1: damage found, 2: neither a workspace nor a store that can be read."""
    parser = argparse.ArgumentParser(
        prog="mnemoscope audit",
        description="Show what a workspace, or another agent's store, remembers, and where it came from. Changes "
        "nothing.",
    )
    parser.add_argument("workspace", type=Path, metavar="PATH", help="the folder to look at")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    parser.add_argument("--lines", action="store_true", help="tell of each line of memory the message it rests on")
    options = parser.parse_args(argv)
    stream = out or sys.stdout
    found = _audit_of(options.workspace, lines=options.lines)
    if found is None:
        print(f"{inspect_workspace(options.workspace).sentence} There is nothing to audit.", file=sys.stderr)
        return _NOT_A_WORKSPACE
    report = audit_as_json(found)
    text = json.dumps(report, ensure_ascii=False, indent=2) if options.json else audit_text(report)
    stream.write(text.encode("utf-8", "replace").decode() + "\n")
    return _DAMAGE_FOUND if found.is_damaged else _FINE


def _audit_of(path: Path, *, lines: bool = False) -> Audit | None:
    """Returns the audit of a workspace or of another agent's store; None where a folder is neither.

    Our own workspaces come first. A folder that may be nanobot's, Qanot's or another agent's is a peer's if it holds
    what only these two write; their Markdown files have the same names. Of nanobot's own folder it is the workspace in
    it that is looked at.
    """
    report = inspect_workspace(path)
    if report.kind != "workspace" and (inside := workspace_of_home(report.root)) is not None:
        report = inspect_workspace(inside)
    is_peer = report.kind == "peer"
    if report.kind != "workspace" and not (is_peer and is_of_peer(report.root)):
        store = open_store(report.root)
        if store is not None:
            with closing(store):
                return audit_store(store, lines=lines)
    return audit(report.root, lines=lines) if is_peer or report.kind == "workspace" else None


def audit(root: Path, *, lines: bool = False) -> Audit:
    """Looks at everything in a workspace, with the source of each `line` if wanted; writes nothing. Raises
    NotAWorkspace."""
    with open_workspace(root, read_only=True) as workspace:
        return _Auditor(workspace).audit(lines=lines)


class _Auditor:
    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.paths = workspace.paths
        self.sessions = SessionManager(workspace.root, read_only=True)
        self.memory = MemoryStore(workspace.root, sessions=self.sessions, read_only=True)
        self.ledger = Ledger(workspace.paths)
        self.problems: list[str] = []
        store = SettingsStore(workspace.paths, profile=workspace.report.profile, read_only=True)
        self.settings: Settings = store.load()
        self.problems += store.complaints
        memory = self._read(self.memory.read_long_term, None)
        self.outcomes = FactOutcomes(
            self._read(self.memory.editing.changes, []), self.ledger.suggestion_states(), memory=memory
        )
        self.memory_characters = len(memory or "")

    def audit(self, *, lines: bool) -> Audit:
        sessions = tuple(self._session(overview) for overview in self.sessions.overviews())
        self.problems += self._not_shown(sessions)
        report = self.workspace.report
        history = self._read(lambda: len(read_history(self.paths)), 0)
        entries, cursor, waiting = self._read(self._journal, (0, 0, 0))
        memory = WorkspaceMemory(self.paths, self.settings, is_own=report.kind == "workspace")
        return Audit(
            workspace=str(report.root),
            kind=report.kind,
            store=program_of(report),
            profile=self.settings.profile,
            words_go_to=tuple(map(_place_words, distinct_destinations(destinations(self.settings).values()))),
            in_use_by=report.in_use_by,
            memory_window=self.settings.memory_window,
            memory_file=self.paths.name_on_disk(MEMORY_PATH),
            memory_characters=self.memory_characters,
            history_entries=history,
            waiting_suggestions=len(self.memory.ledger.suggestions()),
            journal_entries=entries,
            dream_cursor=cursor,
            dream_waiting=waiting,
            dream_runs=len(self.memory.dream.runs.newest(_ALL)),
            versions=self._read(self._versions, 0),
            unfinished=self.paths.own.intent_file.exists(),
            sessions=sessions,
            closed=self._closed(sessions),
            memory_files=memory.files,
            unknown_records=sum(map(unknown_records, self._session_files(sessions))),
            lines=memory.lines(MemoryBlame(self.paths, self.memory, self.sessions), self.sessions) if lines else None,
            problems=tuple(dict.fromkeys((*self.problems, *memory.problems))),
        )

    def _not_shown(self, sessions: Sequence[AuditedSession]) -> Iterator[str]:
        """Yields a sentence for each conversation that there was and that is not shown."""
        home = nanobot_home(self.paths.root)
        if unclaimed := unclaimed_home(self.paths.root):
            yield unclaimed
        for path in home.conflicts() if home is not None else ():
            yield f"nanobot put a file aside when it found two of one conversation; it is not shown here: {path}."
        archived: dict[str, str] = {}
        for each in SessionArchive(self.paths.archive_dir).overviews():
            # What went on after /new is not in the archive; the moments around it belong to what was closed.
            until = (each.closed_at.replace(tzinfo=None) + _AROUND_CLOSING).isoformat()
            archived[each.key] = max(until, archived.get(each.key, ""))
        kept = {each.key for each in sessions} | {each.trashed.key for each in self.sessions.moves.trashed()}
        # What cannot be read is there, and may state another key than its name suggests.
        unread = {Path(each.file).name for each in sessions if each.problem}
        listed = KnownConversations(self.paths.own.known_conversations_file).load()
        spoken = self._spoken_of()
        for key in sorted(spoken.keys() | listed.known.keys()):
            closed = key in listed.deleted or (key in archived and spoken.get(key, "") <= archived[key])
            if key in kept or (key not in listed.known and closed) or not unread.isdisjoint(lookup_names(key)):
                continue
            yield f"The conversation {key} is not here any more: its file is gone, in the archive and the trash too."

    def _spoken_of(self) -> dict[str, str]:
        """Returns the keys of the conversations that the records of this workspace tell of, each with the newest time
        at which something was said in it, in naive local ISO 8601, or "" where no record says."""
        captures, prompts = CaptureLog(self.paths), PromptLog(self.paths.own.prompts_dir)
        spoken: dict[str, str] = {}

        def note(key: str, when: str) -> None:
            if key:
                spoken[key] = max(when, spoken.get(key, ""))

        with suppress(MnemoscopeError):
            for each in captures.newest_first():
                note(each.session_key, each.when)
            for intent in self.ledger.finished():
                note(intent.session_key, "")
            for when, texts in prompts.newest_texts():
                note(_conversation_in(texts), when)
            return spoken
        return {}

    def _read(self, read: Callable[[], Read], otherwise: Read) -> Read:
        """Returns what is read; where it cannot be, why is a problem, and `otherwise` stands for it."""
        try:
            return read()
        except MnemoscopeError as error:
            self.problems.append(str(error))
            return otherwise

    def _journal(self) -> tuple[int, int, int]:
        """Returns how many entries there are, the number of the last one Dream has read, and how many wait for it."""
        dream = self.memory.dream
        found = dream.journal.count(), dream.journal.dream_cursor().value, dream.unread.waiting().count
        self.problems += dream.problems()
        return found

    def _versions(self) -> int:
        with closing(CommitHistory(self.paths, keep_index=False)) as history:
            return history.count()

    def _session(self, overview: SessionOverview) -> AuditedSession:
        groups: tuple[AuditedGroup, ...] = ()
        damage: tuple[AuditedDamage, ...] = ()
        complaints: tuple[str, ...] = ()
        branches: tuple[AuditedBranch, ...] = ()
        problem, total, pointer = overview.problem, overview.count, overview.last_consolidated
        window, waiting = self.settings.memory_window, total - pointer
        deleted: list[int] = []
        try:
            session = None if problem else self.sessions.load(overview.key)
            if session is not None:
                total, pointer = len(session.messages), session.last_consolidated
                deleted = deleted_in(session.messages)
                waiting = waiting_count(session.messages.__getitem__, total, pointer, window)
                groups = tuple(map(self._group, self.memory.records(session)))
                damage = tuple(
                    AuditedDamage(each.line, each.offset, each.length, each.reason)
                    for each in self.sessions.health.verify(session)
                )
                complaints = tuple(self.sessions.health.complaints(overview.key))
                branches = tuple(self._branch(session, each, groups) for each in self.sessions.branches.others(session))
        except MnemoscopeError as error:
            problem = error.sentence
        in_groups = sum(_count_left(deleted, each.start, each.stop) for each in groups)
        return AuditedSession(
            key=overview.key,
            title=overview.title,
            file=path_within(overview.path, self.workspace.root),
            created_at=overview.created_at.isoformat(),
            updated_at=overview.updated_at.isoformat(),
            messages=total,
            last_consolidated=pointer,
            until_next=max(0, window - waiting) if self.settings.profile == TWO_LAYER else None,
            groups=groups,
            unexplained=_count_left(deleted, 0, pointer) - in_groups,
            damage=damage,
            complaints=complaints,
            problem=problem,
            branches=len(branches),
            # A peer keeps no count: where its pointer moved and no entry is known, it did so once at least.
            compactions=max(len(groups), int(pointer > 0)),
            other_branches=branches,
            deleted=len(deleted),
            deleted_consolidated=bisect_left(deleted, pointer),
        )

    def _branch(self, session: Session, stored: StoredBranch, audited: Sequence[AuditedGroup]) -> AuditedBranch:
        """Returns what of a branch is its own: what it shares with the active one, or came out of, is told there."""
        branch, entries = stored.branch, {group.entry for group in audited}
        start, began = max(branch.own_start, branch.shared_with(session.branch) or 0), branch.began
        ours = (each for each in self.ledger.records(session.key) if each.session_created_at == began)
        records = [each for each in ours if each.stop > start and each.entry not in entries]
        return AuditedBranch(
            began=began,
            file=path_within(stored.path, self.workspace.root),
            start=start,
            messages=stored.count - start,
            groups=tuple(map(self._group, records)),
            deleted=sum(number >= start for number in deleted_in(self.sessions.branches.messages_of(session, began))),
        )

    def _closed(self, sessions: Sequence[AuditedSession]) -> tuple[AuditedGroup, ...]:
        shown = {group.entry for session in sessions for group in session.groups}
        shown |= {group.entry for session in sessions for branch in session.other_branches for group in branch.groups}
        return tuple(self._group(record) for record in self.ledger.records() if record.entry not in shown)

    def _group(self, record: ConsolidationRecord) -> AuditedGroup:
        found = self.outcomes.of(record)
        return AuditedGroup(
            start=record.start,
            stop=record.stop,
            when=record.when,
            entry=record.entry,
            facts_added=record.facts_added,
            facts_removed=record.facts_removed,
            memory_changed=record.memory_changed,
            held_for_review=record.held_for_review,
            inferred=record.inferred,
            outcome=found.outcome.value if found else "",
        )

    def _session_files(self, sessions: Sequence[AuditedSession]) -> Iterator[Path]:
        """Yields the files of the conversations, those of their other branches too."""
        for each in sessions:
            yield self.paths.root / each.file
            yield from (self.paths.root / branch.file for branch in each.other_branches)


def _count_left(deleted: Sequence[int], start: int, stop: int) -> int:
    """Returns how many of the messages [start, stop) are there, without those that are deleted."""
    return stop - start - (bisect_left(deleted, stop) - bisect_left(deleted, start))


def _conversation_in(texts: Iterable[str]) -> str:
    """Returns the key of the conversation that a request was of, "" where it does not say."""
    found = (_CONVERSATION.search(text) for text in texts if RUNTIME_TAG in text)
    return next((match[1] for match in found if match), "")


def _place_words(place: Destination) -> str:
    if place.kind == "unclear":
        return f"an address that cannot be told ({place.address!r}), so nothing is sent there"
    if place.kind == "nowhere":
        return f"nobody: {place.name} only searches by meaning"
    name = "a server on this computer" if place.kind == "this computer" else place.name
    return f"{name} ({place.address})" if place.address else name
