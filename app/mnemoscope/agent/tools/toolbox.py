"""Running the calls a model asks for: arguments checked, failures told to the model, results cut."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mnemoscope.agent.tools.result_text import cut_result, missing_of
from mnemoscope.agent.tools.tool_definitions import STANDARD
from mnemoscope.domain.conversation.message import NOT_RUN
from mnemoscope.domain.errors import MnemoscopeError, ToolError, ToolNotRun
from mnemoscope.domain.llm import ToolCallRequest, ToolSchema
from mnemoscope.domain.settings import Settings

if TYPE_CHECKING:
    from mnemoscope.agent.tools.approval import Approver, RememberedApprovals
    from mnemoscope.agent.tools.search_tool import MemorySearching
    from mnemoscope.agent.tools.tool import Arguments, LongTermMemory, Tool, ToolContext
    from mnemoscope.store.files.disk import Disk
    from mnemoscope.store.workspace.approvals import ApprovalFile

log = logging.getLogger(__name__)

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {"string": (str,), "integer": (int,), "array": (list,)}
_TYPE_WORDS: Final[Mapping[str, str]] = {"string": "text", "integer": "a whole number", "array": "a list of texts"}


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What a call gave: the text for the model, whether it worked, and how long it took."""

    text: str
    succeeded: bool
    milliseconds: float = 0.0
    cut: int = 0
    """Characters that were left out."""
    whole: str = ""
    """The file with all of them, relative to the workspace."""

    @property
    def summary(self) -> str:
        """The first line, at most 120 characters, for a folded card."""
        return self.text.strip().partition("\n")[0][:120]


class Toolbox:
    """The tools of one workspace, made with the first turn."""

    def __init__(
        self,
        make_tools: Callable[[RememberedApprovals], Sequence[Tool]],
        settings: Callable[[], Settings],
        make_approvals: Callable[[], RememberedApprovals],
        definitions: Sequence[ToolSchema],
    ) -> None:
        """`definitions`: the schemas of the tools, in their order."""
        self._definitions = definitions
        self._make_tools, self._settings, self._make_approvals = make_tools, settings, make_approvals
        self.keep_whole: Callable[[str, str], Awaitable[str]] | None = None
        """Keeps a tool's whole result and names the file, "" where it could not."""
        self.masked: Callable[[str], str] = str
        """A text without keys of the keychain: of one that is cut in two, no half would be known."""

    @cached_property
    def approvals(self) -> RememberedApprovals:
        """The commands that are not asked about any more."""
        return self._make_approvals()

    @cached_property
    def _tools(self) -> dict[str, Tool]:
        return {_name_of(tool.schema): tool for tool in self._make_tools(self.approvals)}

    def schemas(self) -> list[ToolSchema]:
        """The definitions a model is given now; exec only while it is switched on."""
        hidden = set() if self._settings().exec_enabled else {"exec"}
        return [schema for schema in self._definitions if _name_of(schema) not in hidden]

    async def confinement(self) -> tuple[str, str]:
        """What commands are locked into, "" for nothing; and then what a person can do about it."""
        from mnemoscope.agent.tools.bubblewrap import NAME, find_bubblewrap, how_to_get_it

        found = await asyncio.get_running_loop().run_in_executor(None, find_bubblewrap)
        return (NAME, "") if found else ("", how_to_get_it())

    async def run(self, call: ToolCallRequest, context: ToolContext) -> ToolOutcome:
        """Run one call. Never raises but for cancellation: a failure is a result the model can act on."""
        began = time.perf_counter()
        try:
            text = await self._tool(call.name).run(self._arguments(call), context)
            outcome = await self._cut(call.name, text)
        except ToolNotRun as error:
            outcome = ToolOutcome(f"{NOT_RUN}{error}", succeeded=False)
        except MnemoscopeError as error:
            log.info("tool %s refused: %s %s", call.name, error.sentence, error.context)
            outcome = ToolOutcome(cut_result(self._without_keys(f"Error: {error}")), succeeded=False)
        except Exception:
            log.exception("tool %s failed", call.name)
            outcome = ToolOutcome(f"Error: {call.name} failed for a reason of its own; see the log.", succeeded=False)
        return replace(outcome, milliseconds=(time.perf_counter() - began) * 1000)

    async def _cut(self, tool: str, text: str) -> ToolOutcome:
        """What the conversation can carry of a result; all of it is kept beside."""
        text = self._without_keys(text)
        missing = missing_of(text)
        whole = await self.keep_whole(tool, text) if missing and self.keep_whole is not None else ""
        return ToolOutcome(cut_result(text), succeeded=True, cut=missing, whole=whole)

    def _without_keys(self, text: str) -> str:
        """One that is not cut loses them where it is kept."""
        return self.masked(text) if missing_of(text) else text

    def _tool(self, name: str) -> Tool:
        if name not in self._tools:
            raise ToolError(f"There is no tool “{name}”.", next_step=f"There are: {', '.join(self._tools)}.")
        return self._tools[name]

    def _arguments(self, call: ToolCallRequest) -> Arguments:
        arguments = read_arguments(call.arguments)
        if arguments is None:
            raise ToolError("The arguments are not a JSON object.", tool=call.name)
        return _checked(arguments, self._tool(call.name).schema)


def standard_tools(
    root: Path,
    *,
    memory: LongTermMemory,
    disk: Disk,
    search: MemorySearching,
    approver: Approver,
    settings: Callable[[], Settings],
    kept: ApprovalFile | None = None,
) -> Toolbox:
    """The six tools over one workspace. `kept`: where commands approved for always are remembered."""

    def approvals() -> RememberedApprovals:
        from mnemoscope.agent.tools.approval import RememberedApprovals

        return RememberedApprovals(approver, disk, kept)

    return Toolbox(partial(_six_tools, root, memory, disk, search, settings), settings, approvals, STANDARD)


def _six_tools(
    root: Path,
    memory: LongTermMemory,
    disk: Disk,
    search: MemorySearching,
    settings: Callable[[], Settings],
    approvals: RememberedApprovals,
) -> list[Tool]:
    from mnemoscope.agent.tools.exec_tool import ExecTool
    from mnemoscope.agent.tools.file_tools import EditFile, ListFiles, ReadFile, WriteFile
    from mnemoscope.agent.tools.sandboxed_files import SandboxedFiles
    from mnemoscope.agent.tools.search_tool import SearchMemory

    files = SandboxedFiles(root)
    return [
        ReadFile(files, memory, disk),
        WriteFile(files, memory, disk),
        EditFile(files, memory, disk),
        ListFiles(files, disk),
        SearchMemory(search),
        ExecTool(root, approvals, lambda: settings().exec_enabled),
    ]


def read_arguments(arguments: Any) -> dict[str, Any] | None:
    """Arguments as a dict, from a dict, JSON text, or a list of one dict; None for anything else."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments) if arguments.strip() else {}
        except (ValueError, RecursionError):
            return None
    if isinstance(arguments, list) and len(arguments) == 1:
        arguments = arguments[0]
    return dict(arguments) if isinstance(arguments, Mapping) else None


def _name_of(schema: ToolSchema) -> str:
    return str(schema["function"]["name"])


def _checked(arguments: dict[str, Any], schema: ToolSchema) -> Arguments:
    """The arguments the tool knows, of the types it expects; raises ToolError naming what is wrong."""
    parameters = schema["function"]["parameters"]
    known = parameters["properties"]
    for name in parameters["required"]:
        if arguments.get(name) is None:
            raise ToolError(f"The argument `{name}` is missing.")
    given = {name: value for name, value in arguments.items() if name in known and value is not None}
    for name, value in given.items():
        _check_type(name, value, known[name])
    return given


def _check_type(name: str, value: Any, expected: Mapping[str, Any]) -> None:
    kind = expected["type"]
    right = isinstance(value, _TYPES[kind]) and not isinstance(value, bool)
    if kind == "array":
        right = right and all(isinstance(item, str) for item in value)
    if not right:
        raise ToolError(f"The argument `{name}` has to be {_TYPE_WORDS[kind]}.")
    if kind == "integer" and value < expected.get("minimum", value):
        raise ToolError(f"The argument `{name}` has to be at least {expected['minimum']}.")
