"""Draws the card of one history entry above the messages it was made from."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPainterPath, QPen, QTextLayout, QTextOption

from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.fact_outcomes import Outcome
from mnemoscope.domain.memory.history_entries import stamp_length
from mnemoscope.domain.memory.journal_entry import plain_entry
from mnemoscope.ui.dream.entry_words import EntryLink
from mnemoscope.ui.timeline.card_links import CardLinks
from mnemoscope.ui.timeline.row_marks import paint_chevron
from mnemoscope.ui.timeline.timeline_painter import RAIL, TimelinePainter
from mnemoscope.ui.timeline.timeline_words import entry_moment, outcome_words, span_parts, tr

_LINES: Final = 3
_WIDE: Final = 78
"""Letters of a caption that a card is as wide as from which date and span stand on one line: with less the span would
be cut."""
_GAP: Final = 4
_PAD: Final = 9
_INSET: Final = 14
_TEXT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute
_CACHED: Final = 256
_DOT: Final = 12
"""Room for the mark before the words: a ring while the entry waits, a dot once it was read."""
_BETWEEN: Final = " · "


class EntryCard:
    """Draws cards at one width; made anew when the theme or the width changes."""

    def __init__(self, rows: TimelinePainter, width: int, today: date, links: CardLinks) -> None:
        self._rows = rows
        self._width = width
        self._today = today
        self._links = links
        self._chain = ChainLine(rows)
        self._title = QFont(rows.body)
        self._title.setWeight(QFont.Weight.DemiBold)
        self._title_metrics = QFontMetrics(self._title)
        self._line = rows.caption_metrics.height() + 2
        self._known: OrderedDict[str, list[str]] = OrderedDict()

    def height(self, record: ConsolidationRecord | None = None) -> int:
        """Returns the height of a record's card with the gaps around it; of the highest one where none is given."""
        lines = _LINES if record is None else len(self.lines(record.entry))
        head = self._title_metrics.height() + (0 if self._wide else self._line)
        chained = self._links.reach is not None if record is None else bool(self._links.chain(record))
        return 2 * _GAP + 2 * _PAD + head + 3 + lines * self._line + (self._chain_height if chained else 0)

    def link_at(self, rect: QRect, record: ConsolidationRecord, numbers: range, at: QPoint) -> EntryLink | None:
        """Returns the step of an entry's way, its facts or the undo, whatever is under a point, its card being drawn in
        `rect`. `numbers`: its messages."""
        offer = self._links.undo_offer(record)
        if offer is not None and self._offer_rect(rect, record, offer).adjusted(-6, -6, 6, 6).contains(at):
            return offer
        facts = self._links.facts_offer(record)
        if facts is not None and self._facts_rect(rect, record, numbers).adjusted(-3, -4, 3, 4).contains(at):
            return facts
        if at.y() <= rect.top() + _GAP + _PAD + self._title_metrics.height() + 4:
            for chip, place in self._chip_places(rect, record):
                if chip.link is not None and place.adjusted(-3, -6, 3, 6).contains(at):
                    return chip.link
        links = self._links.chain(record)
        return self._chain.link_at(self._chain_rect(rect), links, QPointF(at)) if links else None

    def lines(self, entry: str) -> list[str]:
        """Returns an entry's first words as lines that fit the card, the last one elided; its leading time stamp is
        left off."""
        known = self._known.get(entry)
        if known is None:
            begun = entry[:1200].lstrip()
            text = plain_entry(begun[stamp_length(begun) :])
            known = self._known[entry] = _wrap(text, self._rows.caption, self._width - 2 * _INSET - RAIL, _LINES)
            if len(self._known) > _CACHED:
                self._known.popitem(last=False)
        return known

    def title_words(self, rect: QRect, record: ConsolidationRecord) -> str:
        """Returns when the entry of the card in `rect` was made, with the month shortened before the time would be cut
        off."""
        room = self._title_end(rect, record) - self._head_rect(rect).left()
        words = entry_moment(record, self._today)
        shown = self._title_metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)
        if shown == words:
            return words
        brief = entry_moment(record, self._today, brief=True)
        return self._title_metrics.elidedText(brief, Qt.TextElideMode.ElideRight, room)

    def paint(
        self,
        painter: QPainter,
        rect: QRect,
        record: ConsolidationRecord,
        numbers: range,
        *,
        unfolded: bool,
        selected: bool,
        hovered: bool,
        hovered_link: str = "",
    ) -> None:
        """Draws one card in its row. `hovered_link`: the kind of the step that the mouse is over."""
        card = QRectF(rect).adjusted(RAIL, _GAP, -RAIL, -_GAP)
        self._ground(painter, card, strong=selected or hovered, below=unfolded, bottom=rect.bottom() + 1)
        head = self._head_rect(rect)
        left, right = head.left(), head.right() + 1
        self._offer(painter, rect, record, hovered_link)
        self._head(painter, rect, record, unfolded=unfolded, hovered_link=hovered_link)
        self._span(painter, rect, record, numbers, hovered_link)
        top = head.bottom() + 1 + (0 if self._wide else self._line)
        painter.setFont(self._rows.caption)
        painter.setPen(self._rows.theme.color("text_muted"))
        for place, line in enumerate(self.lines(record.entry)):
            painter.drawText(QRect(left, top + 3 + place * self._line, right - left + 4, self._line), _TEXT, line)
        if links := self._links.chain(record):
            self._chain.paint(painter, self._chain_rect(rect), links, hovered_link)

    @property
    def _wide(self) -> bool:
        return self._width >= _WIDE * self._rows.caption_metrics.averageCharWidth()

    @property
    def _chain_height(self) -> int:
        return self._line + _GAP

    def _chain_rect(self, rect: QRect) -> QRect:
        """Returns the last line of the card that is drawn in `rect`."""
        left, right = rect.left() + RAIL + _INSET - 2, rect.right() - RAIL - 9
        bottom = rect.bottom() + 1 - _GAP - _PAD
        return QRect(left, bottom - self._line + 2, right - left, self._line)

    def _offer_rect(self, rect: QRect, record: ConsolidationRecord, offer: EntryLink) -> QRect:
        """Returns where the offer stands: at the end of the line that tells the span."""
        right, top = rect.right() - RAIL - 9, rect.top() + _GAP + _PAD
        height = self._title_metrics.height()
        if self._wide:
            right -= 14 + sum(self._chip_width(chip.words) + 6 for chip in self._chips(record))
        else:
            top, height = top + height, self._line
        width = self._rows.caption_metrics.horizontalAdvance(offer.words)
        return QRect(right - width, top, width, height)

    def _free(self, rect: QRect, record: ConsolidationRecord) -> int:
        """Returns where what stands before the undo of the card in `rect` has to end."""
        offer = self._links.undo_offer(record)
        return rect.right() - RAIL - 9 if offer is None else self._offer_rect(rect, record, offer).left() - 8

    def _offer(self, painter: QPainter, rect: QRect, record: ConsolidationRecord, hovered_link: str) -> None:
        """Draws the undo of the card in `rect`, where it has one."""
        offer = self._links.undo_offer(record)
        if offer is None:
            return
        place = self._offer_rect(rect, record, offer)
        font = QFont(self._rows.caption)
        font.setUnderline(offer.kind == hovered_link)
        painter.setFont(font)
        painter.setPen(self._rows.theme.color("accent_hover"))
        painter.drawText(place.adjusted(0, 0, 2, 0), _TEXT, offer.words)

    def _ground(self, painter: QPainter, card: QRectF, *, strong: bool, below: bool, bottom: int) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = QPainterPath()
        path.addRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        painter.fillPath(path, self._rows.theme.color("pointer_soft"))
        painter.setPen(QPen(self._rows.theme.color("pointer" if strong else "border"), 1))
        painter.drawPath(path)
        painter.setClipPath(path)
        painter.fillRect(QRectF(card.left(), card.top(), 3, card.height()), self._rows.theme.color("pointer"))
        painter.restore()
        if below:
            rail = QRectF(RAIL, card.bottom() - 8, 2, bottom - card.bottom() + 8)
            painter.fillRect(rail, self._rows.theme.color("pointer"))

    def _head(
        self,
        painter: QPainter,
        card: QRect,
        record: ConsolidationRecord,
        *,
        unfolded: bool,
        hovered_link: str,
    ) -> None:
        rect = self._head_rect(card)
        paint_chevron(
            painter,
            QPointF(rect.right() - 3, rect.top() + rect.height() / 2),
            self._rows.theme.color("text_muted"),
            down=unfolded,
        )
        for chip, place in self._chip_places(card, record):
            self._chip(painter, place, chip, hovered=chip.link is not None and chip.link.kind == hovered_link)
        painter.setFont(self._title)
        painter.setPen(self._rows.theme.color("text"))
        painter.drawText(rect, _TEXT, self.title_words(card, record))

    def _title_end(self, rect: QRect, record: ConsolidationRecord) -> int:
        """Returns where the title of the card in `rect`, and the span where that stands beside it, have to end."""
        places = self._chip_places(rect, record)
        right = places[-1][1].left() - 6 if places else self._head_rect(rect).right() - 14
        return min(right, self._free(rect, record)) if self._wide else right

    def _span_rect(self, rect: QRect, record: ConsolidationRecord) -> QRect:
        """Returns where the card in `rect` tells its messages: beside the title, or below it in a narrow card."""
        head = self._head_rect(rect)
        if not self._wide:
            return QRect(head.left(), head.bottom() + 1, self._free(rect, record) - head.left(), self._line)
        left = head.left() + self._title_metrics.horizontalAdvance(self.title_words(rect, record)) + 8
        return QRect(left, head.top(), self._title_end(rect, record) - left, head.height())

    def _facts_rect(self, rect: QRect, record: ConsolidationRecord, numbers: range) -> QRect:
        """Returns where the card in `rect` says how many facts were added, as far as there is room for it."""
        span, metrics = self._span_rect(rect, record), self._rows.caption_metrics
        source, gained, _ = span_parts(record, numbers.start, numbers.stop)
        left = span.left() + metrics.horizontalAdvance(source)
        width = min(metrics.horizontalAdvance(gained), span.right() + 1 - left)
        return QRect(left, span.top(), max(0, width), span.height())

    def _span(
        self, painter: QPainter, rect: QRect, record: ConsolidationRecord, numbers: range, hovered_link: str
    ) -> None:
        span, metrics = self._span_rect(rect, record), self._rows.caption_metrics
        linked = self._links.facts_offer(record) is not None
        left = span.left()
        for place, words in enumerate(span_parts(record, numbers.start, numbers.stop)):
            is_link = linked and place == 1
            font = QFont(self._rows.caption)
            font.setUnderline(is_link and hovered_link == "facts")
            painter.setFont(font)
            painter.setPen(self._rows.theme.color("accent_hover" if is_link else "text_muted"))
            shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, max(0, span.right() + 1 - left))
            painter.drawText(QRect(left, span.top(), metrics.horizontalAdvance(shown) + 2, span.height()), _TEXT, shown)
            left += metrics.horizontalAdvance(words)

    def _chips(self, record: ConsolidationRecord) -> list[_Chip]:
        chips = []
        if (found := self._links.outcome(record)) is not None:
            words = outcome_words(found.outcome)
            link = EntryLink("outcome", words)
            chips.append(_Chip(words, *_CHIP_COLOURS.get(found.outcome, _QUIET), link))
        if record.inferred:
            chips.append(_Chip(tr("matched by time"), *_QUIET))
        return chips

    def _head_rect(self, rect: QRect) -> QRect:
        """Returns the first line of the card that is drawn in `rect`."""
        left, right = rect.left() + RAIL + _INSET - 2, rect.right() + 1 - RAIL - 10
        return QRect(left, rect.top() + _GAP + _PAD, right - left, self._title_metrics.height())

    def _chip_places(self, rect: QRect, record: ConsolidationRecord) -> list[tuple[_Chip, QRect]]:
        """Returns the chips from right to left and where each stands in the card that is drawn in `rect`."""
        head = self._head_rect(rect)
        right, placed = head.right() - 14, list[tuple[_Chip, QRect]]()
        for chip in self._chips(record):
            width = self._chip_width(chip.words)
            placed.append((chip, QRect(right - width, head.top(), width, head.height())))
            right -= width + 6
        return placed

    def _chip_width(self, words: str) -> int:
        return self._rows.caption_metrics.horizontalAdvance(words) + 12

    def _chip(self, painter: QPainter, place: QRect, chip: _Chip, *, hovered: bool) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._rows.theme.color(chip.ground))
        painter.drawRoundedRect(QRectF(place), 4, 4)
        painter.restore()
        font = QFont(self._rows.caption)
        font.setUnderline(hovered)
        painter.setFont(font)
        painter.setPen(self._rows.theme.color(chip.ink))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, chip.words)


@dataclass(frozen=True, slots=True)
class _Chip:
    """Holds the words of a chip, its ground and its ink as colour roles, and where a click on it leads."""

    words: str
    ground: str
    ink: str
    link: EntryLink | None = None


_QUIET: Final = ("surface", "text_muted")
_CHIP_COLOURS: Final = {
    Outcome.IN_MEMORY: ("surface", "success"),
    Outcome.ACCEPTED: ("surface", "success"),
    Outcome.WAITING: ("warning_soft", "warning"),
}


def _wrap(text: str, font: QFont, width: int, limit: int) -> list[str]:
    """Breaks a text into at most `limit` lines of `width` pixels; what does not fit is elided in the last one."""
    if not text or width <= 0:
        return []
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    units = text.encode("utf-16-le", "surrogatepass")
    lines: list[str] = []
    layout.beginLayout()
    while len(lines) < limit and (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        start, stop = line.textStart() * 2, (line.textStart() + line.textLength()) * 2
        last = len(lines) == limit - 1
        part = units[start:] if last else units[start:stop]
        lines.append(part.decode("utf-16-le", "replace").strip())
    layout.endLayout()
    if len(lines) == limit:
        lines[-1] = QFontMetrics(font).elidedText(lines[-1][:400], Qt.TextElideMode.ElideRight, width)
    return lines


class ChainLine:
    """Draws the last line of a card: the steps from the entry to the version, each of which can be followed."""

    def __init__(self, rows: TimelinePainter) -> None:
        self._rows = rows

    def places(self, rect: QRect, links: Sequence[EntryLink]) -> list[tuple[EntryLink, QRect]]:
        """Returns where each step stands; the version's word goes, then its number is cut, where there is no room."""
        metrics = self._rows.caption_metrics
        gap = metrics.horizontalAdvance(_BETWEEN)
        left, placed = rect.left() + _DOT, list[tuple[EntryLink, QRect]]()
        for link in _fitting(links, rect.width() - _DOT, metrics.horizontalAdvance):
            width = min(metrics.horizontalAdvance(link.words), rect.right() - left)
            if width <= 0:
                break
            placed.append((link, QRect(left, rect.top(), width, rect.height())))
            left += width + gap
        return placed

    def link_at(self, rect: QRect, links: Sequence[EntryLink], at: QPointF) -> EntryLink | None:
        """Returns the step under a point."""
        return next((link for link, place in self.places(rect, links) if place.contains(at.toPoint())), None)

    def paint(self, painter: QPainter, rect: QRect, links: Sequence[EntryLink], hovered: str) -> None:
        """Draws the line; `hovered` is the kind of the step that the mouse is over, or ""."""
        self._mark(painter, rect, done=any(link.run is not None for link in links))
        for number, (link, place) in enumerate(self.places(rect, links)):
            over = link.kind == hovered
            font = QFont(self._rows.caption)
            font.setUnderline(over)
            if number:
                gap = self._rows.caption_metrics.horizontalAdvance(_BETWEEN)
                painter.setFont(self._rows.caption)
                painter.setPen(self._rows.theme.color("text_faint"))
                painter.drawText(place.translated(-gap, 0), _TEXT, _BETWEEN)
            painter.setFont(font)
            painter.setPen(self._rows.theme.color("accent" if over else "text_muted"))
            elided = self._rows.caption_metrics.elidedText(link.words, Qt.TextElideMode.ElideRight, place.width() + 1)
            painter.drawText(place.adjusted(0, 0, 2, 0), _TEXT, elided)

    def _mark(self, painter: QPainter, rect: QRect, *, done: bool) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self._rows.theme.color("pointer")
        painter.setPen(QPen(colour, 1.4))
        painter.setBrush(colour if done else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(rect.left() + 3.5, rect.top() + rect.height() / 2 + 0.5), 3, 3)
        painter.restore()


def _fitting(links: Sequence[EntryLink], room: int, measure: Callable[[str], int]) -> list[EntryLink]:
    """Returns the steps as they fit: in a narrow list a version is its number alone."""
    if sum(measure(link.words) for link in links) + (len(links) - 1) * measure(_BETWEEN) <= room:
        return list(links)
    return [replace(link, words=link.run.commit[:8]) if link.kind == "commit" and link.run else link for link in links]
