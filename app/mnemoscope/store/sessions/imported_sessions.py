"""Writes whole conversations that came from another agent: each file at once, all or nothing.

The active way lies under the conversation's key, where it is listed and read; the others are branches of it. What must
not be remembered lies with the conversations that write no memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from mnemoscope.domain.conversation.branch import FORKS, Branch
from mnemoscope.domain.conversation.discretion import Discretion, marked
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.foreign.imported_conversation import IMPORTED, ImportedConversation
from mnemoscope.store.files.atomic import make_directory, replace_bytes
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.sessions.branches import place_of_branch
from mnemoscope.store.sessions.file_format.record_line import encode_record
from mnemoscope.store.sessions.folder import SessionFolder
from mnemoscope.store.sessions.metadata import metadata_record
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.workspace.paths import WorkspacePaths

_MOMENT: Final = timedelta(microseconds=1)


class ImportedSessions:
    """Writes session files of conversations that are not open. Blocks on the disk."""

    def __init__(self, paths: WorkspacePaths, folder: SessionFolder, *, calls: FileCalls = REAL_CALLS) -> None:
        self._paths = paths
        self._folder = folder
        self._calls = calls

    def write(self, conversation: ImportedConversation) -> None:
        """Writes a conversation under its key, which no other may have. Raises StorageError: then it is not there; a
        branch that is there without it is written again by the next try, and tidied away."""
        discretion = Discretion.READS_MEMORY if conversation.is_discreet else Discretion.REMEMBERED
        place = self._folder.place_for(conversation.key, discretion)
        make_directory(place.parent, calls=self._calls)
        (branch, active), *others = _branches(conversation)
        for other, way in others:
            path = place_of_branch(self._paths, conversation.key, datetime.fromisoformat(other.began))
            make_directory(path.parent, calls=self._calls)
            replace_bytes(path, _file(conversation, other, way, discretion), calls=self._calls)
        # What is listed comes last: it is there with all of its branches, or not at all.
        replace_bytes(place, _file(conversation, branch, active, discretion), calls=self._calls)


def _file(conversation: ImportedConversation, branch: Branch, way: Sequence[Message], discretion: Discretion) -> bytes:
    source = {"from": conversation.source, "id": conversation.id, "messages": conversation.messages}
    metadata: dict[str, Any] = {IMPORTED: source}
    if conversation.title:
        metadata["title"] = conversation.title
    if branch.forks:
        metadata[FORKS] = branch.as_field()
    began = datetime.fromisoformat(branch.began)
    session = Session(conversation.key, (), began, max(began, conversation.updated_at), marked(metadata, discretion))
    return b"".join(map(encode_record, (metadata_record(session), *way)))


def _branches(conversation: ImportedConversation) -> Iterator[tuple[Branch, Sequence[Message]]]:
    """Yields the ways as branches, the active one first: each leaves the one before it that it shares most with."""
    known: list[tuple[Branch, Sequence[Message]]] = []
    for number, way in enumerate(conversation.ways):
        began = (conversation.created_at + number * _MOMENT).isoformat()
        branch = Branch(began)
        if known:
            other, shared = max(
                ((each, _shared(way, messages)) for each, messages in known), key=lambda found: found[1]
            )
            if shared == len(way):
                continue
            branch = other.forked(shared, began)
        known.append((branch, way))
        yield branch, way


def _shared(one: Sequence[Message], other: Sequence[Message]) -> int:
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count
