"""Captures what a message says, by the rules, before it is answered. An error here does not fail the turn."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from mnemoscope.domain.capture.record import REFUSED, SECRET
from mnemoscope.domain.conversation.discretion import Trace
from mnemoscope.domain.conversation.message import Message, is_command
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.events import EventBus, Noticed
from mnemoscope.domain.settings import Settings
from mnemoscope.memory.capture.capture_writer import PersonMessage
from mnemoscope.memory.capture.captures import Captures
from mnemoscope.store.sessions.session import Session

log = logging.getLogger(__name__)
_LOOKED_BACK: Final = 5
"""Messages before one that never were answered: what a crash kept from being captured is captured with the next."""
_MOST_MISSED: Final = 100


class CaptureStep:
    """Captures what is said in the conversations of one workspace."""

    def __init__(self, captures: Captures | None, settings: Callable[[], Settings], bus: EventBus) -> None:
        """`captures` keeps what is said before it is answered; None where nothing is kept."""
        self._captures = captures
        self._settings = settings
        self._bus = bus
        self._missed: list[PersonMessage] = []
        self._has_failed = False

    async def run(self, session: Session, index: int) -> None:
        """Captures the message at `index`, and before it what was missed. Never raises; a failure is announced once."""
        settings = self._settings()
        if self._captures is None or not (settings.captures and session.discretion.permits(Trace.CAPTURE)):
            return
        waiting = [*self._missed, *_messages_to_capture(session, index)]
        try:
            while waiting:
                await self._capture(self._captures, waiting[0], paused=settings.capture_paused)
                del waiting[0]
            self._has_failed = False
        except MnemoscopeError as error:
            self._announce(error)
        except Exception:
            log.exception("capturing failed")
        self._missed = waiting[-_MOST_MISSED:]

    async def _capture(self, captures: Captures, said: PersonMessage, *, paused: bool) -> None:
        outcome = await captures.capture(said, paused=paused)
        if any((each.outcome, each.reason) == (REFUSED, SECRET) for each in outcome.records):
            sentence = "What looks like a key or a password in your message was not kept in memory."
            self._bus.publish(Noticed("info", sentence, "The message itself stays in the conversation as written."))

    def _announce(self, error: MnemoscopeError) -> None:
        log.warning("not captured: %s %s", error.sentence, error.context)
        if not self._has_failed:
            sentence = f"What you said could not be kept in memory yet. {error.sentence}"
            step = f"The conversation is saved; this is tried again with your next message. {error.next_step}"
            self._bus.publish(Noticed("warning", sentence, step.strip()))
        self._has_failed = True


def _messages_to_capture(session: Session, index: int) -> Iterator[PersonMessage]:
    """Yields the message, after those right before it that never were answered, oldest first."""
    for place in (*reversed(list(_unanswered(session.messages, index))), index):
        yield PersonMessage.at(session.key, session.branch, place, session.messages[place])


def _unanswered(messages: Sequence[Message], index: int) -> Iterator[int]:
    for place in range(index - 1, max(-1, index - 1 - _LOOKED_BACK), -1):
        if messages[place].get("role") != "user":
            return
        if not is_command(messages[place]):
            yield place
