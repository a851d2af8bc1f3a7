"""Finds what was said and learnt before (the tool search_memory)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from mnemoscope.agent.tools.tool import Arguments, ToolContext, function_schema
from mnemoscope.domain.conversation.message import SEARCH_TOOL
from mnemoscope.domain.errors import ToolError
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.memory.search.recall import RecalledPassage

_DEFAULT_HITS: Final = 8
_MOST_HITS: Final = 40
_ECHO_LIMIT: Final = 120
"""Characters of a query that are repeated where it found nothing."""


MemorySearching = Callable[[str, int, str], Awaitable[list[RecalledPassage]]]
"""Takes the query, how many at most, and the conversation that asks."""


class SearchMemory:
    """Searches memory, notes, history and conversations."""

    schema: Final = function_schema(
        SEARCH_TOOL,
        "Search the history log and the memory files for words. Use it before saying that something is not known.",
        {"query": {"type": "string", "description": "A few telling words"}},
        limit={"type": "integer", "minimum": 1, "maximum": _MOST_HITS},
    )

    def __init__(self, search: MemorySearching) -> None:
        self.search = search

    async def run(self, arguments: Arguments, context: ToolContext) -> str:
        """Returns the passages found, best first, each with where it stands."""
        query = arguments["query"].strip()
        if not query:
            raise ToolError("The query is empty.", next_step="Search for a few telling words.")
        hits = await self.search(query, min(arguments.get("limit", _DEFAULT_HITS), _MOST_HITS), context.session_key)
        if not hits:
            echo = shortened(query, _ECHO_LIMIT)
            return f"Nothing found for “{echo}”."
        return "\n\n".join(f"{hit.source} ({hit.where})\n{hit.text}" for hit in hits)
