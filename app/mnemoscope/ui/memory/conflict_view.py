"""Places that the person and someone else changed differently: both sides beside each other, and which to keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from mnemoscope.domain.conflict_text import Side
from mnemoscope.domain.merge import Conflict
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_SHOWN = 1_200
_HEIGHT = 230


class ConflictView(QScrollArea):
    """A card a conflict. `chosen` with the conflict and `mine`, `theirs` or `both`; `emptied` after the last one."""

    chosen = Signal(object, str)
    emptied = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Places both sides changed"))
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMaximumHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._inside = QWidget(self)
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._column.addStretch(1)
        self.setWidget(self._inside)
        self.cards: list[ConflictCard] = []
        self.hide()

    def sizeHint(self) -> QSize:
        """As high as its cards, up to a few of them."""
        width = max(1, self.width() - 2)
        return QSize(super().sizeHint().width(), self._column.totalHeightForWidth(width) + 2 * self.frameWidth())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def add_conflicts(self, conflicts: Sequence[Conflict]) -> None:
        """List these above those that still wait."""
        for number, conflict in enumerate(conflicts):
            card = ConflictCard(conflict, number + 1, len(conflicts), self._inside)
            card.chosen.connect(lambda side, card=card: self._on_chosen(card, side))
            self._column.insertWidget(number, card)
            self.cards.insert(number, card)
        self.setVisible(bool(self.cards))
        if conflicts:
            self.verticalScrollBar().setValue(0)

    def clear(self) -> None:
        """Nothing is left to settle."""
        for card in list(self.cards):
            self._remove(card)
        self.hide()

    def _on_chosen(self, card: ConflictCard, side: str) -> None:
        self._remove(card)
        self.chosen.emit(card.conflict, side)
        if self.cards:
            self.cards[0].setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.hide()
            self.emptied.emit()

    def _remove(self, card: ConflictCard) -> None:
        self.cards.remove(card)
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()


class ConflictCard(QFrame):
    """Both sides of one conflict, and a button for each way to settle it."""

    chosen = Signal(str)

    def __init__(self, conflict: Conflict, number: int, total: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.conflict = conflict
        set_role(self, role="card")
        self._sides = [self._side(conflict.ours), self._side(conflict.theirs)]
        column = QVBoxLayout(self)
        column.setContentsMargins(7, 8, 12, 8)
        column.setSpacing(4)
        texts = QVBoxLayout()
        # A link's words begin 5 px within it: the texts stand above them.
        texts.setContentsMargins(5, 0, 0, 0)
        texts.setSpacing(4)
        column.addLayout(texts)
        names = (self.tr("Yours, kept in the text"), self.tr("Theirs"))
        place = self.tr("{number} of {total}").format(number=number, total=total) if total > 1 else ""
        for name, side in zip(names, self._sides, strict=True):
            texts.addWidget(_caption(f"{name} · {place}" if place and side is self._sides[0] else name, self))
            texts.addWidget(side)
        column.addLayout(self._buttons())
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    def _side(self, text: str) -> QLabel:
        words = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        label = QLabel(words or self.tr("(deleted)"), self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        row.setContentsMargins(0, 0, 0, 0)
        words = (self.tr("Keep mine"), self.tr("Take theirs"), self.tr("Both"))
        for side, name in zip(get_args(Side), words, strict=True):
            button = QPushButton(name, self)
            set_role(button, kind="link")
            button.clicked.connect(lambda _checked=False, side=side: self.chosen.emit(side))
            row.addWidget(button)
            if side == "mine":
                self.setFocusProxy(button)
        row.addStretch(1)
        return row

    def _restyle(self) -> None:
        for side in self._sides:
            side.setFont(Theme.current().font("code"))


def _caption(words: str, parent: QWidget) -> QLabel:
    label = QLabel(words, parent)
    set_role(label, role="caption")
    return label
