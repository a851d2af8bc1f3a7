"""The damaged records of a conversation: where each is, its bytes as they are kept, and what can still be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.agent.workspace.repairs import DamagedText
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.text.plain_text import plain_box, plain_label
from mnemoscope.ui.widgets.theme import Theme, set_role

_ROWS: Final = 5
"""Of the list; the rest is scrolled to."""
_AROUND: Final = 6
"""Above and below what a card holds: its border, and room."""


class DamagedRecordsDialog(Dialog):
    """Shows one record at a time. `restored` carries the words that are wanted back."""

    restored = Signal(str)

    def __init__(self, parent: QWidget, records: Sequence[DamagedText]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Damaged records"))
        self._records = list(records)
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Damaged records"))
        set_role(self.list, role="card")
        for one in self._records:
            self.list.addItem(self._line(one))
        rows = min(max(1, len(self._records)), _ROWS)
        self.list.setFixedHeight(rows * self.list.sizeHintForRow(0) + 2 * _AROUND)
        self._about = plain_label(self, "caption")
        self.bytes = plain_box(self, self.tr("The record's bytes, as text"))
        self._readable = plain_label(self, "heading")
        self.words = plain_box(self, self.tr("What can still be read"))
        for box in (self.bytes, self.words):
            box.setFont(Theme.current().font("code"))
        self.restore = QPushButton(self.tr("Restore to the message field"), self)
        set_role(self.restore, kind="primary")
        self.restore.clicked.connect(lambda: self.restored.emit(self.words.toPlainText()))
        self.restore.clicked.connect(self.accept)
        self._lay_out()
        self.list.currentRowChanged.connect(self._show)
        self.list.setCurrentRow(0 if self._records else -1)

    def _line(self, one: DamagedText) -> str:
        words = " ".join(one.salvaged.words.split())[:60] or self.tr("nothing readable")
        return self.tr("Line {line}: {words}").format(line=f"{one.record.line:,}", words=words)

    def _show(self, row: int) -> None:
        if not 0 <= row < len(self._records):
            return
        one = self._records[row]
        kept = self.tr("Moved to quarantine in {file}. Nothing of it is deleted, and every other message was read.")
        self._about.setToolTip(meaning_of(Word.QUARANTINE))
        self._about.setText(kept.format(file=one.record.kept_in or self.tr("the conversation's file")))
        self.bytes.setPlainText(one.text)
        self.words.setPlainText(one.salvaged.words)
        self._readable.setText(self.tr("What can still be read"))
        self.words.setVisible(bool(one.salvaged.words))
        self._readable.setVisible(bool(one.salvaged.words))
        self.restore.setEnabled(bool(one.salvaged.words.strip()))

    def _lay_out(self) -> None:
        buttons = self.closing_buttons(self.restore)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(8)
        column.addWidget(self.list)
        column.addWidget(self._about)
        column.addWidget(self.bytes, 1)
        column.addWidget(self._readable)
        column.addWidget(self.words, 1)
        column.addWidget(buttons)
        self.resize(560, 520)
