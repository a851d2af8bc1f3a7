"""Embeds for the search by meaning: passages in the background, a question when it is asked.

It uses the model of this computer, unless the person chose another one or none. During a turn no passage is embedded,
so that the answer has the processor to itself. Where embedding fails, the search goes on by words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

from mnemoscope.domain.errors import ModelError, ModelMissing
from mnemoscope.domain.events import EventBus, Noticed, TurnEnded, TurnStarted
from mnemoscope.domain.forgetting.forgotten_lines import without_forgotten
from mnemoscope.domain.llm import Embedder, Vector
from mnemoscope.domain.settings import is_on_this_computer
from mnemoscope.store.search.embedded_texts import (
    BATCH,
    LONGEST_QUESTION,
    EmbeddedQuestion,
    Unembedded,
    embedded_texts,
    meanings,
)
from mnemoscope.store.search.search_hit import SearchState
from mnemoscope.store.search.worker import PassageQuestions

_ROUND: Final = 8 * BATCH
"""Passages that are fetched at once; of these the vectors of one request are kept while the next is under way."""
_KEPT_AT_ONCE: Final = 8
"""Few, as whoever types has to wait for them."""
QUESTION_SECONDS: Final = 1.5
"""A question that is not embedded by then is answered by its words."""
_NO_WORDS: Final = "…"
"""The text embedded in the place of a passage that was forgotten whole: models refuse an empty one."""
REST_SECONDS: Final = 60.0
"""After a failure nothing is asked for so long."""
_STEP: Final = (
    "Nothing is lost. Check the model under “Search by meaning” in Settings and that the key of its provider is known, "
    "or choose the one of this computer there."
)
_STEP_HERE: Final = (
    "Nothing is lost. If it fails again after a restart, install Mnemoscope anew, or choose another model or “By words "
    "alone” under “Search by meaning” in Settings."
)
"""The next step after a failure of a model of this computer, which has no provider and no key."""
MISSING_STEP: Final = (
    "Nothing is lost. {step} Then search again; or choose “By words alone” under “Search by meaning” in Settings."
)


class PassageEmbedder:
    """Embeds the passages of one workspace, on the event loop that made it.

    `model` gives the name in force, "" for none. While `pauses` is true, as at the daily spending limit, only
    questions are embedded. Lines that the person had forgotten, as `is_forgotten` knows them, leave this computer no
    more than any other way.
    """

    def __init__(
        self,
        search: PassageQuestions,
        embedder: Embedder,
        model: Callable[[], str],
        bus: EventBus,
        pauses: Callable[[], bool] = lambda: False,
        is_forgotten: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._search = search
        self._embedder = embedder
        self._model = model
        self._bus = bus
        self._pauses = pauses
        self._is_forgotten = is_forgotten
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[None] | None = None
        self._has_news = False
        self._failed = ""
        """The model whose failure was said."""
        self._rests_until = 0.0
        self._ahead: tuple[str, asyncio.Task[EmbeddedQuestion | None]] | None = None
        """A question that may be asked soon, and its vector, which is on its way."""
        self._turns: set[str] = set()
        """The conversations in which a turn is under way."""
        self._ends = [
            search.subscribe(self._on_state),
            bus.on(TurnStarted, self._on_turn_started),
            bus.on(TurnEnded, self._on_turn_ended),
        ]

    def go_on(self) -> None:
        """Embeds what has no vector yet, unless the model has just failed; during a turn, once it has ended."""
        self._has_news = True
        is_free = not self._turns and (self._task is None or self._task.done())
        if is_free and self._may_ask(self._model()):
            self._task = self._loop.create_task(self._embed_all(), name="embed passages")

    def warm(self) -> None:
        """Has the model of this computer loaded, where that is asked, as a question is about to be typed."""
        if self._ahead is None:
            self.embed_ahead(_NO_WORDS)

    def embed_ahead(self, question: str) -> None:
        """Begins to embed a question that may be asked soon, and gives up the one before it. Only the model of this
        computer is asked: what a person has not typed to its end goes nowhere else, and costs nothing."""
        if self._ahead is not None:
            if self._ahead[0] == question:
                return
            self._ahead[1].cancel()
            self._ahead = None
        if is_on_this_computer(self._model()):
            self._ahead = question, self._loop.create_task(self._embedded(question), name="embed a question")

    async def embedded(self, question: str) -> EmbeddedQuestion | None:
        """Returns a question with its vector; None where that cannot be had at once."""
        if self._ahead is not None and self._ahead[0] == question:
            # Whoever types on gives it up, and then it comes to None; whoever waits for it does not.
            _question, task = self._ahead
            await asyncio.wait({task})
            if task.cancelled():
                return None
            found = task.result()
            if found is not None and found.model != self._model():
                return await self._embedded(question)
            if found is None:
                # It was waited for as long as any; whoever asks once more may have it.
                self._ahead = None
            return found
        return await self._embedded(question)

    async def _embedded(self, question: str) -> EmbeddedQuestion | None:
        model = self._model()
        if not question.strip() or not self._may_ask(model):
            return None
        try:
            async with asyncio.timeout(QUESTION_SECONDS):
                cut = question[:LONGEST_QUESTION]
                asked = await asyncio.wrap_future(self._search.ask(lambda own: own.without_speakers(cut)))
                [vector] = await self._embedder.embed([asked], model, is_question=True)
        except TimeoutError:
            return None
        except ModelError as error:
            self._note_failure(model, error)
            return None
        self._failed = ""
        return EmbeddedQuestion(model, question, vector)

    async def close(self) -> None:
        """Stops asking."""
        for end in self._ends:
            end()
        tasks = {task for task in (self._task, self._ahead and self._ahead[1]) if task is not None}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _on_state(self, state: SearchState) -> None:
        # Told on the search's thread.
        if state.is_current:
            self._loop.call_soon_threadsafe(self.go_on)

    def _on_turn_started(self, event: TurnStarted) -> None:
        self._turns.add(event.session_key)

    def _on_turn_ended(self, event: TurnEnded) -> None:
        self._turns.discard(event.session_key)
        self.go_on()

    def _may_ask(self, model: str) -> bool:
        return bool(model) and (model != self._failed or self._loop.time() >= self._rests_until)

    async def _embed_all(self) -> None:
        while model := self._model_of_passages():
            self._has_news = False
            wanted = await self._unembedded(model)
            if not wanted and not self._has_news:
                return
            try:
                await self._embed_round(model, wanted)
            except ModelError as error:
                self._note_failure(model, error)
                if model == self._model():
                    return

    def _model_of_passages(self) -> str:
        """Returns the model that embeds passages now, "" while none does."""
        return "" if self._turns or self._pauses() else self._model()

    async def _embed_round(self, model: str, wanted: Sequence[Unembedded]) -> None:
        """Embeds some passages, request by request, while these are what is to be done. Raises ModelError."""
        keeping: asyncio.Task[None] | None = None
        try:
            for at in range(0, len(wanted), BATCH):
                if at and self._model_of_passages() != model:
                    break
                some = wanted[at : at + BATCH]
                vectors = await self._embedder.embed(await self._texts_for(model, some), model)
                self._failed = ""
                if keeping is not None:
                    await keeping
                keeping = self._loop.create_task(self._keep_all(model, some, vectors), name="keep vectors")
            if keeping is not None:
                await keeping
        finally:
            if keeping is not None and not keeping.done():
                await asyncio.wait({keeping})

    async def _keep_all(self, model: str, wanted: Sequence[Unembedded], vectors: Sequence[Vector]) -> None:
        left = iter(vectors)
        for at in range(0, len(wanted), _KEPT_AT_ONCE):
            some = wanted[at : at + _KEPT_AT_ONCE]
            await self._keep(model, some, list(islice(left, len(embedded_texts(some)))))

    async def _texts_for(self, model: str, wanted: Sequence[Unembedded]) -> Sequence[str]:
        texts = embedded_texts(wanted)
        if is_on_this_computer(model):
            return texts

        def sent() -> list[str]:
            return [without_forgotten(text, self._is_forgotten)[0].strip() or _NO_WORDS for text in texts]

        return await asyncio.to_thread(sent)

    async def _unembedded(self, model: str) -> list[Unembedded]:
        return await asyncio.wrap_future(self._search.ask(lambda own: own.unembedded(model, _ROUND)))

    async def _keep(self, model: str, passages: Sequence[Unembedded], vectors: Sequence[Vector]) -> None:
        await asyncio.wrap_future(self._search.ask(lambda own: own.embed(model, meanings(passages, vectors))))

    def _note_failure(self, model: str, error: ModelError) -> None:
        is_new = model != self._failed
        self._failed, self._rests_until = model, self._loop.time() + REST_SECONDS
        if is_new:
            step = _STEP_HERE if is_on_this_computer(model) else _STEP
            if isinstance(error, ModelMissing):
                step = MISSING_STEP.format(step=error.next_step)
            sentence = f"The search goes on by words alone. {error.sentence}"
            self._bus.publish(Noticed("warning", sentence, step, "settings.search"))
