"""Fences stand around code blocks in Markdown. The rule is CommonMark's, at any indentation.

A fence is a line of three or more backticks or tildes. What follows it on its line is its info string, which names the
language; that of a fence of backticks has no backtick in it. The fence that closes a block has the same character, at
least as often, and no info string. A block that is never closed goes on to the end of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal

FENCE_MARK: Final = "(?:`{3,}|~{3,})"
"""The characters of a fence, as part of a regular expression."""
FENCE: Final = re.compile(rf"\s*(?P<mark>{FENCE_MARK})(?P<info>[^\n]*)")

_WHOLE: Final = re.compile(rf"\s*{FENCE_MARK}[ \t]*\w*\s*(.*?)\s*{FENCE_MARK}\s*\Z", re.DOTALL)

FencePart = Literal["text", "fence", "code"]


def opening_mark(line: str) -> str:
    """Returns the fence with which this line opens a code block, such as ```` ``` ````, or "" if it opens none."""
    found = FENCE.match(line)
    if found is None or (found["mark"][0] == "`" and "`" in found["info"]):
        return ""
    return found["mark"]


def closes(line: str, mark: str) -> bool:
    """Returns whether this line closes the code block that the fence `mark` opened."""
    found = FENCE.match(line)
    return found is not None and found["mark"].startswith(mark) and not found["info"].strip()


def parts_of(lines: Iterable[str]) -> Iterator[tuple[str, FencePart]]:
    """Yields each line with what it is: text, a fence, or code between two fences."""
    mark = ""
    for line in lines:
        if mark:
            is_end = closes(line, mark)
            yield line, "fence" if is_end else "code"
            mark = "" if is_end else mark
        else:
            mark = opening_mark(line)
            yield line, "fence" if mark else "text"


def outside_code(lines: Iterable[str]) -> Iterator[str]:
    """Yields the lines that are neither fences nor code between fences."""
    return (line for line, part in parts_of(lines) if part == "text")


def ends_in_code(lines: Iterable[str]) -> bool:
    """Returns whether a code block is still open at the end."""
    return bool(open_fence(lines))


def open_fence(lines: Iterable[str]) -> str:
    """Returns the fence of the code block that is still open at the end, which closes it too; "" if none is."""
    mark = ""
    for line in lines:
        if not mark:
            mark = opening_mark(line)
        elif closes(line, mark):
            mark = ""
    return mark


def unfenced(text: str) -> str | None:
    """Returns what stands in a text that is one code block and nothing else, be it on one line; None for any other."""
    found = _WHOLE.match(text)
    return found[1] if found else None


def fenced(text: str, language: str = "") -> str:
    """Returns the text as a code block, between fences that are longer than any run of backticks in it."""
    mark = longer_than_any_backticks(text, least=3)
    return f"{mark}{language}\n{text}\n{mark}"


def longer_than_any_backticks(text: str, least: int = 1) -> str:
    """Returns backticks, at least so many, that no run of them in the text is as long as: they enclose it as code."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    return "`" * max(least, longest + 1)
