"""Records what Dream did: each run in .mnemoscope/dream.jsonl, one JSON object a line.

Only a record: what counts as read stands in .dream_cursor, what was changed in the logs of changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice, takewhile
from typing import Any

from mnemoscope.domain.dream.run import DreamRun, Undoing, run_of, undo_mark_of
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.text.json_text import parsed_json
from mnemoscope.store.files.append import append_lines
from mnemoscope.store.files.atomic import encode_text, make_directory
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.logs.journal import lines_backwards
from mnemoscope.store.workspace.paths import WorkspacePaths


class DreamRuns:
    """Keeps the records of one workspace. Blocks on the disk."""

    def __init__(self, paths: WorkspacePaths, *, calls: FileCalls = REAL_CALLS) -> None:
        self._file, self._calls = paths.own.dream_runs, calls

    def add(self, run: DreamRun) -> None:
        """Adds a record; the same id again replaces it. Raises DiskFull or StorageError."""
        self._append(run.as_record())

    def newest(self, count: int = 50) -> list[DreamRun]:
        """Returns the runs, newest first; lines that hold none are passed over. [] where the file cannot be read."""
        with suppress(StorageError):
            return list(islice(self._newest_first(), count))
        return []

    def since(self, day: str) -> list[DreamRun]:
        """Returns the runs from a day (`YYYY-MM-DD`) on, newest first. [] where the file cannot be read."""
        with suppress(StorageError):
            return list(takewhile(lambda run: run.when[:10] >= day, self._newest_first()))
        return []

    def mark_undone(self, run_id: str, how: Undoing) -> None:
        """Notes that a run was taken back. Raises DiskFull or StorageError."""
        self._append({"id": run_id, "undone": how})

    def _append(self, record: Mapping[str, Any]) -> None:
        make_directory(self._file.parent, calls=self._calls)
        line = encode_text(json.dumps(record, ensure_ascii=False)) + b"\n"
        append_lines(self._file, line, calls=self._calls)

    def _newest_first(self) -> Iterator[DreamRun]:
        seen: set[str] = set()
        undone: dict[str, Undoing] = {}
        for line in lines_backwards(self._file):
            record = parsed_json(line)
            run = run_of(record)
            if run is None:
                undone = undo_mark_of(record) | undone
            elif run.id not in seen:
                seen.add(run.id)
                yield replace(run, undone=undone.get(run.id, run.undone))
