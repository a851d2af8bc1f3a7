"""exec: one program, once, after the person agreed to exactly these arguments."""

from __future__ import annotations

import asyncio
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from mnemoscope.agent.approval import ApprovalRequest, Approver
from mnemoscope.agent.tools.tool import Arguments, ToolContext, function_schema
from mnemoscope.domain.errors import ToolError, ToolNotRun
from mnemoscope.domain.llm import ToolSchema

TIME_LIMIT: Final = 60.0
"""Seconds."""
OUTPUT_LIMIT: Final = 64 * 1024
"""Bytes."""
PASSED_ON: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
"""The only variables a command inherits: keys live in the others."""
POLL: Final = 0.02
"""Seconds between two looks."""


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended. `code` is None where it was ended by us; `cut` says its output was too long."""

    code: int | None
    output: str
    timed_out: bool = False
    cut: bool = False


class Execute:
    """exec: off until switched on; every call approved; no shell."""

    schema: ToolSchema = function_schema(
        "exec",
        "Run one program in the workspace folder, with no shell: no pipes, no redirection. The person is asked first.",
        {"argv": {"type": "array", "items": {"type": "string"}, "description": 'Such as ["wc", "-l", "notes.md"]'}},
    )

    def __init__(
        self, root: Path, approver: Approver, is_enabled: Callable[[], bool], *, time_limit: float = TIME_LIMIT
    ) -> None:
        self.root, self.approver, self.is_enabled, self.time_limit = root, approver, is_enabled, time_limit

    async def run(self, arguments: Arguments, context: ToolContext) -> str:
        """The exit code and the output. Raises ToolError where it is off, denied, or cannot start."""
        if not self.is_enabled():
            raise ToolNotRun("Running commands is switched off.", next_step="The person can switch it on in Settings.")
        argv = _checked(arguments["argv"])
        context.is_asking = True
        decision = await self.approver.ask(ApprovalRequest(argv, self.root, context.session_key))
        context.is_asking = False
        if decision not in {"once", "always"}:
            raise ToolNotRun("The person did not allow this command.", next_step="Go on without it.", argv=argv)
        return _report(await self._run(argv))

    async def _run(self, argv: tuple[str, ...]) -> Ran:
        process = _start(argv, self.root)
        stopped = threading.Event()
        waiting = asyncio.ensure_future(asyncio.to_thread(_collect, process, self.time_limit, stopped))
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            stopped.set()
            await asyncio.wait({waiting}, timeout=2)
            raise


def environment(inherited: Mapping[str, str], home: Path) -> dict[str, str]:
    """What a command sees: no variable that could hold a key, and the workspace as its home."""
    return {name: inherited[name] for name in PASSED_ON if name in inherited} | {"HOME": str(home)}


def _checked(argv: list[str]) -> tuple[str, ...]:
    if not argv or not argv[0].strip():
        raise ToolError("The command is empty.", next_step='Give the program and its arguments, such as ["ls", "-l"].')
    if any("\0" in word for word in argv):
        raise ToolError("An argument contains a NUL character.")
    return tuple(argv)


def _start(argv: tuple[str, ...], root: Path) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            argv,
            cwd=root,
            env=environment(os.environ, root),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            close_fds=True,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ToolError(f"“{argv[0]}” could not be started: {reason}.", argv=argv) from error


def _collect(process: subprocess.Popen[bytes], time_limit: float, stopped: threading.Event) -> Ran:
    """Read until the program ends, says too much, takes too long or is stopped; then end its whole process group."""
    output = bytearray()
    deadline = time.monotonic() + time_limit
    pipe = process.stdout
    assert pipe is not None  # Popen was given one
    is_open, ended = True, False
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while not ended and not stopped.is_set() and time.monotonic() < deadline and len(output) <= OUTPUT_LIMIT:
                if is_open:
                    is_open = _read_some(selector, pipe, output)
                else:
                    time.sleep(POLL)
                ended = _has_ended(process) and not (is_open and selector.select(0))
    finally:
        _end_group(process)
        pipe.close()
    text = bytes(output[:OUTPUT_LIMIT]).decode("utf-8", "replace")
    cut = len(output) > OUTPUT_LIMIT
    timed_out = not ended and not cut and not stopped.is_set()
    return Ran(process.returncode if ended else None, text, timed_out, cut)


def _read_some(selector: selectors.BaseSelector, pipe: IO[bytes], output: bytearray) -> bool:
    """Whether there may be more to read."""
    if not selector.select(POLL):
        return True
    piece = os.read(pipe.fileno(), 8192)
    output.extend(piece)
    return bool(piece)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the program is gone, though a child of it may hold the pipe open.

    Looked at without reaping, so that the process group's number stays ours until it was ended.
    """
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End what is left of the group, then reap its leader."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _report(ran: Ran) -> str:
    if ran.timed_out:
        end = "Ended by the time limit."
    elif ran.cut:
        end = f"Ended because it wrote more than {OUTPUT_LIMIT // 1024} KB."
    else:
        end = f"Exit code {ran.code}."
    return f"{end}\n\n{ran.output}" if ran.output.strip() else f"{end} No output."
