"""What is done about damage in session files: bytes are copied aside first, and only a torn end is ever cut."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.store.files.append import append_bytes, truncate_file
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.quarantine import DamagedRecord, Quarantine
from mnemoscope.store.sessions.session_file import SessionFile, StaleFile
from mnemoscope.store.sessions.session_index import Damage

_TORN: Final = "was cut off while it was written"
_MOST_COPIES: Final = 200
"""Of one file; the bytes of any further damaged lines stay in the session file, which is not changed anyway."""


class SessionRepair:
    """Keeps damaged bytes and mends the ends of files."""

    def __init__(self, workspace: Path, quarantine_dir: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self._quarantine = Quarantine(workspace, quarantine_dir, calls=calls)
        self._calls = calls
        self._torn: dict[Path, list[DamagedRecord]] = {}

    def mend_end(self, file: SessionFile) -> None:
        """Make the file end with a whole line: add a missing newline, or cut a torn line off after copying it aside.

        Raises StorageError.
        """
        if file.index.open_end:
            append_bytes(file.path, b"\n", calls=self._calls)
            file.refresh()
        elif file.torn_bytes:
            self._cut_torn_line(file)

    def damage(self, file: SessionFile, *, keep: bool) -> list[DamagedRecord]:
        """The known damage of a file, in its order; with `keep` the bytes are copied aside. Raises StorageError."""
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
