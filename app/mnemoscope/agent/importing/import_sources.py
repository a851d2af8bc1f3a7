"""Opens what can be imported: an export of another assistant, or the store of an agent on this computer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mnemoscope.domain.foreign.edit_replay import line_sources
from mnemoscope.domain.foreign.foreign_export import ForeignExport
from mnemoscope.domain.foreign.foreign_records import ForeignConversation, ForeignMemory, MemoryEdit
from mnemoscope.domain.foreign.foreign_store import ForeignStore, ForeignTranscript
from mnemoscope.store.foreign.exports.export_formats import open_export
from mnemoscope.store.foreign.store_formats import facts_in, open_store, title_of_format


class StoreExportAdapter:
    """Lets the store of an agent be imported as an export is: its conversations, and the facts it remembers."""

    def __init__(self, store: ForeignStore, title: str) -> None:
        self._store = store
        self.format_name = store.format_name
        self.title = title

    def conversations(self) -> Sequence[ForeignConversation]:
        """Returns the conversations, those of subagents and of the archive too, which an import leaves out."""
        return self._store.conversations()

    def open(self, conversation: str) -> ForeignTranscript:
        """Returns a conversation by its id. Raises StorageError."""
        return self._store.open(conversation)

    def memories(self) -> Sequence[ForeignMemory]:
        """Returns the facts in the memory files."""
        return [fact for file in self._store.memory_files() for fact in facts_in(self.format_name, file)]

    def traced(self, memories: Sequence[ForeignMemory]) -> list[ForeignMemory]:
        """Returns facts of the memory files with the call that wrote each, where it is known. It reads every
        conversation."""
        edits = defaultdict(list)
        for edit in self._store.edits():
            edits[edit.path].append(edit)
        written: dict[str, MemoryEdit] = {}
        for file in self._store.memory_files():
            for line in line_sources(file.path, file.text, edits[file.path]):
                if line.edit is not None and (words := " ".join(line.text.strip().lstrip("-*+• \t").split())):
                    written.setdefault(words, line.edit)
        return [_placed(each, written) for each in memories]

    def problems(self) -> Sequence[str]:
        """Returns a sentence for each thing that could not be read."""
        return self._store.problems()

    def close(self) -> None:
        """Closes the store."""
        self._store.close()


def _placed(memory: ForeignMemory, written: Mapping[str, MemoryEdit]) -> ForeignMemory:
    """Returns a fact with the call that wrote its line, or the first of its lines."""
    edit = written.get(memory.text)
    if edit is None:
        edit = next((each for words, each in written.items() if memory.text.startswith(f"{words} ")), None)
    return memory if edit is None else replace(memory, conversation=edit.conversation, place=edit.place)


def open_source(path: Path) -> ForeignExport | None:
    """Opens what can be imported at a path, None where there is nothing. Raises StorageError where it cannot be
    read."""
    place = path.expanduser().absolute()
    if place.is_dir() and (store := open_store(place)) is not None:
        return StoreExportAdapter(store, title_of_format(store.format_name))
    return open_export(place)
