"""Reads history logs: finds where entries start in the bytes of a file, and decodes the bytes of one entry.

history.jsonl: one JSON object a line. Daily notes: a section under `## [HH:MM:SS]`.
HISTORY.md is read in `domain/memory/history_entries`.
"""

from __future__ import annotations

import re
from typing import Final, Protocol

import msgspec

from mnemoscope.domain.memory.history_entries import Add, DayOrdinals, Decoded, clean_text
from mnemoscope.domain.text.characters import BOM
from mnemoscope.store.files.json_record import mended

DAILY_NOTE: Final = re.compile(r"\d{4}-\d{2}-\d{2}\.md")
_SECTION: Final = re.compile(rb"^## ", re.MULTILINE)
_WHEN: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}))?")
_HEADING: Final = re.compile(r"##[ \t]+(?:\[?(\d{2}:\d{2})(?::\d{2})?\]?)?([^\n]*)\n?")


class LogFormat(Protocol):
    """Reads one kind of log. Offsets are those of the bytes given to `feed` plus `base`."""

    def begin(self, name: str, *, stamped: bool) -> None:
        """Starts a file, or reads it on; `stamped` says that a dated entry came before."""

    def feed(self, block: bytes, base: int, add: Add) -> list[int]:
        """Reports the entries that start in whole lines; returns where lines were skipped as unreadable."""

    def decode(self, data: bytes, name: str) -> Decoded:
        """Returns the bytes from one entry's start to the next, read."""


class JsonLinesFormat:
    """Reads history.jsonl: `{"cursor": 1, "timestamp": "2026-04-03 00:02", "content": "…"}`."""

    def __init__(self) -> None:
        self._days = DayOrdinals()

    def begin(self, name: str, *, stamped: bool) -> None:
        """Does nothing: every line says all there is to know."""

    def feed(self, block: bytes, base: int, add: Add) -> list[int]:
        """Reports the lines that hold an entry; a line without words is none, and not counted as unreadable."""
        skipped: list[int] = []
        at = len(BOM) if base == 0 and block.startswith(BOM) else 0
        while at < len(block):
            end = block.find(b"\n", at)
            end = len(block) if end < 0 else end
            line = block[at:end]
            record = _record(line)
            if record is None:
                skipped += [base + at] if line.strip(b" \t\r\0") else []
            elif record.content.strip():
                add(base + at, self._days[record.timestamp[:10].encode("utf-8", "replace")])
            at = end + 1
        return skipped

    def decode(self, data: bytes, name: str) -> Decoded:
        """Returns the first line; what follows it up to the next entry could not be read."""
        del name
        record = _record(data.partition(b"\n")[0])
        if record is None:
            return Decoded("", "")
        when = _WHEN.match(record.timestamp)
        return Decoded(_joined(when), record.content.replace("\r\n", "\n").strip(), record.cursor)


class NotesFormat:
    """Reads daily notes: the day is in the file's name."""

    def __init__(self) -> None:
        self._days = DayOrdinals()
        self._day = 0
        self._head = True

    def begin(self, name: str, *, stamped: bool) -> None:
        """Starts another day's file, or reads the same one on."""
        self._day, self._head = self._days[name[:10].encode()], not stamped

    def feed(self, block: bytes, base: int, add: Add) -> list[int]:
        """Reports sections, and what stands before the first unless it is only the title."""
        first = _SECTION.search(block)
        if self._head:
            self._report_head(block[: first.start() if first else len(block)], base, add)
        for match in _SECTION.finditer(block):
            self._head = False
            add(base + match.start(), self._day)
        return []

    def decode(self, data: bytes, name: str) -> Decoded:
        """Returns the section without its heading, which says when."""
        text = clean_text(data)
        heading = _HEADING.match(text)
        if heading is None:
            return Decoded(name[:10], _without_title(text))
        when = f"{name[:10]} {heading[1]}" if heading[1] else name[:10]
        body = text[heading.end() :].strip()
        title = "" if heading[1] else heading[2].strip()
        return Decoded(when, "\n".join(filter(None, (title, body))))

    def _report_head(self, head: bytes, base: int, add: Add) -> None:
        if _without_title(clean_text(head)):
            add(base, self._day)
            self._head = False


class _Record(msgspec.Struct):
    """Holds one line of history.jsonl, as far as it is read here."""

    cursor: int
    timestamp: str
    content: str


_RECORDS: Final = msgspec.json.Decoder(_Record)


def _decode(line: bytes) -> _Record | None:
    try:
        return _RECORDS.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _record(line: bytes) -> _Record | None:
    return _decode(line) or _decode(mended(line))


def _joined(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    return f"{match[1]} {match[2]}" if match[2] else match[1]


def _without_title(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(lines[1:]).strip() if lines[0].startswith("# ") else text.strip()
