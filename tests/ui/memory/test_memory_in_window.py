"""MEMORY.md in the whole window: typed, changed by others, held for review."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import Opened, Stage, TwoMinds, click, rest, sentences, tree, type_words, until

FACTS = "# User\n\n- Name is Sam\n- Likes tea\n- Lives in Paris\n"
LOSING = "# User\n\n- Name is Sam\n- Likes tea\n"
ENTRY = "[2026-11-22 10:00] Sam spoke about tea."
SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]


async def opened(stage: Stage, **core: Any) -> Opened:
    stage.make(*SAID, memory=FACTS, memoryWindow=4)
    return await stage.open(**core)


def write_at_end(person: Opened, words: str) -> None:
    person.press("Ctrl+2")
    person.press("Ctrl+End")
    # Enter behind an item begins another one; once more, and the list is left.
    type_words(person.memory.editor, words + "\n" * words.endswith("\n"))


async def test_what_is_typed_is_saved_with_ctrl_s(stage: Stage) -> None:
    person = await opened(stage)
    write_at_end(person, "- Plays chess\n")
    assert person.memory.is_dirty()
    assert stage.paths.memory_file.read_text("utf-8") == FACTS
    person.press("Ctrl+S")
    await until(lambda: not person.memory.is_dirty(), "the text saved")
    assert stage.paths.memory_file.read_text("utf-8") == FACTS + "- Plays chess\n"
    assert person.memory.editor.text() == FACTS + "- Plays chess\n"


async def test_another_programs_change_shows_at_once_where_nothing_is_typed_and_is_told(stage: Stage) -> None:
    person = await opened(stage)
    stage.paths.memory_file.write_text(FACTS + "- Owns a kiln\n", "utf-8")
    await until(lambda: "Owns a kiln" in person.memory.editor.text(), "the other program's text")
    assert not person.memory.is_dirty()
    await person.until_said("was changed outside", person.memory)


async def test_a_line_that_both_sides_changed_is_one_conflict_after_saving(stage: Stage) -> None:
    person = await opened(stage)
    person.press("Ctrl+2")
    person.memory.editor.replace_text(FACTS.replace("Paris", "Lisbon"))
    stage.paths.memory_file.write_text(FACTS.replace("Paris", "Porto"), "utf-8")
    await person.until_said("another program", person.memory)
    person.press("Ctrl+S")
    await person.until_said("changed on both sides. Your wording stands", person.memory)
    person.click("Review", person.memory)
    conflicts = person.memory.body.conflicts.widget
    assert len(conflicts.waiting) == 1
    assert conflicts.theirs.caption.text().startswith("Theirs · Another program")
    person.click("Take theirs", conflicts)
    await until(lambda: not conflicts.waiting, "nothing left to settle")
    await until(lambda: person.memory.editor.text() == FACTS.replace("Paris", "Porto"), "the other wording")
    assert stage.paths.memory_file.read_text("utf-8") == FACTS.replace("Paris", "Porto")


@pytest.mark.parametrize("way", ["Merge", "Keep mine", "save"])
async def test_a_change_from_outside_while_typing_costs_no_letter_of_either(stage: Stage, way: str) -> None:
    person = await opened(stage)
    write_at_end(person, "- Mine\n")
    outside = FACTS.replace("- Name is Sam\n", "- Name is Sam\n- Theirs\n")
    stage.paths.memory_file.write_text(outside, "utf-8")
    await person.until_said("another program", person.memory)
    assert person.memory.editor.text() == FACTS + "- Mine\n"
    if way != "save":
        person.click(way, person.memory)
        assert person.memory.is_dirty()
        assert ("- Theirs" in person.memory.editor.text()) == (way == "Merge")
    person.press("Ctrl+S")
    await until(lambda: not person.memory.is_dirty(), "the text saved")
    written = stage.paths.memory_file.read_text("utf-8")
    assert "- Mine\n" in written
    assert ("- Theirs\n" in written) == (way != "Keep mine")
    if way == "Keep mine":
        kept = [path.read_text("utf-8") for path in stage.paths.own.text_versions_dir.iterdir()]
        assert outside in kept


async def test_a_consolidation_that_lands_while_typing_waits_for_the_person(stage: Stage) -> None:
    gate = Gate()
    learnt = FACTS.replace("- Likes tea\n", "- Likes tea\n- Owns a kiln\n")
    model = TwoMinds("Yes.", memory=ScriptedProvider([gate, save_memory(ENTRY, learnt)]))
    person = await opened(stage, offline=model)
    await person.say("I own a kiln.")
    await gate.reached.wait()
    write_at_end(person, "- Mine\n")
    gate.open.set()
    await person.until_said("by consolidation", person.memory)
    assert person.memory.editor.text() == FACTS + "- Mine\n"
    assert stage.paths.memory_file.read_text("utf-8") == learnt
    person.click("Merge", person.memory)
    person.press("Ctrl+S")
    await until(lambda: not person.memory.is_dirty(), "the text saved")
    assert stage.paths.memory_file.read_text("utf-8") == learnt + "- Mine\n"


@pytest.mark.parametrize("decision", ["Accept", "Edit", "Reject", "Keep mine"])
async def test_a_memory_that_would_lose_facts_is_held_until_the_person_decides(stage: Stage, decision: str) -> None:
    person = await opened(stage, offline=TwoMinds("Yes.", memory=ScriptedProvider(save_memory(ENTRY, LOSING))))
    await person.say("Tea, please.")
    await person.until_said("proposal is waiting for review", person.memory)
    assert stage.paths.memory_file.read_text("utf-8") == FACTS
    assert person.session.last_consolidated > 0
    if decision == "Keep mine":
        person.click(decision, person.memory)
    else:
        person.click("Review", person.memory)
        await until(lambda: person.memory.body.review.widget.isVisible(), "the review")
        person.click(decision, person.memory.body.review.widget)
    if decision == "Edit":
        await until(lambda: person.memory.editor.hasFocus(), "the suggestion in the editor")
        assert person.memory.editor.text() == LOSING
        write_at_end(person, "- Moved to Lyon\n")
        person.press("Ctrl+S")
    await until(lambda: not stage.paths.own.suggestions_dir.glob("*.json") or not _waiting(stage), "the decision kept")
    await until(lambda: not any("suggestion" in one for one in sentences(person.memory)), "the bar gone")
    wanted = {"Accept": LOSING, "Edit": LOSING + "- Moved to Lyon\n"}.get(decision, FACTS)
    await until(lambda: person.memory.editor.text() == wanted, "the text decided on")
    assert stage.paths.memory_file.read_text("utf-8") == wanted


def _waiting(stage: Stage) -> list[str]:
    return [path.name for path in stage.paths.own.suggestions_dir.glob("*.json")]


async def test_a_suggestion_left_for_later_is_there_at_the_next_start(stage: Stage) -> None:
    person = await opened(stage, offline=TwoMinds("Yes.", memory=ScriptedProvider(save_memory(ENTRY, LOSING))))
    await person.say("Tea, please.")
    await person.until_said("proposal is waiting for review", person.memory)
    await person.close()
    again = await stage.open()
    await again.until_said("proposal is waiting for review", again.memory)


async def test_undo_takes_a_merge_back_in_one_step(stage: Stage) -> None:
    person = await opened(stage)
    write_at_end(person, "- Mine\n")
    stage.paths.memory_file.write_text("- Theirs\n" + FACTS, "utf-8")
    await person.until_said("another program", person.memory)
    person.click("Merge", person.memory)
    assert "- Theirs" in person.memory.editor.text()
    person.press("Ctrl+Z")
    assert person.memory.editor.text() == FACTS + "- Mine\n"


async def test_finding_in_memory_is_for_the_pane_that_has_the_keyboard(stage: Stage) -> None:
    person = await opened(stage)
    person.press("Ctrl+2")
    person.press("Ctrl+F")
    bar = person.memory.body.find_bar.widget
    await until(bar.isVisible, "the find bar of the memory pane")
    person.press("Esc")
    await until(lambda: not bar.isVisible(), "the find bar gone")
    assert person.memory.isAncestorOf(person.window.focusWidget())
    person.press("Ctrl+3")
    person.press("Ctrl+F")
    assert person.window.focusWidget() is person.history.field or person.history.field.isAncestorOf(
        person.window.focusWidget()
    )
    click(person.composer.edit)
    person.composer.edit.setFocus()
    person.press("Ctrl+F")
    await until(person.transcript.find_bar.isVisible, "the find bar of the conversation")
    person.press("Esc")
    await until(lambda: not person.transcript.find_bar.isVisible(), "the find bar of the conversation gone")


async def test_looking_at_memory_and_not_typing_writes_nothing(stage: Stage) -> None:
    person = await opened(stage)
    await rest(0.1)
    before = tree(stage.paths.memory_dir)
    person.press("Ctrl+2")
    QTest.keyClick(person.memory.editor, Qt.Key.Key_Down)
    person.press("Ctrl+S")
    await rest(0.1)
    assert tree(stage.paths.memory_dir) == before
