"""The audit of another agent's store: the same keys as of a workspace, and nothing of the store is touched."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.cli.audit import main
from mnemoscope.agent.cli.audit_report import audit_as_json
from mnemoscope.agent.cli.audit_text import audit_text
from mnemoscope.agent.cli.foreign_audit import audit_store
from mnemoscope.domain.foreign.foreign_records import ForeignConversation
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.foreign.agents.codex import CodexStore
from mnemoscope.store.workspace.workspace import create_workspace
from tests.foreign_stores import codex, notes
from tests.foreign_stores.git_memory import GitMemory
from tests.foreign_stores.hashes import hashes_of


def run(root: Path, *options: str) -> tuple[int, str]:
    out = io.StringIO()
    code = main([str(root), *options], out)
    return code, out.getvalue()


def audited(root: Path, *options: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(root, "--json", *options)[1])
    return found


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return codex.make_store(tmp_path / ".codex")


def test_a_store_is_told_with_the_keys_of_a_workspace(store: Path, tmp_path: Path) -> None:
    found = audited(store)
    assert (found["store"], found["kind"], found["workspace"]) == ("codex", "store", str(store))
    assert (found["damaged"], found["problems"], found["unknown_records"]) == (False, [], 0)
    (archived,) = [each for each in found["sessions"] if each["role"] == "archive"]
    (shop,) = [each for each in found["sessions"] if each["role"] == "main"]
    assert (shop["key"], shop["title"], shop["messages"]) == (codex.ID, "The shop", 10)
    assert (shop["last_consolidated"], shop["branches"], shop["compactions"]) == (4, 0, 1)
    assert (archived["title"], archived["messages"]) == ("Second thing", 2)
    summary = next(each for each in found["memory_files"] if each["role"] == "summary")
    assert summary == {
        "path": "memories/memory_summary.md",
        "role": "summary",
        "entries": 2,
        "characters": 53,
        "loaded_characters": 53,
    }
    (tmp_path / "own").mkdir()
    create_workspace(tmp_path / "own" / "w", template=shipped("resources", "blank"))
    assert set(audited(tmp_path / "own" / "w")) == set(found)


def test_a_folder_within_a_store_is_the_store(store: Path) -> None:
    assert audited(store / "memories") == audited(store)


def test_the_text_says_the_same(store: Path) -> None:
    rollout = codex.Rollout(store, id="odd", start=codex.START.replace(day=7)).meta().says("a").line("new", {})
    rollout.says("b").event("thread_rolled_back", num_turns=1).says("c").write()
    code, text = run(store, "--lines")
    assert code == 0
    assert text.startswith(f"Store       {store}\n            codex, read and never written to\n")
    assert "Memory      8 files, 86 characters of them are in a prompt" in text
    assert "Not known   1 record of a type that this version does not know" in text
    assert "The shop                                        10             4" in text
    assert "memories/memory_summary.md                    summary                 2          53           53" in text
    assert "Lines of AGENTS.md" in text
    assert text.endswith("Nothing is damaged.\n")


def test_damage_in_a_store_is_told_with_exit_code_1(store: Path) -> None:
    path = next((store / "sessions").rglob("*.jsonl"))
    path.write_bytes(path.read_bytes() + b'{"cut')
    code, text = run(store)
    assert code == 1
    assert "damaged: The last line is not whole: 5 bytes." in text
    (damaged,) = [each for each in audited(store)["sessions"] if each["damage"]]
    assert damaged["messages"] == 10
    (store / "memories" / "out.md").symlink_to("/etc/hostname")
    assert "Problem     memories/out.md is a link out of the store" in run(store)[1]


def test_a_conversation_that_goes_while_it_is_looked_at_is_told(store: Path) -> None:
    class Going(CodexStore):
        """A store of which each conversation goes when it is listed."""

        def conversations(self) -> Sequence[ForeignConversation]:
            listed = super().conversations()
            for each in self.root.rglob("rollout-*"):
                each.unlink()
            return listed

    found = audit_store(Going(store))
    assert found.is_damaged
    problems = [each.problem for each in found.sessions]
    assert len(problems) == 2
    assert all(problems)
    assert audit_text(audit_as_json(found)).count(f"could not be read: {problems[0]}") == 2


def test_a_workspace_of_ours_stays_ours_whatever_else_lies_in_it(store: Path) -> None:
    (store / ".mnemoscope").mkdir()
    assert audited(store)["store"] == "mnemoscope"


def test_what_only_nanobot_or_qanot_write_makes_a_folder_theirs(store: Path) -> None:
    (store / "SOUL.md").write_text("- calm\n")
    assert audited(store)["store"] == "codex"
    (store / "memory").mkdir()
    (store / "memory" / "HISTORY.md").write_text("[2026-03-06 14:20] Ordered clay.\n\n")
    assert audited(store)["store"] == "nanobot"


def test_nothing_in_the_store_is_touched(store: Path) -> None:
    before = hashes_of(store.parent)
    run(store, "--json", "--lines")
    run(store)
    assert hashes_of(store.parent) == before


@pytest.mark.parametrize(
    ("make", "name", "entries", "unknown"),
    [
        (notes.make_letta, "letta", 8, 0),
        (notes.make_basic_memory, "basic-memory", 6, 0),
        (notes.make_mcp_memory, "mcp-memory", 3, 1),
    ],
)
def test_memory_without_conversations(
    tmp_path: Path, make: Callable[[Path], Path], name: str, entries: int, unknown: int
) -> None:
    root = make(tmp_path / "store")
    if unknown:
        with (root / "memory.jsonl").open("a") as file:
            file.write('{"type": "hologram"}\n')
    before = hashes_of(root)
    found = audited(root, "--lines")
    assert (found["store"], found["sessions"], found["damaged"]) == (name, [], False)
    assert sum(each["entries"] for each in found["memory_files"]) == entries
    assert found["unknown_records"] == unknown
    assert len(found["lines"]) == sum(
        len((root / each["path"]).read_text().splitlines()) for each in found["memory_files"] if each["characters"]
    )
    assert hashes_of(root) == before


def test_each_line_of_a_store_leads_to_the_person_s_message(store: Path) -> None:
    lines = [each for each in audited(store, "--lines")["lines"] if each["path"].endswith("glaze.md")]
    said = {"session": codex.ID, "message_text": "Remember: celadon needs 1222 degrees", "outside": False}
    nobody = {"session": "", "message_text": "", "outside": True}
    assert [{name: each[name] for name in said} for each in lines] == [said, said, nobody]
    assert [(each["line"], each["text"]) for each in lines][2] == (3, "- by hand")
    text = run(store, "--lines")[1]
    assert f"{codex.ID}: Remember: celadon needs 1222 degrees" in text
    assert "from outside: no conversation wrote it" in text


def test_a_line_that_no_conversation_wrote_names_the_commit_it_came_with(tmp_path: Path) -> None:
    memory = GitMemory(tmp_path / "memory")
    commit = memory.commit("fix: works at the pottery", {"system/human.md": "- Has a kiln\n"})
    (memory.root / "system" / "human.md").write_text("- Has a kiln\n- by hand\n")
    before = hashes_of(tmp_path)
    lines = audited(memory.root, "--lines")["lines"]
    assert [(each["text"], each["outside"], each["session"], each["commit"]) for each in lines] == [
        ("- Has a kiln", True, "", f"{commit[:8]} fix: works at the pottery"),
        ("- by hand", True, "", ""),
    ]
    assert f"from outside, with the commit {commit[:8]} fix: works at the pottery" in run(memory.root, "--lines")[1]
    assert hashes_of(tmp_path) == before


@pytest.mark.parametrize("name", [".nanobot", "copy"])
def test_of_nanobot_s_own_folder_the_workspace_in_it_is_looked_at(tmp_path: Path, name: str) -> None:
    home = tmp_path / name
    (home / "workspace" / "memory").mkdir(parents=True)
    (home / "config.json").write_text("{}")
    (home / "workspace" / "SOUL.md").write_text("Calm.\n")
    (home / "workspace" / "memory" / "MEMORY.md").write_text("- tea\n")
    assert main([str(home)]) == 2
    (home / "workspace" / "memory" / "HISTORY.md").write_text("[2026-03-06 14:20] Ordered clay.\n\n")
    found = audited(home)
    assert (found["store"], found["workspace"]) == ("nanobot", str(home / "workspace"))
