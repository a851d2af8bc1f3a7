"""Reaches outside the window: opens an address, saves a text as a file, lets the person choose a folder."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QDir, QFileInfo, QSettings, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QWidget

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.atomic import encode_text, replace_bytes
from mnemoscope.ui.widgets.dialogs.question import Question
from mnemoscope.ui.widgets.dialogs.screen_fit import stay_on_screen
from mnemoscope.ui.widgets.fields import is_field, let_wheel_pass

SCHEMES: Final = frozenset({"http", "https", "mailto"})
_VISITED: Final = ("FileDialog/history", "FileDialog/lastVisited")
"""The keys under which Qt keeps, for all programs of this person, the folders that were visited in a dialog for
files."""


def open_link(address: str, parent: QWidget | None = None) -> bool:
    """Opens an address outside and returns whether that was done; anything but http, https and mailto is refused.

    Where no program of the system opens it, a sheet over `parent` says so and offers to copy the address.
    """
    url = QUrl(address)
    return url.scheme() in SCHEMES and _open(url, address, parent)


def open_path(path: Path, parent: QWidget) -> bool:
    """Opens a file or folder with the system's program for it and returns whether there is one; a sheet says if not."""
    return _open(QUrl.fromLocalFile(str(path)), str(path), parent)


def _open(url: QUrl, place: str, parent: QWidget | None) -> bool:
    if QDesktopServices.openUrl(url):
        return True
    if parent is not None:
        title = QCoreApplication.translate("ExternalActions", "No program of this system opens this")
        copy = QCoreApplication.translate("ExternalActions", "Copy")
        close = QCoreApplication.translate("ExternalActions", "Close")
        sheet = Question(parent, title, place.replace("/", "/\u200b"), (("copy", copy), ("", close)), "copy")
        sheet.accepted.connect(lambda: QApplication.clipboard().setText(place) if sheet.chosen else None)
        sheet.finished.connect(sheet.deleteLater)
        sheet.open()
    return False


def file_dialog(parent: QWidget | None, title: str, place: Path | None = None) -> QFileDialog:
    """Returns the system's dialog for a file, at a place or at home; Qt's own keeps the rules of the window's.

    No trace of where it was looked stays in Qt's settings: a file may go into a conversation of which nothing is kept.
    """
    dialog = QFileDialog(parent, title, str(place or Path.home()))
    _prepare(dialog)
    return dialog


def _prepare(dialog: QFileDialog) -> None:
    """Has a dialog leave no trace in Qt's settings, and keep the rules of the window's."""
    kept = {name: _settings_of_qt().value(name) for name in _VISITED}
    # Qt writes them as the dialog goes, before this.
    dialog.destroyed.connect(partial(_put_back, kept))
    stay_on_screen(dialog)
    for field in filter(is_field, dialog.findChildren(QWidget)):
        let_wheel_pass(field)


def _settings_of_qt() -> QSettings:
    return QSettings(QSettings.Scope.UserScope, "QtProject")


def _put_back(kept: Mapping[str, object], _gone: object = None) -> None:
    settings = _settings_of_qt()
    for name, value in kept.items():
        if value is None:
            settings.remove(name)
        else:
            settings.setValue(name, value)
    settings.sync()


def save_as_file(
    parent: QWidget, text: str, *, name: str = "message.md", failed: Callable[[StorageError], object] | None = None
) -> QFileDialog:
    """Asks where to, then writes the text there; `failed` is told where it could not be written."""
    dialog = file_dialog(parent, parent.tr("Save message"), Path.home() / name)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)

    def write(chosen: str) -> None:
        try:
            replace_bytes(Path(chosen), encode_text(text))
        except StorageError as error:
            if failed is None:
                raise
            failed(error)

    dialog.fileSelected.connect(write)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog


async def pick_files(parent: QWidget | None, title: str, kinds: str) -> list[Path]:
    """Lets the person choose files of some kinds ("Images (*.png *.jpg)"); nothing where none was chosen."""
    dialog = file_dialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.setNameFilter(kinds)
    return await _chosen(dialog)


async def pick_folder(parent: QWidget | None, title: str) -> Path | None:
    """Lets the person choose a folder; None where none was chosen."""
    dialog = file_dialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    return next(iter(await _chosen(dialog)), None)


async def name_new_folder(parent: QWidget | None, title: str, name: str, accept: str) -> Path | None:
    """Lets the person say where a new folder is to be and what it is called, `name` at first; None where they did not.

    Nothing is made. A dialog that chooses a folder refuses a name that is not there yet; in this one a folder that is
    there already can be named too. `accept` is the button's word.
    """
    dialog = _NamingDialog(parent, title, str(Path.home()))
    _prepare(dialog)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setFilter(QDir.Filter.Dirs | QDir.Filter.Drives | QDir.Filter.NoDotAndDotDot)
    dialog.setNameFilter(QCoreApplication.translate("ExternalActions", "Folders") + " (*)")
    dialog.setLabelText(QFileDialog.DialogLabel.Accept, accept)
    name_label = QCoreApplication.translate("ExternalActions", "Folder name:")
    dialog.setLabelText(QFileDialog.DialogLabel.FileName, name_label)
    if not (Path.home() / name).exists():
        dialog.selectFile(name)
    chosen = await _chosen(dialog)
    return dialog.existing or next(iter(chosen), None)


class _NamingDialog(QFileDialog):
    """Lets the person type the name of a folder, also of one that is there: Qt's own dialog would go into that and
    keep the name in its field, which the next press would name in there."""

    existing: Path | None = None
    """The folder that was there already and was named, once the dialog is accepted."""

    def accept(self) -> None:
        """Takes a folder that is there where its name was typed; one that is only marked in the list is gone into."""
        field = self.findChild(QLineEdit, "fileNameEdit")
        # The system's own dialog has no such field.
        name = field.text() if isinstance(field, QLineEdit) and field.isVisible() else ""
        place = QFileInfo(self.directory(), name)
        if name in {"", ".."} or not place.isDir():
            super().accept()
            return
        self.existing = Path(place.absoluteFilePath())
        self.done(QDialog.DialogCode.Accepted)


async def _chosen(dialog: QFileDialog) -> list[Path]:
    """Shows a dialog and returns what was chosen in it."""
    chosen: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    dialog.finished.connect(lambda code: None if chosen.done() else chosen.set_result(code))
    dialog.open()
    try:
        return [Path(each) for each in dialog.selectedFiles()] if await chosen else []
    finally:
        dialog.deleteLater()
