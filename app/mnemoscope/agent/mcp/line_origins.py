"""Traces a line of MEMORY.md to the messages it rests on, as far as they may be shown to a program outside.

Nothing is given of a conversation that is temporary or writes no memory, of one that was deleted, or of a message that
was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Final

from mnemoscope.domain.conversation.discretion import Discretion, discretion_of, is_temporary
from mnemoscope.domain.conversation.message import SPOKEN_ROLES, Message, is_command, is_deleted, text_of
from mnemoscope.domain.conversation.origin import MODEL, PERSON, origin_of
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.change import CAPTURED_KINDS, MemoryOrigin, author_for_model
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.review.evidence import messages_behind
from mnemoscope.domain.review.review_items import fact_source
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.logs.capture_log import CaptureLog
from mnemoscope.store.sessions.archive import SessionArchive
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths

_MOST_MESSAGES: Final = 500
"""Messages of one consolidation that are looked through."""
_MOST_SPANS: Final = 5


@dataclass(frozen=True, slots=True)
class MessageShown:
    """Describes a message that a line rests on. `number` counts from 1 in the conversation called `title`; `said_by` is
    person, model, or tool or file."""

    title: str
    number: int
    said_by: str
    when: str
    text: str


@dataclass(frozen=True, slots=True)
class LineOrigin:
    """Says where a line comes from: its `author` in words, "" where nobody noted it, and the messages it rests on.
    `is_withheld`: there were some, and none of them may be shown."""

    author: str
    messages: tuple[MessageShown, ...] = ()
    is_withheld: bool = False


@dataclass(frozen=True, slots=True)
class _Span:
    """Messages [start, stop) of the conversation or branch that began at `began`, "" where that is not told."""

    key: str
    began: str
    start: int
    stop: int


class LineOrigins:
    """Looks into one workspace that is open for reading. Blocks on the disk; what is there is read anew by each."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self._paths = paths
        self._sessions = SessionManager(paths.root, read_only=True)
        self._memory = MemoryStore(paths.root, paths=paths, sessions=self._sessions, read_only=True)

    def of(self, line: str) -> LineOrigin:
        """Returns where a line of MEMORY.md comes from. Raises MnemoscopeError."""
        origin = self._memory.files.memory.changes.author_of(line)
        suggestion = self._memory.ledger.settled(origin.detail) if origin.kind == "review" else None
        found: dict[tuple[str, int], MessageShown] = {}
        is_withheld = False
        for span in islice(self._spans(line, origin, suggestion), _MOST_SPANS):
            session = self._session(span)
            if session is None:
                is_withheld = True
                continue
            grounds = _resting_on(line, session, span)
            is_withheld = is_withheld or (not grounds and span.stop - span.start == 1)
            for number, message in grounds:
                found.setdefault((span.key, number), _shown(session, number, message))
        return LineOrigin(_author(origin, suggestion), tuple(found.values()), is_withheld and not found)

    def _spans(self, line: str, origin: MemoryOrigin, suggestion: Suggestion | None) -> Iterator[_Span]:
        if origin.kind in CAPTURED_KINDS:
            for record in CaptureLog(self._paths).newest_first():
                if record.wrote_memory and record.memory_line.strip() == line.strip():
                    yield _Span(record.session_key, record.session_created_at, record.index, record.index + 1)
                    return
        records = self._memory.ledger.records()
        if origin.kind == "dream":
            for each in reversed(records):
                if each.cursor is not None and origin.start <= each.cursor <= origin.stop:
                    yield _Span(each.session_key, each.session_created_at, each.start, each.stop)
            return
        if suggestion is not None and (source := fact_source(suggestion, line)) is not None:
            yield _Span(source.session_key, "", source.start, source.stop)
            return
        place = (suggestion.session_key, suggestion.start, suggestion.stop) if suggestion is not None else None
        place = place or (origin.session_key, origin.start, origin.stop)
        wanted = suggestion.id if suggestion is not None else origin.detail
        made_by = [each for each in records if wanted and each.transaction_id == wanted]
        # /new counts the messages of a conversation anew: the same place may be that of another one.
        same = made_by or [each for each in records if place == (each.session_key, each.start, each.stop)]
        if len(same) == 1:
            yield _Span(same[0].session_key, same[0].session_created_at, same[0].start, same[0].stop)

    def _session(self, span: _Span) -> Session | None:
        """Returns the conversation that holds the messages, None where it is gone or may not be shown."""
        if is_temporary(span.key):
            return None
        session = self._sessions.load(span.key)
        if session is None or (span.began and session.branch.owner_of(span.start) != span.began):
            session = self._closed(span)
        if session is None or discretion_of(span.key, session.metadata) is not Discretion.REMEMBERED:
            return None
        file = session.messages.file
        return session if file is not None and not file.path.is_symlink() else None

    def _closed(self, span: _Span) -> Session | None:
        archive = SessionArchive(self._paths.archive_dir)
        same = (each for each in archive.overviews() if each.key == span.key)
        closed = next((each for each in same if each.created_at.isoformat() == span.began), None)
        return archive.load(closed) if closed is not None else None


def _resting_on(line: str, session: Session, span: _Span) -> Sequence[tuple[int, Message]]:
    """Returns those of the messages that the line rests on, each with its number from 0; none where none stands out."""
    wanted = range(max(0, span.start), min(span.stop, len(session.messages), span.start + _MOST_MESSAGES))
    held = [(number, message) for number in wanted if _may_be_shown(message := session.messages[number])]
    if span.stop - span.start == 1:
        return held
    with suppress(MnemoscopeError):
        return [held[place] for place in messages_behind(line, [message for _, message in held])]
    return []


def _may_be_shown(message: Message) -> bool:
    return message.get("role") in SPOKEN_ROLES and not is_deleted(message) and not is_command(message)


def _shown(session: Session, number: int, message: Message) -> MessageShown:
    said_by = {PERSON: "the person", MODEL: "the model"}.get(origin_of(message), "a tool or file")
    title = str(session.metadata.get("title") or "") or session.key
    return MessageShown(title, number + 1, said_by, str(message.get("timestamp") or "")[:16], text_of(message))


def _author(origin: MemoryOrigin, suggestion: Suggestion | None) -> str:
    words = author_for_model(origin.kind)
    if suggestion is not None and suggestion.claimed_by:
        return f"{words}, made by “{suggestion.claimed_by}” (its own claim), through MCP"
    return words


def find_line(rows: Iterable[str], wanted: str) -> str | None:
    """Returns the row that a program means: the same words, or the only one that holds them; None where that is not
    clear."""
    rows, wanted = [row.strip() for row in rows if row.strip()], " ".join(wanted.split())
    same = [row for row in rows if wanted in (row, row.lstrip("-*+• ").strip())]
    holding = [row for row in rows if wanted and wanted.casefold() in row.casefold()]
    return same[0] if same else holding[0] if len(holding) == 1 else None
