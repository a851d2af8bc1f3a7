"""Lists what an export contains of a conversation, in order: the same for each form that it is written in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice, takewhile
from typing import Any, Literal

from mnemoscope.domain.capture.capture_text import capture_text
from mnemoscope.domain.capture.record import KEPT, UNDONE, CaptureRecord
from mnemoscope.domain.conversation.attachment import Attachment, attachments_of
from mnemoscope.domain.conversation.message import (
    DAMAGED_ROLE,
    Message,
    is_command,
    is_deleted,
    text_of,
    tool_call_name,
    tool_calls_of,
)
from mnemoscope.domain.settings import is_built_in
from mnemoscope.store.sessions.file_format.stated_time import parse_time


@dataclass(frozen=True, slots=True)
class ExportWords:
    """Holds the labels that stand around the messages, in English by default; a window passes translated ones."""

    you: str = "You"
    assistant: str = "Assistant"
    system: str = "System"
    command: str = "Command"
    tool: str = "Tool"
    reasoning: str = "Reasoning"
    asked: str = "Asked with"
    answered: str = "Answered"
    untitled: str = "Conversation"
    consolidated: str = "Consolidated up to here"
    remembered: str = "Remembered:"
    taken_back: str = "Taken back:"
    interrupted: str = "Interrupted"
    damaged: str = "A damaged record: it could not be read."
    deleted: str = "A message was deleted here."
    several_deleted: str = "{count} messages were deleted here."
    one_exported: str = "1 message, exported from Mnemoscope"
    exported: str = "{count} messages, exported from Mnemoscope"

    def counted(self, messages: Iterable[Message]) -> str:
        """Returns how many of the messages were exported: those that are deleted are not."""
        count = sum(not is_deleted(message) for message in messages)
        return (self.one_exported if count == 1 else self.exported).format(count=f"{count:,}")


@dataclass(frozen=True, slots=True)
class ExportedConversation:
    """Describes a conversation, or a part of it that begins at message `first`. `pointer` counts, from the
    conversation's beginning, the messages that are consolidated; `captures` are those of its messages, by index."""

    key: str
    title: str
    messages: Sequence[Message]
    first: int = 0
    pointer: int = 0
    captures: Mapping[int, Sequence[CaptureRecord]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Aside:
    """Describes something that a message carries beside its words, such as a call of a tool: named texts under a
    title."""

    title: str
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ExportedEntry:
    """Describes one thing that is told. `kind` is the role of who said it, `pointer` for the line up to which messages
    are consolidated, or `gap` for a record that has no words any more; of these two `words` are all there is."""

    kind: Literal["user", "assistant", "system", "command", "pointer", "gap"]
    words: str
    speaker: str = ""
    when: datetime | None = None
    asides: tuple[Aside, ...] = ()
    notes: tuple[str, ...] = ()
    images: tuple[Attachment, ...] = ()


def entries_of(conversation: ExportedConversation, words: ExportWords) -> Iterator[ExportedEntry]:
    """Yields what is told of a conversation, in its order."""
    messages, first = conversation.messages, conversation.first
    shown: set[int] = set()
    for place, message in enumerate(messages):
        if first + place == conversation.pointer and place:
            yield ExportedEntry("pointer", words.consolidated)
        if is_deleted(message):
            # One line for a run of them, such as a turn.
            if not place or not is_deleted(messages[place - 1]):
                run = sum(1 for _ in takewhile(is_deleted, islice(messages, place, None)))
                several = words.several_deleted.format(count=f"{run:,}")
                yield ExportedEntry("gap", words.deleted if run == 1 else several)
        elif message.get("role") == DAMAGED_ROLE:
            yield ExportedEntry("gap", words.damaged)
        elif place not in shown:
            asides = tuple(_asides(messages, place, words, shown))
            yield _entry(message, asides, conversation.captures.get(first + place, ()), words)
    if messages and conversation.pointer == first + len(messages):
        yield ExportedEntry("pointer", words.consolidated)


def _entry(
    message: Message, asides: tuple[Aside, ...], captures: Sequence[CaptureRecord], words: ExportWords
) -> ExportedEntry:
    role = message.get("role")
    notes = [words.interrupted] if message.get("interrupted") else []
    for outcome, label in ((KEPT, words.remembered), (UNDONE, words.taken_back)):
        written = (each for each in captures if each.outcome == outcome and (each.memory_line or each.state_line))
        kept = [capture_text(each) for each in written]
        notes += [f"{label} {'; '.join(' '.join(text.split()) for text in kept)}"] if kept else []
    text = "" if role == "tool" else text_of(message)
    kind: Literal["user", "assistant", "system", "command"]
    if is_command(message):
        kind, speaker = "command", words.command if role == "user" else words.assistant
    elif role == "user":
        kind, speaker = "user", words.you
    elif role == "assistant":
        kind, speaker = "assistant", words.assistant + _model_of(message)
    else:
        kind, speaker = "system", words.tool if role == "tool" else words.system
    when, images = parse_time(message.get("timestamp")), attachments_of(message)
    return ExportedEntry(kind, text, speaker, when, asides, tuple(notes), images)


def _model_of(message: Message) -> str:
    model = message.get("model")
    return f" ({' '.join(model.split())})" if isinstance(model, str) and not is_built_in(model) else ""


def _asides(messages: Sequence[Message], place: int, words: ExportWords, shown: set[int]) -> Iterator[Aside]:
    """Yields what message `place` carries; the results that belong to its calls are told with them, and noted."""
    message = messages[place]
    if isinstance(reasoning := message.get("reasoning_content"), str) and reasoning.strip():
        yield Aside(words.reasoning, (("", reasoning),))
    if message.get("role") == "tool":
        yield Aside(f"{words.tool}: {message.get('name') or '?'}", ((words.answered, text_of(message)),))
    results = _results_after(messages, place)
    for call in tool_calls_of(message):
        found = results.pop(str(call.get("id")), None)
        texts = [(words.asked, _arguments_of(call))]
        if found is not None:
            shown.add(found)
            texts.append((words.answered, text_of(messages[found])))
        yield Aside(f"{words.tool}: {tool_call_name(call)}", tuple(texts))


def _results_after(messages: Sequence[Message], place: int) -> dict[str, int]:
    results: dict[str, int] = {}
    for after in range(place + 1, len(messages)):
        if messages[after].get("role") != "tool":
            break
        results.setdefault(str(messages[after].get("tool_call_id")), after)
    return results


def _arguments_of(call: Mapping[str, Any]) -> str:
    function = call.get("function")
    arguments = function.get("arguments") if isinstance(function, Mapping) else None
    return arguments if isinstance(arguments, str) else text_of({"content": arguments})
