"""Reading history logs: where entries start in the bytes of a file, and what the bytes of one entry say.

HISTORY.md: an entry starts at a line that begins with a bracketed date and holds every paragraph up to the next one;
paragraphs before the first such line stand alone. In an entry marked [RAW] the lines `[date] ROLE: …` belong to it.
history.jsonl: one JSON object a line. Daily notes: a section under `## [HH:MM:SS]`. Nothing is ever rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from itertools import pairwise
from typing import Final, NamedTuple, Protocol

import msgspec

from mnemoscope.domain.memory.records import HistoryEntry
from mnemoscope.domain.text.characters import decoded

BOM: Final = b"\xef\xbb\xbf"
HISTORY_SOURCE: Final = "memory/HISTORY.md"
DAILY_NOTE: Final = re.compile(r"\d{4}-\d{2}-\d{2}\.md")
_START: Final = re.compile(rb"^\[(\d{4}-\d{2}-\d{2})[^\]\r\n]*\]", re.MULTILINE)
_ROLE: Final = re.compile(rb" ?[A-Z]+(?: \[tools: [^\]\r\n]*\])?:")
_RAW: Final = re.compile(rb" ?\[RAW\]")
_BLANK: Final = re.compile(rb"\n[ \t\r]*\n")
_BLANK_LINE: Final = re.compile(rb"[ \t\r]*\n")
_SECTION: Final = re.compile(rb"^## ", re.MULTILINE)
_STAMP: Final = re.compile(r"\[(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}))?[^\]\r\n]*\][ \t]*")
_WHEN: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}))?")
_HEADING: Final = re.compile(r"##[ \t]+(?:\[?(\d{2}:\d{2})(?::\d{2})?\]?)?([^\n]*)\n?")
_DAYS_REMEMBERED: Final = 50_000

Add = Callable[[int, int], None]
"""Takes the offset of an entry and its day as a proleptic ordinal, 0 where it has none."""


class Decoded(NamedTuple):
    """Holds one entry as read from its bytes."""

    when: str
    text: str
    cursor: int | None = None


class LogFormat(Protocol):
    """Reads one kind of log. Offsets are those of the bytes given to `feed` plus `base`."""

    def begin(self, name: str, *, stamped: bool) -> None:
        """Starts a file, or reads it on; `stamped` says that a dated entry came before."""

    def feed(self, block: bytes, base: int, add: Add) -> list[int]:
        """Report the entries that start in whole lines; returns where lines were skipped as unreadable."""

    def decode(self, data: bytes, name: str) -> Decoded:
        """Returns the bytes from one entry's start to the next, read."""


class MarkdownFormat:
    """HISTORY.md."""

    def __init__(self) -> None:
        self._stamped = self._raw = False
        self._open = True
        self._days = _Days()

    def begin(self, name: str, *, stamped: bool) -> None:
        """Starts a file, or reads it on."""
        del name
        self._stamped = stamped
        self._raw = False
        self._open = True

    def feed(self, block: bytes, base: int, add: Add) -> list[int]:
        """Report dated entries, and before the first of them paragraphs."""
        if base == 0 and block.startswith(BOM):
            base, block = len(BOM), block[len(BOM) :]
        begin = 0
        if not self._stamped:
            first = _START.search(block)
            self._paragraphs(block[: first.start()] if first else block, base, add)
            if first is None:
                return []
            begin = first.start()
        days, raw = self._days, self._raw
        for match in _START.finditer(block, begin):
            stop = match.end()
            if raw and _ROLE.match(block, stop):
                continue
            add(base + match.start(), days[match[1]])
            raw = _RAW.match(block, stop) is not None
        self._stamped, self._raw = True, raw
        return []

    def decode(self, data: bytes, name: str) -> Decoded:
        """Returns the whole entry as written, without the space around it."""
        del name
        text = clean_text(data)
        return Decoded(entry_time(text), text)

    def _paragraphs(self, block: bytes, base: int, add: Add) -> None:
        """`_open`: the next line with words starts a paragraph; a block may end within one."""
        at = 0
        self._open = self._open or _BLANK_LINE.match(block) is not None
        for gap in _BLANK.finditer(block):
            self._paragraph(block[at : gap.start()], base + at, add)
            self._open, at = True, gap.end()
        self._paragraph(block[at:], base + at, add)

    def _paragraph(self, part: bytes, base: int, add: Add) -> None:
        words = part.lstrip()
        if words and self._open:
            add(base + len(part) - len(words), 0)
            self._open = False


class JsonLinesFormat:
    """history.jsonl: `{"cursor": 1, "timestamp": "2026-04-03 00:02", "content": "…"}`."""

    def __init__(self) -> None:
        self._days = _Days()

    def begin(self, name: str, *, stamped: bool) -> None:
        """Does nothing: every line says all there is to know."""

    def feed(self, block: bytes, base: int, add: Add) -> list[int]:
        """Report the lines that hold an entry; a line without words is none, and not counted as unreadable."""
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
    """Daily notes: the day is in the file's name."""

    def __init__(self) -> None:
        self._days = _Days()
        self._day = 0
        self._head = True

    def begin(self, name: str, *, stamped: bool) -> None:
        """Starts another day's file, or reads the same one on."""
        self._day, self._head = self._days[name[:10].encode()], not stamped

    def feed(self, block: bytes, base: int, add: Add) -> list[int]:
        """Report sections, and what stands before the first unless it is only the title."""
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


def parse_history(data: bytes | str, source: str = HISTORY_SOURCE) -> list[HistoryEntry]:
    """Returns the entries of a whole HISTORY.md, oldest first."""
    if isinstance(data, str):
        data = data.encode("utf-8", "replace")
    starts: list[int] = []
    form = MarkdownFormat()
    form.begin(source, stamped=False)
    form.feed(data, 0, lambda start, _day: starts.append(start))
    texts = (clean_text(data[begin:end]) for begin, end in pairwise([*starts, len(data)]))
    return [HistoryEntry(number, entry_time(text), text, source, raw=is_raw(text)) for number, text in enumerate(texts)]


def split_entries(text: str) -> list[str]:
    """Returns the texts of the entries of a history log, oldest first."""
    return [entry.text for entry in parse_history(text)]


def entry_time(entry: str) -> str:
    """Returns `2026-03-06 14:20` (or the day alone) if an entry starts with it, else an empty text."""
    return _joined(_STAMP.match(entry))


def stamp_length(entry: str) -> int:
    """Returns the length of the bracketed date an entry starts with, the space after it included; 0 without one."""
    match = _STAMP.match(entry)
    return match.end() if match else 0


def is_retold(entry: str, other: str) -> bool:
    """Returns whether two entries are one that went from HISTORY.md to history.jsonl or back: only one bears its date,
    and the words are the same but for the white space between them."""
    if bool(stamp_length(entry)) == bool(stamp_length(other)):
        return False
    return bare_words(entry) == bare_words(other)


def bare_words(entry: str) -> str:
    """Returns an entry's words without the date before them, one space between any two."""
    return " ".join(entry[stamp_length(entry) :].split())


def is_raw(entry: str) -> bool:
    """Returns whether an entry holds messages that were never summarised."""
    return entry.startswith("[RAW]", stamp_length(entry))


def clean_text(data: bytes) -> str:
    """Returns bytes as text: bad ones become U+FFFD, line ends are \\n, no space around it."""
    return decoded(data).strip()


class _Record(msgspec.Struct):
    """One line of history.jsonl, as far as it is read here."""

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
    # A bad byte costs that byte, not the line.
    return _decode(line) or _decode(line.decode("utf-8", "replace").strip("\ufeff \t\r\0").encode())


class _Days(dict[bytes, int]):
    """`2026-03-06` as a proleptic ordinal; each day is worked out once."""

    def __missing__(self, key: bytes) -> int:
        if len(self) > _DAYS_REMEMBERED:
            self.clear()
        try:
            day = date.fromisoformat(key.decode("ascii")).toordinal()
        except ValueError:
            day = 0
        self[key] = day
        return day


def _joined(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    return f"{match[1]} {match[2]}" if match[2] else match[1]


def _without_title(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(lines[1:]).strip() if lines[0].startswith("# ") else text.strip()
