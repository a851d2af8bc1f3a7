"""Replaces a file that other programs write too, as compare-and-swap: it overwrites no text that it has not read.

Where the system can exchange two names atomically (Linux: renameat2), the new file is exchanged with the old one, and
the old one is read. If it has another text than expected, or a program still has it open, the files are exchanged back
at once, the texts are merged, and the replacement is tried again. Elsewhere the file is read once more right before
the rename, which leaves a race of some microseconds.
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
from mnemoscope.store.files.atomic import (
    TEMPORARY_SUFFIX,
    digest_of,
    fsync_directory,
    name_of_leftover,
    read_stable,
    real_path,
    replace_bytes,
    storage_errors,
    write_beside,
)
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.display_names import begin_sentence, known_as

MergeBytes = Callable[[bytes | None, bytes, bytes], bytes]
"""`merge(expected, found, mine)`: what the file is to say where it did not hold what was expected."""

_TRIES: Final = 50
_QUIET_SECONDS: Final = 0.25
_PAUSE_SECONDS: Final = 0.005
_LONGEST_WAIT: Final = 2.0
_TOKEN: Final = re.compile(rf"\..+\.([0-9a-f]{{16}})-([0-9a-f]{{16}}|new)(?:-\d+)?{re.escape(TEMPORARY_SUFFIX)}")

_PLAIN: Final = re.compile(rf"\..+\.[0-9a-f]{{12}}{re.escape(TEMPORARY_SUFFIX)}")


class Unmergeable(Exception):
    """The text that another program wrote cannot be merged; it is kept beside the file."""


def replace_if_unchanged(
    path: Path,
    data: bytes,
    expected: bytes | None,
    merge: MergeBytes,
    *,
    calls: FileCalls = REAL_CALLS,
    separate: bool = False,
) -> bytes:
    """Puts `data` in place of `expected` (None: no file); returns what the file then says.

    A symbolic link and the mode stay. Raises FileShared for a file with other names, unless `separate`: then these keep
    the old text. Raises FileNotFoundError where the file was removed meanwhile, OSError or StorageError; the file then
    says what others wrote last, or that is in a temporary file beside it.
    """
    target = real_path(path)
    if not separate:
        require_single(target)
    return _Swap(target, expected, merge, calls).bring_in(data)


def require_single(path: Path) -> None:
    """Raises FileShared where a file has other names: replacing it would leave these behind with the old text."""
    with suppress(FileNotFoundError):
        if path.stat().st_nlink > 1:
            raise FileShared(
                f"{begin_sentence(known_as(path))} has other names on this disk (hard links).", path=str(path)
            )


def separate_file(path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
    """Gives a name a file of its own; its other names keep what it says now. Raises StorageError."""
    with storage_errors(path, "write"):
        data = read_stable(path)
        if data is not None:
            replace_if_unchanged(path, data, data, lambda _, found, __: found, calls=calls, separate=True)


def is_ours_alone(path: Path) -> bool:
    """Returns whether a temporary file never changes places with anything, so that it can hold nobody else's text."""
    return _PLAIN.fullmatch(path.name) is not None


def replaced_digest(path: Path) -> str:
    """Returns the beginning of the hash of what a temporary file was to replace; "" where its name does not say."""
    token = _TOKEN.fullmatch(path.name)
    return "" if token is None or token[2] == "new" else token[2]


def is_known_leftover(path: Path) -> bool:
    """Returns whether a temporary file that a crash left holds nothing but our new text, or the text it was to replace.

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


class _Swap:
    """Makes one replacement, with all its tries.

    Every text is merged from the one that was expected at first: what other programs save may be made from any text
    that was in place since, also from one of ours that was taken out again.
    """

    def __init__(self, target: Path, expected: bytes | None, merge: MergeBytes, calls: FileCalls) -> None:
        self._target = target
        self._base = expected
        self._merge = merge
        self._calls = calls
        self._expected = expected
        self._over: list[bytes] = []
        """The text that others wrote and the file may not hold any more, to be merged with the next try."""
        self._pending: list[Path] = []
        """Temporary files that hold such a text: nothing else does before the merged text is in place."""
        self._swapped_back = False

    def bring_in(self, data: bytes) -> bytes:
        """Tries until the file says `data` and all that others wrote; returns that."""
        for number in range(_TRIES):
            token = f"{_short(data)}-{_short(self._expected)}{f'-{number}' * bool(number)}"
            temporary = write_beside(self._target, data, token=token, calls=self._calls)
            if self._place(temporary, data) and self._stands(data):
                _drop(self._pending, self._calls)
                return data
            found = _required(self._target)
            for theirs in dict.fromkeys((found, *self._over)):
                data = self._merged(theirs, data)
            self._over.clear()
            self._expected = found
            time.sleep(_PAUSE_SECONDS)
        sentence = f"{begin_sentence(known_as(self._target))} is being changed by another program without a pause."
        raise StorageError(sentence, path=str(self._target))

    def _place(self, temporary: Path, data: bytes) -> bool:
        """Puts the temporary file in place if the file says what is expected; else all is as it was before."""
        try:
            if not self._as_expected():
                _drop([temporary], self._calls)
                return False
            exchanged = self._expected is not None and self._calls.exchange(str(temporary), str(self._target))
            if not exchanged and not self._renamed(temporary):
                return False
        except OSError:
            _drop([temporary], self._calls)
            raise
        # From here on an error leaves the temporary file: it holds what was displaced.
        if exchanged and not self._displaced_expected_text(temporary):
            self._swap_back(temporary, data)
            return False
        fsync_directory(self._target.parent, calls=self._calls)
        _drop([temporary], self._calls)
        return True

    def _as_expected(self) -> bool:
        return _bytes_of(self._target) == self._expected

    def _renamed(self, temporary: Path) -> bool:
        """Looks once more, then renames, where nothing can be exchanged; returns whether it did."""
        if self._as_expected():
            self._calls.replace(str(temporary), str(self._target))
            return True
        _drop([temporary], self._calls)
        return False

    def _displaced_expected_text(self, temporary: Path) -> bool:
        if self._calls.is_open_elsewhere(str(temporary)):
            return False
        displaced = temporary.read_bytes()
        if displaced == self._expected:
            return True
        # It comes back at once; but who has just read our text will save upon that, and so without what this one says.
        self._over.append(displaced)
        return False

    def _swap_back(self, temporary: Path, data: bytes) -> None:
        self._calls.exchange(str(temporary), str(self._target))
        over = _read_at_rest(temporary, data, self._calls)
        fsync_directory(self._target.parent, calls=self._calls)
        self._swapped_back = True
        if over == data:
            _drop([temporary], self._calls)
        else:
            self._over.append(over)
            self._pending.append(temporary)

    def _stands(self, data: bytes) -> bool:
        """Returns whether the file still says it. Who read a text that was taken out again may be about to save upon
        it."""
        if not self._swapped_back:
            return True
        self._swapped_back = False
        time.sleep(_QUIET_SECONDS)
        return _bytes_of(self._target) == data

    def _merged(self, theirs: bytes, mine: bytes) -> bytes:
        try:
            return self._merge(self._base, theirs, mine)
        except Unmergeable:
            kept = self._target.with_name(f"{self._target.name}.{digest_of(theirs)[:8]}.kept")
            replace_bytes(kept, theirs, calls=self._calls)
            return mine


def _required(path: Path) -> bytes:
    data = read_stable(path)
    if data is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    return data


def _read_at_rest(path: Path, mine: bytes, calls: FileCalls) -> bytes:
    """Returns what was taken out of the file's place, read when nobody is writing to it any more."""
    deadline = time.monotonic() + _LONGEST_WAIT
    while calls.is_open_elsewhere(str(path)) and time.monotonic() < deadline:
        time.sleep(_PAUSE_SECONDS)
    while (data := path.read_bytes()) != mine and time.monotonic() < deadline:
        # Where the system cannot tell who has it open: what is not ours is taken only when it rests.
        if not 0 <= time.time() - path.stat().st_mtime < _QUIET_SECONDS:
            break
        time.sleep(_PAUSE_SECONDS)
    return data


def _drop(temporaries: list[Path], calls: FileCalls) -> None:
    for temporary in temporaries:
        with suppress(FileNotFoundError):
            calls.unlink(str(temporary))


def _bytes_of(path: Path) -> bytes | None:
    with suppress(FileNotFoundError):
        return path.read_bytes()
    return None


def _short(data: bytes | None) -> str:
    return "new" if data is None else digest_of(data)[:16]
