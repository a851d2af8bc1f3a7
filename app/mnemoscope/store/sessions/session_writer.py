"""Appends each message to its session file exactly once, also where other programs append to it or rewrite it."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass

from mnemoscope.domain.conversation.branch import branch_of
from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.store.files.append import append_bytes
from mnemoscope.store.files.atomic import fsync_directory, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.display_names import begin_sentence
from mnemoscope.store.sessions.file_format.message_log import MessageLog
from mnemoscope.store.sessions.file_format.record_line import TYPE_MARK, encode_record, session_record
from mnemoscope.store.sessions.file_format.session_file import Change, SessionFile, StaleFile
from mnemoscope.store.sessions.folder import SessionFolder
from mnemoscope.store.sessions.metadata import (
    StatedMetadata,
    differs_from_known,
    metadata_record,
    stated_key,
    stated_metadata,
)
from mnemoscope.store.sessions.overview import title_of
from mnemoscope.store.sessions.repair import FileRepair
from mnemoscope.store.sessions.session import Session

_REST_SECONDS = 0.02
_REST_TRIES = 50
_EMPTY_TRIES = 13
"""For a quarter of a second an empty file is one that is being rewritten."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """Describes an append that failed: where it began and what it was to write."""

    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class LostMessages:
    """Reports messages that another program took away: `known` were there, `left` are, without those not saved yet.

    `kind`: `shortened`, `replaced` (other messages), `removed` (the file), `begun` (anew, as /new does), `branched`
    (another window went to another branch: nothing is lost).
    """

    kind: str
    known: int
    left: int


def _conversation_name(session: Session) -> str:
    title = title_of(session)
    return f"the conversation “{title}”" if title else "the conversation"


class SessionWriter:
    """Writes what a session holds and its file does not. `losses`: not told of yet, by session key."""

    def __init__(self, folder: SessionFolder, repair: FileRepair, *, calls: FileCalls = REAL_CALLS) -> None:
        self._folder = folder
        self._repair = repair
        self._calls = calls
        self._attempts: dict[SessionFile, _Attempt] = {}
        self.losses: dict[str, LostMessages] = {}

    def write(self, session: Session, *, metadata: bool) -> list[int]:
        """Appends waiting messages, and a metadata record where it says more; returns the messages' numbers.

        Raises StorageError; then the file is as before and the messages still wait.
        """
        with self._folder.writing():
            return self._write(session, metadata)

    def _write(self, session: Session, metadata: bool) -> list[int]:
        file = self._appendable_file(session)
        batch = session.messages.pending
        lines = [encode_record(message) for message in batch]
        record = metadata_record(session)
        known = file.index.record if file else None
        if file is None or not file.index.line_count:
            lines.insert(0, encode_record(record))
        elif known is None or (metadata and differs_from_known(record, known)):
            lines.append(encode_record(record))
        return self._append(session, file, b"".join(lines), len(batch)) if lines else []

    def take_in(self, session: Session) -> bool:
        """Refreshes the session from its file; returns whether anything changed. Raises UnreadableFile or
        StorageError."""
        with storage_errors(self._folder.path, "read"):
            self._calls.require_root()
        file = session.messages.file
        if file is None:
            return self._adopt(session)
        before, total = stated_metadata(file.index), file.index.count
        change = file.refresh()
        if change is Change.REWRITTEN:
            self._wait_until_at_rest(file)
        if change is Change.GONE or _belongs_to_another(file, session.key):
            return self._find_renamed_file(session)
        self._settle_attempt(session, file)
        if change is Change.REWRITTEN and not session.messages.continues(session.messages):
            self._note_loss(session, before, file)
        session.messages.note_end()
        _merge(session, before, stated_metadata(file.index))
        return change is Change.REWRITTEN or file.index.count != total or stated_metadata(file.index) != before

    def _appendable_file(self, session: Session) -> SessionFile | None:
        self.take_in(session)
        file = session.messages.file
        if file is not None:
            self._repair.mend_end(file)
            if file.torn_bytes:
                msg = f"{begin_sentence(_conversation_name(session))} is being written by another program."
                raise StorageError(msg, next_step="The messages are kept here. Try again.", path=str(file.path))
        return file

    def _append(self, session: Session, file: SessionFile | None, data: bytes, messages: int) -> list[int]:
        path = file.path if file else self._folder.place_for(session.key, session.discretion)
        offset = file.index.end if file else 0
        try:
            append_bytes(path, data, calls=self._calls, known=lambda: _conversation_name(session))
        except StorageError:
            if file is None:
                # A new file may be there with all of it, though its folder could not be forced.
                with suppress(FileNotFoundError, UnreadableFile):
                    file = self._folder.file(path)
            if file is not None:
                self._attempts[file] = _Attempt(offset, data)
            raise
        file = file or self._folder.file(path)
        session.messages.settle(file, messages)
        return self._numbers(file, offset, data, messages)

    def _numbers(self, file: SessionFile, offset: int, data: bytes, messages: int) -> list[int]:
        """Returns the numbers of the messages in `data`, which was meant for `offset`."""
        index = file.index
        last = index.count
        if index.end != offset + len(data):
            with suppress(StaleFile):
                last = _messages_behind(file, offset, data)
        return list(range(last - messages, last))

    def _adopt(self, session: Session) -> bool:
        """Gives a session without a file the one that another program made for its key meanwhile; returns whether there
        is one."""
        path = self._folder.find(session.key)
        if path is None:
            return False
        file = self._folder.file(path)
        session.messages.attach(file)
        self._settle_attempt(session, file)
        _merge(session, StatedMetadata(None, None, {}, 0), stated_metadata(file.index))
        return True

    def _find_renamed_file(self, session: Session) -> bool:
        """Looks for a file that is gone under the name nanobot may have given it; else the session goes on in a new
        file."""
        former = session.messages
        session.follow(MessageLog(former.pending))
        for _ in range(_EMPTY_TRIES):
            # Some programs remove a file before they write it anew.
            if self._adopt(session):
                break
            time.sleep(_REST_SECONDS)
        else:
            session.last_consolidated = 0
        if not session.messages.continues(former):
            left = session.messages.durable
            self.losses[session.key] = LostMessages("removed" if not left else "replaced", former.known, left)
        return True

    def _note_loss(self, session: Session, before: StatedMetadata, file: SessionFile) -> None:
        now, known, left = stated_metadata(file.index), session.messages.known, file.index.count
        kind = "shortened" if left < known else "replaced"
        if now.created_at is not None and now.created_at != before.created_at:
            is_branch = branch_of(now.created_at.isoformat(), now.metadata).root == session.branch.root
            kind = "branched" if is_branch else kind if left else "begun"
        self.losses[session.key] = LostMessages(kind, known, left)
        # A pointer of ours that was not saved yet counts messages that are not there any more.
        session.last_consolidated = now.last_consolidated

    def _settle_attempt(self, session: Session, file: SessionFile) -> None:
        """Whole lines of a failed append that could not be taken back are on disk: they must not be written again."""
        attempt = self._attempts.get(file)
        if attempt is not None and not attempt.offset:
            fsync_directory(file.path.parent, calls=self._calls)
        self._attempts.pop(file, None)
        if attempt is None or file.index.end <= attempt.offset:
            return
        with suppress(StaleFile):
            stop = min(file.index.end, attempt.offset + len(attempt.data))
            found = file.read(file.index, attempt.offset, stop)
            whole = found.rpartition(b"\n")[0]
            if attempt.data.startswith(found):
                session.messages.settle(file, sum(map(_is_message, whole.split(b"\n"))))

    def _wait_until_at_rest(self, file: SessionFile) -> None:
        # nanobot rewrites in place; what is read in the middle of it is half a file.
        for number in range(_REST_TRIES):
            time.sleep(_REST_SECONDS)
            if file.refresh() is Change.NONE and (file.index.end or number >= _EMPTY_TRIES):
                return


def _merge(session: Session, before: StatedMetadata, now: StatedMetadata) -> None:
    """Follows the file where the session still says what the file said; what was changed here and not saved stays."""
    if session.last_consolidated == before.last_consolidated or session.last_consolidated > len(session.messages):
        session.last_consolidated = now.last_consolidated
    if session.metadata == before.metadata:
        session.metadata = dict(now.metadata)
    session.created_at = now.created_at or session.created_at


def _belongs_to_another(file: SessionFile, key: str) -> bool:
    return stated_key(file.index.record) not in ("", key)


def _messages_behind(file: SessionFile, offset: int, data: bytes) -> int:
    """Returns the number after the last message of `data`; others appended in the same moment."""
    index = file.index
    region = file.read(index, offset, index.end)
    after = region[max(0, region.find(data)) + len(data) :]
    return index.count - sum(map(_is_message, after.split(b"\n")))


def _is_message(line: bytes) -> bool:
    return bool(line.strip()) and not (TYPE_MARK in line and session_record(line))
