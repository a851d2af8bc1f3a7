"""MEMORY.md is merged three ways, with each heading, bullet, paragraph line and code block a unit.

Identical changes, changes to different units and insertions at the same place (the person's first) are merged
automatically. If both sides changed the same unit, the person's stays in the text and the other side is offered;
conflict markers are never written. What the person deleted stays deleted, also if the other side moved it. The usual
line-based diff3 calls changes to neighbouring bullets a conflict and knows nothing of sections, hence a merge of our
own over difflib.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Final

from mnemoscope.domain.commits import FileChange
from mnemoscope.domain.memory.facts import fact_key
from mnemoscope.domain.merge.units import Edits, Unit, is_bullet, render_units, split_units, unit_edits
from mnemoscope.domain.text.characters import with_plain_line_ends

_REWRITE_SHARE: Final = 0.5
_REWRITE_UNITS: Final = 4
_REPEATED: Final = 1_000


@dataclass(frozen=True, slots=True)
class Conflict:
    """Describes a passage that both sides changed: as it was, as the person has it, as the other side wants it. ""
    means absent."""

    base: str
    mine: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Merge:
    """Tells the result of a merge: `text` keeps the person's side of every conflict, `proposed` the other side's; they
    are equal without conflicts."""

    text: str
    proposed: str
    conflicts: tuple[Conflict, ...] = ()


@dataclass(slots=True)
class _Draft:
    text: list[Unit] = field(default_factory=list)
    proposed: list[Unit] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)

    def both(self, units: Iterable[Unit]) -> None:
        for unit in units:
            self.text.append(unit)
            self.proposed.append(unit)


def merge_memory(base: str | None, mine: str, theirs: str, *, rewrites: bool = False) -> Merge:
    """Merges `mine` (the person's) and `theirs`, both made from `base`, which is None if it is not known any more.

    `rewrites` says that `theirs` may change more than half of the base, as when the person asked for just that.
    """
    if base in (mine, theirs) or mine == theirs:
        text = theirs if base == mine else mine
        return Merge(text, text)
    my_units, their_units, base_units = split_units(mine), split_units(theirs), split_units(base or "")
    if not _comparable(my_units, their_units, base_units):
        return Merge(mine, theirs, (Conflict(base or "", mine, theirs),))
    common = base_units if base is not None else _shared(my_units, their_units)
    their_edits = unit_edits(common, their_units)
    if not rewrites and _rewrites(common, their_edits):
        return Merge(mine, theirs, (Conflict(base or "", mine, theirs),))
    draft = _walk(common, unit_edits(common, my_units), their_edits, my_units)
    if not _is_sound(draft.text, common, my_units, their_units):
        return Merge(mine, theirs, (Conflict(base or "", mine, theirs),))
    ends_open = not mine.endswith("\n") and not theirs.endswith("\n")
    return Merge(render_units(draft.text, ends_open), render_units(draft.proposed, ends_open), tuple(draft.conflicts))


def is_rewrite(before: str, after: str) -> bool:
    """Returns whether more than half of a text is reworded or gone; a text of a line or two is never said to be
    rewritten."""
    old, new = split_units(before), split_units(after)
    return _comparable(old, new) and _rewrites(old, unit_edits(old, new))


def _rewrites(base: Sequence[Unit], theirs: Edits) -> bool:
    return len(base) >= _REWRITE_UNITS and theirs.touched(base) > len(base) * _REWRITE_SHARE


def _is_sound(merged: Sequence[Unit], base: Sequence[Unit], mine: Sequence[Unit], theirs: Sequence[Unit]) -> bool:
    """Returns whether everything of the person's that the other side has not taken out stands, and nothing they took
    out.

    Units that became others at both ends, such as a bullet that one side moved into a code block, can slip through.
    """
    merged_keys, base_keys, my_keys, their_keys = map(_fact_keys, (merged, base, mine, theirs))
    gone = {key for unit in base for key in unit.says} - my_keys
    is_kept = my_keys - (base_keys - their_keys) <= merged_keys
    return is_kept and not gone & {key for unit in merged for key in unit.says}


def _fact_keys(units: Iterable[Unit]) -> set[str]:
    """Returns the keys of what the lines of units say, headings too."""
    return {key for unit in units for key in (unit.says or {fact_key(unit.key)})}


def _comparable(*sides: Sequence[Unit]) -> bool:
    """Returns whether comparing is quick; difflib takes quadratic time over thousands of equal lines."""
    return all(max(Counter(unit.key for unit in side).values(), default=0) <= _REPEATED for side in sides)


def _walk(base: Sequence[Unit], mine: Edits, theirs: Edits, my_units: Sequence[Unit]) -> _Draft:
    again = {unit.sense for units in mine.inserted for unit in units}
    # Of two equal units each side may have taken out another one.
    sides = zip(base, mine.became, theirs.became, strict=True)
    again |= {unit.sense for unit, my_unit, their_unit in sides if their_unit and not my_unit}
    # What the person took out or worded otherwise, line by line.
    gone = {key for unit in base for key in unit.says} - _fact_keys(my_units)
    known, built_on = _standing(base, mine, theirs, again, gone), _built_on(base, mine)
    draft = _Draft()
    for place in range(len(base) + 1):
        fresh = _fresh(theirs.inserted[place], known, gone)
        kept = [unit for unit in fresh if not gone.intersection(unit.says)]
        draft.text += _insertions(mine.inserted[place], kept)
        draft.proposed += _insertions(mine.inserted[place], fresh)
        draft.conflicts += [Conflict("", "", unit.raw.rstrip()) for unit in fresh if gone.intersection(unit.says)]
        if place in built_on and theirs.became[place] is None:
            draft.both(filter(None, [mine.became[place]]))
        elif place < len(base):
            _settle(base[place], mine.became[place], theirs.became[place], draft, again, gone)
    return draft


def _built_on(base: Sequence[Unit], mine: Edits) -> set[int]:
    """Returns the places of headings under which the person put something; without them it would stand in another
    section."""
    found: set[int] = set()
    heading = -1
    for place in range(len(base) + 1):
        # What stands before a heading is the end of the section above it.
        first = next(iter(mine.inserted[place]), None)
        if heading >= 0 and first is not None and not first.is_heading:
            found.add(heading)
        if place < len(base) and base[place].is_heading:
            kept = mine.became[place]
            heading = place if kept is not None and kept.key == base[place].key else -1
    return found


def _standing(
    base: Sequence[Unit], mine: Edits, theirs: Edits, again: Container[str], gone: AbstractSet[str]
) -> set[str]:
    """Returns what the merged text says without their insertions. A line they moved is not among it: it comes with
    them.

    A bullet is said too by one with the same first line that goes on below it.
    """
    draft = _Draft()
    for units in mine.inserted:
        draft.both(units)
    for before, my_unit, their_unit in zip(base, mine.became, theirs.became, strict=True):
        _settle(before, my_unit, their_unit, draft, again, gone)
    bullets = {fact_key(unit.key.partition("\n")[0]) for unit in draft.text if is_bullet(unit)}
    return {unit.sense for unit in draft.text} | bullets


def _fresh(inserted: Sequence[Unit], known: Container[str], gone: AbstractSet[str]) -> list[Unit]:
    """Returns the units that the other side inserts and the person neither has nor deleted; known headings stay only
    above one of them."""
    found: list[Unit] = []
    for unit in inserted:
        if unit.is_heading or (unit.sense not in known and not (unit.says and unit.says <= gone)):
            if unit.is_heading and found and found[-1].is_heading and found[-1].sense in known:
                found.pop()
            found.append(unit)
    if found and found[-1].is_heading and found[-1].sense in known:
        found.pop()
    return found


def _settle(
    base: Unit, mine: Unit | None, theirs: Unit | None, draft: _Draft, again: Container[str], gone: AbstractSet[str]
) -> None:
    my_key, their_key = mine and mine.key, theirs and theirs.key
    if my_key == their_key or their_key == base.key:
        kept = theirs if mine is not None and mine.raw == base.raw and my_key == their_key else mine
        draft.both([kept] if kept else [])
    elif my_key == base.key and _may_become(base, theirs, again, gone):
        draft.both([theirs] if theirs else [])
    else:
        draft.text.extend([mine] if mine else [])
        draft.proposed.extend([theirs] if theirs else [])
        sides = (base.raw.rstrip(), mine.raw.rstrip() if mine else "", theirs.raw.rstrip() if theirs else "")
        draft.conflicts.append(Conflict(*sides))


def _may_become(base: Unit, theirs: Unit | None, again: Container[str], gone: AbstractSet[str]) -> bool:
    """Returns whether the other side may have its way with a unit the person left alone: it may not reword it into what
    they deleted (`gone`), nor delete what they wrote once more (`again`)."""
    return base.sense not in again if theirs is None else not gone & theirs.says


def _insertions(mine: Sequence[Unit], theirs: Sequence[Unit]) -> list[Unit]:
    """Returns both sides' insertions at one place, the person's first, each bullet under the heading it was put
    under."""
    sections = _sections(mine)
    for title, units in _sections(theirs).items():
        present = sections.setdefault(title, [])
        head = units[:1] if title and not present else []
        body = units[1:] if title else units
        sections[title] = _joined(present, [*head, *body])
    return [unit for units in sections.values() for unit in units]


def _sections(units: Sequence[Unit]) -> dict[str, list[Unit]]:
    """Returns units by the heading they stand under; "" for those before the first heading."""
    found: dict[str, list[Unit]] = {"": []}
    title = ""
    for unit in units:
        if unit.is_heading:
            title = unit.key
        found.setdefault(title, []).append(unit)
    return found


def _joined(first: list[Unit], second: list[Unit]) -> list[Unit]:
    if first and second and is_bullet(first[-1]) and is_bullet(second[0]):
        last = first[-1]
        return [*first[:-1], Unit(last.raw.rstrip("\r\n") + "\n", last.key), *second]
    return [*first, *second]


def _shared(mine: Sequence[Unit], theirs: Sequence[Unit]) -> list[Unit]:
    """Returns the units that both hold in the same order: the best guess at a base that is lost. Nothing then counts as
    deleted."""
    matcher = SequenceMatcher(None, [unit.key for unit in mine], [unit.key for unit in theirs], autojunk=False)
    return [unit for block in matcher.get_matching_blocks() for unit in mine[block.a : block.a + block.size]]


def without_change(change: FileChange, now: str) -> str:
    """Returns a memory text with one change taken back and all that came later kept; `now` with plain line ends.

    What was changed since in the same place stays.
    """
    before, after = (with_plain_line_ends(text or "") for text in (change.before, change.after))
    return merge_memory(after, now, before, rewrites=True).text


def with_what_came_since(name: str, before: bytes, after: bytes | None, now: bytes | None) -> bytes | None:
    """Returns what a file held `before` a change that left `after`, with what was added until `now`; None for contents:
    no file. Returns None where both cannot be had: something was changed otherwise meanwhile."""
    if now in (after, before):
        return before
    if after and now is not None and now.startswith(after) and after.endswith(b"\n"):
        return before + now[len(after) :]
    if after is None or now is None or not name.endswith(".md"):
        return None
    try:
        texts = [data.decode("utf-8") for data in (after, now, before)]
    except UnicodeDecodeError:
        return None
    merged = merge_memory(*texts)
    return None if merged.conflicts else merged.text.encode("utf-8")
