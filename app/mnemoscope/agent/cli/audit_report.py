"""Describes what an audit found, whichever program made the folder: plain values, which the JSON form spells out."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class AuditedGroup:
    """Holds messages [start, stop) and the history entry they became."""

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
    """The outcome of its facts, in the words of the card in the window; "" where it had none."""


@dataclass(frozen=True, slots=True)
class AuditedDamage:
    """Describes a record that could not be read: line and byte offset in its file, length in bytes, and why."""

    line: int
    offset: int
    length: int
    reason: str


@dataclass(frozen=True, slots=True)
class AuditedBranch:
    """Describes another way that a conversation went, from message `start` on: `messages` are not in the active branch,
    `deleted` of them deleted, `groups` are the entries that these alone became. Nothing of it is consolidated any more,
    unless it is gone back to."""

    began: str
    file: str
    start: int
    messages: int
    groups: tuple[AuditedGroup, ...]
    deleted: int = 0


@dataclass(frozen=True, slots=True)
class AuditedSession:
    """Describes one conversation. `messages` and `last_consolidated` count each message that has a number, also those
    that are deleted, which `deleted` and `deleted_consolidated` count. `until_next`: messages, None where no count of
    them leads to a consolidation. `unexplained` counts consolidated messages that no entry accounts for, but none
    that is deleted. `branches` counts the other ways it went, which `other_branches` describes where their entries are
    known, and `compactions` how often what was said left the context. `role` is main, subagent or archive."""

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
    branches: int = 0
    compactions: int = 0
    other_branches: tuple[AuditedBranch, ...] = ()
    role: str = "main"
    deleted: int = 0
    deleted_consolidated: int = 0


@dataclass(frozen=True, slots=True)
class AuditedMemoryFile:
    """Describes a memory file. `role` is a word for what it is there for, `entries` counts what the store itself
    separates in it, and `loaded_characters` how many of its characters a prompt holds."""

    path: str
    role: str
    entries: int
    characters: int
    loaded_characters: int


@dataclass(frozen=True, slots=True)
class AuditedLine:
    """Describes a line of a memory file, counted from 1, with the conversation that wrote it and the person's message
    it rests on. `outside`: no conversation that is known wrote it. `unknown`: it cannot be told whether one did.
    `commit` is the one that brought a line which no conversation wrote, its short id and subject, where the store keeps
    commits. `by_person`: the person wrote it in the editor."""

    path: str
    line: int
    text: str
    session: str
    message_text: str
    outside: bool
    unknown: bool = False
    commit: str = ""
    by_person: bool = False


@dataclass(frozen=True, slots=True)
class Audit:
    """Holds everything an audit found. `workspace` is the root of the store, and paths are relative to it. `kind` is
    workspace (our own), peer (nanobot's or Qanot's) or store (another agent's), of which `store` names the format.

    `closed`: consolidations of conversations that /new put into the archive. `words_go_to` says where its settings
    send words, once a person agreed; nothing where they stay on this computer. What another agent's store does not
    have is empty or 0. `lines` is None where nobody asked for them.
    """

    workspace: str
    kind: str
    store: str
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
    memory_files: tuple[AuditedMemoryFile, ...]
    unknown_records: int
    problems: tuple[str, ...]
    lines: tuple[AuditedLine, ...] | None = None

    @property
    def is_damaged(self) -> bool:
        """Tells whether anything could not be read."""
        return bool(self.problems) or any(each.damage or each.problem for each in self.sessions)


def audit_as_json(found: Audit) -> dict[str, Any]:
    """Returns the audit as plain values, with `damaged` saying what the exit code says, and `lines` only where they
    were asked for."""
    record = {**asdict(found), "damaged": found.is_damaged}
    if found.lines is None:
        del record["lines"]
    return record
