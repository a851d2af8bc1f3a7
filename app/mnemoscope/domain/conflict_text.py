"""Settling one conflict of a merge in the text that kept the person's side."""

from __future__ import annotations

from typing import Literal

from mnemoscope.domain.merge import Conflict

Side = Literal["mine", "theirs", "both"]


def settle_conflict(text: str, conflict: Conflict, side: Side, theirs: str) -> str | None:
    """`text` with the passage of this conflict as `side` wants it; None where that passage is not there any more.

    `theirs` is the other side's whole text: where the person's passage is empty, it tells where the other's belongs.
    """
    if side == "mine":
        return text
    wanted = (
        conflict.theirs if side == "theirs" else "\n".join(part for part in (conflict.ours, conflict.theirs) if part)
    )
    if not conflict.ours:
        return _insert_after(text, _line_before(theirs, conflict.theirs, text), wanted)
    return _replace_lines(text, conflict.ours, wanted)


def _replace_lines(text: str, passage: str, wanted: str) -> str | None:
    """Replace the first place where `passage` stands as whole lines."""
    start = text.find(passage)
    while start >= 0:
        stop = start + len(passage)
        rest_of_line = text[stop:].split("\n", 1)[0]
        if (start == 0 or text[start - 1] == "\n") and not rest_of_line.strip():
            stop += len(rest_of_line)
            if not wanted:
                stop += text[stop : stop + 1] == "\n"
            return text[:start] + wanted + text[stop:]
        start = text.find(passage, start + 1)
    return None


def _line_before(theirs: str, passage: str, text: str) -> str | None:
    """The nearest line above the passage in their text that also stands in `text`."""
    present = set(text.split("\n"))
    above = theirs[: max(0, theirs.find(passage))].split("\n")[:-1]
    return next((line for line in reversed(above) if line.strip() and line in present), None)


def _insert_after(text: str, line: str | None, wanted: str) -> str:
    lines = text.split("\n")
    if line is None:
        gap = "" if not text or text.endswith("\n") else "\n"
        return f"{text}{gap}{wanted}\n"
    place = lines.index(line) + 1
    return "\n".join([*lines[:place], *wanted.split("\n"), *lines[place:]])
