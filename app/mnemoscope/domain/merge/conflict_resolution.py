"""A conflict of a merge is settled in the text that kept the person's side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from mnemoscope.domain.merge.three_way import Conflict, Merge
from mnemoscope.domain.merge.units import Unit, split_units, unit_edits

Side = Literal["mine", "theirs", "both"]
SIDES: Final[Mapping[str, Side]] = {"mine": "mine", "theirs": "theirs", "both": "both"}
"""The sides by their names, for what may name another choice too."""


def changed_passages(before: str, proposed: str) -> tuple[Conflict, ...]:
    """Returns each passage in which `proposed` differs from `before`, in order; a new section is one passage."""
    old, new = split_units(before), split_units(proposed)
    edits = unit_edits(old, new)
    found: list[Conflict] = []
    for place in range(len(old) + 1):
        found += [Conflict("", "", _raw(units)) for units in _groups(edits.inserted[place])]
        if place < len(old) and ((became := edits.became[place]) is None or became.key != old[place].key):
            was = _raw([old[place]])
            found.append(Conflict(was, was, "" if became is None else _raw([became])))
    return tuple(found)


def whole_passages(merge: Merge) -> tuple[Conflict, ...]:
    """Returns the conflicts of a merge; of one that kept two whole texts apart, passage by passage."""
    if [each.mine for each in merge.conflicts] == [merge.text]:
        return changed_passages(merge.text, merge.proposed)
    return merge.conflicts


def _groups(units: Sequence[Unit]) -> list[list[Unit]]:
    """Returns new units one by one, but a heading with what stands under it."""
    found: list[list[Unit]] = []
    for unit in units:
        if found and found[-1][0].is_heading and not unit.is_heading:
            found[-1].append(unit)
        else:
            found.append([unit])
    return found


def _raw(units: Sequence[Unit]) -> str:
    return "".join(unit.raw for unit in units).strip("\r\n").rstrip()


def settle_conflict(text: str, conflict: Conflict, side: Side, theirs: str) -> str | None:
    """Returns `text` with the passage of this conflict as `side` wants it, or None if that passage is gone.

    `theirs` is the other side's whole text: if the person's passage is empty, it tells where the other's belongs.
    """
    if side == "mine":
        return text
    wanted = (
        conflict.theirs if side == "theirs" else "\n".join(part for part in (conflict.mine, conflict.theirs) if part)
    )
    return write_instead(text, conflict, wanted, theirs)


def write_instead(text: str, conflict: Conflict, wanted: str, theirs: str) -> str | None:
    """Returns `text` with the passage of this conflict as the person words it now, or None if that passage is gone."""
    if not conflict.mine and not wanted:
        return text
    if not conflict.mine:
        return _insert_after(text, _line_before(theirs, conflict.theirs, text), wanted)
    return _replace_lines(text, conflict.mine, wanted)


def _replace_lines(text: str, passage: str, wanted: str) -> str | None:
    """Replaces the first place where `passage` stands as whole lines."""
    start = text.find(passage)
    while start >= 0:
        stop = start + len(passage)
        rest_of_line = text[stop:].split("\n", 1)[0]
        if (start == 0 or text[start - 1] == "\n") and not rest_of_line.strip():
            stop += len(rest_of_line)
            if not wanted:
                stop += text[stop : stop + 1] == "\n"
            return text[:start] + wanted + text[stop:]
        start = text.find(passage, start + 1)
    return None


def _line_before(theirs: str, passage: str, text: str) -> str | None:
    """Returns the nearest line above the passage in their text that also stands in `text`."""
    present = set(text.split("\n"))
    above = theirs[: max(0, theirs.find(passage))].split("\n")[:-1]
    return next((line for line in reversed(above) if line.strip() and line in present), None)


def _insert_after(text: str, line: str | None, wanted: str) -> str:
    lines = text.split("\n")
    if line is None:
        gap = "" if not text or text.endswith("\n") else "\n"
        return f"{text}{gap}{wanted}\n"
    place = lines.index(line) + 1
    return "\n".join([*lines[:place], *wanted.split("\n"), *lines[place:]])
