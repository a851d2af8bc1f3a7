"""Compiles the shim with the system's compiler, preloads it into the process of the runs and arms it in its forks."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_KILL, _HALF, _SHORT, _FAIL, _LASTING = 1, 2, 3, 4, 5
_LOADED = "MNEMOSCOPE_PROOF_SHIM"


@dataclass(frozen=True)
class Fault:
    """Describes what happens at the chosen call. `writes_only`: with other calls it would be the same as another."""

    name: str
    code: int
    error: int = 0
    writes_only: bool = False

    @property
    def kills(self) -> bool:
        """Returns whether the process ends there."""
        return self.code in (_KILL, _HALF)


KILL = Fault("kill before", _KILL)
FAULTS = (
    KILL,
    Fault("half write, kill", _HALF, writes_only=True),
    Fault("short write", _SHORT, writes_only=True),
    Fault("ENOSPC", _FAIL, errno.ENOSPC),
    Fault("EIO", _FAIL, errno.EIO),
    Fault("EROFS", _FAIL, errno.EROFS),
    Fault("disk stays full", _LASTING, errno.ENOSPC),
    Fault("stays read-only", _LASTING, errno.EROFS),
)


def why_not() -> str:
    """Returns why no run can be made here, or ""."""
    if not sys.platform.startswith("linux"):
        return "the shim is preloaded, which needs Linux"
    return "" if shutil.which("cc") else "there is no C compiler (cc) here"


def compiled(folder: Path) -> Path:
    """Returns the shim as a shared library. Raises CalledProcessError where it does not compile without a warning."""
    source, target = Path(__file__).with_name("shim.c"), folder / "shim.so"
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-fvisibility=hidden"]
    subprocess.run(["cc", *flags, "-o", str(target), str(source), "-ldl"], check=True)
    return target


def environment(library: Path) -> dict[str, str]:
    """Returns what a process needs to run with the shim in it."""
    return {**os.environ, "LD_PRELOAD": str(library), _LOADED: "1"}


def is_loaded() -> bool:
    """Returns whether this process has it."""
    return _LOADED in os.environ


def arm(root: Path, at: int = 0, fault: Fault | None = None, trace: int = -1) -> None:
    """Counts what changes `root` from now on; `fault` comes at call `at`. `trace`: a descriptor told each call."""
    code, error = (fault.code, fault.error) if fault else (0, 0)
    ctypes.CDLL(None).proof_arm(os.fsencode(root), at, code, error, trace)


def disarm() -> None:
    """Counts nothing any more."""
    if is_loaded():
        ctypes.CDLL(None).proof_arm(None, 0, 0, 0, -1)


@contextmanager
def unseen() -> Iterator[None]:
    """Yields what is written here another program writes: it is neither counted nor made to fail."""
    if not is_loaded():
        yield
        return
    ctypes.CDLL(None).proof_pause(1)
    try:
        yield
    finally:
        ctypes.CDLL(None).proof_pause(0)


def count() -> int:
    """Returns how many calls were counted since `arm`."""
    return int(ctypes.CDLL(None).proof_count())
