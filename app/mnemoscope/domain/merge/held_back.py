"""Remembers what the person deleted from memory, and holds back a text that brings it back, or what they had forgotten.

A deleted line is remembered by the hash of what it says (`facts.fact_key`), so that other punctuation, case or bullets
do not make it a new one, and nothing of its words is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

from mnemoscope.domain.memory.facts import dropped_facts, fact_key, fact_lines, fact_text
from mnemoscope.domain.merge.three_way import Conflict
from mnemoscope.domain.merge.units import Unit, render_units, split_units, unit_edits
from mnemoscope.domain.text.excerpt import shortened

_SHOWN = 120
_DELETED = "You deleted this"
Objection = Callable[[str], str]
"""Returns why a line may not come back, as the beginning of a sentence, "" where it may."""


def fact_hash(key: str) -> str:
    """Returns the hash by which a deleted fact is remembered: 16 hexadecimal digits."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def fact_hashes(text: str) -> set[str]:
    """Returns the hashes of all facts of a text."""
    return {fact_hash(key) for line in fact_lines(text) if (key := fact_key(line))}


@dataclass(frozen=True, slots=True)
class HeldBack:
    """Holds the `text` without what the person deleted; `conflicts` are the passages that were held back, one each."""

    text: str
    conflicts: tuple[Conflict, ...] = ()
    objections: tuple[str, ...] = ()
    """The reason why each passage was held back, as the beginning of a sentence, in the order of `conflicts`."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """Returns one sentence for each passage held back."""
        found = zip(self.objections, self.conflicts, strict=True)
        return tuple(f"{why}: “{_short(conflict.theirs)}”." for why, conflict in found)


def hold_back(current: str, wanted: str, deleted: Container[str], objection: Objection = lambda _: "") -> HeldBack:
    """Returns `wanted` without the facts that the person `deleted` (hashes), or to which there is an `objection`, and
    that `current` does not have.

    A passage of `current` that would become such a one stays. If that would leave out a fact of `current`, nothing of
    `wanted` is taken.
    """
    known = {fact_key(line) for line in current.split("\n")}
    fresh = {line: key for line in wanted.split("\n") if (key := fact_key(line)) and key not in known}
    gone = {key: _DELETED for line, key in fresh.items() if fact_hash(key) in deleted}
    back = gone | {key: why for line, key in fresh.items() if key not in gone and (why := objection(line))}
    if not back:
        return HeldBack(wanted)
    held = _walk(split_units(current), split_units(wanted), back, wanted)
    if len(dropped_facts(current, held.text)) > len(dropped_facts(current, wanted)):
        return HeldBack(current, held.conflicts, held.objections)
    return held


def _walk(old: Sequence[Unit], new: Sequence[Unit], back: Mapping[str, str], wanted: str) -> HeldBack:
    edits = unit_edits(old, new)
    kept: list[Unit] = []
    conflicts: list[Conflict] = []
    why: list[str] = []
    for place in range(len(old) + 1):
        fresh = edits.inserted[place]
        conflicts += [Conflict("", "", unit.raw.strip()) for unit in fresh if _objection(unit, back)]
        why += filter(None, (_objection(unit, back) for unit in fresh))
        closes = place == len(old) or old[place].is_heading
        kept += _without_empty_sections([(unit, _objection(unit, back) != "") for unit in fresh], closes)
        if place == len(old):
            break
        became = edits.became[place]
        if became is not None and became.key != old[place].key and (words := _objection(became, back)):
            why.append(words)
            conflicts.append(Conflict(old[place].raw.strip(), old[place].raw.strip(), became.raw.strip()))
            kept.append(old[place])
        elif became is not None:
            kept.append(became)
    return HeldBack(render_units(kept, not wanted.endswith("\n")), tuple(conflicts), tuple(why))


def _without_empty_sections(fresh: Sequence[tuple[Unit, bool]], closes: bool) -> list[Unit]:
    """Returns a run of new units without those that are held and without new headings that have only such ones under
    them."""
    kept: list[Unit] = []
    emptied = False
    for unit, is_held in fresh:
        if is_held:
            emptied = emptied or bool(kept and kept[-1].is_heading)
            continue
        if emptied and unit.is_heading:
            kept.pop()
        emptied = False
        kept.append(unit)
    if emptied and closes:
        kept.pop()
    return kept


def _objection(unit: Unit, back: Mapping[str, str]) -> str:
    return next((back[key] for key in (unit.says or {fact_key(unit.key)}) if key in back), "")


def _short(text: str) -> str:
    return shortened(" ".join(fact_text(text.partition("\n")[0]).split()), _SHOWN)
