"""Writes a finished turn into the day's notes and the working buffer. An error here does not fail the turn."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from mnemoscope.agent.prompt.prompt_guard import PromptGuard
from mnemoscope.domain.context.exchange_reference import NotedExchange, NotedMessage
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.conversation.discretion import Trace
from mnemoscope.domain.conversation.message import Message, text_of
from mnemoscope.domain.conversation.origin import parts_of_message
from mnemoscope.domain.errors import ContextTooLong, ModelError, ModelUnknown, StorageError
from mnemoscope.domain.events import EventBus, HistoryChanged, Noticed
from mnemoscope.domain.review.evidence import Evidence
from mnemoscope.domain.review.prompt_injection import is_prompt_injection
from mnemoscope.domain.review.sources import LOOKED_BACK, Sources, sources_of
from mnemoscope.domain.settings import Settings
from mnemoscope.memory.context.daily_notes import DailyNotes
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.sessions.session import Session

log = logging.getLogger(__name__)
_FAILED = "Error: "
"""The beginning of the result of a tool that failed."""
FROM_OTHERS: Final = "(Answered from what tools and files say.)"
PUT_IN: Final = "(Text that was put in.)"
_SENTENCE: Final = re.compile(r"[^\n.!?。！？]+(?:[.!?。！？]+|$)", re.MULTILINE)


class ExchangeRecorder:
    """Notes finished exchanges of one workspace, and what errors teach."""

    def __init__(
        self, notes: DailyNotes, guard: PromptGuard, settings: Callable[[], Settings], bus: EventBus, disk: Disk
    ) -> None:
        self._notes = notes
        self._guard = guard
        self._settings = settings
        self._bus = bus
        self._disk = disk
        self._has_announced = False

    async def answered(self, session: Session, index: int, prompt: PromptSnapshot) -> None:
        """Notes that the message at `index` has its answer, which is durable. Never raises for the disk's sake."""
        if not session.discretion.permits(Trace.NOTES):
            return
        try:
            question, answer, errors, exchange = await self._disk.run(_exchange, session, index)
            await self._guard.answered(session, question, answer, exchange, prompt)
            if self._settings().keeps_notes and await self._disk.run(
                self._notes.note_exchange, question, answer, errors, exchange
            ):
                self._bus.publish(HistoryChanged())
            self._has_announced = False
        except StorageError as error:
            self._announce(error)

    async def failed(self, session: Session, index: int, error: ModelError) -> None:
        """Notes that the message at `index` got no answer. What only needs another try is no lesson."""
        may_note = self._settings().keeps_notes and session.discretion.permits(Trace.NOTES)
        if not may_note or not isinstance(error, ContextTooLong | ModelUnknown):
            return
        try:
            occasion = own_words(session.messages[index])
            exchange = await self._disk.run(_place, session, index)
            if await self._disk.run(self._notes.note_lesson, occasion, [error.sentence], exchange):
                self._bus.publish(HistoryChanged())
        except StorageError as problem:
            self._announce(problem)

    def _announce(self, error: StorageError) -> None:
        """Announces a failure once, until it works again."""
        log.warning("an exchange could not be noted: %s %s", error.sentence, error.context)
        if not self._has_announced:
            self._has_announced = True
            sentence = f"This exchange was not noted in the day's notes. {error.sentence}"
            self._bus.publish(Noticed("warning", sentence, "The conversation itself is saved."))


def _place(session: Session, index: int) -> NotedExchange:
    """Returns the message at `index`, and its answer where it has one."""
    messages, branch = session.messages, session.branch
    answer = next((at for at in range(len(messages) - 1, index, -1) if _is_answer(messages[at])), None)
    said = (index,) if answer is None else (index, answer)
    return NotedExchange(session.key, tuple(NotedMessage(branch.owner_of(at), at) for at in said))


def _is_answer(message: Message) -> bool:
    return message.get("role") == "assistant" and not message.get("tool_calls")


def _exchange(session: Session, index: int) -> tuple[str, str, list[str], NotedExchange]:
    """Returns the person's words, what of the answer may be told again, what failed on the way, and the messages of
    both."""
    conversation = session.messages
    messages = conversation[index:]
    answers = [text_of(each) for each in messages if _is_answer(each)]
    failed = [
        f"{each.get('name') or 'tool'}: {text_of(each).removeprefix(_FAILED)}" for each in filter(_has_failed, messages)
    ]
    # What a file tool says of its own failure is the program's word, unlike what a command prints.
    results = [each for each in conversation[-LOOKED_BACK:] if each.get("name") == "exec" or not _has_failed(each)]
    answer = shareable_text(answers[-1], sources_of(results)) if answers else ""
    question = own_words(messages[0]) if messages else ""
    return question, answer, list(filter(is_shareable, failed)), _place(session, index)


def _has_failed(message: Message) -> bool:
    return message.get("role") == "tool" and text_of(message).startswith(_FAILED)


def shareable_text(answer: str, sources: Sources) -> str:
    """Returns the answer as it is if nobody else wrote in the conversation; else its sentences that the person and the
    model can answer for, or FROM_OTHERS if there are none.

    Notes of the day enter later prompts without a person's look at them, so a sentence that text of others brought in,
    or one that gives orders, stays where it was said.
    """
    evidence = Evidence(sources, "")
    if not evidence.is_needed:
        return answer
    sentences = [found[0].strip() for found in _SENTENCE.finditer(answer)]
    own = [each for each in sentences if each and is_shareable(each) and evidence.missing(each) != "quoted"]
    return " ".join(own) or FROM_OTHERS


def own_words(message: Mapping[str, Any]) -> str:
    """Returns a person's message without what was pasted, quoted or came from a file, or PUT_IN if it is nothing
    else."""
    parts = parts_of_message(message)
    if not any(part.is_quoted for part in parts):
        return text_of(message)
    return "\n".join(part.text.strip() for part in parts if not part.is_quoted) or PUT_IN


def is_shareable(words: str) -> bool:
    """Returns whether words that anybody may have written give a model no orders."""
    return not is_prompt_injection(words)
