"""An entry of the history log is one paragraph under one date, and nothing in it poses as more."""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.consolidation.planning import without_forged_heads
from mnemoscope.domain.text.characters import JOINERS, LINE_BREAK, without_format_characters

_STAMP: Final = re.compile(r"\[\d{4}-\d\d-\d\d[^\]\n]*\][ \t]*")
_TAG: Final = re.compile(r"<(?=[/!?|A-Za-z])")
_IMAGE: Final = re.compile(r"!(?=\[)")


def history_entry_text(text: str) -> str:
    """Returns the text on consecutive lines with its first date; other dates, headings, tags and images at the
    beginning of lines are escaped, and characters nobody could see are left out."""
    seen = without_format_characters(LINE_BREAK.sub("\n", text), keep=JOINERS)
    lines = [line.rstrip() for line in seen.split("\n") if line.strip()]
    if not lines:
        return ""
    stamp = _STAMP.match(lines[0])
    head = stamp[0] if stamp else ""
    # The first line stands behind the date; without one it begins a line itself.
    body = without_forged_heads("\n".join(["", lines[0][len(head) :], *lines[1:]])).partition("\n")[2]
    return head + _IMAGE.sub(r"!\\", _TAG.sub("&lt;", body))
