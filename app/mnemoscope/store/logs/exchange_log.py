"""The logs of which messages the daily notes and the working buffer tell: .mnemoscope/exchanges/, one for each file.

They have no words of theirs. The log of a note is kept as long as the note may be read. Each is append-only and
bounded, for the buffer's sake, which goes on under one name: one that is long becomes `….jsonl.1`, in place of the one
before.
"""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Final

from mnemoscope.domain.context.exchange_reference import ExchangeReference, reference_of
from mnemoscope.domain.text.json_text import parsed_json
from mnemoscope.store.files.append import append_lines
from mnemoscope.store.files.atomic import encode_text, fsync_directory, make_folder, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.logs.journal import lines_backwards
from mnemoscope.store.workspace.paths import WorkspacePaths

_LONGEST: Final = 1_000_000
"""Bytes of a log before another is begun."""


class ExchangeLog:
    """Reads and writes the logs of one workspace. Blocks on the disk; the disk thread owns it."""

    def __init__(self, paths: WorkspacePaths, *, calls: FileCalls = REAL_CALLS, longest: int = _LONGEST) -> None:
        self._own = paths.own
        self._calls = calls
        self._longest = longest

    def add(self, reference: ExchangeReference) -> None:
        """Adds a reference, durably; to be called before its entry is written, so that none is without one. Raises
        DiskFull or StorageError."""
        log = self._own.exchange_log_of(reference.file)
        # The workspace is there, or was moved away: then nothing is built in its place.
        for folder in (self._own.folder, log.parent):
            make_folder(folder, calls=self._calls)
        self._begin_anew_if_long(log)
        text = json.dumps(reference.as_document(), ensure_ascii=False)
        append_lines(log, encode_text(f"{text}\n"), calls=self._calls)

    def of(self, file: str) -> list[ExchangeReference]:
        """Returns the references of a file, oldest first; lines that hold none are passed over. Raises
        UnreadableFile."""
        log = self._own.exchange_log_of(file)
        lines = chain(lines_backwards(log), lines_backwards(_older(log)))
        found = [each for line in lines if (each := reference_of(parsed_json(line))) is not None and each.file == file]
        return found[::-1]

    def _begin_anew_if_long(self, log: Path) -> None:
        with storage_errors(log, "write"), suppress(FileNotFoundError):
            if log.stat().st_size > self._longest:
                self._calls.replace(str(log), str(_older(log)))
                fsync_directory(log.parent, calls=self._calls)


def _older(log: Path) -> Path:
    return log.with_name(f"{log.name}.1")
