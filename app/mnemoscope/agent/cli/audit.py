"""`mnemoscope audit WORKSPACE [--json]`: what is in a workspace, what became which entry, what is damaged.

Reads only: nothing in the workspace is written, not even a lock. Needs no Qt and no model.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, TextIO

from mnemoscope.agent.prompt.context_builder import RUNTIME_TAG
from mnemoscope.domain.consolidation.planning import waiting_count
from mnemoscope.domain.conversation.message import message_range
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryChange
from mnemoscope.domain.memory.outcomes import Outcomes
from mnemoscope.domain.memory.records import ConsolidationRecord
from mnemoscope.domain.settings import TWO_LAYER, Settings
from mnemoscope.llm.destination import Destination, destinations, distinct
from mnemoscope.memory.search.recall import read_history
from mnemoscope.memory.store import MemoryStore
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.journals.capture_log import CaptureLog
from mnemoscope.store.journals.prompt_log import PromptLog
from mnemoscope.store.sessions.archive import SessionArchive
from mnemoscope.store.sessions.branches import StoredBranch
from mnemoscope.store.sessions.known_conversations import KnownConversations
from mnemoscope.store.sessions.names import lookup_names
from mnemoscope.store.sessions.overview import SessionOverview
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.nanobot_home import nanobot_home, unclaimed_home
from mnemoscope.store.workspace.settings_store import SettingsStore
from mnemoscope.store.workspace.workspace import Workspace, inspect_workspace, open_workspace

FINE: Final = 0
DAMAGE_FOUND: Final = 1
NOT_A_WORKSPACE: Final = 2
_ALL: Final = 1_000_000
_AROUND_CLOSING: Final = timedelta(minutes=1)
"""How long after a conversation was closed something may still be noted of it."""
WIDTH: Final = 100
_INDENT: Final = "    "
_CONVERSATION: Final = re.compile(r"(?:\\n|\n)Conversation: (.+?)(?:\\n|\n)")
"""In a prompt's newest message, which is kept as JSON."""


@dataclass(frozen=True, slots=True)
class AuditedGroup:
    """Messages [start, stop) and the history entry they became."""

    start: int
    stop: int
    when: str
    entry: str
    facts_added: tuple[str, ...]
    facts_removed: tuple[str, ...]
    memory_changed: bool
    held_for_review: bool
    inferred: bool
    outcome: str
    """What became of its facts, as the card in the window says it; "" where it had none."""


@dataclass(frozen=True, slots=True)
class AuditedDamage:
    """A record that could not be read: line and byte offset in its file, length in bytes, and why."""

    line: int
    offset: int
    length: int
    reason: str


@dataclass(frozen=True, slots=True)
class AuditedBranch:
    """Another way that a conversation went, from message `start` on: `messages` are not in the active branch, `groups`
    are the entries that these alone became. Nothing of it is consolidated any more, unless it is gone back to."""

    began: str
    file: str
    start: int
    messages: int
    groups: tuple[AuditedGroup, ...]


@dataclass(frozen=True, slots=True)
class AuditedSession:
    """One conversation. `until_next`: messages, None where no count of them leads to a consolidation. `unexplained`
    counts settled messages that no entry accounts for. `branches`: the other ways it went."""

    key: str
    title: str
    file: str
    created_at: str
    updated_at: str
    messages: int
    last_consolidated: int
    until_next: int | None
    groups: tuple[AuditedGroup, ...]
    unexplained: int
    damage: tuple[AuditedDamage, ...]
    complaints: tuple[str, ...]
    problem: str = ""
    branches: tuple[AuditedBranch, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """Everything an audit found. `closed`: consolidations of conversations that /new put into the archive.
    `words_go_to` says where its settings send words, once a person agreed; nothing where they stay on this computer."""

    workspace: str
    kind: str
    profile: str
    words_go_to: tuple[str, ...]
    in_use_by: str
    memory_window: int
    memory_file: str
    memory_characters: int
    history_entries: int
    waiting_suggestions: int
    journal_entries: int
    dream_cursor: int
    dream_waiting: int
    dream_runs: int
    versions: int
    unfinished: bool
    sessions: tuple[AuditedSession, ...]
    closed: tuple[AuditedGroup, ...]
    problems: tuple[str, ...]

    @property
    def is_damaged(self) -> bool:
        """Tells whether anything could not be read."""
        return bool(self.problems) or any(each.damage or each.problem for each in self.sessions)


def main(argv: Sequence[str] | None = None, out: TextIO | None = None) -> int:
    """Prints the audit and returns 0: fine, 1: damage found, 2: not a workspace."""
    parser = argparse.ArgumentParser(
        prog="mnemoscope audit", description="Show what a workspace remembers, and where it came from. Changes nothing."
    )
    parser.add_argument("workspace", type=Path, help="the folder to look at")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    options = parser.parse_args(argv)
    stream = out or sys.stdout
    report = inspect_workspace(options.workspace)
    if report.kind not in {"workspace", "peer"}:
        print(f"{report.sentence} There is nothing to audit.", file=sys.stderr)
        return NOT_A_WORKSPACE
    found = audit(report.root)
    text = json.dumps(as_json(found), ensure_ascii=False, indent=2) if options.json else audit_text(as_json(found))
    stream.write(text.encode("utf-8", "replace").decode() + "\n")
    return DAMAGE_FOUND if found.is_damaged else FINE


def audit(root: Path) -> Audit:
    """Looks at everything in a workspace, and writes nothing. Raises NotAWorkspace."""
    with open_workspace(root, read_only=True) as workspace:
        return _Auditor(workspace).audit()


def as_json(found: Audit) -> dict[str, Any]:
    """Returns the audit as plain values, with `damaged` saying what the exit code says."""
    return {**asdict(found), "damaged": found.is_damaged}


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
        memory = self._memory_text()
        self.outcomes = Outcomes(self._changes(), self.ledger.suggestion_states(), memory=memory)
        self.memory_characters = len(memory or "")

    def audit(self) -> Audit:
        sessions = tuple(self._session(overview) for overview in self.sessions.overviews())
        self.problems += self._not_shown(sessions)
        report = self.workspace.report
        return Audit(
            workspace=str(report.root),
            kind=report.kind,
            profile=self.settings.profile,
            words_go_to=tuple(map(_place_words, distinct(destinations(self.settings).values()))),
            in_use_by=report.in_use_by,
            memory_window=self.settings.memory_window,
            memory_file=self.paths.name_on_disk(MEMORY_PATH),
            memory_characters=self.memory_characters,
            history_entries=len(read_history(self.paths)),
            waiting_suggestions=len(self.memory.ledger.suggestions()),
            **self._journal(),
            dream_runs=len(self.memory.dream.runs.newest(_ALL)),
            versions=self._versions(),
            unfinished=self.paths.own.intent_file.exists(),
            sessions=sessions,
            closed=self._closed(sessions),
            problems=tuple(self.problems),
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

    def _memory_text(self) -> str | None:
        try:
            return self.memory.read_long_term()
        except MnemoscopeError as error:
            self.problems.append(error.sentence)
            return None

    def _journal(self) -> dict[str, int]:
        journal = self.memory.dream.journal
        try:
            cursor, entries, waiting = journal.dream_cursor(), journal.count(), self.memory.dream.unread.waiting().count
            self.problems += self.memory.dream.problems()
        except MnemoscopeError as error:
            self.problems.append(error.sentence)
            return {"journal_entries": 0, "dream_cursor": 0, "dream_waiting": 0}
        return {"journal_entries": entries, "dream_cursor": cursor.value, "dream_waiting": waiting}

    def _versions(self) -> int:
        from mnemoscope.store.git.commit_history import CommitHistory

        try:
            with closing(CommitHistory(self.paths, keep_index=False)) as history:
                return history.count()
        except MnemoscopeError as error:
            self.problems.append(error.sentence)
            return 0

    def _session(self, overview: SessionOverview) -> AuditedSession:
        groups: tuple[AuditedGroup, ...] = ()
        damage: tuple[AuditedDamage, ...] = ()
        complaints: tuple[str, ...] = ()
        branches: tuple[AuditedBranch, ...] = ()
        problem, total, pointer = overview.problem, overview.count, overview.last_consolidated
        window, waiting = self.settings.memory_window, total - pointer
        try:
            session = None if problem else self.sessions.load(overview.key)
            if session is not None:
                total, pointer = len(session.messages), session.last_consolidated
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
            unexplained=pointer - sum(each.stop - each.start for each in groups),
            damage=damage,
            complaints=complaints,
            problem=problem,
            branches=branches,
        )

    def _branch(self, session: Session, stored: StoredBranch, told: Sequence[AuditedGroup]) -> AuditedBranch:
        """Returns what of a branch is its own: what it shares with the active one, or came out of, is told there."""
        branch, entries = stored.branch, {group.entry for group in told}
        start, began = max(branch.own_start, branch.shared_with(session.branch) or 0), branch.began
        ours = (each for each in self.ledger.records(session.key) if each.session_created_at == began)
        records = [each for each in ours if each.stop > start and each.entry not in entries]
        return AuditedBranch(
            began=began,
            file=path_within(stored.file.path, self.workspace.root),
            start=start,
            messages=stored.count - start,
            groups=tuple(map(self._group, records)),
        )

    def _closed(self, sessions: Sequence[AuditedSession]) -> tuple[AuditedGroup, ...]:
        shown = {group.entry for session in sessions for group in session.groups}
        shown |= {group.entry for session in sessions for branch in session.branches for group in branch.groups}
        return tuple(self._group(record) for record in self.ledger.records() if record.entry not in shown)

    def _group(self, record: ConsolidationRecord) -> AuditedGroup:
        found = self.outcomes.of(record)
        return AuditedGroup(
            record.start,
            record.stop,
            record.when,
            record.entry,
            record.facts_added,
            record.facts_removed,
            record.memory_changed,
            record.held_for_review,
            record.inferred,
            found.outcome.value if found else "",
        )

    def _changes(self) -> list[MemoryChange]:
        try:
            return self.memory.editing.changes()
        except MnemoscopeError as error:
            self.problems.append(error.sentence)
            return []


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


def audit_text(found: Mapping[str, Any]) -> str:
    """Returns the text for an audit in its JSON form."""
    return "\n".join(_lines(found)).rstrip()


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    yield f"Workspace   {_plain(found['workspace'])}"
    yield f"            {_kind(found)}"
    if found["in_use_by"]:
        yield f"            in use by {_plain(found['in_use_by'])}"
    for place in found["words_go_to"]:
        yield f"Words go    to {_plain(place)}, once a person agreed"
    yield f"Memory      {found['memory_characters']:,} characters in {found['memory_file']}"
    yield f"History     {_count(found['history_entries'], 'entry', 'entries')} in memory/HISTORY.md"
    if found["profile"] == TWO_LAYER:
        yield f"Window      {found['memory_window']:,} messages until a consolidation"
    yield from _dream(found)
    if found["waiting_suggestions"]:
        yield f"Review      {_count(found['waiting_suggestions'], 'proposal waits', 'proposals wait')} for you"
    if found["unfinished"]:
        yield "Unfinished  a consolidation was interrupted; it is finished when the workspace is opened"
    for problem in found["problems"]:
        yield f"Problem     {_plain(problem)}"
    yield ""
    yield from _table(found["sessions"])
    for session in found["sessions"]:
        yield from _session(session)
    if found["closed"]:
        yield ""
        yield "Closed conversations (in sessions/archive/)"
        for group in found["closed"]:
            yield from _group(group)
    yield ""
    yield "Damage was found." if found["damaged"] else "Nothing is damaged."


def _dream(found: Mapping[str, Any]) -> Iterator[str]:
    if found["journal_entries"]:
        entries = _count(found["journal_entries"], "entry", "entries")
        read = f"Dream has read up to {found['dream_cursor']:,}, {found['dream_waiting']:,} to go"
        yield f"Journal     {entries} in memory/history.jsonl; {read}"
    if found["dream_runs"]:
        yield f"Dream       {_count(found['dream_runs'], 'run', 'runs')}"
    if found["versions"]:
        yield f"Versions    {found['versions']:,} of the memory files, in git"


def _kind(found: Mapping[str, Any]) -> str:
    made_by = "made by another program" if found["kind"] == "peer" else "Mnemoscope's own"
    return f"{made_by}, profile {found['profile']}"


def _table(sessions: list[Mapping[str, Any]]) -> Iterator[str]:
    yield f"{'Conversation':<40}{'messages':>10}{'consolidated':>14}{'to go':>8}{'damaged':>10}  changed"
    for session in sessions:
        to_go = "–" if session["until_next"] is None else f"{session['until_next']:,}"
        yield (
            f"{_cut(session['title'] or session['key'], 38):<40}{session['messages']:>10,}"
            f"{session['last_consolidated']:>14,}{to_go:>8}{len(session['damage']):>10,}"
            f"  {session['updated_at'][:16].replace('T', ' ')}"
        )
    if not sessions:
        yield "(none)"


def _session(session: Mapping[str, Any]) -> Iterator[str]:
    told = ("groups", "damage", "problem", "complaints", "branches")
    if not any(session[name] for name in told):
        return
    yield ""
    yield _cut(session["title"] or session["key"], WIDTH)
    yield f"{_INDENT}{_plain(session['key'])}  {_plain(session['file'])}"
    if session["problem"]:
        yield f"{_INDENT}could not be read: {_plain(session['problem'])}"
    for group in session["groups"]:
        yield from _group(group)
    if session["unexplained"]:
        unexplained = _count(session["unexplained"], "consolidated message", "consolidated messages")
        yield f"{_INDENT}{unexplained} in no known entry"
    for damage in session["damage"]:
        place = f"line {damage['line']:,}, byte {damage['offset']:,}, {damage['length']:,} bytes"
        yield f"{_INDENT}damaged: {place}: {_plain(damage['reason'])}"
    for complaint in session["complaints"]:
        yield f"{_INDENT}note: {_plain(complaint)}"
    for branch in session["branches"]:
        messages = _count(branch["messages"], "message", "messages")
        yield f"{_INDENT}another branch from message {branch['start'] + 1:,} on: {messages}, {_plain(branch['file'])}"
        for group in branch["groups"]:
            yield from _group(group)


def _group(group: Mapping[str, Any]) -> Iterator[str]:
    notes = [f"+{_count(len(group['facts_added']), 'fact', 'facts')}"] if group["facts_added"] else []
    notes += [f"-{_count(len(group['facts_removed']), 'fact', 'facts')}"] if group["facts_removed"] else []
    notes += [group["outcome"]] if group["outcome"] else []
    notes += ["matched by time"] if group["inferred"] else []
    suffix = f"  ({', '.join(notes)})" if notes else ""
    yield f"{_INDENT}{message_range(group['start'], group['stop'])}{suffix}"
    entry = " ".join(_plain(group["entry"]).split()) or "(no entry)"
    yield from textwrap.wrap(entry, WIDTH, initial_indent=_INDENT * 2, subsequent_indent=_INDENT * 2)


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _cut(text: str, limit: int) -> str:
    text = _plain(text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _plain(text: str) -> str:
    """Returns a text without what a terminal would obey."""
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text)
