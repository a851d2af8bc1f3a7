"""The context is guarded: a working buffer begins at 50 % of the window, compaction at 60 % of the next turn.

Compaction is a view: the first and the last messages are sent, a marker stands for those between, and nothing on disk
changes. Thresholds and markers are Qanot's. What it describes as 60 % its program takes at 50; here the next turn is
the prompt as it stands, corrected by what the server counted before, and the answer that may come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from mnemoscope.domain.context.recovery import RecalledSource
from mnemoscope.domain.conversation.message import Message, tool_calls_of

BUFFER_AT: Final = 0.50
COMPACT_AT: Final = 0.60
_HEAD: Final = 2
_TAIL: Final = 4
_LEAST_FACTOR: Final = 0.6
_MOST_FACTOR: Final = 3.0
_USUAL_ANSWER: Final = 400
"""Tokens of an answer before any was counted."""


@dataclass(frozen=True, slots=True)
class Compaction:
    """Describes a part of a session, messages [start, stop), that is not sent; `summary` or a marker stands for
    `removed` of them.

    `tokens` is an estimate of what they would have taken.
    """

    start: int
    stop: int
    removed: int
    tokens: int
    summary: str = ""

    def hides(self, index: int) -> bool:
        """Returns whether a message is among those that are not sent."""
        return self.start <= index < self.stop

    @property
    def marker(self) -> str:
        """Returns the text that is sent in their place."""
        if self.summary:
            return (
                f"[CONVERSATION SUMMARY — {self.removed} messages compacted]\n\n{self.summary}\n\n"
                "[End of summary. Recent conversation continues below.]"
            )
        return (
            f"[CONTEXT COMPACTION: {self.removed} earlier messages were removed to free context space. Recent "
            "conversation preserved below. Check your workspace files (SESSION-STATE.md, memory/) for any important "
            "context from earlier in the conversation.]"
        )


class ContextTracker:
    """Measures how full one conversation's context is, in tokens; `window` is what the model's context holds.

    Sizes are estimates until a server reports what it counted; from then on they are corrected by the ratio of the two.
    """

    def __init__(self, window: int) -> None:
        self.window = window
        self.factor = 1.0
        self._answers = self._answered = 0

    def note(self, estimated: int, usage: Mapping[str, Any]) -> None:
        """Notes that a request estimated at so many tokens was answered; `usage` is what the provider reports, empty
        for nothing."""
        counted, written = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
        if counted and estimated:
            self.factor = min(_MOST_FACTOR, max(_LEAST_FACTOR, counted / estimated))
        if written:
            self._answers, self._answered = self._answers + written, self._answered + 1

    def tokens(self, estimated: int) -> int:
        """Returns the tokens that a request of this estimate probably takes."""
        return round(estimated * self.factor)

    def next_turn(self, estimated: int) -> int:
        """Returns the tokens that the conversation probably takes once this request is answered."""
        answer = self._answers // self._answered if self._answered else _USUAL_ANSWER
        return self.tokens(estimated) + min(answer, self.window // 8)

    def share(self, estimated: int) -> float:
        """Returns the part of the window such a request takes; may exceed 1."""
        return self.tokens(estimated) / self.window if self.window > 0 else 0.0

    def needs_buffer(self, estimated: int) -> bool:
        """Returns whether the exchange should be noted in the working buffer."""
        return self.share(estimated) >= BUFFER_AT

    def needs_compaction(self, estimated: int) -> bool:
        """Returns whether the next turn would take more than its part of the window."""
        return self.excess(estimated) > 0

    def excess(self, estimated: int) -> int:
        """Returns the estimated tokens that the next turn would take beyond its part of the window; 0 if there are
        none."""
        over = self.next_turn(estimated) - COMPACT_AT * self.window
        return ceil(over / self.factor) if self.window > 0 and over > 0 else 0


def plan_compaction(messages: Sequence[Message], sent: Sequence[int], cost: Mapping[int, int]) -> Compaction | None:
    """Returns which of the messages `sent` (ascending indices) to leave out, or None if nothing lies between both ends.

    The first 2 and the last 4 stay, each with its whole group of tool calls and results. `cost` holds tokens by index.
    """
    groups = _groups(messages, sent)
    head = _taken(groups, _HEAD)
    tail = _taken(groups[len(head) :][::-1], _TAIL)
    between = [index for group in groups[len(head) : len(groups) - len(tail)] for index in group]
    if not between:
        return None
    return Compaction(between[0], between[-1] + 1, len(between), sum(cost[index] for index in between))


def _taken(groups: Sequence[Sequence[int]], count: int) -> list[Sequence[int]]:
    """Returns the first groups that hold `count` messages or, with the last of them, more."""
    taken: list[Sequence[int]] = []
    while len(taken) < len(groups) and sum(map(len, taken)) < count:
        taken.append(groups[len(taken)])
    return taken


def _groups(messages: Sequence[Message], sent: Sequence[int]) -> list[list[int]]:
    """Returns the messages in runs that may not be parted: tool calls with the results that follow them, else one
    alone."""
    groups: list[list[int]] = []
    open_calls = False
    for index in sent:
        message = messages[index]
        if message.get("role") == "tool" and groups and open_calls:
            groups[-1].append(index)
            continue
        groups.append([index])
        open_calls = bool(tool_calls_of(message))
    return groups


def _count(usage: Mapping[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


@dataclass(frozen=True, slots=True)
class ContextFacts:
    """Tells the state of the context guard for one prompt. Tokens are corrected by what the server counted, if
    `is_counted`.

    `next_turn` is the prompt and the answer that may come; `told` is what was recovered; `waits` says that compaction
    would begin.
    """

    tokens: int
    next_turn: int
    window: int
    is_counted: bool = False
    is_buffering: bool = False
    compaction: Compaction | None = None
    told: tuple[RecalledSource, ...] = ()
    """The field keeps its name, which the files of sent prompts hold."""
    waits: bool = False
