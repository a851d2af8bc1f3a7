"""Parts of a suggestion: it is taken apart into the passages that wait on and those that do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from mnemoscope.domain.memory.change import MemoryConflict
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.merge.conflict_resolution import settle_conflict
from mnemoscope.domain.merge.three_way import Conflict
from mnemoscope.domain.review.review_items import ReviewItem, items_of

_PART, _WITHDRAWN = "x", "w"


def whole_id(suggestion_id: str) -> str:
    """Returns the id of the suggestion that one was a part of, or is itself."""
    return suggestion_id.rstrip(f"{_PART}{_WITHDRAWN}")


def withdrawn_id(suggestion_id: str, is_known: Callable[[str], bool]) -> str:
    """Returns an id for a part of a suggestion that is withdrawn, one that is not known yet."""
    found = f"{suggestion_id}{_WITHDRAWN}"
    while is_known(found):
        found += _WITHDRAWN
    return found


def split_suggestion(
    suggestion: Suggestion, is_out: Callable[[ReviewItem], bool]
) -> tuple[Suggestion | None, Suggestion | None]:
    """Returns the suggestion without the items that are out, and another with these alone; None for one without
    items. The second has the first's id with a letter behind it, where there are both."""
    items = items_of(suggestion)
    out = [item for item in items if is_out(item)]
    if not out:
        return suggestion, None
    kept = [item for item in items if item not in out]
    if not kept:
        return None, suggestion
    return _of_items(suggestion, kept), replace(_of_items(suggestion, out), id=f"{suggestion.id}{_PART}")


def _of_items(suggestion: Suggestion, items: Sequence[ReviewItem]) -> Suggestion:
    passages = [item.passage for item in items if item.passage is not None]
    return with_passages(suggestion, passages, suggestion.before)


def with_passages(suggestion: Suggestion, rest: Sequence[MemoryConflict], text: str) -> Suggestion:
    """Returns the suggestion over another text of the file, with these passages of it and their reasons."""
    items = [item for item in items_of(suggestion) if item.passage in rest]
    reasons = dict.fromkeys(reason for item in items for reason in item.reasons)
    proposed = text
    for each in rest:
        wanted = settle_conflict(proposed, Conflict(each.base, each.mine, each.theirs), "theirs", suggestion.proposed)
        proposed = proposed if wanted is None else wanted
    return replace(suggestion, before=text, proposed=proposed, conflicts=tuple(rest), reasons=tuple(reasons))
