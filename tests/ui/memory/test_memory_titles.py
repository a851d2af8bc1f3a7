"""Changes of memory name the conversation they came of by its title, as the list does, never by its key."""

from pytestqt.qtbot import QtBot

from mnemoscope.domain.memory.change import MemoryChange, MemoryOrigin
from mnemoscope.ui.memory.memory_body import ChangeStrip
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import KEY, Opened, Stage, TwoMinds, until

FACTS = "# User\n\n- Name is Sam\n"
ENTRY = "[2026-11-22 10:00] Sam spoke about tea."


async def consolidated(stage: Stage) -> Opened:
    said = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]
    stage.make(*said, memory=FACTS, memoryWindow=4)
    tea = FACTS + "- Likes tea\n"
    memory = ScriptedProvider(save_memory(ENTRY, tea), save_memory(ENTRY, tea + "- Message 3 was said\n"))
    person = await stage.open(offline=TwoMinds("Yes.", memory=memory))
    await person.say("Tea, please.")
    await until(lambda: "Likes tea" in person.memory.editor.text(), "the fact")
    return person


def strip(person: Opened) -> str:
    return person.memory.body.strip.words.text()


async def test_the_last_change_names_its_conversation(stage: Stage) -> None:
    person = await consolidated(stage)
    await until(lambda: "of “Message 0.”" in strip(person), "the title")
    assert "desktop:" not in strip(person)


async def test_so_it_does_after_a_restart_and_with_a_new_title(stage: Stage) -> None:
    await (await consolidated(stage)).close()
    again = await stage.open()
    await until(lambda: "of “Message 0.”" in strip(again), "the title")
    await again.bench.conversations.rename(KEY, "About tea")
    await until(lambda: "of “About tea”" in strip(again), "the new title")


async def test_what_was_settled_before_new_names_the_conversation_that_was_closed(stage: Stage) -> None:
    person = await consolidated(stage)
    await person.say("/new")
    await until(lambda: "messages 5 to 6" in strip(person), "what /new settled")
    await until(lambda: "of “Message 0.”" in strip(person), "the title of the conversation that was closed")
    await person.bench.conversations.rename(KEY, "The next one")
    await until(lambda: person.window.sessions.title_of(KEY) == "The next one", "the new title")
    assert "of “Message 0.”" in strip(person)
    await person.close()
    again = await stage.open()
    await until(lambda: "of “Message 0.”" in strip(again), "the title")


async def test_what_came_of_a_conversation_that_is_deleted_says_so_and_names_no_new_one(stage: Stage) -> None:
    person = await consolidated(stage)
    await until(lambda: "of “Message 0.”" in strip(person), "the title")
    trashed = await person.bench.conversations.delete(KEY)
    await until(lambda: "of “a deleted conversation”" in strip(person), "that it is deleted")
    await person.bench.conversations.restore(trashed)
    await until(lambda: "of “Message 0.”" in strip(person), "the title again")


def test_the_last_change_is_said_whole_in_a_narrow_pane(qtbot: QtBot) -> None:
    made = ChangeStrip("MEMORY.md")
    qtbot.addWidget(made)
    origin = MemoryOrigin("capture", "2026-11-22T10:00:00", "k", 2)
    made.title_of = lambda _key, _when: "A conversation about tea"
    made.show_change(MemoryChange("1", origin.when, origin, "", "", ("- Likes tea",), count_added=1), read_only=False)
    made.resize(330, made.heightForWidth(330))
    made.show()
    assert made.words.height() >= 2 * made.words.fontMetrics().lineSpacing()
    assert not made.words.toolTip(), "nothing of it is left out"
