"""Before a message is answered, it is scanned for what is worth keeping; rules, which are data, decide.

`scan` reads one message and tells for each match of a rule what it captured, or why it refused to. It decides by words
alone: it asks no model, keeps no state, and gives the same answer every time.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from mnemoscope.domain.capture.folded_message import (
    LIST_MARK,
    WORD,
    FoldedMessage,
    Sentence,
    Sentences,
    UnmarkedMessage,
    fold_message,
    spelt_in_latin,
    unmarked,
)
from mnemoscope.domain.capture.match_value import (
    clause_end,
    han_name,
    is_vague,
    name_end,
    names_something,
    normalised_value,
    sentence_end,
)
from mnemoscope.domain.capture.objections import CODE, MOMENTARY, REGIONS, Regions, line_end, objection, regions_of
from mnemoscope.domain.capture.record import NOT_OWN_WORDS, NOTHING_BEFORE, QUESTION, SECRET, VAGUE
from mnemoscope.domain.capture.rules import BY_RANK, DECOY, DURABLE, STATEMENT, VALUES, Language, Rule, RuleSet, Try
from mnemoscope.domain.capture.safe_patterns import compiled_pattern
from mnemoscope.domain.conversation.origin import FILE, PASTE, QuotedSpan
from mnemoscope.domain.secrets.detection import MARK_OPENS, secrets_in
from mnemoscope.domain.secrets.stated_passwords import mask_secrets_and_passwords, states_a_password

MOST: Final = 50
"""Captures of one message at most: more is no message a person wrote."""
_AROUND: Final = 100
"""Characters around a sentence in which a key may begin or end."""
FactKey = tuple[str, str, str]
"""Category, subject, normalised value: what makes two facts the same."""
_GROUP: Final = re.compile(r"\{([a-z]{1,16})\}")
_WORDS: Final = re.compile(r"\w")
_LISTED: Final = re.compile("[,;、；]")
"""Signs that stand between the things that one sentence states."""
_COMMA: Final = re.compile(" ?[,、] ?|,? (?:and|и|va|ва) ")
"""A comma or a word for "and", which separate two facts about one person. A semicolon does not: the fact behind it may
be about something else."""
_LONGEST_ASIDE: Final = 50
"""Characters between two facts about one person that may say what they are."""
_PARTS_WITH_ASIDE: Final = 3
_JOINING: Final = " \t.,;:!…–—-([|~>`"
"""Signs that may stand between a fact and the wish behind it."""
_OPENING: Final = " \t>|~`"
"""Marks before a sentence that are none of its words."""
_FEWEST_WORDS: Final = 2
"""Words of a sentence that a wish behind it makes worth keeping: `Thanks. Remember this.` says nothing."""
_LOOKED_BACK: Final = 3
"""Sentences before a wish among which the nearest that says something is meant."""
_FEWEST_LETTERS: Final = 3
"""The same where words are not divided."""
_FEWEST_LINES: Final = 2
"""Lines without a mark that make a list: one alone is what a wish announces."""
_SENTENCE_MARKS: Final = (".", "!", "?", "…")
_MOST_MATCHES: Final = 10_000
"""Matches of one message at most: a text made of nothing but matches is cut there."""


@dataclass(frozen=True, slots=True)
class Correction:
    """Says of `subject` (may be "") that it is `new` and not `old` ("" if that is not said)."""

    subject: str
    new: str
    old: str = ""


@dataclass(frozen=True, slots=True)
class Capture:
    """Describes something to keep. `span` and `sentence_span` are [start, stop) in characters of the message; `text`
    are the words of the span, `fact` those to keep by themselves; `value` is said of `subject`; `kept_as` is the
    category of the fact, which a correction takes from what it corrects; `is_single` says that a new value replaces an
    old one; `opposite` is the subject that disagrees with it."""

    category: str
    text: str
    span: tuple[int, int]
    sentence: str
    sentence_span: tuple[int, int]
    confidence: float
    rule: str
    language: str
    subject: str
    value: str
    durable: bool
    kept_as: str
    key: FactKey
    fact: str
    is_single: bool = False
    opposite: str = ""
    correction: Correction | None = None

    @property
    def detail(self) -> str:
        """Returns the words for the session's state: of a correction all that was said, else what is kept by itself."""
        return self.text if self.category == "correction" else self.fact


@dataclass(frozen=True, slots=True)
class Refusal:
    """Describes a match of a rule that is not kept, and the reason: `question`, `quoted`, `pasted`, `file`, `code`,
    `template`, `hypothetical`, `reported speech`, `negated`, `third person`, `secret` (then the words are masked), `too
    vague`, or, of what stands before a wish to remember it, `nothing before it` or `not your own words`.
    """

    category: str
    text: str
    span: tuple[int, int]
    rule: str
    language: str
    reason: str


def fact_keys(line: str, rules: RuleSet) -> list[tuple[FactKey, Capture | None]]:
    """Returns the keys of what a kept line says: what rules capture of it, else what statement rules find."""
    kept = [each for each in scan(line, rules, is_kept=True) if isinstance(each, Capture)]
    found: list[tuple[FactKey, Capture | None]] = [(each.key, each) for each in kept]
    if any(each is not None and each.subject and each.category != "decision" for _, each in found):
        return found
    plain = unmarked(line).text
    folded = fold_message(plain)
    whole = Sentence(0, len(folded.text), asks=False)
    for hit in _statements_in(folded, whole, rules):
        value = plain[slice(*folded.span(*hit.value_span))]
        found.append((("", hit.subject, normalised_value(value, hit.rule.language)), None))
    return found


def scan(
    text: str, rules: RuleSet, *, quotes: Sequence[Sequence[object]] = (), is_kept: bool = False
) -> list[Capture | Refusal]:
    """Returns everything the rules find in a person's message, in order of place; captures do not overlap.

    `quotes` are [start, stop, PASTE or FILE] in characters of what the person did not write but put in. The words of
    what is found are without marks of emphasis. `is_kept`: the text is a line that is kept already, which may tell of
    the person without naming them.
    """
    plain = unmarked(text)
    if plain.origins is None:
        return _scan_plain(text, rules, quotes, is_kept=is_kept)
    moved = [(plain.place(start), plain.place(stop), origin) for start, stop, origin in _spans(quotes)]
    return [_placed(each, plain, text) for each in _scan_plain(plain.text, rules, moved, is_kept=is_kept)]


def _placed(found: Capture | Refusal, plain: UnmarkedMessage, text: str) -> Capture | Refusal:
    """Returns what was found in a message without its marks, with the places of the message as it was written."""
    if isinstance(found, Refusal):
        return replace(found, span=plain.span(found.span))
    begin, end = plain.span(found.sentence_span)
    return replace(found, span=plain.span(found.span), sentence_span=(begin, end), sentence=text[begin:end])


def _scan_plain(
    text: str, rules: RuleSet, quotes: Sequence[Sequence[object]], *, is_kept: bool
) -> list[Capture | Refusal]:
    folded = fold_message(text)
    parts = Sentences(folded.text)
    words = _folded_words(folded.low)
    hits = sorted(_matches_in(folded, parts, words, rules), key=_rank)
    if not hits:
        return []
    asking = _languages_of_requests(folded.low, {word[0] for word in words}, rules)
    judge = _Judge(text, rules, regions_of(folded, parts, asking, _spans(quotes)), folded, parts, is_kept=is_kept)
    return judge.results(hits)


def _spans(quotes: Sequence[Sequence[object]]) -> list[QuotedSpan]:
    """Returns what a person put into a message, with where it is from."""
    return [
        (start, stop, FILE if FILE in origin else PASTE)
        for start, stop, *origin in quotes
        if isinstance(start, int) and isinstance(stop, int)
    ]


def _languages_of_requests(low: str, words: set[str], rules: RuleSet) -> list[Language]:
    """Returns the languages in which this message has the first word of a request to work on a text."""
    return [
        each
        for each in rules.languages.values()
        if each.heads and (words & each.heads if each.is_spaced else any(head in low for head in each.heads))
    ]


def captures_in(text: str, rules: RuleSet) -> list[Capture]:
    """Returns the captures of a message, without refusals."""
    return [each for each in scan(text, rules) if isinstance(each, Capture)]


def _rank(hit: RuleMatch) -> tuple[bool, int, bool, bool, int, int, int]:
    """Returns a key that puts matches that say more first: a wish to keep what stands before it, then by category,
    those of rules that know the words and not only the form of a sentence, those that stand by themselves, by place,
    those that mean more sentences, the longer."""
    rank = BY_RANK.index(hit.rule.category) if hit.rule.category in BY_RANK else len(BY_RANK)
    start, stop = hit.span
    return not hit.rule.points_back, rank, hit.rule.is_general, hit.rule.needs_fact, start, -hit.rule.reach, -stop


class _Judge:
    """Takes matches in the order of their categories; a match that lies within a capture is part of it."""

    def __init__(
        self, text: str, rules: RuleSet, regions: Regions, folded: FoldedMessage, parts: Sentences, *, is_kept: bool
    ) -> None:
        self._text = text
        self._rules = rules
        self._regions = regions
        self._folded = folded
        self._parts = parts
        self._is_kept = is_kept
        self._captured: list[Capture] = []
        self._refused: list[Refusal] = []
        self._seen: dict[tuple[int, int], bool] = {}
        self._wishes: dict[int, int] = {}
        """The places at which the wishes that point back begin, in the folded text, by number of the sentence."""
        self._nearest_said: list[int] = []
        """By number of a sentence that of the nearest one, up to itself, that says something before its wish; -1 for
        none. Made when a wish asks for it."""

    def results(self, hits: Sequence[RuleMatch]) -> list[Capture | Refusal]:
        hits = [hit for hit in hits if not hit.rule.points_back or self._is_wish(hit)]
        wishes = [hit.span for hit in hits if hit.rule.points_back]
        for start, _ in wishes:
            place = self._folded.place(start)
            index = self._parts.index_at(place)
            self._wishes[index] = min(place, self._wishes.get(index, place))
        wished = _Spans(wishes)
        inner = [hit for hit in hits if hit.rule.category in ("proper_noun", "preference") and self._is_clause(hit)]
        inner.sort(key=lambda hit: hit.span)
        starts = [hit.span[0] for hit in inner]
        for hit in hits:
            if len(self._captured) >= MOST:
                break
            is_wish = not hit.rule.points_back and wished.meet(hit.span)
            if not is_wish and not _overlaps(hit.span, self._captured):
                self._take(hit, inner, starts)
        refused = [each for each in self._refused if not _overlaps(each.span, self._captured)][:MOST]
        return sorted([*self._captured, *_apart(refused)], key=lambda each: each.span)

    def _is_wish(self, hit: RuleMatch) -> bool:
        """Returns whether a wish that points back is the person's own, or set apart by itself as if it were."""
        return not self._objection(hit) or self._is_set_apart(hit)

    def _is_set_apart(self, hit: RuleMatch) -> bool:
        """Returns whether a wish to remember is all that a quotation or a piece of code is there for, or a sentence of
        its own in a text to work on: it may be meant, so it is told."""
        if hit.rule.category != "remember":
            return False
        start, stop = self._places(hit)
        if hit.rule.points_back and self._regions.is_worked_on(start):
            sentence = self._parts[self._parts.index_at(start)]
            return not _WORDS.search(self._folded.low, sentence.start, start)
        return self._regions.sets_apart(self._folded.low, start, stop)

    def _take(self, hit: RuleMatch, inner: Sequence[RuleMatch], starts: Sequence[int]) -> None:
        if hit.rule.points_back:
            for meant in self._meant_by(hit):
                self._take_meant(hit, meant)
            return
        if hit.rule.follows and not self._goes_on(hit):
            return
        reason = self._objection(hit)
        reason = NOT_OWN_WORDS if reason in REGIONS and self._is_set_apart(hit) else reason
        if reason:
            self._refuse(hit, reason)
            return
        self._keep(hit, inner, starts)
        if hit.rule.reach > 1 and not _LISTED.search(self._folded.low, *self._places(hit)):
            for meant in self._after(hit, hit.rule.reach - 1):
                self._take_meant(hit, meant)

    def _is_clause(self, hit: RuleMatch) -> bool:
        """Returns whether a match may be a clause of a correction: one that names nobody has to begin behind a comma,
        as `moved to Bristol` does in `we don't live in Bath, moved to Bristol`, and `live in Bath` does not."""
        return not hit.rule.follows or self._folded.low[: self._places(hit)[0]].rstrip(" ")[-1:] in ("", ",", "、")

    def _goes_on(self, hit: RuleMatch) -> bool:
        """Returns whether a match goes on behind a comma or an `and` with what was captured about one of the
        subjects it follows, or begins a line that is kept."""
        start, _ = self._places(hit)
        if self._is_kept and not _WORDS.search(self._folded.low, 0, start):
            return True
        return any(
            each.subject in hit.rule.follows
            and self._is_joint(self._folded.place(each.span[1]), start, hit.rule.language)
            for each in self._captured
        )

    def _is_joint(self, start: int, stop: int, language: Language) -> bool:
        """Returns whether two facts about one person have a comma alone between them, or what the person is, too: `My
        name is Ann, a nurse, living in Leeds`."""
        if _COMMA.fullmatch(self._folded.low, start, stop):
            return True
        if not 0 < stop - start <= _LONGEST_ASIDE or (asides := language.guards.get("asides")) is None:
            return False
        parts = [part.strip() for part in self._folded.low[start:stop].replace("、", ",").split(",")]
        return len(parts) == _PARTS_WITH_ASIDE and not parts[0] + parts[2] and asides.fullmatch(parts[1]) is not None

    def _take_meant(self, wish: RuleMatch, meant: RuleMatch) -> None:
        """Keeps or refuses one of the sentences that a wish is about."""
        if _overlaps(meant.span, self._captured):
            return
        reason = NOTHING_BEFORE if meant is wish else self._objection(meant)
        reason = NOT_OWN_WORDS if reason in REGIONS or (meant is not wish and self._is_set_apart(wish)) else reason
        if reason:
            self._refuse(meant, reason)
        else:
            self._keep(meant, (), ())

    def _keep(self, hit: RuleMatch, inner: Sequence[RuleMatch], starts: Sequence[int]) -> None:
        capture = self._captured_by(hit)
        if hit.rule.category in ("correction", "remember"):
            place = bisect_left(starts, hit.span[0])
            known = inner[place] if place < len(inner) and starts[place] < hit.span[1] else None
            capture = self._with_fact(hit, capture, known)
        if hit.rule.needs_fact and not capture.subject:
            return
        if self._has_secret(*capture.sentence_span):
            self._refuse(hit, SECRET)
            return
        self._captured.append(capture)

    def _places(self, hit: RuleMatch) -> tuple[int, int]:
        """Returns the places of a match in the folded message."""
        return self._folded.place(hit.span[0]), self._folded.place(hit.span[1])

    def _meant_by(self, wish: RuleMatch) -> list[RuleMatch]:
        """Returns matches of the sentences that a wish is about: those before it, or behind it where it ends with a
        colon or begins the message; the wish itself where there are none."""
        if listed := self._listed_below(wish):
            return listed
        if wish.rule.points_on or self._announces(wish):
            return self._after(wish, wish.rule.reach) or [wish]
        meant = [self._before(wish)]
        if meant[0] is wish and wish.rule.reach > 1:
            return self._after(wish, wish.rule.reach) or meant
        while len(meant) < wish.rule.reach and meant[-1] is not wish:
            index = self._said_at(self._parts.index_at(self._folded.place(meant[-1].span[0])) - 1)
            earlier = self._match_of(wish.rule, self._before_its_wish(index)) if index >= 0 else wish
            if earlier is wish or earlier.is_vague:
                break
            meant.append(earlier)
        return meant

    def _announces(self, wish: RuleMatch) -> bool:
        """Returns whether a wish ends with a colon, so that what it is about follows."""
        stop = self._folded.place(wish.span[1])
        return self._folded.low[stop : stop + 1] == ":"

    def _listed_below(self, wish: RuleMatch) -> list[RuleMatch]:
        """Returns matches of all lines of the list that a wish has below it: lines with a mark, or, behind a colon,
        lines of one paragraph none of which ends as a sentence does. A wish that is itself a line of a list has
        none."""
        low = self._folded.low
        _, stop = self._places(wish)
        below = line_end(low, stop)
        line = low[low.rfind("\n", 0, stop) + 1 : below].lstrip()
        announces = self._announces(wish) or wish.rule.points_on
        if below == len(low) or LIST_MARK.match(line) or not (announces or below == stop):
            return []
        if _WORDS.search(low, stop, below):
            return []
        end = _list_end(low, below + 1, needs_mark=not announces)
        meant: list[RuleMatch] = []
        for place in range(self._parts.index_at(below) + 1, len(self._parts)):
            sentence = self._parts[place]
            if sentence.start >= end or len(meant) == MOST:
                break
            if _WORDS.search(low, sentence.start, sentence.stop):
                meant.append(replace(self._match_of(wish.rule, self._before_its_wish(place)), is_vague=False))
        return meant

    def _after(self, wish: RuleMatch, count: int) -> list[RuleMatch]:
        """Returns matches of the sentences behind a wish, at most `count`, up to one that says too little."""
        meant: list[RuleMatch] = []
        index = self._parts.index_at(self._folded.place(max(wish.span[0], wish.span[1] - 1))) + 1
        for place in range(index, min(len(self._parts), index + count + _LOOKED_BACK)):
            if len(meant) == count:
                break
            if not _WORDS.search(self._folded.low, *self._parts[place][:2]):
                continue
            match = self._match_of(wish.rule, self._before_its_wish(place))
            if match.is_vague:
                break
            meant.append(match)
        return meant

    def _before(self, wish: RuleMatch) -> RuleMatch:
        """Returns a match of what stands before a wish: the part of its sentence before it, else the nearest sentence
        that is no wish itself; the wish where there is nothing."""
        folded = self._folded
        place = folded.place(wish.span[0])
        index = self._parts.index_at(place)
        sentence = self._parts[index]._replace(stop=self._wishes.get(index, place), asks=False)
        nearest: RuleMatch | None = None
        for _ in range(_LOOKED_BACK):
            if not _WORDS.search(folded.low, sentence.start, sentence.stop):
                index = self._said_at(index - 1)
                if index < 0:
                    return nearest or wish
                sentence = self._before_its_wish(index)
            meant = self._match_of(wish.rule, sentence)
            if not meant.is_vague:
                return meant
            # `Thanks.` and `Seriously,` say nothing that could be meant.
            nearest = nearest or meant
            index -= 1
            if index < 0:
                break
            sentence = self._before_its_wish(index)
        return nearest or wish

    def _said_at(self, index: int) -> int:
        """Returns the number of the nearest sentence, up to this one, that says something before its wish; -1 where
        none does."""
        if index < 0:
            return -1
        while len(self._nearest_said) <= index:
            number = len(self._nearest_said)
            sentence = self._before_its_wish(number)
            says = _WORDS.search(self._folded.low, sentence.start, sentence.stop) is not None
            self._nearest_said.append(number if says else self._nearest_said[-1] if number else -1)
        return self._nearest_said[index]

    def _before_its_wish(self, index: int) -> Sentence:
        """Returns a sentence up to the wish in it, if there is one."""
        sentence, first = self._parts[index], self._wishes.get(index)
        return sentence if first is None else sentence._replace(stop=first, asks=False)

    def _match_of(self, rule: Rule, sentence: Sentence) -> RuleMatch:
        """Returns a match that is all of a sentence but for the marks around it; it is vague if it has few words."""
        low = self._folded.low
        end = sentence.start + len(low[sentence.start : sentence.stop].rstrip(_JOINING))
        start = end - len(low[sentence.start : end].lstrip(_OPENING))
        rule = replace(rule, allows=rule.allows - {QUESTION})
        least = _FEWEST_WORDS if rule.language.is_spaced else _FEWEST_LETTERS
        counted = WORD.findall(low, start, end) if rule.language.is_spaced else low[start:end]
        return RuleMatch(
            rule=rule,
            folded=self._folded,
            sentence=sentence,
            start=start,
            stop=end,
            value_span=(start, end),
            subject="",
            old="",
            is_vague=len(counted) < least,
        )

    def _refuse(self, hit: RuleMatch, reason: str) -> None:
        start, stop = hit.span
        rule = hit.rule
        words = self._masked(hit) if reason == SECRET else self._text[start:stop].strip(_OPENING)
        self._refused.append(Refusal(rule.category, words, hit.span, rule.id, rule.language.code, reason))

    def _masked(self, hit: RuleMatch) -> str:
        """Returns the words of a match as they may be logged; if the words that tell the secret stand before them, the
        sentence."""
        for start, stop in (hit.span, hit.folded.span(hit.sentence.start, hit.sentence.stop)):
            words = self._text[start:stop]
            if (masked := mask_secrets_and_passwords(words)) != words:
                return masked
        return f"{MARK_OPENS}]"

    def _has_secret(self, begin: int, end: int) -> bool:
        """Returns whether a key or password stands in this sentence, or begins or ends in it."""
        if (begin, end) not in self._seen:
            start = max(0, begin - _AROUND)
            near = secrets_in(self._text[start : end + _AROUND])
            stands = any(start + each.start < end and start + each.stop > begin for each in near)
            self._seen[begin, end] = stands or states_a_password(self._text[begin:end])
        return self._seen[begin, end]

    def _is_about_code(self, hit: RuleMatch) -> bool:
        """Returns whether a match begins with a piece of code and goes on behind it: a wish to remember just that."""
        start, stop = self._places(hit)
        region = self._regions.region_at(start)
        is_code = region is not None and region[0] == start and region[2] == CODE and region[1] < stop
        return is_code and hit.rule.category == "remember"

    def _objection(self, hit: RuleMatch) -> str:
        is_about_code = not hit.rule.points_back and self._is_about_code(hit) and hit.value_span[1] < hit.stop
        reason = "" if is_about_code else self._regions.reason_at(self._folded.place(hit.span[0]))
        if not reason and hit.value_span[1] < hit.stop:
            # Where the verb stands last, it and what it says may be within somebody's words whose beginning is not.
            last = self._regions.region_at(self._folded.place(max(hit.span[0], hit.span[1] - 1)))
            value = self._folded.place(max(hit.span[0], hit.folded.span(*hit.value_span)[1] - 1))
            reason = last[2] if last is not None and last[0] <= value else ""
        reason = reason or objection(hit.rule, hit.folded, hit.sentence, hit.start, hit.stop)
        if reason or hit.rule.category == DECOY:
            return reason or hit.rule.reason
        return VAGUE if hit.is_vague else ""

    def _captured_by(self, hit: RuleMatch) -> Capture:
        start, stop = hit.span
        begin, end = hit.folded.span(hit.sentence.start, hit.sentence.stop)
        value = self._words(hit)
        rule = hit.rule
        correction = None
        if rule.category == "correction":
            correction = Correction(hit.subject, value, hit.old)
        fact = self._text[begin:end] if rule.category == "specific_value" else self._text[start:stop]
        return Capture(
            category=rule.category,
            text=self._text[start:stop],
            span=hit.span,
            sentence=self._text[begin:end],
            sentence_span=(begin, end),
            confidence=rule.confidence,
            rule=rule.id,
            language=rule.language.code,
            subject=hit.subject,
            value=value,
            durable=rule.is_durable,
            kept_as=rule.category,
            key=(rule.category, hit.subject, normalised_value(value, rule.language)),
            fact=rule.said.replace("{value}", value) or fact,
            is_single=rule.is_single,
            opposite=rule.opposite,
            correction=correction,
        )

    def _with_fact(self, hit: RuleMatch, capture: Capture, known: RuleMatch | None) -> Capture:
        """Returns the capture with the fact that another rule finds in it."""
        fact = known or next(iter(_facts_within(hit, self._rules)), None)
        if fact is None or fact.is_vague:
            return capture
        value = self._words(fact) if known or hit.rule.category == "correction" else capture.value
        kept_as = fact.rule.category if known and hit.rule.category == "correction" else capture.kept_as
        new = self._words(fact)
        is_named = kept_as in DURABLE
        key = (known.rule.category if known else "", fact.subject, normalised_value(new, fact.rule.language))
        start, stop = fact.span
        return replace(
            capture,
            subject=fact.subject,
            value=value,
            durable=capture.durable or (is_named and fact.rule.is_durable),
            kept_as=kept_as,
            key=key,
            fact=self._text[start:stop] if hit.rule.category == "correction" else capture.fact,
            is_single=fact.rule.is_single,
            opposite=fact.rule.opposite,
            correction=replace(capture.correction, subject=fact.subject, new=new) if capture.correction else None,
        )

    def _words(self, hit: RuleMatch) -> str:
        start, stop = hit.folded.span(*hit.value_span)
        return self._text[start:stop].strip(' \t"“”«»')


def _list_end(low: str, start: int, *, needs_mark: bool) -> int:
    """Returns where the list ends that begins at this line, or `start` if none begins there. Blank lines may stand
    between lines with a mark; lines without one are a list if there are two or more and none ends as a sentence
    does."""
    place = end = start
    count = 0
    is_marked: bool | None = None
    while place < len(low):
        stop = line_end(low, place)
        line = low[place:stop].strip()
        if line:
            has_mark = LIST_MARK.match(line) is not None
            is_marked = has_mark if is_marked is None else is_marked
            if has_mark != is_marked or (needs_mark and not has_mark):
                break
            if not has_mark and line.endswith(_SENTENCE_MARKS):
                return start
            count += 1
            end = stop
        elif count and not is_marked:
            break
        place = stop + 1
    return end if is_marked or count >= _FEWEST_LINES else start


def _overlaps(span: tuple[int, int], captures: Iterable[Capture]) -> bool:
    return _meets(span, (each.span for each in captures))


def _meets(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(span[0] < stop and span[1] > start for start, stop in others)


class _Spans:
    """Spans of a text, to ask of many others whether they meet one of them."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._last_stops = list(accumulate((stop for _, stop in ordered), max))

    def meet(self, span: tuple[int, int]) -> bool:
        """Returns whether any of them has a character in common with this one."""
        before = bisect_left(self._starts, span[1])
        return before > 0 and self._last_stops[before - 1] > span[0]


def _apart(refused: Sequence[Refusal]) -> Iterator[Refusal]:
    """Returns the first refusal of each place."""
    seen: list[tuple[int, int]] = []
    for each in refused:
        if not any(start < each.span[1] and stop > each.span[0] for start, stop in seen):
            seen.append(each.span)
            yield each


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """Describes a match of a rule's pattern in a sentence. Its places are in `folded`, which may be the sentence alone
    in other letters; `span` is in characters of the message."""

    rule: Rule
    folded: FoldedMessage
    sentence: Sentence
    start: int
    stop: int
    value_span: tuple[int, int]
    subject: str
    old: str
    is_vague: bool

    @property
    def span(self) -> tuple[int, int]:
        return self.folded.span(self.start, self.stop)


def _matches_in(
    folded: FoldedMessage, parts: Sentences, words: Sequence[re.Match[str]], rules: RuleSet
) -> Iterator[RuleMatch]:
    """Yields all matches of the rules in a message, at most MOST_HITS."""
    count = 0
    for place, found in sorted(_woken(folded.low, parts, words, rules).items()):
        sentence = parts[place]
        latin: FoldedMessage | None = None
        for key in sorted(found):
            rule = found[key]
            if key[1]:
                latin = latin or spelt_in_latin(folded, sentence.start, sentence.stop)
                hits = _matches_of(rule, latin, Sentence(0, len(latin.text), sentence.asks))
            else:
                hits = _matches_of(rule, folded, sentence)
            for hit in hits:
                yield hit
                count += 1
                if count >= _MOST_MATCHES:
                    return


def _folded_words(low: str) -> list[re.Match[str]]:
    """Returns the words of a folded text, in order."""
    return list(WORD.finditer(low))


def _woken(
    low: str, parts: Sentences, words: Sequence[re.Match[str]], rules: RuleSet
) -> dict[int, dict[tuple[str, bool], Rule]]:
    """Returns the rules that have a cue in a sentence, by the sentence's place."""
    found: dict[int, dict[tuple[str, bool], Rule]] = {}
    for word in words:
        said = word[0]
        woken = rules.by_word.get(said)
        if woken is not None:
            found.setdefault(parts.index_at(word.start()), {}).update(woken)
        # Most words have none of them, which one call tells.
        for ending in rules.endings if said.endswith(rules.endings) else ():
            if said.endswith(ending):
                found.setdefault(parts.index_at(word.start()), {}).update(rules.by_ending[ending])
    for head in rules.part_heads.finditer(low) if rules.part_heads else ():
        at = head.start()
        for cue in rules.by_head.get(low[at : at + 2]) or rules.by_head.get(low[at], ()):
            if low.startswith(cue, at):
                found.setdefault(parts.index_at(at), {}).update(rules.by_part[cue])
    return found


def _matches_of(rule: Rule, folded: FoldedMessage, sentence: Sentence) -> Iterable[RuleMatch]:
    """Returns the matches of one rule in one sentence; most rules have none, which is found out first and fast."""
    low, start, stop = folded.low, sentence.start, sentence.stop
    said = low[start:stop]
    for place, (needed, pattern) in enumerate(rule.tries):
        for word in needed:
            if word in said:
                break
        else:
            if needed:
                continue
        if compiled_pattern(pattern).search(low, start, stop):
            return _hits(rule.tries[place:], rule, folded, sentence)
    return ()


def _hits(tries: Iterable[Try], rule: Rule, folded: FoldedMessage, sentence: Sentence) -> Iterator[RuleMatch]:
    said = folded.low[sentence.start : sentence.stop]
    for needed, pattern in tries:
        if needed and not any(word in said for word in needed):
            continue
        for found in compiled_pattern(pattern).finditer(folded.low, sentence.start, sentence.stop):
            hit = _hit(rule, folded, sentence, found)
            if hit is not None:
                yield hit


def _facts_within(hit: RuleMatch, rules: RuleSet) -> Iterator[RuleMatch]:
    """Yields the facts that the statement rules of its language find in a correction or a request to remember."""
    within = Sentence(hit.start, hit.stop, asks=False)
    for rule in rules.statements(hit.rule.language):
        yield from _matches_of(rule, hit.folded, within)


def _statements_in(folded: FoldedMessage, sentence: Sentence, rules: RuleSet) -> Iterator[RuleMatch]:
    """Yields the facts that the statement rules of all languages find in a sentence."""
    for rule in rules.rules:
        if rule.category == STATEMENT:
            yield from _matches_of(rule, folded, sentence)


def _hit(rule: Rule, folded: FoldedMessage, sentence: Sentence, found: re.Match[str]) -> RuleMatch | None:
    groups = found.groupdict() if found.re.groups else {}
    kind = next((name for name in VALUES if groups.get(name)), "") if groups else ""
    if not kind:
        return RuleMatch(rule, folded, sentence, *found.span(), found.span(), rule.subject, "", is_vague=False)
    begin = found.end() - len(found[0].lstrip())
    start, stop = found.span(kind)
    end = _value_end(rule, kind, folded, sentence, start, stop)
    if end <= start:
        return None
    while start < end and folded.text[start] in "\"'“«„「":
        start += 1
    if any(folded.low[start:end] in rule.language.words.get(each, ()) for each in rule.unless):
        return None
    last = end if stop == found.end() else found.end()
    subject = rule.subject
    if "{" in subject:
        subject = _GROUP.sub(lambda each: normalised_value(groups.get(each[1]) or "", rule.language), subject)
    old = folded.text[slice(*found.span("old"))].strip(" .,!") if groups.get("old") else ""
    vague = kind in ("rest", "mid", "named", "product") and is_vague(
        folded.low, start, end, rule.language, whole="too vague" in rule.allows
    )
    if rule.category in ("preference", "decision", "remember"):
        vague = vague or _is_in_fun(rule, folded, found, end)
    if rule.category == "preference" and MOMENTARY not in rule.allows:
        vague = vague or _is_momentary(rule, folded, sentence, found, end)
    if rule.category == "decision":
        vague = vague or _is_idle(rule, folded, start, end)
    if rule.category == "correction" and (points := rule.language.guards.get("points")):
        vague = vague or points.match(folded.low, start, end) is not None
    return RuleMatch(
        rule=rule,
        folded=folded,
        sentence=sentence,
        start=begin,
        stop=last,
        value_span=(start, end),
        subject=subject,
        old=old,
        is_vague=vague,
    )


_BEFORE: Final = 30
"""Characters in front of a preference in which it may be said when it holds."""
_BEHIND: Final = 16
"""Characters behind a value that still say how it is meant."""
_BLANKS: Final = re.compile(r" *+")


def _is_in_fun(rule: Rule, folded: FoldedMessage, found: re.Match[str], end: int) -> bool:
    """Returns whether a preference or a decision is said in fun."""
    fun = rule.language.guards.get("fun")
    return fun is not None and fun.search(folded.low, found.start() + 1, end + _BEHIND) is not None


def _is_idle(rule: Rule, folded: FoldedMessage, start: int, end: int) -> bool:
    """Returns whether a decision is for what nobody decides on: `use your head`, `go with the flow`."""
    idle = rule.language.guards.get("idle")
    return idle is not None and idle.search(folded.low, start, end) is not None


def _is_momentary(rule: Rule, folded: FoldedMessage, sentence: Sentence, found: re.Match[str], end: int) -> bool:
    """Returns whether a preference is about today or about the two who speak."""
    low, momentary = folded.low, rule.language.guards.get("momentary")
    if momentary is None:
        return False
    behind = _BLANKS.match(low, end)
    # Of `right now` the last word only trails, and the value ends before it.
    trailing = WORD.match(low, behind.end()) if behind is not None else None
    return (
        momentary.search(low, found.start() + 1, trailing.end() if trailing else end) is not None
        or (behind is not None and momentary.match(low, behind.end()) is not None)
        or _ends_with_time(low[max(sentence.start, found.start() - _BEFORE) : found.start()], rule.language)
    )


def _ends_with_time(lead: str, language: Language) -> bool:
    """Returns whether the words that lead to a preference say that it is one of the moment: `Today, I prefer tea`."""
    lead = lead.rstrip(" ,")
    return any(
        lead.endswith(phrase) and not (language.is_spaced and lead[: -len(phrase)][-1:].isalpha())
        for phrase in language.words["momentary"] & language.words["openers"]
    )


def _value_end(rule: Rule, kind: str, folded: FoldedMessage, sentence: Sentence, start: int, stop: int) -> int:
    if kind in ("name", "anyname"):
        return name_end(folded.text, start, stop, rule.language, any_case=kind == "anyname", strict=rule.is_strict)
    if kind == "midname":
        bare = folded.text[start:stop].lower() not in rule.language.words.get("not_names", ())
        return stop if folded.text[start].isupper() and bare else start
    if kind in ("named", "product"):
        end = clause_end(folded.low, start, stop, rule.language)
        opens, is_product = not folded.text[sentence.start : start].strip(), kind == "product"
        names = names_something(folded.text, start, end, rule.language, opens=opens, is_product=is_product)
        return end if names else start
    if kind == "han":
        return han_name(folded.text, start, stop, strict=rule.is_strict)
    if rule.category == "remember":
        return sentence_end(folded.low, start, stop, rule.language)
    if kind == "rest":
        return clause_end(folded.low, start, stop, rule.language)
    return stop
