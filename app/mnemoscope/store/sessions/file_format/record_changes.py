"""Replaces records of a session file by others in their places: all other lines stay as they are, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from mnemoscope.domain.conversation.deletion import deletion_mark
from mnemoscope.store.files.append import fsync_file
from mnemoscope.store.files.atomic import encode_text, fsync_directory, read_stable, real_path, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.compare_and_swap import replace_if_unchanged
from mnemoscope.store.files.json_record import RecordDamaged, bare, decode_object
from mnemoscope.store.sessions.file_format.record_line import DELETED_MARK, session_record
from mnemoscope.store.transactions.intent import RecordChange


def apply_changes(path: Path, changes: Sequence[RecordChange], *, calls: FileCalls = REAL_CALLS) -> bool:
    """Brings each record to what its change says, durably, and once however often it is asked for. What another program
    added meanwhile stays.

    Returns whether all of them stand: a record that another program changed is left as that program wrote it. Raises
    StorageError.
    """
    data = read_stable(path)
    if data is None:
        return False
    wanted, _ = _changed(data, changes)
    if wanted == data:
        # Visible is not yet on the disk.
        fsync_file(path, calls=calls)
        fsync_directory(real_path(path).parent, calls=calls)
    else:
        with storage_errors(path, "write"):
            wanted = replace_if_unchanged(path, wanted, data, partial(_changed_anew, changes), calls=calls)
    return _changed(wanted, changes)[1] == len(changes)


def _changed(data: bytes, changes: Sequence[RecordChange]) -> tuple[bytes, int]:
    """Returns a session file with the changes made, and how many of them stand in it then."""
    wanted, lines, standing = {change.index: change for change in changes}, data.split(b"\n"), 0
    for index, place in enumerate(_message_places(lines)):
        change = wanted.get(index)
        if change is None:
            continue
        before, after = encode_text(change.before), encode_text(change.after)
        if _is_same(lines[place], after):
            standing += 1
        elif _is_same(lines[place], before):
            lines[place] = after
            standing += 1
    return b"\n".join(lines), standing


def records_in(data: bytes) -> list[bytes]:
    """Returns the lines of the messages of a session file, by their index, without their newlines."""
    lines = data.split(b"\n")
    return [lines[place] for place in _message_places(lines)]


def records_left_by(data: bytes, deletion_id: str) -> list[tuple[int, int, str]]:
    """Returns the records that a deletion left in a session file: the index of each, its number within the deletion,
    and the text of its line."""
    found = []
    for index, line in enumerate(records_in(data)):
        with suppress(RecordDamaged):
            mark = deletion_mark(decode_object(line)) if DELETED_MARK in line else None
            if mark is not None and mark.id == deletion_id:
                found.append((index, mark.record, line.decode("utf-8")))
    return found


def _changed_anew(changes: Sequence[RecordChange], _: bytes | None, found: bytes, __: bytes) -> bytes:
    """Merges by changing what the other program wrote."""
    return _changed(found, changes)[0]


def _message_places(lines: Sequence[bytes]) -> Iterator[int]:
    return (place for place, line in enumerate(lines) if bare(line) and session_record(line) is None)


def _is_same(line: bytes, record: bytes) -> bool:
    """Returns whether a line holds a record, also where another program wrote the same JSON in its own way."""
    if line == record:
        return True
    with suppress(RecordDamaged):
        return decode_object(line) == decode_object(record)
    return False
