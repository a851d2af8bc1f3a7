"""Opens repositories of commits. The one place that loads `repository`, and dulwich with it, with the first that is
opened.

It takes a tenth of a second and five megabytes, which the first window would wait for and many commands never need.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mnemoscope.store.git.git_place import names_in_git
from mnemoscope.store.workspace.paths import WorkspacePaths

if TYPE_CHECKING:
    from mnemoscope.store.git.repository import Repository


def load_git() -> type[Repository]:
    """Loads dulwich, so that whoever opens a repository next does not wait for it, and returns what opens one."""
    from mnemoscope.store.git.repository import Repository

    return Repository


def open_repository(git_dir: Path, paths: WorkspacePaths) -> Repository:
    """Opens the repository of a workspace's commits. Raises RepositoryBroken where it is none or cannot be read."""
    return load_git()(git_dir, paths.root, names_in_git(paths))


def create_repository(git_dir: Path, worktree: Path, tracked: tuple[str, ...]) -> None:
    """Makes an empty repository; parents of `git_dir` must be there. `tracked`: as on disk. Raises RepositoryBroken."""
    load_git().create(git_dir, worktree, tracked).close()


def contents_of(git_dir: Path) -> Iterator[bytes]:
    """Yields the bytes of every file and the message of every commit that a repository of anybody's keeps. Raises
    RepositoryBroken or RepositoryLocked."""
    from mnemoscope.store.git.repository import contents_of

    return contents_of(git_dir)
