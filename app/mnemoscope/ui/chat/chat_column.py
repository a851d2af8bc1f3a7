"""The centre of the window: notices, transcript, approval card, composer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from mnemoscope.ui.chat.approval_card import ApprovalCard
from mnemoscope.ui.chat.composer import Composer
from mnemoscope.ui.chat.key_card import KeyCard
from mnemoscope.ui.chat.transcript import Transcript
from mnemoscope.ui.widgets.notice_bar import NoticeAction, NoticeBar
from mnemoscope.ui.widgets.theme import set_role

_MOST_NOTICES = 3


class ChatColumn(QWidget):
    """Holds the parts of the chat; `say` puts a bar above the transcript."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.transcript = Transcript(self)
        self.approval = ApprovalCard(self)
        self.composer = Composer(self)
        self.key_card = KeyCard(self.composer, self)
        self._key = ""
        self._bars: list[NoticeBar] = []
        self._standing: dict[str, NoticeBar] = {}
        self._notices = QVBoxLayout()
        self._notices.setContentsMargins(24, 0, 24, 0)
        self._notices.setSpacing(8)
        asking = QVBoxLayout()
        asking.setContentsMargins(24, 0, 24, 0)
        asking.setSpacing(8)
        asking.addWidget(self.approval)
        asking.addWidget(self.key_card)
        bottom = QVBoxLayout()
        bottom.setContentsMargins(0, 0, 0, 0)
        bottom.setSpacing(8)
        bottom.addLayout(asking)
        bottom.addWidget(self.composer)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._notices)
        column.addWidget(self.transcript, 1)
        column.addLayout(bottom)
        self.setMinimumWidth(320)

    def say(
        self,
        level: str,
        sentence: str,
        actions: Sequence[NoticeAction] = (),
        *,
        stays: bool = False,
        about: str = "",
        noted: bool = False,
    ) -> NoticeBar:
        """Show a bar; the same sentence is shown once, and the newest three are in sight.

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
        self._arrange()
        return bar

    def keep_saying(self, name: str, level: str, sentence: str, actions: Sequence[NoticeAction] = ()) -> NoticeBar:
        """Show a bar above all others that stays, in place of the one of this name."""
        self.stop_saying(name)
        bar = self._standing[name] = NoticeBar(level, sentence, actions, closable=False, parent=self)
        self._notices.insertWidget(0, bar)
        self._arrange()
        return bar

    def stop_saying(self, name: str) -> None:
        """Take the standing bar of this name away."""
        bar = self._standing.pop(name, None)
        if bar is not None:
            self._notices.removeWidget(bar)
            bar.dismiss()
            self._arrange()

    def hush(self) -> None:
        """A message is sent: what was said about the turn before is past."""
        for bar in tuple(self._bars):
            if not bar.stays:
                bar.dismiss()

    def turn_to(self, key: str) -> None:
        """Another conversation comes on show: its own bars come with it."""
        self._key = key
        self._arrange()

    def _forget(self, bar: NoticeBar) -> None:
        if bar in self._bars:
            self._bars.remove(bar)
        self._notices.removeWidget(bar)
        self._arrange()

    def _arrange(self) -> None:
        """Show the newest bars that belong here; the conversation begins a little below them."""
        here = [bar for bar in self._bars if bar.about in {"", self._key}][-_MOST_NOTICES:]
        for bar in self._bars:
            bar.setVisible(bar in here)
        some = bool(here or self._standing)
        self._notices.setContentsMargins(24, 0, 24, 8 if some else 0)
