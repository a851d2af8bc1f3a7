"""Reads the memory files of another agent's store: bounded, and following no symbolic link that leads out of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.text.characters import decoded
from mnemoscope.store.files.atomic import see_stable

MOST_BYTES: Final = 8 << 20
"""A memory file that is longer is read as far as this."""
_MOST_FILES: Final = 20_000


class StoreFiles:
    """Reads the files below the root of a store. What cannot be read stands in `problems`, a sentence for each."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._real_root = os.path.realpath(root)
        self.problems: list[str] = []

    def is_within(self, path: Path) -> bool:
        """Tells whether a path, its symbolic links followed, lies in the store."""
        real = os.path.realpath(path)
        return real == self._real_root or real.startswith(self._real_root.rstrip(os.sep) + os.sep)

    def text(self, name: str) -> str | None:
        """Returns the text of a file, by its path relative to the root; None where there is none or it cannot be
        read."""
        path = self.root / name
        if not path.is_file():
            return None
        if not self.is_within(path):
            self.problems.append(f"{name} is a link out of the store and was not followed.")
            return None
        return self.outside_text(path, name)

    def outside_text(self, path: Path, name: str) -> str | None:
        """Returns the text of a file wherever it lies; None as above. `name` is what it is called in `problems`."""
        try:
            seen = see_stable(path, MOST_BYTES)
        except StorageError as error:
            self.problems.append(f"{name}: {error.sentence}")
            return None
        if seen is None:
            return None
        if seen.size > len(seen.data):
            self.problems.append(f"{name} is longer than 8 MB; the rest of it is not shown.")
        if b"\0" in seen.data:
            self.problems.append(f"{name} holds NUL bytes.")
        return decoded(seen.data)

    def names(self, folder: str, *suffixes: str) -> Iterator[str]:
        """Yields the paths, relative to the root, of the files below a folder whose names end so, all of them without
        `suffixes`; hidden ones and links to folders are passed over. In order, and no more than 20,000."""
        count = 0
        for parent, folders, files in os.walk(self.root / folder, onerror=self._note):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                if name.startswith(".") or not (not suffixes or name.endswith(suffixes)):
                    continue
                count += 1
                if count > _MOST_FILES:
                    self.problems.append(
                        f"{folder or 'The store'} holds more than 20,000 files; the rest is not shown."
                    )
                    return
                yield (Path(parent) / name).relative_to(self.root).as_posix()

    def _note(self, error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            self.problems.append(f"{error.filename} could not be read: {error.strerror}.")
