r"""Formulas in Markdown are known by their marks: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, as in TeX.

A sign of money is none: what stands between two `$` is a formula only where the first has no blank behind it, the last
none before it, neither touches a word outside, and it looks like one.
"""

from __future__ import annotations

import re
from typing import Final

LONGEST_FORMULA: Final = 2_000
"""Characters of a formula; a longer one is shown as its source."""
_DISPLAYED_IN_DOLLARS: Final = rf"\$\$(?!\$)[^\x02]{{1,{LONGEST_FORMULA}}}?\$\$"
_WITHIN_DOLLARS: Final = rf"(?<![\w\\$])\$(?![\s$])[^$\n\x02]{{1,{LONGEST_FORMULA}}}?(?<![\s\\])\$(?![\w$])"
DISPLAYED: Final = rf"({_DISPLAYED_IN_DOLLARS}|\\\[[^\x02]{{1,{LONGEST_FORMULA}}}?\\\])"
WITHIN: Final = rf"({_WITHIN_DOLLARS}|\\\([^\n\x02]{{1,{LONGEST_FORMULA}}}?\\\))"
IN_DOLLARS: Final = f"{_DISPLAYED_IN_DOLLARS}|{_WITHIN_DOLLARS}"
"""Formulas whose marks are those of money; they are found in time that grows with the text alone."""
_OPENERS: Final = {"$$": "$$", "\\[": "\\]"}
"""The marks that begin a formula of lines of its own, and those that end it."""
_SIGN: Final = re.compile(r"[\\^_{}=<>+|]")
_WORDS: Final = re.compile(r"[^\W\d_]{2,}\W+[^\W\d_]{2,}|[^\W\d_]{4,}")
_TOKEN: Final = re.compile(r"[^\W\d_]'?|\d+(?:\.\d+)?[^\W\d_]?|[^\W\d_]\([^\W\d_]\)")


def tex_of(source: str) -> str:
    """Returns a formula without the marks around it."""
    return source[2:-2] if source.startswith(("$$", "\\")) else source[1:-1]


def is_formula(source: str) -> bool:
    """Returns whether what stands between two marks looks like a formula, rather than like words or money."""
    tex = tex_of(source).strip()
    if not tex:
        return False
    if source.startswith("$$"):
        return True
    if source.startswith("\\"):
        # A bracket that is escaped is no formula: there are words in it.
        return bool(_SIGN.search(tex)) or not _WORDS.search(tex)
    return bool(_SIGN.search(tex) or _TOKEN.fullmatch(tex))


def opened_by(words: str) -> str:
    """Returns what ends the formula that a line begins and does not end, "" where it begins none."""
    end = _OPENERS.get(words[:2], "")
    return end if end and end not in words[2:] else ""
