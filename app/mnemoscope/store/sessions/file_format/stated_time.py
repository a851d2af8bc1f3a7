"""Times as session files state them."""

from __future__ import annotations

from datetime import datetime


def parse_time(value: object) -> datetime | None:
    """Returns a naive local time from ISO 8601 text, or None."""
    if not isinstance(value, str):
        return None
    try:
        time = datetime.fromisoformat(value)
        return time.astimezone().replace(tzinfo=None) if time.tzinfo else time
    except (ValueError, OverflowError, OSError):
        # The last two: years that a calendar, or the system, does not have.
        return None
