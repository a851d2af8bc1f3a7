"""Runs one program, once, confined, after the person agreed to exactly these arguments (the tool exec)."""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.agent.tools.approval import ApprovalRequest, Approver
from mnemoscope.agent.tools.bubblewrap import (
    NAME,
    SYSTEM_PATH,
    Bubblewrap,
    find_bubblewrap,
    how_to_get_it,
    is_of_the_system,
)
from mnemoscope.agent.tools.confined_process import OUTPUT_LIMIT, CommandResult, run_confined
from mnemoscope.agent.tools.grants import grants_of
from mnemoscope.agent.tools.path_rules import path_components, shown
from mnemoscope.agent.tools.sandboxed_files import SandboxedFiles
from mnemoscope.agent.tools.tool import Arguments, ToolContext, function_schema
from mnemoscope.domain.errors import ToolError, ToolNotRun

_TIME_LIMIT: Final = 60.0
"""Seconds."""
_WORD_LIMIT: Final = 200
_CHARACTER_LIMIT: Final = 8_000
"""Of all words together: what a person can be asked to judge."""
_END_LIMIT: Final = 10.0
"""Seconds a stop waits until nothing of the command is left."""
SWITCHED_OFF: Final = "Running commands is switched off."
NOT_ALLOWED: Final = "The person did not allow this command."
NOT_CONFINED: Final = "Commands cannot be confined on this computer, so none is run."
OF_THE_SYSTEM: Final = "The workspace lies in a folder of the system, so no command is run in it."
CHANGED: Final = "The program was changed while the person was asked, so it was not run."


class ExecTool:
    """Runs commands: off until switched on, every call approved, no shell, confined or not run.

    `find` may take some milliseconds, so it is asked in a thread.
    """

    schema: Final = function_schema(
        "exec",
        "Run one program in the workspace folder, with no shell: no pipes, no redirection. The person is asked first. "
        "It has no network, and may write only inside folders of the workspace other than memory and skills.",
        {"argv": {"type": "array", "items": {"type": "string"}, "description": 'Such as ["wc", "-l", "notes.md"]'}},
    )

    def __init__(
        self,
        root: Path,
        approver: Approver,
        is_enabled: Callable[[], bool],
        *,
        time_limit: float = _TIME_LIMIT,
        find: Callable[[], Bubblewrap | None] = find_bubblewrap,
    ) -> None:
        self.root = root
        self.approver = approver
        self.is_enabled = is_enabled
        self.time_limit = time_limit
        self._find = find
        self._files = SandboxedFiles(root)

    async def run(self, arguments: Arguments, context: ToolContext) -> str:
        """Returns the exit code and the output. Raises ToolError if it is off, denied, not confined or not started."""
        if not self.is_enabled():
            raise ToolNotRun(SWITCHED_OFF, next_step="The person can switch it on in Settings.")
        argv = _checked(arguments["argv"])
        context.is_asking = True
        bubblewrap = await asyncio.to_thread(self._bubblewrap)
        request = await asyncio.to_thread(self._request, argv, context.session_key)
        decision = await self.approver.ask(request)
        context.is_asking = False
        if decision not in {"once", "always"}:
            raise ToolNotRun(NOT_ALLOWED, next_step="Go on without it.", argv=argv)
        return _report(await self._run(request, bubblewrap))

    def _bubblewrap(self) -> Bubblewrap:
        found = self._find()
        if found is None:
            raise ToolNotRun(NOT_CONFINED, next_step=how_to_get_it())
        if is_of_the_system(self.root.resolve()):
            raise ToolNotRun(OF_THE_SYSTEM)
        return found

    def _request(self, argv: tuple[str, ...], session_key: str) -> ApprovalRequest:
        program = _find_program(argv[0], self._files)
        return ApprovalRequest(argv, self.root, session_key, program.path, program.digest, NAME)

    async def _run(self, request: ApprovalRequest, bubblewrap: Bubblewrap) -> CommandResult:
        """Runs what was approved; where a stop comes, it is raised only when nothing of the command is left."""
        stopped = threading.Event()
        running = asyncio.ensure_future(asyncio.to_thread(self._run_approved, request, bubblewrap, stopped))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            stopped.set()
            await asyncio.wait({running}, timeout=_END_LIMIT)
            if running.done():
                running.exception()  # looked at, whatever it was: the person has stopped it
            raise

    def _run_approved(
        self, request: ApprovalRequest, bubblewrap: Bubblewrap, stopped: threading.Event
    ) -> CommandResult:
        now = self._request(request.argv, request.session_key)
        if now.fingerprint != request.fingerprint:
            raise ToolNotRun(CHANGED, next_step="Ask again.", argv=request.argv)
        # The root as it is: a link on the way to it would not be one inside the confinement.
        root = self.root.resolve()
        program = _inside(now.program, self.root, root)
        wrapper = bubblewrap.wrapper(grants_of(root))
        return run_confined([program, *now.argv[1:]], root, wrapper, self.time_limit, stopped)


@dataclass(frozen=True, slots=True)
class Program:
    """Describes a program by its absolute path, with the digest of its content if it is a file of the workspace."""

    path: str
    digest: str = ""


def _find_program(word: str, files: SandboxedFiles) -> Program:
    """Returns the program a word means: a bare name is one of the system, `./name` a file of the workspace.

    Raises ToolError where there is none, PathRefused for a path into something protected.
    """
    if "/" not in word:
        return _of_the_system(word, shutil.which(word, path=SYSTEM_PATH))
    if os.path.isabs(word):
        normal = os.path.normpath(word)
        is_allowed = is_of_the_system(Path(normal)) and is_of_the_system(Path(os.path.realpath(normal)))
        return _of_the_system(word, shutil.which(normal) if is_allowed else None)
    relative = word.removeprefix("./")
    content = files.read(relative)
    path = files.root.joinpath(*path_components(relative))
    if not os.access(path, os.X_OK):
        raise ToolError(f"“{shown(word)}” may not be executed.", next_step="Name the program that is to read it first.")
    return Program(str(path), hashlib.sha256(content).hexdigest())


def _of_the_system(word: str, path: str | None) -> Program:
    if path is None:
        sentence = f"There is no program “{shown(word)}” among those of the system."
        raise ToolError(sentence, next_step="Name another, or one of the workspace as ./name.", program=word)
    return Program(path)


def _checked(argv: Sequence[str]) -> tuple[str, ...]:
    if not argv or not argv[0].strip():
        raise ToolError("The command is empty.", next_step='Give the program and its arguments, such as ["ls", "-l"].')
    if any("\0" in word for word in argv):
        raise ToolError("An argument contains a NUL character.")
    if len(argv) > _WORD_LIMIT or sum(map(len, argv)) > _CHARACTER_LIMIT:
        sentence = (
            f"The command is too long to be judged (at most {_WORD_LIMIT} words, {_CHARACTER_LIMIT:,} characters)."
        )
        raise ToolError(sentence, next_step="Write a script with write_file and run that.")
    if any("\ud800" <= char <= "\udfff" for word in argv for char in word):
        raise ToolError("An argument contains half of a character (a lone surrogate).")
    return tuple(argv)


def _inside(program: str, root: Path, resolved: Path) -> str:
    path = Path(program)
    return str(resolved / path.relative_to(root)) if path.is_relative_to(root) else program


def _report(ended: CommandResult) -> str:
    if ended.timed_out:
        end = "Ended by the time limit."
    elif ended.cut:
        end = f"Ended because it wrote more than {OUTPUT_LIMIT // 1024} KB."
    elif ended.code is not None and ended.code < 0:
        end = f"Ended by signal {-ended.code}."
    else:
        end = f"Exit code {ended.code}."
    return f"{end}\n\n{ended.output}" if ended.output.strip() else f"{end} No output."
