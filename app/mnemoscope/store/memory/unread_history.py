"""The part of history.jsonl that Dream has not read, as a text: what an assistant is sent of it, line by line.

A line goes out of an entry, or into it again, as it does in any memory file. No entry goes, and none comes.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

from mnemoscope.domain.dream.journal import JournalEntry, entry_of
from mnemoscope.domain.dream.position import DreamPosition
from mnemoscope.domain.forgetting.forgotten_text import MARK
from mnemoscope.domain.text.json_text import parsed_object
from mnemoscope.store.files.append import fsync_file
from mnemoscope.store.files.atomic import encode_text, read_stable, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.compare_and_swap import replace_if_unchanged
from mnemoscope.store.journals.journal import Journal
from mnemoscope.store.memory.memory_file import MemoryFile, MemoryMoved, MemoryText
from mnemoscope.store.workspace.paths import WorkspacePaths

_LOOKED_AT: Final = 200
"""So many of the newest entries are looked at, as for a prompt."""
_HEADING: Final = re.compile(r"## (\d+) · ")


def dream_position(paths: WorkspacePaths, journal: Journal) -> DreamPosition:
    """Returns where Dream is in the journal. What is noted beside the cursor and cannot be read counts as not there.
    Raises UnreadableFile where the journal cannot be read."""
    record: object = None
    with suppress(OSError, ValueError, RecursionError):
        record = json.loads(paths.own.dream_place.read_bytes())
    return DreamPosition.of(journal.dream_cursor().value, record)


class UnreadHistory(MemoryFile):
    """Reads and writes that part. Each entry stands under a heading with its number; an entry of which Dream has read
    some, and one whose number another one has too, are left out."""

    def __init__(self, paths: WorkspacePaths, *, calls: FileCalls = REAL_CALLS) -> None:
        super().__init__(paths.history_jsonl, calls=calls)
        self._paths = paths
        self._journal = Journal(paths, calls=calls)

    def read_bytes(self) -> bytes | None:
        """Returns the text's bytes, None where there is no journal. Raises UnreadableFile."""
        return encode_text("".join(map(_shown, self._entries()))) if self.path.exists() else None

    def write(self, text: str, *, based_on: str | None) -> MemoryText:
        """Gives each entry the lines that stand under its heading; one without any says that something was forgotten.
        Raises as MemoryFile does."""
        current = self.read()
        if based_on is not None and current.digest != based_on:
            raise MemoryMoved(self.path.name, current)
        known = {entry.cursor for entry in self._entries()}
        wanted = {number: content for number, content in _contents_in(text).items() if number in known}
        before = read_stable(self.path) or b""
        after = _with_contents(before, wanted)
        if after == before:
            fsync_file(self.path, calls=self._calls)
        else:
            with storage_errors(self.path, "write"):
                replace_if_unchanged(
                    self.path, after, before, lambda _, found, __: _with_contents(found, wanted), calls=self._calls
                )
        return self.read()

    def _entries(self) -> list[JournalEntry]:
        place = dream_position(self._paths, self._journal)
        found = list(dict.fromkeys(self._journal.newest(_LOOKED_AT)))
        times = Counter(entry.cursor for entry in found)
        return [
            entry
            for entry in found
            if place.waits(entry.cursor)
            and not place.read_of(entry.cursor)
            and times[entry.cursor] == 1
            and not any(map(_HEADING.match, entry.content.split("\n")))
        ]


def _shown(entry: JournalEntry) -> str:
    content = "" if entry.content == MARK else f"{entry.content}\n"
    return f"## {entry.cursor} · {entry.timestamp}\n{content}"


def _contents_in(text: str) -> dict[int, str]:
    """Returns what stands under each heading of a text, by its number."""
    found: dict[int, list[str]] = {}
    lines: list[str] = []
    for line in text.removesuffix("\n").split("\n"):
        if heading := _HEADING.match(line):
            lines = found[int(heading[1])] = []
        else:
            lines.append(line)
    return {number: "\n".join(rows) for number, rows in found.items()}


def _with_contents(data: bytes, wanted: Mapping[int, str]) -> bytes:
    """Returns the bytes of a journal in which the entries of these numbers have these contents."""
    return b"\n".join(_lines_with(data.split(b"\n"), wanted))


def _lines_with(lines: list[bytes], wanted: Mapping[int, str]) -> Iterator[bytes]:
    for line in lines:
        record = parsed_object(line)
        entry = entry_of(record)
        content = wanted.get(entry.cursor) if entry is not None else None
        if entry is None or content is None or (content or MARK) == (entry.content or MARK):
            yield line
        else:
            yield encode_text(json.dumps({**record, "content": content or MARK}, ensure_ascii=False))
