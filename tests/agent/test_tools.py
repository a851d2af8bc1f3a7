"""What the tools do, and what a model is told where they do not."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest

from mnemoscope.agent.tools.execute import Execute, environment
from mnemoscope.agent.tools.results import cut_result
from mnemoscope.agent.tools.tool import ToolContext
from mnemoscope.domain.errors import ToolError
from mnemoscope.domain.llm import ToolCallRequest
from tests.support.agent_bench import Answers, Bench, make_bench
from tests.support.scripted_memory import ScriptedMemory
from tests.support.scripted_provider import call

PYTHON = sys.executable


async def run(bench: Bench, name: str, context: ToolContext | None = None, **arguments: object) -> str:
    outcome = await bench.toolbox.run(call(name, **arguments), context or ToolContext("k"))
    return outcome.text


async def test_a_file_is_written_read_edited_and_listed(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    assert (
        await run(bench, "write_file", path="notes/a.md", content="one\ntwo\n") == "Created notes/a.md (8 characters)."
    )
    assert await run(bench, "read_file", path="notes/a.md") == "one\ntwo\n"
    assert await run(bench, "edit_file", path="notes/a.md", old_text="two", new_text="three") == "Edited notes/a.md."
    assert (tmp_path / "notes" / "a.md").read_text() == "one\nthree\n"
    assert await run(bench, "list_files", folder="notes") == "a.md"
    assert await run(bench, "list_files") == "memory/\nnotes/"


async def test_a_range_of_lines_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n".join(f"line {n}" for n in range(1, 101)))
    text = await run(make_bench(tmp_path), "read_file", path="a.txt", first_line=10, line_count=2)
    assert text == "line 10\nline 11\n[lines 10 to 11 of 100]"


async def test_an_edit_has_to_name_exactly_one_place(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x x")
    bench = make_bench(tmp_path)
    assert "2 times" in await run(bench, "edit_file", path="a.txt", old_text="x", new_text="y")
    assert "is not in" in await run(bench, "edit_file", path="a.txt", old_text="z", new_text="y")
    assert "empty" in await run(bench, "edit_file", path="a.txt", old_text="", new_text="y")
    assert (tmp_path / "a.txt").read_text() == "x x"


async def test_an_edit_keeps_the_files_own_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\r\ntwo\r\n")
    await run(make_bench(tmp_path), "edit_file", path="a.txt", old_text="one\ntwo", new_text="1\n2")
    assert (tmp_path / "a.txt").read_bytes() == b"1\r\n2\r\n"


async def test_what_is_no_text_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"\x00\x01")
    (tmp_path / "b.txt").write_bytes(b"caf\xe9")
    bench = make_bench(tmp_path)
    assert "is not a text file" in await run(bench, "read_file", path="a.bin")
    assert "is not text in UTF-8" in await run(bench, "read_file", path="b.txt")


async def test_a_lone_surrogate_does_not_cost_the_file(tmp_path: Path) -> None:
    await run(make_bench(tmp_path), "write_file", path="a.txt", content="a\ud800b")
    assert (tmp_path / "a.txt").read_text() == "a\ufffdb"


async def test_memory_is_written_through_the_store_from_the_version_the_model_saw(tmp_path: Path) -> None:
    memory = ScriptedMemory(tmp_path)
    bench = make_bench(tmp_path, memory=memory)
    context = ToolContext("k", memory_version="seen")
    await run(bench, "write_file", context, path="memory/MEMORY.md", content="# One\n")
    await run(bench, "edit_file", context, path="memory/MEMORY.md", old_text="One", new_text="Two")
    assert [(text, origin) for text, _, origin in memory.saved] == [("# One\n", "agent"), ("# Two\n", "agent")]
    assert memory.saved[0][1] == "seen"
    assert memory.saved[1][1] != "seen"
    assert context.memory_version == memory.read_version().version


async def test_reading_memory_makes_it_the_version_the_model_knows(tmp_path: Path) -> None:
    memory = ScriptedMemory(tmp_path)
    bench = make_bench(tmp_path, memory=memory)
    memory.file.write_text("# Facts\n")
    context = ToolContext("k", memory_version="old")
    assert await run(bench, "read_file", context, path="memory/MEMORY.md") == "# Facts\n"
    assert context.memory_version == memory.read_version().version


async def test_search_memory_quotes_with_the_source(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    (tmp_path / "memory" / "HISTORY.md").write_text("[2026-10-03 14:20] Ordered the kiln shelves from Leeds.\n\n")
    text = await run(bench, "search_memory", query="kiln shelves")
    assert text == "memory/HISTORY.md (2026-10-03 14:20)\n[2026-10-03 14:20] Ordered the kiln shelves from Leeds."
    assert await run(bench, "search_memory", query="submarine") == "Nothing found for “submarine”."
    assert len(await run(bench, "search_memory", query="x" * 3_000)) < 200


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "`path` is missing"),
        ({"path": 5}, "`path` has to be text"),
        ({"path": "a", "first_line": "1"}, "`first_line` has to be a whole number"),
        ({"path": "a", "first_line": True}, "`first_line` has to be a whole number"),
        ({"path": "a", "first_line": 0}, "`first_line` has to be at least 1"),
        ("{not json", "not a JSON object"),
        ([1, 2], "not a JSON object"),
        ('[{"path": "../up"}]', "was refused"),
    ],
)
async def test_wrong_arguments_are_told_to_the_model(tmp_path: Path, arguments: object, told: str) -> None:
    outcome = await make_bench(tmp_path).toolbox.run(ToolCallRequest("1", "read_file", arguments), ToolContext("k"))
    assert not outcome.succeeded
    assert told in outcome.text


async def test_an_unknown_tool_is_told_to_the_model(tmp_path: Path) -> None:
    assert "There is no tool “fly”. There are: read_file" in await run(make_bench(tmp_path), "fly")


@pytest.mark.logs_errors("tool list_files failed")
async def test_a_tool_that_breaks_gives_a_result_all_the_same(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    bench.toolbox._tools["list_files"].files = None  # type: ignore[attr-defined]
    assert "failed for a reason of its own" in await run(bench, "list_files")


def test_a_long_result_keeps_its_head_and_tail_and_says_what_is_missing() -> None:
    text = "a" * 10_000 + "b" * 10_000
    cut = cut_result(text)
    assert cut.startswith("a" * 5_600 + "\n")
    assert cut.endswith("\n" + "b" * 1_600)
    assert "[… 12,800 of 20,000 characters left out here …]" in cut
    assert cut_result("c" * 8_000) == "c" * 8_000


# -- exec -------------------------------------------------------------------------------------------------------------


async def test_exec_is_not_offered_and_not_run_until_it_is_switched_on(tmp_path: Path) -> None:
    approver = Answers()
    bench = make_bench(tmp_path, approver=approver)
    assert "exec" not in [schema["function"]["name"] for schema in bench.toolbox.schemas()]
    assert "switched off" in await run(bench, "exec", argv=["true"])
    bench.change(exec_enabled=True)
    assert "exec" in [schema["function"]["name"] for schema in bench.toolbox.schemas()]
    assert approver.asked == []


async def test_a_command_runs_only_after_the_person_agreed_to_exactly_it(tmp_path: Path) -> None:
    approver = Answers("deny", "once", "always", "once")
    bench = make_bench(tmp_path, approver=approver, exec_enabled=True)
    assert (await run(bench, "exec", argv=["pwd"])).startswith("Not run: The person did not allow")
    assert await run(bench, "exec", argv=["pwd"]) == f"Exit code 0.\n\n{tmp_path}\n"
    await run(bench, "exec", argv=["pwd"])
    await run(bench, "exec", argv=["pwd"])
    await run(bench, "exec", argv=["pwd", "-P"])
    assert [request.argv for request in approver.asked] == [("pwd",)] * 3 + [("pwd", "-P")]
    assert approver.asked[0].cwd == tmp_path


async def test_a_command_is_no_shell_line(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, approver=Answers("once"), exec_enabled=True)
    assert await run(bench, "exec", argv=["echo", "$HOME; touch x"]) == "Exit code 0.\n\n$HOME; touch x\n"
    assert "has to be a list of texts" in await run(bench, "exec", argv="ls -l")
    assert not (tmp_path / "x").exists()


async def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, approver=Answers("once"), exec_enabled=True)
    assert "could not be started: No such file" in await run(bench, "exec", argv=["no-such-program"])


def test_a_command_inherits_no_variable_that_could_hold_a_key(tmp_path: Path) -> None:
    inherited = {"PATH": "/bin", "OPENAI_API_KEY": "sk-1", "MY_SECRET": "x", "LANG": "C.UTF-8", "SSH_AUTH_SOCK": "/s"}
    assert environment(inherited, tmp_path) == {"PATH": "/bin", "LANG": "C.UTF-8", "HOME": str(tmp_path)}


async def test_output_has_an_end(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, approver=Answers("once"), exec_enabled=True)
    text = await run(bench, "exec", argv=["yes"])
    assert text.startswith("Ended because it wrote more than 64 KB.")
    assert len(text) < 8_100


def group_is_gone(leader: int) -> bool:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            os.killpg(leader, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


SPAWNING = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open("leader", "w").write(str(os.getpid()))
time.sleep(60 if len(sys.argv) > 1 else 0)
"""


async def test_the_time_limit_ends_the_whole_process_group(tmp_path: Path) -> None:
    tool = Execute(tmp_path, Answers("once"), lambda: True, time_limit=1.0)
    text = await tool.run({"argv": [PYTHON, "-c", SPAWNING, "wait"]}, ToolContext("k"))
    assert text.startswith("Ended by the time limit.")
    assert group_is_gone(int((tmp_path / "leader").read_text()))


async def test_a_child_left_behind_is_ended_with_its_parent(tmp_path: Path) -> None:
    tool = Execute(tmp_path, Answers("once"), lambda: True)
    began = time.monotonic()
    assert (await tool.run({"argv": [PYTHON, "-c", SPAWNING]}, ToolContext("k"))).startswith("Exit code 0.")
    assert time.monotonic() - began < 20
    assert group_is_gone(int((tmp_path / "leader").read_text()))


async def test_cancelling_ends_the_whole_process_group(tmp_path: Path) -> None:
    tool = Execute(tmp_path, Answers("once"), lambda: True)
    running = asyncio.create_task(tool.run({"argv": [PYTHON, "-c", SPAWNING, "wait"]}, ToolContext("k")))
    while not (tmp_path / "leader").exists() or not (tmp_path / "leader").read_text():  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert group_is_gone(int((tmp_path / "leader").read_text()))


async def test_an_empty_command_is_refused_before_anyone_is_asked(tmp_path: Path) -> None:
    tool = Execute(tmp_path, Answers(), lambda: True)
    for argv in ([], [" "], ["a\0b"]):
        with pytest.raises(ToolError):
            await tool.run({"argv": argv}, ToolContext("k"))
