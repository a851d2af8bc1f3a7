"""Consolidation seen from the window: in the background, in every pane, and where it fails."""

import pytest
from PySide6.QtCore import QPoint

from mnemoscope.domain.errors import ServerUnreachable
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import KEY, Stage, TwoMinds, click, messages_on_disk, rest, tree, until, words_in

ENTRY = "Sam asked about the kiln and learnt that it is blue."
MEMORY = "# Memory\n\n- Likes tea\n"
LEARNT = MEMORY + "- The kiln is blue\n"
SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]


def pointer_on_disk(stage: Stage) -> int:
    session = SessionManager(stage.root, read_only=True).load(KEY)
    assert session is not None
    return session.last_consolidated


async def test_a_consolidation_runs_while_the_conversation_goes_on(stage: Stage) -> None:
    stage.make(*SAID, memory=MEMORY, memoryWindow=6)
    gate = Gate()
    model = TwoMinds("Blue.", "Yes.", memory=ScriptedProvider([gate, save_memory(ENTRY, LEARNT)]))
    person = await stage.open(offline=model)
    await person.say("What colour is the kiln?")
    await gate.reached.wait()
    assert "Consolidating messages" in person.timeline.header.status_label.text()
    await person.say("Really?")
    assert messages_on_disk(stage.root)[-1]["content"] == "Yes."
    assert pointer_on_disk(stage) == 0
    gate.open.set()
    await until(lambda: person.timeline.model.pointer == 3, "the pointer in its new place")
    assert person.session.last_consolidated == pointer_on_disk(stage) == 3
    assert person.rows(RowKind.ENTRY).keys() == {0}
    await until(lambda: any(ENTRY in each for each in person.entries()), "the entry in the history")
    await until(lambda: person.memory.editor.text() == LEARNT, "the new memory in the editor")
    assert not person.memory.is_dirty()
    assert stage.paths.memory_file.read_text("utf-8") == LEARNT
    assert stage.paths.history_file.read_text("utf-8").endswith(f"] {ENTRY}\n\n")


async def test_one_in_the_background_is_still_seen_after_a_look_elsewhere_and_is_stopped(stage: Stage) -> None:
    stage.make(*SAID, memory=MEMORY, memoryWindow=6)
    gate = Gate()
    model = TwoMinds("Blue.", memory=ScriptedProvider([gate, save_memory(ENTRY, LEARNT)]))
    person = await stage.open(offline=model)
    await person.say("What colour is the kiln?")
    await gate.reached.wait()
    words = person.timeline.header.status_label.text
    person.current.sessions.new()
    await until(lambda: person.key != KEY, "another conversation")
    await person.until_ready()
    assert "Consolidating" not in words()
    person.current.sessions.open(KEY)
    await until(lambda: "Consolidating messages" in words(), "the consolidation that still runs")
    click(person.timeline.header.stop_button)
    await until(lambda: "next try at message" in words(), "that it waits")
    assert pointer_on_disk(stage) == 0
    assert stage.paths.memory_file.read_text("utf-8") == MEMORY


async def test_another_memory_window_is_counted_by_as_soon_as_it_is_set(stage: Stage) -> None:
    stage.make(*SAID, memory=MEMORY, memoryWindow=60)
    person = await stage.open(offline=TwoMinds())
    words = person.timeline.header.status_label.text
    await until(lambda: "of 60 messages" in words(), "the window of the settings")
    await person.bench.config.change(memory_window=70)
    await until(lambda: "of 70 messages" in words(), "the window as it is set now")


@pytest.mark.logs_errors
async def test_a_consolidation_that_fails_says_so_and_is_tried_again_on_a_click(stage: Stage) -> None:
    stage.make(*SAID, memory=MEMORY, memoryWindow=4)
    no = ServerUnreachable("The server does not answer.")
    model = TwoMinds("Blue.", memory=ScriptedProvider(no, no, no))
    person = await stage.open(offline=model)
    await person.say("What colour is the kiln?")
    said = await person.until_said("Memory not updated", person.timeline)
    assert "does not answer" in said
    assert person.timeline.model.running is None
    assert messages_on_disk(stage.root)[-1]["content"] == "Blue."
    assert stage.paths.memory_file.read_text("utf-8") == MEMORY
    model.memory.scripts = [save_memory(ENTRY, LEARNT)]
    person.click("Try again", person.timeline)
    await until(lambda: person.memory.editor.text() == LEARNT, "the new memory")
    await until(lambda: person.timeline.model.pointer == pointer_on_disk(stage) > 0, "the pointer moved")
    assert stage.paths.history_file.read_text("utf-8").count(ENTRY) == 1


async def test_what_a_consolidation_wrote_is_taken_back_from_its_card(stage: Stage) -> None:
    stage.make(*SAID, memory=MEMORY, memoryWindow=2)
    person = await stage.open(offline=TwoMinds(memory=ScriptedProvider(save_memory(ENTRY, LEARNT))))
    person.current.actions["memory.consolidate"].trigger()
    await until(lambda: person.memory.editor.text() == LEARNT, "the new memory")
    view = person.timeline.view
    await until(lambda: len(view.model.groups) == 1, "the card")
    menu = view.menu_of(TimelineRow(RowKind.ENTRY, 0))
    next(action for action in menu.actions() if action.text() == "Undo what it wrote to memory").trigger()
    menu.deleteLater()
    await until(lambda: stage.paths.memory_file.read_text("utf-8") == MEMORY, "the memory as it was")
    await person.until_said("Taken back", person.memory)
    assert stage.paths.history_file.read_text("utf-8").count(ENTRY) == 1


async def test_new_archives_what_was_said_and_clears_the_conversation(stage: Stage) -> None:
    stage.make(*SAID, memory=MEMORY)
    person = await stage.open(offline=TwoMinds(memory=ScriptedProvider(save_memory(ENTRY, LEARNT))))
    person.send("/new")
    await until(lambda: "Message 3." not in person.text, "the conversation cleared")
    await person.answered()
    await person.until_ready()
    (kept,) = stage.paths.archive_dir.glob("*.jsonl")
    assert "Message 0." in kept.read_text("utf-8")
    assert "Message 3." in kept.read_text("utf-8")
    assert stage.paths.history_file.read_text("utf-8").endswith(f"] {ENTRY}\n\n")
    assert messages_on_disk(stage.root) == []
    await until(person.transcript.empty.isVisible, "the empty state with its examples")
    assert "The conversation before is kept in the list, under “Archived”." in words_in(person.transcript.empty)
    assert person.composer.draft() == ""
    await until(lambda: person.timeline.model.total == person.timeline.model.pointer == 0, "an empty timeline")


@pytest.mark.logs_errors
async def test_a_new_that_fails_clears_nothing_and_says_why(stage: Stage) -> None:
    stage.make(*SAID, memory=MEMORY)
    no = ServerUnreachable("The server does not answer.")
    person = await stage.open(offline=TwoMinds(memory=ScriptedProvider(no, no, no)))
    await person.say("/new")
    assert "nothing was cleared" in person.text
    assert "does not answer" in person.text
    assert "Message 0." in person.text
    assert [one["content"] for one in messages_on_disk(stage.root)][:4] == [content for _, content in SAID]
    assert not list(stage.paths.archive_dir.glob("*"))
    assert stage.paths.memory_file.read_text("utf-8") == MEMORY


async def test_a_click_in_the_timeline_shows_the_message_and_the_other_way_round(stage: Stage) -> None:
    stage.make(*[("user" if one % 2 == 0 else "assistant", f"Message {one}. " + "words " * 60) for one in range(60)])
    person = await stage.open()
    await rest()
    person.press("Ctrl+1")
    person.press("Home")
    await until(lambda: 0 in person.rows(), "the first rows of the timeline")
    before = person.transcript.view.verticalScrollBar().value()
    click(person.timeline.view.viewport(), person.rows()[2].center())
    await until(lambda: person.transcript.transcript.row_of(2) is not None, "message 2 in the chat")
    await rest()
    view = person.transcript.view
    row = person.transcript.transcript.row_of(2)
    assert row is not None
    assert view.verticalScrollBar().value() != before
    assert 0 <= view.row_rect(row).top() - view.offset() < view.viewport().height()
    row = person.transcript.transcript.row_of(3)
    assert row is not None
    # Its words stand at its end: above them is its caption, with links in as many lines as they need.
    words = view.row_rect(row).bottomLeft().toPoint()
    click(view.viewport(), words + QPoint(30, -view.offset() - 20))
    current = person.timeline.view.current
    assert current is not None
    assert (current.kind, current.number) == (RowKind.MESSAGE, 3)


async def test_an_entry_leads_to_the_messages_it_came_from_and_they_to_it(stage: Stage) -> None:
    stage.make(*SAID, memory=MEMORY, memoryWindow=4)
    person = await stage.open(offline=TwoMinds("Blue.", memory=ScriptedProvider(save_memory(ENTRY, LEARNT))))
    await person.say("What colour is the kiln?")
    await until(lambda: any(ENTRY in each for each in person.entries()), "the entry in the history")
    await until(lambda: 0 in person.rows(RowKind.ENTRY), "the entry in the timeline")
    assert {0, 1, 2, 3} <= person.rows().keys()
    person.press("Ctrl+1")
    person.press("Home")
    person.press("Return")
    view = person.history.view
    await until(lambda: view.current == 0, "the entry in the history")
    person.current.sessions.new()
    await until(lambda: person.key != KEY, "another conversation")
    await person.until_ready()
    card = view.cards.card(0)
    place = view.rect_of(0).topLeft() + card.link.center().toPoint()
    click(view.viewport(), place)
    await until(lambda: person.key == KEY, "the conversation of the entry")
    await person.until_ready()
    first = TimelineRow(RowKind.MESSAGE, 0)
    await until(lambda: person.timeline.view.current == first, f"its first message, not {person.timeline.view.current}")


async def test_consolidating_now_with_nothing_to_do_says_so_and_writes_nothing(stage: Stage) -> None:
    stage.make(*SAID[:2], memory=MEMORY)
    person = await stage.open(offline=TwoMinds())
    await person.bench.commits.kept()
    await person.bench.disk.run(lambda: None)
    before = tree(stage.root)
    person.current.actions["memory.consolidate"].trigger()
    await person.until_said("nothing to consolidate")
    # What the window keeps of itself by the clock is nothing either where nothing was typed.
    person.current.conversation.flush_draft()
    await person.bench.disk.run(lambda: None)
    assert tree(stage.root) == before
