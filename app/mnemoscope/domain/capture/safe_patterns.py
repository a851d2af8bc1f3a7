"""A capture rule may hold only safe patterns: a small part of regular expressions that no message can make slow.

Every repetition has an upper bound, none stands within another, and the ways to divide a text among the repetitions of
one pattern are limited, as are the looks ahead taken on them. So a match that fails costs at most a fixed number of
steps at each place of a message.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Final, NamedTuple

from mnemoscope.domain.errors import MnemoscopeError

_LONGEST_REPEAT: Final = 200
_MOST_WAYS: Final = 20_000
_MOST_LOOKS: Final = 80_000
"""Ahead, of which each is a few steps: the end of a clause alone has four ways."""
_LONGEST_PATTERN: Final = 2_000
_DEEPEST: Final = 20
_ESCAPES: Final = frozenset("dDwWsSbB")
_GROUP: Final = re.compile(r"\((\?:|\?=|\?!|\?<!|\?P<[a-z]{1,12}>)?")
_LOOKS: Final = ("?=", "?!", "?<!")
_BOUND: Final = re.compile(r"\{(\d{1,4})(?:(,)(\d{0,4}))?\}")
_SPECIAL: Final = re.compile(r"[\\\[(){}?+*.^$]")
CLASS: Final = re.compile(r"\[\^?\]?(?:[^\]\\]|\\.)*+\]")
"""A class of characters, as `[a-z]`."""
_PLAIN: Final = re.compile(r"(?:[^\\\[(){?+*|]|\\(?:[dDwWsSbB]|\W|_))+(?![{?+*])")
"""A run of atoms none of which is repeated: it adds nothing to the bounds."""
_MOST_COMPILED: Final = 4_096


class UnsafePattern(MnemoscopeError):
    """A rule's pattern could make a scan slow, or is no pattern."""

    next_step = "Write it with bounded repetitions such as {1,40}, none within another."


@lru_cache(_MOST_COMPILED)
def compiled_pattern(pattern: str) -> re.Pattern[str]:
    """Returns the pattern, compiled when it is first asked for."""
    return re.compile(pattern)


@lru_cache(_MOST_COMPILED)
def check_pattern(pattern: str) -> None:
    """Raises UnsafePattern, with a sentence that names the place, unless the pattern is safe.

    Rules are read anew whenever a file of theirs changes, while nearly all of their patterns stay as they were: those
    are not checked again.
    """
    if len(pattern) > _LONGEST_PATTERN:
        raise UnsafePattern(f"The pattern is longer than {_LONGEST_PATTERN} characters.")
    checker = _Checker(pattern)
    found = checker.alternatives(0)
    if checker.place < len(pattern):
        raise checker.wrong("a bracket is closed that was not opened")
    if found.ways > _MOST_WAYS or found.looks > _MOST_LOOKS:
        raise UnsafePattern("The pattern can divide a text among its repetitions in too many ways.")
    try:
        compiled_pattern(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise UnsafePattern(f"The pattern cannot be read: {error}.") from error


def _ways_of_words(texts: list[str]) -> int:
    """Returns in how many ways a choice of plain words can match at one place; 0 if one of them is no plain word."""
    if len(texts) < 2 or any(_SPECIAL.search(text) for text in texts):
        return 0
    # Where a word matches, each word that it begins with matches too.
    count = Counter(texts)
    lengths = sorted({len(text) for text in texts})
    return max(sum(count[text[:length]] for length in lengths if length <= len(text)) for text in count)


class _Bounds(NamedTuple):
    """Holds the bounds of a part of a pattern: in how many `ways` it can match at one place of a text, how many ways of
    looks ahead are tried meanwhile, and whether a repetition stands in it."""

    ways: int = 1
    looks: int = 0
    repeats: bool = False


class _Checker:
    """Walks over a pattern once."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.place = 0
        self._last = len(pattern.rstrip(")"))

    def wrong(self, what: str) -> UnsafePattern:
        return UnsafePattern(f"In the pattern, at character {self.place + 1}, {what}.")

    def alternatives(self, depth: int) -> _Bounds:
        """Returns the bounds of a whole group."""
        if depth > _DEEPEST:
            raise self.wrong("brackets stand too deep within each other")
        start = self.place
        found = self._sequence(depth)
        texts = [self.pattern[start : self.place]]
        while self._next() == "|":
            self.place += 1
            start = self.place
            more = self._sequence(depth)
            found = _Bounds(found.ways + more.ways, found.looks + more.looks, found.repeats or more.repeats)
            texts.append(self.pattern[start : self.place])
        return found._replace(ways=_ways_of_words(texts) or found.ways)

    def _sequence(self, depth: int) -> _Bounds:
        ways, looks, repeats = 1, 0, False
        while self._skip_plain() not in ("", "|", ")"):
            inner = self._atom(depth)
            least, most = self._bounds()
            if most > 1 and inner.repeats:
                raise self.wrong("a repetition stands within another")
            looks += ways * inner.looks * most * inner.ways ** max(0, most - 1)
            # Nothing that follows can fail: what a last repetition takes is never given back.
            is_last = self.place >= self._last
            ways *= (1 if is_last and most > 1 else most - least + 1) * inner.ways**most
            repeats = repeats or inner.repeats or (most > 1 and most > least)
            if ways > _MOST_WAYS or looks > _MOST_LOOKS:
                raise self.wrong("the repetitions can divide a text in too many ways")
        return _Bounds(ways, looks, repeats)

    def _next(self) -> str:
        return self.pattern[self.place : self.place + 1]

    def _skip_plain(self) -> str:
        """Passes over what is plain and not repeated, and returns the character that follows."""
        found = _PLAIN.match(self.pattern, self.place)
        if found is not None:
            self.place = found.end()
        return self._next()

    def _atom(self, depth: int) -> _Bounds:
        char = self._next()
        if char == "(":
            return self._group(depth)
        if char == "[":
            return self._class()
        if char in "*+?{":
            raise self.wrong("a repetition has nothing to repeat")
        if char == "\\":
            after = self.pattern[self.place + 1 : self.place + 2]
            if not after or (after.isalnum() and after not in _ESCAPES):
                raise self.wrong(f"\\{after} is not allowed")
            self.place += 1
        self.place += 1
        return _Bounds()

    def _group(self, depth: int) -> _Bounds:
        opening = _GROUP.match(self.pattern, self.place)
        assert opening is not None
        self.place = opening.end()
        if opening[1] is None and self._next() == "?":
            raise self.wrong("this kind of group is not allowed")
        found = self.alternatives(depth + 1)
        if self._next() != ")":
            raise self.wrong("a bracket is not closed")
        self.place += 1
        # What is only looked at is looked at once, on each of the ways that lead to it.
        return _Bounds(looks=found.ways + found.looks) if opening[1] in _LOOKS else found

    def _class(self) -> _Bounds:
        found = CLASS.match(self.pattern, self.place)
        if found is None:
            raise self.wrong("a set of characters is not closed")
        self.place = found.end()
        return _Bounds()

    def _bounds(self) -> tuple[int, int]:
        """Returns how often the atom before may stand: 1 to 1 where nothing is said."""
        char = self._next()
        if char in ("*", "+"):
            raise self.wrong(f"{char} has no upper bound")
        if char == "?":
            self.place += 1
            bounds = (0, 1)
        elif char == "{":
            bounds = self._counted()
        else:
            return 1, 1
        if self._next() in ("?", "+"):
            self.place += 1
        if self._next() in ("*", "+", "?", "{"):
            raise self.wrong("a repetition stands right behind another")
        return bounds

    def _counted(self) -> tuple[int, int]:
        found = _BOUND.match(self.pattern, self.place)
        if found is None or (found[2] and not found[3]):
            raise self.wrong("a repetition has no upper bound")
        least = int(found[1])
        most = int(found[3]) if found[2] else least
        if most > _LONGEST_REPEAT or least > most:
            raise self.wrong(f"a repetition is longer than {_LONGEST_REPEAT}")
        self.place = found.end()
        return least, most
