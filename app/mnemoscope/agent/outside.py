"""Changes other programs made to the workspace, found by looking: size and time first, content where these differ."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.store.workspace import WorkspacePaths


@dataclass(frozen=True, slots=True)
class Mark:
    """What tells one state of a file from another without reading it."""

    inode: int
    size: int
    mtime: int

    @classmethod
    def of(cls, path: Path) -> Mark | None:
        """The file's state now, None where there is none."""
        try:
            status = path.stat()
        except OSError:
            return None
        return cls(status.st_ino, status.st_size, status.st_mtime_ns)


@dataclass(frozen=True, slots=True)
class Seen:
    """One look at the workspace."""

    memory: Mark | None
    history: tuple[Mark | None, Mark | None]
    sessions: dict[str, Mark]


@dataclass(frozen=True, slots=True)
class Differences:
    """What is not as it was. `sessions`: file names that changed; `list_changed`: files came or went."""

    memory: bool = False
    history: bool = False
    sessions: tuple[str, ...] = ()
    list_changed: bool = False


class OutsideChanges:
    """Remembers the last look."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self.paths = paths
        self._last: Seen | None = None

    def look(self) -> Differences:
        """What changed since the last look, by whomever; nothing at the first."""
        now = self._seen()
        before, self._last = self._last, now
        if before is None:
            return Differences()
        changed = tuple(name for name, mark in now.sessions.items() if before.sessions.get(name, mark) != mark)
        return Differences(
            memory=now.memory != before.memory,
            history=now.history != before.history,
            sessions=changed,
            list_changed=now.sessions.keys() != before.sessions.keys(),
        )

    def _seen(self) -> Seen:
        paths = self.paths
        history = (Mark.of(paths.history_file), Mark.of(paths.history_jsonl))
        return Seen(Mark.of(paths.memory_file), history, _marks_in(paths.sessions_dir))


def _marks_in(folder: Path) -> dict[str, Mark]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(".jsonl") and entry.is_file()]
    except OSError:
        return {}
    marks = ((name, Mark.of(folder / name)) for name in names)
    return {name: mark for name, mark in marks if mark is not None}
