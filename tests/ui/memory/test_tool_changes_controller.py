"""Undo on the card of a tool's call that wrote memory takes exactly that change back, and is right after a restart."""

from __future__ import annotations

import json

from mnemoscope.ui.chat.message_actions import RedoChange, UndoChange
from tests.support.scripted_provider import ScriptedProvider, asks, call
from tests.ui.chat.transcript.offered_actions import actions_of, click_action
from tests.ui.window_fixture import Opened, Stage, until, words_in

FACTS = "# User\n\n- Name is Sam\n- Likes tea\n"
CHANGED = FACTS + "- Has a cat\n"


async def written(stage: Stage) -> Opened:
    """Returns a window in which the assistant added a fact with a tool."""
    stage.make(memory=FACTS)
    script = (
        asks(call("read_file", id="memory", path="memory/MEMORY.md")),
        asks(
            call("edit_file", path="memory/MEMORY.md", old_text="- Likes tea\n", new_text="- Likes tea\n- Has a cat\n")
        ),
        "I have noted the cat.",
    )
    person = await stage.open(offline=ScriptedProvider(*script))
    await person.say("I have a cat.")
    await until(lambda: offers(person, UndoChange), f"the card, only {person.text!r}")
    assert memory(stage) == CHANGED
    return person


def offers(person: Opened, kind: type[UndoChange | RedoChange]) -> bool:
    """Returns whether the card has a link that does this; how long its call took stands before it."""
    return bool(actions_on(person, kind))


def memory(stage: Stage) -> str:
    return stage.paths.memory_file.read_text("utf-8")


def actions_on(person: Opened, kind: type[UndoChange | RedoChange]) -> list[UndoChange | RedoChange]:
    """Returns what the links on the cards do, of this kind."""
    return [each for each in actions_of(person.transcript) if isinstance(each, kind)]


def click_on_card(person: Opened, kind: type[UndoChange | RedoChange]) -> None:
    """Clicks on the link of the card that does this."""
    click_action(person.transcript, actions_on(person, kind)[0])


def is_done(person: Opened) -> bool:
    return not person.current.tool_changes._under_way


def changes(stage: Stage) -> list[str]:
    lines = stage.paths.own.change_log_of("memory/MEMORY.md").read_text("utf-8").splitlines()
    return [json.loads(line)["origin"]["kind"] for line in lines]


async def test_undo_on_the_card_takes_the_change_back_and_bring_back_makes_it_again(stage: Stage) -> None:
    person = await written(stage)
    click_on_card(person, UndoChange)
    await until(lambda: "Undone  Bring back" in person.text, "that it is undone")
    assert memory(stage) == FACTS
    await until(lambda: is_done(person), "the end of the undo")
    click_on_card(person, RedoChange)
    await until(lambda: offers(person, UndoChange), "that it is there again")
    assert memory(stage) == CHANGED


async def test_what_came_later_stays(stage: Stage) -> None:
    person = await written(stage)
    later = CHANGED.replace("Sam", "Samira")
    await person.bench.memory.editing.save_text(
        later, (await person.bench.disk.run(person.bench.memory.editing.read_text)).digest
    )
    click_on_card(person, UndoChange)
    await until(lambda: "Undone  Bring back" in person.text, "that it is undone")
    assert memory(stage) == FACTS.replace("Sam", "Samira")


async def test_a_second_click_does_nothing(stage: Stage) -> None:
    person = await written(stage)
    undo = actions_on(person, UndoChange)[0]
    for _ in range(2):
        click_on_card(person, UndoChange)
    await until(lambda: "Undone  Bring back" in person.text, "that it is undone")
    await until(lambda: is_done(person), "the end of the undo")
    person.transcript.message_actions.run(undo)
    await until(lambda: is_done(person), "the end of the second")
    for _ in range(2):
        click_on_card(person, RedoChange)
    await until(lambda: offers(person, UndoChange), "that it is there again")
    assert changes(stage)[-3:] == ["agent", "undo", "undo"]


async def test_after_a_restart_the_card_knows_what_is_undone_and_can_be_brought_back(stage: Stage) -> None:
    person = await written(stage)
    await person.close()
    person = await stage.open()
    await until(lambda: offers(person, UndoChange), "the card of the run before")
    click_on_card(person, UndoChange)
    await until(lambda: "Undone  Bring back" in person.text, "that it is undone")
    await person.close()
    person = await stage.open()
    await until(lambda: "Undone  Bring back" in person.text, "that it was undone")
    assert memory(stage) == FACTS


async def test_an_undo_elsewhere_is_seen_on_the_card(stage: Stage) -> None:
    person = await written(stage)
    newest = (await person.bench.disk.run(person.bench.memory.editing.changes))[-1]
    assert newest.id == actions_on(person, UndoChange)[0].change
    await person.bench.memory.editing.undo_change(newest.id)
    await until(lambda: "Undone  Bring back" in person.text, "that it is undone")


async def test_where_nothing_of_it_is_left_that_is_said(stage: Stage) -> None:
    person = await written(stage)
    await person.bench.memory.editing.save_text(
        FACTS, (await person.bench.disk.run(person.bench.memory.editing.read_text)).digest
    )
    click_on_card(person, UndoChange)
    await until(lambda: "Nothing of this change is left in memory." in words_in(person.chat), "the sentence")
    assert memory(stage) == FACTS


async def test_lines_changed_since_stand_and_one_suggestion_waits_however_often_undo_is_clicked(stage: Stage) -> None:
    person = await written(stage)
    mine = CHANGED.replace("- Has a cat", "- Has a cat called Tom")
    await person.bench.memory.editing.save_text(
        mine, (await person.bench.disk.run(person.bench.memory.editing.read_text)).digest
    )
    status = person.current.main_window.status
    for _ in range(2):
        click_on_card(person, UndoChange)
        await until(lambda: "a proposal waits" in words_in(status), "that a suggestion waits")
        await until(lambda: is_done(person), "the end of the undo")
        status.show_remark("")
    assert memory(stage) == mine
    assert len(await person.bench.disk.run(person.bench.memory.ledger.suggestions)) == 1


async def test_a_window_that_only_reads_offers_no_undo(stage: Stage) -> None:
    person = await written(stage)
    reader = await stage.open(read_only=True)
    await until(lambda: "Saved MEMORY.md." in reader.text, "the card")
    assert not offers(reader, UndoChange)
    assert "Undo" in person.text
