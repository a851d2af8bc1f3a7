"""A person can look at a request to a model: at its parts, what each costs, and what was left out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from mnemoscope.domain.context.compaction import ContextFacts
from mnemoscope.domain.conversation.message import Message

ALTERED: Final = (
    "The record of this prompt is not as it was kept: which texts, model, options and time it names may not be what "
    "was sent."
)
UNCHECKED: Final = (
    "An earlier version kept this prompt without a hash of its record: whether that was changed since cannot be told."
)


@dataclass(frozen=True, slots=True)
class PromptSection:
    """One part of a prompt, with where it came from and what it costs."""

    title: str
    source: str
    text: str
    tokens: int
    kind: str = ""
    """`memory`, `marker` (stands for compacted messages), `recovery` (told to find the thread again), or ""."""


@dataclass(frozen=True, slots=True)
class MemoryQuote:
    """A line of a file of memory, without the blanks around it, that results of tools have word for word."""

    source: str
    line: str


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
    """A request as it is sent: system prompt, conversation and tools; `left_out` says what was cut and why."""

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
    doubt: str = field(default="", compare=False)
    """Why its record may not be as it was written, ALTERED or UNCHECKED, "" where its hash says that it is. Its parts
    are texts that were sent all the same, but maybe others, or to another model."""

    @property
    def tokens(self) -> int:
        """Returns the estimated tokens of the whole request."""
        return sum(part.tokens for part in (*self.system, *self.messages, *self.tools))

    @property
    def memory_tokens(self) -> int:
        """Returns the tokens that memory takes of it, recovery included."""
        return sum(part.tokens for part in (*self.system, *self.messages) if part.kind in ("memory", "recovery"))
