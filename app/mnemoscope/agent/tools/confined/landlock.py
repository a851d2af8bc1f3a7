"""Landlock: a process gives up, for itself and all it starts, every file, signal and TCP port that is not named.

What Landlock leaves open (other sockets, changing modes by name, kernel keys) `system_calls` closes.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
from collections.abc import Iterable
from typing import Final

LEAST_ABI: Final = 6
"""Linux 6.12: the first that keeps signals inside, too. With less, a command could end the process that watches it."""
_CREATE_RULESET: Final = 444
_ADD_RULE: Final = 445
_RESTRICT_SELF: Final = 446
_ASK_VERSION: Final = 1
_PATH_BENEATH: Final = 1
_NO_NEW_PRIVS: Final = 38

EXECUTE: Final = 1 << 0
WRITE_FILE: Final = 1 << 1
READ_FILE: Final = 1 << 2
READ_DIR: Final = 1 << 3
REMOVE: Final = 1 << 4 | 1 << 5
MAKE_DIR_AND_FILE: Final = 1 << 7 | 1 << 8
MAKE_SYMLINK: Final = 1 << 12
REFER: Final = 1 << 13
TRUNCATE: Final = 1 << 14
_ALL_FILES: Final = (1 << 16) - 1
_ALL_TCP: Final = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS: Final = 0b11

READ: Final = EXECUTE | READ_FILE | READ_DIR
WRITE: Final = READ | WRITE_FILE | REMOVE | MAKE_DIR_AND_FILE | MAKE_SYMLINK | REFER | TRUNCATE
LIST: Final = READ_DIR
DEVICE: Final = READ_FILE | WRITE_FILE
_ON_FILES: Final = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
"""What may be said of a file rather than a folder."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def abi() -> int:
    """The version of Landlock this kernel has; 0 for none."""
    if not sys.platform.startswith("linux"):
        return 0
    return max(0, int(_libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)))


def restrict(rules: Iterable[tuple[str, int]]) -> None:
    """Give up everything but `rules`: paths, each with what is allowed at and below it. Raises OSError.

    A path that is missing, or has become a symbolic link, gets no rule. For a process with one thread: it is the thread
    that is restricted.
    """
    attributes = _Ruleset(_ALL_FILES, _ALL_TCP, _ABSTRACT_SOCKETS_AND_SIGNALS)
    ruleset = _checked(
        _libc().syscall(_CREATE_RULESET, ctypes.byref(attributes), ctypes.c_size_t(ctypes.sizeof(attributes)), 0)
    )
    try:
        for path, allowed in rules:
            _add(ruleset, path, allowed)
        _checked(_libc().prctl(_NO_NEW_PRIVS, 1, 0, 0, 0))
        _checked(_libc().syscall(_RESTRICT_SELF, ctypes.c_int(ruleset), 0))
    finally:
        os.close(ruleset)


def _add(ruleset: int, path: str, allowed: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISLNK(mode):
            return
        rule = _Beneath(allowed if stat.S_ISDIR(mode) else allowed & _ON_FILES, descriptor)
        _checked(_libc().syscall(_ADD_RULE, ctypes.c_int(ruleset), _PATH_BENEATH, ctypes.byref(rule), 0))
    finally:
        os.close(descriptor)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
