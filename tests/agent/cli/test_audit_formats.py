"""Each format is told by its own folder, whatever the others look like, and the audit of none of them touches it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.cli.audit import main
from tests.foreign_stores import claude_code, codex, notes
from tests.foreign_stores.hashes import hashes_of
from tests.foreign_stores.hermes import HermesHome
from tests.foreign_stores.openclaw import OpenClawState

KEYS = {"key", "title", "messages", "last_consolidated", "branches", "compactions", "role"}
FILE_KEYS = {"path", "role", "entries", "characters", "loaded_characters"}
LINE_KEYS = {"path", "line", "text", "session", "message_text", "outside", "unknown", "commit", "by_person"}


def claude_code_store(root: Path) -> Path:
    return claude_code.sample_store(root / ".claude")


def codex_store(root: Path) -> Path:
    return codex.make_store(root / ".codex")


def hermes_store(root: Path) -> Path:
    home = HermesHome(root / ".hermes")
    home.memory("Runs a pottery", "Likes tea")
    home.say(home.session("s1", title="Shop"), "user", "Hello")
    home.close()
    return home.root


def openclaw_store(root: Path) -> Path:
    state = OpenClawState(root / ".openclaw")
    state.config({})
    for name in ("AGENTS.md", "SOUL.md", "MEMORY.md", "memory/2026-10-05.md"):
        state.memory(name, "- one\n")
    return state.root


MAKERS: dict[str, Callable[[Path], Path]] = {
    "claude-code": claude_code_store,
    "codex": codex_store,
    "hermes": hermes_store,
    "openclaw": openclaw_store,
    "letta": lambda root: notes.make_letta(root / "memory"),
    "basic-memory": lambda root: notes.make_basic_memory(root / "notes"),
    "mcp-memory": lambda root: notes.make_mcp_memory(root / "server"),
}


def audited(root: Path) -> dict[str, Any]:
    out = io.StringIO()
    assert main([str(root), "--json", "--lines"], out) == 0
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


@pytest.mark.parametrize(("name", "make"), MAKERS.items())
def test_each_store_is_known_for_what_it_is(tmp_path: Path, name: str, make: Callable[[Path], Path]) -> None:
    root = make(tmp_path)
    before = hashes_of(tmp_path)
    found = audited(root)
    assert (found["store"], found["kind"], found["workspace"]) == (name, "store", str(root))
    assert found["memory_files"]
    assert all(set(each) == FILE_KEYS for each in found["memory_files"])
    assert all(set(each) >= KEYS for each in found["sessions"])
    assert all(set(each) == LINE_KEYS for each in found["lines"])
    assert {each["path"] for each in found["lines"]} <= {each["path"] for each in found["memory_files"]}
    assert hashes_of(tmp_path) == before


def test_a_workspace_of_openclaw_is_not_taken_for_qanot_s_and_qanot_s_not_for_openclaw_s(tmp_path: Path) -> None:
    workspace = openclaw_store(tmp_path) / "workspace"
    assert audited(workspace)["store"] == "openclaw"
    (workspace / "sessions").mkdir()
    said = {"type": "message", "id": "1", "timestamp": "2026-03-06T14:20:00Z"}
    line = json.dumps(said | {"message": {"role": "user", "content": "Hello"}})
    (workspace / "sessions" / "2026-03-06.jsonl").write_text(f"{line}\n")
    assert audited(workspace)["store"] == "qanot"
