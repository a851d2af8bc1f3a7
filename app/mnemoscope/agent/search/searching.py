"""Search over everything as window and agent ask for it: on a thread of its own, kept current by what happens.

Nothing of it is there before the first search, or in a workspace that was searched before, the first answer: it costs
memory that an idle window has no use for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from mnemoscope.domain import events
from mnemoscope.domain.events import Event, EventBus
from mnemoscope.domain.llm import Embedder
from mnemoscope.domain.settings import Settings, is_built_in
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.workspace.paths import WorkspacePaths

if TYPE_CHECKING:
    from concurrent.futures import Future

    from mnemoscope.agent.search.meaning import Meaning
    from mnemoscope.memory.search.memory_search import Behind
    from mnemoscope.memory.search.recall import Hit
    from mnemoscope.store.search.search_hit import SearchHit
    from mnemoscope.store.search.worker import SearchWorker

_NEWS = (
    events.RecordAppended,
    events.SessionCleared,
    events.SessionsChanged,
    events.MessagesLost,
    events.MemoryChanged,
    events.MemoryFileChanged,
    events.HistoryChanged,
    events.Consolidated,
    events.Captured,
    events.TurnEnded,
)
_PAGE = 40
_SPARE = 10


class Searching:
    """The search of one workspace: by words, and by meaning too where `settings` names a model for `embedder`."""

    def __init__(
        self,
        paths: WorkspacePaths,
        bus: EventBus,
        *,
        read_only: bool = False,
        calls: FileCalls = REAL_CALLS,
        embedder: Embedder | None = None,
        settings: Callable[[], Settings] = Settings,
    ) -> None:
        self._paths, self._bus, self._read_only, self._calls = paths, bus, read_only, calls
        self._embedder, self._settings = embedder, settings
        self._meaning: Meaning | None = None
        self._is_closed = False
        self._ends: list[Callable[[], None]] = [bus.subscribe(self._on_event)]

    @property
    def is_begun(self) -> bool:
        """Whether the index is kept current already."""
        return "thread" in vars(self)

    @cached_property
    def thread(self) -> SearchWorker:
        """The thread that has the index; begun when it is first asked for."""
        from mnemoscope.memory.files.write_hooks import add_write_hook
        from mnemoscope.store.search.worker import SearchWorker

        thread = SearchWorker(self._paths, writable=not self._read_only, calls=self._calls)
        self._ends.append(add_write_hook(lambda _content, _source: thread.refresh()))
        if self._is_closed:
            thread.close()
        thread.refresh()
        return thread

    def look(self) -> None:
        """Something may have changed on disk."""
        if self.is_begun:
            self.thread.refresh()

    def type(self, text: str, limit: int = _PAGE) -> Future[list[SearchHit]]:
        """What is found as the person types."""
        return self.thread.type(text, limit)

    async def find(self, text: str, limit: int = _PAGE, *, typing: bool = False) -> list[SearchHit]:
        """What is found with everything that is on disk now. `typing`: the last word may not be whole."""
        semantic = await self._nearest(text)
        return await asyncio.wrap_future(self.thread.find(text, limit, semantic=semantic, typing=typing))

    async def behind(self, hit: SearchHit) -> Behind | None:
        """The messages a passage comes from, where that is known."""
        from mnemoscope.memory.search.memory_search import Origins

        origins = Origins(self._paths)
        return await asyncio.wrap_future(self.thread.on_thread(lambda _search: origins.behind(hit)))

    async def passages(self, text: str, limit: int, session_key: str = "") -> list[Hit]:
        """The same for the agent, which has the newest message of its conversation before it anyway."""
        from mnemoscope.memory.search.memory_search import agent_passages

        semantic = await self._nearest(text)
        search = self.thread.find(text, limit + _SPARE, semantic=semantic, asked_in=session_key)
        found = await asyncio.wrap_future(search)
        return await asyncio.to_thread(agent_passages, self._paths, text, found[:limit], self.thread.state.problem)

    async def close(self) -> None:
        """Let go of the index; what is asked is given up, what is being written is finished."""
        self._is_closed = True
        for end in self._ends:
            end()
        if self._meaning is not None:
            await self._meaning.close()
        if self.is_begun:
            await asyncio.wrap_future(self.thread.close())

    async def _nearest(self, text: str) -> list[int]:
        _ = self.thread
        self._embed()
        return await self._meaning.nearest(text) if self._meaning is not None else []

    def _model(self) -> str:
        name = self._settings().embedding_model.strip()
        return "" if is_built_in(name) else name

    def _embed(self) -> None:
        """Have embedded what is not; what is only read has no place to keep it."""
        if self._embedder is None or self._read_only or self._is_closed or not self._model():
            return
        if self._meaning is None:
            from mnemoscope.agent.search.meaning import Meaning

            self._meaning = Meaning(self.thread, self._embedder, self._model, self._bus)
        self._meaning.go_on()

    def _on_event(self, event: Event) -> None:
        if isinstance(event, events.SettingsChanged):
            self._embed()
        elif self.is_begun:
            if isinstance(event, _NEWS):
                self.thread.refresh()
        elif isinstance(event, events.TurnEnded) and self._paths.own.search_file.exists():
            # Somebody searches here: the next time it should not have to catch up first.
            _ = self.thread
            self._embed()
