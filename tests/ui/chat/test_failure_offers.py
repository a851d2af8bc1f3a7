"""Under a turn that failed: whatever its sentence tells the person to do, a button of the bar does."""

import re

from mnemoscope.domain.errors import KeyMissing
from mnemoscope.llm import failures
from mnemoscope.llm.failures import Failure, error_of
from mnemoscope.ui.chat.message_actions import EditMessage
from tests.support.scripted_provider import ScriptedProvider
from tests.ui.window_fixture import Stage, button, messages_on_disk, press, sentences, until, words_in

ANOTHER_MODEL = re.compile("Choose model…|another model|another one|built-in model|model with a larger context")


ERRORS = {kind: error_of(Failure(kind, 500), "openai/scripted") for kind in failures._SENTENCES}
ERRORS["no key"] = KeyMissing("The model needs a key.")


async def test_what_the_sentence_says_has_a_button(stage: Stage) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    model = ScriptedProvider()
    person = await stage.open(offline=model)
    for kind, error in ERRORS.items():
        model.last = error
        await person.say(f"Tell me, {kind}.")
        (said,) = sentences(person.transcript)
        assert error.next_step in said, kind
        assert button(person.transcript, "Try again") is not None, kind
        if ANOTHER_MODEL.search(error.next_step):
            assert button(person.transcript, "Choose model…") is not None, kind
        if "Consolidate now" in error.next_step:
            assert button(person.transcript, "Consolidate now") is not None, kind
        if "new conversation" in error.next_step:
            assert button(person.transcript, "New conversation") is not None, kind


async def test_an_edit_of_a_message_that_is_gone_offers_no_other_answer_to_the_newest(stage: Stage) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."), ("user", "Which glaze?"), ("assistant", "The blue one."))
    model = ScriptedProvider()
    person = await stage.open(offline=model)
    person.transcript.message_actions.run(EditMessage(2))
    person.composer.set_draft("Which clay?")
    (path,) = stage.paths.sessions_dir.glob("*.jsonl")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    await person.until_said("2 of 4 messages are left", person.chat)
    await person.until_ready()
    press(person.composer.edit, "Return")
    await until(lambda: "That message cannot be edited." in words_in(person.transcript), "why it was not taken")
    assert button(person.transcript, "Try again") is None
    await until(lambda: person.composer.draft() == "Which clay?", "the words in the field")
    assert len(messages_on_disk(stage.root)) == 2
    assert not model.requests


async def test_a_new_conversation_is_one_click_away_from_one_that_is_too_long(stage: Stage) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    person = await stage.open(offline=ScriptedProvider("Hello.", last=ERRORS["context"]))
    await person.say("Tell me.")
    before = person.key
    await person.say("And more.")
    person.click("New conversation", person.transcript)
    await until(lambda: person.key not in {"", before}, "another conversation")
    await until(lambda: "Earlier." not in person.text, "nothing said in it")
    assert messages_on_disk(stage.root, before)[-1]["content"] == "And more."


async def test_another_model_is_one_click_away_from_a_conversation_too_long_for_this_one(stage: Stage) -> None:
    stage.make()
    person = await stage.open(offline=ScriptedProvider(last=ERRORS["context"]))
    await person.say("Tell me.")
    person.click("Choose model…", person.transcript)
    await until(lambda: person.current.settings_controller.sheet is not None, "the sheet of the model")
    sheet = person.current.settings_controller.sheet
    assert sheet is not None
    sheet.hide()
