"""The rows in sight, put together: where each is drawn, how it looks, and the pointer while it slides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap

from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.timeline.rows import EntryGroups, RowKind, RowMeasures, TimelineRow
from mnemoscope.ui.dream.entry_words import EntryLink
from mnemoscope.ui.timeline.entry_card import EntryCard
from mnemoscope.ui.timeline.pointer_slide import PointerSlide
from mnemoscope.ui.timeline.row_content import RowContent
from mnemoscope.ui.timeline.timeline_model import TimelineModel
from mnemoscope.ui.timeline.timeline_painter import RowLook, TimelinePainter
from mnemoscope.ui.timeline.timeline_words import branch_mark

_Picture = tuple[RowContent, RowLook, int, int, int, float]
"""The look of a message's row: what it shows, how, its width, its height, what is free at its right, and the pixels
of the screen in each of its own."""
_MEASURED_ENTRIES: Final = 64
"""Up to so many entries each card is as high as its text; where there are more, all are equally high."""


@dataclass(frozen=True, slots=True)
class RowFocus:
    """Tells where the person is: the current row, the one under the mouse, and whether the list has the keyboard."""

    current: TimelineRow | None = None
    hovered: TimelineRow | None = None
    focused: bool = False
    hovered_link: str = ""
    """The kind of the step that the mouse is over, in the entry under it."""


class TimelineScene:
    """Draws a model's rows for one size of the viewport. `scroll` is the height that is scrolled out at the top."""

    def __init__(self, model: TimelineModel, slide: PointerSlide) -> None:
        self._model = model
        self._slide = slide
        self._size = QSize(0, 0)
        self._edge = 14
        self._day: date | None = None
        self._pictures: dict[_Picture, QPixmap] = {}
        """The messages' rows as they were drawn last: what is scrolled or stands still is not drawn anew."""
        self._drawn: dict[_Picture, QPixmap] = {}
        """Those that the paint event at work has used."""
        self.restyle()

    def restyle(self) -> None:
        """Reads fonts and colours again, because the theme changed."""
        self.rows = TimelinePainter()
        self.rows.edge = self._edge
        self._pictures.clear()
        self.card = self._entry_card()

    def resize(self, size: QSize, edge: int) -> bool:
        """Takes over the viewport's size and the free space at its right; returns whether heights may have changed."""
        self._edge = self.rows.edge = edge
        wider = size.width() != self._size.width()
        self._size = QSize(size)
        if wider:
            self.card = self._entry_card()
        return wider

    def _entry_card(self) -> EntryCard:
        return EntryCard(self.rows, self._size.width(), date.today(), self._model.links)

    def measures(self, groups: EntryGroups) -> RowMeasures:
        """Returns the heights of every kind of row."""
        few = len(groups) <= _MEASURED_ENTRIES
        entries = tuple(map(self.card.height, groups.records)) if few else ()
        rows = self.rows
        return RowMeasures(rows.message_height, rows.pointer_height, rows.kept_height, self.card.height(), entries)

    def in_sight(self, scroll: int, above: int = 0) -> Iterator[tuple[int, TimelineRow, QRect]]:
        """Returns places, rows and rectangles in the viewport, from the top; from `above` pixels higher where asked."""
        stack, height = self._model.stack, self._size.height()
        begin = max(0, scroll - above)
        place = stack.place_at(begin) if stack.height > begin else -1
        top = stack.top(place) - scroll if place >= 0 else 0
        while 0 <= place < stack.rows and top < height:
            deep = stack.row_height(place)
            yield place, stack.row(place), QRect(0, top, self._size.width(), deep)
            top += deep
            place += 1

    def pinned(self, scroll: int) -> tuple[QRect, bool] | None:
        """Returns where the pointer's line is pinned while it is out of sight, and whether it lies above."""
        place = self._pointer_place()
        if place is None or self._slide.running:
            return None
        deep = self.rows.pointer_height
        top = self._model.stack.top(place) - scroll
        if top < 0:
            return QRect(0, 0, self._size.width(), deep), True
        if top + deep > self._size.height():
            return QRect(0, self._size.height() - deep, self._size.width(), deep), False
        return None

    def paint(self, painter: QPainter, scroll: int, attention: RowFocus) -> None:
        """Draws everything in sight."""
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        painter.fillRect(QRect(0, 0, self._size.width(), self._size.height()), self.rows.theme.color("surface"))
        line = self._sliding_line(scroll)
        if line is None:
            self._day = None
            for _, row, rect in self.in_sight(scroll):
                self._row(painter, row, rect, attention, consolidated_above=None)
            # No more than what is in sight is kept.
            self._pictures, self._drawn = self._drawn, {}
            if (pin := self.pinned(scroll)) is not None:
                self.rows.pinned_pointer(painter, pin[0], self._model.pointer, above=pin[1])
                if attention.focused and attention.current is not None and attention.current.kind is RowKind.POINTER:
                    self.rows.focus(painter, pin[0])
            return
        for _, row, rect in self.in_sight(scroll, above=self.card.height()):
            if row.kind is not RowKind.POINTER:
                self._row(
                    painter, row, rect.translated(0, self._lag(row, rect, line)), attention, consolidated_above=line
                )
        self._travelling_pointer(painter, line)

    def link_at(self, scroll: int, at: QPoint) -> tuple[EntryLink, ConsolidationRecord] | None:
        """Returns the step of an entry's way that is drawn at a point of the viewport, and the entry."""
        for _, row, rect in self.in_sight(scroll):
            if row.kind is RowKind.ENTRY and rect.contains(at):
                record = self._model.groups.records[row.number]
                link = self.card.link_at(rect, record, self._model.groups.numbers(row.number), at)
                return None if link is None else (link, record)
        return None

    def _pointer_place(self) -> int | None:
        return self._model.stack.place_of_row(TimelineRow(RowKind.POINTER, self._model.pointer))

    def _sliding_line(self, scroll: int) -> float | None:
        begin, end = self._model.place_of(self._slide.start), self._pointer_place()
        if not self._slide.running or begin is None or end is None:
            return None
        stack, progress = self._model.stack, self._slide.progress
        return stack.top(begin) + (stack.top(end) - stack.top(begin)) * progress - scroll

    def _lag(self, row: TimelineRow, rect: QRect, line: float) -> int:
        """Returns how far a row is still below its place: the pointer has yet to pass it, a new card pushed it up."""
        start, stop = self._slide.start, self._slide.stop
        if row.kind is RowKind.MESSAGE and start <= row.number < stop:
            return self.rows.pointer_height if rect.center().y() > line else 0
        older = row.number < start if row.kind is RowKind.MESSAGE else self._is_older_entry(row)
        return round((1 - self._slide.progress) * self._new_card_height()) if older else 0

    def _new_card_height(self) -> int:
        place = self._model.place_of(self._slide.start)
        above = self._model.stack.row(place - 1) if place else None
        fresh = above is not None and above.kind is RowKind.ENTRY and not self._is_older_entry(above)
        return self._model.stack.row_height(place - 1) if fresh and place else 0

    def _is_older_entry(self, row: TimelineRow) -> bool:
        return row.kind is RowKind.ENTRY and self._model.groups.starts[row.number] < self._slide.start

    def _travelling_pointer(self, painter: QPainter, line: float) -> None:
        deep = self.rows.pointer_height
        top = min(max(0, round(line)), max(0, self._size.height() - deep))
        rect = QRect(0, top, self._size.width(), deep)
        painter.fillRect(rect, self.rows.theme.color("surface"))
        self.rows.pointer(painter, rect, self._model.pointer)

    def _row(
        self, painter: QPainter, row: TimelineRow, rect: QRect, attention: RowFocus, *, consolidated_above: float | None
    ) -> None:
        selected, hovered = row == attention.current, row == attention.hovered
        if row.kind is RowKind.MESSAGE:
            look = self._look(row.number, rect, consolidated_above, selected=selected, hovered=hovered)
            self._message(
                painter, rect, self._model.reader.content(row.number), look, is_still=consolidated_above is None
            )
        elif row.kind is RowKind.ENTRY:
            self._entry(painter, row, rect, attention)
        elif row.kind is RowKind.POINTER:
            self.rows.pointer(painter, rect, row.number, selected=selected)
        else:
            self.rows.kept(painter, rect, self._model.total - row.number)
        if selected and attention.focused:
            self.rows.focus(painter, rect)

    def _message(self, painter: QPainter, rect: QRect, content: RowContent, look: RowLook, *, is_still: bool) -> None:
        """Draws the row of a message: as it was drawn before, where it looks the same."""
        ratio = painter.device().devicePixelRatioF()
        if not is_still or ratio != int(ratio):
            # Between two of the screen's pixels a picture would be blurred; rows that slide lie over each other.
            self.rows.message(painter, rect, content, look)
            return
        key = (content, look, rect.width(), rect.height(), self.rows.edge, ratio)
        picture = self._pictures.get(key) or self._drawn.get(key)
        if picture is None:
            picture = QPixmap(rect.size() * ratio)
            picture.setDevicePixelRatio(ratio)
            picture.fill(self.rows.theme.color("surface"))
            with QPainter(picture) as on_picture:
                on_picture.setLayoutDirection(painter.layoutDirection())
                self.rows.message(on_picture, QRect(0, 0, rect.width(), rect.height()), content, look)
        self._drawn[key] = picture
        painter.drawPixmap(rect.topLeft(), picture)

    def _look(
        self, index: int, rect: QRect, consolidated_above: float | None, *, selected: bool, hovered: bool
    ) -> RowLook:
        model = self._model
        consolidated = model.is_consolidated(index)
        if consolidated and consolidated_above is not None and index >= self._slide.start:
            consolidated = rect.center().y() <= consolidated_above
        return RowLook(
            new_day=self._is_new_day(index),
            consolidated=consolidated,
            grouped=consolidated and not model.filter.active and model.groups.holding(index) is not None,
            running=model.is_running(index),
            marked=index in model.marked,
            kept=model.is_kept(index) and not model.filter.active,
            selected=selected,
            hovered=hovered,
            reason=model.left_out(index),
            branch=branch_mark(model.branches.get(index)),
        )

    def _is_new_day(self, index: int) -> bool:
        content = self._model.reader.content(index)
        if not self._model.filter.active:
            return content.new_day
        above, self._day = self._day, content.when.date() if content.when else self._day
        return content.when is not None and content.when.date() != above

    def _entry(self, painter: QPainter, row: TimelineRow, rect: QRect, attention: RowFocus) -> None:
        groups, place = self._model.groups, row.number
        fresh = self._slide.running and groups.starts[place] >= self._slide.start
        painter.setOpacity(self._slide.progress if fresh else 1.0)
        self.card.paint(
            painter,
            rect,
            groups.records[place],
            groups.numbers(place),
            unfolded=place in self._model.unfolded,
            selected=row == attention.current,
            hovered=row == attention.hovered,
            hovered_link=attention.hovered_link if row == attention.hovered else "",
        )
        painter.setOpacity(1.0)
