"""The diagnosis in a dialog: a report to read, and to copy into a message to whoever helps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QPushButton, QTextEdit, QVBoxLayout, QWidget
from shiboken6 import isValid

from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

if TYPE_CHECKING:
    from mnemoscope.agent.cli.doctor import DiagnosticSection

_MARGIN: Final = 12
_GAP: Final = 16
"""Pixels between the longest name and what was found."""
_WIDEST_NAMES: Final = 0.4
"""Share of the report's width that names take at most."""


class DiagnosticsDialog(Dialog):
    """Shows a report once it is there."""

    manual_page = "trouble"

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Diagnostics"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._text = ""
        self._sections: Sequence[DiagnosticSection] = ()
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
        self.report = QTextEdit(self)
        self.report.setReadOnly(True)
        self.report.setTabChangesFocus(True)
        self.report.setFrameShape(QFrame.Shape.NoFrame)
        self.report.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.report.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.report.document().setDocumentMargin(_MARGIN)
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
        self.resize(760, 720)
        theme_notifier().changed.connect(self._restyle)

    def show_report(self, sections: Sequence[DiagnosticSection], text: str) -> None:
        """Shows what was found, unless the dialog was closed meanwhile; `text` is the same to copy."""
        if isValid(self):
            self._text, self._sections = text, sections
            self._write(sections)
            self.copy_button.setEnabled(True)

    def _write(self, sections: Sequence[DiagnosticSection]) -> None:
        theme = Theme.current()
        metrics = QFontMetricsF(theme.font())
        names = [f"! {finding.name}" for section in sections for finding in section.findings]
        widest = max(map(metrics.horizontalAdvance, names), default=0.0) + _GAP
        column = min(widest, _WIDEST_NAMES * self.report.viewport().width())
        self.report.clear()
        cursor = QTextCursor(self.report.document())
        cursor.beginEditBlock()
        for section in sections:
            heading = QTextBlockFormat()
            heading.setTopMargin(0 if cursor.atStart() else 16)
            heading.setBottomMargin(4)
            heading.setHeadingLevel(2)
            _begin(cursor, heading)
            cursor.insertText(section.title, _chars("heading"))
            for finding in section.findings:
                # What was found stands in a column of its own, also where it takes several lines.
                line = QTextBlockFormat()
                line.setLeftMargin(column)
                line.setTextIndent(-column)
                line.setTabPositions([QTextOption.Tab(column, QTextOption.TabType.LeftTab)])
                line.setBottomMargin(3)
                _begin(cursor, line)
                role = "warning" if finding.is_warning else "text_muted"
                cursor.insertText(f"{'! ' if finding.is_warning else ''}{finding.name}\t", _chars("body", role))
                cursor.insertText(finding.value, _chars("body", "warning" if finding.is_warning else "text"))
        cursor.endEditBlock()
        self.report.moveCursor(QTextCursor.MoveOperation.Start)

    def _restyle(self) -> None:
        """Writes the report again in the colours and fonts of the theme, at the place that is read."""
        if self._sections:
            place = self.report.verticalScrollBar().value()
            self._write(self._sections)
            self.report.verticalScrollBar().setValue(place)

    def _copy(self) -> None:
        QApplication.clipboard().setText(self._text)
        self.copy_button.setText(self.tr("Copied"))


def _begin(cursor: QTextCursor, block: QTextBlockFormat) -> None:
    if cursor.atStart():
        cursor.setBlockFormat(block)
    else:
        cursor.insertBlock(block)


def _chars(kind: str, role: str = "text") -> QTextCharFormat:
    made = QTextCharFormat()
    font = Theme.current().font("body" if kind == "heading" else kind)
    font.setBold(kind == "heading")
    made.setFont(font)
    made.setForeground(Theme.current().color(role))
    return made
