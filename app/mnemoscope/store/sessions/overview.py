"""Reads what a list of conversations shows, without decoding them."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from mnemoscope.domain.conversation.discretion import Discretion, discretion_of
from mnemoscope.domain.conversation.message import Message, first_words, is_command, text_of
from mnemoscope.domain.conversation.text_file import file_spans_of
from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.store.files.json_record import RecordDamaged
from mnemoscope.store.sessions.file_format.record_line import decode_message
from mnemoscope.store.sessions.file_format.session_file import SessionFile, Signature, StaleFile
from mnemoscope.store.sessions.file_format.session_index import SessionIndex
from mnemoscope.store.sessions.file_format.stated_time import parse_time
from mnemoscope.store.sessions.folder import FolderEntry, SessionFolder
from mnemoscope.store.sessions.metadata import StatedMetadata, stated_metadata
from mnemoscope.store.sessions.session import Session

PINNED: Final = "pinned"
"""The field of a session's metadata that says so; nanobot keeps it as it is."""
_TITLE_LENGTH = 80


@dataclass(frozen=True, slots=True)
class SessionOverview:
    """Says what the list shows of one conversation. `title` is the one given, else the first words of the person, else
    "".

    `problem` is a sentence where the file cannot be read; the counts are then 0.
    """

    key: str
    title: str
    created_at: datetime
    updated_at: datetime
    count: int
    last_consolidated: int
    path: Path
    problem: str = ""
    discretion: Discretion = Discretion.REMEMBERED
    is_pinned: bool = False
    """The person wants it above the others."""
    is_titled: bool = False
    """`title` was given, by the person or by a program."""
    deleted: int = 0
    """The number of deleted messages among the `count` messages: each keeps its number."""
    deleted_consolidated: int = 0
    """The number of deleted messages among the first `last_consolidated`."""

    @property
    def left(self) -> int:
        """Returns how many messages are there, without those that are deleted."""
        return self.count - self.deleted

    @property
    def left_consolidated(self) -> int:
        """Returns how many of the messages that are there are consolidated."""
        return self.last_consolidated - self.deleted_consolidated


class Overviews:
    """Makes overviews and keeps each for as long as its file stays the same."""

    def __init__(self, folder: SessionFolder) -> None:
        self._folder = folder
        self._kept: dict[Path, tuple[Signature | None, SessionOverview]] = {}

    def of(self, entry: FolderEntry, *, refresh: bool = True) -> SessionOverview | None:
        """Returns the overview of one file; None where it vanished. With `refresh` False as the open session knows
        it."""
        if entry.problem:
            return _unreadable(entry, entry.problem)
        try:
            known = None if refresh else self._folder.known(entry.path)
            file = known or self._folder.file(entry.path)
        except UnreadableFile as error:
            return _unreadable(entry, error.sentence)
        except FileNotFoundError:
            return None
        return self.of_file(entry.key, file)

    def of_file(self, key: str, file: SessionFile) -> SessionOverview:
        """Returns the overview of an indexed file, kept while the file stays the same."""
        kept = self._kept.get(file.path)
        if kept is None or kept[0] != file.signature or kept[1].key != key:
            kept = self._kept[file.path] = file.signature, overview_of(key, file)
        return kept[1]


def overview_of(key: str, file: SessionFile) -> SessionOverview:
    """Returns the overview of a conversation, read from the first and last block of its file and from its metadata."""
    index = file.index
    stated = stated_metadata(index)
    first, last = _edge(file, index, last=False), _edge(file, index, last=True)
    stated_title = stated.metadata.get("title")
    given = stated_title if isinstance(stated_title, str) else ""
    is_titled = bool(given.strip())
    return SessionOverview(
        key=key,
        title=given if is_titled else _first_user_words(first),
        created_at=creation_time(file, stated, first),
        updated_at=_newest(stated, last) or _modified(file),
        count=index.count,
        last_consolidated=stated.last_consolidated,
        path=file.path,
        discretion=discretion_of(key, stated.metadata),
        is_pinned=bool(stated.metadata.get(PINNED)),
        is_titled=is_titled,
        deleted=len(index.deleted),
        deleted_consolidated=bisect_left(index.deleted, stated.last_consolidated),
    )


def overview_of_new(session: Session, place: Path) -> SessionOverview:
    """Returns the overview of a conversation that has no file yet; `place` is where it would go."""
    deleted = session.messages.deleted
    return SessionOverview(
        key=session.key,
        title=title_of(session),
        created_at=session.created_at,
        updated_at=session.updated_at,
        count=len(session.messages),
        last_consolidated=session.last_consolidated,
        path=place,
        discretion=session.discretion,
        is_pinned=bool(session.metadata.get(PINNED)),
        is_titled=bool(session.title),
        deleted=len(deleted),
        deleted_consolidated=bisect_left(deleted, session.last_consolidated),
    )


def title_of(session: Session) -> str:
    """Returns the title a person or a program gave, else the first words that were said, "" where none were."""
    return session.title or _first_user_words(list(session.messages[:50]))


def creation_time(file: SessionFile, stated: StatedMetadata, first: list[Message] | None = None) -> datetime:
    """Returns when the conversation began: stated, else its first message's time, else the file's."""
    if stated.created_at:
        return stated.created_at
    messages = _edge(file, file.index, last=False) if first is None else first
    times = (parse_time(message.get("timestamp")) for message in messages)
    return next((time for time in times if time), None) or stated.updated_at or _modified(file)


def _edge(file: SessionFile, index: SessionIndex, *, last: bool) -> list[Message]:
    block = len(index.starts) - 1 if last else 0
    if not 0 <= block < len(index.starts):
        return []
    try:
        lines = file.block(index, block)
    except StaleFile:
        return []
    # Titles and times stand within the first or the last few messages of a conversation.
    messages = []
    for line in lines[-50:] if last else lines[:50]:
        try:
            messages.append(decode_message(line))
        except RecordDamaged:
            continue
    return messages


def _first_user_words(messages: list[Message]) -> str:
    said = (message for message in messages if message.get("role") == "user" and not is_command(message))
    return next((text for text in map(_own_words, said) if text), "")


def _own_words(message: Message) -> str:
    """Returns the first words of a message of the person's; of one that holds nothing but text files their names."""
    files = file_spans_of(message)
    own = text_of(message)[: files[0].start] if files else ""
    if not files or own.strip():
        return first_words({**message, "content": own} if files else message, _TITLE_LENGTH)
    return ", ".join(each.name for each in files)[:_TITLE_LENGTH]


def _newest(stated: StatedMetadata, messages: list[Message]) -> datetime | None:
    times = [time for message in messages if (time := parse_time(message.get("timestamp")))]
    return max([*times[-1:], *([stated.updated_at] if stated.updated_at else [])], default=None)


def _modified(file: SessionFile) -> datetime:
    nanoseconds = file.signature.modified if file.signature else 0
    return datetime.fromtimestamp(nanoseconds / 1e9)


def _unreadable(entry: FolderEntry, problem: str) -> SessionOverview:
    beginning = datetime(1970, 1, 1)
    return SessionOverview(
        key=entry.key,
        title="",
        created_at=beginning,
        updated_at=beginning,
        count=0,
        last_consolidated=0,
        path=entry.path,
        problem=problem,
    )
