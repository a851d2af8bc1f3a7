"""Audits another agent's store through its port, and reports it in the form that an audit of a workspace has."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime

from mnemoscope.agent.cli.audit_report import (
    Audit,
    AuditedDamage,
    AuditedLine,
    AuditedMemoryFile,
    AuditedSession,
)
from mnemoscope.domain.commits import SHORT
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.foreign.edit_replay import line_sources, with_commits
from mnemoscope.domain.foreign.foreign_records import ForeignConversation, ForeignMemoryFile, TranscriptShape
from mnemoscope.domain.foreign.foreign_store import CountsUnknownEntries, ForeignStore, KeepsCommits


def audit_store(store: ForeignStore, *, lines: bool = False) -> Audit:
    """Returns what is in a store; with `lines` the call that wrote each line of its memory."""
    files = store.memory_files()
    sessions, unknown = [], store.unknown_entries() if isinstance(store, CountsUnknownEntries) else 0
    for each in store.conversations():
        session, count = _session(store, each)
        sessions.append(session)
        unknown += count
    line_rows = tuple(_lines(store, files)) if lines else None
    memory = next((each for each in files if each.role in ("memory", "index")), None)
    return Audit(
        workspace=str(store.root),
        kind="store",
        store=store.format_name,
        profile="",
        words_go_to=(),
        in_use_by="",
        memory_window=0,
        memory_file=memory.path if memory else "",
        memory_characters=memory.characters if memory else 0,
        history_entries=0,
        waiting_suggestions=0,
        journal_entries=0,
        dream_cursor=0,
        dream_waiting=0,
        dream_runs=0,
        versions=0,
        unfinished=False,
        sessions=tuple(sessions),
        closed=(),
        memory_files=tuple(map(_memory_file, files)),
        unknown_records=unknown,
        # Asked for last: reading finds what cannot be read.
        problems=tuple(store.problems()),
        lines=line_rows,
    )


def _session(store: ForeignStore, conversation: ForeignConversation) -> tuple[AuditedSession, int]:
    """Returns a conversation, and how many of its records are of no known type."""
    shape, problem = TranscriptShape(b"", array("Q")), ""
    try:
        with closing(store.open(conversation.id)) as transcript:
            shape = transcript.shape
    except MnemoscopeError as error:
        problem = error.sentence
    session = AuditedSession(
        key=conversation.id,
        title=conversation.title,
        file=conversation.path,
        created_at=_moment(conversation.created_at),
        updated_at=_moment(conversation.updated_at),
        messages=shape.messages,
        last_consolidated=shape.last_consolidated,
        until_next=None,
        groups=(),
        unexplained=0,
        damage=tuple(AuditedDamage(0, 0, 0, sentence) for sentence in shape.damage),
        complaints=(),
        problem=problem,
        branches=len(shape.branches),
        compactions=len(shape.compactions),
        role=conversation.role.value,
    )
    return session, shape.unknown_records


def _memory_file(file: ForeignMemoryFile) -> AuditedMemoryFile:
    return AuditedMemoryFile(file.path, file.role, file.entries, file.characters, file.loaded_characters)


def _lines(store: ForeignStore, files: Sequence[ForeignMemoryFile]) -> Iterator[AuditedLine]:
    """Yields the lines of memory, each with the call that gave it its present words."""
    edits = defaultdict(list)
    for edit in store.edits():
        edits[edit.path].append(edit)
    for file in (each for each in files if each.text):
        sources = line_sources(file.path, file.text, edits[file.path])
        if isinstance(store, KeepsCommits):
            sources = with_commits(sources, file.text, store.commits(file.path))
        for each in sources:
            source = each.edit
            yield AuditedLine(
                file.path,
                each.line,
                each.text,
                source.conversation if source else "",
                source.message_text if source else "",
                outside=each.is_outside,
                unknown=each.is_unknown,
                commit=f"{each.commit.id[:SHORT]} {each.commit.subject}".strip() if each.commit is not None else "",
            )


def _moment(when: datetime | None) -> str:
    return when.isoformat() if when else ""
