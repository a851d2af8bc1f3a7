"""Every change of MEMORY.md, one JSON line each in .mnemoscope/memory-changes.jsonl, and with it what was deleted.

Append-only and bounded: once it has twice the lines that are kept, the newest are written anew behind one line that
holds what the older ones say of deletions. A line that cannot be read costs itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.memory.change import MemoryChange, MemoryOrigin
from mnemoscope.domain.text.json_text import parsed_object
from mnemoscope.store.files.append import append_lines
from mnemoscope.store.files.atomic import encode_text, make_directory, replace_bytes, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls

KEPT: Final = 500
MOST_DELETIONS: Final = 10_000
_MARK: Final = 16


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """Describes a change, with the marks of the facts it deleted for good and of those it brought back."""

    change: MemoryChange
    deleted: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()


class ChangeLog:
    """Holds the file, read once and then known. Blocks on the disk; the disk thread owns it."""

    def __init__(self, path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self.path = path
        self._calls = calls
        self._lines: list[LoggedChange] | None = None
        self._earlier: dict[str, str] = {}
        self._deleted: dict[str, str] = {}

    def reread(self) -> None:
        """Reads the file afresh when it is asked about the next time, as it was written without words."""
        self._lines = None

    def lines(self) -> list[LoggedChange]:
        """Returns all changes that are kept, oldest first. Raises UnreadableFile."""
        if self._lines is None:
            self._read()
        return list(self._lines or ())

    def deleted(self) -> Mapping[str, str]:
        """Returns the marks of what the person deleted and nobody brought back, with the time. Raises
        UnreadableFile."""
        self.lines()
        return self._deleted

    def last_digest(self) -> str | None:
        """Returns the digest of what the newest change left; None where there is none. Raises UnreadableFile."""
        lines = self.lines()
        return lines[-1].change.after if lines else None

    def holds(self, change_id: str) -> bool:
        """Returns whether a change is in it. Raises UnreadableFile."""
        return any(line.change.id == change_id for line in self.lines())

    def add(self, line: LoggedChange) -> None:
        """Adds a change, durably. Raises DiskFull or StorageError; nothing is known of it then."""
        lines = self.lines()
        make_directory(self.path.parent, calls=self._calls)
        data = _encoded(_document(line))
        append_lines(self.path, data, calls=self._calls)
        self._lines = [*lines, line]
        _apply(line, self._deleted)
        if len(self._lines) >= 2 * KEPT:
            self._shorten()

    def _read(self) -> None:
        data = b""
        with storage_errors(self.path, "read"), suppress(FileNotFoundError):
            data = self.path.read_bytes()
        lines: list[LoggedChange] = []
        self._earlier = {}
        for raw in data.split(b"\n"):
            document = parsed_object(raw)
            self._earlier.update(_snapshot(document))
            if (line := _line(document)) is not None:
                lines.append(line)
        self._lines = lines
        self._deleted = _fold(self._earlier, lines)

    def _shorten(self) -> None:
        lines = self._lines or []
        gone, kept = lines[:-KEPT], lines[-KEPT:]
        earlier = _fold(self._earlier, gone)
        documents = [{"deletions": [[mark, when] for mark, when in earlier.items()]}, *map(_document, kept)]
        replace_bytes(self.path, b"".join(map(_encoded, documents)), calls=self._calls)
        self._earlier, self._lines = earlier, kept


def _fold(earlier: Mapping[str, str], lines: Iterable[LoggedChange]) -> dict[str, str]:
    found = dict(earlier)
    for line in lines:
        _apply(line, found)
    return found


def _apply(line: LoggedChange, deleted: dict[str, str]) -> None:
    for mark in line.restored:
        deleted.pop(mark, None)
    for mark in line.deleted:
        deleted.pop(mark, None)
        deleted[mark] = line.change.when
    for mark in list(deleted)[: max(0, len(deleted) - MOST_DELETIONS)]:
        del deleted[mark]


def _document(line: LoggedChange) -> dict[str, Any]:
    return {**asdict(line.change), "deleted": line.deleted, "restored": line.restored}


def _encoded(document: Mapping[str, Any]) -> bytes:
    return encode_text(json.dumps(document, ensure_ascii=False) + "\n")


def _snapshot(document: Mapping[str, Any]) -> dict[str, str]:
    pairs = document.get("deletions")
    if not isinstance(pairs, list):
        return {}
    whole = (pair for pair in pairs if isinstance(pair, list) and len(pair) == 2)
    return {mark: when for mark, when in whole if _is_mark(mark) and isinstance(when, str)}


def _line(document: Mapping[str, Any]) -> LoggedChange | None:
    origin = read_origin(document.get("origin"))
    texts = {name: document.get(name) for name in ("id", "when", "before", "after", "entry")}
    if origin is None or not all(isinstance(text, str) for text in texts.values()):
        return None
    lists = {name: _texts(document.get(name)) for name in ("added", "removed")}
    counts = {name: _count(document.get(name)) for name in ("count_added", "count_removed")}
    change = MemoryChange(origin=origin, **texts, **lists, **counts)  # type: ignore[arg-type]  # checked just above
    deleted, restored = (_texts(document.get(name)) for name in ("deleted", "restored"))
    return LoggedChange(change, tuple(filter(_is_mark, deleted)), tuple(filter(_is_mark, restored)))


def read_origin(document: object) -> MemoryOrigin | None:
    """Returns the origin a JSON object tells, None where it tells none."""
    if not isinstance(document, dict):
        return None
    texts = {name: document.get(name, "") for name in ("kind", "when", "session_key", "detail")}
    numbers = {name: document.get(name, 0) for name in ("start", "stop")}
    if not all(isinstance(text, str) for text in texts.values()):
        return None
    if not all(type(number) is int for number in numbers.values()):
        return None
    return MemoryOrigin(**texts, **numbers)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _count(value: object) -> int:
    return value if type(value) is int and value >= 0 else 0


def _is_mark(value: object) -> bool:
    return isinstance(value, str) and len(value) == _MARK
