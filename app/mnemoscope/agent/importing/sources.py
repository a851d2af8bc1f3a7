"""Opens what can be imported: an export of another assistant, or the store of an agent on this computer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mnemoscope.domain.foreign.records import ForeignConversation, ForeignMemory, ForeignRole
from mnemoscope.domain.foreign.store import ForeignTranscript, Store
from mnemoscope.domain.memory.facts import fact_lines, fact_text
from mnemoscope.store.foreign.catalog import READERS, open_store
from mnemoscope.store.foreign.exports import Export, open_export

_REMEMBERED: Final = frozenset({"memory", "user", "index", "topic"})
"""The roles of memory files whose lines are facts."""


class StoreAsExport:
    """Lets the store of an agent be imported as an export is: its main conversations, and the facts it remembers."""

    def __init__(self, store: Store, title: str) -> None:
        self._store = store
        self.format_name = store.format_name
        self.title = title

    def conversations(self) -> Sequence[ForeignConversation]:
        """Returns the main conversations: what subagents were told is part of theirs."""
        return [each for each in self._store.conversations() if each.role is ForeignRole.MAIN]

    def open(self, conversation: str) -> ForeignTranscript:
        """Returns a conversation by its id. Raises StorageError."""
        return self._store.open(conversation)

    def memories(self) -> Sequence[ForeignMemory]:
        """Returns the facts in the memory files."""
        files = (each for each in self._store.memory_files() if each.role in _REMEMBERED)
        return [ForeignMemory(fact_text(line), heading=each.path) for each in files for line in fact_lines(each.text)]

    def problems(self) -> Sequence[str]:
        """Returns a sentence for each thing that could not be read."""
        return self._store.problems()

    def close(self) -> None:
        """Closes the store."""
        self._store.close()


def open_source(path: Path) -> Export | None:
    """Opens what can be imported at a path, None where there is nothing. Raises StorageError where it cannot be
    read."""
    place = path.expanduser().absolute()
    if place.is_dir() and (store := open_store(place)) is not None:
        titles = {reader.format.name: reader.format.title for reader in READERS}
        return StoreAsExport(store, titles.get(store.format_name, store.format_name))
    return open_export(place)
