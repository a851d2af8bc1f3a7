"""For each memory file what edits it, lets a model's text through to it, and settles what was held of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.memory.files.memory_changes import MemoryChanges
from mnemoscope.memory.files.memory_files import TendedFiles
from mnemoscope.memory.files.memory_writer import MemoryWriter
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.transactions.ledger import Ledger

if TYPE_CHECKING:
    from mnemoscope.memory.files.memory_gate import MemoryGate
    from mnemoscope.memory.files.suggestion_resolution import Settling


class FileDesk:
    """One file's. Everything here blocks on the disk."""

    def __init__(
        self, path: str, edits: MemoryWriter, changes: MemoryChanges, versions: TextVersions, ledger: Ledger
    ) -> None:
        self.path, self.edits, self.changes = path, edits, changes
        self._versions, self._ledger = versions, ledger

    @cached_property
    def gate(self) -> MemoryGate:
        """What lets a model's text through."""
        from mnemoscope.memory.files.memory_gate import MemoryGate

        return MemoryGate(self.edits, self._versions, self.changes)

    @cached_property
    def settling(self) -> Settling:
        """The person's word on what was held, and on what was written."""
        from mnemoscope.memory.files.suggestion_resolution import Settling

        return Settling(self.edits, self._ledger, self.changes)


class FileDesks:
    """The desks of one workspace, each made once."""

    def __init__(
        self, tended: TendedFiles, versions: TextVersions, ledger: Ledger, finish_pending: Callable[[], object]
    ) -> None:
        self._tended, self._versions, self._ledger, self._finish_pending = tended, versions, ledger, finish_pending
        self._known: dict[str, FileDesk] = {}

    @property
    def memory(self) -> FileDesk:
        """MEMORY.md's."""
        return self.of(MEMORY_PATH)

    def of(self, path: str) -> FileDesk:
        """One file's, by its path relative to the workspace. Raises StorageError where it is no memory file."""
        if path not in self._known:
            tended = self._tended.of(path)
            edits = MemoryWriter(
                tended.file, self._versions, self._ledger, tended.changes, finish_pending=self._finish_pending
            )
            self._known[path] = FileDesk(path, edits, tended.changes, self._versions, self._ledger)
        return self._known[path]

    def of_suggestion(self, suggestion_id: str) -> FileDesk:
        """The desk of the file a suggestion is about; MEMORY.md's where there is no such suggestion."""
        found = (each.path for each in self._ledger.suggestions() if each.id == suggestion_id)
        return self.of(next(found, MEMORY_PATH))
