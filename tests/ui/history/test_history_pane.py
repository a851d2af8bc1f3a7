"""The History pane: entries found as they are typed, with the messages they came from."""

from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.settings import DREAM, THREE_TIER, Settings
from mnemoscope.store.search.worker import SearchWorker
from mnemoscope.ui.history.history_controller import first_entry_words
from mnemoscope.ui.history.history_pane import HistoryPane
from mnemoscope.ui.support.locale_words import stamp_words
from mnemoscope.ui.widgets.lists.painted_list import AccessibleList
from mnemoscope.ui.widgets.theme import apply_theme
from tests.support.history_logs import entry, log_of, workspace
from tests.ui.history.history_fixture import WORDS, opened, shown, type_text

__all__ = ["opened"]


def record(text: str, key: str = "desktop:1", start: int = 0, stop: int = 20, name: str = "id") -> Any:
    return ConsolidationRecord(name, key, "", start, stop, "", text.strip())


def _shows(pane: Any, number: int) -> bool:
    return pane.view.current is not None and bool(pane.model.matches[pane.view.current].entry.number == number)


def centre_of(pane: Any, row: Any, part: Any) -> Any:
    rect = getattr(pane.view.cards.card(row), part)
    return pane.view.rect_of(row).topLeft() + rect.center().toPoint()


def test_every_entry_is_shown_newest_first(opened: Any) -> None:
    pane = opened()
    assert shown(pane) == list(reversed(WORDS))
    assert pane.header.count_label.text() == "4 entries"


def test_before_the_first_entry_the_pane_says_when_it_comes_and_leads_to_how_memory_is_kept(
    opened: Any, qtbot: QtBot
) -> None:
    pane = opened(history="")
    assert pane.nothing_written.widget.isVisible()
    pane.explain_nothing("Soon.")
    assert pane.nothing_written.widget.sentence.text() == "Soon."
    with qtbot.waitSignal(pane.explanation_requested):
        pane.nothing_written.widget.button.click()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(), "when messages are consolidated"),
        (Settings(profile=DREAM), "with /new"),
        (Settings(profile=THREE_TIER), "by day"),
        (Settings(profile=THREE_TIER, daily_notes="off"), "notes are switched off"),
    ],
)
def test_when_the_first_entry_comes_is_said_by_how_memory_is_kept(settings: Settings, words: str) -> None:
    assert words in first_entry_words(settings)


def test_that_there_is_nothing_is_not_said_before_anybody_looked(
    qtbot: QtBot, tmp_path: Path, qapp: QApplication
) -> None:
    search = SearchWorker(workspace(tmp_path, log_of(*WORDS)))
    pane = HistoryPane()
    qtbot.addWidget(pane)
    pane.show()
    pane.model.set_source(search.logs)
    qtbot.waitUntil(lambda: pane.model.ready)
    assert pane.view.isVisible()
    pane.model.refresh()
    qtbot.waitUntil(lambda: len(pane.model.matches) == len(WORDS))
    search.close()


def test_the_link_leads_to_the_messages_an_entry_was_made_from(opened: Any, qtbot: QtBot) -> None:
    pane = opened()
    pane.model.origins.set_records([record(entry(2, WORDS[2]), "desktop:7", 20, 40)])
    card = pane.view.cards.card(1)
    assert card.record is not None
    assert pane.view.cards.card(0).record is None
    with qtbot.waitSignal(pane.messages_requested) as asked:
        QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=centre_of(pane, 1, "link"))
    assert asked.args == [card.record]
    with qtbot.waitSignal(pane.messages_requested):
        QTest.keyClick(pane.view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_a_long_entry_is_folded_to_six_lines_and_unfolds(opened: Any) -> None:
    pane = opened(entry(0, "\n".join(f"line {number}" for number in range(30))))
    card = pane.view.cards.card(0)
    assert card.last - card.first == 6
    pane.view.choose(0)
    QTest.keyClick(pane.view, Qt.Key.Key_Return)
    unfolded = pane.view.cards.card(0)
    assert unfolded.last == 30
    assert unfolded.height > card.height
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, 30))
    assert pane.view.cards.card(0).height == card.height


def test_an_entry_of_megabytes_is_laid_out_in_part(opened: Any, qtbot: QtBot) -> None:
    pane = opened(entry(0, "word " * 1_000_000 + "needle"))
    qtbot.waitUntil(lambda: bool(pane.model.matches))
    assert pane.view.cards.card(0).height < 300
    type_text(qtbot, pane, "needle")
    assert len(pane.view.cards.card(0)._spans) == 1


def test_the_log_grows_and_the_reader_stays_where_they_are(opened: Any, qtbot: QtBot, tmp_path: Path) -> None:
    pane = opened(log_of(*[f"entry {number}" for number in range(200)]))
    pane.view.choose(30)
    bar = pane.view.verticalScrollBar()
    pane.view.grab()
    row = pane.view.cards.row_at(bar.value())
    top = pane.model.matches[row].entry.number, bar.value() - pane.view.cards.top(row)
    with (tmp_path / "memory/HISTORY.md").open("a") as file:
        file.write(entry(300, "brand new"))
    pane.model.refresh()
    qtbot.waitUntil(lambda: pane.model.state.total == 201 and "brand new" in pane.model.matches[0].entry.text)
    row = pane.view.cards.row_at(bar.value())
    assert (pane.model.matches[row].entry.number, bar.value() - pane.view.cards.top(row)) == top
    assert pane.model.matches[pane.view.current].entry.number == 169


def test_more_entries_come_while_scrolling(opened: Any, qtbot: QtBot) -> None:
    pane = opened(log_of(*[f"entry {number}" for number in range(400)]))
    bar = pane.view.verticalScrollBar()
    assert len(pane.model.matches) < 400

    def at_end() -> Any:
        bar.setValue(bar.maximum())
        return len(pane.model.matches) == 400

    qtbot.waitUntil(at_end)
    assert pane.model.matches[-1].entry.number == 0


def test_an_entry_is_shown_among_its_neighbours(opened: Any, qtbot: QtBot) -> None:
    log = log_of(*[f"entry {number} {'word ' * 30}" for number in range(120)])
    pane = opened(log)
    pane.search_for("entry 3")
    pane.show_entry(record(entry(80, f"entry 80 {'word ' * 30}")))
    qtbot.waitUntil(lambda: pane.view.current is not None and pane.model.query.is_empty)
    assert pane.model.matches[pane.view.current].entry.number == 80
    assert pane.field.text() == ""
    assert pane.view.viewport().rect().contains(pane.view.rect_of(pane.view.current).topLeft())


def test_the_entry_that_was_asked_for_is_marked_until_another_is_chosen(opened: Any, qtbot: QtBot) -> None:
    pane = opened()
    pane.view.choose(0)
    assert not pane.view.is_marked(0)
    pane.show_entry(record(entry(1, WORDS[1])))
    qtbot.waitUntil(lambda: pane.view.current == 2)
    assert pane.view.is_marked(2)
    assert not pane.view.is_marked(1)
    pane.view.choose(0)
    assert not pane.view.is_marked(0)
    assert not pane.view.is_marked(2)


def test_an_entry_far_back_is_shown_with_a_way_back_to_the_newest(opened: Any, qtbot: QtBot) -> None:
    pane = opened(log_of(*[f"entry {number}" for number in range(1_000)]))
    pane.show_entry(entry(5, "entry 5"))
    qtbot.waitUntil(lambda: pane.view.current is not None)
    assert pane.model.matches[pane.view.current].entry.number == 5
    assert pane.newest_button.isVisible()
    pane.newest_button.click()
    qtbot.waitUntil(lambda: pane.model.matches[0].entry.number == 999)
    assert not pane.newest_button.isVisible()


@pytest.mark.parametrize("between", [1, 600])
def test_each_of_two_entries_of_the_same_words_leads_to_its_own_messages_and_back(
    opened: Any, qtbot: QtBot, between: Any
) -> None:
    same, others = entry(0, "same"), [entry(number, f"entry {number}") for number in range(1, between + 1)]
    pane = opened("".join([same, *others, same]))
    first, second = record(same, start=0, stop=20, name="first"), record(same, start=20, stop=40, name="second")
    pane.model.origins.set_records([first, second])
    for wanted, number in ((first, 0), (second, between + 1), (first, 0)):
        pane.show_entry(wanted)
        qtbot.waitUntil(partial(_shows, pane, number))
        with qtbot.waitSignal(pane.messages_requested) as asked:
            pane.view.show_messages(pane.view.current)
        assert asked.args == [wanted]


def test_an_entry_that_is_not_there_leaves_everything_as_it_was(opened: Any, qtbot: QtBot) -> None:
    pane = opened()
    pane.show_entry("[2020-01-01] never")
    qtbot.waitUntil(lambda: not pane.model._pending and len(pane.model.matches) == 4)


def test_an_entry_is_copied_as_it_is_and_as_markdown(opened: Any) -> None:
    pane = opened()
    pane.model.origins.set_records([record(entry(3, WORDS[3]))])
    pane.view.choose(0)
    QTest.keyClick(pane.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "[2026-01-01 03:00] the pool of the pool"
    menu = pane.view.entry_menu(0)
    copy, markdown, _, messages = menu.actions()
    markdown.trigger()
    words = "**2026-01-01 03:00**\n\n> the pool of the pool\n\n— memory/HISTORY.md, from messages 1–20\n"
    assert QGuiApplication.clipboard().text() == words
    assert messages.isEnabled()
    assert copy.isEnabled()
    menu.close()


def test_the_keyboard_goes_from_the_field_into_the_entries_and_back(opened: Any, qtbot: QtBot) -> None:
    pane = opened()
    pane.activateWindow()
    pane.find()
    QTest.keyClick(pane.field, Qt.Key.Key_Down)
    qtbot.waitUntil(pane.view.hasFocus)
    assert pane.view.current == 0
    QTest.keyClick(pane.view, Qt.Key.Key_Down)
    assert pane.view.current == 1
    QTest.keyClick(pane.view, Qt.Key.Key_End)
    assert pane.view.current == 3
    QTest.keyClick(pane.view, Qt.Key.Key_Home)
    QTest.keyClick(pane.view, Qt.Key.Key_Up)
    qtbot.waitUntil(pane.field.hasFocus)


def test_every_control_has_a_name(opened: Any) -> None:
    pane = opened()
    for control in (
        pane.field,
        pane.field.regex_button,
        pane.field.case_button,
        pane.field.clear_button,
        pane.filter_button,
        pane.filters.widget.since_edit,
        pane.filters.widget.until_edit,
        pane.filters.widget.source_box,
        pane.header.next_button,
        pane.header.previous_button,
        pane.view,
    ):
        assert control.accessibleName()


def test_a_screen_reader_reads_the_entries(opened: Any) -> None:
    pane = opened()
    pane.model.origins.set_records([record(entry(3, WORDS[3]))])
    interface = QAccessible.queryAccessibleInterface(pane.view)
    assert interface.childCount() == 4
    item = interface.child(0)
    assert item.text(QAccessible.Text.Name) == "1 January 03:00, from messages 1–20. the pool of the pool"
    assert item.role() == QAccessible.Role.ListItem
    assert isinstance(interface, AccessibleList) or interface.role() == QAccessible.Role.List


@pytest.mark.parametrize(("theme", "zoom", "width"), [("light", 1.0, 320), ("dark", 2.0, 320), ("dark", 1.0, 384)])
def test_the_pane_is_painted_in_every_theme_and_size(
    opened: Any, qapp: QApplication, theme: Any, zoom: Any, width: int
) -> None:
    pane = opened(width=width)
    apply_theme(qapp, theme, zoom)
    pane.search_for("pool")
    assert not pane.grab().isNull()
    assert pane.minimumSizeHint().width() <= max(320, int(320 * zoom))
    apply_theme(qapp, "light")


def test_without_a_source_the_pane_is_empty(opened: Any) -> None:
    pane = opened()
    pane.model.set_source(None)
    assert pane.model.matches == []
    pane.model.refresh()
    pane.search_for("a")
    pane.show_entry("a")


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ("2026-03-12 14:30", "12 March 14:30"),
        ("2025-03-12 14:30", "12 March 2025 14:30"),
        ("2026-03-12", "12 March"),
        ("2026-99-99", "2026-99-99"),
        ("", "No date"),
    ],
)
def test_a_time_is_said_as_people_say_it(when: Any, words: Any) -> None:
    assert stamp_words(when, date(2026, 11, 22)) == words
