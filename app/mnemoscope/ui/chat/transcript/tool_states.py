"""Keeps the state of each tool call on screen, its result, and whether its card is unfolded. No Qt widgets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from mnemoscope.domain.conversation.message import Message, text_of
from mnemoscope.domain.conversation.origin import FILE, origin_of
from mnemoscope.ui.chat.cards.tool_call import ToolCall, arguments_of, result_summary, tool_calls_shown
from mnemoscope.ui.chat.transcript.message_source import MessageSource

CALLS_AT_ONCE: Final = 60
"""The most messages that are looked through behind one with tool calls for their results, and before a result for its
call."""


class ToolStates:
    """Keeps the calls of one session by the message that made them: an id may come again in a later turn."""

    def __init__(self, on_change_met: Callable[[], object] = lambda: None) -> None:
        """`on_change_met`: called for a call that changed memory while it is not known what is undone."""
        self._on_change_met = on_change_met
        self._calls: dict[tuple[int, str], ToolCall] = {}
        self._early: dict[str, ToolCall] = {}
        self._undone: Collection[str] | None = None

    @property
    def changed_memory(self) -> bool:
        """Returns whether one of them changed memory."""
        return any(call.change for call in self._calls.values())

    def mark_undone(self, undone: Collection[str]) -> list[ToolCall]:
        """Notes that exactly these changes are taken back now; returns the calls whose cards say something else."""
        self._undone = undone
        changed = [call for call in self._calls.values() if call.change and call.undone != (call.change in undone)]
        for call in changed:
            call.undone = call.change in undone
        return changed

    def calls_of(self, source: MessageSource, index: int, message: Message) -> list[ToolCall]:
        """Returns the calls message `index` makes, with the results that are already there."""
        calls = [self._known(index, call) for call in tool_calls_shown(message)]
        waiting = {call.call_id: call for call in calls if call.result is None}
        for after in range(index + 1, min(source.stop, index + CALLS_AT_ONCE)):
            result = source[after]
            if not waiting or result.get("role") != "tool":
                break
            call = waiting.pop(str(result.get("tool_call_id")), None)
            if call is not None:
                self._complete(call, result)
        return calls

    def _known(self, index: int, call: ToolCall) -> ToolCall:
        """Returns the state a card already has: unfolded, running, how long it took."""
        known = self._calls.get((index, call.call_id)) or self._early.pop(call.call_id, None) or call
        self._calls[index, call.call_id] = known
        known.name, known.arguments = call.name, call.arguments or known.arguments
        return known

    def take_result(self, source: MessageSource, index: int) -> ToolCall | None:
        """Gives the result that message `index` holds to its call; the card of its own where there is no call."""
        message = source[index]
        call_id = str(message.get("tool_call_id") or "")
        asked = _index_of_call(source, index, call_id)
        call = self._calls.get((index if asked is None else asked, call_id))
        if asked is None and call is None:
            call = self._calls[index, call_id] = ToolCall(call_id, str(message.get("name") or "tool"))
        if call is not None:
            self._complete(call, message)
        return call if asked is None else None

    def _complete(self, call: ToolCall, message: Message) -> None:
        _complete(call, message)
        if call.change and self._undone is not None:
            call.undone = call.change in self._undone
        elif call.change:
            self._on_change_met()

    def newest(self, call_id: str, name: str) -> ToolCall:
        """Returns the newest call with this id; made, and kept for its card, where that is not written yet."""
        for (_index, known_id), call in reversed(self._calls.items()):
            if known_id == call_id:
                return call
        return self._early.setdefault(call_id, ToolCall(call_id, name))

    def running(self, argv: Sequence[str]) -> ToolCall | None:
        """Returns the newest call of a command that runs, or waits to."""
        wanted = {"argv": list(argv)}
        calls = [*self._calls.values(), *self._early.values()]
        return next((call for call in reversed(calls) if call.running and arguments_of(call) == wanted), None)


def _index_of_call(source: MessageSource, index: int, call_id: str) -> int | None:
    """Returns the message that made the call whose result is message `index`."""
    for before in range(index - 1, max(index - CALLS_AT_ONCE, source.first) - 1, -1):
        message = source[before]
        if message.get("role") == "tool":
            continue
        declared = any(call.call_id == call_id for call in tool_calls_shown(message))
        return before if declared and call_id else None
    return None


def _complete(call: ToolCall, message: Message) -> None:
    call.result = result = text_of(message)
    call.whole = str(message.get("whole") or "")
    call.change = str(message.get("memory_change") or "")
    call.is_file = origin_of(message) == FILE
    call.running = False
    call.summary = call.summary or result_summary(result)
    # What nanobot's tools begin a failure's result with.
    call.succeeded = call.succeeded and not result.startswith("Error")
