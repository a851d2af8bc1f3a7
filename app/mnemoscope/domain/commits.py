"""Each change of the memory files is one git commit: who made it, why, and what it came from.

The commits are ordinary git commits; what they came from stands in trailers, the form `git interpret-trailers` reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from difflib import unified_diff
from typing import Final, Literal

from mnemoscope.domain.text.diff import line_edits, split_lines
from mnemoscope.domain.text.fences import fenced

Author = Literal["Dream", "Consolidation", "You", "Agent", "Capture", "Outside", "Unknown", "Mnemoscope"]
_AUTHORS: Final[Mapping[str, Author]] = {
    "consolidation": "Consolidation",
    "dream": "Dream",
    "agent": "Agent",
    "capture": "Capture",
    "outside": "Outside",
    # It was written by this program, and who had it write was not noted any more.
    "recovered": "Unknown",
}
SHORT: Final = 8
CHANGE: Final = "Change"
"""The trailer that names a logged change: what has one is committed."""
TRANSACTION: Final = "Transaction"
"""The trailer that names what a change belongs to: a consolidation, or a run of Dream."""
CONVERSATION: Final = "Conversation"
"""The trailer that names the key of the conversation whose MESSAGES it came from."""
MESSAGES_TRAILER: Final = "Messages"
"""The trailer with the places of messages, `3-17` for messages[3:17]."""
ENTRIES: Final = "History-Entries"
"""The trailer with the first and the last entry of the journal that a run of Dream read, `12-14`."""
SUGGESTION: Final = "Suggestion"
"""The trailer that names the suggestion that the person settled."""
UNDOES: Final = "Undoes"
UNDOES_CHANGE: Final = "Undoes-Change"
RESTORES: Final = "Restores"
FORGETTING_SUBJECT: Final = "Forgotten words taken out"
"""The words behind the file's name in the subject of a forgetting's commit: its change has no texts to look at."""
_BRINGING_BACK: Final = frozenset({UNDOES, UNDOES_CHANGE, RESTORES})
_TRAILER: Final = re.compile(r"([A-Za-z][A-Za-z0-9-]*): (.*)\Z")
_SPAN: Final = re.compile(r"(\d{1,9})-(\d{1,9})")


def end_of_second(moment: datetime) -> str:
    """Returns the latest time that counts as a moment, as messages and records have theirs.

    git keeps whole seconds, and what a version was made by came within the same second.
    """
    return moment.replace(microsecond=999_999).isoformat()


def author_of(kind: str) -> Author:
    """Returns whose change one of a kind is, as `MemoryOrigin` has it: the person's own where nothing else is said."""
    return _AUTHORS.get(kind, "You")


@dataclass(frozen=True, slots=True)
class CommitNote:
    """Tells the reason for a commit. `subject` is one line; `trailers` name the entries or messages it came from.

    `when` is when the files were changed, in naive local time; None for now. git tells that apart from when it was
    told.
    """

    author: Author
    subject: str
    body: str = ""
    trailers: tuple[tuple[str, str], ...] = ()
    when: datetime | None = None

    def message(self) -> str:
        """Returns the commit's message."""
        ends = "\n".join(f"{name}: {' '.join(value.split())}" for name, value in self.trailers)
        parts = (" ".join(self.subject.split()), self.body.strip(), ends)
        return "\n\n".join(part for part in parts if part) + "\n"


@dataclass(frozen=True, slots=True)
class CommitInfo:
    """Describes one commit. `sha` is the first eight hexadecimal digits of `id`; `timestamp` is `YYYY-MM-DD HH:MM`,
    local time.

    `files` are the tracked files it changed, relative to the workspace. The first commit has no `parent`.
    """

    sha: str
    message: str
    timestamp: str
    author: str = ""
    id: str = ""
    parent: str = ""
    files: tuple[str, ...] = ()
    seconds: int = 0
    """Since the epoch, as the commit says; a clock that was turned back shows here."""

    @property
    def subject(self) -> str:
        """Returns the first line of the message."""
        return self.message.partition("\n")[0]

    @property
    def trailers(self) -> Mapping[str, tuple[str, ...]]:
        """Returns the last paragraph's `Name: value` lines, values in order; empty where it has any other line."""
        return read_trailers(self.message)

    def named(self, trailer: str) -> str:
        """Returns the first value of a trailer, "" where the commit has none of that name."""
        return next(iter(self.trailers.get(trailer, ())), "")

    def span(self, trailer: str) -> tuple[int, int]:
        """Returns the two numbers of a trailer; (0, 0) where the commit has none of that name, or without numbers."""
        return span_of(self.named(trailer)) or (0, 0)

    def format(self, diff: str = "") -> str:
        """Returns the commit as Markdown, as nanobot's /dream-log shows it."""
        head = f"## {self.subject}\n`{self.sha}` — {self.timestamp}\n"
        return f"{head}\n{fenced(diff, 'diff')}" if diff else f"{head}\n(no file changes)"


def read_trailers(message: str) -> Mapping[str, tuple[str, ...]]:
    """Returns the trailers at the end of a message."""
    paragraphs = message.strip().split("\n\n")
    if len(paragraphs) < 2:
        return {}
    matches = [_TRAILER.match(line) for line in paragraphs[-1].split("\n")]
    found: dict[str, tuple[str, ...]] = {}
    for match in matches:
        if match is None:
            return {}
        found[match[1]] = (*found.get(match[1], ()), match[2])
    return found


def span_of(value: str) -> tuple[int, int] | None:
    """Returns the two numbers of a trailer's value such as `3-17`, None where it is anything else."""
    found = _SPAN.fullmatch(value)
    return (int(found[1]), int(found[2])) if found is not None else None


def brings_back(message: str) -> bool:
    """Tells whether a commit of this message undoes or restores: its author did not write the words that come back."""
    return not _BRINGING_BACK.isdisjoint(read_trailers(message))


@dataclass(frozen=True, slots=True)
class BlameLine:
    """Tells the origin of one line of a file: the commit that brought it in its present words, not one that only
    brought them back."""

    text: str
    commit: CommitInfo


@dataclass(frozen=True, slots=True)
class FileChange:
    """Describes a file on either side of a change; None if it is not there."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Holds all tracked files as they were at one commit."""

    commit: CommitInfo
    texts: Mapping[str, str] = field(default_factory=dict)


def carry_blame(before: str, owners: Sequence[int], after: str, owner: int) -> list[int]:
    """Returns who wrote each line of `after`, given who wrote those of `before`; `owner` wrote the lines that are new
    or changed.

    Raises ValueError if `owners` does not fit `before`.
    """
    if len(owners) != len(split_lines(before)):
        raise ValueError("owners do not fit the text")
    carried = list(owners)
    for edit in reversed(line_edits(before, after)):
        carried[edit.start : edit.stop] = [owner] * len(edit.lines)
    return carried


def diff_text(changes: Iterable[FileChange]) -> str:
    """Returns changes as a unified diff with git's file names, or "" if there are none."""
    return "\n".join(part for change in changes if (part := _file_diff(change)))


def _file_diff(change: FileChange) -> str:
    if change.before == change.after:
        return ""
    old = "/dev/null" if change.before is None else f"a/{change.path}"
    new = "/dev/null" if change.after is None else f"b/{change.path}"
    rows = unified_diff(_diff_lines(change.before), _diff_lines(change.after), old, new, lineterm="")
    return "\n".join([f"diff --git a/{change.path} b/{change.path}", *rows])


def _diff_lines(text: str | None) -> list[str]:
    if not text:
        return []
    lines = split_lines(text)
    if lines[-1] == "":
        return lines[:-1]
    return [*lines[:-1], lines[-1] + "\n\\ No newline at end of file"]
