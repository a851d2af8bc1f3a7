"""What the keys do in the timeline: walk, fold, show, copy."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence

from mnemoscope.domain.timeline.rows import Row, RowKind
from mnemoscope.ui.timeline.sentences import row_copy
from mnemoscope.ui.timeline.timeline_model import TimelineModel


class Walked(Protocol):
    """The list that is walked."""

    model: TimelineModel
    current: Row | None

    def rows_a_page(self) -> int:
        """How many rows are in sight."""

    def go_to(self, row: Row) -> None:
        """Make a row the current one and bring it into sight."""

    def activate(self, row: Row) -> None:
        """Show what a row stands for."""


_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


def press(view: Walked, event: QKeyEvent) -> bool:
    """Do what a key asks; False where it asks for nothing here."""
    key = Qt.Key(event.key())
    if event.matches(QKeySequence.StandardKey.Copy):
        return _copy(view)
    if event.modifiers() & (Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier):
        return False
    if key in _STEPS:
        return _walk(view, _STEPS[key])
    if key in {Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}:
        return _walk(view, view.rows_a_page() * (1 if key == Qt.Key.Key_PageDown else -1))
    if key in {Qt.Key.Key_Home, Qt.Key.Key_End}:
        return _jump(view, 0 if key == Qt.Key.Key_Home else view.model.stack.rows - 1)
    if view.current is None:
        return False
    if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
        view.activate(view.current)
        return True
    return _fold(view, view.current, key)


def _copy(view: Walked) -> bool:
    if view.current is None:
        return False
    QGuiApplication.clipboard().setText(row_copy(view.model, view.current))
    return True


def _walk(view: Walked, rows: int) -> bool:
    stack = view.model.stack
    here = stack.place_of_row(view.current) if view.current else None
    return _jump(view, stack.rows - 1 if here is None else here + rows)


def _jump(view: Walked, place: int) -> bool:
    rows = view.model.stack.rows
    if rows:
        view.go_to(view.model.stack.row(min(max(place, 0), rows - 1)))
    return bool(rows)


def _fold(view: Walked, row: Row, key: Qt.Key) -> bool:
    model = view.model
    if row.kind is RowKind.ENTRY:
        if key == Qt.Key.Key_Space:
            model.folds.fold(row.number, folded=row.number in model.folds.unfolded)
        elif key == Qt.Key.Key_Right and row.number in model.folds.unfolded:
            return _walk(view, 1)
        elif key in {Qt.Key.Key_Left, Qt.Key.Key_Right}:
            model.folds.fold(row.number, folded=key == Qt.Key.Key_Left)
        return key in {Qt.Key.Key_Space, Qt.Key.Key_Left, Qt.Key.Key_Right}
    group = model.groups.holding(row.number) if row.kind is RowKind.MESSAGE and not model.filter.active else None
    if key == Qt.Key.Key_Left and group is not None:
        view.go_to(Row(RowKind.ENTRY, group))
        return True
    return False
