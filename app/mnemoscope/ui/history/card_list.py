"""Places the cards. A card is laid out when it comes into sight; until then its height is estimated."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from itertools import accumulate
from typing import Final

from mnemoscope.store.search.history_query import HistoryMatch
from mnemoscope.ui.history.history_card import LINES, CardLook, EntryOrigin, HistoryCard
from mnemoscope.ui.history.history_model import HistoryModel
from mnemoscope.ui.history.history_words import forgotten_label, standing_label
from mnemoscope.ui.widgets.theme import Theme, line_height

GAP: Final = 8
MARGIN: Final = 12
_CARDS_KEPT: Final = 160

EntryKey = tuple[str, int, str]


def entry_key(match: HistoryMatch) -> EntryKey:
    """Returns what tells an entry apart while its log grows."""
    return match.entry.source, match.entry.number, match.entry.text[:80]


class CardList:
    """Draws the cards of a model at one width, from top to bottom."""

    def __init__(self, model: HistoryModel) -> None:
        self._model = model
        self._width = 0
        self._look = CardLook.of(Theme.current())
        self._heights: list[int] = []
        self._tops: list[int] = [GAP]
        self._cards: OrderedDict[int, HistoryCard] = OrderedDict()
        self.unfolded: set[EntryKey] = set()

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def height(self) -> int:
        """Returns pixels of all cards, with what is around them."""
        return self._tops[-1] if self._heights else 0

    def restyle(self) -> None:
        """Lays out with the fonts of the theme that is now in force."""
        self._look = CardLook.of(Theme.current())
        self.reset()

    def set_width(self, width: int) -> bool:
        """Lays out for another width; True where it is another."""
        changed = width != self._width
        self._width = width
        if changed:
            self.reset()
        return changed

    def reset(self) -> None:
        """Begins anew for other matches, or other measures."""
        self._cards.clear()
        self._heights = []
        self.extend()

    def extend(self) -> None:
        """Takes in matches that were added at the end."""
        self._heights += [self._guess(match) for match in self._model.matches[len(self._heights) :]]
        self._place()

    def card(self, row: int) -> HistoryCard:
        """Returns a card, laid out."""
        card = self._cards.get(row)
        if card is None:
            match = self._model.matches[row]
            record = self._model.origins.record_of(match.entry)
            place = self._model.origins.place_of(match.entry)
            origin = EntryOrigin(
                record, standing_label(self._model, match.entry), place, forgotten_label(self._model, match.entry)
            )
            card = HistoryCard(match, origin, self._width, self._look, unfolded=entry_key(match) in self.unfolded)
            self._cards[row] = card
            while len(self._cards) > _CARDS_KEPT:
                self._cards.popitem(last=False)
        self._cards.move_to_end(row)
        return card

    def fold(self, row: int) -> None:
        """Shows all of an entry, or only its first lines again."""
        self.unfolded ^= {entry_key(self._model.matches[row])}
        self._cards.pop(row, None)
        self.measure(row, row + 1)

    def relink(self) -> None:
        """Lays cards out anew, as what they say of where entries came from changed."""
        self._cards.clear()

    def measure(self, first: int, stop: int) -> bool:
        """Replaces guesses by measures for the cards [first, stop); True where any was wrong."""
        wrong = False
        for row in range(first, min(stop, len(self._heights))):
            height = self.card(row).height
            if height != self._heights[row]:
                self._heights[row], wrong = height, True
        if wrong:
            self._place()
        return wrong

    def top(self, row: int) -> int:
        """Returns where a card begins."""
        return self._tops[row]

    def bottom(self, row: int) -> int:
        """Returns where a card ends."""
        return self._tops[row] + self._heights[row]

    def row_at(self, y: int) -> int:
        """Returns the card at a height, or the last above it."""
        return max(0, min(bisect_right(self._tops, y) - 1, len(self._heights) - 1))

    def _place(self) -> None:
        self._tops = list(accumulate((height + GAP for height in self._heights), initial=GAP))

    def _guess(self, match: HistoryMatch) -> int:
        letters = max(10, (self._width - 24) // 7)
        lines = min(LINES, 1 + len(match.entry.text) // letters)
        return int((lines + 1) * line_height() * 1.3) + 22
