"""The sample workspace tells a whole story, and nobody wrote it by hand."""

from __future__ import annotations

import filecmp
import json
import runpy
import shutil
from pathlib import Path

import pytest

from mnemoscope.bootstrap import open_core
from mnemoscope.domain.capture.file_changes import SECTION
from mnemoscope.domain.capture.record import KEPT, REFUSED
from mnemoscope.domain.consolidation.planning import is_due
from mnemoscope.domain.conversation.history_selection import select_history
from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.history_entries import split_entries
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.settings_store import SettingsStore
from mnemoscope.store.workspace.workspace import inspect_workspace

ROOT = shipped("workspace")
SHOP = "desktop:20261005-191200-a41c9e"
MAKER = Path(__file__).parents[3] / "packaging" / "make-sample"


def files_in(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


@pytest.mark.skipif(not MAKER.exists(), reason="only a checkout has the stories")
async def test_it_is_what_its_stories_give_byte_for_byte(tmp_path: Path) -> None:
    await runpy.run_path(str(MAKER))["make"](tmp_path / "made")
    made = tmp_path / "made"
    assert files_in(ROOT) == files_in(made)
    # The ledger's files may gain fields with time; what they say stays.
    assert Ledger(WorkspacePaths(ROOT)).records() == Ledger(WorkspacePaths(made)).records()
    names = [name for name in files_in(ROOT) if "/ledger/" not in name]
    assert filecmp.cmpfiles(ROOT, made, names, shallow=False) == (names, [], [])


def test_it_is_a_workspace_with_nothing_left_over() -> None:
    assert inspect_workspace(ROOT).kind == "workspace"
    assert inspect_workspace(ROOT).profile == "two-layer"
    names = files_in(ROOT)
    assert not [
        name for name in names if "workspace-id" in name or name.endswith((".mnemo-tmp", "lock", "intent.json"))
    ]
    store = SettingsStore(WorkspacePaths(ROOT), read_only=True)
    assert store.load().model == "offline"
    assert store.complaints == []


def test_its_long_conversation_is_settled_half_way_and_not_due() -> None:
    sessions = SessionManager(ROOT, read_only=True)
    overviews = sessions.overviews()
    assert len(overviews) == 5
    assert all(each.title and each.count for each in overviews)
    session = sessions.load(SHOP)
    assert session is not None
    assert (len(session.messages), session.last_consolidated) == (163, 85)
    assert not is_due(163, 85, 100)
    assert sessions.health.damage(SHOP) == []
    assert all(select_history(session.messages, 0).reason(index) is None for index in range(163))


def test_each_settled_message_belongs_to_an_entry_of_the_history() -> None:
    sessions = SessionManager(ROOT, read_only=True)
    memory = MemoryStore(ROOT, sessions=sessions, read_only=True)
    session = sessions.load(SHOP)
    assert session is not None
    records = memory.records(session)
    assert [(each.start, each.stop, each.inferred) for each in records] == [(0, 35, False), (35, 85, False)]
    entries = split_entries((ROOT / "memory" / "HISTORY.md").read_text(encoding="utf-8"))
    assert len(entries) == 6
    assert all(record.entry in entries for record in records)
    assert all(record.facts_added and record.memory_changed for record in records)


def test_its_messages_hold_code_a_table_tool_calls_and_a_refusal() -> None:
    lines = next((ROOT / "sessions").glob("desktop_20261005*.jsonl")).read_text(encoding="utf-8").splitlines()
    messages = [message for message in map(json.loads, lines) if "role" in message]
    text = "\n".join(message["content"] or "" for message in messages)
    assert "```python" in text
    assert "| code | piece | glaze |" in text
    assert {message["name"] for message in messages if message["role"] == "tool"} == {
        "write_file", "edit_file", "read_file", "search_memory", "exec",
    }  # fmt: skip
    assert [message["content"][:8] for message in messages if message.get("name") == "exec"] == ["Not run:"]


def test_nothing_in_it_is_announced_as_another_programs_change() -> None:
    kinds = [change.origin.kind for change in MemoryStore(ROOT, read_only=True).editing.changes()]
    assert "editor" in kinds
    assert "outside" not in kinds


async def test_what_each_consolidation_wrote_to_memory_can_be_taken_back(tmp_path: Path) -> None:
    root = tmp_path / "sample"
    shutil.copytree(ROOT, root)
    sessions = SessionManager(root)
    memory = MemoryStore(root, sessions=sessions)
    session = sessions.load(SHOP)
    assert session is not None
    entries = {change.id: change.entry for change in memory.editing.changes()}
    for record in reversed(memory.records(session)):
        assert entries[record.transaction_id].strip() == record.entry.strip()
        saved = await memory.editing.undo_change(record.transaction_id)
        assert not saved.conflicts
        assert not [fact for fact in record.facts_added if f"- {fact}" in saved.text]


async def test_a_fresh_copy_has_versions_authors_and_a_past_without_a_change(tmp_path: Path) -> None:
    root = tmp_path / "sample"
    shutil.copytree(ROOT, root)
    core = open_core(root)
    await core.bench.recover()
    await core.bench.commits.kept()
    versions = await core.bench.commits.page(MEMORY_PATH)
    assert {each.author for each in versions} >= {"Consolidation", "You"}
    owners = {line.commit.author for line in await core.bench.commits.blame(MEMORY_PATH)}
    assert owners >= {"Consolidation", "You"}
    assert len(await core.bench.commits.moments()) == 10
    await core.bench.close()


async def test_what_was_captured_in_it_stands_in_memory_and_can_be_taken_back(tmp_path: Path) -> None:
    root = tmp_path / "sample"
    shutil.copytree(ROOT, root)
    before = (root / "memory" / "MEMORY.md").read_text(encoding="utf-8")
    memory = MemoryStore(root)
    records = await memory.captures.log()
    lasting = [each for each in records if each.wrote_memory]
    assert len(lasting) == 2
    changes = {change.id: change.origin.kind for change in memory.editing.changes()}
    for record in lasting:
        assert changes[record.change_id] == "capture"
        assert record.memory_line in before.split("\n")
        await memory.captures.undo(record.id)
    assert memory.read_long_term() == before.partition(f"\n\n{SECTION}")[0] + "\n"
    assert {each.outcome for each in records} == {KEPT, REFUSED}
    assert not [each for each in records if each.known_line]
    sessions = SessionManager(root, read_only=True)
    for record in records:
        session = sessions.load(record.session_key)
        assert session is not None
        assert record.text.rstrip(".") in text_of(session.messages[record.index])
