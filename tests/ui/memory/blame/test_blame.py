"""Who wrote each line: beside the source, on a card, and from there to the entry and the messages."""

from __future__ import annotations

from datetime import datetime

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel
from shiboken6 import isValid

from mnemoscope.domain.commits import BlameLine, CommitInfo
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.ui.memory.editor.blame_gutter import NOBODY, owners_of
from mnemoscope.ui.memory.versions.version_words import brief_words
from mnemoscope.ui.timeline.row_sentences import row_sentence
from tests.support.own_time import at_most
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.dream.test_dream_pane import dreaming
from tests.ui.window_fixture import Opened, Stage, TwoMinds, button, press, rest, until, words_in

FACTS = "# User\n\n- Name is Sam\n- Likes tea\n"
LEARNT = FACTS + "- Owns a kiln\n"
ENTRY = "[2026-11-22 10:00] Sam owns a kiln."
SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]
ONE, OTHER = (CommitInfo(name * 8, f"{name}\n", "2026-03-03 14:20", "You", name * 40) for name in "ab")


async def consolidated(stage: Stage) -> Opened:
    """Returns a line of a consolidation, one of another program, one of the person, and all others as they began."""
    stage.make(*SAID, memory=FACTS, memoryWindow=4)
    person = await stage.open(offline=TwoMinds("Yes.", memory=ScriptedProvider(save_memory(ENTRY, LEARNT))))
    await person.say("I own a kiln.")
    await until(lambda: "kiln" in person.memory.editor.text(), "what was consolidated")
    stage.paths.memory_file.write_text(LEARNT + "- From outside\n", "utf-8")
    await person.current.watcher.rescan()
    await until(lambda: "outside" in person.memory.editor.text(), "the other program's line")
    person.memory.editor.replace_text(person.memory.editor.text().replace("Likes tea", "Likes green tea"))
    person.memory.save()
    await until(lambda: not person.memory.is_dirty(), "the text saved")
    await person.bench.commits.kept()
    return person


async def blamed(stage: Stage) -> Opened:
    person = await consolidated(stage)
    # The screen of the tests is small: beside the other panes an editor would have room for a date alone.
    person.memory.editor.setMinimumWidth(440)
    person.current.actions["view.blame"].trigger()
    await until(lambda: person.memory.editor.blame.owners.owner(4) is not None, "who wrote the lines")
    # On a small screen the pane leaves the names no room.
    person.memory.editor.resize(450, person.memory.editor.height())
    return person


async def test_a_narrow_editor_leaves_its_room_to_the_text(stage: Stage) -> None:
    person = await blamed(stage)
    editor = person.memory.editor
    wide = editor.blame.wanted_width()
    owner = editor.blame.owners.owner(4)
    assert owner is not None
    source, _, day = brief_words(owner, datetime.now()).rpartition(" · ")
    assert editor.blame.words(4) == source == "messages 1–4"
    editor.setMinimumWidth(0)
    editor.resize(800, editor.height())
    assert editor.blame.words(4) == f"{source} · {day}"
    editor.resize(300, editor.height())
    assert editor.blame.words(4) == day
    assert editor.blame.wanted_width() < wide


async def test_each_line_says_who_wrote_it(stage: Stage) -> None:
    person = await blamed(stage)
    gutter = person.memory.editor.blame
    owners = [gutter.owners.owner(line) for line in range(6)]
    authors = [owner.author if owner else "" for owner in owners]
    assert authors == ["Mnemoscope", "Mnemoscope", "Mnemoscope", "You", "Consolidation", "Outside"]
    assert gutter.words(3).startswith("You · ")
    assert gutter.words(4).startswith("messages 1–")
    assert gutter.isVisible()
    assert person.current.actions["view.blame"].isChecked()
    assert person.memory.toolbar.blame_button.isChecked()


async def test_a_line_that_stood_there_when_versions_began_is_said_to_be_older_than_they_are(stage: Stage) -> None:
    person = await blamed(stage)
    blame = person.current.memory.controllers[person.memory.path].blame
    assert person.memory.editor.blame.words(0) == "before versions"
    blame.show_author(0, with_keyboard=False)
    await until(blame.card.isVisible, "the card")
    words = [label.text() for label in blame.card.findChildren(QLabel) if label.isVisible()]
    assert words[0] == "Written before versions were kept"
    assert words[1].endswith("the line stood there already.")
    assert not any("Mnemoscope" in each for each in words)


async def test_it_is_off_at_first_and_goes_again(stage: Stage) -> None:
    person = await consolidated(stage)
    assert person.memory.editor.blame.isHidden()
    assert not person.current.actions["view.blame"].isChecked()
    margin = person.memory.editor.viewportMargins().left()
    person.click("Who wrote each line", person.memory)
    await until(lambda: person.memory.editor.viewportMargins().left() > margin, "room for the names")
    person.click("Who wrote each line", person.memory)
    assert person.memory.editor.viewportMargins().left() == margin


async def test_a_line_being_typed_is_marked_as_not_saved_until_it_is(stage: Stage) -> None:
    person = await blamed(stage)
    gutter = person.memory.editor.blame
    person.memory.editor.go_to_line(3)
    person.type(person.memory.editor, "x")
    assert gutter.words(3) == "not saved"
    press(person.window, "Return")
    assert [gutter.words(line) for line in (3, 4)] == ["not saved", "not saved"]
    assert gutter.words(5).startswith("messages 1–")
    await rest(0.3)
    assert gutter.words(5).startswith("messages 1–")
    person.press("Ctrl+S")
    await until(lambda: gutter.words(3).startswith("You · "), "a version of it")


async def test_a_click_on_the_line_that_is_told_of_leaves_its_card_whole(stage: Stage) -> None:
    person = await blamed(stage)
    blame = person.current.memory.controllers[person.memory.path].blame
    blame.show_author(4, with_keyboard=False)
    await until(blame.card.isVisible, "the card")
    height = blame.card.height()
    labels = [label for label in blame.card.findChildren(QLabel) if label.isVisible()]
    person.memory.editor.blame.chosen.emit(4)
    await until(lambda: not any(label.isVisible() for label in labels if isValid(label)), "the card told anew")
    assert blame.card.height() == height > 40


async def test_the_keyboard_is_in_the_editor_again_after_a_press_in_the_card(stage: Stage) -> None:
    person = await blamed(stage)
    blame = person.current.memory.controllers[person.memory.path].blame
    blame.show_author(4, with_keyboard=False)
    await until(blame.card.isVisible, "the card")
    way = button(blame.card, "Show this version")
    assert way is not None
    way.setFocus()
    blame.card.leave()
    assert person.memory.editor.hasFocus()


async def test_the_mouse_resting_on_a_line_shows_its_card(stage: Stage) -> None:
    person = await blamed(stage)
    editor = person.memory.editor
    block = editor.document().findBlockByNumber(4)
    top = editor.blockBoundingGeometry(block).translated(editor.contentOffset()).top()
    point = QPointF(10, top + 3)
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        point,
        editor.blame.mapToGlobal(point),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(editor.blame, move)
    card = person.current.memory.controllers[person.memory.path].blame.card
    await until(card.isVisible, "the card")
    assert "Consolidation" in card.accessibleName()
    assert "Sam owns a kiln" in card.accessibleName()
    QApplication.sendEvent(editor.blame, QEvent(QEvent.Type.Leave))
    await until(lambda: not card.isVisible(), "the card gone")


async def test_by_keyboard_from_a_line_to_its_messages(stage: Stage) -> None:
    person = await consolidated(stage)
    person.memory.editor.setFocus()
    person.memory.editor.go_to_line(4)
    person.press("Ctrl+Shift+G")
    card = person.current.memory.controllers[person.memory.path].blame.card
    await until(card.isVisible, "the card")
    assert card.isAncestorOf(person.window.focusWidget())
    press(person.window, "Esc")
    await until(lambda: not card.isVisible() and person.memory.editor.hasFocus(), "back in the text")
    person.press("Ctrl+Shift+G")
    await until(card.isVisible, "the card again")
    person.click("Show messages", card)
    view = person.timeline.view
    await until(lambda: view.current is not None and view.current.number == 0, "the first message it came from")


TALK = [
    ("user" if number % 2 == 0 else "assistant", f"We spoke of the weather, part {number}.") for number in range(50)
]
TALK[30] = ("user", "My sister Anna is allergic to walnuts.")
TALK[36] = ("user", "她住在成都，养了一只猫。")


@pytest.mark.parametrize(
    ("line", "marked"),
    [("- Sister Anna is allergic to walnuts", {30}), ("- 姐姐住在成都，养猫", {36}), ("- Plays chess", set())],
)
async def test_a_line_leads_to_the_messages_it_rests_on_and_beside_them_to_all(
    stage: Stage, line: str, marked: set[int]
) -> None:
    stage.make(*TALK, memory=FACTS, memoryWindow=4)
    learnt = f"{FACTS}{line}\n"
    person = await stage.open(offline=TwoMinds("Yes.", memory=ScriptedProvider(save_memory(ENTRY, learnt))))
    person.current.actions["memory.consolidate"].trigger()
    await until(lambda: line in person.memory.editor.text(), "what was consolidated")
    await person.bench.commits.kept()
    blame, view, model = (
        person.current.memory.controllers[person.memory.path].blame,
        person.timeline.view,
        person.timeline.model,
    )
    person.current.actions["pane.memory"].trigger()
    blame.show_author(4)
    await until(lambda: blame.card.isVisible(), "the card")
    person.click("Show messages", blame.card)
    first = min(marked, default=0)
    await until(lambda: view.current is not None and view.current.number == first, "the message it rests on")
    assert model.marked == marked
    assert ("marked" in row_sentence(model, TimelineRow(RowKind.MESSAGE, first))) == bool(marked)
    blame.show_author(4)
    await until(lambda: blame.card.isVisible(), "the card again")
    person.click("All 48", blame.card)
    await until(lambda: view.current is not None and view.current.number == 0, "the first of all")
    assert not model.marked


async def test_a_captured_line_leads_to_its_message_also_after_new(stage: Stage) -> None:
    person = await stage.open()
    await person.say("Good morning")
    await person.say("I prefer tea")
    await until(lambda: CAPTURED in person.memory.editor.text(), "the line")
    await person.bench.commits.kept()
    view = person.timeline.view
    line = person.memory.editor.text().split("\n").index(CAPTURED)
    await show_messages(person, line)
    await until(lambda: view.current is not None and view.current.number == 2, "the message it was said in")
    await person.say("/new")
    for words in ("Hello", "How are you?", "And now?"):
        await person.say(words)
    await show_messages(person, line)
    await until(lambda: "I prefer tea" in person.text and "And now?" not in person.text, "the closed conversation")


CAPTURED = "- **preference**: I prefer tea"


async def show_messages(person: Opened, line: int) -> None:
    blame = person.current.memory.controllers[person.memory.path].blame
    person.current.actions["pane.memory"].trigger()
    blame.show_author(line)
    await until(blame.card.isVisible, "the card")
    person.click("Show messages", blame.card)


async def test_from_a_line_to_its_history_entry_and_to_its_version(stage: Stage) -> None:
    person = await blamed(stage)
    person.current.memory.controllers[person.memory.path].blame.show_author(4)
    card = person.current.memory.controllers[person.memory.path].blame.card
    await until(card.isVisible, "the card")
    person.click("Show in history", card)
    await until(lambda: any("Sam owns a kiln" in one for one in person.entries()), "the entry")
    person.current.memory.controllers[person.memory.path].blame.show_author(4)
    await until(card.isVisible, "the card again")
    person.click("Show this version", card)
    view = person.memory.body.versions.widget
    await until(lambda: view.isVisible() and view.current and view.current.author == "Consolidation", "its version")


async def test_a_file_without_versions_says_so(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    person = await stage.open()
    person.current.actions["view.blame"].trigger()
    await person.until_said("No version of this file is kept yet", person.memory)


def test_lines_are_carried_along_by_comparison() -> None:
    blame = [BlameLine("a\r", ONE), BlameLine("b", OTHER), BlameLine("", ONE)]
    found = owners_of(blame, "a\nnew\nb\n")
    assert found.owners == [0, NOBODY, 1, 0]
    assert owners_of([], "a\nb").owners == [NOBODY, NOBODY]


async def test_of_a_long_file_only_what_is_in_sight_is_painted(stage: Stage) -> None:
    line = "- a fact of some fifty characters, more or less\n"
    text = "".join(f"- {number} {line[2:]}" for number in range(100_000 // len(line)))
    stage.make(*SAID, memory=text)
    person = await stage.open()
    # No line that says anything, which would be compared with the two thousand others.
    person.memory.editor.replace_text(f"{text}## Later\n")
    person.memory.save()
    await until(lambda: not person.memory.is_dirty(), "the text saved")
    await person.bench.commits.kept()
    person.current.actions["view.blame"].trigger()
    await until(lambda: person.memory.editor.blame.owners.owner(7) is not None, "who wrote the lines")
    with at_most(0.05):
        person.memory.editor.blame.grab()


async def test_entries_another_program_wrote_are_told_too_the_one_the_line_came_from_first(stage: Stage) -> None:
    dreaming(stage, "- [ephemeral] Was tired", "- [durable] Decided to use JWT", "- [permanent] Prefers green tea")
    person = await stage.open()
    await person.bench.dreaming.run_now()
    await person.bench.commits.kept()
    person.current.actions["pane.memory"].trigger()
    document = person.window.memory.show_file("USER.md")
    await until(lambda: "Prefers green tea" in document.editor.text(), "what Dream wrote")
    blame = person.current.memory.controllers["USER.md"].blame
    line = document.editor.text().split("\n").index("- Prefers green tea")
    blame.show_author(line)
    await until(lambda: blame.card.isVisible(), "the card")
    words = words_in(blame.card).split("\n")
    assert words[1] == "Entries 1 to 3 · +1 facts"
    assert words[2:5] == [
        "- [permanent] Prefers green tea",
        "- [ephemeral] Was tired",
        "- [durable] Decided to use JWT",
    ]
    assert button(blame.card, "Show messages") is None
    person.click("Show in history", blame.card)
    await until(lambda: person.history.view.current == 0, "the entry in the history")
