"""What can be done with one history entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu

from mnemoscope.ui.history.labels import as_markdown, tr
from mnemoscope.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from mnemoscope.ui.history.view import HistoryView


def entry_menu(view: HistoryView, row: int) -> QMenu:
    """Copy, copy as Markdown, show the messages it was made from. Deletes itself when it closes."""
    entry = view.model.matches[row].entry
    record = view.model.origins.record_of(entry)
    theme, clipboard = Theme.current(), QGuiApplication.clipboard()
    menu = QMenu(view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    copy = menu.addAction(theme.icon("copy"), tr("Copy"), lambda: clipboard.setText(entry.text))
    copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
    menu.addAction(tr("Copy as Markdown"), lambda: clipboard.setText(as_markdown(entry, record)))
    menu.addSeparator()
    show = menu.addAction(theme.icon("message-square"), tr("Show messages"), lambda: view.show_messages(row))
    show.setShortcut(QKeySequence("Ctrl+Return"))
    show.setEnabled(record is not None)
    return menu
