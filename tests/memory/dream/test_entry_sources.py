"""The messages behind an entry of the journal: open, closed, changed since, deleted, and of another program."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.domain.llm import LLMResponse
from mnemoscope.domain.memory.journal_entry import JournalEntry
from mnemoscope.domain.review.sources import Sources
from mnemoscope.memory.dream.dreamer import DreamRequest
from mnemoscope.memory.dream.entry_sources import EntrySources
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.scripted_provider import ScriptedProvider, asks, call, says

NOW = datetime(2026, 4, 3, 12, 0)
KEY = "cli:direct"
CAT = "I have a cat called Mau, who sleeps all day"
INVENTED = "Her sister Ingrid lives in Aarhus"


class Talked:
    """A workspace of the dream profile in which a cat was spoken of and consolidated."""

    def __init__(self, root: Path) -> None:
        self.paths = WorkspacePaths(root)
        self.sessions = SessionManager(root)
        self.memory = MemoryStore(root, paths=self.paths, sessions=self.sessions, clock=lambda: NOW)
        self.memory.strategies.use_journal(True)
        self.memory.write_long_term("# User\n- Name is Sam\n")

    async def consolidate(self, *lines: str) -> None:
        session = self.sessions.get_or_create(KEY)
        session.add_message("user", CAT, timestamp="2026-04-03T11:00:00")
        session.add_message("assistant", "How nice.", timestamp="2026-04-03T11:00:10")
        self.sessions.append(session)
        answer = LLMResponse("\n".join(f"- [durable] {line}" for line in lines), (), "stop")
        assert await self.memory.consolidate(session, ScriptedProvider(answer), "m", archive_all=True)

    def entries(self) -> list[JournalEntry]:
        return list(self.memory.dream.journal.after(0).entries)

    def said(self) -> dict[JournalEntry, Sources]:
        sources = EntrySources(self.paths, self.memory.ledger, SessionManager(self.paths.root))
        return sources.of(self.entries())


@pytest.fixture
async def talked(tmp_path: Path) -> Talked:
    talked = Talked(tmp_path)
    await talked.consolidate("Has a cat called Mau")
    return talked


async def test_the_messages_of_an_open_conversation_are_found(talked: Talked) -> None:
    (found,) = talked.said().values()
    assert (found.spoken, found.answered, found.dates) == (CAT, "How nice.", "2026-04-03")


async def test_those_of_a_closed_conversation_are_found_in_the_archive(talked: Talked) -> None:
    session = talked.sessions.get_or_create(KEY)
    assert talked.sessions.archive(session, NOW) is not None
    session.clear()
    talked.sessions.save(session)
    (found,) = talked.said().values()
    assert found.spoken == CAT


async def test_an_entry_of_another_program_has_none(talked: Talked) -> None:
    talked.memory.dream.journal.append("- [durable] Likes tea")
    assert [entry.content for entry in talked.said()] == ["- [durable] Has a cat called Mau"]


async def test_messages_that_are_others_by_now_are_none(talked: Talked) -> None:
    path = talked.sessions.path_of(KEY)
    assert path is not None
    path.write_text(path.read_text(encoding="utf-8").replace("a cat called Mau", "a dog called Rex"), encoding="utf-8")
    assert talked.said() == {}


async def test_a_conversation_that_is_gone_has_none(talked: Talked) -> None:
    path = talked.sessions.path_of(KEY)
    assert path is not None
    path.unlink()
    assert talked.said() == {}


async def test_what_cannot_be_read_has_none(talked: Talked) -> None:
    path = talked.sessions.path_of(KEY)
    assert path is not None
    path.unlink()
    path.mkdir()
    assert talked.said() == {}


async def test_what_the_journal_made_up_waits_and_what_was_said_is_written(tmp_path: Path) -> None:
    for name, fact, outcome in (("a", "Has a cat called Mau", "changed"), ("b", INVENTED, "held")):
        (tmp_path / name).mkdir()
        talked = Talked(tmp_path / name)
        await talked.consolidate(fact)
        assert json.loads(talked.memory.dream.journal.file.read_text(encoding="utf-8"))["content"].endswith(fact)
        edit = call("edit_file", path="memory/MEMORY.md", old_text="- Name is Sam\n",
                    new_text=f"- Name is Sam\n- {fact}\n")  # fmt: skip
        finished = await talked.memory.dream.dreamer.run(DreamRequest(ScriptedProvider(asks(edit), says("Done.")), "m"))
        assert finished is not None
        assert finished.run.outcome == outcome
        held = [reason for each in talked.memory.ledger.suggestions() for reason in each.reasons]
        assert held == ([f"Nobody spoke of “{INVENTED}”."] if outcome == "held" else [])
