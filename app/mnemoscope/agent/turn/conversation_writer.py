"""Makes messages durable, then announces them: the one way by which a conversation grows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from weakref import WeakKeyDictionary

from mnemoscope.agent.tools.toolbox import read_arguments
from mnemoscope.domain.conversation.attachment import Attachment, attachment_field, attachments_of
from mnemoscope.domain.conversation.message import READING_TOOL, Message
from mnemoscope.domain.conversation.origin import FILE, QuotedSpan
from mnemoscope.domain.conversation.text_file import FileSpan, files_field
from mnemoscope.domain.events import EventBus, MessagesLost, PointerMoved, RecordAppended, SessionsChanged
from mnemoscope.domain.llm import LLMResponse, ToolCallRequest
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager

NewMessage = Mapping[str, Any]
"""A message to be: role, content and further fields, without its time."""


@dataclass(frozen=True, slots=True)
class SentMessage:
    """Holds what a person sends. `quotes`: what of the text they put in and did not write, as
    domain/conversation/origin has it; `attachments`: the images that go with it, which lie on the disk already;
    `files`: where in it the text of files stands."""

    text: str
    quotes: Sequence[QuotedSpan] = ()
    attachments: Sequence[Attachment] = ()
    files: Sequence[FileSpan] = ()

    def as_message(self) -> Message:
        """Returns the message as a record names its parts."""
        quotes = {"quotes": [list(quote) for quote in self.quotes]} if self.quotes else {}
        more = attachment_field(self.attachments) | files_field(self.files)
        return {"role": "user", "content": self.text, **more, **quotes}


class ConversationWriter:
    """Appends to sessions. A RecordAppended is published only when the message is on the disk.

    What the person wrote is kept to the letter; whatever else is kept loses the keys of the keychain (`masked`).
    """

    def __init__(
        self,
        sessions: SessionManager,
        disk: Disk,
        bus: EventBus,
        clock: Callable[[], datetime],
        masked: Callable[[str], str] = str,
    ) -> None:
        self.sessions = sessions
        self.disk = disk
        self.bus = bus
        self.clock = clock
        self.masked = masked
        self._locks: WeakKeyDictionary[Session, asyncio.Lock] = WeakKeyDictionary()
        """One write of a session waits for the one before."""
        self._refused_counts: WeakKeyDictionary[Session, int] = WeakKeyDictionary()
        """The number of messages that the disk refused: they go with the next write, and are announced then."""

    async def append(self, session: Session, *new: NewMessage) -> list[int]:
        """Adds messages in one durable write and returns their indices. Raises StorageError.

        What a refused write left waiting goes with the next one. Whoever's write takes a message to the disk, it is
        announced here, once, and always stands at the end: lines of other programs are taken in before it.
        """
        async with self._locks.setdefault(session, asyncio.Lock()):
            was_empty, pointer = len(session.messages) == 0, session.last_consolidated
            count = self._refused_counts.pop(session, 0) + len(new)
            for message in new:
                self._add(session, message)
            try:
                await self.disk.run_briefly(self.sessions.append, session)
            except BaseException:
                self._refused_counts[session] = count
                raise
            indices = list(range(len(session.messages) - count, len(session.messages)))
        self._announce_external(session, pointer)
        for index in indices:
            self.bus.publish(RecordAppended(session.key, index, session.messages[index]))
        if was_empty and indices:
            self.bus.publish(SessionsChanged())
        return indices

    def _announce_external(self, session: Session, pointer: int) -> None:
        """Announces what other programs did to messages or pointer, which stood at `pointer` before the file was
        read.
        """
        loss = self.sessions.take_loss(session.key)
        if loss is not None:
            self.bus.publish(MessagesLost(session.key, loss.kind, loss.known, loss.left))
        elif session.last_consolidated != pointer:
            self.bus.publish(PointerMoved(session.key, session.last_consolidated))

    def _add(self, session: Session, message: NewMessage) -> None:
        if message["role"] != "user":
            message = {name: self._without_keys(value) for name, value in message.items()}
        fields = {name: value for name, value in message.items() if name not in {"role", "content"}}
        stamp = self.clock().isoformat(timespec="microseconds")
        session.add_message(message["role"], message["content"], **{"timestamp": stamp, **fields})

    def _without_keys(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.masked(value)
        if isinstance(value, Mapping):
            return {name: self._without_keys(each) for name, each in value.items()}
        return [self._without_keys(each) for each in value] if isinstance(value, list) else value

    async def append_person(self, session: Session, sent: SentMessage) -> int:
        """Adds what the person sent and returns its index. Sent again after the disk refused it, it is written once."""
        await self.drop_refused(session, unless=sent.text)
        waiting = session.messages.pending[-1:]
        is_retry = bool(waiting) and (waiting[0].get("role"), waiting[0].get("content")) == ("user", sent.text)
        if is_retry and attachments_of(waiting[0]) != tuple(sent.attachments):
            await self.drop_refused(session)
            is_retry = False
        new = [] if is_retry else [sent.as_message()]
        indices = await self.append(session, *new)
        return indices[-1] if indices else len(session.messages) - 1

    async def drop_refused(self, session: Session, *, unless: str = "") -> None:
        """Drops words that the disk refused and the person has back: what they send now is in their place.

        Words equal to `unless` stay. Raises StorageError or UnreadableFile where the file cannot be looked at.
        """
        async with self._locks.setdefault(session, asyncio.Lock()):
            waiting = session.messages.pending[-1:]
            if waiting and waiting[0].get("role") == "user" and waiting[0].get("content") != unless:
                dropped = await self.disk.run(self._drop, session, waiting[0])
                self._refused_counts[session] = self._refused_counts.get(session, 0) - dropped

    def _drop(self, session: Session, message: Message) -> bool:
        """Withdraws a message, unless a failed write left it whole in the file: then it is no longer waiting."""
        self.sessions.refresh(session)
        return session.messages.withdraw(message)


def shown_count(session: Session) -> int:
    """Returns how many messages a window shows: all but words of the person that wait for the disk. These are
    announced once they are there, and where the disk refuses them they come back to the message field.
    """
    waiting = session.messages.pending[-1:]
    return len(session.messages) - bool(waiting and waiting[0].get("role") == "user")


def assistant_message(
    response: LLMResponse, calls: Sequence[ToolCallRequest], model: str, timing: Mapping[str, float] | None = None
) -> Message:
    """Returns an answer as the session file holds it. Beside nanobot's fields it has ours: `model`, `usage`, `cost`
    and `timing`, as domain/conversation/answer_figures has them.
    """
    message: Message = {"role": "assistant", "content": response.content or (None if calls else "")}
    if calls:
        message["tool_calls"] = [_stored_call(call) for call in calls]
    if response.reasoning_content:
        message["reasoning_content"] = response.reasoning_content
    message["model"] = model
    if response.usage:
        message["usage"] = dict(response.usage)
    if response.cost is not None:
        message["cost"] = response.cost
    if timing:
        message["timing"] = dict(timing)
    if response.finish_reason not in {"stop", "tool_calls"}:
        message["finish_reason"] = response.finish_reason
    return message


def interrupted_message(text: str, model: str, reasoning: str = "") -> Message:
    """Returns the part of an answer that had arrived, marked as interrupted."""
    message: Message = {"role": "assistant", "content": text, "model": model, "interrupted": True}
    return message | ({"reasoning_content": reasoning} if reasoning else {})


def tool_message(
    call: ToolCallRequest,
    text: str,
    *,
    interrupted: bool = False,
    cut: int = 0,
    whole: str = "",
    change: str = "",
    suggestion: str = "",
) -> Message:
    """Returns a tool's result as the session file holds it.

    `cut` counts the characters that were left out of it, `whole` names the file with all of them, `change` is the id of
    the change of MEMORY.md that it made, and `suggestion` that of what it would have written, which waits for the
    person.
    """
    message: Message = {"role": "tool", "content": text, "tool_call_id": call.id, "name": call.name}
    message |= {"cut": cut} if cut else {}
    message |= {"whole": whole} if whole else {}
    message |= {"memory_change": change} if change else {}
    message |= {"memory_suggestion": suggestion} if suggestion else {}
    message |= {"origin": FILE} if call.name == READING_TOOL else {}
    return message | ({"interrupted": True} if interrupted else {})


def with_ids(calls: Sequence[ToolCallRequest], index: int) -> list[ToolCallRequest]:
    """Returns the calls, each with an id of its own in the answer at `index`: some servers leave them out or repeat
    them.
    """
    seen: set[str] = set()
    named = []
    for place, call in enumerate(calls):
        own = call.id if call.id and call.id not in seen else f"call_{index}_{place}"
        seen.add(own)
        named.append(ToolCallRequest(own, call.name, call.arguments))
    return named


def _stored_call(call: ToolCallRequest) -> dict[str, Any]:
    """Returns a call in OpenAI's shape. The arguments are a JSON object: anything else would fail every later
    request.
    """
    arguments = read_arguments(call.arguments)
    if arguments is None:
        arguments = {"malformed": str(call.arguments)[:2000]}
    text = json.dumps(arguments, ensure_ascii=False, default=str)
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": text}}
