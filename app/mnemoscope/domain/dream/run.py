"""Dream is the slower layer that reads what happened and makes the smallest honest edits to what is known.

Dream and its names are nanobot's. This module holds what a run comes to. Nothing in this package asks a model or writes
a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

IDLE_ROUNDS: Final = 3
"""A run ends after so many rounds in a row that changed nothing."""

RunOutcome = Literal["changed", "held", "nothing", "stopped", "failed", "cut", "stuck", "capped", "unusable"]
"""`changed`: files were edited. `held`: every edit waits for the person. `nothing`: read, and nothing to keep.

`stopped` by the person, `failed` with an error, `cut` answer, `stuck` in rounds that change nothing, `capped` by the
limit of what a run may spend, `unusable` answers in whichever way the model was asked: in these the cursor stays where
it was, and no file was touched.
"""
Undoing = Literal["", "again", "declined"]
_SETTLED: Final[frozenset[RunOutcome]] = frozenset({"changed", "held", "nothing"})
"""After these the entries count as read."""


@dataclass(frozen=True, slots=True)
class Spend:
    """Counts the cost of asking a model. `money` is in US dollars, None as soon as any of it is unknown."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    money: float | None = 0.0

    @property
    def tokens(self) -> int:
        """Returns the tokens of prompts and answers together."""
        return self.prompt_tokens + self.completion_tokens

    def plus(self, usage: Mapping[str, int], cost: float | None) -> Spend:
        """Returns the sum with one more answer."""
        money = None if self.money is None or cost is None else self.money + cost
        prompt, completion = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
        return Spend(self.prompt_tokens + prompt, self.completion_tokens + completion, money)


@dataclass(frozen=True, slots=True)
class FileEdit:
    """Says how much one file changed: lines added and removed; `held` says that the edit waits for the person."""

    path: str
    added: int
    removed: int
    held: bool = False


@dataclass(frozen=True, slots=True)
class DreamRun:
    """Holds the record of one run. Entries `first` to `last` were read; `when` is ISO 8601, naive local time.

    `trigger` is `manual`, `schedule` or `start`. `commit` is the commit it made, "" if there is none.
    """

    id: str
    when: str
    seconds: float
    trigger: str
    model: str
    first: int
    last: int
    entries: int
    rounds: int
    spend: Spend
    outcome: RunOutcome
    reason: str = ""
    edits: tuple[FileEdit, ...] = ()
    commit: str = ""
    words: str = ""
    """The model's words at the end."""
    undone: Undoing = ""
    """"" unless the run was taken back since; then its entries are read `again`, or are `declined` for good."""
    begun: int = 0
    """Characters of the first entry that were read in runs before, where that is a long one."""
    rest: int = 0
    """Characters of the last entry that are read after it, where later runs go on with it; 0: it is read."""
    asked: tuple[str, ...] = ()
    """The ways in which the model was asked, an OutputMode each, the one that was answered last."""
    cleaned: tuple[str, ...] = ()
    """The changes made to its answers before they were taken, a Cleaning each."""

    @property
    def settled(self) -> bool:
        """Returns whether the entries count as read now."""
        return self.outcome in _SETTLED

    def as_record(self) -> dict[str, Any]:
        """Returns the run as a record for a file."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class DreamState:
    """Tells the state of Dream now. `next_run` is naive local time, None if none is going to come.

    `waiting` counts entries not read yet. `blocked` is a sentence that says why it does not run by itself, or "".
    `runs` has the newest first. `spent_today` is what today's runs cost; `day_limit` is the tokens they may, 0 for no
    limit.
    """

    enabled: bool = True
    paused: bool = False
    running: bool = False
    waiting: int = 0
    next_run: datetime | None = None
    blocked: str = ""
    runs: tuple[DreamRun, ...] = ()
    spent_today: Spend = field(default_factory=Spend)
    day_limit: int = 0


def run_of(record: object) -> DreamRun | None:
    """Returns a run read back from its record, or None if it is none."""
    try:
        values = dict(record)  # type: ignore[call-overload]
        values["spend"] = Spend(**values["spend"])
        values["edits"] = tuple(FileEdit(**edit) for edit in values["edits"])
        for name in ("asked", "cleaned"):
            values[name] = tuple(filter(lambda each: isinstance(each, str), values.get(name, ())))
        known = {name: values[name] for name in DreamRun.__dataclass_fields__ if name in values}
        return DreamRun(**known)
    except (TypeError, KeyError, ValueError):
        return None


def undo_mark_of(record: object) -> dict[str, Undoing]:
    """Returns the run that a record says was taken back, and how; empty if it says no such thing."""
    if not isinstance(record, Mapping) or not isinstance(record.get("id"), str):
        return {}
    how = record.get("undone")
    return {record["id"]: how} if how in ("again", "declined") else {}
