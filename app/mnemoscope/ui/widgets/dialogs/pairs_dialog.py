"""A dialog to read in: words on the left, what they mean on the right."""

from __future__ import annotations

from collections.abc import Iterable

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
        table.setContentsMargins(0, 0, 12, 0)
        table.setHorizontalSpacing(24)
        table.setVerticalSpacing(8)
        table.setColumnStretch(1, 1)
        for row, (words, meaning) in enumerate(pairs):
            table.addWidget(self._label(words, "heading", holder), row, 0, Qt.AlignmentFlag.AlignTop)
            table.addWidget(self._label(meaning, "muted", holder, wrapped=True), row, 1)
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
        self.resize(620, wanted)

    def _label(self, words: str, role: str, parent: QWidget, *, wrapped: bool = False) -> QLabel:
        label = QLabel(words, parent)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(wrapped)
        set_role(label, role=role)
        return label
