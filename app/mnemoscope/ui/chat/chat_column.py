"""The centre of the window: notices, transcript, approval card, composer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from mnemoscope.agent.tools.approval import ApprovalRequest, Decision
from mnemoscope.ui.chat.cards import approval_card, key_card
from mnemoscope.ui.chat.composer.composer import Composer
from mnemoscope.ui.chat.composer.composer_edit import types_text
from mnemoscope.ui.chat.composer.input_method_forwarding import InputMethodForwarding
from mnemoscope.ui.chat.transcript.transcript import Transcript
from mnemoscope.ui.widgets.accessibility.tab_order import controls_of, follow_in_tab_order, precede_in_tab_order
from mnemoscope.ui.widgets.lazy_widget import LazyWidget
from mnemoscope.ui.widgets.notices.notice_bar import NoticeAction, NoticeBar
from mnemoscope.ui.widgets.scrolled_column import ScrolledColumn
from mnemoscope.ui.widgets.text.dropped_copy import copy_from_elsewhere
from mnemoscope.ui.widgets.theme import set_role

_MOST_NOTICES = 3
_LEAST_TRANSCRIPT: Final = 48
_LEAST_NOTICE: Final = 72
"""The least height of the bars, pixels, before they make way for the conversation no further."""


class NoticeArea(ScrolledColumn):
    """Holds bars, one below the other: as high as they are, or, where the window is too low for that, scrolled."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(_LEAST_NOTICE, parent)
        self.column.setContentsMargins(24, 0, 24, 0)


class ChatColumn(QWidget):
    """Holds the parts of the chat; `notify` puts a bar above the transcript.

    Between transcript and composer stand the cards that ask something, while they do.
    """

    manual_page: ClassVar = "chat"
    conversation_requested = Signal(str)
    """The conversation that asks for approval is to be shown."""
    attention_requested = Signal()
    """Something is asked or went wrong here: it is to be seen, whatever has the window's room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.transcript = Transcript(self)
        self.composer = Composer(self)
        InputMethodForwarding(self.composer.edit, (self.transcript.view, *self.composer.controls))
        self.approval = LazyWidget(self._build_approval)
        self.key_card = LazyWidget(self._build_key_card)
        self.composer.check_before_sending(lambda text: self.key_card.widget.may_send(text))
        self._key = ""
        self._asked_in = ""
        self._bars: list[NoticeBar] = []
        self._standing: dict[str, NoticeBar] = {}
        area = NoticeArea(self)
        self._notices = area.column
        asking = self._asking = QVBoxLayout()
        asking.setContentsMargins(24, 0, 24, 0)
        asking.setSpacing(8)
        bottom = QVBoxLayout()
        bottom.setContentsMargins(0, 0, 0, 0)
        bottom.setSpacing(8)
        bottom.addLayout(asking)
        bottom.addWidget(self.composer)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(0)
        column.addWidget(area)
        # What is told has room before what is read again.
        self.transcript.setMinimumHeight(_LEAST_TRANSCRIPT)
        self.transcript.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        column.addWidget(self.transcript, 1)
        column.addLayout(bottom)
        self.setMinimumWidth(336)
        self.setAcceptDrops(True)

    def _build_approval(self) -> approval_card.ApprovalCard:
        card = approval_card.ApprovalCard(self)
        card.conversation_requested.connect(self.conversation_requested)
        card.show_conversation(self._asked_in)
        self._asking.insertWidget(0, card)
        precede_in_tab_order(card, controls_of(self.composer)[0])
        return card

    def _build_key_card(self) -> key_card.KeyCard:
        card = key_card.KeyCard(self.composer, self)
        self._asking.addWidget(card)
        precede_in_tab_order(card, controls_of(self.composer)[0])
        return card

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Takes files and pictures anywhere over the conversation, and shows where they go: to the message."""
        held = event.mimeData()
        is_for_message = any(url.isLocalFile() for url in held.urls()) or held.hasImage()
        if is_for_message and self.composer.isVisible() and self.composer.isEnabled():
            self.composer.card.set_ringed(True)
            event.acceptProposedAction()
            copy_from_elsewhere(event)
        else:
            event.ignore()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.composer.card.set_ringed(self.composer.edit.hasFocus())
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Puts what is dropped to the message, as if it had been dropped on its field."""
        event.acceptProposedAction()
        copy_from_elsewhere(event)
        self.composer.edit.insertFromMimeData(event.mimeData())
        self.composer.card.set_ringed(self.composer.edit.hasFocus())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Puts what is typed or pasted into the message, wherever in the column the keyboard is. What a part has
        a use for itself does not come here."""
        edit = self.composer.edit
        is_alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        takes = edit.isVisible() and edit.isEnabled() and not edit.isReadOnly()
        if takes and ((types_text(event) and not is_alt) or event.matches(QKeySequence.StandardKey.Paste)):
            edit.setFocus()
            edit.keyPressEvent(event)
        else:
            super().keyPressEvent(event)

    async def ask(self, request: ApprovalRequest) -> Decision:
        """Asks the person whether a command may run; meanwhile its card in the transcript says that it waits."""
        self._mark(request, waits=True)
        self.attention_requested.emit()
        try:
            return await self.approval.widget.ask(request)
        finally:
            self._mark(request, waits=False)

    def _mark(self, request: ApprovalRequest, *, waits: bool) -> None:
        if request.session_key in {"", self._asked_in}:
            self.transcript.calls.wait(request.argv, waits=waits)

    def mark_waiting(self) -> None:
        """Shows on the cards of a conversation that was drawn anew which of its commands wait."""
        if (card := self.approval.built) is not None:
            for argv in card.asking_in(self._asked_in):
                self.transcript.calls.wait(argv, waits=True)

    def ask_in(self, key: str) -> None:
        """Notes that this conversation is on show, and its requests are judged here; "" for one that is only read."""
        self._asked_in = key
        if (card := self.approval.built) is not None:
            card.show_conversation(key)

    def notify(
        self,
        level: str,
        sentence: str,
        actions: Sequence[NoticeAction] = (),
        *,
        stays: bool = False,
        about: str = "",
        noted: bool = False,
    ) -> NoticeBar:
        """Shows a bar; the same sentence is shown once, and the newest three are in sight.

        It is past with the next message, unless it `stays` until it is closed. One that stays `about` a conversation
        is in sight whenever that one is on show.
        """
        for bar in tuple(self._bars):
            if bar.sentence == sentence and bar.about == about:
                bar.dismiss()
        bar = NoticeBar(level, sentence, actions, noted=noted, parent=self)
        bar.closed.connect(lambda: self._forget(bar))
        bar.stays, bar.about = stays, about
        self._bars.append(bar)
        self._notices.addWidget(bar)
        follow_in_tab_order(bar, self.transcript.view)
        self._arrange()
        if level == "danger":
            self.attention_requested.emit()
        return bar

    def show_standing_notice(
        self, name: str, level: str, sentence: str, actions: Sequence[NoticeAction] = (), *, noted: bool = False
    ) -> NoticeBar:
        """Shows a bar above all others that stays, in place of the one of this name."""
        self.clear_standing_notice(name)
        bar = self._standing[name] = NoticeBar(level, sentence, actions, closable=False, noted=noted, parent=self)
        self._notices.insertWidget(0, bar)
        follow_in_tab_order(bar, self.transcript.view)
        self._arrange()
        return bar

    def clear_standing_notice(self, name: str) -> None:
        """Takes the standing bar of this name away."""
        bar = self._standing.pop(name, None)
        if bar is not None:
            self._notices.removeWidget(bar)
            bar.dismiss()
            self._arrange()

    def dismiss_notices_with(self, words: str, about: str = "") -> None:
        """Takes away the bars that say these words, of that or whatever conversation: they are not so any more."""
        for bar in tuple(self._bars):
            if words in bar.sentence and about in {"", bar.about}:
                bar.dismiss()
        if (failure := self.transcript.end.failure) is not None and words in failure.sentence:
            failure.dismiss()

    def dismiss_notices(self) -> None:
        """Takes away the bars about the turn before, as a message is sent."""
        for bar in tuple(self._bars):
            if not bar.stays:
                bar.dismiss()

    def select(self, key: str) -> None:
        """Shows the bars of the conversation that comes on show."""
        self._key = key
        self._arrange()

    def _forget(self, bar: NoticeBar) -> None:
        if bar in self._bars:
            self._bars.remove(bar)
        self._notices.removeWidget(bar)
        self._arrange()

    def _arrange(self) -> None:
        """Shows the newest bars that belong here; the conversation begins a little below them."""
        here = [bar for bar in self._bars if bar.about in {"", self._key}][-_MOST_NOTICES:]
        for bar in self._bars:
            bar.setVisible(bar in here)
        some = bool(here or self._standing)
        self._notices.setContentsMargins(24, 0, 24, 8 if some else 0)
