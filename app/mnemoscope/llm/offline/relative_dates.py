"""Days named from the day they were said on become dates: what is kept for years must not say "tomorrow"."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import Final

from mnemoscope.domain.memory.history_entries import MONTH_NAMES
from mnemoscope.llm.offline import russian_dates, uzbek_dates

_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NUMBERS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNT: Final = rf"(?P<count>\d{{1,3}}|an?|a couple of|{'|'.join(_NUMBERS[1:])})"
_CHINESE: Final = {"今天": 0, "明天": 1, "后天": 2, "後天": 2, "昨天": -1, "前天": -2}
_CHINESE_DAYS: Final = "一二三四五六日"
_OFFSETS: Final = {
    "the day after tomorrow": 2,
    "the day before yesterday": -2,
    "today": 0,
    "tomorrow": 1,
    "yesterday": -1,
}


def with_absolute_dates(text: str, when: str) -> str | None:
    """Returns `text` with every relative day as a date, for one who said it at `when` (`YYYY-MM-DD…`).

    Returns None if such a day cannot be told: the moment is not known, or the words are not understood.
    """
    try:
        said = date.fromisoformat(when[:10])
    except ValueError:
        said = None
    for pattern, replacement in _RULES:
        if said is None:
            if pattern.search(text):
                return None
        else:
            text = pattern.sub(partial(_replaced, replacement, said), text)
    return None if _VAGUE.search(text) else text


def _replaced(words_of: Callable[[re.Match[str], date], str], said: date, match: re.Match[str]) -> str:
    words = words_of(match, said)
    return words[:1].upper() + words[1:] if match[0][0].isupper() else words


def _full(day: date) -> str:
    return f"{day.day} {MONTH_NAMES[day.month - 1]} {day.year}"


def _day(match: re.Match[str], said: date) -> str:
    return _full(said + timedelta(_OFFSETS[match.group().lower()]))


def _part_of_today(match: re.Match[str], said: date) -> str:
    part = match["part"].lower() if match["part"] else "evening"
    return f"on the {part} of {_full(said)}"


def _weekday(match: re.Match[str], said: date) -> str:
    wanted = [name.lower() for name in _DAYS].index(match["day"].lower())
    monday = said - timedelta(said.weekday())
    ahead = (wanted - said.weekday()) % 7
    which = match["which"].lower()
    if which == "next":
        day = monday + timedelta(7 + wanted)
    elif which == "last":
        day = said - timedelta((said.weekday() - wanted) % 7 or 7)
    else:
        day = said + timedelta(ahead or (7 if which == "coming" else 0))
    return f"{match['before'] or ''}{_DAYS[wanted]} {_full(day)}"


def _period(match: re.Match[str], said: date) -> str:
    step = {"this": 0, "next": 1, "last": -1, "coming": 1}[match["which"].lower()]
    what = match["what"].lower()
    if what == "year":
        return f"in {said.year + step}"
    if what == "month":
        return f"in {_month(said, step)}"
    day = said - timedelta(said.weekday()) + timedelta(7 * step + (5 if what == "weekend" else 0))
    return f"in the week of {_full(day)}" if what == "week" else f"on the weekend of {_full(day)}"


def _month(said: date, step: int) -> str:
    month = said.year * 12 + said.month - 1 + step
    return f"{MONTH_NAMES[month % 12]} {month // 12}"


def _distance(match: re.Match[str], said: date) -> str:
    words, way = match["count"].lower(), -1 if match.group().lower().endswith("ago") else 1
    known = {"a": 1, "an": 1, "a couple of": 2}
    count = int(words) if words.isdigit() else known.get(words) or _NUMBERS.index(words)
    unit = match["unit"].lower()
    if unit == "year":
        return f"in {said.year + way * count}"
    if unit == "month":
        return f"in {_month(said, way * count)}"
    return f"on {_full(said + timedelta(way * count * (7 if unit == 'week' else 1)))}"


def _chinese_day(match: re.Match[str], said: date) -> str:
    return _chinese(said + timedelta(_CHINESE[match.group()]))


def _chinese_weekday(match: re.Match[str], said: date) -> str:
    wanted = _CHINESE_DAYS.index(match["day"].replace("天", "日"))
    step = {"上": -7, "这": 0, "這": 0, "下": 7}[match["which"]]
    return _chinese(said - timedelta(said.weekday()) + timedelta(step + wanted))


def _chinese(day: date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"


def _rule(pattern: str) -> re.Pattern[str]:
    # What belongs to such a day ("today's news") is spoken of in general.
    return re.compile(rf"\b(?:{pattern})\b(?!['’]s)", re.IGNORECASE)


_RULES: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], str]], ...]] = (
    (_rule("|".join(_OFFSETS)), _day),
    (_rule(r"tonight|this (?P<part>morning|afternoon|evening)"), _part_of_today),
    (_rule(rf"(?P<before>on )?(?:the )?(?P<which>this|next|last|coming) (?P<day>{'|'.join(_DAYS)})"), _weekday),
    (_rule(r"(?:in |on )?(?:the )?(?P<which>this|next|last|coming) (?P<what>weekend|week|month|year)"), _period),
    (_rule(rf"in {_COUNT} (?P<unit>day|week|month|year)s?(?:['’] time)?"), _distance),
    (_rule(_COUNT + r" (?P<unit>day|week|month|year)s? ago"), _distance),
    (re.compile("|".join(_CHINESE)), _chinese_day),
    (
        re.compile(r"(?P<which>[上这這下])(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?P<day>[一二三四五六日天])"),
        _chinese_weekday,
    ),
    *(
        (re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), dated)
        for pattern, dated in russian_dates.RULES + uzbek_dates.RULES
    ),
)
_VAGUE: Final = re.compile(
    r"\b(?:the other day|in (?:a few|some|several) (?:days|weeks|months)|"
    r"(?:a few|some|several) (?:days|weeks|months) ago|"
    r"later (?:today|this \w+)|the following (?:day|week|month))\b|"
    rf"\b(?:{russian_dates.VAGUE}|{uzbek_dates.VAGUE})\b|[下上这這](?:个|個)?(?:周|週|星期|月)|[明去]年",
    re.IGNORECASE,
)
