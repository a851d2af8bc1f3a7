"""Finds words of which every match of a pattern holds one: where a sentence has none, the pattern need not be tried.

It reads the part of regular expressions that `safe_patterns` lets pass. What it does not understand it passes over: the
fewer words it finds, the more often a pattern is tried, and no match is ever missed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mnemoscope.domain.capture.safe_patterns import CLASS

_MOST: Final = 12
"""Words of one choice: to look for more costs what the pattern would."""
_SHORTEST: Final = 2
_TEXT: Final = re.compile(r"(?:[^\\\[(){}?+*|.^$]|\\[^\w\s]|\\_)+")
_OPENING: Final = re.compile(r"\((?:\?:|\?P<\w+>|(?P<ahead>\?=)|(?P<none>\?!|\?<!))?")
_COUNT: Final = re.compile(r"(?:(?P<maybe>\?|\{0(?:,\d*)?\})|\{\d+(?:,\d*)?\})[?+]?")
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_MOST_KEPT: Final = 4_096
Words = tuple[str, ...]


@lru_cache(_MOST_KEPT)
def needed_words(pattern: str) -> Words:
    """Returns texts of which every match of a safe pattern, with what it looks ahead at, holds at least one; none where
    no such texts are known."""
    return _Reader(pattern).alternatives()


class _Reader:
    """Walks over a pattern once."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._place = 0

    def alternatives(self) -> Words:
        """Returns the words of a whole group, up to the bracket that closes it: those of each of its alternatives."""
        found = [self._sequence()]
        while self._pattern.startswith("|", self._place):
            self._place += 1
            found.append(self._sequence())
        words = tuple(dict.fromkeys(word for each in found for word in each))
        return words if all(found) and len(words) <= _MOST else ()

    def _sequence(self) -> Words:
        """Returns the words of the part that says most."""
        best: Words = ()
        while self._place < len(self._pattern) and self._pattern[self._place] not in "|)":
            best = max(best, self._part(), key=_worth)
        return best

    def _part(self) -> Words:
        pattern, place = self._pattern, self._place
        if text := _TEXT.match(pattern, place):
            return self._text(text)
        if pattern[place] == "(":
            return self._group()
        whole = CLASS.match(pattern, place) if pattern[place] == "[" else None
        self._place = whole.end() if whole else place + (2 if pattern[place] == "\\" else 1)
        self._is_there()
        return ()

    def _text(self, text: re.Match[str]) -> Words:
        self._place = text.end()
        if not _COUNT.match(self._pattern, self._place):
            return _of(_ESCAPE.sub(r"\1", text[0]))
        # What is counted is the last character alone.
        before = text[0][: -2 if text[0][-2:-1] == "\\" else -1]
        self._is_there()
        return _of(_ESCAPE.sub(r"\1", before))

    def _group(self) -> Words:
        opening = _OPENING.match(self._pattern, self._place)
        assert opening is not None
        self._place = opening.end()
        words = self.alternatives()
        self._place += 1
        return words if self._is_there() and not opening["none"] else ()

    def _is_there(self) -> bool:
        """Passes over how often something may stand; returns whether it has to stand at all."""
        count = _COUNT.match(self._pattern, self._place)
        if count is None:
            return True
        self._place = count.end()
        return count["maybe"] is None


def _of(text: str) -> Words:
    return (text,) if len(text) >= _SHORTEST else ()


def _worth(words: Words) -> tuple[int, int]:
    """Returns more for words that are longer, and then for fewer of them."""
    return min(map(len, words), default=0), -len(words)
