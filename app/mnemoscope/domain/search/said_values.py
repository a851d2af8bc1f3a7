"""Reads values in the forms in which people write them: a time of day (`4 pm`, 16:00, 下午四点), a day in short (14/09,
3.08), a length of time or another measure (36 months are 3 years, 0.05 mg are 50 micrograms).

Each value comes with every form under which it may come back. Texts are in English, Russian, Chinese, or Uzbek in
either alphabet, and their numerals are digits already.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from mnemoscope.domain.search.days import MONTH_NAME
from mnemoscope.domain.text.characters import APOSTROPHES, HAN, SPACELESS
from mnemoscope.domain.text.lazy_pattern import LazyPattern
from mnemoscope.domain.text.numerals import HALF, IN_A_WORD, chinese_digits, with_digits


class SaidValue(NamedTuple):
    """Describes a value of a text: the number as it is written, "" where it is none, and further forms."""

    number: str
    forms: tuple[str, ...]


_END: Final = r"(?![^\W_])"
_LETTER: Final = rf"[^\W\d{SPACELESS}]"
"""A letter that is part of what stands beside it; Chinese stands there without a space."""
_HALF: Final = re.compile(rf"(?<![\d.,])(\d+) (?:{HALF}){_END}", re.IGNORECASE)
_NTH: Final = re.compile(rf"(?<=\d)-?(?:i?nchi|и?нчи)(?:si)?{_END}", re.IGNORECASE)
_OF_HUNDRED: Final = re.compile(r"百分之(\d+(?:\.\d+)?)")
_COUNTED: Final = "盆棵颗瓶杯碗支粒枚匹艘架件把箱包袋双片头群株套条只名位间栋层"
"""Words of Chinese that stand between a number and what is counted."""
_COUNT: Final = re.compile(rf"([两二三四五六七八九十])(?=[{_COUNTED}])")
_COUNT_WORD: Final = re.compile(
    rf"(?<=\d)(?:[{_COUNTED}个台本张]|[ -]?(?:ta|tasi|nafar|dona|та|таси|нафар|дона){_END})"
)
_TIMES: Final = {"twice": "2", "thrice": "3", "дважды": "2", "трижды": "3", "четырежды": "4"}
_ADVERB: Final = re.compile(rf"\b(?:{'|'.join(_TIMES)})\b", re.IGNORECASE)
_COUNTED_IN_WORDS: Final = {
    "летн": "лет", "дневн": "дней", "недельн": "недель", "месячн": "месяцев", "часов": "часов", "минутн": "минут",
    "килограммов": "килограммов", "литров": "литров", "метров": "метров", "комнатн": "комнат", "этажн": "этажей",
    "местн": "мест", "кратн": "раз", "разов": "раз",
}  # fmt: skip
_EACH: Final = {"дневн": "день", "недельн": "неделя", "месячн": "месяц", "годн": "год"}
_EACH_IN_ONE: Final = re.compile(rf"\bеже({'|'.join(_EACH)})\w+", re.IGNORECASE)
_COMPOUND: Final = LazyPattern(
    rf"\b({IN_A_WORD})({'|'.join(_COUNTED_IN_WORDS)})(?:ый|ий|ая|яя|ое|ее|ого|его|ому|ему|ую|юю|ой|ей|"
    r"ым|им|ом|ем|ые|ие|ых|их|ыми|ими)\b",
    re.IGNORECASE,
)
"""A Russian word with a number in it, as `семилетний`."""

_DAY: Final = r"\d{1,2}\s?(?:st|nd|rd|th)?(?:-?(?:го|е))?"
_AND: Final = "-|–|—|to|till|until|and|по|до|и|dan|дан|va|ва"
_DAYS_BEFORE_MONTH: Final = LazyPattern(
    rf"(?<![\d.:/])(?P<first>\d{{1,2}})(?:st|nd|rd|th|-?го|-?е)?\s?(?:{_AND})\s?"
    rf"(?=(?:the )?{_DAY}(?: of)?[\s-]?(?P<month>{MONTH_NAME}){_END})",
    re.IGNORECASE,
)
"""The first of two days whose month is named after the second alone."""
_DAYS_AFTER_MONTH: Final = LazyPattern(
    rf"(?P<month>\b{MONTH_NAME} |\d{{1,2}}月)(?P<first>\d{{1,2}}(?:[日号]|st|nd|rd|th)?)"
    rf"\s?(?:-|–|—|~|to|until|till|and|到|至|和)\s?"
    r"(?=\d{1,2}(?![\d:.月]))",
    re.IGNORECASE,
)
MONTH_WORD: Final = LazyPattern(rf"(?<![^\W_]){MONTH_NAME}\.?{_END}", re.IGNORECASE)
_MONTH_OF_YEAR: Final = re.compile(r"(?<![\d./])(0?[1-9]|1[0-2])[./](?:19|20)\d\d(?![\d./])")
_SHORT_DAY: Final = re.compile(rf"(?<![\d./,:+])(?<!{_LETTER})(\d{{1,2}})([./])(\d{{1,2}})(?![\d/%]|{_LETTER}|[.,:]\d)")
_LAST_DAY: Final = 31
_LAST_MONTH: Final = 12

_MORNING: Final = "утра|утром|ertalab(?:ki)?|эрталаб(?:ки)?|tong(?:da|gi)|тонг(?:да|ги)|早上|上午|清晨|早晨"
_AFTERNOON: Final = (
    "дня|вечера|вечером|kunduzi|tushdan keyin|kechki|kechqurun(?:gi)?|кундузи|тушдан кейин|кечки|кечқурун(?:ги)?"
    "|下午|傍晚"
)
_NIGHT: Final = "ночи|ночью|kechasi|tungi|tunda|кечаси|тунги|тунда|凌晨|半夜|夜里|深夜|晚上?"
_BEFORE: Final = rf"(?:(?P<morning>{_MORNING})|(?P<afternoon>{_AFTERNOON})|(?P<night>{_NIGHT}))\s?"
_AFTER: Final = (
    r"\s?(?:(?P<am>a\.?m\b\.?|утра\b|in the morning\b|ertalab\b|эрталаб\b)"
    r"|(?P<pm>p\.?m\b\.?|дня\b|вечера\b|in the (?:afternoon|evening)\b|kechqurun\b|кечқурун\b)"
    r"|(?P<late>ночи\b|at night\b))"
)
_HOUR: Final = "[01]?[0-9]|2[0-4]"
_COUNTED_BEHIND: Final = rf"[{_COUNTED}个人页块元年月日天点米克岁次遍]"
"""A unit or a counted thing behind two digits that follow an hour: they count it, and are no minutes."""
_CLOCK: Final = LazyPattern(
    rf"(?<![\d.,:/-])(?:{_BEFORE})?(?P<at>(?:soat|соат|в|к|с|до|после)\s)?"
    rf"(?:(?P<hour>{_HOUR})(?P<point>[:.：])(?P<minutes>[0-5]\d)(?![\d%]|{_LETTER}|[:.,/]\d)|(?P<whole>{_HOUR})(?!\d|[.,:/]\d))"
    rf"(?P<oclock>\s?(?:点钟?(?:(?P<half>半)|(?P<rest>[0-5]?\d(?=分)|[0-5]\d(?![\d.,:%]|{_COUNTED_BEHIND}))分?)?"
    r"|час(?:а|ов)?(?!\w)|o['’]clock))?"
    rf"(?:-?\s?(?:da|ga|dan|gacha|да|га|дан|гача){_END})?(?:{_AFTER})?",
    re.IGNORECASE,
)
_LENGTH: Final = re.compile(r"(?<![\d.,:])(\d{1,2}):([0-5]\d):([0-5]\d)(?![\d:])")
_NOON: Final = 12

_TABLE: Final = r"""
    g 0.000001 mcg|µg|μg|мкг|micrograms?|микрограмм\w*|mikrogramm\w*|微克
    g 0.001 mg|мг|milligram(?:me)?s?|миллиграмм\w*|milligramm\w*|毫克
    g 1000 kg|кг|kilos?|kilogram(?:me)?s?|кило|килограмм\w*|kilogramm\w*|公斤|千克
    g 1 g|г|гр|grams?|грамм\w*|gramm\w*|克
    g 500 斤
    g 1000000 tonnes?|тонн\w*|tonna\w*|吨
    m 0.001 mm|мм|毫米
    m 0.01 cm|см|centimet(?:re|er)s?|сантиметр\w*|santimetr\w*|厘米|公分
    m 1000 km|км|kilomet(?:re|er)s?|километр\w*|kilometr\w*|公里|千米
    m 1 m|м|met(?:re|er)s?|метр\w*|metr\w*|米
    l 0.001 ml|мл|millilit(?:re|er)s?|миллилитр\w*|毫升
    l 1 l|л|lit(?:re|er)s?|литр\w*|litr\w*|升
    byte 1000 kb|кб|kilobytes?|килобайт\w*|kilobayt\w*
    byte 1000000 mb|мб|megabytes?|мегабайт\w*|megabayt\w*
    byte 1000000000 gb|гб|gigabytes?|гигабайт\w*|gigabayt\w*
    byte 1000000000000 tb|тб|terabytes?|терабайт\w*|terabayt\w*
    bit 1000000 mbit(?:/s)?|mbps|мбит(?:/с)?|megabits?|мегабит\w*|megabit\w*|兆
    bit 1000000000 gbit(?:/s)?|gbps|гбит(?:/с)?|gigabits?|гигабит\w*|gigabit\w*
    s 1 s|secs?|seconds?|сек|секунд\w*|soniya\w*|сония\w*|秒钟?
    s 60 mins?|minutes?|мин|минут\w*|minut\w*|daqiqa\w*|дақиқа\w*|分钟
    s 3600 h|hrs?|hours?|ч|час(?:а|ов)?|soat\w*|соат\w*|个?小时
    s 86400 days?|день|дня|дней|kun(?:lik|ga|da|dan)?|кун(?:лик|га|да|дан)?|天
    s 604800 weeks?|недел\w*|hafta\w*|ҳафта\w*|个?星期|周
    month 1 months?|мес|месяц\w*|oy(?:lik|ga|da|dan|i)?|ой(?:лик|га|да|дан|и)?|个月
    month 12 years?|yrs?|год(?:а|у|ом)?|лет|yil(?:lik|ga|da|dan|i)?|йил(?:лик|га|да|дан|и)?|yosh\w*|ёш\w*|岁
    percent 1 %|percent|per\ cent|процент\w*|foiz\w*|фоиз\w*
    times 1 times|раза?|marta|mahal|marotaba|марта|маҳал|маротаба|[次遍]
    usd 1 usd|dollars?|доллар\w*|dollar\w*|美元|美金
    eur 1 eur|euros?|евро|yevro|欧元
    gbp 1 gbp|pounds?|фунт\w*|funt\w*|英镑
    rub 1 rub|руб(?:л\w*)?|rubl\w*|卢布
    uzs 1 uzs|so'?m(?:ga|dan|lik|ni)?|сўм(?:га|дан|лик|ни)?|сум(?:ов|а)?
    cny 1 cny|rmb|yuan|юан\w*|元|块钱?|人民币
"""
"""Units: what they measure, how much of it, and the words for them."""
_UNITS: Final = [
    (measured, float(size), words.replace("'", f"[{APOSTROPHES}`]"))
    for measured, size, words in (line.split(None, 2) for line in _TABLE.strip().splitlines())
]
_NUMBER: Final = r"(?<![\w.,:/])(?P<number>\d+(?:[.,]\d+)*)"
_MEASURE: Final = LazyPattern(
    rf"{_NUMBER}[\s-]?(?:{'|'.join(f'(?P<u{place}>{words})' for place, (_, _, words) in enumerate(_UNITS))})"
    rf"(?:(?<=[%{HAN}])|{_END})",
    re.IGNORECASE,
)
_BETWEEN_MEASURES: Final = re.compile(r",?\s*(?:(?:and|и|va|ва)\s)?\Z|\Z")
_YEARS: Final = range(1900, 2100)


def in_plain_numbers(text: str) -> str:
    """Returns a text, of which the numerals are digits, with a half in digits too, numbers out of words that have one
    in them, and the month after each of two days that share it."""
    text = _NTH.sub("", text)
    text = _HALF.sub(r"\1.5", _OF_HUNDRED.sub(r"\1%", text))
    text = _COUNT.sub(lambda found: chinese_digits(found[0]), text)
    text = _ADVERB.sub(lambda found: f"{_TIMES[found[0].casefold()]} times", text)
    text = _COMPOUND.sub(_counted, text)
    text = _EACH_IN_ONE.sub(lambda found: f"каждый {_EACH[found[1].casefold()]}", text)
    text = _DAYS_BEFORE_MONTH.sub(r"\g<first> \g<month>, ", text)
    return _DAYS_AFTER_MONTH.sub(r"\g<month>\g<first>, \g<month>", text)


def short_days(text: str) -> tuple[list[SaidValue], str]:
    """Returns the days that a text names in figures without a year, and its months of a year, and the text without
    them."""
    found: list[SaidValue] = []

    def month(match: re.Match[str]) -> str:
        found.append(SaidValue("", (f"day {int(match[1]):02}",)))
        return " "

    def day(match: re.Match[str]) -> str:
        one, other = int(match[1]), int(match[3])
        pairs = [(one, other), (other, one)] if match[2] == "/" else [(one, other)]
        days = [f"day {month:02}{day:02}" for day, month in pairs if _is_day(day, month)]
        if not days or (match[2] == "." and len(match[3]) == 1):
            return match[0]
        times = _times(match) if match[2] == "." else []
        found.append(SaidValue(match[0] if match[2] == "." else "", (*dict.fromkeys(days), *times)))
        return " "

    return found, _SHORT_DAY.sub(day, _MONTH_OF_YEAR.sub(month, text))


def _is_day(day: int, month: int) -> bool:
    return 1 <= day <= _LAST_DAY and 1 <= month <= _LAST_MONTH


def _times(match: re.Match[str]) -> list[str]:
    """Returns the times of day that figures with a point between them may be."""
    return [f"time {int(match[1]):02}:{match[3]}"] if int(match[1]) < 24 and int(match[3]) < 60 else []


def times_of_day(text: str) -> tuple[list[SaidValue], str]:
    """Returns the times of day that a text names, and the text without them. One of which the half of the day is not
    told is either of two."""
    found: list[SaidValue] = []

    def read(match: re.Match[str]) -> str:
        value = _time(match)
        found.extend([value] if value is not None else [])
        return match[0] if value is None else " "

    return found, _CLOCK.sub(read, text)


def _time(match: re.Match[str]) -> SaidValue | None:
    said = {name: each for name, each in match.groupdict().items() if each}
    of_half = [name for name in said if name in _HALVES]
    if not of_half and not _is_said_as_hour(said) and ("whole" in said or _may_be_decimal(match)):
        return None
    hour = int(said.get("hour", said.get("whole", "")))
    minutes = int(said.get("minutes", said.get("rest", "30" if "half" in said else "0")))
    hours = [_HALVES[of_half[0]](hour)] if of_half else _either_half(hour, said.get("hour", ""))
    number = said["hour"] + said["point"] + said["minutes"] if "hour" in said else ""
    return SaidValue(number, tuple(f"time {each % 24:02}:{minutes:02}" for each in hours))


def _is_said_as_hour(said: dict[str, str]) -> bool:
    at = said.get("at", "").strip().casefold()
    # Two hours are no time of day, but at two they are one.
    return (
        at in ("soat", "соат") or (at != "" and "oclock" in said) or said.get("oclock", "").strip()[:1] in ("点", "o")
    )


def _may_be_decimal(match: re.Match[str]) -> bool:
    """Returns whether figures with a full stop between them are rather a number: 2.25 metres, or 0.05."""
    if match["point"] != "." or match["at"]:
        return False
    return match["hour"] == "0" or int(match["minutes"]) % 5 > 0 or match.string[match.end() :].lstrip()[:1].isalpha()


def _either_half(hour: int, written: str) -> list[int]:
    return [hour] if hour > _NOON or written.startswith("0") else [hour, hour + _NOON]


def _of_morning(hour: int) -> int:
    return hour % _NOON


def _of_afternoon(hour: int) -> int:
    return hour % _NOON + _NOON


def _of_night(hour: int) -> int:
    return hour % _NOON + (_NOON if _EVENING <= hour < _NOON else 0)


_EVENING: Final = 6
"""From this hour on what is said to be at night is before midnight."""
_HALVES: Final[dict[str, Callable[[int], int]]] = {
    "morning": _of_morning, "am": _of_morning, "afternoon": _of_afternoon, "pm": _of_afternoon, "night": _of_night,
    "late": _of_night,
}  # fmt: skip


def measures(text: str) -> tuple[list[SaidValue], str]:
    """Returns the measures of a text, those that follow each other as one, as `1 h 52 min`, and the text without
    them and without the words that only count."""
    found: list[SaidValue] = []

    def length(match: re.Match[str]) -> str:
        seconds = int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3])
        found.append(SaidValue(match[0], (f"measure s {seconds}",)))
        return " "

    text = _LENGTH.sub(length, text)
    rest: list[str] = []
    end = 0
    sum_of_last: tuple[str, float] | None = None
    for match in _MEASURE.finditer(text):
        measured, size = _measured(match)
        if measured == "month" and match["number"].isdigit() and int(match["number"]) in _YEARS:
            continue
        between = text[end : match.start()]
        if sum_of_last and sum_of_last[0] == measured == "s" and _BETWEEN_MEASURES.match(between):
            size += sum_of_last[1]
            found[-1] = SaidValue("", (f"measure {measured} {size:.6g}",))
        else:
            found.append(SaidValue(match["number"], (f"measure {measured} {size:.6g}",)))
        sum_of_last = measured, size
        rest += between, " "
        end = match.end()
    return found, _COUNT_WORD.sub(" ", "".join((*rest, text[end:])))


def _measured(match: re.Match[str]) -> tuple[str, float]:
    # No unit has a group within it, so the last one that matched is the unit's.
    measured, size, _ = _UNITS[int(str(match.lastgroup).removeprefix("u"))]
    return measured, size * _size(match["number"])


def _size(number: str) -> float:
    # Three figures behind a point are a group of thousands, but not behind a nought: 0.125.
    plain = number if number.startswith("0") else re.sub(r"[,.](?=\d{3}(?:\D|\Z))", "", number)
    whole, _, part = plain.replace(",", ".").partition(".")
    return float(f"{whole}.{part.replace('.', '')}")


def _counted(match: re.Match[str]) -> str:
    return f"{with_digits(match[1])} {_COUNTED_IN_WORDS[match[2].casefold()]}"
