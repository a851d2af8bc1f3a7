"""Search compares words in any script: folded, without endings, and in pairs of characters where a script puts no
spaces between words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from mnemoscope.domain.search.stems import english_stem, in_latin, russian_stem, uzbek_stem
from mnemoscope.domain.text.characters import (
    APOSTROPHE_OR_BACKTICK,
    APOSTROPHES,
    HAN,
    HANGUL,
    KANA,
    SPACELESS,
    SPACELESS_LETTER,
    TURNED_COMMAS,
)

_POINTS: Final = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
"""The marks that Hebrew and Arabic write above or below letters, vowels above all; most texts leave them out."""
_LETTER: Final = rf"(?:[^\W_{SPACELESS}]|[\u0300-\u036f{_POINTS}\u0900-\u0dff])"
_PICTURE: Final = "[\u2600-\u27bf\U0001f300-\U0001f3fa\U0001f400-\U0001faff]"
"""Each a word by itself; what only tints one is none."""
_WORD: Final = re.compile(rf"[{SPACELESS}]+|{_LETTER}+(?:[{APOSTROPHES}`]{_LETTER}+)*|{_PICTURE}")
_ASCII: Final = re.compile(r"[a-z0-9]{1,64}")
_ACCENT: Final = re.compile(f"(?<![иу])[\u0300-\u036f]|[\u0300-\u0305\u0307-\u036f{_POINTS}\u0640]")
"""Accents that are no part of a letter; Cyrillic has two that make other letters, й and ў. U+0640 only draws an Arabic
word out, and the hamza above or below its letters is typed by some and by others not."""
_LONGEST: Final = 64
"""Letters of a word that count; longer ones are no words."""
_UZBEK_LETTERS: Final = frozenset("ўқғҳ")
_UZBEK_WORDS: Final = frozenset((
    "men", "mening", "menga", "meni", "sen", "siz", "sizning", "biz", "bizning", "va", "bilan", "uchun", "kerak", "edi",
    "ekan", "bor", "yoq", "emas", "qachon", "nima", "nechta", "necha", "qayerda", "qayerga", "qaysi", "kim", "kimga",
    "qanday", "qancha", "haqida", "ham", "lekin", "ammo", "juda", "keyin", "hozir", "bugun", "ertaga", "kecha", "yangi",
    "har", "bitta", "ikkita", "boldi", "boladi", "qildim", "oldim", "ketdim", "rahmat", "ismim", "yaxshi", "togri",
    "soat", "har", "kun", "oy", "ertalab", "kechqurun", "birinchi", "soatda", "oyda", "narxi",
    "mana", "shu", "osha", "endi", "faqat", "yil", "kuni", "dan", "uni", "ular", "uning",
))  # fmt: skip


_UZBEK_ALONE: Final = frozenset((
    "mening", "menga", "meni", "sizning", "bizning", "bilan", "uchun", "kerak", "emas", "qachon", "nima", "nechta",
    "qayerda", "qayerga", "qaysi", "qanday", "qancha", "haqida", "lekin", "keyin", "hozir", "bugun", "ertaga", "rahmat",
    "ismim", "yaxshi", "ertalab", "kechqurun", "birinchi", "narxi", "faqat", "ular", "uning", "boladi", "qildim",
))  # fmt: skip
"""Words of which one is enough: no neighbour language has them."""
_UZBEK_ENDINGS: Final = (
    "larni", "larga", "larda", "lardan", "dagi", "yapti", "yapman", "ingiz", "imiz", "moqda", "aman", "amiz", "ganman",
    "dilar", "imni", "imga", "imda", "ishdi", "ldim", "rdim", "tdim", "ydim", "ayman", "ildi", "indi", "oldi",
)  # fmt: skip
_UZBEK_DAY: Final = re.compile(
    r"\d-(?:yanvar|fevral|mart|aprel|may|iyun|iyul|avgust|sentabr|oktabr|noyabr|dekabr)(?:da|dan|dagi|ga|gacha|ning)?\b"
)
_UZBEK_VOWEL: Final = re.compile(f"[og][{TURNED_COMMAS}](?=[a-z])")
_HEAD: Final = 400
_OF_KIND: Final = ":"
UZBEK: Final = "uz"
LATIN: Final = "latin"


class IndexedWord(NamedTuple):
    """Describes one word or pair of characters of a text, with its folded form, its stem, and where it stands."""

    folded: str
    stem: str
    start: int
    stop: int


def words_of(text: str, spoken: str = "") -> Iterator[IndexedWord]:
    """Yields the words of a text in order; of a run of n characters without spaces its n - 1 pairs and its last
    character.

    `spoken` is what `language` says of the text, if that is known.
    """
    stem = _uzbek if (spoken or language(text)) == UZBEK else plain_stem
    for match in _WORD.finditer(text):
        start, word = match.start(), match[0]
        if SPACELESS_LETTER.match(word):
            yield from _pairs(word, start)
        elif folded := fold(word):
            yield IndexedWord(folded, stem(folded), start, match.end())


def tokens_of(text: str, spoken: str = "") -> list[tuple[str, str]]:
    """Returns (folded form, stem) of each word, as `words_of` without places and quicker."""
    spoken = spoken or language(text)
    if spoken == LATIN and text.isascii() and "'" not in text:
        return [(word, plain_stem(word)) for word in _ASCII.findall(text.lower())]
    stem = _uzbek if spoken == UZBEK else plain_stem
    found: list[tuple[str, str]] = []
    for word in _WORD.findall(text):
        if SPACELESS_LETTER.match(word):
            found += [(word[at : at + 2], word[at : at + 2]) for at in range(len(word))]
        elif folded := fold(word):
            found.append((folded, stem(folded)))
    return found


@lru_cache(maxsize=1 << 14)
def fold(word: str) -> str:
    """Returns a word without case, accents, widths and apostrophes; at most 64 letters."""
    word = word[:_LONGEST]
    if word.isascii() and word.isalnum():
        return word.lower()
    # What belongs to whom: Anna's is Anna's form, not a word of its own.
    bare = APOSTROPHE_OR_BACKTICK.sub("'", word).removesuffix("'s").removesuffix("'S").replace("'", "")
    apart = unicodedata.normalize("NFKD", bare).casefold()
    return unicodedata.normalize("NFC", _ACCENT.sub("", apart))


@lru_cache(maxsize=1 << 14)
def plain_stem(folded: str) -> str:
    """Returns the stem of a folded word that is not known to be Uzbek."""
    if folded.isascii():
        return english_stem(folded) if folded.isalpha() else folded
    return russian_stem(folded) if "а" <= folded[0] <= "я" else folded


def stems_of(folded: str) -> tuple[str, ...]:
    """Returns every stem a text may have the word under, whatever its language."""
    return tuple(dict.fromkeys((plain_stem(folded), _uzbek(folded))))


def is_uzbek(text: str) -> bool:
    """Returns whether a text is in Uzbek, by its letters, its commonest words and endings that no neighbour language
    has."""
    head = text[:_HEAD].lower()
    if not head.isascii():
        if not _UZBEK_LETTERS.isdisjoint(head) or _UZBEK_VOWEL.search(head):
            return True
        head = in_latin(head)
    words = APOSTROPHE_OR_BACKTICK.sub("", head).split()
    if not _UZBEK_ALONE.isdisjoint(words):
        return True
    marks = len(_UZBEK_WORDS.intersection(words)) + sum(word.strip(".,!?").endswith(_UZBEK_ENDINGS) for word in words)
    marks += "-" in head and _UZBEK_DAY.search(head) is not None
    return marks >= min(2, len(words) or 1)


def is_spaceless(word: str) -> bool:
    """Returns whether a folded word is of a script without spaces."""
    return SPACELESS_LETTER.match(word) is not None


_CYRILLIC_LETTERS: Final = re.compile("[\u0400-\u04ff]")


def language(text: str) -> str:
    """Returns roughly what language a text is in: UZBEK, LATIN, `cyrillic` or `spaceless`."""
    if is_uzbek(text):
        return UZBEK
    if text.isascii():
        return LATIN
    if SPACELESS_LETTER.search(text):
        return "spaceless"
    return "cyrillic" if _CYRILLIC_LETTERS.search(text) else LATIN


def script(word: str) -> str:
    """Returns what letters a folded word is written in: `latin`, `cyrillic`, `spaceless` or ""."""
    if word.isascii():
        return "latin"
    if is_spaceless(word):
        return "spaceless"
    return "cyrillic" if "\u0400" <= word[0] <= "\u04ff" else ""


_SCRIPTS: Final = {
    name: re.compile(f"[{letters}]")
    for name, letters in (
        ("cyrillic", "\u0400-\u052f"), ("han", HAN), ("kana", KANA), ("hangul", HANGUL),
        ("thai", "\u0e00-\u0e7f"), ("arabic", "\u0600-\u06ff"),
        ("latin", "a-zA-Z\u00c0-\u024f"),
    )
}  # fmt: skip


def script_of(text: str) -> str:
    """Returns what letters most of a text is written in, by its beginning: `latin`, `cyrillic`, `han`, `kana`,
    `hangul`, `thai`, `arabic`, or "" for none of these."""
    head = text[:_HEAD]
    if head.isascii():
        return "latin"
    counts = {name: len(letters.findall(head)) for name, letters in _SCRIPTS.items()}
    # Japanese is written in both, and one that is not is hardly ever written in kana.
    if counts["kana"]:
        return "kana"
    most = max(counts, key=counts.__getitem__)
    return most if counts[most] else ""


def _pairs(run: str, start: int) -> Iterator[IndexedWord]:
    for place in range(len(run)):
        pair = run[place : place + 2]
        yield IndexedWord(pair, pair, start + place, start + place + len(pair))


@lru_cache(maxsize=1 << 14)
def _uzbek(folded: str) -> str:
    latin = in_latin(folded)
    return uzbek_stem(latin) if latin.isascii() and latin.isalpha() else latin


class RelatedWord(NamedTuple):
    """Describes a word that is used for the same thing: its token, and its language: UZBEK, or else its `script`, of
    which Latin letters are English and Cyrillic ones Russian."""

    token: str
    spoken: str


class Related:
    """Holds a thesaurus of words that are used for the same thing, by stem, and of the forms of a word that no rule of
    endings gives.

    Words of two languages that look alike are two words: the Uzbek `tun`, which is the night, is not found by `tune`.
    """

    def __init__(self, related: str = "", forms: str = "", common: str = "") -> None:
        """Reads the texts of the files: a group a line, `#` begins a comment. `common` are words that say nothing.

        In `related` words for a kind of thing may stand before a `:` and words of that kind after it: either side
        finds the other, but no word after it finds its neighbours. Of words in Latin letters those behind Cyrillic ones
        are Uzbek, all others English.
        """
        self.common = frozenset(fold(word) for line in _lines(common) for word in line)
        self._forms: dict[str, tuple[str, ...]] = {}
        for line in _lines(forms):
            stems = tuple(dict.fromkeys(plain_stem(fold(word)) for word in line))
            for word in dict.fromkeys((*map(fold, line), *stems)):
                self._forms[word] = (*self._forms.get(word, ()), *stems)
        groups: dict[RelatedWord, dict[RelatedWord, None]] = {}
        for line in _lines(related):
            kinds, members = _kinds_and_members(line)
            for kind in kinds:
                groups.setdefault(kind, {}).update(dict.fromkeys((*kinds, *members)))
            for member in members:
                groups.setdefault(member, {}).update(dict.fromkeys((member, *kinds)))
        self._groups = {word: tuple(others) for word, others in groups.items()}
        self.spaceless = tuple(word.token for word in groups if is_spaceless(word.token))
        """The words of scripts without spaces that have others."""

    def forms(self, folded: str) -> tuple[str, ...]:
        """Returns the stems of all forms of a word that no rule gives; () for a word that has none such."""
        return self._forms.get(folded) or self._forms.get(plain_stem(folded), ())

    def to(self, stem: str, spoken: str) -> tuple[RelatedWord, ...]:
        """Returns the words used for the same thing as one of a language, its own among them; () where none is
        known."""
        return self._groups.get(RelatedWord(stem, spoken), ())

    def of(self, folded: str, stems: Sequence[str], spoken: str) -> Iterator[RelatedWord]:
        """Yields the words used for the same thing as a folded word of a text: in the text's language, `spoken`, as
        `language` tells it, or in any of the word's letters where that is not Uzbek."""
        if spoken != UZBEK or not folded.isascii():
            for stem in stems:
                yield from self.to(stem, script(folded))
        yield from self.to(_uzbek(folded), UZBEK)


def _lines(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.split()


def is_form_of(folded: str, other: RelatedWord) -> bool:
    """Returns whether a word of a text is a form of a related one in the language of that."""
    if other.spoken == UZBEK:
        return other.token in (folded, _uzbek(folded))
    return not other.spoken or other.spoken == script(folded)


def _kinds_and_members(line: Sequence[str]) -> tuple[tuple[RelatedWord, ...], tuple[RelatedWord, ...]]:
    cut = line.index(_OF_KIND) if _OF_KIND in line else len(line)
    kinds = dict.fromkeys(_group_words(line[:cut]))
    members = dict.fromkeys(_group_words(line[cut + 1 :]))
    return tuple(kinds), tuple(word for word in members if word not in kinds)


def _group_words(words: Sequence[str]) -> Iterator[RelatedWord]:
    latin = LATIN
    for word in words:
        folded = fold(word)
        spoken = script(folded)
        if spoken == "spaceless":
            yield RelatedWord(word, spoken)
        elif spoken == LATIN and latin == UZBEK:
            yield from (RelatedWord(stem, UZBEK) for stem in dict.fromkeys((*stems_of(folded), folded)))
        else:
            # What stands behind Cyrillic letters is Uzbek.
            latin = UZBEK if spoken == "cyrillic" else latin
            yield from (RelatedWord(stem, spoken) for stem in stems_of(folded))
