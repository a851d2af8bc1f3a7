"""Plants for real what a confined command must not reach: secrets, sockets, a victim; and judges what it reached."""

from __future__ import annotations

import base64
import os
import select
import shutil
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.support.installed_bubblewrap import PYTHON

_ANSWER_SECONDS = 20.0
REACHED = "REACHED"
"""The word an attempt prints when it got somewhere, put together where it runs so that its source lacks it."""


class EscapeWorld:
    """Holds a workspace (`root`) with what is protected in it, a folder `outside` beside it, and whoever listens."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.mark = f"mark-{os.urandom(8).hex()}"
        self.secret = f"canary-{os.urandom(12).hex()}"
        self.root, self.outside = folder / "ws", folder / "outside"
        self.home = self.outside / "home"
        self._plant_outside()
        self._plant_workspace()
        self._listeners = list(self._listen(stack))
        self.victim = self._start_victim(stack)
        self.descriptor = os.open(self.outside / "secret", os.O_RDONLY)
        stack.callback(os.close, self.descriptor)
        os.set_inheritable(self.descriptor, True)
        stack.callback(self._clear_away)
        self._before = self._looks()

    @property
    def surroundings(self) -> dict[str, str]:
        """Returns the environment of a person whose shell tells everything."""
        return {
            "API_KEY": self.secret,
            "PATH": f"{self.outside / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.home),
        }

    @property
    def preloads(self) -> dict[str, str]:
        """Returns what such a person's programs load first."""
        loads = {
            name: str(self.home / self.secret) for name in ("PYTHONSTARTUP", "ENV", "GIT_SSH_COMMAND", "LD_PRELOAD")
        }
        return loads | {"BASH_ENV": str(self.home / ".bashrc")}

    def filled(self, argv: list[str]) -> list[str]:
        """Returns the arguments of an attempt, with the names of this world."""
        names = {
            "@SECRET@": str(self.outside / "secret"),
            "@HOME@": str(self.home),
            "@OUTSIDE@": str(self.outside),
            "@VICTIM@": str(self.victim.pid),
            "@PARENT@": str(os.getpid()),
            "@PYTHON@": PYTHON,
            "@MARK@": self.mark,
            "@TCP@": str(self._listeners[0].getsockname()[1]),
            "@UDP@": str(self._listeners[1].getsockname()[1]),
        }
        return [_filled(word, names) for word in argv]

    def violations(self, said: str) -> list[str]:
        """Returns what got out, in words; the secrets themselves are not repeated."""
        secret = self.secret.encode()
        forms = (self.secret, base64.b64encode(secret).decode()[:20], secret.hex())
        found = ["the secret was said"] if any(form in said for form in forms) else []
        found += ["it got there"] if REACHED in said else []
        found += [f"heard by {one.getsockname()!r}" for one in self._listeners if _was_heard(one)]
        if not _answers(self.victim):
            found.append("the victim was ended")
        now = self._looks()
        found += [
            f"changed: {name}"
            for name in sorted(now.keys() | self._before.keys())
            if now.get(name) != self._before.get(name)
        ]
        found += [f"special file: {name}" for name in self._special_files()]
        found += [f"left running: {number}" for number in self.left()]
        found += [f"left: {path}" for path in self._marked_files() if path.exists()]
        return found

    def left(self) -> list[int]:
        """Returns the processes that carry the mark, or work in the workspace."""
        found = []
        for process in Path("/proc").iterdir():
            if not process.name.isdecimal() or int(process.name) in {os.getpid(), self.victim.pid}:
                continue
            with suppress(OSError):
                is_ours = self.mark.encode() in (process / "cmdline").read_bytes()
                if is_ours or Path(os.readlink(process / "cwd")) == self.root:
                    found.append(int(process.name))
        return found

    def _plant_outside(self) -> None:
        (self.home / ".ssh").mkdir(parents=True)
        for path in (self.outside / "secret", self.home / ".ssh" / "id_rsa", self.home / self.secret):
            path.write_text(self.secret + "\n")
            path.chmod(0o600)
        with suppress(OSError):
            os.setxattr(self.outside / "secret", "user.secret", self.secret.encode())
        (self.home / ".bashrc").write_text(f"echo {self.secret}\n")
        (self.outside / "linked").write_text("one file, two names")
        (self.outside / "bin").mkdir()
        for path in (self.outside / "bin" / "id", self.outside / "bin" / "planted-program", self.outside / "tool"):
            path.write_text('#!/bin/sh\necho REA""CHED\n')
            path.chmod(0o755)
        shutil.copyfile("/bin/cat", self.outside / "binary")

    def _plant_workspace(self) -> None:
        for name in (
            "config.json", "AGENTS.md", "memory/MEMORY.md", "memory/.cursor", "sessions/desktop_one.jsonl",
            ".mnemoscope/ledger/one.json", ".git/config", ".git/hooks/sample", "notes/repository/.git/config",
            "notes/repository/.git/hooks/sample", "notes/repository/code.py", "notes/plain.md", "skills/one/SKILL.md",
        ):  # fmt: skip
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.secret if name.startswith((".", "sessions", "config")) or ".git" in name else "plain")
        (self.root / "notes" / "link").symlink_to(self.home / ".ssh")
        (self.root / "notes" / "linked").mkdir()
        os.link(self.outside / "linked", self.root / "notes" / "linked" / "other-name")
        shutil.copy(self.outside / "tool", self.root / "id")

    def _listen(self, stack: ExitStack) -> Iterator[socket.socket]:
        for family, kind, address in (
            (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            (socket.AF_UNIX, socket.SOCK_STREAM, str(self.outside / "socket")),
            (socket.AF_UNIX, socket.SOCK_STREAM, str(self.root / "notes" / "socket")),
            (socket.AF_UNIX, socket.SOCK_STREAM, f"\0{self.mark}"),
            (socket.AF_UNIX, socket.SOCK_DGRAM, str(self.outside / "letters")),
        ):
            listener = stack.enter_context(socket.socket(family, kind))
            listener.bind(address)
            listener.setblocking(False)
            if kind == socket.SOCK_STREAM:
                listener.listen()
            yield listener

    def _start_victim(self, stack: ExitStack) -> subprocess.Popen[bytes]:
        answering = "import sys\nfor line in sys.stdin: print('here', flush=True)"
        victim = subprocess.Popen(
            [sys.executable, "-c", answering, self.secret],
            env={"API_KEY": self.secret}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
        )  # fmt: skip
        stack.callback(_end, victim)
        assert _answers(victim)
        return victim

    def _looks(self) -> dict[str, Any]:
        """Returns how everything outside, and everything protected, looks now."""
        watched = [self.outside, *(path for path in self.root.iterdir() if path.name != "notes")]
        watched += [self.root / "notes" / "repository", self.root / "notes" / "linked"]
        found: dict[str, Any] = {"names": sorted(os.listdir(self.root)), "victim": self._limits()}
        for top in watched:
            for path in (top, *sorted(top.rglob("*"))):
                found[str(path)] = _look(path)
        return found

    def _limits(self) -> str:
        with suppress(OSError):
            return Path(f"/proc/{self.victim.pid}/limits").read_text() if self.__dict__.get("victim") else ""
        return ""

    def _special_files(self) -> list[str]:
        found = []
        for folder, _, names in os.walk(self.root):
            for name in names:
                mode = os.lstat(os.path.join(folder, name)).st_mode
                if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)) and name != "socket":
                    found.append(name)
        return found

    def _marked_files(self) -> tuple[Path, ...]:
        return Path("/tmp") / self.mark, Path("/dev/shm") / self.mark

    def _clear_away(self) -> None:
        for path in self._marked_files():
            path.unlink(missing_ok=True)
        deadline = time.monotonic() + 60
        while self.left() and time.monotonic() < deadline:
            for number in self.left():
                with suppress(ProcessLookupError):
                    os.kill(number, 9)
            time.sleep(0.01)


@contextmanager
def escape_world(folder: Path) -> Iterator[EscapeWorld]:
    """Plants an `EscapeWorld`, and takes everything away afterwards."""
    with ExitStack() as stack:
        yield EscapeWorld(folder, stack)


def _filled(word: str, names: dict[str, str]) -> str:
    for name, value in names.items():
        word = word.replace(name, value)
    return word


def _look(path: Path) -> tuple[Any, ...]:
    try:
        status = path.lstat()
    except FileNotFoundError:
        return ()
    content = path.read_bytes() if stat.S_ISREG(status.st_mode) else b""
    attributes: list[str] = []
    with suppress(OSError):
        attributes = os.listxattr(path, follow_symlinks=False)
    return status.st_mode, status.st_uid, status.st_mtime_ns, status.st_nlink, content, attributes


def _was_heard(listener: socket.socket) -> bool:
    try:
        if listener.type == socket.SOCK_DGRAM:
            return bool(listener.recv(100))
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _answers(victim: subprocess.Popen[bytes]) -> bool:
    """Returns whether it still runs: one that was sent a signal dies a moment later, but says nothing any more."""
    assert victim.stdin is not None
    assert victim.stdout is not None
    try:
        victim.stdin.write(b"there?\n")
    except BrokenPipeError:
        return False
    ends = time.monotonic() + _ANSWER_SECONDS
    while time.monotonic() < ends:
        ready, _, _ = select.select([victim.stdout], [], [], 0.05)
        if ready:
            return bool(victim.stdout.readline())
        if _is_stopped(victim):
            return False
    return False


def _is_stopped(victim: subprocess.Popen[bytes]) -> bool:
    """Returns whether somebody stopped or traces it, so that no answer will come."""
    state = Path(f"/proc/{victim.pid}/stat").read_text().rpartition(") ")[2][:1]
    return state in {"T", "t"}


def _end(victim: subprocess.Popen[bytes]) -> None:
    victim.kill()
    victim.communicate()
