"""The diagnosis in a dialog: a report to read, and to copy into a message to whoever helps."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.theme import set_role


class DiagnosticsDialog(Dialog):
    """Shows a report once it is there."""

    manual_page = "trouble"

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Diagnostics"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        lead = QLabel(self.tr("This program, this computer, and this workspace"), self)
        set_role(lead, role="lead")
        note = QLabel(
            self.tr(
                "The report holds no key, no word of a conversation and no line of memory. It is in English, so that "
                "it can be sent along. An exclamation mark stands before what to look at."
            ),
            self,
        )
        note.setWordWrap(True)
        set_role(note, role="muted")
        self.report = QPlainTextEdit(self)
        self.report.setReadOnly(True)
        self.report.setTabChangesFocus(True)
        self.report.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.report.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.report.setAccessibleName(self.tr("Report"))
        self.report.setPlainText(self.tr("Looking…"))
        self.copy_button = QPushButton(self.tr("Copy"), self)
        self.copy_button.setEnabled(False)
        self.copy_button.clicked.connect(self._copy)
        buttons = self.closing_buttons(self.copy_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        for part in (lead, note):
            column.addWidget(part)
        column.addWidget(self.report, 1)
        column.addWidget(buttons)
        self.resize(760, 600)

    def show_report(self, text: str) -> None:
        """Shows the report, unless the dialog was closed meanwhile."""
        if isValid(self):
            self.report.setPlainText(text)
            self.copy_button.setEnabled(True)

    def _copy(self) -> None:
        QApplication.clipboard().setText(self.report.toPlainText())
        self.copy_button.setText(self.tr("Copied"))
