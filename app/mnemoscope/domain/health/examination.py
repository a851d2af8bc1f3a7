"""Examines the lines of a memory text one by one, by rules, and by their meanings where these are known. Nothing is
changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.health.line_meanings import LineMeanings
from mnemoscope.domain.health.near_duplicates import DuplicateIndex
from mnemoscope.domain.health.relative_dates import outdated_words
from mnemoscope.domain.health.report import FindingKind, HealthFinding
from mnemoscope.domain.health.task_residue import residue_words
from mnemoscope.domain.memory.facts import fact_text, numbered_fact_lines


@dataclass(frozen=True, slots=True)
class LineFault:
    """Describes a fault of one line, counted from 1.

    `words` are those that gave it away; of a duplicate they are the earlier line, whose number is `of`, else 0.
    """

    line: int
    kind: FindingKind
    text: str
    words: str
    of: int = 0


def examined(
    lines: Sequence[str], today: date, meanings: LineMeanings | None = None, goes_on: GoesOn = to_the_end
) -> list[LineFault]:
    """Returns the faults of a text on a day, in the order of its lines, at most one a line. `meanings`: of what the
    lines say, without their marks. `goes_on` is asked before each line, as a long memory of lines that are all alike
    takes minutes: once it says no, what was found so far is returned."""
    index, found = DuplicateIndex(meanings), list[LineFault]()
    for number, line in numbered_fact_lines(lines):
        if not goes_on():
            break
        text = fact_text(line)
        if words := residue_words(line):
            found.append(LineFault(number, FindingKind.TASK_RESIDUE, text, words))
        elif words := outdated_words(text, today):
            found.append(LineFault(number, FindingKind.ROTTING_DATE, text, words))
        elif (of := index.find_or_add(number, text)) is not None:
            found.append(LineFault(number, FindingKind.DUPLICATE, text, fact_text(lines[of - 1]), of))
    return found


def lines_of_two_files(
    texts: Mapping[str, Sequence[str]], meanings: LineMeanings | None = None, goes_on: GoesOn = to_the_end
) -> list[HealthFinding]:
    """Returns the lines of memory files, by path, that say what a line of a file before theirs says. `goes_on` is as
    in `examined`."""
    index, found, places = DuplicateIndex(meanings), list[HealthFinding](), list[tuple[str, str]]()
    for path, lines in texts.items():
        for number, line in numbered_fact_lines(lines):
            if not goes_on():
                return found
            text = fact_text(line)
            place = index.find_or_add(len(places), text)
            places.append((path, text))
            if place is not None and places[place][0] != path:
                other, said = places[place]
                found.append(HealthFinding(FindingKind.DUPLICATE, path, number, line, said, other=other))
    return found
