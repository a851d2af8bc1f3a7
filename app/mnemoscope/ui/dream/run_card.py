"""One run of Dream as a card: how it ended, what it read, changed and cost, and the way back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mnemoscope.domain.dream.run import DreamRun
from mnemoscope.ui.dream.words import edit_words, exact, facts_words, moment, outcome_icon, outcome_words, undone_words
from mnemoscope.ui.widgets.link_row import LinkRow
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_ICON: Final = 16


class RunCard(QFrame):
    """`now` is when it is shown. With `read_only` no way back is offered."""

    show_requested = Signal(object)
    """The person wants to see what this DreamRun changed."""
    undo_requested = Signal(object)
    review_requested = Signal()

    def __init__(self, run: DreamRun, now: datetime, *, read_only: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.run = run
        self._mark = QLabel(self)
        self._outcome = QLabel(outcome_words(run), self)
        set_role(self._outcome, role="heading")
        when = QLabel(moment(datetime.fromisoformat(run.when), now), self)
        when.setToolTip(exact(run.when))
        set_role(when, role="caption")
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._mark)
        head.addWidget(self._outcome)
        head.addStretch(1)
        head.addWidget(when)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(4)
        column.addLayout(head)
        for words, role in self._lines():
            column.addWidget(self._line(words, role))
        buttons = self._buttons(read_only)
        if buttons.count():
            column.addLayout(buttons)
        self.setAccessibleName(f"{self._outcome.text()}, {when.text()}, {facts_words(run)}")
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    def _lines(self) -> list[tuple[str, str]]:
        edits = "   ".join(edit_words(edit) for edit in self.run.edits)
        lines = [
            (edits, "body"),
            (self.run.reason, "body"),
            (self.run.words, "muted"),
            (undone_words(self.run), "body"),
            (facts_words(self.run), "caption"),
        ]
        return [(words, role) for words, role in lines if words]

    def _line(self, words: str, role: str) -> QLabel:
        label = QLabel(words, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        if role != "body":
            set_role(label, role=role)
        return label

    def _buttons(self, read_only: bool) -> QHBoxLayout:
        row = LinkRow()
        row.setSpacing(4)
        held = any(edit.held for edit in self.run.edits)
        if held and not read_only:
            row.addWidget(self._button(self.tr("Review"), self.review_requested.emit))
        if any(not edit.held for edit in self.run.edits):
            row.addWidget(self._button(self.tr("Show change"), lambda: self.show_requested.emit(self.run)))
            if not (read_only or self.run.undone):
                row.addWidget(self._button(self.tr("Undo…"), lambda: self.undo_requested.emit(self.run)))
        if row.count():
            row.addStretch(1)
        return row

    def _button(self, words: str, handler: Callable[[], object]) -> QPushButton:
        button = QPushButton(words, self)
        set_role(button, kind="link")
        button.clicked.connect(lambda _checked=False: handler())
        return button

    def _restyle(self) -> None:
        name, role = outcome_icon(self.run)
        side = Theme.current().scaled(_ICON)
        self._mark.setPixmap(Theme.current().icon(name, role).pixmap(QSize(side, side), self.devicePixelRatioF()))
