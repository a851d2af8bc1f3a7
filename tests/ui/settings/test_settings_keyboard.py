"""Tab goes through the settings as they stand, from the top to the buttons."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from mnemoscope.domain.settings import PROFILES, Settings
from mnemoscope.ui.settings.settings_dialog import SettingsDialog
from mnemoscope.ui.widgets.theme import Theme, apply_theme


def stops(dialog: QWidget) -> list[QWidget]:
    """Returns what Tab stops at, in its order."""
    found = list[QWidget]()
    while (here := dialog.focusWidget()) not in found and len(found) < 100:
        assert here is not None
        found.append(here)
        QTest.keyClick(here, Qt.Key.Key_Tab)
    return found


@pytest.mark.parametrize("profile", PROFILES)
def test_tab_goes_down_and_never_up_again(qtbot: QtBot, profile: str) -> None:
    dialog = SettingsDialog(Settings(model="openai/some", profile=profile), [])
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    first, area = dialog.model.findChild(QComboBox), dialog.findChild(QScrollArea)
    assert first is not None
    assert area is not None
    first.setFocus()
    body = area.widget()
    assert body is not None
    found = [(_height(stop, body), stop.accessibleName() or type(stop).__name__) for stop in stops(dialog)]
    assert len(found) > 8
    assert found == sorted(found, key=lambda one: one[0])


def test_a_field_that_tab_reaches_is_in_sight_with_what_explains_it(qtbot: QtBot) -> None:
    dialog = SettingsDialog(Settings(model="openai/some"), [])
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.model.answers.unfold()
    dialog.resize(dialog.width(), 420)
    with qtbot.waitExposed(dialog):
        dialog.show()
    field = next(one for one in dialog.findChildren(QDoubleSpinBox) if one.accessibleName() == "Temperature")
    (note,) = dialog.model.notes_of(field)
    assert note.text().startswith("0 takes the likeliest words")
    model = dialog.model.findChild(QComboBox)
    assert model is not None
    model.setFocus()
    assert note.visibleRegion().isEmpty()
    for _ in range(20):
        if (here := dialog.focusWidget()) in (None, field):
            break
        QTest.keyClick(here, Qt.Key.Key_Tab)
    assert dialog.focusWidget() is field
    for shown in (field, note):
        assert shown.visibleRegion().boundingRect() == shown.rect()


def _height(stop: QWidget, body: QWidget) -> float:
    """Returns how far down it stands; what is not scrolled stands below all that is."""
    return stop.mapTo(body, QPoint(0, 0)).y() if body.isAncestorOf(stop) else math.inf


@pytest.mark.parametrize("kind", [QCheckBox, QRadioButton])
def test_what_is_ticked_has_a_ring_while_it_has_the_keyboard(
    qtbot: QtBot, qapp: QApplication, kind: type[QCheckBox] | type[QRadioButton]
) -> None:
    before, font, palette = qapp.styleSheet(), qapp.font(), qapp.palette()
    apply_theme(qapp, "light")
    try:
        window = QWidget()
        qtbot.addWidget(window)
        column = QVBoxLayout(window)
        field, other = kind("Some words", window), QPushButton("Other", window)
        column.addWidget(field)
        column.addWidget(other)
        with qtbot.waitExposed(window):
            window.show()

        def ringed() -> int:
            picture, ring = field.grab().toImage(), QColor(Theme.current().roles["focus"])
            across = picture.width() // 2 if kind is QRadioButton else 40
            return sum(picture.pixelColor(across, y) == ring for y in range(picture.height()))

        other.setFocus()
        without = ringed()
        field.setFocus()
        assert ringed() >= without + 4, "two pixels above and two below"
    finally:
        qapp.setStyleSheet(before)
        qapp.setFont(font)
        qapp.setPalette(palette)
