"""Typed words and chosen days of the review, until a decision has carried them out: they outlast a write that the disk
refuses, and the dialog."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.review.review_items import ReviewItem


@dataclass(frozen=True, slots=True)
class PairFields:
    """Holds what stands in the fields of two facts that disagree: the day of *Replace*, and the scope of each."""

    until: date
    old_scope: str
    new_scope: str


class TypedWords:
    """Keeps, for each item, the words that the person has for it, or the fields of a pair. `is_same` tells whether two
    items are one, though one of them may have been read afresh."""

    def __init__(self, is_same: Callable[[ReviewItem, ReviewItem], bool]) -> None:
        self._is_same = is_same
        self._kept: list[tuple[ReviewItem, str | PairFields]] = []
        self.unsaved: list[tuple[ReviewItem, bool]] = []
        """Items to be edited on, and whether each waits no more as it was shown: their words could not be saved, or the
        review was closed over them."""

    def keep(self, item: ReviewItem, typed: str | PairFields) -> None:
        """Keeps what the person has for an item now."""
        self._drop(item)
        self._kept.append((item, typed))

    def of(self, item: ReviewItem) -> str | PairFields | None:
        """Returns what is kept for an item, None for nothing."""
        return next((typed for each, typed in self._kept if self._is_same(each, item)), None)

    def forget(self, item: ReviewItem) -> None:
        """Drops what is kept for an item, since it is decided, or the person wants it no more."""
        self._drop(item)
        self.unsaved = [each for each in self.unsaved if not self._is_same(each[0], item)]

    def take_out(self, forgotten: ForgottenText) -> None:
        """Puts the mark where forgotten words stand in what is kept."""
        self._kept = [(item, _without(typed, forgotten)) for item, typed in self._kept]

    def edit_on(self, item: ReviewItem, is_gone: bool) -> None:
        """Has an item be edited on, after those that are to be already."""
        if not any(self._is_same(each, item) for each, _ in self.unsaved):
            self.unsaved.append((item, is_gone))

    def _drop(self, item: ReviewItem) -> None:
        self._kept = [each for each in self._kept if not self._is_same(each[0], item)]


def _without(typed: str | PairFields, forgotten: ForgottenText) -> str | PairFields:
    if isinstance(typed, str):
        return forgotten.redacted(typed)
    return PairFields(typed.until, forgotten.redacted(typed.old_scope), forgotten.redacted(typed.new_scope))
