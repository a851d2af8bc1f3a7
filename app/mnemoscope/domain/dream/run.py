"""Dream: the slower layer that reads what happened and makes the smallest honest edits to what is known. Seed 004.

Here: the files it may edit, the copies it edits, and what a run comes to. Nothing here asks a model or writes a file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

from mnemoscope.domain.commits import FileChange
from mnemoscope.domain.llm import ToolSchema

DREAM_FILES: Final = ("SOUL.md", "USER.md", "memory/MEMORY.md")
GUIDE_LIMIT: Final = 32_000
"""Characters of prompts/dream.md that are followed."""
BATCH_ENTRIES: Final = 20
BATCH_CHARACTERS: Final = 40_000
IDLE_ROUNDS: Final = 3
"""A run ends after so many rounds in a row that changed nothing."""
FILE_LIMIT: Final = 100_000
_SKILL: Final = re.compile(r"skills/[A-Za-z0-9][A-Za-z0-9_-]{0,63}/[A-Za-z0-9][A-Za-z0-9_-]{0,63}\.md")

Outcome = Literal["changed", "held", "nothing", "stopped", "failed", "cut", "stuck", "capped"]
"""`changed`: files were edited. `held`: every edit waits for the person. `nothing`: read, and nothing to keep.

`stopped` by the person, `failed` with an error, `cut` answer, `stuck` in rounds that change nothing, `capped` by the
limit of what a run may spend: in these the cursor stays where it was, and no file was touched.
"""
Undoing = Literal["", "again", "declined"]
SETTLED: Final[frozenset[Outcome]] = frozenset({"changed", "held", "nothing"})
"""After these the entries count as read."""


@dataclass(frozen=True, slots=True)
class Spend:
    """What asking a model cost. `money` in US dollars, None as soon as any of it is unknown."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    money: float | None = 0.0

    @property
    def tokens(self) -> int:
        """Both ways."""
        return self.prompt_tokens + self.completion_tokens

    def plus(self, usage: Mapping[str, int], cost: float | None) -> Spend:
        """With one more answer."""
        money = None if self.money is None or cost is None else self.money + cost
        prompt, completion = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
        return Spend(self.prompt_tokens + prompt, self.completion_tokens + completion, money)


@dataclass(frozen=True, slots=True)
class FileEdit:
    """How much one file changed: lines added and removed; `held` where it waits for the person."""

    path: str
    added: int
    removed: int
    held: bool = False


@dataclass(frozen=True, slots=True)
class DreamRun:
    """A plain record of one run. Entries `first` to `last` were read; `when` is ISO 8601, naive local time.

    `trigger`: `manual`, `schedule` or `start`. `commit` is the version it made, "" where there is none.
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
    outcome: Outcome
    reason: str = ""
    edits: tuple[FileEdit, ...] = ()
    commit: str = ""
    words: str = ""
    """What the model said at the end."""
    undone: Undoing = ""
    """Whether it was taken back since, and what became of its entries: `again`, or `declined` for good."""
    begun: int = 0
    """Characters of the first entry that were read in runs before, where that is a long one."""
    rest: int = 0
    """Characters of the last entry that are read after it, where later runs go on with it; 0: it is read."""

    @property
    def settled(self) -> bool:
        """Whether the entries count as read now."""
        return self.outcome in SETTLED

    def as_record(self) -> dict[str, Any]:
        """For a file of records."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class DreamState:
    """What there is to know of Dream now. `next_run` is naive local time, None where none is going to come.

    `waiting`: entries not read yet. `blocked`: why it does not run by itself, a sentence, or "". `runs`: the newest
    first. `spent_today`: what today's runs cost; `day_limit`: the tokens they may, 0 for no limit.
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
    """A run read back from its record; None where it is none."""
    try:
        values = dict(record)  # type: ignore[call-overload]
        values["spend"] = Spend(**values["spend"])
        values["edits"] = tuple(FileEdit(**edit) for edit in values["edits"])
        known = {name: values[name] for name in DreamRun.__dataclass_fields__ if name in values}
        return DreamRun(**known)
    except (TypeError, KeyError, ValueError):
        return None


def mark_of(record: object) -> dict[str, Undoing]:
    """The run a record says was taken back, and how; empty where it says no such thing."""
    if not isinstance(record, Mapping) or not isinstance(record.get("id"), str):
        return {}
    how = record.get("undone")
    return {record["id"]: how} if how in ("again", "declined") else {}


@dataclass(slots=True)
class DreamFiles:
    """The files as Dream sees and edits them: copies, written nowhere until the run is over and judged.

    Every method returns a sentence for the model; `succeeded` says whether the last one did what was asked.
    """

    before: Mapping[str, str]
    """Path, relative to the workspace, to text; a file that is missing has none."""
    now: dict[str, str] = field(default_factory=dict)
    succeeded: bool = False

    def __post_init__(self) -> None:
        self.now = dict(self.before)

    def read(self, path: str) -> str:
        """`read_file`."""
        self.succeeded = may_edit(path)
        if not self.succeeded:
            return _refusal(path)
        text = self.now.get(path, "")
        return text or f"{path} is empty."

    def edit(self, path: str, old: str, new: str) -> str:
        """`edit_file`: replaces the one place where `old` stands; an empty `old` adds `new` at the end."""
        self.succeeded = False
        if not may_edit(path):
            return _refusal(path)
        text = self.now.get(path, "")
        if not old:
            return self._put(path, _with_line(text, new))
        count = text.count(old)
        if count != 1:
            found = "is not in" if count == 0 else f"stands {count} times in"
            return f"Nothing was changed: this text {found} {path}. Give the exact words of one place."
        return self._put(path, text.replace(old, new))

    def write(self, path: str, content: str) -> str:
        """`write_file`: a new or empty file, or a skill."""
        self.succeeded = False
        if not may_edit(path):
            return _refusal(path)
        if path in DREAM_FILES and self.now.get(path, "").strip():
            return f"Nothing was changed: {path} is not empty. Change the lines that need it with edit_file."
        return self._put(path, content)

    def changes(self) -> list[FileChange]:
        """What differs from the files as they were, by path."""
        paths = sorted(self.now)
        changes = (FileChange(path, self.before.get(path), self.now[path]) for path in paths)
        return [change for change in changes if (change.before or "") != change.after]

    def _put(self, path: str, text: str) -> str:
        if len(text) > FILE_LIMIT:
            return f"Nothing was changed: {path} would have {len(text):,} characters; {FILE_LIMIT:,} are possible."
        if text == self.now.get(path, ""):
            return f"Nothing was changed: {path} says this already."
        self.succeeded = True
        self.now[path] = text
        return f"{path} is changed."


def may_edit(path: str) -> bool:
    """Whether Dream may look at and edit a file: the three, and Markdown files of skills."""
    return path in DREAM_FILES or _SKILL.fullmatch(path) is not None


def file_edit(change: FileChange, *, held: bool) -> FileEdit:
    """How much a change changes."""
    from mnemoscope.domain.text.diff import count_changes, diff_lines  # not before a file was edited

    added, removed = count_changes(diff_lines(change.before or "", change.after or "", context=0))
    return FileEdit(change.path, added, removed, held)


def _with_line(text: str, new: str) -> str:
    gap = "" if not text or text.endswith("\n") else "\n"
    return f"{text}{gap}{new}" if new.endswith("\n") else f"{text}{gap}{new}\n"


def _refusal(path: str) -> str:
    shown = path if len(path) <= 200 else path[:200] + "…"
    return f"Nothing was changed: {shown} is not open here. These are: {', '.join(DREAM_FILES)} and skills/<name>/*.md."


def _tool(name: str, description: str, **parameters: str) -> ToolSchema:
    properties = {key: {"type": "string", "description": words} for key, words in parameters.items()}
    schema = {"type": "object", "properties": properties, "required": list(parameters)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


_PATH: Final = f"One of {', '.join(DREAM_FILES)}, or skills/<name>/<file>.md"
DREAM_TOOLS: Final[tuple[ToolSchema, ...]] = (
    _tool("read_file", "Read one of the open files as it stands now.", path=_PATH),
    _tool(
        "edit_file",
        "Replace one passage of a file. old_text must stand there exactly once; empty adds a line at the end.",
        path=_PATH,
        old_text="The exact words to replace",
        new_text="What stands there afterwards; empty to remove them",
    ),
    _tool("write_file", "Write a file that is empty or missing, or a skill.", path=_PATH, content="The whole text"),
)
