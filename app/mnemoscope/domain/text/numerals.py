"""Numbers that are written in words become digits, so that "three thousand", `uch ming` and `3千` are all 3000.

It reads English, Russian, Uzbek in both alphabets, and Chinese: from one to billions, words and digits mixed.
"""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.text.characters import APOSTROPHE_OR_BACKTICK, APOSTROPHES
from mnemoscope.domain.text.lazy_pattern import LazyPattern

_TABLE: Final = """
    1 one один одна одно одного одной одну одному bir bitta бир битта
    1.5 полтора полторы полутора
    2 two два две двух двум двумя двое двоих ikki икки
    3 three три трех трем тремя трое троих uch уч
    4 four четыре четырех четырьмя четверо четверых tort тўрт
    5 five пять пяти пятью пятеро пятерых besh беш
    6 six шесть шести шестью шестеро olti олти
    7 seven семь семи семью семеро yetti етти
    8 eight восемь восьми sakkiz саккиз
    9 nine девять девяти toqqiz тўққиз
    10 ten десять десяти on ўн
    11 eleven одиннадцать одиннадцати
    12 twelve двенадцать двенадцати
    13 thirteen тринадцать тринадцати
    14 fourteen четырнадцать четырнадцати
    15 fifteen пятнадцать пятнадцати
    16 sixteen шестнадцать шестнадцати
    17 seventeen семнадцать семнадцати
    18 eighteen восемнадцать восемнадцати
    19 nineteen девятнадцать девятнадцати
    20 twenty двадцать двадцати yigirma йигирма
    30 thirty тридцать тридцати ottiz ўттиз
    40 forty сорок сорока qirq қирқ
    50 fifty пятьдесят пятидесяти ellik эллик
    60 sixty шестьдесят шестидесяти oltmish олтмиш
    70 seventy семьдесят семидесяти yetmish етмиш
    80 eighty восемьдесят восьмидесяти sakson саксон
    90 ninety девяносто девяноста toqson тўқсон
    100 hundred сто ста yuz юз
    200 двести двухсот
    300 триста трехсот
    400 четыреста четырехсот
    500 пятьсот пятисот
    600 шестьсот шестисот
    700 семьсот семисот
    800 восемьсот восьмисот
    900 девятьсот девятисот
    1000 thousand grand тысяча тысячи тысяч тысячу тыс ming минг
    1000000 million mln миллион миллиона миллионов млн
    1000000000 billion bn миллиард миллиарда миллиардов млрд milliard
"""
"""Numbers and the words for them. Uzbek ones stand without apostrophes."""
_NUMBERS: Final = {form: float(line.split()[0]) for line in _TABLE.strip().splitlines() for form in line.split()[1:]}
_ALSO_WORDS: Final = frozenset(("bir", "on", "yuz", "uch"))
"""Uzbek numerals that are other words elsewhere, or parts of names."""
_MULTIPLIERS: Final = frozenset(("hundred", "yuz", "юз"))
"""Words for a hundred that stand after how many there are; the Russian ones are a word each."""
_TICK: Final = f"[{APOSTROPHES}`]?"
_END: Final = r"(?![^\W_])"
_UZBEK_END: Final = r"(?=(?:ta|tasi|da|ga|dan|i?nchi|yarim|та|таси|да|га|дан|и?нчи)?(?![^\W_]))"
HALF: Final = "and a half|с половиной|yarim|ярим"
"""Words that add a half to the number before them, where a word for thousands or more stands after them."""
_PIECES: Final = re.compile(r"\s+|-")


def _either(words: list[str]) -> str:
    """Returns a pattern of any of these, as they are written: with or without the apostrophe of o', with ё or е."""
    return "|".join(
        re.sub("^(o|t|to)(?=[nrtq])", lambda found: found[1] + (_TICK if found[1] != "t" else ""), word).replace(
            "е", "[её]"
        )
        for word in sorted(words, key=len, reverse=True)
    )


IN_A_WORD: Final = _either([word for word, size in _NUMBERS.items() if 1 < size < 1000 and "а" <= word[0] <= "я"])
"""Numerals with which Russian words of other things begin, as `семилетний`: a pattern."""


def _pattern(*, is_uzbek: bool) -> LazyPattern:
    """Returns a pattern of a numeral of one word or several, or of digits with a word for thousands after them."""
    small = [word for word, size in _NUMBERS.items() if size < 1000 and word != "hundred"]
    small = [word for word in small if is_uzbek or word not in _ALSO_WORDS]
    large = [word for word, size in _NUMBERS.items() if size >= 1000 or word in _MULTIPLIERS]
    end = _UZBEK_END if is_uzbek else f"(?:{_END}|(?=(?:ta|tasi|та|таси){_END}))"
    first = rf"(?:{_either(small)}){end}|\d+(?:[.,]\d{{1,2}})?(?= ?(?:(?:{HALF}) )?(?:{_either(large)}){end})"
    first += rf"|(?:тысяч[ау]|миллион){_END}|an?(?= (?:hundred|thousand|million){_END})"
    between = r"(?:[ -]|(?<=\d)|(?:(?<=hundred)|(?<=thousand)|(?<=million)) and )"
    more = rf"(?: (?:{HALF})(?= (?:{_either(large)}){end})|{between}(?:{_either([*small, *large])}){end})"
    unit = r"(?:(?:tasi|ta|таси|та)(?![^\W_]))?"
    # "One of the sons" counts none.
    partly = r"(?!(?:one of|од\w+ из)\b)"
    return LazyPattern(rf"(?<![^\W_])(?<![\d.,]){partly}(?:{first})(?:{more})*{unit}", re.IGNORECASE)


_IN_UZBEK: Final = _pattern(is_uzbek=True)
_ANYWHERE: Final = _pattern(is_uzbek=False)
_SIGNS: Final = {sign: number for number, sign in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_SIZES: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_MEASURES: Final = "个只条位名口岁点号楼层年辆套本台张把间家份天次小公分元块人斤月日周步米度页"
_CHINESE: Final = re.compile(
    rf"(?<![周期拜第一二三四五六七八九十几数])(?:"
    # 二十三, 三千五, 3千, 1.2万
    rf"(?:[一二两三四五六七八九]|\d+(?:\.\d+)?(?=[百千万亿]))[十百千万亿][一二两三四五六七八九零〇十百千万亿]*"
    rf"|十[一二三四五六七八九](?=[{_MEASURES}万])|十万|十(?=[{_MEASURES}])(?!十?分(?!钟))"
    rf"|[一二两三四五六七八九](?=[{_MEASURES}])(?!一[个点]?[样起些])(?![一二三四五六七八九]分)"
    r")(?![几多来])"
)
_ONE_BY_ONE: Final = re.compile("[零〇一二三四五六七八九]{4,}")
"""Digits of a number that is read one by one, as a code or a year is."""
_CHINESE_PART: Final = re.compile(r"\d+(?:\.\d+)?|.")


_ORDINAL_TABLE: Final = """
    first перв; second втор; third трет; fourth четв[её]рт; fifth пят; sixth шест; seventh седьм; eighth восьм;
    ninth девят; tenth десят; eleventh одиннадцат; twelfth двенадцат; thirteenth тринадцат; fourteenth четырнадцат;
    fifteenth пятнадцат; sixteenth шестнадцат; seventeenth семнадцат; eighteenth восемнадцат; nineteenth девятнадцат;
    twentieth двадцат
"""
ENGLISH_ORDINALS, RUSSIAN_ORDINALS = zip(*(pair.split() for pair in _ORDINAL_TABLE.split(";")), strict=True)
"""Ordinals in order, the Russian ones as patterns without their endings."""
_RUSSIAN_END: Final = "ь?(?:[ыои]й|[ое]го|[ое]му|[ыи]м|[ое]м|[ая]я|[ую]ю|ей|[ое]е|я|ю|е|[ыи][ех])"
_COUNTED_OFF: Final = (
    r"(?= (?:[A-Z]|of (?:[A-Z]|jan|feb|mar|apr|may\b|jun|jul|aug|sep|oct|nov|dec)"
    r"|(?:floor|grade|class|place|row|shelf|lane|gate|course|semester|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
    r"|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сент|окт|ноя|дек|числ|класс|курс|этаж|мест))"
)
"""First and second are numbers before what is counted off, or after a month, and not elsewhere: "a second"."""
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_AFTER_MONTH: Final = rf"(?i:{'|'.join(f'(?<={month} the )|(?<={month} )' for month in _MONTHS)})"
_ORDINAL: Final = LazyPattern(
    rf"\b(?:(?P<tens>(?i:twenty|thirty))[ -](?P<unit>{'|'.join(ENGLISH_ORDINALS[:9])})"
    rf"|(?P<tens_ru>(?i:двадцать|тридцать)) (?P<unit_ru>{'|'.join(RUSSIAN_ORDINALS[:9])}){_RUSSIAN_END}"
    rf"|(?P<alone>(?i:{'|'.join(ENGLISH_ORDINALS[2:])}|thirtieth)|(?:first|second){_COUNTED_OFF}"
    rf"|(?=first|second){_AFTER_MONTH}(?:first|second))"
    rf"|(?:(?P<alone_ru>(?i:{'|'.join(RUSSIAN_ORDINALS[2:])}|тридцат)){_RUSSIAN_END}"
    rf"|(?P<low_ru>перв|втор){_RUSSIAN_END}{_COUNTED_OFF}))\b"
)


def with_ordinals(text: str, *, marked: bool = False) -> str:
    """Returns the text with its English and Russian ordinals as digits, as "the ninth of July": `marked` with an ending
    that tells them from amounts, 9th."""
    return _ORDINAL.sub(_marked_ordinal if marked else _ordinal, text)


def _ordinal(found: re.Match[str]) -> str:
    said = [each.casefold().replace("ё", "е") for each in found.groups() if each]
    tens = _NUMBERS[said[0]] if len(said) > 1 else 0
    return _shown(tens + ORDINAL_NUMBERS[said[-1]])


def _marked_ordinal(found: re.Match[str]) -> str:
    return _ordinal(found) + ("th" if found["unit"] or found["alone"] else "-е")


ORDINAL_NUMBERS: Final = {
    word.replace("[её]", "е"): number
    for words in (ENGLISH_ORDINALS, RUSSIAN_ORDINALS)
    for number, word in enumerate(words, 1)
} | {"thirtieth": 30, "тридцат": 30}


def with_digits(text: str, *, is_uzbek: bool = False) -> str:
    """Returns the text with its numerals as digits. A few words are numerals only in a text that is Uzbek."""
    text = _ONE_BY_ONE.sub(lambda found: "".join(str(_SIGNS[sign]) for sign in found[0]), text)
    text = _CHINESE.sub(lambda found: chinese_digits(found[0]), text)
    return (_IN_UZBEK if is_uzbek else _ANYWHERE).sub(_digits, text)


def _digits(found: re.Match[str]) -> str:
    """Returns the numbers of a run of numerals: "twenty two" is one, "two three" are two."""
    numbers: list[float] = []
    whole = part = 0.0
    run = re.sub(HALF, "yarim", found[0], flags=re.IGNORECASE)
    for piece in _PIECES.split(re.sub(r"(?<=\d)(?=[^\W\d_])", " ", run)):
        word = APOSTROPHE_OR_BACKTICK.sub("", piece.casefold()).replace("ё", "е")
        if word == "and":
            continue
        if word == "yarim":
            part += 0.5
            continue
        if word[0].isdigit():
            part = float(word.replace(",", "."))
            continue
        size = 1 if word in ("a", "an") else _NUMBERS.get(word) or _NUMBERS[re.sub("(?:tasi|ta|таси|та)$", "", word)]
        if size >= 1000:
            whole, part = whole + (part or 1) * size, 0
        elif word in _MULTIPLIERS and 0 < part < 10:
            part *= size
        elif part == 0 or (size < 10 <= part and part % 10 == 0) or (size < 100 <= part and part % 100 == 0):
            part += size
        else:
            numbers.append(whole + part)
            whole, part = 0, size
    return " ".join(map(_shown, (*numbers, whole + part)))


def _shown(number: float) -> str:
    return str(int(number)) if number == int(number) else f"{number:g}"


def chinese_digits(numeral: str) -> str:
    """Returns a Chinese numeral as digits, as 三千五."""
    whole = part = digit = 0.0
    last = 1
    for piece in _CHINESE_PART.findall(numeral):
        size = _SIZES.get(piece)
        if size is None:
            digit = float(piece) if piece[0].isdigit() else _SIGNS[piece]
            last = 1 if piece in "零〇" else last
        elif size >= _SIZES["万"]:
            whole, part, digit = (whole + part + digit or 1) * size, 0, 0
            last = size
        else:
            part, digit, last = part + (digit or 1) * size, 0, size
    # 三千五 is 3500: what follows a size without one of its own is a tenth of it.
    return _shown(whole + part + digit * (last // 10 if last > 10 else 1))
