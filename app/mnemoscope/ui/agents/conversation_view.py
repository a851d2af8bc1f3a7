"""One conversation of another agent, to be read: what was said, the line up to which it was summed up, its branches."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from mnemoscope.agent.foreign.foreign_reading import SeenConversation
from mnemoscope.ui.agents.conversation_list import ForeignListed
from mnemoscope.ui.chat.transcript.transcript import Transcript
from mnemoscope.ui.markdown.untrusted_text import tidied
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.fields import ComboBox
from mnemoscope.ui.widgets.notices.core_words import core_words
from mnemoscope.ui.widgets.theme import set_role

_SUMMARY_LINES = 5


class ForeignConversationView(QWidget):
    """Shows a `SeenConversation`. `branch_wished` carries a place in its `branches`, -1 for the active path."""

    branch_wished = Signal(int)
    earlier_wished = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.title = ElidedLabel(self)
        set_role(self.title, role="heading")
        self.told = QLabel(self)
        self.told.setWordWrap(True)
        set_role(self.told, role="caption")
        self.damage = QLabel(self)
        self.damage.setWordWrap(True)
        set_role(self.damage, role="danger-caption")
        self.branches = ComboBox(self)
        self.branches.setAccessibleName(self.tr("Branch"))
        self.earlier = QPushButton(self.tr("Show earlier messages"), self)
        self.card = QFrame(self)
        set_role(self.card, role="card-pointer")
        self.summed = QLabel(self.card)
        self.summed.setWordWrap(True)
        set_role(self.summed, role="heading")
        self.summary = QPlainTextEdit(self.card)
        self.summary.setReadOnly(True)
        self.summary.setTabChangesFocus(True)
        self.summary.setAccessibleName(self.tr("The summary that the agent is sent"))
        self.transcript = Transcript(self)
        self.transcript.links.stands_alone = True
        self._lay_out()
        self.branches.activated.connect(lambda at: self.branch_wished.emit(at - 1))
        self.earlier.clicked.connect(self.earlier_wished)
        self.clear()

    def _lay_out(self) -> None:
        inside = QVBoxLayout(self.card)
        inside.setContentsMargins(12, 8, 12, 8)
        inside.setSpacing(4)
        inside.addWidget(self.summed)
        inside.addWidget(self.summary)
        self.summary.setFixedHeight(self.summary.fontMetrics().lineSpacing() * _SUMMARY_LINES)
        choices = QHBoxLayout()
        choices.setSpacing(8)
        choices.addWidget(self.branches)
        choices.addWidget(self.earlier)
        choices.addStretch(1)
        head = QVBoxLayout()
        head.setContentsMargins(16, 12, 16, 8)
        head.setSpacing(6)
        for part in (self.title, self.told, self.damage):
            head.addWidget(part)
        head.addLayout(choices)
        head.addWidget(self.card)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.transcript, 1)

    def clear(self) -> None:
        """Shows nothing but that a conversation can be chosen."""
        self.title.setText("")
        self.show_words(self.tr("Choose a conversation."))
        self.transcript.hide()

    def show_words(self, words: str) -> None:
        """Says something in the place of what is known of a conversation."""
        self.told.setText(words)
        for part in (self.damage, self.branches, self.earlier, self.card):
            part.hide()

    def show_conversation(self, listed: ForeignListed, seen: SeenConversation) -> None:
        """Shows what was read of a conversation; what is on the screen already stays where it is."""
        self.title.setText(listed.title)
        if seen.newest_alone:
            self.show_words(self.tr("The newest messages; the others are being read…"))
        else:
            self._show_facts(listed, seen)
        self.transcript.setVisible(bool(seen.shown))
        if seen.shown:
            key = f"{listed.store.root}\n{listed.conversation.id}\n{seen.branch}"
            self.transcript.show_messages(key, seen.shown, seen.first, closed=True)
            self.transcript.mark_consolidated_upto(seen.pointer)

    def _show_facts(self, listed: ForeignListed, seen: SeenConversation) -> None:
        parts = [listed.detail, self.tr("%n messages", "", seen.messages)]
        if seen.compactions:
            parts.append(self.tr("summed up %n times", "", seen.compactions))
        if seen.unknown_records:
            parts.append(self.tr("%n records of a kind that is not known here", "", seen.unknown_records))
        self.told.setText(" · ".join(parts))
        self.damage.setText("\n".join(core_words(tidied(each)) for each in seen.damage[:3]))
        self.damage.setVisible(bool(seen.damage))
        self.earlier.setVisible(seen.first > 0)
        self._show_branches(seen)
        self.card.setVisible(seen.consolidated > 0)
        if seen.consolidated:
            words = self.tr("The first %n messages are no longer sent.", "", seen.consolidated)
            words += " " + (
                self.tr("This summary is sent in their place:")
                if seen.summary
                else self.tr("The summary that is sent in their place cannot be read.")
            )
            self.summed.setText(words)
            self.summary.setVisible(bool(seen.summary))
            text = tidied(seen.summary)
            if self.summary.toPlainText() != text:
                self.summary.setPlainText(text)

    def _show_branches(self, seen: SeenConversation) -> None:
        with QSignalBlocker(self.branches):
            self.branches.clear()
            self.branches.addItem(self.tr("Active branch"))
            for number in range(len(seen.branches)):
                self.branches.addItem(self.tr("Branch {number}").format(number=number + 1))
            self.branches.setCurrentIndex(seen.branch + 1)
        self.branches.setVisible(bool(seen.branches))
