"""The timeline as a list that paints only the rows in sight, as quick at 1,000,000 messages as at ten."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from mnemoscope.domain.memory.records import ConsolidationRecord
from mnemoscope.domain.timeline.rows import Row, RowKind
from mnemoscope.ui.dream.entry_words import Link
from mnemoscope.ui.timeline.accessible import announce_pointer, announce_row
from mnemoscope.ui.timeline.keys import press
from mnemoscope.ui.timeline.mouse import TimelineMouse
from mnemoscope.ui.timeline.new_rows import NewRows
from mnemoscope.ui.timeline.pointer_slide import PointerSlide
from mnemoscope.ui.timeline.scene import Attention, TimelineScene
from mnemoscope.ui.timeline.scroll import TimelineScroll
from mnemoscope.ui.timeline.sentences import row_tip
from mnemoscope.ui.timeline.timeline_model import TimelineModel
from mnemoscope.ui.timeline.words import tr
from mnemoscope.ui.widgets.accessible_list import announce_order
from mnemoscope.ui.widgets.theme import theme_notifier
from mnemoscope.ui.widgets.viewport import know_viewport

_STEP: Final = 28
_EDGE: Final = 14


class TimelineView(QAbstractScrollArea):
    """Rows of a `TimelineModel`: seen, walked by keyboard, clicked."""

    message_activated = Signal(int)
    entry_activated = Signal(object)
    chain_followed = Signal(object, object)
    """A `Link` of the way of an entry, and its `ConsolidationRecord`."""
    undo_requested = Signal(object)
    redo_requested = Signal(object)
    """What the consolidation of a `ConsolidationRecord` wrote to memory is to be taken back, or brought back."""

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        know_viewport(self)
        self.model = model
        self.current: Row | None = None
        self.slide = PointerSlide(self)
        self.scene = TimelineScene(model, self.slide)
        self.place = TimelineScroll(self, model, self.scene)
        self._glide: tuple[int, int] | None = None
        self.mouse = TimelineMouse(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Timeline"))
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.verticalScrollBar().setSingleStep(_STEP)
        self._restyle()
        theme_notifier().changed.connect(self._restyle)
        self.slide.moved.connect(self._on_slid)
        self._listen()
        self.news = NewRows(self)

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
        self.choose(row)
        self.place.reveal(row)

    def select_message(self, index: int) -> None:
        """Make a message the current row and bring it into sight, its group unfolded."""
        group = self.model.groups.holding(index)
        if group is not None and not self.model.filter.active:
            self.model.folds.fold(group, folded=False)
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
            self.place.to_pointer()

    def follow(self, link: Link, record: ConsolidationRecord) -> None:
        """Do what a word in an entry's card stands for."""
        if link.kind == "undo":
            self.undo_requested.emit(record)
        elif link.kind == "redo":
            self.redo_requested.emit(record)
        else:
            self.chain_followed.emit(link, record)

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
        with QPainter(self.viewport()) as painter:
            attention = Attention(self.current, self.mouse.hovered, self.hasFocus(), self.mouse.followed)
            self.scene.paint(painter, self.place.top, attention)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        with self.place.kept():
            edge = max(4, _EDGE - self.width() + self.viewport().width())
            if self.scene.resize(self.viewport().size(), edge):
                self.model.measure_by(self.scene.measures)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._glide = None
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
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        by_keyboard = event.reason() in {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason}
        shown = [row for _, row, _ in self.scene.in_sight(self.place.top)]
        if by_keyboard and self.current is None and shown:
            pointer = next((row for row in shown if row.kind is RowKind.POINTER), None)
            self.choose(pointer or shown[len(shown) // 2])
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        found = self.row_at(event.pos().y()) if by_mouse else self._find_row(self.current)
        if found is not None:
            self.choose(found[0])
            corner = self.viewport().mapToGlobal(found[1].bottomLeft() + QPoint(32, 0))
            from mnemoscope.ui.timeline.row_menu import row_menu

            row_menu(self, found[0]).popup(event.globalPos() if by_mouse else corner)

    def _find_row(self, wanted: Row | None) -> tuple[Row, QRect] | None:
        rows = self.scene.in_sight(self.place.top)
        return next(((row, rect) for _, row, rect in rows if row == wanted), None)

    def choose(self, row: Row) -> None:
        """Make a row the current one."""
        if row != self.current:
            self.current = row
            self.viewport().update()
            announce_row(self, row)

    def _restyle(self) -> None:
        self.scene.restyle()
        self.model.measure_by(self.scene.measures)
        self.viewport().update()

    def _on_replaced(self) -> None:
        self.slide.end()
        self.current = None
        self.mouse.forget()
        self.place.begin()
        announce_order(self)
        self.viewport().update()

    def _on_rearranged(self) -> None:
        self.place.restore()
        lost = self.current
        if lost is not None and self.model.stack.place_of_row(lost) is None:
            place = self.model.place_of(lost.number) if lost.kind is RowKind.MESSAGE else None
            self.current = None if place is None else self.model.stack.row(place)
        announce_order(self)
        self.viewport().update()

    def _on_appended(self) -> None:
        self.place.grown()
        self.viewport().update()

    def _on_pointer_moved(self, start: int, stop: int) -> None:
        target = self.place.on_the_pointer() if self.place.follows else None
        self._glide = None if target is None else (self.place.top, target)
        self.slide.run(start, stop)
        if not self.slide.running:
            self._on_slid()
        announce_pointer(self)

    def _on_slid(self) -> None:
        if self._glide is not None:
            begin, end = self._glide
            self.place.to(round(begin + (end - begin) * self.slide.progress))
        if not self.slide.running:
            self._glide = None
        self.viewport().update()
