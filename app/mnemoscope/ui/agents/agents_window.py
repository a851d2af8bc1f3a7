"""The window of other agents: their conversations, what was said in one, and what they remember."""

from __future__ import annotations

from typing import ClassVar, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.ui.agents.foreign_conversation_view import ForeignConversationView
from mnemoscope.ui.agents.foreign_conversations import ForeignConversations
from mnemoscope.ui.agents.foreign_history_view import ForeignHistoryView
from mnemoscope.ui.agents.foreign_memory_view import ForeignMemoryView
from mnemoscope.ui.agents.foreign_timeline import ForeignTimeline
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.fields import TabWidget
from mnemoscope.ui.widgets.theme import set_role

_WIDTH: Final = 1180
_HEIGHT: Final = 760
_ASKED: Final = 520


class AgentsWindow(Dialog):
    """Asks whether to look, and then shows what was found. It reads alone; what it offers beside that are wishes.

    It has no parent, so that it stands beside the window it was opened from.
    """

    manual_page: ClassVar = "agents"
    look_requested = Signal()
    folder_requested = Signal()
    forget_requested = Signal()
    keep_requested = Signal()

    def __init__(self, *, may_keep: bool) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Other agents"))
        self.resize(_WIDTH, _HEIGHT)
        self._may_keep = may_keep
        # Each part is made where it will stand: to move it is to work out the looks of all that is in it again.
        self.pages = QStackedWidget(self)
        self.ask_page = QWidget(self.pages)
        self.look = QPushButton(self.tr("Look there"), self.ask_page)
        set_role(self.look, kind="primary")
        self.choose = QPushButton(self.tr("Choose a folder…"), self.ask_page)
        self.found_page = QWidget(self.pages)
        self._panes = QSplitter(Qt.Orientation.Horizontal, self.found_page)
        self.list = ForeignConversations(self._panes)
        self.conversation = ForeignConversationView(self._panes)
        self.list.filled.connect(self.conversation.offer_choice)
        self.beside = TabWidget(self._panes)
        self.beside.setDocumentMode(True)
        self.memory = ForeignMemoryView(self.beside)
        self.timeline = ForeignTimeline()
        self.history = ForeignHistoryView(self.beside)
        self.beside.addTab(self.memory, self.tr("Memory"))
        self.beside.addTab(self.timeline, self.tr("Timeline"))
        self.beside.addTab(self.history, self.tr("History"))
        self.said = ElidedLabel(self.found_page)
        set_role(self.said, role="caption")
        self.look_too = QPushButton(self.tr("Look in the usual places"), self.found_page)
        self.add = QPushButton(self.tr("Choose a folder…"), self.found_page)
        self.forget = QPushButton(self.tr("Forget these places"), self.found_page)
        self.keep = QPushButton(self.tr("Keep a copy…"), self.found_page)
        self._lay_out()
        for button, wish in (
            (self.look, self.look_requested),
            (self.look_too, self.look_requested),
            (self.choose, self.folder_requested),
            (self.add, self.folder_requested),
            (self.forget, self.forget_requested),
            (self.keep, self.keep_requested),
        ):
            button.clicked.connect(wish)
        # Enter in the filter presses none of them.
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)

    def _lay_out(self) -> None:
        self._lay_out_question()
        panes = self._panes
        for number, (pane, share) in enumerate(((self.list, 3), (self.conversation, 6), (self.beside, 4))):
            panes.addWidget(pane)
            panes.setStretchFactor(number, share)
            panes.setCollapsible(number, False)
        panes.setSizes([_WIDTH * share // 13 for share in (3, 6, 4)])
        self.list.setMinimumWidth(180)
        self.beside.setMinimumWidth(240)
        self.forget.setToolTip(self.tr("Lists nothing any more, and asks again before it looks anywhere"))
        self.keep.setToolTip(self.tr("Imports the conversations and memories of this agent into the workspace"))
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 8, 12, 8)
        foot.setSpacing(8)
        foot.addWidget(self.said, 1)
        for button in (self.look_too, self.add, self.forget, self.keep):
            foot.addWidget(button)
        column = QVBoxLayout(self.found_page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(panes, 1)
        column.addLayout(foot)
        self.pages.addWidget(self.ask_page)
        self.pages.addWidget(self.found_page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.pages)

    def _lay_out_question(self) -> None:
        title = QLabel(self.tr("Look at what other agents remember?"), self.ask_page)
        title.setWordWrap(True)
        set_role(title, role="title")
        words = QLabel(
            self.tr(
                "Claude Code, OpenClaw, Codex, Hermes and others keep conversations and memory in folders of their own "
                "below your home folder. Mnemoscope can look in these places and show you what is there. It only "
                "reads: nothing there is changed, and no model, prompt or other program is given any of it."
            ),
            self.ask_page,
        )
        words.setWordWrap(True)
        later = QLabel(
            self.tr("Nothing is looked at before you say so. You can also choose one folder."), self.ask_page
        )
        later.setWordWrap(True)
        set_role(later, role="muted")
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.look)
        buttons.addWidget(self.choose)
        buttons.addStretch(1)
        # The part is bounded and not its lines, which would be given the height that they need where they are wider.
        question = QWidget(self.ask_page)
        question.setMaximumWidth(_ASKED)
        inside = QVBoxLayout(question)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(16)
        for part in (title, words, later):
            inside.addWidget(part)
        inside.addLayout(buttons)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(question, 4)
        middle.addStretch(1)
        column = QVBoxLayout(self.ask_page)
        column.setContentsMargins(24, 24, 24, 24)
        column.addStretch(2)
        column.addLayout(middle)
        column.addStretch(3)

    def ask(self) -> None:
        """Asks whether and where to look."""
        self.pages.setCurrentWidget(self.ask_page)
        self.look.setFocus()

    def show_found(self, *, looks_everywhere: bool) -> None:
        """Shows the panes; `looks_everywhere`: the usual places are looked at already."""
        self.pages.setCurrentWidget(self.found_page)
        self.look_too.setVisible(not looks_everywhere)
        self.keep.setEnabled(False)

    def offer_copy(self) -> None:
        """Offers to keep a copy of the store on show, where this workspace may be written to."""
        self.keep.setEnabled(self._may_keep)
