"""Scripts that read from right to left or have no italics: what words of theirs need among others. No Qt."""

from __future__ import annotations

import re
from typing import Final

_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_WITHOUT_ITALICS: Final = re.compile(
    "[\u0590-\u1cff\u2e80-\ud7ff\uf900-\ufaff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U00020000-\U000323af]"
)


def isolated(text: str) -> str:
    """Returns `text` kept apart from the direction of the words around it, where it holds words from right to left."""
    return f"\u2068{text}\u2069" if _RIGHT_TO_LEFT.search(text) else text


def has_italics(text: str) -> bool:
    """Returns whether the scripts of `text` have italics; fonts that have none for a script show boxes."""
    return not _WITHOUT_ITALICS.search(text)
