"""The pages of the settings are listed: each is reached by a click and by keys, in a wide and in a narrow dialog."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLabel, QListWidget, QRadioButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.domain.settings import BUILT_IN_MODEL, Settings
from mnemoscope.llm.model_catalog import ModelChoice
from mnemoscope.ui.settings.section import Section
from mnemoscope.ui.settings.settings_dialog import SettingsDialog
from mnemoscope.ui.settings.settings_pages import PageIndex
from tests.ui.window_fixture import button, click

WIDE, NARROW = (1366, 768), (620, 700)
TITLES = ["Model", "In the background", "Memory", "Notes and context", "Tools", "Window"]


@pytest.fixture(params=[WIDE, NARROW, (1024, 700)])
def dialog(qtbot: QtBot, request: pytest.FixtureRequest) -> Iterator[SettingsDialog]:
    parent = QWidget()
    parent.resize(*request.param)
    qtbot.addWidget(parent)
    made = SettingsDialog(Settings(model="openai/some", profile="standard"), [], parent)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.close()


def index_of(dialog: SettingsDialog) -> QListWidget:
    return next(each for each in dialog.findChildren(QListWidget) if each.accessibleName() == "Sections")


def area_of(dialog: SettingsDialog) -> QScrollArea:
    return next(area for area in dialog.findChildren(QScrollArea) if area.isVisible())


def shown(dialog: SettingsDialog) -> list[Section]:
    return [each for each in dialog.sections if each.isVisible()]


def top_of(dialog: SettingsDialog, section: Section) -> int:
    """Returns how far below the top of the page in sight a section begins."""
    return section.mapTo(area_of(dialog).viewport(), QPoint(0, 0)).y()


def test_every_page_is_listed_and_reached_by_the_arrow_keys(dialog: SettingsDialog) -> None:
    index = index_of(dialog)
    assert [index.item(row).text() for row in range(index.count())] == TITLES
    seen = shown(dialog)
    for row in range(1, len(TITLES)):
        QTest.keyClick(index, Qt.Key.Key_Down)
        assert index.currentRow() == row
        seen += shown(dialog)
    assert seen == [each for each in dialog.sections if each is not dialog.dream]
    QTest.keyClick(index, Qt.Key.Key_Down)
    assert index.currentRow() == len(TITLES) - 1
    for row in reversed(range(len(TITLES) - 1)):
        QTest.keyClick(index, Qt.Key.Key_Left)
        assert index.currentRow() == row
    assert shown(dialog) == [dialog.model]


def test_a_click_shows_a_page_from_its_top(dialog: SettingsDialog) -> None:
    index = index_of(dialog)
    QTest.mouseClick(index.viewport(), Qt.MouseButton.LeftButton, pos=index.visualItemRect(index.item(2)).center())
    assert shown(dialog)[0] is dialog.memory
    assert 0 <= top_of(dialog, dialog.memory) <= 16


def test_enter_goes_on_to_the_page_and_saves_nothing(dialog: SettingsDialog) -> None:
    index, applied = index_of(dialog), list[object]()
    dialog.applied.connect(applied.append)
    index.setFocus()
    QTest.keyClick(index, Qt.Key.Key_End)
    QTest.keyClick(index, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert not applied
    focused = dialog.focusWidget()
    assert isinstance(focused, QComboBox)
    assert dialog.appearance.isAncestorOf(focused)


def test_what_keeps_the_settings_from_being_saved_is_brought_into_sight(dialog: SettingsDialog) -> None:
    dialog.notes.show_zone_problem("", "There is no time zone of this name.")
    save = button(dialog, "Save")
    assert save is not None
    click(save)
    assert shown(dialog) == [dialog.notes]
    focused = dialog.focusWidget()
    assert focused is not None
    assert dialog.notes.isAncestorOf(focused)


def test_a_section_far_down_is_brought_into_sight(dialog: SettingsDialog) -> None:
    dialog.memory.choose("dream")
    dialog.pages.show_section(dialog.capture)
    assert 0 <= top_of(dialog, dialog.capture) < area_of(dialog).viewport().height()


@pytest.mark.parametrize("frame", [1, 2, 5])
def test_the_titles_are_whole_in_a_frame_of_any_width(frame: int, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(700, 200)
    index = PageIndex(parent)
    index.setStyleSheet(f"QListView {{ border: {frame}px solid black; }}")
    index.addItems(TITLES)
    index.stand(in_a_row=True)
    with qtbot.waitExposed(parent):
        parent.show()
    index.resize(600, index.height_in_a_row(600))
    for row in range(index.count()):
        assert index.viewport().rect().contains(index.visualItemRect(index.item(row)))


def test_the_list_is_whole_and_overlaps_nothing(dialog: SettingsDialog) -> None:
    index, area = index_of(dialog), area_of(dialog)
    page = area.rect().translated(area.mapTo(dialog.pages, QPoint(0, 0)))
    assert not index.geometry().intersects(page)
    for row in range(index.count()):
        assert index.viewport().rect().contains(index.visualItemRect(index.item(row)))
    is_wide = dialog.width() > 700
    assert (index.geometry().right() < page.x()) is is_wide
    assert (index.geometry().bottom() < page.y()) is not is_wide
    assert area.horizontalScrollBar().maximum() == 0


def test_the_fields_have_the_keyboard_first_and_the_list_has_a_name_and_a_role(dialog: SettingsDialog) -> None:
    focused, index = dialog.focusWidget(), index_of(dialog)
    assert focused is not None
    assert dialog.model.isAncestorOf(focused)
    QTest.keyClick(focused, Qt.Key.Key_Backtab)
    assert dialog.focusWidget() is index
    interface = QAccessible.queryAccessibleInterface(index)
    assert interface.role() is QAccessible.Role.List
    assert interface.text(QAccessible.Text.Name) == "Sections"


def test_numbers_and_choices_of_a_page_begin_and_end_in_one_line(dialog: SettingsDialog) -> None:
    index = index_of(dialog)
    for row in range(index.count()):
        index.setCurrentRow(row)
        fields: list[QWidget] = [
            *(each for each in dialog.findChildren(QAbstractSpinBox) if each.isVisible()),
            *(each for each in dialog.findChildren(QComboBox) if each.isVisible() and not each.isEditable()),
        ]
        places = {each.mapTo(dialog, QPoint(0, 0)).x() for each in fields}
        assert len(places) <= 1
        assert len({each.width() for each in fields}) <= 1


def test_what_is_rarely_set_is_folded_and_said_in_a_line(dialog: SettingsDialog) -> None:
    fold, length, temperature = dialog.model.answers, dialog.model._longest, dialog.model._temperature
    assert not length.isVisible()
    assert (length.text() in fold.button.accessibleDescription(), temperature.text() in _words_of(fold)) == (True, True)
    fold.button.setFocus()
    QTest.keyClick(fold.button, Qt.Key.Key_Space)
    assert length.isVisible()
    assert temperature.isVisible()
    assert length.text() not in _words_of(fold)
    length.setValue(700)
    QTest.keyClick(fold.button, Qt.Key.Key_Space)
    assert not length.isVisible()
    assert "700" in _words_of(fold)
    assert dialog.model.values()["max_tokens"] == 700


@pytest.mark.parametrize("model", [BUILT_IN_MODEL, "openai/some"])
def test_the_button_of_a_test_begins_where_the_fields_do(dialog: SettingsDialog, qtbot: QtBot, model: str) -> None:
    dialog.model._model.setEditText(model)
    key, test = dialog.model._key, dialog.model.test
    qtbot.waitUntil(lambda: test.price.isVisible() == (model != BUILT_IN_MODEL))
    qtbot.waitUntil(lambda: test.button.mapTo(dialog, QPoint()).x() == key.mapTo(dialog, QPoint()).x())


def _words_of(part: QWidget) -> str:
    return " ".join(label.text() for label in part.findChildren(QLabel) if label.isVisible())


def test_a_page_has_its_title_once(dialog: SettingsDialog) -> None:
    headings = [each for each in dialog.model.findChildren(QLabel) if each.text() == "Model" and each.isVisible()]
    assert bool(headings) == dialog.pages.is_beside


def test_a_field_without_room_beside_its_label_stands_below_it(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(500, 500)
    dialog = SettingsDialog(Settings(model="openai/some"), [], parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    with qtbot.waitExposed(dialog):
        dialog.show()
    dialog.resize(460, 460)
    context, page = dialog.model.context, area_of(dialog)
    assert dialog.model.wanted_width() > 460
    content = page.widget()
    assert content is not None
    qtbot.waitUntil(lambda: content.width() <= page.viewport().width())
    at = context.mapTo(page.viewport(), QPoint(0, 0)).x()
    assert at < 60
    dialog.resize(900, 460)
    qtbot.waitUntil(lambda: context.mapTo(page.viewport(), QPoint(0, 0)).x() > at + 60)


def test_a_long_name_that_is_chosen_is_shown_from_its_beginning(qtbot: QtBot) -> None:
    choices = [ModelChoice(f"openai/{name}", name, "OpenAI", False, False) for name in ("a" * 200, "b" * 200)]
    dialog = SettingsDialog(Settings(), choices)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    names = dialog.model.findChild(QComboBox)
    assert names is not None
    typed = names.lineEdit()
    assert typed is not None
    QTest.keyClick(names, Qt.Key.Key_Down)
    QTest.keyClick(names, Qt.Key.Key_Down)
    assert typed.text() == "b" * 200
    assert typed.cursorPosition() == 0


@pytest.mark.parametrize(
    ("place", "section", "name"),
    [
        ("background", "background", "Model in the background"),
        ("limit", "background", "Daily limit"),
        ("answers", "model", "Longest answer"),
        ("window", "memory", "Memory window"),
        ("search", "notes", "Search by meaning"),
    ],
)
def test_a_place_is_gone_to_with_its_field(dialog: SettingsDialog, place: str, section: str, name: str) -> None:
    dialog.show_place(place)
    assert getattr(dialog, section) in shown(dialog)
    focused = dialog.focusWidget()
    assert focused is not None
    assert focused.isVisible()
    assert focused.accessibleName() == name


def test_how_memory_is_kept_is_gone_to_also_where_no_messages_are_counted(dialog: SettingsDialog) -> None:
    dialog.memory.choose("dream")
    for place in ("memory", "window"):
        dialog.show_place("background")
        dialog.show_place(place)
        focused = dialog.focusWidget()
        assert isinstance(focused, QRadioButton)
        assert focused.isChecked()


def test_the_clock_of_dream_is_gone_to_where_the_workspace_dreams(dialog: SettingsDialog) -> None:
    dialog.show_place("dream")
    focused = dialog.focusWidget()
    assert focused is not None
    assert dialog.memory.isAncestorOf(focused)
    dialog.memory.choose("dream")
    dialog.show_place("dream")
    focused = dialog.focusWidget()
    assert focused is not None
    assert focused.accessibleName() == "Cron expression"
