"""The folders of session files: which file belongs to which key, and where a new one may go.

There is `sessions/`, in it the folder of those that no other program may read, and beside it, where nanobot 0.3.5 was
in the workspace, its own folder of these conversations. What it moved there is found and goes on there; new files are
made in the first two.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.store.files.atomic import storage_errors
from mnemoscope.store.sessions.file_format.names import (
    SUFFIX,
    candidate_names,
    encoded_stem,
    key_from_stem,
    lookup_names,
)
from mnemoscope.store.sessions.file_format.qanot_messages import is_qanots
from mnemoscope.store.sessions.file_format.record_line import session_record
from mnemoscope.store.sessions.file_format.session_file import Change, SessionFile, opened, read_at
from mnemoscope.store.sessions.metadata import stated_key
from mnemoscope.store.workspace.nanobot_home import NanobotHome, nanobot_home, workspace_id

_FIRST_LINE_BYTES = 1 << 14
_QANOTS_NAME = re.compile(r"\d{4}-\d\d-\d\d\.jsonl")


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """Describes a session file in the folder; `problem` is a sentence where it could not be read."""

    key: str
    path: Path
    problem: str = ""


class SessionFolder:
    """Finds session files by key. Indexes that were made are kept and grown."""

    def __init__(self, folder: Path, workspace: Path | None = None, discreet: Path | None = None) -> None:
        """`workspace`: the folder whose conversations nanobot may keep elsewhere; None to look nowhere else.

        `discreet`: where those are that no other program may read; None where they are not of interest.
        """
        self.path = folder
        self._discreet = discreet
        self._workspace = workspace
        self._files: dict[Path, SessionFile] = {}

    def home(self) -> NanobotHome | None:
        """Returns nanobot's own folder of these conversations, as it is now; None where there is none."""
        return nanobot_home(self._workspace) if self._workspace is not None else None

    def writing(self) -> AbstractContextManager[None]:
        """Keeps nanobot from moving or writing session files meanwhile, where it has a folder of its own for them.

        Raises StorageError where it holds its lock for long. Not to be entered twice.
        """
        home = self.home()
        return home.locked() if home is not None else nullcontext()

    def is_moved(self, path: Path) -> bool:
        """Returns whether a file is in nanobot's own folder."""
        return path.parent != self.path and (home := self.home()) is not None and home.holds(path)

    def moved_sentence(self, key: str, path: Path) -> str:
        """Returns a sentence where nanobot moved this conversation under a name that it does not read; "" elsewhere."""
        if not self.is_moved(path) or path.stem == encoded_stem(key):
            return ""
        return f"nanobot moved this conversation to {path.parent}, under a name it does not read. It goes on there."

    def has_qanots(self) -> bool:
        """Returns whether Qanot writes its conversations here: a file a day. Raises UnreadableFile."""
        return any(map(_begins_as_qanots, self._paths(_QANOTS_NAME.fullmatch)))

    def find(self, key: str) -> Path | None:
        """Returns the file of a key, or None. Raises UnreadableFile where a file of that name can't be read."""
        unreadable: UnreadableFile | None = None
        for path in self._named(lookup_names(key)):
            try:
                if self.key_of(path) == key:
                    return path
            except UnreadableFile as error:
                unreadable = unreadable or error
        renamed = next((entry.path for entry in self.entries() if entry.key == key and not entry.problem), None)
        if renamed is None and unreadable is not None:
            raise unreadable
        return renamed

    def place_for(self, key: str, discretion: Discretion = Discretion.REMEMBERED) -> Path:
        """Returns where a new file for the key may be made: a name no other file has, in the folder of this
        discretion."""
        folder = self._discreet if discretion is Discretion.READS_MEMORY and self._discreet is not None else self.path
        others = [each for each in self._own() if each != folder]
        home, encoded = self.home(), self._workspace is not None and bool(workspace_id(self._workspace))
        # Where nanobot is at home it finds no other name than its own.
        before_dates = not encoded and self._is_read_by_qanot()
        for name in candidate_names(key, encoded_first=encoded, before_dates=before_dates):
            # nanobot would put one of two files of a name aside.
            elsewhere = [*others, *([home.folder] if home is not None else [])]
            if all(_is_free(each / name) for each in (folder, *elsewhere)):
                return folder / name
        msg = f"No file name is left for the conversation “{key}”."
        raise StorageError(msg, next_step="Move some files out of the sessions folder, then try again.")

    def _is_read_by_qanot(self) -> bool:
        """Returns whether Qanot keeps conversations here, or may: MEMORY.md lies where it has it."""
        return (self._workspace is not None and (self._workspace / "MEMORY.md").is_file()) or self.has_qanots()

    def entries(self) -> list[FolderEntry]:
        """Returns every session file, by name; a key two files state is listed for the one that is used."""
        found: dict[str, FolderEntry] = {}
        for path in self._paths():
            entry = self._entry(path)
            if not entry.key:
                continue
            other = found.get(entry.key)
            if other is None or self._rank(entry) < self._rank(other):
                found[entry.key] = entry
        return sorted(found.values(), key=lambda entry: (entry.path.name, entry.path))

    def every(self) -> list[FolderEntry]:
        """Returns every session file, also several of one key."""
        return [entry for path in self._paths() if (entry := self._entry(path)).key]

    def also_for(self, key: str, used: Path) -> list[Path]:
        """Returns other files that state the same key."""
        return [path for path in self._paths() if path != used and self._entry(path).key == key]

    def key_of(self, path: Path) -> str:
        """Returns the key a file states, or the one its name suggests; "" for an empty file. Raises UnreadableFile."""
        try:
            with opened(path) as (descriptor, _), storage_errors(path, "read"):
                first, newline, _ = read_at(descriptor, 0, _FIRST_LINE_BYTES).partition(b"\n")
            if not first and not newline:
                return ""
            key = stated_key(session_record(first))
            return key or stated_key(self.file(path).index.record) or key_from_stem(path.name.removesuffix(SUFFIX))
        except FileNotFoundError:
            return ""

    def file(self, path: Path) -> SessionFile:
        """Returns the indexed file as it is now. Raises UnreadableFile or FileNotFoundError."""
        file = self._files.get(path)
        if file is not None and file.refresh() is not Change.GONE:
            return file
        self._files[path] = SessionFile(path)
        return self._files[path]

    def known(self, path: Path) -> SessionFile | None:
        """Returns the file if it was indexed before, as it was seen then."""
        return self._files.get(path)

    def forget(self, path: Path) -> None:
        """Forgets a file that was moved away."""
        self._files.pop(path, None)

    def moved(self, file: SessionFile, target: Path) -> None:
        """Notes that a file lies elsewhere now; whoever shows it goes on reading it."""
        self._files.pop(file.path, None)
        file.path = target
        self._files[target] = file

    def _own(self) -> list[Path]:
        """Returns the folders that are ours, the one whose files count before those of the other first."""
        return [self.path] if self._discreet is None else [self._discreet, self.path]

    def _paths(self, is_wanted: Callable[[str], object] = bool) -> Iterator[Path]:
        """Yields the session files whose names are wanted, by name in each folder."""
        found = list[Path]()
        for folder in self._own():
            with storage_errors(folder, "read"):
                names = sorted(filter(is_wanted, _session_names(folder)))
                found += [folder / name for name in names]
        home = self.home()
        yield from found
        yield from (path for path in (home.files() if home is not None else ()) if is_wanted(path.name))

    def _named(self, names: list[str]) -> Iterator[Path]:
        """Yields the files of these names that are there: the discreet ones first, then those in `sessions/`."""
        for folder in self._own():
            yield from (path for name in names if _is_there(path := folder / name))
        home = self.home()
        moved = {path.name: path for path in home.files()} if home is not None else {}
        yield from (moved[name] for name in names if name in moved)

    def _rank(self, entry: FolderEntry) -> tuple[bool, int, int]:
        names = lookup_names(entry.key)
        place = names.index(entry.path.name) if entry.path.name in names else len(names)
        own, parent = self._own(), entry.path.parent
        return bool(entry.problem), own.index(parent) if parent in own else len(own), place

    def _entry(self, path: Path) -> FolderEntry:
        try:
            return FolderEntry(self.key_of(path), path)
        except UnreadableFile as error:
            return FolderEntry(key_from_stem(path.name.removesuffix(SUFFIX)), path, error.sentence)


def _session_names(folder: Path) -> Iterator[str]:
    with suppress(FileNotFoundError, NotADirectoryError):
        yield from (name for name in os.listdir(folder) if name.endswith(SUFFIX) and not name.startswith("."))


def _begins_as_qanots(path: Path) -> bool:
    try:
        with opened(path) as (descriptor, _):
            return is_qanots(read_at(descriptor, 0, _FIRST_LINE_BYTES))
    except (FileNotFoundError, UnreadableFile):
        return False


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _is_free(path: Path) -> bool:
    # A file of no bytes is what a creation leaves behind that was cut off.
    if _is_there(path):
        return path.is_file() and path.stat().st_size == 0
    return not path.is_symlink()
