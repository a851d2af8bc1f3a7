"""Repairs damage in session files: bytes are copied aside first, and only a torn end is ever cut.

`SessionHealth` is what the rest of the program asks, by conversation; `FileRepair` does it to one file.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.append import append_bytes, ends_whole, truncate_file
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.quarantine import DamagedRecord, Quarantine
from mnemoscope.store.sessions.file_format.qanot_messages import is_qanots
from mnemoscope.store.sessions.file_format.session_file import SessionFile, StaleFile
from mnemoscope.store.sessions.file_format.session_index import Damage
from mnemoscope.store.sessions.folder import SessionFolder
from mnemoscope.store.sessions.metadata import metadata_complaints
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.workspace.write_access import WriteAccess

_TORN: Final = "was cut off while it was written"
_MOST_COPIES: Final = 200
"""Of one file; the bytes of any further damaged lines stay in the session file, which is not changed anyway."""


class FileRepair:
    """Copies damaged bytes of one session file to the quarantine and mends its end."""

    def __init__(self, workspace: Path, quarantine_dir: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self._quarantine = Quarantine(workspace, quarantine_dir, calls=calls)
        self._calls = calls
        self._torn: dict[Path, list[DamagedRecord]] = {}

    def mend_end(self, file: SessionFile) -> None:
        """Makes the file end with a whole line: adds a missing newline, or cuts a torn line off after copying it aside.

        Raises StorageError.
        """
        if file.index.open_end:
            append_bytes(file.path, b"\n", calls=self._calls)
            file.refresh()
        elif file.torn_bytes:
            self._cut_torn_line(file)

    def damage(self, file: SessionFile, *, keep: bool) -> list[DamagedRecord]:
        """Returns the known damage of a file, in its order; with `keep` the bytes are copied aside. Raises
        StorageError."""
        records = [self._record(file, damage, keep=keep and number < _MOST_COPIES) for number, damage in _sorted(file)]
        torn = _torn_line(file)
        return records + self._torn.get(file.path, []) + ([torn] if torn else [])

    def _cut_torn_line(self, file: SessionFile) -> None:
        torn = _torn_line(file)
        with suppress(StaleFile):
            data = file.read_torn()
            if torn is None or b"\n" in data or file.path.stat().st_size != torn.offset + len(data):
                return
            kept = self._quarantine.keep(file.path, torn.line, torn.offset, data, torn.reason)
            truncate_file(file.path, torn.offset, calls=self._calls)
            found = DamagedRecord(torn.line, torn.offset, torn.length, torn.reason, kept)
            self._torn.setdefault(file.path, []).append(found)
        file.refresh()

    def _record(self, file: SessionFile, damage: Damage, *, keep: bool) -> DamagedRecord:
        kept = ""
        with suppress(StaleFile):
            data = file.read(file.index, damage.offset, damage.offset + damage.length)
            if keep:
                kept = self._quarantine.keep(file.path, damage.line, damage.offset, data, damage.reason)
        return DamagedRecord(damage.line, damage.offset, damage.length, damage.reason, kept)


def _sorted(file: SessionFile) -> list[tuple[int, Damage]]:
    known = dict(file.index.damaged)
    return list(enumerate(known[message] for message in sorted(known)))


def _torn_line(file: SessionFile) -> DamagedRecord | None:
    index = file.index
    if not file.torn_bytes:
        return None
    return DamagedRecord(index.line_count + 1, index.end, file.torn_bytes, _TORN, "")


class SessionHealth:
    """Finds and mends what is wrong with the conversations of one workspace. Where it is open for looking only, nothing
    is copied aside or mended."""

    def __init__(
        self,
        folder: SessionFolder,
        repair: FileRepair,
        access: WriteAccess,
        file_of: Callable[[str], SessionFile | None],
    ) -> None:
        """`file_of`: the file of a conversation by its key, None where it has none."""
        self._folder = folder
        self._repair = repair
        self._access = access
        self._file_of = file_of
        self._problems: dict[str, list[str]] = {}

    def mend_ends(self) -> None:
        """Sets the torn last lines of all conversations aside after a crash, before another program adds to them.

        Reads no more than the last byte of those that end well. What the disk refuses is done when it is opened.
        """
        self._access.require()
        for entry in self._folder.entries():
            with suppress(OSError, StorageError):
                if not ends_whole(entry.path):
                    self._mend_end(self._folder.file(entry.path))

    def mend(self, key: str, file: SessionFile) -> None:
        """Mends the file's end and copies damage aside before a conversation is shown, if the disk lets it."""
        self._problems.pop(key, None)
        if self._access.read_only:
            return
        try:
            self._mend_end(file)
            self._repair.damage(file, keep=True)
        except StorageError as error:
            # Looking at a conversation must not need a working disk; appending to it repairs first, and fails then.
            self._problems[key] = [f"Its damaged records could not be copied aside yet. {error.sentence}"]

    def _mend_end(self, file: SessionFile) -> None:
        if file.index.open_end or file.torn_bytes:
            with self._folder.writing():
                file.refresh()
                self._repair.mend_end(file)

    def damage(self, key: str) -> list[DamagedRecord]:
        """Returns the damaged records of a conversation that are known; their bytes are copied aside unless
        read-only."""
        file = self._file_of(key)
        return self._repair.damage(file, keep=not self._access.read_only) if file else []

    def verify(self, session: Session) -> list[DamagedRecord]:
        """Decodes all messages to find damage that first sight does not show; returns it as `damage` does."""
        session.messages.check()
        return self.damage(session.key)

    def is_lost_to_qanot(self, key: str) -> bool:
        """Returns whether nothing was said here yet in a conversation that Qanot, whose workspace this is, will not
        restore: it reads only what it wrote itself."""
        file = self._file_of(key)
        begun = file is not None and file.index.count and not is_qanots(file.index.head)
        return not begun and self._folder.has_qanots()

    def complaints(self, key: str) -> list[str]:
        """Returns a sentence for each thing in the conversation's file that could not be followed."""
        sentences = self._problems.get(key, [])
        file = self._file_of(key)
        if file is None:
            return sentences
        moved = self._folder.moved_sentence(key, file.path)
        others = [path.name for path in self._folder.also_for(key, file.path)]
        twice = [f"{name} states the same conversation; it is left as it is and not used." for name in others]
        return sentences + ([moved] if moved else []) + metadata_complaints(file.index, key) + twice
