"""Tells which lines of Markdown are headings, rules and items, for the reader and for the editor. No Qt.

Which lines are code fences is told by `domain.text.fences`.
"""

from __future__ import annotations

import re
from typing import Final

HEADING: Final = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
"""The marks that begin a heading. They may be all of its line, as CommonMark and python-markdown have it."""
RULE: Final = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
"""A line that divides what is above it from what is below; one of hyphens or asterisks looks like an item, too."""
ITEM_MARK: Final = r"(?:[-*+]|\d{1,9}[.)])"
"""The mark or the number before an item of a list, as part of a regular expression."""
TASK_BOX: Final = r"\[[ xX]\]"
"""The box of an item that is a task, as part of a regular expression."""


def heading_of(line: str) -> tuple[int, str] | None:
    """Returns the level, 1 to 6, and the words of a line that is a heading, else None; the words may be missing."""
    mark = HEADING.match(line)
    if mark is None:
        return None
    words = line[mark.end() :].strip(" \t")
    open_words = words.rstrip("#")
    is_closed = not open_words or open_words.endswith((" ", "\t"))
    return len(mark[1]), open_words.rstrip(" \t") if is_closed else words
