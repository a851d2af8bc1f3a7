"""A piece of a history log or of a note as a text: line by line it is what a model may be told of it.

Such files grow without end, so they are looked at, asked about and written in pages of so many bytes, which stay where
they are while entries are added. A line goes out of an entry, or into it again, as it does in any memory file; all
other bytes stay, whatever encoding they are in. No entry goes, and none comes.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Final

from mnemoscope.domain.dream.position import DreamPosition
from mnemoscope.domain.forgetting.forgotten_text import MARK
from mnemoscope.domain.memory.file_registry import JOURNAL_PATH, file_of_page, number_of_page
from mnemoscope.domain.memory.journal_entry import JournalEntry, entry_of
from mnemoscope.domain.merge.three_way import merge_memory
from mnemoscope.domain.text.characters import with_plain_line_ends
from mnemoscope.domain.text.json_text import parsed_object
from mnemoscope.store.files.append import fsync_file
from mnemoscope.store.files.atomic import encode_text, read_stable, replace_bytes, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.compare_and_swap import replace_if_unchanged
from mnemoscope.store.files.text_encoding import is_crlf
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.memory.memory_file import MemoryFile, MemoryMoved, MemoryText
from mnemoscope.store.workspace.paths import WorkspacePaths

PAGE_BYTES: Final = 64_000
"""A page ends with the line in which it would be longer."""
_HEADING: Final = re.compile(r"## (\d+) · ")
_LIKE_HEADING: Final = re.compile(r"^(?=\\*## \d+ · )", re.MULTILINE)
_ESCAPED: Final = re.compile(r"^\\(?=\\*## \d+ · )", re.MULTILINE)
_EntryKey = tuple[int, int]
"""The number of an entry, and which of those of this number on a page it is."""


def dream_position(paths: WorkspacePaths, journal: Journal) -> DreamPosition:
    """Returns where Dream is in the journal. What is noted beside the cursor and cannot be read counts as not there.
    Raises UnreadableFile where the journal cannot be read."""
    record: object = None
    with suppress(OSError, ValueError, RecursionError):
        record = json.loads(paths.own.dream_place.read_bytes())
    return DreamPosition.of(journal.dream_cursor().value, record)


def page_count(size: int) -> int:
    """Returns how many pages a file of so many bytes has."""
    return max(1, -(-size // PAGE_BYTES))


def page_of_bytes(data: bytes, number: int) -> slice:
    """Returns where a page is in the bytes of its file."""
    return slice(_line_start(data, number * PAGE_BYTES), _line_start(data, (number + 1) * PAGE_BYTES))


def text_of_page(path: str, raw: bytes) -> str:
    """Returns the bytes of a page, whose path is given, as a text."""
    if file_of_page(path) == JOURNAL_PATH:
        return "".join(_shown(entry) for _, entry in _entries(raw))
    return raw.decode("utf-8", "replace")


class LogPage(MemoryFile):
    """Reads and writes one page; its path names the file, and which page it is.

    Of history.jsonl each entry stands under a heading with its number.
    """

    def __init__(self, paths: WorkspacePaths, path: str, *, calls: FileCalls = REAL_CALLS) -> None:
        super().__init__(paths.file(file_of_page(path)), calls=calls)
        self._paths = paths
        self._page = path
        self._number = number_of_page(path)
        self._is_journal = file_of_page(path) == JOURNAL_PATH

    def read_bytes(self) -> bytes | None:
        """Returns the text's bytes, None where there is no file. Raises UnreadableFile."""
        raw = self._raw()
        return None if raw is None else encode_text(text_of_page(self._page, raw))

    def write(self, text: str, *, based_on: str | None) -> MemoryText:
        """Gives the page these lines; of history.jsonl each entry those that stand under its heading, and one without
        any says that something was forgotten. Raises as MemoryFile does."""
        current = self.read()
        if based_on is not None and current.digest != based_on:
            raise MemoryMoved(self.path.name, current)
        before = read_stable(self.path) or b""
        place = page_of_bytes(before, self._number)
        page = self._with_text(before[place], current.text, text)
        after = before[: place.start] + page + before[place.stop :]
        if after == before:
            fsync_file(self.path, calls=self._calls)
            return current
        if self._is_journal:
            self._let_dream_read_again(before[place], page)

        def merged(_: bytes | None, found: bytes, __: bytes) -> bytes:
            place = page_of_bytes(found, self._number)
            shown = with_plain_line_ends(text_of_page(self._page, found[place]))
            wanted = merge_memory(current.text, shown, text).text
            return found[: place.start] + self._with_text(found[place], shown, wanted) + found[place.stop :]

        with storage_errors(self.path, "write"):
            replace_if_unchanged(self.path, after, before, merged, calls=self._calls)
        return self.read()

    def logs_with(self, text: str) -> tuple[bytes, bytes]:
        """Returns all bytes of the log as they are, and with this text as the page. Raises UnreadableFile."""
        before = read_stable(self.path) or b""
        place = page_of_bytes(before, self._number)
        shown = with_plain_line_ends(text_of_page(self._page, before[place]))
        return before, before[: place.start] + self._with_text(before[place], shown, text) + before[place.stop :]

    def _raw(self) -> bytes | None:
        with storage_errors(self.path, "read"), suppress(FileNotFoundError), self.path.open("rb") as file:
            return _read_page(file.fileno(), self._number)
        return None

    def _with_text(self, raw: bytes, shown: str, wanted: str) -> bytes:
        if not self._is_journal:
            return _with_lines(raw, shown, wanted)
        contents = _contents_in(wanted)
        return b"\n".join(_lines_with(raw.split(b"\n"), contents))

    def _let_dream_read_again(self, before: bytes, after: bytes) -> None:
        """Has an entry that is changed, and of which Dream has read a part, be read from its beginning: how much of it
        was read would be told by another text. Raises StorageError."""
        place = dream_position(self._paths, Journal(self._paths, calls=self._calls))
        stood = {entry for _, entry in _entries(before)}
        changed = {entry.cursor for _, entry in _entries(after) if entry not in stood}
        parts = tuple((number, count) for number, count in place.parts if number not in changed)
        if parts != place.parts:
            record = replace(place, parts=parts).as_record()
            with storage_errors(self._paths.own.dream_place, "write"):
                replace_bytes(self._paths.own.dream_place, encode_text(json.dumps(record)), calls=self._calls)


def _read_page(descriptor: int, number: int) -> bytes:
    begin = max(0, number * PAGE_BYTES - 1)
    found = b""
    while block := os.pread(descriptor, 2 * PAGE_BYTES, begin + len(found)):
        found += block
        stop = _line_start(found, (number + 1) * PAGE_BYTES - begin)
        if stop < len(found):
            break
    stop = _line_start(found, (number + 1) * PAGE_BYTES - begin)
    return found[_line_start(found, number * PAGE_BYTES - begin) : stop]


def _line_start(data: bytes, at: int) -> int:
    """Returns where the first line begins that does not begin before a byte."""
    if at <= 0:
        return 0
    return data.find(b"\n", at - 1) + 1 or len(data)


def _entries(raw: bytes) -> Iterator[tuple[_EntryKey, JournalEntry]]:
    times: dict[int, int] = {}
    for line in raw.split(b"\n"):
        entry = entry_of(parsed_object(line))
        if entry is not None:
            times[entry.cursor] = times.get(entry.cursor, -1) + 1
            yield (entry.cursor, times[entry.cursor]), entry


def _shown(entry: JournalEntry) -> str:
    content = "" if entry.content == MARK else _LIKE_HEADING.sub(r"\\", entry.content) + "\n"
    return f"## {entry.cursor} · {entry.timestamp}\n{content}"


def _contents_in(text: str) -> dict[_EntryKey, str]:
    """Returns what stands under each heading of a text."""
    found: dict[_EntryKey, list[str]] = {}
    lines: list[str] = []
    times: dict[int, int] = {}
    for line in text.removesuffix("\n").split("\n"):
        if heading := _HEADING.match(line):
            number = int(heading[1])
            times[number] = times.get(number, -1) + 1
            lines = found[number, times[number]] = []
        else:
            lines.append(line)
    return {key: _ESCAPED.sub("", "\n".join(rows)) for key, rows in found.items()}


def _lines_with(lines: list[bytes], wanted: Mapping[_EntryKey, str]) -> Iterator[bytes]:
    times: dict[int, int] = {}
    for line in lines:
        record = parsed_object(line)
        entry = entry_of(record)
        if entry is None:
            yield line
            continue
        times[entry.cursor] = times.get(entry.cursor, -1) + 1
        content = wanted.get((entry.cursor, times[entry.cursor]))
        if content is None or (content or MARK) == (entry.content or MARK):
            yield line
        else:
            yield encode_text(json.dumps({**record, "content": content or MARK}, ensure_ascii=False))


def _with_lines(raw: bytes, shown: str, wanted: str) -> bytes:
    """Returns bytes, which are `shown` as a text, with the lines of another text; lines that both have keep theirs."""
    rows, before, after = raw.split(b"\n"), shown.split("\n"), wanted.split("\n")
    end = b"\r" if is_crlf(raw) else b""
    found: list[bytes] = []
    for kind, begin, stop, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            found += rows[begin:stop]
        else:
            found += (encode_text(line) + end for line in after[first:last])
    return b"\n".join(found)
