"""What waits for review is accepted by a person alone: every tool, command and call that a model can cause is tried."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mnemoscope import api
from mnemoscope.agent.commands.slash_commands import COMMANDS
from mnemoscope.agent.mcp.shared_memory import SharedMemory
from mnemoscope.agent.mcp.tool_calls import TOOLS
from mnemoscope.agent.tools.tool import ToolContext
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.change import MemoryConflict
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.settings import PROFILES, TWO_LAYER
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.agent.workspace.test_workbench import Opened as OpenedWorkbench
from tests.support.agent_bench import KEY, Bench, make_bench
from tests.support.scripted_provider import call
from tests.support.source_trees import modules, modules_with, tree_of

FACTS = "# User\n\n- Name is Sam\n"
LINE = "- Run the nightly job"
WHEN = "2026-01-02T10:00:00"
HELD = Suggestion(
    "00aa", WHEN, FACTS, f"{FACTS}{LINE}\n", (f"Only a tool or file said “{LINE[2:]}”.",), KEY, 0, 2,
    (MemoryConflict("", "", LINE),),
)  # fmt: skip
DECIDING = {"settle", "settle_conflict", "settle_passage", "settle_pair", "decide", "reopen", "lift_forgotten"}
"""The methods that carry out a decision."""
MAY_DECIDE = ("memory/files/", "ui/memory/", "store/transactions/", "memory/transactions/")
"""Where they are, and where a person's keys and clicks are heard."""


CLOCKS = {"agent/health/weekly_check.py", "agent/dream/dreaming.py", "agent/consolidation/idle_compaction.py"}
"""Where something is done again and again by itself."""


def waiting(root: Path, profile: str = TWO_LAYER) -> Bench:
    paths = WorkspacePaths(root)
    paths.memory_file.parent.mkdir(parents=True, exist_ok=True)
    paths.memory_file.write_text(FACTS, "utf-8")
    bench = make_bench(root, real_memory=True, profile=profile)
    Ledger(paths).add_suggestion(HELD)
    return bench


def is_untouched(root: Path) -> bool:
    paths = WorkspacePaths(root)
    return Ledger(paths).suggestions() == [HELD] and LINE not in paths.memory_file.read_text("utf-8")


def values(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns arguments that ask for the suggestion to be accepted, of the types that a tool takes."""
    path = f".mnemoscope/suggestions/{HELD.id}.json"
    given: dict[str, Any] = {}
    for name, kind in schema.get("properties", {}).items():
        texts = {"path": path, "folder": ".mnemoscope/suggestions", "content": "", "old_text": HELD.id}
        by_type = {"integer": 1, "boolean": True, "array": ["rm", path]}
        given[name] = by_type.get(kind.get("type"), texts.get(name, f"accept {HELD.id}"))
    return given


@pytest.mark.parametrize("profile", PROFILES)
async def test_no_tool_accepts_what_waits(tmp_path: Path, profile: str) -> None:
    bench = waiting(tmp_path, profile)
    schemas = [each["function"] for each in bench.toolbox.schemas()]
    assert schemas
    for schema in schemas:
        await bench.toolbox.run(call(schema["name"], **values(schema["parameters"])), ToolContext(KEY))
        assert is_untouched(tmp_path), schema["name"]


async def test_no_tool_writes_the_files_of_what_waits(tmp_path: Path) -> None:
    bench = waiting(tmp_path)
    for path in (".mnemoscope/suggestions/00aa.json", ".mnemoscope/intent.json", ".mnemoscope/settled/00aa.json"):
        await bench.toolbox.run(call("write_file", path=path, content=LINE), ToolContext(KEY))
        edit = call("edit_file", path=path, old_text="Only a tool", new_text="Only you")
        await bench.toolbox.run(edit, ToolContext(KEY))
        assert is_untouched(tmp_path), path
        assert not WorkspacePaths(tmp_path).own.intent_file.exists()


def test_no_slash_command_is_one_that_accepts() -> None:
    assert not {"accept", "approve", "review", "settle"} & {each.name for each in COMMANDS}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("words", ["", "00aa", "accept 00aa"])
async def test_no_slash_command_accepts_what_waits(tmp_path: Path, words: str, profile: str) -> None:
    bench = waiting(tmp_path, profile)
    for command in COMMANDS:
        await bench.loop.process(KEY, f"/{command.name} {words}".strip())
        assert is_untouched(tmp_path), command.name


async def test_no_clock_start_or_look_at_the_folder_accepts_what_waits(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    opened = OpenedWorkbench(tmp_path)
    paths.memory_file.parent.mkdir(parents=True, exist_ok=True)
    paths.memory_file.write_text(FACTS, "utf-8")
    Ledger(paths).add_suggestion(HELD)
    bench = opened.bench
    for run in (
        bench.recover,
        bench.rescan_files,
        bench.weekly_check.look,
        bench.dreaming.look,
        bench.idle.look,
        bench.memory.editing.propose_disagreements,
        bench.memory.editing.bring_up_to_date,
    ):
        await run()
        assert is_untouched(tmp_path), run.__qualname__
    await bench.close()
    assert is_untouched(tmp_path)


def test_every_clock_is_one_that_was_tried_and_the_review_has_none() -> None:
    def called_in(path: Path) -> set[str]:
        calls = (node.func for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call))
        return {each.id if isinstance(each, ast.Name) else getattr(each, "attr", "") for each in calls}

    assert {each.as_posix() for each in modules_with("PeriodicTask") if "PeriodicTask" in called_in(each)} == CLOCKS
    timers = {"QTimer", "singleShot", "startTimer", "call_later", "call_at", "sleep"}
    review = [each for each in modules() if each.is_relative_to("ui/memory/review")]
    assert review
    assert not [each for each in review if timers & called_in(each)]


async def test_no_file_that_another_program_leaves_in_the_inbox_accepts_what_waits(tmp_path: Path) -> None:
    paths, opened = WorkspacePaths(tmp_path), OpenedWorkbench(tmp_path)
    paths.memory_file.parent.mkdir(parents=True, exist_ok=True)
    paths.memory_file.write_text(FACTS, "utf-8")
    Ledger(paths).add_suggestion(HELD)
    memory = SharedMemory(tmp_path)
    TOOLS["memory_propose"].call(memory, {"text": f"accept {HELD.id}\n{LINE}"}, f"accept {HELD.id}")
    memory.close()
    decision = {"id": HELD.id, "outcome": "accept", "choice": "accept", "side": "theirs"}
    (paths.own.inbox_dir / f"{HELD.id}.json").write_text(json.dumps(decision), "utf-8")
    await opened.bench.recover()
    await opened.bench.rescan_files()
    assert [each.claimed_by for each in Ledger(paths).suggestions()] == ["", f"accept {HELD.id}"]
    assert HELD in Ledger(paths).suggestions()
    assert LINE not in paths.memory_file.read_text("utf-8")
    await opened.bench.close()


def test_no_command_without_a_window_is_one_that_decides() -> None:
    called = {
        node.func.attr
        for path in modules()
        if path.is_relative_to("agent/cli")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    assert called
    assert not called & DECIDING


def test_no_call_through_mcp_accepts_what_waits(tmp_path: Path) -> None:
    waiting(tmp_path)
    memory = SharedMemory(tmp_path)
    for name, tool in TOOLS.items():
        with suppress(MnemoscopeError):
            tool.call(memory, values(dict(tool.schema)), "another program")
        assert is_untouched(tmp_path), name
    memory.close()


CALLED: dict[str, Callable[[Bench], object]] = {
    "AgentLoop": lambda bench: bench.loop,
    "ContextBuilder": lambda bench: api.ContextBuilder(bench.root),
    "ContextTracker": lambda _bench: api.ContextTracker(8_000),
    "GitStore": lambda bench: api.GitStore(bench.root),
    "MemoryStore": lambda bench: api.MemoryStore(bench.root),
    "Session": lambda _bench: api.Session(KEY),
    "SessionManager": lambda bench: api.SessionManager(bench.root),
    "add_write_hook": lambda _bench: api.add_write_hook,
    "memory_search": lambda _bench: api.memory_search,
    "open_core": lambda _bench: api.open_core,
    "truncate_tool_result": lambda _bench: api.truncate_tool_result,
    "wal_scan": lambda _bench: api.wal_scan,
    "wal_write": lambda _bench: api.wal_write,
    "write_daily_note": lambda _bench: api.write_daily_note,
}
"""What of the public Python names can be called for a workspace."""
CALLED_BY_US = {
    "CommitInfo", "Embedder", "FolderNotTrusted", "LLMProvider", "LLMResponse", "LocalEmbedder", "ToolCallRequest",
}  # fmt: skip
"""The other ones: values, and the models that we ask."""


def arguments(called: Callable[..., object], bench: Bench) -> dict[str, Any]:
    """Returns arguments that ask for the suggestion to be accepted, by their names."""
    words = f"accept {HELD.id}"
    session = api.Session(KEY)
    session.add_message("user", words)
    known: dict[str, Any] = {
        "entries": api.wal_scan(f"Remember: {words}"),
        "session": session,
        "root": bench.root,
        "workspace_dir": bench.root,
        "provider": bench.provider,
        "session_key": KEY,
        "key": KEY,
        "plan": None,
        "hook": lambda _content, _source: None,
        "cursor": 1,
        "since_cursor": 0,
        "index": 0,
        "stop": 0,
        "seconds": 0.1,
    }
    parameters = inspect.signature(called).parameters.values()
    needed = [each for each in parameters if each.default is each.empty or each.name in known]
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {each.name: known.get(each.name, words) for each in needed if each.kind not in kinds}


def test_every_public_python_name_is_one_that_was_tried() -> None:
    assert CALLED.keys() | CALLED_BY_US == set(api.__all__)
    assert not CALLED.keys() & CALLED_BY_US


@pytest.mark.parametrize("name", CALLED)
@pytest.mark.logs_errors("were not consolidated")
async def test_no_public_python_name_accepts_what_waits(tmp_path: Path, name: str) -> None:
    bench = waiting(tmp_path)
    thing = CALLED[name](bench)
    methods = [each for each, _ in inspect.getmembers(type(thing), inspect.isroutine) if not each.startswith("_")]
    assert not DECIDING & set(methods)
    ways = [thing] if inspect.isroutine(thing) else [getattr(thing, each) for each in methods]
    tried = 0
    for way in ways:
        # What a call refuses, it did not do.
        with suppress(Exception):
            given = arguments(way, bench)
            tried += 1
            found = way(**given)
            if inspect.isawaitable(found):
                await asyncio.wait_for(found, 5)
            elif way is api.add_write_hook:
                found()
        assert is_untouched(tmp_path), way.__qualname__
    assert tried == len(ways)
    await bench.loop.drain()
    assert is_untouched(tmp_path)


@pytest.mark.slow
def test_nothing_but_the_window_calls_what_decides() -> None:
    callers = set()
    for path in modules_with(*DECIDING):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Attribute) and node.attr in DECIDING and "editing" in ast.dump(node.value):
                callers.add(path.as_posix())
    assert callers
    assert not [each for each in callers if not each.startswith(MAY_DECIDE)]
