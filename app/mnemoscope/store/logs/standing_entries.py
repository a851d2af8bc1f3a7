"""Reads the entries of a history log or a daily note with all their bytes, and gives one of them other words.

What tells when an entry was made, and whose it is, stays to the byte: the date in brackets, the heading of a note, the
other fields of a line of JSON. So the programs that read the same files find the same entry, with other words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from mnemoscope.domain.forgetting.forgotten_text import MARK
from mnemoscope.domain.memory.file_registry import HISTORY_PATH, JOURNAL_PATH, is_daily_note
from mnemoscope.domain.memory.history_entries import NONE_UNDATED, MarkdownFormat, UndatedEntries, stamp_length
from mnemoscope.domain.text.json_text import parsed_object
from mnemoscope.store.files.atomic import encode_text
from mnemoscope.store.logs.history_log import JsonLinesFormat, LogFormat, NotesFormat

_NOTE_HEAD: Final = re.compile(r"##? [^\n]*(?:\n|\Z)")
"""The heading of a note, which says when, or the title of the day's file."""
_SPACE: Final = " \t\r\n\0"


def has_entries(path: str) -> bool:
    """Returns whether a file, by its path in the workspace, is a log of entries."""
    return path in (HISTORY_PATH, JOURNAL_PATH) or is_daily_note(path)


@dataclass(frozen=True, slots=True)
class StandingEntry:
    """Describes an entry as it stands: `raw` are all of its bytes, from the byte `at` on. `when`, `text` and `cursor`
    are as the readers of the log have them."""

    path: str
    at: int
    raw: bytes
    when: str
    text: str
    cursor: int | None = None

    @property
    def words(self) -> str | None:
        """Returns the words that can be corrected, without what says when; None where the bytes are no text."""
        if self.path == JOURNAL_PATH:
            content = parsed_object(self.raw).get("content")
            return content.strip() if isinstance(content, str) else None
        parts = self._parts()
        return None if parts is None else parts[1].replace("\r\n", "\n")

    def with_words(self, words: str) -> str:
        """Returns what all of its bytes are to be, as text, with these words. Only for an entry that has `words`."""
        if self.path == JOURNAL_PATH:
            end = "\n" if self.raw.endswith(b"\n") else ""
            return json.dumps({**parsed_object(self.raw), "content": words}, ensure_ascii=False) + end
        head, before, tail = self._parts() or ("", "", "")
        return head + (words.replace("\n", "\r\n") if "\r\n" in head + before + tail else words) + tail

    def _parts(self) -> tuple[str, str, str] | None:
        """Returns what says when, the words, and the space behind them."""
        try:
            text = self.raw.decode("utf-8")
        except UnicodeDecodeError:
            return None
        head = stamp_length(text)
        if self.path != HISTORY_PATH:
            found = _NOTE_HEAD.match(text)
            head = found.end() if found is not None else 0
        begin = len(text) - len(text[head:].lstrip(_SPACE))
        stop = max(begin, len(text.rstrip(_SPACE)))
        return text[:begin], text[begin:stop], text[stop:]


def standing_entries(path: str, data: bytes, undated: UndatedEntries = NONE_UNDATED) -> list[StandingEntry]:
    """Returns the entries of a whole log, in its order. `undated`: what the ledger knows of HISTORY.md."""
    name = path.rpartition("/")[2]
    form, starts = _format_of(path, undated), list[int]()
    form.begin(name, stamped=False)
    form.feed(data, 0, lambda start, _day: starts.append(start))
    found = []
    for start, stop in pairwise([*starts, len(data)]):
        raw = data[start:stop]
        if path == JOURNAL_PATH:
            raw = raw[: raw.find(b"\n") + 1] or raw
        read = form.decode(raw, name)
        found.append(StandingEntry(path, start, raw, read.when, read.text, read.cursor))
    return found


def stays_one_entry(
    entries: Sequence[StandingEntry], place: int, after: str, data: bytes, undated: UndatedEntries = NONE_UNDATED
) -> bool:
    """Returns whether a log has the same entries, but for the one at `place`, once all bytes of that are `after`."""
    entry = entries[place]
    piece = encode_text(after)
    known = dict(undated)
    if when := known.get(_first_line(entry.raw)):
        known[_first_line(piece)] = when
    changed = data[: entry.at] + piece + data[entry.at + len(entry.raw) :]
    wanted = [each.raw for each in entries]
    wanted[place] = piece
    return [each.raw for each in standing_entries(entry.path, changed, known)] == wanted


def reworded_entries(entries: Sequence[StandingEntry], now: Sequence[StandingEntry]) -> list[tuple[StandingEntry, str]]:
    """Returns the entries of a whole log that a change of its lines gave other words, each with all of its bytes
    `now`, as text: of an entry of which nothing is left, the mark of forgotten words."""
    is_each = len(entries) == len(now)
    found = list[tuple[StandingEntry, str]]()
    place = 0
    for entry in entries:
        # Only an entry without a date can go as a whole: those around it are told by their time.
        stands = is_each or (place < len(now) and now[place].when == entry.when)
        raw = now[place].raw if stands else encode_text(MARK)
        place += stands
        if raw != entry.raw:
            found.append((entry, raw.decode("utf-8", "replace")))
    return found


def _first_line(raw: bytes) -> bytes:
    return raw.partition(b"\n")[0].strip()


def _format_of(path: str, undated: UndatedEntries) -> LogFormat:
    if path == HISTORY_PATH:
        return MarkdownFormat(lambda: undated)
    return JsonLinesFormat() if path == JOURNAL_PATH else NotesFormat()
