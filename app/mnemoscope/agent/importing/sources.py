"""Opens what can be imported: an export of another assistant, or the store of an agent on this computer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from mnemoscope.domain.foreign.edit_replay import line_sources
from mnemoscope.domain.foreign.export import Export
from mnemoscope.domain.foreign.records import ForeignConversation, ForeignMemory, ForeignMemoryFile, MemoryEdit
from mnemoscope.domain.foreign.store import ForeignTranscript, Store
from mnemoscope.store.files.json_record import RecordDamaged, decode_object
from mnemoscope.store.foreign.catalog import open_store, title_of_format
from mnemoscope.store.foreign.exports.claude_export import memories_in
from mnemoscope.store.foreign.exports.export import open_export
from mnemoscope.store.foreign.notes.basic_memory import note_facts
from mnemoscope.store.foreign.reading.front_matter import read_front_matter
from mnemoscope.store.foreign.reading.record_values import text_in

_REMEMBERED: Final = frozenset({"memory", "user", "index", "topic", "note", "reference"})
"""The roles of memory files whose lines are facts."""
_RELATION: Final = ("from", "relationType", "to")


class StoreAsExport:
    """Lets the store of an agent be imported as an export is: its conversations, and the facts it remembers."""

    def __init__(self, store: Store, title: str) -> None:
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
        found = self._store.memory_files()
        return [memory for each in found for memory in _memories(self._store.format_name, each)]

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


def _memories(store: str, file: ForeignMemoryFile) -> Iterator[ForeignMemory]:
    """Yields what a memory file holds, in the units in which its program keeps it."""
    if store == "basic-memory":
        # The role of a note is its type, which is any word.
        for fact in note_facts(read_front_matter(file.text).body):
            yield ForeignMemory(fact, heading=file.path)
    elif file.role not in _REMEMBERED:
        return
    elif store == "mcp-memory":
        yield from _observations(file.text)
    elif store == "hermes":
        for entry in file.text.split("\n§\n"):
            if text := " ".join(entry.split()):
                yield ForeignMemory(text, heading=file.path)
    else:
        yield from memories_in(read_front_matter(file.text).body, file.path)


def _observations(text: str) -> Iterator[ForeignMemory]:
    """Yields the observations and the relations of MCP's memory server, as sentences without a verb of their own."""
    for line in text.split("\n"):
        try:
            record = decode_object(line.encode("utf-8", "replace"))
        except RecordDamaged:
            continue
        observations = record.get("observations")
        name, kind, *relation = (text_in(record.get(key)) for key in ("name", "entityType", *_RELATION))
        for each in observations if isinstance(observations, list) else ():
            if text := text_in(each).strip():
                yield ForeignMemory(f"{name}: {text}" if name else text, heading=kind)
        if record.get("type") == "relation" and all(relation):
            yield ForeignMemory(" ".join(relation))


def open_source(path: Path) -> Export | None:
    """Opens what can be imported at a path, None where there is nothing. Raises StorageError where it cannot be
    read."""
    place = path.expanduser().absolute()
    if place.is_dir() and (store := open_store(place)) is not None:
        return StoreAsExport(store, title_of_format(store.format_name))
    return open_export(place)
