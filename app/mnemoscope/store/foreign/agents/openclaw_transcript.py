"""One transcript of OpenClaw: the records of its agent `pi`, whether they stand in a file of JSON lines or in a
database.

- The first record is `session`, with `version` and `cwd`. Version 1 is linear and its records have no ids; from 2 on
  each has `id` and `parentId`. A record without `parentId`, or whose parent is not there, hangs on the current leaf.
- The leaf is the last record, unless a `leaf` record (`targetId`, `appendParentId`) moved it: what names that record
  as its parent hangs on its target, and it counts only where target and append parent are known. A record with
  `appendMode` "side" does not move the leaf, nor does one of a type that is not known; what is written after them
  names them as its parent and hangs on the leaf all the same.
- `message` holds a `message` by `role`: user, assistant, toolResult; the others (bashExecution, custom, hookMessage)
  are no messages here. Content is a text or blocks: `text`, `image`, `thinking`, `toolCall`. A user's message may come
  from another session (`provenance`). `__openclaw.modelPromptProjection` is what the model was really sent in its
  place.
- `compaction` has `summary` and `firstKeptEntryId` (version 1: `firstKeptEntryIndex`): the model is sent the summary
  and what follows from that record on. `reset`, which `/new` writes, is such a boundary without a summary, and nothing
  is kept where it names nothing.

From the public source of pi and OpenClaw up to 2026.9.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

import msgspec

from mnemoscope.domain.foreign.foreign_records import (
    KINDS,
    MESSAGES,
    CompactionMark,
    ForeignCall,
    ForeignRecord,
    RecordKind,
    TranscriptShape,
)
from mnemoscope.domain.foreign.message_tree import NO_PARENT, branch_ends, path_to
from mnemoscope.store.files.json_record import RecordDamaged, decode_object
from mnemoscope.store.foreign.reading.json_lines import damage_sentences, lenient_decoder, line_or_nothing
from mnemoscope.store.foreign.reading.record_values import json_value, object_in, raw_shown, stated_moment, text_in

_ABSENT: Final = "\x00"
"""The value of a field that the record does not have, or in which it has something else than a text."""
_ASIDES: Final = frozenset(
    {
        "session",
        "thinking_level_change",
        "model_change",
        "custom",
        "custom_message",
        "label",
        "session_info",
        "leaf",
        "reset",
    }
)
SNAPSHOT: Final = "session_entry_snapshot"
"""The type of what a database notes beside a conversation: no record of its own format, and never a leaf."""
_SUMMARIES: Final = frozenset({"compaction", "branch_summary"})
_BOUNDARIES: Final = frozenset({"compaction", "reset"})
_MOVING: Final = (_ASIDES | _SUMMARIES | {"message"}) - {"session", "leaf"}
"""The types that become the leaf when they are appended."""
_ROLES: Final[Mapping[str, RecordKind]] = {
    "toolResult": RecordKind.RESULT,
    "branchSummary": RecordKind.SUMMARY,
    "compactionSummary": RecordKind.SUMMARY,
    **dict.fromkeys(("bashExecution", "custom", "hookMessage", "system", "developer"), RecordKind.ASIDE),
}
_CALLS: Final = frozenset({"toolCall", "toolUse", "tool_use", "functionCall"})
WRITING_TOOLS: Final = frozenset({"write", "edit", "apply_patch"})
_NOT_THE_PERSON: Final = frozenset({"inter_session", "internal_system"})
_INJECTED: Final = ("A new session was started via /new or /reset", "[Inter-session message]")
_NUMBER: Final = {kind: number for number, kind in enumerate(KINDS)}
_IS_MESSAGE: Final = bytes(number < len(KINDS) and KINDS[number] in MESSAGES for number in range(256))


class _Block(msgspec.Struct, frozen=True):
    type: str = ""
    text: str = ""
    id: str = ""
    name: str = ""


class _Provenance(msgspec.Struct, frozen=True):
    kind: str = ""


class _Message(msgspec.Struct, frozen=True):
    role: str = ""
    content: str | list[_Block | str] = ""
    provenance: _Provenance | None = None
    tool_call_id: str = msgspec.field(default="", name="toolCallId")
    is_error: bool = msgspec.field(default=False, name="isError")


class PiLine(msgspec.Struct, frozen=True, rename="camel"):
    """Holds the fields of a record that the shape of a transcript needs."""

    type: str = ""
    id: str = ""
    parent_id: str | None = _ABSENT
    target_id: str | None = _ABSENT
    append_parent_id: str | None = _ABSENT
    append_mode: str | None = None
    first_kept_entry_id: str | None = None
    first_kept_entry_index: int | None = None
    message: _Message | None = None
    cwd: str = ""


_decode = lenient_decoder(PiLine)


def pi_line(line: bytes) -> PiLine:
    """Decodes a record for the shape. Raises RecordDamaged."""
    record = _decode(line)
    if record.type == "message" and record.message is None:
        raise RecordDamaged("has no message")
    return record


class RecordLines(Protocol):
    """Holds the records of a transcript, wherever they stand. `damage` and `unfinished` are known once they are
    read."""

    damage: list[str]
    unfinished: int

    def read(self) -> Iterator[tuple[int, PiLine | None]]:
        """Yields the place and entry of each record, None for a damaged one."""

    def line(self, place: int) -> bytes:
        """Returns the bytes of one record. Raises IndexError and RecordDamaged."""

    def close(self) -> None:
        """Closes what is open. A second call does nothing."""


def record_kind(line: PiLine) -> RecordKind:
    """Returns what a record is."""
    if line.message is not None and line.type == "message":
        return _kind_of_message(line.message)
    if line.type in _ASIDES or line.type == SNAPSHOT:
        return RecordKind.ASIDE
    return RecordKind.SUMMARY if line.type in _SUMMARIES else RecordKind.UNKNOWN


def _kind_of_message(message: _Message) -> RecordKind:
    if message.role not in ("user", "assistant"):
        return _ROLES.get(message.role, RecordKind.UNKNOWN)
    blocks = [_Block("text", message.content)] if isinstance(message.content, str) else message.content
    texts = [block if isinstance(block, str) else block.text for block in blocks]
    types = {block.type for block in blocks if isinstance(block, _Block)}
    speaks = any(text.strip() for text in texts)
    if message.role == "assistant":
        return RecordKind.ANSWER if speaks or types & _CALLS else RecordKind.ASIDE
    is_foreign = message.provenance is not None and message.provenance.kind in _NOT_THE_PERSON
    is_injected = is_foreign or any(text.startswith(_INJECTED) for text in texts[:1])
    return RecordKind.PERSON if (speaks or "image" in types) and not is_injected else RecordKind.ASIDE


class TranscriptScan:
    """Goes over the records once, in their order, and finds the tree and its leaf."""

    def __init__(self) -> None:
        self.kinds = bytearray()
        self.parents = array("i")
        self.leaf = NO_PARENT
        self.boundaries: dict[int, int | None] = {}
        """The places of boundaries, with the place of the first record that each keeps."""
        self.cwd = ""
        self.writes: set[tuple[int, str]] = set()
        """The calls that wrote a file and did not fail: the places of their answers, and their ids."""
        self._written_at: dict[str, int] = {}
        self._append = NO_PARENT
        self._places: dict[str, int] = {}
        self._leaf_records: dict[int, bool] = {}
        """The places of `leaf` records, and whether they count."""

    def take(self, line: PiLine | None) -> None:
        """Takes one record, None for a damaged one."""
        place = len(self.parents)
        self.kinds.append(_NUMBER[RecordKind.DAMAGED if line is None else record_kind(line)])
        self.parents.append(NO_PARENT)
        if line is None:
            return
        self.cwd = self.cwd or line.cwd
        if line.id and line.id in self._places:
            # Once more the same record: it is shown where it stood first.
            self.kinds[place] = _NUMBER[RecordKind.ASIDE]
        elif line.type == "leaf":
            self._take_leaf(place, line)
        elif line.type in _MOVING:
            self._take_entry(place, line)
            self._take_calls(place, line.message)
        elif line.type != "session" and line.id and line.parent_id != _ABSENT:
            self.parents[place] = self._parent_of(line)
            self._append = place
        if line.id and line.type != "session":
            self._places.setdefault(line.id, place)

    def _take_entry(self, place: int, line: PiLine) -> None:
        parent = self._parent_of(line)
        is_side = line.append_mode == "side"
        is_after_aside = line.parent_id != _ABSENT and parent == self._append and self._append != self.leaf
        self.parents[place] = self.leaf if is_after_aside and not is_side else parent
        if line.type in _BOUNDARIES:
            self.boundaries[place] = self._kept_place(line)
        self._append = place
        if not is_side:
            self.leaf = place

    def _take_calls(self, place: int, message: _Message | None) -> None:
        if message is None:
            return
        if message.is_error and message.role == "toolResult":
            # Some models give each call of a turn the same ids as in the turn before.
            self.writes.discard((self._written_at.get(message.tool_call_id, NO_PARENT), message.tool_call_id))
        for block in message.content:
            if isinstance(block, _Block) and block.type in _CALLS and block.name in WRITING_TOOLS:
                self.writes.add((place, block.id))
                self._written_at[block.id] = place

    def _take_leaf(self, place: int, line: PiLine) -> None:
        append_id = line.target_id if line.append_parent_id == _ABSENT else line.append_parent_id
        counts = line.append_mode in (None, "side") and self._is_known(line.target_id) and self._is_known(append_id)
        self._leaf_records[place] = counts
        if counts:
            self.parents[place] = self.leaf = self._place_of(line.target_id)
            self._append = self._place_of(append_id)
        else:
            self.parents[place] = self._parent_of(line)

    def _is_known(self, name: str | None) -> bool:
        if name is None:
            return True
        place = self._places.get(name)
        return place is not None and self._leaf_records.get(place, True)

    def _place_of(self, name: str | None) -> int:
        """Returns the place of a record by its id, that of its target for a `leaf` record."""
        place = NO_PARENT if name is None else self._places.get(name, self.leaf)
        return self.parents[place] if place in self._leaf_records else place

    def _parent_of(self, line: PiLine) -> int:
        return self.leaf if line.parent_id == _ABSENT else self._place_of(line.parent_id)

    def _kept_place(self, line: PiLine) -> int | None:
        if line.first_kept_entry_id is not None:
            return self._places.get(line.first_kept_entry_id)
        index = line.first_kept_entry_index
        return index if index is not None and 0 <= index < len(self.parents) else None

    def shape(self, damage: Sequence[str]) -> TranscriptShape:
        """Returns the shape of what was taken."""
        path = path_to(self.parents, self.leaf)
        active = array("i", (place for place in path if _IS_MESSAGE[self.kinds[place]]))
        is_message = self.kinds.translate(_IS_MESSAGE)
        return TranscriptShape(
            bytes(self.kinds),
            active,
            {},
            tuple(self._marks(path, active)),
            branch_ends(self.parents, is_message, active),
            tuple(damage),
        )

    def _marks(self, path: Sequence[int], active: Sequence[int]) -> Iterator[CompactionMark]:
        steps = {place: step for step, place in enumerate(path)}
        message_steps = [steps[place] for place in active]
        for place in path:
            if place in self.boundaries:
                kept = self.boundaries[place]
                first = steps.get(kept, steps[place]) if kept is not None else steps[place]
                is_summary = KINDS[self.kinds[place]] is RecordKind.SUMMARY
                yield CompactionMark(
                    bisect_left(message_steps, min(first, steps[place])), place if is_summary else None
                )


class OpenClawTranscript:
    """Holds a transcript that was read once. Its records are decoded when they are asked for."""

    def __init__(self, lines: RecordLines) -> None:
        """Reads all of it. Raises StorageError where it is gone."""
        self._lines = lines
        scan = TranscriptScan()
        for _, line in lines.read():
            scan.take(line)
        self.cwd = scan.cwd
        """The folder that the agent worked in, "" where that is not told."""
        self.writes = scan.writes
        """The calls that wrote a file and did not fail: the places of their answers, and their ids."""
        self._parents = scan.parents
        self._shape = scan.shape(damage_sentences(lines))

    @property
    def shape(self) -> TranscriptShape:
        """Returns what is shown and counted."""
        return self._shape

    def record(self, place: int) -> ForeignRecord:
        """Returns one record."""
        if not 0 <= place < len(self._shape.kinds):
            raise IndexError(f"there is no record {place}")
        return shown_record(line_or_nothing(self._lines, place), KINDS[self._shape.kinds[place]])

    def path_to(self, place: int) -> Sequence[int]:
        """Returns the messages up to one."""
        return [each for each in path_to(self._parents, place) if _IS_MESSAGE[self._shape.kinds[each]]]

    def last_text_before(self, place: int) -> int | None:
        """Returns the place of the person's last text before a record, on its own branch."""
        person = _NUMBER[RecordKind.PERSON]
        return next(
            (each for each in reversed(path_to(self._parents, place)) if self._shape.kinds[each] == person), None
        )

    def close(self) -> None:
        """Closes the file or database of the records."""
        self._lines.close()


def shown_record(line: bytes, kind: RecordKind) -> ForeignRecord:
    """Returns a record for reading."""
    raw = raw_shown(line.decode("utf-8", "replace"))
    try:
        record = decode_object(line)
    except RecordDamaged:
        return ForeignRecord(RecordKind.DAMAGED, raw=raw)
    message = object_in(record.get("message")) if record.get("type") == "message" else {}
    content = message.get("content", record.get("summary", record.get("content")))
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    is_result = kind is RecordKind.RESULT
    return ForeignRecord(
        kind=kind,
        id=text_in(record.get("id")),
        text=_text_of(content),
        when=stated_moment(message.get("timestamp")) or stated_moment(record.get("timestamp")),
        model=text_in(message.get("model")),
        calls=tuple(_call_of(block) for block in blocks if text_in(block.get("type")) in _CALLS),
        answers=text_in(message.get("toolCallId")) if is_result else "",
        tool=text_in(message.get("toolName")) if is_result else "",
        failed=is_result and message.get("isError") is True,
        images=sum(block.get("type") == "image" for block in blocks),
        raw=raw,
        sent=_projection(message),
    )


def _projection(message: Mapping[str, Any]) -> str:
    projection = object_in(object_in(message.get("__openclaw")).get("modelPromptProjection"))
    return text_in(projection.get("text")) if projection.get("version") == 1 else ""


def _text_of(content: object) -> str:
    if not isinstance(content, list):
        return text_in(content)
    blocks = (block.get("text") if isinstance(block, dict) else block for block in content)
    return "\n".join(text for text in blocks if isinstance(text, str) and text)


def _call_of(block: Mapping[str, Any]) -> ForeignCall:
    arguments = block.get("arguments", block.get("input"))
    if isinstance(arguments, str):
        arguments = json_value(arguments)
    return ForeignCall(text_in(block.get("id")), text_in(block.get("name")), object_in(arguments))
