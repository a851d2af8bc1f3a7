"""What a menu sends: asked for while an answer is written, and beside a draft."""

from __future__ import annotations

from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.ui.window_fixture import KEY, Stage, messages_on_disk, until

OTHER = "desktop:other"


async def test_a_command_from_the_menu_says_that_an_answer_is_being_written(stage: Stage) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider(["Half ", gate, "whole."]))
    person.current.sessions.open(KEY)
    await person.until_ready()
    person.send("Go")
    await gate.reached.wait()
    person.type(person.composer.edit, "a draft")
    person.current.actions["conversation.start_new"].trigger()
    await person.until_said("still at work")
    assert person.composer.busy
    assert person.composer.draft() == "a draft"
    gate.open.set()
    await person.answered()
    assert [one["content"] for one in messages_on_disk(stage.root)][2:] == ["Go", "Half whole."]
    assert person.composer.draft() == "a draft"


async def test_a_command_from_the_menu_leaves_the_draft_alone(stage: Stage) -> None:
    stage.make(("user", "Tea?"), ("assistant", "Yes."))
    person = await stage.open()
    person.type(person.composer.edit, "a draft")
    person.current.conversation.send("/memory")
    await until(lambda: len(messages_on_disk(stage.root)) == 4, "the command and its answer")
    await person.answered()
    assert person.composer.draft() == "a draft"
    await person.close()
    again = await stage.open()
    assert again.composer.draft() == "a draft"
