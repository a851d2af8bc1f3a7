"""What the links and the menu of the transcript do: copy, fold, show, ask before anything is opened."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QMenu, QPlainTextEdit, QVBoxLayout

from mnemoscope.domain.conversation.command_action import actions_of
from mnemoscope.domain.conversation.message import is_command, text_of
from mnemoscope.ui.chat.transcript.transcript_view import TranscriptView
from mnemoscope.ui.markdown.text_style import INTERNAL
from mnemoscope.ui.markdown.untrusted_text import tidied
from mnemoscope.ui.widgets.theme import Theme, set_role


class TranscriptLinks(QObject):
    """Serves one view; what it cannot do itself it announces."""

    opened = Signal(str)
    """An address the person saw in full and wants opened."""
    folded = Signal(int, str)
    """The card of a call was clicked: the message's index and the call's id."""
    shown_in_timeline = Signal(int)
    saved = Signal(int)
    review_wanted = Signal(int)
    """What a call of this message wanted to write waits, and is to be looked at."""
    undo_wanted = Signal(str)
    """The change of memory of this id, which a call made, is to be taken back; or brought back."""
    redo_wanted = Signal(str)
    command_chosen = Signal(str)
    """A command that the answer of another one offers, with its slash."""
    whole_wanted = Signal(str)
    """All of a tool's result is to be opened, by the name its message gives."""
    kept_chosen = Signal(int, int)
    """What was kept of a message is to be shown: the message's index and the place among its records."""
    undo_kept = Signal(int)
    """All that was kept of a message is to be taken back; or kept again."""
    keep_again = Signal(int)
    stopped = Signal()
    regenerated = Signal()

    def __init__(self, view: TranscriptView) -> None:
        super().__init__(view)
        self._view = view
        self._transcript = view.transcript
        view.anchorClicked.connect(self._on_link)
        view.menu_requested.connect(self._show_menu)

    def _on_link(self, url: QUrl) -> None:
        address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        if address.startswith(INTERNAL):
            verb, _, rest = url.toString().removeprefix(INTERNAL).partition("/")
            self._do(verb, rest)
            return
        from mnemoscope.ui.markdown.link_address import inspect_link
        from mnemoscope.ui.markdown.link_dialog import LinkDialog

        found = inspect_link(address)
        if found.kind in ("web", "mail"):
            dialog = LinkDialog(found, self._view)
            dialog.accepted.connect(lambda: self.opened.emit(found.target))
            dialog.open()

    def _do(self, verb: str, rest: str) -> None:
        if verb == "code":
            QGuiApplication.clipboard().setText(self._transcript.codes.get(int(rest), ""))
        elif verb == "fold":
            index, _, call_id = rest.partition("/")
            self.folded.emit(int(index), call_id)
        elif verb in ("whole", "undo", "redo"):
            {"whole": self.whole_wanted, "undo": self.undo_wanted, "redo": self.redo_wanted}[verb].emit(rest)
        elif verb == "kept":
            index, _, place = rest.partition("/")
            self.kept_chosen.emit(int(index), int(place))
        elif verb == "run":
            index, _, place = rest.partition("/")
            self._run(int(index), int(place))
        elif verb == "stop":
            self.stopped.emit()
        elif verb == "regenerate":
            self.regenerated.emit()
        else:
            self._do_with(verb, int(rest))

    def _do_with(self, verb: str, index: int) -> None:
        {
            "copy": self.copy_message,
            "all": self.show_all,
            "save": self.saved.emit,
            "review": self.review_wanted.emit,
            "unkeep": self.undo_kept.emit,
            "rekeep": self.keep_again.emit,
        }[verb](index)

    def _run(self, index: int, place: int) -> None:
        """Only what a command's own answer offers: no words of a model become a command."""
        message = self._transcript.source[index]
        offered = actions_of(message) if is_command(message) else ()
        if place < len(offered):
            self.command_chosen.emit(offered[place].command)

    def copy_message(self, index: int) -> None:
        """Put a message's Markdown on the clipboard."""
        QGuiApplication.clipboard().setText(text_of(self._transcript.source[index]))

    def show_all(self, index: int) -> None:
        """Show a message too long to be rendered as plain text."""
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
            menu.addAction(self.tr("Show in timeline"), lambda: self.shown_in_timeline.emit(row.index))
        menu.addSeparator()
        menu.addAction(self.tr("Select all"), self._view.selectAll)
        menu.popup(self._view.viewport().mapToGlobal(point))
