"""A fact may go where an agent takes facts, and nowhere else; each file says how much of it is loaded."""

from pathlib import Path

import pytest

from mnemoscope.domain.copying.fact_target import FactCopy, FactForm, FactTarget, FileBudget, fact_targets
from mnemoscope.domain.foreign.foreign_records import ForeignMemoryFile

ROOT = Path("/home/ada/store")


def file(path: str, role: str, text: str = "", limit: int = 0) -> ForeignMemoryFile:
    return ForeignMemoryFile(path, role, text, 0, 0, limit=limit)


def offered(store: str, *files: ForeignMemoryFile) -> list[tuple[str, FactForm, FileBudget]]:
    return [(each.path, each.form, each.budget) for each in fact_targets(store, store.title(), ROOT, files)]


def test_claude_code_takes_facts_in_its_index_and_in_its_instructions() -> None:
    index = FileBudget(lines=200, size=25_000)
    assert offered(
        "claude-code",
        file("projects/-home-ada/memory/MEMORY.md", "index"),
        file("memory/MEMORY.md", "index"),
        file("projects/-home-ada/memory/tea.md", "topic"),
        file("CLAUDE.md", "instructions"),
        file("../../CLAUDE.md", "instructions"),
        file("/etc/claude-code/CLAUDE.md", "instructions"),
    ) == [
        ("projects/-home-ada/memory/MEMORY.md", FactForm.BULLET, index),
        ("memory/MEMORY.md", FactForm.BULLET, index),
        ("CLAUDE.md", FactForm.BULLET, FileBudget()),
    ]


def test_codex_takes_a_note_and_never_its_own_memory_file() -> None:
    note = ("memories/extensions/ad_hoc/notes", FactForm.NOTE, FileBudget(is_loaded=False))
    assert offered("codex", file("memories/MEMORY.md", "memory"), file("AGENTS.md", "instructions")) == [note]
    assert offered("codex", file("AGENTS.md", "instructions")) == []


def test_hermes_refuses_what_is_beyond_its_limit_and_writes_behind_a_lock() -> None:
    files = [file("memories/MEMORY.md", "memory", limit=2_200), file("memories/USER.md", "user", limit=1_375)]
    found = fact_targets("hermes", "Hermes Agent", ROOT, [*files, file("SOUL.md", "soul")])
    assert [(each.path, each.budget.characters, each.locks) for each in found] == [
        ("memories/MEMORY.md", 2_200, True),
        ("memories/USER.md", 1_375, True),
    ]
    assert all(each.form is FactForm.SECTION and each.budget.is_strict for each in found)


def test_letta_s_blocks_say_their_limit_and_whether_they_may_be_changed() -> None:
    block = "---\r\ndescription: Ada\r\nlimit: 500\r\nread_only: true\r\n---\r\nlimit: 3\r\n"
    files = [file("system/persona.md", "memory", block), file("reference/tea.md", "reference"), file("a.txt", "file")]
    found = fact_targets("letta", "Letta", ROOT, [*files, file("skills/x/SKILL.md", "instructions")])
    assert [(each.path, each.budget, each.is_read_only) for each in found] == [
        ("system/persona.md", FileBudget(500, is_strict=True), True),
        ("reference/tea.md", FileBudget(is_loaded=False), False),
    ]


@pytest.mark.parametrize(
    ("store", "path", "role", "form", "budget"),
    [
        ("openclaw", "workspace/MEMORY.md", "memory", FactForm.BULLET, FileBudget(characters=20_000)),
        ("openclaw", "workspace/memory.md", "memory", FactForm.BULLET, FileBudget(characters=20_000)),
        ("basic-memory", "people/Ada.md", "note", FactForm.OBSERVATION, FileBudget(is_loaded=False)),
        ("mcp-memory", "memory.jsonl", "memory", FactForm.ENTITY, FileBudget(is_loaded=False)),
        ("nanobot", "memory/MEMORY.md", "memory", FactForm.BULLET, FileBudget()),
        ("qanot", "MEMORY.md", "memory", FactForm.BULLET, FileBudget()),
    ],
)
def test_each_other_store_has_its_form(store: str, path: str, role: str, form: FactForm, budget: FileBudget) -> None:
    assert offered(store, file(path, role), file("workspace/SOUL.md", "soul"))[0] == (path, form, budget)


def test_a_file_outside_of_the_store_is_no_target() -> None:
    for path in ("../MEMORY.md", "/MEMORY.md", "a/../../MEMORY.md", "", "a\0b.md"):
        assert offered("basic-memory", file(path, "note")) == []


def test_a_budget_holds_a_text_or_does_not() -> None:
    assert FileBudget().holds("x" * 99_999)
    assert FileBudget(characters=3).holds("äöü")
    assert not FileBudget(characters=3).holds("äöüx")
    assert FileBudget(size=6).holds("äöü")
    assert not FileBudget(size=5).holds("äöü")
    assert FileBudget(lines=2).holds("a\nb\n")
    assert not FileBudget(lines=2).holds("a\nb\nc\n")


def copy(budget: FileBudget, *, is_read_only: bool = False) -> FactCopy:
    target = FactTarget("letta", "Letta", ROOT, "a.md", FactForm.BULLET, budget, is_read_only=is_read_only)
    return FactCopy(target, "a.md", "b", b"", b"- b\n", "", "- b\n")


def test_a_copy_is_refused_where_the_agent_would_refuse_it_and_said_where_it_is_not_loaded() -> None:
    assert copy(FileBudget(), is_read_only=True).is_refused
    assert copy(FileBudget(characters=3, is_strict=True)).is_refused
    loose = copy(FileBudget(characters=3))
    assert (loose.is_refused, loose.is_loaded) == (False, False)
    assert copy(FileBudget(characters=4, is_strict=True)).is_loaded
    assert not copy(FileBudget(is_loaded=False)).is_loaded
