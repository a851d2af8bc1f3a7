"""The intent: everything one transaction is going to write, in one file. Once that file is durable it will happen.

Every part but the first few fields is optional: a consolidation adds to the history log, changes MEMORY.md and moves a
pointer; /new moves a file and begins another; a suggestion that is settled changes MEMORY.md and closes the suggestion;
a deletion of messages replaces their records; a correction rewords an entry of the history; a forgetting takes phrases
out of places.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from pathlib import PurePosixPath
from types import NoneType, UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.facts import added_facts, dropped_facts
from mnemoscope.domain.memory.journal_entry import JournalEntry, entry_of
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.text.json_text import parsed_json, parsed_object
from mnemoscope.store.files.atomic import digest_of, encode_text

_FORMAT: Final = 1
_ID_LENGTH: Final = 64
_TEXTS: Final = (
    "key",
    "session_key",
    "session_created_at",
    "range_hash",
    "model",
    "history_entry",
    "history_tail",
    "memory_before",
    "memory_before_version",
)


CONSOLIDATION: Final = "consolidation"
NEW: Final = "new"
REVIEW: Final = "review"
RESTORE: Final = "restore"
DREAM_RUN: Final = "dream"
UPGRADE: Final = "upgrade"
EDIT: Final = "edit"
DELETE: Final = "delete"
UNDELETE: Final = "undelete"
FORGET: Final = "forget"
CORRECTION: Final = "correction"
_LISTS: Final = (
    *("reasons", "facts_added", "facts_removed", "settles", "holds", "rejects", "asked", "cleaned", "forgotten"),
    "forgotten_marks",
)


@dataclass(frozen=True, slots=True)
class Move:
    """Describes a file that goes to a place where nothing was; paths are relative to the workspace.

    It had `size` bytes, the last of them with the hash `tail` (as HistoryMark), and may have grown since.
    """

    source: str
    target: str
    size: int
    tail: str


@dataclass(frozen=True, slots=True)
class NewFile:
    """Describes a file to begin where there is none after the moves."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class SetFile:
    """Describes a small file that says one thing, such as a cursor: what it held has the SHA-256 `before` ("": there
    was none), and it is to hold `after`. One that holds neither was set by another program since, and is left."""

    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class LogCut:
    """Describes an entry that goes out of a history log, or, where it `is_back`, into it again: `text` is all of its
    bytes, which stood at the byte `at`. What other programs add to the log meanwhile stays."""

    path: str
    at: int
    text: str
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class EntryEdit:
    """Describes an entry of a history log, or of a daily note, that takes other words in its place: all of its bytes
    are `before`, which stood at the byte `at`, and are to be `after`. `record`: the consolidation that wrote it, ""
    where none is known."""

    path: str
    at: int
    before: str
    after: str
    record: str = ""

    @property
    def reverse(self) -> EntryEdit:
        """Returns the edit that takes this one back."""
        return replace(self, before=self.after, after=self.before)


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Describes a file of the person's beside MEMORY.md, from one text to another: `before` had the digest
    `before_version`.

    `merged`: SHA-256 of the text that was written where the file had moved on; once it stands, merging is done.
    """

    path: str
    before: str
    before_version: str
    after: str
    merged: str = ""


@dataclass(frozen=True, slots=True)
class RecordChange:
    """Describes a record of a session file that another one takes the place of: message `index` says `before` and is to
    say `after`, each the text of its line without the newline. `key` is the conversation's. `in_home`: `path` is a name
    in nanobot's own folder."""

    key: str
    path: str
    index: int
    before: str
    after: str
    in_home: bool = False

    @property
    def reverse(self) -> RecordChange:
        """Returns the change that takes this one back."""
        return replace(self, before=self.after, after=self.before)


@dataclass(frozen=True, slots=True)
class ForgetStep:
    """Describes a place that has words which are forgotten, `count` times: a PlaceKind, and where it is, relative to
    the workspace; `in_home`: a name in nanobot's own folder. It is taken, or left for a `reason`, which is a
    sentence."""

    kind: str
    path: str
    count: int
    reason: str = ""
    in_home: bool = False


@dataclass(frozen=True, slots=True)
class Intent:
    """Holds one transaction, complete; of a consolidation it is about messages [start, stop).

    `key` is the same for the same range of the same conversation, `range_hash` covers its messages. `history_entry` are
    the exact bytes to add, as text, where the log had `history_size` bytes ending in `history_tail`. `memory_before` is
    what the model was shown (digest `memory_before_version`, "" for a missing file), `memory_after` what MEMORY.md is
    to become, None for no change. `held` is a memory text that waits for the person, with `reasons`. Times are naive
    local ISO 8601. A slim intent, as old ledger files are, has no texts of memory any more.
    """

    id: str
    key: str
    workspace_id: str
    session_key: str
    session_created_at: str
    persistent: bool
    """Whether the conversation is on disk, so that its pointer has to be."""
    start: int
    stop: int
    range_hash: str
    when: str
    model: str
    history_entry: str
    history_size: int
    history_tail: str
    memory_before: str
    memory_before_version: str
    memory_after: str | None
    memory_merged: str = ""
    """SHA-256 of the text that was written where MEMORY.md had moved on: once it stands, merging is done."""
    held: str | None = None
    reasons: tuple[str, ...] = ()
    facts_added: tuple[str, ...] = ()
    facts_removed: tuple[str, ...] = ()
    memory_changed: bool = False
    kind: str = CONSOLIDATION
    """CONSOLIDATION, NEW (a conversation closed), REVIEW (a suggestion settled), RESTORE, EDIT, DREAM, UPGRADE (of the
    history log), DELETE (of messages), UNDELETE, FORGET or CORRECTION (of an entry)."""
    moves: tuple[Move, ...] = ()
    begins: tuple[NewFile, ...] = ()
    edits: tuple[TextEdit, ...] = ()
    sets: tuple[SetFile, ...] = ()
    """Set last, after everything else stands."""
    cuts: tuple[LogCut, ...] = ()
    corrections: tuple[EntryEdit, ...] = ()
    rewordings: tuple[EntryEdit, ...] = ()
    """The changes that `edits` make to entries which consolidations wrote in a log. They are only noted, so that each
    entry is found by the words that stand now; `edits` write them."""
    history_path: str = ""
    """The log that `history_entry` is added to, relative to the workspace; "" for memory/HISTORY.md."""
    settles: tuple[str, ...] = ()
    """Suggestions that are closed with `outcome`."""
    outcome: str = ""
    holds: tuple[str, ...] = ()
    """Suggestions that begin to wait, each as the text of its file."""
    rejects: tuple[str, ...] = ()
    """The changes that the person rejected, to be remembered: suggestions that would make them, in the same form."""
    origin_kind: str = ""
    origin_detail: str = ""
    """The author of the change of memory, where it is no consolidation; as in MemoryOrigin."""
    asked: tuple[str, ...] = ()
    """The ways in which the model was asked, an OutputMode each, the one that was answered last; () where not known."""
    cleaned: tuple[str, ...] = ()
    """The changes made to its answer before it was taken, a Cleaning each."""
    records: tuple[RecordChange, ...] = ()
    undoes: str = ""
    """The deletion that UNDELETE takes back."""
    forgotten: tuple[str, ...] = ()
    """The phrases that FORGET takes out of the places; they stand here until that is done, and nowhere after it."""
    forgets: tuple[ForgetStep, ...] = ()
    forgotten_marks: tuple[str, ...] = ()
    """The hashes of the facts that have the phrases, by which a deletion of one is remembered."""
    secret: str = ""
    """A key in hexadecimal digits for what takes the place of plain hashes; nobody has it once FORGET is done."""

    @classmethod
    def of_kind(cls, kind: str, *, workspace_id: str, when: str, **parts: Any) -> Intent:
        """Returns an intent that is no consolidation: `parts` by name, all others empty."""
        empty: dict[str, Any] = dict.fromkeys(_TEXTS, "") | {"memory_after": None, "persistent": False}
        numbers = {"start": 0, "stop": 0, "history_size": 0}
        own = {"id": secrets.token_hex(8), "workspace_id": workspace_id, "when": when, "kind": kind}
        return cls(**(empty | numbers | own | parts))

    @property
    def entry_text(self) -> str:
        """Returns the words of the history entry, whichever log it went to."""
        if not self.history_path.endswith(".jsonl"):
            return self.history_entry.strip("\n")
        entry = self.journal_entry
        return entry.content if entry else ""

    @property
    def journal_entry(self) -> JournalEntry | None:
        """Returns the entry that went to history.jsonl; None if none did."""
        return entry_of(parsed_json(self.history_entry)) if self.history_path.endswith(".jsonl") else None

    def slim(self) -> Intent:
        """Returns the intent without the texts of memory, for the long run."""
        return replace(self, memory_before="", memory_after=None, held=None, holds=(), rejects=(), begins=(), edits=())

    def record(self) -> ConsolidationRecord:
        """Returns what the audit trail shows."""
        entry = self.journal_entry
        return ConsolidationRecord(
            transaction_id=self.id,
            session_key=self.session_key,
            session_created_at=self.session_created_at,
            start=self.start,
            stop=self.stop,
            when=self.when,
            entry=entry.content if entry else self.entry_text,
            facts_added=self.facts_added,
            facts_removed=self.facts_removed,
            memory_changed=self.memory_changed,
            held_for_review=self.held is not None or bool(self.reasons),
            cursor=entry.cursor if entry else None,
            asked=self.asked,
            cleaned=self.cleaned,
        )

    def suggestion(self) -> Suggestion | None:
        """Returns the memory text held for the person, if any."""
        if self.held is None:
            return None
        return Suggestion(
            id=self.id,
            when=self.when,
            before=self.memory_before,
            proposed=self.held,
            reasons=self.reasons,
            session_key=self.session_key,
            start=self.start,
            stop=self.stop,
        )


def with_facts(intent: Intent) -> Intent:
    """Returns the intent with the facts it adds and removes named."""
    if intent.memory_after is None:
        return intent
    return replace(
        intent,
        memory_changed=True,
        facts_added=tuple(added_facts(intent.memory_before, intent.memory_after)),
        facts_removed=tuple(dropped_facts(intent.memory_before, intent.memory_after)),
    )


def encode_intent(intent: Intent) -> bytes:
    """Returns one line of JSON, then the SHA-256 of that line."""
    line = encode_text(json.dumps({"format": _FORMAT, **asdict(intent)}, ensure_ascii=False))
    return line + b"\n" + digest_of(line).encode() + b"\n"


def decode_intent(data: bytes) -> Intent | None:
    """Returns the intent, or None where the checksum is wrong or the fields are none of an intent's: it was never
    committed."""
    line, _, rest = data.partition(b"\n")
    if rest.strip() != digest_of(line).encode():
        return None
    return _intent(parsed_object(line))


def _intent(document: Mapping[str, Any]) -> Intent | None:
    known = {name: document[name] for name in Intent.__dataclass_fields__ if name in document}
    try:
        for name in _LISTS:
            known[name] = tuple(_listed(known, name))
        known["moves"] = tuple(Move(**each) for each in _listed(known, "moves"))
        known["begins"] = tuple(NewFile(**each) for each in _listed(known, "begins"))
        known["edits"] = tuple(TextEdit(**each) for each in _listed(known, "edits"))
        known["sets"] = tuple(SetFile(**each) for each in _listed(known, "sets"))
        known["cuts"] = tuple(LogCut(**each) for each in _listed(known, "cuts"))
        known["corrections"] = tuple(EntryEdit(**each) for each in _listed(known, "corrections"))
        known["rewordings"] = tuple(EntryEdit(**each) for each in _listed(known, "rewordings"))
        known["records"] = tuple(RecordChange(**each) for each in _listed(known, "records"))
        known["forgets"] = tuple(ForgetStep(**each) for each in _listed(known, "forgets"))
        intent = Intent(**known)
    except TypeError:
        return None
    return intent if _holds_its_types(intent) and _stays_inside(intent) else None


def _listed(document: Mapping[str, Any], name: str) -> list[Any]:
    value = document.get(name, [])
    if not isinstance(value, list):
        raise TypeError(name)
    return value


def _stays_inside(intent: Intent) -> bool:
    """Returns whether it names files of the workspace alone: the folder may be one that somebody else handed on."""
    inside, in_home = paths_of(intent), _names_in_home(intent)
    names = (intent.id, *intent.settles, *([intent.undoes] if intent.undoes else []))
    are_names = all(name.isalnum() and len(name) <= _ID_LENGTH for name in names)
    return are_names and all(map(_is_inside, (*inside, *in_home))) and not any("/" in path for path in in_home)


def text_edits(intent: Intent) -> tuple[TextEdit, ...]:
    """Returns the edits of an intent, that of MEMORY.md, too."""
    if intent.memory_after is None:
        return intent.edits
    edit = TextEdit(MEMORY_PATH, intent.memory_before, intent.memory_before_version, intent.memory_after)
    return (edit, *intent.edits)


def paths_of(intent: Intent) -> list[str]:
    """Returns the files and folders that it names, relative to the workspace."""
    paths = [path for move in intent.moves for path in (move.source, move.target)]
    paths += [begun.path for begun in intent.begins] + [edit.path for edit in intent.edits]
    paths += [small.path for small in intent.sets] + [cut.path for cut in intent.cuts]
    paths += [edit.path for edit in intent.corrections]
    paths += [intent.history_path] if intent.history_path else []
    paths += [change.path for change in intent.records if not change.in_home]
    return paths + [step.path for step in intent.forgets if not (step.reason or step.in_home)]


def _names_in_home(intent: Intent) -> list[str]:
    names = [change.path for change in intent.records if change.in_home]
    return names + [step.path for step in intent.forgets if step.in_home and not step.reason]


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not parts[0].startswith("/") and ".." not in parts and not set(path) & set("\0\\:")


_KNOWN: dict[type, dict[str, Any]] = {}
"""The types of the fields of each dataclass that was asked about."""


def _holds_its_types(record: Any) -> bool:
    """Returns whether each field of a dataclass is of its declared type: plain types, None, tuples of one type,
    dataclasses."""
    hints = _hints(type(record))
    return all(_fits(getattr(record, each.name), hints[each.name]) for each in fields(record))


def _hints(kind: type) -> dict[str, Any]:
    if kind not in _KNOWN:
        _KNOWN[kind] = get_type_hints(kind)
    return _KNOWN[kind]


def _fits(value: object, hint: Any) -> bool:
    if get_origin(hint) is UnionType:
        return any(_fits(value, each) for each in get_args(hint))
    if get_origin(hint) is tuple:
        return isinstance(value, tuple) and all(_fits(each, get_args(hint)[0]) for each in value)
    if hint in (None, NoneType):
        return value is None
    # A bool is an int to Python, and no number to anyone else.
    return type(value) is hint and (not is_dataclass(value) or _holds_its_types(value))
