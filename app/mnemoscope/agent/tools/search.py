"""search_memory: what was said and learnt before, found by its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mnemoscope.agent.tools.tool import Arguments, ToolContext, function_schema
from mnemoscope.domain.errors import ToolError
from mnemoscope.domain.llm import ToolSchema
from mnemoscope.memory.recall import Hit
from mnemoscope.store.disk import Disk

DEFAULT_HITS: Final = 8
MOST_HITS: Final = 40
ECHO_LIMIT: Final = 120
"""Characters of a query that are repeated where it found nothing."""


class SearchMemory:
    """search_memory: a search over the history log and the memory files."""

    schema: ToolSchema = function_schema(
        "search_memory",
        "Search the history log and the memory files for words. Use it before saying that something is not known.",
        {"query": {"type": "string", "description": "A few telling words"}},
        limit={"type": "integer", "minimum": 1, "maximum": MOST_HITS},
    )

    def __init__(self, search: Callable[[str, int], list[Hit]], disk: Disk) -> None:
        self.search, self.disk = search, disk

    async def run(self, arguments: Arguments, context: ToolContext) -> str:
        """The passages found, best first, each with where it stands."""
        query = arguments["query"].strip()
        if not query:
            raise ToolError("The query is empty.", next_step="Search for a few telling words.")
        hits = await self.disk.run(self.search, query, min(arguments.get("limit", DEFAULT_HITS), MOST_HITS))
        if not hits:
            echo = query if len(query) <= ECHO_LIMIT else f"{query[: ECHO_LIMIT - 1]}…"
            return f"Nothing found for “{echo}”."
        return "\n\n".join(f"{hit.source} ({hit.where})\n{hit.text}" for hit in hits)
