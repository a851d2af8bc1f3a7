"""Keeps one SESSION-STATE.md for each conversation. That of the conversation in front is in the root, as Qanot has it.

The others lie beside their transcripts, as `<name>.SESSION-STATE.md`. Only lines that were captured here move with
their conversation; lines that Qanot or a person wrote stay in the root. A move overwrites nothing, and each of its
steps can be repeated after a crash.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Final

from mnemoscope.domain.capture.captured_line import is_captured_here
from mnemoscope.domain.capture.file_changes import with_state_lines
from mnemoscope.domain.capture.record import STATE_HEADER
from mnemoscope.store.files.append import append_bytes, ends_whole, truncate_file
from mnemoscope.store.files.atomic import (
    encode_text,
    make_directory,
    move_file,
    remove_file,
    replace_bytes,
    storage_errors,
)
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.memory.memory_file import MemoryFile, MemoryText
from mnemoscope.store.workspace.paths import WorkspacePaths

STATE_SUFFIX: Final = ".SESSION-STATE.md"
FRESH_STATE: Final = f"{STATE_HEADER}\n\n"
_LINE: Final = re.compile(r"- \[[\dT:.+Z-]*(?:\] ?(?P<said>.*))?")


class SessionStates:
    """Keeps the states of one workspace's conversations. Blocks on the disk; the disk thread owns it."""

    def __init__(self, paths: WorkspacePaths, stem_of: Callable[[str], str], *, calls: FileCalls = REAL_CALLS) -> None:
        """`stem_of`: the name of a conversation's transcript, without its ending."""
        self._paths = paths
        self._stem_of = stem_of
        self._calls = calls

    def read(self, session_key: str) -> MemoryText:
        """Returns the state of a conversation, wherever it stands. Raises UnreadableFile."""
        stem = self._stem_of(session_key)
        path = state_file(self._paths, session_key, stem)
        if path is None:
            return MemoryText("", "", False)
        found = MemoryFile(path, calls=self._calls).read()
        # What a crash left on its way to the root or out of it belongs to it too.
        missing = self._waiting_lines(stem, found.text) if path == self._paths.session_state else []
        return replace(found, text=with_state_lines(found.text, missing))

    def owner(self) -> str:
        """Returns the key of the conversation whose state stands in the root, "" where nothing says."""
        owner = _owner(self._paths)
        return "" if owner is None else owner[0]

    def claim(self, session_key: str) -> None:
        """Puts the state of this conversation into the root, and that of the one before beside its transcript.

        Raises StorageError; whatever was done then is gone on with the next time.
        """
        stem, owner = self._stem_of(session_key), _owner(self._paths)
        if owner is not None and owner[0] == session_key:
            self._move_to_root(stem)
            return
        if owner is not None and self._paths.session_state.exists():
            self._put_away(owner[1])
        make_directory(self._paths.own.folder, calls=self._calls)
        replace_bytes(
            self._paths.own.session_state_owner, encode_text(json.dumps([session_key, stem])), calls=self._calls
        )
        self._move_to_root(stem)

    def append(self, lines: Sequence[str]) -> None:
        """Adds lines to the state in hand, in one durable write, the first with its heading. Raises StorageError."""
        path = self._paths.session_state
        data = encode_text("".join(f"{line}\n" for line in lines))
        gap = encode_text(FRESH_STATE)
        with storage_errors(path, "read"), suppress(FileNotFoundError):
            self._cut_torn_line(path, lines)
            if path.stat().st_size:
                gap = b"" if ends_whole(path) else b"\n"
        append_bytes(path, gap + data, calls=self._calls)

    def _cut_torn_line(self, path: Path, lines: Sequence[str]) -> None:
        """Cuts half a line that a crash left at the end, if one of `lines` begins with it, whatever its time."""
        present = path.read_bytes()
        half = present[present.rfind(b"\n") + 1 :].decode("utf-8", "ignore")
        begun = _LINE.fullmatch(half)
        if begun and any(line.partition("] ")[2].startswith(begun["said"] or "") for line in lines):
            truncate_file(path, present.rfind(b"\n") + 1, calls=self._calls)

    def rewrite(self, session_key: str, text: str, based_on: str) -> None:
        """Replaces the state of a conversation that had the digest `based_on`. Raises MemoryMoved or StorageError."""
        path = state_file(self._paths, session_key, self._stem_of(session_key)) or self._paths.session_state
        MemoryFile(path, calls=self._calls).write(text, based_on=based_on)

    def _put_away(self, stem: str) -> None:
        state = MemoryFile(self._paths.session_state, calls=self._calls)
        current = state.read()
        captured, others = parted_state(current.text)
        if not others:
            self._move(self._paths.session_state, _free(self._paths.sessions_dir, stem))
        elif captured:
            # Before the root loses them. A crash in between leaves both, and they are put together by their words.
            target = _waiting(self._paths, stem)
            if target.exists() and not set(self._rows(target)) <= set(captured.split("\n")):
                target = _free(self._paths.sessions_dir, stem)
            make_directory(target.parent, calls=self._calls)
            replace_bytes(target, encode_text(captured), calls=self._calls)
            state.write(others, based_on=current.digest)

    def _move_to_root(self, stem: str) -> None:
        waiting = _waiting(self._paths, stem)
        if not waiting.exists():
            return
        if not self._paths.session_state.exists():
            self._move(waiting, self._paths.session_state)
            return
        present = MemoryFile(self._paths.session_state, calls=self._calls).read().text
        if not parted_state(present)[1]:
            return
        if missing := self._waiting_lines(stem, present):
            self.append(missing)
        remove_file(waiting, calls=self._calls)

    def _waiting_lines(self, stem: str, present: str) -> list[str]:
        """Returns the lines that wait beside a transcript and are not in the text of the root."""
        waiting, rows = _waiting(self._paths, stem), present.split("\n")
        if not waiting.exists() or not parted_state(present)[1]:
            return []
        return [row for row in self._rows(waiting) if is_captured_here(row) and row not in rows]

    def _rows(self, path: Path) -> list[str]:
        return MemoryFile(path, calls=self._calls).read().text.split("\n")

    def _move(self, source: Path, target: Path) -> None:
        make_directory(target.parent, calls=self._calls)
        move_file(source, target, calls=self._calls)


def parted_state(text: str) -> tuple[str, str]:
    """Returns a state with the lines that were captured here, and one with all others; "" for one without lines."""
    rows = text.split("\n")
    captured = "".join(f"{row}\n" for row in rows if is_captured_here(row))
    others = [row for row in rows if not is_captured_here(row)]
    is_any = any(row.strip() and row.strip() != STATE_HEADER for row in others)
    return FRESH_STATE + captured if captured else "", "\n".join(others) if is_any else ""


def state_file(paths: WorkspacePaths, session_key: str, stem: str) -> Path | None:
    """Returns where the state of a conversation stands, None where it has none.

    The one in the root is anybody's as long as nothing says whose it is, as in a workspace of Qanot's.
    """
    owner = _owner(paths)
    if paths.session_state.exists() and (owner is None or owner[0] == session_key):
        return paths.session_state
    waiting = _waiting(paths, stem)
    return waiting if waiting.exists() else None


def own_state_file(paths: WorkspacePaths, session_key: str, stem: str) -> Path | None:
    """Returns where the state of a conversation stands; None where it has none, or where that may be anybody's."""
    found = state_file(paths, session_key, stem)
    return None if found == paths.session_state and _owner(paths) is None else found


def _waiting(paths: WorkspacePaths, stem: str) -> Path:
    return paths.sessions_dir / f"{stem}{STATE_SUFFIX}"


def _owner(paths: WorkspacePaths) -> tuple[str, str] | None:
    """Returns the key and the transcript's name of the conversation whose state stands in the root; None where not
    known."""
    with suppress(OSError, ValueError, RecursionError):
        said = json.loads(paths.own.session_state_owner.read_bytes())
        if isinstance(said, list) and len(said) == 2 and all(isinstance(each, str) for each in said):
            # What stands in a file names no other folder.
            return said[0], PurePath(said[1]).name
    return None


def _free(folder: Path, stem: str) -> Path:
    names = (f"{stem}{suffix}{STATE_SUFFIX}" for suffix in ("", *(f"-{number}" for number in range(2, 10_000))))
    return next(folder / name for name in names if not (folder / name).exists())
