"""The words of what the person rejected, at `.mnemoscope/rejected-facts.jsonl`, so that a model can be told of them.

One JSON object a line with the text `fact`, the oldest first. The keyed hashes alone say what is rejected: words that
no hash stands for any more are not used, and go as the others do, with those that come after them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from mnemoscope.domain.text.json_text import parsed_object
from mnemoscope.store.files.atomic import encode_text, make_folder, read_stable, replace_bytes
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls

MOST: Final = 300
"""Facts that are kept, the newest."""


class RejectedTexts:
    """Keeps the words in one file. Blocks on the disk."""

    def __init__(self, path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self._path = path
        self._calls = calls
        self._known: tuple[tuple[int, int, int], list[str]] | None = None
        """The facts, with the inode, size and time of change of the file that they were read from."""

    def read(self) -> list[str]:
        """Returns the facts, oldest first; what is none is passed over. A file is read again only once it is another
        one. Raises StorageError."""
        state = _state_of(self._path)
        if self._known is None or self._known[0] != state:
            found = (parsed_object(line).get("fact") for line in (read_stable(self._path) or b"").splitlines())
            self._known = state, [fact for fact in found if isinstance(fact, str) and fact.strip()]
        return list(self._known[1])

    def write(self, facts: Iterable[str]) -> None:
        """Replaces the facts; the newest of them are kept. Raises StorageError."""
        kept = list(dict.fromkeys(reversed(list(facts))))[:MOST]
        text = "".join(json.dumps({"fact": fact}, ensure_ascii=False) + "\n" for fact in reversed(kept))
        make_folder(self._path.parent, calls=self._calls)
        replace_bytes(self._path, encode_text(text), calls=self._calls)


def _state_of(path: Path) -> tuple[int, int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0, 0
    return status.st_ino, status.st_size, status.st_mtime_ns
