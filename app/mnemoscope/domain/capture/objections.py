"""Some matches are no statement of the person's: questions, conditions, statements about others or in others' words.

`objection` looks at the sentence around a match; `regions_of` finds the parts of a message that are not the person's
own words, such as code, quotations, pasted text and text to work on.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

from mnemoscope.domain.capture.folded_message import LIST_MARK, FoldedMessage, Sentence, Sentences
from mnemoscope.domain.capture.record import HYPOTHETICAL, QUESTION
from mnemoscope.domain.capture.rules import Language, Rule
from mnemoscope.domain.conversation.origin import FILE, QuotedSpan
from mnemoscope.domain.text.fences import closes, opening_mark
from mnemoscope.domain.text.math_marks import IN_DOLLARS, is_formula

REPORTED: Final = "reported speech"
NEGATED: Final = "negated"
THIRD_PERSON: Final = "third person"
MOMENTARY: Final = "momentary"
"""The objections that do not count against a rule whose pattern itself says that something is meant to last."""
_BEFORE: Final = 160
"""Characters in front of a hit that are looked at."""
_AFTER: Final = 240
_HEADING: Final = 24
"""Characters that the heading of what follows a colon may have."""
_LONGEST_SPEAKER: Final = 60
_TAG: Final = 24
"""Characters that a tag behind a statement may have, which makes a question of it."""
_FEW_WORDS: Final = 5
_FEW_LETTERS: Final = 8
"""Characters that the words may have which tell who said something."""
_AROUND: Final = " ,;.!?…\"'“”«»„—–-"
_CLAUSE: Final = re.compile("(?:^|[|`,;:.!?()\\[\\]\"'«»“”—–\u2600-\u27bf\U0001f000-\U0001faff]\ufe0f?|\\s-)\\s*$")
"""The end of a clause: punctuation, a dash, an emoji or the end of a piece of code."""
_ADDRESS: Final = re.compile(r"://\S{1,200}\s*$")
"""An address, behind which a sentence may begin without a full stop, which would belong to the address."""
_JOINT: Final = re.compile(r"[,;:.—–]\s*| --? ")
CODE: Final = "code"
QUOTED: Final = "quoted"
PASTED: Final = "pasted"
TEMPLATE: Final = "template"
REGIONS: Final = frozenset({CODE, QUOTED, PASTED, FILE, TEMPLATE})
Region = tuple[int, int, str]
"""[start, stop) of a folded text and why nothing in it is captured."""
_QUOTED_LINE: Final = re.compile(r"\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?>")
_SPEAKER: Final = re.compile(r"(?:\[?\d{1,2}:\d\d(?::\d\d)?\]? ?)?[^\W\d_][\w .]{0,24}: ?(?!//)\S")
_MAIL: Final = re.compile(r"(?:from|to|subject|date|sent|от|кому|тема|发件人|收件人|主题): ", re.IGNORECASE)
_MAIL_OPENS: Final = re.compile(
    r"^[ \t]*(?:from|subject|от|от кого|тема|发件人|主题|kimdan|mavzu|кимдан|мавзу): ?\S[^\n]*\n",
    re.IGNORECASE | re.MULTILINE,
)
_MAIL_LINE: Final = re.compile(r"[^\W\d_][^\n:]{0,20}: ?\S")
_GREETING: Final = re.compile(
    r"^[ \t]*(?:(?:dear|hi|hello|hey)(?: \w[\w.'-]*){1,3}"
    r"|(?:уважаем\w{2,4}|дорог\w{2,3}|здравствуйте|привет),?(?: \w+){1,2}"
    r"|尊敬的\w{1,10}|\w{1,6}[你您]好|(?:hurmatli|ҳурматли|assalomu alaykum|ассалому алайкум),?(?: \w[\w']*){1,2})"
    r"[,!:.]?[ \t]*$"
    r"|^[ \t]*(?:dear(?: \w[\w.'-]*){1,3}|(?:hi|hello|hey) (?:all|everyone|everybody|team|folks|colleagues|neighbou?rs)"
    r"|(?:уважаем\w{2,4}|дорог\w{2,3})(?: \w+){1,2}|尊敬的\w{1,10}|各位\w{1,6}|(?:hurmatli|ҳурматли)(?: \w[\w']*){1,2})"
    r"[,!:，！：]",
    re.IGNORECASE | re.MULTILINE,
)
"""The first line of a letter, or where a notice to others begins on the line of its greeting: with words that nobody
greets an assistant with."""
_NOTICE: Final = re.compile(
    r"^[ \t]*(?:(?:dear|hi|hello) (?:all|everyone|everybody|team|colleagues|\w+s)|(?:уважаемые|дорогие) \w+"
    r"|(?:尊敬的|各位)\w{1,8}|(?:hurmatli|ҳурматли) (?:[\w'-]+(?:lar|лар)|aholi|аҳоли))[,!:，！：]",
    re.IGNORECASE | re.MULTILINE,
)
"""A greeting of several people, with which a notice begins."""
_SIGNED: Final = re.compile(
    r"^[ \t]*(?:(?:best|kind|warm) (?:regards|wishes)|regards|best|sincerely|yours(?: \w+)?|cheers|love"
    r"|с уважением|всего доброго|此致|敬上|祝好|hurmat bilan|ҳурмат билан)(?:[,!.]? \w[\w.-]*){0,2}[,!.]?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
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
_FORMULA: Final = re.compile(IN_DOLLARS)
_KEPT_LINE: Final = re.compile(
    r"\s*[-*+] (?:~~)?(?:\[[\dT:.+Z-]{4,40}\] )?(?:\[user:[^\]\n]{1,64}\] )?\*\*[a-z_]{1,24}\*\*: "
)
"""A line of what was captured before, copied."""
_PROMPT_HEAD: Final = re.compile(
    r"\[(?:COMPACTION RECOVERY|CONVERSATION SUMMARY|CONTEXT COMPACTION|MEMORY CONTEXT|Runtime context)\b"
)
"""The beginning of what a program puts into a prompt; it goes on to a stated end, or to the end of the message."""
_PROMPT_END: Final = "[End of summary"
_WORDS: Final = re.compile(r"\w")
_ENDS_SENTENCE: Final = tuple(".!?…。")
_FEW: Final = 2
"""Lines that begin with a speaker from which on a text counts as a pasted chat."""


def objection(rule: Rule, folded: FoldedMessage, sentence: Sentence, start: int, stop: int) -> str:
    """Returns why a match [start, stop) in this sentence is no statement of the person's, or ""."""
    language = rule.language
    before = folded.low[max(sentence.start, start - _BEFORE) : start]
    if rule.category == "remember" and THIRD_PERSON not in rule.allows and not _begins_clause(language, before):
        # A wish is told wherever it is refused: first of all it has to be one, unlike `I wish I could remember that`.
        return THIRD_PERSON
    # "A joke: I decided": where a match takes in its heading, that still says what the rest is.
    is_wish = rule.category == "remember"
    heading = "" if is_wish else folded.low[start : folded.low.find(":", start, min(stop, start + _HEADING)) + 1]
    tags = language.guards.get("tags")
    if (
        sentence.asks
        and tags
        and _ends_with(tags, folded.low[max(sentence.start, sentence.stop - _TAG) : sentence.stop])
    ):
        # "Note that it rounds down, right?"
        return QUESTION
    if QUESTION not in rule.allows and _is_asked(language, folded.low, sentence, start, stop):
        return QUESTION
    for guard, reason in (("hypothetical", HYPOTHETICAL), ("reported", REPORTED), ("negated", NEGATED)):
        pattern = language.guards.get(guard)
        if pattern and reason not in rule.allows and (pattern.search(before) or pattern.search(heading)):
            return reason
    if REPORTED not in rule.allows and _names_a_speaker(language, folded.low, stop, sentence.stop):
        return REPORTED
    # A value says what it is wherever it stands; what a person says of themselves begins a clause.
    is_bare = rule.category == "specific_value"
    if not is_bare and THIRD_PERSON not in rule.allows and not _begins_clause(language, before):
        return THIRD_PERSON
    return ""


def _ends_with(tags: re.Pattern[str], words: str) -> bool:
    bare = words.rstrip(_AROUND)
    return any(
        found.end() == len(bare) and bare[: found.start()].rstrip()[-1:] in (",", "") for found in tags.finditer(bare)
    )


def _names_a_speaker(language: Language, low: str, stop: int, end: int) -> bool:
    """Returns whether the sentence ends with the name of who said it: `I prefer tea, said Anna.`"""
    speech_words = language.guards.get("told")
    rest = low[stop : min(end, stop + _LONGEST_SPEAKER)].strip(_AROUND)
    if not speech_words or not rest or end > stop + _LONGEST_SPEAKER:
        return False
    if not language.is_spaced:
        return len(rest) <= _FEW_LETTERS and bool(speech_words.search(rest))
    return len(rest.split()) <= _FEW_WORDS and bool(speech_words.match(rest))


def _is_asked(language: Language, low: str, sentence: Sentence, start: int, stop: int) -> bool:
    pattern = language.guards.get("questions")
    if not sentence.asks:
        head = low[sentence.start : min(sentence.stop, sentence.start + 48)]
        if pattern is None:
            return False
        if not language.is_spaced:
            return bool(pattern.search(low[sentence.start : sentence.stop][:_AFTER]))
        opening = _without_openers(language, head)
        return bool(pattern.match(opening))
    if start > sentence.start and pattern and pattern.match(low[sentence.start : start]):
        return True
    # "My name is Anna, what's yours?": the question is the other clause.
    rest = low[stop : min(sentence.stop, stop + _AFTER)]
    joints = language.guards.get("joints")
    ends = [joint.end() for pattern in (_JOINT, joints) if pattern for joint in pattern.finditer(rest)]
    return not any(_asks(language, rest[end:].lstrip()) for end in ends)


def _asks(language: Language, clause: str) -> bool:
    pattern = language.guards.get("questions")
    if pattern is None:
        return False
    if not language.is_spaced:
        return bool(pattern.search(clause))
    if clause.rstrip("?!. ").endswith(tuple(language.words["question_ends"])):
        return True
    return bool(pattern.match(clause) or pattern.match(_without_openers(language, clause)))


def _without_openers(language: Language, text: str) -> str:
    openers = language.guards.get("openers")
    while openers and (found := openers.match(text)):
        text = text[found.end() :].lstrip(" ,:;!.-")
    return text


def _begins_clause(language: Language, before: str) -> bool:
    """Returns whether a clause can begin here: behind punctuation, or behind words that only lead to it."""
    if _ADDRESS.search(before):
        return True
    tail = before[-60:]
    openers, joints = language.guards.get("openers"), language.guards.get("joints")
    if joints and _last(joints, tail):
        return True
    if (leads := language.guards.get("leads")) and (found := _last_of(leads, tail)):
        # "After a long talk we agreed": what happened before leads to what is said.
        tail = tail[: found.start()]
    for _ in range(4):
        if _CLAUSE.search(tail) or (not language.is_spaced and _PAUSE.search(tail)):
            return True
        if joints and _last(joints, tail):
            # Before words that lead to it: "I lived in York but now I live in Leeds".
            return True
        found = _last(openers, tail) if openers else None
        if found is None:
            return False
        tail = tail[: found.start()]
    return False


def _last_of(leads: re.Pattern[str], tail: str) -> re.Match[str] | None:
    """Returns the last word that opens a phrase which leads to a clause, if no other clause begins behind it."""
    found = deque(leads.finditer(tail), maxlen=1)
    return found[0] if found and not _JOINT.search(tail, found[0].end()) else None


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Returns the match that ends the text but for blanks."""
    bare = len(text.rstrip())
    return next((found for found in pattern.finditer(text) if found.end() == bare), None)


class Regions:
    """Holds the regions of one message, none overlapping; of two that overlap, the one that begins first stays
    whole."""

    def __init__(self, found: Iterable[Region]) -> None:
        self._regions: list[Region] = []
        for start, stop, why in sorted(found, key=lambda each: (each[0], -each[1])):
            place = self._regions[-1][1] if self._regions else 0
            if stop > place:
                self._regions.append((max(start, place), stop, why))
        self._starts = [each[0] for each in self._regions]

    def reason_at(self, place: int) -> str:
        """Returns why nothing is captured at this character, or ""."""
        region = self.region_at(place)
        return region[2] if region else ""

    def region_at(self, place: int) -> Region | None:
        """Returns the region in which this character stands, or None."""
        index = bisect_right(self._starts, place) - 1
        if index < 0 or place >= self._regions[index][1]:
            return None
        return self._regions[index]

    def is_worked_on(self, place: int) -> bool:
        """Returns whether this character belongs to a text that is to be translated, corrected or gone on with."""
        return self.reason_at(place) == TEMPLATE

    def sets_apart(self, text: str, start: int, stop: int) -> bool:
        """Returns whether [start, stop) ends a quotation or a piece of code that stands by itself: nothing but this was
        meant to be said there. Pasted text and what is within a sentence of somebody else's is not meant so."""
        region = self.region_at(start)
        if region is None or region[2] not in (QUOTED, CODE):
            return False
        begin, end, _ = region
        if _WORDS.search(text, stop, end) or (text[begin:end].count("\n") and _WORDS.search(text, begin, start)):
            return False
        line = text.rfind("\n", 0, begin) + 1
        lead, rest = text[line:begin].rstrip(), text[end : line_end(text, end)]
        is_alone = not _WORDS.search(lead) or lead[-1:] in _ENDS_SENTENCE
        is_last = text[begin:end].lstrip()[:1] != ">" or not _QUOTED_LINE.match(text[end + 1 : end + 1 + _LEAD])
        return is_alone and is_last and not _WORDS.search(rest)


def regions_of(
    folded: FoldedMessage, sentences: Sentences, languages: Iterable[Language], quotes: Iterable[QuotedSpan]
) -> Regions:
    """Returns all regions of a message. `languages` are those a request to work on a text may be in; `quotes` are
    [start, stop) in characters of the message that the person put in, each a PASTE or of a FILE."""
    text = folded.text
    found: list[Region] = [
        (folded.place(start), folded.place(stop), FILE if origin == FILE else PASTED) for start, stop, origin in quotes
    ]
    found += _lines(text)
    found += [(*each.span(), CODE) for each in _INLINE.finditer(text)] if "`" in text else []
    # In "$x = 2$" nothing costs 2$.
    found += [(*each.span(), CODE) for each in _FORMULA.finditer(text) if is_formula(each[0])] if "$" in text else []
    found += [(*each.span(), QUOTED) for each in _QUOTATION.finditer(text)]
    found += _copied_prompts(text) if "[" in text else ()
    found += _letters(text) if "\n" in text else ()
    found += _material(folded, sentences, languages)
    return Regions(found)


def _copied_prompts(text: str) -> Iterator[Region]:
    """Yields the passages of a program's prompt that were copied into the message."""
    place = 0
    while found := _PROMPT_HEAD.search(text, place):
        end = text.find(_PROMPT_END, found.end())
        place = len(text) if end < 0 else end
        yield found.start(), place, PASTED


def _letters(text: str) -> Iterator[Region]:
    """Yields mails and letters that were put in: from the heading on up to the last paragraph, which is the person's
    own where there is a body before it, as behind a notice to several people, and from a greeting to the end that goes
    with it."""
    if opens := _MAIL_OPENS.search(text):
        ends = [found.start() for found in _BLANK_LINE.finditer(text, opens.start())]
        heading = text[opens.start() : ends[0] if ends else len(text)].split("\n")
        has_body = any(not _MAIL_LINE.match(line.lstrip()) for line in heading if line.strip())
        yield opens.start(), ends[-1] if len(ends) >= (1 if has_body else 2) else len(text), PASTED
    if notice := _NOTICE.search(text):
        ends = [found.start() for found in _BLANK_LINE.finditer(text, notice.end())]
        if ends:
            yield notice.start(), ends[-1], PASTED
    if (greeting := _GREETING.search(text)) and (signed := _SIGNED.search(text, greeting.end())):
        yield greeting.start(), signed.end(), PASTED


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


def _material(folded: FoldedMessage, sentences: Sentences, languages: Iterable[Language]) -> Iterator[Region]:
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
            covered = _text_end(folded.low, sentence.stop) if is_given else line_end(folded.low, sentence.stop)
        yield sentence.start, covered, TEMPLATE


def line_end(low: str, place: int) -> int:
    """Returns where the line that a place is in ends."""
    end = low.find("\n", place)
    return end if end >= 0 else len(low)


def _text_end(low: str, place: int) -> int:
    """Returns where the paragraph at this place ends; behind a request that has a paragraph to itself, where the next
    one does."""
    stands = _GAP.match(low, place)
    blank = _BLANK_LINE.search(low, stands.end() if stands else place)
    return blank.start() if blank else len(low)


_GAP: Final = re.compile(r"\s*+")
_PAUSE: Final = re.compile(r"[^\s\x00-\x7f] +$")
"""A blank behind a Chinese character: who types without punctuation ends a clause so."""
_BLANK_LINE: Final = re.compile(r"\n[ \t]*+\n")
_LEAD: Final = 60
"""Characters of a sentence within which a request begins, behind a greeting or politeness."""


def _requests(language: Language, low: str, sentences: Sentences) -> Iterator[tuple[int, bool]]:
    """Yields the places of the sentences that begin with a request to work on a text, and whether that text is to be
    given."""
    openers, given = language.guards.get("openers"), language.guards.get("given")
    if ordered := language.guards.get("ordered"):
        # Where the verb stands last, so does what is asked for.
        for found in ordered.finditer(low):
            place = sentences.index_at(found.start())
            if not low[found.end() : sentences[place].stop].strip(" ,!.:)"):
                yield place, False
    for found in language.guards["material"].finditer(low):
        place = sentences.index_at(found.start())
        start = sentences[place].start
        if start <= found.start() <= start + _LEAD:
            before = low[start : found.start()]
            if not (openers.sub("", before) if before and openers else before).strip(" ,!.:"):
                yield place, bool(given and given.match(low, found.start()))
