"""The marks that memory, state and notes put before what was said."""

from __future__ import annotations

import re
from typing import Final

_MARKS: Final = re.compile(r"\A\s*[-*]\s+|\[\d{4}-\d\d-\d\d[^\]]*\]\s*|\*\*[\w ]+:?\*\*:?\s*|\[user:[^\]]*\]\s*")


def without_marks(text: str) -> str:
    """Returns a line of memory, state or notes without the marks of its format, so that it compares with what was
    said."""
    return _MARKS.sub("", text)
