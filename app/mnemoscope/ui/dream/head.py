"""The head of the Dream pane: what waits, when the next run comes, and the run that is at work."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from mnemoscope.domain.dream.run import DreamState, Spend
from mnemoscope.ui.dream.words import next_words, spend_words, today_words, tr, waiting_words
from mnemoscope.ui.widgets.theme import set_role


class DreamHead(QWidget):
    """Shows a state; while a run is at work, how far it is."""

    run_requested = Signal()
    stop_requested = Signal()
    pause_requested = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = DreamState()
        self._reading = False
        self.waiting = self._label("heading")
        self.next = self._label("caption")
        self.spent = self._label("caption")
        self.at_work = self._label("caption")
        self.bar = QProgressBar(self)
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(4)
        self.bar.setAccessibleName(self.tr("Dream is at work"))
        self.run = QPushButton(self.tr("Run now"), self)
        set_role(self.run, kind="primary")
        self.run.clicked.connect(lambda _checked=False: self.run_requested.emit())
        self.stop = QPushButton(self.tr("Stop"), self)
        self.stop.clicked.connect(lambda _checked=False: self.stop_requested.emit())
        self.pause = QPushButton(self.tr("Pause"), self)
        self.pause.clicked.connect(lambda _checked=False: self.pause_requested.emit(not self._state.paused))
        self._lay_out()
        for part in (self.stop, self.bar, self.at_work):
            part.hide()

    def show_state(self, state: DreamState, now: datetime) -> None:
        """Say how it stands."""
        self._state = state
        self.waiting.setText(self.tr("Dream is reading") if state.running else waiting_words(state))
        self.next.setText(next_words(state, now))
        self.next.setVisible(not state.running)
        spent = state.spent_today
        self.spent.setText(today_words(spent, state.day_limit))
        self.spent.setVisible(bool(self.spent.text()))
        self.pause.setText(self.tr("Resume") if state.paused else self.tr("Pause"))
        self.pause.setVisible(state.enabled and not self._reading)
        self.run.setEnabled(bool(state.waiting) and not self._reading)
        self.run.setVisible(not state.running)
        self.stop.setVisible(state.running)
        self.bar.setVisible(state.running)
        self.at_work.setVisible(state.running and bool(self.at_work.text()))
        if not state.running:
            self.at_work.clear()

    def show_begun(self, first: int, last: int) -> None:
        """A run reads these entries."""
        words = tr("Reading entry {first}") if first == last else tr("Reading entries {first} to {last}")
        self.at_work.setText(words.format(first=first, last=last))
        self.at_work.setVisible(True)

    def show_progress(self, rounds: int, tokens: int, last: str) -> None:
        """How far it is: rounds asked, tokens spent, what was done last."""
        words = tr("Round {rounds} · {spend}").format(rounds=rounds, spend=spend_words(Spend(tokens, 0, 0.0)))
        self.at_work.setText(f"{words} · {last}" if last else words)
        self.at_work.setVisible(True)

    def offer_reading_only(self) -> None:
        """The workspace is only read."""
        self._reading = True
        self.run.setEnabled(False)
        self.pause.hide()

    def _label(self, role: str) -> QLabel:
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        set_role(label, role=role)
        return label

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        for label in (self.waiting, self.next, self.spent):
            words.addWidget(label)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.run, self.stop, self.pause):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 0)
        column.setSpacing(8)
        column.addLayout(words)
        column.addWidget(self.bar)
        column.addWidget(self.at_work)
        column.addLayout(buttons)
