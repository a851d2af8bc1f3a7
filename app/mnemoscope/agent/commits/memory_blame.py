"""Finds for each line of a memory file the change that gave it its present words, and the message it rests on.

The log of changes is replayed, and what is older than it is looked up in the commits. A line that the person, or
another program, wrote rests on no message. Blocks on the disk and writes nothing; the window reads its own blame from
the commits alone, which follow the log, and `records_behind` says what stands behind one of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from mnemoscope.domain.capture.record import CaptureRecord
from mnemoscope.domain.commits import (
    CHANGE,
    CONVERSATION,
    ENTRIES,
    MESSAGES_TRAILER,
    TRANSACTION,
    CommitInfo,
    carry_blame,
)
from mnemoscope.domain.conversation.message import Message, text_of
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.change import CAPTURED_KINDS, RESTORING_KINDS, MemoryChange, MemoryOrigin
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.history_entries import HistoryLog
from mnemoscope.domain.memory.journal_entry import JournalEntry
from mnemoscope.domain.memory.suggestion import FactSource
from mnemoscope.domain.review.evidence import messages_behind
from mnemoscope.domain.review.review_items import fact_source
from mnemoscope.domain.text.characters import with_plain_line_ends
from mnemoscope.domain.text.diff import split_lines
from mnemoscope.domain.text.json_text import parsed_object
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.git.commit_history import CommitHistory
from mnemoscope.store.logs.capture_log import CaptureLog
from mnemoscope.store.logs.entry_links import EntryLinks
from mnemoscope.store.sessions.archive import SessionArchive
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths

_NOBODY: Final = -1
_KINDS: Final = {"Consolidation": "consolidation", "Dream": "dream", "Agent": "agent", "Capture": "capture"}
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class BlamedLine:
    """Describes one line, counted from 1, and the conversation and message of the person it rests on, each "" where
    none is known. `is_outside`: no conversation wrote it."""

    line: int
    text: str
    session_key: str = ""
    message_text: str = ""
    author: str = ""
    """The kind of its origin, as `MemoryOrigin` has it; "" where nobody noted it."""
    when: str = field(default="", compare=False)
    """The moment at which it was written, naive local ISO 8601, by a commit to the minute; "" where nobody noted it."""

    @property
    def is_outside(self) -> bool:
        """Tells whether no conversation that is known wrote it."""
        return not self.session_key


class MemoryBlame:
    """Finds the origins of the lines of one workspace's files."""

    def __init__(self, paths: WorkspacePaths, memory: MemoryStore, sessions: SessionManager) -> None:
        self._paths = paths
        self._memory = memory
        self._sessions = sessions
        self._records = memory.ledger.records()
        self._captures: list[CaptureRecord] = []
        with suppress(MnemoscopeError):
            self._captures = list(CaptureLog(paths).newest_first())
        self._known: dict[tuple[str, str], Sequence[Message]] = {}

    def of_memory_file(self, path: str, text: str) -> list[BlamedLine]:
        """Returns the origin of each line of a memory file; `path` is relative to the workspace, MEMORY.md's as
        `MEMORY_PATH`."""
        lines, text = _lines(text), with_plain_line_ends(text)
        changes, owners = self._replayed(path, text)
        rest: Sequence[MemoryOrigin | None] = ()
        if _NOBODY in owners[: len(lines)]:
            rest = self._committed(path, text, changes)
        found = []
        for number, line in enumerate(lines):
            owner = owners[number]
            change = changes[owner] if owner != _NOBODY else None
            origin = change.origin if change else (rest[number] if rest else None)
            blamed = self._origin(number + 1, line, origin, change.id if change else "")
            found.append(replace(blamed, author=origin.kind, when=origin.when) if origin else blamed)
        return found

    def of_history(self, text: str) -> list[BlamedLine]:
        """Returns the origin of each line of HISTORY.md: the consolidation whose entry it is of, where that says the
        line. The same words in an entry of another program are of that."""
        lines = _lines(text)
        owners: list[ConsolidationRecord | None] = [None] * len(lines)
        for start, stop, record in self._history_entries("\n".join(lines)):
            said = {line.strip() for line in record.entry.split("\n")} - {""}
            owners[start:stop] = [record if line.strip() in said else None for line in lines[start:stop]]
        return [
            self._of_record(number, line, owner) for (number, line), owner in zip(_numbered(text), owners, strict=True)
        ]

    def _history_entries(self, text: str) -> Iterator[tuple[int, int, ConsolidationRecord]]:
        """Yields the lines [start, stop) of the entries of HISTORY.md that a consolidation wrote. One that was changed
        since is known by its first line, which has its date."""
        log = HistoryLog(text.encode("utf-8", "replace"), self._memory.ledger.undated_entries())
        links, newer = EntryLinks(self._records), Counter[str]()
        by_first_line = {each.entry.strip().partition("\n")[0].strip(): each for each in self._records}
        stop = text.count("\n") + 1
        for place, start in reversed(list(enumerate(log.first_lines()))):
            entry = log.entry(place).text
            first = entry.partition("\n")[0].strip()
            record = links.record_for(entry, newer=newer[entry]) or (by_first_line.get(first) if first else None)
            newer[entry] += 1
            if record is not None:
                yield start, stop, record
            stop = start

    def of_journal(self, text: str) -> list[BlamedLine]:
        """Returns the origin of each line of history.jsonl: the consolidation that wrote its entry."""
        by_cursor: dict[int | None, ConsolidationRecord] = {each.cursor: each for each in self._records if each.cursor}
        return [self._of_record(number, line, by_cursor.get(_cursor(line))) for number, line in _numbered(text)]

    def of_session_state(self, text: str) -> list[BlamedLine]:
        """Returns the origin of each line of SESSION-STATE.md: the message that was captured."""
        captured = {each.state_line: each for each in self._captures if each.state_line}
        return [self._of_capture(number, line, captured.get(line)) for number, line in _numbered(text)]

    def unknown(self, text: str) -> list[BlamedLine]:
        """Returns the lines of a file that nothing is noted of."""
        return [BlamedLine(number, line) for number, line in _numbered(text)]

    # -- whose change ---------------------------------------------------------------------------------------------

    def _replayed(self, path: str, text: str) -> tuple[list[MemoryChange], list[int]]:
        """Returns the changes of a file, and for each line of `text` the place of the one that wrote it."""
        changes: list[MemoryChange] = []
        with suppress(MnemoscopeError):
            changes = self._memory.editing.changes(path)
        now, owners, writers = "", [_NOBODY], dict[str, int]()
        for place, change in enumerate(changes):
            before, after = self._version(change.before), self._version(change.after)
            if before is not None:
                now, owners = before, carry_blame(now, owners, before, _NOBODY)
            if after is None:
                continue
            now, owners = after, carry_blame(now, owners, after, place)
            for row, line in enumerate(split_lines(after)):
                if owners[row] == place and change.origin.kind in RESTORING_KINDS:
                    # Who brings words back did not write them.
                    owners[row] = writers.get(line, place)
                if owners[row] == place or line not in writers:
                    writers[line] = owners[row]
        return changes, carry_blame(now, owners, text, _NOBODY)

    def _version(self, digest: str) -> str | None:
        with suppress(MnemoscopeError):
            return with_plain_line_ends(self._memory.editing.version_text(digest))
        return None

    def _committed(self, path: str, text: str, changes: Sequence[MemoryChange]) -> list[MemoryOrigin | None]:
        """Returns what the commits tell of each line; [] where there are none."""
        known = {each.id: each.origin for each in changes}
        blame = None
        with suppress(MnemoscopeError), closing(CommitHistory(self._paths, keep_index=False)) as history:
            blame = history.blame(path)
        if not blame:
            return []
        committed = with_plain_line_ends("\n".join(each.text for each in blame))
        owners = carry_blame(committed, range(len(split_lines(committed))), text, _NOBODY)
        return [None if owner == _NOBODY else _origin_of(blame[owner].commit, known) for owner in owners]

    # -- from which message ---------------------------------------------------------------------------------------

    def _origin(self, number: int, line: str, origin: MemoryOrigin | None, change_id: str) -> BlamedLine:
        kind = origin.kind if origin is not None else ""
        if origin is None or kind not in {"consolidation", "dream", "agent", "review", *CAPTURED_KINDS}:
            return BlamedLine(number, line)
        if kind in CAPTURED_KINDS:
            noted = next((each for each in self._captures if change_id and each.change_id == change_id), None)
            known = noted or CaptureRecord("", "", origin.session_key, "", origin.start, "", "")
            return self._of_capture(number, line, known)
        if kind == "agent":
            return BlamedLine(number, line, origin.session_key, self._before_call(origin.session_key, change_id))
        if kind == "review" and (source := self._brought(line, origin.detail)) is not None:
            said = _said_before(self._messages(source.session_key, ""), source.stop - 1)
            return BlamedLine(number, line, source.session_key, said)
        return self._of_record(number, line, self._record(origin, change_id, line))

    def _brought(self, line: str, suggestion_id: str) -> FactSource | None:
        """Returns where a fact was noted that an import brought, None where that is not known."""
        suggestion = self._memory.ledger.settled(suggestion_id)
        return fact_source(suggestion, line) if suggestion is not None else None

    def _record(self, origin: MemoryOrigin, change_id: str, line: str) -> ConsolidationRecord | None:
        """Returns the consolidation that a change came from; of the entries that a run of Dream read the one that
        shares most words with the line, None where none or several do."""
        if origin.kind == "dream":
            read = [each for each in self._records if each.cursor and origin.start <= each.cursor <= origin.stop]
            return _only_best(read, line)
        wanted = origin.detail if origin.kind == "review" else change_id
        found = next((each for each in self._records if each.transaction_id and each.transaction_id == wanted), None)
        if found is None and origin.kind == "consolidation" and origin.stop > origin.start:
            start, stop = origin.start, origin.stop
            return ConsolidationRecord("", origin.session_key, "", start, stop, origin.when, "")
        return found

    def _of_record(self, number: int, line: str, record: ConsolidationRecord | None) -> BlamedLine:
        if record is None:
            return BlamedLine(number, line)
        messages = self._messages(record.session_key, record.session_created_at)
        slice_ = list(messages[record.start : record.stop])
        places = messages_behind(line, slice_)
        own = [place for place in places if slice_[place].get("role") == "user"]
        place = own[0] if own else places[0] if places else None
        said = "" if place is None else _said_before(messages, record.start + place)
        return BlamedLine(number, line, record.session_key, said)

    def _of_capture(self, number: int, line: str, record: CaptureRecord | None) -> BlamedLine:
        if record is None:
            return BlamedLine(number, line)
        messages, index = self._messages(record.session_key, record.session_created_at), record.index
        is_said = 0 <= index < len(messages) and messages[index].get("role") == "user"
        return BlamedLine(number, line, record.session_key, text_of(messages[index]) if is_said else "")

    def _before_call(self, key: str, change_id: str) -> str:
        for messages in self._message_lists(key):
            for index, message in enumerate(messages):
                if message.get("memory_change") == change_id:
                    return _said_before(messages, index)
        return ""

    def _messages(self, key: str, began: str) -> Sequence[Message]:
        """Returns the messages of the conversation that began then; where that is not known, of the only one of its
        key."""
        if (key, began) not in self._known:
            found = list(self._message_lists(key, began))
            self._known[key, began] = found[0] if found and (began or len(found) == 1) else ()
        return self._known[key, began]

    def _message_lists(self, key: str, began: str = "") -> Iterator[Sequence[Message]]:
        """Yields the messages of a conversation, then those of its closed ones, of those that hold what began then."""
        with suppress(MnemoscopeError):
            session = self._sessions.load(key)
            names = {session.branch.began, *(fork.began for fork in session.branch.forks)} if session else set()
            if session is not None and (not began or began in names):
                yield session.messages
        archive = SessionArchive(self._paths.archive_dir, self._paths.branches_dir)
        for closed in archive.with_branches():
            if closed.key == key and began in ("", closed.created_at.isoformat()):
                with suppress(MnemoscopeError, FileNotFoundError):
                    yield archive.load(closed).messages


def _origin_of(commit: CommitInfo, known: dict[str, MemoryOrigin]) -> MemoryOrigin | None:
    """Returns what the trailers of a commit say of where it came from."""
    if found := next((known[name] for name in commit.trailers.get(CHANGE, ()) if name in known), None):
        return found
    kind = _KINDS.get(commit.author, "")
    start, stop = commit.span(ENTRIES if kind == "dream" else MESSAGES_TRAILER)
    return MemoryOrigin(kind, commit.timestamp.replace(" ", "T"), commit.named(CONVERSATION), start, stop)


def record_of_trailers(commit: CommitInfo) -> ConsolidationRecord | None:
    """Returns the consolidation a commit's trailers tell of, without its entry; None where they name no messages."""
    key, (start, stop) = commit.named(CONVERSATION), commit.span(MESSAGES_TRAILER)
    if not key or stop <= start:
        return None
    when = datetime.fromtimestamp(commit.seconds).isoformat()
    return ConsolidationRecord("", key, "", start, stop, when, "")


def records_behind(
    commit: CommitInfo,
    records: Sequence[ConsolidationRecord],
    entries: Sequence[JournalEntry] = (),
    line: str = "",
) -> list[ConsolidationRecord]:
    """Returns the consolidations a commit's trailers name, oldest first; where the ledger knows none, what they say.

    Of `entries`, those that no consolidation here wrote are told too, as records of no messages. Those that share the
    most words with the `line` in question come first.
    """
    transactions = set(commit.trailers.get(TRANSACTION, ()))
    found = [each for each in records if each.transaction_id in transactions]
    first, last = commit.span(ENTRIES)
    if last:
        found += [each for each in records if each.cursor is not None and first <= each.cursor <= last]
    known = {(each.cursor, each.entry.strip()) for each in found}
    found += [_of_entry(each) for each in entries if (each.cursor, each.content.strip()) not in known]
    words = _words(line)
    found.sort(key=lambda each: (-len(words & _words(each.entry)), each.cursor or 0))
    traced = record_of_trailers(commit)
    return found or ([traced] if traced else [])


def _of_entry(entry: JournalEntry) -> ConsolidationRecord:
    return ConsolidationRecord("", entry.session_key, "", 0, 0, entry.timestamp, entry.content, cursor=entry.cursor)


def _only_best(records: Sequence[ConsolidationRecord], line: str) -> ConsolidationRecord | None:
    words = _words(line)
    counted = sorted(((len(words & _words(each.entry)), place) for place, each in enumerate(records)), reverse=True)
    if not counted or not counted[0][0] or (len(counted) > 1 and counted[1][0] == counted[0][0]):
        return None
    return records[counted[0][1]]


def _said_before(messages: Sequence[Message], index: int) -> str:
    """Returns the person's words at or last before a message."""
    places = (at for at in range(min(index, len(messages) - 1), -1, -1) if messages[at].get("role") == "user")
    return next((text_of(messages[at]) for at in places), "")


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if len(word) > 2 or not word.isascii()}


def _lines(text: str) -> list[str]:
    """Returns the lines of a file; the end of the last one begins no other."""
    lines = split_lines(with_plain_line_ends(text))
    return lines[:-1] if lines[-1] == "" else lines


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    return enumerate(_lines(text), 1)


def _cursor(line: str) -> int | None:
    cursor = parsed_object(line).get("cursor")
    return cursor if type(cursor) is int else None
