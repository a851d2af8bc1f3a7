"""What the mouse does in the timeline: point, click, and follow the pinned pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QMouseEvent

from mnemoscope.domain.memory.records import ConsolidationRecord
from mnemoscope.domain.timeline.rows import Row, RowKind
from mnemoscope.ui.dream.entry_words import Link

if TYPE_CHECKING:
    from mnemoscope.ui.timeline.timeline_view import TimelineView


class TimelineMouse(QObject):
    """The row under the mouse and the one it was pressed on; hears what happens on the list's viewport."""

    def __init__(self, view: TimelineView) -> None:
        super().__init__(view)
        self._view = view
        self.hovered: Row | None = None
        self.followed = ""
        """The kind of the step that the mouse is over, in the entry under it."""
        self._pressed: Row | None = None
        view.viewport().setMouseTracking(True)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.point(None)
        if not isinstance(event, QMouseEvent):
            return super().eventFilter(watched, event)
        at = event.position().toPoint()
        if event.type() == QEvent.Type.MouseMove:
            self.point(at)
        elif event.button() == Qt.MouseButton.LeftButton:
            steps = {
                QEvent.Type.MouseButtonPress: self.press,
                QEvent.Type.MouseButtonRelease: self.release,
                QEvent.Type.MouseButtonDblClick: self.press_twice,
            }
            steps[event.type()](at)
        return False

    def point(self, at: QPoint | None) -> None:
        """The mouse is over a place of the viewport, or left it."""
        on_pin = at is not None and self._on_pin(at)
        row = self._row(at) if at is not None and not on_pin else None
        link = self._link(at) if row is not None and at is not None else None
        followed = link[0].kind if link else ""
        viewport = self._view.viewport()
        if (row, followed) != (self.hovered, self.followed):
            self.hovered, self.followed = row, followed
            viewport.update()
        hand = on_pin or (row is not None and row.kind in {RowKind.MESSAGE, RowKind.ENTRY})
        viewport.setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)

    def press(self, at: QPoint) -> None:
        """The left button went down."""
        self._pressed = None if self._on_pin(at) else self._row(at)
        if self._pressed is not None and self._pressed.kind is not RowKind.KEPT:
            self._view.choose(self._pressed)

    def release(self, at: QPoint) -> None:
        """The left button came up: a click where it is still the same row."""
        if self._on_pin(at):
            self._view.place.to_pointer()
            return
        row = self._row(at)
        if row is None or row != self._pressed:
            return
        model = self._view.model
        if link := self._link(at):
            self._view.follow(*link)
        elif row.kind is RowKind.ENTRY:
            with self._view.place.kept(row):
                model.folds.fold(row.number, folded=row.number in model.folds.unfolded)
        elif row.kind is RowKind.MESSAGE:
            self._view.activate(row)

    def press_twice(self, at: QPoint) -> None:
        """The second of two quick clicks: an entry is shown in the history, and folded as it was before the first.

        On a word of a card it does nothing: Bring back stands where Undo stood.
        """
        self.press(at)
        if self._link(at):
            self._pressed = None
        if self._pressed is not None and self._pressed.kind is RowKind.ENTRY:
            self._view.activate(self._pressed)

    def forget(self) -> None:
        """The rows are others now."""
        self.hovered = self._pressed = None
        self.followed = ""

    def _row(self, at: QPoint) -> Row | None:
        found = self._view.row_at(at.y())
        return found[0] if found else None

    def _link(self, at: QPoint) -> tuple[Link, ConsolidationRecord] | None:
        return self._view.scene.link_at(self._view.place.top, at)

    def _on_pin(self, at: QPoint) -> bool:
        pin = self._view.scene.pinned(self._view.place.top)
        return pin is not None and pin[0].contains(at)
