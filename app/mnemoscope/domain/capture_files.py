"""What captures do to SESSION-STATE.md and MEMORY.md: which lines are added, which struck, which refused."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

from mnemoscope.domain.capture import Capture, Refusal
from mnemoscope.domain.capture_lines import memory_line, state_line
from mnemoscope.domain.capture_rules import RuleSet
from mnemoscope.domain.facts import heading_title
from mnemoscope.domain.frozen import frozen
from mnemoscope.domain.supersede import KeptFacts, Superseded

STATE_HEADER: Final = "# SESSION-STATE.md — Active Working Memory"
MEMORY_HEADER: Final = "# MEMORY.md - Long-Term Memory"
SECTION: Final = "## Auto-captured"


@frozen
class Written:
    """`state`, `memory`: the new texts of both files; `superseded`: lines of the memory that were struck; `refused`:
    what was there already, each with the line it is a duplicate of."""

    state: str
    memory: str
    state_lines: tuple[str, ...] = ()
    memory_lines: tuple[str, ...] = ()
    superseded: tuple[Superseded, ...] = ()
    refused: tuple[Refusal, ...] = ()


def written(
    captures: Sequence[Capture],
    state: str,
    memory: str,
    when: datetime,
    rules: RuleSet,
    *,
    user: str = "",
    known: Collection[str] = (),
) -> Written:
    """Both files after these captures. `when` has a time zone; nothing that was in either text is lost."""
    writer = _Writer(KeptFacts(state.split("\n"), rules), KeptFacts(memory.split("\n"), rules), when, user, known)
    length = len(writer.memory.lines)
    for capture in captures:
        writer.take(capture)
    return Written(
        with_state_lines(state, writer.state_lines),
        with_memory_lines("\n".join(writer.memory.lines[:length]), writer.memory_lines),
        tuple(writer.state_lines),
        tuple(writer.memory_lines),
        tuple(writer.superseded),
        tuple(writer.refused),
    )


class _Writer:
    def __init__(self, state: KeptFacts, memory: KeptFacts, when: datetime, user: str, known: Collection[str]) -> None:
        self.memory = memory
        self.state_lines: list[str] = []
        self.superseded: list[Superseded] = []
        self.refused: list[Refusal] = []
        self._state, self._length = state, len(memory.lines)
        self._when, self._user, self._known = when, user, known

    @property
    def memory_lines(self) -> list[str]:
        return self.memory.lines[self._length :]

    def take(self, capture: Capture) -> None:
        said, kept = self._state.duplicate_of(capture), self.memory.duplicate_of(capture)
        if said is None:
            line = state_line(capture, self._when, self._user, self._known)
            self.state_lines.append(line)
            self._state.add(line)
        old = self.memory.superseded_by(capture, self._when.date())
        if old is not None:
            self.memory.strike(old)
            self.superseded.append(old)
        if kept is None and (capture.durable or old is not None):
            self.memory.add(memory_line(capture, self._user, self._known))
        twin = kept or said
        if twin is not None:
            self.refused.append(_duplicate(capture, twin))


def _duplicate(capture: Capture, line: str) -> Refusal:
    reason = f"duplicate of {line.strip()}"
    return Refusal(capture.category, capture.text, capture.span, capture.rule, capture.language, reason)


def with_state_lines(text: str, lines: Sequence[str]) -> str:
    """SESSION-STATE.md with these lines at its end."""
    if not lines:
        return text
    head = text if text.strip() else f"{STATE_HEADER}\n\n"
    return head + ("" if head.endswith("\n") else "\n") + "".join(f"{line}\n" for line in lines)


def with_memory_lines(text: str, lines: Sequence[str]) -> str:
    """MEMORY.md with these lines at the end of its section for captures, which is made where it is not there."""
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
