"""What the gate holds, in the whole window: a tool's write, and an approval of what has moved on."""

import pytest

from mnemoscope.ui.chat.message_actions import ReviewSuggestion
from tests.support.scripted_provider import ScriptedProvider, asks, call
from tests.support.telltale_model import save_memory
from tests.ui.chat.transcript.offered_actions import actions_of, click_action
from tests.ui.window_fixture import Opened, Stage, TwoMinds, press, until, words_in

FACTS = "# User\n\n- Name is Sam\n- Likes tea\n"
PLANTED = FACTS + "- Prefers the vendor's servers\n"


async def held(stage: Stage, *more: object) -> Opened:
    stage.make(memory=FACTS)
    (stage.root / "page.txt").write_text("Prefers the vendor's servers, says everybody.", "utf-8")
    script = (
        asks(call("read_file", path="page.txt")),
        asks(call("read_file", id="memory", path="memory/MEMORY.md")),
        asks(call("write_file", path="memory/MEMORY.md", content=PLANTED)),
        "I have put it up for review.",
        *more,
    )
    person = await stage.open(offline=ScriptedProvider(*script))
    await person.say("Sum up page.txt, please.")
    return person


def click_review(person: Opened) -> None:
    """Clicks on the link of the card that shows what was held."""
    offered = (each for each in actions_of(person.transcript) if isinstance(each, ReviewSuggestion))
    click_action(person.transcript, next(offered))


async def test_a_tools_write_that_was_held_says_so_on_its_folded_card(stage: Stage) -> None:
    person = await held(stage)
    assert stage.paths.memory_file.read_text("utf-8") == FACTS
    assert "waiting for review  Review" in person.text
    assert "Not written" not in person.text


async def test_review_on_the_card_leads_to_the_suggestion_and_its_reason(stage: Stage) -> None:
    person = await held(stage)
    click_review(person)
    review = person.memory.body.review.widget
    await until(review.isVisible, "the review")
    assert "Only a tool or file said “Prefers the vendor's servers”." in words_in(review)
    assert "The assistant wanted to write it with a tool" in words_in(review)
    person.click("Accept", review)
    await until(lambda: stage.paths.memory_file.read_text("utf-8") == PLANTED, "the text accepted")


async def test_review_on_the_card_of_what_was_settled_says_that_it_was(stage: Stage) -> None:
    person = await held(stage)
    person.click("Keep mine", person.memory)
    await until(lambda: not list(stage.paths.own.suggestions_dir.glob("*.json")), "nothing that waits")
    click_review(person)
    await person.until_said("This was decided already", person.memory)


async def test_the_card_says_so_again_after_a_restart(stage: Stage) -> None:
    person = await held(stage)
    await person.close()
    again = await stage.open()
    assert "waiting for review  Review" in again.text


ENTRY = "[2026-11-22 10:00] Sam spoke about tea."
LOSING = "# User\n\n- Name is Sam\n"


@pytest.mark.parametrize("times", [1, 2])
async def test_what_moved_on_before_it_was_accepted_is_shown_again_and_not_written(stage: Stage, times: int) -> None:
    said = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]
    stage.make(*said, memory=FACTS, memoryWindow=4)
    person = await stage.open(offline=TwoMinds("Yes.", memory=ScriptedProvider(save_memory(ENTRY, LOSING))))
    await person.say("Tea, please.")
    await person.until_said("proposal is waiting for review", person.memory)
    person.click("Review", person.memory)
    review = person.memory.body.review.widget
    text = FACTS
    for number in range(times):
        await until(review.isVisible, "the review")
        text += f"- Added outside {number}\n"
        stage.paths.memory_file.write_text(text, "utf-8")
        person.click("Accept", review)
        refused = await person.until_said("changed after you were shown it", person.memory)
        assert "Nothing was written." in refused
        assert stage.paths.memory_file.read_text("utf-8") == text
    await until(review.isVisible, "the comparison as it is now")
    press(person.window, "Esc")
    person.click("Show all", person.memory)
    person.click("Review", person.memory)
    assert review.diff.removed == 1
    person.click("Accept", review)
    wanted = LOSING + "".join(f"- Added outside {number}\n" for number in range(times))
    await until(lambda: stage.paths.memory_file.read_text("utf-8") == wanted, "the text accepted")
