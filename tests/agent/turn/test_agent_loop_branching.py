"""Second thoughts: a message edited, an answer written anew, a branch begun and switched; memory hears of all once."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mnemoscope.domain.errors import ModelError
from mnemoscope.domain.events import (
    BranchChanged,
    Captured,
    ConsolidationFailed,
    ConsolidationStopped,
    Noticed,
    RecordAppended,
    TurnFailed,
)
from tests.proof.beginnings import conversation
from tests.proof.opened import KEY as PROOF_KEY
from tests.proof.opened import Opened
from tests.support.agent_bench import KEY, Bench, contents, make_bench
from tests.support.scripted_provider import Gate

TALK = ("Hello", "Good morning."), ("How are you?", "Fine.")


async def talked(root: Path, *answers: object) -> Bench:
    """Two exchanges; `answers` come after them."""
    bench = make_bench(root, *(answer for _, answer in TALK), *answers, real_memory=True)
    for asked, _ in TALK:
        assert await bench.loop.process(KEY, asked)
    bench.events.clear()
    return bench


async def other_way(bench: Bench) -> list[tuple[str, object]]:
    """Switches to the first of the other branches; returns what is said in it."""
    session = bench.sessions.get_or_create(KEY)
    assert await bench.loop.switch_branch(KEY, session.other_branches[0].began)
    return contents(bench)


async def test_an_edited_message_goes_another_way_and_the_one_before_stays(tmp_path: Path) -> None:
    bench = await talked(tmp_path, "Rather well.")
    assert await bench.loop.resend(KEY, 2, "How have you been?")
    said = ("Hello", "Good morning.", "How have you been?", "Rather well.")
    assert [content for _, content in contents(bench)] == [*said]
    first = bench.events[0]
    assert isinstance(first, BranchChanged)
    assert [each.index for each in bench.seen(RecordAppended)] == [2, 3]
    # Nothing of the way before is sent.
    assert "How are you?" not in str(bench.provider.requests[-1].messages)
    assert [content for _, content in await other_way(bench)] == [*TALK[0], *TALK[1]]


async def test_an_answer_is_written_anew_by_another_model_this_once(tmp_path: Path) -> None:
    bench = await talked(tmp_path, "Better than ever.", "And on.")
    assert await bench.loop.regenerate(KEY, 3, model="another")
    assert contents(bench)[2:] == [("user", "How are you?"), ("assistant", "Better than ever.")]
    assert [request.model for request in bench.provider.requests[-2:]] == ["scripted", "another"]
    assert bench.messages()[-1]["model"] == "another"
    await bench.loop.process(KEY, "Go on")
    assert bench.provider.requests[-1].model == "scripted"
    assert (await other_way(bench))[-1] == ("assistant", "Fine.")


async def test_the_model_of_a_conversation_answers_there_and_in_its_branches(tmp_path: Path) -> None:
    bench = await talked(tmp_path, "As chosen.", "Anew.", "As set.")
    bench.sessions.set_model(KEY, "chosen")
    await bench.loop.process(KEY, "Go on")
    assert await bench.loop.regenerate(KEY, 5)
    await bench.loop.process("desktop:other", "Hello")
    assert [request.model for request in bench.provider.requests[-3:]] == ["chosen", "chosen", "scripted"]


async def test_an_earlier_answer_is_written_anew_without_what_came_after_it(tmp_path: Path) -> None:
    bench = await talked(tmp_path, "Good evening.")
    assert await bench.loop.regenerate(KEY, 1)
    assert contents(bench) == [("user", "Hello"), ("assistant", "Good evening.")]
    assert "How are you?" not in str(bench.provider.requests[-1].messages)


async def test_a_question_without_an_answer_is_answered_without_a_branch(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, ModelError("gone"), "Here I am.", real_memory=True)
    await bench.loop.process(KEY, "Hello?")
    assert await bench.loop.regenerate(KEY, 0)
    assert contents(bench) == [("user", "Hello?"), ("assistant", "Here I am.")]
    assert not (tmp_path / "sessions/branches").exists()


async def test_a_branch_begun_after_a_message_waits_for_what_is_said_in_it(tmp_path: Path) -> None:
    bench = await talked(tmp_path, "A new way.")
    assert await bench.loop.branch(KEY, 2)
    assert contents(bench) == [("user", "Hello"), ("assistant", "Good morning.")]
    assert len(bench.seen(BranchChanged)) == 1
    await bench.loop.process(KEY, "Something else")
    assert contents(bench)[2:] == [("user", "Something else"), ("assistant", "A new way.")]
    assert len(await other_way(bench)) == 4


async def test_nothing_is_taken_while_an_answer_is_written_or_where_it_makes_no_sense(tmp_path: Path) -> None:
    gate = Gate()
    bench = await talked(tmp_path, [gate, "Late."])
    turn = asyncio.create_task(bench.loop.process(KEY, "Wait"))
    await gate.reached.wait()
    began = bench.sessions.get_or_create(KEY).branch.began
    assert not await bench.loop.resend(KEY, 0, "No")
    assert not await bench.loop.regenerate(KEY, 1)
    assert not await bench.loop.branch(KEY, 1)
    assert not await bench.loop.switch_branch(KEY, began)
    gate.open.set()
    await turn
    assert not await bench.loop.resend(KEY, 2, "/help")
    assert not await bench.loop.resend(KEY, 2, "  ")
    assert not await bench.loop.branch(KEY, 6)
    await bench.loop.resend(KEY, 1, "an answer is not mine")
    assert [each.sentence for each in bench.seen(TurnFailed)] == ["That message cannot be edited."]
    assert len(bench.seen(Noticed)) == 2
    assert len(contents(bench)) == 6
    assert not bench.seen(BranchChanged)


async def test_what_was_said_once_is_captured_once_on_whatever_way(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, "Noted.", "Noted again.", "Differently.", real_memory=True, profile="three-tier")
    await bench.loop.process(KEY, "I prefer tea")
    await bench.loop.regenerate(KEY, 1)
    assert len(bench.seen(Captured)) == 1
    captures = bench.memory.captures
    session = bench.sessions.get_or_create(KEY)
    assert list(await captures.of_conversation(KEY, session.branch)) == [0]
    await bench.loop.resend(KEY, 0, "I prefer coffee")
    found = await captures.of_conversation(KEY, session.branch)
    assert [each.text for each in found[0]] == ["I prefer coffee"]
    began = next(each.began for each in session.other_branches)
    await bench.loop.switch_branch(KEY, began)
    assert [each.text for each in (await captures.of_conversation(KEY, session.branch))[0]] == ["I prefer tea"]


async def test_what_was_consolidated_on_one_way_is_told_on_the_other_and_never_again(tmp_path: Path) -> None:
    await asyncio.to_thread(conversation, tmp_path)
    opened = Opened(tmp_path)
    loop, history = opened.bench.loop, tmp_path / "memory/HISTORY.md"
    session = await opened.session()
    root = session.branch.began
    # Twelve messages, m0 to m11; the newest four stay.
    assert await loop.resend(PROOF_KEY, 6, "m100")
    for text in ("m102", "m104"):
        await _settled(opened)
        assert await loop.process(PROOF_KEY, text)
    await _settled(opened)
    assert await loop.consolidate_now(PROOF_KEY) or session.last_consolidated == 8
    history_text = history.read_text()
    assert "m5 m100" in history_text
    assert session.last_consolidated == 8
    assert await loop.switch_branch(PROOF_KEY, root)
    # The six that both ways begin with are told of; the rest is still to be.
    assert session.last_consolidated == 6
    records = (await opened.bench.timeline.facts(PROOF_KEY)).records
    assert [(each.start, each.stop) for each in records] == [(0, 4), (4, 6)]
    assert await loop.consolidate_now(PROOF_KEY)
    assert history.read_text().removeprefix(history_text).count("m6 m7") == 1
    assert "m5" not in history.read_text().removeprefix(history_text)
    await opened.close()


async def test_a_consolidation_of_messages_that_were_left_writes_nothing(tmp_path: Path) -> None:
    await asyncio.to_thread(conversation, tmp_path)
    opened = Opened(tmp_path)
    loop = opened.bench.loop
    await opened.session()
    before = (tmp_path / "memory/HISTORY.md").read_text()

    async def leave() -> None:
        assert await loop.branch(PROOF_KEY, 4)

    opened.model._meanwhile = leave
    assert not await loop.consolidate_now(PROOF_KEY)
    noticed = [event.sentence for event in opened.events if isinstance(event, Noticed)]
    assert "another branch" in noticed[-1]
    assert not [event for event in opened.events if isinstance(event, ConsolidationFailed)]
    assert [event for event in opened.events if isinstance(event, ConsolidationStopped)]
    assert (tmp_path / "memory/HISTORY.md").read_text() == before
    await opened.close()


async def test_a_consolidation_of_what_both_ways_share_is_finished(tmp_path: Path) -> None:
    await asyncio.to_thread(conversation, tmp_path)
    opened = Opened(tmp_path)
    loop = opened.bench.loop
    session = await opened.session()

    async def leave() -> None:
        if session.branch.own_start == 0:
            assert await loop.branch(PROOF_KEY, 10)

    opened.model._meanwhile = leave
    assert await loop.consolidate_now(PROOF_KEY)
    assert (session.last_consolidated, session.branch.own_start) == (8, 10)
    await opened.close()


async def _settled(opened: Opened) -> None:
    while tasks := opened.bench.loop.consolidation.tasks:
        await asyncio.wait(tasks)
