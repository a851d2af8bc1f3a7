"""Examines the lines of a memory text one by one, by rules alone: no model is asked, and nothing is changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from mnemoscope.domain.health.near_duplicates import DuplicateIndex
from mnemoscope.domain.health.report import FindingKind
from mnemoscope.domain.health.rotting_dates import rotting_words
from mnemoscope.domain.health.task_residue import residue_words
from mnemoscope.domain.memory.facts import fact_lines, fact_text


@dataclass(frozen=True, slots=True)
class LineFault:
    """A fault of one line, counted from 1.

    `words` are those that gave it away; of a duplicate they are the earlier line, whose number is `of`, else 0.
    """

    line: int
    kind: FindingKind
    text: str
    words: str
    of: int = 0


def examined(lines: Sequence[str], today: date) -> list[LineFault]:
    """Returns the faults of a text on a day, in the order of its lines, at most one a line."""
    return [fault for fault in examination(lines, today) if fault is not None]


def examination(lines: Sequence[str], today: date) -> Iterator[LineFault | None]:
    """Yields the fault of each line that states something, None where it has none: a caller may pause in between."""
    index = DuplicateIndex()
    states = iter(fact_lines("\n".join(lines)))
    wanted = next(states, None)
    for number, line in enumerate(lines, 1):
        if line != wanted:
            continue
        wanted = next(states, None)
        text = fact_text(line)
        if words := residue_words(line):
            yield LineFault(number, FindingKind.TASK_RESIDUE, text, words)
        elif words := rotting_words(text, today):
            yield LineFault(number, FindingKind.ROTTING_DATE, text, words)
        elif (of := index.find_or_add(number, text)) is not None:
            yield LineFault(number, FindingKind.DUPLICATE, text, fact_text(lines[of - 1]), of)
        else:
            yield None
