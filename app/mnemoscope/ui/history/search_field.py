"""The history's search field: what is typed, with its switches inside."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QWidget

from mnemoscope.ui.history.labels import tr
from mnemoscope.ui.widgets.theme import CONTROL_HEIGHT, Theme, set_role, theme_notifier

_BUTTON: Final = 26
_EDGE: Final = 4


class HistoryField(QLineEdit):
    """`.*` for regular expressions, `Aa` for case, a cross to clear. Enter goes on, Down goes to the entries."""

    changed = Signal()
    """The field may ask for something else now."""
    step_requested = Signal(int)
    entries_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(tr("Search history"))
        self.setAccessibleName(tr("Search history"))
        self.clear_button = self._button(tr("Clear the search (Esc)"), "")
        self.regex_button = self._button(tr("Regular expression"), ".*")
        self.case_button = self._button(tr("Match case"), "Aa")
        self._lay_out()
        self.textChanged.connect(self._on_changed)
        for button in (self.regex_button, self.case_button):
            button.setCheckable(True)
            button.toggled.connect(self.changed)
        self.clear_button.clicked.connect(self.clear)
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, back = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step_requested.emit(-1 if back else 1)
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown):
            self.entries_requested.emit()
        elif key == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        # Esc is the window's; while there is something to clear it is the field's.
        wanted = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and bool(self.text())
        if wanted and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _button(self, name: str, text: str) -> QToolButton:
        button = QToolButton(self)
        set_role(button, kind="tight")
        button.setText(text)
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setCursor(Qt.CursorShape.ArrowCursor)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, _EDGE, 0)
        row.setSpacing(2)
        row.addStretch(1)
        for button in (self.clear_button, self.regex_button, self.case_button):
            row.addWidget(button)
        self.clear_button.hide()

    def _make_room(self) -> None:
        buttons = (self.clear_button, self.regex_button, self.case_button)
        # The cross has its room always, so that the words do not jump when it comes.
        self.setTextMargins(0, 0, sum(button.width() + 2 for button in buttons) - 4, 0)

    def _on_changed(self, text: str) -> None:
        self.clear_button.setVisible(bool(text))
        self.changed.emit()

    def _restyle(self) -> None:
        theme = Theme.current()
        side = theme.height(_BUTTON)
        self.setMinimumHeight(theme.height(CONTROL_HEIGHT))
        self.clear_button.setIcon(theme.icon("x", "text_muted"))
        self.clear_button.setIconSize(QSize(theme.scaled(14), theme.scaled(14)))
        for button in (self.clear_button, self.regex_button, self.case_button):
            button.setFont(theme.font("caption"))
            button.setFixedSize(side, side)
        self._make_room()
