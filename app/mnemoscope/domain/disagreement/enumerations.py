"""Tells lines that say nothing by themselves, and the items of an enumeration, which are about different things.

"Two" after "1. one" is no other value of anything, and what step 1 says is not what step 2 says.
"""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.disagreement.values import values_in

_MEASURES: Final = re.compile(
    r"(?<![^\W\d_])(?:[kcm]?m|[km]?g|m?l|h|hrs?|hours?|mins?|minutes?|secs?|seconds?|[kmgt]b|px|miles?|am|pm|th|st|nd|rd"
    r"|usd|eur|gbp|rub|uzs|dollars?|euros?|pounds?|no|км|[см]?м|к?г|м?л|ч|час\w*|мин\w*|сек\w*|руб\w*|сум|евро"
    r"|soat|daqiqa|som|so['`]m|соат|дақиқа|сўм"
    r"|千米|公里|厘米|毫米|米|公斤|千克|克|毫?升|小时|分钟|秒|元|块|[第号日个])(?![^\W\d_])"
)
"""Units of measure and endings of numerals: how much, and not of what."""
_LETTER: Final = re.compile(r"[^\W\d_]")
_ITEM: Final = (
    r"step|phase|stage|round|exercise|goal|rule|option|variant|item|point|task|lesson|question|section|appendix|sprint"
    r"|шаг|этап|фаза|раунд|упражнение|цель|правило|вариант|пункт|задача|задание|урок|вопрос|раздел|спринт"
    r"|qadam|bosqich|mashq|maqsad|qoida|variant|band|vazifa|dars|savol|bolim"
    r"|қадам|босқич|машқ|мақсад|қоида|банд|вазифа|дарс|савол|бўлим"
    r"|步骤?|阶段|轮|练习|目标|规则|选项|方案|项|条|任务|课|问题|节"
)
"""Words for what is numbered, to be told one after the other."""
_LABEL: Final = (
    rf"{_ITEM}|day|week|lap|part|chapter|level|volume|season|episode|room|place|group|team|block|module|unit|book|table"
    r"|box|shelf|line|row|column|page|slide|note|fact|no\.?|[#№a-z]"
    r"|день|неделя|часть|глава|уровень|том|сезон|серия|комната|место|группа|команда|блок|модуль|стол|полка|строка|страница"
    r"|kun|hafta|qism|bob|daraja|xona|orin|guruh|jamoa|bolim|sahifa|кун|ҳафта|қисм|боб|даража|хона|гуруҳ|саҳифа"
    r"|房间?|组|部分|级|页|行"
)
"""The same, and words that name one of several where a colon follows."""
_NUMBER: Final = r"(?P<number>\d+(?:\.\d+)*)"
_ENDS: Final = r"\s*(?::(?!\d)|\)|[—–-] (?!\d))"
_ORDINAL: Final = r"(?:th|st|nd|rd|-?[йяе]|-)\s?"
_HEADS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        # "Day 2: legs", "Q1: 40", "№ 2 - Anna": one of several, and what is said of it.
        rf"\A\W*(?:the )?(?P<word>{_LABEL})[ №#.-]*{_NUMBER}{_ENDS}",
        # "First day: 5 km", "1-bosqich: …": an ordinal before its word.
        rf"\A\W*(?:the )?{_NUMBER}{_ORDINAL}(?P<word>[^\W\d_]+){_ENDS}",
        # The same in Chinese, with the numerals that stand in it.
        r"\A\W*第(?P<number>[\d一二三四五六七八九十]+)(?P<word>[步阶轮项条课节章天周](?:段|骤)?)",
        # "Phase 1 ends in March", "Этап 2 идёт": a part of something, whatever follows.
        rf"\A\W*(?:the )?(?P<word>{_ITEM})[ №#.-]*{_NUMBER}(?![\d.,:]*\d)",
        rf"\A\W*{_NUMBER}{_ORDINAL}(?P<word>{_ITEM})(?![^\W\d_])",
    )
)


def has_only_values(folded: str) -> bool:
    """Returns whether a folded text, with digits for its numerals, has nothing but values in it: no word tells what
    they are of."""
    return _LETTER.search(_MEASURES.sub(" ", values_in(folded)[1])) is None


def _enumerated_item(folded: str) -> tuple[str, str] | None:
    """Returns the word and the number by which a folded text begins as an item of an enumeration; None where it is
    none."""
    for head in _HEADS:
        if (found := head.search(folded)) is not None:
            return found["word"], found["number"]
    return None


def are_two_items(one: str, other: str) -> bool:
    """Returns whether two folded texts are different items of one enumeration."""
    first, second = _enumerated_item(one), _enumerated_item(other)
    return first is not None and second is not None and first[0] == second[0] and first[1] != second[1]
