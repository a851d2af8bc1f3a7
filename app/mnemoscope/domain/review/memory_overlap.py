"""A new line of memory may say again what memory says already, put its words together anew, or turn them around."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mnemoscope.domain.memory.facts import fact_text
from mnemoscope.domain.review.content_words import NOT, content_words, is_specific, word_pairs

_COMMON: Final = 200
"""A word in more lines than this says nothing about which of them is meant."""
_TICKED: Final = re.compile(r"^\s*(?:[-*+•·]|\d{1,9}[.)])\s+\[[xX]\]")


class MemoryOverlap:
    """The overlap of new lines with what memory said before, and with those of its lines that the new text has no
    more."""

    def __init__(self, before: str, after: str) -> None:
        left = {line.strip() for line in after.split("\n")}
        self._words: set[str] = set()
        self._beside: defaultdict[str, set[str]] = defaultdict(set)
        self._gone: list[_Line] = []
        for line in before.split("\n"):
            words = content_words(fact_text(line))
            self._words.update(words)
            for word in filter(is_specific, words):
                self._beside[word].update(words)
            if words and line.strip() not in left:
                self._gone.append(_line(line))

    def unsaid_in(self, line: str) -> set[str]:
        """Returns the words of a new line that memory does not say already. All are returned if they are put together
        anew, or if a line that is gone comes back with a *not*, a question mark or a tick more or less.

        A number, address or *not* counts as said only beside another word of the line.
        """
        new = _line(line)
        fresh = {word for word in new.words if word not in self._words or self._stands_alone(word, new.words)}
        reworded = self._reworded(new)
        is_new = not fresh and (not new.words <= self._gone_words or self._is_shuffled(new, len(reworded)))
        return set(new.words) if is_new or _is_turned(new, reworded) else fresh

    def _stands_alone(self, word: str, line: frozenset[str]) -> bool:
        return is_specific(word) and len(self._beside[word] & line) < 2  # itself, and another

    def _is_shuffled(self, new: _Line, reworded: int) -> bool:
        """Returns whether words follow each other that did not: more than where one was left out, or two lines are
        joined."""
        return len(new.pairs - self._gone_pairs) > max(1, reworded)

    def _reworded(self, new: _Line) -> list[_Line]:
        """Returns the lines that are gone and have more than half of their words in this one."""
        shared = Counter(number for word in new.words for number in self._gone_by_word.get(word, ()))
        counted = ((self._gone[number], count) for number, count in shared.items())
        return [old for old, count in counted if 2 * count > len(old.words - {NOT})]

    @cached_property
    def _gone_words(self) -> frozenset[str]:
        return frozenset().union(*(line.words for line in self._gone))

    @cached_property
    def _gone_pairs(self) -> frozenset[tuple[str, str]]:
        return frozenset().union(*(line.pairs for line in self._gone))

    @cached_property
    def _gone_by_word(self) -> dict[str, list[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(self._gone):
            for word in line.words - {NOT}:
                found[word].append(number)
        return {word: numbers for word, numbers in found.items() if len(numbers) <= _COMMON}


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of memory. `signs` counts the signs that turn what its words say: a *not*, a question mark, a tick."""

    words: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    signs: tuple[int, ...]


def _line(text: str) -> _Line:
    words = content_words(fact_text(text))
    signs = words.count(NOT), text.count("?") + text.count("？"), len(_TICKED.findall(text))
    return _Line(frozenset(words), word_pairs(words), signs)


def _is_turned(new: _Line, old: Sequence[_Line]) -> bool:
    """Returns whether a line says its words with more or fewer signs than the lines it rewords."""
    return bool(old) and any(
        not max(before) <= now <= sum(before)
        for now, before in zip(new.signs, zip(*(line.signs for line in old), strict=True), strict=True)
    )
