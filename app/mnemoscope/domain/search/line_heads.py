"""Reads what stands before what was said in a passage: marks of memory, state and notes, and the name of who speaks."""

from __future__ import annotations

import re
from typing import Final

_SPEAKER: Final = re.compile(
    r"(?:[-*+][ \t]+)?(?:\[\d{4}-[^\]\n]*\][ \t]*)?(?:\*\*|__)?"
    r"([^\W\d_][^\n:\uff1a*]{0,39}?)(?:\*\*|__)?[:\uff1a](?:\*\*|__)?(?![^\W_]*[/\d])"
)
"""The name before a colon that a passage begins with; no address and no time."""
_MARKS: Final = re.compile(r"\A\s*[-*]\s+|\[\d{4}-\d\d-\d\d[^\]]*\]\s*|\*\*[\w ]+:?\*\*:?\s*|\[user:[^\]]*\]\s*")


def speaker_of(text: str) -> str:
    """Returns the name that a passage begins with, as `Nora: I planted dahlias.` does; "" where it begins with none."""
    found = _SPEAKER.match(text)
    return found[1] if found is not None else ""


def without_marks(text: str) -> str:
    """Returns a line of memory, state or notes without the marks of its format, so that it compares with what was
    said."""
    return _MARKS.sub("", text)
