"""The peers: the published nanobot and Qanot, installed beside the environment, and what they read from a workspace."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

_FOLDER = Path(__file__).parents[2] / ".venv" / "peers"
_CHILD = Path(__file__).with_name("peer_child.py")
_QANOT = Path(__file__).with_name("qanot_child.py")
_SECONDS = 600


@dataclass(frozen=True)
class Read:
    """Holds what a peer has in memory after reading: sessions by key, and the memory it puts into its prompt."""

    sessions: dict[str, dict[str, Any]]
    memory: str
    listed: tuple[str, ...] = ()
    """The keys of the conversations that it lists, where that was asked for."""

    def messages(self, key: str) -> list[dict[str, Any]]:
        """Returns the messages of a session."""
        found: list[dict[str, Any]] = self.sessions[key]["messages"]
        return found

    def sent(self, key: str) -> list[dict[str, Any]]:
        """Returns the messages of a session that it would send to a model."""
        found: list[dict[str, Any]] = self.sessions[key]["sent"]
        return found

    def pointer(self, key: str) -> int:
        """Returns how many of them are consolidated."""
        return int(self.sessions[key]["last_consolidated"])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the person's folder, also this process's."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    return home


def installed(name: str, version: str) -> Path | None:
    """Returns where a peer is, None where it could not be installed."""
    folder = _FOLDER / f"{name}-{version}"
    return folder if (folder / "installed").exists() else None


def require(name: str, version: str) -> Path:
    """Returns where a peer is; the test fails where it was not installed."""
    folder = installed(name, version)
    if folder is None:
        pytest.fail(f"{name} {version} is not installed: packaging/setup test installs it")
    return folder


def interpreter(name: str) -> Path:
    """Returns the Python of the environment in which the newest of a peer is installed with all it needs."""
    python = _FOLDER.parents[1] / f".venv-{name}" / "bin" / "python"
    if not python.exists():
        pytest.fail(f"{name} is not installed with what it needs: packaging/setup test installs it")
    return python


def read_by_nanobot(version: str, workspaces: Iterable[Path], scratch: Path, *keys: str) -> list[Read]:
    """Returns what this version reads from each workspace: from a copy beneath `scratch`, for reading may change
    files."""
    asked = []
    for number, workspace in enumerate(workspaces):
        copy = scratch / str(number)
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(workspace, copy, symlinks=True)
        asked.append(json.dumps([str(copy), *keys]) + "\n")
    return [Read(**each) for each in _ask(version, asked, scratch)]


def restored_by_qanot(workspace: Path, home: Path) -> list[str]:
    """Returns the words that qanot 2.0.4 has in its history after a restart."""
    asked = {"workspace": str(workspace), "restore": True}
    (printed,) = _run(require("qanot", "2.0.4"), _QANOT, [json.dumps(asked) + "\n"], home)
    return [str(each["content"]) for each in printed["restored"]]


def talked_in_nanobot(version: str, workspace: Path, home: Path, said: dict[str, list[str]]) -> Read:
    """Returns what this version has of conversations after it said this in each, where it keeps them itself.

    `home` is the person's folder. 0.3.5 is started with all it needs: it keeps conversations under a lock of its own.
    """
    asked = [json.dumps({"workspace": str(workspace), "talk": said}) + "\n"]
    if version != "0.3.5":
        return Read(**_ask(version, asked, home)[0])
    python = interpreter("nanobot")
    (packages,) = python.parents[1].glob("lib/python*/site-packages")
    return Read(**_run(packages, _CHILD, asked, home, str(python))[0])


def journal_of_nanobot(version: str, workspace: Path, home: Path, *entries: str) -> dict[str, Any]:
    """Returns what this version says of the journal of a workspace, in the workspace itself, after it added `entries`.

    `given`: their numbers; `entries`: all there are; `dream_cursor`; `files`: SOUL.md, USER.md and MEMORY.md.
    """
    (printed,) = _ask(version, [json.dumps({"workspace": str(workspace), "append": entries}) + "\n"], home)
    return printed


def used_by_qanot(
    workspace: Path, home: Path, *, turns: Iterable[tuple[str, str]] = (), queries: Iterable[str] = ()
) -> dict[str, list[dict[str, Any]]]:
    """Lets qanot 2.0.4 note these exchanges in a workspace, then search it: what it finds for each query."""
    asked = {"workspace": str(workspace), "turns": list(turns), "queries": list(queries)}
    (found,) = _run(require("qanot", "2.0.4"), _QANOT, [json.dumps(asked) + "\n"], home)
    return found


def prompt_of_qanot(workspace: Path, home: Path) -> str:
    """Returns the system prompt that qanot 2.0.4 makes of a workspace."""
    asked = {"workspace": str(workspace), "prompt": True}
    (printed,) = _run(require("qanot", "2.0.4"), _QANOT, [json.dumps(asked) + "\n"], home)
    return str(printed["prompt"])


def _ask(version: str, asked: Iterable[str], home: Path) -> list[dict[str, Any]]:
    return _run(require("nanobot-ai", version), _CHILD, asked, home)


def _run(
    folder: Path, child: Path, asked: Iterable[str], home: Path, python: str = sys.executable
) -> list[dict[str, Any]]:
    surroundings = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"} | {"HOME": str(home)}
    command = [python, "-W", "ignore", str(child), str(folder)]
    done = subprocess.run(
        command, input="".join(asked), capture_output=True, text=True, env=surroundings, timeout=_SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    return [json.loads(line) for line in done.stdout.splitlines()]
