"""Captures are kept as lines, and lines are read back. The formats are Qanot's.

SESSION-STATE.md holds `- [2025-01-15T10:30:00+00:00] **proper_noun**: My name is Sardor`, MEMORY.md the same without
the time. If a user is named, the tag `[user:7]` stands behind the time, in MEMORY.md behind the category. Whatever was
captured, a line stays one line and its parts stay what they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from mnemoscope.domain.capture.scan import Capture
from mnemoscope.domain.memory.facts import fact_text
from mnemoscope.domain.secrets.detection import mask_secrets
from mnemoscope.domain.text.characters import on_one_line
from mnemoscope.domain.text.escape_markdown import user_tag
from mnemoscope.domain.text.excerpt import shortened_at_word

_LONGEST: Final = 240
"""Characters of what was captured, before any is escaped."""
_SPECIAL: Final = re.compile(r"[*`\[\]<>|]|\\(?=[^\w\s])|(?<![^\W_])_|_(?![^\W_])|~(?=~)|(?<=~)~")
_ESCAPED: Final = re.compile(r"\\([^\w\s]|_)")
_LINE: Final = re.compile(
    r"\s{0,8}[-*+] (?:\[(?P<when>[\dT:.+Z-]{10,40})\] )?(?:\[user:(?P<user>[^\]\n]{1,64})\] )?"
    r"\*\*(?P<category>[a-z_]{1,24})\*\*(?: \[user:(?P<named>[^\]\n]{1,64})\])?: (?P<text>\S.*)"
)
_OF_USER: Final = re.compile(r"(?<!\\)\[user:(?P<user>[^\]\n]{1,64})\](?: |$)")
"""A tag, wherever a model or a person put it; what was captured has such words escaped."""
_CAPTURED_HERE: Final = re.compile(r"- (?:~~)?\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d\] (?!\[user:)")
"""A line of a conversation held here: whole seconds, where Qanot writes their fractions, and nobody named."""
_SUPERSEDED: Final = re.compile(
    r"(?P<head>\s{0,8}[-*+] (?:\[[ xX]\] )?)~~(?P<text>.+)~~ \(until (?P<day>\d{4}-\d\d-\d\d)\)\s*"
)
_NUMBERED: Final = re.compile(r"\d{1,9}[.)] ")
_TASK: Final = re.compile(r"(?P<head>\s{0,8}[-*+] \[[ xX]\] )(?P<text>\S.*?)\s*")
_BULLET: Final = re.compile(r"(?P<head>\s{0,8}[-*+] )?(?P<text>\S.*?)\s*")


@dataclass(frozen=True, slots=True)
class CapturedLine:
    """Holds a captured line, read back: `text` has no escapes; `until` is the day from which another line holds
    instead."""

    text: str
    category: str = ""
    when: str = ""
    user: str = ""
    until: str = ""


def state_line(capture: Capture, when: datetime, user: str = "", known: Collection[str] = ()) -> str:
    """Returns the line of SESSION-STATE.md, without a line break. `when` has a time zone; `known`: keys to mask."""
    return line_of_state(capture.category, capture.detail, when, user, known)


def is_captured_here(line: str) -> bool:
    """Returns whether a line of SESSION-STATE.md was captured in a conversation held here, not written by Qanot or by
    hand."""
    return _CAPTURED_HERE.match(line) is not None


def memory_line(capture: Capture, user: str = "", known: Collection[str] = ()) -> str:
    """Returns the line of MEMORY.md, without a line break; of a correction it keeps only what holds now."""
    return line_of_memory(capture.kept_as, capture.fact, user, known)


def line_of_state(category: str, text: str, when: datetime, user: str = "", known: Collection[str] = ()) -> str:
    """Returns the line of SESSION-STATE.md for any words."""
    return f"- [{when.isoformat(timespec='seconds')}]{user_tag(user)} **{category}**: {escaped_capture(text, known)}"


def line_of_memory(category: str, text: str, user: str = "", known: Collection[str] = ()) -> str:
    """Returns the line of MEMORY.md for any words."""
    return f"- **{category}**:{user_tag(user)} {escaped_capture(text, known)}"


def escaped_capture(text: str, known: Collection[str] = ()) -> str:
    """Returns the words on one line of at most `_LONGEST` characters and their escapes; keys are masked, and nothing
    in it is Markdown."""
    plain = _SPECIAL.sub(
        lambda found: "\\" + found[0], shortened_at_word(on_one_line(mask_secrets(text, known)), _LONGEST)
    )
    return plain or "…"


def read_line(line: str) -> CapturedLine | None:
    """Returns the words that a line keeps, whoever wrote it; None for a blank line or a heading."""
    struck = _SUPERSEDED.fullmatch(line)
    if struck is not None:
        inner = read_line(f"- {struck['text']}")
        return inner and CapturedLine(inner.text, inner.category, inner.when, inner.user, struck["day"])
    found = _LINE.fullmatch(line)
    if found is not None:
        user, text = _of_user(found["text"])
        return CapturedLine(text, found["category"], found["when"] or "", found["user"] or found["named"] or user)
    bare = _BULLET.fullmatch(line)
    if bare is None or bare["text"].startswith("#"):
        return None
    user, text = _of_user(bare["text"])
    return CapturedLine(text, user=user)


def words_of_line(line: str) -> str:
    """Returns a line as a person reads it in a list: of one that was captured, the words without their category."""
    captured = read_line(f"- {fact_text(line)}")
    return captured.text if captured is not None else fact_text(line)


def _of_user(text: str) -> tuple[str, str]:
    """Returns whose words these are, "" for nobody who is named, and the words without the tag."""
    tag = _OF_USER.search(text)
    rest = (text[: tag.start()] + text[tag.end() :]).strip() if tag else ""
    return (tag["user"], _plain(rest)) if tag and rest else ("", _plain(text))


def _plain(text: str) -> str:
    return _ESCAPED.sub(r"\1", text.strip())


def struck_line(line: str, until: date) -> str:
    """Returns a line that another one replaced: it is kept, readable, and left out of the prompt; a task keeps its
    box."""
    found = _TASK.fullmatch(line) or _BULLET.fullmatch(line)
    if found is None:
        return line
    return f"{found['head'] or '- '}~~{found['text'].replace('~~', '')}~~ (until {until.isoformat()})"


def standing_line(line: str) -> str:
    """Returns a struck line as it stood before; any other as it is."""
    found = _SUPERSEDED.fullmatch(line)
    if found is None:
        return line
    was_numbered = _NUMBERED.match(found["text"]) is not None
    head = found["head"][: -len("- ")] if was_numbered else found["head"]
    return head + found["text"]


def is_struck(line: str) -> bool:
    """Returns whether another line replaced this one."""
    return _SUPERSEDED.fullmatch(line) is not None


def without_struck(text: str) -> str:
    """Returns the text as it enters the prompt, without struck lines."""
    return "\n".join(line for line in text.split("\n") if not is_struck(line))


def standing_rows(state: str) -> list[str]:
    """Returns what a conversation's state says, row by row: no struck lines, headings or empty ones."""
    return [row for row in without_struck(state).split("\n") if row.strip() and not row.startswith("#")]
