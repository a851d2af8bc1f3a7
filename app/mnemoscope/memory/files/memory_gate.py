"""The gate before MEMORY.md for what a model writes with a tool: the same one that a consolidation's answer passes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mnemoscope.domain.memory.change import MemoryOrigin
from mnemoscope.domain.review.evidence import Sources
from mnemoscope.domain.review.memory_review import review
from mnemoscope.memory.files.memory_changes import MemoryChanges
from mnemoscope.memory.files.memory_writer import MemorySaved, MemoryWriter
from mnemoscope.store.memory.text_versions import TextVersions


@dataclass(frozen=True, slots=True)
class Proposer:
    """A model that wants to write memory: what was said before it, and keys that may not be kept."""

    sources: Sources
    keys: frozenset[str]
    session_key: str
    when: str


class MemoryGate:
    """Lets texts of models through to MEMORY.md, or holds them for the person. Blocks on the disk."""

    def __init__(self, edits: MemoryWriter, versions: TextVersions, changes: MemoryChanges) -> None:
        self._edits, self._versions, self._changes = edits, versions, changes

    def save(self, text: str, based_on: str | None, origin: str, proposer: Proposer) -> MemorySaved:
        """As `MemoryWriter.save`, or `held` with the reasons and nothing written. Raises StorageError.

        The text is judged against the version it was made from, or the present one where that is not known any more.
        """
        current = self._edits.read()
        known = self._versions.text(based_on) if based_on else None
        before = current.text if known is None else known
        proposal = review(before, text, sources=proposer.sources, known=proposer.keys)
        source = MemoryOrigin(origin, proposer.when, proposer.session_key)
        if not proposal.reasons:
            saved = self._edits.save(proposal.text, based_on, source)
            return replace(saved, change_id=self._changes.made_by(source))
        self._edits.hold(before, proposal.text, proposal.reasons, source)
        return MemorySaved(current.text, current.version, held=proposal.reasons)
