"""The evidence gate asks whether the person said what a new line of memory says, or only a tool or a file did.

Words are compared, not meanings: the same conversation and line always give the same answer, and no text can talk the
rule out of it. If text of tools or files stands in a conversation, support has to come from the person's own words (or
from what the assistant said before any such text, or in answer to them), within a few messages of each other.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from math import log
from typing import Any, Final

from mnemoscope.domain.conversation.origin import MODEL, PERSON, parts_of_message
from mnemoscope.domain.memory.facts import fact_text, heading_title
from mnemoscope.domain.review.content_words import (
    NOT,
    content_pairs,
    content_words,
    content_words_among,
    ideographs,
    is_mostly_spaceless,
    is_specific,
    language_of,
    names_in,
    word_pairs,
    word_stems,
)
from mnemoscope.domain.review.sources import MESSAGE_END, Sources

_TOGETHER: Final = 3
"""Messages of the person, or lines of quoted text, that are looked at as one."""
_SAID_SHARE: Final = 0.5
_QUOTED_SHARE: Final = 0.5
_COPIED_SHARE: Final = 0.7
_COPIED_LEAD: Final = 0.2
_LEAST_PAIRS: Final = 2
_MOST_QUOTED: Final = 1_000_000
_COMMON: Final = 200
"""A word in more lines than this says nothing about which of them is meant."""
_FOUNDATION: Final = 3
"""Messages at most that a line is said to rest on."""
_SUPPORT_SHARE: Final = 0.5
_SUPPORT_SHARE_OF_SEVERAL: Final = 1 / 3
"""Lines without spaces are compared by each two characters, of which a rewording leaves few."""
_LEAST_UNHEARD: Final = 3
"""Content words of a line from which it says enough for one of them to be expected."""
_LEAST_PAIRS_UNHEARD: Final = 2
_FEW_PAIRS: Final = 0.2
"""Of the pairs of characters in a line without spaces; from so many on it is about what was spoken of."""
_FEW_CHARACTERS: Final = 0.35
_SOME_CHARACTERS: Final = 0.6
"""Of its characters, where no pair of them was said."""
_MOST_IN_LINE: Final = 2_000
_KNOWN: Final = 512
"""Messages whose stems are kept: each turn is compared with the last `LOOKED_BACK` messages, most of them for the$
time."""
_LONGEST_KNOWN: Final = 1_000
"""The longest of them in characters."""
_FURTHER_SHARE: Final = 0.2
_BY_ORIGIN: Final = {PERSON: 1.0, MODEL: 0.9}
"""The weight of words by who said them; those of tools and files weigh least."""
_QUOTED_WEIGHT: Final = 0.8
_TICKED: Final = re.compile(r"^\s*(?:[-*+•·]|\d{1,9}[.)])\s+\[[xX]\]")


class Evidence:
    """Holds the words of a conversation, ready to be compared with the lines of a new memory text, `after`."""

    def __init__(self, sources: Sources, before: str, after: str = "") -> None:
        self._sources = sources
        self._before, self._after = before, after

    @property
    def is_needed(self) -> bool:
        """Returns whether anything but the person and the model wrote in this conversation."""
        return bool(self._sources.quoted.strip())

    def missing(self, line: str) -> str:
        """Returns why a line needs the person's word: `quoted` (a tool or file says it), `unsaid` (nobody does), or
        ""."""
        words = content_words(fact_text(line))
        fresh = self._remembered.unsaid_in(line)
        heard = [window.words for window in self._spoken]
        heard += [words_of_both for about, words_of_both in self._exchanged if about & fresh]
        said = max(heard, key=lambda each: len(fresh & each), default=frozenset())
        unsaid = fresh - said - self._aside
        if len(unsaid) > (1 - _SAID_SHARE) * len(fresh) or any(map(is_specific, unsaid)):
            return "quoted" if unsaid & self._all_quoted or not unsaid else "unsaid"
        about = max((len(unsaid & quote.words) and len(set(words) & quote.words) for quote in self._quoted), default=0)
        if about >= max(1, _QUOTED_SHARE * len(set(words))):
            return "quoted"
        return "quoted" if self._is_copied(word_stems(line)) else ""

    def is_unheard(self, line: str) -> bool:
        """Returns whether a new line is about nothing that was spoken of: not one of its words was said by anyone or
        stood in memory, and it names somebody, some place or a figure.

        Words alone do not do, for people are understood in other words; nor does a line in another language. Of a
        script without spaces the characters do: what is said in other words has some of them still.
        """
        if is_mostly_spaceless(fact_text(line)):
            return self._is_heard and self._are_pairs_unheard(fact_text(line))
        words = set(content_words(fact_text(line)))
        if len(words) < _LEAST_UNHEARD or not self._is_heard or not set(names_in(fact_text(line))) & words:
            return False
        language = language_of(line)
        if not language or language != self._spoken_language:
            return False
        return not any(word in self._heard or word in self._stood for word in words)

    def _are_pairs_unheard(self, text: str) -> bool:
        """Returns whether hardly a pair of characters, and few characters alone, were said or stood in memory."""
        pairs, characters = content_pairs(text), ideographs(text)
        if len(pairs) < _LEAST_PAIRS_UNHEARD or not characters or not is_mostly_spaceless(self._sources.spoken):
            return False
        known = len(pairs & self._known_pairs) / len(pairs)
        share = len(characters & self._known_characters) / len(characters)
        return share < (_FEW_CHARACTERS if known else _SOME_CHARACTERS) and known < _FEW_PAIRS

    @cached_property
    def _known_pairs(self) -> frozenset[str]:
        return self._heard.all.union(*(content_pairs(line) for line in self._stood_lines))

    @cached_property
    def _known_characters(self) -> frozenset[str]:
        texts = (self._sources.spoken, self._sources.answered, self._sources.quoted, *chain(*self._sources.exchanges))
        return ideographs("".join((*texts, *self._stood_lines)))

    @cached_property
    def _stood_lines(self) -> list[str]:
        """Returns the lines of memory that say something; its headings are no facts."""
        return [line for line in _short_lines(self._before) if heading_title(line) is None]

    def is_change_unheard(self, old: str, new: str) -> bool:
        """Returns whether a line of memory lost or exchanged what it says though nothing of that was spoken of.

        What is lost is a name or a figure, or several words; a word for another of the same meaning is neither.
        """
        if not self._is_heard:
            return False
        before, after = content_words(fact_text(old)), content_words(fact_text(new))
        stood = _Stems(before)
        lost = {word for word in before if word not in self._left and not set(_figures(word)) & self._left.all}
        come = {word for word in after if word not in stood}
        if not lost or any(word in self._heard for word in {*come, *after}):
            return False
        if sum(word in self._heard for word in lost) > len(lost) / 2:
            return False
        named = {*names_in(fact_text(old)), *names_in(fact_text(new))}
        return len(lost) > 1 or bool(named & (lost | come)) or any(map(is_specific, lost))

    @cached_property
    def _spoken_language(self) -> str:
        return language_of(self._sources.spoken.replace(MESSAGE_END, " "))

    @cached_property
    def _stood(self) -> _Stems:
        return _Stems(word for line in _short_lines(self._before) for word in content_words(line))

    @cached_property
    def _left(self) -> _Stems:
        lines = _short_lines(self._after)
        return _Stems(word for line in lines for word in (*word_stems(line), *_figures(line)))

    @cached_property
    def _is_heard(self) -> bool:
        return bool(self._sources.spoken.strip() or self._sources.answered.strip())

    @cached_property
    def _heard(self) -> _Stems:
        texts = (self._sources.spoken, self._sources.answered, self._sources.quoted, *chain(*self._sources.exchanges))
        days = self._sources.dates.replace(MESSAGE_END, " ")
        return _Stems([*word_stems(" ".join(texts).replace(MESSAGE_END, " ")), *_words_of_days(days)])

    def was_said(self, line: str) -> bool:
        """Returns whether the person said this, most of its words and every number within a few messages."""
        fresh = set(content_words(line))
        said = max((len(fresh & window.words) for window in self._spoken), default=0)
        return bool(fresh) and said > _SAID_SHARE * len(fresh)

    def _is_copied(self, words: Sequence[str]) -> bool:
        """Returns whether the words follow each other as in a quoted text, and not as in the person's."""
        pairs = word_pairs(words)
        if len(pairs) < _LEAST_PAIRS:
            return False
        quoted = max((len(pairs & quote.pairs) for quote in self._quoted), default=0) / len(pairs)
        spoken = max((len(pairs & window.pairs) for window in self._spoken), default=0) / len(pairs)
        return quoted >= _COPIED_SHARE and quoted > spoken + _COPIED_LEAD

    @cached_property
    def _spoken(self) -> list[_Window]:
        return _windows(self._sources.spoken.split(MESSAGE_END))

    @cached_property
    def _exchanged(self) -> list[tuple[frozenset[str], frozenset[str]]]:
        """Returns pairs of what the person spoke of and what both said of it; of the answer, only what no tool or file
        said."""
        found = []
        for around, answer in self._sources.exchanges:
            about, answered = frozenset(content_words_among(_stems_of(around))), frozenset(_stems_of(answer))
            found.append((about, about | (answered - self._all_quoted) | (answered & {NOT})))
        return found

    @cached_property
    def _quoted(self) -> list[_Window]:
        text = self._sources.quoted[-_MOST_QUOTED:].replace(MESSAGE_END, "\n")
        return _windows(re.split(r"\n|(?<=[.!?。！？])\s+", text))

    @cached_property
    def _all_quoted(self) -> frozenset[str]:
        return frozenset().union(*(quote.words for quote in self._quoted))

    @cached_property
    def _remembered(self) -> MemoryOverlap:
        return MemoryOverlap(self._before, self._after)

    @cached_property
    def _aside(self) -> frozenset[str]:
        days = self._sources.dates.replace(MESSAGE_END, " ")
        return frozenset(content_words(self._sources.answered)) | _words_of_days(days)


def messages_behind(line: str, messages: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    """Returns the places, ascending, of the one to three messages that a line of memory rests on; () where none stands
    out.

    The first is the one with most of the line's content words, rare words counting more; each further one has to add
    words of its own. Together they have to say at least half of the line, or a third where that is several words.
    """
    days = " ".join(str(message.get("timestamp") or "")[:10] for message in messages)
    words = frozenset(content_words(fact_text(line)))
    words = words - _words_of_days(days) or words
    said = [_words_by_weight(message, words) for message in messages]
    counts = Counter(word for each in said for word in each)
    rarity = {word: log(1 + len(messages) / max(1, counts[word])) for word in words}
    whole, found, heard = sum(rarity.values()), list[int](), dict[str, float]()

    def gain(place: int) -> float:
        return sum(rarity[word] * max(0.0, weight - heard.get(word, 0.0)) for word, weight in said[place].items())

    while whole and len(found) < _FOUNDATION:
        gains = [gain(place) for place in range(len(said))]
        best = max(gains, default=0.0)
        if best < _FURTHER_SHARE * whole or (not found and gains.count(best) > _FOUNDATION):
            break
        found.append(gains.index(best))
        for word, weight in said[found[-1]].items():
            heard[word] = max(weight, heard.get(word, 0.0))
    covered = sum(rarity[word] for word in heard)
    least = _SUPPORT_SHARE if len(heard) == 1 else _SUPPORT_SHARE_OF_SEVERAL
    return tuple(sorted(found)) if covered >= least * whole else ()


def _words_by_weight(message: Mapping[str, Any], wanted: frozenset[str]) -> dict[str, float]:
    """Returns those of the wanted words that a message says, each with what it weighs there."""
    weights = dict[str, float]()
    for part in parts_of_message(message):
        weight = _BY_ORIGIN.get(part.origin, _QUOTED_WEIGHT)
        for word in wanted.intersection(word_stems(part.text)):
            weights[word] = max(weight, weights.get(word, 0.0))
    return weights


def _words_of_days(days: str) -> frozenset[str]:
    """Returns the words and numbers of dates, which a line may name though nobody said them."""
    return frozenset(part.lstrip("0") for part in re.findall(r"\d+", days)) | frozenset(word_stems(days))


def _short_lines(text: str) -> list[str]:
    """Returns the lines that are not so long that they are held whatever they say."""
    return [line for line in text.split("\n") if len(line) <= _MOST_IN_LINE]


def _figures(text: str) -> list[str]:
    return [part.lstrip("0") or "0" for part in re.findall(r"\d+", text)]


class _Stems:
    """Words to look others up in, forms of the same word counting as one: what differs in its last two letters alone,
    where it is long enough."""

    def __init__(self, words: Iterable[str]) -> None:
        self.all = frozenset(words)
        self._beginnings = frozenset(_beginning(word) for word in self.all)

    def __contains__(self, word: str) -> bool:
        return word in self.all or (not is_specific(word) and _beginning(word) in self._beginnings)


def _beginning(word: str) -> str:
    return word if is_specific(word) else word[: max(3, len(word) - 2)]


@dataclass(frozen=True, slots=True)
class _Window:
    words: frozenset[str]
    pairs: frozenset[tuple[str, str]]


def _stems_of(text: str) -> Sequence[str]:
    """Returns the stems of a message or a part of one."""
    return _known_stems(text) if len(text) <= _LONGEST_KNOWN else word_stems(text)


@lru_cache(maxsize=_KNOWN)
def _known_stems(text: str) -> tuple[str, ...]:
    return tuple(word_stems(text))


def _windows(parts: Iterable[str]) -> list[_Window]:
    each = [(frozenset(words), word_pairs(words)) for part in parts if (words := _stems_of(part))]
    runs = (each[start : start + _TOGETHER] for start in range(max(1, len(each) - _TOGETHER + 1)))
    return [
        _Window(
            frozenset().union(*(words for words, _ in run)),
            frozenset().union(*(pairs for _, pairs in run)),
        )
        for run in runs
        if run
    ]


class MemoryOverlap:
    """Measures the overlap of new lines with what memory said before, and with those of its lines that the new text has
    no more."""

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
    """Describes a line of memory. `signs` counts the signs that turn what its words say: a *not*, a question mark, a
    tick."""

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
