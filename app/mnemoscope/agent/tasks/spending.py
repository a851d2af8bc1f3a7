"""Counts what models cost on a day, and says when the limit is reached that stops the background work alone."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from datetime import datetime
from enum import StrEnum
from functools import reduce
from operator import add

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import EventBus, SpendingChanged
from mnemoscope.domain.llm import (
    ChatRequest,
    EmbeddedTexts,
    Embedder,
    LLMProvider,
    LLMResponse,
    ModelTraits,
    StreamPart,
    Vector,
)
from mnemoscope.domain.settings import Settings
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.workspace.spending_file import SpendingFile, Spent, SpentByDay

log = logging.getLogger(__name__)


class Purpose(StrEnum):
    """Names what a model was asked for: the conversation and what is searched for, or what goes by itself beside it."""

    CHAT = "chat"
    BACKGROUND = "background"


class Spending:
    """Counts what was spent, by day and purpose, in memory and in a file."""

    def __init__(
        self,
        file: SpendingFile,
        settings: Callable[[], Settings],
        disk: Disk,
        bus: EventBus,
        clock: Callable[[], datetime],
        *,
        read_only: bool = False,
    ) -> None:
        self._file = file
        self._settings = settings
        self._disk = disk
        self._bus = bus
        self._clock = clock
        self._read_only = read_only
        self._days: SpentByDay = {}

    async def load(self) -> None:
        """Loads what was spent before the workspace was opened."""
        self._days = await self._disk.run(self._file.load)
        self._bus.publish(SpendingChanged())

    def today(self, *purposes: Purpose) -> Spent:
        """Returns what was spent today, for some purposes or for all."""
        spent = self._days.get(self._day(), {})
        return reduce(add, (spent.get(purpose, Spent()) for purpose in purposes or Purpose), Spent())

    @property
    def reached(self) -> str:
        """Returns a sentence if today's limit is reached, "" if it is not or there is none."""
        limit = self._settings().spending_limit
        if not limit or self.today().dollars < limit:
            return ""
        return f"The daily limit of US${limit:,.2f} is reached, so nothing is done in the background until tomorrow."

    async def add(self, purpose: Purpose, response: LLMResponse) -> None:
        """Counts a whole answer whose price is known. What cannot be written counts until the program ends."""
        if not response.cost:
            return
        tokens = response.usage.get("total_tokens") or sum(
            response.usage.get(name, 0) for name in ("prompt_tokens", "completion_tokens")
        )
        self._add(purpose, Spent(tokens, response.cost))

    def add_embedded(self, purpose: Purpose, embedded: EmbeddedTexts) -> None:
        """Counts what a remote model took for the vectors of texts; where its price is not known, that it was asked."""
        if embedded.cost is None:
            self._add(purpose, Spent(unpriced=1))
        elif embedded.cost:
            self._add(purpose, Spent(embedded.tokens, embedded.cost))

    def _add(self, purpose: Purpose, spent: Spent) -> None:
        today = self._days.setdefault(self._day(), {})
        today[purpose] = today.get(purpose, Spent()) + spent
        self._bus.publish(SpendingChanged())
        if not self._read_only:
            copy = {day: dict(spent) for day, spent in self._days.items()}
            self._disk.submit(self._save, copy)

    def _save(self, days: SpentByDay) -> None:
        try:
            self._file.save(days)
        except StorageError as error:
            log.warning("what was spent could not be kept: %s", error)

    def _day(self) -> str:
        return self._clock().date().isoformat()


def metered(provider: LLMProvider, spending: Spending, purpose: Purpose) -> LLMProvider:
    """Returns a provider whose answers are counted. One of a caller's own that answers in `chat` stays as it is: what
    it costs is the caller's business."""
    is_usual = getattr(type(provider), "chat", None) is LLMProvider.chat
    return MeteredProvider(provider, spending, purpose) if is_usual else provider


class MeteredProvider(LLMProvider):
    """Hands every request on, and counts what its answer cost. What it stands before is closed by whoever owns it."""

    def __init__(self, provider: LLMProvider, spending: Spending, purpose: Purpose) -> None:
        self._provider = provider
        self._spending = spending
        self._purpose = purpose

    async def complete(self, request: ChatRequest) -> LLMResponse:
        """Waits for the whole answer to a request."""
        response = await self._provider.complete(request)
        await self._spending.add(self._purpose, response)
        return response

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamPart, None]:
        """Yields pieces as they arrive, then the whole answer."""
        async with aclosing(self._provider.stream(request)) as parts:  # type: ignore[type-var] # they are generators
            async for part in parts:
                if isinstance(part, LLMResponse):
                    await self._spending.add(self._purpose, part)
                yield part

    def context_window(self, model: str | None = None) -> int:
        """Returns the tokens that the model's context holds."""
        return self._provider.context_window(model)

    async def traits(self, model: str | None = None) -> ModelTraits:
        """Returns what is known of the model."""
        return await self._provider.traits(model)

    async def warm(self, model: str | None = None) -> None:
        """Gets ready what the first request would wait for."""
        await self._provider.warm(model)

    async def aclose(self) -> None:
        """Closes nothing: several of these stand before one provider."""


class MeteredEmbedder:
    """Hands texts on to be embedded, and counts what that cost: passages as background work, questions as the
    conversation's. An embedder of a caller's own that says nothing of its cost is that caller's business."""

    def __init__(self, embedder: Embedder, spending: Spending) -> None:
        self._embedder = embedder
        self._spending = spending

    async def embed(self, texts: Sequence[str], model: str, *, is_question: bool = False) -> list[Vector]:
        """Returns one vector for each text."""
        vectors = await self._embedder.embed(texts, model, is_question=is_question)
        if isinstance(vectors, EmbeddedTexts):
            self._spending.add_embedded(Purpose.CHAT if is_question else Purpose.BACKGROUND, vectors)
        return vectors
