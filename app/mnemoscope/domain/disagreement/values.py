"""The values in a folded fact: times, days, months, years, shares and counts, however they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from mnemoscope.domain.text import numerals

TIME, DATE, MONTH, YEAR, WEEKDAY, SHARE, COUNT = "time", "date", "month", "year", "weekday", "share", "count"
PHONE: Final = "phone"
_MONTHS: Final = (
    "jan(?:uary)?|январ[ья]|yanvar|1月",
    "feb(?:ruary)?|феврал[ья]|fevral|2月",
    "mar(?:ch)?|марта?|mart|3月",
    "apr(?:il)?|апрел[ья]|aprel|4月",
    "may|ма[йя]|5月",
    "june?|июн[ья]|iyun|6月",
    "july?|июл[ья]|iyul|7月",
    "aug(?:ust)?|августа?|avgust|8月",
    "sept?(?:ember)?|сентябр[ья]|sentyabr|9月",
    "oct(?:ober)?|октябр[ья]|oktyabr|10月",
    "nov(?:ember)?|ноябр[ья]|noyabr|11月",
    "dec(?:ember)?|декабр[ья]|dekabr|12月",
)
_WEEKDAYS: Final = (
    "mondays?|понедельник(?:ам)?|dushanba|(?:周|星期|礼拜)一",
    "tuesdays?|вторник(?:ам)?|seshanba|(?:周|星期|礼拜)二",
    "wednesdays?|сред[уам]{1,2}|chorshanba|(?:周|星期|礼拜)三",
    "thursdays?|четверг(?:ам)?|payshanba|(?:周|星期|礼拜)四",
    "fridays?|пятниц[уам]{1,2}|juma|(?:周|星期|礼拜)五",
    "saturdays?|суббот[уам]{1,2}|shanba|(?:周|星期|礼拜)六",
    "sundays?|воскресень(?:е|ям)|yakshanba|(?:周|星期|礼拜)[日天]",
)
_UZBEK_CASE: Final = r"(?:da|ga|dan|ni|ning|gacha|lari|si)?"
_MONTH: Final = "|".join(f"(?P<m{number}>{names}){_UZBEK_CASE}" for number, names in enumerate(_MONTHS, 1))
_MONTH_WORD: Final = re.compile(rf"(?<![a-zа-я])(?:{_MONTH})(?![a-zа-я])")
_DAY_BEFORE: Final = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|-?го|-?е)?[ -]*(?:of |- ?)?\Z")
_DAY_AFTER: Final = re.compile(r"\A[ ,]*(?:the )?(\d{1,2})(?:st|nd|rd|th|日|号)?(?![\d:])")
_NUMERIC_DATE: Final = re.compile(
    r"(?<!\d)(?:(?P<year>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d)|(?P<d2>\d{1,2})[./](?P<m2>\d{1,2})[./](?:19|20)?\d\d)(?!\d)"
)
_WEEKDAY: Final = re.compile("|".join(
    rf"(?<![a-zа-я])(?P<w{number}>{names})(?:si)?{_UZBEK_CASE}(?![a-zа-я])" for number, names in enumerate(_WEEKDAYS, 1)
))  # fmt: skip
_WEEKDAY_OF_DATE: Final = re.compile(rf"(?<![a-zа-я])(?:{'|'.join(_WEEKDAYS)})[ ,]*\Z")
"""A weekday right before a date only tells which day that is: it is none on which something is done each week."""
_CLOCK: Final = re.compile(
    r"(?P<part>下午|晚上|傍晚|上午|早上|凌晨)?(?<!\d)(?P<hour>[01]?\d|2[0-4])(?:[:：](?P<minute>[0-5]\d)"
    r"|点(?P<zh>半|[0-5]?\d分?)?钟?)"
    r"(?!\d)(?: ?(?P<half>[ap])\.?m\b)?"
    r"|(?<!\d)(?P<hour2>1[0-2]|0?[1-9]) ?(?P<half2>[ap])\.? ?m\b"
    r"|(?:\bat|\bby|\buntil|\btill|\bsoat|\bв|\bк|\bдо) (?P<hour3>1\d|2[0-4]|\d)"
    r"(?:(?:da|ga|dan|gacha)(?= |[.,;]|\Z)|(?: час\w*)?(?= |[.,;]|\Z)(?! ?[%$€£])(?! [a-z]{4}))"
)
_YEAR: Final = re.compile(
    r"(?<![\d$€£])((?:19|20)\d\d)(?!\d)(?! ?(?:[$€£元块万]|eur|usd|руб|som|dollar|pound|ming|тыс|kcal|steps))"
)
_PHONE: Final = re.compile(
    r"(?<![\w.,-])(?:\+\d{1,3}[ -]?(?:\(\d{2,4}\)|\d{2,4})(?:[ -]?\d{2,4}){2,4}"
    r"|\d{3,4}-(?:\d{4}|\d{2}-\d{2}|\d{3}-\d{2,4})(?:-\d{2,4})?)(?![\w.,-]\w|\w)"
)
"""A telephone number: with its country, or in groups with hyphens between them."""
_SHARE: Final = re.compile(r"(?<!\d)(\d+(?:[.,]\d+)?) ?(?:%|percent|процент\w*|foiz\w*)")
_COUNT: Final = re.compile(
    r"(?<![a-zа-я\d.])(\d+(?:[ .,]\d{3})*(?:[.,]\d+)?)"
    r"(?:-?(?:th|st|nd|rd|i?nchi|ta|tasi|е)| ta(?= [a-z]))?\s*(°?[^\W\d_]*)"
)
_SIGN_BEFORE: Final = re.compile(r"[$£€¥₽]\s*\Z")
_MONEY: Final = re.compile(
    r"\s*(?:тыс\w*\.? |ming |млн |million )?(?:[$£€¥₽元块]|(?:p|pence|euros?|eur|dollars?|usd|pounds?|gbp|руб\w*|quid"
    r"|pcm|monthly|weekly|yearly|р|uzs)\b|so['`]?m\w*|sum\b|сум\w*)"
)
"""A currency, or a period such as "monthly", behind a number: the number is an amount of money."""
NUMBER_OF_NAME: Final = "#"
"""The unit of a number that only tells one of its kind from others: "room 5", "invoice 12"."""
_NUMBERED: Final = re.compile(
    r"(?<![^\W\d_])(?!(?:is|are|be|been|was|were|about|around|than|least|most|costs?|to|now|стоит|теперь|за|turadi|boldi)\b)"
    r"[^\W\d_]+[ №#]*\Z"
)
_ROUND: Final = re.compile(r"\d+00")
"""A round number is an amount, and no name."""
_DIGITS: Final = re.compile(r"[\d ]*\d")
_TIMES: Final = (
    ("0:00", re.compile(r"\b(?:midnight|полноч[ьи]|yarim tun)")),
    ("12:00", re.compile(r"\b(?:noon|полдень)\b")),
)
_CLOCK_WORDS: Final = tuple(
    (re.compile(pattern), time)
    for pattern, time in (
        (r"\bhalf[ -](?:past )?(\d{1,2})\b(?! (?:an?|hours?)\b)", r"\1:30"),
        (r"\b(?:a )?quarter (?:past|after) (\d{1,2})\b", r"\1:15"),
        (r"(?<=\d)点过?[一1]刻", "点15分"),
        (r"(?<=\d)点过?[三3]刻", "点45分"),
        (r"\b(\d{1,2}) yarim(?:da|ga|dan)?\b", r"\1:30"),
        (r"\b(?<!soat )(?=\d{1,2}(?:gacha|da|dan) (?:ishla|yopil|ochil|boshlan|tuga))", "soat "),
        (r"\b(ertalab|tonggi|kunduzi|tungi|kechasi) (?=\d{1,2}(?:da|ga|dan)\b)", r"\1 soat "),
        (r"\bkechqurun (?:soat )?(\d{1,2})(?:da|ga|dan)\b", r"\1 pm"),
    )
)
"""Times of day in words, with their numerals as digits, under the form in which they are read."""
_MINUTES: Final = {
    "quarter": 15, "четверти": 15, "четверть": 15, "chorak": 15, "一刻": 15, "五": 5, "十": 10, "二十": 20,
    "пяти": 5, "десяти": 10, "пятнадцати": 15, "двадцати": 20, "двадцати пяти": 25,
    "пять": 5, "десять": 10, "пятнадцать": 15, "двадцать": 20, "двадцать пять": 25,
}  # fmt: skip
"""Words for the minutes before or behind an hour."""
_RUSSIAN_HOURS: Final = ("час", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять", "десять",
                         "одиннадцать", "двенадцать")  # fmt: skip
_NTH_HOUR: Final = (
    rf"(?P<hour>{'|'.join(numerals.RUSSIAN_ORDINALS)})(?:ого|ьего)\b"
    r"(?! (?:янв|фев|март|апр|мая|июн|июл|авг|сент|окт|ноя|дек|числ|класс|курс|семестр|этаж|раздел|том))"
)
_RUSSIAN_CLOCK: Final = (
    (re.compile(rf"\bпол(?:овин[аеу] )?{_NTH_HOUR}"), -1),
    (re.compile(rf"\b(?P<minutes>четверть) {_NTH_HOUR}"), -1),
    (re.compile(rf"\b(?P<minutes>\d{{1,2}}|двадцать пять|пять|десять|пятнадцать|двадцать) минут {_NTH_HOUR}"), -1),
    (
        re.compile(
            r"\bбез (?P<before>\d{1,2}|четверти|двадцати пяти|пяти|десяти|пятнадцати|двадцати)(?: минут)? "
            rf"(?P<hour>\d{{1,2}}|{'|'.join(_RUSSIAN_HOURS)})\b"
        ),
        0,
    ),
)
"""Times of day of which Russian names the hour that is not over yet, with what is added to the hour they name: in
`четверть седьмого` it is the seventh that runs, and in `без четверти семь` seven is still to come."""
_BEFORE_HOUR: Final = tuple(map(re.compile, (
    r"\b(?:a )?(?P<before>quarter) (?:to|before) (?P<hour>1[0-2]|[1-9])\b",
    # "10 to 4" alone is from ten to four.
    r"(?:(?<=\bat )|(?<=\bby ))(?P<before>5|10|20|25) (?:minutes )?(?:to|before) (?P<hour>1[0-2]|[1-9])\b",
    r"\b(?P<minutes>5|10|20|25) (?:minutes )?past (?P<hour>1[0-2]|[1-9])\b",
    r"\b(?P<hour>1[0-2]|[1-9])ga (?P<before>chorak|\d{1,2} daqiqa) (?:qol\w+|kam\w*)",
    r"\b(?P<hour>1[0-2]|[1-9])dan (?P<minutes>chorak|\d{1,2} daqiqa) ot\w+",
    r"差(?P<before>一刻|二?十|五|\d{1,2})分?钟?(?:到)?(?P<hour>1[0-2]|[1-9])点",
)))  # fmt: skip
"""Times of day told by the minutes before or behind an hour, with their numerals as digits."""


@dataclass(frozen=True, slots=True)
class Value:
    """Describes one value of a fact: its kind, what it is, for a count the word of what is counted,
    and whether that is money."""

    kind: str
    value: str
    unit: str = ""
    is_money: bool = False


def with_values_in_digits(folded: str, language: str) -> str:
    """Returns the text with its numerals, times in words and ordinals as digits: `ikki`, `两` and `двух` are 2."""
    for time, pattern in _TIMES:
        folded = pattern.sub(time, folded)
    if language == "ru":
        for pattern, hours in _RUSSIAN_CLOCK:
            folded = pattern.sub(partial(_minutes_of_hour, hours), folded)
    folded = numerals.with_ordinals(folded, marked=True)
    folded = numerals.with_digits(folded, is_uzbek=language == "uz")
    for pattern in _BEFORE_HOUR:
        folded = pattern.sub(partial(_minutes_of_hour, 0), folded)
    for pattern, time in _CLOCK_WORDS:
        folded = pattern.sub(time, folded)
    return folded


def _minutes_of_hour(hours: int, found: re.Match[str]) -> str:
    """Returns a time that is told by the minutes before or behind an hour, or by the half of one, with `hours` added to
    the hour that is named."""
    said = found.groupdict()
    hour = _hour(said["hour"]) + hours
    if said.get("before"):
        hour, minute = hour - 1, 60 - _minutes(said["before"])
    else:
        minute = _minutes(said["minutes"]) if said.get("minutes") else 30
    return f"{hour if hour > 0 else hour + 12}:{minute:02}" if 0 <= minute < 60 else found[0]


def _hour(word: str) -> int:
    if word.isdigit():
        return int(word)
    return _RUSSIAN_HOURS.index(word) + 1 if word in _RUSSIAN_HOURS else numerals.ORDINAL_NUMBERS[word]


def _minutes(words: str) -> int:
    count = words.partition(" ")[0]
    return int(count) if count.isdigit() else _MINUTES[words]


def values_in(text: str) -> tuple[list[Value], str]:
    """Returns the values of a text that `with_values_in_digits` returned, and the text without them."""
    found: list[Value] = []
    text = _take(_NUMERIC_DATE, text, found, _numeric_date)
    text = _take(_PHONE, text, found, lambda match: Value(PHONE, re.sub(r"[^+\d]", "", match[0])))
    text = _take_months(text, found)
    text = _take(_CLOCK, text, found, _clock)
    text = _take(_WEEKDAY, text, found, lambda match: Value(WEEKDAY, match.lastgroup or ""))
    text = _take(_SHARE, text, found, lambda match: Value(SHARE, match[1].replace(",", ".")))
    text = _take(_YEAR, text, found, lambda match: Value(YEAR, match[1]))
    found += _counts(text)
    return found, _DIGITS.sub(" ", text)


def _take(pattern: re.Pattern[str], text: str, found: list[Value], value: Callable[[re.Match[str]], Value]) -> str:
    found += map(value, pattern.finditer(text))
    return pattern.sub(" ", text)


def _numeric_date(match: re.Match[str]) -> Value:
    day, month = (match["d"], match["m"]) if match["d"] else (match["d2"], match["m2"])
    return Value(DATE, f"{int(month)}-{int(day)}")


def _take_months(text: str, found: list[Value]) -> str:
    """Takes months with their day, if one stands beside them."""
    at = 0
    while (match := _MONTH_WORD.search(text, at)) is not None:
        month = (match.lastgroup or "m0")[1:]
        before, after = _DAY_BEFORE.search(text[: match.start()]), _DAY_AFTER.match(text[match.end() :])
        if (
            match[0] == "may"
            and before is None
            and after is None
            and not re.search(r"\b(?:in|since|until|last|of) \Z", text[: match.start()])
        ):
            at = match.end()
            continue
        day = before or after
        found.append(Value(DATE, f"{month}-{int(day[1])}") if day else Value(MONTH, month))
        start = before.start() if before else match.start()
        if day and (weekday := _WEEKDAY_OF_DATE.search(text[:start])) is not None:
            start = weekday.start()
        stop = match.end() + (after.end() if after and not before else 0)
        text, at = f"{text[:start]} {text[stop:]}", start
    return text


def _clock(match: re.Match[str]) -> Value:
    hour = int(match["hour"] or match["hour2"] or match["hour3"])
    minute = match["minute"] or {"半": "30"}.get(match["zh"] or "", (match["zh"] or "0").rstrip("分"))
    half = match["half"] or match["half2"]
    if hour < 12 and (half == "p" or match["part"] in ("下午", "晚上", "傍晚")):
        hour += 12
    return Value(TIME, f"{hour}:{int(minute or 0):02}")


def _counts(text: str) -> Iterator[Value]:
    for match in _COUNT.finditer(text):
        number = re.sub(r"[ .,](?=\d{3}(?!\d))", "", match[1]).replace(",", ".")
        before = text[: match.start()]
        is_named = not match[2] and not _ROUND.fullmatch(number) and _NUMBERED.search(before) is not None
        is_money = _SIGN_BEFORE.search(before) is not None or _MONEY.match(text, match.end(1)) is not None
        yield Value(COUNT, number, NUMBER_OF_NAME if is_named else match[2], is_money)
