"""Typed words and chosen days of the review, until a decision has carried them out: they outlast a write that the disk
refuses, and the dialog."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Any

from mnemoscope.domain.disagreement.settlement import PairItem
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

    def __init__(
        self, is_same: Callable[[ReviewItem, ReviewItem], bool], changed: Callable[[], object] = lambda: None
    ) -> None:
        """`changed` is called whenever something else is kept."""
        self._is_same = is_same
        self._changed = changed
        self._kept: list[tuple[ReviewItem, str | PairFields]] = []
        self.unsaved: list[tuple[ReviewItem, bool]] = []
        """Items to be edited on, and whether each waits no more as it was shown: their words could not be saved, or the
        review was closed over them."""

    def keep(self, item: ReviewItem, typed: str | PairFields) -> None:
        """Keeps what the person has for an item now."""
        self._drop(item)
        self._kept.append((item, typed))
        self._changed()

    def of(self, item: ReviewItem) -> str | PairFields | None:
        """Returns what is kept for an item, None for nothing."""
        return next((typed for each, typed in self._kept if self._is_same(each, item)), None)

    def forget(self, item: ReviewItem) -> None:
        """Drops what is kept for an item, since it is decided, or the person wants it no more."""
        if self.of(item) is not None:
            self._drop(item)
            self._changed()
        self.unsaved = [each for each in self.unsaved if not self._is_same(each[0], item)]

    def take_out(self, forgotten: ForgottenText) -> None:
        """Puts the mark where forgotten words stand in what is kept; what is kept for a proposal that has them goes, as
        it would name them."""
        self._kept = [(item, _without(typed, forgotten)) for item, typed in self._kept if not _has(item, forgotten)]
        self.unsaved = [each for each in self.unsaved if not _has(each[0], forgotten)]
        self._changed()

    def as_draft(self) -> dict[str, Any]:
        """Returns what is kept as a draft, {} for nothing: each with the proposal that it is for."""
        each = [{**_about(item), **_record(typed)} for item, typed in self._kept]
        return {"typed": each} if each else {}

    def bring_back(self, draft: Mapping[str, Any], items: Iterable[ReviewItem]) -> None:
        """Keeps what a draft has for these items, but for those for which something was typed since."""
        records = draft.get("typed")
        for record in records if isinstance(records, list) else ():
            typed = _typed_in(record) if isinstance(record, dict) else None
            item = next((each for each in items if _about(each).items() <= record.items()), None)
            if typed is not None and item is not None and self.of(item) is None:
                self._kept.append((item, typed))

    def edit_on(self, item: ReviewItem, is_gone: bool, *, first: bool = False) -> None:
        """Has an item be edited on, after those that are to be already or before them."""
        if not any(self._is_same(each, item) for each, _ in self.unsaved):
            self.unsaved.insert(0 if first else len(self.unsaved), (item, is_gone))

    def _drop(self, item: ReviewItem) -> None:
        self._kept = [each for each in self._kept if not self._is_same(each[0], item)]


def _without(typed: str | PairFields, forgotten: ForgottenText) -> str | PairFields:
    if isinstance(typed, str):
        return forgotten.redacted(typed)
    return PairFields(typed.until, forgotten.redacted(typed.old_scope), forgotten.redacted(typed.new_scope))


def _about(item: ReviewItem) -> dict[str, str]:
    """Returns by what an item is known again after a restart."""
    if isinstance(item, PairItem):
        return {"id": item.suggestion.id, "older": item.pair.old, "newer": item.pair.new}
    return {"id": item.suggestion.id, "before": item.before, "after": item.after}


def _has(item: ReviewItem, forgotten: ForgottenText) -> bool:
    return any(map(forgotten.count, _about(item).values()))


def _record(typed: str | PairFields) -> dict[str, str]:
    if isinstance(typed, str):
        return {"text": typed}
    return {"until": typed.until.isoformat(), "old_scope": typed.old_scope, "new_scope": typed.new_scope}


def _typed_in(record: Mapping[str, Any]) -> str | PairFields | None:
    """Returns what a record of a draft has, None where it has nothing that was typed."""
    if isinstance(record.get("text"), str):
        return str(record["text"])
    with suppress(KeyError, ValueError):
        return PairFields(date.fromisoformat(str(record["until"])), str(record["old_scope"]), str(record["new_scope"]))
    return None
