"""The person's own rules as text, tried while they are typed and in force once they are saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.store.capture.user_rules import RuleFile
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.fields import ComboBox
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
        self._typed: dict[str, str] = {}
        """The texts that were typed and not saved, by the names of their files."""
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
        """Offers these files; the one in hand stays, and of each what was typed."""
        name = self.files.currentText()
        self._files = {file.name: file for file in files}
        self.files.blockSignals(True)
        self.files.clear()
        self.files.addItems(list(self._files))
        self.files.setCurrentText(name)
        self.files.blockSignals(False)
        self.files.setVisible(len(self._files) > 1)
        self._show(self.files.currentText())

    def bring_back(self, typed: Mapping[str, str]) -> None:
        """Shows what was typed for these files, by their names, and not saved; one that is typed in already stays."""
        self._typed = {**typed, **self._typed}
        self._show(self.files.currentText())

    def take_out(self, forgotten: ForgottenText) -> None:
        """Puts the mark where forgotten words stand in what is typed for the files that are not in hand."""
        self._typed = {name: forgotten.redacted(text) for name, text in self._typed.items()}

    def digest_of(self, name: str) -> str:
        """Returns the digest of what is typed for a file is based on, "" where there is no such file."""
        file = self._files.get(name)
        return "" if file is None else file.digest

    def show_saved(self, file: RuleFile) -> None:
        """Shows what a file says now; what was typed since stays."""
        self._files[file.name] = file
        self._on_text()

    def drafts(self) -> dict[str, str]:
        """Returns the texts that were typed, by the names of their files, where they are not what the file says."""
        return {
            name: text for name, text in self._typed.items() if name in self._files and text != self._files[name].text
        }

    def show_problems(self, problems: Sequence[str]) -> None:
        """Names what cannot be used."""
        self.problems.setText(core_words("\n".join(problems)))
        self.problems.setVisible(bool(problems))

    def set_read_only(self) -> None:
        """Shows that the workspace is only read."""
        self.text.setReadOnly(True)
        for button in (self.new, self.save):
            button.hide()

    def _show(self, name: str) -> None:
        file = self._files.get(name)
        wanted = self._typed.get(name, file.text if file is not None else "")
        if self.text.text() != wanted:
            self.text.setPlainText(wanted)
        self._on_text()

    def _insert(self) -> None:
        begun = self.text.text().strip()
        cursor = self.text.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        cursor.insertText(_TEMPLATE if begun else f'language = "en"\n{_TEMPLATE}')
        self.text.setTextCursor(cursor)
        self.text.setFocus()

    def _save(self) -> None:
        file = self._files.get(self.files.currentText())
        if file is not None:
            self.saved.emit(file, self.text.text())

    def _on_text(self) -> None:
        name = self.files.currentText()
        if name in self._files:
            text = self.text.text()
            self._typed.pop(name, None)
            if text != self._files[name].text:
                self._typed[name] = text
        self.save.setEnabled(name in self.drafts())
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
