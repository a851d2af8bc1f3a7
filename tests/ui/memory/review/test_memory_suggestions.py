from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from mnemoscope.domain.memory.change import MemoryConflict, MemoryOrigin
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.ui.memory.memory_document import MemoryDocument
from mnemoscope.ui.memory.review.suggestion_view import SuggestionReasons
from mnemoscope.ui.widgets.theme import apply_theme, line_height

FILE = "# Project\n\n- Uses PostgreSQL 16\n- Deadline is 12 May\n- Sam keeps 20 connections\n"
PROPOSED = FILE.replace("- Deadline is 12 May\n", "").replace("16", "17")
HELD = Suggestion(
    "s1", "2026-03-12T14:30:00", FILE, PROPOSED, ("It would drop “Deadline is 12 May”.",), "desktop:1", 0, 20
)
OTHER = Suggestion("s2", "2026-03-13T10:00:00", FILE, FILE + "- more\n", ("It adds a heading.",), "desktop:1", 20, 40)


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> MemoryDocument:
    # As high as in the program, whichever test ran before.
    apply_theme(qapp, "light")
    pane = MemoryDocument()
    qtbot.addWidget(pane)
    pane.resize(380, 640)
    with qtbot.waitExposed(pane):
        pane.show()
    pane.show_memory(FILE, "v1")
    pane.show_suggestions([HELD])
    return pane


def press(pane: MemoryDocument, words: str) -> None:
    buttons = [button for button in pane.findChildren(QPushButton) if button.text() == words and button.isVisible()]
    buttons[0].click()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def shown_diff(pane: MemoryDocument) -> list[str]:
    return pane.body.review.widget.diff.text.toPlainText().split("\n")


def test_a_suggestion_waits_in_a_bar_that_says_what_it_would_do(pane: MemoryDocument) -> None:
    bar = pane.bars.bar("suggestion")
    assert bar is not None
    assert bar.sentence == (
        "1 proposal is waiting for review. MEMORY.md stays as it is until you decide.\n"
        "• It would drop “Deadline is 12 May”."
    )


def test_the_bar_stays_as_it_is_where_nothing_else_waits(pane: MemoryDocument) -> None:
    bar = pane.bars.bar("suggestion")
    pane.show_suggestions([HELD])
    assert pane.bars.bar("suggestion") is bar
    pane.show_suggestions([HELD, OTHER])
    changed = pane.bars.bar("suggestion")
    assert changed is not bar
    assert changed is not None
    assert changed.sentence.startswith("2 proposals are waiting for review.")


def test_review_shows_the_differences_the_reasons_and_where_it_came_from(pane: MemoryDocument) -> None:
    press(pane, "Review")
    assert pane.body.page == "review"
    assert "− - Deadline is 12 May" in shown_diff(pane)
    labels = " ".join(label.text() for label in pane.body.review.widget.findChildren(type(pane.toolbar.state_label)))
    assert "It would drop “Deadline is 12 May”." in labels
    assert "From messages 1–20 · 12 March 2026 14:30" in labels


def test_what_a_program_outside_proposed_names_it_as_it_calls_itself(pane: MemoryDocument) -> None:
    asks = "Another program proposes it through MCP; it says it is “Claude Code”."
    proposed = FILE + "- Has a cat\n"
    outside = Suggestion("s3", "2026-03-12T14:30:00", FILE, proposed, (asks,), "", 0, 0, claimed_by="Claude Code")
    pane.show_suggestions([outside])
    bar = pane.bars.bar("suggestion")
    assert bar is not None
    assert asks in bar.sentence
    press(pane, "Review")
    labels = [label.text() for label in pane.body.review.widget.findChildren(QLabel)]
    assert "Claude Code (its own claim), through MCP · 12 March 2026 14:30" in labels
    assert "+ - Has a cat" in shown_diff(pane)


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        (MemoryOrigin(""), "Found by Mnemoscope, not proposed by a model · 12 March 2026 14:30"),
        (MemoryOrigin("outside"), "Found by Mnemoscope, not proposed by a model · 12 March 2026 14:30"),
        (MemoryOrigin("agent"), "The assistant wanted to write it with a tool · 12 March 2026 14:30"),
        (MemoryOrigin("dream", "", "", 3, 3), "Dream, from entry 3 · 12 March 2026 14:30"),
        (MemoryOrigin("dream", "", "", 3, 7), "Dream, from entries 3 to 7 · 12 March 2026 14:30"),
    ],
    ids=["check", "forgotten", "tool", "one entry", "entries"],
)
def test_whose_a_proposal_is_without_messages_is_said_as_it_is(
    pane: MemoryDocument, origin: MemoryOrigin, words: str
) -> None:
    passage = MemoryConflict("- Deadline is 12 May", "- Deadline is 12 May", "", theirs_from=origin)
    of_it = replace(HELD, session_key="", start=origin.start, stop=origin.stop, conflicts=(passage,))
    pane.show_suggestions([of_it])
    press(pane, "Review")
    assert words in [label.text() for label in pane.body.review.widget.findChildren(QLabel)]


def test_accept_hands_over_exactly_the_text_that_was_shown(pane: MemoryDocument, qtbot: QtBot) -> None:
    press(pane, "Review")
    with qtbot.waitSignal(pane.suggestion_settled) as emitted:
        press(pane, "Accept")
    assert emitted.args == ["s1", "accept", PROPOSED]
    assert pane.body.page == "text"
    assert pane.bars.bar("suggestion") is None


def test_reject_leaves_the_text_alone(pane: MemoryDocument, qtbot: QtBot) -> None:
    press(pane, "Review")
    with qtbot.waitSignal(pane.suggestion_settled) as emitted:
        press(pane, "Reject")
    assert emitted.args == ["s1", "reject", None]
    assert pane.editor.text() == FILE


def test_keep_mine_in_the_bar_rejects(pane: MemoryDocument, qtbot: QtBot) -> None:
    with qtbot.waitSignal(pane.suggestion_settled) as emitted:
        press(pane, "Keep mine")
    assert emitted.args == ["s1", "reject", None]


def test_edit_opens_the_proposal_and_saving_settles_it(pane: MemoryDocument) -> None:
    press(pane, "Review")
    press(pane, "Edit")
    assert pane.body.page == "text"
    assert pane.editor.text() == PROPOSED
    assert pane.is_dirty()
    assert pane.reviews.edited == "s1"
    pane.save()
    pane.saved(PROPOSED, "v2", False, settled="s1")
    assert pane.reviews.edited == ""
    assert not pane.waiting
    assert pane.bars.bar("suggestion") is None


def test_edit_keeps_what_was_being_typed(pane: MemoryDocument) -> None:
    cursor = pane.editor.textCursor()
    cursor.movePosition(cursor.MoveOperation.End)
    cursor.insertText("- typed\n")
    press(pane, "Review")
    press(pane, "Edit")
    assert pane.editor.text() == PROPOSED + "- typed\n"


def test_an_edit_put_off_leaves_the_suggestion_waiting(pane: MemoryDocument) -> None:
    press(pane, "Review")
    press(pane, "Edit")
    press(pane, "Not now")
    pane.save()
    pane.saved(PROPOSED, "v2", False)
    assert pane.bars.bar("suggestion") is not None


def test_when_memory_moved_on_the_diff_is_what_accepting_would_do_now(pane: MemoryDocument, qtbot: QtBot) -> None:
    now = FILE + "- pgbouncer since March\n"
    pane.memory_changed(now, "v2", "outside")
    press(pane, "Review")
    assert "  - pgbouncer since March" in shown_diff(pane)
    with qtbot.waitSignal(pane.suggestion_settled) as emitted:
        press(pane, "Accept")
    assert emitted.args[2] == PROPOSED + "- pgbouncer since March\n"


def test_the_diff_follows_when_memory_changes_during_the_review(pane: MemoryDocument) -> None:
    press(pane, "Review")
    pane.memory_changed(PROPOSED, "v2", "consolidation")
    assert not pane.body.review.widget.accept_button.isEnabled()
    assert pane.body.page == "review"


def test_several_suggestions_are_stepped_through(pane: MemoryDocument) -> None:
    pane.show_suggestions([HELD, OTHER])
    press(pane, "Review")
    pane.body.review.widget.next_button.click()
    assert pane.body.review.widget.current == OTHER
    assert "+ - more" in shown_diff(pane)
    pane.body.review.widget.next_button.click()
    assert pane.body.review.widget.current == HELD


def test_a_decision_that_failed_asks_again(pane: MemoryDocument) -> None:
    press(pane, "Keep mine")
    pane.save_failed("The disk is full.", "Free some space.")
    assert pane.bars.bar("suggestion") is not None


def test_escape_leads_back_to_the_text(pane: MemoryDocument) -> None:
    press(pane, "Review")
    QTest.keyClick(pane.body.review.widget.accept_button, Qt.Key.Key_Escape)
    assert pane.body.page == "text"
    assert pane.bars.bar("suggestion") is not None


def test_in_a_read_only_window_nothing_can_be_decided(pane: MemoryDocument) -> None:
    pane.set_read_only(True)
    press(pane, "Review")
    review = pane.body.review.widget
    assert not any(b.isEnabled() for b in (review.accept_button, review.edit_button, review.reject_button))


def many(count: int) -> Suggestion:
    lines = [f"- Fact number {number} of those that are known" for number in range(count)]
    reasons = tuple(f"It would drop “{line[2:]}”." for line in lines)
    text = "# Project\n\n" + "\n".join(lines) + "\n"
    return Suggestion("many", "2026-03-12T14:30:00", text, "# Project\n", reasons, "desktop:1", 0, 20)


@pytest.fixture
def wall(pane: MemoryDocument) -> MemoryDocument:
    held = many(35)
    pane.show_memory(held.before, "v1")
    pane.show_suggestions([held])
    press(pane, "Review")
    return pane


def test_of_many_reasons_three_are_shown_and_the_differences_have_the_room(wall: MemoryDocument) -> None:
    review = wall.body.review.widget
    labels = [label for label in review.reasons.findChildren(QLabel) if label.isVisible() and label.text()]
    assert len(labels) == 3
    assert review.diff.height() > review.height() // 2


def test_a_reason_is_wrapped_and_read_whole_in_a_narrow_pane(pane: MemoryDocument, qtbot: QtBot) -> None:
    pane.resize(346, 520)
    clay = "It would drop “Clay is a stoneware from Stoke; glazes are mixed in the studio”."
    reasons = (clay, "Short.", "word " * 200)
    text = "# Project\n\n- One\n"
    pane.show_memory(text, "v1")
    pane.show_suggestions([Suggestion("s", "2026-03-12T14:30:00", text, "# Project\n", reasons, "desktop:1", 0, 20)])
    press(pane, "Review")
    review = pane.body.review.widget
    first, second, third = review.reasons._lines
    line = first.fontMetrics().lineSpacing()
    qtbot.waitUntil(lambda: all(one.height() == one.heightForWidth(one.width()) for one in (first, second, third)))
    assert not first.toolTip()
    assert first.heightForWidth(first.width()) == 2 * line
    assert second.heightForWidth(second.width()) == line
    assert third.heightForWidth(third.width()) == 3 * line
    assert third.toolTip()
    assert review.diff.height() > 150


def test_the_bar_leaves_the_text_and_its_preview_room(pane: MemoryDocument, qtbot: QtBot) -> None:
    # As high and wide as the pane is in a window of 1440 x 900.
    pane.resize(372, 470)
    held = many(35)
    pane.show_memory(held.before, "v1")
    pane.show_suggestions([held])
    split = pane.body.split
    qtbot.waitUntil(split.preview.isVisible)
    line = pane.fontMetrics().lineSpacing()
    assert min(split.editor.height(), split.preview.height()) >= 5 * line
    bar = pane.bars.bar("suggestion")
    assert bar is not None
    assert "Fact number 3 of those" in bar.sentence
    assert "Fact number 3 of those" in bar.toolTip()


def test_the_differences_begin_at_the_top_whatever_room_they_get(wall: MemoryDocument, qtbot: QtBot) -> None:
    text = wall.body.review.widget.diff.text
    wall.resize(300, 420)
    qtbot.wait(20)
    assert text.verticalScrollBar().value() == 0
    QTest.keyClick(text, Qt.Key.Key_PageDown)
    place = text.verticalScrollBar().value()
    wall.resize(301, 430)
    qtbot.wait(20)
    assert place > 0
    assert text.verticalScrollBar().value() > 0


def test_all_reasons_can_be_read_and_put_away_again(wall: MemoryDocument) -> None:
    reasons = wall.body.review.widget.reasons
    press(wall, "and 32 more")
    assert reasons.list.isVisible()
    assert "Fact number 34" in reasons.whole.text()
    assert (
        wall.body.review.widget.height()
        > reasons.list.height() + wall.body.review.widget.diff.minimumSizeHint().height()
    )
    press(wall, "Show fewer")
    assert not reasons.list.isVisible()


@pytest.mark.parametrize(("count", "is_scrolled"), [(5, False), (35, True)])
def test_the_list_of_all_reasons_is_as_high_as_its_words(qtbot: QtBot, count: int, is_scrolled: bool) -> None:
    reasons = SuggestionReasons()
    qtbot.addWidget(reasons)
    reasons.resize(360, 400)
    reasons.show_reasons([f"Nobody spoke of “{number}”." for number in range(count)])
    with qtbot.waitExposed(reasons):
        reasons.show()
    reasons.more_button.click()
    qtbot.waitUntil(lambda: reasons.list.isVisible() and reasons.whole.height() >= reasons.list.viewport().height())
    assert (reasons.whole.height() > reasons.list.viewport().height()) == is_scrolled
    assert (reasons.list.height() >= 6 * line_height()) == is_scrolled, "no empty lines below the words"


def test_no_key_pressed_too_soon_accepts_what_drops_lines(wall: MemoryDocument, qtbot: QtBot) -> None:
    review = wall.body.review.widget
    assert review.diff.isAncestorOf(wall.focusWidget())
    assert review.accept_button.property("kind") != "primary"
    with qtbot.assertNotEmitted(wall.suggestion_settled):
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
            QTest.keyClick(wall.focusWidget(), key)
    assert wall.body.page == "review"


def test_accept_stands_out_where_nothing_is_dropped(pane: MemoryDocument) -> None:
    pane.show_suggestions([OTHER])
    press(pane, "Review")
    assert pane.body.review.widget.accept_button.property("kind") == "primary"


def test_the_keyboard_reaches_every_decision(wall: MemoryDocument) -> None:
    review, reached = wall.body.review.widget, []
    for _ in range(6):
        QTest.keyClick(wall.focusWidget(), Qt.Key.Key_Tab)
        reached.append(wall.focusWidget())
    for button in (review.accept_button, review.edit_button, review.reject_button, review.back_button):
        assert button in reached


def test_undoing_an_edit_back_to_the_files_text_leaves_nothing_unsaved(pane: MemoryDocument, qtbot: QtBot) -> None:
    press(pane, "Review")
    press(pane, "Edit")
    with qtbot.waitSignal(pane.draft_changed):
        pane._drafts.announce()
    with qtbot.waitSignal(pane.draft_dropped):
        pane.editor.undo()
        pane._drafts.announce()
    assert pane.editor.text() == FILE
    assert not pane.is_dirty()
    pane.editor.redo()
    assert pane.is_dirty()


def test_a_review_or_a_bar_does_not_make_the_pane_taller_than_it_was(pane: MemoryDocument) -> None:
    before = pane.minimumSizeHint().height()
    held = many(35)
    pane.show_memory(held.before, "v1")
    pane.show_suggestions([held])
    press(pane, "Review")
    assert pane.minimumSizeHint().height() <= before + 160
    press(pane, "Edit")
    assert pane.minimumSizeHint().height() <= before + 110
