"""Reads the receipt of an answer, and asks its question again with another memory, of which nothing is kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, cast

from mnemoscope.agent.commits.memory_commits import MemoryCommits
from mnemoscope.agent.prompt.context_builder import SEPARATOR
from mnemoscope.agent.tasks.spending import Spending
from mnemoscope.agent.turn.turn import TurnServices, filled_request
from mnemoscope.domain.answer_receipt.left_out import LeftOut, left_out_of
from mnemoscope.domain.answer_receipt.likely import LikelyLine, likely_lines
from mnemoscope.domain.answer_receipt.likely_meaning import likely_by_meaning, texts_to_embed, with_meaning
from mnemoscope.domain.answer_receipt.memory_use import (
    MemoryCounts,
    UsedMemory,
    counts_of,
    counts_repeated_lines,
    distinct_facts,
    distinct_passages,
    in_each_file,
    memory_in,
    of_tools,
    prompt_id_of,
    repeated_lines,
    soul_in,
    without_memory,
)
from mnemoscope.domain.answer_receipt.sent_request import SentRequest
from mnemoscope.domain.context.prompt_snapshot import BOOTSTRAP_TITLE, MEMORY_TITLE, RECENT_TITLE, PromptSnapshot
from mnemoscope.domain.conversation.attachment import attachments_of
from mnemoscope.domain.conversation.branch import Branch
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.conversation.message import Message, is_command, text_of
from mnemoscope.domain.conversation.token_estimate import estimate_message, estimate_tokens
from mnemoscope.domain.errors import AnswerCutOff, MnemoscopeError, ModelError, reason_of
from mnemoscope.domain.llm import ChatRequest, LLMResponse, Meanings, StreamPart, TextDelta, ToolSchema
from mnemoscope.domain.trust import TrustGate
from mnemoscope.memory.structured_output.output_modes import traits_of
from mnemoscope.store.search.embedded_texts import unrelated_texts
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager

_LIMIT_REACHED: Final = "The daily limit is reached, so no answer is asked for again."
_LIMIT_STEP: Final = "Raise the limit in Settings, or wait until tomorrow."
NOT_KEPT: Final = "What the model was sent for this answer is not kept any more."
_NOT_KEPT_STEP: Final = "Have the question answered anew: its receipt is complete then."
_FROM_FILES: Final = frozenset({BOOTSTRAP_TITLE, MEMORY_TITLE, RECENT_TITLE})
"""The parts of a system prompt that are made of the files of memory."""


@dataclass(frozen=True, slots=True)
class AnswerReceipt:
    """Tells what an answer was made from. Without a `prompt` nothing but the counts is known any more."""

    session_key: str
    index: int
    question: str
    answer: str
    model: str
    counts: MemoryCounts
    discretion: Discretion
    prompt: PromptSnapshot | None = None
    used: tuple[UsedMemory, ...] = ()
    """The parts of memory in the prompt, each once; of a line that stood in several files the first."""
    stood: tuple[UsedMemory, ...] = ()
    """The same as often as they stood there."""
    instructions: tuple[UsedMemory, ...] = ()
    """The lines of SOUL.md, which are no memory: nothing counts them, and no answer is said to rest on them."""
    likely: tuple[LikelyLine, ...] = ()
    """The parts that the answer likely rests on, by their place in `used`, the strongest first."""
    cut: tuple[LeftOut, ...] = ()
    """The lines and messages that were left out of the prompt, by reason."""
    cost: float | None = None
    """US dollars that the request of this answer cost; None where that is not known."""
    branch: Branch | None = None
    """The way of the conversation that the answer was given on."""

    def began(self, number: int) -> str:
        """Returns the name of the branch that a message of this conversation was said in, "" where it is not known."""
        return self.branch.owner_of(number) if self.branch is not None else ""

    @property
    def parts(self) -> tuple[UsedMemory, ...]:
        """Returns all that can be corrected, forgotten, or left out of another prompt: the memory, each part once, and
        the instructions."""
        return (*self.used, *self.instructions)

    def in_each_file(self, part: UsedMemory) -> tuple[UsedMemory, ...]:
        """Returns a part as each file had it in the prompt, itself first."""
        return in_each_file(self.stood, part)

    @property
    def names_cut(self) -> bool:
        """Returns whether the prompt was kept with the lines and messages that were left out of it; earlier versions
        kept the sentences about them alone."""
        return self.prompt is None or self.prompt.cut_lines is not None

    @property
    def taken_out(self) -> int:
        """Returns how many parts of memory the prompt had that are not in what is kept of it any more, as they were
        forgotten since."""
        return max(0, self.counts.total - len(self.used)) if self.prompt is not None else 0

    @property
    def tokens(self) -> int:
        """Returns the estimated tokens of the prompt."""
        return self.prompt.tokens if self.prompt is not None else 0


@dataclass(frozen=True, slots=True)
class ComparedAnswer:
    """Holds an answer that was asked for to compare, the model that gave it, and what it cost in US dollars; None where
    that is not known."""

    text: str
    model: str
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class AnswerPrice:
    """Tells what one more answer takes, as far as that can be known before: the tokens that are sent, and the US
    dollars with an answer as long as the one there is; None where the model's price is not known."""

    tokens: int
    dollars: float | None = None


class AnswerReceipts:
    """Makes the receipts of one workspace's answers. It writes nothing but the money that was spent."""

    def __init__(
        self,
        sessions: SessionManager,
        services: TurnServices,
        commits: MemoryCommits,
        trust: TrustGate,
        spending: Spending,
        meanings: Meanings,
    ) -> None:
        """`meanings` returns the vectors of texts, of the embedding model of this computer, or none."""
        self._sessions = sessions
        self._services = services
        self._commits = commits
        self._trust = trust
        self._spending = spending
        self._meanings = meanings

    async def of_answer(self, session_key: str, index: int) -> AnswerReceipt:
        """Returns the receipt of the answer at `index`. Raises UnreadableFile."""
        session = await self._services.disk.run(self._sessions.get_or_create, session_key)
        message = session.messages[index]
        sent = await self._services.sent.find(session, prompt_id_of(message))
        question = _question_before(session, index)
        prompt = None if sent is None else sent.prompt
        stood = () if prompt is None else tuple(memory_in(prompt))
        used = tuple(distinct_facts(stood))
        counts = counts_of(message) or MemoryCounts.of(used)
        if counts_repeated_lines(message):
            counts = replace(counts, lines=max(0, counts.lines - repeated_lines(stood)))
        cost = message.get("cost")
        cut = () if prompt is None else await self._services.disk.run(left_out_of, prompt, _messages_of(session))
        return AnswerReceipt(
            session_key=session_key,
            index=index,
            question=question,
            answer=text_of(message),
            model=str(message.get("model") or ""),
            counts=counts,
            discretion=session.discretion,
            prompt=prompt,
            used=used,
            stood=stood,
            instructions=() if prompt is None else tuple(distinct_passages(soul_in(prompt))),
            likely=tuple(likely_lines(question, text_of(message), [each.text for each in used])),
            cut=cut,
            cost=float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) else None,
            branch=session.branch,
        )

    async def with_meaning(self, receipt: AnswerReceipt) -> AnswerReceipt:
        """Returns the receipt with the lines, too, that the answer is close to in meaning alone, behind the others; the
        receipt as it was where the search by meaning does not ask the embedding model of this computer."""
        lines = [each.text for each in receipt.used]
        wanted = texts_to_embed(receipt.question, receipt.answer, lines)
        if not wanted:
            return receipt
        vectors = await self._meanings([*unrelated_texts(), *wanted])
        if not vectors:
            return receipt
        unrelated = {text: vectors[text] for text in unrelated_texts()}
        close = await asyncio.to_thread(likely_by_meaning, receipt.question, receipt.answer, lines, vectors, unrelated)
        return replace(receipt, likely=tuple(with_meaning(receipt.likely, close)))

    async def sent_request(self, receipt: AnswerReceipt) -> SentRequest:
        """Returns the whole request of an answer, its images read anew. Raises ModelError where it is not kept."""
        return await self._services.disk.run(SentRequest.of, _required(receipt), self._services.attachments.read)

    async def model_now(self, receipt: AnswerReceipt) -> str:
        """Returns the model that would answer again: the conversation's, or that of the settings."""
        session = await self._services.disk.run(self._sessions.get_or_create, receipt.session_key)
        return session.model or self._services.settings().model

    async def request_at(self, receipt: AnswerReceipt, moment: datetime, commit_id: str = "") -> tuple[Message, ...]:
        """Returns the request of an answer with the memory files as they were at a moment, and without what tools had
        read of them as they were later. What has no versions, as the state of the conversation, is as it was sent.
        `commit_id`: the version that is meant where several were made within that second. Raises StorageError, and
        ModelError where the prompt is not kept."""
        prompt = _required(receipt)
        past = await self._commits.prompt_at(moment, receipt.session_key, commit_id)
        if past is None:
            raise ModelError("There is no version of memory from that moment.", next_step="Choose a later one.")
        then = {section.title: section for section in past.prompt.system if section.title in _FROM_FILES}
        kept = [section for section in prompt.system if section.title not in _FROM_FILES or section.title in then]
        missing = [section for title, section in then.items() if all(each.title != title for each in prompt.system)]
        sections = [then.get(section.title, section) for section in [*kept, *missing]]
        system: Message = {**prompt.request[0], "content": SEPARATOR.join(section.text for section in sections)}
        return (system, *without_memory(prompt.request, of_tools(prompt))[1:])

    async def price_of(self, receipt: AnswerReceipt, messages: Sequence[Message], model: str) -> AnswerPrice:
        """Returns what it takes to have a model answer this request, without asking it. Raises ModelError where the
        prompt is not kept."""
        prompt = _required(receipt)
        filled, missing = await filled_request(self._services, messages, model)
        # The parts of a prompt, counted one by one, make another sum than its messages, counted whole: this request is
        # counted by what differs from the one that was sent.
        tokens = prompt.tokens - sum(map(estimate_message, prompt.request))
        for message, sent in zip(messages, filled, strict=True):
            has_none = all(image.sha256 in missing for image in attachments_of(message))
            tokens += estimate_message(sent if has_none else message)
        traits = await traits_of(self._services.provider, model)
        if traits.input_price is None or traits.output_price is None:
            return AnswerPrice(tokens)
        answer = estimate_tokens(receipt.answer)
        return AnswerPrice(tokens, tokens * traits.input_price + answer * traits.output_price)

    async def answer_again(
        self, receipt: AnswerReceipt, messages: Sequence[Message], on_text: Callable[[str], object], *, model: str = ""
    ) -> ComparedAnswer:
        """Asks for one more answer to a request that differs in memory; `on_text` is given each piece. `model` answers,
        "" for the one of `model_now`.

        It is asked for as the answer was, where that is kept: as long and with the same temperature. No tool is called,
        and nothing is written: no message, no capture, no prompt. Raises ModelError, also where nobody agreed to the
        folder, the limit of spending is reached, or the prompt is not kept.
        """
        prompt = _required(receipt)
        await self._trust.require()
        if self._spending.reached:
            raise ModelError(_LIMIT_REACHED, next_step=_LIMIT_STEP)
        model = model or await self.model_now(receipt)
        settings = prompt.options or self._services.settings()
        # It was sent before: what was forgotten since in other words than it has is no more sent again than that.
        without_forgotten = self._services.context.request_without_forgotten
        asked = await self._services.disk.run(without_forgotten, messages, receipt.question)
        filled, _missing = await filled_request(self._services, asked, model)
        request = ChatRequest(
            filled,
            _tools(prompt),
            model,
            max_tokens=settings.max_tokens,
            temperature=settings.temperature,
            tool_choice="none" if prompt.tools else None,
        )
        pieces: list[str] = []
        whole: LLMResponse | None = None
        try:
            async with aclosing(_generator(self._services.provider.stream(request))) as parts:
                async for part in parts:
                    if isinstance(part, TextDelta):
                        pieces.append(part.text)
                        on_text(part.text)
                    elif isinstance(part, LLMResponse):
                        whole = part
        except MnemoscopeError:
            raise
        except Exception as error:
            raise ModelError(f"The model failed: {reason_of(error)}", reason=repr(error)) from error
        if whole is None or whole.finish_reason == "error":
            raise AnswerCutOff("The answer ended before it was complete.")
        text = "".join(pieces) or whole.content or ""
        if not text.strip():
            raise ModelError("The model's answer was empty.")
        return ComparedAnswer(text, model, whole.cost)


def _generator(stream: AsyncIterator[StreamPart]) -> AsyncGenerator[StreamPart, None]:
    return cast("AsyncGenerator[StreamPart, None]", stream)


def _required(receipt: AnswerReceipt) -> PromptSnapshot:
    if receipt.prompt is None:
        raise ModelError(NOT_KEPT, next_step=_NOT_KEPT_STEP)
    return receipt.prompt


def _question_before(session: Session, index: int) -> str:
    for place in range(index - 1, -1, -1):
        message = session.messages[place]
        if message.get("role") == "user" and not is_command(message):
            return text_of(message)
    return ""


def _messages_of(session: Session) -> Callable[[int], Message | None]:
    messages = session.messages
    return lambda number: messages[number] if 0 <= number < len(messages) else None


def _tools(prompt: PromptSnapshot) -> list[ToolSchema]:
    """Returns the tools that were offered with the prompt, which another answer may not call."""
    return [json.loads(part.text) for part in prompt.tools]
