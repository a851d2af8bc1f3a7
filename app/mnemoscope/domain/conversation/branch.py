"""Branches of a conversation: ways it went on from the same beginning, each a list of messages of its own.

A branch is named by the moment it began, as its file states it. It shares its first messages with the ways it came out
of: `forks` says with which, and how far. A message that stands in several branches belongs to the one it was said in.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

FORKS: Final = "branch_of"
"""The field of a session's metadata that holds the forks; nanobot keeps it as it is."""


@dataclass(frozen=True, slots=True)
class Fork:
    """Tells where a branch left another: messages before `stop` that no earlier fork holds are of the one `began`."""

    began: str
    stop: int


@dataclass(frozen=True, slots=True)
class Branch:
    """Describes one way of a conversation. `began`, ISO 8601, names it; `forks` are those it came out of, the oldest
    first."""

    began: str
    forks: tuple[Fork, ...] = ()

    @property
    def root(self) -> str:
        """Returns the name of the way that all branches of this conversation came out of."""
        return self.forks[0].began if self.forks else self.began

    @property
    def own_start(self) -> int:
        """Returns the index of the first message that was said in this branch."""
        return self.forks[-1].stop if self.forks else 0

    def owner_of(self, index: int) -> str:
        """Returns the name of the branch that message `index` was said in."""
        return next((fork.began for fork in self.forks if index < fork.stop), self.began)

    def shared_with(self, other: Branch) -> int | None:
        """Returns how many messages both begin with; None where they are the same branch."""
        if self.began == other.began:
            return None
        shared = 0
        for one, two in zip(self.path(), other.path(), strict=False):
            if one[0] != two[0]:
                break
            stops = [stop for stop in (one[1], two[1]) if stop is not None]
            shared = min(stops, default=shared)
            if one[1] != two[1]:
                break
        return shared

    def reach_of(self, other: Branch, index: int) -> int:
        """Returns how far a range of `other`'s messages that ends at `index` is one of this branch too."""
        shared = self.shared_with(other)
        return index if shared is None else min(index, shared)

    def forked(self, stop: int, began: str) -> Branch:
        """Returns the branch that leaves this one before message `stop`."""
        left: list[Fork] = []
        for name, end in self.path():
            if end is None or end >= stop:
                left.append(Fork(name, stop))
                break
            left.append(Fork(name, end))
        return Branch(began, tuple(left))

    def as_field(self) -> list[list[Any]]:
        """Returns the forks as a session's metadata holds them."""
        return [[fork.began, fork.stop] for fork in self.forks]

    def path(self) -> list[tuple[str, int | None]]:
        """Returns the branches that it came along, the oldest first, and how far each: the last is its own."""
        return [*((fork.began, fork.stop) for fork in self.forks), (self.began, None)]


def branch_of(began: str, metadata: Mapping[str, Any]) -> Branch:
    """Returns the branch that a session's metadata describes: one without forks where it describes none."""
    return Branch(began, _forks_in(metadata.get(FORKS)))


def _forks_in(field: object) -> tuple[Fork, ...]:
    forks: list[Fork] = []
    for entry in field if isinstance(field, list) else []:
        is_fork = isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str) and type(entry[1]) is int
        if not is_fork or entry[1] < (forks[-1].stop if forks else 0):
            return ()
        # Every branch names those it came along; each name is held once.
        forks.append(Fork(sys.intern(entry[0]), entry[1]))
    return tuple(forks)


@dataclass(frozen=True, slots=True)
class BranchChoice:
    """Holds the ways that go on at one message: `places` are their branches, in the order they began; `here` is the one
    on show."""

    index: int
    places: tuple[Branch, ...]
    here: int


def branch_choices(active: Branch, others: Mapping[Branch, str]) -> list[BranchChoice]:
    """Returns where the active branch and others go different ways, in order of messages.

    `others` says of each when it was used last, ISO 8601: of those that go the same way from a message on, the one used
    last stands for them.
    """
    parted: dict[int, list[Branch]] = {}
    for other in others:
        shared = active.shared_with(other)
        if shared is not None and other.root == active.root:
            parted.setdefault(shared, []).append(other)
    return [_choice(active, index, parted[index], others) for index in sorted(parted)]


def _choice(active: Branch, index: int, parted: list[Branch], used: Mapping[Branch, str]) -> BranchChoice:
    ways: list[list[Branch]] = []
    for other in sorted(parted, key=lambda each: each.began):
        way = next((way for way in ways if _goes_with(way[0], other, index)), None)
        if way is None:
            ways.append([other])
        else:
            way.append(other)
    shown = [(_way_began(way[0], index), max(way, key=lambda each: used[each])) for way in ways]
    ordered = sorted([*shown, (_way_began(active, index), active)], key=lambda each: (each[0], each[1].began))
    places = tuple(branch for _, branch in ordered)
    return BranchChoice(index, places, places.index(active))


def _goes_with(one: Branch, other: Branch, index: int) -> bool:
    shared = one.shared_with(other)
    return shared is None or shared > index


def _way_began(branch: Branch, index: int) -> str:
    """Returns when the branch began that this one goes along at message `index`."""
    return branch.owner_of(index)
