"""Captures change SESSION-STATE.md and MEMORY.md: lines are added, struck, or refused as duplicates."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import InitVar, dataclass, field
from datetime import date, datetime
from typing import Final

from mnemoscope.domain.capture.captured_facts import CapturedFacts, Facts, SupersededLine
from mnemoscope.domain.capture.captured_line import memory_line, state_line
from mnemoscope.domain.capture.record import STATE_HEADER, twin_reason
from mnemoscope.domain.capture.rules import RuleSet
from mnemoscope.domain.capture.scan import Capture, Refusal
from mnemoscope.domain.memory.facts import heading_title

MEMORY_HEADER: Final = "# MEMORY.md - Long-Term Memory"
SECTION: Final = "## Auto-captured"


@dataclass(frozen=True, slots=True)
class CaptureChange:
    """Describes one capture's effect on the files: the lines it was added as ("" for none), the line of the memory it
    replaced, `twin`, the line that said it already, and the line of the state it replaced."""

    capture: Capture
    state_line: str = ""
    memory_line: str = ""
    superseded: SupersededLine | None = None
    twin: str = ""
    replaced_state: str = ""


@dataclass(frozen=True, slots=True)
class CapturedFiles:
    """Holds SESSION-STATE.md and MEMORY.md after captures: `state` and `memory` are their new texts.

    `superseded` are the lines of the memory that were struck, and `restates` says whether lines of the state were;
    `refused` holds the captures that were there already, each with the line it duplicates.
    """

    state: str
    memory: str
    state_lines: tuple[str, ...] = ()
    memory_lines: tuple[str, ...] = ()
    superseded: tuple[SupersededLine, ...] = ()
    refused: tuple[Refusal, ...] = ()
    taken: tuple[CaptureChange, ...] = ()
    restates: bool = False


def with_captures(
    captures: Sequence[Capture],
    state: str,
    memory: str,
    when: datetime,
    rules: RuleSet,
    *,
    user: str = "",
    known: Collection[str] = (),
    facts: dict[str, Facts] | None = None,
) -> CapturedFiles:
    """Returns both files with these captures added. `when` has a time zone; nothing that was in either text is lost.

    `user` is whose words they are: only lines of the same user are struck or found to say it already. `known` are keys
    to mask; `facts` is what these rules found in the lines before, as CapturedFacts keeps it.
    """
    found = {} if facts is None else facts
    writer = _Writer(_Lines(state, rules, found, user), _Lines(memory, rules, found, user), when, user, known)
    taken = tuple(writer.take(capture) for capture in captures)
    return CapturedFiles(
        state=with_state_lines(writer.state.before, writer.state.added),
        memory=with_memory_lines(writer.memory.before, writer.memory.added),
        state_lines=tuple(writer.state.added),
        memory_lines=tuple(writer.memory.added),
        superseded=tuple(writer.memory.struck),
        refused=tuple(_duplicate(each.capture, each.twin) for each in taken if each.twin),
        taken=taken,
        restates=bool(writer.state.struck),
    )


@dataclass(slots=True)
class _Lines:
    """Holds the lines of a file that stood there, and those that come."""

    text: InitVar[str]
    rules: InitVar[RuleSet]
    found: InitVar[dict[str, Facts]]
    user: InitVar[str]
    facts: CapturedFacts = field(init=False)
    struck: list[SupersededLine] = field(default_factory=list)
    _length: int = field(init=False)

    def __post_init__(self, text: str, rules: RuleSet, found: dict[str, Facts], user: str) -> None:
        self.facts = CapturedFacts(text.split("\n"), rules, found, user)
        self._length = len(self.facts.lines)

    @property
    def before(self) -> str:
        """Returns the text that stood there, with the lines that were struck since."""
        return "\n".join(self.facts.lines[: self._length])

    @property
    def added(self) -> list[str]:
        return self.facts.lines[self._length :]

    def supersede(self, capture: Capture, until: date) -> SupersededLine | None:
        old = self.facts.superseded_by(capture, until)
        if old is not None:
            self.facts.strike(old)
            self.struck.append(old)
        return old


class _Writer:
    def __init__(self, state: _Lines, memory: _Lines, when: datetime, user: str, known: Collection[str]) -> None:
        self.state, self.memory = state, memory
        self._when = when
        self._user = user
        self._known = known

    def take(self, capture: Capture) -> CaptureChange:
        in_state, in_memory = self.state.facts.duplicate_of(capture), self.memory.facts.duplicate_of(capture)
        added_state = added_memory = ""
        restated = self.state.supersede(capture, self._when.date())
        old = self.memory.supersede(capture, self._when.date())
        if in_state is None:
            added_state = state_line(capture, self._when, self._user, self._known)
            self.state.facts.add(added_state)
        if in_memory is None and (capture.durable or old is not None):
            added_memory = memory_line(capture, self._user, self._known)
            self.memory.facts.add(added_memory)
        replaced_state = restated.line if restated else ""
        return CaptureChange(capture, added_state, added_memory, old, in_memory or in_state or "", replaced_state)


def _duplicate(capture: Capture, line: str) -> Refusal:
    return Refusal(capture.category, capture.text, capture.span, capture.rule, capture.language, twin_reason(line))


def with_state_lines(text: str, lines: Sequence[str]) -> str:
    """Returns SESSION-STATE.md with these lines at its end."""
    if not lines:
        return text
    head = text if text.strip() else f"{STATE_HEADER}\n\n"
    return head + ("" if head.endswith("\n") else "\n") + "".join(f"{line}\n" for line in lines)


def with_memory_lines(text: str, lines: Sequence[str]) -> str:
    """Returns MEMORY.md with these lines at the end of its section for captures, which is made if it is missing."""
    if not lines:
        return text
    if not text.strip():
        text = f"{MEMORY_HEADER}\n\n"
    rows = text.split("\n")
    if SECTION not in rows:
        gap = "" if text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        return f"{text}{gap}{SECTION}\n\n" + "".join(f"{line}\n" for line in lines)
    start = rows.index(SECTION) + 1
    stop = next((place for place in range(start, len(rows)) if heading_title(rows[place]) is not None), len(rows))
    while stop > start and not rows[stop - 1].strip():
        stop -= 1
    lead = [""] if stop == start else []
    tail = rows[stop:] or [""]
    return "\n".join([*rows[:stop], *lead, *lines, *tail])


def without_memory_line(text: str, line: str) -> str:
    """Returns MEMORY.md without a captured line; its section goes with the last one. Where the same words stand
    outside of the section too, that line is somebody else's and stays."""
    rows = text.split("\n")
    if line not in rows:
        return text
    start, stop = _section_of(rows)
    places = [at for at, row in enumerate(rows) if row == line]
    del rows[next((at for at in reversed(places) if start < at < stop), places[-1])]
    if SECTION not in rows:
        return "\n".join(rows)
    start, stop = _section_of(rows)
    if any(row.strip() for row in rows[start + 1 : stop]):
        return "\n".join(rows)
    head, tail = "\n".join(rows[:start]).rstrip("\n"), "\n".join(rows[stop:])
    return "\n\n".join(part for part in (head, tail) if part) + ("" if tail else "\n")


def _section_of(rows: Sequence[str]) -> tuple[int, int]:
    """Returns the row of the heading of the section for captures and the row after its last; (-1, -1) without one."""
    if SECTION not in rows:
        return -1, -1
    start = rows.index(SECTION)
    return start, next((at for at in range(start + 1, len(rows)) if heading_title(rows[at]) is not None), len(rows))
