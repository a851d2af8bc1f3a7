"""The records of a conversation as they stand in its file, byte for byte, to be kept outside of the workspace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mnemoscope.domain.conversation.branch import FORKS
from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.store.files.atomic import storage_errors
from mnemoscope.store.sessions.file_format.record_line import encode_record
from mnemoscope.store.sessions.file_format.session_file import SessionFile, StaleFile, opened, read_at
from mnemoscope.store.sessions.metadata import metadata_record
from mnemoscope.store.sessions.session import Session

_PART: Final = 1 << 20


def all_records(session: Session) -> Iterator[bytes]:
    """Yields the file of a conversation as it is now. Raises UnreadableFile where it has none or it cannot be read."""
    file = _file_of(session)
    try:
        with opened(file.path) as (descriptor, status), storage_errors(file.path, "read"):
            for start in range(0, status.st_size, _PART):
                yield read_at(descriptor, start, min(_PART, status.st_size - start))
    except FileNotFoundError as error:
        raise _gone(file) from error


def chosen_records(session: Session, chosen: range) -> Iterator[bytes]:
    """Yields a metadata record for the chosen messages alone, then their lines as they stand in the file.

    What is yielded is a session file: its pointer counts the chosen messages that are consolidated. Raises
    UnreadableFile.
    """
    file = _file_of(session)
    index = file.index
    wanted = range(max(0, chosen.start), min(chosen.stop, index.count))
    record = metadata_record(session)
    consolidated = max(0, min(session.last_consolidated, wanted.stop) - wanted.start)
    metadata = {name: value for name, value in session.metadata.items() if name != FORKS}
    yield encode_record(
        record | {"metadata": metadata, "last_archived": consolidated, "last_consolidated": consolidated}
    )
    blocks = range(index.block_of(wanted.start), index.block_of(wanted.stop - 1) + 1) if wanted else ()
    for block in blocks:
        first = index.firsts[block]
        try:
            lines = file.block(index, block)
        except StaleFile as error:
            raise _gone(file) from error
        taken = lines[max(0, wanted.start - first) : wanted.stop - first]
        yield b"".join(line + b"\n" for line in taken)


def _file_of(session: Session) -> SessionFile:
    file = session.messages.file
    if file is None:
        raise UnreadableFile("Nothing of this conversation is on the disk yet.", next_step="")
    return file


def _gone(file: SessionFile) -> UnreadableFile:
    sentence = "The conversation was changed by another program while it was read."
    return UnreadableFile(sentence, next_step="Try again.", path=str(file.path))
