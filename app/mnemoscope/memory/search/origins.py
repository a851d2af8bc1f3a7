"""Traces passages that were found to where they come from, and describes them to the agent."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.memory.search.recall import RecalledPassage, search_memory
from mnemoscope.store.journals.capture_log import CaptureLog
from mnemoscope.store.search.search_hit import SearchHit
from mnemoscope.store.search.sources import SearchKind
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

MOST: Final = 50
_MODELS: Final = frozenset({"assistant", "tool"})


@dataclass(frozen=True, slots=True)
class MessageSpan:
    """The messages [start, stop) of a conversation that a passage comes from."""

    session_key: str
    start: int
    stop: int


def agent_passages(
    paths: WorkspacePaths, query: str, hits: Sequence[SearchHit], problem: str = ""
) -> list[RecalledPassage]:
    """Returns what was found in words for a model; where there is no index (`problem`), found by reading the files."""
    if problem:
        return search_memory(paths, query, len(hits) or MOST)
    # What a model said once is no source for what it says next, unless there is no other.
    told = [hit for hit in hits if hit.role not in _MODELS] or hits
    return [RecalledPassage(hit.path, _where(hit), hit.text) for hit in told]


class Origins:
    """Looks up where passages come from in the log of captures and the ledger, as these are when first asked."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self._paths = paths
        self._lines: dict[str, MessageSpan] | None = None
        self._entries: dict[str, MessageSpan] | None = None

    def behind(self, hit: SearchHit) -> MessageSpan | None:
        """Returns the messages behind a passage; None where nobody noted them. Blocks on the disk."""
        if hit.message_index >= 0:
            return MessageSpan(hit.session_key, hit.message_index, hit.message_index + 1)
        if hit.kind in (SearchKind.MEMORY, SearchKind.STATE):
            return self._captured().get(hit.text)
        if hit.kind is SearchKind.HISTORY:
            return self._consolidated().get(hit.text)
        return None

    def _captured(self) -> dict[str, MessageSpan]:
        if self._lines is None:
            self._lines = {}
            # What cannot be read says nothing of where a line comes from; the line is found all the same.
            with suppress(MnemoscopeError):
                for record in CaptureLog(self._paths).newest_first():
                    behind = MessageSpan(record.session_key, record.index, record.index + 1)
                    lines = (record.memory_line if record.wrote_memory else "", record.state_line)
                    for line in filter(None, lines):
                        self._lines.setdefault(line.strip(), behind)
        return self._lines

    def _consolidated(self) -> dict[str, MessageSpan]:
        if self._entries is None:
            self._entries = {}
            with suppress(MnemoscopeError):
                for record in Ledger(self._paths).records():
                    behind = MessageSpan(record.session_key, record.start, record.stop)
                    self._entries[record.entry.strip()] = behind
        return self._entries


def _where(hit: SearchHit) -> str:
    """Returns a time where there is one, else the line; and who said it."""
    place = hit.when or f"line {hit.line}"
    return f"{place}, {hit.role}" if hit.role else place
