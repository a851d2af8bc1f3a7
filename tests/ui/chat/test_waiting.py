"""Waiting is told: how far an answer is of which no word has come, and a model that asks to wait before it answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from functools import partial

import pytest

from mnemoscope.domain.llm import ChatRequest, ModelTraits, ReasoningDelta, Retrying, StreamPart
from mnemoscope.llm.remote import LiteLLMProvider
from mnemoscope.ui.chat.message_actions import StopWorkBeside
from mnemoscope.ui.chat.transcript.stream_renderer import ReplyStage, stage_words
from tests.support.scripted_provider import Gate, ScriptedProvider, asks, call
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import KEY, Stage, TwoMinds, until, words_in

MEMORY = "# Kiln\n\n- Fires at 1222 °C\n"


async def test_a_model_that_is_asked_again_is_told_of_until_the_answer_begins(stage: Stage) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    first, second = Gate(), Gate()
    script = [Retrying(7.2, "rate"), first, Retrying(1, "server"), second, "All ", "of it."]
    person = await stage.open(offline=ScriptedProvider(script))
    person.send("Tell me.")
    await first.reached.wait()
    status = person.composer.status
    await until(lambda: status.text() == "The server asks to wait · trying again in 7 s…", "why nothing comes")
    first.open.set()
    await until(lambda: status.text() == "The server had an error · trying again in 1 s…", "the second reason")
    second.open.set()
    await person.answered()
    assert "of the context" in status.accessibleName()
    assert "trying again" not in status.text()
    assert "All of it." in person.text


async def test_an_answer_is_waited_for_thought_about_and_then_written(stage: Stage) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    asked, thought, begun, again = Gate(), Gate(), Gate(), Gate()
    calls = asks(call("read_file", id="7", path="memory/MEMORY.md"), text="I look.")
    script = [asked, ReasoningDelta("Hm."), thought, "It ", begun, "is so."]
    person = await stage.open(offline=ScriptedProvider(script, calls, [again, "Done."]))

    def shows(words: str) -> bool:
        return f" · {words}  Stop Esc" in person.text

    person.send("Tell me.")
    for gate, words in ((asked, "waiting for the first word"), (thought, "thinking"), (begun, "writing")):
        await gate.reached.wait()
        await until(partial(shows, words), words)
        gate.open.set()
    await person.answered()
    assert "Stop Esc" not in person.text
    person.send("And memory?")
    await again.reached.wait()
    # A tool ran: the model is asked once more, and that is waited for as well.
    await until(lambda: person.text.endswith(" · waiting for the first word  Stop Esc"), "the second wait")
    again.open.set()
    await person.answered()


async def test_a_conversation_come_back_to_says_how_long_its_model_is_waited_for(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider([gate, "Yes."]))
    person.send("Tell me.")
    await gate.reached.wait()
    monkeypatch.setattr("mnemoscope.ui.chat.transcript.stream_renderer.LONG_WAIT", 0)
    await person.current.conversation.open("desktop:other")
    await person.current.conversation.open(KEY)
    await until(lambda: " · waiting for the first word · " in person.text, "the seconds")
    gate.open.set()
    await person.answered()


def test_a_wait_is_told_in_seconds_once_it_is_long() -> None:
    assert stage_words(ReplyStage.WAITING, 4.9) == "waiting for the first word"
    assert stage_words(ReplyStage.WAITING, 35.4) == "waiting for the first word · 35 s"
    assert stage_words(ReplyStage.THINKING, 100) == "thinking · 1 min 40 s"
    assert stage_words(ReplyStage.WRITING, 100) == "writing"


class OwnServer(LiteLLMProvider):
    """A server of the person's own that answers from scripts, without a process beside the window."""

    def __init__(self, scripts: ScriptedProvider) -> None:
        super().__init__()
        self._scripts = scripts

    async def warm(self, model: str | None = None) -> None:
        pass

    async def traits(self, model: str | None = None) -> ModelTraits:
        return ModelTraits()

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamPart, None]:
        async for part in self._scripts.stream(request):
            yield part


async def test_an_answer_behind_our_own_work_on_the_same_server_says_so_and_offers_to_stop_it(stage: Stage) -> None:
    said = [(role, f"Word {number}.") for number in range(4) for role in ("user", "assistant")]
    stage.make(*said, memory=MEMORY, model="lm_studio/any", memoryWindow=4)
    consolidating, first = Gate(), Gate()
    person = await stage.open(remote=OwnServer(ScriptedProvider([consolidating], [first, "Yes."])))
    work = asyncio.ensure_future(person.bench.loop.consolidate_now(KEY))
    await consolidating.reached.wait()
    person.send("Tell me.")
    await first.reached.wait()
    behind = " · waiting: the same server is consolidating  Stop consolidating  Stop Esc"
    await until(lambda: person.text.endswith(behind), "what it waits behind")
    person.transcript.message_actions.run(StopWorkBeside())
    await until(lambda: person.text.endswith(" · waiting for the first word  Stop Esc"), "nothing before it any more")
    assert not await work
    first.open.set()
    await person.answered()


async def test_a_consolidation_that_began_by_itself_gives_way_to_an_answer_that_waits_for_its_server(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mnemoscope.agent.workspace.consolidation_preemption.WAIT_SECONDS", 0.05)
    said = [(role, f"Word {number}.") for number in range(4) for role in ("user", "assistant")]
    stage.make(*said, memory=MEMORY, model="lm_studio/any", memoryWindow=4)
    consolidating, first, again, second = Gate(), Gate(), Gate(), Gate()
    written = save_memory("The kiln was fired.", MEMORY)
    scripts = ["Hello."], [consolidating], [first, "Yes."], [again, written], [second, "Still here."]
    person = await stage.open(remote=OwnServer(ScriptedProvider(*scripts)))
    person.send("Good morning.")
    await consolidating.reached.wait()
    person.send("Tell me.")
    await first.reached.wait()
    # What it waited behind is gone, and begins again once the answer is there.
    await until(lambda: person.text.endswith(" · waiting for the first word  Stop Esc"), "nothing before it any more")
    first.open.set()
    await again.reached.wait()
    assert "Yes." in person.text
    # The second time it is finished first.
    person.send("And now?")
    behind = " · waiting: the same server is consolidating  Stop consolidating  Stop Esc"
    await until(lambda: person.text.endswith(behind), "what it waits behind")
    await asyncio.sleep(0.2)
    assert person.text.endswith(behind)
    again.open.set()
    await until(lambda: person.text.endswith(" · waiting for the first word  Stop Esc"), "nothing before it any more")
    assert "The kiln was fired." in (stage.root / "memory" / "HISTORY.md").read_text("utf-8")
    second.open.set()
    await until(lambda: "Still here." in person.text, "the answer")


async def test_while_a_command_runs_the_field_speaks_of_the_command(stage: Stage) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."), memory=MEMORY)
    gate = Gate()
    memory = ScriptedProvider([gate, save_memory("The kiln was fired.", MEMORY)])
    person = await stage.open(offline=TwoMinds("Hello.", memory=memory))
    person.send("/new")
    await gate.reached.wait()
    hint = person.composer.edit.placeholderText()
    assert hint.startswith("Message. Enter lets it wait")
    assert "answer" not in hint
    assert person.composer.button.accessibleName() == "Stop the command"
    person.send("Good morning.")
    assert "Good morning." in words_in(person.composer.waiting)
    gate.open.set()
    await until(lambda: "Hello." in person.text, "the answer to what waited")
    assert "Earlier." not in person.text
