"""Finds what memory took from messages that a conversation has left or that are deleted, and takes it back."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.capture.active_state import lines_left
from mnemoscope.domain.capture.lines import is_struck, standing_line
from mnemoscope.domain.capture.record import KEPT, CaptureRecord
from mnemoscope.domain.conversation.branch import Branch
from mnemoscope.domain.conversation.message import Message, is_command, is_deleted
from mnemoscope.domain.memory.change import MemoryChange
from mnemoscope.domain.memory.facts import fact_key
from mnemoscope.domain.memory.records import ConsolidationRecord
from mnemoscope.domain.review.evidence import messages_behind
from mnemoscope.memory.files.memory_writer import MemorySaved
from mnemoscope.memory.search.left_exchanges import LeftExchanges
from mnemoscope.memory.store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.journals.capture_log import CaptureLog
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.workspace.paths import WorkspacePaths

_ENDLESS: Final = 1 << 62


@dataclass(frozen=True, slots=True)
class AbandonedMemory:
    """Tells what memory took from messages that were left or are to be deleted.

    `entries` of the history log tell of them alone, `shared_entries` of other messages too. `lines` of MEMORY.md came
    from them and stand in it still: by the changes `change_ids`, the oldest first, which took nothing from elsewhere,
    and, as `single_lines`, by changes that did. `state_lines` of the conversation's SESSION-STATE.md are not sent with
    what goes on; they are back with the messages.
    """

    entries: int = 0
    shared_entries: int = 0
    lines: tuple[str, ...] = ()
    change_ids: tuple[str, ...] = ()
    single_lines: tuple[str, ...] = ()
    state_lines: tuple[str, ...] = ()

    @property
    def is_any(self) -> bool:
        """Tells whether memory took anything."""
        return bool(self.entries or self.shared_entries or self.lines or self.state_lines)


class AbandonedMemoryReader:
    """Looks through the ledger and the log of captures of one workspace."""

    def __init__(self, paths: WorkspacePaths, memory: MemoryStore, exchanges: LeftExchanges, disk: Disk) -> None:
        self._paths = paths
        self._exchanges = exchanges
        self._memory = memory
        self._disk = disk

    async def of(self, session: Session, left: str, stop: int) -> AbandonedMemory:
        """Returns what memory took from the messages from `stop` on of the branch `left`. Raises UnreadableFile."""
        branch = next((each for each in session.other_branches if each.began == left), None)
        if branch is None:
            return AbandonedMemory()
        return await self._disk.run(self._taken, session, branch, range(stop, _ENDLESS))

    async def of_messages(self, session: Session, indices: Collection[int]) -> AbandonedMemory:
        """Returns what memory took from messages of a conversation, asked before these are deleted: where it took
        from others at the same time, the words of a line tell which messages it rests on. Raises UnreadableFile."""
        return await self._disk.run(self._taken, session, session.branch, frozenset(indices), session.messages)

    async def left_notes(self, files: Collection[str]) -> Mapping[str, frozenset[str]]:
        """Returns the notes among these files that tell messages which conversations have left, as `words_of_entry` has
        them. Raises UnreadableFile."""
        return await self._disk.run(self._exchanges.texts, files)

    async def take_back(self, taken: AbandonedMemory) -> tuple[MemorySaved, tuple[str, ...]]:
        """Takes the lines out of memory, those too that something newer struck out since; returns the text it has now,
        and the changes to undo where that was a mistake.

        Raises StorageError.
        """
        editing, made = self._memory.editing, list[str]()
        if taken.change_ids:
            saved = await editing.undo_changes(taken.change_ids)
            made.append((await self._disk.run(editing.changes))[-1].id)
        base = await self._disk.run(editing.read_text)
        kept = _without(base.text, taken)
        if kept != base.text or not made:
            saved = await editing.save_text(kept, base.digest)
            made.append((await self._disk.run(editing.changes))[-1].id)
        return saved, tuple(made)

    def _taken(
        self, session: Session, branch: Branch, gone: Container[int], messages: Sequence[Message] = ()
    ) -> AbandonedMemory:
        key = session.key
        affected = _AffectedRecords(branch, gone, messages)
        alone, shared = set[str](), dict[str, range]()
        entries = shared_entries = 0
        for each in self._memory.ledger.records(key):
            inside = affected.of(each)
            if not affected.is_touched(inside):
                continue
            if affected.is_alone(inside, each):
                alone.add(each.transaction_id)
                entries += bool(each.entry)
            else:
                shared[each.transaction_id] = inside
                shared_entries += bool(each.entry)
        left, stays = self._captured(session, branch, gone)
        alone |= {each.change_id for each in left if each.outcome == KEPT and each.change_id}
        # What a message that stays says too is not taken back.
        said_too = {each.fact for each in stays if each.fact and (each.outcome == KEPT or each.twin)}
        spared = {fact_key(each.memory_line) for each in left if each.fact in said_too}
        text = self._memory.editing.read_text().text
        said = {fact_key(form) for line in text.split("\n") for form in (line, standing_line(line))}
        changes = self._memory.editing.changes()
        found = [each for each in changes if each.id in alone and _standing(each, said)]
        wholly = [each for each in found if not any(fact_key(line) in spared for line in _standing(each, said))]
        lines = [line for each in wholly for line in _standing(each, said)]
        partly = [(each, shared[each.id]) for each in changes if each.id in shared and messages]
        single = [
            line
            for each in found
            if each not in wholly
            for line in _standing(each, said)
            if fact_key(line) not in spared
        ]
        single += [
            line for each, inside in partly for line in _standing(each, said) if affected.rests_on_gone(line, inside)
        ]
        single = [line for line in dict.fromkeys(single) if not is_struck(f"- {line}")]
        return AbandonedMemory(
            entries=entries,
            shared_entries=shared_entries,
            lines=(*(line for line in lines if not is_struck(f"- {line}")), *single),
            change_ids=tuple(each.id for each in wholly),
            single_lines=tuple(single),
            state_lines=self._state_lines(key, left, stays),
        )

    def _state_lines(self, key: str, left: Sequence[CaptureRecord], stays: Sequence[CaptureRecord]) -> tuple[str, ...]:
        """Returns what the state of a conversation says still by the messages that are gone alone."""
        gone = lines_left(left, stays)
        return tuple(row for row in self._memory.captures.states.read(key).text.split("\n") if row in gone)

    def _captured(
        self, session: Session, branch: Branch, gone: Container[int]
    ) -> tuple[list[CaptureRecord], list[CaptureRecord]]:
        """Returns what was captured of the messages of `branch` that are gone, and of those of the branch on show that
        stay."""
        log, messages = CaptureLog(self._paths), session.messages
        left = [
            each for index, found in log.of_conversation(session.key, branch).items() for each in found if index in gone
        ]
        stays = [
            each
            for index, found in log.of_conversation(session.key, session.branch).items()
            for each in found
            if index < len(messages) and not is_deleted(messages[index])
        ]
        # Of the branch on show, what is to be deleted stands still.
        return left, [each for each in stays if each not in left]


class _AffectedRecords:
    """Tells of records of consolidations whether they are about messages that are gone."""

    def __init__(self, branch: Branch, gone: Container[int], messages: Sequence[Message]) -> None:
        self._branch = branch
        self._gone = gone
        self._messages = messages

    def of(self, record: ConsolidationRecord) -> range:
        """Returns the messages of this branch that a record is about."""
        return range(record.start, min(record.stop, _reached(self._branch, record.session_created_at)))

    def is_touched(self, inside: range) -> bool:
        return any(index in self._gone for index in inside)

    def is_alone(self, inside: range, record: ConsolidationRecord) -> bool:
        """Returns whether nobody else's words were in it: commands and what was deleted before say nothing."""
        return inside.stop == record.stop and all(index in self._gone or self._is_silent(index) for index in inside)

    def rests_on_gone(self, line: str, inside: range) -> bool:
        """Returns whether the messages that a line rests on are all gone."""
        behind = messages_behind(line, [self._messages[index] for index in inside])
        return bool(behind) and all(inside[place] in self._gone for place in behind)

    def _is_silent(self, index: int) -> bool:
        return index < len(self._messages) and is_command(self._messages[index])


def _reached(branch: Branch, began: str) -> int:
    """Returns up to which message a branch goes along with the one `began`."""
    if began == branch.began:
        return _ENDLESS
    return next((fork.stop for fork in branch.forks if fork.began == began), 0)


def _without(text: str, taken: AbandonedMemory) -> str:
    """Returns a memory text without the single lines, and without any of the lines where it is struck out."""
    single, struck = set(map(fact_key, taken.single_lines)), set(map(fact_key, taken.lines))

    def goes(line: str) -> bool:
        if is_struck(line) and fact_key(standing_line(line)) in struck:
            return True
        return bool(line.strip()) and fact_key(line) in single

    return "\n".join(line for line in text.split("\n") if not goes(line))


def _standing(change: MemoryChange, said: set[str]) -> Sequence[str]:
    """Returns the lines that a change added and that memory has still, struck out or not."""
    return [line for line in change.added if fact_key(line) in said]
