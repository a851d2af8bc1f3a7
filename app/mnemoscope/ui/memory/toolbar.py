"""The row above the memory text: whether it is saved, and what can be done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_ROOMY: Final = 470
"""From this width on undo, redo and find have buttons of their own; below they are in the menu."""
VIEWS: Final = ("source", "both", "preview")
_WORTH_ELIDING: Final = 70
_SIDE: Final = 32
_VIEW_ICONS: Final = ("pencil", "columns-2", "eye")


class MemoryToolbar(QWidget):
    """Says what was pressed; `view_chosen` with one of VIEWS."""

    save_pressed = Signal()
    undo_pressed = Signal()
    redo_pressed = Signal()
    find_pressed = Signal()
    replace_pressed = Signal()
    view_chosen = Signal(str)
    blame_toggled = Signal(bool)
    """The authors of the lines are to be shown (True), or not (False)."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = ""
        self._row = QHBoxLayout(self)
        self.state_label = QLabel(self)
        self.state_label.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self.state_label, role="caption")
        # A state of a few words more must not widen the pane.
        self.state_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.save_button = QPushButton(self.tr("Save"), self)
        set_role(self.save_button, kind="primary")
        self.save_button.setToolTip(self.tr("Save {name} (Ctrl+S)").format(name=name))
        self.save_button.setAccessibleName(self.tr("Save {name}").format(name=name))
        self.save_button.clicked.connect(self.save_pressed)
        self.views = self._make_views()
        self.undo_button = self._tool("undo-2", self.tr("Undo (Ctrl+Z)"), self.undo_pressed.emit)
        self.redo_button = self._tool("redo-2", self.tr("Redo (Ctrl+Shift+Z)"), self.redo_pressed.emit)
        self.find_button = self._tool("search", self.tr("Find (Ctrl+F)"), self.find_pressed.emit)
        self.blame_button = self._tool("user", self.tr("Who wrote each line"), None)
        self.blame_button.setCheckable(True)
        self.blame_button.clicked.connect(self.blame_toggled)
        self.more_button = self._more()
        self._lay_out()
        theme_notifier().changed.connect(self._fit)
        self._fit()
        self.show_state("", unsaved=False)

    def show_state(self, words: str, *, unsaved: bool) -> None:
        """Says how things stand; `unsaved` shows the dirty mark and lets save."""
        self._state = f"● {words}" if unsaved else words
        self._elide_state()
        self.state_label.setAccessibleName(words)
        self.state_label.setToolTip(words)
        self.save_button.setEnabled(unsaved)

    def set_view(self, view: str) -> None:
        """Presses the button of a view without asking for it."""
        self.views.button(VIEWS.index(view)).setChecked(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Hides the buttons that the menu has too where there is no room for them."""
        theme, width = Theme.current(), self.width()
        roomy = width >= theme.scaled(_ROOMY)
        for button in (self.undo_button, self.redo_button, self.find_button):
            button.setVisible(roomy)
        self.more_button.setVisible(not roomy)
        self._row.activate()
        self._elide_state()

    def _elide_state(self) -> None:
        room, metrics = self.state_label.width(), self.state_label.fontMetrics()
        if metrics.horizontalAdvance(self._state) > room and (self._state.startswith("●") or room < _WORTH_ELIDING):
            self.state_label.setText(self._state[:1] if self._state.startswith("●") else "")
        else:
            self.state_label.setText(metrics.elidedText(self._state, Qt.TextElideMode.ElideRight, room))

    def _make_views(self) -> QButtonGroup:
        group = QButtonGroup(self)
        names = (self.tr("Source"), self.tr("Source and preview"), self.tr("Preview"))
        for number, (icon, name) in enumerate(zip(_VIEW_ICONS, names, strict=True)):
            button = self._tool(icon, name, None)
            button.setCheckable(True)
            group.addButton(button, number)
        group.idClicked.connect(lambda number: self.view_chosen.emit(VIEWS[number]))
        return group

    def _tool(self, icon: str, name: str, handler: Callable[[], None] | None) -> QToolButton:
        button = square_tool(self, name, _SIDE, 18, icon)
        if handler is not None:
            button.clicked.connect(lambda _checked=False: handler())
        return button

    def _more(self) -> QToolButton:
        button = self._tool("ellipsis", self.tr("More"), None)
        menu = QMenu(button)
        for words, keys, signal in (
            (self.tr("Undo"), QKeySequence.StandardKey.Undo, self.undo_pressed),
            (self.tr("Redo"), QKeySequence.StandardKey.Redo, self.redo_pressed),
            (self.tr("Find…"), QKeySequence.StandardKey.Find, self.find_pressed),
            (self.tr("Replace…"), QKeySequence("Ctrl+H"), self.replace_pressed),
        ):
            label = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
            # Only shown: the editor and the pane hold the shortcuts themselves.
            menu.addAction(f"{words}\t{label}", signal.emit)
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button

    def _lay_out(self) -> None:
        row = self._row
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.state_label, 1)
        for button in (self.undo_button, self.redo_button, self.find_button):
            row.addWidget(button)
        row.addSpacing(4)
        row.addWidget(self.blame_button)
        for number in range(len(VIEWS)):
            row.addWidget(self.views.button(number))
        row.addWidget(self.more_button)
        row.addSpacing(6)
        row.addWidget(self.save_button)
