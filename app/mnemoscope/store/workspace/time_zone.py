"""Converts moments to the time zone of the person, by which their days begin."""

from __future__ import annotations

import logging
from datetime import datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

log = logging.getLogger(__name__)


def in_time_zone(now: datetime, name: str) -> datetime:
    """Returns a moment with the time zone of this IANA name, the system's where it is "" or unknown. Naive: the
    system's."""
    return now.astimezone(_zone(name) if name else None)


def is_time_zone(name: str) -> bool:
    """Returns whether there is a time zone of this IANA name. May read the disk."""
    return _zone(name) is not None


@lru_cache(maxsize=8)
def _zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        # Unknown, no name of a zone at all, or a folder of them.
        log.warning("there is no time zone %r; the system's is used", name)
        return None
