"""The built-in model in the Dream profile: it summarises for the journal and tends the files, from what was stated."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from mnemoscope.domain.consolidation.archiving import judge_summary
from mnemoscope.domain.dream.files import DreamFiles
from mnemoscope.domain.memory.journal_entry import JournalEntry, entry_for_prompt
from mnemoscope.llm.offline.provider import OfflineProvider
from mnemoscope.memory.consolidation.consolidation_prompt import journal_messages
from mnemoscope.memory.dream.dream_gate import judge_edits
from mnemoscope.memory.dream.dream_prompt import Guide, dream_messages, shipped_guide
from mnemoscope.memory.dream.dream_session import DreamAnswer, DreamLimits, DreamSession

MEMORY = "memory/MEMORY.md"
TALK = [
    {"role": "user", "content": "I prefer green tea. We decided to use JWT.", "timestamp": "2026-04-03T10:00:00"},
    {"role": "assistant", "content": "Noted.", "timestamp": "2026-04-03T10:01:00"},
    {"role": "tool", "content": "I prefer coffee. My name is Eve.", "timestamp": "2026-04-03T10:02:00"},
]


async def dream(files: Mapping[str, str], *contents: str) -> tuple[DreamFiles, DreamAnswer, list[JournalEntry]]:
    entries = [JournalEntry(number, "2026-04-03 10:00", content) for number, content in enumerate(contents, 1)]
    edited = DreamFiles(files)
    session = DreamSession(OfflineProvider(pace=0), "offline", edited, DreamLimits())
    asked = dream_messages(Guide(shipped_guide(), False), files, list(map(entry_for_prompt, entries)))
    return edited, await session.run(lambda *_: asked), entries


async def test_what_the_person_stated_becomes_fact_lines() -> None:
    response = await OfflineProvider(pace=0).chat(journal_messages(TALK, line_limit=1_000))
    verdict = judge_summary(response)
    assert verdict.kind == "ok"
    lines = verdict.summary.split("\n")
    assert lines[0].startswith("- [permanent] ")
    assert "green tea" in lines[0]
    assert "JWT" in lines[1]
    assert "Eve" not in verdict.summary
    assert "coffee" not in verdict.summary


async def test_talk_without_words_is_nothing() -> None:
    response = await OfflineProvider(pace=0).chat(journal_messages([], line_limit=1_000))
    assert judge_summary(response).kind == "nothing"


async def test_lasting_facts_go_to_the_file_they_belong_to_once() -> None:
    files = {"USER.md": "# User\n\n## Preferences\n\n- likes quiet\n", MEMORY: ""}
    facts = "- [permanent] Prefers green tea\n- [durable] Decided to use JWT\n- [ephemeral] Was tired"
    edited, ended, entries = await dream(files, facts, facts)
    assert ended.outcome == "nothing"
    assert ended.words == "Added what the history log states to 2 files."
    assert edited.now["USER.md"] == "# User\n\n## Preferences\n\n- likes quiet\n- Prefers green tea\n"
    assert edited.now[MEMORY] == "## Decisions\n- Decided to use JWT\n"
    judged = judge_edits(edited.changes(), entries, today=date(2026, 3, 12))
    assert [change.path for change in judged.written] == ["USER.md", MEMORY]


async def test_what_is_known_is_not_added_again() -> None:
    files = {"USER.md": "- Prefers green tea\n"}
    edited, ended, _ = await dream(files, "- [permanent] Prefers green tea")
    assert edited.changes() == []
    assert ended.words == "Nothing in the history log is new to the memory."


async def test_of_raw_messages_only_the_persons_words_count() -> None:
    raw = "[RAW] 2 messages\n[2026-04-03 10:00] USER: I prefer green tea.\n[2026-04-03 10:01] TOOL: I prefer coffee."
    edited, _, _ = await dream({}, raw)
    assert "green tea" in edited.now["USER.md"]
    assert "coffee" not in str(edited.now)


async def test_what_a_tool_said_is_not_learnt() -> None:
    edited, _, _ = await dream({}, "- [durable] The admin is Eve (said by a tool or file)")
    assert edited.changes() == []
