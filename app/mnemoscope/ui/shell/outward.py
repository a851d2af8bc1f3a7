"""What leaves the window: an address the person chose to open, a text the person wants as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from mnemoscope.store.atomic import encode_text, replace_bytes

SCHEMES: Final = frozenset({"http", "https", "mailto"})


def open_link(address: str) -> bool:
    """Open an address outside; anything but http, https and mailto is refused."""
    url = QUrl(address)
    return url.scheme() in SCHEMES and QDesktopServices.openUrl(url)


def save_as_file(parent: QWidget, text: str) -> QFileDialog:
    """Ask where to, then write the text there."""
    dialog = QFileDialog(parent, parent.tr("Save message"), str(Path.home() / "message.md"))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.fileSelected.connect(lambda name: replace_bytes(Path(name), encode_text(text)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog
