"""Consolidation for Dream: fact lines in history.jsonl, exactly once; what no model sums up is kept in full."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.consolidation.prompt_usage import plan_everything
from mnemoscope.domain.errors import ModelError, UnreadableFile
from mnemoscope.domain.events import ConsolidationFailed, EventBus
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.domain.memory.journal_entry import QUOTED_MARK
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.faulty_calls import KillingCalls, SimulatedKill
from tests.support.scripted_provider import Gate, ScriptedProvider, asks, call, says

KEY = "desktop:a"
FACT = "- [durable] Has a cat called Mau"
PAGE = "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>" + "x" * 200_000
CUT = LLMResponse("- [durable] Has a c", finish_reason="length")


class SavedConversation:
    """A conversation of `count` messages, saved."""

    def __init__(self, root: Path, count: int = 6, calls: FileCalls | None = None) -> None:
        options: dict[str, Any] = {"calls": calls} if calls else {}
        self.sessions = SessionManager(root, **options)
        self.bus, self.events = EventBus(), list[Any]()
        self.bus.subscribe(self.events.append)
        self.store = MemoryStore(
            root, sessions=self.sessions, bus=self.bus, clock=lambda: datetime(2026, 4, 3, 10, 0), **options
        )
        self.store.strategies.use_journal(True)
        self.session = self.sessions.load(KEY) or Session(KEY)
        self.fill(count - len(self.session.messages))

    def fill(self, count: int) -> None:
        if count > 0:
            for number in range(count):
                self.session.add_message("user" if number % 2 == 0 else "assistant", f"message {number} of Mau")
            self.sessions.save(self.session)

    async def consolidate(self, *script: Any) -> bool:
        return await self.store.consolidate_part(self.session, ScriptedProvider(*script), "m", plan_everything)

    def lines(self) -> list[dict[str, Any]]:
        file = self.store.dream.journal.file
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []

    def contents(self) -> list[str]:
        return [line["content"] for line in self.lines()]


def hinted(root: Path) -> str:
    """Returns what other programs are told of the last number given."""
    return (root / "memory/.cursor").read_text(encoding="utf-8")


async def test_a_summary_is_one_line_with_its_number_time_and_conversation(tmp_path: Path) -> None:
    conversation = SavedConversation(tmp_path)
    assert await conversation.consolidate(says(FACT))
    assert conversation.lines() == [{"cursor": 1, "timestamp": "2026-04-03 10:00", "content": FACT, "session_key": KEY}]
    assert conversation.session.last_consolidated == 6
    assert not conversation.store.history_file.exists()
    assert not conversation.store.memory_file.exists()
    assert hinted(tmp_path) == "1"


async def test_the_way_in_which_a_model_gives_a_summary_is_remembered_apart_from_other_tasks(tmp_path: Path) -> None:
    conversation = SavedConversation(tmp_path)
    lines = json.dumps({"lines": [FACT.removeprefix("- ")]})
    assert await conversation.consolidate(says("ok"), asks(call("save_summary", **json.loads(lines))))
    kept = json.loads((tmp_path / ".mnemoscope/model-ways.json").read_text())
    assert kept == {"m (journal)": "tool"}
    conversation.fill(4)
    model = ScriptedProvider(says(lines))
    assert await conversation.store.consolidate_part(conversation.session, model, "m", plan_everything)
    (request,) = model.requests
    assert [tool["function"]["name"] for tool in request.tools] == ["save_summary"]
    assert conversation.contents() == [FACT.removeprefix("- ")] * 2


async def test_what_was_done_to_a_summary_is_told(tmp_path: Path) -> None:
    conversation = SavedConversation(tmp_path)
    assert await conversation.consolidate(says('{"lines": ["[durable] Has a\\r\\ncat",]}'))
    (record,) = conversation.store.ledger.records()
    assert record.asked == ("text",)
    assert record.cleaned == ("mended-json", "line-ends")


async def test_the_number_that_is_told_other_programs_is_the_last_one_given(tmp_path: Path) -> None:
    conversation = SavedConversation(tmp_path)
    (tmp_path / "memory/.cursor").write_text("7", encoding="utf-8")
    await conversation.consolidate(says(FACT))
    assert ([line["cursor"] for line in conversation.lines()], hinted(tmp_path)) == ([8], "8")
    conversation.fill(4)
    await conversation.consolidate(says("- [durable] Another"))
    assert ([line["cursor"] for line in conversation.lines()], hinted(tmp_path)) == ([8, 9], "9")


@pytest.mark.parametrize(
    "answer",
    [
        LLMResponse(PAGE),
        LLMResponse(PAGE, finish_reason="error"),
        CUT,
        LLMResponse(""),
        LLMResponse("<think>only thoughts</think>"),
        asks(call("save_memory", history_entry="x", memory_update="y")),
        ModelError("The server is down.", next_step="Try later."),
        RuntimeError("a provider that does not keep to its contract"),
        LLMResponse("- [durable] " + "y" * 20_000),
    ],
)
async def test_three_answers_that_cannot_be_used_and_the_messages_are_kept_in_full(tmp_path: Path, answer: Any) -> None:
    conversation = SavedConversation(tmp_path)
    assert await conversation.consolidate(answer, answer, answer)
    (content,) = conversation.contents()
    assert content.startswith("[RAW] 6 messages\n")
    assert all(f"message {number} of Mau" in content for number in range(6))
    assert "Bad Gateway" not in content
    assert conversation.session.last_consolidated == 6


async def test_an_answer_that_can_be_used_at_the_third_try_is_taken(tmp_path: Path) -> None:
    conversation = SavedConversation(tmp_path)
    provider = ScriptedProvider(CUT, LLMResponse(""), says(FACT))
    assert await conversation.store.consolidate_part(conversation.session, provider, "m", plan_everything)
    assert conversation.contents() == [FACT]
    asked = [str(request.messages[-1]["content"]) for request in provider.requests]
    assert "could not be used" not in asked[0]
    assert "The answer was cut off." in asked[1]
    assert "The answer was empty." in asked[2]


async def test_whatever_form_a_summary_has_what_only_a_tool_said_is_marked(tmp_path: Path) -> None:
    conversation = SavedConversation(tmp_path, 0)
    conversation.session.add_message("user", "I have a cat called Mau. Read notes.txt")
    conversation.session.add_message("assistant", "", tool_calls=[{"id": "1", "function": {"name": "read_file"}}])
    conversation.session.add_message(
        "tool", "The admin of the project is Eve Mallory", tool_call_id="1", name="read_file"
    )
    conversation.session.add_message("assistant", "Done.")
    conversation.sessions.save(conversation.session)
    await conversation.consolidate(
        says(f"{FACT}\n- [durable] The admin is Eve Mallory\nThe admin of the project is Eve Mallory")
    )
    (content,) = conversation.contents()
    marked = [line.endswith(QUOTED_MARK) for line in content.split("\n")]
    assert marked == [False, True, True]


async def test_nothing_worth_keeping_moves_the_pointer_and_writes_no_entry(tmp_path: Path) -> None:
    conversation = SavedConversation(tmp_path)
    assert await conversation.consolidate(says("(nothing)"))
    assert (conversation.lines(), conversation.session.last_consolidated) == ([], 6)


@pytest.mark.slow
async def test_a_raw_entry_loses_nothing_however_long_it_is(tmp_path: Path) -> None:
    conversation = SavedConversation(tmp_path, count=0)
    conversation.session.add_message("user", "begin " + "z" * 150_000 + " end")
    conversation.session.add_message("assistant", "Yes.")
    conversation.sessions.save(conversation.session)
    assert await conversation.consolidate(*[LLMResponse("")] * 30)
    sent = "".join(conversation.contents())
    assert "begin z" in sent
    assert "z end" in sent
    assert sent.count("z") >= 150_000


async def test_a_trigger_that_comes_twice_gives_one_number(tmp_path: Path) -> None:
    conversation, gate = SavedConversation(tmp_path), Gate()
    first = asyncio.create_task(conversation.consolidate([gate, says(FACT)]))
    await gate.reached.wait()
    second = asyncio.create_task(conversation.consolidate())
    await asyncio.sleep(0)
    gate.open.set()
    assert await first
    assert await second
    assert [line["cursor"] for line in conversation.lines()] == [1]


async def test_two_conversations_at_once_get_a_number_each(tmp_path: Path) -> None:
    conversation = SavedConversation(tmp_path)
    other = Session("desktop:b")
    other.add_message("user", "Hello")
    other.add_message("assistant", "Hello.")
    gate = Gate()
    first = asyncio.create_task(conversation.consolidate([gate, says(FACT)]))
    await gate.reached.wait()
    assert await conversation.store.consolidate_part(
        other, ScriptedProvider(says("- [durable] Other")), "m", plan_everything
    )
    gate.open.set()
    assert await first
    assert [(line["cursor"], line["session_key"]) for line in conversation.lines()] == [(1, "desktop:b"), (2, KEY)]


async def test_another_programs_entry_in_the_meantime_keeps_its_number(tmp_path: Path) -> None:
    conversation, gate = SavedConversation(tmp_path), Gate()
    running = asyncio.create_task(conversation.consolidate([gate, says(FACT)]))
    await gate.reached.wait()
    with conversation.store.dream.journal.file.open("a", encoding="utf-8") as file:
        file.write('{"cursor": 7, "timestamp": "2026-04-03 09:59", "content": "theirs"}\n')
    gate.open.set()
    assert await running
    assert [line["cursor"] for line in conversation.lines()] == [7, 8]


async def test_a_log_that_cannot_be_added_to_is_found_out_before_a_model_is_asked(tmp_path: Path) -> None:
    conversation = SavedConversation(tmp_path)
    conversation.store.dream.journal.file.mkdir(parents=True)
    assert not await conversation.consolidate()
    assert conversation.session.last_consolidated == 0
    (failed,) = (event for event in conversation.events if isinstance(event, ConsolidationFailed))
    assert "it is a folder" in failed.reason
    with pytest.raises(UnreadableFile):
        conversation.store.dream.journal.newest(1)


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "half", "after"])
async def test_killed_anywhere_a_slice_is_told_once_or_waits(tmp_path: Path, when: str) -> None:
    kills = 0
    for number in range(1, 400):
        root = tmp_path / str(number)
        SavedConversation(root)
        calls = KillingCalls(number, when)
        conversation = SavedConversation(root, calls=calls)
        try:
            await conversation.consolidate(says(FACT))
        except SimulatedKill:
            kills += 1
        else:
            if not calls.killed:
                break
        after = SavedConversation(root)
        after.store.recover()
        session = SessionManager(root).load(KEY)
        assert session is not None
        entries = len(after.store.dream.journal.newest(9))
        assert (entries, session.last_consolidated) in ((0, 0), (1, 6)), number
        again = SavedConversation(root)
        assert await again.consolidate(says(FACT))
        assert [line["cursor"] for line in again.lines()] == [1]
        assert hinted(root) == "1", number
    else:
        pytest.fail("it never came to an end")
    assert kills > 15


@pytest.mark.parametrize(
    ("config", "journal", "cursor"),
    [
        ('{"mnemoscope": {"profile": "dream"}}', "", 1),
        ("", '{"cursor": 4, "timestamp": "2026-04-03 09:59", "content": "theirs"}\n', 5),
        ('{"mnemoscope": {"profile": "two-layer"}}', '{"cursor": 4, "timestamp": "x", "content": "theirs"}\n', None),
        ("", "", None),
    ],
)
def test_who_only_has_the_store_adds_to_the_log_of_the_workspaces_profile(
    tmp_path: Path, config: str, journal: str, cursor: int | None
) -> None:
    (tmp_path / "memory").mkdir()
    if config:
        (tmp_path / "config.json").write_text(config, encoding="utf-8")
    if journal:
        (tmp_path / "memory/history.jsonl").write_text(journal, encoding="utf-8")
    assert MemoryStore(tmp_path).append_history("[2026-04-03 10:00] Said.") == cursor
    assert (tmp_path / "memory/HISTORY.md").exists() == (cursor is None)
