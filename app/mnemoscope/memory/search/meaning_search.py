"""Search by meaning for whoever calls from Python and has no event loop: embeds what is not, and waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from mnemoscope.domain.llm import Embedder, Vector
from mnemoscope.store.search.passage_search import WorkspaceSearch
from mnemoscope.store.search.vectors import BATCH, LONGEST_QUESTION, NEAREST


class MeaningSearch:
    """Passages of one search that are near in meaning, by `model` as `embedder` has it. Blocks; raises ModelError."""

    def __init__(self, search: WorkspaceSearch, embedder: Embedder, model: str) -> None:
        self._search, self._embedder, self._model = search, embedder, model

    def embed_missing(self) -> int:
        """Embed and keep what has no vector of this model yet; how many texts that were."""
        embedded = 0
        while wanted := self._search.unembedded(self._model, BATCH):
            vectors = self._vectors([each.text for each in wanted])
            self._search.embed(self._model, dict(zip(wanted, vectors, strict=True)))
            embedded += len(wanted)
        return embedded

    def nearest(self, question: str) -> list[int]:
        """Numbers of the passages near to a question, the nearest first, for `WorkspaceSearch.find`."""
        [vector] = self._vectors([question[:LONGEST_QUESTION]])
        return self._search.nearest(self._model, vector, NEAREST)

    def _vectors(self, texts: Sequence[str]) -> Sequence[Vector]:
        # On a thread of its own: the caller's may run a loop already.
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="mnemoscope-embed") as thread:
            return thread.submit(lambda: asyncio.run(self._asked(texts))).result()

    async def _asked(self, texts: Sequence[str]) -> Sequence[Vector]:
        return await self._embedder.embed(texts, self._model)
