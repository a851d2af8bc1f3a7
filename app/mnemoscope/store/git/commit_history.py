"""Reads commits for the window: the list in pages, blame, and the files of a past moment. It has its own thread.

To read years of commits takes time, and every message waits for the disk's thread: so they are not read there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.commits import BlameLine, CommitInfo, FileChange, Snapshot
from mnemoscope.store.git.commit_index import CommitIndex
from mnemoscope.store.git.git_place import git_place, is_ours
from mnemoscope.store.git.opening import open_repository
from mnemoscope.store.workspace.paths import WorkspacePaths

if TYPE_CHECKING:
    from mnemoscope.store.git.repository import Repository

Params = ParamSpec("Params")
Result = TypeVar("Result")


def _indexed(
    method: Callable[Concatenate[CommitHistory, Params], Result],
) -> Callable[Concatenate[CommitHistory, Params], Result]:
    """Makes the index anew in memory where its file can be neither read nor written, as on a full disk."""

    @wraps(method)
    def asked(self: CommitHistory, /, *args: Params.args, **kwargs: Params.kwargs) -> Result:
        try:
            return method(self, *args, **kwargs)
        except sqlite3.Error:
            self._go_without_file()
            return method(self, *args, **kwargs)

    return asked


class CommitHistory:
    """Reads the commits of one workspace. Every method raises RepositoryBroken where they cannot be read."""

    def __init__(self, paths: WorkspacePaths, *, keep_index: bool = True) -> None:
        self._paths = paths
        self._file = paths.own.folder / "versions.db"
        self._keep_index = keep_index
        self._opened: tuple[Path, Repository, CommitIndex] | None = None

    def close(self) -> None:
        """Gives the files back."""
        if self._opened is not None:
            self._opened[1].close()
            self._opened[2].close()
            self._opened = None

    def _go_without_file(self) -> None:
        """Keeps the index in memory from now on."""
        self._keep_index = False
        self.close()

    @_indexed
    def catch_up(self, goes_on: GoesOn = to_the_end) -> bool:
        """Brings the index up to date; False where `goes_on` said no, or there are no commits."""
        opened = self._open()
        return opened is not None and opened[1].catch_up(goes_on)

    @_indexed
    def page(self, path: str = "", before: str = "", limit: int = 50, *, author: str = "") -> list[CommitInfo]:
        """Returns `limit` commits at most that changed the file at `path` ("": any), newest first, older than the
        commit `before` ("": all), by one `author` ("": any)."""
        opened = self._open()
        if opened is None:
            return []
        repository, index = opened
        if index.is_current or before:
            index.catch_up()
            return index.page(path, before, limit, author=author)
        # The first page does not wait for the index of years.
        recent = islice(repository.newest_first(), 4 * limit)
        ours = (each for each in recent if path in ("", *each.files) and author in ("", each.author))
        found = list(islice(ours, limit))
        if len(found) == limit:
            return found
        index.catch_up()
        return index.page(path, before, limit, author=author)

    @_indexed
    def find(self, short_sha: str) -> CommitInfo | None:
        """Returns the one commit whose id begins so (at least four digits); None where there is none, or more than
        one."""
        short, opened = short_sha.strip().lower(), self._open()
        if opened is None or len(short) < 4 or not set(short) <= set("0123456789abcdef"):
            return None
        opened[1].catch_up()
        return opened[1].find(short)

    @_indexed
    def blame(self, path: str, goes_on: GoesOn = to_the_end) -> list[BlameLine] | None:
        """Returns who wrote each line of the newest commit; None where `goes_on` said no, [] for a file without
        commits."""
        opened = self._open()
        if opened is None:
            return []
        index = opened[1]
        return index.blame(path, goes_on) if index.catch_up(goes_on) else None

    def count(self) -> int:
        """Returns how many commits there are."""
        opened = self._open()
        return sum(1 for _ in opened[0].ids()) if opened else 0

    @_indexed
    def moments(self) -> list[tuple[int, str]]:
        """Returns when each commit was made (since the epoch) and its id, oldest first in the order of commits."""
        opened = self._open()
        if opened is None:
            return []
        opened[1].catch_up()
        return opened[1].moments()

    def text_at(self, commit_id: str, path: str) -> str | None:
        """Returns one file as it was."""
        opened = self._open()
        blob = opened[0].entries(commit_id).get(path) if opened else None
        return opened[0].text(blob) if opened and blob else None

    def change(self, commit: CommitInfo) -> list[FileChange]:
        """Returns what one commit changed."""
        opened = self._open()
        if opened is None:
            return []
        read = opened[0].text
        old, new = opened[0].entries(commit.parent), opened[0].entries(commit.id)
        return [FileChange(path, _read(read, old.get(path)), _read(read, new.get(path))) for path in commit.files]

    @_indexed
    def at(self, seconds: int, commit_id: str = "") -> Snapshot | None:
        """Returns all tracked files as they were at a moment (since the epoch), or at the commit of that id.

        None before the first commit, and for an id that is not known.
        """
        opened = self._open()
        if opened is None:
            return None
        repository, index = opened
        index.catch_up()
        commit = index.find(commit_id) if commit_id else index.at(seconds)
        if commit is None:
            return None
        texts = {path: repository.text(blob) for path, blob in repository.entries(commit.id).items()}
        return Snapshot(commit, texts)

    def _open(self) -> tuple[Repository, CommitIndex] | None:
        git_dir = git_place(self._paths)
        if self._opened is not None and self._opened[0] != git_dir:
            self.close()
        if self._opened is None:
            if not is_ours(git_dir):
                return None
            repository = open_repository(git_dir, self._paths)
            file: Path | str = self._file if self._keep_index else ":memory:"
            with suppress(OSError):
                if self._keep_index:
                    self._file.parent.mkdir(exist_ok=True)
            self._opened = (git_dir, repository, CommitIndex(Path(file), repository))
        return self._opened[1], self._opened[2]


def _read(read: Callable[[str], str], blob: str | None) -> str | None:
    return read(blob) if blob else None
