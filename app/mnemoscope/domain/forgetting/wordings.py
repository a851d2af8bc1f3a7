"""Words and phrases in which people say the same, in groups, read from resources/search/wordings.txt.

A group has four columns: English, Russian, Uzbek in Latin letters, and Chinese. The thesaurus of the search also knows
what belongs to a thing; here one word may stand for another and a note still says the same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from mnemoscope.domain.search.stems import in_latin
from mnemoscope.domain.search.words import fold, plain_stem

_ENGLISH, _RUSSIAN, _UZBEK, _CHINESE = range(4)
_ANY_ENDING: Final = "*"
_PROVES_LITTLE: Final = "~"
_LONGEST_PHRASE: Final = 4


class PhraseFound(NamedTuple):
    """Describes a phrase among the words of a text: the places [start, stop) of its words, and its group."""

    start: int
    stop: int
    group: int


class _Pattern(NamedTuple):
    """Describes a word as a group has it: its beginning if it stands for any ending, or else the whole of it."""

    text: str
    has_any_ending: bool

    def fits(self, word: str) -> bool:
        if self.has_any_ending:
            return word.startswith(self.text)
        return word == self.text or (word.isascii() and plain_stem(word) == plain_stem(self.text))


class Wordings:
    """Knows in which groups a word or a phrase stands. A group is a number."""

    def __init__(self, text: str = "") -> None:
        """Reads the text of the file: a group a line, `#` begins a comment. Raises ValueError for a line that has not
        four columns."""
        self._words: tuple[defaultdict[str, set[int]], ...] = tuple(defaultdict(set) for _ in range(_CHINESE))
        self._beginnings: tuple[defaultdict[str, set[int]], ...] = tuple(defaultdict(set) for _ in range(_CHINESE))
        self._phrases: defaultdict[tuple[int, str], list[tuple[tuple[_Pattern, ...], int]]] = defaultdict(list)
        """By the column and the first letter."""
        self._signs: defaultdict[str, set[int]] = defaultdict(set)
        weak: set[int] = set()
        lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
        for number, line in enumerate(lines):
            if line.startswith(_PROVES_LITTLE):
                weak.add(number)
            columns = line.removeprefix(_PROVES_LITTLE).split("|")
            if len(columns) != _CHINESE + 1:
                raise ValueError(f"a group of wordings has four columns: {line}")
            for column, words in enumerate(columns[:_CHINESE]):
                for word in words.split():
                    self._take_in(column, word, number)
            for sign in columns[_CHINESE].split():
                self._signs[sign].add(number)
        self.weak = frozenset(weak)
        """The groups whose words say how things belong together, and prove little alone."""
        signs = sorted(map(re.escape, self._signs), key=len, reverse=True)
        self._any_sign = re.compile("|".join(signs) or r"(?!)")

    def _take_in(self, column: int, word: str, number: int) -> None:
        patterns = tuple(
            _Pattern(fold(part.removesuffix(_ANY_ENDING)), part.endswith(_ANY_ENDING)) for part in word.split("+")
        )
        if len(patterns) > 1:
            self._phrases[column, patterns[0].text[:1]].append((patterns, number))
        elif patterns[0].has_any_ending:
            self._beginnings[column][patterns[0].text].add(number)
        else:
            self._words[column][patterns[0].text].add(number)
            if column == _ENGLISH:
                self._words[column][plain_stem(patterns[0].text)].add(number)

    def groups_of(self, folded: str, *, is_uzbek: bool) -> frozenset[int]:
        """Returns the groups of a folded word of a text that may or may not be in Uzbek."""
        found: set[int] = set()
        for column, word in _readings(folded, is_uzbek=is_uzbek).items():
            words, beginnings = self._words[column], self._beginnings[column]
            found |= words.get(word, set())
            if column == _ENGLISH:
                found |= words.get(plain_stem(word), set())
            for length in range(1, len(word) + 1):
                found |= beginnings.get(word[:length], set())
        return frozenset(found)

    def phrases_in(self, words: Sequence[str], *, is_uzbek: bool) -> Iterator[PhraseFound]:
        """Yields the phrases among the folded words of a text."""
        readings = [_readings(word, is_uzbek=is_uzbek) for word in words]
        for start, first in enumerate(readings):
            following = readings[start : start + _LONGEST_PHRASE]
            for column, word in first.items():
                for patterns, group in self._phrases.get((column, word[:1]), ()):
                    if _follow(patterns, following, column):
                        yield PhraseFound(start, start + len(patterns), group)

    def without_spaceless(self, text: str) -> tuple[Mapping[str, frozenset[int]], str]:
        """Returns the words of a script without spaces that a text has, with their groups, and the text without
        them."""
        found = {word: frozenset(self._signs[word]) for word in self._any_sign.findall(text)}
        return found, self._any_sign.sub(" ", text)


def _readings(folded: str, *, is_uzbek: bool) -> dict[int, str]:
    """Returns a word as each column may have it."""
    if not "\u0400" <= folded[0] <= "\u04ff":
        return {_UZBEK if is_uzbek else _ENGLISH: folded}
    uzbek = {_UZBEK: in_latin(folded)}
    # Short lines in Cyrillic letters do not always tell which language they are in.
    return uzbek if is_uzbek else {_RUSSIAN: folded, **uzbek}


def _follow(patterns: Sequence[_Pattern], words: Sequence[Mapping[int, str]], column: int) -> bool:
    if len(patterns) > len(words):
        return False
    return all(column in word and pattern.fits(word[column]) for pattern, word in zip(patterns, words, strict=False))
