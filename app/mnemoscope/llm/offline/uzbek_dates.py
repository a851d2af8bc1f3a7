"""Days that Uzbek names from the day on which they were said, as dates, in the alphabet in which they were written."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from mnemoscope.domain.text.characters import APOSTROPHES

_OFFSETS: Final = {
    "bugun": 0, "ertaga": 1, "indinga": 2, "indin": 2, "kecha": -1,
    "бугун": 0, "эртага": 1, "индинга": 2, "индин": 2, "кеча": -1,
}  # fmt: skip
_LATIN: Final = (
    "yanvar", "fevral", "mart", "aprel", "may", "iyun", "iyul", "avgust", "sentabr", "oktabr", "noyabr", "dekabr",
)  # fmt: skip
_CYRILLIC: Final = (
    "январ", "феврал", "март", "апрел", "май", "июн", "июл", "август", "сентабр", "октабр", "ноябр", "декабр",
)  # fmt: skip
_COUNTS: Final = {
    "bir": 1, "ikki": 2, "uch": 3, "besh": 5, "olti": 6, "yetti": 7, "sakkiz": 8, "on": 10,
    "бир": 1, "икки": 2, "уч": 3, "тўрт": 4, "беш": 5, "олти": 6, "етти": 7, "саккиз": 8, "ўн": 10,
}  # fmt: skip
_TICK: Final = f"[{APOSTROPHES}`]?"
_WHICH: Final = rf"(?P<which>kelasi|keyingi|kelgusi|shu|bu|o{_TICK}tgan|келаси|кейинги|келгуси|шу|бу|ўтган)"
_COUNT: Final = rf"(?P<count>\d{{1,3}}|{'|'.join(_COUNTS)})"
_WEEK: Final = ("hafta", "ҳафта")
_MONTH: Final = ("oy", "ой")


def _is_latin(match: re.Match[str]) -> bool:
    return re.search("[a-z]", match[0], re.IGNORECASE) is not None


def _day_words(day: date, *, latin: bool, ending: tuple[str, str] = ("da", "да")) -> str:
    if latin:
        return f"{day.year}-yil {day.day}-{_LATIN[day.month - 1]}{ending[0]}"
    return f"{day.year} йил {day.day} {_CYRILLIC[day.month - 1]}{ending[1]}"


def _month_words(said: date, step: int, *, latin: bool) -> str:
    months = said.year * 12 + said.month - 1 + step
    if latin:
        return f"{months // 12}-yil {_LATIN[months % 12]}da"
    return f"{months // 12} йил {_CYRILLIC[months % 12]}да"


def _year_words(year: int, *, latin: bool) -> str:
    return f"{year}-yilda" if latin else f"{year} йилда"


def _day(match: re.Match[str], said: date) -> str:
    return _day_words(said + timedelta(_OFFSETS[match[0].lower()]), latin=_is_latin(match))


def _period(match: re.Match[str], said: date) -> str:
    which, what, latin = match["which"].lower(), match["what"].lower(), _is_latin(match)
    step = 0 if which in ("shu", "bu", "шу", "бу") else -1 if which.endswith(("tgan", "тган")) else 1
    if what in _WEEK:
        monday = said - timedelta(said.weekday()) + timedelta(7 * step)
        return _day_words(monday, latin=latin, ending=(" haftasida", " ҳафтасида"))
    if what in _MONTH:
        return _month_words(said, step, latin=latin)
    return _year_words(said.year + step, latin=latin)


def _distance(match: re.Match[str], said: date) -> str:
    words, unit, latin = match["count"].lower(), match["unit"].lower(), _is_latin(match)
    count = int(words) if words.isdigit() else _COUNTS[words]
    if match["ago"]:
        count = -count
    if unit in ("yil", "йил"):
        return _year_words(said.year + count, latin=latin)
    if unit in _MONTH:
        return _month_words(said, count, latin=latin)
    return _day_words(said + timedelta(count * (7 if unit in _WEEK else 1)), latin=latin)


_UNIT: Final = "(?P<unit>kun|hafta|oy|yil|кун|ҳафта|ой|йил)"
RULES: Final[tuple[tuple[str, Callable[[re.Match[str], date], str]], ...]] = (
    # A night is a kecha too, and a word with an ending is no day by itself.
    (
        rf"(?<!har )(?<!shu )(?<!bu )(?<!ҳар )(?<!шу )(?<!бу )(?:{'|'.join(_OFFSETS)})(?![-\w{APOSTROPHES}])",
        _day,
    ),
    (rf"{_WHICH} (?P<what>hafta|oy|yil|ҳафта|ой|йил)(?:da|да)?", _period),
    (
        rf"{_COUNT} {_UNIT}(?:(?:dan|дан) (?:keyin|so{_TICK}ng|кейин|сўнг)|(?P<ago> (?:oldin|avval|олдин|аввал)))",
        _distance,
    ),
)
"""Whole words that name a day, and the function that puts a date for them."""
VAGUE: Final = r"(?:ertangi|bugungi|kechagi|эртанги|бугунги|кечаги)\w*|(?:kecha|bugun|кеча|бугун)dan\b|yaqinda|яқинда"
"""A pattern of words for a time that no date can replace."""
