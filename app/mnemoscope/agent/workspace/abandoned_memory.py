"""Finds what memory took from messages that a conversation has left or that are deleted, and takes it back."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

from mnemoscope.domain.capture.active_state import lines_left
from mnemoscope.domain.capture.captured_line import is_struck, standing_line
from mnemoscope.domain.capture.record import FORGOTTEN, KEPT, CaptureRecord
from mnemoscope.domain.context.exchange_reference import NotedMessage
from mnemoscope.domain.conversation.branch import Branch
from mnemoscope.domain.conversation.discretion import Trace
from mnemoscope.domain.conversation.inactive_messages import inactive_on
from mnemoscope.domain.conversation.message import Message, is_command, is_deleted
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryChange, MemoryOrigin
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.facts import fact_key
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.merge.suggestion_parts import split_suggestion, whole_id
from mnemoscope.domain.review.evidence import messages_behind
from mnemoscope.domain.review.review_items import ReviewItem
from mnemoscope.memory.capture.capture_writer import PersonMessage
from mnemoscope.memory.files.joint_changes import FileRemoval
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.memory.search.inactive_exchanges import InactiveExchanges
from mnemoscope.store.files.atomic import encode_text, read_stable
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.file_steps import planned_cut
from mnemoscope.store.transactions.intent import LogCut
from mnemoscope.store.workspace.paths import WorkspacePaths

_ENDLESS: Final = 1 << 62


@dataclass(frozen=True, slots=True)
class AbandonedLines:
    """Names the `lines` of one memory file that came from messages which are gone and stand in it still: by the changes
    `change_ids`, the oldest first, which took nothing from elsewhere, and, as `single_lines`, by changes that did."""

    path: str
    lines: tuple[str, ...]
    change_ids: tuple[str, ...] = ()
    single_lines: tuple[str, ...] = ()

    def without(self, text: str) -> str:
        """Returns the file's text without the single lines, and without any of the lines where it is struck out."""
        single, struck = set(map(fact_key, self.single_lines)), set(map(fact_key, self.lines))

        def goes(line: str) -> bool:
            if is_struck(line) and fact_key(standing_line(line)) in struck:
                return True
            return bool(line.strip()) and fact_key(line) in single

        return "\n".join(line for line in text.split("\n") if not goes(line))


@dataclass(frozen=True, slots=True)
class AbandonedMemory:
    """Tells what memory took from messages that were left or are to be deleted.

    `entries` of the history log tell of them alone, and stay, and `cuts` are those that can be taken out of it;
    `shared_entries` tell of other messages too. `files` have lines that came from them, by consolidation, capture, a
    tool of the assistant's or Dream. `dream_lines` are those that Dream wrote of such entries and of others: they stay.
    `suggestions` came from them and wait for review, and of `suggestion_parts` the passages that are here, while their
    others wait on; `shared_suggestions` tell of other messages too. `state_lines` of the conversation's
    SESSION-STATE.md are not sent with what goes on; they are back with the messages.
    """

    entries: int = 0
    cuts: tuple[LogCut, ...] = ()
    shared_entries: int = 0
    files: tuple[AbandonedLines, ...] = ()
    dream_lines: tuple[str, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    suggestion_parts: tuple[Suggestion, ...] = ()
    shared_suggestions: tuple[Suggestion, ...] = ()
    state_lines: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Returns the lines of all files."""
        return tuple(line for each in self.files for line in each.lines)

    @property
    def can_be_removed(self) -> bool:
        """Tells whether anything of it, and of nothing else, can be taken back."""
        return bool(self.files or self.withdrawn or self.cuts)

    @property
    def withdrawn(self) -> tuple[Suggestion, ...]:
        """Returns the suggestions that are withdrawn, wholly or in part, where it is taken back."""
        return (*self.suggestions, *self.suggestion_parts)

    @property
    def is_any(self) -> bool:
        """Tells whether memory took anything."""
        shared = self.shared_entries or self.shared_suggestions or self.dream_lines
        return bool(self.entries or shared or self.state_lines or self.can_be_removed)

    def with_shared_suggestions(self) -> AbandonedMemory:
        """Returns what memory took, with those suggestions to be withdrawn too that tell of other messages as well."""
        return replace(self, suggestions=(*self.suggestions, *self.shared_suggestions), shared_suggestions=())


class AbandonedMemoryReader:
    """Looks through the ledger and the log of captures of one workspace."""

    def __init__(
        self,
        paths: WorkspacePaths,
        sessions: SessionManager,
        memory: MemoryStore,
        exchanges: InactiveExchanges,
        disk: Disk,
    ) -> None:
        self._paths = paths
        self._sessions = sessions
        self._exchanges = exchanges
        self._memory = memory
        self._disk = disk

    async def of(self, session: Session, left: str, stop: int) -> AbandonedMemory:
        """Returns what memory took from the messages from `stop` on of the branch `left`. Raises UnreadableFile."""
        branch = next((each for each in session.other_branches if each.began == left), None)
        if branch is None:
            return AbandonedMemory()
        return await self._disk.run(self._noted_and_taken, session, branch, range(stop, _ENDLESS))

    async def of_messages(self, session: Session, indices: Collection[int]) -> AbandonedMemory:
        """Returns what memory took from messages of a conversation, asked before these are deleted: where it took
        from others at the same time, the words of a line tell which messages it rests on. Raises UnreadableFile."""
        gone = frozenset(indices)
        return await self._disk.run(self._noted_and_taken, session, session.branch, gone, session.messages)

    async def inactive_notes(self, files: Collection[str]) -> Mapping[str, frozenset[str]]:
        """Returns the notes among these files that tell messages which conversations have left, as `words_of_entry` has
        them. Raises UnreadableFile."""
        return await self._disk.run(self._exchanges.texts, files)

    async def remove(self, taken: AbandonedMemory) -> str:
        """Takes the lines out of memory, those too that something newer struck out since, and the entries out of the
        history, and withdraws what waits for review, in one step; returns its id, by which `undo_removal` undoes it.

        Raises StorageError, with nothing changed.
        """
        parts = [FileRemoval(each.path, each.change_ids, each.without) for each in taken.files]
        return await self._memory.editing.remove(parts, taken.suggestions, taken.cuts, taken.suggestion_parts)

    async def undo_removal(self, change_id: str) -> None:
        """Undoes what `remove` did, in one step. Raises StorageError, with nothing changed."""
        await self._memory.editing.undo_removal(change_id)

    async def undo_newest_removal(self) -> bool:
        """Undoes what `remove` did last, also before a restart; returns whether there was anything. Raises
        StorageError, with nothing changed."""
        change_id = await self._memory.editing.newest_removal()
        if change_id is None:
            return False
        await self.undo_removal(change_id)
        return True

    def _noted_and_taken(
        self, session: Session, branch: Branch, gone: Container[int], messages: Sequence[Message] = ()
    ) -> AbandonedMemory:
        """Notes what was captured of messages that are gone and the disk did not let be noted, then looks what memory
        took from them."""
        own = messages or self._sessions.branches.messages_of(session, branch.began)
        said = {index: own[index] for index in range(len(own)) if index in gone}
        self._note_missed(session, branch, said)
        return self._taken(session, branch, gone, list(said.values()), messages)

    def _taken(
        self,
        session: Session,
        branch: Branch,
        gone: Container[int],
        said: Sequence[Message],
        messages: Sequence[Message],
    ) -> AbandonedMemory:
        """Returns what memory took from messages that are gone: `said`, of a branch that was left, or among the
        `messages` of a conversation."""
        key = session.key
        affected = _AffectedRecords(session, branch, gone, messages)
        alone, shared = set[str](), dict[str, range]()
        dreamed = _DreamedEntries(Journal(self._paths))
        entries = shared_entries = 0
        cuts = list[LogCut]()
        for each in self._memory.ledger.records(key):
            inside = affected.of(each)
            if not affected.is_touched(inside):
                continue
            is_alone = affected.is_alone(inside, each)
            dreamed.add(each.cursor, is_alone=is_alone)
            if is_alone:
                alone.add(each.transaction_id)
                cut = self._cut_of(each)
                cuts += [cut] if cut is not None else []
                entries += cut is None and self._stands(each)
            else:
                shared[each.transaction_id] = inside
                shared_entries += bool(each.entry)
        left, stays = self._captured(session, branch, gone)
        alone |= {each.change_id for each in left if each.outcome == KEPT and each.change_id}
        alone |= self._changes_noted_later(left)
        alone |= {str(call["memory_change"]) for call in said if call.get("memory_change")}
        asked = alone | {str(call["memory_suggestion"]) for call in said if call.get("memory_suggestion")}
        asked |= self._held_of_captures(key, left, stays)
        # What a message that stays says too is not taken back.
        said_too = {each.fact for each in stays if each.fact and (each.outcome == KEPT or each.twin)}
        spared = {fact_key(each.memory_line) for each in left if each.fact in said_too}
        captured = tuple(each.memory_line for each in left if each.outcome == KEPT and each.wrote_memory)
        sure = _SureChanges(alone, spared, captured, dreamed, affected, shared if messages else {})
        proposals = self._proposals_of(asked, shared, sure)
        files, of_dream = list[AbandonedLines](), list[str]()
        for path, log in self._memory.files.changes().items():
            found = self._lines_of(path, log.changes(), sure)
            files += [found.taken] if found.taken.change_ids or found.taken.single_lines else []
            of_dream += found.of_dream
        return AbandonedMemory(
            entries=entries,
            cuts=tuple(cuts),
            shared_entries=shared_entries,
            files=tuple(files),
            dream_lines=tuple(of_dream),
            suggestions=tuple(proposals.whole),
            suggestion_parts=tuple(proposals.parts),
            shared_suggestions=tuple(proposals.shared),
            state_lines=self._state_lines(key, left, stays),
        )

    def _changes_noted_later(self, left: Sequence[CaptureRecord]) -> set[str]:
        """Returns the changes of MEMORY.md by captures that the disk let be noted only after the captures were."""
        changes = self._memory.files.memory.changes.changes()
        known, found = {each.id for each in changes}, set[str]()
        for record in (each for each in left if each.wrote_memory and each.change_id not in known):
            place, line = ("capture", record.session_key, record.index), fact_key(record.memory_line)
            origins = ((each, each.origin) for each in changes if line in map(fact_key, each.added))
            found |= {each.id for each, by in origins if (by.kind, by.session_key, by.start) == place}
        return found

    def _cut_of(self, record: ConsolidationRecord) -> LogCut | None:
        """Returns what takes the entry of a consolidation out of the history, None where it is not there as it was
        written."""
        intent = self._memory.ledger.intent(record.transaction_id)
        return None if intent is None else planned_cut(self._paths.root, self._log_of(record), intent.history_entry)

    def _stands(self, record: ConsolidationRecord) -> bool:
        """Returns whether the words of an entry stand in its log, whoever wrote them anew."""
        if record.cursor is not None:
            return Journal(self._paths).get(record.cursor) is not None
        data = read_stable(self._paths.history_file) or b""
        return bool(record.entry) and encode_text(record.entry) in data

    def _log_of(self, record: ConsolidationRecord) -> Path:
        return self._paths.history_file if record.cursor is None else self._paths.history_jsonl

    def _lines_of(self, path: str, changes: Sequence[MemoryChange], sure: _SureChanges) -> _FoundLines:
        """Returns what stands in a memory file still of the messages that are gone."""
        text = self._memory.editing.read_text(path).text
        said = {fact_key(form) for line in text.split("\n") for form in (line, standing_line(line))}
        found = [each for each in changes if sure.is_alone(each) and _standing(each, said)]
        wholly = [each for each in found if not any(fact_key(line) in sure.spared for line in _standing(each, said))]
        single = [
            line
            for each in found
            if each not in wholly
            for line in _standing(each, said)
            if fact_key(line) not in sure.spared
        ]
        single += [line for each in changes for line in _standing(each, said) if sure.rests_on_gone(line, each)]
        if path == MEMORY_PATH:
            # What a capture wrote is known by its words where the change could not be noted.
            covered = {fact_key(line) for each in found for line in _standing(each, said)} | sure.spared
            rest = (line.removeprefix("- ") for line in sure.captured if fact_key(line) in said - covered)
            single += rest
        single = [line for line in dict.fromkeys(single) if not is_struck(f"- {line}")]
        lines = [line for each in wholly for line in _standing(each, said) if not is_struck(f"- {line}")]
        of_dream = [line for each in changes if sure.is_partly_dreamed(each) for line in _standing(each, said)]
        change_ids = tuple(each.id for each in wholly)
        return _FoundLines(AbandonedLines(path, (*lines, *single), change_ids, tuple(single)), of_dream)

    def _proposals_of(self, asked: Collection[str], shared: Collection[str], sure: _SureChanges) -> _FoundProposals:
        """Returns what waits for review and came of messages that are gone: of `asked`, or of the consolidations
        `shared`, which are about others as well."""
        found = _FoundProposals()
        for each in self._memory.ledger.undecided():
            name = whole_id(each.id)
            if name in asked or sure.dreamed.became(each):
                found.whole.append(each)
            elif name in shared or sure.dreamed.became_partly(each):
                left, out = split_suggestion(each, partial(sure.is_item_of_gone, name))
                if out is None:
                    found.shared.append(each)
                elif left is None:
                    found.whole.append(each)
                else:
                    found.parts.append(replace(out, id=each.id))
        return found

    def _held_of_captures(self, key: str, left: Sequence[CaptureRecord], stays: Sequence[CaptureRecord]) -> set[str]:
        """Returns the suggestions that ask about what messages said which are gone, and the person had forgotten."""
        held = {each.index for each in left if each.reason == FORGOTTEN}
        held -= {each.index for each in stays if each.reason == FORGOTTEN}
        origins = ((each.id, part.theirs_from) for each in self._memory.ledger.undecided() for part in each.conflicts)
        return {name for name, by in origins if (by.kind, by.session_key) == ("capture", key) and by.start in held}

    def _state_lines(self, key: str, left: Sequence[CaptureRecord], stays: Sequence[CaptureRecord]) -> tuple[str, ...]:
        """Returns what the state of a conversation says still by the messages that are gone alone."""
        gone = lines_left(left, stays)
        return tuple(row for row in self._memory.captures.states.read(key).text.split("\n") if row in gone)

    def _note_missed(self, session: Session, branch: Branch, said: Mapping[int, Message]) -> None:
        if session.discretion.permits(Trace.CAPTURE):
            of_person = (
                PersonMessage.at(session.key, branch, index, message)
                for index, message in said.items()
                if message.get("role") == "user" and not is_command(message)
            )
            self._memory.captures.note_missed(session.key, of_person)

    def _captured(
        self, session: Session, branch: Branch, gone: Container[int]
    ) -> tuple[list[CaptureRecord], list[CaptureRecord]]:
        """Returns what was captured of the messages of `branch` that are gone, and of those of the branch on show that
        stay."""
        captures, messages = self._memory.captures, session.messages
        left = [
            each for index, found in captures.records_of(session.key, branch).items() for each in found if index in gone
        ]
        stays = [
            each
            for index, found in captures.records_of(session.key, session.branch).items()
            for each in found
            if index < len(messages) and not is_deleted(messages[index])
        ]
        # Of the branch on show, what is to be deleted stands still.
        return left, [each for each in stays if each not in left]


class _AffectedRecords:
    """Tells of records of consolidations whether they are about messages that are gone."""

    def __init__(self, session: Session, branch: Branch, gone: Container[int], messages: Sequence[Message]) -> None:
        self._branch = branch
        self._gone = gone
        self._messages = messages
        known = (session.branch, *session.other_branches)
        self._branches = {each.began: each for each in known}
        self._is_left = inactive_on(session.branch, session.other_branches, session.messages)

    def of(self, record: ConsolidationRecord) -> range:
        """Returns the messages of this branch that a record is about."""
        return range(record.start, min(record.stop, _reached(self._branch, record.session_created_at)))

    def is_touched(self, inside: range) -> bool:
        return any(index in self._gone for index in inside)

    def is_alone(self, inside: range, record: ConsolidationRecord) -> bool:
        """Returns whether nobody else's words were in it: commands and what was deleted before say nothing, and what
        lies on further branches that were left is gone, too."""
        return all(index in self._gone or self._is_silent(index) for index in inside) and all(
            self._was_left(record, index) for index in range(inside.stop, record.stop)
        )

    def rests_on_gone(self, line: str, inside: range) -> bool:
        """Returns whether the messages that a line rests on are all gone."""
        behind = messages_behind(line, [self._messages[index] for index in inside])
        return bool(behind) and all(inside[place] in self._gone for place in behind)

    def _is_silent(self, index: int) -> bool:
        return index < len(self._messages) and is_command(self._messages[index])

    def _was_left(self, record: ConsolidationRecord, index: int) -> bool:
        """Returns whether a message of the record's own branch, beyond what this one shares with it, was left."""
        branch = self._branches.get(record.session_created_at)
        return branch is not None and self._is_left(NotedMessage(branch.owner_of(index), index))


class _DreamedEntries:
    """Knows the entries of the journal that tell of messages which are gone, and what Dream made of them."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._alone, self._touched = set[int](), set[int]()

    def add(self, cursor: int | None, *, is_alone: bool) -> None:
        """Notes an entry that tells of them, alone or among others."""
        if cursor is not None:
            self._touched.add(cursor)
            self._alone |= {cursor} if is_alone else set()

    def is_alone(self, origin: MemoryOrigin) -> bool:
        """Returns whether a change is of a run of Dream that read no other entry."""
        if not self._reads_any(origin, self._alone):
            return False
        read = {each.cursor for each in self._journal.between(origin.start, origin.stop)}
        return read <= self._alone

    def is_partly(self, origin: MemoryOrigin) -> bool:
        """Returns whether a change is of a run of Dream that read others, too."""
        return self._reads_any(origin, self._touched) and not self.is_alone(origin)

    def became(self, suggestion: Suggestion) -> bool:
        """Returns whether a suggestion is of a run that read no other entry."""
        return any(self.is_alone(each.theirs_from) for each in suggestion.conflicts)

    def became_partly(self, suggestion: Suggestion) -> bool:
        """Returns whether a suggestion is of a run that read others, too."""
        return any(self.is_partly(each.theirs_from) for each in suggestion.conflicts)

    @staticmethod
    def _reads_any(origin: MemoryOrigin, cursors: Collection[int]) -> bool:
        return origin.kind == "dream" and any(origin.start <= each <= origin.stop for each in cursors)


@dataclass(frozen=True, slots=True)
class _SureChanges:
    """Tells of changes of memory whether they came of messages that are gone. `alone` are the ids of those that did,
    `spared` the keys of lines that a message which stays says too, `captured` the lines that captures of theirs wrote;
    `shared` are consolidations about other messages as well, with the messages they are about."""

    alone: Collection[str]
    spared: Set[str]
    captured: Sequence[str]
    dreamed: _DreamedEntries
    affected: _AffectedRecords
    shared: Mapping[str, range]

    def is_alone(self, change: MemoryChange) -> bool:
        return change.id in self.alone or self.dreamed.is_alone(change.origin)

    def is_partly_dreamed(self, change: MemoryChange) -> bool:
        return self.dreamed.is_partly(change.origin)

    def rests_on_gone(self, line: str, change: MemoryChange) -> bool:
        """Returns whether a line of a change that took from other messages too rests on those that are gone alone."""
        return self._rests_on_gone(line, change.id)

    def is_item_of_gone(self, consolidation: str, item: ReviewItem) -> bool:
        """Returns whether all that a passage would add rests on messages that are gone alone."""
        return bool(item.added) and all(self._rests_on_gone(line, consolidation) for line in item.added)

    def _rests_on_gone(self, line: str, consolidation: str) -> bool:
        inside = self.shared.get(consolidation)
        return inside is not None and self.affected.rests_on_gone(line, inside)


@dataclass(frozen=True, slots=True)
class _FoundProposals:
    whole: list[Suggestion] = field(default_factory=list)
    parts: list[Suggestion] = field(default_factory=list)
    shared: list[Suggestion] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _FoundLines:
    taken: AbandonedLines
    of_dream: Sequence[str]


def _reached(branch: Branch, began: str) -> int:
    """Returns up to which message a branch goes along with the one `began`."""
    if began == branch.began:
        return _ENDLESS
    return next((fork.stop for fork in branch.forks if fork.began == began), 0)


def _standing(change: MemoryChange, said: set[str]) -> Sequence[str]:
    """Returns the lines that a change added and that memory has still, struck out or not."""
    return [line for line in change.added if fact_key(line) in said]
