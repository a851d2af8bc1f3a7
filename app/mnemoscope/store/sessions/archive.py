"""Transcripts that were put aside under a name with the moment of it: read where they are, never written."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.store.sessions.folder import SessionFolder
from mnemoscope.store.sessions.message_log import MessageLog
from mnemoscope.store.sessions.metadata import stated_key, stated_metadata
from mnemoscope.store.sessions.names import SUFFIX, key_from_stem
from mnemoscope.store.sessions.overview import overview_of
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_file import SessionFile

_KEPT: Final = re.compile(r"(?P<stem>.+)-(?P<when>\d{8}-[0-2]\d[0-5]\d[0-5]\d)(?:-\d+)?")


@dataclass(frozen=True, slots=True)
class ClosedConversation:
    """A conversation that /new closed. `created_at` tells it from others of its `key`."""

    key: str
    path: Path
    title: str
    count: int
    created_at: datetime
    closed_at: datetime


class SessionArchive:
    """The folder sessions/archive/."""

    def __init__(self, folder: Path) -> None:
        self._folder = SessionFolder(folder)

    def overviews(self) -> list[ClosedConversation]:
        """Returns the transcripts, the one closed last first; what cannot be read, and what nothing was said in, is
        passed over."""
        listed = []
        for path in self._folder.path.glob("*" + SUFFIX):
            with suppress(StorageError, UnreadableFile, FileNotFoundError, ValueError):
                listed.append(_seen(self._folder.file(path)))
        return sorted((one for one in listed if one.count), key=lambda one: one.closed_at, reverse=True)

    def load(self, closed: ClosedConversation) -> Session:
        """Its messages, read when they are looked at. Raises UnreadableFile or FileNotFoundError."""
        file = self._folder.file(closed.path)
        stated, log = stated_metadata(file.index), MessageLog()
        log.attach(file)
        return Session(
            closed.key,
            log,
            created_at=closed.created_at,
            metadata=dict(stated.metadata),
            last_consolidated=stated.last_consolidated,
        )


def put_aside(file: SessionFile) -> tuple[str, datetime | None]:
    """Returns the key of a transcript that was put aside, and when that was."""
    name = _KEPT.fullmatch(file.path.stem)
    key = stated_key(file.index.record) or key_from_stem(name["stem"] if name else file.path.stem)
    return key, datetime.fromisoformat(name["when"].replace("-", "T")) if name else None


def _seen(file: SessionFile) -> ClosedConversation:
    key, when = put_aside(file)
    seen = overview_of(key, file)
    return ClosedConversation(key, file.path, seen.title, seen.count, seen.created_at, when or seen.updated_at)
