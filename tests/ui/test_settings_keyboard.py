"""Tab goes through the settings as they stand, from the top to the buttons."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.domain.settings import PROFILES, Settings
from mnemoscope.ui.settings.settings_dialog import SettingsDialog


def stops(dialog: QWidget) -> list[QWidget]:
    """What Tab stops at, in its order; the line of a box that is typed into is the box's."""
    found, here = list[QWidget](), dialog.nextInFocusChain()
    while here is not dialog:
        parts = isinstance(here, QLineEdit) and isinstance(here.parentWidget(), QComboBox | QAbstractSpinBox)
        if here.isVisible() and here.isEnabled() and here.focusPolicy() & Qt.FocusPolicy.TabFocus and not parts:
            found.append(here)
        here = here.nextInFocusChain()
    return found


@pytest.mark.parametrize("profile", PROFILES)
def test_tab_goes_down_and_never_up_again(qtbot: QtBot, profile: str) -> None:
    dialog = SettingsDialog(Settings(model="openai/some", profile=profile), [])
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    body = dialog.findChild(QScrollArea).widget()
    found = [(_height(stop, body), stop.accessibleName() or type(stop).__name__) for stop in stops(dialog)]
    assert len(found) > 8
    assert found == sorted(found, key=lambda one: one[0])


def _height(stop: QWidget, body: QWidget) -> float:
    """How far down it stands; what is not scrolled stands below all that is."""
    return stop.mapTo(body, QPoint(0, 0)).y() if body.isAncestorOf(stop) else math.inf
