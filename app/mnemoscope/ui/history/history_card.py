"""One entry laid out as a card of a certain width: its lines, what is marked in them, and what is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)

from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.journal_entry import FACT_KINDS
from mnemoscope.store.search.history_query import HistoryMatch, MatchSpan
from mnemoscope.ui.history.history_words import body_of, origin_label, source_label, tr
from mnemoscope.ui.support.locale_words import stamp_words
from mnemoscope.ui.widgets.text.offsets import Offsets
from mnemoscope.ui.widgets.theme import Theme

_PADDING_X: Final = 12
_PADDING_Y: Final = 10
_RADIUS: Final = 8
LINES: Final = 6
"""Lines of an entry that are shown until it is unfolded."""
_FOLDED_LETTERS: Final = 3_000
_UNFOLDED_LETTERS: Final = 40_000
_LEAD: Final = 200
_LINE_SPACING: Final = 1.3
_LABEL: Final = re.compile(r"^\*\*(User|Agent|Error lesson):\*\*", re.MULTILINE)
"""The head that the program writes before the words of a daily note."""
_KIND: Final = re.compile(rf"^([-*] )\[(?:{'|'.join(FACT_KINDS)})\][ ]", re.MULTILINE | re.IGNORECASE)
"""The mark that tells Dream, in an entry of the journal, how long a fact holds."""
_GAP: Final = 8


@dataclass(frozen=True, slots=True)
class CardLook:
    """Holds the fonts of one theme, made once."""

    body: QFont
    strong: QFont
    caption: QFont

    @classmethod
    def of(cls, theme: Theme) -> CardLook:
        """Returns the fonts in force."""
        strong = QFont(theme.font("body"))
        strong.setWeight(QFont.Weight.DemiBold)
        return cls(theme.font("body"), strong, theme.font("caption"))


@dataclass(frozen=True, slots=True)
class EntryOrigin:
    """Holds where an entry came from and whether Dream has read it.

    `standing` says the latter, "" where that is not asked. `place` names where the entry stands if that is no log of
    this workspace, else ""; a click on it leads there. `forgotten` says that a line of it was forgotten, "" where none
    was.
    """

    record: ConsolidationRecord | None = None
    standing: str = ""
    place: str = ""
    forgotten: str = ""


class HistoryCard:
    """Lays an entry out once, and paints it at any place. Coordinates are relative to the card's corner."""

    def __init__(self, match: HistoryMatch, origin: EntryOrigin, width: int, look: CardLook, *, unfolded: bool) -> None:
        self.match = match
        self.record = origin.record
        self.width = width
        self.unfolded = unfolded
        self._standing = origin.standing
        self._place = origin.place
        self._forgotten = origin.forgotten
        self._look = look
        self._inner = max(80, width - 2 * _PADDING_X)
        self._head: list[tuple[str, str, QRectF]] = []
        self._formats: list[QTextLayout.FormatRange] | None = None
        self._marks: QPainterPath | None = None
        self.link = QRectF()
        self._top = self._place_head()
        body, skipped = body_of(match.entry)
        self._date_marked = any(start < skipped for start, _ in match.spans)
        spans = [(start - skipped, stop - skipped) for start, stop in match.spans if stop > skipped]
        text, spans, self._cut_before, cut_after = _window(body, spans, unfolded=unfolded)
        self._offsets = Offsets(text)
        self._layout = self._lay_out(text)
        self._spans = spans
        count = self._layout.lineCount()
        self.first, self.last = self._lines_shown(count)
        self.folds = count > LINES or cut_after or self._cut_before > 0
        self._line_height = QFontMetricsF(look.body).height() * _LINE_SPACING
        self.more = self._place_more()
        bottom = self.more.bottom() if self.folds else self._text_bottom()
        self.height = int(bottom + _PADDING_Y + 0.999)

    @property
    def link_tooltip(self) -> str:
        """Returns what the link does."""
        if self._place:
            return tr("Show where it stands (Ctrl+Enter)")
        if self.record is None:
            return ""
        words = tr("Show these messages (Ctrl+Enter)")
        return f"{words}\n{tr('Found by their times, not noted down')}" if self.record.inferred else words

    def paint(self, painter: QPainter, place: QRect, *, focused: bool, marked: bool, hovered: str | None) -> None:
        """Draws the card at its place in the viewport.

        `marked`: it is the current match, or the entry that was asked for. `hovered`: what the pointer is over: "link",
        "more", "" for elsewhere on the card, None where it is not there at all.
        """
        theme = Theme.current()
        width = 2.0 if focused else 1.0
        role = "focus" if focused else "border" if hovered is None else "border_strong"
        painter.setPen(QPen(theme.color(role), width))
        painter.setBrush(theme.color("surface"))
        inset = width / 2
        painter.drawRoundedRect(QRectF(place).adjusted(inset, inset, -inset, -inset), _RADIUS, _RADIUS)
        if marked and not focused:
            # A bar at the edge, while the keyboard is elsewhere.
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent"))
            painter.drawRoundedRect(QRectF(place.left() + 4, place.top() + 9, 3, place.height() - 18), 1.5, 1.5)
        painter.save()
        painter.translate(place.topLeft())
        self._paint_head(painter, theme, hovered == "link")
        self._paint_body(painter, theme)
        if self.folds:
            painter.setFont(_underlined(self._look.caption, hovered == "more"))
            painter.setPen(theme.color("accent"))
            painter.drawText(self.more, int(Qt.AlignmentFlag.AlignVCenter), self._more_words())
        painter.restore()

    def _place_head(self) -> float:
        """Places date, chips and link, on as many lines as they need; returns the y at which the text begins."""
        entry = self.match.entry
        parts = [("date", stamp_words(entry.when, date.today()))]
        parts += [("raw", "RAW")] if entry.raw else []
        # An entry with a standing is where entries are expected to be, and one with a place names it.
        parts += (
            [("source", source_label(entry))] if source_label(entry) and not (self._standing or self._place) else []
        )
        parts += [("link", self._place)] if self._place else []
        parts += [("link", origin_label(self.record))] if self.record is not None else []
        parts += [("standing", self._standing)] if self._standing else []
        parts += [("forgotten", self._forgotten)] if self._forgotten else []
        height = QFontMetricsF(self._look.strong).height() * 1.15
        x, y = float(_PADDING_X), float(_PADDING_Y)
        for kind, words in parts:
            font = self._look.strong if kind == "date" else self._look.caption
            width = QFontMetricsF(font).horizontalAdvance(words) + (12 if kind in {"raw", "source"} else 0)
            if x > _PADDING_X and x + width > _PADDING_X + self._inner:
                x, y = float(_PADDING_X), y + height
            place = QRectF(x, y, min(width, self._inner), height)
            self._head.append((kind, words, place))
            if kind == "link":
                self.link = place
            x += width + _GAP
        return y + height + 2

    def _lay_out(self, text: str) -> QTextLayout:
        layout = QTextLayout(_plain_labels(text).replace("\n", "\u2028"), self._look.body)
        layout.setCacheEnabled(True)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        height = QFontMetricsF(self._look.body).height() * _LINE_SPACING
        y = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(self._inner)
            line.setPosition(QPointF(0, y + (height - line.height()) / 2))
            y += height
        layout.endLayout()
        return layout

    def _lines_shown(self, count: int) -> tuple[int, int]:
        """Returns [first, last) of the lines; where the first match is further down, those around it."""
        if self.unfolded or count <= LINES:
            return 0, count
        first = 0
        if self._spans:
            hit = self._layout.lineForTextPosition(self._offsets.to_qt(self._spans[0][0])).lineNumber()
            first = max(0, min(hit - 1, count - LINES)) if hit >= LINES else 0
        return first, first + LINES

    def _text_bottom(self) -> float:
        return self._top + self._line_height * (self.last - self.first)

    def _place_more(self) -> QRectF:
        metrics = QFontMetricsF(self._look.caption)
        width = metrics.horizontalAdvance(self._more_words()) + 2
        return QRectF(_PADDING_X, self._text_bottom() + 2, width, metrics.height() * 1.3)

    def _more_words(self) -> str:
        return tr("Show less") if self.unfolded else tr("Show all")

    def _paint_head(self, painter: QPainter, theme: Theme, hovered_link: bool) -> None:
        for kind, words, place in self._head:
            if kind in {"raw", "source"}:
                self._paint_chip(painter, theme, words, place, warns=kind == "raw")
                continue
            strong = kind == "date"
            hovered = hovered_link and kind == "link"
            font = self._look.strong if strong else _underlined(self._look.caption, hovered)
            if strong and self._date_marked:
                _mark(painter, theme, place.adjusted(-2, 1, 2, -1))
            role = ("on_mark" if self._date_marked else "text") if strong else "accent" if hovered else "text_muted"
            role = "danger" if kind == "forgotten" else role
            painter.setFont(font)
            painter.setPen(theme.color(role))
            elided = QFontMetricsF(font).elidedText(words, Qt.TextElideMode.ElideRight, place.width() + 1)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), elided)

    def _paint_chip(self, painter: QPainter, theme: Theme, words: str, place: QRectF, *, warns: bool) -> None:
        height = QFontMetricsF(self._look.caption).height() + 1
        chip = QRectF(place.x(), place.center().y() - height / 2, place.width(), height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("warning_soft" if warns else "sunken"))
        painter.drawRoundedRect(chip, 4, 4)
        painter.setFont(self._look.caption)
        painter.setPen(theme.color("warning" if warns else "text_muted"))
        painter.drawText(chip, int(Qt.AlignmentFlag.AlignCenter), words)

    def _paint_body(self, painter: QPainter, theme: Theme) -> None:
        if self.first >= self.last:
            return
        rise = self._layout.lineAt(self.first).lineNumber() * self._line_height
        origin = QPointF(_PADDING_X, self._top - rise)
        shown = QRectF(0, self._top, self.width, self._text_bottom() - self._top)
        if self._formats is None:
            self._formats = self._ranges(theme)
        painter.save()
        painter.setClipRect(shown, Qt.ClipOperation.IntersectClip)
        self._paint_marks(painter, theme, origin)
        painter.setPen(theme.color("text"))
        self._layout.draw(painter, origin, self._formats, shown)
        painter.restore()

    def _ranges(self, theme: Theme) -> list[QTextLayout.FormatRange]:
        """Returns the matches' letters in their own colour, of those in the shown lines; none where all text has it."""
        colour = theme.color("on_mark")
        if colour == theme.color("text"):
            return []
        begin = self._layout.lineAt(self.first).textStart()
        last = self._layout.lineAt(self.last - 1)
        form = QTextCharFormat()
        form.setForeground(colour)
        ranges = []
        for start, stop in self._spans:
            left, right = self._offsets.to_qt(start), self._offsets.to_qt(stop)
            if right > begin and left < last.textStart() + last.textLength():
                part = QTextLayout.FormatRange()
                part.start = left
                part.length = right - left
                part.format = form
                ranges.append(part)
        return ranges

    def _paint_marks(self, painter: QPainter, theme: Theme, origin: QPointF) -> None:
        if self._marks is None:
            self._marks = QPainterPath()
            self._marks.setFillRule(Qt.FillRule.WindingFill)
            for mark in self._find_marks():
                self._marks.addRoundedRect(mark, 2.5, 2.5)
        if not self._marks.isEmpty():
            painter.translate(origin)
            painter.fillPath(self._marks, theme.color("mark"))
            painter.translate(-origin)

    def _find_marks(self) -> Iterator[QRectF]:
        """Returns where the grounds of the matches are, in the shown lines, relative to the text."""
        height = QFontMetricsF(self._look.body).height()
        rise = (self._line_height - height) / 2
        spans = [(self._offsets.to_qt(start), self._offsets.to_qt(stop)) for start, stop in self._spans]
        at = 0
        for number in range(self.first, self.last):
            line = self._layout.lineAt(number)
            begin, end = line.textStart(), line.textStart() + line.textLength()
            while at < len(spans) and spans[at][1] <= begin:
                at += 1
            for left, right in spans[at:]:
                if left >= end:
                    break
                x1, x2 = _cursor_x(line, max(left, begin)), _cursor_x(line, min(right, end))
                y = number * self._line_height + rise
                yield QRectF(min(x1, x2) - 1, y, abs(x2 - x1) + 2, height)


def _window(text: str, spans: list[MatchSpan], *, unfolded: bool) -> tuple[str, list[MatchSpan], int, bool]:
    """Returns the part of a very long text that is laid out, with its marks; what was cut before and whether after."""
    limit = _UNFOLDED_LETTERS if unfolded else _FOLDED_LETTERS
    if len(text) <= limit:
        return text, spans, 0, False
    first = spans[0][0] if spans else 0
    start = max(0, min(first - _LEAD, len(text) - limit)) if first > limit - _LEAD else 0
    stop = start + limit
    before, after = ("…" if start else ""), ("…" if stop < len(text) else "")
    shift = len(before) - start
    inside = [(max(a, start) + shift, min(b, stop) + shift) for a, b in spans if b > start and a < stop]
    return before + text[start:stop] + after, inside, start, bool(after)


def _mark(painter: QPainter, theme: Theme, rect: QRectF) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("mark"))
    painter.drawRoundedRect(rect, 2.5, 2.5)


def _cursor_x(line: object, position: int) -> float:
    x = line.cursorToX(position)  # type: ignore[attr-defined]
    return float(x[0] if isinstance(x, tuple) else x)


def _underlined(font: QFont, yes: bool) -> QFont:
    if not yes:
        return font
    underlined = QFont(font)
    underlined.setUnderline(True)
    return underlined


def _plain_labels(text: str) -> str:
    """Returns a note's labels without their asterisks, facts without their kinds.

    What takes no room stands for these, so that every place stays.
    """
    text = _LABEL.sub("\u200b\u200b\\1:\u200b\u200b", text)
    return _KIND.sub(lambda found: found[1].ljust(len(found[0]), "\u200b"), text)
