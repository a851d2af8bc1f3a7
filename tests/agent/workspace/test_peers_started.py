"""nanobot 0.3.5 and Qanot 2.0.4 with all they need, started on a workspace that was used here, and used here again."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.cli.audit import audit
from mnemoscope.domain.settings import THREE_TIER
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.memory.memory_file import move_to_root
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.nanobot_home import nanobot_home
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import create_workspace
from tests.support.agent_bench import KEY, make_bench
from tests.support.loopback_server import Answer, LoopbackServer
from tests.support.peers import home, interpreter
from tests.support.scripted_provider import says

__all__ = ["home"]

pytestmark = pytest.mark.slow
SECONDS = 600
QANOT = Path(__file__).parents[2] / "support" / "qanot_started.py"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    create_workspace(root, template=shipped("resources", "blank"))
    return root


def started(command: list[str], home: Path, folder: Path) -> str:
    """Returns what a program prints that is started with nothing of this process's surroundings but what it needs."""
    around = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "NO_PROXY": "127.0.0.1"}
    done = subprocess.run(command, cwd=folder, env=around, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-3_000:]
    return done.stdout


def nanobot(home: Path, root: Path, server: LoopbackServer, words: str, key: str) -> str:
    """nanobot's own agent, started on a workspace, asked one thing in a conversation."""
    model = {"workspace": str(root), "model": "scripted", "provider": "custom"}
    keys = {"custom": {"apiKey": "none", "apiBase": server.base_url}}
    (home / ".nanobot").mkdir(exist_ok=True)
    (home / ".nanobot" / "config.json").write_text(json.dumps({"agents": {"defaults": model}, "providers": keys}))
    program = str(interpreter("nanobot").with_name("nanobot"))
    return started([program, "agent", "--classic", "--no-markdown", "-s", key, "-m", words], home, root)


def qanot(home: Path, root: Path, server: LoopbackServer, words: str, user: str = "7") -> str:
    """Qanot's own agent, started on a workspace, asked one thing."""
    model = {"name": "main", "provider": "openai", "model": "scripted", "api_key": "none", "base_url": server.base_url}
    config = home / "qanot.json"
    folders = {"workspace_dir": str(root), "sessions_dir": str(root / "sessions")}
    more = {"bot_token": "1:none", "cron_dir": str(home / "cron"), "plugins_dir": str(home / "plugins")}
    config.write_text(json.dumps({"providers": [model], "rag_enabled": False, **folders, **more}))
    said = started([str(interpreter("qanot")), str(QANOT), str(config), user, words], home, root)
    return str(json.loads(said.splitlines()[-1]))


def sent(body: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Role and words of what a model was sent."""
    return [(str(each["role"]), _words(each.get("content"))) for each in body["messages"]]


def _words(content: object) -> str:
    return " ".join(str(block.get("text")) for block in content) if isinstance(content, list) else str(content)


async def talked(root: Path, *words: str, **settings: Any) -> None:
    bench = make_bench(root, *(says(f"Answer {number}.") for number in range(9)), real_memory=True, **settings)
    for each in words:
        await bench.loop.process(KEY, each)


async def test_nanobot_goes_on_with_a_conversation_begun_here_and_back(root: Path, home: Path, is_long: bool) -> None:
    with LoopbackServer(otherwise=Answer("From nanobot.")) as server:
        nanobot(home, root, server, "Good morning", "cli:direct")
        # From now on it keeps conversations of this workspace, and reads those whose name it knows.
        await talked(root, "Remember that the kiln opens at nine")
        assert "From nanobot." in nanobot(home, root, server, "When does it open?", KEY)
        words = sent(server.asked[-1].body)
    assert ("user", "Remember that the kiln opens at nine") in words
    assert ("assistant", "Answer 0.") in words
    assert "When does it open?" in words[-1][1]
    assert "the kiln opens at nine" in words[0][1], "what was captured is in its prompt"
    session = SessionManager(root).load(KEY)
    assert session is not None
    assert [message["content"] for message in session.messages if message["role"] == "assistant"] == [
        "Answer 0.",
        "From nanobot.",
    ]
    await talked(root, "And thank you")
    found = nanobot_home(root)
    assert found is not None
    assert not list((root / "sessions").glob("*.jsonl"))
    if is_long:
        with LoopbackServer(otherwise=Answer("Welcome.")) as server:
            nanobot(home, root, server, "Bye", KEY)
            assert ("user", "And thank you") in sent(server.asked[-1].body)
    report = audit(root)
    assert {each.key for each in report.sessions} == {KEY, "cli:direct"}
    assert not report.is_damaged


async def test_what_nanobot_moved_at_its_start_goes_on_here(root: Path, home: Path) -> None:
    await talked(root, "My name is Bobur")
    with LoopbackServer(otherwise=Answer("From nanobot.")) as server:
        nanobot(home, root, server, "Good morning", "cli:direct")
    await talked(root, "And I like tea")
    manager = SessionManager(root)
    session = manager.load(KEY)
    assert session is not None
    said = [message["content"] for message in session.messages]
    assert said == ["My name is Bobur", "Answer 0.", "And I like tea", "Answer 0."]
    assert any("nanobot moved this conversation" in sentence for sentence in manager.health.complaints(KEY))


async def test_qanot_starts_on_a_workspace_used_here_and_remembers_what_was_captured(root: Path, home: Path) -> None:
    assert move_to_root(WorkspacePaths(root))
    await talked(root, "My name is Bobur", "Let's go with PostgreSQL", profile=THREE_TIER, time_zone="UTC")
    with LoopbackServer(otherwise=Answer("From Qanot.")) as server:
        assert qanot(home, root, server, "I prefer tea") == "From Qanot."
        words = sent(server.asked[-1].body)
    assert "My name is Bobur" in words[0][1]
    assert "Let's go with PostgreSQL" in words[0][1]
    assert words[-1][0] == "user"
    assert words[-1][1].startswith("I prefer tea")
    manager = SessionManager(root)
    theirs = [each for each in manager.overviews() if each.key != KEY]
    assert [each.title for each in theirs] == ["I prefer tea"]
    assert "I prefer tea" in (root / "SESSION-STATE.md").read_text(encoding="utf-8")
    assert not audit(root).is_damaged
