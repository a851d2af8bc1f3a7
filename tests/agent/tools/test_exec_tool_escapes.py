"""What a command tries in order to get something out, each tried for real inside bubblewrap.

Every attempt is also run without any confinement, to see that it would work, and that the test would notice: each third
of them in the short form, all in the long one.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.tools.approval import ApprovalRequest, Decision
from mnemoscope.agent.tools.exec_tool import ExecTool
from mnemoscope.agent.tools.tool import ToolContext
from mnemoscope.domain.errors import ToolError
from tests.support.escape_world import EscapeWorld, escape_world
from tests.support.installed_bubblewrap import installed_bubblewrap, require_python

FILE = Path(__file__).parents[2] / "corpus" / "escapes.json"
ESCAPES: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["escapes"]
SECONDS = 5.0
STARTED = ("Exit code", "Ended")
"""How the result of a command begins that was really run."""
LATER = 0.8
"""Seconds after which a daemon would have written."""
PATIENCE = 60.0


class Agreeing:
    """A person who allows whatever is asked."""

    async def ask(self, request: ApprovalRequest) -> Decision:
        return "once"


def by_name(escape: dict[str, Any]) -> str:
    return str(escape["name"])


WORKING = [
    pytest.param(one, id=by_name(one), marks=[pytest.mark.long] if number % 3 else [])
    for number, one in enumerate(one for one in ESCAPES if one.get("works_unconfined", True))
]


def require_programs(escape: dict[str, Any]) -> None:
    require_python()
    program = escape["argv"][0]
    if program in {"bash", "git", "perl", "unshare"} and shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")


async def try_confined(world: EscapeWorld, escape: dict[str, Any]) -> str:
    execute = ExecTool(world.root, Agreeing(), lambda: True, time_limit=SECONDS, find=installed_bubblewrap)
    try:
        return await execute.run({"argv": world.filled(escape["argv"])}, ToolContext("k"))
    except ToolError as error:
        return str(error)


@pytest.mark.slow
@pytest.mark.parametrize("escape", ESCAPES, ids=by_name)
async def test_nothing_gets_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, escape: dict[str, Any]) -> None:
    installed_bubblewrap()
    require_programs(escape)
    with escape_world(tmp_path) as world:
        for variable, value in (world.surroundings | world.preloads).items():
            monkeypatch.setenv(variable, value)
        said = await try_confined(world, escape)
        monkeypatch.undo()
        if escape.get("late"):
            await asyncio.sleep(LATER)
        assert world.violations(said) == []
        assert said.startswith(STARTED) is not escape.get("refused", False)


@pytest.mark.slow
@pytest.mark.parametrize("escape", WORKING)
def test_unconfined_it_would_get_out_and_be_noticed(tmp_path: Path, escape: dict[str, Any]) -> None:
    require_programs(escape)
    require(escape.get("needs", ""), tmp_path)
    with escape_world(tmp_path) as world:
        environment = {**os.environ, **world.surroundings, **(world.preloads if escape.get("surroundings") else {})}
        argv = world.filled(escape["argv"])
        program = shutil.which(argv[0], path=environment["PATH"]) or str(world.root / argv[0])
        with (tmp_path / "said").open("w+b") as said:
            subprocess.run(
                [program, *argv[1:]], cwd=world.root, env=environment, pass_fds=(world.descriptor,),
                stdin=subprocess.DEVNULL, stdout=said, stderr=said, timeout=300, check=False,
            )  # fmt: skip
            said.seek(0)
            words = said.read().decode("utf-8", "replace")
            deadline = time.monotonic() + PATIENCE
            while not (found := world.violations(words)) and time.monotonic() < deadline:
                time.sleep(0.05)
            assert found != []


def require(what: str, folder: Path) -> None:
    """Skip where this computer itself forbids the attempt, or has nothing to attempt it on."""
    yama = Path("/proc/sys/kernel/yama/ptrace_scope")
    if what == "ptrace" and os.geteuid() != 0 and yama.exists() and yama.read_text().strip() != "0":
        pytest.skip("this system lets nobody trace another process anyway")
    if what == "namespaces" and subprocess.run(["unshare", "-Ur", "true"], capture_output=True).returncode != 0:
        pytest.skip("this system lets nobody make a user namespace anyway")
    if what == "attributes":
        try:
            os.setxattr(folder, "user.try", b"x")
        except OSError:
            pytest.skip("this file system has no extended attributes")


def test_there_are_enough_of_them_and_each_has_a_name_of_its_own() -> None:
    assert len({by_name(escape) for escape in ESCAPES}) == len(ESCAPES) >= 40
