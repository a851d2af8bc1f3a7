"""Whether the person said what a new line of memory says, or only text that a tool or a file brought in.

Words are compared, not meanings: the same conversation and line always give the same answer, and no text can talk the
rule out of it. Where text of tools or files stands in a conversation, support has to come from the person's own words
(or from what the assistant said before any such text, or in answer to them), within a few messages of each other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

from mnemoscope.domain.frozen import frozen

MESSAGE_END: Final = "\x1e"
"""What separates the messages within a text of `Sources`."""
_TOGETHER: Final = 3
"""Messages of the person, or lines of quoted text, that are looked at as one."""
_SAID_SHARE: Final = 0.5
_QUOTED_SHARE: Final = 0.5
_COPIED_SHARE: Final = 0.7
_COPIED_LEAD: Final = 0.2
_LEAST_PAIRS: Final = 2
_MOST_QUOTED: Final = 1_000_000
_STEM: Final = 5
_NOT: Final = "¬"

_APOSTROPHES: Final = re.compile("(?<=\\w)['’‘ʻʼ`](?=\\w)")
_MARKUP: Final = re.compile(r"[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}")
_TOKEN: Final = re.compile(
    r"[\w.+-]*\w@\w[\w.-]*\w|(?:\w[\w.+-]*)?(?:/[\w.@+~-]+)+|\d+(?:[.,:/-]\d+)*|[a-z]\w*(?:\.\w+)+|\w+"
)
_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEGATIONS: Final = _words("""
    not no never without none nobody nothing neither nor dont doesnt didnt cant cannot wont isnt arent wasnt shouldnt
    не нет без никогда ни нельзя emas yoq hech hechqachon hechnarsa kein keine nicht nie ohne sin nunca jamas sans
    jamais pas ne
""")
_NEUTRAL: Final = _words("""
    a about after also am an and any are as at be been being both but by can could did do does done each for from get
    gets go goes got had has have having he her here hers him his how i if im in into is it its ive just let like likes
    liked live lives lived living made make makes me mean means my name named names need needs of off on onto or our out
    over own per person plan plans planned planning please prefer preference preferences preferred prefers really s say
    says she should so some such than that the their them then there these they this those to too try under up us use
    used user users uses using very want wanted wants was we were what when where which while who whom whose why will
    with work worked working works would yes you your yours called currently usually often likely wishes keeps keep
    remember fact note noted mentioned said asked told
    и в во на с со к у о об от до за из для по под при про что это как он она они его её ее их мой моя моё мои меня мне
    я мы вы ты есть был была были быть будет пользователь пользователя любит люблю предпочитает предпочитаю живет живёт
    живу работает работаю использует использую зовут имя хочет хочу а но или же ли бы тоже также
    va bilan uchun bu u men meni mening mening uning ham edi ekan esa foydalanuvchi yoqtiradi yoqtiraman yashaydi
    yashayman ishlaydi ishlayman ism ismi ismim nomi
    der die das und ist ein eine ich er sie mein meine heißt wohnt arbeitet mag el la los las un una y es de del que en
    mi me le se vive trabaja gusta le les et est je il elle mon ma habite travaille aime du des
""")
"""What memories are written with and what says nothing by itself. Denials are never among them."""
_NEUTRAL_PAIRS: Final = _words("""
    用户 户喜 喜欢 欢喝 我是 我叫 我的 名字 叫做 住在 工作 使用 偏好 他的 她的 我喜 户的 户是 户住 我住
""")


@frozen
class Sources:
    """Where the words of a conversation came from; messages are separated by `MESSAGE_END`.

    `spoken`: the person, in their own words. `answered`: the assistant, before it had seen anything quoted. `quoted`:
    tools, files and what was pasted. `dates`: the days of the conversation and the files it is about, which a model may
    name unsaid.
    """

    spoken: str = ""
    answered: str = ""
    quoted: str = ""
    dates: str = ""
    exchanges: tuple[tuple[str, str], ...] = ()
    """Later answers in turns that quoted nothing, each with what the person said before and after it."""


class Evidence:
    """What a conversation says, ready to be compared with the lines of a new memory text."""

    def __init__(self, sources: Sources, before: str) -> None:
        self._sources = sources
        self._before = before

    @property
    def is_needed(self) -> bool:
        """Whether anything but the two wrote in this conversation."""
        return bool(self._sources.quoted.strip())

    def missing(self, line: str) -> str:
        """Why the line needs the person's word: `quoted` (a tool or file says it), `unsaid` (nobody does), or ""."""
        words = _telling(line)
        fresh = set(words) - self._known
        heard = [window.words for window in self._spoken]
        heard += [words_of_both for about, words_of_both in self._exchanged if about & fresh]
        said = max(heard, key=lambda each: len(fresh & each), default=frozenset())
        unsaid = fresh - said - self._aside
        if len(unsaid) > (1 - _SAID_SHARE) * len(fresh) or any(map(_is_specific, unsaid)):
            return "quoted" if unsaid & self._all_quoted or not unsaid else "unsaid"
        about = max((len(unsaid & quote.words) and len(set(words) & quote.words) for quote in self._quoted), default=0)
        if about >= max(1, _QUOTED_SHARE * len(set(words))):
            return "quoted"
        return "quoted" if self._is_copied(_stems(line)) else ""

    def was_said(self, line: str) -> bool:
        """Whether the person said this, most of its words and every number within a few messages."""
        fresh = set(_telling(line))
        said = max((len(fresh & window.words) for window in self._spoken), default=0)
        return bool(fresh) and said > _SAID_SHARE * len(fresh)

    def _is_copied(self, words: Sequence[str]) -> bool:
        """Whether the words follow each other as in a quoted text, and not as in the person's."""
        pairs = _pairs(words)
        if len(pairs) < _LEAST_PAIRS:
            return False
        quoted = max((len(pairs & quote.pairs) for quote in self._quoted), default=0) / len(pairs)
        spoken = max((len(pairs & window.pairs) for window in self._spoken), default=0) / len(pairs)
        return quoted >= _COPIED_SHARE and quoted > spoken + _COPIED_LEAD

    @cached_property
    def _spoken(self) -> list[_Window]:
        return _windows(self._sources.spoken.split(MESSAGE_END))

    @cached_property
    def _exchanged(self) -> list[tuple[frozenset[str], frozenset[str]]]:
        """What the person spoke of, and what both said of it: of the answer, only what no tool or file said."""
        found = []
        for around, answer in self._sources.exchanges:
            about, told = frozenset(_telling(around)), frozenset(_stems(answer))
            found.append((about, about | (told - self._all_quoted) | (told & {_NOT})))
        return found

    @cached_property
    def _quoted(self) -> list[_Window]:
        text = self._sources.quoted[-_MOST_QUOTED:].replace(MESSAGE_END, "\n")
        return _windows(re.split(r"\n|(?<=[.!?。！？])\s+", text))

    @cached_property
    def _all_quoted(self) -> frozenset[str]:
        return frozenset().union(*(quote.words for quote in self._quoted))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(_telling(self._before))

    @cached_property
    def _aside(self) -> frozenset[str]:
        days = self._sources.dates.replace(MESSAGE_END, " ")
        parts = {part.lstrip("0") for part in re.findall(r"\d+", days)}
        return frozenset(_telling(self._sources.answered)) | parts | frozenset(_stems(days))


@frozen
class _Window:
    words: frozenset[str]
    pairs: frozenset[tuple[str, str]]


def _windows(parts: Iterable[str]) -> list[_Window]:
    each = [words for part in parts if (words := _stems(part))]
    runs = (each[start : start + _TOGETHER] for start in range(max(1, len(each) - _TOGETHER + 1)))
    return [
        _Window(frozenset(word for words in run for word in words), frozenset().union(*map(_pairs, run)))
        for run in runs
        if run
    ]


def _pairs(words: Sequence[str]) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(words))


def _telling(text: str) -> list[str]:
    """The stems that carry what a text says; all of them where there are no others."""
    words = _stems(text)
    return [word for word in words if word not in _NEUTRAL_STEMS] or words


def _stems(text: str) -> list[str]:
    plain = _MARKUP.sub(" ", _APOSTROPHES.sub("", unicodedata.normalize("NFKC", text).casefold()))
    plain = "".join(char for char in plain if unicodedata.category(char) != "Cf")
    found: list[str] = []
    for token in _TOKEN.findall(plain):
        if _UNSPACED.search(token):
            found += _syllables(token)
        else:
            found.append(_stem(token))
    return found


def _syllables(token: str) -> list[str]:
    """Of scripts without blanks: each two characters; what stands between them as it is."""
    found: list[str] = []
    place = 0
    for run in _UNSPACED.finditer(token):
        found += [_stem(token[place : run.start()])] if run.start() > place else []
        text = run[0]
        found += [text[at : at + 2] for at in range(max(1, len(text) - 1))]
        place = run.end()
    return found + ([_stem(token[place:])] if place < len(token) else [])


def _stem(word: str) -> str:
    if word in _NEGATIONS:
        return _NOT
    if any(map(str.isdigit, word)):
        return re.sub(r"(?<=\d)(?:st|nd|rd|th|-?й|-?го|-?е)\Z|(?<=\d),(?=\d{3})", "", word).lstrip("0") or "0"
    if "@" in word or "/" in word or "." in word:
        return word
    if word.isascii():
        word = _without_ending(word)
    return word[:_STEM]


def _without_ending(word: str) -> str:
    for ending in ("ing", "ies", "ied", "ed", "es", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word.removesuffix(ending)
            break
    word = word.removesuffix("e") if len(word) > 3 else word
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def _is_specific(word: str) -> bool:
    """What has to be said to the letter: numbers, addresses, paths, and whether something is denied."""
    return word == _NOT or any(char.isdigit() or char in "@/." for char in word)


_NEUTRAL_STEMS: Final = frozenset(map(_stem, _NEUTRAL)) | _NEUTRAL_PAIRS
