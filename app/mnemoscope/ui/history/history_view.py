"""History entries as cards in a list that lays out only what is in sight, walked by keyboard and mouse."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from mnemoscope.ui.history.card_list import GAP, MARGIN, CardList, EntryKey, entry_key
from mnemoscope.ui.history.history_model import HistoryModel
from mnemoscope.ui.history.history_words import as_markdown, entry_sentence, forgotten_label, standing_label, tr
from mnemoscope.ui.support.forget_menu import add_forget, offer_forgetting
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.lists.painted_list import PaintedList
from mnemoscope.ui.widgets.menus import menu_place
from mnemoscope.ui.widgets.theme import Theme, theme_notifier

_STEP: Final = 32
_FETCH_AHEAD: Final = 3
"""Viewports below the end of what is in sight at which more is fetched."""
_SHOW_KEYS: Final = "Ctrl+Enter"
_CORRECT_KEYS: Final = "F2"

CardPart = tuple[int, str]
"""A card's row, and what of it: `link`, `more`, or "" for the rest."""


class HistoryView(PaintedList):
    """Shows cards of a `HistoryModel`: read, walked by keyboard, unfolded, followed to their messages."""

    messages_requested = Signal(object)
    """The `ConsolidationRecord` whose messages are wanted."""
    place_requested = Signal(object)
    """The `HistoryEntry` that is to be shown where it stands, see `EntryOrigins.place_of`."""
    correction_requested = Signal(object)
    """The `HistoryEntry` that is to be corrected."""
    undo_requested = Signal(str)
    """The id of a correction that is to be undone."""
    current_changed = Signal()
    left = Signal()
    """The reader goes back to the search field."""

    def __init__(self, model: HistoryModel, parent: QWidget | None = None) -> None:
        super().__init__(tr("History entries"), parent)
        self.model = model
        self.cards = CardList(model)
        self.current: int | None = None
        self.offers_correction = False
        """Whether entries can be corrected here."""
        self._anchor: tuple[EntryKey, int] | None = None
        self._chosen: EntryKey | None = None
        self._chosen_when = ""
        self._sought: EntryKey | None = None
        self._hovered: CardPart | None = None
        self._is_settling = False
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self.verticalScrollBar().setSingleStep(_STEP)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        theme_notifier().changed.connect(self._restyle)
        offer_forgetting(self, self._forgettable, has_menu=True)
        model.replaced.connect(self._on_replaced)
        model.renewed.connect(self._on_renewed)
        model.appended.connect(self._on_appended)
        model.status_changed.connect(self._on_status_changed)
        model.located.connect(self._on_located)

    def choose(self, row: int | None, *, reveal: bool = True) -> None:
        """Makes a card the current one."""
        if row is not None and not 0 <= row < len(self.cards):
            return
        if row != self.current:
            self._note_current(row)
            if row is not None:
                self.announce_current(row, self.sentence(row))
        if row is not None and reveal:
            self._reveal(row)
        self.viewport().update()

    def step(self, rows: int) -> None:
        """Goes some cards on or back; round the end where everything is known."""
        count = len(self.cards)
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
        """Shows all of an entry, or its first lines."""
        self.cards.fold(row)
        self._settle()
        self._reveal(row)
        self.announce_current(row, self.sentence(row))
        self.viewport().update()

    def show_messages(self, row: int) -> bool:
        """Asks for the messages an entry was made from, or for where it stands; False where neither is known."""
        entry = self.model.matches[row].entry
        if self.model.origins.place_of(entry):
            self.place_requested.emit(entry)
            return True
        record = self.model.origins.record_of(entry)
        if record is None:
            return False
        self.messages_requested.emit(record)
        return True

    def correct(self, row: int) -> bool:
        """Asks for an entry to be corrected; False where none can be."""
        if self.offers_correction:
            self.correction_requested.emit(self.model.matches[row].entry)
        return self.offers_correction

    def entry_menu(self, row: int) -> QMenu:
        """Copies, copy as Markdown, show the messages an entry was made from, correct it. Deletes itself when it
        closes."""
        entry = self.model.matches[row].entry
        record, place = self.model.origins.record_of(entry), self.model.origins.place_of(entry)
        theme, clipboard = Theme.current(), QGuiApplication.clipboard()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(theme.icon("copy"), tr("Copy"), lambda: clipboard.setText(entry.text))
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        menu.addAction(tr("Copy as Markdown"), lambda: clipboard.setText(as_markdown(entry, record, place)))
        menu.addSeparator()
        words = tr("Show where it stands") if place else tr("Show messages")
        show = menu.addAction(theme.icon("message-square"), words, lambda: self.show_messages(row))
        show.setShortcut(QKeySequence(_SHOW_KEYS))
        show.setEnabled(bool(place) or record is not None)
        if self.offers_correction:
            correct = menu.addAction(theme.icon("pencil"), tr("Correct…"), lambda: self.correct(row))
            correct.setShortcut(QKeySequence(_CORRECT_KEYS))
            if (correction := self.model.origins.correction_of(entry)) is not None:
                menu.addAction(tr("Undo the correction"), lambda: self.undo_requested.emit(correction.id))
        add_forget(menu, self, entry.text)
        return menu

    def _forgettable(self) -> str:
        return "" if self.current is None else self.model.matches[self.current].entry.text

    def count(self) -> int:
        return len(self.cards)

    def current_place(self) -> int | None:
        return self.current

    def unfolded(self, row: int) -> bool | None:
        card = self.cards.card(row)
        return card.unfolded if card.folds else None

    def sentence(self, row: int) -> str:
        """Returns what a screen reader says of a card."""
        entry = self.model.matches[row].entry
        origins, standing = self.model.origins, standing_label(self.model, entry)
        said = entry_sentence(entry, origins.record_of(entry), date.today(), standing, origins.place_of(entry))
        return ", ".join(filter(None, (forgotten_label(self.model, entry), said)))

    def is_marked(self, row: int) -> bool:
        """Returns whether a card is the current match, or the entry that was asked for."""
        return row == self.current and (self.model.query.has_text or self._chosen == self._sought)

    def in_sight(self) -> Iterator[tuple[int, QRect]]:
        """Returns the cards in sight and where they are in the viewport."""
        value, room = self.verticalScrollBar().value(), self.viewport().height()
        row = self.cards.row_at(value) if len(self.cards) else 0
        while row < len(self.cards) and self.cards.top(row) < value + room:
            yield row, self.rect_of(row)
            row += 1

    def rect_of(self, row: int) -> QRect:
        """Returns where a card is in the viewport."""
        top = self.cards.top(row) - self.verticalScrollBar().value()
        return QRect(MARGIN, top, self._card_width(), self.cards.bottom(row) - self.cards.top(row))

    def paintEvent(self, event: QPaintEvent) -> None:
        self._settle()
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for row, place in self.in_sight():
                if place.intersects(event.rect()):
                    self._paint(painter, row, place)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        anchor = self._top_card()
        if self.cards.set_width(self._card_width()):
            self._settle()
            self._return_to(anchor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if HISTORY_ENTRY_KEYS.press(self, event):
            event.accept()
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._part_at(event.position().toPoint()))
        super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        part = self._part_at(event.position().toPoint())
        if part and event.button() == Qt.MouseButton.LeftButton:
            self.choose(part[0], reveal=False)
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        part = self._part_at(event.position().toPoint())
        if part and event.button() == Qt.MouseButton.LeftButton and part[0] == self.current:
            row, name = part
            if name == "link" or (not name and self._leads(row)):
                self.show_messages(row)
            elif self.cards.card(row).folds:
                self.fold(row)
        super().mouseReleaseEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._hover(None)
        elif isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            part = self._part_at(event.pos())
            tooltip = self.cards.card(part[0]).link_tooltip if part and part[1] == "link" else ""
            QToolTip.showText(event.globalPos(), tooltip, self.viewport())
            return True
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        shown = dict(self.in_sight())
        # What is out of sight is not what is meant.
        chosen = self.current if self.current in shown else next(iter(shown), None)
        row = self._row_at(event.pos()) if event.reason() == QContextMenuEvent.Reason.Mouse else chosen
        if row is not None:
            self.choose(row, reveal=False)
            at = menu_place(event, QRect(shown[row].topLeft() + QPoint(32, 0), QSize(1, 32)), self.viewport())
            self.entry_menu(row).popup(self.viewport().mapToGlobal(at))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.current is None and len(self.cards):
            self.choose(self.cards.row_at(self.verticalScrollBar().value()), reveal=False)
        self.viewport().update()

    def _paint(self, painter: QPainter, row: int, place: QRect) -> None:
        focused = row == self.current and self.hasFocus()
        hovered = self._hovered[1] if self._hovered and self._hovered[0] == row else None
        self.cards.card(row).paint(painter, place, focused=focused, marked=self.is_marked(row), hovered=hovered)

    def _fold_current(self) -> bool:
        if self.current is None:
            return False
        self.fold(self.current)
        return True

    def _copy(self) -> bool:
        """Puts the current entry on the clipboard as it is in the log."""
        if self.current is None:
            return False
        QGuiApplication.clipboard().setText(self.model.matches[self.current].entry.text)
        return True

    def _go_up(self) -> None:
        if self.current in (0, None):
            self.left.emit()
        else:
            self.step(-1)

    def _go_down(self) -> None:
        if self.current != len(self.model.matches) - 1:
            self.step(1)

    def _page(self, way: int) -> None:
        # One card stays in view.
        self.step(way * max(2, len(list(self.in_sight())) - 1))

    def _part_at(self, point: QPoint) -> CardPart | None:
        row = self._row_at(point)
        if row is None:
            return None
        card = self.cards.card(row)
        inside = QPointF(point - self.rect_of(row).topLeft())
        if card.link.contains(inside):
            return row, "link"
        return row, "more" if card.folds and card.more.contains(inside) else ""

    def _hover(self, part: CardPart | None) -> None:
        if part != self._hovered:
            self._hovered = part
            self.viewport().update()
        hand = part is not None and (bool(part[1]) or self.cards.card(part[0]).folds or self._leads(part[0]))
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)

    def _leads(self, row: int) -> bool:
        """Returns whether a click anywhere on a card leads to where its entry stands."""
        return bool(self.model.origins.place_of(self.model.matches[row].entry))

    def _card_width(self) -> int:
        """Returns pixels a card is wide; the scroll bar lies in the margin."""
        return max(120, self.width() - 2 * MARGIN)

    def _row_at(self, point: QPoint) -> int | None:
        """Returns the card under a point of the viewport."""
        return next((row for row, place in self.in_sight() if place.contains(point)), None)

    def _settle(self) -> None:
        """Measures what is in sight, sets the scroll bar by it, and fetches more where the end is near."""
        if self._is_settling:
            return
        self._is_settling = True
        bar, room = self.verticalScrollBar(), self.viewport().height()
        for _ in range(3):
            first = self.cards.row_at(bar.value()) if len(self.cards) else 0
            last = self.cards.row_at(bar.value() + room) + 1 if len(self.cards) else 0
            wrong = self.cards.measure(first, last)
            bar.setPageStep(room)
            bar.setRange(0, max(0, self.cards.height - room))
            if not wrong:
                break
        self._is_settling = False
        self._want_more()

    def _reveal(self, row: int) -> None:
        """Brings a card into sight, its beginning at least."""
        self.cards.measure(row, row + 1)
        self._settle()
        bar, room = self.verticalScrollBar(), self.viewport().height()
        top, bottom = self.cards.top(row) - GAP, self.cards.bottom(row) + GAP
        if top < bar.value() or bottom - top > room:
            bar.setValue(top)
        elif bottom > bar.value() + room:
            bar.setValue(bottom - room)
        self._settle()

    def _top_card(self) -> tuple[EntryKey, int] | None:
        """Returns the card at the top and how far it is scrolled out; None at the very top."""
        value, matches = self.verticalScrollBar().value(), self.model.matches
        row = self.cards.row_at(value) if len(self.cards) else 0
        if not value or row >= len(matches):
            return None
        return entry_key(matches[row]), value - self.cards.top(row)

    def _return_to(self, anchor: tuple[EntryKey, int] | None) -> None:
        """Scrolls to where a card was."""
        if anchor is None:
            return
        rows = (row for row, match in enumerate(self.model.matches) if entry_key(match) == anchor[0])
        row = next(rows, None)
        if row is not None:
            self.verticalScrollBar().setMaximum(max(self.cards.height, self.verticalScrollBar().maximum()))
            self.verticalScrollBar().setValue(self.cards.top(row) + anchor[1])
        self._settle()

    def _want_more(self) -> None:
        bar, room = self.verticalScrollBar(), self.viewport().height()
        near_end = bar.value() + (1 + _FETCH_AHEAD) * room >= self.cards.height
        near_last = self.current is not None and self.current + 2 >= len(self.cards)
        if self.model.more and (near_end or near_last):
            self.model.fetch_more()

    def _on_scrolled(self) -> None:
        self._anchor = self._top_card()
        if not self._is_settling:
            self._settle()
        self.viewport().update()

    def _on_replaced(self) -> None:
        self.cards.reset()
        self._hovered = None
        self.verticalScrollBar().setValue(0)
        self._settle()
        self._note_current(0 if self.model.query.has_text and self.model.matches else None)
        self.announce_order()
        self.viewport().update()

    def _on_renewed(self) -> None:
        anchor, chosen = self._anchor, self._chosen
        self.cards.reset()
        self._settle()
        self._return_to(anchor)
        self._note_current(None if chosen is None else self._row_of(chosen))
        self.announce_order()
        self.viewport().update()

    def _row_of(self, chosen: EntryKey) -> int | None:
        """Returns the row of the card that was chosen, also where its entry has other words by now."""
        keys = [(entry_key(match), match.entry.when) for match in self.model.matches]
        rows = [row for row, (key, _) in enumerate(keys) if key == chosen]
        corrected = (
            row for row, (key, when) in enumerate(keys) if (*key[:2], when) == (*chosen[:2], self._chosen_when)
        )
        return rows[0] if rows else next(corrected, None)

    def _on_appended(self) -> None:
        self.cards.extend()
        self._settle()
        self.announce_order()
        self.viewport().update()

    def _on_status_changed(self) -> None:
        self.cards.relink()
        self.viewport().update()

    def _on_located(self, row: int) -> None:
        self.choose(row)
        self._sought = self._chosen
        self.viewport().update()

    def _note_current(self, row: int | None) -> None:
        self.current = row
        self._chosen = None if row is None else entry_key(self.model.matches[row])
        self._chosen_when = "" if row is None else self.model.matches[row].entry.when
        self.current_changed.emit()

    def _restyle(self) -> None:
        anchor = self._top_card()
        self.cards.restyle()
        self._settle()
        self._return_to(anchor)
        self.viewport().update()


HISTORY_ENTRY_KEYS: Final[PartKeys[HistoryView]] = PartKeys(
    "History, the entries",
    PartKey(
        "go through the entries; Up from the first one leads back to the search field",
        {
            "Up": HistoryView._go_up,
            "Down": HistoryView._go_down,
            "PgUp": lambda view: view._page(-1),
            "PgDown": lambda view: view._page(1),
            "Home": lambda view: view.choose(0),
            "End": lambda view: view.choose(len(view.model.matches) - 1),
        },
    ),
    PartKey("show all of the entry, or less", {"Enter": HistoryView._fold_current, "Space": HistoryView._fold_current}),
    PartKey(
        "show the messages it was made from",
        {_SHOW_KEYS: lambda view: view.current is not None and view.show_messages(view.current)},
    ),
    PartKey("correct the entry", {_CORRECT_KEYS: lambda view: view.current is not None and view.correct(view.current)}),
    PartKey("copy the entry", {"Ctrl+C": HistoryView._copy}, QKeySequence.StandardKey.Copy),
)
