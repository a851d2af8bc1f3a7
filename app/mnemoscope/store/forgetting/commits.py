"""The commits of the memory files as a place that may have words: every commit is made anew without them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.forgetting.plan import PlaceKind
from mnemoscope.store.forgetting.formats import PlainText
from mnemoscope.store.git.place import git_place, is_ours, names_in_git
from mnemoscope.store.workspace.paths import WorkspacePaths

if TYPE_CHECKING:
    from mnemoscope.store.git.repository import Repository

_INDEX: Final = ("versions.db", "versions.db-wal", "versions.db-shm", "versions.db-journal")


class CommitsPlace:
    """The repository of ours, as one place, with the commit index that is derived from it."""

    kind = PlaceKind.COMMITS

    def __init__(self, paths: WorkspacePaths) -> None:
        self._paths = paths

    def files(self) -> Iterable[Path]:
        """Returns the folder of the repository, where there is one."""
        folder = git_place(self._paths)
        return [folder] if is_ours(folder) else []

    def found_in(self, path: Path, what: ForgottenText) -> tuple[int, tuple[str, ...]]:
        """Returns how many texts and messages of commits have the words. Raises StorageError."""
        count, excerpts = 0, list[str]()
        with self._opened(path) as repository:
            for data in repository.contents():
                text = data.decode("utf-8", "replace")
                if what.count(text):
                    count += 1
                    excerpts += what.excerpts(text, max(0, 3 - len(excerpts)))
        return count, tuple(excerpts)

    def take(self, path: Path, what: ForgottenText) -> None:
        """Makes every commit anew without the words, and removes what the repository kept of the old ones. Raises
        StorageError."""
        with self._opened(path) as repository:
            repository.rewrite(lambda data: PlainText().without(data, what))
        for name in _INDEX:
            with suppress(OSError):
                (self._paths.own.folder / name).unlink(missing_ok=True)

    def _opened(self, path: Path) -> closing[Repository]:
        # Most forgettings touch no commit: git is loaded by those that look.
        from mnemoscope.store.git.repository import Repository

        return closing(Repository(path, self._paths.root, names_in_git(self._paths)))
