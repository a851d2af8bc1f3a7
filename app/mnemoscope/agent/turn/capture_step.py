"""Before a message is answered: what it says that is worth keeping goes to the disk. A turn never fails for it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from mnemoscope.domain.capture.record import REFUSED, SECRET
from mnemoscope.domain.conversation.message import Message, is_command, text_of
from mnemoscope.domain.conversation.origin import quotes_in
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.events import EventBus, Noticed
from mnemoscope.domain.settings import Settings

if TYPE_CHECKING:
    from mnemoscope.memory.capture.capture_writer import Said
    from mnemoscope.memory.capture.captures import Captures
    from mnemoscope.store.sessions.session import Session

log = logging.getLogger(__name__)
_LOOKED_BACK: Final = 5
"""Messages before one that never were answered: what a crash kept from being captured is captured with the next."""
_MOST_MISSED: Final = 100


class CaptureStep:
    """Of one workspace."""

    def __init__(
        self, capturing: Callable[[], Captures] | None, settings: Callable[[], Settings], bus: EventBus
    ) -> None:
        self._capturing, self._settings, self._bus = capturing, settings, bus
        self._missed: list[Said] = []
        self._has_failed = False

    async def run(self, session: Session, index: int) -> None:
        """Capture the message at `index`, and before it what was missed. Never raises; a failure is told once."""
        settings = self._settings()
        if self._capturing is None or not settings.captures:
            return
        waiting = [*self._missed, *_said(session, index)]
        try:
            while waiting:
                await self._capture(waiting[0], paused=settings.capture_paused)
                del waiting[0]
            self._has_failed = False
        except MnemoscopeError as error:
            self._tell(error)
        except Exception:
            log.exception("capturing failed")
        self._missed = waiting[-_MOST_MISSED:]

    async def _capture(self, said: Said, *, paused: bool) -> None:
        assert self._capturing is not None
        outcome = await self._capturing().capture(said, paused=paused)
        if any((each.outcome, each.reason) == (REFUSED, SECRET) for each in outcome.records):
            sentence = "What looks like a key or a password in your message was not kept in memory."
            self._bus.publish(Noticed("info", sentence, "The message itself stays in the conversation as written."))

    def _tell(self, error: MnemoscopeError) -> None:
        log.warning("not captured: %s %s", error.sentence, error.context)
        if not self._has_failed:
            sentence = f"What you said could not be kept in memory yet. {error.sentence}"
            step = f"The conversation is saved; this is tried again with your next message. {error.next_step}"
            self._bus.publish(Noticed("warning", sentence, step.strip()))
        self._has_failed = True


def _said(session: Session, index: int) -> Iterator[Said]:
    """The message, and those right before it that never were answered, oldest first."""
    from mnemoscope.memory.capture.capture_writer import Said

    for place in (*reversed(list(_unanswered(session.messages, index))), index):
        message = session.messages[place]
        yield Said(session.key, session.created_at.isoformat(), place, text_of(message), tuple(quotes_in(message)))


def _unanswered(messages: Sequence[Message], index: int) -> Iterator[int]:
    for place in range(index - 1, max(-1, index - 1 - _LOOKED_BACK), -1):
        if messages[place].get("role") != "user":
            return
        if not is_command(messages[place]):
            yield place
