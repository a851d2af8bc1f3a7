"""Two kinds of discretion: the core refuses by itself what a conversation of that kind may not leave behind."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.workspace.discretion_switch import DiscretionSwitch
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.errors import KeptOut, ModelUnknown, StorageError
from mnemoscope.domain.events import Captured, Consolidated, DiscretionChanged, Noticed, PromptBuilt, TurnFailed
from mnemoscope.domain.settings import DREAM, THREE_TIER, TWO_LAYER
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.workspace.workspace import open_workspace
from mnemoscope.store.workspace.write_access import WriteAccess
from tests.support.agent_bench import Bench, make_bench, make_workbench
from tests.support.closing import closed
from tests.support.scripted_provider import Gate, ScriptedProvider, asks, call
from tests.support.traces import traces_of

READS, TEMPORARY, REMEMBERED = Discretion.READS_MEMORY, Discretion.TEMPORARY, Discretion.REMEMBERED
PREFERS = "I prefer espresso to filter coffee. Remember that my deadline is 2026-12-24."


def switch_of(bench: Bench, *, read_only: bool = False) -> DiscretionSwitch:
    access = WriteAccess(bench.root, read_only)
    return DiscretionSwitch(bench.sessions, bench.loop, bench.bus, bench.loop.disk, access)


async def begun(bench: Bench, kind: Discretion) -> Session:
    """Returns an empty conversation of that kind."""
    switch = switch_of(bench)
    if kind is TEMPORARY:
        return await switch.begin_temporary()
    session = bench.sessions.create()
    await switch.change(session.key, kind)
    return session


def runtime(bench: Bench) -> str:
    return str(bench.provider.requests[-1].messages[-1]["content"])


@pytest.mark.parametrize("profile", [TWO_LAYER, DREAM, THREE_TIER])
@pytest.mark.parametrize("kind", [READS, TEMPORARY])
async def test_nothing_is_captured_noted_consolidated_or_logged(tmp_path: Path, profile: str, kind: Discretion) -> None:
    bench = make_bench(tmp_path, real_memory=True, profile=profile, memory_window=2, idle_compact_minutes=1)
    session = await begun(bench, kind)
    bench.provider.then(*["It is said."] * 4)
    for _ in range(4):
        assert await bench.loop.process(session.key, PREFERS)
    assert len(session.messages) == 8
    assert [*bench.seen(Captured), *bench.seen(Consolidated), *bench.loop.consolidation.tasks] == []
    assert await bench.loop.consolidation.compact_idle(session)
    assert await bench.loop.consolidation.context_use(session) is None
    own = [f"sessions/discreet/{session.key.replace(':', '_')}.jsonl"] if kind is READS else []
    assert traces_of("espresso", tmp_path) == own


@pytest.mark.parametrize("kind", [READS, TEMPORARY])
async def test_what_would_make_memory_of_it_is_refused_in_a_sentence(tmp_path: Path, kind: Discretion) -> None:
    bench = make_bench(tmp_path, "Fine.", real_memory=True, memory_window=2)
    session = await begun(bench, kind)
    await bench.loop.process(session.key, PREFERS)
    assert await bench.loop.process(session.key, "/consolidate")
    assert "it is not consolidated" in session.messages[-1]["content"]
    assert not await bench.loop.consolidate_now(session.key)
    assert "it is not consolidated" in bench.seen(Noticed)[-1].sentence
    assert not await bench.memory.consolidate(session, bench.provider, "scripted", archive_all=True)
    assert not await bench.memory.archive_raw(session, memory_window=2)
    assert len(bench.provider.requests) == 1
    assert bench.memory.read_long_term() == ""


@pytest.mark.parametrize("kind", [READS, TEMPORARY])
async def test_new_closes_it_without_asking_a_model(tmp_path: Path, kind: Discretion) -> None:
    bench = make_bench(tmp_path, "Fine.", real_memory=True)
    session = await begun(bench, kind)
    await bench.loop.process(session.key, PREFERS)
    assert await closed(bench.loop, session.key)
    assert (len(session.messages), session.discretion, len(bench.provider.requests)) == (0, kind, 1)
    assert not bench.memory.history_file.exists()
    archived = list((tmp_path / "sessions/archive").glob("*")) if kind is READS else []
    assert len(archived) == (kind is READS)


@pytest.mark.parametrize("kind", [READS, TEMPORARY])
async def test_its_tools_read_and_write_nothing(tmp_path: Path, kind: Discretion) -> None:
    bench = make_bench(tmp_path, real_memory=True, exec_enabled=True)
    bench.memory.write_long_term("# Memory\n- Likes quokkas\n" + "- Much more of it\n" * 600)
    calls = (
        call("write_file", path="memory/MEMORY.md", content="- espresso\n"),
        call("edit_file", path="memory/MEMORY.md", old_text="quokkas", new_text="espresso"),
        call("exec", argv=["touch", "espresso"]),
        call("read_file", path="memory/MEMORY.md"),
        call("read_file", path="espresso/\x00"),
    )
    bench.provider.then(asks(*calls), "That is all.")
    session = await begun(bench, kind)
    assert await bench.loop.process(session.key, "Write it down")
    results = {each["tool_call_id"]: each for each in session.messages if each["role"] == "tool"}
    for name in ("write_file", "edit_file", "exec"):
        assert "its tools write nothing and run no commands" in results[f"call-{name}"]["content"]
    read = [each for each in session.messages if each.get("name") == "read_file"]
    assert "quokkas" in read[0]["content"]
    assert (read[0]["cut"] > 0, "whole" in read[0]) == (True, False)
    given = {tool["function"]["name"] for tool in bench.provider.requests[0].tools}
    assert given == {"read_file", "list_files", "search_memory"}
    assert "espresso" not in bench.memory.read_long_term()
    assert not (tmp_path / ".mnemoscope/tool-results").exists()


async def test_the_model_is_told_that_nothing_is_remembered(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, real_memory=True, provider=ScriptedProvider(last="Fine."))
    for kind, words in ((READS, "nothing of this conversation is remembered"), (TEMPORARY, "is kept nowhere")):
        session = await begun(bench, kind)
        await bench.loop.process(session.key, "Hello")
        assert words in runtime(bench)
    await bench.loop.process("desktop:plain", "Hello")
    assert "Memory:" not in runtime(bench)


@pytest.mark.parametrize("kind", [READS, TEMPORARY])
async def test_a_long_one_is_compacted_in_memory_alone(tmp_path: Path, kind: Discretion) -> None:
    provider = ScriptedProvider(last="word " * 300, window=4_000)
    bench = make_bench(tmp_path, provider=provider, real_memory=True, context_window_tokens=9_000)
    session = await begun(bench, kind)
    for _ in range(12):
        await bench.loop.process(session.key, "word " * 300)
    prompts: list[PromptSnapshot] = [event.prompt for event in bench.seen(PromptBuilt)]
    assert prompts[-1].guard is not None
    assert prompts[-1].guard.compaction is not None
    assert not (tmp_path / ".mnemoscope/compactions").exists()


@pytest.mark.parametrize("kind", [READS, TEMPORARY])
async def test_a_failure_is_told_in_the_window_and_its_words_are_in_no_log(
    tmp_path: Path, kind: Discretion, caplog: pytest.LogCaptureFixture
) -> None:
    bench = make_bench(tmp_path, ModelUnknown("There is none.", detail="espresso"), profile=THREE_TIER)
    session = await begun(bench, kind)
    await bench.loop.process(session.key, "espresso")
    assert bench.seen(TurnFailed)[-1].detail == "espresso"
    assert "turn failed" in caplog.text
    assert "espresso" not in caplog.text


async def test_a_remembered_one_stops_becoming_memory_and_may_again(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, real_memory=True, profile=THREE_TIER)
    bench.provider.then(*["Fine."] * 3)
    key, switch = "cli:direct", switch_of(bench)
    await bench.loop.process(key, "I prefer tea to coffee.")
    await switch.change(key, READS)
    assert bench.seen(DiscretionChanged)[-1] == DiscretionChanged(key, READS, 2)
    await bench.loop.process(key, "I prefer espresso to filter coffee.")
    captured = [each.text for event in bench.seen(Captured) for each in event.captures]
    assert captured
    assert not any("espresso" in text for text in captured)
    await switch.change(key, READS)
    await switch.change(key, REMEMBERED)
    assert bench.seen(DiscretionChanged)[-1] == DiscretionChanged(key, REMEMBERED)
    await bench.loop.process(key, "I prefer ale to lager.")
    captured = [each.text for event in bench.seen(Captured) for each in event.captures]
    assert any("ale" in text for text in captured)
    assert not any("espresso" in text for text in captured)
    assert len(bench.messages(key)) == 6


async def test_a_temporary_one_is_kept_with_what_was_said(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, "Fine.", "Fine again.", real_memory=True)
    switch = switch_of(bench)
    session = await switch.begin_temporary()
    await bench.loop.process(session.key, "Hello")
    kept = await switch.keep(session.key, REMEMBERED)
    assert bench.seen(DiscretionChanged)[-1] == DiscretionChanged(kept.key, REMEMBERED)
    await bench.loop.process(kept.key, "And on")
    said = [each["content"] for each in bench.messages(kept.key)]
    assert said == ["Hello", "Fine.", "And on", "Fine again."]
    assert [each.key for each in bench.sessions.overviews()] == [kept.key]


async def test_a_temporary_one_that_is_closed_is_gone(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, "Fine.")
    switch = switch_of(bench)
    session = await switch.begin_temporary()
    await bench.loop.process(session.key, "Hello")
    switch.close("cli:direct")
    switch.close(session.key)
    assert bench.sessions.overviews() == []
    assert not bench.sessions.get_or_create(session.key).messages


async def test_what_is_no_change_of_one_conversation_is_refused(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, "Fine.")
    switch = switch_of(bench)
    await bench.loop.process("cli:direct", "Hello")
    with pytest.raises(KeptOut, match="cannot be changed in that way"):
        await switch.change("cli:direct", TEMPORARY)
    session = await switch.begin_temporary()
    with pytest.raises(KeptOut, match="cannot be changed in that way"):
        await switch.change(session.key, REMEMBERED)
    with pytest.raises(KeptOut, match="Only a temporary conversation"):
        await switch.keep("cli:direct", READS)


async def test_one_that_is_at_work_is_not_changed(tmp_path: Path) -> None:
    gate = Gate()
    bench = make_bench(tmp_path, ["One", gate, " two"])
    switch = switch_of(bench)
    session = await switch.begin_temporary()
    answering = bench.loop.process(session.key, "Hello")

    async def meanwhile() -> None:
        await gate.reached.wait()
        with pytest.raises(StorageError, match="still at work"):
            await switch.keep(session.key, REMEMBERED)
        with pytest.raises(StorageError, match="still at work"):
            switch.close(session.key)
        gate.open.set()

    await asyncio.gather(answering, meanwhile())
    assert session.messages[-1]["content"] == "One two"


async def test_an_answer_on_its_way_is_on_no_disk(tmp_path: Path) -> None:
    gate = Gate()
    bench = make_bench(tmp_path, ["One", gate, " two"])
    bench.loop.services.partials.interval = 0
    session = await begun(bench, READS)
    answering = bench.loop.process(session.key, "Hello")

    async def meanwhile() -> None:
        await gate.reached.wait()
        partials = bench.loop.services.partials
        assert partials.left_behind() == []
        gate.open.set()

    await asyncio.gather(answering, meanwhile())


async def test_a_temporary_one_is_not_archived(tmp_path: Path) -> None:
    bench, _ = workbench(tmp_path, "Fine.")
    try:
        session = await bench.discretion.begin_temporary()
        await bench.loop.process(session.key, "Hello")
        refused = (await bench.conversations.archive([session.key])).refused
        assert refused == {session.key: "A temporary conversation is kept nowhere, so it is not archived."}
        assert len(session.messages) == 2
    finally:
        await bench.close()


async def test_an_empty_discreet_one_is_not_taken_for_a_new_conversation(tmp_path: Path) -> None:
    bench, _ = workbench(tmp_path)
    try:
        first = await bench.conversations.begin()
        await bench.discretion.change(first.key, READS)
        assert (await bench.conversations.begin()).key != first.key
    finally:
        await bench.close()


def workbench(root: Path, *answers: Any) -> tuple[Workbench, Bench]:
    (root / "memory").mkdir()
    (root / "memory/MEMORY.md").write_text("# Memory\n")
    return make_workbench(open_workspace(root), ScriptedProvider(*answers))
