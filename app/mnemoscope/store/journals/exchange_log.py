"""The log of which messages the daily notes and the working buffer tell: .mnemoscope/exchanges.jsonl.

It has no words of theirs. Append-only and bounded: a file that is long becomes `exchanges.jsonl.1`, in place of the one
before.
"""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import chain
from typing import Final

from mnemoscope.domain.context.exchange_reference import ExchangeReference, reference_of
from mnemoscope.domain.text.json_text import parsed_json
from mnemoscope.store.files.append import append_lines
from mnemoscope.store.files.atomic import encode_text, fsync_directory, make_folder, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.journals.journal import lines_backwards
from mnemoscope.store.workspace.paths import WorkspacePaths

LONGEST: Final = 1_000_000
"""Bytes of the file before another is begun."""


class ExchangeLog:
    """Reads and writes the log of one workspace. Blocks on the disk; the disk thread owns it."""

    def __init__(self, paths: WorkspacePaths, *, calls: FileCalls = REAL_CALLS, longest: int = LONGEST) -> None:
        self._file = paths.own.exchanges_log
        self._older = self._file.with_name(f"{self._file.name}.1")
        self._calls = calls
        self._longest = longest

    def add(self, reference: ExchangeReference) -> None:
        """Adds a reference, durably; to be called before its entry is written, so that none is without one. Raises
        DiskFull or StorageError."""
        # Its parent is there as long as the workspace is: where it was moved away, nothing is built in its place.
        make_folder(self._file.parent, calls=self._calls)
        self._begin_anew_if_long()
        append_lines(self._file, encode_text(f"{_as_json(reference.as_document())}\n"), calls=self._calls)

    def of(self, *files: str) -> dict[str, list[ExchangeReference]]:
        """Returns the references of each of these files, oldest first; lines that hold none are passed over. Raises
        UnreadableFile."""
        found: dict[str, list[ExchangeReference]] = {file: [] for file in files}
        names = [encode_text(_as_json(file)) for file in files]
        for line in chain(lines_backwards(self._file), lines_backwards(self._older)):
            # Most lines are of other files, and are not decoded: a search asks at each key that is typed.
            reference = reference_of(parsed_json(line)) if any(name in line for name in names) else None
            if reference is not None and reference.file in found:
                found[reference.file].append(reference)
        return {file: references[::-1] for file, references in found.items()}

    def _begin_anew_if_long(self) -> None:
        with storage_errors(self._file, "write"), suppress(FileNotFoundError):
            if self._file.stat().st_size > self._longest:
                self._calls.replace(str(self._file), str(self._older))
                fsync_directory(self._file.parent, calls=self._calls)


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
