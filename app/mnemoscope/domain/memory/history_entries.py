"""HISTORY.md: where its entries start and what they say, and the one way an entry is written.

An entry starts at a line that begins with a bracketed date and holds every paragraph up to the next one; paragraphs
before the first such line stand alone. In an entry marked [RAW] the lines `[date] ROLE: …` belong to it. Entries that
were written without a date are told apart by their first lines, where the ledger knows them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from mnemoscope.domain.memory.file_registry import HISTORY_PATH
from mnemoscope.domain.text.characters import BOM, decoded

RAW_MARK: Final = "[RAW]"
STAMP: Final = r"(?:#{1,6}[ \t]+)?[*_]{0,3}\[(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}))?[^\]\r\n]*\][*_]{0,3}"
"""The beginning of a dated entry: its day and, where it says one, its minute. nanobot writes it without any mark;
models set it in bold or make a heading of it."""
_START: Final = re.compile(rb"^" + STAMP.encode(), re.MULTILINE)
_STAMP: Final = re.compile(STAMP + r"[ \t]*")
_ROLE: Final = re.compile(rb" ?[A-Z]+(?: \[tools: [^\]\r\n]*\])?:")
_RAW: Final = re.compile(rb" ?\[RAW\]")
_BLANK: Final = re.compile(rb"\n[ \t\r]*\n")
_BLANK_LINE: Final = re.compile(rb"[ \t\r]*\n")
_UNMARKED_LINE: Final = re.compile(rb"^(?!\[)[^\r\n]+", re.MULTILINE)
_AFTER_BLANK: Final = (b"\n\n", b"\n\r\n")
_DAYS_REMEMBERED: Final = 50_000

Add = Callable[[int, int], None]
"""Takes the offset of an entry and its day as a proleptic ordinal, 0 where it has none."""
UndatedEntries = Mapping[bytes, str]
"""The first lines of entries that were written without a date, and when that was: `YYYY-MM-DD HH:MM`."""
NONE_UNDATED: Final[UndatedEntries] = {}


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """Describes one entry of a history log. `number` counts from 0 in file order; `when` is `YYYY-MM-DD HH:MM` as
    written, or "".

    `source` is the file relative to the workspace: memory/HISTORY.md, memory/history.jsonl or memory/YYYY-MM-DD.md.
    """

    number: int
    when: str
    text: str
    source: str
    raw: bool = False
    """The entry holds unsummarised messages, marked [RAW]."""
    cursor: int | None = None
    """Its own number in history.jsonl, which may leave some out; None in the other logs."""


class Decoded(NamedTuple):
    """Holds one entry as read from its bytes."""

    when: str
    text: str
    cursor: int | None = None


class MarkdownFormat:
    """Reads HISTORY.md in blocks of whole lines. Offsets are those of the bytes given to `feed` plus `base`."""

    def __init__(self, undated: Callable[[], UndatedEntries] = lambda: NONE_UNDATED) -> None:
        """`undated`: asked for when a file is begun, or else for the first entry that is decoded; what a ledger knows
        takes reading."""
        self._stamped = self._raw = False
        self._open = True
        self._days = DayOrdinals()
        self._ask_undated = undated
        self._known_undated: UndatedEntries | None = None

    def begin(self, name: str, *, stamped: bool) -> None:
        """Starts a file, or reads it on; `stamped` says that a dated entry came before."""
        del name
        self._known_undated = self._ask_undated()
        self._stamped = stamped
        self._raw = False
        self._open = True

    def feed(self, block: bytes, base: int, add: Add) -> list[int]:
        """Reports dated entries, and before the first of them paragraphs. No line is skipped as unreadable."""
        if base == 0 and block.startswith(BOM):
            base, block = len(BOM), block[len(BOM) :]
        raw = self._raw
        for start, stop, day in self._starts(block):
            if not self._stamped:
                self._paragraphs(block[:start], base, add)
                self._stamped = True
            if stop and raw and _ROLE.match(block, stop):
                continue
            add(base + start, self._days[day])
            raw = bool(stop) and _RAW.match(block, stop) is not None
        if not self._stamped:
            self._paragraphs(block, base, add)
        self._raw = raw
        return []

    @property
    def _undated(self) -> UndatedEntries:
        if self._known_undated is None:
            self._known_undated = self._ask_undated()
        return self._known_undated

    def decode(self, data: bytes, name: str) -> Decoded:
        """Returns the whole entry as written, without the space around it."""
        del name
        text = clean_text(data)
        return Decoded(entry_time(text) or self._undated.get(text.partition("\n")[0].strip().encode(), ""), text)

    def _starts(self, block: bytes) -> Iterator[tuple[int, int, bytes]]:
        """Yields where each entry starts, where its date ends (0 where it bears none), and its day."""
        dated = ((match.start(), match.end(), match[1]) for match in _START.finditer(block))
        undated = self._undated
        return iter(sorted([*dated, *_known_starts(block, undated)])) if undated else dated

    def _paragraphs(self, block: bytes, base: int, add: Add) -> None:
        """Has every paragraph added. A block may end within one: `_open` says that the next line with words starts
        another."""
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


class DayOrdinals(dict[bytes, int]):
    """Holds `2026-03-06` as a proleptic ordinal; each day is worked out once. What is no day is 0."""

    def __missing__(self, key: bytes) -> int:
        if len(self) > _DAYS_REMEMBERED:
            self.clear()
        try:
            day = date.fromisoformat(key.decode("ascii")).toordinal()
        except ValueError:
            day = 0
        self[key] = day
        return day


class HistoryLog:
    """Holds the entries of a whole HISTORY.md, found at once and read when they are asked for."""

    def __init__(self, data: bytes, undated: UndatedEntries = NONE_UNDATED) -> None:
        self._data = data
        self._starts: list[int] = []
        self._days: list[int] = []
        self._format = MarkdownFormat(lambda: undated)
        self._format.begin(HISTORY_PATH, stamped=False)
        self._format.feed(data, 0, self._add)

    def __len__(self) -> int:
        return len(self._starts)

    def dated(self, first: int, last: int) -> Iterator[Decoded]:
        """Yields the entries of the days from `first` to `last`, proleptic ordinals, in the order of the file."""
        for place, day in enumerate(self._days):
            if day and first <= day <= last:
                yield self.entry(place)

    def entry(self, place: int) -> Decoded:
        """Returns one entry; `place` counts from 0."""
        stop = self._starts[place + 1] if place + 1 < len(self._starts) else len(self._data)
        return self._format.decode(self._data[self._starts[place] : stop], HISTORY_PATH)

    def first_lines(self) -> list[int]:
        """Returns the line on which each entry begins, counted from 0."""
        steps = (self._data.count(b"\n", start, stop) for start, stop in pairwise([0, *self._starts]))
        return list(accumulate(steps))

    def newest(self, count: int) -> list[str]:
        """Returns the words of the last so many entries, oldest first."""
        return [self.entry(place).text for place in range(max(0, len(self) - count), len(self))]

    def _add(self, start: int, day: int) -> None:
        self._starts.append(start)
        self._days.append(day)


def parse_history(data: bytes | str, undated: UndatedEntries = NONE_UNDATED) -> list[HistoryEntry]:
    """Returns the entries of a whole HISTORY.md, oldest first."""
    log = HistoryLog(data.encode("utf-8", "replace") if isinstance(data, str) else data, undated)
    read = map(log.entry, range(len(log)))
    return [
        HistoryEntry(place, each.when, each.text, HISTORY_PATH, raw=is_raw(each.text))
        for place, each in enumerate(read)
    ]


def split_entries(text: str) -> list[str]:
    """Returns the texts of the entries of a history log, oldest first."""
    return [entry.text for entry in parse_history(text)]


def entry_time(entry: str) -> str:
    """Returns `2026-03-06 14:20` (or the day alone) if an entry starts with it, else an empty text."""
    match = _STAMP.match(entry)
    if match is None:
        return ""
    return f"{match[1]} {match[2]}" if match[2] else match[1]


def stamp_length(entry: str) -> int:
    """Returns the length of the bracketed date an entry starts with, the space after it included; 0 without one."""
    match = _STAMP.match(entry)
    return match.end() if match else 0


def is_same_entry(entry: str, other: str) -> bool:
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
    return entry.startswith(RAW_MARK, stamp_length(entry))


def clean_text(data: bytes) -> str:
    """Returns bytes as text: bad ones become U+FFFD and zeros, which a power cut leaves, go; line ends are \\n, no
    space around it."""
    return decoded(data.replace(b"\0", b"")).strip()


def dated_entry(text: str, times: Sequence[str], now: datetime) -> str:
    """Returns an entry as it is written, `[YYYY-MM-DD HH:MM] words`, or "" where there are no words.

    `text` may begin with a date in any form models use. It is taken where it lies between the first and the last of
    `times`, the times of the messages as `message_time` gives them; a day alone is that of its last message. Else the
    entry bears the time of the last message, or `now` where no message has one.
    """
    hint, words = split_date(text)
    if not words:
        return ""
    times = [when for when in times if when]
    return f"[{_chosen(hint, times) or f'{now:%Y-%m-%d %H:%M}'}] {words}"


def day_in_words(day: str) -> str:
    """Returns `27 November 2026` for a day as ISO writes it, any other text as it is.

    A small model that is shown the ISO form writes dates of that form on and on."""
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return day
    return f"{found.day} {MONTH_NAMES[found.month - 1]} {found.year}"


MONTH_NAMES: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def split_date(text: str) -> tuple[str, str]:
    """Returns the date an entry begins with, `YYYY-MM-DD HH:MM` or the day alone, and the words after it.

    The date may stand in brackets, in bold, as a heading or an item of a list, or plain before a colon or a dash. What
    else stands in the brackets stays, in parentheses. A date within a sentence stays where it is: then it is "".
    """
    text = text.strip()
    match = _BRACKETED.match(text) or _PLAIN.match(text)
    day = _day(match["day"]) if match else ""
    if match is None or not day:
        return "", text
    rest = match.groupdict().get("rest") or ""
    kept = f"({rest.strip(_EDGES)}) " if _WORDS.search(_ZONE.sub("", rest)) else ""
    # Bold that began before the date and goes on after it stays bold.
    opened = "" if match["closed"] or match["late"] else match["opened"]
    clock = match["clock"] or ""
    when = f"{day} {clock.rjust(5, '0')}" if _is_clock(clock) else day
    return when, kept + opened + text[match.end() :].strip()


def message_time(stamp: object) -> str:
    """Returns the minute of a message's `timestamp`, `YYYY-MM-DD HH:MM`; "" where it states none."""
    if not isinstance(stamp, str):
        return ""
    try:
        return f"{datetime.fromisoformat(stamp):%Y-%m-%d %H:%M}"
    except ValueError:
        return ""


_CLOCK: Final = r"(?:[ \t]*[,T][ \t]*|[ \t]+)(?P<clock>\d{1,2}:\d{2})(?::\d{2}(?:[.,]\d+)?)?"
_DATE: Final = rf"(?P<day>\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}})(?:{_CLOCK})?"
_HEAD: Final = r"(?:#{1,6}[ \t]+|[-*+][ \t]+|>[ \t]*)?(?P<opened>[*_`]{0,3})"
_BRACKETED: Final = re.compile(
    _HEAD + r"[\[(【][ \t]*" + _DATE + r"(?P<rest>[^\])】\r\n]*)[\])】](?P<closed>[*_`]{0,3})"
    r"[ \t]*(?:[:–—-](?=\s|[*_`])(?P<late>[*_`]{0,3}))?\s*"
)
_PLAIN: Final = re.compile(
    _HEAD + _DATE + r"(?:Z|[ \t]*(?:UTC|GMT))?(?P<closed>[*_`]{0,3})"
    r"(?:[ \t]*[:–—-](?P<late>[*_`]{0,3})(?=\s)\s*|\r?\n\s*)"
)
_ZONE: Final = re.compile(r"\A\s*(?:Z|UTC|GMT|[+-]\d\d:?\d\d)")
_WORDS: Final = re.compile(r"[^\W\d_]{2}")
_EDGES: Final = " \t,;:|–—-"


def _chosen(hint: str, times: Sequence[str]) -> str:
    """Returns the hint where it lies within the times, else the last of them."""
    if not times:
        return hint if len(hint) > _DAY_LENGTH else ""
    if len(hint) == _DAY_LENGTH:
        return next((when for when in reversed(times) if when.startswith(hint)), times[-1])
    return hint if min(times) <= hint <= max(times) else times[-1]


_DAY_LENGTH: Final = 10


def _day(text: str) -> str:
    year, month, day = re.split(r"[-/.]", text)
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return ""


def _is_clock(text: str) -> bool:
    hour, _, minute = text.partition(":")
    return bool(text) and int(hour) < 24 and int(minute) < 60


def _known_starts(block: bytes, undated: UndatedEntries) -> Iterator[tuple[int, int, bytes]]:
    for line in _UNMARKED_LINE.finditer(block):
        when = undated.get(line[0].strip())
        if when is not None and (not line.start() or block[: line.start()].endswith(_AFTER_BLANK)):
            yield line.start(), 0, when[:_DAY_LENGTH].encode()
