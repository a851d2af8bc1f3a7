"""Puts the notes that answer it into the prompt when a person asks where they were.

The words are looked for in the message typed now, in English, Uzbek (both scripts), Russian and Chinese. The notes go
into one prompt, under a section of their own, and are stored nowhere: they can come back neither as words of the person
nor as a note, a capture or an entry of the working buffer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.text.characters import APOSTROPHE_OR_BACKTICK

RECOVERY_KIND: Final = "recovery"
_LONGEST: Final = 400
"""Characters of a message that can be such a question: who writes more says where they were."""
_LEAST: Final = 24
"""Tokens below which no entry is worth showing."""
_QUESTIONS: Final = (
    r"where (?:were|was|are) (?:we|i)(?: at| again| now| up to| last time| yesterday| before)*(?:\W*$|\?)",
    r"where (?:did|had) (?:we|i) (?:leave|left) off",
    r"where (?:did|had) (?:we|i) (?:stop(?:ped)?|end|(?:get|got|gotten) to)(?: again| last time| before)*\W*$",
    r"what (?:did|have) we (?:talk(?:ed)? about|discuss(?:ed)?|done?)(?: so far| last time| yesterday| before)*\W*$",
    r"(?:continue|pick up|carry on|go on|resume) (?:from )?where (?:we|i|you) (?:had )?(?:left|stopped|ended|were|was)",
    r"what (?:were|was) (?:we|i) (?:doing|working on|talking about|saying|discussing)",
    r"what have we been (?:doing|working on|talking about)",
    r"remind me (?:where we (?:were|are|left off|stopped)|what we were)",
    r"qayer(?:da|ga|gacha)(?: biz)? (?:edik|(?:toxta|kel|qol|bor)(?:gan edik|gandik|dik|ganmiz|uvdik|gan edim)\b)",
    r"nima (?:haqida |ustida |ish )?\w{2,12}yotgan ?e?dik",
    r"suhbat\w* qayer(?:da|ga|gacha) (?:toxta|kel|qol)",
    r"qayerdan davom (?:etamiz|ettiramiz|etishimiz)",
    r"qolgan (?:joyimizdan|joydan) davom",
    r"қаер(?:да|га|гача)(?: биз)? (?:эдик|(?:тўхта|тухта|кел|қол|бор)(?:ган эдик|гандик|дик|ганмиз|увдик|ган эдим)\b)",
    r"нима (?:ҳақида |устида |иш )?\w{2,12}етган ?э?дик",
    r"суҳбат\w* қаер(?:да|га|гача) (?:тўхта|кел|қол)",
    r"қаердан давом (?:этамиз|эттирамиз|этишимиз)",
    r"қолган (?:жойимиздан|жойдан) давом",
    r"на чем (?:же )?мы (?:(?:с тобой|с вами|\w+) ){0,2}(?:остановились|закончили|прервались)",
    r"на чем (?:же )?(?:остановились|закончили|прервались)(?:\W*$|[?,.])",
    r"где (?:же )?мы (?:(?:с тобой|с вами|\w+) ){0,2}(?:остановились|закончили|прервались)",
    r"где мы были\W*$",
    r"(?:о чем|про что) мы (?:(?:с тобой|с вами|\w+) ){0,2}(?:говорили|разговаривали|беседовали)",
    r"что мы (?:(?:с тобой|с вами|\w+) ){0,2}обсуждали",
    r"что мы (?:(?:с тобой|с вами|\w+) ){0,2}делали(?: вчера| в прошлый раз| до этого| раньше)*\W*$",
    r"о чем (?:у нас )?шла речь",
    r"(?:продолжим|продолжай|продолжи|давай продолжим) с того места",
    r"(?:说|讲|聊|谈|做|进行|讨论)到了?(?:哪(?![个些种家位款本])|什么(?!时候|时间))",
    r"(?:(?:刚才|之前|上次|昨天)我们|我们(?:刚才|之前|上次|昨天)|刚才|上次)在?(?:说|讲|聊|做|谈|讨论)到?了?(?:哪|什么)",
    r"从(?:上次|刚才|之前)?(?:停下|中断|停)?的地方(?:继续|接着)",
    r"(?:继续|接着)(?:上次|刚才|之前|昨天)",
    r"在哪[里儿]?(?:停下来?|中断|停)的",
)
_SIMPLIFIED: Final = str.maketrans("說講剛們麼進討論從斷繼續裡裏兒談著", "说讲刚们么进讨论从断继续里里儿谈着")


def asks_where_we_were(text: str) -> bool:
    """Returns whether a message asks what was being talked about."""
    if len(text) > _LONGEST:
        return False
    plain = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е").translate(_SIMPLIFIED)
    return _question().search(" ".join(APOSTROPHE_OR_BACKTICK.sub("", plain).split())) is not None


@cache
def _question() -> re.Pattern[str]:
    """Returns a pattern for any of the questions; it is not compiled before something is said."""
    return re.compile("|".join(f"(?:{each})" for each in _QUESTIONS))


@dataclass(frozen=True, slots=True)
class RecoverySource:
    """Describes a file that can be recovered from: its entries as they stand there, oldest first."""

    title: str
    source: str
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecalledSource:
    """Holds the text recovered from one source, and its tokens; `left_out` entries were too old for the budget."""

    title: str
    source: str
    text: str
    tokens: int
    left_out: int = 0


def recovery_of(sources: Iterable[RecoverySource], budget: int, label: str) -> tuple[RecalledSource, ...]:
    """Returns the recovered texts, at most `budget` tokens in all with the label that stands above them: the sources in
    turn, of each the newest entries first."""
    recalled: list[RecalledSource] = []
    room = budget - estimate_tokens(label) - 1
    for source in sources:
        one = _newest(source, room)
        if one is not None:
            recalled.append(one)
            room -= one.tokens
    return tuple(recalled)


def recovery_text(recalled: Sequence[RecalledSource], label: str) -> str:
    """Returns the words that enter the prompt, below the label that says what they are; "" for nothing."""
    return "\n\n".join([label, *(one.text for one in recalled)]) if recalled else ""


def _newest(origin: RecoverySource, room: int) -> RecalledSource | None:
    entries = [entry for entry in origin.entries if entry.strip()]
    for count in range(len(entries), 0, -1):
        one = _recalled(origin, entries, count)
        if one.tokens <= room:
            return one
    return None if room < _LEAST or not entries else _cut(origin, entries, room)


def _recalled(origin: RecoverySource, entries: Sequence[str], count: int) -> RecalledSource:
    """Returns the text of the newest `count` entries, the newest first."""
    text = "\n\n".join([f"## {origin.title}", *reversed(entries[len(entries) - count :])])
    return RecalledSource(origin.title, origin.source, text, estimate_tokens(text) + 1, len(entries) - count)


def _cut(origin: RecoverySource, entries: Sequence[str], room: int) -> RecalledSource | None:
    """Returns as much of the beginning of the newest entry as fits, if it is too long by itself."""
    newest = entries[-1]
    length = len(newest) // 2
    while length >= _LEAST:
        one = _recalled(origin, [newest[:length].rstrip() + "…"], 1)
        if one.tokens <= room:
            return RecalledSource(one.title, one.source, one.text, one.tokens, len(entries) - 1)
        length //= 2
    return None
