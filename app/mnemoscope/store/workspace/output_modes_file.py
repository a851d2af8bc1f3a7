"""Notes which way of asking worked with which model, in .mnemoscope/model-ways.json: from its name and server to the
way."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.json_object import read_json_object, replace_json_object

_MOST: Final = 100
"""Models that are remembered, the newest of them."""


class OutputModesFile:
    """Reads and writes the file on the disk. It holds only a preference: one that cannot be read counts as none."""

    def __init__(self, path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self._path = path
        self._calls = calls

    def load(self) -> dict[str, str]:
        """Returns the modes by model, oldest first. Never raises."""
        return {name: mode for name, mode in read_json_object(self._path).items() if isinstance(mode, str)}

    def save(self, modes: Mapping[str, str]) -> None:
        """Replaces the file. Raises StorageError."""
        replace_json_object(self._path, dict(list(modes.items())[-_MOST:]), calls=self._calls)
