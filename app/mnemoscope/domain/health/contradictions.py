"""Finds the lines of a memory that cannot both be true.

Rules for two facts take more for a disagreement the more pairs they are asked about, so they are asked only about lines
that speak of one thing and differ in little.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from mnemoscope.domain.capture.lines import is_struck, struck_line
from mnemoscope.domain.contradiction.disagreement import disagree
from mnemoscope.domain.health.near_duplicates import alike_but_for_little
from mnemoscope.domain.health.report import FindingKind, HealthFinding
from mnemoscope.domain.memory.facts import fact_key, fact_lines, fact_text


def contradictions(texts: Mapping[str, str], today: date) -> list[HealthFinding]:
    """Returns the lines of memory texts, by path, that a line elsewhere in them disagrees with. The line further up
    counts as the older one, unless only the other order disagrees; it would be struck, as held until `today`."""
    lines = [
        (path, number, row)
        for path, text in texts.items()
        for number, row in stating_lines(text.split("\n"))
        if not is_struck(row)
    ]
    found: dict[tuple[str, int], HealthFinding] = {}
    for first, second in alike_but_for_little([fact_text(row) for _, _, row in lines]):
        for old, new in ((lines[first], lines[second]), (lines[second], lines[first])):
            path, number, row = old
            if fact_key(row) != fact_key(new[2]) and disagree(row, new[2]):
                struck = struck_line(row.rstrip("\r"), today)
                words = fact_text(new[2])
                found.setdefault(
                    (path, number),
                    HealthFinding(FindingKind.CONTRADICTION, path, number, row.rstrip("\r"), words, struck),
                )
                break
    return list(found.values())


def stating_lines(rows: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yields the lines that state something, each with its number from 1."""
    states = iter(fact_lines("\n".join(rows)))
    wanted = next(states, None)
    for number, row in enumerate(rows, 1):
        if row == wanted:
            yield number, row
            wanted = next(states, None)
