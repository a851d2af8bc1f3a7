"""The filter (seccomp) that keeps a confined command from some system calls; the kernel runs it before each call.

It closes what namespaces do not: sockets of every kind, the kernel's keyrings, changing modes and owners by name,
memory shared by number, leaving the process group that is ended as a whole, and whatever the kernel learnt after this
table was written.
"""

from __future__ import annotations

import errno
import os
import platform
import struct
from dataclasses import dataclass
from typing import Final

_LOAD, _AND, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_FIRST_UNKNOWN: Final = 470
"""Calls from this number on are newer than the table; programs are told that they do not exist."""
_NEW_USER_NAMESPACE: Final = 0x10000000
_STREAM: Final = 1

_OWN_ONLY: Final = "prlimit64 setpriority sched_setparam sched_setscheduler sched_setaffinity sched_setattr"
"""Calls whose first argument says which process: 0, one's own, is allowed."""
# fmt: off
_DENIED: Final = {
    "network": "socket connect bind listen accept accept4 io_uring_setup io_uring_enter io_uring_register",
    "other processes": "ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp perf_event_open"
                       " ioprio_set migrate_pages move_pages process_madvise process_mrelease",
    "keyrings": "add_key request_key keyctl",
    "namespaces": "unshare setns mount umount2 pivot_root chroot open_tree move_mount fsopen fsmount mount_setattr",
    "shared by number": "shmget shmat shmctl msgget msgsnd msgrcv msgctl semget semop semtimedop semctl"
                        " mq_open mq_unlink",
    "kernel": "bpf userfaultfd open_by_handle_at fanotify_init",
    "modes and owners": "chmod fchmod fchmodat fchmodat2 chown lchown fchown fchownat utime utimes futimesat"
                        " setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat"
                        " file_setattr",
    "special files": "mknod mknodat",
    "process group": "setsid setpgid",
}
_UNSUPPORTED: Final = "getxattr lgetxattr listxattr llistxattr getxattrat listxattrat"
"""Told to be unsupported rather than forbidden: `ls` takes that for an answer."""
_ON_X86_64: Final = """
    shmget 29, shmat 30, shmctl 31, socket 41, connect 42, accept 43, sendto 44, bind 49, listen 50, socketpair 53,
    clone 56, semget 64, semop 65, semctl 66, msgget 68, msgsnd 69, msgrcv 70, msgctl 71, chmod 90, fchmod 91, chown
    92, fchown 93, lchown 94, ptrace 101, setpgid 109, setsid 112, utime 132, mknod 133, setpriority 141,
    sched_setparam 142, sched_setscheduler 144, pivot_root 155, chroot 161, mount 165, umount2 166, setxattr 188,
    lsetxattr 189, fsetxattr 190, getxattr 191, lgetxattr 192, listxattr 194, llistxattr 195, removexattr 197,
    lremovexattr 198, fremovexattr 199, sched_setaffinity 203, semtimedop 220, utimes 235, mq_open 240, mq_unlink
    241, add_key 248, request_key 249, keyctl 250, ioprio_set 251, migrate_pages 256, mknodat 259, fchownat 260,
    futimesat 261, fchmodat 268, unshare 272, move_pages 279, utimensat 280, accept4 288, perf_event_open 298,
    fanotify_init 300, prlimit64 302, open_by_handle_at 304, setns 308, process_vm_readv 310, process_vm_writev 311,
    kcmp 312, sched_setattr 314, bpf 321, userfaultfd 323,
"""
_ON_AARCH64: Final = """
    setxattr 5, lsetxattr 6, fsetxattr 7, getxattr 8, lgetxattr 9, listxattr 11, llistxattr 12, removexattr 14,
    lremovexattr 15, fremovexattr 16, ioprio_set 30, mknodat 33, umount2 39, mount 40, pivot_root 41, chroot 51,
    fchmod 52, fchmodat 53, fchownat 54, fchown 55, utimensat 88, unshare 97, ptrace 117, sched_setparam 118,
    sched_setscheduler 119, sched_setaffinity 122, setpriority 140, setpgid 154, setsid 157, mq_open 180, mq_unlink
    181, msgget 186, msgctl 187, msgrcv 188, msgsnd 189, semget 190, semctl 191, semtimedop 192, semop 193, shmget
    194, shmctl 195, shmat 196, socket 198, socketpair 199, bind 200, listen 201, accept 202, connect 203, sendto
    206, add_key 217, request_key 218, keyctl 219, clone 220, migrate_pages 238, move_pages 239, perf_event_open
    241, accept4 242, prlimit64 261, fanotify_init 262, open_by_handle_at 265, setns 268, process_vm_readv 270,
    process_vm_writev 271, kcmp 272, sched_setattr 274, bpf 280, userfaultfd 282,
"""
_EVERYWHERE: Final = """
    io_uring_setup 425, io_uring_enter 426, io_uring_register 427, open_tree 428, move_mount 429, fsopen 430,
    fsmount 432, clone3 435, pidfd_getfd 438, process_madvise 440, mount_setattr 442, process_mrelease 448,
    fchmodat2 452, setxattrat 463, getxattrat 464, listxattrat 465, removexattrat 466, file_setattr 469
"""
"""Each call's name and number."""
# fmt: on


@dataclass(frozen=True, slots=True)
class _Machine:
    """Describes an architecture: the number the kernel's audit has for it, and where its calls are."""

    audit: int
    calls: dict[str, int]


def _table(text: str) -> dict[str, int]:
    pairs = (pair.split() for pair in text.replace("\n", " ").split(","))
    return {name: int(number) for name, number in pairs}


_MACHINES: Final = {
    "x86_64": _Machine(0xC000003E, _table(_ON_X86_64 + _EVERYWHERE)),
    "aarch64": _Machine(0xC00000B7, _table(_ON_AARCH64 + _EVERYWHERE)),
}


def is_known_machine() -> bool:
    """Returns whether there is a table for this machine's architecture."""
    return platform.machine() in _MACHINES


def filter_program(machine: str | None = None) -> bytes:
    """Returns the filter as the kernel reads it. Raises KeyError for an architecture that is not known."""
    known = _MACHINES[machine or platform.machine()]
    calls = known.calls
    lines = [_line(_LOAD, _ARCHITECTURE), _line(_EQUAL, known.audit, 1, 0), _line(_RETURN, _KILL)]
    lines += [_line(_LOAD, _NUMBER), _line(_AT_LEAST, _FIRST_UNKNOWN, 0, 1), _line(_RETURN, _ERROR | errno.ENOSYS)]
    for name in " ".join(_DENIED.values()).split():
        lines += _denying(calls.get(name), errno.EPERM)
    for name in _UNSUPPORTED.split():
        lines += _denying(calls.get(name), errno.EOPNOTSUPP)
    lines += _denying(calls["clone3"], errno.ENOSYS)  # its flags are behind a pointer; clone is used instead
    lines += _unless(calls["clone"], _argument(0), _line(_ANY_BIT, _NEW_USER_NAMESPACE, 0, 1))
    lines += _unless(calls["socketpair"], _argument(1), _line(_AND, 0xF), _line(_EQUAL, _STREAM, 1, 0))
    for name in _OWN_ONLY.split():
        lines += _unless(calls[name], _argument(0), _line(_EQUAL, 0, 1, 0))
    lines += _unless(calls["setpriority"], _argument(1), _line(_EQUAL, 0, 1, 0))
    for high in (False, True):  # a path by name; a letter to an address
        lines += _unless(calls["utimensat"], _argument(1, high=high), _line(_EQUAL, 0, 1, 0))
        lines += _unless(calls["sendto"], _argument(4, high=high), _line(_EQUAL, 0, 1, 0))
    return b"".join([*lines, _line(_RETURN, _ALLOW)])


def filter_file() -> int:
    """Returns a descriptor from which bubblewrap reads the filter. Raises KeyError for an architecture not known."""
    descriptor = os.memfd_create("filter", 0)
    os.write(descriptor, filter_program())
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _argument(number: int, *, high: bool = False) -> bytes:
    """Loads half of an argument (both architectures are little-endian)."""
    return _line(_LOAD, _ARGUMENTS + 8 * number + (4 if high else 0))


def _denying(number: int | None, error: int) -> list[bytes]:
    return [] if number is None else [_line(_EQUAL, number, 0, 1), _line(_RETURN, _ERROR | error)]


def _unless(number: int, *judging: bytes) -> list[bytes]:
    """Denies a call unless the last line of `judging` jumps over the refusal; the number is loaded again afterwards."""
    body = [*judging, _line(_RETURN, _ERROR | errno.EPERM), _line(_LOAD, _NUMBER)]
    return [_line(_EQUAL, number, 0, len(body)), *body]
