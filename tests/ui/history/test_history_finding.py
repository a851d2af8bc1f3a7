"""Finding in the history pane: what is typed filters, marks and counts at once, and what goes wrong is said."""

from datetime import date
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from mnemoscope.store.search.log_search import TOO_SLOW
from tests.support.history_logs import entry, log_of
from tests.ui.history.history_fixture import opened, shown, type_text

__all__ = ["opened"]


def test_what_is_typed_filters_at_once_and_marks_the_matches(opened: Any, qtbot: QtBot) -> None:
    pane = opened()
    type_text(qtbot, pane, "pool")
    assert shown(pane) == ["the pool of the pool", "pool two", "pool one"]
    assert pane.header.count_label.text() == "3 of 4 entries"
    assert len(pane.model.matches[0].spans) == 2


def test_f3_enter_and_the_arrows_go_through_the_matches_and_round_the_end(opened: Any, qtbot: QtBot) -> None:
    pane = opened()
    type_text(qtbot, pane, "pool")
    assert pane.header.position_label.text() == "1 of 3"
    QTest.keyClick(pane.field, Qt.Key.Key_Return)
    assert pane.header.position_label.text() == "2 of 3"
    pane.header.next_button.click()
    pane.header.next_button.click()
    assert pane.header.position_label.text() == "1 of 3"
    QTest.keyClick(pane.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert pane.header.position_label.text() == "3 of 3"
    pane.activateWindow()
    qtbot.waitUntil(pane.isActiveWindow)
    QTest.keyClick(pane.field, Qt.Key.Key_F3)
    assert pane.view.current == 0
    QTest.keyClick(pane.field, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert pane.view.current == 2


def test_a_malformed_expression_is_said_beneath_the_field_and_the_results_stay(opened: Any, qtbot: QtBot) -> None:
    pane = opened()
    type_text(qtbot, pane, "pool")
    pane.field.regex_button.click()
    pane.field.setText("(pool")
    qtbot.waitUntil(lambda: pane.message.isVisible())
    assert pane.message.text() == "The expression is not complete: missing ) at position 5."
    assert len(pane.model.matches) == 3
    pane.field.setText("(pool)")
    qtbot.waitUntil(lambda: not pane.message.isVisible())


def test_a_malformed_expression_is_not_said_to_be_found_nowhere(opened: Any, qtbot: QtBot) -> None:
    pane = opened()
    pane.field.regex_button.click()
    type_text(qtbot, pane, "zeppelin")
    assert pane.nothing_found.widget.isVisible()
    QTest.keyClicks(pane.field, "(")
    qtbot.waitUntil(lambda: pane.message.isVisible())
    assert not pane.nothing_found.widget.isVisible()


SLOW = f"{'a' * 60}!"


def test_an_expression_that_is_too_slow_is_said_and_not_to_be_found_nowhere(opened: Any, qtbot: QtBot) -> None:
    pane = opened(log_of(*[SLOW] * 200))
    stays = []
    pane.model.status_changed.connect(lambda: stays.append(pane.view.isVisible()))
    pane.field.regex_button.click()
    QTest.keyClicks(pane.field, "(a|aa)+$")
    qtbot.waitUntil(lambda: pane.message.text() == TOO_SLOW)
    qtbot.waitUntil(lambda: pane.message.isVisible())
    assert set(stays) == {True}
    type_text(qtbot, pane, "!$")
    assert len(pane.model.matches) == 50
    assert not pane.message.isVisible()


@pytest.mark.parametrize(
    ("count", "sentence"),
    [
        (1, "1 entry was passed over, because the expression is too slow on it. Make it simpler."),
        (3, "3 entries were passed over, because the expression is too slow on them. Make it simpler."),
    ],
)
def test_entries_an_expression_is_too_slow_on_are_counted_beneath_the_field(
    opened: Any, qtbot: QtBot, count: Any, sentence: Any
) -> None:
    pane = opened(log_of("lake", *[SLOW] * count))
    pane.field.regex_button.click()
    pane.field.setText("(a|aa)+$|lake")
    qtbot.waitUntil(lambda: pane.message.text() == sentence and not pane.model.more)
    assert shown(pane) == ["lake"]
    assert pane.header.count_label.text() == "1 shown"
    pane.field.setText("(a|aa)+$|zeppelin")
    qtbot.waitUntil(lambda: not pane.model.matches and pane.message.text() == sentence and not pane.model.more)
    assert pane.view.isVisible()
    pane.field.setText("zeppelin")
    qtbot.waitUntil(lambda: pane.nothing_found.widget.isVisible())
    assert not pane.message.isVisible()


def test_the_field_stays_in_its_place_when_the_first_letter_is_typed(opened: Any, qtbot: QtBot) -> None:
    pane = opened()
    pane.set_title_visible(False)
    pane.layout().activate()
    before = pane.field.geometry()
    type_text(qtbot, pane, "pool")
    assert pane.header.position_label.isVisible()
    assert pane.field.geometry() == before
    pane.clear()
    qtbot.waitUntil(lambda: not pane.header.position_label.isVisible())
    assert pane.field.geometry() == before


def test_case_matters_once_it_is_switched_on(opened: Any, qtbot: QtBot) -> None:
    pane = opened()
    type_text(qtbot, pane, "POOL")
    assert len(pane.model.matches) == 3
    pane.field.case_button.click()
    qtbot.waitUntil(lambda: not pane.model.matches)
    assert pane.nothing_found.widget.isVisible()


def test_where_nothing_matches_one_click_clears_the_search(opened: Any, qtbot: QtBot) -> None:
    pane = opened()
    type_text(qtbot, pane, "zeppelin")
    assert pane.nothing_found.widget.isVisible()
    assert pane.nothing_found.widget.sentence.text() == "No entry matches “zeppelin”."
    pane.nothing_found.widget.button.click()
    qtbot.waitUntil(lambda: len(pane.model.matches) == 4)
    assert pane.view.isVisible()


def test_days_and_logs_can_be_filtered_and_cleared(opened: Any, qtbot: QtBot) -> None:
    pane = opened("".join(entry(24 * day, f"day {day}") for day in range(4)))
    pane.filter_button.click()
    assert pane.filters.widget.isVisible()
    pane.filters.widget.until_box.setChecked(True)
    pane.filters.widget.until_edit.setDate(date(2026, 1, 2))
    qtbot.waitUntil(lambda: shown(pane) == ["day 1", "day 0"])
    assert "active" in pane.filter_button.accessibleName()
    assert not pane.filters.widget.source_box.isVisible()
    pane.filters.widget.clear_button.click()
    qtbot.waitUntil(lambda: len(pane.model.matches) == 4)


def test_a_folded_entry_shows_the_lines_around_its_first_match(opened: Any, qtbot: QtBot) -> None:
    pane = opened(entry(0, "\n".join(f"line {number}" for number in range(30))))
    type_text(qtbot, pane, "line 20")
    card = pane.view.cards.card(0)
    assert card.first <= 20 < card.last


def test_escape_clears_the_field_and_is_the_windows_otherwise(opened: Any) -> None:
    pane = opened()
    pane.field.setText("a")
    QTest.keyClick(pane.field, Qt.Key.Key_Escape)
    assert pane.field.text() == ""
    escape = QKeyEvent(QKeyEvent.Type.ShortcutOverride, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
    escape.ignore()
    pane.field.event(escape)
    assert not escape.isAccepted()
