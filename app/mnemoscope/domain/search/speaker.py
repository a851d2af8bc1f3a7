"""Tells who speaks in a passage that begins with a name, as `Nora: I planted dahlias.`, and what is said."""

from __future__ import annotations

import re
from typing import Final

_SPEAKER: Final = re.compile(
    r"(?:[-*+][ \t]+)?(?:\[\d{4}-[^\]\n]*\][ \t]*)?(?:\*\*|__)?"
    r"([^\W\d_][^\n:\uff1a*]{0,39}?)(?:\*\*|__)?[:\uff1a](?:\*\*|__)?(?![^\W_]*[/\d])"
)
"""The name before a colon that a passage begins with; no address and no time."""
_NAME_WORDS: Final = 3
"""Words of a name at most; what stands before a colon and is longer is part of what is said."""


def speaker_of(text: str) -> str:
    """Returns the name that a passage begins with; "" where it begins with none."""
    found = _SPEAKER.match(text)
    return found[1] if found is not None else ""


def speech_of(text: str) -> str:
    """Returns what is said in a passage, without the name before it; all of a passage that begins with no name."""
    found = _SPEAKER.match(text)
    if found is None or found[1][0].islower() or len(found[1].split()) > _NAME_WORDS:
        return text
    return text[found.end() :].lstrip() or text
