"""Runs the calls a model asks for: arguments are checked, failures are told to the model, results are cut."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from mnemoscope.agent.tools.approval import Approver, RememberedApprovals
from mnemoscope.agent.tools.bubblewrap import NAME, find_bubblewrap, how_to_get_it
from mnemoscope.agent.tools.exec_tool import ExecTool
from mnemoscope.agent.tools.file_tools import EditFile, ListFiles, ReadFile, WriteFile
from mnemoscope.agent.tools.result_text import RESULT_LIMIT, WholeResults, cut_result, missing_of
from mnemoscope.agent.tools.sandboxed_files import SandboxedFiles
from mnemoscope.agent.tools.search_tool import MemorySearching, SearchMemory
from mnemoscope.agent.tools.tool import Arguments, LongTermMemory, Tool, ToolContext
from mnemoscope.domain.conversation.discretion import Discretion, Trace
from mnemoscope.domain.conversation.message import NOT_RUN, SEARCH_TOOL
from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.errors import FolderNotTrusted, KeptOut, MnemoscopeError, ToolError, ToolNotRun
from mnemoscope.domain.forgetting.forgotten_lines import Forgotten, nothing_forgotten, with_marks
from mnemoscope.domain.llm import ToolCallRequest, ToolSchema, is_small_context
from mnemoscope.domain.settings import Settings
from mnemoscope.domain.text.json_text import parsed_json
from mnemoscope.domain.trust import TrustGate
from mnemoscope.store.files.disk import Disk

log = logging.getLogger(__name__)

WRITING_TOOLS: Final = frozenset({"write_file", "edit_file", "exec"})
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {"string": (str,), "integer": (int,), "array": (list,)}
_TYPE_WORDS: Final[Mapping[str, str]] = {"string": "text", "integer": "a whole number", "array": "a list of texts"}


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """Tells the outcome of a call: the text for the model, whether it worked, and how long it took."""

    text: str
    succeeded: bool
    milliseconds: float = 0.0
    cut: int = 0
    """Characters that were left out."""
    whole: str = ""
    """The file with all of them, relative to the workspace."""
    forgotten: int = 0
    """Lines in whose place a mark stands, as the person had them forgotten."""

    @property
    def summary(self) -> str:
        """Returns the first line, at most 120 characters, for a folded card."""
        return self.text.strip().partition("\n")[0][:120]


class Toolbox:
    """Holds the tools of one workspace."""

    def __init__(
        self,
        tools: Sequence[Tool],
        approvals: RememberedApprovals,
        settings: Callable[[], Settings],
        whole_results: WholeResults,
        masked: Callable[[str], str],
        *,
        trust: TrustGate,
        forgotten: Forgotten = nothing_forgotten,
    ) -> None:
        """`trust` is asked before each call. `masked` takes keys of the keychain out of a text: of one that is cut in
        two, no half would be known. `forgotten` returns what tells of a line whether the person had it forgotten: a
        mark stands in its place."""
        self._forgotten = forgotten
        self.approvals = approvals
        self._tools = {_name_of(tool.schema): tool for tool in tools}
        self._settings = settings
        self._whole_results = whole_results
        self._masked = masked
        self._trust = trust

    def schemas(self, discretion: Discretion = Discretion.REMEMBERED, window: int = 0) -> list[ToolSchema]:
        """Returns the definitions a model is given now: exec only while it is switched on, in a discreet conversation
        those alone that write nothing, and in few words where its context is small. `window`: the tokens that the
        context holds, 0 where unknown."""
        hidden = set() if self._settings().exec_enabled else {"exec"}
        hidden |= set() if discretion.permits(Trace.TOOL_WRITES) else WRITING_TOOLS
        given = [tool.schema for name, tool in self._tools.items() if name not in hidden]
        return _fitting_schemas(given, window // _TOOLS_SHARE) if is_small_context(window) else given

    async def confinement(self) -> tuple[str, str]:
        """Returns what commands are locked into, "" for nothing, and then what a person can do about it."""
        found = await asyncio.to_thread(find_bubblewrap)
        return (NAME, "") if found else ("", how_to_get_it())

    async def run(self, call: ToolCallRequest, context: ToolContext) -> ToolOutcome:
        """Runs one call. Never raises but for cancellation: a failure is a result the model can act on."""
        began = time.perf_counter()
        try:
            await self._trust.require()
            if call.name in WRITING_TOOLS:
                context.discretion.require(Trace.TOOL_WRITES)
            text = await self._tool(call.name).run(self._arguments(call), context)
            outcome = await self._cut(call.name, text, kept=context.discretion.permits(Trace.TOOL_RESULTS))
        except (FolderNotTrusted, KeptOut, ToolNotRun) as error:
            outcome = ToolOutcome(f"{NOT_RUN}{error}", succeeded=False)
        except MnemoscopeError as error:
            if context.discretion.permits(Trace.PROMPT_LOG):
                log.info("tool %s refused: %s %s", call.name, error.sentence, error.context)
            said, _ = await asyncio.to_thread(self._with_forgotten_marked, f"Error: {error}")
            outcome = ToolOutcome(cut_result(self._without_keys(said)), succeeded=False)
        except Exception as error:
            # The words of the call may stand in the traceback.
            logged = error if context.discretion.permits(Trace.PROMPT_LOG) else None
            log.error("tool %s failed: %s", call.name, type(error).__name__, exc_info=logged)
            outcome = ToolOutcome(f"Error: {call.name} failed for a reason of its own; see the log.", succeeded=False)
        return replace(outcome, milliseconds=(time.perf_counter() - began) * 1000)

    async def _cut(self, tool: str, text: str, *, kept: bool) -> ToolOutcome:
        """Cuts a result to what the conversation can carry; all of it is kept beside, if that may be."""
        text, forgotten = await asyncio.to_thread(self._with_forgotten_marked, text)
        text = self._without_keys(text)
        missing = missing_of(text)
        whole = await self._whole_results.keep(tool, text) if missing and kept else ""
        return ToolOutcome(cut_result(text), succeeded=True, cut=missing, whole=whole, forgotten=forgotten)

    def _with_forgotten_marked(self, text: str) -> tuple[str, int]:
        """Puts a mark in the place of the lines that were forgotten, in as much of a text as a model is given; returns
        how many those were, too."""
        return with_marks(text, self._forgotten(), RESULT_LIMIT)

    def _without_keys(self, text: str) -> str:
        """Masks keys in a text that is going to be cut; one that is not cut loses them where it is kept."""
        return self._masked(text) if missing_of(text) else text

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
    approvals: Approver,
    is_exec_enabled: Callable[[], bool],
    forgotten: Forgotten = nothing_forgotten,
) -> list[Tool]:
    """Returns the six tools over one workspace, in the order in which a model is told of them. `forgotten` as in
    Toolbox."""
    files = SandboxedFiles(root)
    return [
        ReadFile(files, memory, disk),
        WriteFile(files, memory, disk, forgotten),
        EditFile(files, memory, disk, forgotten),
        ListFiles(files, disk),
        SearchMemory(search),
        ExecTool(root, approvals, is_exec_enabled),
    ]


def read_arguments(arguments: Any) -> dict[str, Any] | None:
    """Returns arguments as a dict, from a dict, JSON text, or a list of one dict; None for anything else."""
    if isinstance(arguments, str):
        arguments = parsed_json(arguments) if arguments.strip() else {}
    if isinstance(arguments, list) and len(arguments) == 1:
        arguments = arguments[0]
    return dict(arguments) if isinstance(arguments, Mapping) else None


def _name_of(schema: ToolSchema) -> str:
    return str(schema["function"]["name"])


def _checked(arguments: dict[str, Any], schema: ToolSchema) -> Arguments:
    """Returns the arguments the tool knows, of the types it expects; raises ToolError naming what is wrong."""
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


def _fitting_schemas(schemas: Sequence[ToolSchema], room: int) -> list[ToolSchema]:
    """Returns the definitions in few words, and of these as many as there is room for, the most useful first."""
    brief = {str(each["function"]["name"]): _brief_schema(each) for each in schemas}
    kept = set()
    for name in sorted(brief, key=lambda name: _BY_USE.index(name) if name in _BY_USE else len(_BY_USE)):
        room -= estimate_tokens(json.dumps(brief[name]))
        if room < 0:
            break
        kept.add(name)
    return [schema for name, schema in brief.items() if name in kept]


_TOOLS_SHARE: Final = 8
"""Of a small context, the definitions of tools take at most one part in so many."""
_BY_USE: Final = (SEARCH_TOOL, "read_file", "edit_file", "write_file", "list_files", "exec")


def _brief_schema(schema: ToolSchema) -> ToolSchema:
    """Returns a definition in few words: the first sentence of what the tool does, and no words about its arguments."""
    function = schema["function"]
    parameters = function["parameters"]
    plain = {
        name: {key: value for key, value in each.items() if key != "description"}
        for name, each in parameters["properties"].items()
    }
    first = str(function["description"]).partition(". ")[0].rstrip(".") + "."
    return {
        "type": "function",
        "function": {**function, "description": first, "parameters": {**parameters, "properties": plain}},
    }
