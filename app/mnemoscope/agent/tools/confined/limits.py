"""How much a command may use, and the privileges it does without."""

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
_DROP_BOUNDING: Final = 24
_LAST_CAPABILITY: Final = 40
_CAPABILITIES_VERSION: Final = 0x20080522


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("process", ctypes.c_int))


def limit(seconds: float) -> None:
    """Set the bounds of this process; they pass on to all it starts. `seconds`: of processor time."""
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
    """Be ended where the parent is, whatever ends it."""
    ctypes.CDLL(None, use_errno=True).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


def drop_capabilities() -> None:
    """Give up what root may do beyond its own files; for anyone else there is nothing to give up."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in range(_LAST_CAPABILITY + 1):
        libc.prctl(_DROP_BOUNDING, capability, 0, 0, 0)
    none = (ctypes.c_uint32 * 6)()
    if libc.capset(ctypes.byref(_Header(_CAPABILITIES_VERSION, 0)), none) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _own_threads() -> int:
    """Threads this person has now: the bound counts those as well."""
    count = 0
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            with suppress(OSError):  # ended meanwhile
                if process.stat().st_uid == os.getuid():
                    count += len(os.listdir(process / "task"))
    return count
