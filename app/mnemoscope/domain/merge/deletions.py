"""Remembers what the person deleted from memory, and holds back a model's text that brings it back.

A deleted line is remembered by the hash of what it says (`facts.fact_key`), so that other punctuation, case or bullets
do not make it a new one, and nothing of its words is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Sequence
from dataclasses import dataclass

from mnemoscope.domain.memory.facts import dropped_facts, fact_key, fact_lines, fact_text
from mnemoscope.domain.merge.three_way import Conflict
from mnemoscope.domain.merge.units import Unit, edits_of, render_units, split_units

_SHOWN = 120


def fact_hash(key: str) -> str:
    """Returns the hash by which a deleted fact is remembered: 16 hexadecimal digits."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def fact_hashes(text: str) -> set[str]:
    """Returns the hashes of all facts of a text."""
    return {fact_hash(key) for line in fact_lines(text) if (key := fact_key(line))}


@dataclass(frozen=True, slots=True)
class HeldBack:
    """The `text` without what the person deleted; `conflicts` are the passages that were held back, one each."""

    text: str
    conflicts: tuple[Conflict, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """Returns one sentence for each passage held back."""
        return tuple(f"You deleted this: “{_short(conflict.theirs)}”." for conflict in self.conflicts)


def hold_back(current: str, wanted: str, deleted: Container[str]) -> HeldBack:
    """Returns `wanted` without the facts that the person `deleted` (hashes) and `current` does not have.

    A passage of `current` that would become a deleted one stays. If that would leave out a fact of `current`, nothing
    of `wanted` is taken.
    """
    known = fact_hashes(current)
    back = {mark for mark in fact_hashes(wanted) if mark in deleted and mark not in known}
    if not back:
        return HeldBack(wanted)
    held = _walk(split_units(current), split_units(wanted), back, wanted)
    if len(dropped_facts(current, held.text)) > len(dropped_facts(current, wanted)):
        return HeldBack(current, held.conflicts)
    return held


def _walk(old: Sequence[Unit], new: Sequence[Unit], back: set[str], wanted: str) -> HeldBack:
    edits = edits_of(old, new)
    kept: list[Unit] = []
    conflicts: list[Conflict] = []
    for place in range(len(old) + 1):
        fresh = edits.inserted[place]
        conflicts += [Conflict("", "", unit.raw.strip()) for unit in fresh if _returns(unit, back)]
        closes = place == len(old) or old[place].is_heading
        kept += _without_empty_sections([(unit, _returns(unit, back)) for unit in fresh], closes)
        if place == len(old):
            break
        became = edits.became[place]
        if became is not None and became.key != old[place].key and _returns(became, back):
            conflicts.append(Conflict(old[place].raw.strip(), old[place].raw.strip(), became.raw.strip()))
            kept.append(old[place])
        elif became is not None:
            kept.append(became)
    return HeldBack(render_units(kept, not wanted.endswith("\n")), tuple(conflicts))


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


def _returns(unit: Unit, back: set[str]) -> bool:
    return any(fact_hash(key) in back for key in unit.says)


def _short(text: str) -> str:
    words = " ".join(fact_text(text.partition("\n")[0]).split())
    return words if len(words) <= _SHOWN else words[: _SHOWN - 1] + "…"
