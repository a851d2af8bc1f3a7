"""The commits of the memory files as a place that may have words: every commit is made anew without them. In a
repository of the person's own they are only found.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.forgetting.plan import FoundPlace, PlaceKind
from mnemoscope.store.files.atomic import storage_errors
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.forgetting.byte_search import count_in_file, files_below
from mnemoscope.store.forgetting.place_formats import PlainText
from mnemoscope.store.git.git_place import repositories_of_ours, repositories_of_person
from mnemoscope.store.git.opening import contents_of, open_repository
from mnemoscope.store.workspace.paths import WorkspacePaths

if TYPE_CHECKING:
    from mnemoscope.store.git.repository import Repository

_PERSONS: Final = "It is in commits of a git repository of yours, which Mnemoscope does not change."
_TOO_LARGE: Final = "This git repository of yours is too large to be searched: what was committed there stays."
_MOST_SEARCHED: Final = 20_000_000
"""Bytes of the objects of a repository of the person's, as they lie on the disk."""
_INDEX: Final = ("versions.db", "versions.db-wal", "versions.db-shm", "versions.db-journal")


def commit_index_files(paths: WorkspacePaths) -> tuple[Path, ...]:
    """Returns the files of the commit index, whether they are there or not; they are derived from the commits."""
    return tuple(paths.own.folder / name for name in _INDEX)


class CommitsPlace:
    """Takes words out of each repository of ours, as one place, with the commit index that is derived from that in use.
    One that cannot be used any more, and lies in the quarantine, goes whole."""

    kind = PlaceKind.COMMITS

    def __init__(self, paths: WorkspacePaths) -> None:
        self._paths = paths

    def files(self) -> Iterable[Path]:
        """Returns the folders of the repositories."""
        return repositories_of_ours(self._paths)

    def found_in(self, path: Path, what: ForgottenText) -> tuple[int, tuple[str, ...]]:
        """Returns how many texts and messages of commits have the words. Raises StorageError."""
        count, excerpts = 0, list[str]()
        if self._is_aside(path):
            # What can be read of it is looked for in its objects, which are compressed one by one.
            return sum(count_in_file(each, what) for each in files_below(path)), ()
        with self._opened(path) as repository:
            for data in repository.contents():
                text = data.decode("utf-8", "replace")
                if what.count(text):
                    count += 1
                    excerpts += what.excerpts(text, max(0, 3 - len(excerpts)))
        return count, tuple(excerpts)

    def lines_with(self, path: Path, what: ForgottenText) -> set[str]:
        """Returns the lines of committed texts that have the words. Raises StorageError."""
        with self._opened(path) as repository:
            texts = (data.decode("utf-8", "replace") for data in repository.contents())
            return {line for text in texts if what.count(text) for line in text.splitlines() if what.count(line)}

    def ids(self, path: Path) -> frozenset[str]:
        """Returns the ids of all commits. Raises StorageError."""
        if self._is_aside(path):
            return frozenset()
        with self._opened(path) as repository:
            return frozenset(repository.ids())

    def take(self, path: Path, what: ForgottenText) -> None:
        """Makes every commit anew without the words, and removes what the repository kept of the old ones. Raises
        StorageError."""
        if self._is_aside(path):
            with storage_errors(path, "write"):
                # The objects first: what a crash leaves of the folder is known as ours, and goes then.
                for each in (path / "objects", path):
                    if each.exists():
                        shutil.rmtree(each)
            return
        with self._opened(path) as repository:
            repository.rewrite(lambda data: PlainText().without(data, what))
        for file in commit_index_files(self._paths):
            with suppress(OSError):
                file.unlink(missing_ok=True)

    def _is_aside(self, path: Path) -> bool:
        return path.parent == self._paths.own.quarantine_dir

    def _opened(self, path: Path) -> closing[Repository]:
        return closing(open_repository(path, self._paths))


def found_in_repositories_of_person(
    paths: WorkspacePaths, what: ForgottenText, most: int = _MOST_SEARCHED
) -> Iterator[FoundPlace]:
    """Yields the repositories of the person's own whose commits have the words; and, with the count 0, those that are
    too large to be searched and hold memory. Objects of git are compressed, so a search of bytes finds nothing there.
    One that cannot be read is passed over."""
    for git_dir in repositories_of_person(paths):
        with suppress(StorageError, OSError):
            name = path_within(git_dir, paths.root)
            if sum(path.stat().st_size for path in files_below(git_dir / "objects")) > most:
                if b"MEMORY.md" in (git_dir / "index").read_bytes():
                    yield FoundPlace(PlaceKind.OTHER, name, 0, why_not=_TOO_LARGE)
                continue
            count = sum(what.count(data.decode("utf-8", "replace")) for data in contents_of(git_dir))
            if count:
                yield FoundPlace(PlaceKind.OTHER, name, count, why_not=_PERSONS)
