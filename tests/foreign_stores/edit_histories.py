"""Histories of one memory file, made by lot, of which it is known who wrote each line.

An agent writes the file whole, replaces lines and parts of lines, several at once and all that are equal, puts lines in
and takes them out; some of its calls fail. Between two calls somebody else changes the file. As in the agents that are
read, a call after such a change is preceded by a look at the file (`READS`), or tells the text that it found
(`ORIGINALS`). Without either (`BARE`) a file is not written whole once somebody else has changed it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from random import Random

from mnemoscope.domain.foreign.foreign_records import MemoryEdit, TextReplacement

PATH = "memory/MEMORY.md"
BEGIN = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
_WORDS = (
    *("likes", "tea", "coffee", "green", "black", "strong", "mornings", "Graz", "Vienna", "train", "office", "remote"),
    *("Monday", "Friday", "deploy", "staging", "database", "index", "cache", "retry", "timeout", "parser", "lexer"),
    *("tests", "lint", "review", "branch", "merge", "release", "notes", "tabs", "spaces", "editor", "theme", "dark"),
)


class Telling(Enum):
    """What the calls of a history tell of the text before them."""

    ORIGINALS = "each call tells the text before it"
    READS = "the file is read after somebody else changed it"
    BARE = "nothing"


@dataclass(frozen=True, slots=True)
class HistoryCall:
    """One call of a tool as an agent makes it; `failed` ones change nothing."""

    tool: str
    session: int
    when: datetime
    said: str
    before: str
    after: str
    replacements: tuple[TextReplacement, ...] = ()
    failed: bool = False
    is_first: bool = False
    """It made the file."""


@dataclass(frozen=True, slots=True)
class EditHistory:
    """The calls, the present text, and for each line of it the call that wrote it, None for somebody else."""

    calls: Sequence[HistoryCall]
    text: str
    owners: Sequence[int | None]

    def edits(self, telling: Telling) -> list[MemoryEdit]:
        """Returns the calls as a reader hands them out."""
        return [_edit(number, call, telling) for number, call in enumerate(self.calls) if not call.failed]


def _edit(number: int, call: HistoryCall, telling: Telling) -> MemoryEdit:
    is_read = call.tool == "Read"
    is_known = telling is Telling.ORIGINALS or is_read or call.is_first
    after = call.after if call.tool in ("Write", "Read") else None
    return MemoryEdit(
        path=PATH,
        when=call.when,
        conversation=f"session-{call.session}",
        place=number,
        message_text=call.said,
        apply=lambda text: text,
        before=call.before if is_known else None,
        after=after,
        tool=call.tool,
        replacements=call.replacements,
    )


class _Maker:
    def __init__(self, seed: int, telling: Telling) -> None:
        self.lot = Random(seed)
        self.telling = telling
        self.calls: list[HistoryCall] = []
        self.lines: list[str] = []
        self.owners: list[int | None] = []
        self.now = BEGIN
        self.is_strange = False
        """Somebody else changed it since the agent knew it."""
        self.was_strange = False
        self.number = 0
        self.moved: list[tuple[str, int | None]] = []

    def words(self, least: int = 3) -> str:
        self.number += 1
        return " ".join(self.lot.choices(_WORDS, k=self.lot.randint(least, 7))) + f" {self.number}"

    def line(self) -> str:
        if self.lines and self.lot.random() < 0.03:
            return self.lot.choice(self.lines)
        return f"- {self.words()}"

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def call(self, tool: str, before: str, *replacements: TextReplacement, failed: bool = False) -> None:
        self.settle_moved()
        self.now += timedelta(seconds=self.lot.randint(1, 4000))
        said = f"please note {self.words()}"
        first = not self.calls
        session = self.lot.randrange(5)
        self.calls.append(
            HistoryCall(tool, session, self.now, said, before, self.text(), replacements, failed=failed, is_first=first)
        )

    def put(self, start: int, stop: int, lines: list[str]) -> None:
        # A line that a call takes out here and puts in there was moved, whatever it was meant to be.
        self.moved.extend(zip(self.lines[start:stop], self.owners[start:stop], strict=True))
        self.lines[start:stop] = lines
        self.owners[start:stop] = [len(self.calls)] * len(lines)

    def settle_moved(self) -> None:
        for line, owner in self.moved:
            for at, each in enumerate(self.lines):
                if each == line and self.owners[at] == len(self.calls):
                    self.owners[at] = owner
                    break
        self.moved.clear()

    def written(self) -> None:
        before = self.text()
        for _ in range(self.lot.randint(1, 5)):
            at = self.lot.randrange(len(self.lines) + 1)
            if self.lines and self.lot.random() < 0.3:
                at = min(at, len(self.lines) - 1)
                self.put(at, at + 1, [])
            else:
                self.put(at, at, [self.line()])
        self.call("Write", before)

    def unique(self) -> int | None:
        """Returns a line that a replacement finds: its words stand in the file once."""
        text = self.text()
        found = [at for at, line in enumerate(self.lines) if text.count(line) == 1]
        return self.lot.choice(found) if found else None

    def edited(self) -> None:
        before = self.text()
        at = self.unique()
        if at is None:
            self.written_or_nothing()
            return
        line, how = self.lines[at], self.lot.random()
        if how < 0.3:
            fresh = [self.line() for _ in range(self.lot.randint(1, 3))]
            self.put(at, at + 1, fresh)
            self.call("Edit", before, TextReplacement(line, "\n".join(fresh)))
        elif how < 0.6:
            fresh = [self.line() for _ in range(self.lot.randint(1, 3))]
            self.put(at + 1, at + 1, fresh)
            self.call("Edit", before, TextReplacement(line, "\n".join([line, *fresh])))
        elif how < 0.75:
            self.put(at, at + 1, [])
            self.call("Edit", before, TextReplacement(f"{line}\n", ""))
        else:
            self.part(at, before)

    def part(self, at: int, before: str) -> None:
        words = self.lines[at].split(" ")
        place = self.lot.randrange(1, len(words))
        old, new = " ".join(words[place:]), self.words(1)
        if before.count(old) != 1:
            old = self.lines[at]
            new = f"{' '.join(words[:place])} {new}"
        self.put(at, at + 1, [self.lines[at].replace(old, new)])
        self.call("Edit", before, TextReplacement(old, new))

    def several(self) -> None:
        before, replacements = self.text(), []
        for _ in range(self.lot.randint(2, 3)):
            at = self.unique()
            if at is not None:
                fresh = self.line()
                replacements.append(TextReplacement(self.lines[at], fresh))
                self.put(at, at + 1, [fresh])
        if replacements:
            self.call("MultiEdit", before, *replacements)

    def all_equal(self) -> None:
        before, old = self.text(), self.lot.choice(_WORDS)
        if old not in before:
            return
        new = self.words(1)
        for at, line in enumerate(self.lines):
            if old in line:
                self.put(at, at + 1, [line.replace(old, new)])
        self.call("Edit", before, TextReplacement(old, new, is_all=True))

    def fails(self) -> None:
        text = self.text()
        self.call("Edit", text, TextReplacement("words that are nowhere", self.words()), failed=True)

    def written_or_nothing(self) -> None:
        if self.telling is not Telling.BARE or not self.was_strange:
            self.written()

    def somebody_else(self) -> None:
        for _ in range(self.lot.randint(1, 3)):
            at = self.lot.randrange(len(self.lines) + 1)
            how = self.lot.random()
            if how < 0.5 or at == len(self.lines):
                self.lines.insert(at, f"- {self.words()}")
                self.owners.insert(at, None)
            elif how < 0.75:
                del self.lines[at], self.owners[at]
            else:
                self.lines[at] = f"{self.lines[at]} {self.words(1)}"
                self.owners[at] = None
        self.is_strange = self.was_strange = True

    def step(self) -> None:
        if self.is_strange and self.telling is Telling.READS:
            text = self.text()
            self.call("Read", text)
            self.is_strange = False
        how = self.lot.random()
        if not self.lines or how < 0.12:
            self.written_or_nothing()
        elif how < 0.75:
            self.edited()
        elif how < 0.85:
            self.several()
        elif how < 0.9:
            self.all_equal()
        else:
            self.fails()


def edit_history(seed: int, telling: Telling, *, count: int = 200, outside: float = 0.1) -> EditHistory:
    """Returns a history of so many calls; `outside` is how often somebody else changes the file before one."""
    made = _Maker(seed, telling)
    made.written()
    while len(made.calls) < count:
        if made.lot.random() < outside:
            made.somebody_else()
        made.step()
    if made.lot.random() < 0.5:
        made.somebody_else()
    return EditHistory(made.calls, made.text(), tuple(made.owners))
