"""The centre of the window: notices, transcript, approval card, composer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from mnemoscope.ui.chat.approval_card import ApprovalCard
from mnemoscope.ui.chat.composer import Composer
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
        self._bars: list[NoticeBar] = []
        self._standing: NoticeBar | None = None
        self._notices = QVBoxLayout()
        self._notices.setContentsMargins(24, 0, 24, 0)
        self._notices.setSpacing(8)
        asking = QVBoxLayout()
        asking.setContentsMargins(24, 0, 24, 0)
        asking.addWidget(self.approval)
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
        self, level: str, sentence: str, actions: Sequence[NoticeAction] = (), *, lasting: bool = False
    ) -> NoticeBar:
        """Show a bar; the same sentence is shown once, and the oldest gives way after three.

        A `lasting` one is not about the conversation on show: `hush` lets it be.
        """
        for bar in tuple(self._bars):
            if bar.sentence == sentence or len(self._bars) >= _MOST_NOTICES:
                bar.dismiss()
        bar = NoticeBar(level, sentence, actions, parent=self)
        bar.closed.connect(lambda: self._forget(bar))
        bar.lasting = lasting
        self._bars.append(bar)
        self._notices.addWidget(bar)
        self._set_off()
        return bar

    def keep_saying(self, level: str, sentence: str, actions: Sequence[NoticeAction] = ()) -> NoticeBar:
        """Show a bar above all others that stays, in place of the one that stood there."""
        if self._standing is not None:
            self._notices.removeWidget(self._standing)
            self._standing.dismiss()
        self._standing = NoticeBar(level, sentence, actions, closable=False, parent=self)
        self._notices.insertWidget(0, self._standing)
        self._set_off()
        return self._standing

    def hush(self) -> None:
        """Take every bar away that is about the conversation on show."""
        for bar in tuple(self._bars):
            if not bar.lasting:
                bar.dismiss()

    def _forget(self, bar: NoticeBar) -> None:
        if bar in self._bars:
            self._bars.remove(bar)
        self._notices.removeWidget(bar)
        self._set_off()

    def _set_off(self) -> None:
        """Where there are bars, the conversation begins a little below them."""
        self._notices.setContentsMargins(24, 0, 24, 8 if self._notices.count() else 0)
