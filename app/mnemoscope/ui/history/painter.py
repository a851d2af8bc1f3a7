"""Draws the ground of a history card and what marks it: focus, the current match, the pointer over it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from mnemoscope.ui.history.card import RADIUS, HistoryCard
from mnemoscope.ui.history.labels import tr
from mnemoscope.ui.widgets.theme import Theme


@dataclass(frozen=True, slots=True)
class EntryLook:
    """A card and what it is at the moment. `hovered`: "link", "more", "" for elsewhere on it, None for not at all."""

    card: HistoryCard
    focused: bool
    current: bool
    hovered: str | None


def paint_entry(painter: QPainter, place: QRect, look: EntryLook) -> None:
    """Draw one card at its place in the viewport."""
    theme = Theme.current()
    width = 2.0 if look.focused else 1.0
    role = "focus" if look.focused else "border" if look.hovered is None else "border_strong"
    painter.setPen(QPen(theme.color(role), width))
    painter.setBrush(theme.color("surface"))
    inset = width / 2
    painter.drawRoundedRect(QRectF(place).adjusted(inset, inset, -inset, -inset), RADIUS, RADIUS)
    if look.current and not look.focused:
        # A bar at the edge of the current match, or of the entry that was asked for, while the keyboard is elsewhere.
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        painter.drawRoundedRect(QRectF(place.left() + 4, place.top() + 9, 3, place.height() - 18), 1.5, 1.5)
    painter.save()
    painter.translate(place.topLeft())
    look.card.paint(painter, theme, hovered_link=look.hovered == "link", hovered_more=look.hovered == "more")
    painter.restore()


def link_tip(card: HistoryCard | None) -> str:
    """What a card's link does."""
    if card is None or card.record is None:
        return ""
    words = tr("Show these messages (Ctrl+Enter)")
    return f"{words}\n{tr('Found by their times, not noted down')}" if card.record.inferred else words
