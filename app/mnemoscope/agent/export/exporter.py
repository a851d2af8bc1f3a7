"""Reads conversations for an export, and writes the files of one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Final
from urllib.parse import quote

from mnemoscope.agent.export.exported_conversation import ExportedConversation, ExportWords
from mnemoscope.agent.export.html_export import Render, html_parts, image_html
from mnemoscope.agent.export.markdown_export import NO_PLACES, markdown_parts
from mnemoscope.domain.conversation.attachment import Attachment, attachments_of
from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.domain.text.characters import without_format_characters
from mnemoscope.store.files.atomic import encode_text, make_directory
from mnemoscope.store.files.new_file import write_new_file
from mnemoscope.store.logs.capture_log import CaptureLog
from mnemoscope.store.sessions.archive import ClosedConversation, SessionArchive
from mnemoscope.store.sessions.attachment_store import AttachmentStore
from mnemoscope.store.sessions.exported_records import all_records, chosen_records
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths

ExportPart = str | bytes | Attachment
"""A part of an export; an image stands for what a page shows of it."""
ReadImage = Callable[[Attachment], bytes | None]
"""Returns the bytes of an image, None where they are gone."""
_HASH_SHOWN: Final = 16
_LONGEST_NAME: Final = 60
_UNSAFE: Final = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]+')


class ExportFormat(StrEnum):
    """Names the forms of an export: Markdown, a page of HTML, or the conversation's own records."""

    MARKDOWN = "md"
    HTML = "html"
    RECORDS = "json"

    @property
    def suffix(self) -> str:
        """Returns what the name of such a file ends with: records are JSON, one a line."""
        return ".jsonl" if self is ExportFormat.RECORDS else f".{self.value}"


@dataclass(frozen=True, slots=True)
class ExportSource:
    """Describes a conversation that can be exported; `closed` where /new put it into the archive."""

    key: str
    title: str
    when: datetime
    closed: ClosedConversation | None = None


class ConversationExporter:
    """Exports conversations of one workspace. Writes nothing in it. Every method blocks on the disk."""

    def __init__(self, paths: WorkspacePaths, sessions: SessionManager) -> None:
        self._sessions = sessions
        self._archive = SessionArchive(paths.archive_dir, paths.branches_dir)
        self.images = AttachmentStore(paths.attachments_dir)
        self._captures = CaptureLog(paths)

    def sources(self, *, branches: bool = False) -> list[ExportSource]:
        """Returns every conversation with a message, the one changed last first, then those /new closed. What cannot
        be read is among them: reading it says why. With `branches` the other branches of closed ones are too."""
        live = [
            ExportSource(each.key, each.title, each.created_at)
            for each in self._sessions.overviews()
            if each.count or each.problem
        ]
        kept = self._archive.with_branches() if branches else self._archive.overviews()
        return [*live, *(ExportSource(each.key, each.title, each.created_at, each) for each in kept)]

    def read(self, source: ExportSource, chosen: range | None = None) -> ExportedConversation:
        """Returns a conversation, or the messages `chosen` of it. Raises UnreadableFile."""
        session = self._session(source)
        wanted = range(len(session.messages)) if chosen is None else chosen
        captures = self._captures.of_conversation(session.key, session.branch)
        return ExportedConversation(
            session.key,
            source.title,
            session.messages[wanted.start : wanted.stop],
            wanted.start,
            session.last_consolidated,
            captures,
        )

    def records(self, source: ExportSource, chosen: range | None = None) -> Iterator[bytes]:
        """Yields the conversation's own records, byte for byte. Raises UnreadableFile."""
        session = self._session(source)
        return all_records(session) if chosen is None else chosen_records(session, chosen)

    def _session(self, source: ExportSource) -> Session:
        try:
            session = self._archive.load(source.closed) if source.closed else self._sessions.load(source.key)
        except FileNotFoundError:
            session = None
        if session is None:
            raise UnreadableFile("This conversation is not here any more.", next_step="", session=source.key)
        return session


def parts_of_export(
    conversation: ExportedConversation,
    form: ExportFormat,
    words: ExportWords,
    render: Render,
    places: Mapping[str, str] = NO_PLACES,
) -> Iterator[ExportPart]:
    """Yields the text of an export in Markdown or HTML, a message at a time. `places`: as `images_beside` returns
    them, for Markdown."""
    if form is ExportFormat.HTML:
        return html_parts(conversation, words, render)
    return markdown_parts(conversation, words, places)


def encoded_parts(parts: Iterable[ExportPart], read_image: ReadImage) -> Iterator[bytes]:
    """Yields the bytes of an export; the images of a page are read one at a time, when it is their turn."""
    for part in parts:
        if isinstance(part, Attachment):
            part = image_html(part, read_image(part))
        yield part if isinstance(part, bytes) else encode_text(part)


def no_image_bytes(attachment: Attachment) -> None:
    """Returns that there are no bytes of any image."""
    del attachment


def write_export(
    path: Path,
    parts: Iterable[ExportPart],
    read_image: ReadImage = no_image_bytes,
    *,
    replaces: bool = False,
) -> None:
    """Writes an export that only its owner may read. Raises DiskFull or StorageError, also where something is there
    already and it `replaces` nothing."""
    write_new_file(path, encoded_parts(parts, read_image), replaces=replaces)


def images_beside(
    path: Path,
    conversation: ExportedConversation,
    read_image: ReadImage,
    *,
    replaces: bool = False,
) -> dict[str, str]:
    """Writes the images of a conversation into a folder beside the file of its export, each once and by its hash;
    returns the links to them from that file. Without images no folder is made, and none beside a file that is there
    already and is not replaced. Raises DiskFull or StorageError."""
    if not replaces and path.exists():
        return {}
    folder = path.with_name(f"{path.stem} images")
    places: dict[str, str] = {}
    for each in (image for message in conversation.messages for image in attachments_of(message)):
        data = read_image(each) if each.sha256 not in places else None
        if data is None:
            continue
        if not places:
            make_directory(folder, mode=0o700)
        file = folder / f"{each.sha256[:_HASH_SHOWN]}{each.suffix}"
        if not file.exists():
            write_new_file(file, [data])
        places[each.sha256] = quote(f"{folder.name}/{file.name}")
    return places


def file_name_of(source: ExportSource, form: ExportFormat) -> str:
    """Returns a name for the file of a conversation: the day it began and its title, as far as file systems take it."""
    words = " ".join(_UNSAFE.sub(" ", without_format_characters(source.title)).split())
    title = words[:_LONGEST_NAME].strip(" .") or "Conversation"
    return f"{source.when:%Y-%m-%d} {title}{form.suffix}"


def file_names_of(sources: Sequence[ExportSource], form: ExportFormat) -> list[str]:
    """Returns a name for each of several conversations: no two are the same, whatever their letters' case."""
    taken: set[str] = set()
    names = []
    for source in sources:
        name = file_name_of(source, form)
        stem, number = name.removesuffix(form.suffix), 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem} ({number}){form.suffix}"
        taken.add(name.casefold())
        names.append(name)
    return names


def new_folder(place: Path, name: str) -> Path:
    """Makes a folder of this name in a place, or of the name with a number behind it where that is taken, for its owner
    alone. Raises StorageError."""
    folder, number = place / name, 1
    while folder.exists():
        number += 1
        folder = place / f"{name} ({number})"
    make_directory(folder, mode=0o700)
    return folder
