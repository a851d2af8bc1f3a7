"""Asks what is to be exported, and in which form."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialogButtonBox, QFormLayout, QLabel, QVBoxLayout, QWidget

from mnemoscope.agent.export.exporter import ExportFormat
from mnemoscope.ui.sessions.paper_document import usual_paper
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.fields import ComboBox, let_wheel_pass
from mnemoscope.ui.widgets.theme import set_role

PDF: Final = "pdf"
"""The form that only the window can make."""
_NARROWEST: Final = 440


class ExportScope(Enum):
    """Names which conversations are exported."""

    CONVERSATION = "conversation"
    SELECTION = "selection"
    CHOSEN = "chosen"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """Holds what a person wants exported, and in which form: that of an `ExportFormat`, or PDF."""

    scope: ExportScope
    form: str


class ExportDialog(Dialog):
    """Offers the conversation on show, the messages selected in it, or all conversations."""

    manual_page: ClassVar = "export"
    export_requested = Signal(object)
    """The export that this `ExportRequest` describes is to be made."""

    def __init__(self, parent: QWidget, *, title: str, selected: int, form: str, conversations: int = 0) -> None:
        """`title`: of the conversation on show, "" where there is none to export; `selected` counts messages,
        `conversations` those that are selected in the list."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Export"))
        self.scope = ComboBox(self)
        self.scope.setAccessibleName(self.tr("What is exported"))
        if conversations:
            self.scope.addItem(self.tr("%n selected conversations", "", conversations), ExportScope.CHOSEN)
        if selected:
            self.scope.addItem(self.tr("%n selected messages", "", selected), ExportScope.SELECTION)
        if title:
            shown = self.scope.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, 260)
            self.scope.addItem(self.tr("This conversation: {title}").format(title=shown), ExportScope.CONVERSATION)
        self.scope.addItem(self.tr("All conversations"), ExportScope.ALL)
        self.form = ComboBox(self)
        self.form.setAccessibleName(self.tr("Form of the export"))
        for words, value in (
            (self.tr("Markdown"), ExportFormat.MARKDOWN.value),
            (self.tr("HTML, one page"), ExportFormat.HTML.value),
            (self.tr("PDF"), PDF),
            (self.tr("JSON, the records as they are kept"), ExportFormat.RECORDS.value),
        ):
            self.form.addItem(words, value)
        self.form.setCurrentIndex(max(0, self.form.findData(form)))
        for field in (self.scope, self.form):
            let_wheel_pass(field)
        self._explanation = QLabel(self)
        self._explanation.setWordWrap(True)
        set_role(self._explanation, role="muted")
        self._lay_out()
        self.scope.currentIndexChanged.connect(self._explain)
        self.form.currentIndexChanged.connect(self._explain)
        self._explain()

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(self)
        export = buttons.addButton(self.tr("Export…"), QDialogButtonBox.ButtonRole.AcceptRole)
        set_role(export, kind="primary")
        export.setDefault(True)
        buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        fields = QFormLayout()
        fields.setSpacing(12)
        fields.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        fields.addRow(self.tr("What"), self.scope)
        fields.addRow(self.tr("Format"), self.form)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(16)
        column.addLayout(fields)
        column.addWidget(self._explanation)
        column.addStretch(1)
        column.addWidget(buttons)
        self.setMinimumWidth(_NARROWEST)

    @property
    def wish(self) -> ExportRequest:
        """Returns what is chosen now."""
        return ExportRequest(self.scope.currentData(), self.form.currentData())

    def _explain(self) -> None:
        forms = {
            ExportFormat.MARKDOWN.value: self.tr("The words as they were written, to be read anywhere."),
            ExportFormat.HTML.value: self.tr("One file for a browser. It loads nothing and runs nothing."),
            PDF: self.tr("Pages of {paper}. Of a long tool result only the beginning is printed.").format(
                paper=usual_paper().key()
            ),
            ExportFormat.RECORDS.value: self.tr("Byte for byte, with everything; other programs can read it."),
        }
        words = forms[self.wish.form]
        if self.wish.scope in (ExportScope.ALL, ExportScope.CHOSEN):
            words += " " + self.tr("Each conversation becomes a file in a new folder.")
        self._explanation.setText(words)

    def _accept(self) -> None:
        self.export_requested.emit(self.wish)
        self.accept()
