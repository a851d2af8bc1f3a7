"""Cuts the files that are searched into passages: a line of memory or notes, an entry of a log, a message.

A file is read in blocks from a `ReadPosition` on; what may still grow (an unfinished line, the last entry of
HISTORY.md) is read again when more has come.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from mnemoscope.domain.conversation.message import SEARCH_TOOL, SPOKEN_ROLES, is_command, text_of
from mnemoscope.domain.memory.history_entries import NONE_UNDATED, MarkdownFormat, UndatedEntries, clean_text
from mnemoscope.domain.text.characters import BOM, QUESTION_MARKS
from mnemoscope.store.files.json_record import RecordDamaged, bare
from mnemoscope.store.logs.history_log import DAILY_NOTE, JsonLinesFormat
from mnemoscope.store.search.search_sources import SearchKind
from mnemoscope.store.sessions.file_format.names import SUFFIX
from mnemoscope.store.sessions.file_format.record_line import decode_message, session_record
from mnemoscope.store.sessions.metadata import stated_key

PART: Final = 1_500
"""Characters of one passage; what is longer is several, cut at a line's or a sentence's end."""
_BESIDE: Final = 160
"""Characters kept of what stands beside a passage."""
"""Its results only repeat what stands elsewhere."""
_ASKS: Final = re.compile(f"[{QUESTION_MARKS}]")
_CUTS: Final = (re.compile(r"\n|(?<=[.!?])\s+|(?<=[。！？])"), re.compile(r"\s+"))
"""The places at which a long text is cut, the better ones first."""
_HEADING: Final = re.compile(r"#{1,6}[ \t]+(.*)")
_CLOCK: Final = re.compile(r"\[?(\d{2}:\d{2})")


@dataclass(frozen=True, slots=True)
class Passage:
    """Describes one passage: where it starts in the file (byte, line from 1, message from 0 or -1), who said it when,
    its words, and words that stand beside it: the message before, or the heading above."""

    start: int
    line: int
    text: str
    message_index: int = -1
    role: str = ""
    when: str = ""
    beside: str = ""


@dataclass(frozen=True, slots=True)
class ReadPosition:
    """Says how far a file was read: byte, lines and messages before it; the words before it; the session's key."""

    offset: int = 0
    line: int = 0
    message_index: int = 0
    beside: str = ""
    key: str = ""


class PassageReader(Protocol):
    """Cuts one kind of file into passages."""

    whole: bool
    """Whether the file is always read from its beginning: it is edited, and not long."""

    def read(self, data: bytes, place: ReadPosition, *, last: bool) -> tuple[list[Passage], ReadPosition]:
        """Returns the pieces in `data`, which starts at `place`, and the place up to which appending changes nothing.

        `last`: the data reaches to the end of the file, so what is not finished is given too.
        """


def reader_for(
    kind: SearchKind, name: str, undated: Callable[[], UndatedEntries] = lambda: NONE_UNDATED, *, first: int = 0
) -> PassageReader:
    """Returns how a file is cut, by its kind and its name. `undated`: what the ledger knows of HISTORY.md. `first`: the
    first message of a session file that is wanted."""
    if kind in (SearchKind.SESSION, SearchKind.ARCHIVE, SearchKind.BRANCH) and name.endswith(SUFFIX):
        return SessionMessages(first)
    if kind is SearchKind.HISTORY:
        return HistoryLines() if name.endswith(SUFFIX) else HistoryEntries(undated)
    file = name.rpartition("/")[2]
    return MarkdownLines(file[:10] if DAILY_NOTE.fullmatch(file) else "")


class MarkdownLines:
    """Reads Markdown: each line is a passage, with its heading beside it. `day` is that of a daily note, whose headings
    are times."""

    whole = True

    def __init__(self, day: str = "") -> None:
        self._day = day

    def read(self, data: bytes, place: ReadPosition, *, last: bool) -> tuple[list[Passage], ReadPosition]:
        """Returns all lines with words."""
        del last
        pieces: list[Passage] = []
        heading, when, before = "", self._day, ""
        offset = place.offset
        for number, raw in enumerate(data.split(b"\n"), place.line + 1):
            text = clean_text(raw)
            if found := _HEADING.fullmatch(text):
                heading = found[1].strip()
                clock = _CLOCK.match(heading) if self._day else None
                when, heading = (f"{self._day} {clock[1]}", "") if clock else (self._day, heading)
                # What was said a moment before is what is answered, however many headings stand between.
                before = before if clock else ""
            elif text:
                beside = f"{heading} {before}".strip()[:_BESIDE]
                pieces += _parts(Passage(offset, number, text, when=when, beside=beside))
                before = text[:_BESIDE] if self._day else ""
            offset += len(raw) + 1
        return pieces, ReadPosition(place.offset + len(data))


class HistoryEntries:
    """Reads HISTORY.md: an entry with all its paragraphs is a passage."""

    whole = False

    def __init__(self, undated: Callable[[], UndatedEntries] = lambda: NONE_UNDATED) -> None:
        self._undated = undated

    def read(self, data: bytes, place: ReadPosition, *, last: bool) -> tuple[list[Passage], ReadPosition]:
        """Returns all entries; the last one may still grow, so the place is where it starts."""
        form = MarkdownFormat(self._undated)
        form.begin("", stamped=False)
        starts: list[int] = []
        form.feed(data, place.offset, lambda start, _day: starts.append(start - place.offset))
        if not starts:
            return [], place
        stop = starts[-1]
        pieces: list[Passage] = []
        for begin, end in zip(starts, [*starts[1:], len(data)], strict=True):
            if begin != stop or last:
                read = form.decode(data[begin:end], "")
                line = place.line + 1 + data.count(b"\n", 0, begin)
                pieces += _parts(Passage(place.offset + begin, line, read.text, when=read.when))
        lines = place.line + data.count(b"\n", 0, stop)
        return pieces, ReadPosition(place.offset + stop, lines)


class HistoryLines:
    """Reads history.jsonl: a line is a passage."""

    whole = False

    def read(self, data: bytes, place: ReadPosition, *, last: bool) -> tuple[list[Passage], ReadPosition]:
        """Returns all entries that can be read."""
        form = JsonLinesFormat()
        return _read_lines(data, place, last, lambda line, at: (self._piece(form, line, at), at))

    def _piece(self, form: JsonLinesFormat, line: bytes, at: ReadPosition) -> Passage | None:
        read = form.decode(line.removeprefix(BOM), "")
        return Passage(at.offset, at.line + 1, read.text, when=read.when) if read.text else None


class SessionMessages:
    """Reads a session file: a message is a passage, with the question before it beside it. Messages before `first` are
    passed over."""

    whole = False

    def __init__(self, first: int = 0) -> None:
        self._first = first

    def read(self, data: bytes, place: ReadPosition, *, last: bool) -> tuple[list[Passage], ReadPosition]:
        """Returns all messages of person, model and tools; not commands, which are never sent."""
        return _read_lines(data, place, last, self._take)

    def _take(self, line: bytes, at: ReadPosition) -> tuple[Passage | None, ReadPosition]:
        if not bare(line):
            return None, at
        record = session_record(line)
        if record is not None:
            return None, replace(at, key=stated_key(record) or at.key)
        piece = self._piece(line, at)
        if piece and piece.role != "tool":
            asked = piece.text[-_BESIDE:] if _ASKS.search(piece.text[-_BESIDE:]) else ""
            at = replace(at, beside=asked)
        wanted = piece if at.message_index >= self._first else None
        return wanted, replace(at, message_index=at.message_index + 1)

    def _piece(self, line: bytes, at: ReadPosition) -> Passage | None:
        try:
            message = decode_message(line)
        except RecordDamaged:
            return None
        text = text_of(message).strip()
        is_echo = message.get("name") == SEARCH_TOOL
        if message["role"] not in SPOKEN_ROLES or is_command(message) or is_echo or not text:
            return None
        return Passage(at.offset, at.line + 1, text, at.message_index, message["role"], _time(message), at.beside)


def _read_lines(
    data: bytes,
    place: ReadPosition,
    last: bool,
    take: Callable[[bytes, ReadPosition], tuple[Passage | None, ReadPosition]],
) -> tuple[list[Passage], ReadPosition]:
    lines = data.split(b"\n")
    rest = lines.pop()
    pieces: list[Passage] = []
    for line in lines:
        piece, after = take(line, place)
        pieces += _parts(piece)
        place = replace(after, offset=place.offset + len(line) + 1, line=place.line + 1)
    if last and rest:
        pieces += _parts(take(rest, place)[0])
    return pieces, place


def _time(message: dict[str, Any]) -> str:
    when = message.get("timestamp")
    return when[:16].replace("T", " ") if isinstance(when, str) else ""


def _parts(piece: Passage | None) -> Iterator[Passage]:
    """Returns the piece, or several of about PART characters."""
    if piece is None:
        return
    text, begin = piece.text, 0
    while len(text) - begin > PART:
        end = _cut(text, begin + PART // 2, begin + PART)
        yield replace(piece, text=text[begin:end])
        begin = end
    yield replace(piece, text=text[begin:]) if begin else piece


def _cut(text: str, low: int, high: int) -> int:
    for pattern in _CUTS:
        places = [cut.end() for cut in pattern.finditer(text, low, high)]
        if places:
            return places[-1]
    return high
