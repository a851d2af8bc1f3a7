"""Defines the protocol of a tool, and the context of the turn that each call is given."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.llm import ToolSchema
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.review.sources import Sources

Arguments = Mapping[str, Any]


@dataclass(slots=True)
class ToolContext:
    """Holds what a tool may know of the turn it runs in."""

    session_key: str
    memory_digest: str = ""
    """The digest of the MEMORY.md that the model was shown last, "" for none."""
    is_asking: bool = False
    """A tool waits for the person's approval and has not begun."""
    sources: Callable[[], Sources] = Sources
    """Says who said what up to now."""
    seen: dict[str, str] = field(default_factory=dict)
    """The versions of other files by path, as far as the model read or wrote them in this turn."""
    memory_change: str = ""
    """The id of the change of MEMORY.md that the last call made, "" for none."""
    memory_suggestion: str = ""
    """The id of the suggestion that the last call's text for MEMORY.md became, "" for none."""
    discretion: Discretion = Discretion.REMEMBERED
    """The discretion of the conversation: in a discreet one, tools only read."""


class Tool(Protocol):
    """Does what a model calls it for."""

    @property
    def schema(self) -> ToolSchema:
        """Returns the definition the model is given."""
        ...

    async def run(self, arguments: Arguments, context: ToolContext) -> str:
        """Returns the result as text. Raises a MnemoscopeError whose sentence tells the model what was wrong."""
        ...


class MemoryFileState(Protocol):
    """Holds MEMORY.md as it stands."""

    @property
    def text(self) -> str:
        """Returns the whole text."""
        ...

    @property
    def digest(self) -> str:
        """Returns the SHA-256 of the file's bytes."""
        ...


class MemorySavedState(Protocol):
    """Reports the outcome of saving a text."""

    @property
    def digest(self) -> str:
        """Returns the SHA-256 of the bytes of the text that the file has now."""
        ...

    @property
    def merged(self) -> bool:
        """Returns whether someone else had written meanwhile, and both texts were merged."""
        ...

    @property
    def suggestion_id(self) -> str:
        """Returns the id of the suggestion that the text became where it waits; "" if it was written."""
        ...

    @property
    def held(self) -> tuple[str, ...]:
        """Returns why nothing was written and the text waits for the person; empty if it was written."""
        ...

    @property
    def change_id(self) -> str:
        """Returns the id by which the change can be undone; "" if there was none."""
        ...


class LongTermMemory(Protocol):
    """Is the part of the memory store that tools write through, so that no text is overwritten unseen."""

    def read_text(self) -> MemoryFileState:
        """Returns the text and its digest."""
        ...

    async def save_text(
        self,
        text: str,
        based_on: str | None,
        origin: str = "editor",
        *,
        sources: Sources | None = None,
        session_key: str = "",
    ) -> MemorySavedState:
        """Writes a text made from the one of digest `based_on`, merged if the file moved on, or holds it for review."""
        ...


def function_schema(name: str, description: str, required: Mapping[str, Any], **optional: Any) -> ToolSchema:
    """Returns a tool definition of OpenAI's shape; `required` and `optional` map argument names to JSON Schema
    fragments.
    """
    parameters = {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def workspace_path(description: str) -> dict[str, str]:
    """Returns the JSON Schema of a path argument."""
    return {"type": "string", "description": f"{description}, relative to the workspace, such as notes/plan.md"}


def is_memory_file(parts: tuple[str, ...], root: Path) -> bool:
    """Returns whether these components name MEMORY.md: in memory/, or in the root where no other file stands in
    memory/.
    """
    plain = tuple(unicodedata.normalize("NFKC", part).casefold() for part in parts)
    if plain == ("memory.md",):
        return not ((root / "MEMORY.md").exists() and (root / MEMORY_PATH).exists())
    return plain == ("memory", "memory.md")
