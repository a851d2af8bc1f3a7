"""Reads the stores of other agents on threads of its own: one for what is looked at, one for who wrote which line.

Nothing is written but the private copies that the readers of databases make, and these go when the reading is closed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Final, TypeVar, cast

from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.edit_replay import line_sources
from mnemoscope.domain.foreign.imported import messages_on
from mnemoscope.domain.foreign.records import (
    KINDS,
    ForeignConversation,
    ForeignMemoryFile,
    ForeignRecord,
    LineSource,
    MemoryEdit,
    RecordKind,
)
from mnemoscope.domain.foreign.store import ForeignTranscript, Store

Result = TypeVar("Result")
PAGE: Final = 1_000
"""Messages that are read at once; those before them are read when they are asked for."""
_NEWEST: Final = 30
_RESULT: Final = KINDS.index(RecordKind.RESULT)


@dataclass(frozen=True, slots=True)
class SeenStore:
    """A store as it is listed: its root, the name of its format, what is in it, and what could not be read."""

    root: Path
    title: str
    conversations: tuple[ForeignConversation, ...]
    memory_files: tuple[ForeignMemoryFile, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeenConversation:
    """A part of a conversation of another agent, from message `first` on to the newest, along one branch.

    `branch` is the place in `branches` of the one that is shown, -1 for the active path; `messages` counts all of it.
    `shown` are its messages as a session file holds them, and `index_of` finds the index in the whole, from `first`
    on, of a record's place. `pointer` is such an index: the first message that is still sent word for word, 0 where
    nothing was left out. `newest_alone`: these are its last ones, and where they stand is not known yet.
    """

    shown: tuple[Message, ...]
    first: int = 0
    messages: int = 0
    branch: int = -1
    branches: tuple[int, ...] = ()
    index_of: Mapping[int, int] = field(default_factory=dict)
    pointer: int = 0
    consolidated: int = 0
    summary: str = ""
    compactions: int = 0
    unknown_records: int = 0
    damage: tuple[str, ...] = ()
    newest_alone: bool = False


class ForeignReading:
    """Lists stores, reads conversations and traces lines. Each method may be called on the loop; none blocks it."""

    def __init__(self) -> None:
        self._looking = ThreadPoolExecutor(1, "other-agents")
        self._tracing = ThreadPoolExecutor(1, "other-agents-lines")
        self._stores: dict[Path, Store] = {}
        self._edits: dict[Path, tuple[object, list[MemoryEdit]]] = {}
        self._is_closed = False

    async def usual(self, home: Path, environment: Mapping[str, str]) -> list[Path]:
        """Returns the roots of the stores at their usual places below a home folder."""
        return await self._look(lambda: _usual_roots(home, environment))

    async def listed(self, path: Path) -> SeenStore | None:
        """Returns the store that a folder is or lies in, None where it is of no known format."""
        return await self._look(lambda: self._list(path))

    async def newest(self, root: Path, conversation: str) -> SeenConversation:
        """Returns the newest messages of a conversation, before it is read whole. Raises StorageError."""

        def read() -> SeenConversation:
            records = self._store(root).newest(conversation, _NEWEST)
            shown = tuple(messages_on(_tail(records), range(len(records))))
            return SeenConversation(shown, messages=len(shown), newest_alone=True)

        return await self._look(read)

    async def read(
        self, root: Path, conversation: str, *, branch: int = -1, first: int | None = None, place: int | None = None
    ) -> SeenConversation:
        """Returns a conversation from message `first` on, or the newest `PAGE`; with `place`, on the branch and from
        the message on that holds this record. Raises StorageError."""

        def read() -> SeenConversation:
            with closing(self._store(root).open(conversation)) as transcript:
                return _seen(transcript, branch, first, place)

        return await self._look(read)

    async def stamp(self, root: Path, conversation: ForeignConversation) -> object:
        """Returns what is another value when the file of a conversation changed."""
        return await self._look(lambda: _stamp_of(root / conversation.path))

    async def sources(self, seen: SeenStore, file: ForeignMemoryFile) -> list[LineSource]:
        """Returns who wrote each line of a memory file. Raises StorageError where the conversations cannot be read."""

        def trace() -> list[LineSource]:
            stamp = tuple((each.id, each.updated_at, each.size) for each in seen.conversations)
            known = self._edits.get(seen.root)
            if known is None or known[0] != stamp:
                known = self._edits[seen.root] = stamp, self._edits_of(seen.root)
            return line_sources(file.path, file.text, known[1])

        return await self._run(self._tracing, trace)

    def close(self) -> None:
        """Lets go of all stores, behind what is being read, and ends the threads; a second call does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        self._looking.submit(self._close_stores)
        self._looking.shutdown(wait=False)
        self._tracing.shutdown(wait=False, cancel_futures=True)

    async def _look(self, work: Callable[[], Result]) -> Result:
        return await self._run(self._looking, work)

    async def _run(self, thread: ThreadPoolExecutor, work: Callable[[], Result]) -> Result:
        if self._is_closed:
            raise StorageError("The other agents are not looked at any more.")
        return await asyncio.get_running_loop().run_in_executor(thread, work)

    def _list(self, path: Path) -> SeenStore | None:
        store = _opened(path)
        if store is None:
            return None
        former = self._stores.pop(store.root, None)
        if former is not None:
            former.close()
        self._stores[store.root] = store
        conversations, memory_files = tuple(store.conversations()), tuple(store.memory_files())
        return SeenStore(store.root, _title_of(store), conversations, memory_files, tuple(store.problems()))

    def _store(self, root: Path) -> Store:
        store = self._stores.get(root) or _opened(root)
        if store is None:
            raise StorageError(f"{root.name} is no export and no store of an agent that can be read.")
        return self._stores.setdefault(root, store)

    def _edits_of(self, root: Path) -> list[MemoryEdit]:
        store = _opened(root)
        if store is None:
            return []
        with closing(store):
            return list(self._until_closed(store.edits()))

    def _until_closed(self, edits: Iterator[MemoryEdit]) -> Iterator[MemoryEdit]:
        for edit in edits:
            if self._is_closed:
                return
            yield edit

    def _close_stores(self) -> None:
        for store in self._stores.values():
            store.close()
        self._stores.clear()


# The readers of other agents' formats are loaded where one is asked for, and so on the thread that reads.


def _opened(path: Path) -> Store | None:
    from mnemoscope.store.foreign.catalog import open_store

    return open_store(path)


def _usual_roots(home: Path, environment: Mapping[str, str]) -> list[Path]:
    from mnemoscope.store.foreign.catalog import usual_stores

    return list(dict.fromkeys(root for _, root in usual_stores(home, environment)))


def _title_of(store: Store) -> str:
    from mnemoscope.store.foreign.catalog import READERS

    titles = {reader.format.name: reader.format.title for reader in READERS}
    return titles.get(store.format_name, store.format_name)


def _tail(records: Sequence[ForeignRecord]) -> ForeignTranscript:
    return cast("ForeignTranscript", SimpleNamespace(shape=SimpleNamespace(parts={}), record=records.__getitem__))


def _seen(transcript: ForeignTranscript, branch: int, first: int | None, place: int | None) -> SeenConversation:
    shape = transcript.shape
    path: Sequence[int] = shape.active
    if place is not None:
        branch, place = _branch_of(transcript, place)
    if 0 <= branch < len(shape.branches):
        path = transcript.path_to(shape.branches[branch])
    else:
        branch = -1
    begin = max(0, len(path) - PAGE) if first is None else max(0, first)
    if place is not None and place in path:
        begin = min(begin, list(path).index(place))
    # A result is shown with its call.
    while begin > 0 and shape.kinds[path[begin]] == _RESULT:
        begin -= 1
    shown = messages_on(transcript, path[begin:])
    index_of = _indices(shape.kinds, path[begin:], shown, begin, shape.parts)
    kept = shape.last_consolidated
    mark = shape.compactions[-1] if shape.compactions else None
    still_sent = shape.active[kept] if kept < len(shape.active) else -1
    pointer = index_of.get(still_sent, 0) if mark is not None else 0
    if mark is not None and branch < 0 and kept >= len(shape.active):
        pointer = begin + len(shown)
    summary = ""
    if mark is not None and mark.summary is not None:
        with suppress(IndexError):
            summary = transcript.record(mark.summary).text
    return SeenConversation(
        tuple(shown),
        begin,
        len(path),
        branch,
        tuple(shape.branches),
        index_of,
        pointer,
        kept,
        summary,
        len(shape.compactions),
        shape.unknown_records,
        tuple(shape.damage),
    )


def _branch_of(transcript: ForeignTranscript, place: int) -> tuple[int, int]:
    """Returns the branch that a record is on, and the place under which its message stands."""
    shape = transcript.shape
    head = next((each for each, parts in shape.parts.items() if place in parts), place)
    if head in shape.active:
        return -1, head
    for number, end in enumerate(shape.branches):
        if head in transcript.path_to(end):
            return number, head
    return -1, head


def _indices(
    kinds: bytes, path: Sequence[int], shown: Sequence[Message], begin: int, parts: Mapping[int, tuple[int, ...]]
) -> dict[int, int]:
    """Returns the index of each record on a path: a call that was put before its result takes an index too."""
    found: dict[int, int] = {}
    at = 0
    for place in path:
        if kinds[place] == _RESULT and shown[at].get("role") != "tool":
            at += 1
        found.update(dict.fromkeys((place, *parts.get(place, ())), begin + at))
        at += 1
    return found


def _stamp_of(path: Path) -> tuple[tuple[int, int, int] | None, ...]:
    # A database's newest rows stand in its log.
    return tuple(_state(each) for each in (path, path.with_name(f"{path.name}-wal")))


def _state(path: Path) -> tuple[int, int, int] | None:
    try:
        state = path.stat()
    except (OSError, ValueError):
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino


def newest_first(stores: Sequence[SeenStore]) -> list[tuple[SeenStore, ForeignConversation]]:
    """Returns the conversations of all stores, newest first; those without a time last."""
    both = [(store, each) for store in stores for each in store.conversations]
    return sorted(both, key=lambda pair: _time_of(pair[1]), reverse=True)


def _time_of(conversation: ForeignConversation) -> float:
    when: datetime | None = conversation.updated_at or conversation.created_at
    with suppress(OverflowError, OSError, ValueError):
        return when.timestamp() if when is not None else float("-inf")
    return float("-inf")
