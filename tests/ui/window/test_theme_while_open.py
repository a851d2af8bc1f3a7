"""The theme changes, as that of the system does in the evening, while a dialog or a list is open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.agent.cli.doctor import DiagnosticSection, Finding
from mnemoscope.domain.capture.record import REFUSED, CaptureRecord
from mnemoscope.ui.memory.captures.captures_view import CapturesView
from mnemoscope.ui.shell.help.diagnostics_dialog import DiagnosticsDialog
from mnemoscope.ui.widgets.theme import Theme, apply_theme
from tests.ui.capture.test_capture_workbench_controller import choose, hits, opened
from tests.ui.window_fixture import Stage, until


@pytest.fixture(autouse=True)
def light(qapp: QApplication) -> Iterator[None]:
    apply_theme(qapp, "light")
    yield
    apply_theme(qapp, "light")


def test_a_report_is_read_in_the_dark_too(qapp: QApplication, qtbot: QtBot) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    dialog = DiagnosticsDialog(over)
    dialog.show_report([DiagnosticSection("Folders", (Finding("Log", "works"),))], "")
    apply_theme(qapp, "dark")
    cursor = QTextCursor(dialog.report.document())
    colours = set[str]()
    while cursor.movePosition(QTextCursor.MoveOperation.NextCharacter):
        colours.add(cursor.charFormat().foreground().color().name())
    assert colours == {Theme.current().color(role).name() for role in ("text", "text_muted")}


async def test_marks_and_what_was_found_are_read_in_the_dark_too(qapp: QApplication, stage: Stage) -> None:
    _, dialog = await opened(stage, chat="I prefer tea\n\nHello there")
    choose(dialog, 0)
    dialog.hits.judge("right")
    await until(lambda: hits(dialog)[0][4] == "right", "the verdict shown")
    apply_theme(qapp, "dark")
    assert dialog.marks.item(0).foreground().color() == Theme.current().color("text")
    nothing_found = dialog.hits.topLevelItem(1)
    assert nothing_found is not None
    assert nothing_found.foreground(0).color() == Theme.current().color("text_faint")
    dialog.close()


def test_what_was_not_remembered_is_read_in_the_dark_too(qapp: QApplication, qtbot: QtBot) -> None:
    view = CapturesView()
    qtbot.addWidget(view)
    refused = CaptureRecord("one", "2026-03-12T10:00:00", "desktop:one", "2026-03-12T09:00:00", 0, "name", "Ann")
    view.show_records([replace(refused, outcome=REFUSED, reason="quoted")])
    apply_theme(qapp, "dark")
    assert view.list.item(0).foreground().color() == Theme.current().color("text_muted")
    assert view.chosen is not None
