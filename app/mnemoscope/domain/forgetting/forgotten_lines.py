"""Leaves lines that say what the person had forgotten out of a text that a model is to be sent, and out of an entry.

Where a model edits such a text, or may ask for its lines by number, a mark stands in the place of each, and the line is
put back in the place of the mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.text.json_text import parsed_json

_HEAD: Final = re.compile(
    r"(?P<stamp>\s*(?:[-*+] )?\[\d{4}-\d\d-\d\d[\dT :.+Z-]*\]\s+)?"
    r"(?:\[RAW\]\s+)?(?:\(characters [\d,]+ to [\d,]+ of [\d,]+\)\s+)?"
    r"(?:\s*[-*+] )?(?:\[(?:permanent|durable|ephemeral|correction)\]\s*)?(?:\*\*[a-z_]{1,24}\*\*:\s*)?",
    re.IGNORECASE,
)
"""The time, the part of a long entry, the kind and the category that stand before the words of an entry, a fact or a
capture."""
LEFT_OUT: Final = "[left out: the person had this forgotten]"
"""The text that a model reads in the place of a line that was forgotten."""
_LEFT: Final = "[…]"
_SPEAKER: Final = re.compile(r"[A-Z]{4,9}(?: \[tools:[^\]]*\])?: ")
"""The role, and the tools used, before the words of a message in an entry that holds messages as they are."""
_JSON_TEXT: Final = re.compile(r'"(?:[^"\\]|\\.)+"')
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")


Forgotten = Callable[[], Callable[[str], bool]]
"""Returns what tells of a line whether the person had it forgotten by now; for many lines it is asked once."""


def nothing_forgotten() -> Callable[[str], bool]:
    """Returns what says of no line that it was forgotten."""
    return lambda _line: False


def words_after_head(line: str) -> str:
    """Returns the words of a line, without the time, kind and category before them."""
    head = _HEAD.match(line)
    return line[head.end() :] if head is not None else line


def without_forgotten(text: str, is_forgotten: Callable[[str], bool]) -> tuple[str, int]:
    """Returns a text without the lines that `is_forgotten` knows, and how many those were.

    The time of an entry stays where further lines of the entry, which are indented, follow.
    """
    rows = text.split("\n")
    kept: list[str] = []
    count = 0
    for row, following in zip(rows, [*rows[1:], ""], strict=True):
        head = _HEAD.match(row) if row.strip() else None
        if head is None or not is_forgotten(row[head.end() :]):
            kept.append(row)
            continue
        count += 1
        if head["stamp"] and following.startswith("  "):
            kept.append(f"{head['stamp']}{_LEFT}")
    return "\n".join(kept), count


def taken_out(line: str, *, keeps_time: bool) -> str | None:
    """Returns what stays of a line once its words are taken out: where `keeps_time`, the time of an entry."""
    head = _HEAD.match(line)
    stamp = head["stamp"] if head is not None and keeps_time else None
    return f"{stamp}{_LEFT}" if stamp else None


def with_marks(text: str, is_forgotten: Callable[[str], bool], most: int = 0) -> tuple[str, int]:
    """Returns a text with a mark in the place of each line that `is_forgotten` knows, and how many those were. `most`:
    only the lines that touch so many characters at either end are looked at; 0 for all."""
    rows = text.split("\n")
    place = count = 0
    for number, row in enumerate(rows):
        is_in_reach = not most or place < most or place + len(row) > len(text) - most
        place += len(row) + 1
        if is_in_reach and _says_forgotten(row, is_forgotten):
            rows[number] = LEFT_OUT
            count += 1
    return "\n".join(rows), count


def _says_forgotten(row: str, is_forgotten: Callable[[str], bool]) -> bool:
    """Returns whether a line of a file says what was forgotten, also as one of the texts in a line of JSON, which may
    have several lines."""
    if not row.strip():
        return False
    texts = (parsed_json(each) for each in _JSON_TEXT.findall(row))
    lines = (line for text in texts if isinstance(text, str) for line in text.split("\n") if line.strip())
    return is_forgotten(words_after_head(row)) or any(is_forgotten(words_after_head(line)) for line in lines)


def with_lines_back(edited: str, before: str, is_forgotten: Callable[[str], bool]) -> str | None:
    """Returns a text that a model made of `before`, in which it saw marks, with the lines in the place of the marks;
    None where it has not as many, so that lines would be lost that the model never saw."""
    gone = _gone_from(before, is_forgotten)
    if all(row.strip() == LEFT_OUT for row in gone):
        return edited
    rows = edited.split("\n")
    places = [number for number, row in enumerate(rows) if row.strip() == LEFT_OUT]
    if len(places) != len(gone):
        return None
    for number, row in zip(places, gone, strict=True):
        rows[number] = row
    return "\n".join(rows)


def with_lines_at_end(edited: str, before: str, is_forgotten: Callable[[str], bool]) -> str:
    """Returns a text that a model made of `before` and took marks out of, with the lines that these stood for at its
    end."""
    left = [row for row in edited.split("\n") if row.strip() != LEFT_OUT]
    text = "\n".join(left).rstrip("\n")
    return "\n".join([*([text] if text else []), *_gone_from(before, is_forgotten), ""])


def _gone_from(before: str, is_forgotten: Callable[[str], bool]) -> list[str]:
    """Returns the lines of a text that stand as marks for a model, in order."""
    return [row for row in before.split("\n") if row.strip() == LEFT_OUT or _says_forgotten(row, is_forgotten)]


def results_with_marks(messages: Iterable[Message], is_forgotten: Callable[[str], bool]) -> list[Message]:
    """Returns messages in which the results of tools have a mark in the place of each line that is forgotten: they were
    read before it was, or by another program. What person and model said stays as it is."""
    return [
        _result_with_marks(message, is_forgotten) if message.get("role") == "tool" else message for message in messages
    ]


def _result_with_marks(message: Message, is_forgotten: Callable[[str], bool]) -> Message:
    text = message.get("content")
    if not isinstance(text, str):
        return message
    marked, count = with_marks(text, is_forgotten)
    return {**message, "content": marked} if count else message


def entry_without_forgotten(text: str, is_forgotten: Callable[[str], bool]) -> tuple[str, list[str]]:
    """Returns an entry of a history log with a mark where it says what `is_forgotten` knows, and what it said there,
    each once: single sentences, or a whole line where only its sentences together say it."""
    said: list[str] = []
    rows = []
    for row in text.split("\n"):
        words = words_after_head(row)
        if not is_forgotten(words):
            rows.append(row)
            continue
        sentences = _SENTENCE.split(words)
        gone = [each for each in sentences if is_forgotten(each)]
        left = " ".join(_LEFT if each in gone else each for each in sentences)
        if not gone or is_forgotten(left):
            gone, left = [words], _LEFT
        said += (_SPEAKER.sub("", each, count=1) if _SPEAKER.match(each) else each for each in gone)
        rows.append(row[: len(row) - len(words)] + left)
    return "\n".join(rows), list(dict.fromkeys(each.strip() for each in said))
