"""Follows the links in a transcript, and shows its menu."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QMenu, QPlainTextEdit, QVBoxLayout

from mnemoscope.domain.conversation.message import text_of
from mnemoscope.ui.chat.message_actions import CopyCode, CopyMessage, MessageActions, ShowWholeMessage, action_at
from mnemoscope.ui.chat.transcript.transcript_view import TranscriptView
from mnemoscope.ui.markdown.link_dialog import ask_to_open
from mnemoscope.ui.markdown.untrusted_text import tidied
from mnemoscope.ui.widgets.theme import Theme, set_role


class TranscriptLinks(QObject):
    """Follows the links of one view: actions are run, and any other address is asked about first.

    What needs the view alone is done here: copying, and showing a message as text.
    """

    link_requested = Signal(str)
    """An address the person saw in full and wants opened."""
    message_wanted = Signal(int)
    """A message is wanted in the timeline."""

    def __init__(self, view: TranscriptView, actions: MessageActions) -> None:
        super().__init__(view)
        self._view = view
        self._transcript = view.transcript
        self._actions = actions
        actions.on(CopyMessage, lambda action: self.copy_message(action.index))
        actions.on(CopyCode, lambda action: self._copy(self._transcript.codes.get(action.number, "")))
        actions.on(ShowWholeMessage, lambda action: self.show_all(action.index))
        view.anchorClicked.connect(self._on_link)
        view.menu_requested.connect(self._show_menu)

    def _on_link(self, url: QUrl) -> None:
        address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        action = action_at(address)
        if action is not None:
            self._actions.run(action)
        else:
            ask_to_open(address, self._view, self.link_requested.emit)

    def copy_message(self, index: int) -> None:
        """Puts a message's Markdown on the clipboard."""
        self._copy(text_of(self._transcript.source[index]))

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def show_all(self, index: int) -> None:
        """Shows a message too long to be rendered as plain text."""
        dialog = QDialog(self._view)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("The whole message"))
        dialog.resize(760, 560)
        box = QPlainTextEdit(dialog)
        box.setReadOnly(True)
        box.setFont(Theme.current().font("code"))
        box.document().setDocumentMargin(8)
        set_role(box, role="card")
        box.setAccessibleName(self.tr("The whole message as text"))
        box.setPlainText(tidied(text_of(self._transcript.source[index])))
        QVBoxLayout(dialog).addWidget(box)
        dialog.open()

    def _show_menu(self, point: QPoint) -> None:
        row = self._view.row_under(point)
        menu = QMenu(self._view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy"), self._view.copy)
        copy.setEnabled(self._view.textCursor().hasSelection())
        if row is not None:
            menu.addAction(self.tr("Copy message"), lambda: self.copy_message(row.index))
            menu.addAction(self.tr("Show in timeline"), lambda: self.message_wanted.emit(row.index))
        menu.addSeparator()
        menu.addAction(self.tr("Select all"), self._view.selectAll)
        menu.popup(self._view.viewport().mapToGlobal(point))
