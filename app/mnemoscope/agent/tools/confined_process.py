"""Starts a confined command from Mnemoscope's own process, listens to it, bounds it and ends it."""

from __future__ import annotations

import json
import logging
import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import mnemoscope
from mnemoscope.agent.tools.bubblewrap import SYSTEM_PATH
from mnemoscope.domain.errors import ToolError

log = logging.getLogger(__name__)

OUTPUT_LIMIT: Final = 64 * 1024
"""Bytes."""
_PASSED_ON: Final = ("LANG", "LC_ALL", "LC_CTYPE", "TZ")
"""The only variables a command inherits: keys live in the others."""
_APP: Final = str(Path(mnemoscope.__file__).parents[1])
_BEGIN: Final = "import sys; sys.path.insert(0, sys.argv[1]); from mnemoscope.agent.tools.confined.__main__ import main"
_CONFINED_COMMAND: Final = (sys.executable, "-I", "-X", "utf8", "-c", f"{_BEGIN}; sys.exit(main())", _APP)
"""The watching process: this very code, whatever else is installed, and nothing a person's environment adds."""
_POLL: Final = 0.05
"""Seconds between two looks at whether it is to stop."""
_GRACE: Final = 8.0
"""Seconds the watching process has to end everything, once told."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """Reports how a command ended. `code` is None where it was ended by us; `cut` says its output was too long."""

    code: int | None
    output: str
    timed_out: bool = False
    cut: bool = False


def environment(inherited: Mapping[str, str]) -> dict[str, str]:
    """Returns what a command sees: no variable that could hold a key, no home, and the system's programs alone."""
    return {name: inherited[name] for name in _PASSED_ON if name in inherited} | {"PATH": SYSTEM_PATH}


def run_confined(
    argv: Sequence[str], folder: Path, wrapper: Sequence[str], seconds: float, stopped: threading.Event
) -> CommandResult:
    """Runs one command to its end, its limits, or until `stopped` is set; then nothing of it is left.

    The first of `argv` is an absolute path; `wrapper` holds the arguments of bubblewrap. Blocks. Raises ToolError if
    the command cannot be started.
    """
    clean = environment(os.environ)
    order = {"argv": list(argv), "cwd": str(folder), "environment": clean, "seconds": seconds, "wrapper": list(wrapper)}
    with subprocess.Popen(
        _CONFINED_COMMAND, cwd="/", env=clean, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True,
    ) as watcher:  # fmt: skip
        return _attend(watcher, json.dumps(order).encode("ascii") + b"\n", seconds, stopped)


def _attend(watcher: subprocess.Popen[bytes], order: bytes, seconds: float, stopped: threading.Event) -> CommandResult:
    assert watcher.stdin is not None
    assert watcher.stdout is not None
    deadline = time.monotonic() + seconds
    try:
        with suppress(BrokenPipeError):
            watcher.stdin.write(order)
            watcher.stdin.flush()
        output = _listen(watcher.stdout.fileno(), deadline, stopped)
        if len(output) <= OUTPUT_LIMIT:
            _wait(watcher, deadline, stopped)
    finally:
        report = _end(watcher)
    if report["failure"]:
        raise ToolError(f"The command could not be started: {report['failure']}.", order=order[:500])
    cut = len(output) > OUTPUT_LIMIT
    text = bytes(output[:OUTPUT_LIMIT]).decode("utf-8", "replace")
    return CommandResult(report["code"], text, report["code"] is None and not cut and not stopped.is_set(), cut)


def _listen(pipe: int, deadline: float, stopped: threading.Event) -> bytearray:
    """Returns what is said until the end, the deadline, the limit, or a stop."""
    output = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while not stopped.is_set() and time.monotonic() < deadline and len(output) <= OUTPUT_LIMIT:
            if not selector.select(_POLL):
                continue
            piece = os.read(pipe, 16_384)
            if not piece:
                break
            output.extend(piece)
    return output


def _wait(watcher: subprocess.Popen[bytes], deadline: float, stopped: threading.Event) -> None:
    """Waits for a command that closed its output and goes on."""
    while watcher.poll() is None and not stopped.is_set() and time.monotonic() < deadline:
        stopped.wait(_POLL)


def _end(watcher: subprocess.Popen[bytes]) -> dict[str, Any]:
    """Closes the input, which tells the watcher to end everything, and returns how it went."""
    try:
        _, said = watcher.communicate(timeout=_GRACE)
    except subprocess.TimeoutExpired:
        watcher.kill()
        _, said = watcher.communicate()
    return _report(said)


def _report(said: bytes) -> dict[str, Any]:
    try:
        report = json.loads(said.splitlines()[-1])
        found = {"failure": str(report["failure"]), "code": report["code"], "left": report["left"]}
    except (ValueError, IndexError, KeyError, TypeError):
        log.error("the watching process failed: %s", said[-2_000:].decode("utf-8", "replace"))
        return {"failure": "the process that watches over it failed; see the log", "code": None, "left": 0}
    if found["left"]:
        log.error("%s processes of a command could not be ended", found["left"])
    return found
