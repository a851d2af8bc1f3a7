"""Keeps what a person was typing outside the files it is meant for, so that a kill costs nothing.

One JSON object a draft at `.mnemoscope/drafts/<name>.json`; disposable, never read by other programs.
"""

from __future__ import annotations

import hashlib
import json
import logging
from contextlib import suppress
from pathlib import Path
from typing import Any

from mnemoscope.store.files.atomic import make_folder, replace_bytes, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls

log = logging.getLogger(__name__)


class DraftStore:
    """Drafts by name; a name may be any text, such as a session key."""

    def __init__(self, folder: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self._folder = folder
        self._calls = calls

    def save(self, name: str, draft: dict[str, Any]) -> None:
        """Keeps `draft` under `name`, replacing what was there. Raises StorageError where the disk refuses."""
        # Its parent is there as long as the workspace is: where it was moved away, nothing is built in its place.
        make_folder(self._folder, calls=self._calls)
        replace_bytes(self._path(name), json.dumps({"name": name, "draft": draft}).encode(), calls=self._calls)

    def load(self, name: str) -> dict[str, Any] | None:
        """Returns the draft of that name, or None; an unreadable one counts as none."""
        try:
            document = json.loads(self._path(name).read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError):
            log.warning("a draft could not be read: %s", self._path(name))
            return None
        draft = document.get("draft") if isinstance(document, dict) else None
        return draft if isinstance(draft, dict) else None

    def forget(self, name: str) -> None:
        """Drops the draft of that name. Raises StorageError."""
        path = self._path(name)
        with storage_errors(path, "remove"), suppress(FileNotFoundError):
            self._calls.unlink(str(path))

    def _path(self, name: str) -> Path:
        return self._folder / f"{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}.json"
