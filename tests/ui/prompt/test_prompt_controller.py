"""Looking back in the window: the prompt of each past turn, while the conversation goes on."""

from __future__ import annotations

from mnemoscope.domain.settings import THREE_TIER
from mnemoscope.domain.timeline.rows import RowKind
from mnemoscope.ui.chat.message_actions import OpenResult
from mnemoscope.ui.prompt.prompt_pane import PastTurns
from tests.support.scripted_provider import ScriptedProvider, says
from tests.ui.window_fixture import Opened, Stage, rest, sentences, until


async def talked(stage: Stage, turns: int) -> Opened:
    """Returns a window in which so many turns were talked, with the prompt pane on show."""
    person = await stage.open(offline=ScriptedProvider(last=says("An answer.")))
    await person.bench.config.change(profile=THREE_TIER, time_zone="UTC")
    for number in range(turns):
        await person.say(f"Question {number}")
    person.current.actions["pane.prompt"].trigger()
    await until(lambda: person.window.prompt.built, "the prompt pane")
    await until(lambda: person.window.prompt.widget.model.groups, "a prompt")
    return person


async def look_back(person: Opened) -> PastTurns:
    person.window.prompt.widget.past_button.click()
    await until(lambda: person.window.prompt.widget.is_past, "the slider")
    return person.window.prompt.widget.past.widget


def newest_words(person: Opened) -> str:
    conversation = next(
        group for group in person.window.prompt.widget.model.groups if group.row.title == "Conversation"
    )
    return str(conversation.rows[-1].text)


async def test_each_past_turn_shows_what_was_sent_with_it(stage: Stage) -> None:
    person = await talked(stage, 3)
    past = await look_back(person)
    assert "Turn 3 of 3" in past.title.text()
    past.slider.setValue(0)
    assert newest_words(person).endswith("Question 0")
    past.later.click()
    assert newest_words(person).endswith("Question 1")
    past.now_button.click()
    await until(lambda: not newest_words(person).endswith("Question 1"), "what would be sent now")


async def test_while_one_looks_back_the_conversation_goes_on_and_its_turns_are_added(stage: Stage) -> None:
    person = await talked(stage, 2)
    past = await look_back(person)
    past.slider.setValue(0)
    await person.say("Question 2")
    await until(lambda: past.slider.maximum() == 2, "the new turn")
    assert newest_words(person).endswith("Question 0")


async def test_a_past_turn_shows_no_words_that_were_forgotten_since(stage: Stage) -> None:
    person = await talked(stage, 2)
    past = await look_back(person)
    past.slider.setValue(0)
    assert newest_words(person).endswith("Question 0")
    forgetting = person.bench.forgetting
    plan = await forgetting.plan(["Question 0"])
    await forgetting.carry_out(plan.text, plan.everything, ())
    await until(lambda: "Question 0" not in newest_words(person), "the prompt as it is kept now")
    assert "Turn 1 of 2" in past.title.text()


async def test_another_conversation_has_turns_of_its_own(stage: Stage) -> None:
    person = await talked(stage, 2)
    await look_back(person)
    person.current.actions["conversation.new"].trigger()
    await until(lambda: not person.window.prompt.widget.is_past, "the present")
    past = await look_back(person)
    assert past.title.text() == "No prompt of this conversation is kept yet."


async def test_the_days_note_is_in_the_history_pane(stage: Stage) -> None:
    person = await talked(stage, 1)
    await until(lambda: any("Question 0" in entry for entry in person.entries()), "the note")
    await rest()
    (match,) = person.history.model.matches
    assert match.entry.source.startswith("memory/2")
    assert match.entry.text == "**User:** Question 0\n**Agent:** An answer."


async def test_the_timeline_counts_towards_no_consolidation(stage: Stage) -> None:
    person = await talked(stage, 1)
    await until(
        lambda: person.timeline.header.status_label.text() == "What you say and tools write memory here", "who writes"
    )
    assert not person.timeline.header.line.isVisible()
    kinds = {person.timeline.model.stack.row(place).kind for place in range(person.timeline.model.stack.rows)}
    assert RowKind.POINTER not in kinds


async def test_only_a_whole_result_of_ours_is_opened(stage: Stage) -> None:
    person = await talked(stage, 1)
    kept = await person.bench.whole_results.keep("exec", "all of it")
    assert (await person.bench.whole_results.file_of(kept)).read_text("utf-8") == "all of it"
    (stage.root / "run.desktop").write_text("[Desktop Entry]")
    person.window.chat.transcript.message_actions.run(OpenResult("run.desktop"))
    await until(lambda: any("not kept any more" in each for each in sentences(person.window)), "what is said")


async def test_prompts_of_a_deleted_conversation_go_with_it(stage: Stage) -> None:
    person = await talked(stage, 1)
    assert list(stage.paths.own.prompts_dir.iterdir())
    await person.bench.conversations.delete(person.key)
    await until(lambda: not list(stage.paths.own.prompts_dir.iterdir()), "nothing kept")
