"""Numbers and names are written in groups by some and in one piece by others: `90 123 45 67`, `901234567`; `AB 123`,
`AB123`.

The index holds them as they are written; a query asks for both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from mnemoscope.domain.search.words import Word, plain_stem

_FEWEST_DIGITS: Final = 4
_MOST_DIGITS: Final = 13
"""Digits of a number that is written in groups: `1 000` to a telephone number with its country's."""
_TELEPHONE: Final = 6
_SIZES: Final = (3, 2)
_LAST: Final = 4
_MOST_PARTS: Final = 6
_RUNS: Final = re.compile(r"[^\W\d_]+|\d+")
_BETWEEN: Final = re.compile(r"[ \u00a0\u202f.,/()-]{1,2}")
"""The characters between the groups of a number."""


@lru_cache(maxsize=256)
def written_apart(folded: str) -> tuple[str, ...]:
    """Returns the groups a folded word may be written in, each with a blank between its words as they are indexed."""
    if folded.isdecimal():
        return tuple(dict.fromkeys(_groupings(folded))) if _FEWEST_DIGITS <= len(folded) <= _MOST_DIGITS else ()
    runs = _RUNS.findall(folded)
    if not 1 < len(runs) <= _MOST_PARTS or not any(run.isdecimal() for run in runs):
        return ()
    return (" ".join(run if run.isdecimal() else plain_stem(run) for run in runs),)


def _groupings(digits: str) -> Iterator[str]:
    """Yields the groups by thousands, and of long numbers those of two and three as telephone numbers have, the last of
    up to four."""
    head = len(digits) % 3 or 3
    yield " ".join([digits[:head], *(digits[at : at + 3] for at in range(head, len(digits), 3))])
    for size in _SIZES if len(digits) >= _TELEPHONE else ():
        yield from (f"{digits[:size]} {rest}" for rest in _in_groups(digits[size:], _MOST_PARTS - 1))


def _in_groups(digits: str, most: int) -> Iterator[str]:
    if len(digits) in (*_SIZES, _LAST):
        yield digits
    for size in _SIZES if most > 1 else ():
        if len(digits) - size >= min(_SIZES):
            yield from (f"{digits[:size]} {rest}" for rest in _in_groups(digits[size:], most - 1))


def written_together(text: str, words: Sequence[Word]) -> Mapping[str, str]:
    """Returns the words of a text that are in one piece with those beside them: groups of digits, and what a hyphen
    joins."""
    found: dict[str, str] = {}
    start = 0
    for place in range(1, len(words) + 1):
        if place < len(words) and _belongs(text, words[place - 1], words[place]):
            continue
        if place - start > 1:
            whole = "".join(word.folded for word in words[start:place])
            found |= {word.folded: whole for word in words[start:place]}
        start = place
    return found


def _belongs(text: str, one: Word, other: Word) -> bool:
    between = text[one.stop : other.start]
    if one.folded.isdecimal() and other.folded.isdecimal():
        return _BETWEEN.fullmatch(between) is not None
    return between == "-"
