"""A capture is shown by its text, and a wish to remember something by that something alone.

A wish is kept as it was said, `Remember: the gate sticks`, since that is how the line stands in its file. Behind the
word `Remembered` the wish would be said twice.
"""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.capture.record import CaptureRecord
from mnemoscope.domain.text.characters import APOSTROPHES
from mnemoscope.domain.text.lazy_pattern import LazyPattern

_TICK: Final = f"[{APOSTROPHES}`]"
_THEIR_WORDS: Final = r"i|i'm|my|we|we're|our|the|an?|he|she|it|it's|they|his|her|their|there|(?-i:[A-Z])\w*"
_ENGLISH: Final = (
    r"(?:(?:please|pls|also|and|just|always|can you|could you),? ){0,3}"
    rf"(?:remember|memori[sz]e|note|save|store|record|(?:write|note) (?:it |this )?down|(?:make|take) (?:a )?note"
    rf"|(?:keep|bear) (?:it |this |that )?in mind|(?:don{_TICK}?t|do not|never) forget|don{_TICK}?t let me forget)"
    r"(?: (?:this|that|it|both|the following|down|for (?:me|later))(?=[ :,]))?(?: for (?:me|later))?"
    rf"(?:\s?:| ?,| [-–—](?= )|(?: that|(?<= that))(?= (?:{_THEIR_WORDS})\b))"
)
_RUSSIAN: Final = (
    r"(?:(?:пожалуйста|прошу|и|всегда),? ){0,2}"
    r"(?:запомни|запомните|запиши|запишите|помни|помните|учти|учтите|сохрани|сохраните|не (?:забудь|забывай)(?:те)?"
    r"|име(?:й|йте) в виду|заметь себе|отметь себе)"
    r"(?: (?:это|себе|вот что|следующее|оба|обе)){0,2}(?:,? пожалуйста)?"
    r"(?:\s?:|, что\b|,(?! (?:как|когда|где|кто|чт|сколько|почему|зачем|куда)\w*)| [-–—](?= ))"
)
_UZBEK: Final = (
    r"(?:iltimos,? )?(?:(?:buni|shuni|quyidagini|ikkalasini|doim|har doim) ){0,2}"
    rf"(?:eslab qol(?:ing|gin)?|unutma(?:ng)?|(?:yod|es)(?:da|ingda|ingizda) (?:tut(?:ing)?|bo{_TICK}lsin)"
    rf"|(?:yozib|bilib|saqlab) (?:qo{_TICK}y|ol)(?:ing|gin)?|saqla(?:ng)?|qayd et(?:ing)?)"
    r"(?: shuni)?(?:\s?:|,| [-–—](?= ))"
)
_UZBEK_IN_CYRILLIC: Final = (
    r"(?:илтимос,? )?(?:(?:буни|шуни|қуйидагини|иккаласини|доим|ҳар доим) ){0,2}"
    r"(?:эслаб қол(?:инг|гин)?|унутма(?:нг)?|(?:ёд|эс)(?:да|ингда|ингизда) (?:тут(?:инг)?|бўлсин)"
    r"|(?:ёзиб|билиб|сақлаб) (?:қўй|ол)(?:инг|гин)?|сақла(?:нг)?|қайд эт(?:инг)?)(?: шуни)?(?:\s?:|,| [-–—](?= ))"
)
_CHINESE: Final = (
    r"(?:请你?|帮我|替我|麻烦你?|给我|你|要|得|一定要|千万){0,3}"
    r"(?:记住|記住|记下来?|記下來?|记一下|記一下|记着|牢记|保存|存一下|别忘了?|別忘了?|不要忘了?)(?:一下)?"
    r"(?:这个|这一点|这点|这件事|这些|以下内容|以下)?[:：,，]"
)
_WISH: Final = LazyPattern(
    rf"\A\s*(?:{_ENGLISH}|{_RUSSIAN}|{_UZBEK}|{_UZBEK_IN_CYRILLIC}|{_CHINESE})\s*(?=[\w«“\"'‘「`*])", re.IGNORECASE
)


def capture_text(record: CaptureRecord) -> str:
    """Returns the text of a capture as the window shows it: of a wish, what is behind the wish."""
    return without_wish(record.text) if record.category == "remember" else record.text


def without_wish(text: str) -> str:
    """Returns what a wish to remember is about, where the wish is set apart before it, as in `Remember: the gate
    sticks` and `Please remember that the gate sticks`; any other text as it is."""
    found = _WISH.search(text)
    return text[found.end() :] if found is not None else text
