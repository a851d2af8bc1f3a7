"""Days that Russian names from the day on which they were said, as dates."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

_OFFSETS: Final = {"сегодня": 0, "завтра": 1, "послезавтра": 2, "вчера": -1, "позавчера": -2}
_MONTHS: Final = (
    "январ", "феврал", "март", "апрел", "ма", "июн", "июл", "август", "сентябр", "октябр", "ноябр", "декабр",
)  # fmt: skip
"""The months without the endings of their cases."""
_DAYS: Final = ("понедельник", "вторник", "среду", "четверг", "пятницу", "субботу", "воскресенье")
_COUNTS: Final = {
    "один": 1, "одну": 1, "два": 2, "две": 2, "три": 3, "четыре": 4, "пять": 5, "шесть": 6, "семь": 7, "восемь": 8,
    "девять": 9, "десять": 10,
}  # fmt: skip
_COUNT: Final = rf"(?:(?P<count>\d{{1,3}}|{'|'.join(_COUNTS)}) )?"
_UNIT: Final = r"(?P<unit>день|дня|дней|недел[юиь]|месяц(?:а|ев)?|год(?:а)?|лет)"
_WHICH: Final = r"(?P<which>эт|следующ|будущ|прошл|ближайш)"


def _day_words(day: date) -> str:
    month = _MONTHS[day.month - 1]
    ending = "а" if month in ("март", "август") else "я"
    return f"{day.day} {month}{ending} {day.year} года"


def _month_words(said: date, step: int) -> str:
    months = said.year * 12 + said.month - 1 + step
    return f"в {_MONTHS[months % 12]}е {months // 12} года"


def _day(match: re.Match[str], said: date) -> str:
    return _day_words(said + timedelta(_OFFSETS[match[0].lower()]))


def _weekday(match: re.Match[str], said: date) -> str:
    wanted, which = _DAYS.index(match["day"].lower()), match["which"].lower()
    if which in ("следующ", "будущ"):
        day = said - timedelta(said.weekday()) + timedelta(7 + wanted)
    elif which == "прошл":
        day = said - timedelta((said.weekday() - wanted) % 7 or 7)
    else:
        day = said + timedelta((wanted - said.weekday()) % 7)
    return f"{'во' if wanted == 1 else 'в'} {match['day'].lower()}, {_day_words(day)}"


def _period(match: re.Match[str], said: date) -> str:
    step = {"эт": 0, "прошл": -1}.get(match["which"].lower(), 1)
    what = match["what"].lower()
    if what.startswith("год"):
        return f"в {said.year + step} году"
    if what.startswith("месяц"):
        return _month_words(said, step)
    return f"на неделе с {_day_words(said - timedelta(said.weekday()) + timedelta(7 * step))}"


def _distance(match: re.Match[str], said: date) -> str:
    words = (match["count"] or "1").lower()
    count = int(words) if words.isdigit() else _COUNTS[words]
    way = -1 if match[0].lower().endswith("назад") else 1
    unit = match["unit"].lower()
    if unit.startswith(("год", "лет")):
        return f"в {said.year + way * count} году"
    if unit.startswith("месяц"):
        return _month_words(said, way * count)
    return _day_words(said + timedelta(way * count * (7 if unit.startswith("недел") else 1)))


RULES: Final[tuple[tuple[str, Callable[[re.Match[str], date], str]], ...]] = (
    ("|".join(_OFFSETS), _day),
    (rf"во? {_WHICH}\w{{1,2}} (?P<day>{'|'.join(_DAYS)})", _weekday),
    (rf"(?:на|в) {_WHICH}\w{{1,2}} (?P<what>неделе|месяце|году)", _period),
    (rf"(?<!раз )через {_COUNT}{_UNIT}", _distance),
    (rf"{_COUNT}{_UNIT} назад", _distance),
)
"""Whole words that name a day, and the function that puts a date for them."""
VAGUE: Final = (
    r"(?:завтрашн|вчерашн|сегодняшн)\w+|на днях|со? вчера\w*|до завтра|(?:пару|несколько) (?:дней|недель|месяцев|лет)"
    r"|полтор\w+ \w+ назад"
)
"""A pattern of words for a time that no date can replace."""
