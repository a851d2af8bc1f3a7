"""Transcripts that were put aside under a name with the moment of it: read where they are, never written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from glob import escape
from pathlib import Path
from typing import Final

from mnemoscope.domain.conversation.branch import Branch
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.conversation.message import first_words
from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.store.sessions.branches import StoredBranches, file_branch
from mnemoscope.store.sessions.file_format.message_log import MessageLog
from mnemoscope.store.sessions.file_format.names import SUFFIX, key_from_stem, lookup_names
from mnemoscope.store.sessions.file_format.session_file import SessionFile
from mnemoscope.store.sessions.folder import SessionFolder
from mnemoscope.store.sessions.metadata import stated_key, stated_metadata
from mnemoscope.store.sessions.overview import overview_of
from mnemoscope.store.sessions.session import Session

_LOOKED_AT: Final = 20
"""Messages of a branch that are looked at for its first words."""
_KEPT: Final = re.compile(r"(?P<stem>.+)-(?P<when>\d{8}-[0-2]\d[0-5]\d[0-5]\d)(?:-\d+)?")


@dataclass(frozen=True, slots=True)
class ClosedConversation:
    """Describes a conversation that /new closed. `created_at` tells it from others of its `key`."""

    key: str
    path: Path
    title: str
    count: int
    created_at: datetime
    closed_at: datetime
    is_branch: bool = False
    """It is another branch of the closed conversation before it in the list; `title` is what was said in it first."""
    discretion: Discretion = Discretion.REMEMBERED
    is_titled: bool = False
    """`title` was given, by the person or by a program."""
    deleted: int = 0
    """The number of deleted messages among the `count` messages: each keeps its number."""

    @property
    def left(self) -> int:
        """Returns how many messages are there, without those that are deleted."""
        return self.count - self.deleted


class SessionArchive:
    """Keeps the folder sessions/archive/, and the branches of what is in it."""

    def __init__(self, folder: Path, branches: Path | None = None) -> None:
        """`branches`: the folder of branches that are not active; None to look at none."""
        self._folder = SessionFolder(folder)
        self._branches = SessionFolder(branches) if branches is not None else None
        self._stored = StoredBranches()

    def overviews(self) -> list[ClosedConversation]:
        """Returns the transcripts, the one closed last first; what cannot be read, and what nothing was said in, is
        passed over."""
        listed = []
        for path in self._folder.path.glob("*" + SUFFIX):
            with suppress(StorageError, UnreadableFile, FileNotFoundError, ValueError):
                listed.append(_seen(self._folder.file(path)))
        return sorted((one for one in listed if one.count), key=lambda one: (one.closed_at, one.path), reverse=True)

    def with_branches(self) -> list[ClosedConversation]:
        """Returns what `overviews` does, each followed by its other branches, the one begun first first."""
        if self._branches is None:
            return self.overviews()
        kept = self._kept_branches(self._branches.path)
        listed = []
        for one in self.overviews():
            listed.append(one)
            with suppress(StorageError, UnreadableFile, FileNotFoundError):
                closed = file_branch(self._folder.file(one.path))
                beside = kept.get((one.key, closed.root), {})
                for branch in sorted(beside, key=lambda each: each.began):
                    shared = closed.shared_with(branch)
                    if shared is not None:
                        listed.append(_seen_beside(one, self._branches.file(beside[branch]), shared))
        return listed

    def _kept_branches(self, folder: Path) -> dict[tuple[str, str], dict[Branch, Path]]:
        """Returns the branches that are not active by their conversation: its key, and its first branch."""
        found: dict[tuple[str, str], dict[Branch, Path]] = {}
        for path in folder.glob("*" + SUFFIX):
            with suppress(StorageError, UnreadableFile, FileNotFoundError):
                key, branch = self._stored.beginning(path)
                found.setdefault((key, branch.root), {})[branch] = path
        return found

    def load(self, closed: ClosedConversation) -> Session:
        """Returns the messages, which are read when they are looked at. Raises UnreadableFile or FileNotFoundError."""
        return _session_in(self._folder.file(closed.path), closed.key, closed.created_at)

    def session_with(self, key: str, *branches: str) -> Session | None:
        """Returns the conversation of a key that came along one of these branches, by their names, None where none is
        here. What cannot be read is passed over, and of what is another one the first record alone is read."""
        for path in self._named_after(key):
            with suppress(UnreadableFile, FileNotFoundError):
                stated, branch = self._stored.beginning(path)
                if stated == key and any(name in branches for name, _ in branch.path()):
                    return _session_in(self._folder.file(path), key, datetime.fromisoformat(branch.began))
        return None

    def _named_after(self, key: str) -> Iterator[Path]:
        """Yields the transcripts that are named as a file of this key is."""
        for name in lookup_names(key):
            yield from self._folder.path.glob(f"{escape(name.removesuffix(SUFFIX))}-*{SUFFIX}")


def _session_in(file: SessionFile, key: str, created_at: datetime) -> Session:
    """Returns the conversation in a file, whose messages are read when they are looked at."""
    stated, log = stated_metadata(file.index), MessageLog()
    log.attach(file)
    return Session(
        key, log, created_at=created_at, metadata=dict(stated.metadata), last_consolidated=stated.last_consolidated
    )


def _seen_beside(closed: ClosedConversation, file: SessionFile, shared: int) -> ClosedConversation:
    """Returns another branch of a closed conversation; both begin with `shared` messages."""
    seen, log = overview_of(closed.key, file), MessageLog()
    log.attach(file)
    own = (first_words(each) for each in log[shared : shared + _LOOKED_AT])
    title = next(filter(None, own), seen.title)
    return ClosedConversation(
        closed.key,
        file.path,
        title,
        seen.count,
        seen.created_at,
        closed.closed_at,
        is_branch=True,
        discretion=seen.discretion,
        deleted=seen.deleted,
    )


def put_aside(file: SessionFile) -> tuple[str, datetime | None]:
    """Returns the key of a transcript that was put aside, and when that was."""
    name = _KEPT.fullmatch(file.path.stem)
    key = stated_key(file.index.record) or key_from_stem(name["stem"] if name else file.path.stem)
    return key, datetime.fromisoformat(name["when"].replace("-", "T")) if name else None


def _seen(file: SessionFile) -> ClosedConversation:
    key, when = put_aside(file)
    seen = overview_of(key, file)
    closed_at = when or seen.updated_at
    return ClosedConversation(
        key,
        file.path,
        seen.title,
        seen.count,
        seen.created_at,
        closed_at,
        discretion=seen.discretion,
        is_titled=seen.is_titled,
        deleted=seen.deleted,
    )
