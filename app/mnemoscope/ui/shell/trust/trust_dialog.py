"""Shows where words go in full, and what waits for a yes: addresses, settings, instructions to the letter."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.domain.settings import Settings
from mnemoscope.domain.trust import TrustState
from mnemoscope.ui.shell.trust.trust_words import changed_term_words, stay_words, whole_words
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.text.plain_text import plain_box, plain_label
from mnemoscope.ui.widgets.theme import Theme, set_role

_WIDTH = 620
_SHOWN = 200_000
"""Characters of one file of instructions that are shown; far more than a model is sent of it."""


class TrustDialog(Dialog):
    """Is shown with `open()`; `agreed` and `built_in_requested` come before it closes."""

    agreed = Signal(str)
    """The person agrees to what was shown, by its fingerprint."""
    built_in_requested = Signal()

    def __init__(
        self,
        settings: Settings,
        state: TrustState,
        texts: Mapping[str, str],
        *,
        may_change: bool,
        changed: str = "",
        parent: QWidget,
    ) -> None:
        """`changed`: a sentence on what changed since this was asked for."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Where words go"))
        self._state, self._texts = state, texts
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(plain_label(self, "lead", self.tr("Where words go")))
        if changed:
            column.addWidget(plain_label(self, "heading", changed))
        column.addWidget(plain_label(self, words=whole_words(settings, waits=state.is_waiting)))
        if state.is_waiting:
            column.addWidget(plain_label(self, "heading", self.tr("Not agreed to yet")))
            column.addLayout(self._changes())
        if texts:
            column.addLayout(self._instructions(), 1)
        column.addLayout(self._buttons(may_change))
        self.resize(Theme.current().scaled(_WIDTH), self.sizeHint().height())

    def _changes(self) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(4)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        rows = [
            (plain_label(self, "muted", about), plain_label(self, words=words))
            for about, words in map(changed_term_words, self._state.changes)
        ]
        # A label that wraps asks for less than its words take in one line.
        widest = max((name.fontMetrics().horizontalAdvance(name.text()) for name, _ in rows), default=0)
        for name, said in rows:
            name.setMinimumWidth(min(widest + 2, Theme.current().scaled(_WIDTH) // 2))
            for label in (name, said):
                label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            form.addRow(name, said)
        return form

    def _instructions(self) -> QHBoxLayout:
        """Returns the files of instructions with the text of the one that is chosen, as a model would be sent it."""
        files = QListWidget(self)
        files.setAccessibleName(self.tr("Instructions"))
        files.addItems(list(self._texts))
        files.setMaximumWidth(Theme.current().scaled(200))
        self._text = plain_box(self, self.tr("What it says"))
        set_role(files, role="card")
        for box in (files, self._text):
            box.setMinimumHeight(Theme.current().scaled(140))
        files.currentTextChanged.connect(self._show_text)
        files.setCurrentRow(0)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(files)
        row.addWidget(self._text, 1)
        return row

    def _show_text(self, path: str) -> None:
        self._text.setPlainText(self._texts[path][:_SHOWN])

    def _buttons(self, may_change: bool) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        close = QPushButton(self.tr("Close"), self)
        close.clicked.connect(self.reject)
        row.addWidget(close)
        if self._state.is_waiting:
            if may_change:
                built_in = QPushButton(stay_words(self._state), self)
                built_in.clicked.connect(self.built_in_requested)
                built_in.clicked.connect(self.accept)
                row.addWidget(built_in)
            trust = QPushButton(self.tr("Trust this folder"), self)
            trust.clicked.connect(lambda: self.agreed.emit(self._state.fingerprint))
            trust.clicked.connect(self.accept)
            trust.setAutoDefault(False)
            row.addWidget(trust)
        # Enter agrees to nothing.
        close.setDefault(True)
        close.setFocus()
        return row
