"""A text that is to be forgotten: its phrases are found wherever they stand and taken out, so that a second time finds
nothing.

A phrase is the whole selection, or one of its lines or sentences that says enough to be known by itself. Case,
Markdown's emphasis, kinds of apostrophes, line breaks between words and the alphabet of Uzbek make no difference, nor
does a code that `decoded_readings` decodes, nor letters of other alphabets that look the same. A line that says nothing
else goes; in any other a mark stands where the words stood.
"""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from heapq import heapify, heappop, heapreplace
from itertools import pairwise
from typing import Any, Final

from mnemoscope.domain.capture.rules import CATEGORIES
from mnemoscope.domain.forgetting.compressed_streams import UnpackingBounds
from mnemoscope.domain.forgetting.decoded_readings import plain_characters, readings, texts_within
from mnemoscope.domain.review.content_words import content_words, is_mostly_spaceless, may_have
from mnemoscope.domain.text.characters import APOSTROPHES, LINE_BREAK, SPACELESS
from mnemoscope.domain.text.confusables import TWO_ALPHABETS, in_latin_look, look_pattern
from mnemoscope.domain.text.excerpt import excerpt
from mnemoscope.domain.text.uzbek_alphabets import in_other_alphabet

MARK: Final = "[…]"
"""The mark stands where forgotten words stood within something else; it has no letters that could be looked for."""
_HOLE: Final = "\ue0f0"
"""A character of private use, while the places of words are looked at."""
_LEAST_ALONE: Final = 3
"""Letters and digits of a selection; of scripts without spaces one less."""
_LEAST_PART: Final = 14
"""Characters of a line or sentence of a longer selection, to be looked for by itself; without spaces 7."""
_LEAST_LOOK: Final = 8
"""Letters and digits of a phrase that is found in words of another alphabet alone: a shorter one may be a word there,
as the Russian "сор" looks like "cop"."""
_UNREADABLE: Final = "\ufffd"
_ONE_IN: Final = 20
"""A text is taken for binary data, and no text, if more than one in so many of its characters is unreadable."""
_EXCERPT: Final = 160
_AROUND: Final = 60
_PART_OF_WORD_BEFORE: Final = re.compile(rf"\A[^\s{SPACELESS}]+(?=\s)")
_PART_OF_WORD_AFTER: Final = re.compile(rf"(?<=\s)[^\s{SPACELESS}]+\Z")
_ESCAPE: Final = re.compile(r"\\([nrt\"/\\])")
_ESCAPES: Final = {"n": "\n", "r": "\n", "t": " "}
_LEAD: Final = re.compile(
    r"\s*(?:(?:[-*+]|\d+[.)])\s+|#{1,6}\s+|>\s?)*(?:\[[ xX]\]\s+)?(?:\[\d{4}-\d\d-\d\d[^\]\n]*\]\s*)?"
)
_LABEL: Final = re.compile(r"[*_]{0,2}[^\W\d_][\w -]{0,24}[*_]{0,2}:[*_]{0,2}\s*")
_KIND: Final = re.compile(rf"\*\*(?:{'|'.join(CATEGORIES)})\*\*:\s*(?=\S)")
_STRUCK: Final = re.compile(r"~~(.+)~~ \(until \d{4}-\d\d-\d\d\)\s*")
"""A line that another one took the place of (`capture.lines.superseded`)."""
_STAMP: Final = re.compile(r"\s*(?:[-*+]\s+|#{1,6}\s+)?\[?\d{4}-\d\d-\d\d[^\]\n]*\]?\s*")
_EDGES: Final = " \t.,;:!?…。，；：！？"
_SEPARATORS: Final = r"(?:[\s*_`~\\]|(?<=\n)>)"
"""A separator of words: white space, a mark or escape of Markdown, or the mark of a quote at the beginning of a
line."""
_BETWEEN: Final = rf"(?:{_SEPARATORS}|\+)"
"""The same, and what stands for a blank in the field of a form."""
_ESCAPED: Final = "[]<>|"
"""Other characters that a captured line has behind a backslash, and the message has without one."""
_LONG_NUMBER: Final = re.compile(r"(?<![\w.])\(?\d(?:[\s().-]{0,2}\d){6,}(?!\w)")
_IN_NUMBER: Final = rf"(?:{_SEPARATORS}|[().\u2010-\u2013/-])*"
"""The separators between two digits of a long number, which is the same number in whatever groups it is written."""
_HEAD: Final = re.compile("[a-zA-Z0-9]*")
_LIKE_ASCII: Final = {"\u0130": "i", "\u0131": "i", "\u017f": "s", "\u212a": "k"}
"""Letters that a pattern takes for one of ASCII in either case, and that do not become it in small letters."""
_NUMBER: Final = "\ue0f1"
"""A character of private use, while the words of a phrase are looked at: a long number."""
_SENTENCE: Final = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")
_STRUCTURE: Final = frozenset({"id", "key", "session_key", "path", "began", "format", "role", "_type", "range_hash"})
"""Fields of records that name something: other records find it by them, so they stay as they are."""


@dataclass(frozen=True)
class ForgottenText:
    """Holds the phrases that are looked for, the longest first."""

    phrases: tuple[str, ...]

    @classmethod
    def of(cls, *selections: str) -> ForgottenText:
        """Returns the phrases of what was selected; none where that says too little to be told from anything else."""
        found: list[str] = []
        for selection in selections:
            found += _phrases_of(selection)
        return cls(tuple(sorted(dict.fromkeys(found), key=len, reverse=True)))

    @cached_property
    def _as_written(self) -> _Wanted:
        others = filter(None, map(in_other_alphabet, self.phrases))
        return _Wanted(tuple(sorted({*self.phrases, *others}, key=lambda each: (-len(each), each))))

    @cached_property
    def _decoded(self) -> _Wanted:
        found = dict.fromkeys(map(plain_characters, self._as_written.phrases))
        return _Wanted(tuple(each for each in found if _letters(each)))

    @cached_property
    def _looks(self) -> tuple[_Wanted, _Wanted]:
        """Returns the phrases as they look in Latin letters: the longer ones, and those that are too short to be found
        in words of another alphabet alone. A capital letter may look like another one than the small letter does."""
        found: dict[bool, list[str]] = {True: [], False: []}
        for phrase in self._decoded.phrases:
            looks = map(in_latin_look, (phrase, phrase.lower(), phrase.upper()))
            found[_letters(phrase) >= _LEAST_LOOK] += dict.fromkeys(looks)
        return _Wanted(tuple(found[True])), _Wanted(tuple(found[False]))

    @cached_property
    def _look_anchors(self) -> re.Pattern[str]:
        words = dict.fromkeys(word for wanted in self._looks for word in wanted.anchors)
        return re.compile("|".join(map(look_pattern, words)) or r"(?!)")

    def stands_in(self, data: bytes, bounds: UnpackingBounds) -> bool:
        """Returns whether a phrase stands in what was unpacked, in whatever form and as deep as the bounds let it be
        looked for."""
        return any(
            self._decoded.spans(text, loosely=True) or self._alike(text, loosely=True)
            for text in texts_within(data, self._decoded.may_stand_in, bounds)
        )

    def _alike(self, text: str, *, loosely: bool) -> list[tuple[int, int]]:
        """Returns the places of the phrases in letters that look the same; none in what is no text."""
        if not text.isascii() and (_is_no_text(text) or not self._look_anchors.search(text)):
            return []
        seen = in_latin_look(text)
        longer, shorter = (each.spans(seen, loosely) for each in self._looks)
        return longer + [span for span in shorter if TWO_ALPHABETS.search(text, *span)]

    def count(self, text: str, *, loosely: bool = False) -> int:
        """Returns how often a phrase stands in a text. `loosely`: whatever stands right beside it, as in a database,
        whose marks may look like letters."""
        return len(self.spans(text, loosely=loosely))

    def excerpts(self, text: str, most: int = 3) -> tuple[str, ...]:
        """Returns the first places in one line each, with a few whole words of what stands around them; an ellipsis
        says that there are more on that line."""
        return tuple(excerpt(_with_words_around(text, *span), _EXCERPT) for span in self.spans(text)[:most])

    def spans(self, text: str, *, loosely: bool = False) -> list[tuple[int, int]]:
        """Returns the places of the phrases in a text, each as [start, stop) in characters; of one in base64 the place
        of all that was put into base64 with it. `loosely` as `count` has it."""
        found = self._as_written.spans(text, loosely)
        if self._decoded != self._as_written:
            found += self._decoded.spans(text, loosely)
        found += self._alike(text, loosely=loosely)
        for reading in readings(text, self._decoded.may_stand_in):
            cut = loosely or reading.whole is not None
            spans = self._decoded.spans(reading.text, cut) + self._alike(reading.text, loosely=cut)
            found += [reading.in_source(*span) for span in spans]
        return _apart(found)

    def marked(self, text: str) -> str:
        """Returns the text with the mark where the words stand; every line of it stays."""
        for start, stop in reversed(self.spans(text)):
            text = text[:start] + MARK + text[stop:]
        return text

    def redacted(self, text: str) -> str:
        """Returns the text without the phrases."""
        if not (spans := self.spans(text)):
            return text
        ends = [0, *(stop for _, stop in spans)]
        starts = [*(start for start, _ in spans), len(text)]
        lines = _HOLE.join(text[end:start] for end, start in zip(ends, starts, strict=True)).split("\n")
        kept = [line if _HOLE not in line else _without_holes(line, len(lines) > 1) for line in lines]
        return "\n".join(line for line in kept if line is not None) or MARK

    def places_after(self, text: str, places: Sequence[int]) -> list[int]:
        """Returns where each of these places of a text is in the text without the phrases, in characters. A place
        within a phrase is behind the mark that stands there."""
        if self.redacted(text) == text:
            return list(places)
        former = self._former_places(text)
        return [bisect_left(former, place) for place in places]

    def _former_places(self, text: str) -> list[int]:
        """Returns for each character of the text without the phrases where it, or what it stands for, was."""
        chars: list[tuple[str, int]] = []
        end = 0
        for start, stop in self.spans(text):
            chars += [(text[place], place) for place in range(end, start)]
            chars.append((_HOLE, start))
            end = stop
        chars += [(text[place], place) for place in range(end, len(text))]
        lines: list[list[tuple[str, int]]] = [[]]
        for char in chars:
            lines[-1].append(char)
            if char[0] == "\n":
                lines.append([])
        kept = [line for line in lines if self._stays(line, len(lines) > 1)]
        former = [place for line in kept for char, place in line for _ in range(len(MARK) if char == _HOLE else 1)]
        if kept and kept[-1] is not lines[-1]:
            # The line break before a last line that goes is none any more.
            former.pop()
        return former or [0] * len(MARK)

    @staticmethod
    def _stays(line: Sequence[tuple[str, int]], is_one_of_many: bool) -> bool:
        words = "".join(char for char, _ in line).removesuffix("\n")
        return _HOLE not in words or _without_holes(words, is_one_of_many) is not None

    def texts_in(self, value: Any) -> Iterator[str]:
        """Yields the texts of a value of JSON that `redacted_value` would look at."""
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            for each in value:
                yield from self.texts_in(each)
        elif isinstance(value, dict):
            for name, each in value.items():
                if not (name in _STRUCTURE and isinstance(each, str)):
                    yield from self.texts_in(each)

    def redacted_value(self, value: Any) -> Any:
        """Returns a value of JSON without the phrases in any of its texts; a text that holds JSON is read as such. What
        names a record stays."""
        if isinstance(value, str):
            return self._redacted_string(value)
        if isinstance(value, list):
            return [self.redacted_value(each) for each in value]
        if isinstance(value, dict):
            return {
                name: each if name in _STRUCTURE and isinstance(each, str) else self.redacted_value(each)
                for name, each in value.items()
            }
        return value

    def _redacted_string(self, text: str) -> str:
        if text[:1] in ("{", "["):
            with suppress(ValueError, RecursionError):
                document = json.loads(text)
                redacted = self.redacted_value(document)
                end = text[len(text.rstrip()) :]
                return text if redacted == document else json.dumps(redacted, ensure_ascii=False) + end
        return self.redacted(text)

    def related(self, line: str) -> bool:
        """Returns whether a line that has none of the phrases says the same in other words, as its content words
        tell."""
        words = frozenset(content_words(line))
        return any(_says_the_same(said, words) for said in self._said)

    def related_sentences(self, text: str) -> Iterator[str]:
        """Yields the sentences of a longer text that have none of the phrases and say the same in other words."""
        if self._may_be_related(text):
            for line in text.splitlines():
                for sentence in filter(None, map(str.strip, _SENTENCE.split(bare_line(line)))):
                    if self._may_be_related(sentence) and self.related(sentence) and not self.count(sentence):
                        yield sentence

    def _may_be_related(self, text: str) -> bool:
        """Returns whether a text may say the same, without taking its words apart: most texts do not."""
        return any(may_have(text, said, max(2, (len(said) + 1) // 2)) for said in self._said)

    @cached_property
    def _said(self) -> tuple[frozenset[str], ...]:
        return tuple(words for phrase in self.phrases if len(words := frozenset(content_words(phrase))) > 1)


@dataclass(frozen=True)
class _Wanted:
    """Phrases that are looked for in a text as it stands, the longest first."""

    phrases: tuple[str, ...]

    def spans(self, text: str, loosely: bool) -> list[tuple[int, int]]:
        """Returns the places of the phrases, each as [start, stop) in characters: of two that overlap the one that
        begins first, of two that begin together the longer one.

        A phrase is looked for where its words stand. Most texts have those of few phrases, and one pattern of them all
        tries each phrase at every character.
        """
        lowered = text.lower()
        folded = _folded(text, lowered)
        searches = [
            partial(_next_match, self._pattern(phrase, loosely), self._heads[phrase], text, folded)
            for phrase in self._standing_in(lowered, folded)
        ]
        nearest = [
            (match.start(), order, match) for order, search in enumerate(searches) if (match := search(0)) is not None
        ]
        heapify(nearest)
        found: list[tuple[int, int]] = []
        place = 0
        while nearest:
            start, order, match = nearest[0]
            if start >= place:
                found.append(match.span())
                place = match.end()
            # What begins within the last place is no place of its own: the phrase is looked for behind that.
            after = searches[order](place)
            if after is None:
                heappop(nearest)
            else:
                heapreplace(nearest, (after.start(), order, after))
        return found

    def _standing_in(self, lowered: str, folded: str) -> Iterator[str]:
        """Yields the phrases whose words stand in a text."""
        for phrase, anchors in self._anchors_by_phrase.items():
            for anchor in anchors:
                if anchor in lowered or (folded is not lowered and anchor in folded):
                    break
            else:
                continue
            for word in self._plain_words[phrase]:
                if word not in folded:
                    break
            else:
                yield phrase

    def may_stand_in(self, data: bytes) -> bool:
        """Returns whether bytes have one of the words that stand wherever a phrase does, in UTF-8."""
        plain, others = self._anchor_bytes
        lowered = data.lower()
        return any(word in lowered for word in plain) or others.search(data) is not None

    @cached_property
    def _anchor_bytes(self) -> tuple[tuple[bytes, ...], re.Pattern[bytes]]:
        """Returns the words of ASCII, and a pattern of the others."""
        plain = tuple(word.encode() for word in self.anchors if word.isascii())
        others = b"|".join(_in_any_case(word) for word in self.anchors if not word.isascii())
        return plain, re.compile(others or rb"(?!)")

    @cached_property
    def anchors(self) -> tuple[str, ...]:
        """Returns for each phrase a word that stands wherever it does."""
        return tuple({word for words in self._anchors_by_phrase.values() for word in words})

    @cached_property
    def _anchors_by_phrase(self) -> dict[str, frozenset[str]]:
        anchors = {phrase: _anchor(words, phrase) for phrase, words in self._words_apart.items()}
        return {
            phrase: frozenset(
                unicodedata.normalize(form, each) for each in (word, _folded(word, word)) for form in ("NFC", "NFD")
            )
            for phrase, word in anchors.items()
        }

    @cached_property
    def _heads(self) -> dict[str, str]:
        """Returns the letters of ASCII that each phrase begins with, in small letters: "" where it begins otherwise, or
        with a long number."""
        return {
            phrase: "" if _LONG_NUMBER.match(phrase) else phrase[: _HEAD.match(phrase).end()].lower()  # type: ignore[union-attr]  # it matches anything
            for phrase in self.phrases
        }

    @cached_property
    def _plain_words(self) -> dict[str, tuple[str, ...]]:
        """Returns the words of ASCII of each phrase, the longest first: each stands wherever the phrase does."""
        return {
            phrase: tuple(sorted(filter(str.isascii, words), key=len, reverse=True))
            for phrase, words in self._words_apart.items()
        }

    @cached_property
    def _words_apart(self) -> dict[str, tuple[str, ...]]:
        """Returns the words of each phrase in small letters, without long numbers, which are written in many ways."""
        apart = re.compile(f"(?:{_SEPARATORS}|[{APOSTROPHES}{re.escape(_ESCAPED)}])+")
        return {phrase: tuple(apart.split(_LONG_NUMBER.sub(" ", phrase.lower()))) for phrase in self.phrases}

    @cached_property
    def _patterns(self) -> dict[tuple[str, bool], re.Pattern[str]]:
        """Returns the patterns that were made so far, by phrase and by whether it is looked for loosely."""
        return {}

    def _pattern(self, phrase: str, loosely: bool) -> re.Pattern[str]:
        made = self._patterns.get((phrase, loosely))
        if made is None:
            made = re.compile(_joined_words(phrase) if loosely else _pattern_of(phrase), re.IGNORECASE)
            self._patterns[phrase, loosely] = made
        return made


def _folded(text: str, lowered: str) -> str:
    """Returns a text in small letters, with those of ASCII wherever a pattern takes a letter for one, and each
    character in its place."""
    like = [char for char in _LIKE_ASCII if char in text]
    for char in like:
        text = text.replace(char, _LIKE_ASCII[char])
    return text.lower() if like else lowered


def _next_match(pattern: re.Pattern[str], head: str, text: str, folded: str, place: int) -> re.Match[str] | None:
    """Returns the first match of a pattern in a text from a place on. It is tried only where the `head` stands that it
    begins with, if that is known: looking for letters is many times quicker than trying a pattern everywhere."""
    if not head:
        return pattern.search(text, place)
    at = folded.find(head, place)
    while at >= 0:
        if match := pattern.match(text, at):
            return match
        at = folded.find(head, at + 1)
    return None


def _in_any_case(word: str) -> bytes:
    cases = (dict.fromkeys((char, char.upper())) for char in word)
    return b"".join(b"(?:" + b"|".join(re.escape(each.encode()) for each in case) + b")" for case in cases)


def _apart(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Returns places in order, those that overlap as one."""
    found: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(stop, found[-1][1])
        else:
            found.append((start, stop))
    return found


def _is_no_text(text: str) -> bool:
    return text.count(_UNREADABLE) * _ONE_IN > len(text)


def _says_the_same(said: frozenset[str], words: frozenset[str]) -> bool:
    """Returns whether one of two texts has all content words of the other, and that says enough; in a script without
    spaces, whether the other has most of the pairs of characters, which change with each word between them."""
    common = len(said & words)
    if common < 2:
        return False
    is_whole = said <= words or (words <= said and 2 * len(words) >= len(said))
    return is_whole or (3 * common >= 2 * len(said) and is_mostly_spaceless("".join(said)))


def _with_words_around(text: str, start: int, stop: int) -> str:
    first, last = max(0, start - _AROUND), min(len(text), stop + _AROUND)
    before, words, after = text[first:start], text[start:stop], text[stop:last]
    if text.startswith(("{", "[")):
        before, words, after = map(_without_escapes, (before, words, after))
    _, is_begun, lead = before.rpartition("\n")
    rest, is_ended, _ = after.partition("\n")
    if first and not is_begun:
        lead = f"… {_PART_OF_WORD_BEFORE.sub('', lead) if not text[first - 1].isspace() else lead}"
    if last < len(text) and not is_ended:
        rest = f"{_PART_OF_WORD_AFTER.sub('', rest) if not text[last].isspace() else rest} …"
    return f"{lead}{words}{rest}"


def _without_escapes(text: str) -> str:
    """Returns a piece of JSON as it reads: with line ends, tabs and quotes in place of their escapes."""
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), text)


def bare_line(line: str) -> str:
    """Returns a line without the marks of lists, quotes and headings, and without a date, before it."""
    return line[_LEAD.match(line).end() :].strip()  # type: ignore[union-attr]  # it matches anything


def _phrases_of(selection: str) -> Iterator[str]:
    selection = unicodedata.normalize("NFC", selection)
    lines = [bare for line in LINE_BREAK.split(selection) if (bare := _as_said(line).strip(_EDGES))]
    whole = " ".join(lines)
    if _letters(whole) < _LEAST_ALONE - is_mostly_spaceless(whole):
        return
    yield whole
    parts = lines if len(lines) > 1 else []
    sentences = [part for line in lines if len(found := _SENTENCE.split(line)) > 1 for part in found]
    for part in (*parts, *(bare.strip(_EDGES) for bare in sentences)):
        if len(part) >= (_LEAST_PART // 2 if is_mostly_spaceless(part) else _LEAST_PART):
            yield part


def _as_said(line: str) -> str:
    """Returns a line as it was said: without the kind that a captured line begins with, which no message has, and
    without the strokes and the day of one that was replaced, which no former text of the file has."""
    bare = bare_line(line)
    struck = _STRUCK.fullmatch(bare)
    return _KIND.sub("", struck[1] if struck else bare, count=1)


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _anchor(words: Sequence[str], phrase: str) -> str:
    """Returns what stands wherever a phrase does: its longest word, or a digit of the long number that is all of it."""
    return max(words, key=len) or next(filter(str.isdigit, phrase))


def _joined_words(phrase: str) -> str:
    numbers = iter(map(_number_pattern, _LONG_NUMBER.findall(phrase)))
    words = [word for word in re.split(f"{_SEPARATORS}+", _LONG_NUMBER.sub(_NUMBER, phrase)) if word]
    joined = _escaped(words[0])
    for before, word in pairwise(words):
        is_loose = not (before[-1].isalnum() and word[0].isalnum())
        joined += f"{_BETWEEN}{'*' if is_loose else '+'}{_escaped(word)}"
    return re.sub(_NUMBER, lambda _: next(numbers), joined)


def _number_pattern(number: str) -> str:
    return rf"\(?(?<!\d){_IN_NUMBER.join(filter(str.isdigit, number))}(?!\d)"


def _pattern_of(phrase: str) -> str:
    first = r"(?<!\w)" if _is_bounded(phrase[0]) else ""
    last = r"(?!\w)" if _is_bounded(phrase[-1]) else ""
    return f"{first}{_joined_words(phrase)}{last}"


def _escaped(word: str) -> str:
    return "".join(map(_character, word))


def _character(char: str) -> str:
    if char in _ESCAPED:
        return rf"\\?{re.escape(char)}"
    return f"[{APOSTROPHES}]" if char in APOSTROPHES else _in_both_forms(char)


def _in_both_forms(char: str) -> str:
    """Returns the pattern of a character, which is found as one and taken apart into its letter and marks."""
    apart = unicodedata.normalize("NFD", char)
    return re.escape(char) if apart == char else f"(?:{re.escape(char)}|{re.escape(apart)})"


def _is_bounded(char: str) -> bool:
    return char.isalnum() and re.match(f"[{SPACELESS}]", char) is None


def _without_holes(line: str, is_one_of_many: bool) -> str | None:
    """Returns a line with the mark in each hole; None where nothing else is said in it and it may go."""
    rest = line.replace(_HOLE, "")
    bare = _LEAD.sub("", rest, count=1)
    struck = _STRUCK.fullmatch(bare.replace("~~~~", "~~-~~"))
    bare = struck[1] if struck else bare
    said = _LABEL.sub("", bare, count=1)
    has_stamp = _STAMP.match(rest) is not None
    if is_one_of_many and not has_stamp and not _letters(said):
        return None
    return line.replace(_HOLE, MARK)
