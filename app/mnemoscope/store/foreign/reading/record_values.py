"""Reads the values that the records of every format have: times, titles, and the record as it stands in the store."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from typing import Final

from mnemoscope.store.files.atomic import encode_text

_RAW_SHOWN: Final = 20_000
_TITLE_SHOWN: Final = 80
_MILLISECONDS_FROM: Final = 1e11
"""A number from here on is in milliseconds: in seconds it would be the year 5138."""


def moment(value: object) -> datetime | None:
    """Returns a time that a record tells, aware: in seconds or milliseconds since 1970, or in ISO 8601, where one
    without a zone is UTC. None for anything else, and for what lies beyond reason."""
    try:
        if isinstance(value, str):
            found = datetime.fromisoformat(value)
            found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            found = datetime.fromtimestamp(value / 1000 if value >= _MILLISECONDS_FROM else value, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return found if found.year > 1970 else None


def json_value(text: str) -> object:
    """Returns the value of a text of JSON, None where it is none. Lone surrogates, which no file can hold, are
    replaced."""
    try:
        value: object = json.loads(text)
        if "\\ud" in text.lower():
            value = json.loads(encode_text(json.dumps(value, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return None
    return value


def title_from(text: str) -> str:
    """Returns the first words of a text, on one line, for a conversation that has no title."""
    words = " ".join(text[: 8 * _TITLE_SHOWN].split())
    return words if len(words) <= _TITLE_SHOWN else f"{words[: _TITLE_SHOWN - 1].rstrip()}…"


def raw_shown(text: str) -> str:
    """Returns a record as it stands in the store, shortened where it is long."""
    return text if len(text) <= _RAW_SHOWN else f"{text[:_RAW_SHOWN]}…"
