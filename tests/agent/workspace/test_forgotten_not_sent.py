"""Of what the person had forgotten no line reaches a model, whichever way: by a file of every prompt, a skill, a tool,
what a tool gave before, a summary, or a prompt that is sent again."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.prompt.context_builder import ContextBuilder
from mnemoscope.agent.prompt.recent_history import recent_section
from mnemoscope.agent.prompt.sent_messages import UNGUARDED
from mnemoscope.agent.prompt.workspace_files import PROMPT_FILE_LIMIT
from mnemoscope.agent.tools.tool import ToolContext
from mnemoscope.domain.context.compaction import Compaction
from mnemoscope.domain.events import Noticed
from mnemoscope.domain.forgetting.forgotten_lines import LEFT_OUT
from mnemoscope.domain.memory.journal_entry import JournalEntry
from mnemoscope.store.forgetting.tombstones_file import tombstones_of_this_person
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.agent.workspace.forgotten_code import AGAIN, KEPT, SAID, opened_after_forgetting, write
from tests.agent.workspace.test_workbench import Opened
from tests.support.scripted_provider import asks, call, says


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opened]:
    async with opened_after_forgetting(tmp_path) as opened:
        yield opened


async def run(opened: Opened, name: str, **arguments: Any) -> str:
    return (await opened.bench.toolbox.run(call(name, **arguments), ToolContext("k"))).text


async def system(opened: Opened) -> tuple[str, tuple[str, ...]]:
    session = await opened.bench.conversations.begin()
    prompt = await opened.bench.prompts.of_draft(session.key, "Hello")
    return json.dumps(prompt.request), prompt.left_out


@pytest.mark.parametrize("is_always", [True, False])
async def test_a_skill_is_sent_without_it(opened: Opened, is_always: bool) -> None:
    head = f"---\nname: gym\ndescription: Harbour gym, locker code 2417\nalways: {str(is_always).lower()}\n---\n"
    write(opened, "skills/gym/SKILL.md", f"{head}{AGAIN}\n- Opens at six\n")
    sent, left_out = await system(opened)
    assert "2417" not in sent
    assert ("Opens at six" in sent) == is_always
    assert "skills/gym/SKILL.md: 2 lines that you chose to forget and that came back." in left_out


async def test_a_line_that_is_cut_in_two_is_not_sent_by_half(opened: Opened) -> None:
    filling = "x" * (PROMPT_FILE_LIMIT - len("\n- Locker code 2417, harb"))
    write(opened, "TOOLS.md", f"{filling}\n- Locker code 2417, harbour gym\n{KEPT}")
    assert "2417" not in (await system(opened))[0]


def test_an_entry_is_not_cut_within_it() -> None:
    words = "Likes tea. " * 40
    content = f"{words}\n{'Locker code 2417 ' * 300}"
    entry = JournalEntry(1, "2026-11-20 10:00", content)
    assert "2417" in recent_section([entry])
    shown = recent_section([entry], lambda line: "2417" in line)
    assert "2417" not in shown
    assert "Likes tea." in shown


@pytest.mark.parametrize("path", ["notes/gym.md", "memory/2026-11-20.md", "memory/MEMORY.md", "AGENTS.md"])
async def test_a_tool_that_reads_a_file_gives_a_mark_in_its_place(opened: Opened, path: str) -> None:
    write(opened, path)
    assert await run(opened, "read_file", path=path) == f"{KEPT}{LEFT_OUT}\n"


async def test_an_edit_keeps_the_line(opened: Opened) -> None:
    file = write(opened, "notes/gym.md")
    await run(opened, "edit_file", path="notes/gym.md", old_text=f"tea\n{LEFT_OUT}", new_text=f"coffee\n{LEFT_OUT}")
    assert file.read_text("utf-8") == f"- Likes coffee\n{AGAIN}\n"


async def test_an_edit_of_memory_that_waits_for_the_person_keeps_the_line(opened: Opened) -> None:
    write(opened, "memory/MEMORY.md")
    said = await run(opened, "edit_file", path="memory/MEMORY.md", old_text="tea", new_text="coffee")
    assert "2417" not in said
    waiting = opened.bench.memory.ledger.suggestions()
    assert f"- Likes coffee\n{AGAIN}\n" in [each.proposed for each in waiting]


async def test_a_tool_that_writes_a_file_anew_keeps_the_line_or_is_told(opened: Opened) -> None:
    file = write(opened, "notes/gym.md")
    await run(opened, "read_file", path="notes/gym.md")
    said = await run(opened, "write_file", path="notes/gym.md", content="- Likes coffee\n")
    assert "only they may take out" in said
    assert file.read_text("utf-8") == f"{KEPT}{AGAIN}\n"
    await run(opened, "write_file", path="notes/gym.md", content=f"{LEFT_OUT}\n- Likes coffee\n")
    assert file.read_text("utf-8") == f"{AGAIN}\n- Likes coffee\n"


async def test_of_a_result_that_is_cut_neither_end_has_it(opened: Opened) -> None:
    write(opened, "big.md", f"{AGAIN}\n" + KEPT * 2_000 + f"{AGAIN}\n")
    given = await run(opened, "read_file", path="big.md")
    assert given.startswith(LEFT_OUT)
    assert given.count(LEFT_OUT) == 2
    assert "2417" not in given


async def test_what_a_tool_gave_before_is_not_sent_on(tmp_path: Path) -> None:
    opened = Opened(tmp_path, asks(call("read_file", path="notes/gym.md")), says("I see."))
    await opened.bench.recover()
    write(opened, "notes/gym.md")
    session = await opened.bench.conversations.begin()
    await opened.bench.loop.process(session.key, "What is in my notes?")
    assert "2417" in json.dumps((await opened.bench.prompts.of_draft(session.key, "And?")).request)
    opened.bench.tombstones.add([SAID])
    prompt = await opened.bench.prompts.of_draft(session.key, "And?")
    assert "2417" not in json.dumps(prompt.request)
    assert LEFT_OUT in "\n".join(section.text for section in prompt.messages)
    await opened.bench.close()


async def test_a_summary_from_before_does_not_say_it(opened: Opened) -> None:
    session = await opened.bench.conversations.begin()
    for words in ("One", "Two", "Three", "Four"):
        await opened.bench.loop.process(session.key, words)
    context = opened.bench.loop.services.context
    compaction = Compaction(2, 6, 4, 40, "They spoke of tea. Harbour gym, locker code 2417. They like bees.")
    prompt = context.snapshot(
        session.messages, 0, "And?", now=datetime(2026, 11, 20, 10), session_key=session.key,
        frame=context._frame(), plan=replace(UNGUARDED, compaction=compaction),
    )  # fmt: skip
    sent = json.dumps(prompt.request)
    assert "They spoke of tea." in sent
    assert "They like bees." in sent
    assert "2417" not in sent


def test_a_builder_of_ones_own_knows_what_was_forgotten_with_the_key_of_this_person(tmp_path: Path) -> None:
    tombstones_of_this_person(WorkspacePaths(tmp_path)).add([SAID])
    (tmp_path / "AGENTS.md").write_text(f"{KEPT}{AGAIN}\n", "utf-8")
    sent = ContextBuilder(tmp_path).build_system_prompt()
    assert "Likes tea" in sent
    assert "2417" not in sent


async def test_a_prompt_that_is_sent_again_has_no_line_of_memory_that_was_forgotten_since(tmp_path: Path) -> None:
    context = ContextBuilder(tmp_path, forgotten=lambda: lambda line: "2417" in line)
    request = [
        {"role": "system", "content": f"# Memory\n{KEPT}{AGAIN}"},
        {"role": "tool", "content": f"{KEPT}{AGAIN}"},
        {"role": "user", "content": f"# Current Session State\n{AGAIN}\n\nIs 2417 a prime?"},
    ]
    sent = context.request_without_forgotten(request, "Is 2417 a prime?")
    assert [each["content"].count("2417") for each in sent] == [0, 0, 1]
    assert sent[0]["content"] == f"# Memory\n{KEPT}".rstrip("\n")


@pytest.mark.parametrize("path", ["notes/gym.md", "memory/2026-11-20.md"])
async def test_the_person_is_told_where_a_tool_met_it_unless_the_review_asks(tmp_path: Path, path: str) -> None:
    opened = Opened(tmp_path, asks(call("read_file", path=path)), says("I see."))
    await opened.bench.recover()
    opened.bench.tombstones.add([SAID])
    write(opened, path)
    session = await opened.bench.conversations.begin()
    await opened.bench.loop.process(session.key, "What is in my notes?")
    notices = [event.sentence for event in opened.inner.seen(Noticed)]
    sentence = "notes/gym.md: 1 line that you chose to forget and that came back."
    assert (sentence in notices) == (path == "notes/gym.md")
    await opened.bench.close()
