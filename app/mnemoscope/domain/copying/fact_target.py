"""The memory files of other agents that a fact may be copied to, and the port through which it is.

This is the one case in which the store of another agent is written to: the person looked at the difference and pressed
the button. What only reads stores has no part in it; nothing but the window's dialog reaches the port.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Final

from mnemoscope.domain.foreign.foreign_records import ForeignMemoryFile
from mnemoscope.domain.text.front_matter import split_front_matter

NOTES: Final = "memories/extensions/ad_hoc/notes"
"""The file from which Codex takes in what it is to remember. Its MEMORY.md is written by itself alone."""
_INDEX: Final = re.compile(r"(?:projects/[^/]+/)?memory/MEMORY\.md")
_LIMIT: Final = re.compile(r"^limit[ \t]*:[ \t]*(\d{1,9})[ \t]*$", re.MULTILINE)
_READ_ONLY: Final = re.compile(r"^read_only[ \t]*:[ \t]*true[ \t]*$", re.MULTILINE | re.IGNORECASE)
_INDEX_LINES: Final = 200
_INDEX_BYTES: Final = 25_000
_BOOTSTRAP: Final = 20_000


class FactForm(StrEnum):
    """Names the forms in which a file may keep a fact."""

    BULLET = "bullet"
    """A line of a Markdown list."""
    SECTION = "section"
    """An entry of Hermes, divided from the next one by a line of `§`."""
    NOTE = "note"
    """A file of its own, which Codex takes in when it next tidies its memory."""
    OBSERVATION = "observation"
    """A line of basic-memory: `- [fact] text`."""
    ENTITY = "entity"
    """An observation of the person, in the JSON lines of MCP's memory server."""


@dataclass(frozen=True, slots=True)
class FileBudget:
    """Says how many characters, lines or bytes of a file a prompt holds at most, 0 where that is no bound.

    `is_strict`: the agent itself refuses an entry beyond it. `is_loaded`: it holds the file at all by itself.
    """

    characters: int = 0
    lines: int = 0
    size: int = 0
    is_strict: bool = False
    is_loaded: bool = True

    def holds(self, text: str) -> bool:
        """Returns whether all of a text is within it."""
        return (
            (not self.characters or len(text) <= self.characters)
            and (not self.lines or text.rstrip("\n").count("\n") < self.lines)
            and (not self.size or len(text.encode("utf-8", "replace")) <= self.size)
        )


@dataclass(frozen=True, slots=True)
class FactTarget:
    """Describes a place for a fact. `store` is the name of the agent's format and `title` what a person calls the
    agent; `path` is relative to `root`, and the folder of the new file for a note. `locks`: its agent writes behind a
    `.lock`."""

    store: str
    title: str
    root: Path
    path: str
    form: FactForm
    budget: FileBudget = FileBudget()
    locks: bool = False
    is_read_only: bool = False
    """The agent itself was told not to change the file."""


@dataclass(frozen=True, slots=True)
class FactCopy:
    """Describes a fact on its way: what the file says now and what it would say then. `before` is None where there is
    no file.

    `is_held`: the file states the fact already, and there is nothing to do.
    """

    target: FactTarget
    path: str
    fact: str
    before: bytes | None
    after: bytes
    text_before: str
    text_after: str
    is_held: bool = False

    @property
    def is_refused(self) -> bool:
        """Returns whether the agent itself would refuse it: a file it may not change, or an entry beyond its bound."""
        budget = self.target.budget
        return self.target.is_read_only or (budget.is_strict and not budget.holds(self.text_after))

    @property
    def is_loaded(self) -> bool:
        """Returns whether the agent's prompts would hold the fact by themselves."""
        return self.target.budget.is_loaded and self.target.budget.holds(self.text_after)


def fact_targets(store: str, title: str, root: Path, files: Sequence[ForeignMemoryFile]) -> list[FactTarget]:
    """Returns the files of a store that a fact may be copied to. Files outside of its root are none."""
    return list(_targets(store, title, root, [each for each in files if _is_inside(each.path)]))


def _targets(store: str, title: str, root: Path, files: Sequence[ForeignMemoryFile]) -> Iterator[FactTarget]:
    if store == "codex" and any(each.path.startswith("memories/") for each in files):
        yield FactTarget(store, title, root, NOTES, FactForm.NOTE, FileBudget(is_loaded=False))
    for each in files:
        place = _place_in(store, each)
        if place is not None:
            form, budget = place
            yield FactTarget(
                store,
                title,
                root,
                each.path,
                form,
                budget,
                locks=store == "hermes",
                is_read_only=store == "letta" and _READ_ONLY.search(split_front_matter(each.text)[0]) is not None,
            )


def _place_in(store: str, file: ForeignMemoryFile) -> tuple[FactForm, FileBudget] | None:
    """Returns the form and the budget of a file that takes facts, None for any other."""
    name = PurePosixPath(file.path).name
    if store == "claude-code" and _INDEX.fullmatch(file.path):
        return FactForm.BULLET, FileBudget(lines=_INDEX_LINES, size=_INDEX_BYTES)
    if store == "claude-code" and file.path == "CLAUDE.md":
        return FactForm.BULLET, FileBudget()
    if store == "openclaw" and name in ("MEMORY.md", "memory.md") and file.role == "memory":
        return FactForm.BULLET, FileBudget(characters=_BOOTSTRAP)
    if store == "hermes" and file.role in ("memory", "user"):
        return FactForm.SECTION, FileBudget(characters=file.limit, is_strict=True)
    if store == "letta" and name.endswith(".md") and file.role in ("memory", "reference", "topic"):
        limit = _LIMIT.search(split_front_matter(file.text)[0])
        most = int(limit[1]) if limit else 0
        return FactForm.BULLET, FileBudget(most, is_strict=bool(most), is_loaded=file.role == "memory")
    if store == "basic-memory":
        return FactForm.OBSERVATION, FileBudget(is_loaded=False)
    if store == "mcp-memory":
        return FactForm.ENTITY, FileBudget(is_loaded=False)
    if store in ("nanobot", "qanot") and file.role == "memory":
        return FactForm.BULLET, FileBudget()
    return None


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and "\0" not in path
