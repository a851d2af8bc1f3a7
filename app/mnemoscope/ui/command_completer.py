"""The list of slash commands that appears while one is being typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from mnemoscope.ui.theme import set_role

Command = tuple[str, str, str]
"""Name with its slash, usage, help."""
ROWS: Final = 8


class CommandCompleter(QFrame):
    """A list over the window that never takes the focus: the text edit it serves hands it the keys.

    No window of its own: some desktops place those where they like.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        set_role(self, role="sheet")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._commands: list[Command] = []
        self._list = QListWidget(self)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setAccessibleName(self.tr("Commands"))
        self._list.itemClicked.connect(lambda item: self.chosen.emit(str(item.data(Qt.ItemDataRole.UserRole))))
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.addWidget(self._list)
        self.hide()

    def set_commands(self, commands: Sequence[Command]) -> None:
        """The commands there are."""
        self._commands = list(commands)

    @property
    def current(self) -> str:
        """The name of the marked command, or ""."""
        item = self._list.currentItem()
        return str(item.data(Qt.ItemDataRole.UserRole)) if item and self.isVisible() else ""

    def complete(self, typed: str, above: QWidget) -> None:
        """Offer what begins with `typed` in a list above a widget; hides where nothing does."""
        found = [command for command in self._commands if command[0].startswith(typed.lower())]
        if not typed.startswith("/") or not found or [command[0] for command in found] == [typed]:
            self.hide()
            return
        self._fill(found)
        self._place(above, len(found))
        self.show()

    def _fill(self, found: Sequence[Command]) -> None:
        self._list.clear()
        for name, usage, words in found:
            item = QListWidgetItem(f"{usage or name}   {words}")
            item.setData(Qt.ItemDataRole.UserRole, name)
            self._list.addItem(item)
        self._list.setCurrentRow(0)

    def _place(self, above: QWidget, count: int) -> None:
        window = above.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        row = max(self._list.sizeHintForRow(0), 28)
        corner = above.mapTo(window, QPoint(0, 0))
        height = min(row * min(count, ROWS) + 12, max(corner.y() - 8, row + 12))
        self.setGeometry(corner.x(), corner.y() - height - 4, above.width(), height)
        self.raise_()

    def step(self, by: int) -> None:
        """Mark the next or the previous command."""
        self._list.setCurrentRow((self._list.currentRow() + by) % max(self._list.count(), 1))
