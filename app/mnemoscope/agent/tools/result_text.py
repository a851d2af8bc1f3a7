"""A tool's result, cut to what a conversation can carry."""

from __future__ import annotations

from typing import Final

RESULT_LIMIT: Final = 8_000
"""Characters of the longest result that is kept whole."""
HEAD_SHARE: Final = 0.7
TAIL_SHARE: Final = 0.2


def truncate_tool_result(result: str, max_chars: int = RESULT_LIMIT) -> str:
    """As `cut_result`, under the name seed 002 gives it."""
    return cut_result(result, max_chars)


def missing_of(text: str, limit: int = RESULT_LIMIT) -> int:
    """How many characters `cut_result` leaves out."""
    return 0 if len(text) <= limit else len(text) - int(limit * HEAD_SHARE) - int(limit * TAIL_SHARE)


def cut_result(text: str, limit: int = RESULT_LIMIT) -> str:
    """The text, or its first 70 % and last 20 % of `limit` characters around a marker that says how much is missing."""
    if len(text) <= limit:
        return text
    head, tail = int(limit * HEAD_SHARE), int(limit * TAIL_SHARE)
    left_out = len(text) - head - tail
    marker = f"[… {left_out:,} of {len(text):,} characters left out here …]"
    return f"{text[:head]}\n\n{marker}\n\n{text[len(text) - tail :]}"
