"""History entries as cards in a list that lays out only what is in sight."""

from __future__ import annotations

from datetime import date
from typing import Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from mnemoscope.ui.history.accessible import announce_entry
from mnemoscope.ui.history.card_list import CardList, Key, key_of
from mnemoscope.ui.history.keys import press
from mnemoscope.ui.history.labels import entry_sentence, standing_of, tr
from mnemoscope.ui.history.model import HistoryModel
from mnemoscope.ui.history.mouse import HistoryMouse
from mnemoscope.ui.history.painter import EntryLook, paint_entry
from mnemoscope.ui.history.scroll import HistoryScroll
from mnemoscope.ui.widgets.accessible_list import announce_order
from mnemoscope.ui.widgets.theme import theme_notifier

_STEP: Final = 32


class HistoryView(QAbstractScrollArea):
    """Cards of a `HistoryModel`: read, walked by keyboard, unfolded, followed to their messages."""

    messages_requested = Signal(object)
    """The `ConsolidationRecord` whose messages are wanted."""
    current_changed = Signal()
    left = Signal()
    """The reader goes back to the search field."""

    def __init__(self, model: HistoryModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.stack = CardList(model)
        self.current: int | None = None
        self._anchor: tuple[Key, int] | None = None
        self._chosen: Key | None = None
        self._sought: Key | None = None
        self.place = HistoryScroll(self, self.stack)
        self.mouse = HistoryMouse(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("History entries"))
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self.verticalScrollBar().setSingleStep(_STEP)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        theme_notifier().changed.connect(self._restyle)
        model.replaced.connect(self._on_replaced)
        model.renewed.connect(self._on_renewed)
        model.appended.connect(self._on_appended)
        model.told.connect(self._on_told)
        model.located.connect(self._on_located)

    def choose(self, row: int | None, *, reveal: bool = True) -> None:
        """Make a card the current one."""
        if row is not None and not 0 <= row < len(self.stack):
            return
        if row != self.current:
            self._note_current(row)
            if row is not None:
                announce_entry(self, row)
        if row is not None and reveal:
            self.place.reveal(row)
        self.viewport().update()

    def step(self, rows: int) -> None:
        """Go some cards on or back; round the end where everything is known."""
        count = len(self.stack)
        if not count:
            return
        if self.current is None:
            self.choose(0 if rows > 0 else count - 1)
            return
        wanted = self.current + rows
        if abs(rows) == 1 and not 0 <= wanted < count:
            wanted = self.current if self.model.more and rows > 0 else wanted % count
        self.choose(max(0, min(wanted, count - 1)))

    def fold(self, row: int) -> None:
        """Show all of an entry, or its first lines."""
        self.stack.fold(row)
        self.place.settle()
        self.place.reveal(row)
        announce_entry(self, row)
        self.viewport().update()

    def show_messages(self, row: int) -> bool:
        """Ask for the messages an entry was made from; False where they are not known."""
        record = self.model.origins.record_of(self.model.matches[row].entry)
        if record is None:
            return False
        self.messages_requested.emit(record)
        return True

    def rows_a_page(self) -> int:
        """How many cards are in sight, one kept in view."""
        return max(1, len(list(self.place.in_sight())) - 1)

    def place_of(self, row: int) -> QRect:
        """Where a card is in the viewport."""
        return self.place.rect_of(row)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.place.settle()
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for row, place in self.place.in_sight():
                if place.intersects(event.rect()):
                    paint_entry(painter, place, self._entry_look(row))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        anchor = self.place.top_card()
        if self.stack.set_width(self.place.card_width()):
            self.place.settle()
            self.place.return_to(anchor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if press(self, event):
            event.accept()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        row = self.place.row_at(event.pos()) if event.reason() == QContextMenuEvent.Reason.Mouse else self.current
        if row is not None:
            self.choose(row, reveal=False)
            from mnemoscope.ui.history.entry_menu import entry_menu

            entry_menu(self, row).popup(event.globalPos())

    def focusInEvent(self, event: object) -> None:
        super().focusInEvent(event)  # type: ignore[arg-type]
        if self.current is None and len(self.stack):
            self.choose(self.stack.row_at(self.verticalScrollBar().value()), reveal=False)
        self.viewport().update()

    def focusOutEvent(self, event: object) -> None:
        super().focusOutEvent(event)  # type: ignore[arg-type]
        self.viewport().update()

    def _entry_look(self, row: int) -> EntryLook:
        current = row == self.current
        focused = current and self.hasFocus()
        marked = current and (self.model.query.has_text or self._chosen == self._sought)
        return EntryLook(self.stack.card(row), focused, marked, self.mouse.over(row))

    def _on_scrolled(self) -> None:
        self._anchor = self.place.top_card()
        if not self.place.settling:
            self.place.settle()
        self.viewport().update()

    def _on_replaced(self) -> None:
        self.stack.reset()
        self.mouse.forget()
        self.verticalScrollBar().setValue(0)
        self.place.settle()
        self._note_current(0 if self.model.query.has_text and self.model.matches else None)
        announce_order(self)
        self.viewport().update()

    def _on_renewed(self) -> None:
        anchor, chosen = self._anchor, self._chosen
        self.stack.reset()
        self.place.settle()
        self.place.return_to(anchor)
        rows = (row for row, match in enumerate(self.model.matches) if key_of(match) == chosen)
        self._note_current(next(rows, None) if chosen is not None else None)
        announce_order(self)
        self.viewport().update()

    def _on_appended(self) -> None:
        self.stack.extend()
        self.place.settle()
        announce_order(self)
        self.viewport().update()

    def _on_told(self) -> None:
        self.stack.relink()
        self.viewport().update()

    def _on_located(self, row: int) -> None:
        self.choose(row)
        self._sought = self._chosen
        self.viewport().update()

    def _note_current(self, row: int | None) -> None:
        self.current = row
        self._chosen = None if row is None else key_of(self.model.matches[row])
        self.current_changed.emit()

    def _restyle(self) -> None:
        anchor = self.place.top_card()
        self.stack.restyle()
        self.place.settle()
        self.place.return_to(anchor)
        self.viewport().update()

    def sentence(self, row: int) -> str:
        """What a screen reader says of a card."""
        entry = self.model.matches[row].entry
        return entry_sentence(entry, self.model.origins.record_of(entry), date.today(), standing_of(self.model, entry))
