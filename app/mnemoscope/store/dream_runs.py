"""What Dream did: a plain record of each run in .mnemoscope/dream.jsonl, one JSON object a line.

Only a record: what counts as read stands in .dream_cursor, what was changed in the journals of changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from mnemoscope.domain.dream import DreamRun, run_of
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.append import append_bytes
from mnemoscope.store.atomic import encode_text, make_directory
from mnemoscope.store.calls import REAL_CALLS, FileCalls
from mnemoscope.store.journal import lines_backwards
from mnemoscope.store.workspace import WorkspacePaths


class DreamRuns:
    """The records of one workspace. Blocks on the disk."""

    def __init__(self, paths: WorkspacePaths, *, calls: FileCalls = REAL_CALLS) -> None:
        self._file, self._calls = paths.dream_runs, calls

    def add(self, run: DreamRun) -> None:
        """Add a record; the same id again replaces it. Raises DiskFull or StorageError."""
        make_directory(self._file.parent, calls=self._calls)
        line = encode_text(json.dumps(run.as_record(), ensure_ascii=False)) + b"\n"
        # A line that a crash cut off never joins this one.
        append_bytes(self._file, line if self._ends_whole() else b"\n" + line, calls=self._calls)

    def newest(self, count: int = 50) -> list[DreamRun]:
        """The newest runs first; lines that hold none are passed over. [] where the file cannot be read."""
        with suppress(StorageError):
            return list(islice(self._newest_first(), count))
        return []

    def _newest_first(self) -> Iterator[DreamRun]:
        seen: set[str] = set()
        for line in lines_backwards(self._file):
            run = _decoded(line)
            if run is not None and run.id not in seen:
                seen.add(run.id)
                yield run

    def _ends_whole(self) -> bool:
        return next(iter(lines_backwards(self._file)), b"") == b""


def _decoded(line: bytes) -> DreamRun | None:
    if not line.strip():
        return None
    with suppress(ValueError, RecursionError):
        return run_of(json.loads(line))
    return None
