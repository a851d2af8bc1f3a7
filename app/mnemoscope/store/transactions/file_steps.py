"""The steps of a transaction that move and begin files, each done once however often it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from mnemoscope.store.files.append import fsync_file
from mnemoscope.store.files.atomic import (
    digest_of,
    encode_text,
    fsync_move,
    make_directory,
    move_file,
    read_stable,
    replace_bytes,
    storage_errors,
)
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.compare_and_swap import replace_if_unchanged
from mnemoscope.store.logs.history_append import HistoryMark, history_mark, still_begins_so
from mnemoscope.store.transactions.intent import EntryEdit, Intent, LogCut, Move, NewFile, SetFile


def planned_move(root: Path, source: Path, target: Path) -> Move:
    """Returns the step that moves a file as it is now. Raises UnreadableFile."""
    mark = history_mark(source)
    return Move(source.relative_to(root).as_posix(), target.relative_to(root).as_posix(), mark.size, mark.tail)


def planned_set(root: Path, path: Path, after: str) -> SetFile:
    """Returns the step that sets a small file, as it is now. Raises UnreadableFile."""
    with storage_errors(path, "read"):
        before = digest_of(path.read_bytes()) if path.exists() else ""
    return SetFile(path.relative_to(root).as_posix(), before, after)


def apply_files(root: Path, intent: Intent, *, calls: FileCalls = REAL_CALLS) -> None:
    """Moves and begins what the intent says. Raises StorageError; what was done stays, and is not done again."""
    for move in intent.moves:
        _move(root / move.source, root / move.target, move, calls)
    for file in intent.begins:
        _begin(root / file.path, file, calls)


def set_files(root: Path, intent: Intent, *, calls: FileCalls = REAL_CALLS) -> None:
    """Sets the small files that say how far something has come. Raises StorageError."""
    for file in intent.sets:
        path = root / file.path
        with storage_errors(path, "read"):
            present = path.read_bytes() if path.exists() else None
        after = encode_text(file.after)
        if present == after:
            fsync_file(path, calls=calls)
        elif file.before == ("" if present is None else digest_of(present)):
            make_directory(path.parent, calls=calls)
            replace_bytes(path, after, calls=calls)


def planned_cut(root: Path, path: Path, text: str) -> LogCut | None:
    """Returns the step that takes an entry, of which these are all bytes, out of a history log as it is now; None where
    it does not stand there, or more than once. Raises UnreadableFile."""
    data, piece = read_stable(path) or b"", encode_text(text)
    if not piece or data.count(piece) != 1:
        return None
    return LogCut(path.relative_to(root).as_posix(), data.index(piece), text)


def cut_logs(root: Path, intent: Intent, *, calls: FileCalls = REAL_CALLS) -> None:
    """Takes entries out of history logs, or puts them back. Raises StorageError; what was done stays, and is not done
    again."""
    for cut in intent.cuts:
        _rewrite(root / cut.path, partial(_cut, cut=cut), calls)


def _rewrite(path: Path, change: Callable[[bytes], bytes], calls: FileCalls) -> bool:
    """Has a log say what `change` makes of it, also of what another program adds meanwhile; returns whether it said
    something else. Raises StorageError."""
    before = read_stable(path) or b""
    after = change(before)
    if after == before:
        return False
    with storage_errors(path, "write"):
        replace_if_unchanged(path, after, before, lambda _expected, found, _mine: change(found), calls=calls)
    return True


def is_open_cut(root: Path, cut: LogCut) -> bool:
    """Returns whether a history log is still without what a step does to it. Raises UnreadableFile."""
    data = read_stable(root / cut.path) or b""
    return _cut(data, cut) != data


def _cut(data: bytes, cut: LogCut) -> bytes:
    piece = encode_text(cut.text)
    if not cut.is_back:
        return data.replace(piece, b"") if data.count(piece) == 1 else data
    # Where the log was changed since, the entry goes to the line on which it stood.
    at = data.rfind(b"\n", 0, cut.at) + 1
    return data if piece in data else data[:at] + piece + data[at:]


def correct_entries(root: Path, intent: Intent, *, calls: FileCalls = REAL_CALLS) -> None:
    """Gives entries of history logs and daily notes other words in their places. Raises StorageError; what was done
    stays, and is not done again."""
    for edit in intent.corrections:
        path = root / edit.path
        if not _rewrite(path, partial(_corrected, edit=edit), calls) and path.exists():
            fsync_file(path, calls=calls)


def is_open_correction(root: Path, edit: EntryEdit) -> bool:
    """Returns whether an entry still stands in its log as it was before an edit. Raises UnreadableFile."""
    data = read_stable(root / edit.path) or b""
    return _corrected(data, edit) != data


def _corrected(data: bytes, edit: EntryEdit) -> bytes:
    before, after = encode_text(edit.before), encode_text(edit.after)
    # Where one wording is the beginning of the other, the longer one tells which of them stands.
    for piece in sorted((before, after), key=len, reverse=True):
        at = _place_of(data, piece, edit.at)
        if at >= 0:
            return data[:at] + after + data[at + len(piece) :]
    return data


def _place_of(data: bytes, piece: bytes, at: int) -> int:
    """Returns where an entry stands: at this byte, or, where the log was changed since, where it alone does; -1 where
    neither is so."""
    if data.startswith(piece, at):
        return at
    found = data.find(piece)
    is_line = found == 0 or data[found - 1 : found] == b"\n"
    return found if found >= 0 and is_line and data.count(piece) == 1 else -1


def undo_files(root: Path, intent: Intent, *, calls: FileCalls = REAL_CALLS) -> None:
    """Takes back what `apply_files` did, after it failed. Raises StorageError."""
    begun = {file.path: encode_text(file.text) for file in intent.begins}
    for move in intent.moves:
        source, target = root / move.source, root / move.target
        is_ours = not source.exists() or begun.get(move.source, b"").startswith(source.read_bytes())
        if target.exists() and is_ours:
            move_file(target, source, calls=calls)


def _move(source: Path, target: Path, move: Move, calls: FileCalls) -> None:
    # Nothing was at the target when this was planned: what is there now is the file. A source that is another file by
    # now was begun anew, by us or by another program.
    if target.exists():
        fsync_move(source, target, calls=calls)
    elif source.exists() and still_begins_so(source, HistoryMark(move.size, move.tail)):
        make_directory(target.parent, calls=calls)
        move_file(source, target, calls=calls)


def _begin(path: Path, file: NewFile, calls: FileCalls) -> None:
    if path.exists() and path.stat().st_size:
        fsync_file(path, calls=calls)
    else:
        replace_bytes(path, encode_text(file.text), calls=calls)
