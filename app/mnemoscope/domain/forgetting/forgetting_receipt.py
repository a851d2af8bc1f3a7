"""The receipt of a forgetting: where words were taken out, where they were left and why, and the proof.

It holds none of the words. Its hashes are those of the files as they are afterwards: the hash of a file before would
tell whoever guesses the words that the guess was right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from mnemoscope.domain.forgetting.plan import INDEXED, PlaceKind

BY_CHOICE: Final = "You left it as it is."
ASKS_ABOUT_LEFT: Final = "It asks about a line that stayed, in the review."
STILL_THERE: Final = "The words were found there afterwards."


@dataclass(frozen=True, slots=True)
class TakenPlace:
    """Describes a place that words were taken out of: `count` times. `digest`: the SHA-256 of the file afterwards, ""
    where it is gone or is no single file."""

    kind: PlaceKind
    path: str
    count: int
    digest: str = ""


@dataclass(frozen=True, slots=True)
class LeftPlace:
    """Describes a place that has the words still, and the reason as a sentence."""

    kind: PlaceKind
    path: str
    count: int
    reason: str


@dataclass(frozen=True, slots=True)
class ForgettingReceipt:
    """Tells what was forgotten, without its words. `searched`: the files that were read afterwards, of so many `bytes`.

    `undone`: when it was taken back, naive local ISO 8601, "" where it stands. `taking_back`: when that was begun, ""
    once it is finished: until then some places may have the words again, and the tombstones stand.
    """

    id: str
    when: str
    taken: tuple[TakenPlace, ...]
    left: tuple[LeftPlace, ...]
    searched: int
    bytes: int
    undone: str = ""
    taking_back: str = ""

    @property
    def is_clean(self) -> bool:
        """Tells whether the search afterwards found the words nowhere."""
        return not self.left

    @property
    def is_indexed_again(self) -> bool:
        """Tells whether the search index, which went, will have the words again, of a place that was left."""
        went = any(each.kind is PlaceKind.INDEX for each in self.taken)
        return went and any(each.kind in INDEXED for each in self.left)

    def as_document(self) -> dict[str, Any]:
        """Returns the receipt as JSON values."""
        return asdict(self)


def forgetting_receipt_of(document: Mapping[str, Any]) -> ForgettingReceipt | None:
    """Returns the receipt that a JSON object holds, None where it holds none."""
    try:
        taken = tuple(TakenPlace(**{**each, "kind": PlaceKind(each["kind"])}) for each in document["taken"])
        left = tuple(LeftPlace(**{**each, "kind": PlaceKind(each["kind"])}) for each in document["left"])
        own = {name: document[name] for name in ("id", "when", "searched", "bytes")}
        marks = {name: document.get(name, "") for name in ("undone", "taking_back")}
    except (KeyError, TypeError, ValueError):
        return None
    is_sound = all(isinstance(text, str) for text in (own["id"], own["when"], *marks.values()))
    is_sound = is_sound and all(type(own[name]) is int for name in ("searched", "bytes"))
    return ForgettingReceipt(**own, taken=taken, left=left, **marks) if is_sound else None
