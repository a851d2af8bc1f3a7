"""Rejections: a proposal that was rejected is known again in other words by keyed hashes, as what is forgotten is. Its
words are kept beside them, for a model to be told of."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from mnemoscope.domain.contradiction.settlement import only_strikes
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.facts import added_facts, fact_key
from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.domain.merge.suggestion_parts import split_suggestion
from mnemoscope.domain.review.review_items import ReviewItem, review_items
from mnemoscope.store.forgetting.rejected_texts import RejectedTexts
from mnemoscope.store.forgetting.tombstones_file import Lifted, Tombstones

log = logging.getLogger(__name__)
_MOST_FACTS: Final = 3
"""Facts of one item that can be rejected each for itself; of more, the person may have rejected how they stand."""

_MOST_ALIKE: Final = 1_000


class Rejections:
    """The rejections of one workspace: `added` holds what should not be added, `removed` what should not be taken out,
    `texts` the words of the former.
    Safe from any thread; it blocks on the disk, and on the keychain."""

    def __init__(self, added: Tombstones, removed: Tombstones, texts: RejectedTexts) -> None:
        self._added = added
        self._removed = removed
        self._texts = texts
        self._alike: dict[str, str] = {}
        """By the key of a fact that a model would add, the rejected one whose meaning it has, as long as this runs."""

    def remember(self, suggestion: Suggestion, when: str) -> None:
        """Remembers what a suggestion would have done, as rejected at `when`. Where that cannot be written, the
        rejection holds all the same, and only what is alike may come again."""
        try:
            for item in review_items([suggestion]):
                for stones, facts in self._facts(item):
                    if 0 < len(facts) <= _MOST_FACTS:
                        stones.add(facts, when)
                        if stones is self._added:
                            self._texts.write([*self._texts.read(), *facts])
        except StorageError as error:
            log.warning("what was rejected is not remembered: %s", error)

    def take_back(self, suggestion: Suggestion) -> tuple[Lifted, ...]:
        """Has everything that a suggestion would do be rejected no more. Returns what was taken away. Raises
        StorageError."""
        found = (each for item in review_items([suggestion]) for each in self._facts(item))
        return tuple(lifted for stones, facts in found if (lifted := self._lift(stones, facts)) is not None)

    def lift(self, before: str, after: str, by: str) -> None:
        """Has what a person's change does be rejected no more, until `hold_again` is called with the name `by`. Raises
        StorageError."""
        self._lift(self._added, added_facts(before, after), by)
        self._lift(self._removed, added_facts(after, before), by)

    def hold_again(self, *names: str) -> None:
        """Has what these changes or decisions lifted be rejected again, as they were undone. Raises StorageError."""
        self._added.hold_again(*names)
        self._removed.hold_again(*names)

    def note_alike(self, fact: str, rejected: str) -> None:
        """Notes that a fact means what a rejected one says: it is rejected for as long as that one is."""
        if len(self._alike) >= _MOST_ALIKE:
            self._alike.clear()
        self._alike[fact_key(fact)] = rejected

    def since(self, fact: str) -> str | None:
        """Returns when the person would not have a fact added, None where they never said so."""
        return self._since(self._added, fact)

    def facts(self) -> list[str]:
        """Returns the words of what the person rejected for memory, the newest first, some of which may be rejected no
        more: `since` tells. [] where they cannot be read."""
        try:
            return self._texts.read()[::-1]
        except StorageError as error:
            log.warning("what was rejected cannot be told: %s", error)
            return []

    def when(self, suggestion: Suggestion) -> str:
        """Returns when the person rejected what a suggestion would do; "" where that is not kept."""
        found = [
            self._since(stones, fact)
            for item in review_items([suggestion])
            for stones, facts in self._facts(item)
            for fact in facts
        ]
        return max(filter(None, found), default="")

    def split(self, suggestion: Suggestion) -> tuple[Suggestion | None, Suggestion | None]:
        """Returns what of a suggestion waits, and what is left out as rejected before. What would be struck for a line
        that is left out is left out with it."""
        waits, out = split_suggestion(suggestion, self._is_rejected)
        return (None, suggestion) if waits and out and only_strikes(waits) else (waits, out)

    def _since(self, stones: Tombstones, fact: str) -> str | None:
        found = stones.since(fact)
        if found is None and stones is self._added and (alike := self._alike.get(fact_key(fact))) is not None:
            return stones.since(alike)
        return found

    def _lift(self, stones: Tombstones, facts: Sequence[str], by: str = "") -> Lifted | None:
        """Returns what was taken away of what holds these facts, None for nothing."""
        if all(self._since(stones, fact) is None for fact in facts):
            return None
        alike = (self._alike.get(fact_key(fact)) for fact in facts) if stones is self._added else ()
        return stones.lift([*facts, *filter(None, alike)], by)

    def _is_rejected(self, item: ReviewItem) -> bool:
        if item.passage is not None and item.passage.theirs_from.is_personal:
            # One side of a conflict of the person's own, as with an undo, is no proposal.
            return False
        return any(
            bool(facts) and all(self._since(stones, fact) is not None for fact in facts)
            for stones, facts in self._facts(item)
        )

    def _facts(self, item: ReviewItem) -> Sequence[tuple[Tombstones, list[str]]]:
        return ((self._added, item.added), (self._removed, item.removed))
