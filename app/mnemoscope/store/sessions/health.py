"""What is wrong with session files: looked for, told, and mended where that takes nothing away."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.append import ends_whole
from mnemoscope.store.files.quarantine import DamagedRecord
from mnemoscope.store.sessions.folder import SessionFolder
from mnemoscope.store.sessions.metadata import metadata_complaints
from mnemoscope.store.sessions.repair import SessionRepair
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_file import SessionFile
from mnemoscope.store.workspace.write_access import WriteAccess


class SessionHealth:
    """Of one workspace's conversations. Where it is open for looking only, nothing is copied aside or mended."""

    def __init__(
        self,
        folder: SessionFolder,
        repair: SessionRepair,
        access: WriteAccess,
        file_of: Callable[[str], SessionFile | None],
    ) -> None:
        """`file_of`: the file of a conversation by its key, None where it has none."""
        self._folder, self._repair, self._access, self._file_of = folder, repair, access, file_of
        self._said: dict[str, list[str]] = {}

    def mend_ends(self) -> None:
        """After a crash: set the torn last lines of all conversations aside, before another program adds to them.

        Reads no more than the last byte of those that end well. What the disk refuses is done when it is opened.
        """
        self._access.require()
        for entry in self._folder.entries():
            with suppress(OSError, StorageError):
                if not ends_whole(entry.path):
                    self._repair.mend_end(self._folder.file(entry.path))

    def mend(self, key: str, file: SessionFile) -> None:
        """Before a conversation is shown: mend its file's end and copy damage aside, where the disk lets it."""
        self._said.pop(key, None)
        if self._access.read_only:
            return
        try:
            self._repair.mend_end(file)
            self._repair.damage(file, keep=True)
        except StorageError as error:
            # Looking at a conversation must not need a working disk; appending to it repairs first, and fails then.
            self._said[key] = [f"Its damaged records could not be copied aside yet. {error.sentence}"]

    def damage(self, key: str) -> list[DamagedRecord]:
        """The damaged records of a conversation that are known; their bytes are copied aside unless read-only."""
        file = self._file_of(key)
        return self._repair.damage(file, keep=not self._access.read_only) if file else []

    def verify(self, session: Session, start: int = 0, stop: int | None = None) -> list[DamagedRecord]:
        """Decode messages [start, stop) to find damage that does not show at first sight; then as `damage`."""
        session.messages.check(start, stop)
        return self.damage(session.key)

    def complaints(self, key: str) -> list[str]:
        """A sentence for each thing in the conversation's file that could not be followed."""
        sentences = self._said.get(key, [])
        file = self._file_of(key)
        if file is None:
            return sentences
        others = [path.name for path in self._folder.also_for(key, file.path)]
        twice = [f"{name} states the same conversation; it is left as it is and not used." for name in others]
        return sentences + metadata_complaints(file.index, key) + twice
