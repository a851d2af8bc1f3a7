"""A transcript may be a tree: each record names the one before it, and two that name the same one are branches.

A record is its place, a number from 0 on, and the tree an array of parents. What no agent would write is borne: a
parent that is not there ends the path, and a circle ends where it would begin again. Everything takes linear time.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Final

NO_PARENT: Final = -1
_UNKNOWN: Final = -2
_ON_THE_WAY: Final = -3


def path_to(parents: Sequence[int], leaf: int) -> array[int]:
    """Returns the places from the root to a leaf, both with it; nothing where the leaf is `NO_PARENT`."""
    path = array("i")
    seen = bytearray(len(parents))
    place = leaf
    while 0 <= place < len(parents) and not seen[place]:
        seen[place] = 1
        path.append(place)
        place = parents[place]
    path.reverse()
    return path


def nearest_above(parents: Sequence[int], is_wanted: Sequence[int]) -> array[int]:
    """Returns for each record the nearest one before it, along its parents, that is wanted; `NO_PARENT` for none."""
    nearest = array("i", [_UNKNOWN]) * len(parents)
    for start in range(len(parents)):
        trail = []
        place, found = start, _UNKNOWN
        while found == _UNKNOWN:
            if nearest[place] != _UNKNOWN:
                found = NO_PARENT if nearest[place] == _ON_THE_WAY else nearest[place]
                break
            nearest[place] = _ON_THE_WAY
            trail.append(place)
            parent = parents[place]
            if not 0 <= parent < len(parents):
                found = NO_PARENT
            elif is_wanted[parent]:
                found = parent
            else:
                place = parent
        for place in trail:
            nearest[place] = found
    return nearest


def branch_ends(parents: Sequence[int], is_message: Sequence[int], active: Iterable[int]) -> tuple[int, ...]:
    """Returns the messages that no message comes after and that are not on the active path, in their order."""
    is_end = bytearray(bool(each) for each in is_message)
    above = nearest_above(parents, is_message)
    for place in range(len(parents)):
        if is_message[place] and above[place] != NO_PARENT:
            is_end[above[place]] = 0
    for place in active:
        is_end[place] = 0
    return tuple(place for place in range(len(parents)) if is_end[place])
