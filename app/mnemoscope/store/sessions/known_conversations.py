"""Lists the conversations that there are to be, in .mnemoscope/conversations.json: an audit misses one whose file is
gone.

The form: {"known": {"desktop:20261123-101500-1a2b3c": "2026-11-23T10:15:02"}, "deleted": {...}}, by key, with the time
of the first record and of the deletion. Of what was said nothing stands here, and no title. A key is listed after its
first record is on the disk, and is taken out before its file is deleted or closed: a crash in between leaves a
conversation that is not listed, never a listed one that is not there. The list is made again as conversations go on;
where it is lost, an audit knows less, and nothing else changes.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.atomic import remove_file
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.json_object import read_json_object, replace_json_object

log = logging.getLogger(__name__)
_MOST: Final = 10_000
"""Conversations that are listed in each part, the newest of them."""
_LONGEST_KEY: Final = 500
"""In characters. Another program may have chosen the key."""
_SIZE_LIMIT: Final = 50_000_000


@dataclass(frozen=True, slots=True)
class KnownKeys:
    """Holds the keys of the conversations that there are to be, and of those that the person deleted; each with its
    time."""

    known: Mapping[str, str] = field(default_factory=dict)
    deleted: Mapping[str, str] = field(default_factory=dict)


class KnownConversations:
    """Reads and writes the list on the disk. No method raises: what the disk refuses is logged, and an audit then knows
    less."""

    def __init__(self, path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self._path = path
        self._calls = calls
        self._listed: set[str] = set()
        """Keys that need not be looked for in the file again."""

    def load(self) -> KnownKeys:
        """Returns what is listed; nothing where there is no file, or none that can be read."""
        found = read_json_object(self._path, limit=_SIZE_LIMIT)
        return KnownKeys(_times(found.get("known")), _times(found.get("deleted")))

    def add(self, key: str, when: datetime) -> None:
        """Lists a conversation whose first record is on the disk. Touches the disk once a key."""
        if key in self._listed or len(key) > _LONGEST_KEY:
            return
        self._listed.add(key)
        now = self.load()
        if key not in now.known or key in now.deleted:
            self._write({**now.known, key: _stamp(when)}, _without(now.deleted, key))

    def drop(self, key: str) -> None:
        """Takes a conversation out of the list, before its transcript is closed or nothing may tell of it any more."""
        self._listed.discard(key)
        now = self.load()
        if key in now.known or key in now.deleted:
            self._take_out(_without(now.known, key), _without(now.deleted, key))

    def delete(self, key: str, when: datetime) -> None:
        """Notes that the person deletes a conversation, before its file goes to the trash."""
        self._listed.discard(key)
        now = self.load()
        if len(key) <= _LONGEST_KEY:
            self._take_out(_without(now.known, key), {**_without(now.deleted, key), key: _stamp(when)})

    def _take_out(self, known: Mapping[str, str], deleted: Mapping[str, str]) -> None:
        if self._write(known, deleted):
            return
        # A list that goes on naming the key would tell of a loss that is none.
        self._listed.clear()
        try:
            remove_file(self._path, calls=self._calls)
        except StorageError as error:
            log.warning("the list of known conversations could not be removed: %s", error)

    def _write(self, known: Mapping[str, str], deleted: Mapping[str, str]) -> bool:
        newest = {"known": dict(list(known.items())[-_MOST:]), "deleted": dict(list(deleted.items())[-_MOST:])}
        try:
            replace_json_object(self._path, newest, calls=self._calls)
        except StorageError as error:
            log.warning("the list of known conversations could not be written: %s", error)
            return False
        return True


def _times(part: object) -> dict[str, str]:
    """Returns the keys of one part of the file; what another program may have put there is passed over."""
    if not isinstance(part, dict):
        return {}
    return {key: when for key, when in part.items() if isinstance(when, str)}


def _without(part: Mapping[str, str], key: str) -> dict[str, str]:
    return {name: when for name, when in part.items() if name != key}


def _stamp(when: datetime) -> str:
    return when.replace(tzinfo=None).isoformat(timespec="seconds")
