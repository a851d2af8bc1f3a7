"""Bounds what a command may use, and ends it with the process that watches it."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from contextlib import suppress
from pathlib import Path
from typing import Final

PROCESSES: Final = 256
"""Processes and threads of the person's that may be added. The kernel exempts root."""
MEMORY: Final = 8 << 30
"""Bytes of address space a process."""
FILE: Final = 1 << 30
"""Bytes of the largest file."""
OPEN_FILES: Final = 1024
_SET_DEATH_SIGNAL: Final = 1


def limit(seconds: float) -> None:
    """Sets the bounds of this process, which pass on to all it starts; `seconds` is processor time."""
    for what, bound in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, int(seconds) + 1),
        (resource.RLIMIT_NPROC, _own_threads() + PROCESSES),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, FILE),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
    ):
        _, most = resource.getrlimit(what)
        bound = bound if most == resource.RLIM_INFINITY else min(bound, most)
        resource.setrlimit(what, (bound, bound))


def die_with_parent() -> None:
    """Has this process ended with its parent, whatever ends that one."""
    ctypes.CDLL(None, use_errno=True).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


def _own_threads() -> int:
    """Returns how many threads this person has now: the bound counts those as well."""
    count = 0
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            with suppress(OSError):  # ended meanwhile
                if process.stat().st_uid == os.getuid():
                    count += len(os.listdir(process / "task"))
    return count
