"""The page of a receipt that lists what did not go with the prompt: why, and each line and message it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QPushButton, QTreeWidgetItem, QWidget

from mnemoscope.domain.answer_receipt.left_out import LeftOut, LeftOutMessage
from mnemoscope.domain.answer_receipt.memory_use import UsedMemory
from mnemoscope.ui.chat.answer_receipt.answer_receipt_words import part_words, source_words, whole_part_words
from mnemoscope.ui.chat.answer_receipt.part_actions import actions_for_part
from mnemoscope.ui.chat.answer_receipt.parts_tree import (
    CORRECT_KEYS,
    FORGETTING_KEYS,
    SOURCE_KEYS,
    ChosenPart,
    PartsTree,
    lay_out_parts,
)
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.text.plain_text import plain_label

_PART: Final = Qt.ItemDataRole.UserRole


class LeftOutPage(QWidget):
    """Shows the reasons, each with its lines or messages below it. The first three signals carry a `UsedMemory`."""

    source_requested = Signal(object)
    correction_requested = Signal(object)
    forgetting_requested = Signal(object)
    message_requested = Signal(int)
    """Carries the number of a message of the conversation."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._may_write = False
        self.tree = PartsTree(self, self.tr("What was left out of the prompt of this answer"))
        self.tree.currentItemChanged.connect(lambda _now, _before: self._show_chosen())
        self.detail = ChosenPart(self, self.tr("What is chosen"))
        self.source = QPushButton(self.tr("Show messages"), self)
        self.source.clicked.connect(self._on_source)
        self.correct = QPushButton(self.tr("Correct"), self)
        self.correct.clicked.connect(lambda: self._emit(self.correction_requested))
        self.forget = QPushButton(self.tr("Forget…"), self)
        self.forget.clicked.connect(lambda: self._emit(self.forgetting_requested))
        self.note = plain_label(self, "caption")
        self.reason = plain_label(self, "caption")
        buttons = (self.source, self.correct, self.forget)
        self.tree.offer(*zip(buttons, (SOURCE_KEYS, CORRECT_KEYS, FORGETTING_KEYS), strict=True))
        lay_out_parts(self, self.tree, self.detail, buttons, (self.reason, self.note))

    def show_parts(self, parts: Sequence[LeftOut], *, may_write: bool, is_whole: bool) -> None:
        """Shows what was left out. `is_whole`: the record of the prompt names the lines and messages."""
        self._may_write = may_write
        self.tree.clear()
        for part in parts:
            self._add(part)
        if not parts:
            QTreeWidgetItem(self.tree, [self.tr("Nothing was left out.")]).setFirstColumnSpanned(True)
        self.note.setText(
            ""
            if is_whole or not parts
            else self.tr("Which lines and messages these were is not known: an earlier version kept this prompt.")
        )
        self.note.setVisible(bool(self.note.text()))
        self.tree.setCurrentIndex(self.tree.model().index(0, 0))
        self._show_chosen()

    @property
    def chosen(self) -> UsedMemory | LeftOutMessage | None:
        """Returns the line or message that is chosen, None where that is a reason."""
        item = self.tree.currentItem()
        part = None if item is None else item.data(0, _PART)
        return part if isinstance(part, UsedMemory | LeftOutMessage) else None

    def _add(self, part: LeftOut) -> None:
        self.tree.add_title(core_words(part.why), meaning=core_words(part.why))
        above = ""
        for line in part.lines:
            # Rows of one source name it once.
            where = source_words(line.source) if line.source != above else ""
            above = line.source
            self._add_row(part_words(line.text), where, line, whole_part_words(line.text))
        for message in part.messages:
            who = {"user": self.tr("You"), "assistant": self.tr("Assistant"), "tool": self.tr("Tool")}
            said = " · ".join(filter(None, (who.get(message.role, ""), message.words)))
            where = self.tr("message {number}").format(number=f"{message.number + 1:,}")
            self._add_row(said, where, message, message.words)
        if part.more != 0:
            uncounted = self.tr("and more: of a file that long only its beginning is looked through")
            more = uncounted if part.more is None else self.tr("and %n more", "", part.more)
            QTreeWidgetItem(self.tree, [more]).setFirstColumnSpanned(True)

    def _add_row(self, words: str, where: str, part: UsedMemory | LeftOutMessage, whole: str) -> None:
        item = QTreeWidgetItem(self.tree, [words, where])
        item.setToolTip(0, plain_tooltip(whole))
        item.setData(0, _PART, part)

    def _show_chosen(self) -> None:
        part, item = self.chosen, self.tree.currentItem()
        line = part if isinstance(part, UsedMemory) else None
        actions = actions_for_part(line, may_write=self._may_write)
        self.source.setEnabled(part is not None)
        self.source.setText(self.tr("Show message") if isinstance(part, LeftOutMessage) else actions.source)
        self.correct.setEnabled(actions.may_change)
        self.correct.setText(actions.correct)
        self.forget.setEnabled(actions.may_change)
        self.show_sentence(actions.reason)
        if line is not None:
            self.detail.setText(whole_part_words(line.text))
        else:
            self.detail.setText("" if item is None else item.text(0))

    def show_sentence(self, words: str) -> None:
        """Shows why something cannot be done, or what became of it, until something else is chosen."""
        self.reason.setText(words)
        self.reason.setVisible(bool(words))

    def _on_source(self) -> None:
        part = self.chosen
        if isinstance(part, LeftOutMessage):
            self.message_requested.emit(part.number)
        else:
            self._emit(self.source_requested)

    def _emit(self, signal: SignalInstance) -> None:
        part = self.chosen
        if isinstance(part, UsedMemory):
            signal.emit(part)
