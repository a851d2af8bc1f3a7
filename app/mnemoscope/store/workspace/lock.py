"""One process owns a workspace: a lock the kernel drops when the process ends, however it ends."""

from __future__ import annotations

import json
import os
import socket
import time
from pathlib import Path

from mnemoscope.domain.text.json_text import parsed_object
from mnemoscope.store.files.file_lock import try_lock

OURS = "this program"
"""The name that `holder` gives this very process."""
_BEYOND_CONTENT = 1 << 20
"""The byte that is locked on Windows: others must be able to read what the file says."""
_TRIES = 5
_PAUSE_SECONDS = 0.02


class WorkspaceLock:
    """Holds the lock file open and locked until `release`."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Releases it; safe to call twice. The file stays: removed, two processes could lock two files of one name."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def acquire(path: Path) -> WorkspaceLock | None:
    """Takes the lock, or None where another process (or window) holds it. Raises OSError where it cannot be written."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
    for attempt in range(_TRIES):
        # Someone merely looking (`holder`) takes the lock for an instant.
        if attempt:
            time.sleep(_PAUSE_SECONDS)
        if try_lock(descriptor, at=_BEYOND_CONTENT):
            os.ftruncate(descriptor, 0)
            os.write(descriptor, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode())
            return WorkspaceLock(descriptor)
    os.close(descriptor)
    return None


def holder(path: Path) -> str:
    """Returns who holds the lock, in words, or "" where nobody does. Writes nothing."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return ""
    try:
        if try_lock(descriptor, at=_BEYOND_CONTENT):
            return ""
        return _in_words(os.read(descriptor, 1000))
    finally:
        os.close(descriptor)


def _in_words(data: bytes) -> str:
    try:
        owner = parsed_object(data)
        pid, host = int(owner["pid"]), str(owner["host"])
    except (ValueError, KeyError, TypeError):
        return "another process"
    if host != socket.gethostname():
        return f"process {pid} on {host}"
    return OURS if pid == os.getpid() else f"process {pid}"
