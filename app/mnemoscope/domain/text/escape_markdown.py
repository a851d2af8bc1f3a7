"""Words put into a Markdown file among others: whatever they say, they begin no heading, entry or block.

And the signs that others' words do: blocks within a bullet, and characters nobody sees.
"""

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
_WITHIN: Final = re.compile(
    r"\s*(?:(?:>|(?:[-*+•·]|\d{1,9}[.)])(?:\s+\[[ xX]\])?(?=\s))\s*)+(?:#{1,6}(?:\s|$)|`{3}|~{3})|"
    r"\s*(?:(?:[-*+•·]|\d{1,9}[.)])\s+)+>(?!\s*\d)"
)
"""A heading or fence within bullets or quotations, a quotation within bullets; "- > 50 guests" counts guests."""
_BREAKS: Final = re.compile("\r\n|[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")

_NOT_ASCII: Final = re.compile("[^\t -~]")
_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0d\uffa0\ufdd0-\ufdef\ufff0-\ufff8"
    "\U000e0000-\U000e0fff"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
    + "]"
)
"""What shows nothing although Unicode counts it among letters, marks or what may be assigned one day."""
_JOINING: Final = re.compile("[\u0600-\u109f\u1780-\u18af\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc]")
_KEYS: Final = frozenset("0123456789#*")


def on_one_line(text: str) -> str:
    """The words without line breaks, characters nobody sees, and blanks in a row."""
    seen = (" " if unicodedata.category(char) in ("Cc", "Zl", "Zp") else char for char in text if _is_seen(char))
    return " ".join("".join(seen).split())


def escaped_lines(text: str, limit: int = 0) -> str:
    """The lines, none of which begins a block or looks like one of the program's own; no two blank ones in a row.

    Longer than `limit` characters (0: any): the beginning, with a line behind it that says so.
    """
    cut = 0 < limit < len(text)
    lines: list[str] = []
    for line in _BREAKS.split(text[:limit] if cut else text):
        plain = escaped_line(line)
        if plain or (lines and lines[-1]):
            lines.append(plain)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join([*lines, "[truncated]"] if cut else lines)


def escaped_line(line: str) -> str:
    """One line that begins no block."""
    plain = on_one_line(line)
    return f"\\{plain}" if _BEGINS_A_BLOCK.match(plain) else plain


def broken(text: str) -> list[str]:
    """The lines, at every character that some reader of the file takes for a line break."""
    return _BREAKS.split(text)


def has_nested_block(line: str) -> bool:
    """Whether a bullet or quotation has a heading, fence or quotation within it."""
    return _WITHIN.match(line) is not None


def has_hidden_characters(line: str) -> bool:
    """Whether a line has characters nobody sees, but for those that emoji, Persian or Indic words are written with."""
    return any(_is_hidden(line, found.start()) for found in _NOT_ASCII.finditer(line))


def _is_hidden(line: str, place: int) -> bool:
    char, base = line[place], line[place - 1] if place else ""
    if char in _JOINERS:
        return not (_is_joined(base) or (char == "\u200d" and _is_emoji(base, line[place + 1 : place + 2])))
    if char in "\ufe0e\ufe0f":
        return not (_is_symbol(base) or (base in _KEYS and line[place + 1 : place + 2] == "\u20e3"))
    return _UNSEEN.match(char) is not None or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")


def _is_joined(base: str) -> bool:
    """A letter or mark of Arabic and its kin, or of the scripts of India and its neighbours."""
    return _JOINING.match(base) is not None and unicodedata.category(base)[0] in "LM"


def _is_emoji(base: str, following: str) -> bool:
    return (_is_symbol(base) or base == "\ufe0f") and _is_symbol(following)


def _is_symbol(char: str) -> bool:
    """Newer emoji than this Python knows are symbols too."""
    known = bool(char) and (unicodedata.category(char) in ("So", "Sm") or char in "\u203c\u2049\u3030\u2139")
    return (known and char != "\u2800") or "\U0001f000" <= char <= "\U0001fbff"


def _is_seen(char: str) -> bool:
    return char in _JOINERS or unicodedata.category(char) not in ("Cf", "Cs", "Co")
