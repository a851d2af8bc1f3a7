"""Removes temporary files that a crash left; text of another program in them is merged or kept first.

A replacement of MEMORY.md that was cut off right after the two files changed places leaves, under the temporary name,
whatever had been in the file: mostly the text we knew, and now and then one that was saved in that very moment.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path

from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.domain.merge.three_way import merge_memory
from mnemoscope.memory.files.memory_files import MemoryFiles
from mnemoscope.memory.files.memory_writer import MemoryWriter
from mnemoscope.store.files.atomic import TEMPORARY_SUFFIX, encode_text, name_of_leftover, real_path, remove_file
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.compare_and_swap import is_known_leftover, is_ours_alone, replaced_digest
from mnemoscope.store.files.display_names import known_as
from mnemoscope.store.memory.memory_file import MemoryFile
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.memory.tracked_files import is_tracked
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.nanobot_home import nanobot_home
from mnemoscope.store.workspace.paths import WorkspacePaths


class TemporaryFileCleanup:
    """Clears temporary files away. Blocks on the disk."""

    def __init__(
        self,
        paths: WorkspacePaths,
        ledger: Ledger,
        files: MemoryFiles,
        versions: TextVersions,
        *,
        calls: FileCalls = REAL_CALLS,
    ) -> None:
        self._paths = paths
        self._ledger = ledger
        self._files = files
        self._versions = versions
        self._calls = calls

    def clear(self, *, everywhere: bool) -> list[str]:
        """Removes, merges or keeps what is there; returns a sentence for each file that was not ours. Raises
        StorageError."""
        for path in self._own(everywhere):
            remove_file(path, calls=self._calls)
        return [sentence for path in self._shared() if (sentence := self._settled(path))]

    def _own(self, everywhere: bool) -> list[Path]:
        paths = self._paths
        mine = (
            paths.own.folder,
            paths.own.folder / "changes",
            paths.own.ledger_dir,
            paths.own.text_versions_dir,
            paths.own.suggestions_dir,
            paths.own.settled_dir,
        )
        # Others may be writing their files now; only when a workspace opens is everything left over from before.
        kept = (
            paths.own.drafts_dir,
            paths.own.trash_dir,
            paths.own.quarantine_dir,
            paths.own.compactions_dir,
            paths.own.imports_dir,
            paths.own.prompts_dir,
            paths.own.forgetting_receipts_dir,
            paths.own.message_trash_dir,
            paths.own.tool_results_dir,
            paths.branches_dir,
            paths.discreet_dir,
            paths.attachments_dir,
        )
        folders = (*mine, *kept) if everywhere else mine
        return [path for folder in folders for path in _leftovers(folder)]

    def _shared(self) -> list[Path]:
        """Returns those of files that others write too: such a one may hold a text of theirs that was displaced."""
        paths = self._paths
        skills = sorted(paths.skills_dir.glob("*/")) if paths.skills_dir.is_dir() else []
        home = nanobot_home(paths.root)
        folders = (
            paths.root,
            paths.memory_dir,
            paths.sessions_dir,
            paths.archive_dir,
            paths.dream_guide.parent,
            *skills,
            *([home.folder] if home is not None else []),
        )
        # Behind a symbolic link, in a folder that is not ours, only those of that one file.
        target = real_path(paths.memory_file)
        linked = _leftovers(target.parent, target.name) if target.parent not in folders else []
        return [path for folder in folders for path in _leftovers(folder)] + linked

    def _settled(self, path: Path) -> str:
        if self._is_known(path):
            remove_file(path, calls=self._calls)
            return ""
        writer = self._writer_of(path)
        if writer is not None and self._merged_in(path, writer.file):
            remove_file(path, calls=self._calls)
            name = writer.changes.name
            return f"A change that another program made to {name} at the moment of the crash was merged into it."
        kept = self._ledger.quarantine(path, path.name.lstrip("."))
        return _kept_aside(path, kept, self._paths.root)

    def _merged_in(self, path: Path, file: MemoryFile) -> bool:
        """Merges a displaced text in, if that only adds to what the file says; returns whether it was merged."""
        base = self._versions.text_beginning(replaced_digest(path))
        try:
            displaced, current = MemoryFile(path).read(), file.read()
        except UnreadableFile:
            return False
        if base is None or not current.exists:
            return False
        merged = merge_memory(base, displaced.text, current.text)
        # Half a text of our own looks as if the rest had been deleted: nothing is taken out on its word.
        if merged.conflicts or Counter(current.text.splitlines()) - Counter(merged.text.splitlines()):
            return False
        self._versions.keep(current.text, current.digest)
        file.write(merged.text, based_on=current.digest)
        return True

    def _is_known(self, path: Path) -> bool:
        if is_ours_alone(path) or is_known_leftover(path):
            return True
        if self._writer_of(path) is None:
            return False
        try:
            data = path.read_bytes()
        except OSError:
            return False
        if self._versions.holds_prefix(data):
            return True
        return any(encode_text(text).startswith(data) for text in self._last_texts())

    def _writer_of(self, path: Path) -> MemoryWriter | None:
        """Returns the writer of the memory file that a temporary file was to become."""
        target = path.with_name(name_of_leftover(path))
        if target == real_path(self._paths.memory_file):
            return self._files.memory
        with suppress(ValueError):
            name = target.relative_to(self._paths.root).as_posix()
            return self._files.of(name) if is_tracked(name) else None
        return None

    def _last_texts(self) -> list[str]:
        finished = self._ledger.finished()
        last = self._ledger.intent(finished[-1].id) if finished else None
        return [text for text in (last.memory_before, last.memory_after) if text] if last else []


def _leftovers(folder: Path, name: str = "") -> list[Path]:
    return sorted(folder.glob(f".{name}*{TEMPORARY_SUFFIX}")) if folder.is_dir() else []


def _kept_aside(found: Path, kept: Path, root: Path) -> str:
    name = known_as(found.with_name(name_of_leftover(found)))
    return (
        f"A text of {name} that another program wrote at the moment of the crash is kept in {kept.relative_to(root)}."
    )
