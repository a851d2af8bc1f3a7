"""A person can look at a request to a model: at its parts, what each costs, and what was left out of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from mnemoscope.domain.context.compaction import ContextFacts
from mnemoscope.domain.conversation.message import Message

ALTERED: Final = (
    "The record of this prompt is not as it was kept: which texts, model, options and time it names may not be what "
    "was sent."
)
BOOTSTRAP_TITLE: Final = "Bootstrap files"
MEMORY_TITLE: Final = "Memory"
STATE_TITLE: Final = "Session state"
RECENT_TITLE: Final = "Recent history"
"""The parts of a prompt that are made of files of memory; by these titles they are found in prompts that were kept."""
LONGEST_CUT: Final = 40_000
"""Characters of lines left out of a prompt for one reason that are kept with it."""
UNCHECKED: Final = (
    "An earlier version kept this prompt without a hash of its record: whether that was changed since cannot be told."
)


@dataclass(frozen=True, slots=True)
class PromptSection:
    """Describes one part of a prompt, with where it came from and what it costs."""

    title: str
    source: str
    text: str
    tokens: int
    kind: str = ""
    """`memory`, `marker` (stands for compacted messages), `recovery` (told to find the thread again), or ""."""


@dataclass(frozen=True, slots=True)
class MemoryQuote:
    """Describes a line of a file of memory, without the blanks around it, that results of tools have word for word."""

    source: str
    line: str


@dataclass(frozen=True, slots=True)
class CutLines:
    """Holds lines of a file that did not go with a prompt, below each other. `why`: the sentence of `left_out` about
    them; `more`: lines beyond these that nobody kept, None where they were not counted."""

    why: str
    source: str
    text: str
    more: int | None = 0

    @classmethod
    def of(cls, why: str, source: str, rows: Iterable[str], *, are_all: bool = True) -> CutLines:
        """Returns those of some rows that say anything, as many as are kept. `are_all`: no further ones were cut."""
        filled = [row for row in rows if row.strip()]
        kept, room = 0, LONGEST_CUT
        for row in filled:
            room -= len(row) + 1
            if room < 0:
                break
            kept += 1
        return cls(why, source, "\n".join(filled[:kept]), len(filled) - kept if are_all else None)


@dataclass(frozen=True, slots=True)
class CutMessages:
    """Holds messages of the conversation that did not go with a prompt: the numbers from each `start` to before its
    `stop`. `why` as of lines."""

    why: str
    spans: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, why: str, numbers: Iterable[int]) -> CutMessages:
        """Returns the messages of these numbers, which ascend."""
        spans: list[tuple[int, int]] = []
        for number in numbers:
            if spans and spans[-1][1] == number:
                spans[-1] = spans[-1][0], number + 1
            else:
                spans.append((number, number + 1))
        return cls(why, tuple(spans))

    @property
    def numbers(self) -> Iterator[int]:
        """Yields the numbers of the messages, the newest first."""
        for start, stop in reversed(self.spans):
            yield from range(stop - 1, start - 1, -1)

    @property
    def count(self) -> int:
        """Returns how many messages there are."""
        return sum(stop - start for start, stop in self.spans)


@dataclass(frozen=True, slots=True)
class SentOptions:
    """Holds what went with a prompt to ask for the answer, as ChatRequest has it. `missing_images`: the hashes of those
    that were not sent; words went in their place."""

    max_tokens: int
    temperature: float
    tool_choice: str | Mapping[str, Any] | None = None
    missing_images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PromptSnapshot:
    """Describes a request as it is sent: system prompt, conversation and tools; `left_out` says what was cut and
    why."""

    model: str
    system: tuple[PromptSection, ...]
    messages: tuple[PromptSection, ...]
    tools: tuple[PromptSection, ...]
    left_out: tuple[str, ...]
    context_window: int
    request: tuple[Message, ...] = field(default=(), repr=False)
    guard: ContextFacts | None = None
    """The state of the context guard; None if it is off."""
    cut: tuple[PromptSection, ...] = ()
    """Tool results that were cut: the tool, the file with the whole text, and the tokens that are missing."""
    memory_budget: int = 0
    """Tokens memory may take; 0 where nobody said."""
    quotes: tuple[MemoryQuote, ...] = ()
    """The lines of memory that stand in results of tools which neither search memory nor read its files."""
    options: SentOptions | None = field(default=None, compare=False)
    """None before it is sent, and in logs of versions that did not keep them."""
    cut_lines: tuple[CutLines, ...] | None = None
    """The lines that `left_out` tells of; None in logs of versions that did not keep them."""
    cut_messages: tuple[CutMessages, ...] = ()
    """The messages that it tells of."""
    doubt: str = field(default="", compare=False)
    """The reason to doubt that the record is as it was written, ALTERED or UNCHECKED; "" where its hash confirms it.
    The parts of a doubtful record are texts that were sent, but maybe in another request or to another model."""

    @property
    def tokens(self) -> int:
        """Returns the estimated tokens of the whole request."""
        return sum(part.tokens for part in (*self.system, *self.messages, *self.tools))

    @property
    def memory_tokens(self) -> int:
        """Returns the tokens that memory takes of it, recovery included."""
        return sum(part.tokens for part in (*self.system, *self.messages) if part.kind in ("memory", "recovery"))
