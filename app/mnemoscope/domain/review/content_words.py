"""Content words carry what a text says. They are cut to stems; numbers, addresses and denials stay to the letter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from mnemoscope.domain.text.characters import APOSTROPHES, HAN_LETTER, SPACELESS, without_format_characters

NOT: Final = "¬"
"""The stem of every word that denies."""
_STEM: Final = 5
_WORDS_KNOWN: Final = 1 << 13
"""Words whose stems are kept: a conversation says the same ones again, and each turn is compared with what it said."""
_LONGEST_KNOWN: Final = 40
"""The longest of them in characters, so that no long run of letters is kept."""
_APOSTROPHE: Final = re.compile(rf"(?<=\w)[{APOSTROPHES}`](?=\w)")
_MARKUP: Final = re.compile(r"[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}")
_UNSPACED: Final = re.compile(
    rf"(?:(?![\u0e3f\u0e4f\u0e5a\u0e5b\u104a-\u104f\u17d4-\u17db\u30a0\u30fb])[{SPACELESS}])+"
)
"""Words of scripts without spaces, but for the punctuation among their characters."""
_TOKEN: Final = re.compile(
    rf"{_UNSPACED.pattern}|"
    r"[\w.+-]*\w@\w[\w.-]*\w|(?:\w[\w.+-]*)?(?:/[\w.@+~-]+)+|\d+(?:[.,:/-]\d+)*|[a-z]\w*(?:\.\w+)+|\w+"
)


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
"""Words that memories are written with and that say nothing by themselves. Denials are never among them."""
_NEUTRAL_PAIRS: Final = _words("""
    用户 户喜 喜欢 欢喝 我是 我叫 我的 名字 叫做 住在 工作 使用 偏好 他的 她的 我喜 户的 户是 户住 我住
""")


_COMMON_PAIRS: Final = _words("""
    每天 今天 明天 昨天 今年 明年 去年 每周 每月 可以 需要 现在 以后 一个 两个 一只 一条 我们 他们 自己 时候 已经
    正在 打算 觉得 知道 没有 不是 就是 还有 因为 所以 但是 如果 这个 那个 非常 比较 应该 建议 准备 开始 希望
    认为 表示 提到
""")
"""Words of Chinese that stand in any conversation: that a line shares one of them says nothing."""


def is_mostly_spaceless(text: str) -> bool:
    """Returns whether most letters of a text are of a script without spaces between words."""
    count = sum(map(len, _UNSPACED.findall(text)))
    return 2 * count > sum(map(str.isalpha, text))


def content_pairs(text: str) -> frozenset[str]:
    """Returns the pairs of characters that carry what a text without spaces says, but those of any conversation."""
    return frozenset(content_words(text)) - _COMMON_PAIRS


def ideographs(text: str) -> frozenset[str]:
    """Returns the Chinese characters of a text, those of Japanese among them."""
    return frozenset(HAN_LETTER.findall(text))


def content_words(text: str) -> list[str]:
    """Returns the stems of the content words of a text, or all stems if it has no such words."""
    return content_words_among(word_stems(text))


def content_words_among(stems: Sequence[str]) -> list[str]:
    """Returns those of the stems of a text that are no function words, or all if there are no such."""
    return [word for word in stems if word not in _NEUTRAL_STEMS] or list(stems)


def word_stems(text: str) -> list[str]:
    """Returns the stems of all words in order; of scripts without spaces, each two characters."""
    plain = _MARKUP.sub(" ", _plain(text))
    found: list[str] = []
    for token in _TOKEN.findall(plain):
        if _UNSPACED.search(token):
            found += _syllables(token)
        else:
            found.append(_known_stem(token) if len(token) <= _LONGEST_KNOWN else _stem(token))
    return found


def may_have(text: str, stems: Collection[str], least: int) -> bool:
    """Returns whether a text may have at least so many of these stems, without taking its words apart: False where it
    surely has fewer."""
    plain = _plain(text)
    # Every other stem is the beginning of its word.
    return sum(stem == NOT or stem[:1].isdigit() or stem in plain for stem in stems) >= least


def _plain(text: str) -> str:
    return without_format_characters(_APOSTROPHE.sub("", unicodedata.normalize("NFKC", text).casefold()))


def _syllables(token: str) -> list[str]:
    """Returns each two characters of the runs of a script without spaces; other words between them are stems."""
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
        return NOT
    if any(map(str.isdigit, word)):
        word = word.rstrip(".")
        return re.sub(r"(?<=\d)(?:st|nd|rd|th|-?й|-?го|-?е)\Z|(?<=\d),(?=\d{3})", "", word).lstrip("0") or "0"
    if "@" in word or "/" in word or "." in word:
        return word.rstrip(".")
    if word.isascii():
        word = _without_ending(word)
    return word[:_STEM]


_known_stem = lru_cache(maxsize=_WORDS_KNOWN)(_stem)


def _without_ending(word: str) -> str:
    for ending in ("ing", "ies", "ied", "ed", "es", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word.removesuffix(ending)
            break
    word = word.removesuffix("e") if len(word) > 3 else word
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def says_nothing(word: str) -> bool:
    """Returns whether a single folded word, or a pair of characters, stands in any text and says nothing by itself."""
    return word in _COMMON_PAIRS or _stem(word) in _NEUTRAL_STEMS


def is_specific(word: str) -> bool:
    """Returns whether a word has to be said to the letter: a number, address, path, or a denial."""
    return word == NOT or any(char.isdigit() or char in "@/." for char in word)


def language_of(text: str) -> str:
    """Returns the language whose small words a text uses most, "" where it uses none, or those of several alike."""
    words = re.findall(r"\w+", _APOSTROPHE.sub("", text).casefold())
    counts = sorted(((sum(word in small for word in words), name) for name, small in _SMALL.items()), reverse=True)
    return counts[0][1] if counts[0][0] > counts[1][0] else ""


_SMALL: Final = {
    "en": _words("""
        the a an and or of to in on at for with from is are was were be been has have had it its i im ive my me you
        your he she his her they their we our this that not no do does did will would can as by but so if about
    """),
    "de": _words("""
        der die das und oder ein eine einen einem ist sind war bin habe hat ich du er sie es wir mein meine mir mich
        sein seine ihr nicht kein keine mit von zu im am auf für bei aus nach auch dass wie aber als
    """),
    "es": _words("""
        el la los las un una y o de del que en es son soy está yo tú él ella mi me su sus se no con por para como pero
        más muy al lo le tengo tiene
    """),
    "fr": _words("""
        le la les un une des et ou de du que qui en est sont suis je tu il elle nous vous mon ma mes son sa ses se ne
        pas avec pour par comme mais plus au aux dans sur ai jai cest
    """),
    "uz": _words("""
        va bilan uchun bu u men meni mening mana sen siz biz uning ham edi ekan emas bor yoq lekin ammo yoki da ga ni
        shu qanday nima kerak
    """),
    "ru": _words("""
        и в во на с со к у о об от до за из для по под при про что это как он она они я мы вы ты мой моя мне меня его
        её ее их не нет да но а или же ли бы у нас был была есть
    """),
}


def names_in(line: str) -> list[str]:
    """Returns the stems of the words in a line that begin with a capital letter and do not begin a sentence, a clause
    or a list, and of figures of three digits and more."""
    found = re.findall(r"(?<=[^\W_])[ ,;]{1,2}([^\W\d_]\w{2,}|\d{3,})", line)
    return [stem for word in found if word[:1].isdigit() or word[:1].isupper() for stem in word_stems(word)]


def word_pairs(words: Sequence[str]) -> frozenset[tuple[str, str]]:
    """Returns the pairs of words that follow each other."""
    return frozenset(pairwise(words))


_NEUTRAL_STEMS: Final = frozenset(map(_stem, _NEUTRAL)) | _NEUTRAL_PAIRS
