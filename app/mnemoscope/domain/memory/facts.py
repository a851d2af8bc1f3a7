"""The facts in a memory text are the lines that state something; another text may still state them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from mnemoscope.domain.text.characters import BYTE_ORDER_MARK
from mnemoscope.domain.text.fences import FENCE, outside_code

SIMILAR: Final = 0.6
"""From this ratio on, a new line counts as a rewording of an old one."""
_CANDIDATES: Final = 8
_LONG_LINE: Final = 400
_COMMON_WORD: Final = 200
"""A word in more new lines than this says nothing about which of them is meant."""

_MARKER = re.compile(r"^\s*(?:>\s*)*(?:[-*+•·]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t]+(?P<title>.*?))?(?:[ \t]+#+)?[ \t]*$")
RULE: Final = re.compile(r"^\s*(?:[-*_=]\s*){3,}$")
"""A line across the page, or one that underlines a heading."""
_PLACEHOLDER = re.compile(r"^\s*(?:\(.*\)|\*[^*].*[^*]\*|_[^_].*[^_]_|<!--.*-->|this file\b.*)\s*$", re.IGNORECASE)
"""The remarks that templates put where facts will go: in brackets, italics or a comment, or a sentence about the
file."""
_WORD = re.compile(r"\w+")
_PERSON = re.compile(r"\[user:([^\]\n]{1,64})\]")
"""The tag that says of whom a fact is; without one it is of nobody who is named."""
_EMPHASIS = re.compile("[*_`~'\u2018\u2019\u00ad\u200b-\u200f\u2060\ufeff]+")
"""Characters that may stand within a word or around it without changing what it says. Keys made without it are kept on
disk as hashes, so this is not the list of all apostrophes and invisible characters."""
_PUNCTUATION = re.compile(r'[!"(),\-./:;?\[\\\]{}¡§«»¶·¿‐-―“-•…‹›、。〈-】〔-〟]+')


def heading_title(line: str) -> str | None:
    """Returns the words of a Markdown heading (`# …`), or None for any other line."""
    found = _HEADING.match(line)
    return (found["title"] or "").strip() if found else None


def headings(text: str) -> list[str]:
    """Returns the titles of all headings outside code blocks, in order."""
    return [title for line in outside_code(text.split("\n")) if (title := heading_title(line)) is not None]


def fact_lines(text: str) -> list[str]:
    """Returns the lines that state something: not blank, no heading, rule, fence, nor a template's placeholder."""
    return [line for line in text.split("\n") if _states(line)]


def numbered_fact_lines(rows: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yields the lines that state something, each with its number among all of them, from 1."""
    return ((number, row) for number, row in enumerate(rows, 1) if _states(row))


def states_facts(text: str) -> bool:
    """Returns whether any line of a text states something; it looks no further than that line."""
    return any(_states(line) for line in text.split("\n"))


def fact_text(line: str) -> str:
    """Returns the line as a person reads it, without bullet and surrounding blanks."""
    return _MARKER.sub("", line.strip(BYTE_ORDER_MARK + "\r\t ")).strip()


@lru_cache(maxsize=10_000)
def normalised_fact(line: str) -> str:
    """Returns the line as it is compared: case, blanks, emphasis and final punctuation do not matter."""
    text = unicodedata.normalize("NFKC", fact_text(line)).casefold()
    return " ".join(re.sub(r"[*_`]+", "", text).split()).rstrip(".;,:! ")


@lru_cache(maxsize=20_000)
def fact_key(line: str) -> str:
    """Returns what a line says, as it is recognised again: case, bullet, blanks, emphasis and punctuation do not
    matter.

    A line without a letter, digit or symbol has the key "". "C++" and "C", "10%" and "10" stay apart.
    """
    text = unicodedata.normalize("NFKC", fact_text(line)).casefold()
    return " ".join(_PUNCTUATION.sub(" ", _EMPHASIS.sub("", text)).split())


def dropped_facts(before: str, after: str) -> list[str]:
    """Returns the facts of `before` that `after` states neither literally, nor inside another line, nor reworded.

    Only a line of the same person states it: "[user:2] My name is Boris" is no other words for Alice's name.
    """
    return [old for old, new in _gone_facts(before, after) if new is None]


def reworded_facts(before: str, after: str) -> list[tuple[str, str]]:
    """Returns the facts of `before` that `after` states in other words, each with these: what is not dropped, and not
    there to the letter."""
    return [(old, new) for old, new in _gone_facts(before, after) if new is not None]


def _gone_facts(before: str, after: str) -> list[tuple[str, str | None]]:
    """Returns the facts of `before` that do not stand in `after`, each with the line that says the same, None if none
    does."""
    old, new = _by_key(fact_lines(before)), _by_key(fact_lines(after))
    missing = [key for key in old if key not in new]
    if not missing:
        return []
    # Only a line that is new can be a rewording: an old one stands for itself.
    of_person: defaultdict[str, list[str]] = defaultdict(list)
    for key in new:
        of_person[_person_of(key)].append(key)
    running = {person: " ".join(keys) for person, keys in of_person.items()}
    pools = {person: _Pool(key for key in keys if key not in old) for person, keys in of_person.items()}
    nobody = _Pool(())
    lost = ((key, _person_of(key)) for key in missing)
    found = [(key, pools.get(person, nobody).find(key)) for key, person in lost if key not in running.get(person, "")]
    return [(old[key], new[line] if line else None) for key, line in found]


def _person_of(key: str) -> str:
    """Returns whose fact a line is, "" for nobody who is named."""
    tag = _PERSON.search(key)
    return tag[1] if tag else ""


def added_facts(before: str, after: str) -> list[str]:
    """Returns the facts of `after` that `before` does not state literally; rewordings count as added."""
    old = _by_key(fact_lines(before))
    return [words for key, words in _by_key(fact_lines(after)).items() if key not in old]


def kept_share(before: str, after: str) -> float:
    """Returns the share of the facts of `before` that stand literally in `after`, 0 to 1; 1 if there were none."""
    old, new = _by_key(fact_lines(before)), _by_key(fact_lines(after))
    return sum(key in new for key in old) / len(old) if old else 1.0


def similarity(one: str, other: str) -> float:
    """Returns how alike two lines are, 0 to 1: by characters, or by words where comparing characters would take too
    long."""
    if max(len(one), len(other)) > _LONG_LINE:
        words, others = _tokens(one), _tokens(other)
        return len(words & others) / max(1, len(words | others))
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if min(matcher.real_quick_ratio(), matcher.quick_ratio()) < SIMILAR:
        return 0.0
    return matcher.ratio()


class _Pool:
    """Holds new lines that may be rewordings; each is spent on one old line, but may contain several."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: dict[str, set[str]] = {line: _tokens(line) for line in lines}
        self._spent: set[str] = set()
        index: defaultdict[str, list[str]] = defaultdict(list)
        for line, words in self._words.items():
            for word in words:
                index[word].append(line)
        self._index: Mapping[str, list[str]] = index

    def find(self, key: str) -> str:
        """Returns the line that says what `key` says, which is spent if it does not hold all of its words; "" if none
        does."""
        words = _tokens(key)
        found: Counter[str] = Counter()
        for word in words:
            lines = self._index.get(word, ())
            if len(lines) <= _COMMON_WORD:
                found.update(lines)
        candidates = [line for line, _ in found.most_common(_CANDIDATES)]
        return next((line for line in candidates if words <= self._words[line]), "") or self._spend(key, candidates)

    def _spend(self, key: str, candidates: Iterable[str]) -> str:
        words = _tokens(key)
        # "Uses PostgreSQL" is not reworded by "Uses SQLite", however alike the letters.
        alike = [line for line in candidates if 2 * len(words & self._words[line]) > len(words)]
        free = [(similarity(key, line), line) for line in alike if line not in self._spent]
        ratio, line = max(free, default=(0.0, ""))
        if ratio < SIMILAR:
            return ""
        self._spent.add(line)
        return line


def _tokens(line: str) -> set[str]:
    """Returns the words of a line; of scripts without spaces single characters, or nothing would ever be shared."""
    return {part for word in _WORD.findall(line) for part in ([word] if word.isascii() else [*word])}


def _by_key(lines: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        key = normalised_fact(line)
        if key:
            found.setdefault(key, fact_text(line))
    return found


@lru_cache(maxsize=10_000)
def _states(line: str) -> bool:
    stripped = line.strip(BYTE_ORDER_MARK + "\r\t ")
    if not stripped or heading_title(stripped) is not None or RULE.match(stripped) or FENCE.match(stripped):
        return False
    return bool(_MARKER.match(stripped)) or not _PLACEHOLDER.match(stripped)
