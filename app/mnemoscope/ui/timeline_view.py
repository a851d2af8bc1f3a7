"""The timeline as a list that paints only the rows in sight, as quick at 1,000,000 messages as at ten."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from mnemoscope.domain.timeline import Row, RowKind
from mnemoscope.ui.theme import theme_notifier
from mnemoscope.ui.timeline_accessible import announce_pointer, announce_row, announce_rows
from mnemoscope.ui.timeline_keys import press
from mnemoscope.ui.timeline_menu import row_menu
from mnemoscope.ui.timeline_model import TimelineModel
from mnemoscope.ui.timeline_scene import Attention, TimelineScene
from mnemoscope.ui.timeline_scroll import TimelineScroll
from mnemoscope.ui.timeline_sentences import row_tip
from mnemoscope.ui.timeline_slide import PointerSlide
from mnemoscope.ui.timeline_words import tr

_STEP: Final = 28
_EDGE: Final = 14


class TimelineView(QAbstractScrollArea):
    """Rows of a `TimelineModel`: seen, walked by keyboard, clicked."""

    message_activated = Signal(int)
    entry_activated = Signal(object)

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.current: Row | None = None
        self.slide = PointerSlide(self)
        self.scene = TimelineScene(model, self.slide)
        self.place = TimelineScroll(self, model, self.scene)
        self._hovered: Row | None = None
        self._pressed: Row | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Timeline"))
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.verticalScrollBar().setSingleStep(_STEP)
        self._restyle()
        theme_notifier().changed.connect(self._restyle)
        self.slide.moved.connect(self.viewport().update)
        self._listen()

    def _listen(self) -> None:
        model = self.model
        model.rearranging.connect(self.place.remember)
        model.replaced.connect(self._on_replaced)
        model.rearranged.connect(self._on_rearranged)
        model.matched.connect(self._on_rearranged)
        model.appended.connect(self._on_appended)
        model.pointer_moved.connect(self._on_pointer_moved)

    def go_to(self, row: Row) -> None:
        """Make a row the current one and bring it into sight."""
        self._choose(row)
        self.place.reveal(row)

    def go_to_pointer(self) -> None:
        """Bring the pointer into sight."""
        self.place.to_pointer()

    def go_to_newest(self) -> None:
        """Scroll to the end and follow new messages again."""
        self.place.to_end()

    def select_message(self, index: int) -> None:
        """Make a message the current row and bring it into sight, its group unfolded."""
        group = self.model.groups.holding(index)
        if group is not None and not self.model.filter.active:
            self.model.fold(group, folded=False)
        row = Row(RowKind.MESSAGE, index)
        if self.model.stack.place_of_row(row) is not None:
            self.go_to(row)

    def activate(self, row: Row) -> None:
        """Show what a row stands for: a message in the chat, an entry in the history."""
        if row.kind is RowKind.MESSAGE:
            self.message_activated.emit(row.number)
        elif row.kind is RowKind.ENTRY:
            self.entry_activated.emit(self.model.groups.records[row.number])
        elif row.kind is RowKind.POINTER:
            self.go_to_pointer()

    def rows_a_page(self) -> int:
        """How many rows are in sight, one kept in view."""
        return max(1, self.viewport().height() // self.scene.rows.message_height - 1)

    def row_at(self, y: int) -> tuple[Row, QRect] | None:
        """The row under a height of the viewport and where it is drawn."""
        for _, row, rect in self.scene.in_sight(self.place.top):
            if rect.top() <= y <= rect.bottom():
                return row, rect
        return None

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        focused = self.hasFocus() and self.focusPolicy() != Qt.FocusPolicy.NoFocus
        self.scene.paint(painter, self.place.top, Attention(self.current, self._hovered, focused))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        with self.place.kept():
            edge = max(4, _EDGE - self.width() + self.viewport().width())
            if self.scene.resize(self.viewport().size(), edge):
                self.model.measure_by(self.scene.measures)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        moved = event.pixelDelta().y()
        if moved and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.verticalScrollBar().setValue(self.place.top - moved)
            event.accept()
        else:
            super().wheelEvent(event)
        self.place.moved_by_hand()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if press(self, event):
            event.accept()
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            found = self.row_at(event.pos().y())
            QToolTip.showText(event.globalPos(), row_tip(self.model, found[0]) if found else "", self.viewport())
            return True
        if event.type() == QEvent.Type.Leave:
            self._hover(None)
        return super().viewportEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(event.position().toPoint())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            found = None if self._on_pin(event.position().toPoint()) else self.row_at(int(event.position().y()))
            self._pressed = found[0] if found else None
            if self._pressed is not None and self._pressed.kind is not RowKind.KEPT:
                self._choose(self._pressed)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self._on_pin(event.position().toPoint()):
            self.go_to_pointer()
            return
        found = self.row_at(int(event.position().y()))
        if found and found[0] == self._pressed:
            self._clicked(found[0])

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        row = self.current
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            found = self.row_at(event.pos().y())
            row = found[0] if found else None
        if row is not None:
            self._choose(row)
            row_menu(self, row).popup(event.globalPos())

    def _clicked(self, row: Row) -> None:
        if row.kind is RowKind.ENTRY:
            with self.place.kept(row):
                self.model.fold(row.number, folded=row.number in self.model.unfolded)
        elif row.kind is RowKind.MESSAGE:
            self.activate(row)

    def _choose(self, row: Row) -> None:
        if row != self.current:
            self.current = row
            self.viewport().update()
            announce_row(self, row)

    def _hover(self, point: QPoint | None) -> None:
        on_pin = point is not None and self._on_pin(point)
        found = self.row_at(point.y()) if point is not None and not on_pin else None
        row = found[0] if found else None
        if row != self._hovered:
            self._hovered = row
            self.viewport().update()
        hand = on_pin or (row is not None and row.kind in {RowKind.MESSAGE, RowKind.ENTRY})
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)

    def _on_pin(self, point: QPoint) -> bool:
        pin = self.scene.pinned(self.place.top)
        return pin is not None and pin[0].contains(point)

    def _restyle(self) -> None:
        self.scene.restyle()
        self.model.measure_by(self.scene.measures)
        self.viewport().update()

    def _on_replaced(self) -> None:
        self.slide.end()
        self.current = self._hovered = None
        self.place.begin()
        announce_rows(self)
        self.viewport().update()

    def _on_rearranged(self) -> None:
        self.place.restore()
        if self.current is not None and self.model.stack.place_of_row(self.current) is None:
            self._find_current(self.current)
        announce_rows(self)
        self.viewport().update()

    def _find_current(self, lost: Row) -> None:
        place = self.model.place_of(lost.number) if lost.kind is RowKind.MESSAGE else None
        self.current = None if place is None else self.model.stack.row(place)

    def _on_appended(self) -> None:
        self.place.grown()
        self.viewport().update()

    def _on_pointer_moved(self, start: int, stop: int) -> None:
        if self.place.follows:
            self.place.to_pointer()
        self.slide.run(start, stop)
        announce_pointer(self)
