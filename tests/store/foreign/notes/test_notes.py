"""Letta's, basic-memory's and the reference server's memory: files, entries, what is loaded, and nothing written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.foreign_store import CountsUnknownEntries
from mnemoscope.store.foreign.notes.basic_memory import BasicMemoryStore
from mnemoscope.store.foreign.notes.letta import LettaStore
from mnemoscope.store.foreign.notes.mcp_memory import McpMemoryStore
from mnemoscope.store.foreign.notes.memory_only import MemoryOnlyStore
from mnemoscope.store.foreign.store_formats import open_store, usual_stores
from tests.foreign_stores.git_memory import GitMemory
from tests.foreign_stores.hashes import hashes_of
from tests.foreign_stores.notes import make_basic_memory, make_letta, make_mcp_memory, written

MAKERS = {"letta": make_letta, "basic-memory": make_basic_memory, "mcp-memory": make_mcp_memory}


def notes_of(store: MemoryOnlyStore) -> dict[str, tuple[str, int, int]]:
    return {each.path: (each.role, each.entries, each.loaded_characters) for each in store.memory_files()}


@pytest.mark.parametrize(("name", "make"), MAKERS.items())
def test_a_folder_is_known_and_has_no_conversations(tmp_path: Path, name: str, make: Callable[[Path], Path]) -> None:
    root = make(tmp_path / "store")
    before = hashes_of(tmp_path)
    store = open_store(root)
    assert store is not None
    assert (store.format_name, store.root) == (name, root)
    assert (list(store.conversations()), list(store.edits())) == ([], [])
    assert store.memory_files()
    assert store.problems() == []
    for ask in (store.open, lambda each: store.newest(each, 3)):
        with pytest.raises(StorageError):
            ask("any")
    store.close()
    assert hashes_of(tmp_path) == before


def test_folders_of_other_kinds_are_none(tmp_path: Path) -> None:
    written(tmp_path / "source", {"README.md": "# A\n", "docs/a.md": "---\ntitle: A\n---\n- b\n", "a.jsonl": "{}\n"})
    written(tmp_path / "system", {"system/a.md": "- a\n"})
    site = {"index.md": "---\npermalink: /about/\n---\n", "a.md": "---\nlayout: post\npermalink: a\n---\n"}
    written(tmp_path / "site", site)
    for folder in (
        tmp_path / "site",
        tmp_path / "source",
        tmp_path / "system",
        tmp_path / "nowhere",
        tmp_path / "source" / "README.md",
    ):
        assert open_store(folder) is None


def test_of_letta_what_is_in_system_is_loaded_and_every_file_is_listed(tmp_path: Path) -> None:
    root = make_letta(tmp_path / "memory")
    human, shop = (len((root / "system" / name).read_text()) for name in ("human.md", "project/shop.md"))
    assert notes_of(LettaStore(root)) == {
        "system/human.md": ("memory", 2, human),
        "system/project/shop.md": ("memory", 1, shop),
        "data/stock.csv": ("file", 1, 0),
        "notes.md": ("topic", 1, 0),
        "reference/glazes.md": ("reference", 1, 0),
        "skills/firing/SKILL.md": ("instructions", 2, 0),
        "system/logo.png": ("file", 0, 0),
    }


def test_letta_is_found_from_its_agents_down(tmp_path: Path) -> None:
    home = tmp_path / ".letta"
    for agent in ("agent-1", "agent-2"):
        make_letta(home / "agents" / agent / "memory")
    found = {kind.name: root for kind, root in usual_stores(tmp_path, {})}
    assert found["letta"] == home
    assert {each.path.split("/")[1] for each in LettaStore(home).memory_files()} == {"agent-1", "agent-2"}
    memory = home / "agents" / "agent-1" / "memory"
    for folder in (memory, memory / "system", memory.parent):
        store = open_store(folder)
        assert store is not None
        assert store.root == memory
    given_place = {kind.name: root for kind, root in usual_stores(tmp_path / "no", {"MEMORY_DIR": str(memory)})}
    assert given_place["letta"] == memory


def test_of_letta_each_agent_s_commits_are_told(tmp_path: Path) -> None:
    home = tmp_path / ".letta"
    for agent in ("agent-1", "agent-2"):
        memory = GitMemory(home / "agents" / agent / "memory")
        memory.commit(f"begin {agent}", {"system/human.md": "- tea\n"})
    memory.commit("add", {"system/human.md": "- tea\n- cake\n", "notes.md": "n\n"})
    before = hashes_of(tmp_path)
    store = LettaStore(home)
    path = "agents/{}/memory/system/human.md".format
    assert [each.subject for each in store.commits(path("agent-1"))] == ["begin agent-1"]
    assert [each.subject for each in store.commits(path("agent-2"))] == ["begin agent-2", "add"]
    assert list(store.commits("other.md")) == []
    store.close()
    one = LettaStore(memory.root)
    assert [each.subject for each in one.commits("notes.md")] == ["add"]
    one.close()
    assert (hashes_of(tmp_path), store.problems(), one.problems()) == (before, [], [])


def test_of_basic_memory_observations_and_relations_are_counted(tmp_path: Path) -> None:
    root = make_basic_memory(tmp_path / "basic-memory")
    assert notes_of(BasicMemoryStore(root)) == {
        "Coffee.md": ("guide", 5, 0),
        "drinks/Tea.md": ("note", 1, 0),
        "plain.md": ("note", 0, 0),
    }
    assert ("basic-memory", root) in [(kind.name, place) for kind, place in usual_stores(tmp_path, {})]
    elsewhere = {kind.name: place for kind, place in usual_stores(tmp_path / "no", {"BASIC_MEMORY_HOME": str(root)})}
    assert elsewhere["basic-memory"] == root


def test_a_note_without_a_permalink_counts_by_what_is_in_it(tmp_path: Path) -> None:
    written(tmp_path, {"a.md": "---\ntitle: A\ntype: note\n---\n- [fact] yes\n"})
    store = open_store(tmp_path)
    assert store is not None
    assert store.format_name == "basic-memory"


def test_of_the_server_s_file_observations_and_relations_are_counted(tmp_path: Path) -> None:
    root = make_mcp_memory(tmp_path / "memory")
    assert notes_of(McpMemoryStore(root)) == {"memory.jsonl": ("memory", 3, 0)}
    other = make_mcp_memory(tmp_path / "other", "graph.jsonl")
    for place in (other, other / "graph.jsonl"):
        store = open_store(place)
        assert isinstance(store, McpMemoryStore)
        assert (store.root, list(notes_of(store))) == (other, ["graph.jsonl"])
    env = {"MEMORY_FILE_PATH": str(other / "graph.jsonl")}
    assert ("mcp-memory", other / "graph.jsonl") in [(kind.name, root) for kind, root in usual_stores(tmp_path, env)]


def test_of_the_server_s_file_damage_and_unknown_lines_are_told(tmp_path: Path) -> None:
    path = make_mcp_memory(tmp_path) / "memory.jsonl"
    with path.open("a") as file:
        file.write('\n{"type": "hologram"}\n{"type": "entity", "observations": 7}\n{cut\n[1]\n')
    store = McpMemoryStore(tmp_path)
    assert store.memory_files()[0].entries == 3
    assert isinstance(store, CountsUnknownEntries)
    assert store.unknown_entries() == 1
    assert store.problems() == [
        "memory.jsonl: line 7 is no valid JSON.",
        "memory.jsonl: line 8 is no JSON object.",
    ]
    path.unlink()
    assert list(store.memory_files()) == []
    assert open_store(tmp_path) is None


def test_the_server_s_file_is_known_whichever_line_is_damaged(tmp_path: Path) -> None:
    path = make_mcp_memory(tmp_path) / "memory.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    for at in range(len(lines)):
        path.write_text("\n".join([*lines[:at], "{cut", *lines[at + 1 :]]), encoding="utf-8")
        store = open_store(tmp_path)
        assert store is not None
        assert store.format_name == "mcp-memory"
        assert store.memory_files()
        assert len(store.problems()) == 1
    long = '{"type":"entity","name":"a","entityType":"b","observations":["' + "x" * 100_000
    for text, count in ((long + '"]}', 1), (long, 0)):
        path.write_text(text, encoding="utf-8")
        other = open_store(tmp_path)
        assert isinstance(other, McpMemoryStore)
        assert (other.memory_files()[0].entries, len(other.problems())) == (count, 1 - count)


def test_front_matter_that_cannot_be_read_is_told_and_the_note_shown(tmp_path: Path) -> None:
    bomb = "---\na: &x [1]\nb: [*x, *x]\n---\n- [fact] still here\n"
    root = make_basic_memory(tmp_path / "notes")
    (root / "bomb.md").write_text(bomb)
    store = BasicMemoryStore(root)
    assert notes_of(store)["bomb.md"] == ("note", 1, 0)
    assert store.problems() == ["bomb.md: its front matter is no plain YAML."]
    memory = make_letta(tmp_path / "memory")
    (memory / "system" / "bomb.md").write_text(bomb)
    other = LettaStore(memory)
    assert notes_of(other)["system/bomb.md"] == ("memory", 1, len(bomb))
    assert other.problems() == ["system/bomb.md: its front matter is no plain YAML."]


def test_links_out_of_a_store_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "secret.bin").write_bytes(b"\0secret")
    for make, kind in ((make_letta, LettaStore), (make_basic_memory, BasicMemoryStore)):
        root = make(tmp_path / kind.format_name)
        (root / "link.md").symlink_to(tmp_path / "secret.md")
        (root / "link.bin").symlink_to(tmp_path / "secret.bin")
        (root / "dangling.md").symlink_to(root / "nowhere")
        store = kind(root)
        assert not any("secret" in each.text or "link" in each.path for each in store.memory_files())
        assert all("link out of the store" in sentence for sentence in store.problems())


# It takes no branch that no other test takes.
@pytest.mark.no_cover
@pytest.mark.parametrize("make", MAKERS.values())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=60), place=st.integers(0, 400))
def test_no_bytes_make_it_fail(tmp_path: Path, make: Callable[[Path], Path], data: bytes, place: int) -> None:
    root = tmp_path / "store"
    if not root.exists():
        make(root)
    for path in [*root.rglob("*.md"), *root.rglob("*.jsonl")]:
        sound = path.read_bytes()
        path.write_bytes(sound[:place] + data + sound[place + len(data) :])
        for store in (LettaStore(root), BasicMemoryStore(root), McpMemoryStore(root)):
            store.memory_files()
            store.problems()
        open_store(root)
        path.write_bytes(sound)


def test_a_server_that_remembers_nothing_any_more_is_known_by_its_file(tmp_path: Path) -> None:
    written(tmp_path, {"mcp/memory.jsonl": "", "logs/events.jsonl": ""})
    store = open_store(tmp_path / "mcp")
    assert store is not None
    assert [(each.path, each.text, each.entries) for each in store.memory_files()] == [("memory.jsonl", "", 0)]
    assert (store.format_name, store.problems()) == ("mcp-memory", [])
    store.close()
    assert open_store(tmp_path / "logs") is None
