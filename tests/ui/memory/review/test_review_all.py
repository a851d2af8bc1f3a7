"""Everything that waits is settled by single keys, and no key counts that was not meant for what is in sight."""

from __future__ import annotations

from datetime import datetime

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView, QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.domain.errors import ApprovalMoved, StorageError
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.memory.change import MemoryConflict
from mnemoscope.domain.memory.suggestion import WRITTEN_BACK, FactSource, Suggestion
from mnemoscope.domain.review.review_items import ReviewItem, review_items
from mnemoscope.memory.files.memory_editing import Decided
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.ui.memory.review import review_dialog
from mnemoscope.ui.memory.review.reason_words import said
from mnemoscope.ui.memory.review.review_dialog import ReviewDialog
from tests.support.full_disk import FullDisk
from tests.ui.memory.review.review_fixture import (
    FACTS,
    SPOKEN,
    WHEN,
    decide,
    hold,
    memory,
    reviewing,
    waiting,
)
from tests.ui.window_fixture import KEY, Opened, Stage, sentences, until, words_in

TOOL = "Only a tool or file said “{}”."


def middle_of(widget: QWidget) -> int:
    """Returns where on the screen the middle of a widget is, from the left."""
    return widget.mapToGlobal(widget.rect().center()).x()


def drafts(stage: Stage) -> str:
    return "".join(path.read_text("utf-8") for path in stage.paths.own.drafts_dir.glob("*.json"))


async def test_fifty_are_settled_by_keys_alone_and_only_the_accepted_are_memory(held: Stage) -> None:
    facts = [f"Owns book number {number} of the shelf" for number in range(50)]
    hold(held, *facts)
    person = await held.open()
    dialog = await reviewing(person)
    assert len(dialog.queue.items) == 50
    taken: list[str] = []
    left: list[str] = []
    while dialog.queue.current is not None:
        line = dialog.queue.current.after
        accepts = len(taken) + len(left) < 30
        (taken if accepts else left).append(line)
        await decide(dialog, Qt.Key.Key_A if accepts else Qt.Key.Key_R)
    await until(lambda: not waiting(held), "all of them settled on the disk")
    assert (len(taken), len(left)) == (30, 20)
    assert all(f"{line}\n" in memory(held) for line in taken)
    assert not any(f"{line}\n" in memory(held) for line in left)
    await until(lambda: person.window.header.review.isHidden(), "nothing on the badge")


async def test_a_key_held_down_or_pressed_before_its_item_is_painted_decides_nothing(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    person = await held.open()
    dialog = await reviewing(person)
    for _ in range(20):
        again = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "a", True)
        QApplication.sendEvent(dialog.diff.text, again)
    assert len(dialog.queue.items) == 2
    # The first press counts; the second comes before what it would decide is painted.
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_A)
    assert not dialog.is_ready
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_A)
    assert len(dialog.queue.items) == 1
    await until(lambda: len(waiting(held)) == 1, "one settled")
    assert memory(held) in {f"{FACTS}- Has a cat\n", f"{FACTS}- Has a dog\n"}


def of_key(kind: QEvent.Type, key: Qt.Key, when: int) -> QKeyEvent:
    event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, "")
    event.setTimestamp(when)
    return event


@pytest.mark.parametrize("key", [Qt.Key.Key_A, Qt.Key.Key_R, Qt.Key.Key_Space])
async def test_a_key_held_down_decides_nothing_more_where_its_repeats_look_like_new_presses(
    held: Stage, key: Qt.Key
) -> None:
    hold(held, "Has a cat", "Has a dog")
    person = await held.open()
    dialog = await reviewing(person)
    target = dialog.accept_button if key == Qt.Key.Key_Space else dialog.diff.text
    QApplication.sendEvent(target, of_key(QEvent.Type.KeyPress, key, 1000))
    # X11 repeats a key by a release and a press of one moment.
    for when in range(1700, 1900, 40):
        QApplication.sendEvent(target, of_key(QEvent.Type.KeyRelease, key, when))
        await until(lambda: dialog.is_ready, "the next item, painted")
        QApplication.sendEvent(target, of_key(QEvent.Type.KeyPress, key, when))
    assert len(dialog.queue.items) == 1
    QApplication.sendEvent(target, of_key(QEvent.Type.KeyRelease, key, 1950))
    assert len(dialog.queue.items) == 1
    QApplication.sendEvent(target, of_key(QEvent.Type.KeyPress, key, 2100))
    QApplication.sendEvent(target, of_key(QEvent.Type.KeyRelease, key, 2180))
    assert dialog.queue.items == []


async def test_an_accepted_and_a_rejected_item_are_taken_back_by_a_key(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    person = await held.open()
    dialog = await reviewing(person)
    await decide(dialog, Qt.Key.Key_A)
    await decide(dialog, Qt.Key.Key_R)
    QTest.keyClick(dialog, Qt.Key.Key_U)
    await until(lambda: dialog.is_ready, "the rejected item, painted")
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_U)
    await until(lambda: len(waiting(held)) == 2, "both wait again")
    await until(lambda: memory(held) == FACTS, "memory as it was")
    await until(lambda: len(dialog.queue.items) == 2, "both in the review")


async def test_an_item_is_put_in_other_words(held: Stage) -> None:
    hold(held, "Has a cat")
    person = await held.open()
    dialog = await reviewing(person)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_E)
    assert dialog.edit.toPlainText() == "- Has a cat"
    assert dialog.edit.textCursor().atEnd()
    dialog.edit.setPlainText("- Has two cats")
    QTest.keyClick(dialog.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: memory(held) == f"{FACTS}- Has two cats\n", "the person's own words")


async def test_the_same_reason_is_explained_once_and_its_items_stand_together(held: Stage) -> None:
    hold(held, "Has a cat")
    hold(held, "Has a key", reason=TOOL)
    hold(held, "Has a dog")
    person = await held.open()
    dialog = await reviewing(person)
    meaning = "No word of the conversation supports this line"
    assert meaning in words_in(dialog)
    assert "Nobody spoke of it · 2 left" in words_in(dialog)
    await decide(dialog, Qt.Key.Key_R)
    assert meaning not in words_in(dialog)
    assert "Nobody spoke of it" in words_in(dialog)
    await decide(dialog, Qt.Key.Key_R)
    assert "can become a lasting instruction" in words_in(dialog)
    await until(lambda: len(waiting(held)) == 1, "two settled")


async def test_a_reason_stays_explained_where_its_item_is_moved_onto_a_newer_text(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    person = await held.open()
    dialog = await reviewing(person)
    before = dialog.queue.current
    held.paths.memory_file.write_text(f"{FACTS}- Has a hen\n", "utf-8")
    await person.current.bench.rescan_files()
    await until(lambda: dialog.queue.current != before, "the item on the newer text")
    meaning = "No word of the conversation supports this line"
    assert meaning in words_in(dialog)
    await until(lambda: dialog.is_ready, "the item on the newer text, painted")
    await decide(dialog, Qt.Key.Key_R)
    assert meaning not in words_in(dialog)


QUOTING = (
    SPOKEN,
    TOOL,
    "You did not say “{}”, and a tool or file was read meanwhile.",
    "You chose to forget this: “{}”.",
    "It cannot be told whether you chose to forget this: “{}”.",
    "You deleted this: “{}”.",
    "You rejected this: “{}”.",
    "It resembles “{}”, which you rejected on 2026-01-01: “{}”.",
    "It would drop “{}”.",
    "It would add an image: “{}”.",
    "It would add a link: “{}”.",
    "It would add HTML: “{}”.",
    "It would add words that are struck out: “{}”.",
    "It would add hidden characters: “{}”.",
    "It would add a heading, quotation or code within a bullet: “{}”.",
    "It would add what reads like an instruction: “{}”.",
    "It would add what is no bullet of one line: “{}”.",
    "It would add the section “{}”.",
    "It would add the heading “{}” again, or change its level.",
    "It would take the heading “{}” away.",
    "It would move “{}” to “{}”.",
    "Nobody spoke of what it would change: “{}” to “{}”.",
    "“{}” was changed on both sides; your text stands.",
    "“{}” was changed by you and by the model; your text stands.",
    "It would change the skill “{}”, which is followed as instructions.",
    "It said “{}” again and again; it is shown once.",
    "A line says the same again and again: “{}”.",
    "Many lines differ in their figures alone: “{}”.",
    "Another program proposes it through MCP; it says it is “{}”.",
    "Memory's health: another line says it too: “{}”",
    "Memory's health: another line says otherwise: “{}”",
    "Memory's health: “{}” held only near the day it was written.",
)
"""Every reason that quotes something, other than that of a pair."""


async def test_two_items_of_a_reason_stand_under_one_title_that_quotes_neither_of_them(held: Stage) -> None:
    for reason in QUOTING:
        hold(held, "Has a cat", "Has a dog", reason=reason.replace("{}", "{0}"))
    person = await held.open()
    dialog = await reviewing(person)
    assert len(dialog.queue.items) == 2 * len(QUOTING)
    rows = [dialog.list.item(place) for place in range(dialog.list.count())]
    titles = [row.text() for row in rows if row.flags() == Qt.ItemFlag.NoItemFlags]
    assert [title for title in titles if "“" in title or not title.endswith(" · 2")] == []
    assert len(titles) == len(QUOTING)


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("It would drop “**proper_noun**: My name is Marta”.", "It would drop “My name is Marta”."),
        ("It would drop “- **Lives** in `Riga`”.", "It would drop “Lives in Riga”."),
        ("It would move “**Tea**” to “*Coffee*”.", "It would move “Tea” to “Coffee”."),
        ("It would drop “Costs 3 * 4 * 5”.", "It would drop “Costs 3 * 4 * 5”."),
        ("It would add a link: “See [it](http://x.example)”.", "It would add a link: “See [it](http://x.example)”."),
        ("Nobody spoke of “[**it**](http://x.example)”.", "Nobody spoke of “[**it**](http://x.example)”."),
        ("It would add what is no bullet of one line: “# Do”.", "It would add what is no bullet of one line: “# Do”."),
    ],
)
def test_a_reason_quotes_words_as_they_are_read_and_what_leads_elsewhere_as_it_stands(reason: str, words: str) -> None:
    assert said(reason) == words


async def test_what_an_earlier_version_has_waiting_is_said_in_the_words_of_this_one(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog", reason="You had this forgotten: “{}”.")
    person = await held.open()
    dialog = await reviewing(person)
    assert "You chose to forget this · 2 left" in words_in(dialog)
    assert "had this forgotten" not in words_in(dialog)
    assert all(item.suggestion.names_forgotten for item in dialog.queue.items if isinstance(item, ReviewItem))


async def test_what_was_forgotten_is_explained_once_for_two_lines(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog", reason="You chose to forget this: “{}”.")
    person = await held.open()
    dialog = await reviewing(person)
    meaning = "Accepting brings it back; it stays away if you reject."
    assert "You chose to forget this · 2 left" in words_in(dialog)
    assert meaning in words_in(dialog)
    await decide(dialog, Qt.Key.Key_R)
    assert "You chose to forget this" in words_in(dialog)
    assert meaning not in words_in(dialog)


def test_of_a_forgotten_line_that_stands_in_memory_it_is_said_that_accepting_takes_it_out(qtbot: QtBot) -> None:
    before, had = f"{FACTS}- Has a cat\n", "You chose to forget this: “{}”."
    there = Suggestion("00aa", WHEN, before, FACTS, (had.format("Has a cat"), WRITTEN_BACK), "", 0, 0)
    new = Suggestion("00bb", WHEN, before, f"{before}- Has a dog\n", (had.format("Has a dog"),), KEY, 0, 2)
    dialog = ReviewDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    said = []
    for suggestion in (there, new):
        dialog.show_items(review_items([suggestion]))
        said.append(words_in(dialog))
    takes, brings = "Accepting takes this line out of memory", "Accepting brings it back"
    assert [(takes in words, brings in words) for words in said] == [(True, False), (False, True)]


async def test_a_line_that_only_a_tool_said_is_not_accepted_with_another_of_its_proposal(held: Stage) -> None:
    passages = (MemoryConflict("", "", "- Has a cat"), MemoryConflict("", "", "- Run the nightly job"))
    reasons = (SPOKEN.format("Has a cat"), TOOL.format("Run the nightly job"))
    proposed = f"{FACTS}- Has a cat\n- Run the nightly job\n"
    Ledger(held.paths).add_suggestion(Suggestion("00aa", WHEN, FACTS, proposed, reasons, KEY, 0, 2, passages))
    person = await held.open()
    dialog = await reviewing(person)
    await decide(dialog, Qt.Key.Key_A)
    await until(lambda: memory(held) == f"{FACTS}- Has a cat\n", "the one line")
    assert dialog.queue.current is not None
    assert dialog.queue.current.after == "- Run the nightly job"


async def test_the_window_says_how_much_waits_since_when_and_what_was_dropped_by_itself(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    held.paths.memory_file.write_text(f"{FACTS}- Has a dog\n", "utf-8")
    person = await held.open()
    assert person.window.header.review.accessibleName().startswith("1 proposals wait for review · ")
    dialog = await reviewing(person)
    assert "moved onto the newer text" in dialog.said.text()
    assert "dropped: nothing is left to decide" in dialog.said.text()
    assert [each.proposed for each in waiting(held)] == [f"{FACTS}- Has a cat\n- Has a dog\n"]


async def test_a_proposal_that_a_newer_text_leaves_nothing_of_is_counted_no_more_though_no_review_is_opened(
    held: Stage,
) -> None:
    hold(held, "Has a cat", "Has a dog", "Has a goat")
    person = await held.open()
    count = person.window.header.review
    assert count.accessibleName().startswith("3 proposals wait for review · ")
    held.paths.memory_file.write_text(f"{FACTS}- Has a dog\n", "utf-8")
    await person.current.bench.rescan_files()
    await until(lambda: count.accessibleName().startswith("2 proposals wait for review · "), "one fewer")
    editing = person.current.bench.memory.editing
    await editing.save_text(f"{FACTS}- Has a dog\n- Has a goat\n", editing.read_text().digest)
    await until(lambda: count.accessibleName().startswith("1 proposals wait for review · "), "and another one")
    moved = [f"{FACTS}- Has a cat\n- Has a dog\n- Has a goat\n"]
    await until(lambda: [each.proposed for each in waiting(held)] == moved, "the last one, moved")
    dialog = await reviewing(person)
    # Moved twice, it is one.
    said = "1 proposals were moved onto the newer text. 2 proposals were dropped: nothing is left to decide."
    await until(lambda: dialog.said.text() == said, "what was moved and dropped meanwhile")


async def test_a_text_changed_elsewhere_while_the_review_is_open_moves_and_drops_what_is_not_in_sight_too(
    held: Stage,
) -> None:
    hold(held, "Has a cat", "Has a dog", "Has a hen")
    person = await held.open()
    dialog = await reviewing(person)
    held.paths.memory_file.write_text(f"{FACTS}- Has a hen\n", "utf-8")
    await person.current.bench.rescan_files()
    said = "2 proposals were moved onto the newer text. 1 proposals were dropped: nothing is left to decide."
    await until(lambda: dialog.said.text() == said, "what became of them")
    assert len(dialog.queue.items) == len(waiting(held)) == 2
    await until(lambda: dialog.is_ready, "the item on the newer text, painted")
    await decide(dialog, Qt.Key.Key_A)
    await until(lambda: "- Has a cat\n" in memory(held), "the accepted one written")


async def shown_by_itself(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> ReviewDialog:
    """Opens the review of three facts, and has another program write the one in sight, so that another comes; its first
    moment is long."""
    monkeypatch.setattr(review_dialog, "_PAUSE_MS", 60_000)
    hold(stage, "Has a cat", "Has a dog", "Has a hen")
    person = await stage.open()
    dialog = await reviewing(person)
    before = dialog.queue.current
    assert before is not None
    stage.paths.memory_file.write_text(f"{FACTS}{before.after.strip()}\n", "utf-8")
    await person.current.bench.rescan_files()
    queue, said = dialog.queue, dialog.came_by_itself
    await until(lambda: queue.current not in (None, before) and said.isVisible(), "another item")
    dialog.grab()
    return dialog


async def test_an_item_that_came_into_sight_by_itself_is_decided_by_no_key_of_the_first_moment(
    held: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = await shown_by_itself(held, monkeypatch)
    current = dialog.queue.current
    assert current is not None
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_A)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_R)
    QTest.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert dialog.queue.current is not None
    assert dialog.queue.current.suggestion.id == current.suggestion.id
    assert "This came into sight by itself: nothing decides it" in words_in(dialog)
    dialog._pause.setRemainingTime(1)
    await until(lambda: dialog.is_ready, "the end of the pause")
    await decide(dialog, Qt.Key.Key_R)
    assert dialog.came_by_itself.isHidden()
    # The next one is there by the person's own key.
    assert dialog.is_ready
    await until(lambda: len(waiting(held)) == 1, "one rejected")


async def test_who_types_when_another_item_comes_decides_it_by_no_letter(
    held: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = await shown_by_itself(held, monkeypatch)
    for key in (Qt.Key.Key_T, Qt.Key.Key_A):
        await until(lambda: dialog._pause.remainingTime() < 59_500, "a part of the pause")
        left = dialog._pause.remainingTime()
        QTest.keyClick(dialog.diff.text, key)
        # Each key begins it anew.
        assert dialog._pause.remainingTime() > left
    assert len(dialog.queue.items) == 2


async def edited_while_written_elsewhere(stage: Stage, person: Opened, dialog: ReviewDialog) -> None:
    """Has another program write the fact in sight while the person words it anew."""
    before = dialog.queue.current
    assert before is not None
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_E)
    QTest.keyClicks(dialog.edit, " and a hat")
    stage.paths.memory_file.write_text(f"{FACTS}{before.after.strip()}\n", "utf-8")
    await person.current.bench.rescan_files()
    await until(dialog.gone.isVisible, "the line that says that it waits no more")
    assert dialog.queue.current == before
    assert dialog.edit.isVisible()
    assert dialog.edit.toPlainText() == "- Has a cat and a hat"
    assert "this proposal waits no more as it was shown. Your words are kept" in words_in(dialog)


async def test_words_typed_for_an_item_that_goes_by_itself_stay_and_are_saved_over_the_newer_text(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    person = await held.open()
    dialog = await reviewing(person)
    await edited_while_written_elsewhere(held, person, dialog)
    QTest.keyClicks(dialog.edit, " on")
    QTest.keyClick(dialog.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: "- Has a cat and a hat on\n" in memory(held), "the person's words in memory")
    assert dialog.gone.isHidden()
    await until(lambda: dialog.is_ready and dialog.queue.current is not None, "the next item")
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_U)
    await until(lambda: memory(held) == f"{FACTS}- Has a cat\n", "what the other program wrote")


async def test_who_leaves_the_edit_of_an_item_that_went_by_itself_sees_the_next(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    person = await held.open()
    dialog = await reviewing(person)
    await edited_while_written_elsewhere(held, person, dialog)
    QTest.keyClick(dialog.edit, Qt.Key.Key_Escape)
    assert [each.after for each in dialog.queue.items] == ["- Has a dog"]
    assert dialog.isVisible()
    assert dialog.gone.isHidden()
    assert dialog.edit.isHidden()
    assert memory(held) == f"{FACTS}- Has a cat\n"


async def test_words_are_edited_on_where_the_item_is_moved_onto_a_newer_text(held: Stage) -> None:
    hold(held, "Has a cat")
    person = await held.open()
    dialog = await reviewing(person)
    before = dialog.queue.current
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_E)
    QTest.keyClicks(dialog.edit, " and a hat")
    held.paths.memory_file.write_text(f"{FACTS}- Has a hen\n", "utf-8")
    await person.current.bench.rescan_files()
    await until(lambda: dialog.queue.current != before, "the item on the newer text")
    assert dialog.edit.isVisible()
    assert dialog.gone.isHidden()
    QTest.keyClick(dialog.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: "- Has a cat and a hat\n" in memory(held), "the person's words in memory")
    assert "- Has a hen\n" in memory(held)


async def test_words_that_could_not_be_saved_are_edited_on(held: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    hold(held, "Has a cat")
    person = await held.open()
    dialog = await reviewing(person)

    async def refuse(*_: object) -> Decided:
        raise StorageError("The disk is full.", next_step="")

    monkeypatch.setattr(person.current.bench.memory.editing, "decide", refuse)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_E)
    QTest.keyClicks(dialog.edit, " and a hat")
    QTest.keyClick(dialog.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await until(dialog.edit.isVisible, "the words, once more")
    assert dialog.edit.toPlainText() == "- Has a cat and a hat"
    assert "The disk is full." in dialog.said.text()
    assert len(dialog.queue.items) == 1


async def test_words_that_are_refused_once_the_review_is_closed_are_edited_on_in_the_next_one(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    disk = FullDisk("intent.json")
    person = await held.open(calls=disk)
    dialog = await reviewing(person)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_E)
    QTest.keyClicks(dialog.edit, " and a hat")
    disk.is_full = True
    QTest.keyClick(dialog.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    dialog.close()
    await until(lambda: "the review goes on with it" in words_in(person.window.chat), "the refusal")
    disk.is_full = False
    person.current.reviews.open()
    again = person.current.reviews.dialog
    assert again is not None
    await until(again.edit.isVisible, "the words, once more")
    assert again.edit.toPlainText() == "- Has a cat and a hat"
    QTest.keyClick(again.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: "- Has a cat and a hat\n" in memory(held), "the person's words in memory")
    await until(lambda: [each.after for each in again.queue.items] == ["- Has a dog"], "the next item")
    assert again.edit.isHidden()


async def test_a_review_that_is_closed_over_typed_words_goes_on_with_them(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    person = await held.open()
    dialog = await reviewing(person)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_E)
    QTest.keyClicks(dialog.edit, " and a hat")
    dialog.close()
    person.current.reviews.open()
    again = person.current.reviews.dialog
    assert again is not None
    await until(again.edit.isVisible, "the words, once more")
    assert again is not dialog
    assert again.edit.toPlainText() == "- Has a cat and a hat"


async def test_a_text_that_was_emptied_is_empty_after_a_restart(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    person = await held.open()
    dialog = await reviewing(person)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_E)
    QTest.keyClick(dialog.edit, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(dialog.edit, Qt.Key.Key_Delete)
    await person.close()
    person = await held.open()
    dialog = await reviewing(person)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_E)
    assert dialog.edit.toPlainText() == ""


async def test_forgotten_words_go_from_what_was_typed_in_a_review_that_is_closed(held: Stage) -> None:
    hold(held, "Has a cat")
    person = await held.open()
    dialog = await reviewing(person)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_E)
    QTest.keyClicks(dialog.edit, " and the code 7731")
    dialog.close()
    person.current.reviews.typed.take_out(ForgottenText.of("the code 7731"))
    person.current.reviews.flush_draft()
    person.current.reviews.open()
    again = person.current.reviews.dialog
    assert again is not None
    await until(again.edit.isVisible, "the words, once more")
    assert again.edit.toPlainText() == "- Has a cat and […]"
    person.current.reviews.typed.take_out(ForgottenText.of("Has a cat"))
    await person.close()
    assert "cat" not in drafts(held)


async def test_words_and_scopes_that_were_typed_are_there_again_after_a_restart(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    person = await held.open()
    dialog = await reviewing(person)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_E)
    QTest.keyClicks(dialog.edit, " and a hat")
    await person.close()
    person = await held.open()
    dialog = await reviewing(person)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_E)
    assert dialog.edit.toPlainText() == "- Has a cat and a hat"
    QTest.keyClick(dialog.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: "- Has a cat and a hat\n" in memory(held), "the person's words in memory")
    await until(lambda: "hat" not in drafts(held), "the end of the draft")


async def test_words_that_were_left_come_back_with_the_edit_and_can_be_undone(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    dialog = await reviewing(await held.open())
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_E)
    QTest.keyClicks(dialog.edit, " and a hat")
    QTest.keyClick(dialog.edit, Qt.Key.Key_Escape)
    assert dialog.edit.isHidden()
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_E)
    assert dialog.edit.toPlainText() == "- Has a cat and a hat"
    QTest.keyClick(dialog.edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert dialog.edit.toPlainText() == "- Has a cat"


async def test_the_key_that_begins_the_edit_types_nothing_while_it_is_held_down_and_that_which_saves_saves_once(
    held: Stage,
) -> None:
    hold(held, "Has a cat", "Has a dog")
    dialog = await reviewing(await held.open())
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_E)
    again = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_E, Qt.KeyboardModifier.NoModifier, "e", True)
    QApplication.sendEvent(dialog.edit, again)
    assert dialog.edit.toPlainText() == "- Has a cat"
    control = Qt.KeyboardModifier.ControlModifier
    QApplication.sendEvent(dialog.edit, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, control, "\r", True))
    assert dialog.edit.isVisible()
    QTest.keyClicks(dialog.edit, "s")
    QTest.keyClick(dialog.edit, Qt.Key.Key_Return, control)
    await until(lambda: "- Has a cats\n" in memory(held), "the person's words in memory")


async def test_a_decision_that_is_refused_once_the_review_is_closed_is_said_in_the_window(held: Stage) -> None:
    hold(held, "Has a cat")
    disk = FullDisk("intent.json")
    person = await held.open(calls=disk)
    dialog = await reviewing(person)
    disk.is_full = True
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_A)
    dialog.close()
    await until(lambda: "The disk is full" in words_in(person.window.chat), "the refusal")
    assert len(waiting(held)) == 1


async def test_what_waits_is_not_dropped_while_its_file_is_away(held: Stage) -> None:
    hold(held, "Has a cat")
    person = await held.open()
    held.paths.memory_file.rename(held.root / "elsewhere.md")
    await person.current.bench.rescan_files()
    assert (await person.current.bench.memory.editing.bring_up_to_date()).dropped == 0
    (left,) = waiting(held)
    assert left.before == FACTS


@pytest.mark.qt_log_ignore("systemTrayWindowChanged")
async def test_the_icons_of_program_and_tray_carry_what_waits_from_the_start_and_after_each_decision(
    held: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    badges: list[int] = []
    monkeypatch.setattr(QApplication, "setBadgeNumber", staticmethod(badges.append))
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
    hold(held, "Has a cat", "Has a dog")
    person = await held.open()
    icon = person.current.notifications.tray.icon
    assert icon is not None
    assert icon.toolTip() == "Mnemoscope\nWaiting for review: 2"
    dialog = await reviewing(person)
    await decide(dialog, Qt.Key.Key_A)
    await until(lambda: icon.toolTip() == "Mnemoscope\nWaiting for review: 1", "one fewer")
    await decide(dialog, Qt.Key.Key_R)
    await until(lambda: not icon.isVisible(), "no icon where nothing waits")
    assert list(dict.fromkeys(badges)) == [2, 1, 0]


async def test_the_next_item_shows_memory_as_the_decision_before_it_left_it(held: Stage) -> None:
    ledger = Ledger(held.paths)
    for number, (old, new) in enumerate((("tea", "green tea"), ("tea", "black tea"), ("Sam", "Samira"))):
        line = next(each for each in FACTS.split("\n") if old in each)
        passage = MemoryConflict(line, line, line.replace(old, new))
        proposed, reasons = FACTS.replace(old, new), (SPOKEN.format(new),)
        ledger.add_suggestion(Suggestion(f"{number:08x}", WHEN, FACTS, proposed, reasons, KEY, 0, 2, (passage,)))
    person = await held.open()
    dialog = await reviewing(person)
    await decide(dialog, Qt.Key.Key_A)
    await until(lambda: "dropped: nothing is left to decide" in dialog.said.text(), "that one was dropped")
    await until(lambda: "Likes green tea" in dialog.diff.text.toPlainText(), "memory as it is")
    await until(lambda: dialog.is_ready, "the last item, painted")
    await decide(dialog, Qt.Key.Key_A)
    await until(lambda: memory(held) == "# User\n\n- Name is Samira\n- Likes green tea\n", "both decisions")
    QTest.keyClick(dialog, Qt.Key.Key_U)
    await until(lambda: dialog.is_ready, "the item decided last, painted")
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_U)
    await until(lambda: memory(held) == FACTS, "memory as it was")
    await until(lambda: len(waiting(held)) == 3, "also the one that was dropped waits again")


@pytest.mark.parametrize("refusal", [ApprovalMoved("It changed."), StorageError("The disk is full.", next_step="")])
async def test_an_item_whose_decision_could_not_be_carried_out_is_in_sight_again(
    held: Stage, monkeypatch: pytest.MonkeyPatch, refusal: StorageError
) -> None:
    hold(held, "Has a cat", "Has a dog")
    person = await held.open()
    dialog = await reviewing(person)
    editing = person.current.bench.memory.editing

    async def refused(_item: ReviewItem, _choice: str, _text: str = "") -> Decided:
        raise refusal

    with monkeypatch.context() as patched:
        patched.setattr(editing, "decide", refused)
        QTest.keyClick(dialog.diff.text, Qt.Key.Key_A)
        await until(lambda: refusal.sentence in dialog.said.text(), "the reason")
    await until(lambda: dialog.is_ready, "the item, painted")
    assert dialog.queue.current is not None
    assert dialog.queue.current.after == "- Has a cat"
    assert len(dialog.queue.items) == 2
    await decide(dialog, Qt.Key.Key_A)
    await until(lambda: "- Has a cat" in memory(held), "the decision")


async def test_what_resembles_a_rejected_fact_names_it_and_the_day(held: Stage) -> None:
    person = await held.open()
    editing, rejections = person.current.bench.memory.editing, person.current.bench.memory.rejections
    rejected = Suggestion("aa", "2026-05-12T10:00:00", "", "- Sister Clara lives in Toronto\n", (), "", 0, 0)
    rejections.remember(rejected, "2026-05-12T10:00:00")
    await editing.propose(
        FACTS, f"{FACTS}- Portraits of the painter Clara hang in Toronto\n", "Nobody spoke of “Has a cat”."
    )
    dialog = await reviewing(person)
    assert "It resembles “Sister Clara lives in Toronto”, which you rejected on 2026-05-12" in words_in(dialog)


async def test_the_row_of_a_conversation_says_how_much_of_it_waits_and_for_how_long(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    person = await held.open()
    rows = person.window.sessions.findChild(QListView)
    assert rows is not None
    await until(lambda: rows.model().rowCount() == 2, "the conversation below its heading")
    index = rows.model().index(1, 0)
    await until(lambda: "review" in index.data(Qt.ItemDataRole.AccessibleTextRole), "what waits of it")
    for role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
        assert ", 2 proposals wait for review · " in index.data(role)
    dialog = await reviewing(person)
    await decide(dialog, Qt.Key.Key_A)
    await decide(dialog, Qt.Key.Key_R)
    await until(lambda: "review" not in index.data(Qt.ItemDataRole.AccessibleTextRole), "nothing waits of it")


async def test_a_key_shows_the_messages_below_the_item_and_hides_them_with_the_next(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    person = await held.open()
    dialog = await reviewing(person)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_S)
    await until(lambda: dialog.source.isVisible(), "the messages")
    assert dialog.source.toPlainText() == "You\nHello\n\nAssistant\nHello."
    assert dialog.isVisible()
    QTest.keyClick(dialog.source, Qt.Key.Key_S)
    assert dialog.source.isHidden()
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_S)
    await until(lambda: dialog.source.isVisible(), "the messages again")
    person.current.forgetting.carried_out.emit()
    assert dialog.source.isHidden(), "they may have words that were forgotten"
    assert not dialog.source.toPlainText()
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_S)
    await until(lambda: dialog.source.isVisible(), "the messages once more")
    await until(lambda: dialog.is_ready, "the item, painted beside them")
    # The keys of the review work from there, too.
    QTest.keyClick(dialog.source, Qt.Key.Key_R)
    assert len(dialog.queue.items) == 1
    assert dialog.source.isHidden()
    await until(lambda: dialog.is_ready, "the next item, painted")
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_S)
    await until(lambda: dialog.source.isVisible(), "the messages of the next")
    QTest.keyClick(dialog.conversation_button, Qt.Key.Key_Space)
    await until(lambda: person.current.reviews.dialog is None, "the conversation instead of the review")


@pytest.mark.parametrize("is_kept", [True, False])
async def test_the_messages_are_of_the_conversation_there_was_and_not_of_the_one_after_new(
    held: Stage, is_kept: bool
) -> None:
    hold(held, "Has a cat")
    manager = SessionManager(held.root)
    closed = manager.archive(manager.get_or_create(KEY), datetime(2026, 2, 1))
    assert closed is not None
    if not is_kept:
        closed.unlink()
    held.write_session(("user", "Good morning"), ("assistant", "Good morning."))
    person = await held.open()
    dialog = await reviewing(person)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_S)
    await until(lambda: dialog.source.isVisible(), "the messages")
    gone = "These messages are not there any more."
    assert dialog.source.toPlainText() == ("You\nHello\n\nAssistant\nHello." if is_kept else gone)
    QTest.keyClick(dialog.conversation_button, Qt.Key.Key_Space)
    if is_kept:
        await until(lambda: "Hello" in person.text and "Good morning" not in person.text, "the closed conversation")
    else:
        await person.until_said(gone)


async def test_what_an_import_brought_shows_the_messages_of_each_fact(held: Stage) -> None:
    sources = (FactSource("Has a cat", KEY, 0, 1), FactSource("Has a dog", KEY, 1, 2), FactSource("Gone", KEY, 0, 2))
    proposed = f"{FACTS}- Has a cat\n- Has a dog\n- Has a bird\n"
    reason = ("ChatGPT remembered this; it came with an import.",)
    Ledger(held.paths).add_suggestion(
        Suggestion("a1", WHEN, FACTS, proposed, reason, "", 0, 0, brought_from="ChatGPT", sources=sources)
    )
    person = await held.open()
    dialog = await reviewing(person)
    assert "From an import of ChatGPT" in words_in(dialog)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_S)
    await until(lambda: dialog.source.isVisible(), "the messages")
    assert dialog.source.toPlainText() == "“Has a cat”\n\nYou\nHello\n\n“Has a dog”\n\nAssistant\nHello."
    QTest.keyClick(dialog.conversation_button, Qt.Key.Key_Space)
    await until(lambda: person.current.reviews.dialog is None, "the conversation instead of the review")


async def test_what_is_read_afresh_while_the_messages_come_hides_them_from_nobody_and_is_counted(held: Stage) -> None:
    hold(held, "Has a cat")
    person = await held.open()
    dialog = await reviewing(person)
    asked: list[ReviewItem] = []
    dialog.source_requested.connect(asked.append)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_S)
    hold(held, "Has a dog")
    dialog.show_items(review_items(waiting(held)))
    assert asked[0] is not dialog.queue.current
    dialog.show_source(asked[0], "You\nHello")
    assert dialog.source.isVisible()
    assert {"1 of 2", "Nobody spoke of it · 2 left"} <= set(words_in(dialog).split("\n"))
    assert dialog.is_ready


async def test_no_button_decides_what_was_not_painted(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    person = await held.open()
    dialog = await reviewing(person)
    for _ in range(3):
        dialog.accept_button.click()
    assert len(dialog.queue.items) == 1
    await until(lambda: len(waiting(held)) == 1, "one settled")
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        again = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, "", True)
        QApplication.sendEvent(dialog.accept_button, again)
    assert len(dialog.queue.items) == 1


async def test_a_workspace_that_is_only_read_is_only_looked_at(held: Stage) -> None:
    hold(held, "Has a cat")
    person = await held.open(read_only=True)
    dialog = await reviewing(person)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_A)
    assert len(dialog.queue.items) == 1
    assert not dialog.accept_button.isEnabled()
    assert memory(held) == FACTS


async def test_items_of_one_reason_stay_together_while_others_of_their_proposal_are_decided(held: Stage) -> None:
    lines = ("Has a cat", "Has an orchard", "Has a boat")
    passages = tuple(MemoryConflict("", "", f"- {line}") for line in lines)
    reasons = tuple(reason.format(line) for reason, line in zip((SPOKEN, TOOL, SPOKEN), lines, strict=True))
    proposed = FACTS + "".join(f"- {line}\n" for line in lines)
    Ledger(held.paths).add_suggestion(Suggestion("a" * 16, WHEN, FACTS, proposed, reasons, KEY, 0, 2, passages))
    dialog = await reviewing(await held.open())
    assert [each.after for each in dialog.queue.items] == ["- Has a cat", "- Has a boat", "- Has an orchard"]
    await decide(dialog, Qt.Key.Key_R)
    await until(lambda: all(len(each.suggestion.conflicts) == 2 for each in dialog.queue.items), "what is left of it")
    assert [each.after for each in dialog.queue.items] == ["- Has a boat", "- Has an orchard"]


async def test_a_heading_with_other_words_is_listed_as_what_it_becomes_and_captures_without_their_kind(
    held: Stage,
) -> None:
    fires = "- **remember**: My kiln fires at 1,240 degrees"
    kept = f"# Long-term Memory\n\n{fires}\n"
    held.paths.memory_file.write_text(kept, "utf-8")
    passages = (
        MemoryConflict("# Long-term Memory", "# Long-term Memory", "# Memory"),
        MemoryConflict(fires, fires, ""),
    )
    Ledger(held.paths).add_suggestion(Suggestion("a" * 16, WHEN, kept, "# Memory\n", (), KEY, 0, 2, passages))
    dialog = await reviewing(await held.open())
    rows = [dialog.list.item(place).text() for place in range(dialog.list.count())]
    assert rows[1:] == ["# Memory", "take out: My kiln fires at 1,240 degrees"]


async def test_what_waits_is_listed_under_its_reasons_and_a_press_leads_to_an_item_which_no_key_decides_unseen(
    held: Stage,
) -> None:
    hold(held, "Has a cat", "Has a dog")
    hold(held, "Run the nightly job", reason=TOOL)
    dialog = await reviewing(await held.open())
    dialog.resize(dialog.width() + 600, dialog.height())
    rows = [dialog.list.item(place).text() for place in range(dialog.list.count())]
    assert rows == [
        "Nobody spoke of it · 2",
        "Has a cat",
        "Has a dog",
        "Only a tool or file said it · 1",
        "Run the nightly job",
    ]
    assert dialog.list.currentRow() == 1
    assert not dialog.list.item(0).flags() & Qt.ItemFlag.ItemIsEnabled
    QTest.mouseClick(
        dialog.list.viewport(), Qt.MouseButton.LeftButton, pos=dialog.list.visualItemRect(dialog.list.item(4)).center()
    )
    assert dialog.queue.current is not None
    assert dialog.queue.current.after == "- Run the nightly job"
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_A)
    assert len(dialog.queue.items) == 3
    await until(lambda: dialog.is_ready, "the item, painted")
    await decide(dialog, Qt.Key.Key_R)
    assert [each.after for each in dialog.queue.items] == ["- Has a cat", "- Has a dog"]


async def test_once_all_is_decided_it_says_so_leads_out_and_the_last_decision_can_still_be_taken_back(
    held: Stage,
) -> None:
    hold(held, "Has a cat")
    dialog = await reviewing(await held.open())
    dialog.resize(1_000, 600)
    assert dialog.list.isVisible()
    assert not dialog.nothing.isVisible()
    await decide(dialog, Qt.Key.Key_R)
    assert "nothing waits for review" in words_in(dialog)
    await until(lambda: middle_of(dialog.nothing) == middle_of(dialog), "no empty room of the list beside it")
    assert not any(button.isVisible() for button in (dialog.accept_button, dialog.edit_button, dialog.reject_button))
    assert dialog.hasFocus()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.isVisible(), "the key that decided presses nothing more"
    QTest.keyClick(dialog, Qt.Key.Key_U)
    assert len(dialog.queue.items) == 1
    assert dialog.accept_button.isVisible()
    assert dialog.diff.text.hasFocus()
    await until(lambda: dialog.is_ready, "the item again, painted")
    await decide(dialog, Qt.Key.Key_R)
    QTest.mouseClick(dialog.nothing.button, Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()


async def test_an_item_is_passed_over_undecided_and_comes_again_after_the_others(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    hold(held, "Run the nightly job", reason=TOOL)
    dialog = await reviewing(await held.open())
    first, second, third = dialog.queue.items
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_L)
    assert list(dialog.queue.items) == [second, third, first]
    await until(lambda: dialog.is_ready, "the next item, painted")
    QTest.mouseClick(dialog.later_button, Qt.MouseButton.LeftButton)
    assert list(dialog.queue.items) == [third, first, second]
    await until(lambda: dialog.is_ready, "the item after, painted")
    await decide(dialog, Qt.Key.Key_R)
    assert dialog.later_button.isVisible()
    await decide(dialog, Qt.Key.Key_R)
    assert list(dialog.queue.items) == [second], "with one that is left there is none to go on to"
    assert not dialog.later_button.isVisible()


async def test_another_item_is_gone_to_by_the_keyboard_and_no_letter_decides_one_that_is_not_in_sight(
    held: Stage,
) -> None:
    hold(held, "Has a cat", "Has a dog", "Plays chess")
    dialog = await reviewing(await held.open())
    dialog.resize(dialog.width() + 600, dialog.height())
    dialog.list.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(dialog.list, Qt.Key.Key_Down)
    QTest.keyClick(dialog.list, Qt.Key.Key_R)
    assert len(dialog.queue.items) == 3
    assert dialog.queue.current is not None
    assert dialog.queue.current.after == "- Has a cat"
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    assert dialog.queue.current.after == "- Has a dog"
    assert dialog.diff.text.hasFocus()
    dialog.list.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(dialog.list, Qt.Key.Key_Down)
    dialog.diff.text.setFocus()
    assert dialog.list.currentRow() == 1, "the item in sight is marked again"


async def test_how_many_more_wait_than_are_listed_is_said(held: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemoscope.ui.memory.review.waiting_list._MOST", 2)
    hold(held, "Has a cat", "Has a dog", "Plays chess", "Owns a kiln")
    dialog = await reviewing(await held.open())
    assert dialog.list.item(dialog.list.count() - 1).text() == "2 more follow"


async def test_an_item_is_seen_in_as_much_of_its_file_as_there_is_room_for_and_the_change_is_in_sight(
    held: Stage,
) -> None:
    facts = [f"- Owns book number {number}" for number in range(200)]
    text = "# User\n\n" + "\n".join(facts) + "\n"
    held.paths.memory_file.write_text(text, "utf-8")
    old, new = facts[100], "- Owns a bicycle"
    passage = MemoryConflict(old, old, new)
    proposed = text.replace(old, new)
    Ledger(held.paths).add_suggestion(
        Suggestion("a" * 8, WHEN, text, proposed, (SPOKEN.format("Owns a bicycle"),), KEY, 0, 2, (passage,))
    )
    dialog = await reviewing(await held.open())
    view = dialog.diff.text
    assert view.blockCount() > view.fitting_rows > 8
    for height in (0, -120):
        dialog.resize(dialog.width(), dialog.height() + height)
        top = view.cursorRect().top()
        assert 0 <= top < view.viewport().height() - view.fontMetrics().lineSpacing()
        assert "bicycle" in view.document().findBlockByNumber(view.textCursor().blockNumber() + 1).text()


async def test_a_decision_that_the_disk_refuses_once_it_stands_is_said_to_go_on_and_does(held: Stage) -> None:
    hold(held, "Has a cat", "Plays chess")
    disk = FullDisk("/ledger/")
    person = await held.open(calls=disk)
    dialog = await reviewing(person)
    disk.is_full = True
    await decide(dialog, Qt.Key.Key_A)
    await until(lambda: "It was begun" in dialog.said.text(), "what is so")
    assert dialog.said.text().startswith("The disk is full")
    count = person.window.header.review
    await until(lambda: count.accessibleName().startswith("1 proposals wait for review · "), "the number of the window")
    assert [item.after for item in dialog.queue.items] == ["- Plays chess"], "it is decided"
    assert "It was begun" in dialog.said.text()
    disk.is_full = False
    assert await person.current.bench.repairs.try_disk()
    await until(lambda: dialog.said.text() == "What the disk had refused is done now.", "its end")
    assert Ledger(held.paths).pending() is None
    assert "- Has a cat" in memory(held)
    await until(lambda: "Has a cat" in person.window.memory.editor.text(), "memory in the editor")
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_U)
    await until(lambda: memory(held) == FACTS, "the decision taken back")
    await until(lambda: len(waiting(held)) == 2, "both waiting again")


async def test_in_the_pane_a_decision_and_an_undo_that_the_disk_refuses_once_they_stand_are_said_to_go_on_and_do(
    held: Stage,
) -> None:
    hold(held, "Has a cat")
    disk = FullDisk("/ledger/")
    person = await held.open(calls=disk)
    document = person.window.memory.main
    await until(lambda: document.reviews.waiting, "what waits")
    (waits,) = waiting(held)

    async def refused_then_taken() -> None:
        await until(lambda: any("It was begun" in each for each in sentences(person.window.memory)), "what is so")
        assert not document.reviews.waiting
        disk.is_full = False
        assert await person.current.bench.repairs.try_disk()
        await until(lambda: not any("It was begun" in each for each in sentences(person.window.memory)), "its end")
        assert Ledger(held.paths).pending() is None

    disk.is_full = True
    document.suggestion_settled.emit(waits.id, "accept", waits.proposed)
    await refused_then_taken()
    assert memory(held) == f"{FACTS}- Has a cat\n"
    disk.is_full = True
    person.current.memory.changes.undo((await person.bench.disk.run(person.bench.memory.editing.changes))[-1].id)
    await refused_then_taken()
    assert memory(held) == FACTS
    await until(lambda: person.window.memory.editor.text() == FACTS, "memory in the editor")
