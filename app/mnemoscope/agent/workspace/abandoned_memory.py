"""Finds what memory took from messages that a conversation has left, and takes it back in one step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mnemoscope.domain.capture.lines import is_struck
from mnemoscope.domain.capture.record import KEPT
from mnemoscope.domain.conversation.branch import Branch
from mnemoscope.domain.memory.change import MemoryChange
from mnemoscope.domain.memory.facts import fact_key
from mnemoscope.memory.files.memory_writer import MemorySaved
from mnemoscope.memory.store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.journals.capture_log import CaptureLog
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.workspace.paths import WorkspacePaths


@dataclass(frozen=True, slots=True)
class AbandonedMemory:
    """Tells what memory took from the messages of a branch that were left.

    `entries` of the history log tell of them alone, `shared_entries` of messages before them too. `lines` of MEMORY.md
    came from them alone and stand in it still, by the changes `change_ids`, the oldest first.
    """

    entries: int = 0
    shared_entries: int = 0
    lines: tuple[str, ...] = ()
    change_ids: tuple[str, ...] = ()

    @property
    def is_any(self) -> bool:
        """Tells whether memory took anything."""
        return bool(self.entries or self.shared_entries or self.lines)


class AbandonedMemoryReader:
    """Looks through the ledger and the log of captures of one workspace."""

    def __init__(self, paths: WorkspacePaths, memory: MemoryStore, disk: Disk) -> None:
        self._paths = paths
        self._memory = memory
        self._disk = disk

    async def of(self, session: Session, left: str, stop: int) -> AbandonedMemory:
        """Returns what memory took from the messages from `stop` on of the branch `left`. Raises UnreadableFile."""
        branch = next((each for each in session.other_branches if each.began == left), None)
        if branch is None:
            return AbandonedMemory()
        return await self._disk.run(self._taken, session.key, branch, stop)

    async def take_back(self, taken: AbandonedMemory) -> tuple[MemorySaved, str]:
        """Takes the lines out of memory; returns the text it has now, and the change to undo where that was a mistake.

        Raises StorageError with nothing changed.
        """
        saved = await self._memory.editing.undo_changes(taken.change_ids)
        changes = await self._disk.run(self._memory.editing.changes)
        return saved, changes[-1].id

    def _taken(self, key: str, branch: Branch, stop: int) -> AbandonedMemory:
        records = [each for each in self._memory.ledger.records(key) if _reached(branch, each.session_created_at)]
        records = [each for each in records if min(each.stop, _reached(branch, each.session_created_at)) > stop]
        alone = {each.transaction_id for each in records if each.start >= stop}
        captured = CaptureLog(self._paths).of_conversation(key, branch)
        for index, found in captured.items():
            alone |= {each.change_id for each in found if index >= stop and each.outcome == KEPT and each.change_id}
        said = {fact_key(line) for line in self._memory.editing.read_text().text.split("\n")}
        changes = [each for each in self._memory.editing.changes() if each.id in alone and _standing(each, said)]
        return AbandonedMemory(
            entries=sum(bool(each.entry) and each.start >= stop for each in records),
            shared_entries=sum(bool(each.entry) and each.start < stop for each in records),
            lines=tuple(line for each in changes for line in _standing(each, said) if not is_struck(f"- {line}")),
            change_ids=tuple(each.id for each in changes),
        )


def _reached(branch: Branch, began: str) -> int:
    """Returns up to which message a branch goes along with the one `began`."""
    if began == branch.began:
        return 1 << 62
    return next((fork.stop for fork in branch.forks if fork.began == began), 0)


def _standing(change: MemoryChange, said: set[str]) -> Sequence[str]:
    return [line for line in change.added if fact_key(line) in said]
