"""Notes which way of asking worked with which model, in .mnemoscope/model-ways.json: from its name and server to the
way."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from mnemoscope.store.files.atomic import make_folder, open_to_read, replace_bytes
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls

log = logging.getLogger(__name__)
_MOST: Final = 100
"""Models that are remembered, the newest of them."""
_SIZE_LIMIT: Final = 100_000


class AskingModesFile:
    """The file on disk. It holds only a preference: one that cannot be read counts as none."""

    def __init__(self, path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self._path = path
        self._calls = calls

    def load(self) -> dict[str, str]:
        """Returns the ways by model, oldest first. Never raises."""
        try:
            with open_to_read(self._path) as file:
                kept = json.loads(file.read(_SIZE_LIMIT))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError):
            log.warning("the ways of models could not be read: %s", self._path)
            return {}
        pairs = kept.items() if isinstance(kept, dict) else ()
        return {name: way for name, way in pairs if isinstance(way, str)}

    def save(self, ways: Mapping[str, str]) -> None:
        """Replaces the file. Raises StorageError."""
        newest = dict(list(ways.items())[-_MOST:])
        make_folder(self._path.parent, calls=self._calls)
        text = json.dumps(newest, ensure_ascii=False, indent=1)
        replace_bytes(self._path, text.encode("utf-8", "replace") + b"\n", calls=self._calls)
