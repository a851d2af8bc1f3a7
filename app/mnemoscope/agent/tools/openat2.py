"""openat2(2): one system call that resolves a whole path beneath a folder, where the kernel has it (Linux 5.6)."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from functools import cache
from typing import Final

_SYS_OPENAT2: Final = 437
"""The same number on every architecture but alpha."""
_NO_MAGICLINKS: Final = 0x02
_NO_SYMLINKS: Final = 0x04
_BENEATH: Final = 0x08
_RESOLVE: Final = _BENEATH | _NO_SYMLINKS | _NO_MAGICLINKS


class _OpenHow(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


def open_beneath(folder: int, path: str, flags: int) -> int:
    """Opens an existing `path` below the descriptor `folder`; no link on the way is followed.

    Raises OSError: ELOOP for a symbolic link, EXDEV for a way out, else as open(2).
    """
    how = _OpenHow(flags | os.O_CLOEXEC, 0, _RESOLVE)
    name = os.fsencode(path)
    descriptor: int = _libc().syscall(
        ctypes.c_long(_SYS_OPENAT2),
        ctypes.c_int(folder),
        ctypes.c_char_p(name),
        ctypes.byref(how),
        ctypes.c_size_t(ctypes.sizeof(how)),
    )
    if descriptor < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), path)
    return descriptor


@cache
def has_openat2() -> bool:
    """Returns whether the call is there: neither an older kernel nor a container's filter refuses it."""
    if not sys.platform.startswith("linux"):
        return False
    root = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.close(open_beneath(root, ".", os.O_RDONLY | os.O_DIRECTORY))
    except OSError as error:
        if error.errno in {errno.ENOSYS, errno.EPERM, errno.EINVAL}:
            return False
        raise
    finally:
        os.close(root)
    return True


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
