"""Merging MEMORY.md three ways, with each heading, bullet, paragraph line and code block a unit.

Automatic: identical changes, changes to different units, insertions at the same place (the person's first). Where both
sides changed the same unit the person's stays in the text and the other side is offered; conflict markers are never
written. What the person deleted stays deleted, also where the other side moved it. The usual line-based diff3 calls
changes to neighbouring bullets a conflict and knows nothing of sections, hence a merge of our own over difflib.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Final

from mnemoscope.domain.facts import SIMILAR, heading_title, similarity

REWRITE_SHARE: Final = 0.5
_REWRITE_UNITS: Final = 4
_PAIRING_LIMIT: Final = 40
_REPEATED: Final = 1_000
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,9}[.)])\s")


@dataclass(frozen=True, slots=True)
class Conflict:
    """A passage both sides changed: as it was, as the person has it, as the other side wants it. "" means absent."""

    base: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Merge:
    """`text` keeps the person's side of every conflict, `proposed` the other side's; equal without conflicts."""

    text: str
    proposed: str
    conflicts: tuple[Conflict, ...] = ()


@dataclass(frozen=True, slots=True)
class _Unit:
    """A heading with the blank lines before it; a bullet, line or code block with those after it.

    Compared by `key`, written as `raw`.
    """

    raw: str
    key: str

    @property
    def is_heading(self) -> bool:
        return heading_title(self.key) is not None


@dataclass(slots=True)
class _Edits:
    """One side against the base: what each base unit became (None: deleted), and what was inserted before each."""

    became: list[_Unit | None]
    inserted: list[list[_Unit]]

    def touched(self, base: Sequence[_Unit]) -> int:
        return sum(now is None or now.key != was.key for now, was in zip(self.became, base, strict=True))


@dataclass(slots=True)
class _Draft:
    text: list[_Unit] = field(default_factory=list)
    proposed: list[_Unit] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)

    def both(self, units: Iterable[_Unit]) -> None:
        for unit in units:
            self.text.append(unit)
            self.proposed.append(unit)


def merge_memory(base: str | None, ours: str, theirs: str) -> Merge:
    """Merge `ours` (the person's) and `theirs`, both made from `base`; None where the base is not known any more."""
    if base in (ours, theirs) or ours == theirs:
        text = theirs if base == ours else ours
        return Merge(text, text)
    mine, other, old = _units(ours), _units(theirs), _units(base or "")
    if not _comparable(mine, other, old):
        return Merge(ours, theirs, (Conflict(base or "", ours, theirs),))
    common = old if base is not None else _shared(mine, other)
    their_edits = _edits(common, other)
    if len(common) >= _REWRITE_UNITS and their_edits.touched(common) > len(common) * REWRITE_SHARE:
        return Merge(ours, theirs, (Conflict(base or "", ours, theirs),))
    draft = _walk(common, _edits(common, mine), their_edits, {unit.key for unit in mine})
    ends_open = not ours.endswith("\n") and not theirs.endswith("\n")
    return Merge(_render(draft.text, ends_open), _render(draft.proposed, ends_open), tuple(draft.conflicts))


def _comparable(*sides: Sequence[_Unit]) -> bool:
    """Whether comparing is quick: difflib takes quadratic time over thousands of equal lines."""
    return all(max(Counter(unit.key for unit in side).values(), default=0) <= _REPEATED for side in sides)


def _walk(base: Sequence[_Unit], ours: _Edits, theirs: _Edits, present: set[str]) -> _Draft:
    deleted = {unit.key for unit, now in zip(base, ours.became, strict=True) if now is None}
    draft = _Draft()
    for place in range(len(base) + 1):
        fresh = _fresh(theirs.inserted[place], present | deleted)
        draft.both(_insertions(ours.inserted[place], fresh))
        if place < len(base):
            _settle(base[place], ours.became[place], theirs.became[place], draft)
    return draft


def _fresh(inserted: Sequence[_Unit], known: set[str]) -> list[_Unit]:
    """What the other side inserts and the person neither has nor deleted; known headings only above something fresh."""
    found: list[_Unit] = []
    for unit in inserted:
        if unit.is_heading or unit.key not in known:
            if unit.is_heading and found and found[-1].is_heading and found[-1].key in known:
                found.pop()
            found.append(unit)
    if found and found[-1].is_heading and found[-1].key in known:
        found.pop()
    return found


def _settle(base: _Unit, ours: _Unit | None, theirs: _Unit | None, draft: _Draft) -> None:
    ours_key, theirs_key = ours and ours.key, theirs and theirs.key
    if ours_key == theirs_key or theirs_key == base.key:
        kept = theirs if ours is not None and ours.raw == base.raw and ours_key == theirs_key else ours
        draft.both([kept] if kept else [])
    elif ours_key == base.key:
        draft.both([theirs] if theirs else [])
    else:
        draft.text.extend([ours] if ours else [])
        draft.proposed.extend([theirs] if theirs else [])
        sides = (base.raw.rstrip(), ours.raw.rstrip() if ours else "", theirs.raw.rstrip() if theirs else "")
        draft.conflicts.append(Conflict(*sides))


def _insertions(ours: Sequence[_Unit], theirs: Sequence[_Unit]) -> list[_Unit]:
    """Both sides' insertions at one place, ours first, each bullet under the heading it was put under."""
    sections = _sections(ours)
    for title, units in _sections(theirs).items():
        present = sections.setdefault(title, [])
        head = units[:1] if title and not present else []
        body = units[1:] if title else units
        sections[title] = _joined(present, [*head, *body])
    return [unit for units in sections.values() for unit in units]


def _sections(units: Sequence[_Unit]) -> dict[str, list[_Unit]]:
    """Units by the heading they stand under; "" for those before the first heading."""
    found: dict[str, list[_Unit]] = {"": []}
    title = ""
    for unit in units:
        if unit.is_heading:
            title = unit.key
        found.setdefault(title, []).append(unit)
    return found


def _joined(first: list[_Unit], second: list[_Unit]) -> list[_Unit]:
    if first and second and _BULLET.match(first[-1].key) and _BULLET.match(second[0].key):
        last = first[-1]
        return [*first[:-1], _Unit(last.raw.rstrip("\r\n") + "\n", last.key), *second]
    return [*first, *second]


def _edits(base: Sequence[_Unit], side: Sequence[_Unit]) -> _Edits:
    became: list[_Unit | None] = [None] * len(base)
    inserted: list[list[_Unit]] = [[] for _ in range(len(base) + 1)]
    matcher = SequenceMatcher(None, [unit.key for unit in base], [unit.key for unit in side], autojunk=False)
    for tag, low, high, first, last in matcher.get_opcodes():
        if tag == "equal":
            became[low:high] = side[first:last]
        else:
            _pair(base, range(low, high), side[first:last], became, inserted)
    return _Edits(became, inserted)


def _pair(
    base: Sequence[_Unit],
    places: range,
    units: Sequence[_Unit],
    became: list[_Unit | None],
    inserted: list[list[_Unit]],
) -> None:
    """Tell rewordings from deletions and insertions inside a replaced run, keeping the order."""
    place = places.start
    for unit in units:
        near = range(place, min(places.stop, place + _PAIRING_LIMIT))
        match = next((index for index in near if _rewords(base[index], unit)), None)
        if match is None:
            inserted[place].append(unit)
        else:
            became[match] = unit
            place = match + 1


def _rewords(old: _Unit, new: _Unit) -> bool:
    return old.is_heading == new.is_heading and similarity(old.key, new.key) >= SIMILAR


def _shared(ours: Sequence[_Unit], theirs: Sequence[_Unit]) -> list[_Unit]:
    """What both hold in the same order: the best guess at a base that is lost. Nothing then counts as deleted."""
    matcher = SequenceMatcher(None, [unit.key for unit in ours], [unit.key for unit in theirs], autojunk=False)
    return [unit for block in matcher.get_matching_blocks() for unit in ours[block.a : block.a + block.size]]


def _units(text: str) -> list[_Unit]:
    found: list[list[str]] = []
    fence = ""
    for line in _lines(text):
        if fence or (found and (not line.strip() or _continues(line, found[-1]))):
            found[-1].append(line)
        else:
            found.append([*_blanks_before(line, found), line])
        fence = _fence_after(_FENCE.match(line), fence, line)
    return [_unit("".join(lines)) for lines in found if lines]


def _blanks_before(line: str, found: list[list[str]]) -> list[str]:
    """Blank lines before a heading move with the heading: a bullet added to the section above goes before them."""
    blanks: list[str] = []
    if heading_title(line.rstrip("\r\n")) is not None and found:
        while found[-1] and not found[-1][-1].strip():
            blanks.insert(0, found[-1].pop())
    return blanks


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _fence_after(mark: re.Match[str] | None, fence: str, line: str) -> str:
    if mark is None:
        return fence
    if not fence:
        return mark[1]
    return "" if mark[1].startswith(fence) and line.strip() == mark[1] else fence


def _continues(line: str, unit: Sequence[str]) -> bool:
    """An indented line goes on with the bullet above it, unless it is a bullet itself."""
    return line[:1] in " \t" and bool(_BULLET.match(unit[0])) and not _BULLET.match(line)


def _unit(raw: str) -> _Unit:
    raw = raw if raw.endswith("\n") else raw + "\n"
    return _Unit(raw, "\n".join(line.rstrip() for line in raw.strip("\r\n").rstrip().split("\n")))


def _render(units: Sequence[_Unit], ends_open: bool) -> str:
    text = "".join(unit.raw for unit in units)
    return text.removesuffix("\n") if ends_open else text
