"""The memory files: MEMORY.md, and beside it SOUL.md, USER.md, Dream's guide and skills. Each has a file with
compare-and-swap and a journal of its changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.memory.files.memory_changes import MemoryChanges
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.memory.memory_file import MemoryFile
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.memory.tracked_files import is_tracked, present_files
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths


@dataclass(frozen=True, slots=True)
class Tended:
    """One memory file, `path` relative to the workspace."""

    path: str
    file: MemoryFile
    changes: MemoryChanges


class TendedFiles:
    """The memory files of one workspace, each made once."""

    def __init__(
        self,
        paths: WorkspacePaths,
        versions: TextVersions,
        ledger: Ledger,
        *,
        clock: Callable[[], datetime] = datetime.now,
        calls: FileCalls = REAL_CALLS,
    ) -> None:
        self._paths, self._versions, self._ledger = paths, versions, ledger
        self._clock, self._calls = clock, calls
        self._known: dict[str, Tended] = {}

    @property
    def memory(self) -> Tended:
        """MEMORY.md."""
        return self.of(MEMORY_PATH)

    def of(self, path: str) -> Tended:
        """One file. Raises StorageError for a path that is no memory file."""
        if path not in self._known:
            if not is_tracked(path) or path.endswith("/") or ".." in path.split("/"):
                raise StorageError(f"{path} is no memory file.", next_step="", path=path)
            changes = MemoryChanges(
                self._paths, self._versions, self._ledger, path=path, clock=self._clock, calls=self._calls
            )
            self._known[path] = Tended(path, MemoryFile(self._paths.file(path), calls=self._calls), changes)
        return self._known[path]

    def journals(self) -> Mapping[str, MemoryChanges]:
        """The journals of the files that have one, or are there."""
        paths = {MEMORY_PATH, *self._known, *(path for path, _ in present_files(self._paths))}
        ours = sorted(path for path in paths if self._paths.own.change_log_of(path).exists())
        return {path: self.of(path).changes for path in ours}
