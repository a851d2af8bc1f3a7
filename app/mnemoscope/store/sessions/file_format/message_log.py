"""The messages of a session: append-only, read from the file when looked at, in memory until durable.

For whoever reads they are a list, as in nanobot: json.dumps takes nothing else.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from threading import RLock
from typing import Any, Final, NoReturn, Protocol, SupportsIndex, overload, runtime_checkable

from mnemoscope.domain.conversation.message import Message, is_deleted
from mnemoscope.store.files.json_record import RecordDamaged
from mnemoscope.store.sessions.file_format.record_line import decode_message, placeholder
from mnemoscope.store.sessions.file_format.session_file import Change, SessionFile, StaleFile
from mnemoscope.store.sessions.file_format.session_index import Damage, SessionIndex, locate_line

_KEPT_BYTES: Final = 2 << 20
"""Decoded they take two to three times as much. With a quarter of it, opening a conversation of 10,000 messages
takes 116 ms in place of 82."""
_BATCH: Final = 64
_MOVED: Final = "was changed in the file by another program and has to be read again"


@dataclass(slots=True)
class MessageBlock:
    """Holds the lines of a block; a line is replaced by its message once it was decoded."""

    lines: list[bytes | Message]
    size: int
    """In bytes of the file."""


@dataclass(slots=True)
class LocatedMessage:
    """Points at a message in its file, as the file was when it was looked up."""

    file: SessionFile
    index: SessionIndex
    block: MessageBlock
    number: int
    place: int
    """Of its line in the block."""

    def message(self) -> Message:
        """Returns the message; `{"role": "damaged", …}` where it cannot be read. Raises StaleFile."""
        line = self.block.lines[self.place]
        if isinstance(line, bytes):
            line = self.block.lines[self.place] = self._decoded(line)
        return line

    def _decoded(self, line: bytes) -> Message:
        index, number = self.index, self.number
        known = index.damaged.get(number)
        if known:
            return placeholder(known.reason)
        try:
            return decode_message(line)
        except RecordDamaged as damage:
            # The block is read again for the offset: damage is rare, and offsets of sound lines are not kept.
            data = self.file.read(index, *index.span(index.block_of(number)))
            index.damaged[number] = locate_line(data, index, number, str(damage))
            return placeholder(str(damage))


class MessageBlocks:
    """Keeps the blocks of a file that were looked at last. Not for two threads at once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int], MessageBlock] = OrderedDict()
        """By the index's generation and the offset at which a block begins."""
        self.size = 0
        """In bytes of the file."""

    def clear(self) -> None:
        """Drops all blocks, since another file is read from now on."""
        self._kept.clear()
        self.size = 0

    def find(self, file: SessionFile, number: int) -> LocatedMessage:
        """Returns where message `number` stands. Raises StaleFile where another program changed the file."""
        index = file.index
        block_number = index.block_of(number)
        start, stop = index.span(block_number)
        key = (index.generation, start)
        block = self._kept.get(key)
        if block is None or block.size != stop - start:
            lines: list[bytes | Message] = list(file.block(index, block_number))
            if block is not None:
                # The last block grows with each append: what was decoded of it stays decoded. Only its last line may
                # have been one without an end.
                known = block.lines[: min(len(block.lines), len(lines)) - 1]
                lines[: len(known)] = known
                self.size -= block.size
            block = self._kept[key] = MessageBlock(lines, stop - start)
            self.size += block.size
        self._kept.move_to_end(key)
        self._drop_oldest()
        return LocatedMessage(file, index, block, number, number - index.firsts[block_number])

    def _drop_oldest(self) -> None:
        while self.size > _KEPT_BYTES and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self.size -= oldest.size


@runtime_checkable
class DeletionLookup(Protocol):
    """Knows without reading all messages which of them are deleted."""

    @property
    def deleted(self) -> list[int]:
        """Returns their numbers, ascending."""
        ...


def deleted_in(messages: Sequence[Message]) -> list[int]:
    """Returns the numbers of the messages that are deleted, ascending. What is made on demand is not read for it."""
    if isinstance(messages, DeletionLookup):
        return messages.deleted
    if not isinstance(messages, list):
        return []
    return [number for number, message in enumerate(messages) if is_deleted(message)]


class MessageLog(list[Message]):
    """Holds a list of messages that can only grow; `copy`, `+` and slices give ordinary lists.

    The list's own storage stays empty, and every method of a list is answered here: what reads does so message by
    message, and what would change or take out a message raises TypeError.

    Message numbers are stable: a line that cannot be read keeps its place as `{"role": "damaged", …}`. Messages come
    from the attached file, decoded on demand; what was appended and is not in the file yet follows them. Do not
    change a message after it was appended. May be read on one thread while another one saves.
    """

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        super().__init__()
        self._file: SessionFile | None = None
        self._pending: list[Message] = list(messages)
        self._blocks = MessageBlocks()
        self._lock = RLock()
        self._end = self._mark(0)
        self.cleared = False
        """The log was cleared while its file was not."""

    @property
    def file(self) -> SessionFile | None:
        """Returns the file the messages are in; None before the first save."""
        return self._file

    @property
    def durable(self) -> int:
        """Returns how many messages are in the file."""
        return self._file.index.count if self._file else 0

    @property
    def pending(self) -> list[Message]:
        """Returns the messages that are not in the file yet, oldest first."""
        with self._lock:
            return self._pending[:]

    @property
    def damage(self) -> dict[int, Damage]:
        """Returns the lines known to be unreadable, by message number; decoding may find more."""
        return dict(self._file.index.damaged) if self._file else {}

    @property
    def deleted(self) -> list[int]:
        """Returns the numbers of the messages that are deleted, ascending, without decoding the file."""
        with self._lock:
            numbers = list(self._file.index.deleted) if self._file else []
            return numbers + [number for number, each in enumerate(self._pending, self.durable) if is_deleted(each)]

    def append(self, message: Message) -> None:
        """Adds a message; it is durable after the session was saved."""
        with self._lock:
            self._pending.append(message)

    def extend(self, messages: Iterable[Message]) -> None:
        """Adds several messages."""
        with self._lock:
            self._pending.extend(messages)

    def successor(self, messages: Iterable[Message] = ()) -> MessageLog:
        """Returns the log that takes the place of this one, with other messages and no file.

        This one stays as it is: who shows it goes on reading it until told of the other.
        """
        log = MessageLog(messages)
        log.cleared = self.cleared or self._file is not None
        return log

    def attach(self, file: SessionFile | None) -> None:
        """Takes the messages of `file` as the first ones."""
        with self._lock:
            self._file = file
            self._blocks.clear()
            self.note_end()

    def withdraw(self, message: Message) -> bool:
        """Drops the last message if it is this one and is not in the file; returns whether it was dropped."""
        with self._lock:
            found = bool(self._pending) and self._pending[-1] is message
            del self._pending[len(self._pending) - found :]
            return found

    def settle(self, file: SessionFile, written: int) -> None:
        """Reads the first `written` pending messages from `file` from now on, since they are in it."""
        with self._lock:
            file.refresh()
            self._file = file
            del self._pending[:written]
            self.note_end()

    def reread(self) -> None:
        """Takes in that this program replaced records of the file. Raises UnreadableFile."""
        with self._lock:
            if self._file is not None and self._file.refresh() is Change.REWRITTEN:
                self.note_end()

    def note_end(self) -> None:
        """Notes the newest message of the file: by it a file that was replaced is told from one that grew."""
        with self._lock:
            self._end = self._mark(self.durable)

    def continues(self, former: MessageLog) -> bool:
        """Returns whether the file holds what `former`, or this log itself, held at `note_end`, as its newest message
        tells."""
        with self._lock:
            return former.known <= self.durable and _is_same_end(self._mark(former.known), former._end)

    @property
    def known(self) -> int:
        """Returns how many messages the file held when `note_end` was called."""
        return self._end[0]

    def _mark(self, count: int) -> tuple[int, tuple[str, ...]]:
        message = self._message(count - 1) if count else {}
        words = ("", "") if is_deleted(message) else (repr(message.get("role")), repr(message.get("content")))
        return count, (*words, repr(message.get("timestamp")))

    def check(self) -> dict[int, Damage]:
        """Decodes the messages of the file to find damage that does not show at first sight."""
        for number in range(self.durable):
            self[number]
        return self.damage

    def __len__(self) -> int:
        with self._lock:
            return self.durable + len(self._pending)

    def __iter__(self) -> Iterator[Message]:
        number = 0
        while batch := self[number : number + _BATCH]:
            yield from batch
            number += len(batch)

    @overload
    def __getitem__(self, place: SupportsIndex) -> Message: ...
    @overload
    def __getitem__(self, place: slice) -> list[Message]: ...
    def __getitem__(self, place: SupportsIndex | slice) -> Message | list[Message]:
        if isinstance(place, slice):
            return self._several(range(*place.indices(len(self))))
        with self._lock:
            number = place.__index__()
            number += len(self) if number < 0 else 0
            if not 0 <= number < len(self):
                raise IndexError(f"there is no message {place}")
            return self._message(number)

    def _several(self, numbers: range) -> list[Message]:
        # The lock is held for one message at a time: one thread may read all of them while another shows a few.
        messages: list[Message] = []
        with suppress(IndexError):
            messages.extend(map(self._message, numbers))
        return messages

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (MessageLog, list, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=False))

    def __ne__(self, other: object) -> bool:
        same = self.__eq__(other)
        return same if same is NotImplemented else not same

    __hash__ = None

    def __reversed__(self) -> Iterator[Message]:
        return (self[number] for number in range(len(self) - 1, -1, -1))

    def __contains__(self, message: object) -> bool:
        return any(each == message for each in self)

    def index(self, message: Message, start: SupportsIndex = 0, stop: SupportsIndex | None = None, /) -> int:
        """Returns the number of the first message like this one. Raises ValueError where there is none."""
        for number in range(*slice(start, stop).indices(len(self))):
            if self[number] == message:
                return number
        raise ValueError("there is no such message")

    def count(self, message: Message, /) -> int:
        """Returns how many messages are like this one."""
        return sum(each == message for each in self)

    def copy(self) -> list[Message]:
        """Returns the messages as they are now, in a list that no longer follows."""
        return list(self)

    __copy__ = copy

    def __deepcopy__(self, known: dict[int, Any]) -> list[Message]:
        return deepcopy(list(self), known)

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[type[list[Message]], tuple[list[Message]]]:
        return list, (list(self),)

    def __add__(self, others: Iterable[Message]) -> list[Message]:  # type: ignore[override]
        return [*self, *others] if isinstance(others, list) else NotImplemented

    def __radd__(self, others: list[Message]) -> list[Message]:
        return [*others, *self] if isinstance(others, list) else NotImplemented

    def __iadd__(self, others: Iterable[Message]) -> MessageLog:  # type: ignore[override]
        self.extend(others)
        return self

    def __mul__(self, times: SupportsIndex) -> list[Message]:
        return list(self) * times

    __rmul__ = __mul__

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("A conversation can only grow. Change a copy of its messages, or assign others to it.")

    __setitem__ = __delitem__ = insert = pop = remove = reverse = sort = clear = _refuse
    __imul__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = _refuse

    def __repr__(self) -> str:
        return f"<MessageLog of {len(self)} messages, {len(self._pending)} not saved>"

    def _message(self, number: int) -> Message:
        try:
            with self._lock:
                durable, file = self.durable, self._file
                if file is None or number >= durable:
                    return self._pending[number - durable]
                found = self._blocks.find(file, number)
            return found.message()
        except StaleFile:
            return placeholder(_MOVED)


def _is_same_end(one: tuple[int, tuple[str, ...]], other: tuple[int, tuple[str, ...]]) -> bool:
    """Returns whether two marks are of the same message, also where it was deleted, or came back, in between."""
    deleted = ("", "") in (one[1][:2], other[1][:2])
    return one == other or (deleted and (one[0], one[1][2]) == (other[0], other[1][2]))
