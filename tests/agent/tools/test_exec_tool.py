"""exec: off at first, asked about, confined, bounded, and ended whole."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.tools.bubblewrap import NAME
from mnemoscope.agent.tools.confined_process import environment, run_confined
from mnemoscope.agent.tools.exec_tool import ExecTool
from mnemoscope.agent.tools.grants import grants_of
from mnemoscope.agent.tools.tool import ToolContext
from mnemoscope.domain.errors import PathRefused, ToolError, ToolNotRun
from tests.support.agent_bench import Answers, Bench, make_bench
from tests.support.installed_bubblewrap import PYTHON, installed_bubblewrap, require_python
from tests.support.scripted_provider import call


@pytest.fixture
def _can_run() -> None:
    installed_bubblewrap()


def tool(root: Path, *decisions: str, time_limit: float = 60.0) -> ExecTool:
    require_python()
    installed_bubblewrap()
    (root / "notes").mkdir(exist_ok=True)
    return ExecTool(root, Answers(*decisions), lambda: True, time_limit=time_limit)


async def run(bench: Bench, **arguments: Any) -> str:
    return (await bench.toolbox.run(call("exec", **arguments), ToolContext("k"))).text


async def test_exec_is_not_offered_and_not_run_until_it_is_switched_on(tmp_path: Path) -> None:
    approver = Answers()
    bench = make_bench(tmp_path, approver=approver)
    assert "exec" not in [schema["function"]["name"] for schema in bench.toolbox.schemas()]
    assert "switched off" in await run(bench, argv=["true"])
    bench.change(exec_enabled=True)
    assert "exec" in [schema["function"]["name"] for schema in bench.toolbox.schemas()]
    assert approver.asked == []


@pytest.mark.slow
@pytest.mark.usefixtures("_can_run")
async def test_a_command_runs_only_after_the_person_agreed_to_exactly_it(tmp_path: Path) -> None:
    approver = Answers("deny", "once", "always", "once")
    bench = make_bench(tmp_path, approver=approver, exec_enabled=True)
    assert (await run(bench, argv=["pwd"])).startswith("Not run: The person did not allow")
    assert await run(bench, argv=["pwd"]) == f"Exit code 0.\n\n{tmp_path}\n"
    await run(bench, argv=["pwd"])
    await run(bench, argv=["pwd"])
    await run(bench, argv=["pwd", "-P"])
    assert [request.argv for request in approver.asked] == [("pwd",)] * 3 + [("pwd", "-P")]
    assert approver.asked[0].cwd == tmp_path
    assert approver.asked[0].confinement == NAME
    assert approver.asked[0].program.endswith("/pwd")


@pytest.mark.usefixtures("_can_run")
async def test_a_command_is_no_shell_line(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, approver=Answers("once"), exec_enabled=True)
    assert await run(bench, argv=["echo", "$HOME; touch x"]) == "Exit code 0.\n\n$HOME; touch x\n"
    assert "has to be a list of texts" in await run(bench, argv="ls -l")
    assert not (tmp_path / "x").exists()


async def test_where_nothing_confines_a_command_nobody_is_asked_and_nothing_runs(tmp_path: Path) -> None:
    approver = Answers("once")
    alone = ExecTool(tmp_path, approver, lambda: True, find=lambda: None)
    with pytest.raises(
        ToolNotRun, match=r"cannot be confined.*none is run\. (Install the package bubblewrap|Commands)"
    ):
        await alone.run({"argv": ["pwd"]}, ToolContext("k"))
    assert approver.asked == []


async def test_a_workspace_within_the_systems_folders_runs_nothing() -> None:
    with pytest.raises(ToolNotRun, match="folder of the system"):
        await tool_at(Path("/usr/share")).run({"argv": ["pwd"]}, ToolContext("k"))


def tool_at(root: Path) -> ExecTool:
    return ExecTool(root, Answers(), lambda: True, find=installed_bubblewrap)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "is empty"),
        ([" "], "is empty"),
        (["a\0b"], "NUL"),
        (["echo", "\ud800"], "lone surrogate"),
        (["echo", "x" * 9_000], "too long to be judged"),
        (["echo"] * 201, "too long to be judged"),
        (["no-such-program"], "no program “no-such-program”"),
        (["./no-such"], "There is no “no-such”"),
        (["/etc/init.d/../../root/x"], "no program"),
        (["../evil"], "leads out"),
        (["notes/../../evil"], "leads out"),
        (["./.git/hooks/pre-commit"], "is protected"),
        (["./plain.sh"], "may not be executed"),
    ],
)
async def test_what_cannot_run_is_told_before_anyone_is_asked(tmp_path: Path, argv: list[str], message: str) -> None:
    (tmp_path / "plain.sh").write_text("#!/bin/sh\n")
    with pytest.raises(ToolError, match=message):
        await tool_at(tmp_path).run({"argv": argv}, ToolContext("k"))


@pytest.mark.slow
async def test_a_name_means_the_systems_program_and_never_one_planted_beside(tmp_path: Path) -> None:
    execute = tool(tmp_path, "once", "once")
    planted = tmp_path / "pwd"
    planted.write_text("#!/bin/sh\necho planted\n")
    planted.chmod(0o755)
    assert "planted" not in await execute.run({"argv": ["pwd"]}, ToolContext("k"))
    assert "planted" in await execute.run({"argv": ["./pwd"]}, ToolContext("k"))
    plain, own = execute.approver.asked  # type: ignore[attr-defined]
    assert (plain.is_from_workspace, own.is_from_workspace) == (False, True)
    assert own.program_shown == str(planted)


async def test_a_program_changed_while_the_person_is_asked_is_not_run(tmp_path: Path) -> None:
    class Slow(Answers):
        async def ask(self, request: Any) -> Any:
            (tmp_path / "tool").write_text("#!/bin/sh\necho other\n")
            return "once"

    (tmp_path / "tool").write_text("#!/bin/sh\necho one\n")
    (tmp_path / "tool").chmod(0o755)
    execute = ExecTool(tmp_path, Slow(), lambda: True, find=installed_bubblewrap)
    with pytest.raises(ToolNotRun, match="changed while the person was asked"):
        await execute.run({"argv": ["./tool"]}, ToolContext("k"))


async def test_a_link_to_a_program_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "tool").symlink_to("/bin/sh")
    with pytest.raises(PathRefused, match="symbolic link"):
        await tool_at(tmp_path).run({"argv": ["./tool"]}, ToolContext("k"))


def test_a_command_inherits_no_variable_that_could_hold_a_key() -> None:
    inherited = {"PATH": "/x", "OPENAI_API_KEY": "sk-1", "LANG": "C.UTF-8", "SSH_AUTH_SOCK": "/s", "HOME": "/h"}
    assert environment(inherited).keys() == {"PATH", "LANG"}
    assert "/x" not in environment(inherited)["PATH"]


@pytest.mark.slow
async def test_the_streams_and_the_end_are_told(tmp_path: Path) -> None:
    execute = tool(tmp_path, *["once"] * 4)

    async def said(*argv: str) -> str:
        return await execute.run({"argv": list(argv)}, ToolContext("k"))

    assert await said("sh", "-c", "echo out; echo err >&2; exit 3") == "Exit code 3.\n\nout\nerr\n"
    assert await said("true") == "Exit code 0. No output."
    assert await said("cat") == "Exit code 0. No output."
    assert await said("sh", "-c", "kill -SEGV $$") == "Exit code 139. No output."


async def test_output_has_an_end(tmp_path: Path) -> None:
    text = await tool(tmp_path, "once").run({"argv": ["yes"]}, ToolContext("k"))
    assert text.startswith("Ended because it wrote more than 64 KB.")
    assert len(text) < 66_000


async def test_a_command_writes_in_its_folders_and_not_at_the_top(tmp_path: Path) -> None:
    execute = tool(tmp_path, "once")
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "MEMORY.md").write_text("facts")
    (tmp_path / "top.md").write_text("top")
    script = "cat top.md memory/MEMORY.md; echo x > notes/new; echo x > new; echo x > top.md; echo x > memory/MEMORY.md"
    text = await execute.run(
        {"argv": ["sh", "-c", f"{script}; mkdir -p notes/a/b; ls; echo t > $TMPDIR/t"]}, ToolContext("k")
    )
    assert "topfacts" in text
    assert (tmp_path / "notes" / "new").read_text() == "x\n"
    assert (tmp_path / "notes" / "a" / "b").is_dir()
    assert (tmp_path / "top.md").read_text() == "top"
    assert (tmp_path / "memory" / "MEMORY.md").read_text() == "facts"
    assert sorted(os.listdir(tmp_path)) == ["memory", "notes", "top.md"]


# -- the end of it ----------------------------------------------------------------------------------------------------

FAMILY = """
import os, subprocess, sys, time
mark = sys.argv[1]
sleeper = [sys.executable, "-c", "import time; time.sleep(600)", mark]
subprocess.Popen(sleeper)
subprocess.Popen(["nohup", *sleeper], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
if os.fork() == 0:
    try: os.setsid()
    except OSError: pass
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
open("notes/ready", "w").write("ready")
time.sleep(600 if len(sys.argv) > 2 else 0)
"""


def marked(mark: str) -> list[int]:
    """Returns the processes with the mark among their arguments, but this one."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and int(process.name) != os.getpid():
            with contextlib.suppress(OSError):
                if mark.encode() in (process / "cmdline").read_bytes().split(b"\0"):
                    found.append(int(process.name))
    return found


def none_left(mark: str) -> bool:
    deadline = time.monotonic() + 60
    while marked(mark) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not marked(mark)


def wait_until_ready(root: Path) -> None:
    deadline = time.monotonic() + 60
    while not (root / "notes" / "ready").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.slow
async def test_the_time_limit_ends_the_whole_family(tmp_path: Path) -> None:
    mark = f"mark-{tmp_path.name}"
    # A busy machine may take longer than the shortest limit to start them all.
    for seconds in (1.5, 6, 24):
        execute = tool(tmp_path, "once", time_limit=seconds)
        text = await execute.run({"argv": [PYTHON, "-c", FAMILY, mark, "wait"]}, ToolContext("k"))
        assert text.startswith("Ended by the time limit.")
        assert none_left(mark)
        if (tmp_path / "notes" / "ready").exists():
            return
    pytest.fail("the family never was ready")


async def test_what_a_command_leaves_behind_is_ended_with_it(tmp_path: Path) -> None:
    execute, mark = tool(tmp_path, "once"), f"mark-{tmp_path.name}"
    text = await execute.run({"argv": [PYTHON, "-c", FAMILY, mark]}, ToolContext("k"))
    assert text.startswith("Exit code 0."), "it waits for those that sleep, until the time limit"
    assert none_left(mark)


@pytest.mark.slow
async def test_a_stop_at_any_moment_ends_the_whole_family(tmp_path: Path) -> None:
    execute, mark = tool(tmp_path, *["once"] * 8), f"mark-{tmp_path.name}"
    for delay in (0, 0.01, 0.03, 0.05, 0.08, 0.12, None):
        argv = [PYTHON, "-c", FAMILY, mark, "wait"]
        running = asyncio.create_task(execute.run({"argv": argv}, ToolContext("k")))
        await (asyncio.to_thread(wait_until_ready, tmp_path) if delay is None else asyncio.sleep(delay))
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert marked(mark) == []


KILLED = """
import sys, threading
from pathlib import Path
from mnemoscope.agent.tools.grants import grants_of
from mnemoscope.agent.tools.confined_process import run_confined
from tests.support.installed_bubblewrap import installed_bubblewrap
root, mark, family = Path(sys.argv[1]), *sys.argv[2:]
wrapper = installed_bubblewrap().wrapper(grants_of(root))
run_confined(["/usr/bin/python3", "-c", family, mark, "wait"], root, wrapper, 60, threading.Event())
"""


@pytest.mark.slow
def test_a_kill_of_mnemoscope_ends_the_whole_family(tmp_path: Path) -> None:
    tool(tmp_path)
    mark = f"mark-{tmp_path.name}"
    with subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path), mark, FAMILY]) as program:
        wait_until_ready(tmp_path)
        assert len(marked(mark)) > 2
        program.send_signal(signal.SIGKILL)
    assert none_left(mark)


def test_what_a_command_puts_into_the_folder_for_temporary_files_is_gone_with_it(tmp_path: Path) -> None:
    wrapper = installed_bubblewrap().wrapper(grants_of(tmp_path))
    name = f"mnemoscope-{tmp_path.name}"
    script = f"echo here > /tmp/{name}; cat /tmp/{name}"
    ended = run_confined(["/bin/sh", "-c", script], tmp_path, wrapper, 10, threading.Event())
    assert ended.output == "here\n"
    assert not Path("/tmp", name).exists()


def test_where_bubblewrap_cannot_be_started_nothing_runs(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="could not be started: No such file"):
        run_confined(["/bin/true"], tmp_path, [str(tmp_path / "no-bwrap")], 5, threading.Event())


def test_a_program_that_cannot_be_started_is_told(tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("#!/no/such/interpreter\n")
    (tmp_path / "bad").chmod(0o755)
    wrapper = installed_bubblewrap().wrapper(grants_of(tmp_path))
    ended = run_confined([str(tmp_path / "bad")], tmp_path, wrapper, 5, threading.Event())
    assert ended.code == 1
    assert "bad: No such file or directory" in ended.output


def test_no_descriptor_is_passed_on(tmp_path: Path) -> None:
    require_python()
    with (tmp_path / "secret").open("w+") as file:
        os.set_inheritable(file.fileno(), True)
        look = "import os\nfor n in range(300):\n try: os.fstat(n); print(n)\n except OSError: pass"
        wrapper = installed_bubblewrap().wrapper(grants_of(tmp_path))
        ended = run_confined([PYTHON, "-c", look], tmp_path, wrapper, 10, threading.Event())
    assert ended.output.split() == ["0", "1", "2"]
