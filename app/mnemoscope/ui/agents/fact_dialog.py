"""Shows what copying a fact to another agent's memory file would change there, copies it on a press, and takes it out
again on another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from mnemoscope.agent.foreign.fact_copying import ShownCopy
from mnemoscope.domain.copying.fact_target import FactCopy, FactForm, FactTarget
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.ui.markdown.reading.untrusted_text import tidied
from mnemoscope.ui.memory.versions.diff_view import DiffView
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.fields import ComboBox
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import Theme, set_role

_WIDTH: Final = 680
_HEIGHT: Final = 520
_SETTLE_MS: Final = 200
_SHOWN: Final = 80


class FactDialog(Dialog):
    """Offers to copy a fact to a memory file of another agent. It writes nothing itself."""

    manual_page: ClassVar = "agents"
    look_requested = Signal()
    """The person lets the agents be looked for."""
    preview_requested = Signal()
    """Another fact or file was chosen: it is to be shown what copying would change."""
    copy_requested = Signal(object)
    """This `FactCopy`, which is on show, is to be made."""
    undo_requested = Signal(object)
    """This `FactCopy`, which was made, is to be taken back."""

    def __init__(self, parent: QWidget, fact: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Copy to another agent"))
        self._targets: Sequence[FactTarget] = ()
        self._shown: FactCopy | None = None
        self._made: FactCopy | None = None
        self.fact = QLineEdit(fact, self)
        self.fact.setAccessibleName(self.tr("Fact"))
        self.fact.setCursorPosition(0)
        self.files = ComboBox(self)
        self.files.setAccessibleName(self.tr("Memory file"))
        self.files.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.budget = plain_label(self, "caption")
        self.warning = plain_label(self, "bar-warning")
        self.warning.setMargin(8)
        self.difference = DiffView(self)
        self.difference.setMinimumHeight(Theme.current().scaled(120))
        self.said = plain_label(self)
        self.look = QPushButton(self.tr("Look there"), self)
        self.undo = QPushButton(self.tr("Undo"), self)
        self.leave = QPushButton(self.tr("Close"), self)
        self.copy = QPushButton(self.tr("Copy"), self)
        set_role(self.copy, kind="primary")
        self._soon = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._soon.timeout.connect(self.preview_requested)
        self._lay_out()
        self.fact.textEdited.connect(self._on_edit)
        self.files.activated.connect(self._on_file)
        self.look.clicked.connect(self.look_requested)
        self.leave.clicked.connect(self.reject)
        self.copy.clicked.connect(self._on_copy)
        self.undo.clicked.connect(self._on_undo)
        self.note_made(None, "")
        self.resize(Theme.current().scaled(_WIDTH), Theme.current().scaled(_HEIGHT))

    @property
    def target(self) -> FactTarget | None:
        """Returns the file that is chosen."""
        at = self.files.currentIndex()
        return self._targets[at] if 0 <= at < len(self._targets) else None

    def ask(self) -> None:
        """Asks whether the agents may be looked for, which was not agreed to yet."""
        self._show_parts(is_asked=True)
        self.said.setText(
            self.tr(
                "Mnemoscope has not looked for other agents yet. It looks where they usually keep their memory, below "
                "your home folder, and writes only the line that you copy."
            )
        )
        self.look.setFocus()

    def show_targets(self, targets: Sequence[FactTarget]) -> None:
        """Offers these files."""
        self._targets = targets
        self._show_parts(is_asked=False)
        self.files.clear()
        for each in targets:
            folder, _, name = tidied(each.path).rpartition("/")
            if each.form is FactForm.NOTE:
                folder, name = "", self.tr("a note for its memory")
            self.files.addItem(" · ".join(part for part in (each.title, name, folder) if part))
        self.said.setText("" if targets else self.tr("No agent with a memory file that takes facts was found."))
        self.show_copy(None)
        if targets:
            self.preview_requested.emit()
            self.files.setFocus()

    def show_copy(self, shown: ShownCopy | None, fault: str = "") -> None:
        """Shows what would change; None while that is looked up, or where it cannot be, for which `fault` is the
        reason."""
        self._shown = None if shown is None else shown.copy
        self.budget.setText("" if shown is None else self._budget_words(shown.copy))
        warnings = [fault] if shown is None else self._warnings(shown)
        self.warning.setText("\n".join(each for each in warnings if each))
        self.warning.setVisible(bool(self.warning.text()))
        self.difference.show_rows(() if shown is None else shown.rows, self._title())
        is_ready = shown is not None and not shown.copy.is_held and not shown.copy.is_refused
        self.copy.setEnabled(is_ready and shown is not None and shown.copy is not self._made)

    def note_made(self, made: FactCopy | None, words: str) -> None:
        """Says what was done, and offers to undo what was written; None where nothing can be undone."""
        self._made = made
        self.said.setText(words)
        self.undo.setVisible(made is not None)
        self.undo.setEnabled(made is not None)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(8)
        self._named = [self._named_by(self.tr("Fact"), self.fact), self._named_by(self.tr("To"), self.files)]
        for label, field in zip(self._named, (self.fact, self.files), strict=True):
            column.addWidget(label)
            column.addWidget(field)
        column.addWidget(self.budget)
        column.addWidget(self.warning)
        column.addWidget(self.difference, 1)
        column.addWidget(self.said)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.undo)
        row.addStretch(1)
        for button in (self.leave, self.look, self.copy):
            row.addWidget(button)
        column.addLayout(row)
        for button in (self.undo, self.leave, self.look, self.copy):
            # Enter in the field presses none of them: what is copied was looked at.
            button.setAutoDefault(False)

    def _show_parts(self, *, is_asked: bool) -> None:
        for part in (*self._named, self.fact, self.files, self.budget, self.difference, self.copy):
            part.setVisible(not is_asked)
        self.warning.setVisible(not is_asked and bool(self.warning.text()))
        self.look.setVisible(is_asked)

    def _named_by(self, words: str, field: QWidget) -> QLabel:
        label = QLabel(words, self)
        label.setBuddy(field)
        set_role(label, role="muted")
        return label

    def _title(self) -> str:
        target = self.target
        path = self._shown.path if self._shown is not None else target.path if target is not None else ""
        return tidied(path)

    def _budget_words(self, copy: FactCopy) -> str:
        budget = copy.target.budget
        if copy.target.form is FactForm.NOTE:
            return self.tr("{agent} takes notes in when it next tidies its memory.").format(agent=copy.target.title)
        if budget.lines:
            words = self.tr("With it the file has {lines} of the {most} lines that are loaded into each prompt.")
            return words.format(lines=f"{len(copy.text_after.splitlines()):,}", most=f"{budget.lines:,}")
        if budget.characters:
            words = self.tr("With it the file has {count} of {most} characters.")
            return words.format(count=f"{len(copy.text_after):,}", most=f"{budget.characters:,}")
        if not budget.is_loaded:
            return self.tr("Nothing of this file is loaded by itself; the agent reads it on demand.")
        return self.tr("All of this file is loaded into each prompt.")

    def _warnings(self, shown: ShownCopy) -> list[str]:
        copy, budget = shown.copy, shown.copy.target.budget
        if copy.is_held:
            made = self._made
            if made is not None and (made.target, made.fact) == (copy.target, copy.fact):
                return []
            return [self.tr("{agent} holds this fact already.").format(agent=copy.target.title)]
        found = []
        if copy.target.is_read_only:
            found.append(self.tr("This file says that it is not to be changed, so nothing can be copied there."))
        elif copy.is_refused:
            found.append(self.tr("The file has no room for it: {agent} takes no more.").format(agent=copy.target.title))
        elif budget.is_loaded and not copy.is_loaded:
            found.append(self.tr("It would stand beyond what is loaded: the agent would not see it by itself."))
        if shown.has_secret:
            found.append(self.tr("It looks like a key or a password. Whoever reads that file reads it too."))
        if shown.reads_like_instructions:
            found.append(self.tr("It reads like instructions to an assistant."))
        return found

    def _on_edit(self) -> None:
        self.show_copy(None)
        self._soon.start()

    def _on_file(self) -> None:
        self.show_copy(None)
        self._soon.stop()
        self.preview_requested.emit()

    def _on_copy(self) -> None:
        if self._shown is not None and self.copy.isEnabled():
            # A button that can be pressed no more hands its focus on to the field, where a key would change the fact.
            self.leave.setFocus()
            self.copy.setEnabled(False)
            self.copy_requested.emit(self._shown)

    def _on_undo(self) -> None:
        if self._made is not None and self.undo.isEnabled():
            self.leave.setFocus()
            self.undo.setEnabled(False)
            self.undo_requested.emit(self._made)


def short_fact(fact: str) -> str:
    """Returns a fact as it is named in a sentence."""
    return shortened(tidied(fact), _SHOWN)
