"""A rule's match is cut down to its value: where a name or a clause ends, and how values compare."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from mnemoscope.domain.capture.rules import Language
from mnemoscope.domain.text.characters import APOSTROPHE, simplified

_CLAUSE_END: Final = re.compile(r"[;()!?。]|[.…](?=\s|$)|:\s|\s[–—-]{1,2}\s|[。]")
_COMMA: Final = re.compile(r"(?<!\d)[,，]|[,，](?!\d)")
_TOKEN: Final = re.compile(r"[\w'’-]{1,60}(?:\.(?=\s\w))?")
_PARTICLES: Final = frozenset(
    {"van", "von", "de", "da", "del", "der", "di", "al", "ibn", "bin", "bint", "la", "le", "o'g'li", "qizi"}
)
_MOST_NAMES: Final = 4
_MOST_WORDS: Final = 3
_HAS_DIGIT: Final = re.compile(r"\d")
_LED_BY: Final = 6
_NOT_LATIN: Final = frozenset({"ru", "zh"})
"""Languages that write names of products in letters that are not their own."""
_QUOTES: Final = " \t\"'“”«»„‘’「」*_"
_PUNCTUATION: Final = re.compile(r"[^\w\s%+#°$€£¥₽.:/@-]+")
_FINAL_MARKS: Final = ".,;:!?…。，！？、 \t"
_SURNAMES: Final = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈"
    "姚卢姜崔钟谭陆汪范石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤"
)
_IN_NO_NAME: Final = frozenset("什么谁怎他她你我这那哪不没是了声")
_NO_NAME_ENDS: Final = "的了吗吧呢啊呀么着过就"


def name_end(text: str, start: int, stop: int, language: Language, *, any_case: bool, strict: bool) -> int:
    """Returns where the name that begins at `start` ends, or `start` if there is none. With `any_case` a word in small
    letters is taken too, if nothing follows it; with `strict` what follows must end the clause."""
    while start < stop and text[start] in _QUOTES:
        start += 1
    end, count = start, 0
    # IBM, after words that are not in capitals themselves.
    is_short = not strict and any(char.islower() for char in text[max(0, start - _LED_BY) : start])
    for token in _TOKEN.finditer(text, start, stop):
        word = token[0]
        if token.start() > end + 1 or count == _MOST_NAMES:
            break
        is_name = _is_name(word, language, in_capitals=token.start() == start and (token.end() == stop or is_short))
        if not is_name and not (count and word.lower() in _PARTICLES):
            break
        end, count = token.end(), count + is_name
    if end == start and any_case:
        end = _small_name_end(text, start, stop, language)
    if end > start and strict and not _ends_clause(text, end, language):
        return start
    return end


def _is_name(word: str, language: Language, *, in_capitals: bool) -> bool:
    """Returns whether a word is a name; `in_capitals` allows one of nothing but capitals."""
    bare = word.strip(".'’-")
    if not bare or not bare[0].isupper() or bare.lower() in language.words.get("not_names", ()):
        return False
    return in_capitals or len(bare) == 1 or not bare.isupper()


def _small_name_end(text: str, start: int, stop: int, language: Language) -> int:
    token = _TOKEN.match(text, start, stop)
    if token is None or not token[0][0].isalpha() or not _ends_clause(text, token.end(), language):
        return start
    words = language.words
    known = words.get("not_names", frozenset()) | words.get("vague", frozenset()) | words.get("trailing", frozenset())
    return start if token[0].lower() in known or len(token[0]) < 2 else token.end()


def _ends_clause(text: str, end: int, language: Language) -> bool:
    rest = text[end : min(len(text), end + 40)].lower().lstrip(_QUOTES)
    if not rest or rest[0] in ".,;:!?()。-–—\n":
        return True
    after = language.guards.get("after_name")
    return bool(after and after.match(rest))


def han_name(text: str, start: int, stop: int, *, strict: bool) -> int:
    """Returns where a Chinese name ends, or `start` if these characters are none."""
    word = text[start:stop]
    for ending in ("就行", "就好", "就可以", "即可", "吧", "好了"):
        if len(word) > len(ending) and word.endswith(ending):
            word = word[: -len(ending)]
    if not word or len(word) > 4 or word[-1] in _NO_NAME_ENDS or not _IN_NO_NAME.isdisjoint(word):
        return start
    if strict and (word[0] not in _SURNAMES or not 2 <= len(word) <= 3):
        return start
    return start + len(word)


def names_something(text: str, start: int, stop: int, language: Language, *, opens: bool, is_product: bool) -> bool:
    """Returns whether these words, which are few, name something: one of them is the name of a product that is known,
    has a digit, a capital within, letters of another script than the language's or, unless only a product counts, a
    capital that no beginning of a sentence explains. `opens` says that they begin a sentence."""
    if len(text[start:stop].split()) > _MOST_WORDS:
        return False
    known = language.words.get("not_names", frozenset())
    products = language.words.get("products", frozenset())
    for token in _TOKEN.finditer(text, start, stop):
        word = token[0].strip("'’-.")
        if not word or word.lower() in known:
            continue
        if word.lower() in products:
            return True
        is_first = opens and token.start() == start
        if _HAS_DIGIT.search(word) and not word.isdigit():
            return True
        if any(char.isupper() for char in word[1:]) and not word.isupper():
            return True
        if word[0].isascii() and word[0].isalpha() and language.code in _NOT_LATIN:
            return True
        if not is_product and word[0].isupper() and not is_first and (len(word) > 1 or not word.isascii()):
            return True
    return False


def clause_end(low: str, start: int, stop: int, language: Language) -> int:
    """Returns where the value that begins at `start` ends: before another clause, and without words that only trail."""
    found = _CLAUSE_END.search(low, start, stop)
    end = found.start() if found else stop
    stops = language.guards.get("stops")
    found = stops.search(low, start + 1, end) if stops else None
    end = found.start() if found else end
    end = _before_comma(low, start, end, language)
    trailing = language.words.get("trailing", frozenset())
    while end > start:
        end = start + len(low[start:end].rstrip(_FINAL_MARKS))
        tail = low[start:end].rpartition(" ")[2] if language.is_spaced else ""
        if not tail or tail not in trailing or len(tail) == end - start:
            break
        end -= len(tail)
    return end


def sentence_end(low: str, start: int, stop: int, language: Language) -> int:
    """Returns where a whole sentence that is kept ends: without marks, and without a last word behind a comma that only
    trails, as “please” does."""
    end = start + len(low[start:stop].rstrip(_FINAL_MARKS))
    said, comma, last = low[start:end].rpartition(",")
    if comma and said and last.strip(_FINAL_MARKS) in language.words.get("trailing", frozenset()):
        return start + len(said.rstrip())
    return end


def _before_comma(low: str, start: int, end: int, language: Language) -> int:
    """Returns the place before a comma that ends a value; in a list (`apples, oranges and pears`) none does."""
    comma = _COMMA.search(low, start, end)
    if comma is None:
        return end
    lists = language.guards.get("lists")
    rest = low[comma.end() : end]
    if lists and (joint := lists.search(rest)):
        items = rest[: joint.start()].split(",")
        if all(0 < len(item.split()) <= 2 for item in items):
            return end
    return comma.start()


def is_vague(low: str, start: int, end: int, language: Language, *, whole: bool) -> bool:
    """Returns whether a value says nothing by itself: it begins with a word that only points or, where only the `whole`
    counts, it is no more than that."""
    value = low[start:end].strip(_QUOTES)
    if not value or not any(char.isalnum() for char in value):
        return True
    vague = language.guards.get("vague")
    return bool(vague and (vague.fullmatch(value) if whole else vague.match(low, start)))


def normalised_value(value: str, language: Language | None = None) -> str:
    """Returns a value as it is compared: case, blanks, articles, quotation marks and final punctuation do not
    matter."""
    plain = simplified(unicodedata.normalize("NFKC", value)).casefold().replace("ё", "е")
    plain = _PUNCTUATION.sub(" ", APOSTROPHE.sub("", plain))
    words = [word.strip(".:-/") or word for word in plain.split()]
    articles = language.words.get("articles", frozenset()) if language else frozenset[str]()
    return " ".join([word for word in words if word not in articles] or words)
