"""Panes in windows of their own never lie over the palette or the search, and come back where they were."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget

from mnemoscope.ui.widgets.dialogs.floating_sheet import FloatingSheet
from tests.ui.window_fixture import Opened, Stage, press, until

PALETTE, SEARCH = "Ctrl+K", "Ctrl+Shift+F"


async def with_floating_pane(stage: Stage, *, beside: bool = False) -> tuple[Opened, QDockWidget]:
    """Returns a window with the history in a window of its own: over the middle of it, or beside it."""
    stage.make(("user", "Tea?"), ("assistant", "Yes."))
    person = await stage.open()
    person.window.resize(1200, 700)
    dock = person.window.inspector.docks["history"]
    dock.setFloating(True)
    dock.resize(400, 300)
    frame = person.window.frameGeometry()
    dock.move(frame.topRight() + QPoint(200, 0) if beside else frame.center() - QPoint(200, 300))
    await until(dock.isVisible, "the pane in a window of its own")
    return person, dock


def sheet_of(person: Opened, keys: str) -> FloatingSheet:
    return person.window.command_palette.widget if keys == PALETTE else person.current.search.sheet


@pytest.mark.parametrize("keys", [PALETTE, SEARCH])
async def test_a_pane_over_the_window_is_away_while_the_sheet_is_there(stage: Stage, keys: str) -> None:
    person, dock = await with_floating_pane(stage)
    before = QRect(dock.geometry())
    assert before.intersects(person.window.frameGeometry())
    person.composer.edit.setFocus()
    person.press(keys)
    await until(lambda: sheet_of(person, keys).isVisible(), "the sheet")
    assert not dock.isVisible()
    QTest.keyClicks(person.window.focusWidget(), "te")
    press(person.window, "Esc")
    await until(lambda: not sheet_of(person, keys).isVisible(), "no sheet")
    await until(dock.isVisible, "the pane again")
    assert dock.isFloating()
    assert dock.geometry() == before
    assert person.window.focusWidget() is person.composer.edit


@pytest.mark.parametrize("keys", [PALETTE, SEARCH])
async def test_it_can_be_asked_for_in_the_floating_pane_itself(stage: Stage, keys: str) -> None:
    person, dock = await with_floating_pane(stage)
    dock.activateWindow()
    person.history.field.setFocus()
    await until(person.history.field.hasFocus, "the keyboard in the pane")
    press(dock, keys)
    await until(lambda: sheet_of(person, keys).isVisible(), "the sheet")
    assert not dock.isVisible()
    press(person.window, "Esc")
    await until(dock.isVisible, "the pane again")


async def test_a_pane_beside_the_window_stays(stage: Stage) -> None:
    person, dock = await with_floating_pane(stage, beside=True)
    person.press(PALETTE)
    await until(person.window.command_palette.widget.isVisible, "the palette")
    assert dock.isVisible()
    press(person.window, "Esc")
