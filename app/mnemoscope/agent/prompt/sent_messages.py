"""Chooses the messages of a conversation that a prompt holds, and what stands for those it does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, overload

from mnemoscope.domain.context.compaction import Compaction
from mnemoscope.domain.context.prompt_snapshot import PromptSection
from mnemoscope.domain.context.recovery import RECOVERY_KIND, RecalledSource, recovery_text
from mnemoscope.domain.conversation.attachment import attachments_of, image_words, sent_view
from mnemoscope.domain.conversation.history_selection import HistorySelection, LeftOutReason, select_history
from mnemoscope.domain.conversation.message import (
    Message,
    first_words,
    message_number,
    message_range,
    text_of,
    tool_calls_of,
)
from mnemoscope.domain.conversation.token_estimate import estimate_message, estimate_tokens
from mnemoscope.store.files.shipped import shipped_prompt
from mnemoscope.store.sessions.file_format.message_log import deleted_in

HISTORY_LIMIT: Final = 500
"""Messages of a conversation that are sent at most."""
MARKER_KIND: Final = "marker"
_CUT_KIND: Final = "cut"
_HEAD_LOOKED_AT: Final = 40
"""Messages at the beginning among which the first that are sent stand."""

_RESULT_HEAD: Final = 400
"""Characters that stay of a result whatever room there is."""

SentPart = tuple[Message, PromptSection]
"""A message of a request, and the section that shows it."""


@dataclass(frozen=True, slots=True)
class GuardPlan:
    """Holds the plan by which a prompt is guarded: what is compacted, what is recalled to find the thread again, how
    many tokens the results of this turn have to spare, and what a server counts for each token that is estimated."""

    compaction: Compaction | None = None
    recalled: tuple[RecalledSource, ...] = ()
    spare: int = 0
    factor: float = 1.0
    most: int = 0
    """Tokens that the prompt may have, older messages being left out for it; 0 for what the context holds."""


UNGUARDED: Final = GuardPlan()


class MessagesBefore(Sequence[Message]):
    """Holds the messages of a session before one index, without copying or decoding them."""

    def __init__(self, messages: Sequence[Message], stop: int) -> None:
        self._messages = messages
        self._stop = min(stop, len(messages))

    def __len__(self) -> int:
        return self._stop

    @overload
    def __getitem__(self, index: int) -> Message: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Message]: ...

    def __getitem__(self, index: int | slice) -> Message | Sequence[Message]:
        if isinstance(index, slice):
            return self._messages[slice(*index.indices(self._stop))]
        return self._messages[range(self._stop)[index]]

    @property
    def deleted(self) -> list[int]:
        """Returns the numbers of those that are deleted, ascending."""
        return [number for number in deleted_in(self._messages) if number < self._stop]


class CachedMessages(MessagesBefore):
    """Keeps each message once it was read, for one prompt, which looks at each several times."""

    def __init__(self, messages: Sequence[Message]) -> None:
        super().__init__(messages, len(messages))
        self._known: dict[int, Message] = {}

    @overload
    def __getitem__(self, index: int) -> Message: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Message]: ...

    def __getitem__(self, index: int | slice) -> Message | Sequence[Message]:
        if isinstance(index, slice):
            found = super().__getitem__(index)
            self._known.update(zip(range(*index.indices(len(self))), found, strict=False))
            return found
        known = self._known.get(index)
        if known is None:
            known = self._known[index] = super().__getitem__(index)
        return known


def _fitting_history(messages: Sequence[Message], last_consolidated: int, room: int | None) -> HistorySelection:
    """Selects the messages that are sent: at most 500, and of these as many of the newest as fit in `room` tokens."""
    selection = select_history(messages, last_consolidated, HISTORY_LIMIT)
    if room is None:
        return selection
    for index in reversed(selection.kept):
        room -= estimate_message(sent_view(messages[index]))
        if room < 0:
            return select_history(messages, last_consolidated, max(1, len(messages) - index - 1))
    return selection


def viewed_history(
    messages: Sequence[Message], last_consolidated: int, room: int | None, compaction: Compaction | None
) -> HistorySelection:
    """Selects as `_fitting_history`, without the messages that are compacted; those before them stay at any length.

    Where even the rest does not fit, the oldest of all go first, as ever.
    """
    if compaction is None or compaction.stop <= last_consolidated:
        return _fitting_history(messages, last_consolidated, room)
    every = select_history(messages, last_consolidated, HISTORY_LIMIT)
    kept = (
        *_head_of(messages, last_consolidated, compaction.start),
        *(index for index in every.kept if index >= compaction.stop),
    )
    if room is not None and sum(estimate_message(sent_view(messages[index])) for index in kept) > room:
        kept = _fitting_history(messages, max(last_consolidated, compaction.stop), room).kept
    left_out = dict.fromkeys(range(every.start, len(messages)), LeftOutReason.BEYOND_LIMIT) | dict(every.left_out)
    left_out |= dict.fromkeys(range(max(every.start, compaction.start), compaction.stop), LeftOutReason.COMPACTED)
    for index in kept:
        left_out.pop(index, None)
    return HistorySelection(kept, left_out, every.start, every.start)


def _head_of(messages: Sequence[Message], last_consolidated: int, stop: int) -> tuple[int, ...]:
    """Returns the messages that are sent of those from the pointer to `stop`, at the beginning of a conversation."""
    return select_history(MessagesBefore(messages, stop), last_consolidated, 0).kept if stop else ()


def compactable(messages: Sequence[Message], last_consolidated: int) -> list[int]:
    """Returns the messages a compaction chooses from: the first that are sent, and the newest 500."""
    newest = select_history(messages, last_consolidated, HISTORY_LIMIT).kept
    begin = min(len(messages), last_consolidated + _HEAD_LOOKED_AT)
    return sorted({*_head_of(messages, last_consolidated, begin), *newest})


def conversation_parts(
    messages: Sequence[Message], selection: HistorySelection, compaction: Compaction | None
) -> Iterator[SentPart]:
    """Yields the messages that are sent, with the marker between the first and the last of them."""
    waiting = compaction if LeftOutReason.COMPACTED in selection.left_out.values() else None
    for index in selection.kept:
        if waiting is not None and index >= waiting.stop:
            yield _marker(waiting)
            waiting = None
        message = sent_view(messages[index])
        yield message, message_section(message, index)
    if waiting is not None:
        yield _marker(waiting)


def recovery_parts(recalled: tuple[RecalledSource, ...]) -> Iterator[SentPart]:
    """Yields what is recalled to find the thread again, as a message of its own: no words of the person."""
    if not recalled:
        return
    text = recovery_text(recalled, shipped_prompt("recovery"))
    if text:
        message: Message = {"role": "user", "content": text}
        sources = ", ".join(one.source for one in recalled)
        yield message, PromptSection("Recovery", sources, text, estimate_message(message), RECOVERY_KIND)


def message_section(message: Message, index: int) -> PromptSection:
    """Returns one message of a request as the prompt pane shows it; `index` is its place in the session."""
    role = str(message.get("role") or "?")
    words = (text_of(message), *map(image_words, attachments_of(message)))
    text = "\n".join(filter(None, words)) or first_words(message)
    return PromptSection(role.capitalize(), f"message {message_number(index)}", text, estimate_message(message))


def _marker(compaction: Compaction) -> SentPart:
    message: Message = {"role": "user", "content": compaction.marker}
    source = message_range(compaction.start, compaction.stop)
    return message, PromptSection("Compacted", source, compaction.marker, estimate_message(message), MARKER_KIND)


def cut_results(messages: Iterable[Message]) -> tuple[PromptSection, ...]:
    """Returns the tool results among a session's messages that were cut, with what is missing of each."""
    return tuple(_cut_result(message) for message in messages if message.get("cut"))


def _cut_result(message: Message) -> PromptSection:
    missing = message["cut"] if isinstance(message["cut"], int) else 0
    # What is missing is made of the same signs as what is there.
    text = text_of(message)
    tokens = estimate_tokens(text) * missing // max(1, len(text))
    return PromptSection(str(message.get("name") or "tool"), str(message.get("whole") or ""), "", tokens, _CUT_KIND)


def shorter_results(messages: Sequence[Message], spare: int) -> list[Message]:
    """Returns the messages of a turn with results shortened until `spare` tokens are saved, the oldest first.

    Those of the newest calls, which the model has not read yet, come last. Calls and answers stay as they are.
    """
    shown = list(messages)
    for place, message in enumerate(messages):
        if spare <= 0:
            break
        if message.get("role") != "tool":
            continue
        text = text_of(message)
        kept = _kept_of_result(text, spare, is_unread=place > _newest_call(messages))
        if len(kept) < len(text):
            missing = message["cut"] if isinstance(message.get("cut"), int) else 0
            shown[place] = {**message, "content": kept, "cut": missing + len(text) - len(kept)}
            spare -= estimate_tokens(text) - estimate_tokens(kept)
    return shown


def _kept_of_result(text: str, spare: int, *, is_unread: bool) -> str:
    """Returns what is left of one result: its beginning, and of one that is not read yet no less than has to be
    saved.
    """
    tokens = estimate_tokens(text)
    mark = f"\n\n{shipped_prompt('result-cut')}"
    most = len(text) * max(0, tokens - spare) // max(1, tokens) - len(mark) if is_unread else 0
    head = text[: max(_RESULT_HEAD, most)]
    return min(head + mark.format(count=len(text) - len(head)), text, key=len)


def _newest_call(messages: Sequence[Message]) -> int:
    calls = [place for place, message in enumerate(messages) if tool_calls_of(message)]
    return calls[-1] if calls else -1
