"""The registry of memory files: MEMORY.md, and beside it SOUL.md, USER.md, Dream's guide and skills."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from urllib.parse import unquote

from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.domain.forgetting.forgotten_lines import nothing_forgotten
from mnemoscope.domain.forgetting.rejected_facts import rejected_for_prompt
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.file_registry import COMPARED_FILES, file_of_page, is_paged, is_untracked, number_of_page
from mnemoscope.memory.files.memory_changes import MemoryChanges
from mnemoscope.memory.files.memory_writer import MemoryWriter
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.forgetting.rejections import Rejections
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from mnemoscope.store.memory.log_page import LogPage
from mnemoscope.store.memory.memory_file import MemoryFile
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.memory.tracked_files import is_tracked, newest_untracked_paths, present_files, untracked_paths
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

_TOLD, _TOLD_BRIEFLY = 400, 60
"""Tokens of the facts that a model is told were rejected."""


class MemoryFiles:
    """Hands out the one writer of each memory file of a workspace."""

    def __init__(
        self,
        paths: WorkspacePaths,
        versions: TextVersions,
        ledger: Ledger,
        *,
        finish_pending: Callable[[], object] = lambda: None,
        clock: Callable[[], datetime] = datetime.now,
        calls: FileCalls = REAL_CALLS,
        tombstones: Tombstones | None = None,
        rejections: Rejections | None = None,
        half_undone: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        """`finish_pending` and `half_undone`: as MemoryWriter has them."""
        self._paths = paths
        self._versions = versions
        self._ledger = ledger
        self._finish_pending = finish_pending
        self._clock = clock
        self._calls = calls
        self._tombstones = tombstones
        self._rejections = rejections
        self._half_undone = half_undone
        self._writers: dict[str, MemoryWriter] = {}

    @property
    def memory(self) -> MemoryWriter:
        """Returns the writer of MEMORY.md."""
        return self.of(MEMORY_PATH)

    def of(self, path: str) -> MemoryWriter:
        """Returns the writer of a file; `path` is relative to the workspace. Raises StorageError where it is no memory
        file."""
        if path not in self._writers:
            is_known = is_tracked(path) or is_untracked(path)
            if not is_known or path.endswith("/") or ".." in path.split("/"):
                raise StorageError(f"{path} is no memory file.", next_step="", path=path)
            self._writers[path] = self._writer(path)
        return self._writers[path]

    def of_suggestion(self, suggestion_id: str) -> MemoryWriter:
        """Returns the writer of the file that a suggestion is about; MEMORY.md's where there is no such suggestion."""
        found = (each.path for each in self._ledger.suggestions() if each.id == suggestion_id)
        return self.of(next(found, MEMORY_PATH))

    def facts(self) -> dict[str, str]:
        """Returns the texts, by path, of the files that say what is known; those that can be read."""
        found: dict[str, str] = {}
        for path in COMPARED_FILES:
            with suppress(StorageError):
                found[path] = self.of(path).file.read().text
        return found

    def other_facts(self, path: str) -> dict[str, str]:
        """Returns the texts of the other files that say what is known, where this is one."""
        return {other: text for other, text in self.facts().items() if other != path} if path in COMPARED_FILES else {}

    def changes(self) -> Mapping[str, MemoryChanges]:
        """Returns, by path, the changes of the files of which some were noted."""
        present = (*(path for path, _ in present_files(self._paths)), *untracked_paths(self._paths))
        paths = {MEMORY_PATH, *self._writers, *present, *self._changed_pages()}
        changed = sorted(path for path in paths if self._paths.own.change_log_of(path).exists())
        return {path: self.of(path).changes for path in changed}

    def _changed_pages(self) -> list[str]:
        """Returns the pages of logs of which changes were noted, but for the first of each."""
        logs = self._paths.own.change_log_of("").parent.glob("*#*.jsonl")
        paths = (unquote(each.name.removesuffix(".jsonl")) for each in logs)
        return [path for path in paths if number_of_page(path)]

    def tracked_changes(self) -> Mapping[str, MemoryChanges]:
        """Returns what has been noted of changes, by path, of the files that have commits."""
        return {path: changes for path, changes in self.changes().items() if is_tracked(path)}

    def is_forgotten(self, line: str) -> bool:
        """Returns whether the person had this forgotten."""
        return self.forgotten_now()(line)

    def forgotten_now(self) -> Callable[[str], bool]:
        """Returns what tells of a line whether the person had it forgotten by now; for many lines it looks at the disk
        once."""
        if self._tombstones is None:
            return nothing_forgotten()
        return self._tombstones.forgotten_now()

    def rejections_for_prompt(self, read: str, keys: Collection[str], *, brief: bool) -> list[str]:
        """Returns the facts that a model which reads a text is told not to propose, since the person rejected them;
        `keys` are never told. `brief`: few, for a model that holds little. Blocks on the disk."""
        if self._rejections is None:
            return []
        is_forgotten, since = self.forgotten_now(), self._rejections.since

        def holds(fact: str) -> bool:
            return since(fact) is not None and not is_forgotten(fact)

        return rejected_for_prompt(self._rejections.facts(), read, keys, _TOLD_BRIEFLY if brief else _TOLD, holds)

    def ask_about_what_stayed(self) -> None:
        """Has lines wait for the person's word that a forgetting left just now and that are held as forgotten: those
        that say the same in other words, and those in files that the person left as they are. Raises StorageError."""
        for path in dict.fromkeys((*self.changes(), *newest_untracked_paths(self._paths))):
            writer = self.of(path)
            with suppress(UnreadableFile):
                # Of what is noted there all the time no text versions are kept.
                writer.ask_about_forgotten(writer.read(keep=not is_untracked(path)), stayed=True)

    def reread(self) -> None:
        """Has every log of changes read afresh, as it was written without words."""
        for writer in self._writers.values():
            writer.changes.reread()

    def _writer(self, path: str) -> MemoryWriter:
        changes = MemoryChanges(
            self._paths,
            self._versions,
            self._ledger,
            path=path,
            clock=self._clock,
            calls=self._calls,
            tombstones=self._tombstones,
            rejections=self._rejections,
        )
        return MemoryWriter(
            LogPage(self._paths, path, calls=self._calls)
            if is_paged(file_of_page(path))
            else MemoryFile(self._paths.file(path), calls=self._calls),
            changes,
            self._versions,
            self._ledger,
            finish_pending=self._finish_pending,
            others=partial(self.other_facts, path),
            half_undone=self._half_undone,
        )
