"""The places where forgotten words live, as they are listed before anything is done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from mnemoscope.domain.forgetting.forgotten_text import ForgottenText


class PlaceKind(StrEnum):
    """Names the kind of a place, in the order in which places are listed and taken."""

    MEMORY = "memory"
    INSTRUCTIONS = "instructions"
    HISTORY = "history"
    NOTES = "notes"
    STATE = "state"
    SUGGESTIONS = "suggestions"
    CAPTURES = "captures"
    CHANGES = "changes"
    VERSIONS = "versions"
    LEDGER = "ledger"
    PROMPTS = "prompts"
    TOOL_RESULTS = "tool-results"
    RECORDS = "records"
    ATTACHMENTS = "attachments"
    CONVERSATIONS = "conversations"
    TEMPORARY = "temporary"
    BRANCHES = "branches"
    ARCHIVE = "archive"
    DRAFTS = "drafts"
    TRASH = "trash"
    QUARANTINE = "quarantine"
    COMMITS = "commits"
    INDEX = "index"
    OTHER = "other"
    OTHER_AGENTS = "other-agents"


KEPT_BY_DEFAULT = frozenset(
    {
        PlaceKind.INSTRUCTIONS,
        PlaceKind.ATTACHMENTS,
        PlaceKind.CONVERSATIONS,
        PlaceKind.TEMPORARY,
        PlaceKind.BRANCHES,
        PlaceKind.ARCHIVE,
        PlaceKind.DRAFTS,
        PlaceKind.TRASH,
        PlaceKind.QUARANTINE,
        PlaceKind.COMMITS,
    }
)
"""Kinds that hold what was said and not what was made of it, and the commits: they stay unless the person says
otherwise."""


INDEXED = frozenset(
    {
        PlaceKind.MEMORY,
        PlaceKind.INSTRUCTIONS,
        PlaceKind.HISTORY,
        PlaceKind.NOTES,
        PlaceKind.STATE,
        PlaceKind.CONVERSATIONS,
        PlaceKind.BRANCHES,
        PlaceKind.ARCHIVE,
        PlaceKind.TRASH,
    }
)
"""Kinds of what the search index may be made of, or was before it was deleted."""
MOST_RELATED = 50
"""Lines of memory in other words that are named, and as many sentences of conversations."""
_NOTED_IN = frozenset({PlaceKind.CHANGES, PlaceKind.VERSIONS, PlaceKind.INDEX})
"""Kinds that have the words of others without anybody's choice."""


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """Describes one file, or one store, that has the words: `path` is relative to the workspace with slashes, or whole
    where it lies elsewhere, and "" for the temporary conversations, which are in no file.

    `count`: how often they stand there. `why_not`: a sentence where nothing can be taken from it, else "". `title`:
    that of the conversation that it is, "" where it is none or has none.
    """

    kind: PlaceKind
    path: str
    count: int
    excerpts: tuple[str, ...] = ()
    why_not: str = ""
    title: str = ""

    @property
    def can_be_taken(self) -> bool:
        """Tells whether the words can be taken out of it."""
        return not self.why_not

    @property
    def by_default(self) -> bool:
        """Tells whether it is taken unless the person says otherwise."""
        return self.can_be_taken and self.kind not in KEPT_BY_DEFAULT


@dataclass(frozen=True, slots=True)
class RelatedLine:
    """Describes a line of memory, or a sentence of a conversation, that says the same in other words: it can be
    forgotten too. `title` as of a place."""

    path: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class ForgettingPlan:
    """Holds all places that have the words, and the lines that say the same in other words."""

    text: ForgottenText
    places: tuple[FoundPlace, ...] = ()
    related: tuple[RelatedLine, ...] = ()

    @property
    def by_default(self) -> tuple[FoundPlace, ...]:
        """Returns the places that are taken unless the person says otherwise."""
        return tuple(each for each in self.places if each.by_default)

    @property
    def everything(self) -> tuple[FoundPlace, ...]:
        """Returns all places that can be taken."""
        return tuple(each for each in self.places if each.can_be_taken)

    def without(self, chosen: Iterable[FoundPlace]) -> tuple[FoundPlace, ...]:
        """Returns the places that stay as they are if only these are taken."""
        taken = {(each.kind, each.path) for each in chosen}
        return tuple(each for each in self.places if (each.kind, each.path) not in taken)


def in_order(places: Iterable[FoundPlace]) -> list[FoundPlace]:
    """Returns places in the order in which they are listed: by kind, and by path within it."""
    kinds = list(PlaceKind)
    return sorted(places, key=lambda each: (kinds.index(each.kind), each.path))


def goes_as_chosen(kind: PlaceKind, chosen: Iterable[FoundPlace], left: Iterable[FoundPlace]) -> bool:
    """Returns whether words go that come into a place of this kind only after the places were listed: as those of its
    kind do, or, where there were none, as everything or the default was chosen."""
    kinds = {each.kind for each in chosen}
    spared = {each.kind for each in left if each.can_be_taken}
    if kind in _NOTED_IN:
        return True
    if kind in spared:
        return False
    return kind in kinds or kind not in KEPT_BY_DEFAULT or (not spared and not kinds.isdisjoint(KEPT_BY_DEFAULT))
