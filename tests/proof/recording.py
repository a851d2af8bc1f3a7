"""File calls written down with all they did, and the disk as a power cut may leave it: what is not forced is in doubt.

A file's bytes are on the disk once the file was forced, a name once its folder was. Until then each may be there or
not, a write also by half or as zeros, in any combination. File systems promise more; nothing here relies on it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mnemoscope.store.files.calls import FileCalls


@dataclass(frozen=True)
class Wrote:
    """Records bytes written at a place in a file; files go by numbers, since a name may change."""

    file: int
    offset: int
    data: bytes


@dataclass(frozen=True)
class Cut:
    """Records that a file was cut, or grown with zeros, to a size."""

    file: int
    size: int


@dataclass(frozen=True)
class Named:
    """Records names changed in one step: what each stands for now, None for nothing. A folder is -1."""

    names: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True)
class Forced:
    """Records that a file's bytes (a number) or a folder's names (a path) are on the disk."""

    what: int | str


@dataclass(frozen=True)
class Said:
    """Records what the person was told at this point."""

    text: str


Op = Wrote | Cut | Named | Forced | Said
FOLDER = -1


@dataclass(frozen=True)
class Tree:
    """Holds a folder's content. `links` are symbolic ones, which never change here; all paths are relative."""

    files: Mapping[str, bytes]
    folders: frozenset[str]
    links: Mapping[str, str]

    @classmethod
    def of(cls, root: Path) -> Tree:
        """Returns what is there now."""
        files, folders, links = {}, set(), {}
        for path in root.rglob("*"):
            name = str(path.relative_to(root))
            if path.is_symlink():
                links[name] = os.readlink(path)
            elif path.is_dir():
                folders.add(name)
            else:
                files[name] = path.read_bytes()
        return cls(files, frozenset(folders), links)

    def write(self, root: Path) -> None:
        """Makes it, all files an hour old: a fresh empty one would look as if it were being written."""
        root.mkdir()
        for name in sorted(self.folders):
            (root / name).mkdir(parents=True, exist_ok=True)
        for name, target in self.links.items():
            os.symlink(target, root / name)
        for name, data in self.files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            os.utime(path, (1_700_000_000, 1_700_000_000))

    def identity(self) -> tuple[object, ...]:
        """Returns the same for trees that are the same."""
        return tuple(sorted(self.files.items())), tuple(sorted(self.folders))


@dataclass
class Recording:
    """Holds a tree and what was done to it since. `ids`: which file each name stood for at the beginning."""

    before: Tree
    ids: dict[str, int]
    log: list[Op] = field(default_factory=list)

    @classmethod
    def begun(cls, root: Path) -> Recording:
        """Returns a recording in which nothing was done yet, with all that is there on the disk."""
        tree = Tree.of(root)
        names = {name: number for number, name in enumerate(sorted(tree.files), 1)}
        return cls(tree, names | dict.fromkeys(tree.folders, FOLDER))

    def until(self, place: int) -> Recording:
        """Returns its beginning."""
        return Recording(self.before, self.ids, self.log[:place])

    def names(self) -> dict[str, int]:
        """Returns which file each name stands for after all of it."""
        names = dict(self.ids)
        for op in self.log:
            if isinstance(op, Named):
                _rename(names, op)
        return names

    def in_doubt(self) -> list[int]:
        """Returns the places of what was not forced."""
        forced: set[int | str] = set()
        places = []
        for place in range(len(self.log) - 1, -1, -1):
            op = self.log[place]
            if isinstance(op, Forced):
                forced.add(op.what)
            elif not _needed_by(op) <= forced:
                places.append(place)
        return places[::-1]

    def tree(self, fates: Mapping[int, str] | None = None) -> Tree:
        """Returns what is on the disk, where what is at some places in the log was `dropped`, `halved` or `zeroed`."""
        fates = fates or {}
        names = dict(self.ids)
        # What no call wrote stays the same bytes in every state: thousands of states are held at a time.
        contents = {number: self.before.files[name] for name, number in self.ids.items() if number > 0}
        for place, op in enumerate(self.log):
            fate = fates.get(place, "kept")
            if fate == "dropped":
                continue
            if isinstance(op, Named):
                _rename(names, op)
            elif isinstance(op, Wrote | Cut):
                contents[op.file] = _changed(contents.get(op.file, b""), op, fate)
        files = {name: contents.get(number, b"") for name, number in names.items() if number != FOLDER}
        folders = {name for name, number in names.items() if number == FOLDER}
        return Tree(
            {name: data for name, data in files.items() if os.path.dirname(name) in {*folders, ""}},
            frozenset(folders),
            self.before.links,
        )

    def said(self) -> list[str]:
        """Returns what the person was told by the end of it."""
        return [op.text for op in self.log if isinstance(op, Said)]


def _rename(names: dict[str, int], op: Named) -> None:
    for name, number in op.names:
        if number is None:
            names.pop(name, None)
        else:
            names[name] = number


def _needed_by(op: Op) -> set[int | str]:
    """Returns what has to be forced before this is sure to last; a rename from folder to folder needs both."""
    if isinstance(op, Named):
        return {os.path.dirname(name) for name, _ in op.names}
    return {op.file} if isinstance(op, Wrote | Cut) else set()


def _changed(content: bytes, op: Wrote | Cut, fate: str) -> bytes:
    if isinstance(op, Cut):
        return content[: op.size].ljust(op.size, b"\0")
    data = op.data[: len(op.data) // 2] if fate == "halved" else op.data
    if fate == "zeroed":
        data = bytes(len(data))
    return content[: op.offset].ljust(op.offset, b"\0") + data + content[op.offset + len(data) :]


class RecordingCalls(FileCalls):
    """Carries out calls and records them from `begin` on; `goes_on`: a recording up to where this process begins."""

    def __init__(self, root: Path, goes_on: Recording | None = None) -> None:
        self._root = root
        self._lock = threading.Lock()
        self._open: dict[int, tuple[int | str, bool]] = {}
        self.recording = goes_on
        self._names: dict[str, int] = goes_on.names() if goes_on else {}

    def begin(self) -> None:
        """Records the calls from here on."""
        if self.recording is None:
            self.recording = Recording.begun(self._root)
            self._names = dict(self.recording.ids)

    def say(self, text: str) -> None:
        """Records what the person is told, in its place among the calls."""
        self._note(Said(text))

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        descriptor = super().open(path, flags, mode)
        name = self._relative(path)
        if name is None or self.recording is None:
            return descriptor
        if name not in self._names and flags & os.O_CREAT:
            self._rename((name, self._fresh()))
        elif flags & os.O_TRUNC:
            self._note(Cut(self._names[name], 0))
        number = self._names.get(name, FOLDER)
        self._open[descriptor] = (name if number == FOLDER else number, bool(flags & os.O_APPEND))
        return descriptor

    def write(self, descriptor: int, data: bytes) -> int:
        number, appends = self._open.get(descriptor, ("", False))
        place = os.fstat(descriptor).st_size if appends else os.lseek(descriptor, 0, os.SEEK_CUR)
        taken = super().write(descriptor, data)
        if isinstance(number, int):
            self._note(Wrote(number, place, bytes(data[:taken])))
        return taken

    def fsync(self, descriptor: int) -> None:
        super().fsync(descriptor)
        if descriptor in self._open:
            self._note(Forced(self._open[descriptor][0]))

    def truncate(self, descriptor: int, size: int) -> None:
        super().truncate(descriptor, size)
        number = self._open.get(descriptor, ("", False))[0]
        if isinstance(number, int):
            self._note(Cut(number, size))

    def close(self, descriptor: int) -> None:
        self._open.pop(descriptor, None)
        super().close(descriptor)

    def replace(self, source: str, target: str) -> None:
        super().replace(source, target)
        one, other = self._relative(source), self._relative(target)
        if one is not None and other is not None and one in self._names:
            self._rename((other, self._names[one]), (one, None))

    def exchange(self, one: str, other: str) -> bool:
        done = super().exchange(one, other)
        first, second = self._relative(one), self._relative(other)
        if done and first is not None and second is not None and self.recording is not None:
            self._rename((first, self._names[second]), (second, self._names[first]))
        return done

    def unlink(self, path: str) -> None:
        super().unlink(path)
        if (name := self._relative(path)) is not None:
            self._rename((name, None))

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        super().mkdir(path, mode)
        if (name := self._relative(path)) is not None:
            self._rename((name, FOLDER))

    def _rename(self, *names: tuple[str, int | None]) -> None:
        op = Named(names)
        self._note(op)
        _rename(self._names, op)

    def _note(self, op: Op) -> None:
        with self._lock:
            if self.recording is not None:
                self.recording.log.append(op)

    def _fresh(self) -> int:
        assert self.recording is not None
        named = (number or 0 for op in self.recording.log if isinstance(op, Named) for _, number in op.names)
        return max(0, *self.recording.ids.values(), *named) + 1

    def _relative(self, path: str) -> str | None:
        if path == str(self._root):
            return ""
        return path.removeprefix(f"{self._root}/") if path.startswith(f"{self._root}/") else None


def prefixes(recording: Recording, start: int = 0) -> Iterator[Recording]:
    """Yields the recording up to each point at which the power may go."""
    for place in range(start, len(recording.log) + 1):
        yield recording.until(place)
