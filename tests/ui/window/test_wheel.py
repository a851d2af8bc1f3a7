"""The mouse wheel scrolls; it never changes a field that happens to lie under the pointer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QScrollArea,
    QTabBar,
    QWidget,
)

from mnemoscope.ui.widgets.fields import is_field
from tests.ui.window_fixture import Opened, Stage, question, until

SAID = (("user", "Tea?"), ("assistant", "Yes."))


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


async def talking(stage: Stage) -> Opened:
    stage.make(*SAID, memory="# Facts\n\n- Likes tea\n")
    return await stage.open()


async def test_no_setting_changes_and_the_settings_scroll(stage: Stage) -> None:
    person = await talking(stage)
    person.current.actions["settings"].trigger()
    await until(question, "the settings")
    dialog = question()
    assert dialog is not None
    kinds = {type(one) for one in dialog.findChildren(QWidget) if is_field(one)}
    assert any(issubclass(kind, QComboBox) for kind in kinds)
    assert any(issubclass(kind, QAbstractSpinBox) for kind in kinds)
    area = dialog.findChild(QScrollArea)
    assert area is not None
    bar = area.verticalScrollBar()
    seen: set[int] = set()
    for place in range(0, bar.maximum() + bar.pageStep(), bar.pageStep() // 2):
        bar.setValue(place)
        seen |= {id(one) for one in fields_in(dialog)}
        assert changed_by_wheel(dialog, partial(bar.setValue, place)) == []
    assert len(seen) >= 6
    bar.setValue(0)
    model = next(one for one in fields_in(dialog) if isinstance(one, QComboBox))
    turn(model)
    assert bar.value() > 0, "what is under the field scrolls"
    dialog.close()
