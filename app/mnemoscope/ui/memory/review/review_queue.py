"""The queue of the review: what waits, in the order in which it is shown, and what was decided of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mnemoscope.domain.disagreement.settlement import PairItem
from mnemoscope.domain.review.review_items import ReviewItem


class ReviewQueue:
    """Holds what waits for review, the item in sight first, and what the person has decided since it was opened.

    Items of one reason stay together, and the groups stay where they were when items come in or vanish. Going to
    another item turns the queue: what stood before it comes again after the others.
    """

    def __init__(self) -> None:
        self._items: list[ReviewItem] = []
        self._decided: list[ReviewItem] = []
        self._first_with: dict[str, ReviewItem] = {}
        """The first item in sight that had a reason, by the kind of that."""

    @property
    def items(self) -> Sequence[ReviewItem]:
        """Returns what is left, that in sight first."""
        return self._items

    @property
    def current(self) -> ReviewItem | None:
        """Returns the item in sight, None where nothing is left."""
        return self._items[0] if self._items else None

    @property
    def can_undo(self) -> bool:
        """Returns whether anything was decided that can be taken back."""
        return bool(self._decided)

    @property
    def number(self) -> int:
        """Returns which of all the item in sight is, from 1: those that were decided come before it."""
        return len(self._decided) + 1

    @property
    def total(self) -> int:
        """Returns how many there are, with those that were decided."""
        return len(self._decided) + len(self._items)

    @property
    def oldest(self) -> str:
        """Returns since when the oldest of what is left waits, as an ISO time; "" where nothing is left."""
        return min((each.suggestion.when for each in self._items), default="")

    def count_like(self, item: ReviewItem) -> int:
        """Returns how many of what is left wait for the same reason as an item."""
        return sum(each.kind == item.kind for each in self._items)

    def is_first_with(self, reason: str) -> bool:
        """Returns whether the item in sight is the first that was in sight with this kind of reason, be it on another
        text by now. The first one that is asked about stays the first."""
        item = self.current
        if item is None:
            return False
        first = self._first_with.setdefault(reason, item)
        return first == item or is_moved(item, first) or _is_whole_of(item, first.suggestion.id)

    def renew(self, items: Sequence[ReviewItem], *, keeps_current: bool) -> bool:
        """Replaces what waits. The item in sight stays there if it is among these; else the next passage of the same
        suggestion follows it, or the first of all.

        With `keeps_current`, as while it is edited, it also stays as what became of it on another text, and even where
        these have nothing of it. Returns whether that is so: it is in sight and waits no more as it was shown.
        """
        current = self.current
        groups = {kind: place for place, kind in enumerate(dict.fromkeys(each.kind for each in self._items))}
        self._items = sorted(items, key=lambda item: groups.get(item.kind, len(groups)))
        if current is None:
            return False
        place = self._place_where(lambda each: is_same(each, current))
        if place is None and keeps_current:
            place = self._place_where(lambda each: is_moved(each, current))
            if place is None:
                self._items.insert(0, current)
                return True
        if place is None:
            # It may have been moved onto another text.
            place = self._place_where(lambda each: each.suggestion.id == current.suggestion.id)
        self._turn_to(place or 0)
        return False

    def go_to(self, item: ReviewItem) -> bool:
        """Brings another item of those that are left into sight; the others follow it in their order. Returns whether
        it is another one, and is left."""
        place = self._place_where(lambda each: each is item)
        if not place:
            return False
        self._turn_to(place)
        return True

    def decide(self, item: ReviewItem) -> None:
        """Counts an item that is left as decided."""
        self._items.remove(item)
        self._decided.append(item)

    def undo(self) -> ReviewItem | None:
        """Brings what was decided last back into sight, and returns it; None where nothing was decided."""
        if not self._decided:
            return None
        item = self._decided.pop()
        self._items.insert(0, item)
        return item

    def drop_current(self) -> ReviewItem:
        """Takes the item in sight out, which then counts as decided no more than as left, and returns it."""
        return self._items.pop(0)

    def take_back(self, item: ReviewItem) -> None:
        """Lets an item not count as decided, since its decision could not be carried out."""
        if item in self._decided:
            self._decided.remove(item)

    def put_back(self, item: ReviewItem, *, after_current: bool) -> bool:
        """Has an item wait again whose decision could not be carried out, before the others or after that in sight.
        Returns whether it had not waited."""
        self.take_back(item)
        if item in self._items:
            return False
        self._items.insert(int(after_current), item)
        return True

    def bring_forward(self, item: ReviewItem) -> None:
        """Brings an item into sight, in the place of what waits of the same proposal if anything does."""
        self._items = [item, *(each for each in self._items if not is_same_proposal(each, item))]

    def _place_where(self, holds: Callable[[ReviewItem], bool]) -> int | None:
        return next((place for place, each in enumerate(self._items) if holds(each)), None)

    def _turn_to(self, place: int) -> None:
        self._items = [*self._items[place:], *self._items[:place]]


def is_same(item: ReviewItem | None, other: ReviewItem | None) -> bool:
    """Returns whether two items are one passage of a suggestion, of which others may have been decided meanwhile."""
    if item is None or other is None or isinstance(item, PairItem) != isinstance(other, PairItem):
        return False
    if isinstance(item, PairItem) and isinstance(other, PairItem):
        return item.suggestion.id == other.suggestion.id and item.placed == other.placed
    return item.suggestion.id == other.suggestion.id and (item.before, item.after) == (other.before, other.after)


def is_moved(item: ReviewItem, other: ReviewItem) -> bool:
    """Returns whether an item is what became of the other one on another text: it proposes the same."""
    if item.suggestion.id != other.suggestion.id:
        return False
    if isinstance(item, PairItem) and isinstance(other, PairItem):
        return item.pair == other.pair
    return type(item) is type(other) and item.after == other.after


def is_same_proposal(item: ReviewItem, other: ReviewItem) -> bool:
    """Returns whether two items are one passage of a suggestion, whether or not it was moved onto another text."""
    return is_same(item, other) or is_moved(item, other)


def _is_whole_of(item: ReviewItem, suggestion_id: str) -> bool:
    """Returns whether an item is the whole of this suggestion, on whatever text."""
    return item.suggestion.id == suggestion_id and item.passage is None and not isinstance(item, PairItem)
