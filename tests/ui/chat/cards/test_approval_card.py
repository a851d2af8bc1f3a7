"""Commands the model wants to run: the person is asked, with the exact words, and decides."""

import pytest

from tests.support.scripted_provider import ScriptedProvider, asks, call
from tests.ui.window_fixture import Opened, Stage, button, messages_on_disk, press, rest, until, words_in

ARGV = ["echo", "ran"]


async def opened(stage: Stage, *answers: object) -> Opened:
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    person = await stage.open(offline=ScriptedProvider(*answers))
    await person.bench.config.change(exec_enabled=True)
    return person


def results(stage: Stage) -> list[str]:
    return [one["content"] for one in messages_on_disk(stage.root) if one["role"] == "tool"]


@pytest.mark.parametrize("answer", ["Deny", "Run once"])
async def test_after_the_answer_the_keyboard_is_at_the_message_again(stage: Stage, answer: str) -> None:
    person = await opened(stage, asks(call("exec", argv=["echo", "ran"])), "As you like.")
    person.composer.setFocus()
    person.send("Go.")
    await until(lambda: (card := person.chat.approval.built) is not None and card.isVisible(), "the approval card")
    found = button(person.chat.approval.widget, answer)
    assert found is not None
    found.setFocus()
    press(found, "Space")
    await person.answered()
    assert not person.chat.approval.widget.isVisible()
    assert person.window.focusWidget() is person.composer.edit


@pytest.mark.parametrize("way", ["Deny", "Esc"])
async def test_a_command_that_is_denied_does_not_run_and_the_model_is_told(stage: Stage, way: str) -> None:
    marker = stage.folder / "marker"
    person = await opened(stage, asks(call("exec", argv=["touch", str(marker)])), "As you like.")
    person.send("Touch it.")
    await until(person.chat.approval.widget.isVisible, "the approval card")
    assert person.timeline.model.left_out(len(person.session.messages) - 1) is None
    assert str(marker) in words_in(person.chat.approval.widget)
    assert str(stage.root) in words_in(person.chat.approval.widget)
    if way == "Esc":
        person.press("Esc")
    else:
        person.click("Deny", person.chat.approval.widget)
    await person.answered()
    assert not person.chat.approval.widget.isVisible()
    assert not marker.exists()
    assert len(results(stage)) == 1
    assert "As you like." in person.text


async def test_a_command_is_asked_about_each_time_until_always(stage: Stage) -> None:
    ask = [asks(call("exec", id=f"call-{number}", argv=ARGV)) for number in range(4)]
    person = await opened(stage, ask[0], "One.", ask[1], "Two.", ask[2], "Three.", ask[3], "Four.")
    for words, answer in (("first", "Run once"), ("second", "Always this exact command")):
        person.send(words)
        await until(person.chat.approval.widget.isVisible, "the approval card")
        person.click(answer, person.chat.approval.widget)
        await person.answered()
    await person.say("third")
    assert not person.chat.approval.widget.isVisible()
    await person.say("fourth")
    assert len(results(stage)) == 4
    assert "Four." in person.text


async def test_stopping_while_the_card_is_open_takes_it_away_and_runs_nothing(stage: Stage) -> None:
    marker = stage.folder / "marker"
    person = await opened(stage, asks(call("exec", argv=["touch", str(marker)])), "Never.")
    person.send("Touch it.")
    await until(person.chat.approval.widget.isVisible, "the approval card")
    person.click("Stop")
    await person.answered()
    assert not person.chat.approval.widget.isVisible()
    assert not marker.exists()
    assert len(results(stage)) == 1


async def test_without_the_setting_nothing_is_asked_and_nothing_runs(stage: Stage) -> None:
    stage.make()
    marker = stage.folder / "marker"
    model = ScriptedProvider(asks(call("exec", argv=["touch", str(marker)])), "No.")
    person = await stage.open(offline=model)
    await person.say("Touch it.")
    await rest()
    assert not person.chat.approval.widget.isVisible()
    assert not marker.exists()
    assert "exec" not in str(model.requests[0].tools)


async def test_the_card_says_that_it_waits_for_the_person_and_then_that_it_runs(stage: Stage) -> None:
    person = await opened(stage, asks(call("exec", argv=["touch", "a b"])), "As you like.")
    asking = person.key
    person.send("Touch it.")
    await until(person.chat.approval.widget.isVisible, "the approval card")
    assert "touch 'a b'" in person.text, "the command as a command line"
    assert "waiting for your approval" in person.text
    assert "running…" not in person.text
    person.press("Ctrl+N")
    await until(lambda: person.key != asking, "another conversation")
    person.current.sessions.open(asking)
    await until(lambda: "waiting for your approval" in person.text, "the same, coming back")
    facts = await person.current.bench.timeline.facts(asking)
    assert not facts.selection.left_out, "a call that waits is not one that is not sent"
    person.click("Deny", person.chat.approval.widget)
    await until(lambda: "not run: you did not allow it" in person.text, "what became of it")
    assert "waiting for your approval" not in person.text
    await until(lambda: "As you like." in person.text, "the answer")
