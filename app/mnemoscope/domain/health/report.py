"""A report on the health of a memory: its faults, what it costs, and how it grew."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

_DIVIDER: Final = "§"
"""A line that divides two entries in the memory of Hermes."""


class FindingKind(StrEnum):
    """Names what a finding is about: a fault of the words of a line, or of its place, use and origin."""

    DISAGREEMENT = "disagreement"
    DUPLICATE = "duplicate"
    ROTTING_DATE = "rotting_date"
    TASK_RESIDUE = "task_residue"
    NOT_SENT = "not_sent"
    UNUSED = "unused"
    NO_SOURCE = "no_source"


@dataclass(frozen=True, slots=True)
class HealthFinding:
    """Describes one line of a memory file with a fault. `line` counts from 1, `row` is the line to the letter.

    `words` say what gave it away; of a duplicate they are the earlier line, of a disagreement the line that says
    otherwise. That line stands in the file at `other`; a duplicate of a line in the same file has "" there. `instead`
    is the line as it would be proposed, "" where it would be taken out.
    """

    kind: FindingKind
    path: str
    line: int
    row: str
    words: str = ""
    instead: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class MemoryCost:
    """Counts the estimated tokens of memory in the prompts of the last days.

    `unused` are those of lines that no answer of these days likely rests on.
    """

    days: int
    prompts: int = 0
    tokens: int = 0
    unused: int = 0

    @property
    def a_day(self) -> int:
        """Returns the tokens of a day, on the average of all days."""
        return round(self.tokens / self.days)


@dataclass(frozen=True, slots=True)
class LineUse:
    """Counts what one line of a memory file cost in the prompts of the last days: `tokens` in all `prompts` that held
    it, the newest of them sent on the day `last`. `used` is how many answers likely rest on it.
    """

    path: str
    line: int
    row: str
    tokens: int
    prompts: int
    last: date
    used: int = 0

    @property
    def finding(self) -> HealthFinding:
        """Returns what would be proposed for a line that no answer likely rests on."""
        return HealthFinding(FindingKind.UNUSED, self.path, self.line, self.row)


@dataclass(frozen=True, slots=True)
class SentFile:
    """Says how many tokens of a memory file another agent sends with each prompt that the file belongs to."""

    path: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Growth:
    """Sizes in tokens by day, oldest first: of the file at `path`; "" for what of memory stood in a prompt, "*" for
    all files that have no curve of their own."""

    path: str
    sizes: tuple[tuple[date, int], ...]


@dataclass(frozen=True, slots=True)
class HealthReport:
    """Reports one reading of memory. `tokens` is the size of all its files now, `growth` their sizes over the last
    year.

    `cost` is None where nothing is known of prompts, as of another agent, of which `sent` lists what it sends each
    time. `lines` are those that prompts held and that stand in memory still: first those never used, by their cost.
    """

    tokens: int
    findings: tuple[HealthFinding, ...] = ()
    growth: tuple[Growth, ...] = ()
    cost: MemoryCost | None = None
    lines: tuple[LineUse, ...] = ()
    sent: tuple[SentFile, ...] = ()
    sent_cost: MemoryCost | None = None
    """An estimate for another agent: its requests of the last days, each with what it sends today; None where it sends
    nothing by itself, or keeps no times."""


def without_entry(text: str, finding: HealthFinding) -> str | None:
    """Returns the text of another agent's memory file as a finding would have it, also where lines of `§` divide its
    entries; None where the line does not stand in it any more."""
    left = without_line(text, finding)
    if left is None or finding.instead or _DIVIDER not in text.split("\n"):
        return left
    rows: list[str] = []
    for row in left.split("\n"):
        if row == _DIVIDER and (not any(map(str.strip, rows)) or rows[-1] == _DIVIDER):
            continue
        rows.append(row)
    while rows and rows[-1].strip() in ("", _DIVIDER):
        rows.pop()
    return "\n".join(rows) + "\n" * left.endswith("\n")


def without_line(text: str, finding: HealthFinding) -> str | None:
    """Returns a memory text as a finding would have it; None where the line does not stand in it any more."""
    rows = text.split("\n")
    places = [place for place, row in enumerate(rows) if row.rstrip("\r") == finding.row]
    if not places:
        return None
    place = min(places, key=lambda each: abs(each + 1 - finding.line))
    rows[place : place + 1] = [finding.instead] if finding.instead else []
    return "\n".join(rows)
