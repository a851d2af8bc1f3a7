"""A workspace of three tiers made here and used by qanot 2.0.4, and back."""

from datetime import date
from pathlib import Path

import pytest

from mnemoscope.domain.events import PromptBuilt
from mnemoscope.domain.settings import THREE_TIER
from mnemoscope.memory.context.daily_notes import read_note
from mnemoscope.memory.search.memory_search import memory_search
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.memory.memory_file import move_to_root
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import create_workspace
from tests.support.agent_bench import KEY, Bench, make_bench
from tests.support.peers import prompt_of_qanot, restored_by_qanot, used_by_qanot
from tests.support.scripted_provider import says

SAID = ["My name is Bobur", "Let's go with PostgreSQL", "Remember that the kiln opens at nine"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    create_workspace(root, template=shipped("resources", "blank"))
    assert move_to_root(WorkspacePaths(root))
    return root


def opened(root: Path) -> Bench:
    answers = [says(f"Noted, answer {number}.") for number in range(4)]
    return make_bench(root, *answers, real_memory=True, profile=THREE_TIER, time_zone="UTC")


async def talked(root: Path) -> Bench:
    bench = opened(root)
    for words in SAID:
        await bench.loop.process(KEY, words)
    return bench


async def test_it_puts_memory_and_state_written_here_into_its_prompt(root: Path, tmp_path: Path) -> None:
    await talked(root)
    prompt = prompt_of_qanot(root, tmp_path)
    assert "- **proper_noun**: My name is Bobur" in prompt
    assert "- **remember**: Remember that the kiln opens at nine" in prompt
    assert "**decision**: Let's go with PostgreSQL" in prompt


async def test_it_finds_all_three_tiers(root: Path, tmp_path: Path) -> None:
    await talked(root)
    found = used_by_qanot(root, tmp_path, queries=["PostgreSQL", "Bobur", "answer 2"])
    assert {hit["file"] for hit in found["PostgreSQL"]} == {"SESSION-STATE.md", "memory/2026-11-21.md"}
    assert {hit["file"] for hit in found["Bobur"]} == {"MEMORY.md", "SESSION-STATE.md", "memory/2026-11-21.md"}
    assert [hit["file"] for hit in found["answer 2"]] == ["memory/2026-11-21.md"]


async def test_it_adds_to_each_file_and_neither_says_a_thing_twice(root: Path, tmp_path: Path) -> None:
    await talked(root)
    before = (root / "MEMORY.md").read_text("utf-8")
    used_by_qanot(root, tmp_path, turns=[("Remember that the kiln opens at nine", "Yes."), ("I prefer tea", "Good.")])
    after = (root / "MEMORY.md").read_text("utf-8")
    assert after == before + "- **preference**: I prefer tea\n"
    assert not (root / "memory" / "MEMORY.md").exists()
    bench = opened(root)
    await bench.loop.process(KEY, "I really prefer tea")
    assert (root / "MEMORY.md").read_text("utf-8") == after
    prompt = bench.seen(PromptBuilt)[-1].prompt
    sections = [section for section in (*prompt.system, *prompt.messages) if section.kind == "memory"]
    assert [section.text.count("I prefer tea") for section in sections] == [1, 1]


@pytest.mark.slow
async def test_new_here_leaves_its_own_lines_of_the_state(root: Path, tmp_path: Path) -> None:
    used_by_qanot(root, tmp_path, turns=[("Let's use SQLite for the shop", "Yes.")])
    theirs = [row for row in (root / "SESSION-STATE.md").read_text("utf-8").split("\n") if "SQLite" in row]
    await talked(root)
    bench = opened(root)
    assert "Let's go with PostgreSQL" in (root / "SESSION-STATE.md").read_text("utf-8")
    await bench.loop.process(KEY, "/new")
    state = (root / "SESSION-STATE.md").read_text("utf-8")
    assert [row for row in state.split("\n") if row.startswith("- ")] == theirs
    assert "SQLite" in prompt_of_qanot(root, tmp_path)
    (kept,) = (root / "sessions" / "archive").glob("*.SESSION-STATE.md")
    assert "PostgreSQL" in kept.read_text("utf-8")
    assert "SQLite" not in kept.read_text("utf-8")


@pytest.mark.slow
async def test_that_it_will_not_restore_what_is_said_here_is_known_before_the_first_message(
    root: Path, tmp_path: Path
) -> None:
    assert not SessionManager(root).health.is_lost_to_qanot(KEY)
    used_by_qanot(root, tmp_path, turns=[("I prefer tea", "Good.")])
    manager = SessionManager(root)
    (overview,) = manager.overviews()
    assert manager.health.is_lost_to_qanot(KEY)
    assert manager.health.is_lost_to_qanot(overview.key)
    await talked(root)
    assert not SessionManager(root).health.is_lost_to_qanot(KEY)
    assert not any("PostgreSQL" in each for each in restored_by_qanot(root, tmp_path))
    assert any("I prefer tea" in each for each in restored_by_qanot(root, tmp_path))


@pytest.mark.slow
async def test_however_many_conversations_are_held_here_it_has_its_own_history(root: Path, tmp_path: Path) -> None:
    used_by_qanot(root, tmp_path, turns=[("I prefer tea", "Good.")])
    bench = opened(root)
    for number in range(9):
        session = bench.sessions.get_or_create(f"desktop:{number}")
        session.add_message("user", f"About kiln {number}.")
        bench.sessions.save(session)
    assert len(list((root / "sessions").glob("*.jsonl"))) == 10
    assert any("I prefer tea" in each for each in restored_by_qanot(root, tmp_path))
    assert len(SessionManager(root).overviews()) == 10


@pytest.mark.slow
async def test_what_it_notes_that_day_is_read_here(root: Path, tmp_path: Path) -> None:
    await talked(root)
    used_by_qanot(root, tmp_path, turns=[("Where is the blue ladder?", "Behind the shed.")])
    (theirs,) = (path for path in (root / "memory").glob("????-??-??.md") if path.name != "2026-11-21.md")
    assert "**Agent:** Behind the shed...." in read_note(root / "memory", date.fromisoformat(theirs.stem))
    assert f"memory/{theirs.name}" in {hit["file"] for hit in memory_search("blue ladder", root)}
