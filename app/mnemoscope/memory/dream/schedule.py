"""Computes when Dream runs next: every so many hours, or as a cron expression says, which takes precedence.

croniter is imported where an expression is read: it brings 4 MB with it, and most workspaces have no expression.
"""

from __future__ import annotations

from datetime import datetime, timedelta


def next_run(last: datetime | None, now: datetime, *, interval_hours: float, cron: str = "") -> datetime:
    """Returns the next run after `last`, in naive local time; never before `now`.

    Without a last run the first one comes an interval from now: opening a workspace is no reason to spend anything. A
    cron expression that cannot be read counts as none. A clock that was turned back makes no run wait for years.
    """
    if isinstance(found := _next_by_cron(cron, now), datetime):
        return found
    interval = timedelta(hours=interval_hours)
    if last is None or last > now + interval:
        return now + interval
    return max(now, last + interval)


def cron_problem(cron: str) -> str:
    """Returns why a cron expression cannot be followed, a sentence; "" where it can, or there is none."""
    found = _next_by_cron(cron, datetime(2026, 1, 1))
    return found if isinstance(found, str) else ""


def _next_by_cron(cron: str, now: datetime) -> datetime | str | None:
    """Returns the first moment after `now`, why there is none in a sentence, or None without an expression."""
    if not cron.strip():
        return None
    from croniter import CroniterError, croniter

    if len(cron.split()) != 5 or not croniter.is_valid(cron):
        return f"“{cron}” is no cron expression of five fields, such as 0 */4 * * *."
    try:
        found: datetime = croniter(cron, now).get_next(datetime)
    except CroniterError:
        return f"“{cron}” names no moment that ever comes."
    return found
