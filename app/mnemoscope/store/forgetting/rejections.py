"""Rejections: a proposal that was rejected is known again in other words by keyed hashes, as what is forgotten is. Its
words are kept beside them, for a model to be told of, and to tell what surely says the same, which is left out, from
what only resembles it, which waits and is marked.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from mnemoscope.domain.disagreement.fact_comparison import disagree
from mnemoscope.domain.disagreement.settlement import only_strikes
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.forgetting.rejected_facts import says_more
from mnemoscope.domain.forgetting.resemblance import resemble
from mnemoscope.domain.forgetting.wordings import Wordings
from mnemoscope.domain.health.near_duplicates import are_about_two_things
from mnemoscope.domain.memory.facts import added_facts, fact_key, fact_text
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.merge.suggestion_parts import split_suggestion
from mnemoscope.domain.review.review_items import ReviewItem, items_of, review_items
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.forgetting.rejected_texts import RejectedTexts
from mnemoscope.store.forgetting.tombstones_file import Lifted, Tombstones

log = logging.getLogger(__name__)
_MOST_FACTS: Final = 3
"""Facts of one item that can be rejected each for itself; of more, the person may have rejected how they stand."""
_MOST_TOGETHER: Final = 30
"""Facts of one item that are remembered as rejected together."""
_TOGETHER: Final = "together"
"""The owner of the hashes of facts that were rejected with many others: one of them alone only is resembled."""

_MOST_ALIKE: Final = 1_000
_SHOWN: Final = 120
"""Characters of a fact that a reason quotes."""


class Rejections:
    """Keeps the rejections of one workspace: `added` holds what should not be added, `removed` what should not be taken
    out, `texts` the words of the former. Safe from any thread; it blocks on the disk, and on the keychain."""

    def __init__(self, added: Tombstones, removed: Tombstones, texts: RejectedTexts) -> None:
        self._added = added
        self._removed = removed
        self._texts = texts
        self._alike: dict[str, tuple[str, bool]] = {}
        """By the key of a fact that a model would add, the rejected one that is near to it in meaning, and whether it
        means the same, as long as this runs."""

    def remember(self, suggestion: Suggestion, when: str) -> None:
        """Remembers what a suggestion would have done, as rejected at `when`. Where that cannot be written, the
        rejection holds all the same, and only what is alike may come again."""
        try:
            for item in review_items([suggestion]):
                for stones, facts in self._facts(item):
                    is_added = stones is self._added
                    if 0 < len(facts) <= (_MOST_TOGETHER if is_added else _MOST_FACTS):
                        stones.add(facts, when, "" if len(facts) <= _MOST_FACTS else _TOGETHER)
                        if is_added:
                            self._texts.write([*self._texts.read(), *facts])
        except StorageError as error:
            log.warning("what was rejected is not remembered: %s", error)

    def lift_suggestion(self, suggestion: Suggestion) -> tuple[Lifted, ...]:
        """Has everything that a suggestion would do be rejected no more. Returns what was taken away. Raises
        StorageError."""
        found = (each for item in review_items([suggestion]) for each in self._facts(item))
        return tuple(lifted for stones, facts in found if (lifted := self._lift(stones, facts)) is not None)

    def lift(self, before: str, after: str, by: str) -> None:
        """Has what a person's change does be rejected no more, until `reinstate` is called with the name `by`. Raises
        StorageError."""
        self._lift(self._added, added_facts(before, after), by)
        self._lift(self._removed, added_facts(after, before), by)

    def reinstate(self, *names: str) -> None:
        """Has what these changes or decisions lifted be rejected again, as they were undone. Raises StorageError."""
        self._added.reinstate(*names)
        self._removed.reinstate(*names)

    def reinstate_gone(self, before: str, after: str, *names: str) -> None:
        """Has be rejected again what these changes or decisions lifted and the text `after`, which an earlier one was
        put back as, says no more, or again. Raises StorageError."""
        self._added.reinstate(*names, texts=added_facts(after, before))
        self._removed.reinstate(*names, texts=added_facts(before, after))

    def note_alike(self, fact: str, rejected: str, *, says_the_same: bool) -> None:
        """Notes that a fact is near in meaning to a rejected one: it resembles it for as long as that is rejected. To
        write one that `says_the_same` ends the rejection."""
        if len(self._alike) >= _MOST_ALIKE:
            self._alike.clear()
        self._alike[fact_key(fact)] = rejected, says_the_same

    def since(self, fact: str) -> str | None:
        """Returns when the person would not have added what a fact surely says, None where they never said so of it
        for itself."""
        return self._since(self._added, fact) if self._is_for_itself(fact) else None

    def objection(self, fact: str) -> str:
        """Returns which rejected fact another one resembles and since when, as the beginning of a sentence; "" for
        none."""
        for rejected in self._near(fact):
            if (when := self._added.since(rejected)) is not None:
                return f"It resembles “{_quoted(rejected)}”, which you rejected on {when[:10]}"
        return ""

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
        """Returns what of a suggestion waits, marked where it resembles what was rejected, and what is left out as
        rejected before. What would be struck for a line that is left out is left out with it."""
        waits, out = split_suggestion(suggestion, self._is_rejected)
        if waits is None or (out is not None and only_strikes(waits)):
            return None, suggestion
        return self._marked(waits), out

    def _marked(self, suggestion: Suggestion) -> Suggestion:
        items = (item for item in items_of(suggestion) if not _is_own_side(item))
        facts = dict.fromkeys(fact for item in items for fact in item.added)
        marks = [f"{why}: “{_quoted(fact)}”." for fact in facts if (why := self.objection(fact))]
        reasons = tuple(dict.fromkeys((*suggestion.reasons, *marks)))
        return replace(suggestion, reasons=reasons) if marks else suggestion

    def _near(self, fact: str) -> Iterator[str]:
        """Yields the rejected facts that a fact resembles, or says, the newest first; some may be rejected no more."""
        if not self._added.count:
            return
        alike = self._alike.get(fact_key(fact))
        is_held = self._added.since(fact) is not None
        for rejected in self.facts():
            is_held_by_it = is_held and self._added.are_held_by_one(rejected, fact)
            if resemble(rejected, fact, shipped_wordings(), disagree, is_held=is_held_by_it) or (
                alike is not None and alike[0] == rejected
            ):
                yield rejected

    def _since(self, stones: Tombstones, fact: str) -> str | None:
        found = stones.since(fact)
        if found is None or stones is not self._added:
            return found
        # Of an old one the words are not kept any more: then its hashes alone tell.
        said = [rejected for rejected in self.facts() if stones.are_held_by_one(rejected, fact)]
        return found if not said or any(_surely_say_the_same(rejected, fact) for rejected in said) else None

    def _lift(self, stones: Tombstones, facts: Sequence[str], by: str = "") -> Lifted | None:
        """Returns what was taken away of what holds these facts, None for nothing."""
        said = list(facts)
        if stones is self._added:
            known = (self._alike.get(fact_key(fact)) for fact in facts)
            said += [alike[0] for alike in known if alike is not None and alike[1]]
        return stones.lift(said, by) if any(stones.since(fact) is not None for fact in said) else None

    def _is_rejected(self, item: ReviewItem) -> bool:
        if _is_own_side(item):
            return False
        return any(bool(facts) and self._are_rejected(stones, facts) for stones, facts in self._facts(item))

    def _are_rejected(self, stones: Tombstones, facts: Sequence[str]) -> bool:
        """Returns whether all of these were rejected: few of them each for itself, many also together."""
        is_few = stones is self._added and len(facts) <= _MOST_FACTS
        return all(
            self._since(stones, fact) is not None and (not is_few or self._is_for_itself(fact)) for fact in facts
        )

    def _is_for_itself(self, fact: str) -> bool:
        """Returns whether what a fact says again was not only rejected together with many others."""
        return self._added.owners_of(fact) != {_TOGETHER}

    def _facts(self, item: ReviewItem) -> Sequence[tuple[Tombstones, list[str]]]:
        return ((self._added, item.added), (self._removed, item.removed))


@cache
def shipped_wordings() -> Wordings:
    """Returns the words in which people say the same that ship with the program."""
    return Wordings((shipped("resources", "search") / "wordings.txt").read_text(encoding="utf-8"))


def _is_own_side(item: ReviewItem) -> bool:
    """Returns whether it is one side of a conflict of the person's own, as with an undo, which is no proposal."""
    return item.passage is not None and item.passage.theirs_from.is_personal


def _surely_say_the_same(rejected: str, fact: str) -> bool:
    if fact_key(rejected) == fact_key(fact):
        return True
    return not are_about_two_things(rejected, fact) and not says_more(rejected, fact)


def _quoted(fact: str) -> str:
    return shortened(" ".join(fact_text(fact).split()), _SHOWN)
