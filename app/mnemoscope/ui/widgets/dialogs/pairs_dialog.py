"""A dialog to read in: words on the left, what they mean on the right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.theme import set_role

_LEAST: Final = 320
_BESIDE: Final = 96
"""Pixels of the window that are left above and below together."""


class PairsDialog(Dialog):
    """Lists pairs of words; a list longer than the dialog scrolls."""

    def __init__(self, title: str, heading: str, pairs: Iterable[tuple[str, str]], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        lead = QLabel(heading, self)
        set_role(lead, role="lead")
        holder = QWidget(self)
        table = QGridLayout(holder)
        # The ring of focus around what scrolls keeps clear of the words.
        table.setContentsMargins(8, 8, 12, 8)
        table.setHorizontalSpacing(24)
        table.setVerticalSpacing(8)
        table.setColumnStretch(1, 1)
        for row, (words, meaning) in enumerate(pairs):
            table.addWidget(self._label(words, "heading", holder), row, 0, Qt.AlignmentFlag.AlignTop)
            said = self._label(meaning, "muted", holder, wrapped=True)
            said.setAlignment(Qt.AlignmentFlag.AlignTop)
            table.addWidget(said, row, 1)
        area = QScrollArea(self)
        area.setFrameShape(QFrame.Shape.NoFrame)
        set_role(area, role="read")
        area.setAccessibleName(heading)
        area.setWidgetResizable(True)
        area.setWidget(holder)
        close = self.closing_buttons()
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(16)
        column.addWidget(lead)
        column.addWidget(area, 1)
        column.addWidget(close)
        self.setMinimumWidth(480)
        wanted = holder.sizeHint().height() + lead.sizeHint().height() + close.sizeHint().height() + 88
        # A long list scrolls: the window stays in sight above and below.
        self.resize(620, max(_LEAST, min(wanted, parent.window().height() - _BESIDE)))

    def _label(self, words: str, role: str, parent: QWidget, *, wrapped: bool = False) -> QLabel:
        label = QLabel(words, parent)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(wrapped)
        set_role(label, role=role)
        return label
