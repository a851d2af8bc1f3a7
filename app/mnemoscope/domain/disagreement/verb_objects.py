"""Finds what a verb that ends or replaces something is done to: who sold the kitchen table still has the kitchen.

No sentence is parsed. In English it is the last of the nouns after the verb, in Russian those up to the next
preposition, in Uzbek it stands before the verb with an ending of its own, and in Chinese beside it.
"""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.disagreement import vocabulary as words
from mnemoscope.domain.text.characters import HAN

_WORD: Final = re.compile(r"[a-zа-я][a-zа-я\d_-]*")
_ENGLISH_END: Final = re.compile(
    r"\b(?:in|on|at|of|for|from|to|with|into|by|since|until|after|before|because|when|last|this|next|and|or|as|than"
    r"|about|over|under|near|during|through|ago)\b|[,.;:(]"
)
_RUSSIAN_END: Final = re.compile(
    r"\b(?:в|на|у|с|со|из|за|для|от|до|по|о|об|при|под|над|через|после|перед|из-за|потому|когда|и|или|а)\b|[,.;:(—]"
)
_RUSSIAN_PLACE: Final = re.compile(r"\b(?:в|у|из|за|при|под) \w+")
_NEXT_IS_VERB: Final = re.compile(r"(?:не|никак\w*|longer|more)\Z")
_GOING: Final = frozenset(("switched", "moved", "migrated"))
"""Of the verbs those which also say what somebody did themselves: a team that switched to something is there still."""
_WITH: Final = re.compile(r"\s*with\b(.*)")
_WHEN: Final = words.separate("""
    yesterday today recently spring summer autumn fall winter ago week month year years months weeks finally completely
    вчера сегодня недавно давно весной летом осенью зимой неделю месяц год года лет месяца совсем полностью наконец
    kecha bugun yaqinda bahorda yozda kuzda qishda hafta oy yil butunlay
""")
"""Words that say when, or how much."""
_UZBEK_OBJECT: Final = re.compile(r"(?:ni|dan)\Z")
_UZBEK_DEED: Final = re.compile(r"(?:ish|lik)(?:i)?ni\Z")
_CHINESE_INTO: Final = re.compile(r"(?:成|为|到|至|去|给|人|用)了?\Z")
_CHINESE_RUN: Final = re.compile(f"[{HAN}a-z]+")


def ended(clause: str, language: str) -> tuple[str, ...]:
    """Returns the words for what a folded clause says to have come to an end; none where it does not."""
    return _objects(clause, language, words.ENDED.search(clause))


def replaced_words(clause: str, language: str) -> tuple[str, ...]:
    """Returns the words for what a folded clause says to be replaced."""
    return _objects(clause, language, words.REPLACING.search(clause))


def _objects(clause: str, language: str, verb: re.Match[str] | None) -> tuple[str, ...]:
    if verb is None:
        return ()
    before, after = clause[: verb.start()], clause[verb.end() :]
    if language == "zh":
        return _in_chinese(before, verb[0], after)
    if language == "uz":
        return _in_uzbek(_said(before))
    if _NEXT_IS_VERB.search(verb[0]):
        after = re.sub(r"\A\s*\w+", "", after)
    if language == "ru":
        return _said(_RUSSIAN_END.split(after)[0]) or _said(_RUSSIAN_PLACE.sub(" ", before))
    beside = _WITH.match(after)
    following = _said(_ENGLISH_END.split(beside[1] if beside else after)[0])
    if following or verb[0] in _GOING:
        return following
    return _said(_ENGLISH_END.split(before.strip())[0])


def _said(text: str) -> tuple[str, ...]:
    return tuple(
        each for each in _WORD.findall(words.CHANGED.sub(" ", text)) if each not in words.EMPTY and each not in _WHEN
    )


def _in_uzbek(before: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the last word before the verb that has the ending of an object, else the one right before it; of a deed
    also what is done: "gave up drinking coffee"."""
    marked = [place for place, word in enumerate(before) if _UZBEK_OBJECT.search(word)]
    place = marked[-1] if marked else len(before) - 1
    if place < 0:
        return ()
    return before[max(0, place - 1) : place + 1] if _UZBEK_DEED.search(before[place]) else (before[place],)


def _in_chinese(before: str, verb: str, after: str) -> tuple[str, ...]:
    """Returns what stands beside the verb: before one that says into what, and where nothing stands after it."""
    inside = verb.strip("不没有了") if verb[:1] in "不没" else ""
    following = _CHINESE_RUN.match(after.lstrip("了掉"))
    if inside:
        return (inside,)
    if following is not None and not _CHINESE_INTO.search(verb + after[:1]):
        return (following[0],)
    run = _CHINESE_RUN.findall(before)
    return (run[-1],) if run else ()
