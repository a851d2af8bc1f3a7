"""The whole texts of tool results that were cut for the conversation: .mnemoscope/tool-results/, the newest of them."""

from __future__ import annotations

import logging
import re
from datetime import datetime
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.atomic import encode_text, make_folder, remove_file, replace_bytes, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)

_KEPT_AT_MOST: Final = 500
_BYTES_AT_MOST: Final = 100_000_000
_NO_NAME: Final = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME: Final = 40


def whole_result(paths: WorkspacePaths, name: str) -> Path | None:
    """Returns the file that a message names (relative to the workspace) as its whole result, where it is there and one
    of these: a conversation may have been written by anybody."""
    path = paths.root / name
    is_ours = path.parent == paths.own.tool_results_dir and path.suffix == ".txt"
    return path if is_ours and path.is_file() and not path.is_symlink() else None


class ToolResultFiles:
    """Keeps whole tool results of one workspace; beyond `most_files` or `most_bytes` the oldest go."""

    def __init__(
        self,
        folder: Path,
        *,
        most_files: int = _KEPT_AT_MOST,
        most_bytes: int = _BYTES_AT_MOST,
        calls: FileCalls = REAL_CALLS,
    ) -> None:
        self.folder = folder
        self._most_files = most_files
        self._most_bytes = most_bytes
        self._calls = calls

    def keep(self, tool: str, text: str, when: datetime) -> Path:
        """Keeps a text durably, under a name no other one has. Raises DiskFull or StorageError."""
        make_folder(self.folder, calls=self._calls)
        path = self._free(f"{when:%Y%m%d-%H%M%S}-{_NO_NAME.sub('_', tool)[:_LONGEST_NAME] or 'tool'}")
        replace_bytes(path, encode_text(text), calls=self._calls)
        self._drop_the_oldest(path)
        return path

    def _free(self, stem: str) -> Path:
        path, number = self.folder / f"{stem}.txt", 1
        while path.exists():
            number += 1
            path = self.folder / f"{stem}-{number}.txt"
        return path

    def _drop_the_oldest(self, newest: Path) -> None:
        """Removes the oldest texts beyond the limits, but never `newest`. A file that cannot be removed stays: what is
        kept already matters less than what was kept now."""
        try:
            with storage_errors(self.folder, "read"):
                found = [(file.stat(), file) for file in self.folder.glob("*.txt") if file != newest]
            found.sort(key=lambda one: (one[0].st_mtime_ns, one[1].name))
            many, much = len(found) + 1, newest.stat().st_size + sum(status.st_size for status, _ in found)
            for status, file in found:
                if many <= self._most_files and much <= self._most_bytes:
                    return
                remove_file(file, calls=self._calls)
                many, much = many - 1, much - status.st_size
        except (OSError, StorageError) as error:
            log.warning("old tool results could not be removed: %s", error)
