"""Puts a fact into a memory file of another agent, and takes it out again, as compare-and-swap.

The file is written only where it still says what the person looked at, whole or not at all, with its mode, its byte
order mark and its line ends. No symbolic link below the store's root is followed. Where the agent writes behind a lock
of its own, that lock is held meanwhile. A crash leaves the former text or the new one, and at most a hidden file beside
it, which the next copy to this file removes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import chain, count
from pathlib import Path, PurePosixPath
from typing import Final

from mnemoscope.domain.copying.fact_target import FactCopy, FactForm, FactTarget
from mnemoscope.domain.copying.fact_text import codex_note_name, plain_fact, states, with_fact
from mnemoscope.domain.errors import FileShared, StorageError
from mnemoscope.domain.text.characters import BOM, decoded
from mnemoscope.store.files.atomic import (
    TEMPORARY_SUFFIX,
    make_directory,
    remove_file,
    see_stable,
    storage_errors,
)
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.compare_and_swap import (
    Unmergeable,
    is_known_leftover,
    replace_if_unchanged,
    require_single,
)
from mnemoscope.store.files.file_lock import try_lock
from mnemoscope.store.files.new_file import write_new_file
from mnemoscope.store.files.text_encoding import in_style, is_crlf

_MOST_BYTES: Final = 8 << 20
_PATIENCE: Final = 2.0
_PAUSE: Final = 0.02


class FactFiles:
    """Writes to the memory files of other agents. It may wait for another program's lock: not on the loop."""

    def __init__(
        self,
        calls: FileCalls = REAL_CALLS,
        *,
        now: Callable[[], datetime] = datetime.now,
        patience: float = _PATIENCE,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """`patience` is how many seconds another program's lock is waited for; `pause` waits between two tries."""
        self._calls, self._now = calls, now
        self._patience, self._pause = patience, pause

    def look(self, target: FactTarget, fact: str) -> FactCopy:
        """Returns what a copy would change. Raises StorageError where the file cannot be read or may not be written."""
        fact = plain_fact(fact)
        if not fact:
            raise StorageError("There are no words to copy.", next_step="Choose another line.")
        path = self._note_path(target, fact) if target.form is FactForm.NOTE else target.path
        before = _bytes_of(_place_of(target, path))
        if before is None and target.form is not FactForm.NOTE:
            raise StorageError(f"{path} is not there any more.", next_step="")
        text = _text_of(before, path) if before is not None else ""
        is_held = states(text, fact, target.form)
        after = text if is_held else with_fact(text, fact, target.form)
        data = before if is_held and before is not None else in_style(after, before)
        return FactCopy(target, path, fact, before, data, text, after, is_held=is_held)

    def _note_path(self, target: FactTarget, fact: str) -> str:
        """Returns the path of a note that is not there, or that says the same."""
        name = codex_note_name(fact, self._now())
        note = with_fact("", fact, target.form).encode("utf-8", "replace")
        names = chain([name], (f"{name.removesuffix('.md')}-{number}.md" for number in count(2)))
        paths = (f"{target.path}/{each}" for each in names)
        return next(path for path in paths if _bytes_of(_place_of(target, path)) in (None, note))

    def write(self, copy: FactCopy) -> None:
        """Puts the text in place. Raises StorageError; the file then says what it said."""
        if copy.is_held or copy.is_refused:
            raise StorageError("This may not be written there.", next_step="")
        self._replace(copy, copy.before, copy.after)

    def undo(self, copy: FactCopy) -> None:
        """Puts the former text back, and removes a file that was not there. Raises StorageError where the file does not
        say what was written."""
        self._replace(copy, copy.after, copy.before)

    def _replace(self, copy: FactCopy, expected: bytes | None, wanted: bytes | None) -> None:
        place = _place_of(copy.target, copy.path)
        with self._lock(copy.target, place):
            if _bytes_of(place) != expected:
                raise _changed(copy)
            if expected is None:
                make_directory(place.parent, calls=self._calls)
                write_new_file(place, [wanted or b""], calls=self._calls)
            elif wanted is None:
                remove_file(place, calls=self._calls)
            else:
                self._swap(copy, place, expected, wanted)

    def _swap(self, copy: FactCopy, place: Path, expected: bytes, wanted: bytes) -> None:
        def theirs(before: bytes | None, found: bytes, mine: bytes) -> bytes:
            # What another program wrote meanwhile stays as it is; a second such text is kept beside the file.
            if mine != wanted:
                raise Unmergeable
            # One that only has the file open, as a backup has, wrote nothing.
            return mine if found == before else found

        try:
            with storage_errors(place, "write"):
                require_single(place)
                self._sweep(place)
                done = replace_if_unchanged(place, wanted, expected, theirs, calls=self._calls)
        except FileShared as error:
            raise StorageError(error.sentence, next_step="Nothing was written.") from error
        if done != wanted:
            raise _changed(copy)

    def _sweep(self, place: Path) -> None:
        """Removes what a crash left beside the file, if it holds nothing but our text or the one it replaced."""
        for left in place.parent.glob(f".*{TEMPORARY_SUFFIX}"):
            if left.name.startswith(f".{place.name}.") and not left.is_symlink() and is_known_leftover(left):
                with suppress(FileNotFoundError):
                    self._calls.unlink(str(left))

    @contextmanager
    def _lock(self, target: FactTarget, place: Path) -> Iterator[None]:
        if not target.locks:
            yield
            return
        path = place.with_name(f"{place.name}.lock")
        with storage_errors(path, "write"):
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
        try:
            deadline = time.monotonic() + self._patience
            while not try_lock(descriptor):
                if time.monotonic() >= deadline:
                    sentence = f"{target.title} is writing its memory at this moment."
                    raise StorageError(sentence, next_step="Nothing was written. Try again when it is done.")
                self._pause(_PAUSE)
            yield
        finally:
            os.close(descriptor)


def _changed(copy: FactCopy) -> StorageError:
    name = PurePosixPath(copy.path).name
    return StorageError(f"{name} was changed meanwhile.", next_step="Nothing was written. Look at it once more.")


def _place_of(target: FactTarget, path: str) -> Path:
    """Returns where a file of a store lies. Raises StorageError for a way out of it, and for one through a link."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\0" in path:
        raise StorageError(f"{path} lies outside of the store.", next_step="Nothing was written.")
    with storage_errors(target.root, "read"):
        place = Path(os.path.realpath(target.root, strict=True))
        for part in parts:
            place /= part
            if place.is_symlink():
                raise StorageError(f"{part} is a symbolic link; it is not written through.", next_step="")
    return place


def _bytes_of(place: Path) -> bytes | None:
    seen = see_stable(place, _MOST_BYTES + 1)
    if seen is not None and len(seen.data) > _MOST_BYTES:
        raise StorageError(f"{place.name} is longer than 8 MB.", next_step="Nothing was written.")
    return None if seen is None else seen.data


def _text_of(data: bytes, path: str) -> str:
    """Returns the text of a file as it is worked on: without a byte order mark; CRLF stands for a line end where every
    line has it. Raises StorageError where it would not be the same when it is written again."""
    text = decoded(data) if is_crlf(data) else data.removeprefix(BOM).decode("utf-8", "replace")
    if in_style(text, data) != data:
        raise StorageError(f"{PurePosixPath(path).name} is no UTF-8.", next_step="Nothing was written.")
    return text
