"""Some regions of a message are not the person's own words: code, quotations, pasted text, text to work on."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final

from mnemoscope.domain.capture.folded_message import LIST_MARK, Folded, Sentences
from mnemoscope.domain.capture.rules import Language
from mnemoscope.domain.text.fences import closes, opening_mark

CODE: Final = "code"
QUOTED: Final = "quoted"
PASTED: Final = "pasted"
TEMPLATE: Final = "template"
Region = tuple[int, int, str]
"""[start, stop) of a folded text and why nothing in it is captured."""
_QUOTED_LINE: Final = re.compile(r"\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?>")
_SPEAKER: Final = re.compile(r"(?:\[?\d{1,2}:\d\d(?::\d\d)?\]? ?)?[^\W\d_][\w .]{0,24}: ?(?!//)\S")
_MAIL: Final = re.compile(r"(?:from|to|subject|date|sent|от|кому|тема|发件人|收件人|主题): ", re.IGNORECASE)
_CODE_LINE: Final = re.compile(
    r"\s*(?:(?:def|class|func|fn|struct|interface) \w+\s*[({:<]|import [\w.]+(?: as |;|$)|from [\w.]+ import|#include|"
    r"(?:const|let|var|val) \w+ ?(?::[^=\n]{1,40})?=|return\b.*;|\$ \S|>>> |select .{1,120} from |<\w+[^>\n]{0,200}>|"
    r"\w+(?:\.\w+)*\(.*\)[;{]?$|[{}]|//|/\*)"
)
_CODE_END: Final = re.compile(r"[{}]$|\);$|=>")
_QUOTATION: Final = re.compile(
    r"“[^“”\n]{1,1000}”|«[^«»\n]{1,1000}»|„[^„“”\n]{1,1000}[“”]|「[^「」\n]{1,1000}」|『[^『』\n]{1,1000}』|"
    r"\"[^\"\n]{1,1000}\"|'(?<![\w']')(?=\w)(?:[^'\n]|(?<=\w)'(?=\w)){1,600}+'(?!\w)"
)
_INLINE: Final = re.compile(r"(?<!`)(`{1,2})(?!`)[^`\n]{1,400}\1(?!`)")
_KEPT_LINE: Final = re.compile(
    r"\s*[-*+] (?:~~)?(?:\[[\dT:.+Z-]{4,40}\] )?(?:\[user:[^\]\n]{1,64}\] )?\*\*[a-z_]{1,24}\*\*: "
)
"""A line of what was captured before, copied."""
_TOLD: Final = re.compile(
    r"\[(?:COMPACTION RECOVERY|CONVERSATION SUMMARY|CONTEXT COMPACTION|MEMORY CONTEXT|Runtime context)\b"
)
"""How what a program puts into a prompt begins; with ends said, or to the end of the message."""
_TOLD_ENDS: Final = "[End of summary"
_FEW: Final = 2
"""Lines that begin with a speaker from which on a text counts as a pasted chat."""


class Regions:
    """The regions of one message, none overlapping; of two that overlap, the one that begins first stays whole."""

    def __init__(self, found: Iterable[Region]) -> None:
        self._regions: list[Region] = []
        for start, stop, why in sorted(found, key=lambda each: (each[0], -each[1])):
            place = self._regions[-1][1] if self._regions else 0
            if stop > place:
                self._regions.append((max(start, place), stop, why))
        self._starts = [each[0] for each in self._regions]

    def reason_at(self, place: int) -> str:
        """Returns why nothing is captured at this character, or ""."""
        index = bisect_right(self._starts, place) - 1
        if index < 0 or place >= self._regions[index][1]:
            return ""
        return self._regions[index][2]


def regions_of(
    folded: Folded, sentences: Sentences, languages: Iterable[Language], quotes: Iterable[tuple[int, int]]
) -> Regions:
    """Returns all regions of a message. `languages` are those a request to work on a text may be in; `quotes` are
    [start, stop) in characters of the message that the person put in."""
    text = folded.text
    found: list[Region] = [(folded.place(start), folded.place(stop), PASTED) for start, stop in quotes]
    found += _lines(text)
    found += [(*each.span(), CODE) for each in _INLINE.finditer(text)] if "`" in text else []
    found += [(*each.span(), QUOTED) for each in _QUOTATION.finditer(text)]
    found += _told(text) if "[" in text else ()
    found += _material(folded, sentences, languages)
    return Regions(found)


def _told(text: str) -> Iterator[Region]:
    """Yields the passages of a program's prompt that were copied into the message."""
    place = 0
    while found := _TOLD.search(text, place):
        end = text.find(_TOLD_ENDS, found.end())
        place = len(text) if end < 0 else end
        yield found.start(), place, PASTED


def _lines(text: str) -> Iterator[Region]:
    """Yields blocks of code, quotations, lines that look like code, and chats or mails of others."""
    fence, opened = "", 0
    spoken: list[Region] = []
    place = 0
    for line in text.split("\n"):
        stop = place + len(line)
        if fence:
            if closes(line, fence):
                yield opened, stop, CODE
                fence = ""
        elif mark := opening_mark(line):
            fence, opened = mark, place
        elif ">" in line and _QUOTED_LINE.match(line):
            yield place, stop, QUOTED
        elif "**" in line and _KEPT_LINE.match(line):
            yield place, stop, PASTED
        elif _is_code(line):
            yield place, stop, CODE
        elif _is_spoken(line):
            spoken.append((place, stop, PASTED))
        place = stop + 1
    if fence:
        yield opened, len(text), CODE
    yield from spoken if len(spoken) >= _FEW else ()


def _is_spoken(line: str) -> bool:
    mark = LIST_MARK.match(line)
    start = mark.end() if mark else 0
    return bool(_SPEAKER.match(line, start) or _MAIL.match(line, start))


def _is_code(line: str) -> bool:
    return bool(_CODE_LINE.match(line[:400].lower()) or _CODE_END.search(line[-40:].rstrip()))


def _material(folded: Folded, sentences: Sentences, languages: Iterable[Language]) -> Iterator[Region]:
    """Yields the text that a request to translate, correct or invent is about: up to the message's end behind a colon,
    else to the line's, or as far as a text goes that was given below it."""
    covered = 0
    requests: dict[int, bool] = {}
    for language in languages:
        for place, is_given in _requests(language, folded.low, sentences):
            requests[place] = requests.get(place, False) or is_given
    for place, is_given in sorted(requests.items()):
        sentence = sentences[place]
        if sentence.start < covered:
            continue
        if ":" in folded.low[sentence.start : sentence.stop]:
            covered = len(folded.low)
        else:
            covered = _text_end(folded.low, sentence.stop) if is_given else _line_end(folded.low, sentence.stop)
        yield sentence.start, covered, TEMPLATE


def _line_end(low: str, place: int) -> int:
    end = low.find("\n", place)
    return end if end >= 0 else len(low)


def _text_end(low: str, place: int) -> int:
    """Returns where the paragraph at this place ends; behind a request that has a paragraph to itself, where the next
    one does."""
    stands = _GAP.match(low, place)
    blank = _BLANK_LINE.search(low, stands.end() if stands else place)
    return blank.start() if blank else len(low)


_GAP: Final = re.compile(r"\s*+")
_BLANK_LINE: Final = re.compile(r"\n[ \t]*+\n")
_LEAD: Final = 60
"""Characters of a sentence within which a request begins, behind a greeting or politeness."""


def _requests(language: Language, low: str, sentences: Sentences) -> Iterator[tuple[int, bool]]:
    """Yields the places of the sentences that begin with a request to work on a text, and whether that text is to be
    given."""
    openers, given = language.guards.get("openers"), language.guards.get("given")
    for found in language.guards["material"].finditer(low):
        place = sentences.index_at(found.start())
        start = sentences[place].start
        if start <= found.start() <= start + _LEAD:
            before = low[start : found.start()]
            if not (openers.sub("", before) if before and openers else before).strip(" ,!.:"):
                yield place, bool(given and given.match(low, found.start()))
