"""bubblewrap, which every command is locked into; where it does not work, no command runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

from mnemoscope.agent.tools.confined import system_calls
from mnemoscope.agent.tools.grants import Grants

NAME: Final = "bubblewrap"
"""The name by which the person knows it."""
SYSTEM_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""The folders in which programs are looked for: never the workspace, never a folder of the person's."""
_SYSTEM_FOLDERS: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SYSTEM_FILES: Final = (
    "/etc/alternatives", "/etc/group", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime",
    "/etc/magic", "/etc/mime.types", "/etc/nsswitch.conf", "/etc/passwd", "/etc/timezone",
)  # fmt: skip
"""All that is seen of /etc: nothing there holds a secret."""
_TRY_LIMIT: Final = 5.0
"""Seconds bubblewrap may take to show that it works."""
_NOWHERE: Final = Grants("/workspace", ("/workspace",), (), ())


class Bubblewrap:
    """Locks a command into namespaces: it sees only the files that are granted, no network and no other processes."""

    def __init__(self, program: str) -> None:
        self.program = program

    def wrapper(self, grants: Grants) -> list[str]:
        """Returns the arguments that stand before the command, but for the filter of system calls."""
        arguments = [self.program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        for folder in _SYSTEM_FOLDERS:
            if os.path.islink(folder):
                arguments += ["--symlink", os.readlink(folder), folder]
            else:
                arguments += ["--ro-bind-try", folder, folder]
        for file in _SYSTEM_FILES:
            arguments += ["--ro-bind-try", file, file]
        arguments += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", grants.root]
        for folder in grants.listed[1:]:
            arguments += ["--dir", folder]
        for path in grants.read_only:
            arguments += ["--ro-bind", path, path]
        for path in grants.writable:
            arguments += ["--bind", path, path]
        return [*arguments, "--remount-ro", grants.root, "--chdir", grants.root]


def find_bubblewrap(path: str = SYSTEM_PATH) -> Bubblewrap | None:
    """Returns bubblewrap if a trial run of it works here; the first call takes some milliseconds."""
    program = _installed(path)
    return Bubblewrap(program) if program is not None and _works(program) else None


def how_to_get_it(path: str = SYSTEM_PATH) -> str:
    """Returns what a person can do where `find_bubblewrap` finds nothing."""
    if not sys.platform.startswith("linux"):
        return "Commands can be run on Linux only."
    if not system_calls.is_known_machine():
        return "Commands can be run on x86-64 and 64-bit Arm only."
    if _installed(path) is None:
        return "Install the package bubblewrap (on Debian and Ubuntu: sudo apt install bubblewrap), then try again."
    return (
        "Install the package bubblewrap anew, or have an administrator allow it to make namespaces: "
        "it is there, and a trial run of it failed."
    )


def is_of_the_system(path: Path) -> bool:
    """Returns whether a path lies in the folders every command may read."""
    return any(path.is_relative_to(folder) for folder in _SYSTEM_FOLDERS)


def _installed(path: str) -> str | None:
    if not sys.platform.startswith("linux") or not system_calls.is_known_machine():
        return None
    return shutil.which("bwrap", path=path)


@cache
def _works(program: str) -> bool:
    """Tries bubblewrap with the filter: some systems forbid namespaces to all but root."""
    descriptor = system_calls.filter_file()
    trial = [*Bubblewrap(program).wrapper(_NOWHERE), "--seccomp", str(descriptor), "--", "/bin/true"]
    try:
        done = subprocess.run(
            trial, stdin=subprocess.DEVNULL, capture_output=True, env={}, timeout=_TRY_LIMIT, pass_fds=(descriptor,)
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    finally:
        os.close(descriptor)
    return done.returncode == 0
