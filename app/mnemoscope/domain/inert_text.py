"""Words put into a Markdown file among others: whatever they say, they begin no heading, entry or block."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_JOINERS: Final = frozenset("\u200c\u200d")
"""Invisible, and yet needed to write Persian, Hindi and many emoji."""
_BEGINS_A_BLOCK: Final = re.compile(
    r"#{1,6}(?=\s|$)|=+$|([-*_])(?:\s*\1)*$|`{3}|~{3}|[<>|]|(?:[-*+]|\d{1,9}[.)])\s+(?:[#<>|=`~]|[-*+] )|"
    r"\*\*(?:User|Agent|Status|Started|Conversation|Error)\b"
)
_BREAKS: Final = re.compile("\r\n|[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")


def on_one_line(text: str) -> str:
    """The words without line breaks, characters nobody sees, and blanks in a row."""
    seen = (" " if unicodedata.category(char) in ("Cc", "Zl", "Zp") else char for char in text if _is_seen(char))
    return " ".join("".join(seen).split())


def inert_lines(text: str, limit: int = 0) -> str:
    """The lines, none of which begins a block or looks like one of the program's own; no two blank ones in a row.

    Longer than `limit` characters (0: any): the beginning, with a line behind it that says so.
    """
    cut = 0 < limit < len(text)
    lines: list[str] = []
    for line in _BREAKS.split(text[:limit] if cut else text):
        plain = inert_line(line)
        if plain or (lines and lines[-1]):
            lines.append(plain)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join([*lines, "[truncated]"] if cut else lines)


def inert_line(line: str) -> str:
    """One line that begins no block."""
    plain = on_one_line(line)
    return f"\\{plain}" if _BEGINS_A_BLOCK.match(plain) else plain


def _is_seen(char: str) -> bool:
    return char in _JOINERS or unicodedata.category(char) not in ("Cf", "Cs", "Co")
