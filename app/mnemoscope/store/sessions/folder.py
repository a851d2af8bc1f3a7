"""The folder of session files: which file belongs to which key, and where a new one may go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.store.files.atomic import storage_errors
from mnemoscope.store.sessions.lines import session_record
from mnemoscope.store.sessions.metadata import stated_key
from mnemoscope.store.sessions.names import SUFFIX, candidate_names, key_from_stem, lookup_names
from mnemoscope.store.sessions.session_file import Change, SessionFile, opened, read_at

_FIRST_LINE_BYTES = 1 << 14


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """A session file in the folder; `problem` is a sentence where it could not be read."""

    key: str
    path: Path
    problem: str = ""


class SessionFolder:
    """Finds session files by key. Indexes that were made are kept and grown."""

    def __init__(self, folder: Path) -> None:
        self.path = folder
        self._files: dict[Path, SessionFile] = {}

    def find(self, key: str) -> Path | None:
        """Returns the file of a key, or None. Raises UnreadableFile where a file of that name can't be read."""
        unreadable: UnreadableFile | None = None
        for name in lookup_names(key):
            path = self.path / name
            try:
                if _is_there(path) and self.key_of(path) == key:
                    return path
            except UnreadableFile as error:
                unreadable = unreadable or error
        renamed = next((entry.path for entry in self.entries() if entry.key == key and not entry.problem), None)
        if renamed is None and unreadable is not None:
            raise unreadable
        return renamed

    def place_for(self, key: str) -> Path:
        """Returns where a new file for the key may be made: a name no other file has."""
        for name in candidate_names(key):
            path = self.path / name
            if _is_free(path):
                return path
        msg = f"No file name is left for the conversation “{key}”."
        raise StorageError(msg, next_step="Move some files out of the sessions folder, then try again.")

    def entries(self) -> list[FolderEntry]:
        """Returns every session file, by name; a key two files state is listed for the one that is used."""
        found: dict[str, FolderEntry] = {}
        for path in self._paths():
            entry = self._entry(path)
            if not entry.key:
                continue
            other = found.get(entry.key)
            if other is None or _rank(entry) < _rank(other):
                found[entry.key] = entry
        return sorted(found.values(), key=lambda entry: entry.path.name)

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

    def _paths(self) -> Iterator[Path]:
        with storage_errors(self.path, "read"):
            names = sorted(self.path.glob("*" + SUFFIX)) if self.path.is_dir() else []
        return (path for path in names if not path.name.startswith("."))

    def _entry(self, path: Path) -> FolderEntry:
        try:
            return FolderEntry(self.key_of(path), path)
        except UnreadableFile as error:
            return FolderEntry(key_from_stem(path.name.removesuffix(SUFFIX)), path, error.sentence)


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


def _rank(entry: FolderEntry) -> tuple[bool, int]:
    names = lookup_names(entry.key)
    return bool(entry.problem), names.index(entry.path.name) if entry.path.name in names else len(names)
