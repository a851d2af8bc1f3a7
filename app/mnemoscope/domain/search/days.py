"""Finds the days that a question names: `7 May 2023`, `May 7th`, `2023-05-07`, `last week of May`, `in May 2023`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_MONTHS: Final = (
    ("january", "jan", "январ", "yanvar"),
    ("february", "feb", "феврал", "fevral"),
    ("march", "mar", "март", "mart"),
    ("april", "apr", "апрел", "aprel"),
    ("may", "ма[йяею]"),
    ("june", "jun", "июн", "iyun"),
    ("july", "jul", "июл", "iyul"),
    ("august", "aug", "август", "avgust"),
    ("september", "sept?", "сентябр", "sentabr", "sentyabr"),
    ("october", "oct", "октябр", "oktabr", "oktyabr"),
    ("november", "nov", "ноябр", "noyabr"),
    ("december", "dec", "декабр", "dekabr"),
)
"""The beginnings of the names of each month; names in Russian and Uzbek take endings."""
_ENDING: Final = r"(?:[ьяею]|а|у|е|ем|ём|ом|да|га|нинг|нчи|da|ga|ning|dagi|oyida)?"
_MONTH_WORDS: Final = tuple(f"(?:{'|'.join(words)})" for words in _MONTHS)
MONTH_NAME: Final = f"(?:{'|'.join(_MONTH_WORDS)}){_ENDING}"
"""A pattern of the name of a month."""
_MONTH: Final = "(?:" + "|".join(f"(?P<m{number}>{word})" for number, word in enumerate(_MONTH_WORDS, 1)) + ")"
_NAME: Final = rf"\b{_MONTH}{_ENDING}\.?(?![^\W\d_])"
_DAY: Final = r"(?P<day>[0-3]?\d)"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_OF_YEAR: Final = rf"(?:(?:,|-?\s*(?:of|год[ау]?|г\.|yil(?:ning)?|йил))?[\s-]*{_YEAR}(?!\d))?"
_PARTS: Final = (
    r"(?:(?P<part>first|last|early|late|beginning|end|начал[оеа]|кон(?:ец|це|ца))\b(?:\s+(?:week|of|the|in))*\s+)"
)
_FORMS: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?<!\d){_YEAR}[-/.](?P<month>[01]?\d)[-/.]{_DAY}(?!\d)",
        rf"(?<!\d){_DAY}[./](?P<month>[01]?\d)[./]{_YEAR}(?!\d)",
        rf"(?:(?<!\d){_YEAR}\s*年\s*)?(?<!\d)(?P<month>[01]?\d)\s*月(?:\s*{_DAY}\s*[日号])?",
        rf"(?<!\d){_YEAR}\s*[-‐]?\s*(?:yil(?:ning|da)?|йил(?:нинг|да)?|года?)?,?\s*{_DAY}\s*[-‐]?\s*{_NAME}",
        rf"(?<![\d.:]){_DAY}(?:st|nd|rd|th|-?е|-?го|-)?\s*(?:of\s+)?{_NAME}{_OF_YEAR}",
        rf"{_NAME}\s+(?:the\s+)?{_DAY}(?:st|nd|rd|th)?(?!:?\d)(?:,?\s*{_YEAR}(?!\d))?",
        rf"{_PARTS}?{_NAME}(?:,|\s+of)?\s+{_YEAR}(?!\d)",
        rf"(?<!\d){_YEAR}\s*[-‐]?\s*(?:yil(?:ning|da)?|йил(?:нинг|да)?)\s*{_NAME}",
        rf"{_PARTS}{_NAME}",
        rf"\b(?:in|of|during|since|until|till|by|this|last|next|в|за|до|с)\s+{_NAME}",
        rf"\b(?:in|of|during|since|в)\s+{_YEAR}(?!\d)",
        rf"(?<!\d){_YEAR}\s*-?\s*(?:年|год|yil|йил)",
    )
)  # fmt: skip
"""From the most to the least exact: what one has read no later one reads again."""
_FIRST, _LAST = (1, 10), (21, 31)
_LATE: Final = re.compile("last|late|end|кон")
_MOST: Final = 4


@dataclass(frozen=True, slots=True)
class Days:
    """Holds the days that a question names: of `month` (1 to 12) in `year`, 0 where it names none; `first` to `last`
    are days of the month."""

    year: int = 0
    month: int = 0
    first: int = 1
    last: int = 31

    @property
    def is_one(self) -> bool:
        """Returns whether it is a day, not a stretch of them."""
        return self.first == self.last

    def holds(self, when: str) -> bool:
        """Returns whether a time, as `2023-05-07 19:20`, is in it; False for what has no date."""
        year, month, day = when[:4], when[5:7], when[8:10]
        if not (year.isdecimal() and month.isdecimal() and day.isdecimal()):
            return False
        of_year, of_month = self.year in (0, int(year)), self.month in (0, int(month))
        return of_year and of_month and self.first <= int(day) <= self.last

    def tokens(self) -> tuple[tuple[str, bool], ...]:
        """Returns what the index is asked for, each with whether it is the beginning of a token; () for a year, which
        says too little."""
        if not self.month:
            return ()
        if not self.year and (self.first, self.last) == (1, 31):
            return ((f"{_MARK}{self.month:02}", True),)
        ends = f"y{self.year}" if self.year else "y"
        days = range(self.first, self.last + 1)
        return tuple((f"{_MARK}{self.month:02}{day:02}{ends}", not self.year) for day in days)


_MARK: Final = "\u00b7"
"""Begins the token of a day; no word of a text does."""


def day_token(when: str) -> str:
    """Returns what stands in the index for the day of a time, as `2023-05-07 19:20`; "" for what has no date."""
    year, month, day = when[:4], when[5:7], when[8:10]
    return f"{_MARK}{month}{day}y{year}" if (year + month + day).isdecimal() and len(day) == len(month) == 2 else ""


def named_days(text: str) -> tuple[Days, ...]:
    """Returns the days a question names, in English, Russian, Uzbek or Chinese, or in numbers; at most four."""
    found: list[tuple[int, Days]] = []
    left = text
    for form in _FORMS:
        for match in form.finditer(left):
            if days := _read(match):
                found.append((match.start(), days))
                left = f"{left[: match.start()]}{' ' * len(match[0])}{left[match.end() :]}"
    return tuple(dict.fromkeys(days for _, days in sorted(found, key=lambda each: each[0])))[:_MOST]


def _read(match: re.Match[str]) -> Days | None:
    said = {name: value for name, value in match.groupdict().items() if value}
    month = int(said["month"]) if "month" in said else next(_months(said), 0)
    year = int(said.get("year", 0))
    if month > 12 or not (month or year):
        return None
    if "day" in said:
        day = int(said["day"])
        return Days(year, month, day, day) if month and 1 <= day <= 31 else None
    if "part" in said:
        return Days(year, month, *(_LAST if _LATE.match(said["part"].lower()) else _FIRST))
    return Days(year, month)


def _months(said: dict[str, str]) -> Iterator[int]:
    yield from (int(name[1:]) for name in said if name[0] == "m" and name[1:].isdecimal())
