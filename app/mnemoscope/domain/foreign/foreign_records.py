"""A store of another agent holds conversations, their records, memory files, and the calls that wrote these.

The words are the same for every format. A *record* is what the format writes at once: a line, a row, an event. A
*message* is what a person would count as one: a text of the person, an answer of the assistant with the calls in it,
the result of one call. A message may be several records, and most records are no message.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final


class RecordKind(StrEnum):
    """Says in a word what one record of a transcript is."""

    PERSON = "person"
    """A text that the person wrote."""
    ANSWER = "answer"
    """Text of the assistant, calls of tools, or both."""
    RESULT = "result"
    """The result of one call of a tool."""
    SUMMARY = "summary"
    """The text that stands for what a compaction left out."""
    ASIDE = "aside"
    """Of a known type, and no message: settings, hidden and injected texts, thinking by itself, progress."""
    SUBAGENT = "subagent"
    """A message of another agent that was put to work, in the transcript of the one that did so."""
    UNKNOWN = "unknown"
    """A whole record of a type that the reader does not know."""
    DAMAGED = "damaged"
    """Bytes that are no record."""


LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)
"""It stands for a time that no record tells: it is earlier than any other."""
KINDS: tuple[RecordKind, ...] = tuple(RecordKind)
MESSAGES = frozenset({RecordKind.PERSON, RecordKind.ANSWER, RecordKind.RESULT})


@dataclass(frozen=True, slots=True)
class ForeignCall:
    """Describes one call of a tool, as an answer holds it. `arguments` is empty where they are no JSON object."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ForeignRecord:
    """Holds one record, read. `when` is aware, None where there is none or it is beyond reason. `answers` is the id of
    the call whose result it is. `images` counts what is shown as no text. `raw` is the record as it stands in the
    store, shortened where it is long, for whoever wants to see what the reader did not understand. `sent` is what the
    model was given in place of the text, where the store tells it."""

    kind: RecordKind
    id: str = ""
    text: str = ""
    when: datetime | None = None
    model: str = ""
    calls: tuple[ForeignCall, ...] = ()
    answers: str = ""
    tool: str = ""
    failed: bool = False
    images: int = 0
    quotes: tuple[tuple[int, int], ...] = ()
    """The spans of `text` that a file held, which the person put in."""
    raw: str = ""
    sent: str = ""


@dataclass(frozen=True, slots=True)
class CompactionMark:
    """Describes a place where a summary took the place of what was said before.

    `kept_from` is the index in `TranscriptShape.active` of the first message that is still sent word for word, and
    `summary` the place of the record that holds the summary, None where it is encrypted or missing. `scattered_to`:
    of the messages from `kept_from` up to this index only some are still sent, 0 where all of them are.
    """

    kept_from: int
    summary: int | None
    when: datetime | None = None
    scattered_to: int = 0

    @property
    def whole_from(self) -> int:
        """Returns the index of the first message from which on every one is still sent word for word."""
        return max(self.kept_from, self.scattered_to)


@dataclass(frozen=True, slots=True)
class TranscriptShape:
    """Holds what is known of a transcript without its words: some bytes a record, however long it is.

    `kinds` has one byte a record, in the order of the store: an index in `KINDS`. A *place* is an index in it.
    `active` are the places of the messages on the active path, oldest first; a message of several records stands under
    its first, and `parts` names the others. `branches` are the places of messages that none comes after and that are
    not on the active path. `damage` says in a sentence what could not be read, one sentence a fault.
    """

    kinds: bytes
    active: array[int]
    parts: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    compactions: tuple[CompactionMark, ...] = ()
    branches: tuple[int, ...] = ()
    damage: tuple[str, ...] = ()

    @property
    def messages(self) -> int:
        """Returns how many messages the active path has."""
        return len(self.active)

    @property
    def last_consolidated(self) -> int:
        """Returns how many messages of the active path come before the first one that the last compaction keeps."""
        return self.compactions[-1].kept_from if self.compactions else 0

    @property
    def unknown_records(self) -> int:
        """Returns how many whole records are of a type that the reader does not know."""
        return self.kinds.count(KINDS.index(RecordKind.UNKNOWN))


class ForeignRole(StrEnum):
    """Says whether a conversation is there for another one of its store."""

    MAIN = "main"
    SUBAGENT = "subagent"
    ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class ForeignConversation:
    """Describes one conversation in a list: what is known without reading it whole.

    `id` names it within its store, and `path`, relative to the store's root, is where it lies (a database, for those
    that lie in one). `title` is "" where there is none that the store or the first words of it tell. `size` is in
    bytes, 0 where it has none of its own.
    """

    id: str
    path: str
    title: str
    role: ForeignRole = ForeignRole.MAIN
    parent: str = ""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    size: int = 0
    is_discreet: bool = False
    """The person told the other agent to remember nothing of it."""


def newest_first(conversations: Iterable[ForeignConversation]) -> list[ForeignConversation]:
    """Returns conversations in the order in which they are listed; those without a time last."""
    return sorted(conversations, key=lambda each: (each.updated_at or LONG_AGO, each.id), reverse=True)


@dataclass(frozen=True, slots=True)
class ForeignMemoryFile:
    """Describes one memory file. `path` is relative to the store's root. `role` is a word for what it is there for:
    "memory", "index", "user", "soul", "instructions", "daily note", "summary", "topic"; "waiting" for a change that
    waits for the person.

    `entries` counts what the store itself separates. `loaded_characters` is how much of it the agent's prompts hold,
    from the beginning on; all of `characters` where it is whole, 0 where it is read only on demand. `limit` is how many
    characters the agent itself lets it have, 0 where it sets no limit.
    """

    path: str
    role: str
    text: str
    entries: int
    loaded_characters: int
    limit: int = 0

    @property
    def characters(self) -> int:
        """Returns how many characters it has."""
        return len(self.text)


@dataclass(frozen=True, slots=True)
class ForeignMemory:
    """Describes one thing that another agent remembers, by itself: `text` without a list's mark. `conversation` and
    `place` say where it was said, "" and -1 where that is not known, and `heading` what it stands under."""

    text: str
    when: datetime | None = None
    conversation: str = ""
    place: int = -1
    heading: str = ""


@dataclass(frozen=True, slots=True)
class TextReplacement:
    """Describes a part of a text that a call replaced: one that stands in it once, or all of the same words
    (`is_all`)."""

    old: str
    new: str
    is_all: bool = False


@dataclass(frozen=True, slots=True)
class MemoryEdit:
    """Describes a call that wrote to a memory file and did not fail.

    `path` is the file's, as in `ForeignMemoryFile`. `apply` takes the text before and returns the text after, or None
    where the call does not fit that text; it is given "" where there was no file. `before` and `after` are whole
    texts of the file where the record tells them: a call that writes the whole file has an `after`, and one that only
    read it has both, the same. `conversation` and `place` say where the call stands, and `message_text` is the
    person's last text before it on the call's own branch, "" where there is none. `replacements` are what the call
    replaced, in their order, where it says so: with them it is found in a text that others changed too.
    """

    path: str
    when: datetime | None
    conversation: str
    place: int
    message_text: str
    apply: Callable[[str], str | None]
    before: str | None = None
    after: str | None = None
    tool: str = ""
    replacements: tuple[TextReplacement, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryCommit:
    """Describes a commit in which a memory file came or changed, where an agent keeps its memory in a git repository.

    `before` and `after` are the texts of the file, "" where there was none. `subject` is the first line of what its
    `author` said of it.
    """

    id: str
    when: datetime | None
    author: str
    subject: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class LineSource:
    """Names the source of one line of a memory file: the call that gave it its present words.

    `line` counts from 1. `edit` is the call that did so first, None where no call did (it came from outside) or where
    that cannot be told (`is_unknown`). `commit` is the one that brought a line which no call wrote.
    """

    path: str
    line: int
    text: str
    edit: MemoryEdit | None
    is_unknown: bool = False
    commit: MemoryCommit | None = None

    @property
    def is_outside(self) -> bool:
        """Tells whether no call that is known wrote it."""
        return self.edit is None


@dataclass(frozen=True, slots=True)
class StoreFormat:
    """Describes a format, which is known by the folders that hold it.

    `name` is the word of the command line ("claude-code"), `title` the name a person knows. `root_of` returns the root
    of the store that a folder is or lies in, None where it is none of this format. `usual_roots` are where it lies on
    a computer, given the home folder and the environment.
    """

    name: str
    title: str
    root_of: Callable[[Path], Path | None]
    usual_roots: Callable[[Path, Mapping[str, str]], Sequence[Path]]
