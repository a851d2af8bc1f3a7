"""Traces passages that were found to where they come from, and describes them to the agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.capture.captured_line import is_captured_here
from mnemoscope.domain.capture.record import UNDONE
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.change import CAPTURED_KINDS, MEMORY_PATH, author_for_model
from mnemoscope.memory.files.memory_files import MemoryFiles
from mnemoscope.memory.search.recall import RecalledPassage
from mnemoscope.store.logs.capture_log import CaptureLog
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.search.search_hit import SearchHit
from mnemoscope.store.search.search_sources import SearchKind
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

MOST: Final = 50
_MODELS: Final = frozenset({"assistant", "tool"})
_UNCAPTURED: Final = frozenset({"editor", "outside", "agent", "consolidation", "dream", "review"})
"""The authors as whose lines no message was captured, whatever the message says."""


@dataclass(frozen=True, slots=True)
class MessageSpan:
    """Holds the messages [start, stop) of a conversation that a passage comes from. `began` says when it did, "" where
    nobody knows: /new begins another one under the same key."""

    session_key: str
    start: int
    stop: int
    began: str = ""


def agent_passages(paths: WorkspacePaths, hits: Sequence[SearchHit]) -> list[RecalledPassage]:
    """Returns what was found in words for a model."""
    # What a model said once is no source for what it says next, unless there is no other.
    preferred = [hit for hit in hits if hit.role not in _MODELS] or hits
    origins = Origins(paths)
    return [RecalledPassage(hit.path, _where(hit, origins.author(hit)), hit.text) for hit in preferred]


class Origins:
    """Looks up where passages come from in the log of captures, the log of changes and the ledger, as these are when
    first asked. Its methods block on the disk."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self._paths = paths
        self._lines: tuple[Mapping[str, MessageSpan], Mapping[str, MessageSpan], frozenset[str]] | None = None
        self._entries: dict[str, MessageSpan] | None = None
        self._files = MemoryFiles(paths, TextVersions(paths.own.text_versions_dir), Ledger(paths))

    def behind(self, hit: SearchHit) -> MessageSpan | None:
        """Returns the messages behind a passage; None where nobody noted them, or somebody else wrote the line."""
        if hit.message_index >= 0:
            return MessageSpan(hit.session_key, hit.message_index, hit.message_index + 1)
        if hit.kind is SearchKind.STATE:
            return self._captured()[1].get(hit.text)
        if hit.kind is SearchKind.MEMORY:
            # A capture writes into one file; the same words in USER.md are not of it.
            is_known = self._is_memory_file(hit) and self.author(hit) not in _UNCAPTURED
            return self._captured()[0].get(hit.text) if is_known else None
        if hit.kind is SearchKind.HISTORY:
            return self._consolidated().get(hit.text)
        return None

    def author(self, hit: SearchHit) -> str:
        """Returns who wrote a line of memory or of a conversation's state, as the kind of a MemoryOrigin; "" for any
        other passage, and where nobody noted it."""
        if hit.kind is SearchKind.STATE:
            return ("capture" if hit.text in self._captured()[1] else "") if is_captured_here(hit.text) else "outside"
        if hit.kind is not SearchKind.MEMORY:
            return ""
        # What cannot be read says nothing of where a line comes from; the line is found all the same.
        with suppress(MnemoscopeError):
            changes = self._files.of(MEMORY_PATH if self._is_memory_file(hit) else hit.path).changes
            found = changes.author_of(hit.text).kind
            return "" if found in CAPTURED_KINDS and hit.text in self._captured()[2] else found
        return ""

    def _is_memory_file(self, hit: SearchHit) -> bool:
        return self._paths.root / hit.path == self._paths.memory_file

    def _captured(self) -> tuple[Mapping[str, MessageSpan], Mapping[str, MessageSpan], frozenset[str]]:
        """Returns the messages behind captured lines of memory and of states, and the lines of memory that were taken
        back."""
        if self._lines is None:
            memory, state, taken_back = dict[str, MessageSpan](), dict[str, MessageSpan](), set[str]()
            with suppress(MnemoscopeError):
                for record in CaptureLog(self._paths).newest_first():
                    behind = MessageSpan(record.session_key, record.index, record.index + 1, record.session_created_at)
                    state.setdefault(record.state_line.strip(), behind)
                    if record.outcome == UNDONE:
                        taken_back.add(record.memory_line.strip())
                    elif record.wrote_memory:
                        memory.setdefault(record.memory_line.strip(), behind)
            self._lines = memory, state, frozenset(taken_back - memory.keys())
        return self._lines

    def _consolidated(self) -> dict[str, MessageSpan]:
        if self._entries is None:
            self._entries = {}
            with suppress(MnemoscopeError):
                for record in Ledger(self._paths).records():
                    behind = MessageSpan(record.session_key, record.start, record.stop, record.session_created_at)
                    self._entries[record.entry.strip()] = behind
        return self._entries


def _where(hit: SearchHit, author: str) -> str:
    """Returns a time where there is one, else the line; and who said or wrote it."""
    place = hit.when or f"line {hit.line}"
    if hit.role:
        return f"{place}, {hit.role}"
    who = author_for_model(author)
    return f"{place}, by {who}" if who else place
