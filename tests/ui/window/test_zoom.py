"""At any size of text nothing is drawn over something else, and nothing asks for more room than the window has."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QSize, Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDateEdit,
    QLabel,
    QLineEdit,
    QListView,
    QPushButton,
    QSpinBox,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from mnemoscope.domain.settings import Settings
from mnemoscope.llm.model_catalog import choices
from mnemoscope.store.sessions.overview import SessionOverview
from mnemoscope.ui.chat.composer.composer import Composer
from mnemoscope.ui.memory.toolbar import VIEWS, MemoryToolbar
from mnemoscope.ui.sessions.sessions_pane import SessionsPane
from mnemoscope.ui.settings.settings_dialog import SettingsDialog
from mnemoscope.ui.shell.palette.command_palette import Choice, CommandPalette
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.square_button import keep_square
from mnemoscope.ui.widgets.theme import Theme, apply_theme, line_height
from tests.ui.window_fixture import Stage, until


@pytest.fixture(params=[1.0, 1.5, 2.0], ids=["100 %", "150 %", "200 %"])
def zoom(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[float]:
    apply_theme(qapp, "light", request.param)
    yield request.param
    apply_theme(qapp, "light")


def test_a_control_is_as_high_as_its_text_needs_and_no_higher_at_the_ordinary_size(zoom: float, qtbot: QtBot) -> None:
    button = QPushButton("Save")
    qtbot.addWidget(button)
    button.ensurePolished()
    assert button.sizeHint().height() >= max(32, line_height() + 12)
    assert zoom > 1 or button.sizeHint().height() == 32


def test_a_conversations_title_and_facts_do_not_touch(zoom: float, qtbot: QtBot) -> None:
    panel = SessionsPane()
    qtbot.addWidget(panel)
    when = datetime(2026, 3, 12)
    panel.show_sessions([SessionOverview("a", "Kiln", when, when, 3, 0, Path("a.jsonl"))], "a")
    rows = panel.findChild(QListView)
    assert isinstance(rows, QListView)
    assert rows.sizeHintForRow(1) >= line_height() + line_height("caption") + 12


def test_the_palette_stays_within_the_window_however_large_its_rows_are(zoom: float, qtbot: QtBot) -> None:
    window = QLabel()
    qtbot.addWidget(window)
    window.resize(1024, 500)
    palette = CommandPalette(window)
    palette.offer([Choice(f"Command {number}", "Ctrl+K", lambda: None, "plus") for number in range(30)])
    rows = palette.findChild(QListView)
    assert isinstance(rows, QListView)
    assert rows.sizeHintForRow(0) >= line_height() + 12
    assert palette._card.height() <= window.height() - 40
    assert palette.rect().contains(palette._card.geometry())
    palette.hide()


def test_a_button_with_an_icon_grows_with_the_text_when_the_size_changes(qapp: QApplication, qtbot: QtBot) -> None:
    button = QToolButton()
    qtbot.addWidget(button)
    keep_square(button, 24, 16)
    assert (button.width(), button.iconSize().width()) == (24, 16)
    apply_theme(qapp, "light", 2.0)
    assert button.height() == button.width() >= line_height()
    assert button.iconSize().width() > 20
    apply_theme(qapp, "light")
    assert (button.width(), button.iconSize().width()) == (24, 16)


def test_the_memory_toolbar_cuts_no_button(zoom: float, qtbot: QtBot) -> None:
    bar = MemoryToolbar("MEMORY.md")
    qtbot.addWidget(bar)
    bar.resize(352, 48)
    bar.show()
    bar.show_state("Unsaved", unsaved=True)
    buttons = [*(bar.views.button(number) for number in range(len(VIEWS))), bar.more_button, bar.save_button]
    assert all(button.width() >= button.minimumSizeHint().width() or button.width() > 30 for button in buttons)
    assert bar.save_button.geometry().right() < bar.width()
    assert bar.save_button.width() >= bar.save_button.sizeHint().width()


def test_send_is_not_squeezed(zoom: float, qtbot: QtBot) -> None:
    composer = Composer()
    qtbot.addWidget(composer)
    composer.resize(400, 200)
    composer.show()
    assert composer.button.height() >= max(32, line_height() + 12)


def test_the_settings_ask_for_no_more_width_than_they_get(zoom: float, qtbot: QtBot) -> None:
    window = QLabel()
    qtbot.addWidget(window)
    window.resize(1024, 700)
    dialog = SettingsDialog(Settings(), choices(), window)
    dialog.show()
    assert dialog.width() <= window.width()
    labels = [each for each in dialog.findChildren(QLabel) if each.buddy() is not None and each.text()]
    labels = [each for each in labels if each.isVisible()]
    assert labels
    assert all(label.height() >= Theme.current().height(32) for label in labels)
    dialog.close()


def test_a_line_that_is_cut_tells_the_whole_of_it(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.setText("a sentence that is far too long for this")
    label.resize(60, 20)
    label.show()
    assert label.toolTip() == label.text()
    label.resize(600, 20)
    assert label.toolTip() == ""
    assert label.minimumSizeHint().width() == 0
    assert label.alignment() & Qt.AlignmentFlag.AlignLeft


def test_an_icon_has_as_many_pixels_as_the_screen(qapp: QApplication) -> None:
    pixmap = Theme.current().icon("check").pixmap(QSize(16, 16), 2.0)
    assert pixmap.size() == QSize(32, 32)
    assert pixmap.devicePixelRatio() == 2.0


def test_every_kind_of_field_is_as_high_as_the_others(zoom: float, qtbot: QtBot) -> None:
    fields = (QLineEdit(), QComboBox(), QSpinBox(), QDateEdit(), QPushButton("Save"))
    for field in fields:
        qtbot.addWidget(field)
        field.ensurePolished()
    assert max(field.sizeHint().height() for field in fields) - min(field.sizeHint().height() for field in fields) <= 2


async def test_with_large_text_the_panes_are_tabs_of_one_column_and_come_apart_again(stage: Stage) -> None:
    person = await stage.open()
    person.window.resize(1440, 900)
    memory = person.window.inspector.docks["memory"]
    timeline = person.window.inspector.docks["timeline"]
    assert timeline not in person.window.tabifiedDockWidgets(memory)
    for _ in range(5):
        person.current.appearance.zoom(1)
    await until(lambda: timeline in person.window.tabifiedDockWidgets(memory), "one column of tabs")
    assert person.memory.toolbar.save_button.width() >= person.memory.toolbar.save_button.sizeHint().width()
    person.current.appearance.zoom(0)
    await until(lambda: timeline not in person.window.tabifiedDockWidgets(memory), "columns side by side")


async def test_the_size_of_last_time_holds_for_the_text_of_memory_too(stage: Stage) -> None:
    settings = QSettings(str(stage.ini), QSettings.Format.IniFormat)
    settings.setValue("window/zoom", 1.5)
    settings.sync()
    person = await stage.open()
    editor = person.memory.editor
    await until(editor.isVisible, "the text")
    wanted = Theme.current().font("code").pointSizeF()
    assert wanted > Theme.current().font("body").pointSizeF() * 0.9
    assert editor.font().pointSizeF() == pytest.approx(wanted)
    assert editor.document().defaultFont().pointSizeF() == pytest.approx(wanted)
    person.current.appearance.zoom(0)
