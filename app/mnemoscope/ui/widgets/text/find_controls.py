"""The fields and buttons of the find bar."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QToolButton, QWidget

from mnemoscope.ui.widgets.accessibility.escape_key import leave_at_escape
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.text.search import Query
from mnemoscope.ui.widgets.theme import set_role

_ROOMY: Final = 420
"""From this width on everything about finding fits into one row."""


class FindControls(QFrame):
    """Says what is pressed; knows nothing of the text."""

    step_pressed = Signal(int)
    """The match that is so many further is to be shown: 1, or -1 for the one before."""
    replace_pressed = Signal()
    replace_all_pressed = Signal()
    close_pressed = Signal()
    options_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        leave_at_escape(self, self.close_pressed.emit)
        set_role(self, role="card")
        self.find_field = self._field(self.tr("Find"))
        self.replace_field = self._field(self.tr("Replace with"))
        self.case_button = self._toggle("case-sensitive", self.tr("Match case"))
        self.word_button = self._toggle("whole-word", self.tr("Whole words"))
        self.expression_button = self._toggle("regex", self.tr("Regular expression"))
        self.count_label = QLabel(self)
        self.message = QLabel(self)
        self.replace_row = QWidget(self)
        self._tools = QWidget(self)
        self._grid = QGridLayout(self)
        self._lay_out()

    def show_sentence(self, sentence: str, *, problem: bool = True) -> None:
        """Shows a sentence below the fields; nothing for none."""
        self.message.setText(sentence)
        self.message.setProperty("problem", problem)
        self.message.setVisible(bool(sentence))

    def set_tight(self, is_tight: bool) -> None:
        """Takes as little height as its rows need, or keeps them apart from its edge and from each other."""
        above = 4 if is_tight else 8
        self._grid.setContentsMargins(8, above, 8, above)
        self._grid.setVerticalSpacing(4 if is_tight else 6)

    def _field(self, name: str) -> QLineEdit:
        field = QLineEdit(self)
        field.setPlaceholderText(name)
        field.setAccessibleName(name)
        field.setMinimumWidth(80)
        field.installEventFilter(self)
        return field

    def _tool(self, icon: str, name: str) -> QToolButton:
        return square_tool(self, name, 28, 16, icon)

    def _toggle(self, icon: str, name: str) -> QToolButton:
        button = self._tool(icon, name)
        button.setCheckable(True)
        button.toggled.connect(lambda _checked: self.options_changed.emit())
        return button

    def _lay_out(self) -> None:
        set_role(self.count_label, role="caption")
        set_role(self.message, role="caption")
        self.message.setWordWrap(True)
        self.message.setTextFormat(Qt.TextFormat.PlainText)
        self.message.hide()
        close = self._tool("x", self.tr("Close find (Esc)"))
        close.clicked.connect(lambda _checked=False: self.close_pressed.emit())
        self._grid.setContentsMargins(8, 8, 8, 8)
        self._grid.setSpacing(6)
        self._grid.setColumnStretch(0, 1)
        self._grid.addWidget(self.find_field, 0, 0)
        # In the order of Tab: from what is found to what takes its place, then to how it is looked for.
        self._grid.addWidget(self.replace_row, 2, 0, 1, 3)
        self._grid.addWidget(self._tools, 0, 1)
        self._grid.addWidget(close, 0, 2)
        self._grid.addWidget(self.message, 3, 0, 1, 3)
        self._fill_tools()
        self._fill_replace_row()

    def _fill_tools(self) -> None:
        previous = self._tool("chevron-up", self.tr("Previous match (Shift+Enter)"))
        following = self._tool("chevron-down", self.tr("Next match (Enter)"))
        previous.clicked.connect(lambda _checked=False: self.step_pressed.emit(-1))
        following.clicked.connect(lambda _checked=False: self.step_pressed.emit(1))
        row = QHBoxLayout(self._tools)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for button in (self.case_button, self.word_button, self.expression_button):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.count_label)
        row.addSpacing(4)
        for button in (previous, following):
            row.addWidget(button)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        roomy = event.size().width() >= _ROOMY
        self._grid.addWidget(self._tools, *((0, 1) if roomy else (1, 0, 1, 3)))

    def _fill_replace_row(self) -> None:
        row = QHBoxLayout(self.replace_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.replace_field, 1)
        for words, signal in (
            (self.tr("Replace"), self.replace_pressed),
            (self.tr("Replace all"), self.replace_all_pressed),
        ):
            button = QPushButton(words, self.replace_row)
            button.clicked.connect(lambda _checked=False, signal=signal: signal.emit())
            row.addWidget(button)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Does what a field is for when Enter is pressed in it."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        keys = REPLACE_KEYS if watched is self.replace_field else FIND_KEYS
        return keys.press(self, event)

    def query(self) -> Query:
        """Returns what the fields ask for."""
        return Query(
            self.find_field.text(),
            case=self.case_button.isChecked(),
            word=self.word_button.isChecked(),
            expression=self.expression_button.isChecked(),
        )


FIND_KEYS: Final[PartKeys[FindControls]] = PartKeys(
    "Find bar",
    PartKey("go to the next match", {"Enter": lambda bar: bar.step_pressed.emit(1)}),
    PartKey("go to the previous match", {"Shift+Enter": lambda bar: bar.step_pressed.emit(-1)}),
)
REPLACE_KEYS: Final[PartKeys[FindControls]] = PartKeys(
    "Find bar, the replace field",
    PartKey("replace this match", {"Enter": lambda bar: bar.replace_pressed.emit()}),
)
