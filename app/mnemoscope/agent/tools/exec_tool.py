"""exec: one program, once, confined, after the person agreed to exactly these arguments."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from mnemoscope.agent.tools import tool_definitions
from mnemoscope.agent.tools.approval import ApprovalRequest
from mnemoscope.agent.tools.approver import Approver
from mnemoscope.agent.tools.bubblewrap import Confinement, find_confinement, how_to_get_one, is_of_the_system
from mnemoscope.agent.tools.confined_process import OUTPUT_LIMIT, Ran, run_confined
from mnemoscope.agent.tools.grants import grants_of
from mnemoscope.agent.tools.programs import find_program
from mnemoscope.agent.tools.sandboxed_files import Beneath
from mnemoscope.agent.tools.tool import Arguments, ToolContext
from mnemoscope.domain.errors import ToolError, ToolNotRun

TIME_LIMIT: Final = 60.0
"""Seconds."""
WORD_LIMIT: Final = 200
CHARACTER_LIMIT: Final = 8_000
"""Of all words together: what a person can be asked to judge."""
END_LIMIT: Final = 10.0
"""Seconds a stop waits until nothing of the command is left."""


class Execute:
    """exec: off until switched on; every call approved; no shell; confined or not run.

    `confine` finds what commands are locked into; it may take some milliseconds and is asked in a thread.
    """

    schema: Final = tool_definitions.EXEC

    def __init__(
        self,
        root: Path,
        approver: Approver,
        is_enabled: Callable[[], bool],
        *,
        time_limit: float = TIME_LIMIT,
        confine: Callable[[], Confinement | None] = find_confinement,
    ) -> None:
        self.root, self.approver, self.is_enabled = root, approver, is_enabled
        self.time_limit, self.confine = time_limit, confine
        self._files = Beneath(root)

    async def run(self, arguments: Arguments, context: ToolContext) -> str:
        """The exit code and the output. Raises ToolError where it is off, denied, cannot be confined or started."""
        if not self.is_enabled():
            raise ToolNotRun("Running commands is switched off.", next_step="The person can switch it on in Settings.")
        argv = _checked(arguments["argv"])
        context.is_asking = True
        confinement = await asyncio.to_thread(self._confinement)
        request = await asyncio.to_thread(self._request, argv, confinement.name, context.session_key)
        decision = await self.approver.ask(request)
        context.is_asking = False
        if decision not in {"once", "always"}:
            raise ToolNotRun("The person did not allow this command.", next_step="Go on without it.", argv=argv)
        return _report(await self._run(request, confinement))

    def _confinement(self) -> Confinement:
        found = self.confine()
        if found is None:
            sentence = "Commands cannot be confined on this computer, so none is run."
            raise ToolNotRun(sentence, next_step=how_to_get_one())
        if is_of_the_system(self.root.resolve()):
            raise ToolNotRun("The workspace lies in a folder of the system, so no command is run in it.")
        return found

    def _request(self, argv: tuple[str, ...], confinement: str, session_key: str) -> ApprovalRequest:
        program = find_program(argv[0], self._files)
        return ApprovalRequest(argv, self.root, session_key, program.path, program.digest, confinement)

    async def _run(self, request: ApprovalRequest, confinement: Confinement) -> Ran:
        """Run what was approved; where a stop comes, raise only when nothing of it is left."""
        stopped = threading.Event()
        running = asyncio.ensure_future(asyncio.to_thread(self._run_approved, request, confinement, stopped))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            stopped.set()
            await asyncio.wait({running}, timeout=END_LIMIT)
            if running.done():
                running.exception()  # looked at, whatever it was: the person has stopped it
            raise

    def _run_approved(self, request: ApprovalRequest, confinement: Confinement, stopped: threading.Event) -> Ran:
        now = self._request(request.argv, confinement.name, request.session_key)
        if now.fingerprint != request.fingerprint:
            sentence = "The program was changed while the person was asked, so it was not run."
            raise ToolNotRun(sentence, next_step="Ask again.", argv=request.argv)
        # The root as it is: a link on the way to it would not be one inside the confinement.
        root = self.root.resolve()
        program = _inside(now.program, self.root, root)
        order = confinement.order(grants_of(root))
        return run_confined([program, *now.argv[1:]], root, order, self.time_limit, stopped)


def _checked(argv: Sequence[str]) -> tuple[str, ...]:
    if not argv or not argv[0].strip():
        raise ToolError("The command is empty.", next_step='Give the program and its arguments, such as ["ls", "-l"].')
    if any("\0" in word for word in argv):
        raise ToolError("An argument contains a NUL character.")
    if len(argv) > WORD_LIMIT or sum(map(len, argv)) > CHARACTER_LIMIT:
        sentence = f"The command is too long to be judged (at most {WORD_LIMIT} words, {CHARACTER_LIMIT:,} characters)."
        raise ToolError(sentence, next_step="Write a script with write_file and run that.")
    if any("\ud800" <= char <= "\udfff" for word in argv for char in word):
        raise ToolError("An argument contains half of a character (a lone surrogate).")
    return tuple(argv)


def _inside(program: str, root: Path, resolved: Path) -> str:
    path = Path(program)
    return str(resolved / path.relative_to(root)) if path.is_relative_to(root) else program


def _report(ran: Ran) -> str:
    if ran.timed_out:
        end = "Ended by the time limit."
    elif ran.cut:
        end = f"Ended because it wrote more than {OUTPUT_LIMIT // 1024} KB."
    elif ran.code is not None and ran.code < 0:
        end = f"Ended by signal {-ran.code}."
    else:
        end = f"Exit code {ran.code}."
    return f"{end}\n\n{ran.output}" if ran.output.strip() else f"{end} No output."
