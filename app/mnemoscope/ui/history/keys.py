"""What the keys do among history entries: walk, unfold, follow, copy."""

from __future__ import annotations

from typing import Final, Protocol

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence

from mnemoscope.ui.history.model import HistoryModel

_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_ENTER: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class Walked(Protocol):
    """The list that is walked."""

    model: HistoryModel
    current: int | None
    left: SignalInstance

    def step(self, rows: int) -> None:
        """Go some cards on or back."""

    def choose(self, row: int | None, *, reveal: bool = True) -> None:
        """Make a card the current one."""

    def rows_a_page(self) -> int:
        """How many cards are in sight."""

    def fold(self, row: int) -> None:
        """Show all of an entry, or its first lines."""

    def show_messages(self, row: int) -> bool:
        """Ask for the messages an entry was made from."""


def press(view: Walked, event: QKeyEvent) -> bool:
    """Do what a key asks; False where it asks for nothing here."""
    key, modifiers = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if event.matches(QKeySequence.StandardKey.Copy):
        return copy_entry(view)
    if modifiers == Qt.KeyboardModifier.ControlModifier and key in _ENTER and view.current is not None:
        return view.show_messages(view.current)
    if modifiers:
        return False
    return _walk(view, key) or _act(view, key)


def copy_entry(view: Walked) -> bool:
    """Put the current entry on the clipboard as it is in the log."""
    if view.current is None:
        return False
    QGuiApplication.clipboard().setText(view.model.matches[view.current].entry.text)
    return True


def _walk(view: Walked, key: Qt.Key) -> bool:
    if key in _STEPS:
        at_top = key == Qt.Key.Key_Up and view.current in (0, None)
        at_end = key == Qt.Key.Key_Down and view.current == len(view.model.matches) - 1
        if at_top:
            view.left.emit()
        elif not at_end:
            view.step(_STEPS[key])
        return True
    if key in {Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}:
        rows = max(2, view.rows_a_page())
        view.step(rows if key == Qt.Key.Key_PageDown else -rows)
        return True
    if key in {Qt.Key.Key_Home, Qt.Key.Key_End}:
        view.choose(0 if key == Qt.Key.Key_Home else len(view.model.matches) - 1)
        return True
    return False


def _act(view: Walked, key: Qt.Key) -> bool:
    if view.current is not None and (key in _ENTER or key == Qt.Key.Key_Space):
        view.fold(view.current)
        return True
    return False
