"""Tells who speaks in a passage that begins with a name, as `Nora: I planted dahlias.`."""

from __future__ import annotations

import re
from typing import Final

_SPEAKER: Final = re.compile(
    r"(?:[-*+][ \t]+)?(?:\[\d{4}-[^\]\n]*\][ \t]*)?(?:\*\*|__)?"
    r"([^\W\d_][^\n:\uff1a*]{0,39}?)(?:\*\*|__)?[:\uff1a](?:\*\*|__)?(?![^\W_]*[/\d])"
)
"""The name before a colon that a passage begins with; no address and no time."""


def speaker_of(text: str) -> str:
    """Returns the name that a passage begins with; "" where it begins with none."""
    found = _SPEAKER.match(text)
    return found[1] if found is not None else ""
