"""Draws the timeline's rows. Knows colours, fonts and columns; neither what is scrolled nor what is selected."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen

from mnemoscope.domain.conversation.history_selection import LeftOutReason
from mnemoscope.ui.support.locale_words import number
from mnemoscope.ui.timeline.row_content import RowContent
from mnemoscope.ui.timeline.row_marks import mark_colour, paint_arrow, paint_fork, paint_mark
from mnemoscope.ui.timeline.timeline_words import (
    clock,
    kept_words,
    left_out_words,
    pointer_words,
    short_day,
    tr,
)
from mnemoscope.ui.widgets.accessibility.focus_ring import paint_ring
from mnemoscope.ui.widgets.theme import Theme

RAIL: Final = 6
"""Left edge of the 2-px rail that says where a row stands."""
_MARK: Final = 21
_TIME: Final = 36
_ROOM_FOR_BOTH: Final = 330
"""Width from which a row has room for its words and for why it is not sent."""
_SIGN: Final = 14
"""Pixels of the sign of an image, either way."""
_LEAST_WORDS: Final = 72
"""Pixels that a row's words keep beside a chip."""
_TEXT: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute
_RIGHT: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
_KEEP_WORDS: Final = frozenset(
    {LeftOutReason.BEYOND_LIMIT, LeftOutReason.COMMAND, LeftOutReason.COMPACTED, LeftOutReason.DELETED}
)
"""Many may stand in a row for one of these reasons, and their words tell them apart; or the words say it already."""


@dataclass(frozen=True, slots=True)
class RowLook:
    """Tells how a message's row is drawn, beside its content."""

    consolidated: bool = False
    grouped: bool = False
    running: bool = False
    kept: bool = False
    selected: bool = False
    hovered: bool = False
    marked: bool = False
    """It was asked for, with others or alone: it stands out until something else is."""
    new_day: bool = False
    """The row above is of another day: the day stands where the time would."""
    reason: LeftOutReason | None = None
    branch: str = ""
    """The number of the branch that goes on here, and how many there are."""


class TimelinePainter:
    """Paints with the fonts and colours of one theme; made anew when the theme changes."""

    def __init__(self) -> None:
        self.edge = 12
        """Free space at the right, so that counts end where the head's do, with a scroll bar or without."""
        self.theme = Theme.current()
        self.body = self.theme.font("body")
        self.caption = self.theme.font("caption")
        self.strong_caption = _semibold(self.caption)
        self.body_metrics = QFontMetrics(self.body)
        self.caption_metrics = QFontMetrics(self.caption)
        days = (short_day(date(2026, month, 28)) for month in range(1, 13))
        widest = max(map(self.caption_metrics.horizontalAdvance, ("00:00", *days)))
        self.words_x = _TIME + widest + 9
        self.message_height = max(28, self.body_metrics.height() + 12)
        self.pointer_height = max(32, self.caption_metrics.height() + 14)
        self.kept_height = max(26, self.caption_metrics.height() + 10)

    def message(self, painter: QPainter, rect: QRect, content: RowContent, look: RowLook) -> None:
        """Draws one message's row."""
        self._ground(painter, rect, look)
        middle = rect.top() + rect.height() / 2
        colour = mark_colour(self.theme, content.mark, consolidated=look.consolidated)
        out = look.reason is not None
        paint_mark(painter, content.mark, QPointF(_MARK, middle), colour, left_out=out)
        painter.setFont(self.caption)
        painter.setPen(self.theme.color("text_faint" if out else "text_muted"))
        painter.drawText(self._column(rect, _TIME, self.words_x - _TIME), _TEXT, self._time(content, look))
        quantity = _left_out_words(look.reason) if look.reason is not None else number(content.tokens)
        painter.setPen(self.theme.color("text_faint"))
        painter.drawText(self._column(rect, self.words_x, rect.right() - self.edge - self.words_x), _RIGHT, quantity)
        end = rect.right() - self.edge - self.caption_metrics.horizontalAdvance(quantity) - 8
        end = self._fork(painter, rect, end, look.branch)
        end = self._origin(painter, rect, end, content.origin)
        end = self._images(painter, rect, end, content.images)
        self._words(painter, rect, end, content, look)

    def pointer(self, painter: QPainter, rect: QRect, pointer: int, *, selected: bool = False) -> None:
        """Draws the pointer's line: everything above it is consolidated."""
        if selected:
            painter.fillRect(rect, self.theme.color("pointer_soft"))
        colour = self.theme.color("pointer")
        middle = rect.top() + rect.height() / 2
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(_MARK, middle), 5, 5)
        words = self._elided(self.strong_caption, pointer_words(pointer), rect.right() - _TIME - self.edge - 12)
        end = _TIME + QFontMetrics(self.strong_caption).horizontalAdvance(words) + 10
        painter.setPen(QPen(colour, 2))
        painter.drawLine(QLineF(0, middle, _MARK - 5, middle))
        painter.drawLine(QLineF(end, middle, rect.right() + 1, middle))
        painter.restore()
        painter.setFont(self.strong_caption)
        painter.setPen(colour)
        painter.drawText(self._column(rect, _TIME, end - _TIME), _TEXT, words)

    def pinned_pointer(self, painter: QPainter, rect: QRect, pointer: int, *, above: bool) -> None:
        """Draws the pointer's line at the edge behind which it lies."""
        painter.fillRect(rect, self.theme.color("surface"))
        self.pointer(painter, rect, pointer)
        centre = QPointF(rect.right() - self.edge, rect.top() + rect.height() / 2)
        painter.fillRect(QRectF(centre.x() - 10, rect.top(), 20, rect.height()), self.theme.color("surface"))
        paint_arrow(painter, centre, self.theme.color("pointer"), up=above)
        painter.setPen(self.theme.color("border"))
        edge = rect.bottom() if above else rect.top()
        painter.drawLine(rect.left(), edge, rect.right(), edge)

    def kept(self, painter: QPainter, rect: QRect, count: int) -> None:
        """Draws the quiet line above the messages that the next consolidation leaves as they are."""
        words = self._elided(self.caption, kept_words(count), rect.right() - _TIME - self.edge)
        middle = rect.top() + rect.height() // 2
        painter.setFont(self.caption)
        painter.setPen(self.theme.color("text_faint"))
        painter.drawText(self._column(rect, _TIME, rect.right() - _TIME), _TEXT, words)
        painter.setPen(self.theme.color("border"))
        start = _TIME + self.caption_metrics.horizontalAdvance(words) + 10
        painter.drawLine(start, middle, rect.right() - self.edge, middle)
        painter.fillRect(QRect(RAIL, middle, _MARK - RAIL + 6, 2), self.theme.color("border"))
        painter.fillRect(QRect(RAIL, middle, 2, rect.bottom() - middle + 1), self.theme.color("border"))

    def focus(self, painter: QPainter, rect: QRect) -> None:
        """Draws the ring around the row the keyboard is on."""
        paint_ring(painter, rect.adjusted(1, 0, -1, 0), 4)

    def _ground(self, painter: QPainter, rect: QRect, look: RowLook) -> None:
        if look.selected or look.marked:
            painter.fillRect(rect, self.theme.color("accent_soft"))
        elif look.running or look.hovered:
            painter.fillRect(rect, self.theme.color("pointer_soft" if look.running else "canvas"))
        if look.marked:
            painter.fillRect(QRect(rect.right() - 2, rect.top(), 3, rect.height()), self.theme.color("accent"))
        if look.running or look.grouped:
            painter.fillRect(QRect(RAIL, rect.top(), 2, rect.height()), self.theme.color("pointer"))
        elif look.kept:
            painter.fillRect(QRect(RAIL, rect.top(), 2, rect.height()), self.theme.color("border"))

    def _fork(self, painter: QPainter, rect: QRect, end: int, branch: str) -> int:
        """Draws the sign of a fork and which branch goes on here; returns where the words end then."""
        if not branch:
            return end
        begin = self._caption(painter, rect, end, branch)
        centre = QPointF(begin - 9, rect.top() + rect.height() / 2)
        paint_fork(painter, centre, self.theme.color("text_muted"))
        return begin - 24

    def _caption(self, painter: QPainter, rect: QRect, end: int, words: str) -> int:
        """Draws small words up to `end`; returns where they begin."""
        width = self.caption_metrics.horizontalAdvance(words)
        painter.setFont(self.caption)
        painter.setPen(self.theme.color("text_muted"))
        painter.drawText(self._column(rect, end - width, width), _RIGHT, words)
        return end - width

    def _images(self, painter: QPainter, rect: QRect, end: int, count: int) -> int:
        """Draws the sign of images that go with a message, and how many where there are several; returns where the
        words end then."""
        if not count:
            return end
        if count > 1:
            end = self._caption(painter, rect, end, str(count)) - 3
        place = QRect(end - _SIGN, rect.top() + (rect.height() - _SIGN) // 2, _SIGN, _SIGN)
        self.theme.icon("image", "text_muted").paint(painter, place)
        return end - _SIGN - 8

    def _origin(self, painter: QPainter, rect: QRect, end: int, origin: str) -> int:
        """Draws a chip that says whose words these are, where they keep some room; returns where they end then."""
        width = self.caption_metrics.horizontalAdvance(origin) + 12
        if not origin or end - width - self.words_x < _LEAST_WORDS:
            return end
        height = self.caption_metrics.height() + 2
        chip = QRectF(end - width, rect.top() + (rect.height() - height) / 2, width, height)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color("sunken"))
        painter.drawRoundedRect(chip, 4, 4)
        painter.restore()
        painter.setFont(self.caption)
        painter.setPen(self.theme.color("text_muted"))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, origin)
        return end - width - 8

    def _words(self, painter: QPainter, rect: QRect, end: int, content: RowContent, look: RowLook) -> None:
        words = content.words
        if look.reason is not None and look.reason not in _KEEP_WORDS:
            reason = left_out_words(look.reason)
            width = self.caption_metrics.horizontalAdvance(reason)
            if words and end - self.words_x >= width + _ROOM_FOR_BOTH // 2:
                painter.setFont(self.caption)
                painter.drawText(self._column(rect, end - width, width), _RIGHT, reason)
                end -= width + 12
            else:
                # Where the tokens stand, a dash says already that it is not sent.
                words = reason.partition(" · ")[0]
        dimmed = look.consolidated or look.reason is not None
        painter.setFont(self.body)
        painter.setPen(self.theme.color("text_faint" if look.reason else "text_muted" if dimmed else "text"))
        elided = self._elided(self.body, words, end - self.words_x)
        painter.drawText(self._column(rect, self.words_x, end - self.words_x), _TEXT, elided)

    def _time(self, content: RowContent, look: RowLook) -> str:
        return short_day(content.when.date()) if look.new_day and content.when else clock(content.when)

    def _elided(self, font: QFont, text: str, width: int) -> str:
        return QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, max(0, width))

    def _column(self, rect: QRect, x: int, width: int) -> QRect:
        return QRect(x, rect.top(), max(0, width), rect.height())


def _left_out_words(reason: LeftOutReason) -> str:
    """Returns what stands in place of the tokens of a message that is not sent."""
    if reason is LeftOutReason.COMPACTED:
        return tr("compacted")
    return tr("not sent") if reason in _KEEP_WORDS and reason is not LeftOutReason.DELETED else "–"


def _semibold(font: QFont) -> QFont:
    strong = QFont(font)
    strong.setWeight(QFont.Weight.DemiBold)
    return strong
