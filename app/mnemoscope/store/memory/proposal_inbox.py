"""The inbox is a folder into which another process puts proposals for memory, one file each, owning nothing.

A file is one JSON object with the fields of `OutsideProposal` and `format`; its name is the proposal's id. It comes
into being whole, can be read by its owner alone, and is never written again. Whoever owns the workspace takes it out.
Anything else that lies in the folder is a stray: it is not followed, and read no further than a proposal is long.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.outside_proposal import LONGEST_PROPOSAL, OutsideProposal, claimed_name
from mnemoscope.store.files.atomic import (
    READ_FLAGS,
    TEMPORARY_SUFFIX,
    encode_text,
    fsync_directory,
    make_directory,
    remove_file,
    storage_errors,
)
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.new_file import write_new_file
from mnemoscope.store.workspace.paths import WorkspacePaths

FORMAT: Final = 1
MOST_LOOKED_AT: Final = 1_000
"""Names in the folder that one look goes through."""
_LONGEST_FILE: Final = 8 * LONGEST_PROPOSAL
"""Bytes: JSON may write a character in six."""
_SUFFIX: Final = ".json"
_ID: Final = re.compile("[0-9a-f]{16}")
_READ: Final = READ_FLAGS | getattr(os, "O_NOFOLLOW", 0)
_FIELDS: Final = ("id", "when", "caller", "text", "heading")
_LEFT_SECONDS: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class InboxLook:
    """Reports what lies in the inbox: the proposals, oldest first, and the names of the strays."""

    proposals: tuple[OutsideProposal, ...] = ()
    strays: tuple[str, ...] = ()


class ProposalInbox:
    """Takes proposals into the inbox of one workspace, and out of it. Everything here blocks on the disk."""

    def __init__(self, paths: WorkspacePaths, *, calls: FileCalls = REAL_CALLS) -> None:
        self._own = paths.own.folder
        self.folder = paths.own.inbox_dir
        self._calls = calls

    def prepare(self) -> None:
        """Makes the folder where it is missing, so that it can be watched. Raises StorageError."""
        make_directory(self.folder, mode=0o700, calls=self._calls)

    def put(self, proposal: OutsideProposal) -> None:
        """Adds a proposal, whole or not at all. Raises DiskFull or StorageError."""
        if not self._own.is_dir() or self.folder.is_symlink():
            sentence = "This workspace was never opened in Mnemoscope, so it has no place for proposals."
            raise StorageError(sentence, next_step="Open it in Mnemoscope once, then try again.")
        self.prepare()
        data = encode_text(json.dumps({"format": FORMAT, **asdict(proposal)}, ensure_ascii=False) + "\n")
        write_new_file(self.folder / f"{proposal.id}{_SUFFIX}", [data], calls=self._calls)

    def look(self) -> InboxLook:
        """Returns what lies in the inbox, of more than MOST_LOOKED_AT files some. Never raises."""
        found, strays = list[OutsideProposal](), list[str]()
        for name in self._names():
            try:
                proposal = self._read(name)
            except FileNotFoundError:
                continue
            except (OSError, ValueError, RecursionError):
                proposal = None
            if proposal is None:
                strays.append(name)
            else:
                found.append(proposal)
        return InboxLook(tuple(sorted(found, key=lambda each: (each.when, each.id))), tuple(sorted(strays)))

    def remove(self, proposal_id: str) -> None:
        """Takes a proposal out; nothing happens where it is gone. Raises StorageError."""
        remove_file(self.folder / f"{proposal_id}{_SUFFIX}", calls=self._calls)

    def tidy(self, now: float) -> None:
        """Removes what a process that was killed left half-written an hour or more before `now`, in seconds since the
        epoch. Raises StorageError."""
        for name in self._names(hidden=True):
            path = self.folder / name
            with suppress(OSError):
                if name.endswith(TEMPORARY_SUFFIX) and path.lstat().st_mtime < now - _LEFT_SECONDS:
                    remove_file(path, calls=self._calls)

    def move_strays(self, names: Iterable[str], folder: Path) -> None:
        """Moves strays to another folder of the workspace, a link as the link it is, under names of ours: theirs may be
        long, or hold what a terminal obeys. Raises StorageError."""
        make_directory(folder, calls=self._calls)
        for name in names:
            with storage_errors(self.folder / name, "write"), suppress(FileNotFoundError):
                self._calls.replace(str(self.folder / name), str(folder / f"{secrets.token_hex(4)}-inbox"))
        fsync_directory(folder, calls=self._calls)
        fsync_directory(self.folder, calls=self._calls)

    def _names(self, *, hidden: bool = False) -> Iterator[str]:
        """Yields the names of what lies there: of what is hidden, as it is on its way, or of all else."""
        if self.folder.is_symlink():
            return
        with suppress(OSError), os.scandir(self.folder) as entries:
            for number, entry in enumerate(entries):
                if number >= MOST_LOOKED_AT:
                    return
                if entry.name.startswith(".") == hidden:
                    yield entry.name

    def _read(self, name: str) -> OutsideProposal | None:
        """Returns the proposal in a file, None where it holds none. Raises OSError or ValueError."""
        stem, suffix = os.path.splitext(name)
        if suffix != _SUFFIX or _ID.fullmatch(stem) is None:
            return None
        descriptor = os.open(self.folder / name, _READ)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size > _LONGEST_FILE:
                return None
            data = os.read(descriptor, _LONGEST_FILE)
        finally:
            os.close(descriptor)
        found = _decoded(json.loads(data))
        return found if found is not None and found.id == stem else None


def _decoded(document: Any) -> OutsideProposal | None:
    """Returns the proposal that a document holds, None where it holds none. Raises ValueError where it has no time."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return None
    values = {name: document.get(name) for name in _FIELDS}
    if not all(isinstance(value, str) for value in values.values()):
        return None
    found = OutsideProposal(**{name: str(value) for name, value in values.items()})
    datetime.fromisoformat(found.when)
    is_bounded = len(encode_text(found.text)) <= LONGEST_PROPOSAL
    return found if is_bounded and found.caller == claimed_name(found.caller) else None
