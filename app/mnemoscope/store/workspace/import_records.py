"""The records of imports: what each brought, so that it can be taken back, and so that nothing is imported twice.

One file an import, `.mnemoscope/imports/<id>.json`, written before the first conversation is: what a crash leaves
behind is named in it. A file that cannot be read costs only the undo of that import.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import msgspec

from mnemoscope.store.files.atomic import make_folder, open_to_read, read_at_most, replace_bytes
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.workspace.paths import WorkspacePaths

_MOST_BYTES: Final = 64 << 20


class ImportedKey(msgspec.Struct, frozen=True):
    """Carries one conversation that an import brought: its messages, and what told its state where it came from."""

    messages: int
    state: str
    replaced: str = ""
    """The file in the trash that holds it as an earlier import had brought it, "" where it was new."""


class ImportRecord(msgspec.Struct, frozen=True):
    """Notes what one import brought. `when` is naive local ISO 8601; `memories` are the texts that wait for review, or
    did."""

    id: str
    when: str
    source: str
    title: str
    conversations: Mapping[str, ImportedKey]
    memories: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    is_undone: bool = False


_DECODER: Final = msgspec.json.Decoder(ImportRecord)


class ImportRecords:
    """Reads and writes the records. Blocks on the disk."""

    def __init__(self, paths: WorkspacePaths, *, calls: FileCalls = REAL_CALLS) -> None:
        self._folder = paths.own.imports_dir
        self._calls = calls

    def all(self) -> list[ImportRecord]:
        """Returns every record that can be read, the oldest first."""
        found: list[ImportRecord] = []
        with suppress(OSError):
            for name in os.listdir(self._folder):
                with suppress(OSError, msgspec.MsgspecError, ValueError, RecursionError):
                    with open_to_read(self._folder / name) as file:
                        record = _DECODER.decode(read_at_most(file, _MOST_BYTES))
                    if f"{record.id}.json" == name:
                        found.append(record)
        return sorted(found, key=lambda each: (each.when, each.id))

    def keep(self, record: ImportRecord) -> None:
        """Writes a record in the place of the one with its id. Raises StorageError."""
        make_folder(self._folder, calls=self._calls)
        replace_bytes(self._folder / f"{record.id}.json", msgspec.json.encode(record), calls=self._calls)
