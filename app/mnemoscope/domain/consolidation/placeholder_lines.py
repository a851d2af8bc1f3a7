"""A model may put a placeholder line for what it left out: "rest of memory unchanged", "… same as before …"."""

from __future__ import annotations

import re
from typing import Final

_SHOWN: Final = 80

_PARTS = (
    r"(?:memory|memories|facts?|contents?|sections?|entries|notes?|information|items?|lines?|document|file|text"
    r"|details?|data)"
)
_SAME = (
    r"(?:unchanged|un-?modified|not (?:changed|modified|repeated|shown)|no changes?|unaltered|intact|omitted|elided"
    r"|truncated|(?:the )?same|as (?:before|above|is)|(?:is |are )?(?:kept|preserved|retained)|remains?|stays?"
    r"|continues?)"
)
_REST = r"(?:rest|remainder|remaining|everything else|others?|existing|previous|prior|earlier)"
_BULLET = r"^(?:[-*+]\s*)?"
_OPENS = r"(?:[\[(<{…]|\.\.|//|<!--)"
_LEAD = r"^(?:[-*+>#/]+\s*|<!--\s*|//\s*)*[\[(<{*_…\s]*(?:\.{2,}|…)?[\[(<{*_…\s]*"
_OF_WHAT = rf"(?:\s+of)?(?:\s+(?:the|this|your|existing|previous|current|long-?term|other|{_PARTS}))*"

_PATTERNS: Final = (
    # "… rest of memory unchanged …", "(everything else stays the same)", "all other sections remain"
    _LEAD + rf"(?:the |all |all the |and )*{_REST}\b{_OF_WHAT}\W+{_SAME}\b.{{0,40}}$",
    # "(unchanged)", "[same as before]", "<!-- omitted for brevity -->", "... no changes ..."
    _BULLET + _OPENS + rf"[\s.…\-!]*(?:{_PARTS}\s+)?{_SAME}\b.{{0,60}}$",
    # "... rest of memory ...", "(existing facts here)", "[previous content]"
    _BULLET + _OPENS + rf"[\s.…\-!]*(?:the |all )?{_REST}\b[\w\s,'’-]{{0,50}}[\s.…\-]*(?:[\])>}}…]|\.\.|-->).{{0,3}}$",
    # a line of nothing but dots
    _BULLET + r"[\[(<{]?\s*(?:\.{3,}|…+)\s*[\])>}]?$",
    r"^.{0,4}(?:其余|其他|剩余|剩下|原有|以上|以下).{0,12}(?:不变|保持|省略|同上|相同).{0,6}$",
    r"^.{0,4}(?:остальн|прочее).{0,30}(?:без изменений|не измен).{0,6}$",
)
_ELISIONS: Final = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _PATTERNS)


def find_placeholder_line(update: str, before: str) -> str:
    """Returns the line of `update` that stands for what was left out, or "". A line that was in `before` is none."""
    known = {line.strip() for line in before.split("\n")}
    for line in update.split("\n"):
        stripped = line.strip()
        if stripped and stripped not in known and any(pattern.match(stripped) for pattern in _ELISIONS):
            return stripped[:_SHOWN]
    return ""
