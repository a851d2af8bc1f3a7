"""A day's notes are kept in memory/YYYY-MM-DD.md. The format is that of Qanot's files.

A file begins with `# Daily Notes — 2026-11-22` and a blank line; each exchange is `## [10:30:00]` with what both sides
said in a line each, or what an error taught. If a user is named, the tag `[user:7]` stands behind the time.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from mnemoscope.domain.secrets.stated_passwords import mask_secrets_and_passwords
from mnemoscope.domain.text.characters import on_one_line
from mnemoscope.domain.text.escape_markdown import escaped_lines, user_tag
from mnemoscope.domain.text.excerpt import excerpt

_QUESTION_LIMIT: Final = 160
_ANSWER_LIMIT: Final = 240
_ERROR_LIMIT: Final = 200
_LESSONS: Final = 3
_LOOKED_AT: Final = 20
_HEADING: Final = re.compile(r"## \[(\d\d:\d\d:\d\d)\](?: \[user:([^\]\n]{1,64})\])?")
_OURS: Final = ("**User:** ", "**Agent:** ", "**Error lesson:** ")


@dataclass(frozen=True, slots=True)
class DailyNoteEntry:
    """Holds one entry, read back; `time` is HH:MM:SS."""

    time: str
    user: str
    text: str


def note_name(day: date) -> str:
    """Returns the name of a day's file."""
    return f"{day.isoformat()}.md"


def note_title(day: date) -> str:
    """Returns the text that a new file begins with."""
    return f"# Daily Notes — {day.isoformat()}\n\n"


def note_entry(when: datetime, content: str, user: str = "") -> str:
    """Returns one entry with the blank line before it. Whatever the content says, it stays one entry."""
    lines = (_held(line) for line in escaped_lines(content).split("\n"))
    return f"\n## [{when:%H:%M:%S}]{user_tag(user)}\n" + "\n".join(lines) + "\n"


def _held(line: str) -> str:
    """Returns the line without the escape before a label that the program itself writes."""
    return line[1:] if line.startswith("\\**") and line[1:].startswith(_OURS) else line


def exchange_text(question: str, answer: str, known: Collection[str] = ()) -> str:
    """Returns the words of both sides in a line each, or "" if one says nothing. Keys are masked, and those in
    `known`."""
    question_line, answer_line = _line(question, _QUESTION_LIMIT, known), _line(answer, _ANSWER_LIMIT, known)
    return f"**User:** {question_line}\n**Agent:** {answer_line}" if question_line and answer_line else ""


def lesson_text(occasion: str, errors: Iterable[str], known: Collection[str] = ()) -> str:
    """Returns what went wrong and on what occasion, or "" if nothing did."""
    lines = list(dict.fromkeys(filter(None, (_line(error, _ERROR_LIMIT, known) for error in errors))))[:_LESSONS]
    if not lines:
        return ""
    return "\n".join(
        [f"**Error lesson:** {_line(occasion, _QUESTION_LIMIT, known)}", *(f"- Error: {one}" for one in lines)]
    )


def _line(text: str, limit: int, known: Collection[str]) -> str:
    return on_one_line(excerpt(mask_secrets_and_passwords(text[: limit * _LOOKED_AT], known), limit))


def read_notes(text: str) -> list[DailyNoteEntry]:
    """Returns the entries of a day's file, in order; other sections and the text before the first are none."""
    notes: list[DailyNoteEntry] = []
    for part in re.split(r"^(?=## )", text.replace("\r\n", "\n"), flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        found = _HEADING.fullmatch(heading.rstrip())
        if found is not None:
            notes.append(DailyNoteEntry(found[1], found[2] or "", body.strip()))
    return notes
