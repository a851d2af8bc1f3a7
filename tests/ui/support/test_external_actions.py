"""What is opened outside the window, and what is said where no program of the system opens it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QSettings, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QWidget
from shiboken6 import delete

from mnemoscope.ui.support.external_actions import file_dialog, name_new_folder, open_link, open_path
from mnemoscope.ui.widgets.dialogs.question import Question
from tests.ui.patient_bot import PatientBot
from tests.ui.window_fixture import button, click, press, question, until


class System(QObject):
    """Stands for the system's programs: it opens what has the scheme it is set for."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toString())


@pytest.fixture
def system() -> Iterator[System]:
    made = System()
    QDesktopServices.setUrlHandler("file", made, "open")  # type: ignore[arg-type]  # a name, whatever its stub says
    yield made
    QDesktopServices.unsetUrlHandler("file")


def test_a_path_is_opened_by_the_system(qtbot: PatientBot, system: System, tmp_path: Path) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    assert open_path(tmp_path, parent)
    assert system.opened == [QUrl.fromLocalFile(str(tmp_path)).toString()]
    assert parent.findChildren(Question) == []


def test_where_no_program_opens_it_a_sheet_says_where_it_lies(qtbot: PatientBot, tmp_path: Path) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    # The offscreen platform has no programs at all.
    assert not open_path(tmp_path, parent)
    (sheet,) = parent.findChildren(Question)
    assert sheet.isVisible()
    assert sheet.words.text().replace("\u200b", "") == str(tmp_path)
    copy = button(sheet, "Copy")
    assert copy is not None
    click(copy)
    assert QApplication.clipboard().text() == str(tmp_path)
    assert not sheet.isVisible()


def test_a_link_that_is_not_opened_is_said_and_one_that_may_not_be_is_not(qtbot: PatientBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    assert not open_link("file:///etc/passwd", parent)
    assert parent.findChildren(Question) == []
    assert not open_link("https://example.org/a", parent)
    (sheet,) = parent.findChildren(Question)
    assert "example.org" in sheet.words.text()
    sheet.reject()


@pytest.mark.parametrize("before", [None, "file:///elsewhere"])
def test_no_folder_that_a_file_was_chosen_from_stays_in_the_settings_of_qt(
    qtbot: PatientBot, tmp_path: Path, before: str | None
) -> None:
    """It may be the folder of what went into a conversation of which nothing is kept."""
    settings = QSettings(QSettings.Scope.UserScope, "QtProject")
    for name in ("FileDialog/history", "FileDialog/lastVisited"):
        settings.setValue(name, before) if before else settings.remove(name)
    settings.sync()
    folder = tmp_path / "velvetpangolin"
    folder.mkdir()
    (folder / "a.txt").write_text("a")
    dialog = file_dialog(None, "Add")
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.show()
    dialog.setDirectory(str(folder))
    dialog.selectFile("a.txt")
    dialog.accept()
    delete(dialog)
    settings.sync()
    kept = Path(settings.fileName()).read_text()
    assert "velvetpangolin" not in kept
    assert kept.count("file:///elsewhere") == (2 if before else 0)


@pytest.mark.parametrize("name", ["There", "New"])
async def test_a_folder_is_named_with_one_press_whether_it_is_there_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Qt's own dialog goes into a folder that is there, and the second press would name one of its name in it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "There").mkdir()
    naming = asyncio.create_task(name_new_folder(None, "Create workspace", "Mnemoscope", "Create"))
    await until(lambda: isinstance(question(), QFileDialog), "the dialog")
    dialog = question()
    assert dialog is not None
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(field, QLineEdit)
    assert field.text() == "Mnemoscope"
    field.setText(name)
    press(field, "Enter")
    await until(naming.done, "the folder")
    assert await naming == tmp_path / name
    assert not (tmp_path / "New").exists()
