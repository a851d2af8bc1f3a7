"""Finds the lines of a memory that cannot both be true, whichever of its files they stand in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.capture.captured_line import is_struck, struck_line
from mnemoscope.domain.disagreement.memory_check import disagreeing_places, may_disagree
from mnemoscope.domain.health.report import FindingKind, HealthFinding
from mnemoscope.domain.memory.facts import fact_text, numbered_fact_lines


def disagreeing_lines(texts: Mapping[str, str], today: date, goes_on: GoesOn = to_the_end) -> list[HealthFinding]:
    """Returns the lines of memory texts, by path, that a line elsewhere in them disagrees with. The line further up
    counts as the older one, unless only the other order disagrees; it would be struck, as held until `today`.
    `goes_on` is as in `disagreeing_places`."""
    lines = [
        (path, number, row)
        for path, text in texts.items()
        for number, row in numbered_fact_lines(text.split("\n"))
        if not is_struck(row)
    ]
    found: dict[tuple[str, int], HealthFinding] = {}
    for old, new in disagreeing_places([row for _, _, row in lines], goes_on):
        path, number, row = lines[old]
        if not may_disagree(path, row, lines[new][0], lines[new][2]):
            continue
        row, words = row.rstrip("\r"), fact_text(lines[new][2])
        instead = struck_line(row, today)
        finding = HealthFinding(FindingKind.DISAGREEMENT, path, number, row, words, instead, lines[new][0])
        found.setdefault((path, number), finding)
    return list(found.values())
