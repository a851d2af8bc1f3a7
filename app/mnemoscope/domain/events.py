"""Events announce what happened, from the core to whoever listens: typed, frozen, in the past tense, on one synchronous
bus.

They are published on the event loop's thread. A listener that fails is logged and never stops the others.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from mnemoscope.domain.capture.record import CaptureRecord
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.dream.run import DreamRun
from mnemoscope.domain.memory.change import MEMORY_PATH

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Event:
    """Is the base class of what the core publishes on the bus."""


@dataclass(frozen=True, slots=True)
class SessionEvent(Event):
    """Is the base class of events that concern one session."""

    session_key: str


@dataclass(frozen=True, slots=True)
class SessionsChanged(Event):
    """The list of sessions changed: created, renamed, deleted, restored, or a new first message."""


@dataclass(frozen=True, slots=True)
class SessionCleared(SessionEvent):
    """/new closed the conversation; `archived_as` names the kept transcript, relative to the workspace."""

    archived_as: str


@dataclass(frozen=True, slots=True)
class RecordAppended(SessionEvent):
    """A message is durable in the session file at `index`."""

    index: int
    message: Message


@dataclass(frozen=True, slots=True)
class RecordsDamaged(SessionEvent):
    """Records that could not be read; bytes of theirs are in `kept_in`, a file relative to the workspace, "" where
    nothing may be written there."""

    count: int
    kept_in: str


@dataclass(frozen=True, slots=True)
class AnswerRecovered(SessionEvent):
    """An answer that a crash cut off is the newest message now, marked as interrupted."""


@dataclass(frozen=True, slots=True)
class Captured(SessionEvent):
    """Something worth keeping in message `index` was kept or refused, or what became of it has changed since."""

    index: int
    captures: tuple[CaptureRecord, ...]


@dataclass(frozen=True, slots=True)
class TurnStarted(SessionEvent):
    """The person's message is durable and the assistant is at work."""


@dataclass(frozen=True, slots=True)
class TurnEnded(SessionEvent):
    """The assistant is done: `outcome` is `answered`, `stopped`, `failed`, `refused` or `command`."""

    outcome: str


@dataclass(frozen=True, slots=True)
class TurnFailed(SessionEvent):
    """The turn failed; the person's message is kept."""

    sentence: str
    next_step: str
    kind: str
    """Name of the error's class, such as `KeyMissing`, so that the window can offer the right action."""
    detail: str = ""
    """The server's own words, without the key; "" where it said nothing."""


@dataclass(frozen=True, slots=True)
class PromptBuilt(SessionEvent):
    """Holds exactly what is about to be sent."""

    prompt: PromptSnapshot


@dataclass(frozen=True, slots=True)
class ReplyDelayed(SessionEvent):
    """The model could not answer yet and is asked again in `seconds`. `reason`: `rate`, `server` or `timeout`."""

    seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class ThinkingStarted(SessionEvent):
    """The model thinks before it writes: the first piece of its reasoning came."""


@dataclass(frozen=True, slots=True)
class ReplyDelta(SessionEvent):
    """Describes a piece of the answer being written; on its way, not durable yet."""

    text: str


@dataclass(frozen=True, slots=True)
class ReplyEnded(SessionEvent):
    """The streamed piece is complete; its RecordAppended came just before, unless nothing was worth keeping."""


@dataclass(frozen=True, slots=True)
class ToolStarted(SessionEvent):
    """A tool call begins."""

    call_id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolRan(SessionEvent):
    """A tool call ended; its result is appended as a record of its own."""

    call_id: str
    name: str
    succeeded: bool
    summary: str
    milliseconds: float


@dataclass(frozen=True, slots=True)
class ConsolidationStarted(SessionEvent):
    """A model is asked to consolidate messages [start, stop)."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class ConsolidationAskedAgain(SessionEvent):
    """The model's last answer could not be used for `reason`, a sentence; it is asked for the `attempt`th time."""

    attempt: int
    reason: str


@dataclass(frozen=True, slots=True)
class Consolidated(SessionEvent):
    """Messages [start, stop) are in the history log and the pointer stands at `stop`."""

    start: int
    stop: int
    entry: str
    transaction_id: str
    memory_changed: bool
    held_for_review: bool


@dataclass(frozen=True, slots=True)
class PointerMoved(SessionEvent):
    """Another program consolidated: messages [0, `stop`) are settled now."""

    stop: int


@dataclass(frozen=True, slots=True)
class BranchChanged(SessionEvent):
    """The conversation goes on in another branch. Whoever shows it shows its messages anew.

    `left` names the branch before, whose messages from `stop` on are not on show any more; `is_new`: the other one was
    begun just now.
    """

    left: str
    stop: int
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class ConversationFree(SessionEvent):
    """A change of the conversation itself is over, done or not: it takes messages again, also those that were sent
    meanwhile."""


@dataclass(frozen=True, slots=True)
class MessagesReplaced(SessionEvent):
    """Messages at these `indices` were deleted, or are back: other records stand in their places, in every branch that
    has them."""

    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DiscretionChanged(SessionEvent):
    """The conversation is kept in another way from now on; `since` counts the messages that were said before."""

    discretion: Discretion
    since: int = 0


@dataclass(frozen=True, slots=True)
class MessagesLost(SessionEvent):
    """Another program changed the session's file so that what was shown is not there any more.

    `kind`: `shortened`, `replaced`, `removed`, `begun` (anew, as /new does) or `branched` (another window went to
    another branch). `known` messages were in the file, `left` are. Whoever shows the session shows it from the
    beginning.
    """

    kind: str
    known: int
    left: int


@dataclass(frozen=True, slots=True)
class ConsolidationFailed(SessionEvent):
    """Nothing was written of the messages [start, stop), and the pointer did not move. `reason` is a sentence."""

    start: int
    stop: int
    reason: str
    tries: int
    """The number of times a model was asked in vain since the last consolidation that succeeded."""
    detail: str = ""
    """The server's own words, without the key; "" where it said nothing."""


@dataclass(frozen=True, slots=True)
class ConsolidationPutOff(SessionEvent):
    """It failed for the same cause again and again, or the person stopped it: it is tried by itself once there are `at`
    messages."""

    at: int


@dataclass(frozen=True, slots=True)
class ConsolidationStopped(SessionEvent):
    """The person stopped it, the conversation went on otherwise meanwhile, or the program is closing: what was not
    committed was dropped."""


@dataclass(frozen=True, slots=True)
class MemoryChanged(Event):
    """MEMORY.md has a new text. `origin`: `editor`, `outside`, `consolidation`, `agent`, `capture`, `restore`,
    `forgotten` or `dream`."""

    text: str
    digest: str
    origin: str


@dataclass(frozen=True, slots=True)
class MemoryRecovered(Event):
    """The work that a crash had left was finished. `change_id` names the change of MEMORY.md it made, "" for none."""

    sentence: str
    change_id: str = ""


@dataclass(frozen=True, slots=True)
class MemoryFileChanged(Event):
    """Another memory file (SOUL.md, USER.md, Dream's guide, a skill) has a new text. `origin` as above.

    `digest` is "" where the file is gone.
    """

    path: str
    text: str
    digest: str
    origin: str


def text_changed(path: str, text: str, digest: str, origin: str) -> MemoryChanged | MemoryFileChanged:
    """Returns what is published of a memory file that has a new text."""
    if path == MEMORY_PATH:
        return MemoryChanged(text, digest, origin)
    return MemoryFileChanged(path, text, digest, origin)


@dataclass(frozen=True, slots=True)
class CommitsChanged(Event):
    """The versions of the memory files have a new one, or were begun again."""


@dataclass(frozen=True, slots=True)
class DreamStarted(Event):
    """Dream reads `entries` entries of the journal, those numbered `first` to `last`."""

    first: int
    last: int
    entries: int


@dataclass(frozen=True, slots=True)
class DreamProgressed(Event):
    """Dream has asked `rounds` times, at a cost of `tokens` both ways; `last` says what its last tool call did."""

    rounds: int
    tokens: int
    last: str


@dataclass(frozen=True, slots=True)
class Dreamed(Event):
    """A run of Dream ended, one way or another."""

    run: DreamRun


@dataclass(frozen=True, slots=True)
class SpendingChanged(Event):
    """Another figure stands for what models cost today."""


@dataclass(frozen=True, slots=True)
class DreamStateChanged(Event):
    """Dream's state changed: what waits for it, when it runs next, or whether it may run."""


@dataclass(frozen=True, slots=True)
class MemoryUnreadable(Event):
    """MEMORY.md cannot be read as text; it is left as it is."""

    sentence: str


@dataclass(frozen=True, slots=True)
class SuggestionsChanged(Event):
    """The memory texts held for review changed; `count` are waiting."""

    count: int


@dataclass(frozen=True, slots=True)
class HistoryChanged(Event):
    """The history log gained entries or was changed outside."""


@dataclass(frozen=True, slots=True)
class EntryCorrected(Event):
    """The person gave an entry of the history, or of a daily note, other words, or its former ones back; or took out of
    it what they had had forgotten."""


@dataclass(frozen=True, slots=True)
class ForgottenLinesTakenOut(Event):
    """Lines that had come back though the person had them forgotten went out of a file by their word; or, where that
    `is_undone`, stand there again and wait."""

    path: str
    lines: tuple[str, ...]
    is_undone: bool = False


@dataclass(frozen=True, slots=True)
class TrustChanged(Event):
    """The folder says something else than before of where words go, or the person agreed to something else."""


@dataclass(frozen=True, slots=True)
class SettingsChanged(Event):
    """config.json was changed by the window."""


@dataclass(frozen=True, slots=True)
class Noticed(Event):
    """Tells the person something they should know: `level` is `info`, `warning` or `danger`; `action` a command's id or
    "".

    What `stays` is to be seen until the person closes it; the rest is past with the next message.
    """

    level: str
    sentence: str
    next_step: str = ""
    action: str = ""
    stays: bool = False


@dataclass(frozen=True, slots=True)
class NoticePast(Event):
    """A notice with this sentence is out of date, whoever published it."""

    sentence: str


@dataclass(frozen=True, slots=True)
class ForgettingFinished(Event):
    """A forgetting that the disk had refused half-way was finished; its receipt is kept."""

    receipt_id: str


@dataclass(frozen=True, slots=True)
class ChangeFinished(Event):
    """A change of memory that the disk had refused half-way was finished; `change_id` is the transaction's."""

    change_id: str


@dataclass(frozen=True, slots=True)
class DiskRefuses(Event):
    """The disk does not take what is written. `reason`: `full`, `read-only` or `failing`.

    `refused`: `chat`, `drafts`, `memory`, `settings`, those not written; `chat_saved`: a message was since.
    """

    reason: str
    refused: frozenset[str]
    chat_saved: bool


@dataclass(frozen=True, slots=True)
class DiskTakes(Event):
    """The disk takes everything again."""


Announced = TypeVar("Announced")


class Listeners(Generic[Announced]):
    """Calls every listener in the order of subscription, at once, on the caller's thread."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[Announced], object]] = []

    def subscribe(self, listener: Callable[[Announced], object]) -> Callable[[], None]:
        """Registers a listener; returns the call that removes it again."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)

        return unsubscribe

    def publish(self, announced: Announced) -> None:
        """Tells everyone. One that fails keeps no other from hearing of it."""
        for listener in tuple(self._listeners):
            try:
                listener(announced)
            except Exception:
                log.exception("a listener failed on %s", type(announced).__name__)

    def clear(self) -> None:
        """Removes every listener."""
        self._listeners.clear()


E = TypeVar("E", bound=Event)


class EventBus(Listeners[Event]):
    """Announces what happened in one workspace to whoever subscribed."""

    def on(self, kinds: type[E] | tuple[type[E], ...], listener: Callable[[E], object]) -> Callable[[], None]:
        """Registers a listener that hears only of events of these kinds; returns the call that removes it again."""

        def hear(event: Event) -> None:
            if isinstance(event, kinds):
                listener(event)

        return self.subscribe(hear)
