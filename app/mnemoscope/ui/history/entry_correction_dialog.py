"""Shows the words of one entry to be corrected, with what they were before a correction, which can be undone."""

from __future__ import annotations

from datetime import date
from typing import ClassVar, Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QDialogButtonBox, QPushButton, QVBoxLayout, QWidget

from mnemoscope.memory.files.entry_corrections import CorrectableEntry
from mnemoscope.ui.support.locale_words import stamp_words
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog, bounded
from mnemoscope.ui.widgets.text.hinted_edit import HintedEdit
from mnemoscope.ui.widgets.text.plain_text import plain_box, plain_label
from mnemoscope.ui.widgets.theme import Theme, set_role

_MARGIN: Final = 8


class EntryCorrectionDialog(Dialog):
    """Asks for other words. It stays until they are saved, or the person wants them no more."""

    manual_page: ClassVar = "history"
    save_requested = Signal(str)
    """The entry is to have these words."""
    undo_requested = Signal()
    discard_requested = Signal()
    """The person leaves words that are not saved."""

    def __init__(self, parent: QWidget, entry: CorrectableEntry, passage: str = "") -> None:
        """`passage`: the words of it that the person was shown."""
        super().__init__(parent)
        self.entry = entry
        self.setWindowTitle(self.tr("Correct an entry"))
        self.edit = HintedEdit(self)
        self.edit.setAccessibleName(self.tr("Words of the entry"))
        self.edit.setPlaceholderText(self.tr("What is right"))
        self.edit.setTabChangesFocus(True)
        self.edit.document().setDocumentMargin(_MARGIN)
        set_role(self.edit, role="card")
        self.edit.setPlainText(entry.words)
        self._go_to(passage)
        self.edit.textChanged.connect(self._show_state)
        self.former = plain_box(self, self.tr("Words before the correction"))
        self.trouble = plain_label(self, "caption")
        self.save = QPushButton(self.tr("Save (Ctrl+Enter)"), self)
        set_role(self.save, kind="primary")
        self.save.clicked.connect(self._on_save)
        self.undo = QPushButton(self.tr("Undo the correction"), self)
        self.undo.clicked.connect(self._on_undo)
        self._busy = False
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self, self._on_save)
        self._lay_out()
        self._show_state()
        self.resize(bounded(QSize(Theme.current().scaled(560), Theme.current().scaled(420)), self))
        self.edit.setFocus()

    def _go_to(self, passage: str) -> None:
        """Puts the caret before the passage that is meant, where it stands in these words."""
        found = self.edit.document().find(passage.strip().partition("\n")[0]) if passage.strip() else QTextCursor()
        if not found.isNull():
            found.setPosition(found.selectionStart())
            self.edit.setTextCursor(found)

    @property
    def words(self) -> str:
        """Returns what is typed."""
        return self.edit.text().strip()

    @property
    def is_changed(self) -> bool:
        """Returns whether what is typed differs from what stands in the entry."""
        return self.words != self.entry.words.strip()

    def reject(self) -> None:
        """Closes it, or asks first where words are typed that are not saved."""
        if self._busy:
            return
        if self.is_changed:
            self.discard_requested.emit()
        else:
            super().reject()

    def discard(self) -> None:
        """Closes it, whatever is typed."""
        super().reject()

    def fail(self, words: str) -> None:
        """Says why nothing was saved; what is typed stays."""
        self._set_busy(busy=False)
        self.trouble.setText(words)
        self.trouble.setVisible(True)
        self.edit.setFocus()

    def _on_save(self) -> None:
        if self.save.isEnabled():
            self._set_busy(busy=True)
            self.save_requested.emit(self.words)

    def _on_undo(self) -> None:
        self._set_busy(busy=True)
        self.undo_requested.emit()

    def _set_busy(self, *, busy: bool) -> None:
        self._busy = busy
        self.edit.setReadOnly(busy)
        self._show_state()

    def _show_state(self) -> None:
        self.save.setEnabled(not self._busy and self.is_changed and bool(self.words))
        # What is typed would be lost with it.
        self.undo.setEnabled(not self._busy and not self.is_changed)
        self.trouble.setVisible(self._busy and bool(self.trouble.text()))

    def _lay_out(self) -> None:
        standing, correction = self.entry.standing, self.entry.correction
        heading = " · ".join(filter(None, (stamp_words(standing.when, date.today()), standing.path)))
        about = plain_label(self, "muted", heading)
        note = self.tr(
            "The date stays, and the messages that it was made from. What was said before is kept, so that this can be "
            "undone. Facts in memory stay as they are."
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(8)
        column.addWidget(about)
        column.addWidget(self.edit, 3)
        self.former.setVisible(correction is not None)
        if correction is not None:
            words = self.tr("Corrected {when}. Before that it said:")
            when = stamp_words(correction.when[:16].replace("T", " "), date.today())
            column.addWidget(plain_label(self, "caption", words.format(when=when)))
            self.former.setPlainText(correction.former)
            self.former.setMinimumHeight(Theme.current().scaled(40))
            column.addWidget(self.former, 1)
        column.addWidget(plain_label(self, "caption", note))
        column.addWidget(self.trouble)
        buttons = QDialogButtonBox(self)
        buttons.addButton(self.save, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.undo, QDialogButtonBox.ButtonRole.ResetRole)
        # A box of buttons shows what is put into it.
        self.undo.setVisible(correction is not None)
        cancel = buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        for button in (self.save, self.undo, cancel):
            button.setAutoDefault(False)
        column.addWidget(buttons)
