"""Talking in the whole window: what is on disk, what shows, and when."""

from tests.support.scripted_provider import Gate, ScriptedProvider, says
from tests.ui.window_fixture import KEY, Stage, messages_on_disk, rest


async def test_a_message_is_on_disk_before_the_model_is_asked(stage: Stage) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    gate = Gate()
    model = ScriptedProvider([gate, "All ", "is ", "well."])
    person = await stage.open(offline=model)
    person.send("How is the kiln?")
    await gate.reached.wait()
    assert [one["content"] for one in messages_on_disk(stage.root)] == ["Earlier.", "Yes.", "How is the kiln?"]
    assert "How is the kiln?" in person.text
    assert person.timeline.model.total == 3
    assert person.composer.busy
    assert person.composer.button.text() == "Stop"
    gate.open.set()
    await person.answered()
    assert messages_on_disk(stage.root)[-1]["content"] == "All is well."
    assert "All is well." in person.text
    assert person.timeline.model.total == 4
    assert person.composer.button.text() == "Send"
    assert person.composer.draft() == ""
