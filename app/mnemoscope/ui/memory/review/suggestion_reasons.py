"""Why a suggestion waits: the first reasons at once, all of them on request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from mnemoscope.ui.widgets.elided_label import ClampedLabel
from mnemoscope.ui.widgets.theme import LINK_INSET, line_height, set_role

SHOWN: Final = 3
_WRAPPED: Final = 3
"""Lines one reason may take."""
_LINES: Final = 9
"""Lines of the list of all reasons; a longer one is scrolled."""


class SuggestionReasons(QWidget):
    """Three of them, each wrapped into a few lines, and a link to the whole list."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reasons: tuple[str, ...] = ()
        self._lines = [ClampedLabel(self, _WRAPPED) for _ in range(SHOWN)]
        self.whole = QLabel(self)
        self.whole.setTextFormat(Qt.TextFormat.PlainText)
        self.whole.setWordWrap(True)
        self.whole.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.list = QScrollArea(self)
        self.list.setWidgetResizable(True)
        self.list.setAccessibleName(self.tr("All reasons"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setWidget(self.whole)
        self.more_button = QPushButton(self)
        set_role(self.more_button, kind="link")
        self.more_button.setAccessibleName(self.tr("Show all reasons"))
        self.more_button.setCheckable(True)
        self.more_button.toggled.connect(self._refresh)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        words = QVBoxLayout()
        words.setContentsMargins(LINK_INSET, 0, 0, 0)
        words.setSpacing(2)
        for line in self._lines:
            words.addWidget(line)
        words.addWidget(self.list)
        column.addLayout(words)
        below = QHBoxLayout()
        below.setContentsMargins(0, 0, 0, 0)
        below.addWidget(self.more_button)
        below.addStretch(1)
        column.addLayout(below)

    def show_reasons(self, reasons: Sequence[str]) -> None:
        """Show the first of these; the list is folded where they are others than before."""
        if tuple(reasons) != self._reasons:
            self._reasons = tuple(reasons)
            self.more_button.setChecked(False)
        self._refresh()

    def _refresh(self) -> None:
        unfolded = self.more_button.isChecked()
        for number, line in enumerate(self._lines):
            there = number < len(self._reasons)
            line.setText(f"• {self._reasons[number]}" if there else "")
            line.setVisible(there and not unfolded)
        self.whole.setText("\n".join(f"• {reason}" for reason in self._reasons) if unfolded else "")
        self.list.setFixedHeight(_LINES * line_height())
        self.list.setVisible(unfolded)
        rest = len(self._reasons) - SHOWN
        self.more_button.setText(self.tr("Show fewer") if unfolded else self.tr("and {count} more").format(count=rest))
        self.more_button.setVisible(rest > 0)
        self.setVisible(bool(self._reasons))
