"""Looking back: a slider over the turns of a conversation, each with the exact prompt that was sent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSlider, QVBoxLayout, QWidget

from mnemoscope.agent.prompt.sent_prompts import SentPrompt
from mnemoscope.domain.conversation.message import message_number
from mnemoscope.ui.support.dates import time_words
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.theme import set_role


class PastTurns(QFrame):
    """`chosen` carries the SentPrompt to show, `closed` when the present is wanted again."""

    chosen = Signal(object)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="card")
        self._turns: list[SentPrompt] = []
        self.title = ElidedLabel(self)
        set_role(self.title, role="caption")
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName(self.tr("Turns, first to newest"))
        self.slider.setPageStep(5)
        self.earlier = square_tool(self, self.tr("The turn before"), 28, 16, "chevron-left")
        self.later = square_tool(self, self.tr("The turn after"), 28, 16, "chevron-right")
        self.now_button = QPushButton(self.tr("Now"), self)
        self.now_button.setToolTip(self.tr("Show what would be sent now"))
        self.slider.valueChanged.connect(lambda _value: self._choose())
        self.earlier.clicked.connect(lambda: self.slider.setValue(self.slider.value() - 1))
        self.later.clicked.connect(lambda: self.slider.setValue(self.slider.value() + 1))
        self.now_button.clicked.connect(self.closed)
        self._lay_out()

    def show_turns(self, turns: Sequence[SentPrompt]) -> None:
        """Offer these turns, oldest first. The one that was on show stays so; else the newest is shown."""
        at = self._turns[self.slider.value()].index if self._turns else None
        indices = [turn.index for turn in turns]
        self._turns = list(turns)
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(0, len(turns) - 1))
            self.slider.setValue(indices.index(at) if at in indices else len(turns) - 1)
        self._choose()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _choose(self) -> None:
        at = self.slider.value()
        self.slider.setEnabled(len(self._turns) > 1)
        self.earlier.setEnabled(at > 0)
        self.later.setEnabled(at < len(self._turns) - 1)
        if not self._turns:
            self.title.setText(self.tr("No prompt of this conversation is kept yet."))
            return
        turn = self._turns[at]
        words = self.tr("Turn {number} of {count} · message {message} · {when}").format(
            number=f"{at + 1:,}",
            count=f"{len(self._turns):,}",
            message=f"{message_number(turn.index):,}",
            when=_when(turn.when),
        )
        self.title.setText(words)
        self.slider.setAccessibleDescription(words)
        self.chosen.emit(turn)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.earlier)
        row.addWidget(self.slider, 1)
        row.addWidget(self.later)
        row.addSpacing(4)
        row.addWidget(self.now_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 8, 8)
        column.setSpacing(4)
        column.addWidget(self.title)
        column.addLayout(row)


def _when(stamp: str) -> str:
    try:
        return time_words(datetime.fromisoformat(stamp))
    except ValueError:
        return stamp
