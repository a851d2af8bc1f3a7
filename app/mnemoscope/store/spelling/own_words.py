"""The words that a person added to the dictionary: a text file beside the window's settings, one word a line."""

from __future__ import annotations

import logging
from pathlib import Path

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.text.characters import decoded
from mnemoscope.store.files.atomic import make_directory, read_stable, replace_bytes

log = logging.getLogger(__name__)


class OwnWords:
    """Keeps the file on disk; a person may edit it too, and another window may add to it. Blocks."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> frozenset[str]:
        """Returns the words. A file that cannot be read counts as none; it is not written over."""
        try:
            return frozenset(self._lines())
        except StorageError as error:
            log.warning("%s", error)
            return frozenset()

    def add(self, word: str) -> None:
        """Adds a word behind those that are in the file at this moment. Raises StorageError."""
        lines = self._lines()
        if word not in lines:
            make_directory(self.path.parent)
            replace_bytes(self.path, "".join(f"{line}\n" for line in [*lines, word]).encode())

    def _lines(self) -> list[str]:
        data = read_stable(self.path) or b""
        return [word for line in decoded(data).split("\n") if (word := line.strip())]
