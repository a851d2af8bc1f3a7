"""The mouse wheel scrolls; it never changes a field that happens to lie under the pointer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QScrollArea,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from mnemoscope.domain.settings import Settings
from mnemoscope.ui.settings.settings_dialog import SettingsDialog
from mnemoscope.ui.shell.main_window import MainWindow
from mnemoscope.ui.widgets.fields import is_field


def turn(widget: QWidget, notches: int = -1) -> None:
    """Turns the wheel over the middle of a widget, as the system hands it to the window."""
    window = widget.window()
    place = QPointF(widget.mapTo(window, widget.rect().center()))
    QTest.wheelEvent(window.windowHandle(), place, QPoint(0, 120 * notches))


def said_by(field: QWidget) -> Any:
    """Returns what a field says."""
    if isinstance(field, QComboBox):
        return field.currentIndex(), field.currentText()
    if isinstance(field, QTabBar):
        return field.currentIndex()
    return field.value() if isinstance(field, QAbstractSlider) else field.text()  # type: ignore[attr-defined]


def fields_in(window: QWidget) -> list[QWidget]:
    """Returns every field on show that the wheel could change."""
    shown = (one for one in window.findChildren(QWidget) if one.isVisible() and one.isEnabled())
    return [one for one in shown if is_field(one) and not one.visibleRegion().isEmpty()]


def changed_by_wheel(window: QWidget, put_back: Callable[[], object] = lambda: None) -> list[str]:
    """Turns the wheel over every field, both ways and with the keyboard in it too; returns those that changed.

    `put_back` scrolls back to where the fields lie.
    """
    changed = []
    for field in fields_in(window):
        for focused in (False, True):
            if focused:
                field.setFocus(Qt.FocusReason.MouseFocusReason)
            for notches in (-1, 1):
                put_back()
                before = said_by(field)
                turn(field, notches)
                if said_by(field) != before:
                    changed.append(f"{type(field).__name__} {field.accessibleName()}: {before} -> {said_by(field)}")
    return changed


@pytest.fixture
def dialog(qtbot: QtBot) -> SettingsDialog:
    made = SettingsDialog(Settings(model="openai/gpt-4o"), [])
    qtbot.addWidget(made)
    made.resize(620, 420)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_no_setting_changes_and_the_settings_scroll(dialog: SettingsDialog) -> None:
    # No coroutine: turning the wheel lets events run, and a task would be run within another one.
    seen: set[QWidget] = set()
    for section in reversed(dialog.sections):
        dialog.pages.show_section(section)
        bar = next(area for area in dialog.findChildren(QScrollArea) if area.isVisible()).verticalScrollBar()
        for place in range(0, bar.maximum() + bar.pageStep(), bar.pageStep() // 2):
            bar.setValue(place)
            seen |= set(fields_in(dialog))
            assert changed_by_wheel(dialog, partial(bar.setValue, place)) == []
    assert bar.maximum() > 0
    assert len(seen) >= 6
    assert any(isinstance(one, QComboBox) for one in seen)
    assert any(isinstance(one, QAbstractSpinBox) for one in seen)
    bar.setValue(0)
    model = next(one for one in fields_in(dialog) if isinstance(one, QComboBox))
    turn(model)
    assert bar.value() > 0, "what is under the field scrolls"


def test_no_field_or_tab_of_the_window_changes(qtbot: QtBot) -> None:
    window = MainWindow()
    qtbot.addWidget(window)
    window.let_close()
    window.resize(1024, 700)
    window.show()
    qtbot.waitExposed(window)
    tabs: set[QWidget] = set()
    for name in window.inspector.docks:
        window.inspector.show(name)
        QApplication.processEvents()
        tabs |= {one for one in fields_in(window) if isinstance(one, QTabBar)}
        assert changed_by_wheel(window) == []
    assert len(tabs) >= 2, "the tabs of the docks and of the memory files"
