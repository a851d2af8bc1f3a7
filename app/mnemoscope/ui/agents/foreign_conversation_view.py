"""One conversation of another agent, to be read: what was said, the line up to which it was summed up, its branches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from mnemoscope.agent.foreign.foreign_reading import SeenConversation
from mnemoscope.ui.agents.foreign_conversations import ForeignListed
from mnemoscope.ui.chat.transcript.transcript import Transcript
from mnemoscope.ui.markdown.reading.untrusted_text import tidied
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.fields import ComboBox
from mnemoscope.ui.widgets.notices.notice_bar import FlowRow
from mnemoscope.ui.widgets.theme import set_role

_MOST_SUBAGENTS = 30


class ForeignConversationView(QWidget):
    """Shows a `SeenConversation`. `branch_requested` carries a place in its `branches`, -1 for the active path, and
    `conversation_requested` the `ForeignListed` of a subagent, or of the conversation that it works for."""

    branch_requested = Signal(int)
    earlier_requested = Signal()
    line_requested = Signal()
    others_requested = Signal()
    conversation_requested = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.title = ElidedLabel(self)
        set_role(self.title, role="heading")
        self.details = QLabel(self)
        self.details.setWordWrap(True)
        set_role(self.details, role="caption")
        self.damage = QLabel(self)
        self.damage.setWordWrap(True)
        set_role(self.damage, role="danger-caption")
        self._choices = FlowRow(self, spacing=8)
        self.branches = ComboBox(self)
        self.branches.setAccessibleName(self.tr("Branch"))
        self.branches.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.branches.setMinimumContentsLength(9)
        self.earlier = QPushButton(self.tr("Show earlier messages"), self)
        self.to_line = QPushButton(self.tr("Show the summary"), self)
        self.to_line.setToolTip(self.tr("Goes to the line, above which nothing is sent any more"))
        self.related = QPushButton(self.tr("Subagents"), self)
        self.related.setMenu(QMenu(self.related))
        self.others = QPushButton(self.tr("Other records…"), self)
        self.others.setToolTip(self.tr("Shows what the transcript holds beside messages, as it stands there"))
        self.transcript = Transcript(self)
        self.transcript.links.exports = False
        self.nothing = QLabel(self.tr("Choose a conversation."), self)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_role(self.nothing, role="muted")
        self._lay_out()
        self.branches.activated.connect(lambda at: self.branch_requested.emit(at - 1))
        self.earlier.clicked.connect(self.earlier_requested)
        self.to_line.clicked.connect(self.line_requested)
        self.others.clicked.connect(self.others_requested)
        self.clear()

    def _lay_out(self) -> None:
        for part in (self.branches, self.earlier, self.to_line, self.related, self.others):
            self._choices.add(part)
        head = QVBoxLayout()
        head.setContentsMargins(16, 12, 16, 8)
        head.setSpacing(6)
        for words in (self.title, self.details, self.damage):
            head.addWidget(words)
        head.addWidget(self._choices)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.transcript, 1)
        column.addWidget(self.nothing, 1)

    def offer_choice(self, offered: bool) -> None:
        """Says that a conversation can be chosen, while none is on show, or says nothing where there is none."""
        self.nothing.setText(self.tr("Choose a conversation.") if offered else "")

    def clear(self) -> None:
        """Shows nothing but that a conversation can be chosen."""
        self.title.setText("")
        self.show_words("")
        self.related.hide()
        self.transcript.hide()
        self.nothing.show()

    def show_words(self, words: str) -> None:
        """Says something in the place of what is known of a conversation."""
        self.details.setText(words)
        self.nothing.hide()
        for part in (self.damage, self.branches, self.earlier, self.to_line, self.others):
            part.hide()
        self._choices.arrange()

    def show_gone(self, words: str) -> None:
        """Says why the conversation on show cannot be read any more; what was read of it stays."""
        self.damage.setText(words)
        self.damage.show()

    def show_related(self, parent: ForeignListed | None, subagents: Sequence[ForeignListed]) -> None:
        """Offers the conversations of the subagents of the one on show, or the one that it works for."""
        menu = self.related.menu()
        menu.clear()
        if parent is not None:
            words = self.tr("Back to “{title}”").format(title=parent.title[:80])
            menu.addAction(words, partial(self.conversation_requested.emit, parent))
        for each in subagents[:_MOST_SUBAGENTS]:
            menu.addAction(each.title[:80].replace("&", "&&"), partial(self.conversation_requested.emit, each))
        count = len(subagents)
        self.related.setText(self.tr("%n subagents", "", count) if count else self.tr("Subagent of…"))
        self.related.setVisible(not menu.isEmpty())
        self._choices.arrange()

    def show_conversation(self, listed: ForeignListed, seen: SeenConversation) -> None:
        """Shows what was read of a conversation; what is on the screen already stays where it is."""
        self.title.setText(listed.title)
        if seen.newest_alone:
            self.show_words(self.tr("The newest messages; the others are being read…"))
        else:
            self._show_facts(listed, seen)
        self.transcript.setVisible(bool(seen.shown))
        self.nothing.hide()
        if seen.shown:
            self.transcript.show_messages(branch_key(listed, seen), seen.shown, seen.first, closed=True)
            self.transcript.mark_consolidated_upto(seen.pointer)

    def _show_facts(self, listed: ForeignListed, seen: SeenConversation) -> None:
        parts = [listed.detail, self.tr("%n messages", "", seen.messages)]
        if seen.compactions:
            parts.append(self.tr("summed up %n times", "", seen.compactions))
        if seen.consolidated and seen.some_kept:
            parts.append(self.tr("of the first %n only some are still sent", "", seen.consolidated))
        elif seen.consolidated:
            parts.append(self.tr("the first %n are no longer sent", "", seen.consolidated))
        if seen.unknown_records:
            parts.append(self.tr("%n records of a kind that is not known here", "", seen.unknown_records))
        self.details.setText(" · ".join(parts))
        self.damage.setText("\n".join(core_words(tidied(each)) for each in seen.damage[:3]))
        self.damage.setVisible(bool(seen.damage))
        self.earlier.setVisible(seen.first > 0)
        self.to_line.setVisible(bool(seen.entries))
        self.others.setVisible(seen.unknown_records + seen.other_records > 0)
        self._show_branches(seen)
        self._choices.arrange()

    def _show_branches(self, seen: SeenConversation) -> None:
        with QSignalBlocker(self.branches):
            self.branches.clear()
            self.branches.addItem(self.tr("Active branch"))
            for number in range(len(seen.branches)):
                self.branches.addItem(self.tr("Branch {number}").format(number=number + 1))
            self.branches.setCurrentIndex(seen.branch + 1)
        self.branches.setVisible(bool(seen.branches))


def branch_key(listed: ForeignListed, seen: SeenConversation) -> str:
    """Returns what names a branch of a conversation among all others."""
    return f"{listed.store.root}\n{listed.conversation.id}\n{seen.branch}"
