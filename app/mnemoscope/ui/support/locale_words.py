"""Moments and counts in words, as the window's language writes them."""

from __future__ import annotations

from datetime import date, datetime

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale, QTime


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
    return in_words(day, tr("d MMM yyyy"))


def stamp_words(when: str, today: date) -> str:
    """Returns `12 March 14:30` of a stamp such as `2026-03-12 14:30`, with the year where it is another one; as written
    where it is no date."""
    try:
        day = date.fromisoformat(when[:10])
    except ValueError:
        return when or tr("No date")
    form = tr("d MMMM") if day.year == today.year else tr("d MMMM yyyy")
    return f"{in_words(day, form)} {when[11:16]}".strip()


def in_words(when: date, form: str) -> str:
    """Returns a day or a moment in a form of QLocale's; a moment of a time zone in that of this computer."""
    if not isinstance(when, datetime):
        return window_locale().toString(QDate(when.year, when.month, when.day), form)
    local = when.astimezone() if when.tzinfo else when
    day, time = QDate(local.year, local.month, local.day), QTime(local.hour, local.minute, local.second)
    return window_locale().toString(QDateTime(day, time), form)


def number(count: int) -> str:
    """Returns a count with the thousands separators of the window's language: `12,345`."""
    return window_locale().toString(count)


def window_locale() -> QLocale:
    """Returns the window's language with its customs; British English where the system names none."""
    locale = QLocale()
    if locale.language() != QLocale.Language.C:
        return locale
    return QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
