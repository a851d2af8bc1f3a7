"""Words are found in the files of other agents, to be named; nothing there is changed."""

from __future__ import annotations

from pathlib import Path

from mnemoscope.agent.foreign.foreign_search import ANOTHERS, word_copies
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.forgetting.plan import PlaceKind
from tests.agent.foreign.test_foreign_search import listed
from tests.foreign_stores import claude_code
from tests.foreign_stores.hashes import hashes_of
from tests.foreign_stores.hermes import HermesHome


async def test_memory_files_and_conversations_that_have_the_words_are_named(tmp_path: Path) -> None:
    root = claude_code.sample_store(tmp_path / ".claude")
    home = HermesHome(tmp_path / ".hermes")
    home.memory("Lives in Graz")
    home.close()
    stores = await listed(root, tmp_path / ".hermes")
    before = hashes_of(tmp_path)
    found = word_copies(stores, ForgottenText.of("Lives in Graz"), tmp_path / "own")
    names = [Path(each.path).relative_to(tmp_path).as_posix() for each in found]
    project = f".claude/projects/{claude_code.PROJECT}"
    assert [name for name in names if name.endswith(".md")] == [
        f"{project}/memory/MEMORY.md",
        ".hermes/memories/MEMORY.md",
    ]
    assert [Path(name).parent.as_posix() for name in names if name.endswith(".jsonl")] == [project], "the call's text"
    assert {(each.kind, each.can_be_taken, each.why_not) for each in found} == {
        (PlaceKind.OTHER_AGENTS, False, ANOTHERS)
    }
    assert "Lives in Graz" in found[0].excerpts[0]
    (talk,) = word_copies(stores, ForgottenText.of("And that I live in Graz."), tmp_path / "own")
    assert talk.path.endswith(".jsonl")
    assert hashes_of(tmp_path) == before


async def test_the_workspace_itself_is_no_other_agent(tmp_path: Path) -> None:
    stores = await listed(claude_code.sample_store(tmp_path / ".claude"))
    assert word_copies(stores, ForgottenText.of("Lives in Graz"), tmp_path) == []


async def test_a_conversation_that_is_gone_is_passed_over(tmp_path: Path) -> None:
    root = claude_code.sample_store(tmp_path / ".claude")
    stores = await listed(root)
    for path in root.rglob("*.jsonl"):
        path.unlink()
    assert word_copies(stores, ForgottenText.of("And that I live in Graz."), tmp_path / "own") == []
