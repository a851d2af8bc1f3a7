"""An excerpt tells what somebody said in one line: whole sentences as far as they fit, and `…` only if something was
left out. Where it is plain what to say, `shortened` cuts it anywhere and `shortened_at_word` between words."""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.text.one_line_text import one_line_text

_END: Final = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。!?]+[」』”’)]*")
_SHORT: Final = re.compile(
    r"(?:\b(?i:dr|mr|mrs|ms|prof|st|vs|no|fig|e\.g|i\.e|т\.е|т\.к|г|ул|стр|см|им)|(?<![\w.])[A-ZА-ЯЁ])\.\Z"
)
"""An abbreviation or an initial, whose full stop ends no sentence."""
_LOOKED_AT: Final = 20
"""Times the limit: a gist of a long text does not read all of it."""
_SHORTEST: Final = 0.4
"""Share of the limit that whole sentences have to fill; else the next one is cut at a word."""


def excerpt(markdown: str, limit: int) -> str:
    """Returns at most `limit` characters of a text without Markdown's marks, or "" if it says nothing."""
    words = one_line_text(markdown[: limit * _LOOKED_AT])
    if len(words) <= limit and len(markdown) <= limit * _LOOKED_AT:
        return words
    return _sentences(words, limit) or _cut_at_word(words, limit)


def shortened(text: str, limit: int) -> str:
    """Returns the text, cut to at most `limit` characters with an ellipsis at its end where it is longer."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def shortened_at_word(line: str, limit: int) -> str:
    """Returns the line, cut as `shortened` does, but at the end of a word where one ends in its second half."""
    return line if len(line) <= limit else _cut_at_word(line, limit)


def _cut_at_word(line: str, limit: int) -> str:
    room = line[: limit - 1]
    head, blank, _ = room.rpartition(" ")
    return (head if blank and len(head) > limit // 2 else room).rstrip(" ,;:") + "…"


def _sentences(words: str, limit: int) -> str:
    """Returns the whole sentences that fit, marked as cut, or "" if they would say too little."""
    room = words[: limit - 2]
    found = (each.end() for each in _END.finditer(words, 0, limit))
    ends = [end for end in found if end <= len(room) and not _SHORT.search(words, max(0, end - 8), end)]
    if not ends or ends[-1] < limit * _SHORTEST:
        return ""
    return f"{words[: ends[-1]].rstrip()} …"
