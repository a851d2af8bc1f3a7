"""MEMORY.md is divided into units: each heading, bullet, paragraph line and code block is one; a side edits units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from mnemoscope.domain.memory.facts import SIMILAR, fact_key, heading_title, similarity
from mnemoscope.domain.text.fences import closes, opening_mark

_PAIRING_LIMIT: Final = 40
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,9}[.)])\s")


@dataclass(frozen=True, slots=True)
class Unit:
    """Describes a heading with the blank lines before it, or a bullet, line or code block with those after it.

    It is compared by `key` and written as `raw`.
    """

    raw: str
    key: str

    @property
    def is_heading(self) -> bool:
        """Returns whether the unit opens a section."""
        return heading_title(self.key) is not None

    @property
    def sense(self) -> str:
        """Returns the meaning of the unit, the same for two that differ in case, punctuation, bullet or blanks
        alone."""
        return self.key if self.is_heading else fact_key(self.key) or self.key

    @property
    def says(self) -> frozenset[str]:
        """Returns the meanings of its lines, each for itself; a heading has none."""
        return frozenset() if self.is_heading else frozenset(map(fact_key, self.key.split("\n"))) - {""}


@dataclass(slots=True)
class Edits:
    """Describes one side's edits of the base: what each base unit became (None: deleted), and what was inserted before
    each."""

    became: list[Unit | None]
    inserted: list[list[Unit]]

    def touched(self, base: Sequence[Unit]) -> int:
        """Returns how many units of the base were reworded or deleted."""
        return sum(now is None or now.key != was.key for now, was in zip(self.became, base, strict=True))


def is_bullet(unit: Unit) -> bool:
    """Returns whether the unit is an item of a list."""
    return bool(_BULLET.match(unit.key))


def split_units(text: str) -> list[Unit]:
    """Returns the units of a text, in order; their `raw` joined is the text, with a line end at its end."""
    lines = _lines(text)
    blocks = _code_blocks(lines)
    found: list[list[str]] = []
    for number, line in enumerate(lines):
        if number in blocks or (found and (not line.strip() or _continues(line, found[-1]))):
            found[-1].append(line)
        else:
            found.append([*_blanks_before(line, found), line])
    return [_unit("".join(lines)) for lines in found if lines]


def _code_blocks(lines: Sequence[str]) -> set[int]:
    """Returns the numbers of the lines that go on with a code block. A block that is never closed is none."""
    inside: set[int] = set()
    start, mark = 0, ""
    for number, line in enumerate(lines):
        if not mark:
            start, mark = number, opening_mark(line)
        elif closes(line, mark):
            inside.update(range(start + 1, number + 1))
            mark = ""
    return inside


def _blanks_before(line: str, found: list[list[str]]) -> list[str]:
    """Takes back the blank lines before a heading: a bullet added to the section above goes before them."""
    blanks: list[str] = []
    if heading_title(line.rstrip("\r\n")) is not None and found:
        while found[-1] and not found[-1][-1].strip():
            blanks.insert(0, found[-1].pop())
    return blanks


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _continues(line: str, unit: Sequence[str]) -> bool:
    """Returns whether a line goes on with the bullet above it: it is indented and no bullet itself."""
    return line[:1] in " \t" and bool(_BULLET.match(unit[0])) and not _BULLET.match(line)


def _unit(raw: str) -> Unit:
    raw = raw if raw.endswith("\n") else raw + "\n"
    return Unit(raw, "\n".join(line.rstrip() for line in raw.split("\n")).strip("\n"))


def unit_edits(base: Sequence[Unit], side: Sequence[Unit]) -> Edits:
    """Returns the edits by which `side` was made from `base`."""
    became: list[Unit | None] = [None] * len(base)
    inserted: list[list[Unit]] = [[] for _ in range(len(base) + 1)]
    matcher = SequenceMatcher(None, [unit.key for unit in base], [unit.key for unit in side], autojunk=False)
    for tag, low, high, first, last in matcher.get_opcodes():
        if tag == "equal":
            became[low:high] = side[first:last]
        else:
            _pair(base, range(low, high), side[first:last], became, inserted)
    return Edits(became, inserted)


def _pair(
    base: Sequence[Unit],
    places: range,
    units: Sequence[Unit],
    became: list[Unit | None],
    inserted: list[list[Unit]],
) -> None:
    """Tells rewordings from deletions and insertions inside a replaced run, keeping the order."""
    place = places.start
    for unit in units:
        near = range(place, min(places.stop, place + _PAIRING_LIMIT))
        match = next((index for index in near if _rewords(base[index], unit)), None)
        if match is None:
            inserted[place].append(unit)
        else:
            became[match] = unit
            place = match + 1


def _rewords(old: Unit, new: Unit) -> bool:
    return old.is_heading == new.is_heading and similarity(old.key, new.key) >= SIMILAR


def render_units(units: Sequence[Unit], ends_open: bool) -> str:
    """Returns the text of units; with `ends_open` it has no line end at its end."""
    text = "".join(unit.raw for unit in units)
    return text.removesuffix("\n") if ends_open else text
