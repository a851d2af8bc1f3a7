"""The search of a workspace as window and agent ask for it: on a thread of its own, kept current by what happens.

Nothing is read or indexed for the ranked search before the first question, or in a workspace that was searched before,
the first answer: an idle window has no use for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial

from mnemoscope.agent.search.passage_embedder import PassageEmbedder
from mnemoscope.domain import events
from mnemoscope.domain.errors import MnemoscopeError, ModelError
from mnemoscope.domain.events import Event, EventBus
from mnemoscope.domain.llm import Embedder, Vector
from mnemoscope.domain.settings import LOCAL_EMBEDDING, Settings, embedding_model_in_force, is_on_this_computer
from mnemoscope.domain.trust import TrustedByCaller, TrustGate, Use
from mnemoscope.memory.files.write_hooks import add_write_hook
from mnemoscope.memory.search.origins import MessageSpan, Origins, agent_passages
from mnemoscope.memory.search.recall import RecalledPassage, found_in_files, passages_without_forgotten
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.search.embedded_texts import BATCH, EmbeddedQuestion
from mnemoscope.store.search.search_hit import SearchHit, first_places, without_inactive
from mnemoscope.store.search.search_sources import SearchKind
from mnemoscope.store.search.worker import LogQuestions, PassageQuestions, SearchWorker
from mnemoscope.store.workspace.paths import WorkspacePaths

_NEWS = (
    events.RecordAppended,
    events.SessionCleared,
    events.BranchChanged,
    events.SessionsChanged,
    events.MessagesLost,
    events.MessagesReplaced,
    events.MemoryChanged,
    events.MemoryFileChanged,
    events.HistoryChanged,
    events.Consolidated,
    events.Captured,
    events.TurnEnded,
)
_LEAVING = frozenset({SearchKind.STATE, SearchKind.NOTES})
"""The kinds of text that are made of messages, and stay in their files when a branch with these is left."""
_PAGE = 40
_SPARE = 10


class SearchService:
    """Searches one workspace: by words, and by meaning too where `settings` names a model for `embedder`."""

    def __init__(
        self,
        paths: WorkspacePaths,
        bus: EventBus,
        *,
        read_only: bool = False,
        calls: FileCalls = REAL_CALLS,
        embedder: Embedder | None = None,
        settings: Callable[[], Settings] = Settings,
        trust: TrustGate | None = None,
        is_forgotten: Callable[[str], bool] = lambda _: False,
        spent: Callable[[], str] = lambda: "",
        inactive_lines: Callable[[Collection[str]], Future[Mapping[str, Collection[str]]]] | None = None,
    ) -> None:
        """While `trust` waits for the person, no text is embedded and the search goes by words alone; None where the
        embedder is the caller's own word. `is_forgotten`: whether the person had a line forgotten; the agent is not
        told of one that came back. `spent`: why nothing that may cost is begun by itself, "" where it may be.
        `inactive_lines`: the lines of files that only messages said which are deleted or on other branches."""
        self._is_forgotten = is_forgotten
        self._spent = spent
        self._inactive_lines = inactive_lines
        self._trust = trust or TrustedByCaller()
        self._paths = paths
        self._bus = bus
        self._read_only = read_only
        self._embedder = embedder
        self._settings = settings
        self._worker = SearchWorker(paths, writable=not read_only, calls=calls)
        self.logs: LogQuestions = self._worker.logs
        """The history logs as a list, searched as one types."""
        self.ranked: PassageQuestions = self._worker.passages
        """The ranked search over everything, by words."""
        self._passage_embedder: PassageEmbedder | None = None
        self._typed = ""
        self._origins: Origins | None = None
        self._ends = [
            bus.on(_NEWS, self._on_news),
            bus.on((events.SettingsChanged, events.TrustChanged), self._on_embedding_changed),
            bus.on(events.TurnEnded, self._on_turn_ended),
            add_write_hook(lambda _content, _source: self.look()),
        ]

    def prepare(self) -> None:
        """Takes in what changed on disk, and has the model of this computer loaded, as somebody is about to search."""
        self.ranked.refresh()
        self._embed()
        if self._passage_embedder is not None:
            self._passage_embedder.warm()

    def look(self) -> None:
        """Has the ranked index look at the disk, as something may have changed."""
        if self.ranked.is_begun:
            self.ranked.refresh()

    def type(self, text: str, limit: int = _PAGE) -> Future[list[SearchHit]]:
        """Returns what is found as the person types, to be asked of `active` before it is shown. Where the text goes to
        no other computer for that, its meaning is asked for at once, for a `find` that may follow."""
        self._typed = text
        typed = self.ranked.type(text, limit)
        self._embed()
        if self._passage_embedder is not None:
            self._passage_embedder.embed_ahead(text)
        return typed

    @property
    def asks_another_computer(self) -> bool:
        """Returns whether a question is sent away to be embedded."""
        return bool(self._model()) and not is_on_this_computer(self._model())

    async def find(self, text: str, limit: int = _PAGE) -> list[SearchHit]:
        """Returns what is found with everything that is on disk now."""
        semantic = await self._embedded(text)
        hits = await self.active(await asyncio.wrap_future(self.ranked.find(text, limit, semantic=semantic)))
        return await self._hits_in_files(text, limit) if self.ranked.state.problem else hits

    async def find_typed(self, text: str) -> list[SearchHit] | None:
        """Returns what is found of what was typed last, of which the last word may not be whole; None where the next
        key asked something else meanwhile. Where there is no index, this alone reads the files, not `type`."""
        semantic = await self._embedded(text)
        if text != self._typed:
            return None
        future = self.ranked.find(text, _PAGE, semantic=semantic, typing=True)
        try:
            hits = await self.active(await asyncio.wrap_future(future))
            if self.ranked.state.problem:
                hits = await self._hits_in_files(text, _PAGE)
                return hits if text == self._typed else None
            return hits
        except asyncio.CancelledError:
            if not future.cancelled():
                raise
            return None

    async def active(self, hits: list[SearchHit]) -> list[SearchHit]:
        """Returns the passages without the lines that only messages said which are deleted or on other branches."""
        files = {each.path for hit in hits for each in (hit, *hit.duplicates) if each.kind in _LEAVING}
        if self._inactive_lines is None or not files:
            return hits
        # Where nothing can be read that tells, all that was found is shown.
        with suppress(MnemoscopeError):
            return without_inactive(hits, await asyncio.wrap_future(self._inactive_lines(files)))
        return hits

    async def behind(self, hit: SearchHit) -> MessageSpan | None:
        """Returns the messages a passage comes from, where that is known."""
        origins = self._known_origins()
        return await asyncio.wrap_future(self.ranked.ask(lambda _search: origins.behind(hit)))

    async def authors(self, hits: Sequence[SearchHit]) -> Mapping[int, str]:
        """Returns who wrote the lines of memory among the passages, by passage, as kinds of a MemoryOrigin."""
        lines = [hit for hit in hits if hit.kind in (SearchKind.MEMORY, SearchKind.STATE)]
        if not lines:
            return {}
        origins = self._known_origins()
        return await asyncio.wrap_future(
            self.ranked.ask(lambda _search: {hit.number: origins.author(hit) for hit in lines})
        )

    async def passages(self, text: str, limit: int, session_key: str = "") -> list[RecalledPassage]:
        """Returns what is found as passages for the agent, which has the newest message of its conversation before it
        anyway."""
        semantic = await self._embedded(text)
        search = self.ranked.find(text, limit + _SPARE, semantic=semantic, asked_in=session_key)
        # What the person left is not brought before a model again.
        hits = await self.active(await asyncio.wrap_future(search))
        found = [hit for hit in hits if hit.kind is not SearchKind.BRANCH]
        if self.ranked.state.problem:
            passages = (await asyncio.to_thread(self._found_in_files, text))[:limit]
        else:
            passages = await asyncio.to_thread(agent_passages, self._paths, found[:limit])
        return await asyncio.to_thread(lambda: list(passages_without_forgotten(passages, self._is_forgotten)))

    def _found_in_files(self, text: str) -> list[RecalledPassage]:
        """Returns what is found where there is no index. Blocks."""
        return found_in_files(self._paths, text, self._left_now)

    def _left_now(self, files: Collection[str]) -> Mapping[str, Collection[str]]:
        with suppress(MnemoscopeError):
            if self._inactive_lines is not None and files:
                return self._inactive_lines(files).result()
        return {}

    async def _hits_in_files(self, text: str, limit: int) -> list[SearchHit]:
        """Returns what the files say, as the window lists it, where there is no index."""
        found, words = (await asyncio.to_thread(self._found_in_files, text))[:limit], text.casefold().split()
        return [
            SearchHit(
                each.source,
                self._kind_of(each.source),
                each.line,
                each.text,
                0.0,
                mark=partial(first_places, words),
                number=number,
            )
            for number, each in enumerate(found, 1)
        ]

    def _kind_of(self, file: str) -> SearchKind:
        """Returns the kind of a file among those that hold memory."""
        path = self._paths.root / file
        if path == self._paths.history_file:
            return SearchKind.HISTORY
        is_note = path.parent == self._paths.memory_dir and path != self._paths.memory_file
        return SearchKind.NOTES if is_note else SearchKind.MEMORY

    async def local_meanings(self, texts: Sequence[str]) -> dict[str, Vector]:
        """Returns the vector that LOCAL_EMBEDDING has for each text, which leaves this computer nowhere.

        Empty where the search by meaning asks another model or none, and where this one fails.
        """
        is_asked = self._model() == LOCAL_EMBEDDING and not self._read_only and not self._worker.is_closed
        # Where it fails the search says so, with what helps.
        return await local_vectors(self._embedder, texts) if self._embedder is not None and is_asked else {}

    def begin_anew(self) -> None:
        """Throws the index away and waits until that is done; not to be called on the thread of the window."""
        if not self._worker.is_closed:
            self._worker.begin_anew().result()

    def abandon(self) -> None:
        """Gives everything up without waiting, where nobody is left who could."""
        self._worker.close()

    async def close(self) -> None:
        """Closes the index; what is asked is given up, what is being written is finished."""
        for end in self._ends:
            end()
        if self._passage_embedder is not None:
            await self._passage_embedder.close()
        await asyncio.wrap_future(self._worker.close())

    def _known_origins(self) -> Origins:
        """Returns where passages come from, read anew after each news."""
        self._origins = self._origins or Origins(self._paths)
        return self._origins

    async def _embedded(self, text: str) -> EmbeddedQuestion | None:
        self._embed()
        return await self._passage_embedder.embedded(text) if self._passage_embedder is not None else None

    def _model(self) -> str:
        name = embedding_model_in_force(self._settings())
        waits = self._trust.waits(Use.SEARCH) and not is_on_this_computer(name)
        return "" if waits else name

    def _pauses(self) -> bool:
        return bool(self._spent()) and not is_on_this_computer(self._model())

    def _embed(self) -> None:
        """Has embedded what is not; what is only read has no place to keep it."""
        if self._embedder is None or self._read_only or self._worker.is_closed or not self._model():
            return
        if self._passage_embedder is None:
            self._passage_embedder = PassageEmbedder(
                self.ranked, self._embedder, self._model, self._bus, self._pauses, self._is_forgotten
            )
        self._passage_embedder.go_on()

    def _on_news(self, _event: Event) -> None:
        self._origins = None
        self.look()

    def _on_embedding_changed(self, _event: Event) -> None:
        self._embed()

    def _on_turn_ended(self, _event: Event) -> None:
        if not self.ranked.is_begun and self._paths.own.search_file.exists():
            # Somebody may search here: the next time it should not have to catch up first.
            self.ranked.resume()
            self._embed()


async def local_vectors(embedder: Embedder, texts: Sequence[str]) -> dict[str, Vector]:
    """Returns the vector that LOCAL_EMBEDDING has for each text; none where it fails."""
    found: dict[str, Vector] = {}
    try:
        for at in range(0, len(texts), BATCH):
            some = texts[at : at + BATCH]
            found |= zip(some, await embedder.embed(some, LOCAL_EMBEDDING), strict=True)
    except ModelError:
        return {}
    return found
