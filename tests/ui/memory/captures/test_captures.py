"""What was kept of a message stands under it, leads to its line in memory, and can be taken back or kept after all."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from mnemoscope.domain.capture.record import KEPT, REFUSED, UNDONE
from mnemoscope.domain.settings import Settings
from mnemoscope.store.capture.session_state_files import STATE_SUFFIX
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.workspace import create_workspace
from mnemoscope.ui.chat.message_actions import (
    ListCapture,
    RedoCaptures,
    ShowCapture,
    UndoCaptures,
)
from mnemoscope.ui.settings.memory_section import CaptureSection
from mnemoscope.ui.support.capture_reasons import reason_words
from tests.ui.chat.transcript.offered_actions import click_action
from tests.ui.window_fixture import Opened, Stage, button, click, rest, sentences, until, words_in

LINE = "- **preference**: I prefer tea"


def shown(person: Opened) -> str:
    """The transcript's words."""
    return person.transcript.transcript.document.toPlainText().replace("\u00a0", " ")


def memory(stage: Stage) -> str:
    return stage.paths.memory_file.read_text(encoding="utf-8")


async def kept(stage: Stage) -> Opened:
    """A window in which something was kept."""
    person = await stage.open()
    await person.say("I prefer tea")
    await until(lambda: "Remembered:   I prefer tea   Undo" in shown(person), f"the line, only {shown(person)!r}")
    return person


async def test_what_was_kept_stands_under_the_message_and_leads_to_its_line(stage: Stage) -> None:
    person = await kept(stage)
    assert memory(stage).count(LINE) == 1
    click_action(person.transcript, ShowCapture(0, 0))
    editor = person.memory.editor
    await until(lambda: LINE in editor.text(), "the line in the editor")
    click_action(person.transcript, ShowCapture(0, 0))
    assert editor.text().split("\n")[editor.caret_line()] == LINE


@pytest.mark.parametrize("is_on", [True, False])
async def test_what_is_captured_waits_beside_a_line_that_says_otherwise(stage: Stage, is_on: bool) -> None:
    person = await stage.open()
    if not is_on:
        await person.bench.config.change(weekly_check=False)
    base = person.bench.memory.editing.read_text()
    await person.bench.memory.editing.save_text(f"{base.text}\n- Rent is 900 euros\n", base.digest)
    await person.say("Remember that my rent is 980 euros.")
    await until(lambda: "980" in memory(stage), "the line captured")
    if is_on:
        await until(lambda: bool(Ledger(stage.paths).suggestions()), "the pair waits")
        [waits] = Ledger(stage.paths).suggestions()
        assert "Rent is 900 euros" in waits.reasons[0]
        assert "980" in waits.reasons[0]
    else:
        await rest()
        assert Ledger(stage.paths).suggestions() == []
    assert "- Rent is 900 euros\n" in memory(stage)


async def test_a_wish_to_remember_that_is_refused_is_told_under_the_message(stage: Stage) -> None:
    person = await stage.open()
    before = memory(stage)
    await person.say("Will it rain tomorrow? Remember this.")
    await until(lambda: "Not remembered, a question:   Will it rain tomorrow" in shown(person), "why it was not")
    await person.say("My sister lives in Leeds. Remember this.")
    await until(lambda: "Remembered:   My sister lives in Leeds   Undo" in shown(person), "that it was")
    assert "My sister lives in Leeds" in memory(stage)
    assert "rain" not in memory(stage).replace(before, "")


async def test_of_a_wish_it_is_told_what_it_is_about_and_its_line_is_kept_as_it_was_said(stage: Stage) -> None:
    person = await stage.open()
    await person.say("Remember: the gate sticks.")
    await until(lambda: "Remembered:   the gate sticks   Undo" in shown(person), "that it was")
    assert "- **remember**: Remember: the gate sticks\n" in memory(stage)


async def test_what_memory_knew_already_is_said_to_be_known_and_has_no_undo(stage: Stage) -> None:
    person = await stage.open()
    base = person.bench.memory.editing.read_text()
    await person.bench.memory.editing.save_text(f"{base.text}\n## Mine\n\n{LINE}\n", base.digest)
    before = memory(stage)
    number = before.split("\n").index(LINE) + 1
    await person.say("I prefer tea")
    expected = f"Known already, line {number}, by you, in the editor:   I prefer tea"
    await until(lambda: expected in shown(person), f"whose it is, only {shown(person)!r}")
    assert "Remembered:" not in shown(person)
    assert "Undo" not in shown(person)
    person.transcript.message_actions.run(UndoCaptures(0))
    await rest()
    assert memory(stage) == before
    assert "Taken back" not in shown(person)
    click_action(person.transcript, ShowCapture(0, 0))
    editor = person.memory.editor
    await until(lambda: LINE in editor.text() and editor.caret_line() == number - 1, "the line in the editor")
    person.current.actions["capture.log"].trigger()
    view = person.memory.body.captures.widget
    await until(lambda: person.memory.body.page == "captures", "the page of captures")
    assert "Known already" in view.list.item(0).text()
    assert not view.undo_button.isVisible()
    assert not view.keep_button.isEnabled()


async def test_a_wish_said_again_is_known_beside_what_is_new(stage: Stage) -> None:
    person = await stage.open()
    await person.say("The router is in the cellar. Remember this.")
    await until(lambda: "Remembered:   The router is in the cellar   Undo" in shown(person), "that it was kept")
    await person.say("The router is in the cellar. Remember this. I prefer tea.")
    await until(
        lambda: "by you, in an earlier message:   The router is in the cellar" in shown(person), "that it is known"
    )
    assert "Remembered:   I prefer tea   Undo" in shown(person)
    assert memory(stage).count("The router") == 1
    click_action(person.transcript, UndoCaptures(2))
    await until(
        lambda: "Taken back:   I prefer tea   Remember after all" in shown(person), "that the new is taken back"
    )
    assert memory(stage).count("The router") == 1


async def test_more_wishes_that_are_refused_than_there_is_room_for_are_counted_and_listed(stage: Stage) -> None:
    person = await stage.open()
    places = ("Leeds", "York", "Hull", "Bath", "Ely", "Wells", "Truro")
    await person.say(" ".join(f"Will it rain in {place} tomorrow? Remember this." for place in places))
    await until(lambda: "and 3 more" in shown(person), f"how many more, only {shown(person)!r}")
    assert "Will it rain in Bath" in shown(person).rpartition("Not remembered")[2]
    records = person.transcript.transcript.kept[0]
    click_action(person.transcript, ListCapture(0, [each.is_refused_wish for each in records].index(True) + 4))
    view = person.memory.body.captures.widget
    await until(lambda: person.memory.body.page == "captures" and view.chosen is not None, "the list")
    assert view.chosen is not None
    assert "Ely" in view.chosen.text
    listed = "".join(view.list.item(row).text() for row in range(view.list.count()))
    assert all(place in listed for place in places)


async def test_undo_takes_it_out_of_memory_and_says_so_and_it_can_be_kept_again(stage: Stage) -> None:
    person = await kept(stage)
    click_action(person.transcript, UndoCaptures(0))
    await until(lambda: "Taken back:   I prefer tea   Remember after all" in shown(person), "that it was taken back")
    assert LINE not in memory(stage)
    click_action(person.transcript, RedoCaptures(0))
    await until(lambda: "Remembered:   I prefer tea   Undo" in shown(person), "that it is kept again")
    assert LINE in memory(stage)


async def test_the_line_under_the_message_says_when_memory_has_it_no_more_and_when_it_has_it_again(
    stage: Stage,
) -> None:
    person = await kept(stage)
    gone = "Remembered; not in memory in these words any more:   I prefer tea   Undo"
    editing = person.bench.memory.editing

    async def save(change: Callable[[str], str]) -> None:
        text = await person.bench.disk.run(editing.read_text)
        await editing.save_text(change(text.text), text.digest)

    # Deleted by hand, and undone.
    await save(lambda text: text.replace(f"{LINE}\n", ""))
    await until(lambda: gone in shown(person), f"that it is gone, only {shown(person)!r}")
    changes = await person.bench.disk.run(editing.changes)
    await editing.undo_change(changes[-1].id)
    await until(lambda: "Remembered:   I prefer tea   Undo" in shown(person), "that it is there again")
    # Replaced, and written back by another program.
    await save(lambda text: text.replace(LINE, "- Prefers coffee by now"))
    await until(lambda: gone in shown(person), "that it was replaced")
    stage.paths.memory_file.write_text(f"{memory(stage)}{LINE}\n", "utf-8")
    await until(lambda: "Remembered:   I prefer tea   Undo" in shown(person), "that a program wrote it back")


async def test_under_a_message_of_several_facts_the_one_that_is_gone_is_told_apart(stage: Stage) -> None:
    person = await stage.open()
    await person.say("I prefer tea. Remember that my sister lives in Leeds.")
    await until(lambda: "Leeds" in memory(stage) and LINE in memory(stage), "both facts")
    await until(lambda: "Remembered:" in shown(person), "the line")
    text = await person.bench.disk.run(person.bench.memory.editing.read_text)
    await person.bench.memory.editing.save_text(text.text.replace(f"{LINE}\n", ""), text.digest)
    await until(lambda: "any more:   I prefer tea   Undo" in shown(person), f"it apart, only {shown(person)!r}")
    assert "Leeds" in shown(person).partition("Remembered:")[2].partition("not in memory")[0]


async def test_undo_pressed_twice_is_undo_once(stage: Stage) -> None:
    person = await kept(stage)
    for _ in range(2):
        click_action(person.transcript, UndoCaptures(0))
    await until(lambda: "Taken back:   I prefer tea   Remember after all" in shown(person), "that it was taken back")
    for _ in range(2):
        click_action(person.transcript, RedoCaptures(0))
    await until(lambda: "Remembered:   I prefer tea   Undo" in shown(person), "that it is kept again")
    await rest()
    assert not [said for said in sentences(person.window) if "not kept" in said]
    assert memory(stage).count(LINE) == 1


async def test_a_message_of_before_new_is_shown_where_it_was_closed(stage: Stage) -> None:
    person = await kept(stage)
    await person.say("/new")
    await person.say("Good morning")
    person.current.actions["capture.log"].trigger()
    view = person.memory.body.captures.widget
    await until(lambda: view.list.count(), "the list")
    click(view.message_button)
    await until(lambda: "I prefer tea" in shown(person), "the closed conversation")
    assert "Good morning" not in shown(person)
    for path in stage.paths.archive_dir.glob("*.jsonl"):
        path.unlink()
    click(view.message_button)
    await until(lambda: "not there any more" in words_in(person.window.status), "that it is gone")


async def test_a_message_of_another_branch_is_shown_in_that_branch(stage: Stage) -> None:
    person = await kept(stage)
    await person.bench.loop.resend(person.key, 0, "Good morning")
    await until(lambda: "Good morning" in shown(person) and "I prefer tea" not in shown(person), "the other branch")
    person.current.actions["capture.log"].trigger()
    view = person.memory.body.captures.widget
    await until(lambda: view.list.count(), "the list")
    click(view.message_button)
    await until(lambda: "I prefer tea" in shown(person), "the branch it was said in")
    assert "Good morning" not in shown(person)


async def test_the_list_follows_memory_and_says_what_is_not_in_it_any_more(stage: Stage) -> None:
    person = await kept(stage)
    person.current.actions["capture.log"].trigger()
    view = person.memory.body.captures.widget
    await until(lambda: view.list.count(), "the list")
    assert view.list.item(0).text().startswith("I prefer tea\nRemembered · preference")
    assert view.line_button.isEnabled()
    stage.paths.memory_file.write_text("# Memory\n", "utf-8")
    await person.bench.rescan_files()
    gone = "Remembered; not in memory in these words any more · preference"
    await until(lambda: gone in view.list.item(0).text(), "that it is gone")
    assert not view.line_button.isEnabled()
    assert view.undo_button.isEnabled()


async def test_it_is_told_again_when_the_conversation_is_opened_again(stage: Stage) -> None:
    person = await kept(stage)
    await person.close()
    person = await stage.open()
    await until(lambda: "Remembered:   I prefer tea" in shown(person), "the line of the run before")
    await person.say("/new")
    await until(lambda: "Remembered:" not in shown(person), "a conversation that begins anew")
    assert [path.name for path in stage.paths.archive_dir.glob(f"*{STATE_SUFFIX}")]


async def test_the_list_says_why_something_was_not_kept_and_keeps_it_after_all(stage: Stage) -> None:
    person = await kept(stage)
    await person.say("Do I like coffee?")
    person.current.actions["capture.log"].trigger()
    body = person.memory.body
    await until(lambda: body.page == "captures", "the page of captures")
    view = body.captures.widget
    assert [view.list.item(row).text().split("\n")[0] for row in range(view.list.count())] == [
        "I like coffee",
        "I prefer tea",
    ]
    assert "Not remembered: a question · preference" in view.list.item(0).text()
    assert not view.undo_button.isVisible()
    click(view.keep_button)
    await until(lambda: view.chosen is not None and view.chosen.outcome == KEPT, "that it is kept")
    assert "- **preference**: I like coffee" in memory(stage)
    view.list.setCurrentRow(1)
    click(view.undo_button)
    await until(lambda: view.chosen is not None and view.chosen.outcome == UNDONE, "that it is taken back")
    assert LINE not in memory(stage)
    view.filter.setCurrentIndex(2)
    assert [record.outcome for record in view._listed] == [UNDONE]
    click(view.message_button)
    found = button(person.window.memory, "Back")
    assert found is not None
    click(found)
    assert body.page == "text"


async def test_a_fresh_sample_shows_what_was_remembered_and_takes_it_back_at_the_first_click(stage: Stage) -> None:
    create_workspace(stage.root, template=shipped("workspace"))
    person = await stage.open()
    said = "Every vase gets a twist of paper in the neck and three fingers on top"
    chip = "Every vase gets a twist of paper in the neck an…"
    await until(lambda: f"Remembered:   {chip}   Undo" in shown(person), "the line under the message")
    person.current.actions["capture.log"].trigger()
    body = person.memory.body
    view = body.captures.widget
    await until(lambda: body.page == "captures" and view.list.count(), "the list of what was captured")
    rows = {
        words[0]: words[1] for words in (view.list.item(row).text().split("\n") for row in range(view.list.count()))
    }
    assert rows[said].startswith("Remembered · to remember · ")
    assert not [words for words in rows.values() if "Known already" in words]
    assert any(words.startswith("Not remembered: ") for words in rows.values())
    click_action(person.transcript, ShowCapture(155, 0))
    editor = person.memory.editor
    line = f"- **remember**: {said}"
    await until(lambda: body.page == "text" and editor.text().split("\n")[editor.caret_line()] == line, "its line")
    click_action(person.transcript, UndoCaptures(155))
    await until(lambda: f"Taken back:   {chip}   Remember after all" in shown(person), "that it was taken back")
    assert line not in memory(stage)
    assert "- **preference**: I prefer posting twice a week, Tuesdays and Fridays" in memory(stage)


async def test_what_reads_otherwise_in_memory_by_now_is_shown_in_the_list(stage: Stage) -> None:
    person = await kept(stage)
    base = person.bench.memory.editing.read_text()
    await person.bench.memory.editing.save_text(base.text.replace("I prefer tea", "Prefers tea"), base.digest)
    await until(lambda: "Prefers tea" in person.memory.editor.text(), "the new words")
    click_action(person.transcript, ShowCapture(0, 0))
    await until(lambda: person.memory.body.page == "captures", "the list")


async def test_while_capture_is_paused_that_is_in_sight_and_nothing_is_kept(stage: Stage) -> None:
    person = await stage.open()
    person.current.actions["capture.pause"].trigger()
    await until(lambda: person.bench.settings.capture_paused, "the pause")
    await until(lambda: "capture is paused" in person.window.status._profile.text(), "that it is paused")
    assert person.current.actions["capture.pause"].isChecked()
    await person.say("I prefer tea")
    assert LINE not in memory(stage)
    records = await person.bench.memory.captures.log()
    assert [(record.outcome, record.reason) for record in records] == [(REFUSED, "paused")]
    person.current.actions["capture.pause"].trigger()
    await until(lambda: "paused" not in person.window.status._profile.text(), "that it goes on")
    await rest()
    assert not person.current.actions["capture.pause"].isChecked()


def test_the_settings_say_what_the_profile_has_and_give_what_is_chosen(qtbot: QtBot) -> None:
    section = CaptureSection(Settings(capture="off", capture_paused=True))
    qtbot.addWidget(section)
    assert section.values() == {"capture": "off", "capture_paused": True}
    assert not section._paused.isEnabled()
    section._choice.setCurrentIndex(0)
    assert section._choice.itemText(0) == "Default: on"
    assert section._paused.isEnabled()
    section.follow_profile("dream")
    assert section._choice.itemText(0) == "Default: off"
    assert not section._paused.isEnabled()
    section.set_read_only()
    assert not section._choice.isEnabled()


def test_every_reason_has_words() -> None:
    reasons = ("secret", "paused", "tombstone", "pasted", "file", "third person")
    reasons_shown = {reason: reason_words(reason) for reason in reasons}
    assert all(words not in ("", reason) for reason, words in reasons_shown.items())
    assert reason_words("file") == "from a file"
    assert reason_words("duplicate of - tea") == "it is there already"


async def test_a_window_that_only_reads_shows_what_is_kept_beside_it(stage: Stage) -> None:
    person = await kept(stage)
    reader = await stage.open(read_only=True)
    await until(lambda: "Remembered:   I prefer tea" in shown(reader), "what was kept before")
    await person.say("My favourite colour is green")
    await until(lambda: "Remembered:   My favourite colour is green" in shown(reader), "what is kept now")
