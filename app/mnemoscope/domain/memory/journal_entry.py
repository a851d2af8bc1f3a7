"""history.jsonl, the journal, holds summaries of what happened: one JSON object a line, numbered by a cursor.

The format is `{"cursor": 42, "timestamp": "2026-04-03 00:02", "content": "…"[, "session_key": "cli:direct"]}`, in local
minutes, as nanobot from 0.1.5 to 0.3.5 writes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from mnemoscope.domain.memory.history_entries import RAW_MARK
from mnemoscope.domain.text.one_line_text import one_line_text

FactKind = Literal["permanent", "durable", "ephemeral", "correction"]
FACT_KINDS: Final[tuple[FactKind, ...]] = ("permanent", "durable", "ephemeral", "correction")
QUOTED_MARK: Final = "(said by a tool or file)"
"""The ending of a fact line that the person did not say."""
PROMPT_LIMIT: Final = 4_000
"""Characters of one entry that enter a prompt at most; the file keeps the whole of it."""
MAX_CURSOR: Final = (1 << 52) - 1
"""More than anybody counts to, and less than where readers of JSON lose digits: a larger number is a mistake."""
_THOUGHTS: Final = re.compile(r"<think>.*?</think>\s*|^[ \t]*<think>.*\Z", re.DOTALL | re.MULTILINE)
"""A thought that is opened and never closed is one only if it begins a line: `<think>` may be what is talked about."""
FACT_LINE: Final = re.compile(r"[-*]\s*\[(permanent|durable|ephemeral|correction)\]\s*(.*)", re.IGNORECASE)
"""`- [durable] words`: kind, words."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """Describes one entry. `timestamp` is `YYYY-MM-DD HH:MM`; `session_key` is "" if the entry names no
    conversation."""

    cursor: int
    timestamp: str
    content: str
    session_key: str = ""

    def as_mapping(self) -> dict[str, Any]:
        """Returns the entry as its line holds it; `session_key` is there if it names a conversation."""
        fields: dict[str, Any] = {"cursor": self.cursor, "timestamp": self.timestamp, "content": self.content}
        return fields | ({"session_key": self.session_key} if self.session_key else {})

    @property
    def raw(self) -> bool:
        """Returns whether it holds messages as they were, because there is no summary of them."""
        return self.content.startswith(RAW_MARK)


@dataclass(frozen=True, slots=True)
class JournalFact:
    """Describes one fact line of a summary: `- [durable] Prefers tea`."""

    kind: FactKind
    text: str


def facts_of(content: str) -> list[JournalFact]:
    """Returns the fact lines of an entry, in order; other lines are left out."""
    matches = (FACT_LINE.match(line.strip()) for line in content.split("\n"))
    return [JournalFact(_kind(match[1]), match[2].strip()) for match in matches if match and match[2].strip()]


def plain_entry(content: str) -> str:
    """Returns an entry in one line for a person: its words without marks, and without the kinds that facts have for
    Dream."""
    found = [(line, FACT_LINE.match(line.strip())) for line in content.splitlines()]
    if not any(fact for _, fact in found):
        return one_line_text(content)
    lines = (one_line_text(fact[2] if fact else line) for line, fact in found)
    return " · ".join(words for words in lines if words)


def clean_content(text: str) -> str:
    """Returns an entry's text as it is kept: without a model's visible thoughts and trailing space. Raw messages stay
    whole."""
    if text.startswith(RAW_MARK):
        return text.rstrip()
    return _THOUGHTS.sub("", text.rstrip()).rstrip()


def encode_entry(entry: JournalEntry) -> str:
    """Returns the entry's line, without its line break."""
    return json.dumps(entry.as_mapping(), ensure_ascii=False)


def entry_of(record: object) -> JournalEntry | None:
    """Returns the entry that a parsed line holds, or None if it is no object, or a field is missing or of another
    kind."""
    if not isinstance(record, Mapping):
        return None
    cursor = valid_cursor(record.get("cursor"))
    stamp, content, key = record.get("timestamp"), record.get("content"), record.get("session_key", "")
    if cursor is None or not isinstance(stamp, str) or not isinstance(content, str) or not isinstance(key, str | None):
        return None
    return JournalEntry(cursor, stamp, content, key or "")


def valid_cursor(value: object) -> int | None:
    """Returns a cursor, or None for a boolean, a negative or fractional number, text, or one beyond MAX_CURSOR."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_CURSOR:
        return None
    return value


def read_cursor(data: bytes) -> int | None:
    """Returns the number that a cursor file holds, or None for anything but decimal digits with space around them."""
    text = data.strip()
    return valid_cursor(int(text)) if text.isdigit() and len(text) < 20 else None


def timestamp_of(when: datetime) -> str:
    """Returns a moment as entries write it, `YYYY-MM-DD HH:MM`."""
    return when.strftime("%Y-%m-%d %H:%M")


def without_duplicates(entries: Iterable[JournalEntry]) -> list[JournalEntry]:
    """Returns the entries in order, the same cursor with the same words once: a crash of nanobot can leave it twice."""
    return list(dict.fromkeys(entries))


def oldest_entries(entries: Sequence[JournalEntry], count: int) -> Sequence[JournalEntry]:
    """Returns the first `count` entries, in order of their numbers, and any other with the number of the last of them.

    A cursor that moves behind a number moves behind all that have it: programs that append at the same moment may give
    one twice.
    """
    last = entries[count - 1].cursor if 0 < count <= len(entries) else None
    return [entry for place, entry in enumerate(entries) if place < count or entry.cursor == last]


def entry_for_prompt(entry: JournalEntry, limit: int = PROMPT_LIMIT) -> str:
    """Returns `[2026-04-03 00:02] words`, cut to `limit` characters with a note of how many are left out."""
    words = entry.content
    if len(words) > limit:
        words = f"{words[:limit].rstrip()} … [{len(words) - limit:,} more characters in memory/history.jsonl]"
    # A line of an entry that looks like the start of another one, or like a heading, must not become one.
    indented = "\n  ".join(words.split("\n"))
    return f"[{entry.timestamp}] {indented}"


def _kind(text: str) -> FactKind:
    return next(kind for kind in FACT_KINDS if kind == text.lower())
