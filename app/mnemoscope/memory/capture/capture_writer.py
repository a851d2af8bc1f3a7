"""Captures on disk: lines of SESSION-STATE.md and MEMORY.md, and what is noted of each. Blocks on the disk.

The state comes first, then memory, then the log. What a crash left undone of a message is done when it is scanned
again, and what was done is found by what it says, so nothing stands there twice. The person may take out what was
kept, and have kept what was not.
"""

from __future__ import annotations

import logging
import re
import secrets
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Final

from mnemoscope.domain.capture.captured_facts import CapturedFacts, Facts
from mnemoscope.domain.capture.captured_line import (
    is_captured_here,
    is_struck,
    line_of_memory,
    line_of_state,
    memory_line,
    read_line,
    standing_line,
)
from mnemoscope.domain.capture.file_changes import (
    CaptureChange,
    CapturedFiles,
    with_captures,
    with_memory_lines,
    with_state_lines,
    without_memory_line,
)
from mnemoscope.domain.capture.record import (
    FORGOTTEN,
    KEPT,
    NO_MEMORY,
    PAUSED,
    REFUSED,
    SECRET,
    TOMBSTONE,
    UNDONE,
    CaptureRecord,
    capture_hash,
    twin_reason,
)
from mnemoscope.domain.capture.rules import CATEGORIES, RuleSet
from mnemoscope.domain.capture.scan import Capture, Refusal, scan
from mnemoscope.domain.conversation.branch import Branch
from mnemoscope.domain.conversation.message import Message, text_of
from mnemoscope.domain.conversation.origin import QuotedSpan, quotes_in
from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.domain.memory.change import CAPTURED_KINDS, MemoryChange, MemoryOrigin
from mnemoscope.domain.memory.facts import fact_key
from mnemoscope.domain.memory.file_registry import STATE_PATH
from mnemoscope.domain.merge.held_back import fact_hash
from mnemoscope.domain.secrets.detection import mask_secrets, secrets_in
from mnemoscope.memory.files.memory_writer import MemorySaved, MemoryWriter
from mnemoscope.memory.files.write_hooks import notify_hooks
from mnemoscope.store.capture.session_state_files import SessionStates
from mnemoscope.store.logs.capture_log import CaptureLog
from mnemoscope.store.memory.memory_file import MemoryMoved, MemoryText
from mnemoscope.store.workspace.time_zone import in_time_zone

log = logging.getLogger(__name__)
_TRIES: Final = 5
_RESTLESS: Final = "SESSION-STATE.md is being changed by another program without a pause."
_LOOKED_BACK: Final = 5
_WORD: Final = re.compile(r"[^\W_]+")
_SECONDS: Final = len("2026-03-01T10:00:00")
_MOST_FACTS: Final = 5_000
"""Beyond those of the lines that are there now."""


@dataclass(frozen=True, slots=True)
class PersonMessage:
    """Describes a message of the person: where it stands, its words, and what of them they did not write but put in."""

    session_key: str
    session_created_at: str
    index: int
    text: str
    quotes: tuple[QuotedSpan, ...] = ()

    @classmethod
    def at(cls, session_key: str, branch: Branch, index: int, message: Message) -> PersonMessage:
        """Returns message `index` of a conversation as it went in this branch."""
        return cls(session_key, branch.owner_of(index), index, text_of(message), tuple(quotes_in(message)))

    @property
    def place(self) -> tuple[str, str, int]:
        """Returns the values that tell it from every other message."""
        return self.session_key, self.session_created_at, self.index


@dataclass(frozen=True, slots=True)
class CaptureOutcome:
    """Reports what became of a message: each capture and refusal in order, and MEMORY.md where it changed."""

    records: tuple[CaptureRecord, ...] = ()
    memory: MemorySaved | None = None


@dataclass(frozen=True)
class _UnnotedLines:
    """Holds the captured lines of memory, and of a conversation's state, that no record tells of, each as it stood
    before it was struck out."""

    memory: set[str]
    state: list[str]

    @property
    def is_any(self) -> bool:
        return bool(self.memory or self.state)

    def remove_those_of(self, record: CaptureRecord) -> None:
        """Takes away the lines of which a record tells now."""
        self.memory.discard(record.memory_line)
        if record.state_line:
            self.state.remove(record.state_line)

    def may_be_of(self, text: str) -> bool:
        """Returns whether a message has a word of any of them: those that have none are not worth a scan."""
        folded = _folded(text)
        return any(word in folded for word in self._longest_words)

    @cached_property
    def _longest_words(self) -> frozenset[str]:
        """Returns the longest word of each line."""
        words = (_WORD.findall(_folded(line.partition("**: ")[2])) for line in (*self.memory, *self.state))
        return frozenset(max(each, key=len) for each in words if each)


class CaptureWriter:
    """Writes what messages say that is worth keeping, and what the person says of it, in one workspace."""

    def __init__(
        self,
        memory: MemoryWriter,
        states: SessionStates,
        log: CaptureLog,
        rules: Callable[[], RuleSet],
        *,
        clock: Callable[[], datetime] = datetime.now,
        keys: Callable[[], Collection[str]] = frozenset,
        zone: Callable[[], str] = str,
    ) -> None:
        """`memory`: the writer of MEMORY.md; `zone`: the IANA name of the person's time zone, "" for the system's."""
        self._memory = memory
        self._states = states
        self._log = log
        self._rules = rules
        self._clock = clock
        self._keys = keys
        self._zone = zone
        self._facts: dict[str, Facts] = {}
        """The matches of the rules in force in lines of memory: each line is read once."""
        self._unnoted: set[str] = set()
        """Lines of memory that were written from here, or were about to be, and that no record tells of yet."""
        self._facts_of: RuleSet | None = None

    def capture(self, said: PersonMessage, *, paused: bool = False) -> CaptureOutcome:
        """Keeps what a message says, or nothing where it was done before. Raises StorageError, UnreadableFile.

        `paused`: it is only noted what would have been kept.
        """
        found = scan(said.text, self._rules(), quotes=said.quotes)
        if not found or self._log.has(*said.place):
            self._note(())
            return CaptureOutcome()
        reasons = {id(each): self._objection(each, paused) for each in found if isinstance(each, Capture)}
        captures = [each for each in found if isinstance(each, Capture) and not reasons[id(each)]]
        self._hold(said, [each for each in found if isinstance(each, Capture) and reasons[id(each)] == FORGOTTEN])
        taken, saved, memory = self._write(said, captures)
        done = {id(each.capture): each for each in taken}
        change, fresh = self._change_of(said), {each.memory_line for each in taken}
        rows = memory.split("\n")
        records = tuple(
            self._kept(said, done[id(each)], change, fresh, rows)
            if id(each) in done
            else self._refused(said, each, reasons.get(id(each), ""))
            for each in found
        )
        self._note(records)
        return CaptureOutcome(records, saved)

    def note_missed(self, session_key: str, messages: Iterable[PersonMessage]) -> None:
        """Notes what messages of a conversation wrote that no record tells of, as the disk refused that and the program
        ended: what stands in their words, and was written here as the changes of memory tell, or the conversation's
        state. `messages` are looked at only where there is such a line. Raises UnreadableFile or StorageError."""
        unnoted = self._unnoted_lines(session_key)
        records = list[CaptureRecord]()
        for said in messages if unnoted.is_any else ():
            if unnoted.may_be_of(said.text) and not self._log.has(*said.place):
                for found in scan(said.text, self._rules(), quotes=said.quotes):
                    missed = self._missed(said, found, unnoted) if isinstance(found, Capture) else None
                    if missed is not None:
                        unnoted.remove_those_of(missed)
                        records.append(missed)
        self._note(records)

    def _note(self, records: Sequence[CaptureRecord]) -> None:
        """Adds records to the log, with those that the disk refused before."""
        try:
            self._log.add(records)
            self._unnoted.difference_update(each.memory_line for each in records)
        except StorageError as error:
            # What was said is kept; what is noted of it waits for the next time.
            log.warning("captures were not noted yet: %s", error)

    def _unnoted_lines(self, session_key: str) -> _UnnotedLines:
        memory = map(standing_line, self._memory.read().text.split("\n"))
        captured = {line for line in memory if (found := read_line(line)) is not None and found.category}
        state = map(standing_line, filter(is_captured_here, self._states.read(session_key).text.split("\n")))
        noted = {each.state_line for each in self._log.kept_of(session_key)}
        return _UnnotedLines(
            {line for line in captured if not self._log.has_line(line)}, [row for row in state if row not in noted]
        )

    def _missed(self, said: PersonMessage, capture: Capture, unnoted: _UnnotedLines) -> CaptureRecord | None:
        """Returns the record of a capture that wrote a line which no record tells of, None where it wrote none."""
        keys = self._keys()
        line = memory_line(capture, known=keys)
        is_unnoted = line in unnoted.memory
        words = _words_of_row(line_of_state(capture.category, capture.detail, self._clock(), known=keys))
        row = next((each for each in unnoted.state if _words_of_row(each) == words), "")
        origin = self._memory.changes.author_of(line) if is_unnoted else MemoryOrigin()
        change = self._change_that_wrote(said, line, origin)
        # Where it is known whose the line of memory is, that of the state is theirs, too.
        if change is None and (not row or origin.kind in CAPTURED_KINDS):
            return None
        record = replace(self._record(said, capture, capture.fact), state_line=row)
        if not is_unnoted:
            return record
        if change is None:
            # Of its change, too, nothing could be noted.
            return replace(record, memory_line=line, change_id=record.id)
        return replace(record, memory_line=line, change_id=change.id, when=change.when[:_SECONDS])

    def _change_that_wrote(self, said: PersonMessage, line: str, origin: MemoryOrigin) -> MemoryChange | None:
        """Returns the change by which a message, or what was written just before a crash, added a line of this origin
        to memory."""
        is_own = (origin.kind, origin.session_key, origin.start) == ("capture", said.session_key, said.index)
        if origin.kind != "recovered" and not (is_own and origin.when >= said.session_created_at):
            return None
        changes = reversed(self._memory.changes.changes())
        return next((each for each in changes if each.origin == origin and _adds(each, line)), None)

    def write(self, captures: Sequence[Capture], user: str = "") -> MemorySaved | None:
        """Keeps captures of no conversation, unless they were deleted; those that the person had forgotten wait for
        them, once. Returns MEMORY.md where it changed. Raises as `capture`."""
        reasons = [self._objection(each, paused=False, user=user) for each in captures]
        said = PersonMessage("", "", 0, "")
        for capture, reason in zip(captures, reasons, strict=True):
            if reason == FORGOTTEN:
                self._hold(said, [capture], user, self._memory.changes.name_of(memory_line(capture, user)))
        return self._write(said, [each for each, why in zip(captures, reasons, strict=True) if not why], user)[1]

    def undo(self, record_id: str) -> CaptureOutcome:
        """Takes a capture out of memory and state; what it had taken the place of stands again. It is not captured
        anew.

        Raises StorageError where it is not kept any more, or memory says it in other words by now.
        """
        record = self._known_record(record_id)
        if record.outcome != KEPT:
            raise StorageError("This is not kept any more.", next_step="Nothing was changed.", id=record_id)
        saved = self._out_of_memory(record)
        self._remove_from_state(record)
        after = self._undone(record, saved.text if saved else self._memory.read().text)
        self._log.add([after])
        return CaptureOutcome((after,), saved)

    def change_undone(self, change_id: str) -> CaptureOutcome:
        """Follows a change of memory that was taken back as such: what it had captured is taken out of its
        conversation's state too; what taking it back brought back is kept again.

        Raises UnreadableFile or StorageError; what was not done then can still be undone by itself.
        """
        changed: list[CaptureRecord] = []
        memory = self._memory.read().text
        lines, captured_by = set(memory.split("\n")), self._first_undone(change_id)
        struck_again = self._struck_again(memory)
        for record in self._log.newest_first():
            stands = record.wrote_memory and record.memory_line in lines
            is_back = stands or (record.wrote_memory and record.memory_line in struck_again)
            if record.change_id in captured_by and record.outcome == KEPT and not is_back:
                self._remove_from_state(record)
                changed.insert(0, self._undone(record, memory))
            elif record.outcome == UNDONE and is_back and self._is_from(record, record.memory_line):
                self._add_to_state(record)
                changed.insert(0, replace(record, outcome=KEPT, reason="", known_line="", known_by=""))
        self._log.add(changed)
        return CaptureOutcome(tuple(changed))

    def gone(self, records: Sequence[CaptureRecord]) -> frozenset[str]:
        """Returns the ids of those that were kept and whose line memory does not have any more. Raises
        UnreadableFile."""
        lines = set(self._memory.read(keep=False).text.split("\n"))
        kept = (each for each in records if each.outcome == KEPT and each.wrote_memory)
        return frozenset(each.id for each in kept if each.memory_line not in lines)

    def _first_undone(self, change_id: str) -> frozenset[str]:
        """Returns the changes that were made first of those that take each other back, the last of which is this
        one."""
        origins = {each.id: each.origin for each in self._memory.changes.changes()}
        first, left = set[str](), [change_id]
        while left:
            name = left.pop()
            # Each takes back earlier ones, so this ends.
            origin = origins.pop(name, None)
            if origin is not None and origin.undone:
                left += origin.undone
            else:
                first.add(name)
        return frozenset(first)

    def _struck_again(self, memory: str) -> frozenset[str]:
        """Returns the lines that stand struck out in memory because the newest change, which took others back, brought
        them back so: each as it stood before it was struck."""
        newest = self._memory.changes.newest()
        if newest is None or not newest.origin.undone:
            return frozenset()
        with suppress(StorageError):
            before = set(self._memory.changes.text(newest.before).split("\n"))
            back = (line for line in memory.split("\n") if line not in before and is_struck(line))
            return frozenset(map(standing_line, back))
        return frozenset()

    def _is_from(self, record: CaptureRecord, line: str) -> bool:
        """Returns whether the message of a record is what wrote a line of memory last."""
        origin = self._memory.changes.author_of(line)
        is_captured = origin.kind in CAPTURED_KINDS
        return is_captured and (origin.session_key, origin.start) == (record.session_key, record.index)

    def keep(self, record_id: str) -> CaptureOutcome:
        """Keeps what was refused or undone, in memory and in the state. Raises StorageError where that cannot be."""
        record = self._known_record(record_id)
        if not record.may_be_kept:
            sentence = "This is not kept: it is there already, or a key stands in it."
            raise StorageError(sentence, next_step="Write it into MEMORY.md yourself.", id=record_id)
        category = record.category if record.category in CATEGORIES else "remember"
        line = record.memory_line or line_of_memory(category, record.text, known=self._keys())
        saved, change_id = self._into_memory(record, line)
        known = replace(record, reason="", known_line="", known_by="")
        if not change_id:
            # Somebody else wrote the line meanwhile: it is known, and stays theirs.
            known = self._with_twin(record, self._memory.read().text)
            line = ""
        written_line = line_of_state(
            category, record.text, in_time_zone(self._clock(), self._zone()), known=self._keys()
        )
        if record.session_key:
            self._states.claim(record.session_key)
        self._states.append([written_line])
        after = replace(known, outcome=KEPT, state_line=written_line, memory_line=line, change_id=change_id)
        self._log.add([after])
        return CaptureOutcome((after,), saved)

    def _undone(self, record: CaptureRecord, memory: str) -> CaptureRecord:
        """Returns the record of what was taken back; where memory says it all the same, with the line that does."""
        return replace(self._with_twin(record, memory), outcome=UNDONE)

    def _with_twin(self, record: CaptureRecord, memory: str) -> CaptureRecord:
        """Returns the record with the line of memory that says the same and whose it is, or with none."""
        lines = memory.split("\n")
        found = CapturedFacts(lines, self._rules(), self._known_facts(memory)).line_with(record.fact, record.text)
        if found is None and record.memory_line in lines:
            found = lines.index(record.memory_line), record.memory_line
        if found is None or not found[1]:
            return replace(record, reason="", known_line="", known_by="")
        place, line = found
        author = self._memory.changes.author_of(line).kind
        if record.wrote_memory and line == record.memory_line and author in CAPTURED_KINDS:
            # The line that this capture wrote is gone: another one in the same words is somebody else's.
            author = ""
        return replace(record, reason=twin_reason(line), known_line=str(place + 1), known_by=author)

    def _objection(self, capture: Capture, paused: bool, user: str = "") -> str:
        """Returns why a capture is not kept, "" where it is."""
        if secrets_in(capture.sentence, self._keys()):
            return SECRET
        if paused:
            return PAUSED
        if any(map(self._memory.changes.objection, (memory_line(capture, user), capture.sentence))):
            return FORGOTTEN
        # What stands there again, whoever wrote it, is known and not deleted.
        return TOMBSTONE if self._was_deleted(capture, user) and not self._says(capture, user) else ""

    def _hold(self, said: PersonMessage, captures: Sequence[Capture], user: str = "", known_as: str = "") -> None:
        """Has what the person had forgotten wait for them; where it is `known_as` something that they were asked about
        before, it is not asked about again. Raises StorageError."""
        lines = [memory_line(each, user, self._keys()) for each in captures]
        if not lines or (known_as and self._memory.asked_about(known_as)):
            return
        memory = self._memory.read()
        stop = said.index + 1 if said.session_key else said.index
        origin = MemoryOrigin("capture", self._clock().isoformat(), said.session_key, said.index, stop)
        self._memory.suggest(memory.text, with_memory_lines(memory.text, lines), (), origin, known_as=known_as)

    def _was_deleted(self, capture: Capture, user: str) -> bool:
        """Returns whether this was taken out of what is kept of the user: in these words, or in the words it was once
        captured in."""
        deleted = self._memory.changes.deleted()
        if _mark(memory_line(capture, user)) in deleted:
            return True
        # The log is of conversations, and they name no user.
        known = self._log.of_fact(capture_hash(capture.key)) if not user else None
        return known is not None and (known.outcome == UNDONE or _mark(known.memory_line) in deleted)

    def _says(self, capture: Capture, user: str) -> bool:
        """Returns whether a line of memory says this of the user."""
        with suppress(UnreadableFile):
            memory = self._memory.read().text
            facts = CapturedFacts(memory.split("\n"), self._rules(), self._known_facts(memory), user)
            return facts.duplicate_of(capture) is not None
        return False

    def _write(
        self, said: PersonMessage, captures: Sequence[Capture], user: str = ""
    ) -> tuple[Sequence[CaptureChange], MemorySaved | None, str]:
        """Returns what became of each capture, MEMORY.md where it changed, and the text it has now."""
        if not captures:
            return (), None, ""
        if said.session_key:
            self._states.claim(said.session_key)
        memory = self._read_memory(said, captures, user)
        result = self._write_state(said, captures, memory, user)
        if not self._is_writable(memory):
            taken = [
                replace(each, memory_line="", superseded=None, twin=each.twin or NO_MEMORY) for each in result.taken
            ]
            return taken, None, memory.text
        saved = None
        if result.memory != memory.text:
            origin = MemoryOrigin("capture", self._clock().isoformat(), said.session_key, said.index, said.index + 1)
            self._unnoted.update(result.memory_lines)
            saved = self._memory.save_with_base(result.memory, memory.digest, memory.text, origin)
        notify_hooks("".join(f"{line}\n" for line in result.memory_lines), "MEMORY.md")
        notify_hooks("".join(f"{line}\n" for line in result.state_lines), STATE_PATH)
        return result.taken, saved, saved.text if saved else memory.text

    def _read_memory(self, said: PersonMessage, captures: Sequence[Capture], user: str) -> MemoryText:
        """Reads MEMORY.md; where it cannot be read, what was said is in the state all the same. Raises
        UnreadableFile."""
        try:
            return self._memory.read()
        except UnreadableFile:
            self._write_state(said, captures, MemoryText("", "", False), user)
            raise

    def _write_state(
        self, said: PersonMessage, captures: Sequence[Capture], memory: MemoryText, user: str
    ) -> CapturedFiles:
        when = in_time_zone(self._clock(), self._zone())
        for _ in range(_TRIES):
            state = self._states.read(said.session_key)
            texts, rules, facts = (state.text, memory.text), self._rules(), self._known_facts(memory.text)
            result = with_captures(captures, *texts, when, rules, user=user, known=self._keys(), facts=facts)
            with suppress(MemoryMoved):
                if result.restates:
                    self._states.rewrite(said.session_key, result.state, state.digest)
                elif result.state_lines:
                    self._states.append(result.state_lines)
                return result
        raise StorageError(_RESTLESS)

    def _known_facts(self, memory: str) -> dict[str, Facts]:
        most = memory.count("\n") + _MOST_FACTS
        if self._facts_of is not self._rules() or len(self._facts) > most:
            self._facts, self._facts_of = {}, self._rules()
        return self._facts

    def _is_writable(self, memory: MemoryText) -> bool:
        """Returns whether MEMORY.md may be written: a file that the person removed is not made anew."""
        return memory.exists or not self._memory.changes.changes()

    def _change_of(self, said: PersonMessage) -> MemoryChange | None:
        """Returns the change of memory that this message made, also before a crash, or None."""
        for each in reversed(self._memory.changes.changes()[-_LOOKED_BACK:]):
            origin = each.origin
            if (origin.kind, origin.session_key, origin.start) == ("capture", said.session_key, said.index):
                return each if each.when >= said.session_created_at else None
        return None

    def _recovered_change(self, line: str) -> str:
        """Returns the change that was found written after a crash and added this line; "" for none."""
        changes = self._memory.changes.changes()[-_LOOKED_BACK:]
        return next((each.id for each in changes if each.origin.kind == "recovered" and _adds(each, line)), "")

    def _kept(
        self,
        said: PersonMessage,
        taken: CaptureChange,
        change: MemoryChange | None,
        fresh: Collection[str],
        rows: Sequence[str],
    ) -> CaptureRecord:
        """`fresh`: the lines this message added to memory; `rows`: those that memory has now."""
        capture, old = taken.capture, taken.superseded
        reason = taken.twin if taken.twin in ("", NO_MEMORY) else twin_reason(taken.twin)
        record = replace(self._record(said, capture, capture.fact), replaced_state=taken.replaced_state)
        is_noted = taken.twin in fresh or self._log.has_line(taken.twin)
        is_in_our_words = memory_line(capture, known=self._keys()) == taken.twin and not is_noted
        # Written before a crash, or a disk that refused, kept it from being noted: a change of memory tells. A line
        # that somebody else wrote in the same words stays theirs.
        # Where the disk refused the note of the change too, what was written from here is still known.
        unnoted = record.id if taken.twin in self._unnoted else ""
        own = change.id if change is not None and _adds(change, taken.twin) else ""
        if is_in_our_words and (written := own or self._recovered_change(taken.twin) or unnoted):
            return replace(record, memory_line=taken.twin, change_id=written)
        if taken.twin and taken.twin in rows and taken.twin not in fresh:
            known_by = self._memory.changes.author_of(taken.twin).kind
            record = replace(record, known_line=str(rows.index(taken.twin) + 1), known_by=known_by)
        if not taken.state_line and not taken.memory_line:
            return replace(record, outcome=REFUSED, reason=reason)
        return replace(
            record,
            reason=reason,
            state_line=taken.state_line,
            memory_line=taken.memory_line,
            replaced=old.line if old else "",
            struck=old.struck if old else "",
            # Where the disk refused the note of the change, no change bears this name.
            change_id=(change.id if change is not None else record.id) if taken.memory_line else "",
        )

    def _refused(self, said: PersonMessage, found: Capture | Refusal, reason: str) -> CaptureRecord:
        if isinstance(found, Capture):
            return replace(self._record(said, found, found.fact), outcome=REFUSED, reason=reason)
        return replace(self._record(said, found, found.text), outcome=REFUSED, reason=found.reason)

    def _record(self, said: PersonMessage, found: Capture | Refusal, words: str) -> CaptureRecord:
        return CaptureRecord(
            id=secrets.token_hex(6),
            when=self._clock().isoformat(timespec="seconds"),
            session_key=said.session_key,
            session_created_at=said.session_created_at,
            index=said.index,
            category=found.kept_as if isinstance(found, Capture) else found.category,
            text=mask_secrets(words, self._keys()),
            rule=found.rule,
            language=found.language,
            fact=capture_hash(found.key) if isinstance(found, Capture) else "",
        )

    def _known_record(self, record_id: str) -> CaptureRecord:
        record = self._log.find(record_id)
        if record is None:
            raise StorageError(
                "This was remembered too long ago to be changed here.", next_step="Edit MEMORY.md instead."
            )
        return record

    def _out_of_memory(self, record: CaptureRecord) -> MemorySaved | None:
        if not record.wrote_memory:
            return None
        current = self._memory.read()
        mark, line = _mark(record.memory_line), record.memory_line
        if line not in current.text.split("\n"):
            if mark in self._memory.changes.deleted():
                return None
            raise self._not_there(record, current)
        rows = without_memory_line(current.text, line).split("\n")
        text = "\n".join(record.replaced if row == record.struck and row else row for row in rows)
        origin = MemoryOrigin("undo", self._clock().isoformat(), detail=record.change_id or record.id)
        return self._memory.save_with_base(text, current.digest, current.text, origin)

    def _not_there(self, record: CaptureRecord, current: MemoryText) -> StorageError:
        """Returns the reason why a line that this capture wrote cannot be taken out of memory."""
        name, place = self._memory.changes.name, {"id": record.id}
        if not current.exists:
            return StorageError(f"{name} is missing.", next_step="Restore it first.", **place)
        rows = current.text.split("\n")
        if any(is_struck(row) and standing_line(row) == record.memory_line for row in rows):
            sentence = f"A newer line of {name} took the place of this one, which is kept there struck through."
            return StorageError(sentence, next_step="Take the newer one back first.", **place)
        return StorageError(f"{name} says this in other words by now.", next_step="Change it there.", **place)

    def _remove_from_state(self, record: CaptureRecord) -> None:
        def without_line(state: MemoryText) -> str:
            rows = state.text.split("\n")
            line = next((row for row in rows if _is_line_of(row, record)), None)
            if line is not None:
                rows.remove(line)
            return "\n".join(rows)

        self._rewrite_state(record.session_key, without_line)

    def _add_to_state(self, record: CaptureRecord) -> None:
        """Adds the line of a record to its conversation's state again, where that has not begun anew since."""

        def with_line(state: MemoryText) -> str:
            is_there = record.state_line in state.text.split("\n")
            return state.text if is_there or not state.exists else with_state_lines(state.text, [record.state_line])

        if record.state_line:
            self._rewrite_state(record.session_key, with_line)

    def _rewrite_state(self, session_key: str, changed: Callable[[MemoryText], str]) -> None:
        """Writes the state of a conversation as `changed` makes it, where that is another text."""
        for _ in range(_TRIES):
            state = self._states.read(session_key)
            text = changed(state)
            if text == state.text:
                return
            with suppress(MemoryMoved):
                self._states.rewrite(session_key, text, state.digest)
                return
        raise StorageError(_RESTLESS)

    def _into_memory(self, record: CaptureRecord, line: str) -> tuple[MemorySaved | None, str]:
        current = self._memory.read()
        if line in current.text.split("\n"):
            wrote = self._memory.changes.author_of(line)
            changes = reversed(self._memory.changes.changes())
            own = next((each.id for each in changes if each.origin == wrote), record.change_id)
            return None, own if self._is_from(record, line) else ""
        origin = MemoryOrigin("kept", self._clock().isoformat(), record.session_key, record.index, record.index + 1)
        text = with_memory_lines(current.text, [line])
        saved = self._memory.save_with_base(text, current.digest, current.text, origin)
        return saved, self._memory.changes.changes()[-1].id


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _is_line_of(row: str, record: CaptureRecord) -> bool:
    """Returns whether a line of the state is a record's; one that a crash kept from being noted is known by its
    words."""
    if record.state_line:
        return row == record.state_line
    return bool(record.memory_line) and _words_of_row(row) == record.memory_line.removeprefix("- ")


def _words_of_row(row: str) -> str:
    """Returns what a line of the state says, without its time."""
    return row.partition("] ")[2]


def _adds(change: MemoryChange, line: str) -> bool:
    """Returns whether a change added the fact of a line; a long one is known by its beginning."""
    mark = fact_key(line)
    return any(
        mark.startswith(fact_key(fact[:-1])) if fact.endswith("…") else fact_key(fact) == mark for fact in change.added
    )


def _mark(line: str) -> str:
    return fact_hash(fact_key(line)) if line.strip() else ""
