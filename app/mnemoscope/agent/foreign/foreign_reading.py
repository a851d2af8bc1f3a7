"""Reads the stores of other agents on threads of its own: one for what is looked at, one for who wrote which line.

Nothing is written but the private copies that the readers of databases make, and these go when the reading is closed.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import accumulate
from operator import itemgetter
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import Final, TypeVar, cast

from mnemoscope.domain.cancellation import GoesOn
from mnemoscope.domain.conversation.message import SUMMARY_ROLE, Message
from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.edit_replay import line_sources, with_commits
from mnemoscope.domain.foreign.foreign_records import (
    KINDS,
    LONG_AGO,
    CompactionMark,
    ForeignConversation,
    ForeignMemoryFile,
    ForeignRecord,
    ForeignRole,
    LineSource,
    MemoryCommit,
    MemoryEdit,
    RecordKind,
    TranscriptShape,
    newest_first,
)
from mnemoscope.domain.foreign.foreign_store import ForeignStore, ForeignTranscript, KeepsCommits
from mnemoscope.domain.foreign.imported_conversation import local_time, messages_on, record_indices
from mnemoscope.domain.health.disagreeing_lines import disagreeing_lines
from mnemoscope.domain.health.examination import examined
from mnemoscope.domain.health.report import FindingKind, Growth, HealthFinding, HealthReport, MemoryCost, SentFile
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.facts import fact_lines
from mnemoscope.store.files.file_stamp import FileStamp, stamp_of
from mnemoscope.store.foreign.store_formats import open_store, title_of_format, usual_stores

Result = TypeVar("Result")
PAGE: Final = 1_000
"""Messages that are read at once; those before them are read when they are asked for."""
NEWEST_OTHERS: Final = 500
"""Records of each kind that are handed out where they are no messages."""
_OTHER_KINDS: Final = (RecordKind.UNKNOWN, RecordKind.DAMAGED, RecordKind.SUBAGENT, RecordKind.ASIDE)
_NEWEST: Final = 30
_DAYS: Final = 30
"""Days of which the requests of an agent are counted."""
_MOST_ASKED: Final = 200
"""Conversations in which they are counted, the newest."""
_CURVES: Final = 3
"""Files of which the growth is told one by one, the largest."""
_WITHOUT_LOG: Final = frozenset({"", ".jsonl", ".json", ".md"})
"""The ends of names that no database has, beside which its log would lie."""
_ANSWER: Final = KINDS.index(RecordKind.ANSWER)
_RESULT: Final = KINDS.index(RecordKind.RESULT)
_SUMMARY: Final = KINDS.index(RecordKind.SUMMARY)


@dataclass(frozen=True, slots=True)
class SeenStore:
    """Describes a store as it is listed: its root, the name of its format, what is in it, and what could not be
    read."""

    root: Path
    title: str
    conversations: tuple[ForeignConversation, ...]
    memory_files: tuple[ForeignMemoryFile, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeenConversation:
    """Describes a part of a conversation of another agent, from message `first` on to the newest, along one branch.

    `branch` is the place in `branches` of the one that is shown, -1 for the active path; `messages` counts the messages
    of its whole path. `shown` are those from `first` on as a session file holds them; where a compaction stands, its
    summary is among them as a message of the role "summary". Indices count these summaries too: `index_of` finds, from
    `first` on, that of a record's place, `earlier` holds a byte for each message before `first`, an index in `KINDS`,
    `pointer` is the first message that is still sent word for word, 0 where nothing was left out, and `entries` are the
    compactions, oldest first. `consolidated` is how many messages stand before the first from which on all are sent,
    and `some_kept` says that some of them still are. `newest_alone`: these are its last messages, and where they stand
    is not known yet.
    """

    shown: tuple[Message, ...]
    first: int = 0
    messages: int = 0
    branch: int = -1
    branches: tuple[int, ...] = ()
    index_of: Mapping[int, int] = field(default_factory=dict)
    earlier: bytes = b""
    pointer: int = 0
    consolidated: int = 0
    some_kept: bool = False
    entries: tuple[ConsolidationRecord, ...] = ()
    compactions: int = 0
    unknown_records: int = 0
    other_records: int = 0
    """Whole records that are no messages of this path and of no unknown kind, damaged ones with them."""
    damage: tuple[str, ...] = ()
    newest_alone: bool = False

    @property
    def total(self) -> int:
        """Returns one past the index of the last message."""
        return self.first + len(self.shown)


@dataclass(frozen=True, slots=True)
class OtherRecord:
    """Describes a record that is no message of the conversation: its number in the transcript, from 1 on, and how it
    stands there, shortened where it is long."""

    number: int
    when: datetime | None
    raw: str


@dataclass(frozen=True, slots=True)
class OtherRecords:
    """Holds the newest records of a kind that is no message, and how many there are."""

    newest: tuple[OtherRecord, ...]
    count: int


class ForeignReading:
    """Lists stores, reads conversations and traces lines. Each method may be called on the loop; none blocks it."""

    def __init__(self) -> None:
        self._looking = ThreadPoolExecutor(1, "other-agents")
        self._tracing = ThreadPoolExecutor(1, "other-agents-lines")
        self._stores: dict[Path, ForeignStore] = {}
        self._edits: dict[Path, tuple[object, list[MemoryEdit]]] = {}
        self._watched: dict[Path, _Watched] = {}
        self._traced: Path | None = None
        """The store whose lines were asked for last; those of another one are not waited for any more."""
        self._is_closed = False

    async def usual(self, home: Path, environment: Mapping[str, str]) -> list[Path]:
        """Returns the roots of the stores at their usual places below a home folder."""
        return await self._look(lambda: list(_usual_stores(home, environment)))

    async def places(
        self, home: Path, environment: Mapping[str, str], folders: Sequence[Path], *, everywhere: bool
    ) -> list[tuple[str, Path]]:
        """Returns the stores there are, each with the name of its agent and its root, and reads nothing in them: those
        at their usual places where `everywhere`, and those in these folders."""

        def look() -> list[tuple[str, Path]]:
            found = _usual_stores(home, environment) if everywhere else {}
            for folder in folders:
                store = open_store(folder)
                if store is not None:
                    found.setdefault(store.root, title_of_format(store.format_name))
                    store.close()
            return [(title, root) for root, title in found.items()]

        return await self._look(look)

    async def changed(self) -> list[Path]:
        """Returns the roots of the listed stores in which a file came, went or changed since they were listed."""
        return await self._look(
            lambda: [root for root, watched in self._watched.items() if watched.stamp() != watched.listed]
        )

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

    async def others(self, root: Path, conversation: str) -> dict[RecordKind, OtherRecords]:
        """Returns the records of a conversation that are no messages, by their kinds. Raises StorageError."""

        def read() -> dict[RecordKind, OtherRecords]:
            with closing(self._store(root).open(conversation)) as transcript:
                return _others(transcript)

        return await self._look(read)

    async def stamp(self, root: Path, conversation: ForeignConversation) -> object:
        """Returns what is another value when the file of a conversation changed."""
        return await self._look(lambda: _stamp_of(os.path.join(root, conversation.path)))

    async def sources(self, seen: SeenStore, file: ForeignMemoryFile) -> list[LineSource]:
        """Returns who wrote each line of a memory file. Raises StorageError where the conversations cannot be read, and
        where the lines of another store were asked for before they were."""
        self._traced = seen.root

        def goes_on() -> bool:
            return not self._is_closed and self._traced == seen.root

        return await self._run(self._tracing, lambda: self._sources(seen, file, goes_on))

    async def health(self, seen: SeenStore, today: date) -> HealthReport:
        """Returns the health of a store's memory: faults of its lines, and how what stands today came together. Raises
        StorageError where the conversations cannot be read."""

        def goes_on() -> bool:
            return not self._is_closed

        def read() -> HealthReport:
            findings: list[HealthFinding] = []
            tokens = {file.path: estimate_tokens(file.text) for file in seen.memory_files}
            largest = sorted(tokens, key=lambda path: -tokens[path])[:_CURVES]
            written: defaultdict[str, Counter[date]] = defaultdict(Counter)
            sizes: Counter[str] = Counter()
            for file in seen.memory_files:
                sources = self._sources(seen, file, goes_on)
                findings += _findings(file, sources, today, goes_on)
                curve = file.path if file.path in largest else "*"
                sizes[curve] += tokens[file.path]
                written[curve] += _written(sources)
            growth = (_grown(path, written[path], size, today) for path, size in sizes.items())
            texts = {file.path: file.text.replace("\r\n", "\n") for file in seen.memory_files}
            findings += disagreeing_lines(texts, today, goes_on)
            known = tuple(each for each in growth if each.sizes)
            return HealthReport(
                sum(tokens.values()),
                tuple(findings),
                known,
                sent=_sent(seen.memory_files),
                sent_cost=_sent_cost(seen, today, goes_on),
            )

        return await self._run(self._tracing, read)

    def close(self) -> None:
        """Closes all stores, behind what is being read, and ends the threads; a second call does nothing."""
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

    def _sources(self, seen: SeenStore, file: ForeignMemoryFile, goes_on: GoesOn) -> list[LineSource]:
        stamp = tuple((each.id, each.updated_at, each.size) for each in seen.conversations)
        known = self._edits.get(seen.root)
        if known is None or known[0] != stamp:
            known = self._edits[seen.root] = stamp, _edits_of(seen.root, goes_on)
        sources = line_sources(file.path, file.text, known[1])
        if all(each.edit is not None for each in sources):
            return sources
        return with_commits(sources, file.text, _commits_of(seen.root, file.path, goes_on))

    def _list(self, path: Path) -> SeenStore | None:
        store = open_store(path)
        if store is None:
            return None
        former = self._stores.pop(store.root, None)
        if former is not None:
            former.close()
        self._stores[store.root] = store
        before = self._watched.get(store.root)
        known = before.stamp() if before is not None else None
        conversations, memory_files = tuple(store.conversations()), tuple(store.memory_files())
        watched = _Watched.of(store.root, (*conversations, *memory_files))
        # What was written while it was read is seen the next time. Of the first time nothing else is known.
        watched.listed = known if before is not None and before.paths == watched.paths else watched.stamp()
        self._watched[store.root] = watched
        return SeenStore(
            store.root, title_of_format(store.format_name), conversations, memory_files, tuple(store.problems())
        )

    def _store(self, root: Path) -> ForeignStore:
        store = self._stores.get(root) or open_store(root)
        if store is None:
            raise StorageError(f"“{root.name}” is no export and no store of an agent that can be read.")
        return self._stores.setdefault(root, store)

    def _close_stores(self) -> None:
        for store in self._stores.values():
            store.close()
        self._stores.clear()


def _sent_cost(seen: SeenStore, today: date, goes_on: GoesOn) -> MemoryCost | None:
    """Returns what memory costs, were each request of the last days sent with the files that the agent sends today:
    each answer in the newest conversations counts as one. None where nothing is sent or no conversation has a time."""
    sent = [(file.path, estimate_tokens(file.text[: file.loaded_characters])) for file in seen.memory_files]
    sent = [(path, tokens) for path, tokens in sent if tokens]
    timed = [each for each in seen.conversations if each.role is not ForeignRole.SUBAGENT and each.updated_at]
    if not sent or not timed:
        return None
    first = today - timedelta(_DAYS - 1)
    recent = [each for each in newest_first(timed) if local_time(each.updated_at or LONG_AGO).date() >= first]
    prompts = tokens = 0
    since = today
    with closing(LazyStore(seen.root)) as opened:
        for each in recent[:_MOST_ASKED]:
            if not goes_on():
                break
            with suppress(StorageError), closing(opened.store.open(each.id)) as transcript:
                count, began = _answers_since(transcript, each, first)
                prompts += count
                tokens += count * sum(size for path, size in sent if _belongs(path, each.path))
                since = min(since, began) if count else since
    begun = min((local_time(each.created_at).date() for each in timed if each.created_at), default=since)
    days = min(_DAYS, (today - max(first, min(begun, since))).days + 1)
    return MemoryCost(days, prompts, tokens)


def _answers_since(transcript: ForeignTranscript, listed: ForeignConversation, first: date) -> tuple[int, date]:
    """Returns how many answers of a conversation were given from a day on, and the day of the earliest of them."""
    shape = transcript.shape
    answers = [place for place in shape.active if shape.kinds[place] == _ANSWER]
    began = None if listed.created_at is None else local_time(listed.created_at).date()
    if began is not None and began >= first:
        return len(answers), began
    count, earliest = 0, date.max
    for place in reversed(answers):
        when = transcript.record(place).when
        if when is not None:
            day = local_time(when).date()
            if day < first:
                break
            earliest = min(earliest, day)
            count += 1
    return count, earliest


def _belongs(file: str, conversation: str) -> bool:
    """Returns whether the prompts of a conversation may hold a memory file: not that of another project."""
    own, other = PurePosixPath(file).parts, PurePosixPath(conversation).parts
    return own[0] != "projects" or other[0] != "projects" or own[:2] == other[:2]


class LazyStore:
    """Opens a store when it is first needed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._store: ForeignStore | None = None

    @property
    def store(self) -> ForeignStore:
        """Returns the store. Raises StorageError where it is gone."""
        self._store = self._store or open_store(self._root)
        if self._store is None:
            raise StorageError(f"“{self._root.name}” is no export and no store of an agent that can be read.")
        return self._store

    def close(self) -> None:
        """Closes the store where it was opened."""
        if self._store is not None:
            self._store.close()


def _edits_of(root: Path, goes_on: GoesOn) -> list[MemoryEdit]:
    """Returns the calls that wrote to the memory of a store. Raises StorageError where they are not waited for."""
    store = open_store(root)
    if store is None:
        return []
    with closing(store):
        edits = list(store.edits(goes_on))
    if not goes_on():
        raise StorageError("The other agents are not looked at any more.")
    return edits


def _commits_of(root: Path, path: str, goes_on: GoesOn) -> Sequence[MemoryCommit]:
    """Returns the commits in which a memory file came or changed. Raises StorageError where they are not waited for."""
    store = open_store(root)
    if store is None:
        return ()
    with closing(store):
        found = store.commits(path, goes_on) if isinstance(store, KeepsCommits) else ()
    if not goes_on():
        raise StorageError("The other agents are not looked at any more.")
    return found


def _written(sources: Iterable[LineSource]) -> Counter[date]:
    """Returns how many tokens of a file's lines were written on which day, as far as that is known."""
    written: Counter[date] = Counter()
    for each in sources:
        brought = each.edit or each.commit
        when = brought.when if brought is not None else None
        if when is not None:
            written[local_time(when).date()] += estimate_tokens(each.text)
    return written


def _grown(path: str, written: Counter[date], size: int, today: date) -> Growth:
    """Returns how what stands today came together, of which nobody knows when some was written: it counts from the
    first day on."""
    if not written:
        return Growth(path, ())
    days, older = sorted(written), max(0, size - written.total())
    sums = accumulate(written[day] for day in days)
    return Growth(path, (*((day, older + total) for day, total in zip(days, sums, strict=True)), (today, size)))


def _sent(files: Iterable[ForeignMemoryFile]) -> tuple[SentFile, ...]:
    """Returns the files that the agent sends by itself, the largest share first."""
    loaded = (SentFile(file.path, estimate_tokens(file.text[: file.loaded_characters])) for file in files)
    return tuple(sorted((each for each in loaded if each.tokens), key=lambda each: -each.tokens))


def _findings(
    file: ForeignMemoryFile, sources: Sequence[LineSource], today: date, goes_on: GoesOn
) -> Iterator[HealthFinding]:
    """Yields the faults of the lines of a file, what is not loaded, and what nobody is known to have written."""
    rows = file.text.replace("\r\n", "\n").split("\n")
    faults = {fault.line: fault for fault in examined(rows, today, goes_on=goes_on)}
    unknown = {each.line for each in sources if each.is_unknown and each.commit is None}
    loaded = file.text[: file.loaded_characters].count("\n") if file.loaded_characters < file.characters else len(rows)
    for number, row in enumerate(rows, 1):
        fault = faults.get(number)
        if fault is not None:
            yield HealthFinding(fault.kind, file.path, number, row, fault.words)
        elif not fact_lines(row):
            continue
        elif 0 < loaded < number:
            yield HealthFinding(FindingKind.NOT_SENT, file.path, number, row)
        elif number in unknown:
            yield HealthFinding(FindingKind.NO_SOURCE, file.path, number, row)


def _usual_stores(home: Path, environment: Mapping[str, str]) -> dict[Path, str]:
    found: dict[Path, str] = {}
    for each, root in usual_stores(home, environment):
        found.setdefault(root, each.title)
    return found


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
    marks = _marks_on(shape, path, is_active=branch < 0)
    begin = max(0, len(path) - PAGE) if first is None else _path_index(marks, max(0, first))
    if place is not None and place in path:
        begin = min(begin, list(path).index(place))
    # A result is shown with its call.
    while 0 < begin < len(path) and shape.kinds[path[begin]] == _RESULT:
        begin -= 1
    page = _read_page(transcript, path, marks, begin)
    return SeenConversation(
        shown=tuple(page.shown),
        first=len(page.earlier),
        messages=len(path),
        branch=branch,
        branches=tuple(shape.branches),
        index_of=page.index_of,
        earlier=bytes(page.earlier),
        pointer=page.entries[-1].stop if page.entries else 0,
        consolidated=marks[-1][0] if marks else 0,
        some_kept=bool(marks) and marks[-1][1].scattered_to > 0,
        entries=tuple(page.entries),
        compactions=len(shape.compactions),
        unknown_records=shape.unknown_records,
        other_records=sum(
            shape.kinds.count(KINDS.index(kind)) for kind in _OTHER_KINDS if kind is not RecordKind.UNKNOWN
        ),
        damage=tuple(shape.damage),
    )


_Marks = Sequence[tuple[int, CompactionMark]]
"""Compactions, each with the index in a path of the first message that it keeps, in the order of these."""


def _marks_on(shape: TranscriptShape, path: Sequence[int], *, is_active: bool) -> _Marks:
    """Returns the compactions of a path: on a branch, those that keep messages which it shares with the active one."""
    if is_active:
        return sorted(((mark.whole_from, mark) for mark in shape.compactions), key=itemgetter(0))
    where = {place: at for at, place in enumerate(path)} if shape.compactions else {}
    kept = ((shape.active[mark.whole_from], mark) for mark in shape.compactions if mark.whole_from < len(shape.active))
    return sorted(((where[place], mark) for place, mark in kept if place in where), key=itemgetter(0))


def _path_index(marks: _Marks, index: int) -> int:
    """Returns the index in the path of what has an index among messages and summaries."""
    return index - sum(at + number < index for number, (at, _) in enumerate(marks))


@dataclass(slots=True)
class _Page:
    """Messages of a path and the summaries between them, as `SeenConversation` has them."""

    earlier: bytearray = field(default_factory=bytearray)
    shown: list[Message] = field(default_factory=list)
    index_of: dict[int, int] = field(default_factory=dict)
    entries: list[ConsolidationRecord] = field(default_factory=list)

    @property
    def stop(self) -> int:
        return len(self.earlier) + len(self.shown)


def _read_page(transcript: ForeignTranscript, path: Sequence[int], marks: _Marks, begin: int) -> _Page:
    """Reads a path from an index on, and the summaries of all of it."""
    kinds, page, read = transcript.shape.kinds, _Page(), 0
    for at, mark in (*marks, (len(path), None)):
        page.earlier += bytes(kinds[place] for place in path[read : min(at, begin)])
        part = path[max(read, begin) : at]
        messages = messages_on(transcript, part)
        page.index_of |= record_indices(kinds, part, messages, page.stop, transcript.shape.parts)
        page.shown += messages
        if mark is not None:
            summary = _summary(transcript, mark)
            if at < begin:
                page.earlier.append(_SUMMARY)
            else:
                page.shown.append(summary)
            start = page.entries[-1].stop if page.entries else 0
            when = str(summary.get("timestamp", ""))
            page.entries.append(
                ConsolidationRecord(str(len(page.entries)), "", "", start, page.stop, when, str(summary["content"]))
            )
        read = at
    return page


def _summary(transcript: ForeignTranscript, mark: CompactionMark) -> Message:
    text, when = "", mark.when
    if mark.summary is not None:
        with suppress(IndexError):
            record = transcript.record(mark.summary)
            text, when = record.text, when or record.when
    message: Message = {"role": SUMMARY_ROLE, "content": text}
    return message if when is None else message | {"timestamp": local_time(when).isoformat()}


def summaries_of(transcript: ForeignTranscript) -> list[Message]:
    """Returns the summaries of the active path, numbered as the `entries` of a `SeenConversation` are."""
    shape = transcript.shape
    return [_summary(transcript, mark) for _, mark in _marks_on(shape, shape.active, is_active=True)]


def _others(transcript: ForeignTranscript) -> dict[RecordKind, OtherRecords]:
    """Returns the records that are no messages, by their kinds: of each the newest."""
    kinds, found = transcript.shape.kinds, {}
    for kind in _OTHER_KINDS:
        number = KINDS.index(kind)
        places = [place for place, each in enumerate(kinds) if each == number]
        if places:
            records = ((place, transcript.record(place)) for place in places[-NEWEST_OTHERS:])
            shown = tuple(OtherRecord(place + 1, each.when, each.raw or each.text) for place, each in records)
            found[kind] = OtherRecords(shown, len(places))
    return found


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


def _stamp_of(path: str) -> tuple[FileStamp | None, ...]:
    # A database's newest rows stand in its log.
    return tuple(stamp_of(each) for each in (path, f"{path}-wal"))


@dataclass(slots=True)
class _Watched:
    """Holds the files of a store and the folders that they lie in, and how they were when it was listed."""

    paths: tuple[str, ...]
    listed: object = None

    @classmethod
    def of(cls, root: Path, listed: Iterable[ForeignConversation | ForeignMemoryFile]) -> _Watched:
        # As text: of thousands of paths each is sorted, and looked at again and again.
        files = {os.path.join(root, each.path) for each in listed}
        folders, below = {str(root)}, os.path.join(root, "")
        for file in files:
            folder = os.path.dirname(file)
            while folder.startswith(below) and folder not in folders:
                folders.add(folder)
                folder = os.path.dirname(folder)
        return cls(tuple(sorted(files | folders)))

    def stamp(self) -> object:
        """Returns what is another value when one of them changed."""
        return [stamp_of(path) if os.path.splitext(path)[1] in _WITHOUT_LOG else _stamp_of(path) for path in self.paths]


def listed_conversations(stores: Sequence[SeenStore]) -> list[tuple[SeenStore, ForeignConversation]]:
    """Returns the conversations of all stores, newest first; those without a time last."""
    both = [(store, each) for store in stores for each in store.conversations]
    return sorted(both, key=lambda pair: _time_of(pair[1]), reverse=True)


def _time_of(conversation: ForeignConversation) -> float:
    when: datetime | None = conversation.updated_at or conversation.created_at
    with suppress(OverflowError, OSError, ValueError):
        return when.timestamp() if when is not None else float("-inf")
    return float("-inf")
