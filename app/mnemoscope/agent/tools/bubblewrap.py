"""What a command is locked into: bubblewrap where it works, else Landlock, else nothing, and then no command runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final, Protocol

from mnemoscope.agent.tools.grants import Grants

SYSTEM_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Where programs are looked for: never in the workspace, never in a folder of the person's."""
SYSTEM_FOLDERS: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SYSTEM_FILES: Final = (
    "/etc/alternatives", "/etc/group", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime",
    "/etc/magic", "/etc/mime.types", "/etc/nsswitch.conf", "/etc/passwd", "/etc/timezone",
)  # fmt: skip
"""All that is seen of /etc: nothing there holds a secret."""
DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
TRY_LIMIT: Final = 5.0
"""Seconds bubblewrap may take to show that it works."""


class Confinement(Protocol):
    """A way to lock a command in."""

    @property
    def name(self) -> str:
        """What the person knows it by."""
        ...

    def order(self, grants: Grants) -> dict[str, object]:
        """What the confined process is told: `wrapper` or `rules`."""
        ...


class Bubblewrap:
    """Namespaces: a file system of its own with only what is granted in it, no network, no other processes."""

    name: Final = "bubblewrap"

    def __init__(self, program: str) -> None:
        self.program = program

    def order(self, grants: Grants) -> dict[str, object]:
        """The arguments of bubblewrap up to the command."""
        return {"wrapper": self.wrapper(grants)}

    def wrapper(self, grants: Grants) -> list[str]:
        """The same, for a look at them."""
        arguments = [self.program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        for folder in SYSTEM_FOLDERS:
            if os.path.islink(folder):
                arguments += ["--symlink", os.readlink(folder), folder]
            else:
                arguments += ["--ro-bind-try", folder, folder]
        for file in SYSTEM_FILES:
            arguments += ["--ro-bind-try", file, file]
        arguments += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", grants.root]
        for folder in grants.listed[1:]:
            arguments += ["--dir", folder]
        for path in grants.read_only:
            arguments += ["--ro-bind", path, path]
        for path in grants.writable:
            arguments += ["--bind", path, path]
        return [*arguments, "--remount-ro", grants.root, "--chdir", grants.root]


class Landlock:
    """The kernel's own way, for which nothing has to be installed."""

    name: Final = "Landlock"

    def order(self, grants: Grants) -> dict[str, object]:
        """Paths, each with what is allowed at and below it."""
        from mnemoscope.agent.tools.confined import landlock  # with ctypes: not before a command is to run

        rules = [(path, landlock.READ) for path in (*SYSTEM_FOLDERS, *SYSTEM_FILES) for path in _with_target(path)]
        rules += [(path, landlock.DEVICE) for path in DEVICES]
        rules += [(path, landlock.LIST) for path in grants.listed]
        rules += [(path, landlock.READ) for path in grants.read_only]
        rules += [(path, landlock.WRITE) for path in grants.writable]
        return {"rules": rules}


def find_confinement() -> Confinement | None:
    """The best there is on this computer; None where a command cannot be locked in. Takes some milliseconds once."""
    from mnemoscope.agent.tools.confined import landlock, system_calls

    if not sys.platform.startswith("linux") or not system_calls.is_known_machine():
        return None
    program = shutil.which("bwrap", path=SYSTEM_PATH)
    if program is not None and _works(program):
        return Bubblewrap(program)
    return Landlock() if landlock.abi() >= landlock.LEAST_ABI else None


def how_to_get_one() -> str:
    """What a person can do where `find_confinement` finds nothing."""
    if not sys.platform.startswith("linux"):
        return "Commands can be run on Linux only."
    return "Install the package bubblewrap, or start Linux 6.12 or newer, whose Landlock does the same; then try again."


def is_of_the_system(path: Path) -> bool:
    """Whether a path lies in the folders every command may read."""
    return any(path.is_relative_to(folder) for folder in SYSTEM_FOLDERS)


@cache
def _works(program: str) -> bool:
    """Whether bubblewrap may make namespaces: some systems forbid it to all but root."""
    trial = [*Bubblewrap(program).wrapper(Grants("/workspace", ("/workspace",), (), ())), "--", "/bin/true"]
    try:
        done = subprocess.run(trial, stdin=subprocess.DEVNULL, capture_output=True, env={}, timeout=TRY_LIMIT)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _with_target(path: str) -> tuple[str, ...]:
    """A link to a folder is granted as what it leads to."""
    return (path, os.path.realpath(path)) if os.path.islink(path) else (path,)
