"""The quiet line under a draft that says what of it was put in, and lets the person say that it is theirs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from mnemoscope.domain.conversation.origin import FILE, PASTE
from mnemoscope.ui.chat.composer.pasted_ranges import PastedRanges
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.theme import set_role


class PastedChip(QWidget):
    """Hidden while all that is typed is the person's own."""

    def __init__(self, marks: PastedRanges, parent: QWidget) -> None:
        super().__init__(parent)
        self._marks = marks
        self._chip = QLabel(self)
        self._chip.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self._chip, role="chip")
        self._meaning = ElidedLabel(self)
        set_role(self._meaning, role="caption")
        self.setToolTip(self.tr("What is said only there is shown to you before it is written to memory."))
        self.release_button = QPushButton(self)
        self.release_button.setCursor(Qt.CursorShape.ArrowCursor)
        set_role(self.release_button, kind="link")
        self.release_button.clicked.connect(marks.release)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._chip)
        row.addWidget(self._meaning, 1)
        row.addWidget(self.release_button)
        marks.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        passages = self._marks.passages
        one = self._marks.at_cursor
        self._chip.setText(self._origins({origin for _, _, origin in ([one] if one else passages)}))
        self._meaning.setText(self.tr("not taken for your own words"))
        self.release_button.setText(self.tr("This is my own") if one else self.tr("These are my words"))
        self.setVisible(bool(passages))

    def _origins(self, origins: set[str]) -> str:
        if origins == {FILE}:
            return self.tr("from a file")
        return self.tr("pasted") if origins == {PASTE} else self.tr("pasted, from a file")
