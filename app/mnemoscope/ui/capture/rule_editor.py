"""The person's own rules as text, tried while they are typed and in force once they are saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mnemoscope.store.capture.user_rules import RuleFile
from mnemoscope.ui.widgets.fields import ComboBox
from mnemoscope.ui.widgets.notices.core_words import core_words
from mnemoscope.ui.widgets.text.hinted_edit import HintedEdit
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_TEMPLATE: Final = """
[[rule]]
id = "my.tool"
category = "preference"
cues = ["go-to"]
patterns = ["my go-to (?:tool|app|editor) is {rest}"]
subject = "go-to tool"
single = true
examples = ["My go-to tool is the loop tool"]
counterexamples = ["What is my go-to tool?"]
"""


class RuleEditor(QWidget):
    """Emits `edited` at each change, and `saved` with the file and its text."""

    edited = Signal()
    saved = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._files: dict[str, RuleFile] = {}
        self.files = ComboBox(self)
        self.files.setAccessibleName(self.tr("File of rules"))
        self.text = HintedEdit(self)
        set_role(self.text, role="card")
        self.text.document().setDocumentMargin(10)
        self.text.setAccessibleName(self.tr("Your rules"))
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText(self.tr("No rules of yours yet. “New rule” writes one to begin with."))
        self.problems = QLabel(self)
        self.problems.setWordWrap(True)
        set_role(self.problems, role="caption")
        self.new = QPushButton(self.tr("New rule"), self)
        self.save = QPushButton(self.tr("Save rules"), self)
        set_role(self.save, kind="primary")
        for button in (self.new, self.save):
            button.setAutoDefault(False)
        self.new.clicked.connect(self._insert)
        self.save.clicked.connect(self._save)
        self.text.textChanged.connect(self._on_text)
        self.files.currentTextChanged.connect(self._show)
        self._lay_out()
        self._restyle()
        theme_notifier().changed.connect(self._restyle)

    def show_files(self, files: Sequence[RuleFile]) -> None:
        """Offers these files; the one in hand stays, with what was typed."""
        name, typed = self.files.currentText(), self.drafts()
        self._files = {file.name: file for file in files}
        self.files.blockSignals(True)
        self.files.clear()
        self.files.addItems(list(self._files))
        self.files.setCurrentText(name)
        self.files.blockSignals(False)
        self.files.setVisible(len(self._files) > 1)
        self._show(self.files.currentText(), typed.get(self.files.currentText()))

    def show_saved(self, file: RuleFile) -> None:
        """Shows what a file says now; what was typed since stays."""
        self._files[file.name] = file
        self._on_text()

    def drafts(self) -> dict[str, str]:
        """Returns the text in hand by its file's name, where it is not what the file says."""
        file = self._files.get(self.files.currentText())
        text = self.text.toPlainText()
        return {file.name: text} if file is not None and text != file.text else {}

    def show_problems(self, problems: Sequence[str]) -> None:
        """Names what cannot be used."""
        self.problems.setText(core_words("\n".join(problems)))
        self.problems.setVisible(bool(problems))

    def set_read_only(self) -> None:
        """Shows that the workspace is only read."""
        self.text.setReadOnly(True)
        for button in (self.new, self.save):
            button.hide()

    def _show(self, name: str, typed: str | None = None) -> None:
        file = self._files.get(name)
        wanted = typed if typed is not None else file.text if file is not None else ""
        if self.text.toPlainText() != wanted:
            self.text.setPlainText(wanted)
        self._on_text()

    def _insert(self) -> None:
        begun = self.text.toPlainText().strip()
        cursor = self.text.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        cursor.insertText(_TEMPLATE if begun else f'language = "en"\n{_TEMPLATE}')
        self.text.setTextCursor(cursor)
        self.text.setFocus()

    def _save(self) -> None:
        file = self._files.get(self.files.currentText())
        if file is not None:
            self.saved.emit(file, self.text.toPlainText())

    def _on_text(self) -> None:
        self.save.setEnabled(bool(self.drafts()))
        self.edited.emit()

    def _restyle(self) -> None:
        self.text.setFont(Theme.current().font("code"))

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.files)
        row.addStretch(1)
        row.addWidget(self.new)
        row.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.text, 1)
        column.addWidget(self.problems)
        column.addLayout(row)
        self.problems.hide()
