"""Starts one command, confined, watches over it, and ends all it leaves behind.

One line of JSON on standard input says what to run. The input then stays open: when it ends, because the person pressed
Stop or because Mnemoscope was killed, the command and everything it started is ended. The command's output goes to
standard output as it comes; one line of JSON on standard error says how it ended.

The line holds `argv` (the first is an absolute path), `cwd`, `environment`, `seconds`, and `wrapper`, the arguments of
bubblewrap up to the command.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NoReturn

from mnemoscope.agent.tools.confined import system_calls

PROCESSES: Final = 256
"""Processes and threads of the person's that may be added. The kernel exempts root."""
MEMORY: Final = 8 << 30
"""Bytes of address space a process."""
FILE: Final = 1 << 30
"""Bytes of the largest file."""
OPEN_FILES: Final = 1024
_SET_DEATH_SIGNAL: Final = 1
_BE_SUBREAPER: Final = 36
_NOT_DUMPABLE: Final = 4
_END_LIMIT: Final = 5.0
"""Seconds to wait for what was ended to be gone."""
_POLL: Final = 0.01


def main() -> int:
    """Runs the one command and returns 0 if it was started, whatever became of it."""
    order = json.loads(sys.stdin.buffer.readline())
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_BE_SUBREAPER, 1, 0, 0, 0)
    libc.prctl(_NOT_DUMPABLE, 0, 0, 0, 0)
    failure, child = _start(order)
    code = None if failure else _watch(child)
    left = _end_all(child)
    os.write(2, json.dumps({"failure": failure, "code": code, "left": left}).encode() + b"\n")
    return 1 if failure else 0


def _start(order: dict[str, Any]) -> tuple[str, int]:
    """Returns the reason why it could not be started, "" if it was, and the child."""
    reading, writing = os.pipe2(os.O_CLOEXEC)
    child = os.fork()
    if child == 0:
        _become(order, writing)
    os.close(writing)
    os.close(1)  # the command's alone, so that its end is seen
    with os.fdopen(reading, "rb") as pipe:
        return pipe.read().decode("utf-8", "replace"), child


def _become(order: dict[str, Any], complaint: int) -> NoReturn:
    """Turns this child into the command. It never returns: what fails is written to the pipe `complaint`."""
    try:
        _detach(complaint)
        _die_with_parent()
        os.chdir(order["cwd"])
        _limit(order["seconds"])
        argv = [*order["wrapper"], "--seccomp", str(system_calls.filter_file()), "--", *order["argv"]]
        os.execve(argv[0], argv, order["environment"])
    except BaseException as error:  # noqa: BLE001 - told through the pipe: there is no other way from here
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        os.write(complaint, (reason or type(error).__name__).encode())
    os._exit(127)


def _limit(seconds: float) -> None:
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


def _die_with_parent() -> None:
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


def _detach(kept: int) -> None:
    """Gives the child a session of its own, no input, one output, and no descriptor but `kept`."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(1, 2)
    os.closerange(3, kept)
    os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX"))
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)


def _watch(child: int) -> int | None:
    """Waits for the command's end, or the end of our input; returns the exit code (negative: a signal), or None.

    The child is not reaped here, so that its process group's number stays its own.
    """
    process = os.pidfd_open(child)
    try:
        ended, _, _ = select.select([0, process], [], [])
    finally:
        os.close(process)
    if process not in ended:
        return None
    status = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    if status is None:
        return None
    return status.si_status if status.si_code == os.CLD_EXITED else -status.si_status


def _end_all(child: int) -> int:
    """Ends the group, which nothing in it can leave, then whatever else came to us; returns how many are left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    deadline = time.monotonic() + _END_LIMIT
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                _end_children()
                time.sleep(_POLL)
        except ChildProcessError:
            return 0
    return len(_children())


def _end_children() -> None:
    for child in _children():
        with suppress(ProcessLookupError, PermissionError):
            os.kill(child, signal.SIGKILL)


def _children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            return [int(number) for number in file.read().split()]
    except OSError:
        return []


if __name__ == "__main__":
    sys.exit(main())
