"""A lock on an open file that the system drops when its process ends, however it ends."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

if sys.platform == "win32":  # pragma: no cover - the other system's way
    import msvcrt

    def try_lock(descriptor: int, *, at: int = 0) -> bool:
        """Takes the lock of the byte `at`, which none but its owner can read; returns False where another has it."""
        os.lseek(descriptor, at, os.SEEK_SET)
        try:
            with suppress(OSError):
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
                return True
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
else:
    import fcntl

    def try_lock(descriptor: int, *, at: int = 0) -> bool:
        """Takes the lock of the whole file, whatever `at` is; returns False where another has it."""
        with suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return False
