"""Moments in words, as the window's language writes them."""

from __future__ import annotations

from datetime import date, datetime

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale


def tr(text: str) -> str:
    """Returns the text in the window's language."""
    return QCoreApplication.translate("Dates", text)


def time_words(when: datetime | None) -> str:
    """Returns `10:42` today, `3 March 10:42` this year, else with the year."""
    if when is None:
        return ""
    now = datetime.now()
    if when.date() == now.date():
        return f"{when:%H:%M}"
    return in_words(when, tr("d MMM HH:mm") if when.year == now.year else tr("d MMM yyyy HH:mm"))


def moment_words(when: datetime) -> str:
    """Returns `3 March 2026, 14:20`."""
    return in_words(when, tr("d MMMM yyyy, HH:mm"))


def day_words(day: date) -> str:
    """Returns `3 Mar 2026`."""
    return QLocale().toString(QDate(day.year, day.month, day.day), tr("d MMM yyyy"))


def in_words(when: datetime, form: str) -> str:
    """Returns a moment in a form of QLocale's."""
    return QLocale().toString(QDateTime.fromSecsSinceEpoch(int(when.timestamp())), form)
