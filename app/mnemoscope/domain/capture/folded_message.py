"""The capture rules read a folded message: one kind of apostrophe, no invisible characters, every place mapped back.

Most messages keep their length and need no map. Uzbek in Cyrillic is read as Latin, so that one set of rules serves
both alphabets; Chinese in traditional characters is read as simplified. Marks of emphasis are taken off first:
`unmarked` gives the words that the person sees.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final, NamedTuple

from mnemoscope.domain.text.characters import APOSTROPHES, HAN, INVISIBLE, LINE_BREAKS, UNIFIED_HAN, simplified
from mnemoscope.domain.text.fences import parts_of
from mnemoscope.domain.text.uzbek_alphabets import IN_LATIN

WORD: Final = re.compile(r"\w+(?:'\w+)*")
_INVISIBLE: Final = re.compile(f"[{INVISIBLE}]")
LIST_MARK: Final = re.compile(
    r"(?:#{1,6}[ \t]+)?(?:(?:[-*+•‣◦▪·]|\(?\d{1,3}[.)])[ \t]+(?:\[[ x]?\][ \t]+)?(?=\S)|\d{1,2}、(?=\S))"
    r"|#{1,6}[ \t]+(?=\S)",
    re.IGNORECASE,
)
"""The mark at the beginning of a line in a typed list, or of a heading; it is no word of its sentence."""
_LIST_HEADS: Final = frozenset("-*+•‣◦▪·(0123456789#")
_NUMBERED: Final = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+)?\d{1,3}\.(?=[ \t]+\S)", re.MULTILINE)
"""A numbered line of a list: its full stop ends no sentence."""
_MAY_BE_MARKED: Final = re.compile(r"[*_<]|==|~~")
_IN_A_WORD: Final = rf"[^\W{HAN}]"
_INNER: Final = r"(?![\s{0}])(?:[^{0}\n]|\n(?!\s*\n)){{1,1000}}?(?<![\s\\])"
_EMPHASIS: Final = re.compile(
    rf"(?P<star>(?<!{_IN_A_WORD})(?<![*\\])\*{{1,3}}){_INNER.format('*')}(?P<end>(?P=star))(?!\*|{_IN_A_WORD})"
    rf"|(?P<line>(?<![\w\\])_{{1,3}})(?![a-z]\w*?__(?!\w)){_INNER.format('_')}(?P<stop>(?P=line))(?!\w)"
    rf"|(?P<glow>(?<![\w=])==){_INNER.format('=')}(?P<gone>==)(?![\w=])"
)
"""Emphasis as Markdown has it; `__init__` and `2*3*4` are none."""
_TAG: Final = re.compile(r"</?(?:b|i|u|em|strong|mark|ins|small|big)>", re.IGNORECASE)
_STRUCK: Final = re.compile(r"~~(?![\s~])[^~\n]{1,1000}(?<!\s)~~(?!~)")
"""Words that the person struck out: they are not meant any more."""
_AS_WRITTEN: Final = re.compile(
    r"(?<!`)(`{1,2})(?!`)[^`\n]{1,400}\1(?!`)|^\s*[-*+] (?:~~)?(?:\[[^\]\n]{1,64}\] ){0,2}\*\*[a-z_]{1,24}\*\*: .*$",
    re.MULTILINE,
)
"""Code, and copied lines of what was captured: their marks are their own."""
_NESTED: Final = 3
_INNER_TICK: Final = re.compile(r"(?<=\w)`(?=\w)")
_BARE: Final = re.compile(
    r"\b(?<!')(?:(?:do|does|did|is|are|was|were|have|has|had|would|could|should|ca|wo)n(?=t\b)|(?:i|you|we|they)(?=ve\b)"
    r"|i(?=m\b|d (?:like|love|rather|prefer|much)\b)|it(?=s (?:\d|(?:not|actually|called|a|an|the)\b)))",
    re.ASCII,
)
"""English contractions that somebody typed without the apostrophe; it belongs behind the match."""
_HAS_BARE: Final = re.compile(r"nt\b|ve\b|im\b|id |its ", re.ASCII)
"""Endings of which each contraction that `_BARE` matches has one: a search for them is faster and comes first."""
_COMBINING: Final = re.compile("[\u0300-\u036f]")
_RARE: Final = re.compile(f"[^\t\n -~\u0410-\u044f{UNIFIED_HAN}]")
"""All but what is its own plain form and most texts are made of."""
_FEW: Final = 20
_SENTENCE_END: Final = re.compile(
    f"[.!?…]+(?=[\"')\\]»”]*(?:\\s|$|[{HAN}]))(?<!\\b[MD]r\\.)(?<!\\bMrs\\.)(?<!\\bMs\\.)(?<!\\b[ei]\\.[ge]\\.)|\n"
)


class _Fold(dict[int, str]):
    """Maps each character to its plain form, if that is one character too; an entry is made when it is first
    needed."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char in APOSTROPHES:
            plain = "'"
        elif char == "。":
            plain = "."
        elif char in LINE_BREAKS:
            plain = "\n"
        else:
            plain = unicodedata.normalize("NFKC", char)
            plain = plain if len(plain) == 1 and len(plain.lower()) == 1 else _one_letter(char)
        self[code] = plain
        return plain


def _one_letter(char: str) -> str:
    """Returns the character itself, or its base letter where its small form takes two (as the dotted capital I's
    does)."""
    return char if len(char.lower()) == 1 else unicodedata.normalize("NFD", char)[0]


_FOLD: Final = _Fold()


@dataclass(frozen=True, slots=True)
class FoldedMessage:
    """Describes a message as rules read it. `text` keeps capitals; `low` is the same in small letters, equally long.
    `origins[i]` is where the i-th character begins in the message, with one more for the end; None if both are counted
    alike."""

    text: str
    low: str
    origins: tuple[int, ...] | None = None

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Returns [start, stop) of this text as characters of the message."""
        if self.origins is None:
            return start, stop
        begin = self.origins[start]
        return begin, max(begin, self.origins[stop - 1] + 1, self.origins[stop]) if stop > start else begin

    def place(self, origin: int) -> int:
        """Returns the place of a character of the message in this text, or of the first one behind it."""
        return origin if self.origins is None else bisect_left(self.origins, origin)


@dataclass(frozen=True, slots=True)
class UnmarkedMessage:
    """Describes a message without its marks of emphasis. `origins[i]` is where the i-th character stands in the
    message, with one more for the end; None if there were no marks."""

    text: str
    origins: tuple[int, ...] | None = None

    def span(self, span: tuple[int, int]) -> tuple[int, int]:
        """Returns [start, stop) of this text as characters of the message."""
        if self.origins is None:
            return span
        start, stop = span
        return self.origins[start], self.origins[stop - 1] + 1 if stop > start else self.origins[start]

    def place(self, origin: int) -> int:
        """Returns the place of a character of the message in this text, or of the first one behind it."""
        return origin if self.origins is None else bisect_left(self.origins, origin)


def unmarked(message: str) -> UnmarkedMessage:
    """Returns the message without the marks that Markdown and HTML have for emphasis, and without what is struck out;
    code keeps its own."""
    if not _MAY_BE_MARKED.search(message):
        return UnmarkedMessage(message)
    written = sorted([*_code_lines(message), *(found.span() for found in _AS_WRITTEN.finditer(message))])
    kept = [True] * len(message)
    _drop(_TAG, message, range(len(message)), kept, written)
    _drop(_STRUCK, message, range(len(message)), kept, written)
    for _ in range(_NESTED):
        origins = [place for place, is_kept in enumerate(kept) if is_kept]
        if not _drop(_EMPHASIS, "".join(message[place] for place in origins), origins, kept, written):
            break
    origins = [place for place, is_kept in enumerate(kept) if is_kept]
    if len(origins) == len(message):
        return UnmarkedMessage(message)
    return UnmarkedMessage("".join(message[place] for place in origins), (*origins, len(message)))


def _code_lines(message: str) -> Iterator[tuple[int, int]]:
    """Yields the lines of code blocks, as [start, stop)."""
    place = 0
    for line, part in parts_of(message.split("\n")):
        if part == "code":
            yield place, place + len(line)
        place += len(line) + 1


def _drop(
    pattern: re.Pattern[str], text: str, origins: Sequence[int], kept: list[bool], written: Sequence[tuple[int, int]]
) -> bool:
    """Notes which characters of the message are marks, and returns whether there were any."""
    is_changed = False
    for found in pattern.finditer(text):
        marks = [found.span(name) for name, words in found.groupdict().items() if words] or [found.span()]
        first = origins[found.start()]
        at = bisect_right(written, (first, len(kept))) - 1
        if at >= 0 and first < written[at][1]:
            continue
        for start, stop in marks:
            for place in range(start, stop):
                kept[origins[place]] = False
        is_changed = True
    return is_changed


class Sentence(NamedTuple):
    """Describes a sentence, [start, stop) of a folded text without the blanks around it; `asks` says whether it ends
    with a question mark."""

    start: int
    stop: int
    asks: bool


def fold_message(message: str) -> FoldedMessage:
    """Returns the message as rules read it."""
    rare = "".join(sorted(set(_RARE.findall(message))))
    if _INVISIBLE.search(rare) or _COMBINING.search(rare):
        return _mapped(message)
    return _contracted(simplified(_unticked(_translated(message, rare))), None)


def _translated(message: str, rare: str) -> str:
    """Returns the message with its rare characters in their plain form: where they are few, each by itself is
    faster."""
    if len(rare) > _FEW:
        return message.translate(_FOLD)
    for char in rare:
        message = message.replace(char, _FOLD[ord(char)])
    return message


def _unticked(text: str) -> str:
    """Returns the text with backticks within words as apostrophes; any other backtick may open code."""
    return _INNER_TICK.sub("'", text) if "`" in text else text


def _mapped(message: str) -> FoldedMessage:
    """Returns a message that has invisible characters or composed letters: each letter and where it began."""
    letters: list[str] = []
    origins: list[int] = []
    for place, char in enumerate(message):
        if _INVISIBLE.match(char):
            continue
        joined = unicodedata.normalize("NFC", letters[-1] + char) if letters and unicodedata.combining(char) else ""
        if len(joined) == 1:
            letters[-1] = joined
        else:
            letters.append(char)
            origins.append(place)
    return _contracted(simplified(_unticked("".join(letters).translate(_FOLD))), (*origins, len(message)))


def _contracted(text: str, origins: tuple[int, ...] | None) -> FoldedMessage:
    """Returns the text, "dont" and "ive" as "don't" and "i've", so that rules know one way to write them."""
    low = text.lower()
    places = [found.end() for found in _BARE.finditer(low)] if _HAS_BARE.search(low) else []
    if not places:
        return FoldedMessage(text, low, origins)
    before = origins or range(len(text) + 1)
    parts = list(pairwise((0, *places, len(text))))
    text = "'".join(text[start:stop] for start, stop in parts)
    # An apostrophe stands where the letter behind it does.
    origins = tuple(chain.from_iterable(before[start : stop + 1] for start, stop in parts))
    return FoldedMessage(text, text.lower(), origins)


class Sentences:
    """Reads the sentences and lines of a folded text; lines of a list lose their mark, and a full stop within a number
    or an address ends none. Each is read when it is asked for, since most hold nothing that is looked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        numbers = {found.end() for found in _NUMBERED.finditer(text)} if "." in text else set()
        self._ends = [found.end() for found in _SENTENCE_END.finditer(text) if found.end() not in numbers]
        self._known: dict[int, Sentence] = {}

    def index_at(self, place: int) -> int:
        """Returns the number of the sentence at this character, from 0; blank sentences are counted too."""
        return bisect_right(self._ends, place)

    def __len__(self) -> int:
        return len(self._ends) + 1

    def __getitem__(self, index: int) -> Sentence:
        known = self._known.get(index)
        if known is None:
            known = self._known[index] = self._read(index)
        return known

    def _read(self, index: int) -> Sentence:
        text = self._text
        start = self._ends[index - 1] if index else 0
        stop = self._ends[index] if index < len(self._ends) else len(text)
        part = text[start:stop].lstrip()
        if part[:1] in _LIST_HEADS and (not start or text[start - 1] == "\n") and (mark := LIST_MARK.match(part)):
            part = part[mark.end() :]
        begin = stop - len(part)
        part = part.rstrip()
        return Sentence(begin, begin + len(part), "?" in part[-3:])


_VOWELS: Final = frozenset("аеёиоуэюяўы")


def spelt_in_latin(folded: FoldedMessage, start: int, stop: int) -> FoldedMessage:
    """Returns [start, stop) of a text in Uzbek Cyrillic, spelt in Latin letters; places still lead back to the
    message."""
    letters: list[str] = []
    origins: list[int] = []
    before = ""
    places = range(start, stop) if folded.origins is None else folded.origins[start:stop]
    for char, written, place in zip(folded.low[start:stop], folded.text[start:stop], places, strict=True):
        spelt = "ye" if char == "е" and (not before.isalpha() or before in _VOWELS) else IN_LATIN.get(char, char)
        if written != char:
            spelt = spelt.capitalize()
        letters.append(spelt)
        origins += (place,) * len(spelt)
        before = char
    text = "".join(letters)
    return FoldedMessage(text, text.lower(), (*origins, folded.span(start, stop)[1]))


_CYRILLIC: Final = (
    ("o'", "ў"), ("g'", "ғ"), ("sh", "ш"), ("ch", "ч"), ("yo", "ё"), ("yu", "ю"), ("ya", "я"), ("ye", "е"), ("'", "ъ"),
    *((latin, cyrillic) for cyrillic, latin in IN_LATIN.items() if len(latin) == 1 and cyrillic not in "ыэъ"),
)  # fmt: skip


def spelt_in_cyrillic(word: str) -> str:
    """Returns a small Uzbek word in Latin letters as it is written in Cyrillic."""
    head = "э" if word.startswith("e") else ""
    rest = word[len(head) :]
    for latin, cyrillic in _CYRILLIC:
        rest = rest.replace(latin, cyrillic)
    return head + rest
