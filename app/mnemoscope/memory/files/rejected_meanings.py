"""Knows a rejected fact by what it means, too, with the embedding model of this computer: a model may say it in quite
other words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from mnemoscope.domain.forgetting.resemblance import are_told_apart
from mnemoscope.domain.health.line_meanings import LineMeanings, understood_texts
from mnemoscope.domain.health.near_duplicates import are_about_two_things
from mnemoscope.domain.llm import Meanings, Vector
from mnemoscope.domain.memory.facts import added_facts
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.forgetting.rejections import Rejections, shipped_wordings

_RESEMBLING: Final = 0.55
"""The cosine from which on two facts resemble each other, so that a person decides."""


async def _no_meanings(_texts: Sequence[str]) -> Mapping[str, Vector]:
    """Returns no vectors: nothing is known by its meaning."""
    return {}


class RejectedMeanings:
    """Compares what a model would add with what the person rejected, once `use_model` was called. The comparing is the
    disk thread's, so no window waits for it."""

    def __init__(self, rejections: Rejections, disk: Disk) -> None:
        self._rejections = rejections
        self._disk = disk
        self._meanings: Meanings = _no_meanings

    def use_model(self, meanings: Meanings) -> None:
        """Has texts compared by these vectors, which are none where no model of this computer is asked. The search
        that knows them is made over the memory that this is a part of, so it comes later."""
        self._meanings = meanings

    async def compare(self, before: str, after: str) -> None:
        """Has the rejections know what of `after` says a rejected fact in other words. It is called before the text is
        written or waits, and raises nothing."""
        texts = await self._disk.run(self._texts, before, after)
        if texts is not None:
            rejected, added = texts
            vectors = await self._meanings([*rejected, *added])
            if vectors:
                await self._disk.run(self._note, rejected, added, LineMeanings(vectors))

    def _texts(self, before: str, after: str) -> tuple[list[str], list[str]] | None:
        """Returns the rejected facts and those that are new, of which the model understands the language; None where
        there is nothing to compare."""
        added = understood_texts([f"- {fact}" for fact in added_facts(before, after)])
        rejected = understood_texts([f"- {fact}" for fact in self._rejections.facts()]) if added else []
        return (rejected, added) if rejected else None

    def _note(self, rejected: Sequence[str], added: Sequence[str], meanings: LineMeanings) -> None:
        for fact in added:
            near = [each for each in rejected if meanings.are_near(each, fact, _RESEMBLING)]
            same = (each for each in near if not _are_two(each, fact))
            if (found := next((each for each in same if self._rejections.since(each) is not None), None)) is not None:
                self._rejections.note_alike(fact, found, says_the_same=meanings.are_near(found, fact))


def _are_two(one: str, other: str) -> bool:
    """Returns whether the words of two facts say that they are two, however near they are in meaning."""
    return are_about_two_things(one, other) or are_told_apart(one, other, shipped_wordings())
