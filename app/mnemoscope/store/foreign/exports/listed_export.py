"""The exports of all assistants share a list of conversations, each decoded when it is looked at, and not kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.foreign_records import ForeignConversation, newest_first
from mnemoscope.store.foreign.exports.export_files import ExportFiles
from mnemoscope.store.foreign.exports.export_transcript import ExportTranscript
from mnemoscope.store.foreign.reading.json_array import decoded_object, elements


class ListedExport(ABC):
    """Lists the conversations of one export. A format says what a conversation is, and reads it."""

    def __init__(self, files: ExportFiles, pattern: str) -> None:
        """`pattern` matches the names of the files that hold conversations."""
        self._files = files
        self._problems: list[str] = []
        self._raw: dict[str, bytes | msgspec.Raw] = {}
        self._list: list[ForeignConversation] = []
        self._read(pattern)

    def conversations(self) -> Sequence[ForeignConversation]:
        """Returns the conversations, the newest first."""
        return self._list

    def open(self, conversation: str) -> ExportTranscript:
        """Returns a conversation by its id. Raises StorageError where there is none."""
        found = decoded_object(self._raw[conversation]) if conversation in self._raw else None
        if found is None:
            raise StorageError("The export holds no such conversation.", id=conversation)
        return self._transcript(found)

    def problems(self) -> Sequence[str]:
        """Returns a sentence for each thing that could not be read."""
        return [*self._files.problems, *self._problems]

    def close(self) -> None:
        """Closes the files."""
        self._files.close()
        self._raw = {}

    @abstractmethod
    def _key(self, conversation: Mapping[str, Any]) -> str:
        """Returns the id of a conversation, "" where a record is none that can be read."""

    @abstractmethod
    def _listed(self, key: str, name: str, conversation: Mapping[str, Any], size: int) -> ForeignConversation:
        """Returns what is listed of a conversation, and takes in what else is needed of it."""

    @abstractmethod
    def _transcript(self, conversation: Mapping[str, Any]) -> ExportTranscript:
        """Returns a conversation as it is read."""

    def _read(self, pattern: str) -> None:
        unread = 0
        for name, raw in self._elements(pattern):
            conversation = decoded_object(raw)
            key = self._key(conversation) if conversation is not None else ""
            if conversation is None or not key:
                unread += 1
                continue
            if key not in self._raw:
                self._list.append(self._listed(key, name, conversation, len(bytes(raw))))
            self._raw[key] = raw
        if unread == 1:
            self._problems.append("1 record is no conversation that can be read; it is left out.")
        elif unread:
            self._problems.append(f"{unread} records are no conversations that can be read; they are left out.")
        self._list = newest_first(self._list)

    def _elements(self, pattern: str) -> Iterator[tuple[str, bytes | msgspec.Raw]]:
        for name in self._files.matching(pattern):
            found, problem = elements(self._files.read(name))
            if problem:
                self._problems.append(f"{name}: {problem}")
            for raw in found:
                yield name, raw
