"""Commits each change of the memory files to a git repository of our own, and reverts any of these commits.

The repository is derived from the files: one that cannot be read is set aside, and a new one is begun. Writing belongs
to the disk's thread.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mnemoscope.domain.commits import UNDOES, Author, CommitInfo, CommitNote, FileChange, diff_text
from mnemoscope.domain.errors import RepositoryBroken, StorageError
from mnemoscope.domain.memory.file_registry import TRACKED_FILES
from mnemoscope.domain.merge.three_way import without_change
from mnemoscope.store.files.atomic import make_folder, storage_errors
from mnemoscope.store.git.git_place import beside_memory, clear_locks, git_place, is_ours, out_of_the_way
from mnemoscope.store.git.opening import create_repository, open_repository
from mnemoscope.store.memory.memory_file import MemoryFile
from mnemoscope.store.memory.tracked_files import is_tracked, present_files
from mnemoscope.store.workspace.paths import WorkspacePaths

if TYPE_CHECKING:
    from mnemoscope.store.git.repository import Repository

_PACK_ABOVE: Final = 4_000
_HALF_MADE: Final = re.compile("-[0-9a-f]{8}")
_IGNORE_ALL: Final = "# What Mnemoscope keeps for itself stays out of a repository around it.\n*\n"


class GitStore:
    """Commits of the tracked files of one workspace."""

    def __init__(
        self,
        workspace: Path | WorkspacePaths,
        tracked_files: tuple[str, ...] = TRACKED_FILES,
        *,
        clock: Callable[[], datetime] = datetime.now,
    ) -> None:
        self._paths = workspace if isinstance(workspace, WorkspacePaths) else WorkspacePaths.found(workspace)
        self.tracked = tracked_files
        self._clock = clock

    # -- beginning ----------------------------------------------------------------------------------------------------

    @property
    def git_dir(self) -> Path:
        """Returns the folder in which the repository is, or will be."""
        return git_place(self._paths)

    def is_initialized(self) -> bool:
        """Returns whether there is a repository of ours."""
        return is_ours(self.git_dir)

    def init(self, first: Mapping[str, bytes | None] | None = None, when: datetime | None = None) -> bool:
        """Makes the repository, with the files as they are for its first commit; False where there is one already.

        `first`: files that were otherwise when commits begin (None: missing), and `when` that was, naive local time;
        None for now. Raises RepositoryBroken or StorageError.
        """
        self._move_out_of_the_way()
        if self.is_initialized():
            return False
        git_dir = self.git_dir
        with storage_errors(git_dir, "create"):
            if git_dir == out_of_the_way(self._paths):
                make_folder(self._paths.own.folder)
                (self._paths.own.folder / ".gitignore").write_text(_IGNORE_ALL, encoding="utf-8")
            if git_dir.exists():
                self._put_aside(git_dir)
            # Level by level: where the workspace was moved away it is not built anew.
            make_folder(git_dir.parent)
            # Made under another name first: a repository that is half made is never taken for one.
            making = git_dir.with_name(f"{git_dir.name}-{secrets.token_hex(4)}")
            create_repository(making, self._paths.root, tuple(map(self._paths.name_on_disk, self.tracked)))
            os.replace(making, git_dir)
        begun = {**self.differing(), **(first or {})}
        self.commit(CommitNote("Mnemoscope", "Versions begin", when=when), begun)
        return True

    def set_aside(self) -> Path | None:
        """Moves a repository that cannot be used to the quarantine and begins again; returns where it went, or None if
        there was none."""
        kept = self._put_aside(self.git_dir) if self.git_dir.exists() else None
        self.init()
        return kept

    def clear_leftovers(self, since: float) -> None:
        """Removes what a process that was killed here left: a repository half made, objects half written, its locks.

        Only whoever owns the workspace may, and `since` when (seconds since the epoch): no other program writes objects
        under such names, and git holds its locks for moments.
        """
        git_dir = self.git_dir
        clear_locks(git_dir, since)
        with suppress(OSError):
            for path in git_dir.parent.iterdir():
                if _HALF_MADE.fullmatch(path.name.removeprefix(git_dir.name)):
                    shutil.rmtree(path, ignore_errors=True)
        for lock in (git_dir / "objects").glob("??/*.lock"):
            with suppress(OSError):
                lock.unlink()

    def tidy(self) -> bool:
        """Packs loose objects where there are thousands; True where it was done."""
        with self._opened() as repository:
            if repository.loose() < _PACK_ABOVE:
                return False
            repository.pack()
        return True

    # -- committing ---------------------------------------------------------------------------------------------------

    def commit(self, note: CommitNote, files: Mapping[str, bytes | None]) -> CommitInfo | None:
        """Commits these files as given (None: removed); returns None where nothing differs from the commit before.

        Only tracked files are taken. Raises RepositoryLocked or RepositoryBroken.
        """
        ours = {path: data for path, data in files.items() if is_tracked(path, self.tracked)}
        with self._opened() as repository:
            made = repository.add(ours, note, self._clock())
            return repository.commit(made) if made else None

    def auto_commit(
        self, message: str, author: Author = "Outside", trailers: tuple[tuple[str, str], ...] = ()
    ) -> str | None:
        """Commits the files as they are on disk; returns the commit's first eight digits, None where nothing
        changed."""
        subject, _, body = message.partition("\n")
        made = self.commit(CommitNote(author, subject, body, trailers), self.differing())
        return made.sha if made else None

    def differing(self) -> dict[str, bytes | None]:
        """Returns the tracked files that are not on disk as the newest commit has them."""
        with self._opened() as repository:
            known = repository.entries(repository.head())
            present = dict(present_files(self._paths, self.tracked))
            gone: dict[str, bytes | None] = {path: None for path in known if path not in present}
            changed = {
                path: data
                for path, data in present.items()
                if path not in known or repository.data(known[path]) != data
            }
        return {**gone, **changed}

    # -- looking ------------------------------------------------------------------------------------------------------

    def head(self) -> str:
        """Returns the newest commit's id, "" before the first. Raises RepositoryBroken."""
        with self._opened() as repository:
            return repository.head()

    def log(self, max_entries: int = 20, path: str = "") -> list[CommitInfo]:
        """Returns the commits of one file or of all, newest first."""
        found: list[CommitInfo] = []
        with self._opened() as repository:
            for info in repository.newest_first():
                if len(found) == max_entries:
                    break
                if not path or path in info.files:
                    found.append(info)
        return found

    def find_commit(self, short_sha: str) -> CommitInfo | None:
        """Returns the one commit whose id begins so (at least four digits); None where there is none, or more than
        one."""
        short = short_sha.strip().lower()
        if len(short) < 4 or not all(digit in "0123456789abcdef" for digit in short):
            return None
        with self._opened() as repository:
            found = repository.find(short)
            return repository.commit(found[0]) if len(found) == 1 else None

    def diff_commits(self, sha1: str, sha2: str) -> str:
        """Returns what changed from one commit to another, as a unified diff. Raises StorageError for an unknown
        one."""
        before, after = self._required(sha1), self._required(sha2)
        return diff_text(self.compare(before.id, after.id))

    def show_commit_diff(self, short_sha: str) -> tuple[CommitInfo, str] | None:
        """Returns a commit and what it changed; None where it is not known."""
        info = self.find_commit(short_sha)
        return (info, diff_text(self.compare(info.parent, info.id))) if info else None

    def compare(self, before: str, after: str) -> list[FileChange]:
        """Returns the files that differ between two commits; "" stands for nothing at all."""
        with self._opened() as repository:
            old, new = repository.entries(before), repository.entries(after)
            names = sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))
            text = repository.text
            return [
                FileChange(name, text(old[name]) if name in old else None, text(new[name]) if name in new else None)
                for name in names
            ]

    def text_at(self, commit_id: str, path: str) -> str | None:
        """Returns one file as it was, None where it was not there."""
        with self._opened() as repository:
            blob = repository.entries(commit_id).get(path)
            return repository.text(blob) if blob else None

    # -- undoing ------------------------------------------------------------------------------------------------------

    def revert(self, sha: str) -> str | None:
        """Undoes one commit and nothing that came later; the first eight digits of the commit that does it.

        Three ways, by heading and bullet: where a later change touched the same words, the later words stay. None, with
        nothing changed, where the commit is not known, nothing of it is left, or it is the first: before that there is
        no state to go back to. A door for programs that use this library: it writes no intent, so a crash between two
        files leaves one of them undone. The window undoes through agent/commits, which asks about such places, and a
        run of Dream as one transaction. Raises StorageError.
        """
        info = self.find_commit(sha)
        if info is None or not info.parent:
            return None
        written: dict[str, bytes | None] = {}
        for change in self.compare(info.parent, info.id):
            file = MemoryFile(self._paths.file(change.path))
            now = file.read()
            text = without_change(change, now.text)
            if text != now.text:
                file.write(text, based_on=now.digest)
                written[change.path] = file.read_bytes()
        made = self.commit(CommitNote("You", f"Undo {info.sha}: {info.subject}", "", ((UNDOES, info.id),)), written)
        return made.sha if made else None

    # -- inside -------------------------------------------------------------------------------------------------------

    def _required(self, sha: str) -> CommitInfo:
        info = self.find_commit(sha)
        if info is None:
            raise StorageError(f"There is no version {sha}.", next_step="Choose one from the list of versions.")
        return info

    def _opened(self) -> closing[Repository]:
        git_dir = self.git_dir
        if not is_ours(git_dir):
            raise RepositoryBroken("There are no versions of memory yet.", next_step="They begin with the next change.")
        return closing(open_repository(git_dir, self._paths))

    def _move_out_of_the_way(self) -> None:
        """Moves the repository if the person has put the workspace into theirs: ours would hide memory/ from it."""
        usual, other = beside_memory(self._paths), out_of_the_way(self._paths)
        if self.git_dir != other or other.exists() or not is_ours(usual):
            return
        with storage_errors(other, "create"):
            make_folder(self._paths.own.folder)
            (self._paths.own.folder / ".gitignore").write_text(_IGNORE_ALL, encoding="utf-8")
            os.replace(usual, other)

    def _put_aside(self, git_dir: Path) -> Path:
        folder = self._paths.own.quarantine_dir
        with storage_errors(folder, "create"):
            make_folder(folder.parent)
            make_folder(folder)
            target = folder / f"versions-{self._clock():%Y%m%d-%H%M%S}-{secrets.token_hex(2)}.git"
            shutil.move(git_dir, target)
        return target
