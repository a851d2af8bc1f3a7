"""Words are put into a Markdown file among others so that, whatever they say, they begin no heading, entry or block."""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.text.characters import LINE_BREAK, on_one_line
from mnemoscope.domain.text.fences import FENCE_MARK

_BEGINS_A_BLOCK: Final = re.compile(
    r"#{1,6}(?=\s|$)|=+$|([-*_])(?:\s*\1)*$|" + FENCE_MARK + r"|[<>|]|(?:[-*+]|\d{1,9}[.)])\s+(?:[#<>|=`~]|[-*+] )|"
    r"\*\*(?:User|Agent|Status|Started|Conversation|Error)\b"
)
_WITHIN: Final = re.compile(
    r"\s*(?:(?:>|(?:[-*+•·]|\d{1,9}[.)])(?:\s+\[[ xX]\])?(?=\s))\s*)+(?:#{1,6}(?:\s|$)|" + FENCE_MARK + r")|"
    r"\s*(?:(?:[-*+•·]|\d{1,9}[.)])\s+)+>(?!\s*\d)"
)
"""A heading or fence within bullets or quotations, a quotation within bullets; "- > 50 guests" counts guests."""
_NO_USER: Final = re.compile(r"[^\w.@+-]")
_LONGEST_USER: Final = 64


def escaped_lines(text: str, limit: int = 0) -> str:
    """Returns the lines so that none begins a block or looks like one of the program's own; no two blank ones stand in
    a row.

    A text of more than `limit` characters (0: any) is cut, with a line behind it that says so.
    """
    cut = 0 < limit < len(text)
    lines: list[str] = []
    for line in LINE_BREAK.split(text[:limit] if cut else text):
        plain = escaped_line(line)
        if plain or (lines and lines[-1]):
            lines.append(plain)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join([*lines, "[truncated]"] if cut else lines)


def escaped_line(line: str) -> str:
    """Returns one line so that it begins no block."""
    plain = on_one_line(line)
    return f"\\{plain}" if _BEGINS_A_BLOCK.match(plain) else plain


def has_nested_block(line: str) -> bool:
    """Returns whether a bullet or quotation has a heading, fence or quotation within it."""
    return _WITHIN.match(line) is not None


def user_tag(user: str) -> str:
    """Returns the tag ` [user:7]` that names whose a line is, as Qanot writes it, or "" if nobody is named."""
    name = name_in_tag(user)
    return f" [user:{name}]" if name else ""


def name_in_tag(user: str) -> str:
    """Returns a user as a tag names them: what would end the tag is replaced, and a long name is cut."""
    return _NO_USER.sub("_", user)[:_LONGEST_USER]
