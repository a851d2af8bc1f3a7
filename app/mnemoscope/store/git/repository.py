"""The git objects behind commits: trees of the tracked files, and commits one after the other on one branch.

Only this module writes with dulwich. Work tree and index are git's convenience for a person who looks with plain git;
commits are made of texts that are handed in, so that a change carries the name of whoever made it.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from dulwich.errors import (
    ChecksumMismatch,
    FileFormatException,
    NotGitRepository,
    ObjectMissing,
    PackedRefsException,
    RefFormatError,
)
from dulwich.file import FileLocked
from dulwich.gc import garbage_collect
from dulwich.index import Index, IndexEntry
from dulwich.objects import Blob, Commit, ObjectID, Tree
from dulwich.refs import Ref
from dulwich.repo import Repo

from mnemoscope.domain.commits import SHORT, CommitInfo, CommitNote
from mnemoscope.domain.errors import RepositoryBroken, RepositoryLocked
from mnemoscope.store.git.git_place import clear_locks

_BRANCH: Final = Ref(b"refs/heads/main")
_HEAD: Final = Ref(b"HEAD")
_FILE: Final = 0o100644
_FOLDER: Final = 0o040000
_ID: Final = re.compile(rb"\b[0-9a-f]{40}\b")
_STALE_SECONDS: Final = 30.0
_TREES_KEPT: Final = 64
_BROKEN: Final = (
    # What a truncated, overwritten or missing file of a repository makes of reading it.
    AssertionError, EOFError, IndexError, KeyError, OSError, TypeError, ValueError, zlib.error,
    ChecksumMismatch, FileFormatException, NotGitRepository, ObjectMissing, PackedRefsException, RefFormatError,
)  # fmt: skip
_PASSING: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM})
"""Errors of the disk or the system that pass, and are no damage of the repository."""


class Repository:
    """Keeps a repository of ours at `git_dir`, whose work tree is `worktree`. Not for use by two threads at once."""

    def __init__(self, git_dir: Path, worktree: Path, names: Mapping[str, str] | None = None) -> None:
        """Opens the repository. `names` maps the files that are called otherwise on disk and in git.

        Raises RepositoryBroken where there is no repository or it cannot be read.
        """
        self.git_dir, self.worktree = git_dir, worktree
        self._names = names or {}
        self._known_as = {name: path for path, name in self._names.items()}
        with _named("opened"):
            self._repo = Repo(str(worktree), controldir=str(git_dir), bare=False)
            # Not by the setting of that name, which newer versions of git warn of.
            self._repo.object_store.fsync_object_files = True
            self._trees: dict[ObjectID, dict[str, str]] = {}

    @classmethod
    def create(cls, git_dir: Path, worktree: Path, tracked: tuple[str, ...]) -> Repository:
        """Makes an empty one; parents of `git_dir` must be there. `tracked`: as on disk. Raises RepositoryBroken."""
        with _named("made"):
            git_dir.mkdir()
            Repo.init_bare(str(git_dir), default_branch=b"main").close()
            (git_dir / "config").write_bytes(_config(os.path.relpath(worktree, git_dir)))
            # Everything but the tracked files stays out of `git status`.
            (git_dir / "info").mkdir(exist_ok=True)
            (git_dir / "info" / "exclude").write_text(_excludes(tracked), encoding="utf-8")
        return cls(git_dir, worktree)

    def close(self) -> None:
        """Gives its files back."""
        self._repo.close()

    # -- reading ------------------------------------------------------------------------------------------------------

    def head(self) -> str:
        """Returns the newest commit's id, "" before the first."""
        with _named("read"):
            found = self._repo.refs.read_loose_ref(_BRANCH) or self._repo.refs.get_packed_refs().get(_BRANCH)
            return found.decode() if found else ""

    def commit(self, commit_id: str) -> CommitInfo:
        """Returns one commit. Raises RepositoryBroken where there is none, or it cannot be read."""
        with _named("read"):
            found = self._commit(commit_id)
            return _info(found, self._changed(found))

    def newest_first(self) -> Iterator[CommitInfo]:
        """Yields the commits from the newest back to the first. Raises RepositoryBroken."""
        at = self.head()
        while at:
            info = self.commit(at)
            yield info
            at = info.parent

    def ids(self) -> Iterator[str]:
        """Yields the ids of the same commits."""
        at = self.head()
        while at:
            yield at
            with _named("read"):
                at = _parent(self._commit(at))

    def entries(self, commit_id: str) -> Mapping[str, str]:
        """Returns the tracked files of a commit: path to blob id. Raises RepositoryBroken."""
        if not commit_id:
            return {}
        with _named("read"):
            return self._flat(self._commit(commit_id).tree)

    def text(self, blob: str) -> str:
        """Returns a blob's text; bytes that are no UTF-8 become U+FFFD. Raises RepositoryBroken."""
        with _named("read"):
            return self.data(blob).decode("utf-8", "replace")

    def data(self, blob: str) -> bytes:
        """Returns a blob's bytes. Raises RepositoryBroken."""
        with _named("read"):
            found = self._repo.object_store[ObjectID(blob.encode())]
            return found.as_raw_string()

    def find(self, short: str) -> list[str]:
        """Returns the ids of the commits on the branch that begin with `short`."""
        return [commit_id for commit_id in self.ids() if commit_id.startswith(short)]

    # -- writing ------------------------------------------------------------------------------------------------------

    def add(self, files: Mapping[str, bytes | None], note: CommitNote, now: datetime) -> str:
        """Commits the newest commit with `files` put in place (None: removed).

        Returns the new commit's id, "" where nothing differs. Raises RepositoryLocked or RepositoryBroken.
        """
        parent = self.head()
        entries = dict(self.entries(parent))
        with _named("written"):
            for path, data in files.items():
                if data is None:
                    entries.pop(path, None)
                else:
                    entries[path] = self._blob(data)
            if parent and entries == self.entries(parent):
                return ""
            stored = {self._names.get(path, path): blob for path, blob in entries.items()}
            commit = _new_commit(self._tree(stored), parent, note, now)
            self._repo.object_store.add_object(commit)
            self._advance(parent, commit.id)
        self._show(stored)
        return commit.id.decode()

    def pack(self) -> int:
        """Puts loose objects into one pack; returns how many there were. Raises RepositoryBroken."""
        with _named("written"):
            return int(self._repo.object_store.pack_loose_objects())

    def loose(self) -> int:
        """Returns about how many objects have a file of their own: it looks at one folder of 256."""
        with suppress(OSError):
            return len(os.listdir(self.git_dir / "objects" / "17")) * 256
        return 0

    def contents(self) -> Iterator[bytes]:
        """Yields the bytes of every file and the message of every commit that is kept, of the branch or not. Raises
        RepositoryBroken."""
        with _named("read"):
            yield from _contents(self._repo)

    def rewrite(self, change: Callable[[bytes], bytes]) -> None:
        """Makes every commit of the branch anew, with `change` applied to the bytes of each file and to each message,
        and drops whatever no branch has any more; once however often it is asked for.

        A kill leaves the branch as it was or as it is to be. Raises RepositoryLocked or RepositoryBroken.
        """
        head = self.head()
        with _named("written"):
            renamed: dict[str, str] = {}
            files: dict[str, str] = {}
            for commit_id in reversed(list(self.ids())):
                renamed[commit_id] = self._commit_anew(commit_id, change, renamed, files)
            if head and renamed[head] != head:
                self._advance(head, ObjectID(renamed[head].encode()))
                self._show(dict(self._stored(renamed[head])))
            self._trees.clear()
            garbage_collect(self._repo, prune=True, grace_period=None)

    def _commit_anew(
        self, commit_id: str, change: Callable[[bytes], bytes], renamed: Mapping[str, str], files: dict[str, str]
    ) -> str:
        commit = self._commit(commit_id)
        stored = dict(self._stored(commit_id))
        for path, blob in stored.items():
            if blob not in files:
                files[blob] = self._blob(change(self.data(blob)))
            stored[path] = files[blob]
        message = change(
            _ID.sub(lambda found: renamed.get(found[0].decode(), found[0].decode()).encode(), commit.message)
        )
        parent = _parent(commit)
        fresh = commit.copy()
        assert isinstance(fresh, Commit)
        fresh.tree, fresh.message = self._tree(stored), message
        fresh.parents = [ObjectID(renamed[parent].encode())] if parent else []
        if fresh.id != commit.id:
            self._repo.object_store.add_object(fresh)
        return fresh.id.decode()

    def _stored(self, commit_id: str) -> Iterator[tuple[str, str]]:
        """Yields the files of a commit as git calls them, with their blobs."""
        return ((self._names.get(path, path), blob) for path, blob in self.entries(commit_id).items())

    def _advance(self, parent: str, commit: ObjectID) -> None:
        self._clear_stale_locks()
        old = ObjectID(parent.encode()) if parent else None
        if old is None:
            done = self._repo.refs.add_if_new(_BRANCH, commit)
        else:
            done = self._repo.refs.set_if_equals(_BRANCH, old, commit)
        if not done:
            raise RepositoryLocked("Another program changed the repository of versions at the same moment.")
        if self._repo.refs.read_ref(_HEAD) != b"ref: " + _BRANCH:
            # A person looked at an old commit with git; new commits follow the branch all the same.
            self._repo.refs.set_symbolic_ref(_HEAD, _BRANCH)

    def _clear_stale_locks(self) -> None:
        """git removes its locks within moments; one that stays was left by a program that was killed."""
        clear_locks(self.git_dir, time.time() - _STALE_SECONDS, time.time())

    def _show(self, entries: Mapping[str, str]) -> None:
        """Brings git's index in step, so that `git status` speaks the truth; only a convenience."""
        with suppress(OSError, FileLocked, ValueError):
            index = Index(str(self.git_dir / "index"), read=False)
            for path, blob in entries.items():
                with suppress(FileNotFoundError):
                    index[path.encode()] = _index_entry(self.worktree / path, blob)
            index.write()

    def _blob(self, data: bytes) -> str:
        blob = Blob.from_string(data)
        if blob.id not in self._repo.object_store:
            self._repo.object_store.add_object(blob)
        return blob.id.decode()

    def _tree(self, entries: Mapping[str, str]) -> ObjectID:
        tree, folders = Tree(), dict[str, dict[str, str]]()
        for path, blob in entries.items():
            folder, _, rest = path.partition("/")
            if rest:
                folders.setdefault(folder, {})[rest] = blob
            else:
                tree.add(path.encode(), _FILE, ObjectID(blob.encode()))
        for folder, inside in folders.items():
            tree.add(folder.encode(), _FOLDER, self._tree(inside))
        if tree.id not in self._repo.object_store:
            self._repo.object_store.add_object(tree)
        return tree.id

    # -- objects ------------------------------------------------------------------------------------------------------

    def _commit(self, commit_id: str) -> Commit:
        found = self._repo.object_store[ObjectID(commit_id.encode())]
        if not isinstance(found, Commit):
            raise KeyError(commit_id)
        return found

    def _changed(self, commit: Commit) -> tuple[str, ...]:
        before = self.entries(_parent(commit))
        after = self._flat(commit.tree)
        return tuple(sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path)))

    def _flat(self, tree_id: ObjectID) -> dict[str, str]:
        found = self._trees.get(tree_id)
        if found is None:
            if len(self._trees) >= _TREES_KEPT:
                self._trees.clear()
            found = self._trees[tree_id] = dict(self._walk(tree_id, ""))
        return found

    def _walk(self, tree_id: ObjectID, above: str) -> Iterator[tuple[str, str]]:
        tree = self._repo.object_store[tree_id]
        if not isinstance(tree, Tree):
            raise KeyError(tree_id)
        for entry in tree.iteritems():
            path = above + (entry.path or b"").decode("utf-8", "replace")
            if stat.S_ISDIR(entry.mode or 0):
                yield from self._walk(_known(entry.sha), path + "/")
            else:
                yield self._known_as.get(path, path), _known(entry.sha).decode()


def contents_of(git_dir: Path) -> Iterator[bytes]:
    """Yields the bytes of every file and the message of every commit that a repository of anybody's keeps. Raises
    RepositoryBroken or RepositoryLocked."""
    with _named("read"), closing(Repo(str(git_dir.parent), controldir=str(git_dir), bare=False)) as repository:
        yield from _contents(repository)


def _contents(repository: Repo) -> Iterator[bytes]:
    for name in repository.object_store:
        found = repository.object_store[name]
        if isinstance(found, Blob):
            yield found.as_raw_string()
        elif isinstance(found, Commit):
            yield found.message


@contextmanager
def _named(done: str) -> Iterator[None]:
    """Turns what dulwich and the disk raise into sentences."""
    try:
        yield
    except FileLocked as error:
        raise RepositoryLocked("The repository of versions is in use by another program.") from error
    except _BROKEN as error:
        number = error.errno if isinstance(error, OSError) else None
        if number in _PASSING or (number == errno.EIO and done == "written"):
            raise RepositoryLocked("The disk does not take a version at the moment.", reason=repr(error)) from error
        raise RepositoryBroken(f"The versions of memory could not be {done}.", reason=repr(error)) from error


def _known(sha: Any) -> ObjectID:
    assert sha  # an entry that was read has a name
    return ObjectID(sha)


def _parent(commit: Commit) -> str:
    return commit.parents[0].decode() if commit.parents else ""


def _info(commit: Commit, files: tuple[str, ...]) -> CommitInfo:
    when = datetime.fromtimestamp(commit.author_time).strftime("%Y-%m-%d %H:%M")
    name = commit.author.partition(b" <")[0].decode("utf-8", "replace")
    message = commit.message.decode("utf-8", "replace")
    identity = commit.id.decode()
    return CommitInfo(
        sha=identity[:SHORT],
        message=message,
        timestamp=when,
        author=name,
        id=identity,
        parent=_parent(commit),
        files=files,
        seconds=commit.author_time,
    )


def _new_commit(tree: ObjectID, parent: str, note: CommitNote, now: datetime) -> Commit:
    commit = Commit()
    changed = note.when or now
    commit.tree = tree
    commit.parents = [ObjectID(parent.encode())] if parent else []
    commit.author = commit.committer = f"{note.author} <{note.author.lower()}@mnemoscope>".encode()
    commit.author_time, commit.author_timezone = _git_time(changed)
    commit.commit_time, commit.commit_timezone = _git_time(now)
    commit.encoding = b"UTF-8"
    commit.message = note.message().encode("utf-8", "replace")
    return commit


def _git_time(when: datetime) -> tuple[int, int]:
    """Seconds since the epoch, and how far local time was ahead then, in seconds."""
    offset = when.astimezone().utcoffset()
    return int(when.timestamp()), int(offset.total_seconds()) if offset else 0


def _index_entry(file: Path, blob: str) -> IndexEntry:
    found = os.lstat(file)
    ctime = divmod(found.st_ctime_ns, 1_000_000_000)
    mtime = divmod(found.st_mtime_ns, 1_000_000_000)
    return IndexEntry(
        ctime=ctime,
        mtime=mtime,
        dev=found.st_dev,
        ino=found.st_ino,
        mode=_FILE,
        uid=found.st_uid,
        gid=found.st_gid,
        size=found.st_size,
        sha=ObjectID(blob.encode()),
    )


def _config(worktree: str) -> bytes:
    lines = (
        "[core]",
        "\trepositoryformatversion = 0",
        "\tfilemode = false",
        "\tbare = false",
        "\tautocrlf = false",
        f"\tworktree = {worktree}",
        "[mnemoscope]",
        "\tversions = 1",
    )
    return ("\n".join(lines) + "\n").encode()


def _excludes(tracked: tuple[str, ...]) -> str:
    """Returns git's patterns for "nothing but these": each folder on the way has to be let in again."""
    lines = ["# Only these files have versions."]
    lines.append("/*")
    for path in tracked:
        parts = path.strip("/").split("/")
        for depth in range(1, len(parts)):
            folder = "/".join(parts[:depth])
            lines += [f"!/{folder}/", f"/{folder}/*"]
        lines.append(f"!/{'/'.join(parts)}{'/' if path.endswith('/') else ''}")
    return "\n".join(dict.fromkeys(lines)) + "\n"
