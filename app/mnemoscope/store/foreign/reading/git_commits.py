"""Reads the commits of a repository in which another agent keeps its memory, and writes nothing there.

Only `HEAD`, the references and the objects are read: no setting, no hook, no other repository. The first parent of each
commit is followed, no more than 5,000 of them. An object is taken apart only where it is no larger than a memory file
may be: of loose ones so many bytes are inflated, of packed ones the lengths are read first, along their deltas.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Final

from dulwich.errors import ApplyDeltaError, ChecksumMismatch, FileFormatException
from dulwich.object_store import DiskObjectStore
from dulwich.objects import Blob, Commit, ObjectID, ShaFile, Tree

from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.foreign.foreign_records import MemoryCommit
from mnemoscope.domain.text.characters import decoded
from mnemoscope.store.files.atomic import open_to_read
from mnemoscope.store.foreign.reading.store_files import MOST_BYTES, StoreFiles

_MOST_COMMITS: Final = 5_000
_DEEPEST: Final = 300
"""Deltas of a packed object that stand on each other; git makes no more than 250."""
_LONGEST_REFERENCE: Final = 1 << 20
_HEADER: Final = 64
_BLOCK: Final = 4_096
_OFFSET_DELTA, _NAMED_DELTA = 6, 7
_ID: Final = re.compile(r"[0-9a-f]{40}")
_REFERENCE: Final = re.compile(r"ref: (refs/(?:[\w-][\w.-]*/)*[\w-][\w.-]*)\s*")
_BROKEN: Final = (
    # What a truncated, overwritten or missing file of a repository makes of reading it.
    AssertionError, AttributeError, EOFError, IndexError, KeyError, MemoryError, OSError, OverflowError, RecursionError,
    TypeError, ValueError, struct.error, zlib.error, ApplyDeltaError, ChecksumMismatch, FileFormatException,
)  # fmt: skip


class GitCommits:
    """Reads the commits of the repository in one folder of a store, newest first. They are read once; `close` forgets
    them. What cannot be read is a sentence in the problems of the store's files."""

    def __init__(self, files: StoreFiles, folder: str) -> None:
        """`folder` is the one of the work tree, relative to the root of the store."""
        self._files, self._folder = files, folder
        self._git = files.root / folder / ".git"
        self._objects: _Objects | None = None
        self._commits: list[Commit] | None = None

    def of_file(self, path: str, goes_on: GoesOn = to_the_end) -> list[MemoryCommit]:
        """Returns the commits in which a file came or changed, oldest first. `path` is relative to the work tree. A
        commit in which it was removed, or is too large to be shown, has no text of it. Nothing is returned once
        `goes_on` says no."""
        try:
            found = list(self._changes(path, goes_on))
        except _BROKEN:
            self._note_problem("could not be read")
            return []
        return found if goes_on() else []

    def close(self) -> None:
        """Closes the files of the repository; the next call reads it anew."""
        if self._objects is not None:
            self._objects.close()
        self._objects = self._commits = None

    def _note_problem(self, why: str) -> None:
        self._files.problems.append(f"The commits in {self._folder or 'the folder'} {why}.")

    def _changes(self, path: str, goes_on: GoesOn) -> Iterator[MemoryCommit]:
        commits, objects = self._read(goes_on), self._objects
        before, text = None, ""
        for commit in reversed(commits):
            if not goes_on() or objects is None:
                return
            blob = objects.find(commit.tree, path)
            if blob != before:
                after = objects.text(blob) if blob is not None else ""
                yield _commit_of(commit, text, after)
                before, text = blob, after

    def _read(self, goes_on: GoesOn) -> list[Commit]:
        """Returns the commits, newest first, as far as they are sound."""
        if self._commits is not None:
            return self._commits
        found: list[Commit] = []
        if (head := self._head()) and self._objects is None:
            self._objects = _Objects(self._git / "objects")
        seen = set[str]()
        while head and self._objects is not None and head not in seen and goes_on():
            if len(found) >= _MOST_COMMITS:
                self._note_problem(f"are more than {_MOST_COMMITS:,}; the older ones are not read")
                break
            seen.add(head)
            try:
                commit = self._objects.read(head)
                if not isinstance(commit, Commit):
                    raise KeyError(head)
                _ = commit.tree, commit.author, commit.message, commit.author_time
                head = commit.parents[0].decode() if commit.parents else ""
            except _BROKEN:
                self._note_problem("could not all be read")
                break
            found.append(commit)
        if goes_on():
            self._commits = found
        return found

    def _head(self) -> str:
        """Returns the id of the newest commit, "" where there is none."""
        if not (self._git / "objects").is_dir():
            # No repository; or one that lies elsewhere, which a file of that name tells.
            return ""
        if not all(map(self._files.is_within, (self._git, self._git / "objects", self._git / "objects" / "pack"))):
            self._note_problem("are a link out of the store and were not followed")
            return ""
        if (self._git / "objects" / "info" / "alternates").exists():
            self._note_problem("lie in another repository and are not read")
            return ""
        text = self._small("HEAD").strip()
        if (reference := _REFERENCE.fullmatch(text)) and ".." not in text:
            text = self._small(reference[1]).strip() or self._packed(reference[1])
        return text if _ID.fullmatch(text) else ""

    def _small(self, name: str) -> str:
        path = self._git / name
        with suppress(OSError):
            if self._files.is_within(path):
                with open_to_read(path) as file:
                    return file.read(_LONGEST_REFERENCE).decode("utf-8", "replace")
        return ""

    def _packed(self, reference: str) -> str:
        for line in self._small("packed-refs").splitlines():
            name, _, what = line.partition(" ")
            if what == reference:
                return name
        return ""


def _commit_of(commit: Commit, before: str, after: str) -> MemoryCommit:
    message = commit.message.decode("utf-8", "replace").strip()
    author = commit.author.decode("utf-8", "replace")
    when = None
    with suppress(ValueError, OverflowError, OSError):
        when = datetime.fromtimestamp(commit.author_time, UTC)
    return MemoryCommit(commit.id.decode(), when, author.partition(" <")[0], message.partition("\n")[0], before, after)


@dataclass(frozen=True, slots=True)
class _Entry:
    """Describes the beginning of a packed object: its length, and where what it is a delta on stands: an offset, or an
    id."""

    length: int
    offset: int | None = None
    name: bytes | None = None


class _Objects:
    """Reads the objects of a repository, none larger than a memory file may be."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._store = DiskObjectStore(str(folder))
        self._trees: dict[bytes, ShaFile] = {}

    def close(self) -> None:
        self._store.close()

    def find(self, tree: bytes, path: str) -> bytes | None:
        """Returns the id of a file's blob, None where it is not in this tree."""
        name, _, rest = path.partition("/")
        if tree not in self._trees:
            self._trees[tree] = self.read(tree.decode())
        folder = self._trees[tree]
        if not isinstance(folder, Tree):
            # In former days there was a file in the place of the folder.
            return None
        try:
            _, sha = folder[name.encode("utf-8", "surrogateescape")]
        except KeyError:
            return None
        return self.find(sha, rest) if rest else bytes(sha)

    def text(self, blob: bytes) -> str:
        """Returns the text of a blob, "" where it is too large."""
        try:
            found = self.read(blob.decode())
        except _TooLarge:
            return ""
        if not isinstance(found, Blob):
            raise KeyError(blob)
        return decoded(found.data)

    def read(self, name: str) -> ShaFile:
        """Returns one object. Raises one of `_BROKEN`, of which `_TooLarge` is one."""
        loose = self._folder / name[:2] / name[2:]
        if loose.is_file():
            with open_to_read(loose) as file:
                return ShaFile.from_raw_string(*_inflated(file))
        for pack in self._store.packs:
            offset = _offset_in(pack, name.encode())
            if offset is not None:
                self._measure(pack, offset)
                number, chunks = pack.get_raw(ObjectID(name.encode()))
                return ShaFile.from_raw_string(number, chunks)
        raise KeyError(name)

    def _measure(self, pack: Any, offset: int) -> None:
        """Raises _TooLarge where an object, or one that it is made of, is too large; ValueError where these do not
        end."""
        with open_to_read(Path(pack.data.path)) as file:
            for _ in range(_DEEPEST):
                file.seek(offset)
                entry = _entry(file.read(_BLOCK), offset)
                if entry.length > MOST_BYTES:
                    raise _TooLarge
                if entry.offset is not None:
                    offset = entry.offset
                elif entry.name is not None:
                    below = _offset_in(pack, entry.name.hex().encode())
                    if below is None:
                        raise KeyError(entry.name)
                    offset = below
                else:
                    return
        raise ValueError("deltas without an end")


class _TooLarge(ValueError):
    """An object is larger than a memory file may be."""


def _inflated(file: BinaryIO) -> tuple[int, bytes]:
    """Returns the type and the content of a loose object."""
    inflate = zlib.decompressobj()
    data = bytearray()
    while (block := file.read(1 << 16)) and not inflate.eof:
        data += inflate.decompress(block, MOST_BYTES + _HEADER - len(data) + 1)
        if len(data) > MOST_BYTES + _HEADER:
            raise _TooLarge
    if not inflate.eof:
        raise EOFError
    head, _, content = bytes(data).partition(b"\0")
    kind, _, _length = head.partition(b" ")
    return {b"commit": 1, b"tree": 2, b"blob": 3}[kind], content


def _offset_in(pack: Any, name: bytes) -> int | None:
    try:
        return int(pack.index.object_offset(ObjectID(name)))
    except KeyError:
        return None


def _entry(data: bytes, offset: int) -> _Entry:
    """Reads the beginning of the object that stands at an offset of a pack."""
    number, length, at, shift = (data[0] >> 4) & 7, data[0] & 15, 1, 4
    while data[at - 1] & 128:
        length |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
    if number == _OFFSET_DELTA:
        back, at = data[at] & 127, at + 1
        while data[at - 1] & 128:
            back, at = ((back + 1) << 7) | (data[at] & 127), at + 1
        if not 0 < back <= offset:
            raise ValueError("a delta on what does not stand before it")
        return _Entry(max(length, _length_made(data[at:])), offset=offset - back)
    if number == _NAMED_DELTA:
        return _Entry(max(length, _length_made(data[at + 20 :])), name=data[at : at + 20])
    return _Entry(length)


def _length_made(delta: bytes) -> int:
    """Returns the length of what a delta makes, which stands at its beginning behind that of what it is made of."""
    head = zlib.decompressobj().decompress(delta, _HEADER)
    at = length = shift = 0
    for _ in range(2):
        length = shift = 0
        while True:
            length |= (head[at] & 127) << shift
            at, shift = at + 1, shift + 7
            if not head[at - 1] & 128:
                break
    return length
