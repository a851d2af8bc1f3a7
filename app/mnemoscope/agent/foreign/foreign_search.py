"""Searches what other agents said and remember, for the person alone and where the person switched it on.

What is derived of them lies in one file of the person's, which goes when this is switched off; what is gone from the
stores, or not listed any more, goes from it with the next look. `word_copies` searches the files themselves, for words
that the person has forgotten.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from mnemoscope.agent.foreign.foreign_reading import LazyStore, SeenStore
from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.foreign_records import (
    KINDS,
    ForeignConversation,
    ForeignMemoryFile,
    ForeignRecord,
    RecordKind,
)
from mnemoscope.domain.foreign.foreign_store import ForeignTranscript
from mnemoscope.domain.foreign.imported_conversation import local_time
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.forgetting.plan import FoundPlace, PlaceKind
from mnemoscope.store.forgetting.byte_search import count_in_file
from mnemoscope.store.search.foreign_index import ForeignHit, ForeignIndex, ForeignPassage, ForeignSource

Result = TypeVar("Result")
MEMORY: Final = "memory:"
"""The beginning of the name of a source that is a memory file; its path follows."""
ANOTHERS: Final = "It belongs to another program. Change it there."
_ROLES: Final = {
    KINDS.index(RecordKind.PERSON): "user",
    KINDS.index(RecordKind.ANSWER): "assistant",
    KINDS.index(RecordKind.SUMMARY): "summary",
}


class ForeignSearch:
    """Reads and asks on a thread of its own. Each method may be called on the loop; none blocks it."""

    def __init__(self, file: Path) -> None:
        self._index = ForeignIndex(file)
        self._thread = ThreadPoolExecutor(1, "other-agents-search")
        self._is_closed = False

    async def read(self, stores: Sequence[SeenStore], goes_on: GoesOn = to_the_end) -> bool:
        """Brings the index to what these stores hold now, one source after the other, so that a question need not wait
        for all of them; False where `goes_on` said no. Raises StorageError where there can be no index."""
        listed = {(each.root, each.name): each for store in stores for each in _sources_of(store)}
        known = await self._run(lambda: self._index.sources())
        gone = [key for key in known if key not in listed]
        if gone:
            await self._run(lambda: self._index.forget(gone))
        changed = bool(gone) or any(known.get(key, each) != each for key, each in listed.items())
        for store in stores:
            fresh = [each for each in _sources_of(store) if known.get((each.root, each.name)) != each]
            opened = LazyStore(store.root)
            try:
                for source in fresh:
                    if not goes_on():
                        return False
                    await self._run(partial(self._take, store, source, opened))
            finally:
                if not self._is_closed:
                    await self._run(opened.close)
        if changed:
            await self._run(self._index.tidy)
        return True

    async def prune(self) -> None:
        """Takes out what was indexed of files that are gone. Raises StorageError as `read`."""

        def look() -> None:
            if self._index.is_there:
                found = self._index.sources()
                gone = [key for key, each in found.items() if not (Path(each.root) / each.path).exists()]
                if gone:
                    self._index.forget(gone)
                    self._index.tidy()

        await self._run(look)

    async def find(self, text: str, limit: int = 20) -> list[ForeignHit]:
        """Returns what is found in what was read so far, the best first. Raises StorageError as `read`."""
        return await self._run(lambda: self._index.find(text, limit) if self._index.is_there else [])

    async def remove(self) -> None:
        """Deletes all that is derived of other agents."""
        await self._run(self._index.remove)

    def close(self) -> None:
        """Ends the thread behind what it is at; a second call does nothing."""
        if not self._is_closed:
            self._is_closed = True
            self._thread.submit(self._index.close)
            self._thread.shutdown(wait=False)

    async def _run(self, work: Callable[[], Result]) -> Result:
        if self._is_closed:
            raise StorageError("The other agents are not looked at any more.")
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _take(self, store: SeenStore, source: ForeignSource, opened: LazyStore) -> None:
        """Reads one source; a transcript that cannot be read is taken as one in which nothing was said."""
        passages: list[ForeignPassage] = []
        if source.name.startswith(MEMORY):
            passages = _lines_of(next(each for each in store.memory_files if each.path == source.path))
        else:
            with suppress(StorageError), closing(opened.store.open(source.name)) as transcript:
                passages = list(self._messages_of(transcript))
        if not self._is_closed:
            self._index.put(source, passages)

    def _messages_of(self, transcript: ForeignTranscript) -> Iterator[ForeignPassage]:
        shape = transcript.shape
        branches = (place for end in shape.branches for place in transcript.path_to(end))
        summaries = (mark.summary for mark in shape.compactions if mark.summary is not None)
        for place in dict.fromkeys((*shape.active, *branches, *summaries)):
            role = _ROLES.get(shape.kinds[place])
            if role is None or self._is_closed:
                continue
            parts = [transcript.record(each) for each in (place, *shape.parts.get(place, ()))]
            text = "\n".join(each.text for each in parts if each.text).strip()
            if text:
                yield ForeignPassage(text, place, role, _time_of(parts[0]))


def _sources_of(store: SeenStore) -> Iterator[ForeignSource]:
    root = str(store.root)
    for each in store.conversations:
        yield ForeignSource(root, each.id, each.path, each.title, _stamp(each), store.title)
    for file in store.memory_files:
        stamp = str(zlib.crc32(file.text.encode("utf-8", "surrogatepass")))
        yield ForeignSource(root, f"{MEMORY}{file.path}", file.path, file.path, stamp, store.title)


def _stamp(conversation: ForeignConversation) -> str:
    return f"{conversation.updated_at}|{conversation.size}"


def _lines_of(file: ForeignMemoryFile) -> list[ForeignPassage]:
    lines = enumerate(file.text.split("\n"), 1)
    return [ForeignPassage(line.strip(), number, "memory") for number, line in lines if line.strip()]


def _time_of(record: ForeignRecord) -> str:
    return local_time(record.when).isoformat() if record.when is not None else ""


def word_copies(stores: Iterable[SeenStore], text: ForgottenText, own: Path) -> list[FoundPlace]:
    """Returns the memory files and conversations of these stores that have the words, but for those below `own`, the
    workspace. A file that is compressed or cannot be read is passed over. Blocks on the disk."""
    found: dict[Path, FoundPlace] = {}
    for store in stores:
        for path, count, excerpts in _counted(store, text):
            if count and path not in found and not path.is_relative_to(own):
                found[path] = FoundPlace(PlaceKind.OTHER_AGENTS, str(path), count, excerpts, ANOTHERS)
    return list(found.values())


def _counted(store: SeenStore, text: ForgottenText) -> Iterator[tuple[Path, int, tuple[str, ...]]]:
    """Yields the files of a store, memory first, with how often they have the words and a few excerpts."""
    for file in store.memory_files:
        yield store.root / file.path, text.count(file.text), text.excerpts(file.text)
    for name in dict.fromkeys(each.path for each in store.conversations):
        with suppress(OSError):
            yield store.root / name, count_in_file(store.root / name, text), ()
