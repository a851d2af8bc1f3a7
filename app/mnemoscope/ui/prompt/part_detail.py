"""The exact text of one part of a prompt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QTextCursor, QTextOption
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.ui.prompt.prompt_tree import PromptRow
from mnemoscope.ui.support.forget_menu import offer_forgetting
from mnemoscope.ui.widgets.accessibility.focus_ring import RING, RingedCard
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.text.offsets import Offsets
from mnemoscope.ui.widgets.theme import LINK_INSET, Theme, set_role, theme_notifier

AT_ONCE: Final = 100_000
"""Characters shown without asking."""
LEAST: Final = 32
"""Pixels that the parts and the text of one may shrink to."""
_EDGE: Final = 10
_UNBROKEN: Final = 10_000


class PartDetail(RingedCard):
    """Shows a card with a part's title, its text to read and select, and a button that copies all of it.

    `open_requested` carries the file, relative to the workspace, in which there is more of it.
    """

    open_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: PromptRow | None = None
        self._title = QLabel(self)
        set_role(self._title, role="caption")
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setMinimumHeight(LEAST)
        self.text.setUndoRedoEnabled(False)
        self.text.setTabChangesFocus(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.document().setDocumentMargin(_EDGE)
        self.text.setAccessibleName(self.tr("Exact text of this part"))
        self.bear_ring_of(self.text)
        offer_forgetting(self.text)
        self.copy_button = square_tool(self, self.tr("Copy this text"), 28, 16, "copy")
        self.copy_button.clicked.connect(self._copy)
        self.open_button = square_tool(self, self.tr("Open the whole text"), 28, 16, "external-link")
        self.open_button.clicked.connect(self._open)
        self.all_button = QPushButton(self)
        set_role(self.all_button, kind="link")
        self.all_button.clicked.connect(self._show_all)
        self._lay_out()
        theme_notifier().changed.connect(self._restyle)
        self._restyle()
        self.show_row(None)

    def show_row(self, row: PromptRow | None) -> None:
        """Shows this part's text; nothing for a group."""
        if row == self._row and row is not None:
            return
        self._row = row
        text = row.text if row and row.text else ""
        self._title.setText("" if row is None else " · ".join(part for part in (row.title, row.source) if part))
        self._fill(text[:AT_ONCE])
        self.all_button.setVisible(len(text) > AT_ONCE)
        self.all_button.setText(self.tr("Show all {count} characters").format(count=f"{len(text):,}"))
        self.copy_button.setEnabled(bool(text))
        self.open_button.setVisible(bool(row and row.file))

    def mark(self, spans: Iterable[tuple[int, int]], current: tuple[int, int] | None) -> None:
        """Shows found characters [start, stop) of the part; the current ones stand out and are brought into sight."""
        text = self._row.text or "" if self._row is not None else ""
        if current is not None and current[1] > AT_ONCE and self.all_button.isVisibleTo(self):
            self._show_all()
        offsets, theme = Offsets(text), Theme.current()
        marks = []
        for start, stop in spans:
            mark = QTextEdit.ExtraSelection()
            mark.cursor = QTextCursor(self.text.document())
            last = self.text.document().characterCount() - 1
            mark.cursor.setPosition(min(offsets.to_qt(start), last))
            mark.cursor.setPosition(min(offsets.to_qt(stop), last), QTextCursor.MoveMode.KeepAnchor)
            mark.format.setBackground(theme.color("accent" if (start, stop) == current else "mark"))
            mark.format.setForeground(theme.color("on_accent" if (start, stop) == current else "on_mark"))
            marks.append(mark)
            if (start, stop) == current:
                self.text.setTextCursor(_at_start_of(mark.cursor))
                self.text.ensureCursorVisible()
        self.text.setExtraSelections(marks)

    def _show_all(self) -> None:
        self.all_button.hide()
        if self._row is not None:
            self._fill(self._row.text or "")

    def _fill(self, text: str) -> None:
        anywhere = max(map(len, text.split("\n"))) > _UNBROKEN
        mode = QTextOption.WrapMode.WrapAnywhere if anywhere else QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
        self.text.setWordWrapMode(mode)
        self.text.setPlainText(text)

    def _copy(self) -> None:
        if self._row is not None and self._row.text:
            QGuiApplication.clipboard().setText(self._row.text)

    def _open(self) -> None:
        if self._row is not None:
            self.open_requested.emit(self._row.file)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(_EDGE, 4, 6, 4)
        head.addWidget(self._title, 1)
        head.addWidget(self.open_button)
        head.addWidget(self.copy_button)
        line = QFrame(self)
        set_role(line, role="line")
        column = QVBoxLayout(self)
        column.setContentsMargins(RING, RING, RING, 4)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(line)
        column.addWidget(self.text, 1)
        below = QHBoxLayout()
        below.setContentsMargins(_EDGE - LINK_INSET, 0, 0, 0)
        below.addWidget(self.all_button)
        below.addStretch(1)
        column.addLayout(below)

    def _restyle(self) -> None:
        self.text.setFont(Theme.current().font("code"))


def _at_start_of(chosen: QTextCursor) -> QTextCursor:
    caret = QTextCursor(chosen)
    caret.setPosition(chosen.selectionStart())
    return caret
