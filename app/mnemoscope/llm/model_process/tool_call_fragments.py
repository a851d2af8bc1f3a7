"""Tool calls arrive in fragments; here they are joined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass
class _Open:
    index: int
    id: str
    name: str
    arguments: str


class ToolCallJoiner:
    """Joins fragments as OpenAI streams them: `{"index", "id", "function": {"name", "arguments"}}`, any part left out.

    Fragments of one index belong together. Servers that give every call the index 0 start each with an id of its own;
    servers that leave the index out mean the last call, unless they bring a new id.
    """

    def __init__(self) -> None:
        self._calls: list[_Open] = []

    def add(self, fragments: Iterable[Mapping[str, Any]]) -> None:
        """Take the `tool_calls` of one chunk."""
        for fragment in fragments:
            function = fragment.get("function") or {}
            call = self._call_of(fragment.get("index"), str(fragment.get("id") or ""))
            call.name = call.name or str(function.get("name") or "")
            arguments = function.get("arguments")
            if arguments:
                call.arguments += arguments if isinstance(arguments, str) else str(arguments)

    def joined(self) -> list[dict[str, str]]:
        """`{"id", "name", "arguments"}` of each call that has a name, in order; a missing id is made up."""
        return [
            {"id": call.id or f"call_{place}", "name": call.name, "arguments": call.arguments}
            for place, call in enumerate(self._calls)
            if call.name
        ]

    def _call_of(self, index: object, call_id: str) -> _Open:
        place = index if isinstance(index, int) else (self._calls[-1].index if self._calls else 0)
        for call in reversed(self._calls):
            if call.index == place and (not call_id or not call.id or call.id == call_id):
                call.id = call.id or call_id
                return call
        self._calls.append(_Open(place, call_id, "", ""))
        return self._calls[-1]
