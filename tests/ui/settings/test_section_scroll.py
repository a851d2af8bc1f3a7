"""The settings' sections are listed: each is reached by a click and by keys, in a wide dialog and in a narrow one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QListWidget, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.domain.settings import Settings
from mnemoscope.ui.settings.settings_dialog import SettingsDialog

WIDE, NARROW = (1366, 768), (620, 700)


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


def top_of(dialog: SettingsDialog, row: int) -> int:
    """Returns how far below the top of the scroll a section begins."""
    area = dialog.findChild(QScrollArea)
    assert area is not None
    return dialog.sections[row].mapTo(area.viewport(), QPoint(0, 0)).y()


def in_sight(dialog: SettingsDialog, row: int) -> bool:
    area = dialog.findChild(QScrollArea)
    assert area is not None
    return 0 <= top_of(dialog, row) < area.viewport().height()


def shown_rows(index: QListWidget) -> list[int]:
    return [row for row in range(index.count()) if not index.isRowHidden(row)]


def test_every_section_is_listed_and_reached_by_the_arrow_keys(dialog: SettingsDialog) -> None:
    index = index_of(dialog)
    rows = shown_rows(index)
    assert [index.item(row).text() for row in rows] == [each.title for each in dialog.sections if not each.isHidden()]
    assert dialog.dream not in [dialog.sections[row] for row in rows]
    for row in rows[1:]:
        QTest.keyClick(index, Qt.Key.Key_Down)
        assert index.currentRow() == row
        assert in_sight(dialog, row)
    QTest.keyClick(index, Qt.Key.Key_Down)
    assert index.currentRow() == rows[-1]
    for row in reversed(rows[:-1]):
        QTest.keyClick(index, Qt.Key.Key_Left)
        assert index.currentRow() == row
        assert in_sight(dialog, row)


def test_enter_goes_on_to_the_section_and_saves_nothing(dialog: SettingsDialog) -> None:
    index, applied = index_of(dialog), list[object]()
    dialog.applied.connect(applied.append)
    index.setFocus()
    QTest.keyClick(index, Qt.Key.Key_End)
    QTest.keyClick(index, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert not applied
    focused = dialog.focusWidget()
    assert isinstance(focused, QComboBox)
    assert dialog.look.isAncestorOf(focused)


def test_a_click_jumps_again_after_scrolling_and_scrolling_marks_what_is_at_the_top(dialog: SettingsDialog) -> None:
    index, area = index_of(dialog), dialog.findChild(QScrollArea)
    assert area is not None
    place = index.visualItemRect(index.item(2)).center()
    QTest.mouseClick(index.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert 0 <= top_of(dialog, 2) <= 16
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    assert index.currentRow() == shown_rows(index)[-1]
    area.verticalScrollBar().setValue(0)
    assert index.currentRow() == 0


def test_the_list_is_whole_and_overlaps_nothing(dialog: SettingsDialog) -> None:
    index, area = index_of(dialog), dialog.findChild(QScrollArea)
    assert area is not None
    assert not index.geometry().intersects(area.geometry())
    for row in shown_rows(index):
        assert index.viewport().rect().contains(index.visualItemRect(index.item(row)))
    is_wide = dialog.width() > 700
    assert (index.geometry().right() < area.x()) is is_wide
    assert (index.geometry().bottom() < area.y()) is not is_wide
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


def test_a_section_that_a_profile_brings_is_listed(dialog: SettingsDialog) -> None:
    row = dialog.sections.index(dialog.dream)
    assert row not in shown_rows(index_of(dialog))
    dialog.memory.profile_changed.emit("dream")
    assert row in shown_rows(index_of(dialog))
