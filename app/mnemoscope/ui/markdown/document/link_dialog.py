"""Asks before a link is opened, and shows where it really goes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from mnemoscope.ui.markdown.reading.link_address import LinkAddress, LinkWarning, inspect_link
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.text.plain_text import plain_box, plain_label
from mnemoscope.ui.widgets.theme import Theme, set_role


def ask_to_open(address: str, parent: QWidget, open_link: Callable[[str], object]) -> None:
    """Asks before an address is opened with `open_link`; does nothing for one that may not be opened."""
    found = inspect_link(address)
    if found.kind in ("web", "mail"):
        dialog = LinkDialog(found, parent)
        dialog.accepted.connect(lambda: open_link(found.target))
        dialog.open()


class LinkDialog(Dialog):
    """Shows an address in full; `accepted` means the person wants it opened. Shown with `open()`."""

    def __init__(self, address: LinkAddress, parent: QWidget) -> None:
        super().__init__(parent)
        self.address = address
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Open this link?"))
        self.setMinimumWidth(420)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(12)
        layout.addWidget(plain_label(self, "heading", self._question()))
        layout.addWidget(self._address_box())
        for warning in address.warnings:
            layout.addWidget(plain_label(self, "muted", f"⚠ {self._sentence(warning)}"))
        layout.addWidget(self._buttons())

    def _question(self) -> str:
        if self.address.kind == "mail":
            return self.tr("Write a mail to this address?")
        return self.tr("This link goes to {host}.").format(host=self.address.host)

    def _sentence(self, warning: LinkWarning) -> str:
        if warning.kind == "user":
            words = self.tr("“{name}” is not where this goes: it stands before the @ and is only a user name.")
            return words.format(name=warning.about)
        if warning.kind == "letters":
            words = self.tr("The host is written {name}, in letters of another alphabet. It is looked up as {host}.")
            return words.format(name=warning.about, host=self.address.host)
        return self.tr("The connection is not encrypted.")

    def _address_box(self) -> QPlainTextEdit:
        box = plain_box(self, self.tr("The whole address"))
        box.setPlainText(self.address.shown)
        box.setFont(Theme.current().font("code"))
        box.setFixedHeight(76)
        return box

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        open_button = buttons.addButton(self.tr("Open link"), QDialogButtonBox.ButtonRole.AcceptRole)
        set_role(open_button, kind="primary")
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        return buttons
