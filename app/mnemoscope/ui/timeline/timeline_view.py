"""The timeline as a list that paints only the rows in sight, as quick at 1,000,000 messages as at ten."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.fact_outcomes import NOTHING_WRITTEN, Outcome
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.ui.dream.entry_words import EntryLink
from mnemoscope.ui.support.forget_menu import add_forget, offer_forgetting
from mnemoscope.ui.support.locale_words import number
from mnemoscope.ui.timeline.pointer_slide import PointerSlide
from mnemoscope.ui.timeline.row_sentences import row_copy, row_markdown, row_sentence, row_tip
from mnemoscope.ui.timeline.timeline_model import TimelineModel
from mnemoscope.ui.timeline.timeline_scene import RowFocus, TimelineScene
from mnemoscope.ui.timeline.timeline_scrolling import NEAR_END, TimelineScrolling
from mnemoscope.ui.timeline.timeline_words import pointer_words, tr
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.lists.painted_list import PaintedList
from mnemoscope.ui.widgets.menus import menu_place
from mnemoscope.ui.widgets.pill import Pill
from mnemoscope.ui.widgets.theme import theme_notifier

_WHEEL_STEP: Final = 28
_EDGE: Final = 14
_BY_KEYBOARD: Final = frozenset(
    {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason}
)


class TimelineView(PaintedList):
    """Shows the rows of a `TimelineModel`, which a person walks with the keys and clicks with the mouse."""

    message_activated = Signal(int)
    """The message of this number is to be shown in the chat."""
    entry_activated = Signal(object)
    """The `ConsolidationRecord` whose entry is to be shown in the history."""
    chain_followed = Signal(object, object)
    """A `EntryLink` of the way of an entry, and its `ConsolidationRecord`."""
    outcome_followed = Signal(object, object)
    """The record of an entry and its FactsOutcome, whose review or change is to be shown."""
    facts_followed = Signal(object)
    """The `ConsolidationRecord` whose facts are to be marked in memory."""
    undo_requested = Signal(object)
    redo_requested = Signal(object)
    """The person takes back, or brings back, what the consolidation of a `ConsolidationRecord` wrote to memory."""

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(tr("Timeline"), parent)
        self.model = model
        self.current: TimelineRow | None = None
        self._hovered: TimelineRow | None = None
        self._hovered_link = ""
        """The kind of the link that the mouse is over, in the entry under it."""
        self._pressed: TimelineRow | None = None
        """The row on which the left button went down."""
        self._glide: tuple[int, int] | None = None
        """From where to where the list scrolls while the pointer slides."""
        self.slide = PointerSlide(self)
        self.scene = TimelineScene(model, self.slide)
        self.scrolling = TimelineScrolling(self, model, self.scene)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.verticalScrollBar().setSingleStep(_WHEEL_STEP)
        self._restyle()
        offer_forgetting(self, lambda: self._forgettable(self.current), has_menu=True)
        theme_notifier().changed.connect(self._restyle)
        self.slide.moved.connect(self._on_slid)
        model.rearranging.connect(self.scrolling.remember)
        model.replaced.connect(self._on_replaced)
        model.rearranged.connect(self._on_rearranged)
        model.matched.connect(self._on_rearranged)
        model.appended.connect(self._on_appended)
        model.pointer_moved.connect(self._on_pointer_moved)
        NewRowsPill(self)

    def choose(self, row: TimelineRow) -> None:
        """Makes a row the current one."""
        if row != self.current:
            self.current = row
            self.viewport().update()
            self.announce_current(self.model.stack.place_of_row(row), row_sentence(self.model, row))

    def go_to(self, row: TimelineRow) -> None:
        """Makes a row the current one and brings it into sight."""
        self.choose(row)
        self.scrolling.reveal(row)

    def select_message(self, index: int) -> None:
        """Makes a message the current row and brings it into sight, its group unfolded."""
        group = self.model.groups.holding(index)
        if group is not None and not self.model.filter.active:
            self.model.fold(group, folded=False)
        row = TimelineRow(RowKind.MESSAGE, index)
        if self.model.stack.place_of_row(row) is not None:
            self.go_to(row)

    @contextmanager
    def branching(self, fork: int) -> Iterator[None]:
        """Keeps the place and the current row where another branch of the session, shown inside, has in common with the
        one before what they are about: the first `fork` messages."""
        is_common = self.current is not None and self.model.is_before(self.current, fork)
        current = self.current if is_common else None
        with self.scrolling.branching(fork):
            yield
        if current is not None and self.model.stack.place_of_row(current) is not None:
            self.current = current

    def activate(self, row: TimelineRow) -> None:
        """Shows what a row stands for: a message in the chat, an entry in the history."""
        if row.kind is RowKind.MESSAGE:
            self.message_activated.emit(row.number)
        elif row.kind is RowKind.ENTRY:
            self.entry_activated.emit(self.model.groups.records[row.number])
        elif row.kind is RowKind.POINTER:
            self.scrolling.to_pointer()

    def follow(self, link: EntryLink, record: ConsolidationRecord) -> None:
        """Does what a word in an entry's card stands for."""
        if link.kind == "undo":
            self.undo_requested.emit(record)
        elif link.kind == "redo":
            self.redo_requested.emit(record)
        elif link.kind == "outcome":
            self.outcome_followed.emit(record, self.model.links.outcome(record))
        elif link.kind == "facts":
            self.facts_followed.emit(record)
        else:
            self.chain_followed.emit(link, record)

    def count(self) -> int:
        return self.model.stack.rows

    def sentence(self, place: int) -> str:
        return row_sentence(self.model, self.model.stack.row(place))

    def current_place(self) -> int | None:
        return self.model.stack.place_of_row(self.current) if self.current else None

    def unfolded(self, place: int) -> bool | None:
        row = self.model.stack.row(place)
        return row.number in self.model.unfolded if row.kind is RowKind.ENTRY else None

    def in_sight(self) -> Iterator[tuple[int, QRect]]:
        return ((place, rect) for place, _, rect in self.scene.in_sight(self.scrolling.top))

    def rows_a_page(self) -> int:
        """Returns how many rows are in sight, less one that is kept in view."""
        return max(1, self.viewport().height() // self.scene.rows.message_height - 1)

    def row_at(self, y: int) -> tuple[TimelineRow, QRect] | None:
        """Returns the row under a height of the viewport and where it is drawn."""
        for _, row, rect in self.scene.in_sight(self.scrolling.top):
            if rect.top() <= y <= rect.bottom():
                return row, rect
        return None

    def menu_of(self, row: TimelineRow) -> QMenu:
        """Returns the menu of one row; it deletes itself when closed."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        if row.kind is RowKind.MESSAGE:
            self._offer_message(menu, row)
        elif row.kind is RowKind.ENTRY:
            self._offer_entry(menu, row)
        if words := self._forgettable(row):
            add_forget(menu, self, words)
        if not menu.isEmpty():
            menu.addSeparator()
        menu.addAction(tr("Go to the pointer")).triggered.connect(self.scrolling.to_pointer)
        menu.addAction(tr("Go to the newest message")).triggered.connect(self.scrolling.to_end)
        if len(self.model.groups):
            menu.addAction(tr("Fold all entries")).triggered.connect(lambda: self.model.fold_all(folded=True))
            menu.addAction(tr("Unfold all entries")).triggered.connect(lambda: self.model.fold_all(folded=False))
        return menu

    def _forgettable(self, row: TimelineRow | None) -> str:
        """Returns the words of a message or an entry."""
        return row_copy(self.model, row) if row is not None and row.kind in (RowKind.MESSAGE, RowKind.ENTRY) else ""

    def _offer_message(self, menu: QMenu, row: TimelineRow) -> None:
        clipboard, model = QGuiApplication.clipboard(), self.model
        menu.addAction(tr("Show in chat")).triggered.connect(lambda: self.activate(row))
        group = model.groups.holding(row.number)
        if group is not None:
            record = model.groups.records[group]
            menu.addAction(tr("Show history entry")).triggered.connect(lambda: self.entry_activated.emit(record))
            self._offer_links(menu, record)
        menu.addAction(tr("Copy message")).triggered.connect(lambda: clipboard.setText(row_copy(model, row)))
        menu.addAction(tr("Copy as Markdown")).triggered.connect(lambda: clipboard.setText(row_markdown(model, row)))

    def _offer_entry(self, menu: QMenu, row: TimelineRow) -> None:
        clipboard, model = QGuiApplication.clipboard(), self.model
        unfolded = row.number in model.unfolded
        menu.addAction(tr("Show history entry")).triggered.connect(lambda: self.activate(row))
        menu.addAction(tr("Fold its messages") if unfolded else tr("Show its messages")).triggered.connect(
            lambda: model.fold(row.number, folded=unfolded)
        )
        record = model.groups.records[row.number]
        self._offer_links(menu, record)
        if (found := model.links.outcome(record)) is not None and found.outcome not in NOTHING_WRITTEN:
            is_waiting = found.outcome is Outcome.WAITING
            words = tr("Review what waits") if is_waiting else tr("Show the change in memory")
            shown = EntryLink("outcome", words)
            menu.addAction(words).triggered.connect(partial(self.follow, shown, record))
        if facts := model.links.facts_offer(record):
            menu.addAction(facts.words).triggered.connect(partial(self.follow, facts, record))
        if offer := model.links.undo_offer(record):
            taking_back = offer.kind == "undo"
            words = tr("Undo what it wrote to memory") if taking_back else tr("Bring back what it wrote to memory")
            menu.addAction(words).triggered.connect(partial(self.follow, offer, record))
        menu.addAction(tr("Copy entry")).triggered.connect(lambda: clipboard.setText(row_copy(model, row)))

    def _offer_links(self, menu: QMenu, record: ConsolidationRecord) -> None:
        """Offers to the keyboard the steps of an entry's way that a click in its card follows."""
        titles = {"dream": tr("Show in Dream"), "commit": tr("Show this version of memory")}
        for link in self.model.links.chain(record):
            if link.kind in titles:
                menu.addAction(titles[link.kind]).triggered.connect(partial(self.follow, link, record))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            attention = RowFocus(self.current, self._hovered, self.hasFocus(), self._hovered_link)
            self.scene.paint(painter, self.scrolling.top, attention)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        with self.scrolling.kept():
            edge = max(4, _EDGE - self.width() + self.viewport().width())
            if self.scene.resize(self.viewport().size(), edge):
                self.model.measure_by(self.scene.measures)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._glide = None
        moved = event.pixelDelta().y()
        if moved and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.verticalScrollBar().setValue(self.scrolling.top - moved)
            event.accept()
        else:
            super().wheelEvent(event)
        self.scrolling.moved_by_hand()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            found = self.row_at(event.pos().y())
            QToolTip.showText(event.globalPos(), row_tip(self.model, found[0]) if found else "", self.viewport())
            return True
        if event.type() == QEvent.Type.Leave:
            self._hover(None)
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        by_keyboard = event.reason() in _BY_KEYBOARD
        shown = [row for _, row, _ in self.scene.in_sight(self.scrolling.top)]
        if by_keyboard and self.current is None and shown:
            pointer = next((row for row in shown if row.kind is RowKind.POINTER), None)
            self.choose(pointer or shown[len(shown) // 2])
        elif by_keyboard and self.current is not None and self.current.kind is not RowKind.POINTER:
            # The row that the keyboard is on is seen; that of the pointer is, wherever one has scrolled to.
            self.scrolling.reveal(self.current)
        self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        found = self.row_at(event.pos().y()) if by_mouse else self._find_row(self.current) or self._first_row()
        if found is not None:
            self.choose(found[0])
            at = menu_place(event, found[1].translated(32, 0), self.viewport())
            self.menu_of(found[0]).popup(self.viewport().mapToGlobal(at))

    def _first_row(self) -> tuple[TimelineRow, QRect] | None:
        return next(((row, rect) for _, row, rect in self.scene.in_sight(self.scrolling.top)), None)

    def _find_row(self, wanted: TimelineRow | None) -> tuple[TimelineRow, QRect] | None:
        rows = self.scene.in_sight(self.scrolling.top)
        return next(((row, rect) for _, row, rect in rows if row == wanted), None)

    # The mouse

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(event.position().toPoint())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._press(event.position().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._release(event.position().toPoint())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Shows an entry in the history, and folds it as it was before the first click.

        On a word of a card the second click does nothing: Bring back stands where Undo stood.
        """
        if event.button() != Qt.MouseButton.LeftButton:
            return
        at = event.position().toPoint()
        self._press(at)
        if self._link_at(at):
            self._pressed = None
        if self._pressed is not None and self._pressed.kind is RowKind.ENTRY:
            self.activate(self._pressed)

    def _press(self, at: QPoint) -> None:
        self._pressed = None if self._is_on_pin(at) else self._row_under(at)
        if self._pressed is not None and self._pressed.kind is not RowKind.KEPT:
            self.choose(self._pressed)

    def _release(self, at: QPoint) -> None:
        """Takes it as a click where it is still the row on which the button went down."""
        if self._is_on_pin(at):
            self.scrolling.to_pointer()
            return
        row = self._row_under(at)
        if row is None or row != self._pressed:
            return
        if link := self._link_at(at):
            self.follow(*link)
        elif row.kind is RowKind.ENTRY:
            with self.scrolling.kept(row):
                self.model.fold(row.number, folded=row.number in self.model.unfolded)
        elif row.kind is RowKind.MESSAGE:
            self.activate(row)

    def _hover(self, at: QPoint | None) -> None:
        """Marks the row that the mouse is over; None where it left."""
        on_pin = at is not None and self._is_on_pin(at)
        row = self._row_under(at) if at is not None and not on_pin else None
        link = self._link_at(at) if row is not None and at is not None else None
        kind = link[0].kind if link else ""
        if (row, kind) != (self._hovered, self._hovered_link):
            self._hovered, self._hovered_link = row, kind
            self.viewport().update()
        hand = on_pin or (row is not None and row.kind in {RowKind.MESSAGE, RowKind.ENTRY})
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)

    def _row_under(self, at: QPoint) -> TimelineRow | None:
        found = self.row_at(at.y())
        return found[0] if found else None

    def _link_at(self, at: QPoint) -> tuple[EntryLink, ConsolidationRecord] | None:
        return self.scene.link_at(self.scrolling.top, at)

    def _is_on_pin(self, at: QPoint) -> bool:
        pin = self.scene.pinned(self.scrolling.top)
        return pin is not None and pin[0].contains(at)

    # The keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if TIMELINE_KEYS.press(self, event):
            event.accept()
        else:
            super().keyPressEvent(event)

    def _copy_current(self) -> bool:
        if self.current is None:
            return False
        QGuiApplication.clipboard().setText(row_copy(self.model, self.current))
        return True

    def _walk(self, rows: int) -> bool:
        stack = self.model.stack
        here = stack.place_of_row(self.current) if self.current else None
        return self._jump(stack.rows - 1 if here is None else here + rows)

    def _jump(self, place: int) -> bool:
        rows = self.model.stack.rows
        if rows:
            self.go_to(self.model.stack.row(min(max(place, 0), rows - 1)))
        return bool(rows)

    def _activate_current(self) -> bool:
        if self.current is None:
            return False
        self.activate(self.current)
        return True

    def _toggle_entry(self) -> bool:
        row = self.current
        if row is None or row.kind is not RowKind.ENTRY:
            return False
        self.model.fold(row.number, folded=row.number in self.model.unfolded)
        return True

    def _unfold_or_enter(self) -> bool:
        row = self.current
        if row is None or row.kind is not RowKind.ENTRY:
            return False
        if row.number in self.model.unfolded:
            return self._walk(1)
        self.model.fold(row.number, folded=False)
        return True

    def _fold_or_leave(self) -> bool:
        row = self.current
        if row is None or row.kind is not RowKind.ENTRY:
            return row is not None and self._go_to_entry_of(row)
        self.model.fold(row.number, folded=True)
        return True

    def _go_to_entry_of(self, row: TimelineRow) -> bool:
        if row.kind is not RowKind.MESSAGE or self.model.filter.active:
            return False
        group = self.model.groups.holding(row.number)
        if group is not None:
            self.go_to(TimelineRow(RowKind.ENTRY, group))
        return group is not None

    # What changes in the model

    def _restyle(self) -> None:
        self.scene.restyle()
        self.model.measure_by(self.scene.measures)
        self.viewport().update()

    def _on_replaced(self) -> None:
        self.slide.end()
        self.current = None
        self._hovered = None
        self._pressed = None
        self._hovered_link = ""
        self.scrolling.begin()
        self.announce_order()
        self.viewport().update()

    def _on_rearranged(self) -> None:
        self.scrolling.restore()
        lost = self.current
        if lost is not None and self.model.stack.place_of_row(lost) is None:
            place = self.model.place_of(lost.number) if lost.kind is RowKind.MESSAGE else None
            self.current = None if place is None else self.model.stack.row(place)
        self.announce_order()
        self.viewport().update()

    def _on_appended(self) -> None:
        self.scrolling.grown()
        self.announce_order()
        self.viewport().update()

    def _on_pointer_moved(self, start: int, stop: int) -> None:
        target = self.scrolling.on_the_pointer() if self.scrolling.follows_end else None
        self._glide = None if target is None else (self.scrolling.top, target)
        self.slide.run(start, stop)
        if not self.slide.running:
            self._on_slid()
        if QAccessible.isActive():
            # Worth hearing without looking for it.
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, pointer_words(self.model.pointer)))

    def _on_slid(self) -> None:
        if self._glide is not None:
            begin, end = self._glide
            self.scrolling.to(round(begin + (end - begin) * self.slide.progress))
        if not self.slide.running:
            self._glide = None
        self.viewport().update()


class NewRowsPill(Pill):
    """Says how many rows are new below what the reader looks at, until the reader has seen the end."""

    def __init__(self, view: TimelineView) -> None:
        super().__init__("", view.viewport())
        self._timeline = view
        self._count = 0
        self.clicked.connect(self._go_to_end)
        view.model.appended.connect(self._on_appended)
        view.model.replaced.connect(self._forget)
        view.verticalScrollBar().valueChanged.connect(self._refresh)
        view.verticalScrollBar().rangeChanged.connect(self._refresh)

    def kept_free(self) -> int:
        """Returns the height of the pointer's line where it is pinned at the lower edge."""
        pin = self._timeline.scene.pinned(self._timeline.scrolling.top)
        return 0 if pin is None or pin[1] else pin[0].height()

    def _on_appended(self) -> None:
        model = self._timeline.model
        if model.stack.place_of_row(TimelineRow(RowKind.MESSAGE, model.total - 1)) is not None:
            self._count += 1
        self._refresh()

    def _refresh(self) -> None:
        bar = self._timeline.verticalScrollBar()
        if bar.value() >= bar.maximum() - NEAR_END:
            self._count = 0
        words = tr("1 new below ↓") if self._count == 1 else tr("{0} new below ↓").format(number(self._count))
        self.offer(bool(self._count), words)

    def _forget(self) -> None:
        self._count = 0
        self._refresh()

    def _go_to_end(self) -> None:
        self._timeline.scrolling.to_end()
        self._timeline.setFocus()


TIMELINE_KEYS: Final[PartKeys[TimelineView]] = PartKeys(
    "Timeline",
    PartKey(
        "go through the rows",
        {
            "Up": lambda view: view._walk(-1),
            "Down": lambda view: view._walk(1),
            "PgUp": lambda view: view._walk(-view.rows_a_page()),
            "PgDown": lambda view: view._walk(view.rows_a_page()),
            "Home": lambda view: view._jump(0),
            "End": lambda view: view._jump(view.model.stack.rows - 1),
            "Ctrl+Home": lambda view: view._jump(0),
            "Ctrl+End": lambda view: view._jump(view.model.stack.rows - 1),
        },
    ),
    PartKey("show the message in the chat, or the entry in the history", {"Enter": TimelineView._activate_current}),
    PartKey("fold or unfold the entry", {"Space": TimelineView._toggle_entry}),
    PartKey("unfold the entry, and go on to its messages", {"Right": TimelineView._unfold_or_enter}),
    PartKey("fold the entry; from a message, go to its entry", {"Left": TimelineView._fold_or_leave}),
    PartKey("copy the message or the entry", {"Ctrl+C": TimelineView._copy_current}, QKeySequence.StandardKey.Copy),
)
