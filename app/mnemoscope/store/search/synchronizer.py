"""Keeps the search index true to the files, in short steps: what was appended is read on, what was edited compared line
by line, of a conversation message by message, what is gone taken out. Any doubt about what was read before ends in
reading the file anew."""

from __future__ import annotations

import logging
import os
import time
import zlib
from bisect import bisect_left
from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import BinaryIO, Final, TypeVar

from mnemoscope.domain.memory.history_entries import NONE_UNDATED, UndatedEntries
from mnemoscope.store.files.atomic import read_at_most
from mnemoscope.store.files.file_stamp import stamp_of
from mnemoscope.store.search.passage_index import FileState, PassageIndex, StoredPassage
from mnemoscope.store.search.passages import Passage, PassageReader, ReadPosition, reader_for
from mnemoscope.store.search.search_sources import SearchKind, SearchSources, Source
from mnemoscope.store.sessions.file_format.names import SUFFIX
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)
_Steps = Generator[None, None, None]
_BLOCK: Final = 1 << 15
_CHECK_BLOCK: Final = 1 << 21
_BATCH: Final = 40
"""Passages written in one step: a few milliseconds."""
_DROP_BATCH: Final = 100
_TIDIED: Final = 5_000
_TAIL: Final = 4_096
_LARGEST_WHOLE: Final = 1 << 25
"""Bytes of a file of lines; of a larger one the first so many are searched."""
_CONVERSATIONS: Final = frozenset({SearchKind.SESSION, SearchKind.ARCHIVE, SearchKind.BRANCH})
_P = TypeVar("_P", Passage, StoredPassage)


class Synchronizer:
    """Brings the index of one workspace up to date: `refresh` finds what changed, `work` indexes it step by step."""

    def __init__(self, paths: WorkspacePaths, index: PassageIndex) -> None:
        self._sources = SearchSources(paths)
        self._index = index
        self._ledger = Ledger(paths)
        self._undated: UndatedEntries = NONE_UNDATED
        """The ledger's knowledge of HISTORY.md at the last look."""
        self._jobs: deque[_Steps] = deque()
        self._generation = 0
        """Of the index that the jobs are for."""
        self._dropped = False
        self._trusted: dict[str, int] = {}
        """Files whose beginning was compared in this run, with their inode."""

    @property
    def is_done(self) -> bool:
        """Returns whether the index is as the files were at the last look."""
        return not self._jobs and not self.is_stale

    @property
    def is_stale(self) -> bool:
        """Returns whether the index was thrown away since the last look: what was begun was for that one."""
        return bool(self._generation) and self._generation != self._index.generation

    def stop(self) -> None:
        """Gives up what was begun; the next look begins it again."""
        while self._jobs:
            self._jobs.pop().close()

    def refresh(self) -> bool:
        """Looks at all files; True where something has to be taken in. Raises sqlite3.Error or FullTextMissing."""
        _ = self._index.db
        self._generation = self._index.generation
        self._undated = self._ledger.undated_entries()
        sources = {source.name: self._marked(source) for source in self._sources.all()}
        self.stop()
        for name, state in list(self._index.files.items()):
            if name not in sources:
                self._jobs.append(self._remove(state))
        # The oldest of each kind first, so that of passages of a kind the newest has the highest number.
        oldest = list(reversed(sources.values()))
        for source in sorted(oldest, key=lambda source: -source.kind):
            known = self._index.files.get(source.name)
            is_same = known is not None and known.first == source.first
            if known is None or not is_same or stamp_of(source.path) != (known.inode, known.size, known.modified):
                self._jobs.append(self._update(source))
        return bool(self._jobs)

    def work(self, seconds: float) -> bool:
        """Takes in more, for about `seconds`; True where there is more to do."""
        deadline = time.perf_counter() + seconds
        while self._jobs:
            self._index.database.begin()
            try:
                next(self._jobs[0])
            except StopIteration:
                self._jobs.popleft()
                self._tidy()
            except FileNotFoundError:
                # The next look sees that it is gone.
                self._jobs.popleft()
            except OSError as error:
                log.info("a file cannot be searched: %s", error)
                self._jobs.popleft()
            if time.perf_counter() > deadline:
                break
        self._index.database.commit()
        return bool(self._jobs)

    def _marked(self, source: Source) -> Source:
        """Returns HISTORY.md with a number for what the ledger knows of it, so that it is read anew where that
        changed, also while the program was closed."""
        if source.kind is not SearchKind.HISTORY or not self._undated or source.name.endswith(SUFFIX):
            return source
        return replace(source, first=zlib.crc32(b"\n".join(sorted(self._undated))))

    def _tidy(self) -> None:
        """Merges the lists of a small index at once, which takes the words of what was deleted out of the file.

        A large one does so by itself, bit by bit.
        """
        if self._dropped and not self._jobs and self._index.count() <= _TIDIED:
            self._dropped = False
            self._index.tidy()

    def _drop(self, gone: list[StoredPassage]) -> None:
        self._dropped = True
        self._index.drop(gone)

    def _remove(self, state: FileState) -> _Steps:
        yield from self._drop_from(state, 0)
        self._index.forget(state)
        self._trusted.pop(state.name, None)

    def _update(self, source: Source) -> _Steps:
        state = self._index.file(source.name, source.kind)
        reader = reader_for(source.kind, source.name, lambda: self._undated, first=source.first)
        if state.first != source.first:
            # Passages that were left out are wanted now, or the other way round; or they are cut elsewhere.
            state.place = ReadPosition()
            state.size = -1
            state.first = source.first
            self._index.save(state)
        with source.path.open("rb") as file:
            found = os.fstat(file.fileno())
            if reader.whole:
                yield from self._compare(state, reader, read_at_most(file, _LARGEST_WHOLE))
            else:
                yield from self._read_on(state, reader, file, found)
        state.inode = found.st_ino
        state.size = found.st_size
        state.modified = found.st_mtime_ns
        self._index.save(state)

    def _compare(self, state: FileState, reader: PassageReader, data: bytes) -> _Steps:
        """Returns a file that is edited: passages that are still there stay, whatever line they moved to."""
        pieces, state.place = reader.read(data, ReadPosition(), last=True)
        # In a note a passage may be embedded with the one before it.
        is_talk = state.kind is SearchKind.NOTES
        known: dict[tuple[str, ...], deque[StoredPassage]] = {}
        before = ""
        for old in self._index.passages(state.id):
            known.setdefault((old.text, old.beside, old.when[:10], before), deque()).append(old)
            before = old.text * is_talk
        new: list[Passage] = []
        moved: list[tuple[int, int, str, int]] = []
        before = ""
        for piece in pieces:
            same = known.get((piece.text, piece.beside, piece.when[:10], before))
            before = piece.text * is_talk
            if same:
                moved.append((piece.start, piece.line, piece.when, same.popleft().id))
            else:
                new.append(piece)
        gone = [old for left in known.values() for old in left]
        for at in range(0, len(gone), _DROP_BATCH):
            self._drop(gone[at : at + _DROP_BATCH])
            yield
        self._index.place(moved)
        yield from self._add(state, new)

    def _read_on(self, state: FileState, reader: PassageReader, file: BinaryIO, found: os.stat_result) -> _Steps:
        yield from self._find_place(state, file, found)
        self._trusted[state.name] = found.st_ino
        if not state.place.offset and state.kind in _CONVERSATIONS and self._index.passages(state.id, 0, 1):
            yield from self._read_anew(state, reader, file, found.st_size)
            return
        # What may have grown since is read again.
        yield from self._drop_from(state, state.place.offset)
        for pieces, place, data, _last in _blocks(reader, file, state.place, found.st_size):
            self._take(state, pieces, place, data, file)
            yield

    def _read_anew(self, state: FileState, reader: PassageReader, file: BinaryIO, size: int) -> _Steps:
        """Reads a conversation that went to another branch or was changed within: messages that say the same keep their
        passages and what was made of them. How far it came is kept at its end; broken off, it begins again."""
        messages, numbers = self._index.messages(state.id)
        place, checksum, done, is_changed = ReadPosition(), 0, 0, False
        for pieces, after, data, last in _blocks(reader, file, place, size):
            stop = len(messages) if last else bisect_left(messages, after.message_index)
            merge = _Merge(pieces, self._index.ordered(numbers[done:stop]), is_changed)
            yield from self._exchange(state, merge)
            checksum = zlib.crc32(data, checksum)
            place, done, is_changed = after, stop, merge.is_changed
        yield from self._exchange(state, _Merge([], self._index.ordered(numbers[done:]), is_changed))
        state.place = place
        state.checksum = checksum
        state.tail = _tail(file, place.offset)
        self._index.save(state)

    def _exchange(self, state: FileState, merge: _Merge) -> _Steps:
        for at in range(0, len(merge.gone), _DROP_BATCH):
            self._drop(merge.gone[at : at + _DROP_BATCH])
            yield
        self._index.place(merge.moved)
        yield from self._add(state, merge.new)

    def _take(self, state: FileState, pieces: list[Passage], place: ReadPosition, data: bytes, file: BinaryIO) -> None:
        """Puts what was read and how far into one change, so that neither is kept without the other."""
        self._index.add(state, pieces)
        state.checksum = zlib.crc32(data, state.checksum)
        state.place, state.size = place, -1
        state.tail = _tail(file, place.offset)
        self._index.save(state)

    def _find_place(self, state: FileState, file: BinaryIO, found: os.stat_result) -> _Steps:
        """Keeps the place where everything before it is as it was; begin anew where it is not."""
        end = state.place.offset
        is_same = found.st_size >= end
        if is_same and end and not self._is_trusted(state, file, found):
            checksum, at = 0, 0
            file.seek(0)
            while at < end and (block := file.read(min(_CHECK_BLOCK, end - at))):
                checksum = zlib.crc32(block, checksum)
                at += len(block)
                yield
            is_same = at == end and checksum == state.checksum
        if not is_same:
            state.place = ReadPosition()
            state.checksum = 0
            state.tail = 0
            state.size = -1
            self._index.save(state)

    def _is_trusted(self, state: FileState, file: BinaryIO, found: os.stat_result) -> bool:
        """Returns whether a look at the end is enough: the same file, compared whole in this run already."""
        return self._trusted.get(state.name) == found.st_ino and _tail(file, state.place.offset) == state.tail

    def _drop_from(self, state: FileState, start: int) -> _Steps:
        while gone := self._index.passages(state.id, start, _DROP_BATCH):
            self._drop(gone)
            yield

    def _add(self, state: FileState, pieces: list[Passage]) -> _Steps:
        for at in range(0, len(pieces), _BATCH):
            self._index.add(state, pieces[at : at + _BATCH])
            yield


def _blocks(
    reader: PassageReader, file: BinaryIO, place: ReadPosition, size: int
) -> Iterator[tuple[list[Passage], ReadPosition, bytes, bool]]:
    """Yields what stands in each block of a file from a place on, how far it was read then, its bytes, and whether it
    is the last; a line that is longer than a block makes a longer one."""
    wanted = _BLOCK
    while place.offset < size:
        file.seek(place.offset)
        data = file.read(min(wanted, size - place.offset))
        last = place.offset + len(data) >= size or not data
        pieces, after = reader.read(data, place, last=last)
        if not last and after.offset == place.offset:
            wanted *= 2
            continue
        yield pieces, after, data[: after.offset - place.offset], last
        if last:
            return
        place, wanted = after, _BLOCK


class _Merge:
    """Tells what is new, gone and the same between the passages of some messages and those that were kept of them.

    The message after one that changed is new too: it may be embedded with the one before it.
    """

    def __init__(self, pieces: list[Passage], stored: list[StoredPassage], is_changed: bool) -> None:
        """`is_changed`: whether the message before the first of these changed."""
        self.new: list[Passage] = []
        self.gone: list[StoredPassage] = []
        self.moved: list[tuple[int, int, str, int]] = []
        self.is_changed = is_changed
        """Whether the last of the messages changed."""
        said, had = _by_message(pieces), _by_message(stored)
        for number in sorted(said.keys() | had.keys()):
            now, before = said.get(number, []), had.get(number, [])
            is_same = list(map(_what, now)) == list(map(_what, before))
            if is_same and not self.is_changed:
                self.moved += [(new.start, new.line, new.when, old.id) for new, old in zip(now, before, strict=True)]
            else:
                self.new += now
                self.gone += before
            self.is_changed = not is_same


def _by_message(passages: list[_P]) -> dict[int, list[_P]]:
    found: dict[int, list[_P]] = {}
    for each in passages:
        found.setdefault(each.message_index, []).append(each)
    return found


def _what(passage: Passage | StoredPassage) -> tuple[str, ...]:
    return passage.text, passage.beside, passage.role, passage.when


def _tail(file: BinaryIO, end: int) -> int:
    """Returns a checksum of the last bytes before `end`."""
    begin = max(0, end - _TAIL)
    file.seek(begin)
    return zlib.crc32(file.read(end - begin))
