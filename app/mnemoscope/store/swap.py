"""Replacing a file that others write too, as compare-and-swap: no text is displaced that was not looked at.

Where the system can let two names change places in one step (Linux: renameat2), the new text goes in and what it
displaced is read afterwards: if that is not what was expected, it is merged and swapped in again. Elsewhere the file is
read once more right before the rename, which leaves a window of microseconds; nothing closes it there.
"""

from __future__ import annotations

import errno
import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import FileShared, StorageError
from mnemoscope.store.atomic import (
    TEMPORARY_SUFFIX,
    digest,
    fsync_directory,
    name_of_leftover,
    read_stable,
    real_path,
    replace_bytes,
    write_beside,
)
from mnemoscope.store.calls import REAL_CALLS, FileCalls
from mnemoscope.store.file_words import begin_sentence, known_as

Merge = Callable[[bytes | None, bytes, bytes], bytes]
"""`merge(expected, found, mine)`: what the file is to say where it did not hold what was expected."""

_TRIES: Final = 50
_QUIET_SECONDS: Final = 0.25
_PAUSE_SECONDS: Final = 0.005
_LONGEST_WAIT: Final = 2.0
_TOKEN: Final = re.compile(rf"\..+\.([0-9a-f]{{16}})-([0-9a-f]{{16}}|new)(?:-\d+)?{re.escape(TEMPORARY_SUFFIX)}")


class Unmergeable(Exception):
    """What another program wrote cannot be merged; it is kept beside the file."""


def swap_in(
    path: Path,
    data: bytes,
    expected: bytes | None,
    merge: Merge,
    *,
    calls: FileCalls = REAL_CALLS,
    separate: bool = False,
) -> bytes:
    """Put `data` in place of `expected` (None: no file); returns what the file then says.

    A symbolic link and the mode stay. Raises FileShared for a file with other names, unless `separate`: then these keep
    the old text. Raises FileNotFoundError where the file was removed meanwhile, OSError or StorageError; what was found
    in it is never gone then.
    """
    target = real_path(path)
    if not separate:
        require_single(target)
    displaced: list[Path] = []
    for number in range(_TRIES):
        token = f"{_short(data)}-{_short(expected)}{f'-{number}' * bool(number)}"
        temporary = write_beside(target, data, token=token, calls=calls)
        found, placed = _place(temporary, target, expected, calls)
        # What was displaced may go when it is merged and in place: until then it is nowhere else.
        if placed:
            displaced.append(temporary)
        else:
            _drop([temporary], calls)
        if found == expected:
            _drop(displaced, calls)
            return data
        assert found is not None
        try:
            data, expected = merge(expected, found, data), data if placed else found
        except Unmergeable:
            replace_bytes(target.with_name(f"{target.name}.{digest(found)[:8]}.kept"), found, calls=calls)
            expected = data if placed else found
            if placed:
                _drop(displaced, calls)
                return data
    name = begin_sentence(known_as(path))
    raise StorageError(f"{name} is being changed by another program without a pause.", path=str(target))


def require_single(path: Path) -> None:
    """Raise FileShared where a file has other names: replacing it would leave these behind with the old text."""
    with suppress(FileNotFoundError):
        if path.stat().st_nlink > 1:
            raise FileShared(
                f"{begin_sentence(known_as(path))} has other names on this disk (hard links).", path=str(path)
            )


def separate_file(path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
    """Give a name a file of its own; its other names keep what it says now. Raises OSError, StorageError."""
    data = read_stable(path)
    if data is not None:
        swap_in(path, data, data, lambda _, found, __: found, calls=calls, separate=True)


def is_known_leftover(path: Path) -> bool:
    """Whether a temporary file that a crash left holds nothing but our new text, or the text it was to replace.

    It does not where it was displaced and another program had written it.
    """
    token = _TOKEN.fullmatch(path.name)
    if token is None:
        return False
    new, old = token.groups()
    with suppress(OSError):
        if _short(path.read_bytes()) in (new, old):
            return True
        # Where the file still says what was to be replaced nothing was displaced: this is a piece of our own text.
        return _short(_bytes_of(path.with_name(name_of_leftover(path)))) == old
    return False


def _place(temporary: Path, target: Path, expected: bytes | None, calls: FileCalls) -> tuple[bytes | None, bool]:
    """Put the temporary file in place; what was found there, and whether the new text is in place now."""
    try:
        exchanged = expected is not None and calls.exchange(str(temporary), str(target))
        found = None if exchanged else _found_instead(temporary, target, expected, calls)
    except (OSError, StorageError):
        _drop([temporary], calls)
        raise
    # From here on an error leaves the temporary file: it holds what was displaced.
    if exchanged:
        fsync_directory(target.parent, calls=calls)
        return _displaced(temporary, expected, calls), True
    if found == expected:
        fsync_directory(target.parent, calls=calls)
    return found, found == expected


def _found_instead(temporary: Path, target: Path, expected: bytes | None, calls: FileCalls) -> bytes | None:
    """Without an exchange: look, then rename; nothing is renamed where something else was found."""
    found = read_stable(target)
    if found is None and expected is not None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(target))
    if found == expected:
        calls.replace(str(temporary), str(target))
    return found


def _displaced(path: Path, expected: bytes | None, calls: FileCalls) -> bytes:
    """What was displaced, read when nobody has it open any more: who opened it before may yet write to it."""
    deadline = time.monotonic() + _LONGEST_WAIT
    while calls.is_open_elsewhere(str(path)) and time.monotonic() < deadline:
        time.sleep(_PAUSE_SECONDS)
    data = path.read_bytes()
    if data == expected:
        return data
    while 0 <= time.time() - path.stat().st_mtime < _QUIET_SECONDS and time.monotonic() < deadline:
        time.sleep(_PAUSE_SECONDS)
    return path.read_bytes()


def _drop(temporaries: list[Path], calls: FileCalls) -> None:
    for temporary in temporaries:
        with suppress(FileNotFoundError):
            calls.unlink(str(temporary))


def _bytes_of(path: Path) -> bytes | None:
    with suppress(FileNotFoundError):
        return path.read_bytes()
    return None


def _short(data: bytes | None) -> str:
    return "new" if data is None else digest(data)[:16]
