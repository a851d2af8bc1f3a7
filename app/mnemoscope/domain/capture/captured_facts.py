"""A new fact repeats a kept one, replaces it, or stands beside it.

A fact that is tagged with a user, `[user:7]`, is that user's, and one without a tag that of the person who names none.
Only facts of the same person are compared: "My name is Boris" says nothing of Alice's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from mnemoscope.domain.capture.captured_line import CapturedLine, read_line, struck_line
from mnemoscope.domain.capture.match_value import normalised_value
from mnemoscope.domain.capture.record import capture_hash
from mnemoscope.domain.capture.rules import RuleSet
from mnemoscope.domain.capture.scan import Capture, Correction, FactKey, fact_keys
from mnemoscope.domain.text.characters import HAN
from mnemoscope.domain.text.escape_markdown import name_in_tag

_WORD: Final = re.compile(rf"[{HAN}]|[^\W{HAN}]+")
_STEM: Final = 4
_SAID: Final = "said"
Facts = list[tuple[FactKey, Capture | None]]
"""The facts that `fact_keys` finds in a line."""


@dataclass(frozen=True, slots=True)
class SupersededLine:
    """Holds the line at `index` and what replaces it: itself, struck through and with the day until which it held."""

    index: int
    line: str
    struck: str


@dataclass(slots=True)
class _Kept:
    """Holds a line that stands, and the facts it states."""

    line: CapturedLine
    facts: Facts


class CapturedFacts:
    """Reads the facts that the lines of a file state of one person, each line read once. Lines are counted from 0;
    struck lines state nothing."""

    def __init__(
        self, lines: Iterable[str], rules: RuleSet, known: dict[str, Facts] | None = None, user: str = ""
    ) -> None:
        """`known` is what these rules found in texts of lines before; what is found now is added to it. `user` is whose
        facts count, "" for those of nobody who is named."""
        self._rules = rules
        self._user = name_in_tag(user)
        self._known: dict[str, Facts] = {} if known is None else known
        self.lines: list[str] = []
        self._kept: dict[int, _Kept] = {}
        for line in lines:
            self.add(line)

    def add(self, line: str) -> None:
        """Adds a line at the end."""
        kept = read_line(line)
        if kept is not None and not kept.until and name_in_tag(kept.user) == self._user:
            if kept.text not in self._known:
                self._known[kept.text] = [*fact_keys(kept.text, self._rules), (_said_key(kept.text), None)]
            self._kept[len(self.lines)] = _Kept(kept, self._known[kept.text])
        self.lines.append(line)

    def strike(self, old: SupersededLine) -> None:
        """Puts the struck line in its place."""
        self.lines[old.index] = old.struck
        del self._kept[old.index]

    def duplicate_of(self, capture: Capture) -> str | None:
        """Returns the line that says this already, in whatever words; None if none does."""
        same = {capture.key, _said_key(capture.fact), _said_key(capture.detail)}
        for index, kept in self._kept.items():
            if any(key in same for key, _ in kept.facts):
                return self.lines[index]
        return None

    def line_with(self, hashed: str, words: str) -> tuple[int, str] | None:
        """Returns the place and the text of the line that states the fact with this `capture_hash`, or these very
        words; None if none does."""
        said = _said_key(words)
        for index, kept in self._kept.items():
            if any(key == said or capture_hash(key) == hashed for key, _ in kept.facts):
                return index, self.lines[index]
        return None

    def superseded_by(self, capture: Capture, until: date) -> SupersededLine | None:
        """Returns the line that is no longer true now that this was said; the newest, if there are several."""
        for index, kept in reversed(self._kept.items()):
            if any(_disagrees(capture, key, other) for key, other in kept.facts):
                return self._superseded(index, until)
        if capture.correction is None or not capture.correction.old:
            return None
        found = [index for index, kept in self._kept.items() if _states_old_value(kept.line.text, capture.correction)]
        # Without a subject, only one line can be meant.
        if not found or (len(found) > 1 and not capture.correction.subject):
            return None
        return self._superseded(found[-1], until)

    def _superseded(self, index: int, until: date) -> SupersededLine:
        return SupersededLine(index, self.lines[index], struck_line(self.lines[index], until))


def _said_key(words: str) -> FactKey:
    """Returns the key by which a line in the same words is known, whatever it states."""
    return (_SAID, "", normalised_value(words))


def _disagrees(capture: Capture, key: FactKey, other: Capture | None) -> bool:
    category, subject, value = capture.key
    if not subject or key == capture.key or (category and key[0] and category != key[0]):
        return False
    if capture.opposite and key[1] == capture.opposite:
        return key[2] == value
    return capture.is_single and key[1] == subject and key[2] != value and (other is None or other.is_single)


def _states_old_value(line: str, correction: Correction) -> bool:
    words = _words(line)
    old = [word for word in _words(correction.old) if len(word) > 2 or not word.isascii()] or _words(correction.old)
    if not old or not any(_is_in(word, words) for word in old[-1:]):
        return False
    new = _words(correction.new)
    if new and all(_is_in(word, words) for word in new):
        return False
    return all(_is_in(word, words) for word in _words(correction.subject))


def _words(text: str) -> list[str]:
    return _WORD.findall(normalised_value(text))


def _is_in(word: str, words: Sequence[str]) -> bool:
    """Returns whether a word is among these, in whatever grammatical form."""
    return any(word == each or _same_stem(word, each) for each in words)


def _same_stem(one: str, other: str) -> bool:
    shorter = min(len(one), len(other))
    return (
        shorter >= _STEM
        and one[: max(_STEM, shorter - 1)] == other[: max(_STEM, shorter - 1)]
        and abs(len(one) - len(other)) <= 3
    )
