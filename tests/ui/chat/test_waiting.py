"""Waiting is told: a model that asks to wait before it answers."""

from __future__ import annotations

from mnemoscope.domain.llm import Retrying
from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.ui.window_fixture import Stage, until


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
