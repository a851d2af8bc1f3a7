"""Takes out of a model's answer what no text file holds, and names it, so that it can be told."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final


class AnswerCleanup(StrEnum):
    """Names what was done to an answer that nobody needs to decide about. The values stand in records."""

    LINE_ENDS = "line-ends"
    CONTROL = "control-characters"
    HALVES = "half-characters"
    UNSEEN = "unseen-characters"
    AS_TEXT = "call-as-text"
    """The model wrote a call of a tool into its text."""
    MENDED = "mended-json"
    """Its JSON was none until it was mended."""
    THINKING = "thinking"
    """It thought aloud within the words that were asked for."""


_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def tidy(text: str) -> tuple[str, list[AnswerCleanup]]:
    """Returns a text without what no file of words holds, and what was taken out."""
    said = []
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        said.append(AnswerCleanup.LINE_ENDS)
    for pattern, kind in _UNWRITABLE:
        text, count = pattern.subn("", text)
        if count:
            said.append(kind)
    return text, said


_UNWRITABLE: Final = (
    (_CONTROL, AnswerCleanup.CONTROL),
    (re.compile("[\ud800-\udfff]"), AnswerCleanup.HALVES),
    (re.compile("[\U000e0000-\U000e007f]"), AnswerCleanup.UNSEEN),
)


def without_preamble(text: str) -> str:
    """Returns an answer without a first line such as “Here is the updated memory:”."""
    return _PREAMBLE.sub("", text, count=1)


_PREAMBLE: Final = re.compile(
    r"\A\s*(?:sure|certainly|of course|okay|ok|here(?:'s|’s| is| are)|below is|the following is)\b"
    r"[^\n]{0,120}:[ \t]*\n+",
    re.IGNORECASE,
)
