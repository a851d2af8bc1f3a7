"""Two facts are compared by rules: they disagree if both say something of the same subject and cannot both be true.

It is told by attributes of which one has one, states that exclude each other, denials, values of the same kind, and
words that say that something changed. Detail that is added, several values, another scope, another subject, a past that
is over, and other words for the same are no disagreement. What no rule tells is none: the rules do not know the world.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Final, NamedTuple

from mnemoscope.domain.capture.captured_line import CapturedLine, read_line
from mnemoscope.domain.disagreement import verb_objects
from mnemoscope.domain.disagreement import vocabulary as words
from mnemoscope.domain.disagreement.enumerations import are_two_items, has_only_values
from mnemoscope.domain.disagreement.subjects import (
    Subject,
    are_of_two,
    do_different_things,
    is_handed_on,
    is_part_of,
    named_in,
    shared_names,
    subjects_of,
)
from mnemoscope.domain.disagreement.values import (
    COUNT,
    DATE,
    MONTH,
    NUMBER_OF_NAME,
    PHONE,
    TIME,
    WEEKDAY,
    YEAR,
    Value,
    values_in,
    with_values_in_digits,
)
from mnemoscope.domain.memory.facts import fact_key, fact_text
from mnemoscope.domain.search.said_values import in_plain_numbers, measures, times_of_day
from mnemoscope.domain.search.stems import english_stem, in_latin, russian_stem, uzbek_stem
from mnemoscope.domain.search.words import is_uzbek
from mnemoscope.domain.text.characters import APOSTROPHE_OR_BACKTICK, APOSTROPHES, HAN_LETTER, TURNED_COMMAS
from mnemoscope.domain.text.lazy_pattern import LazyPattern

_CYRILLIC: Final = re.compile("[а-я]")
_UZBEK: Final = re.compile(
    r"[ўқғҳ]|\b(?:бор|йуқ|энди|ҳозир|куни|душанба|сешанба|чоршанба|пайшанба|якшанба|ёшда|соат|билан|учун|эмас|тугилган|янги|катта|кичик)\b|(?:яйди|ади|йди|ган|моқда|лар|нинг|даги|илди|лсин|тилида|япти|масин)\b"
    r"|\b(?:bor|endi|hozir|soat|bilan|oyiga|yoq|emas|har|uchun)\b|(?:aydi|eydi|iydi|oydi|adi|yapti|moqda|ilgan|ildi|"
    r"(?:lar|im|ing|si)ning|chadi)\b"
    r"|\b(?:haqi|kuni|edi|uning|bolgan|bolib|qilib|yangi|katta|kichik|olti|yetti|sakkiz|toqqiz|ikki|yarim|chorak|tort|besh)\b"
    rf"|\b(?:ikki|besh|olti|yetti|sakkiz|to[{APOSTROPHES}`]?qqiz|to[{APOSTROPHES}`]?rt)(?:da|ga|dan|gacha)\b"
    r"|\b(?:ismi|yoshda|xotini|qisqa|batafsil|javob|boqadi|haydaydi|ichadi|mening|uning|kerak|bilmaydi)\b|"
    rf"\bo[{APOSTROPHES}`]g[{APOSTROPHES}`]li"
    rf"|\bko[{APOSTROPHES}`]?ch(?:di|gan)\b|\buylan(?:gan|magan|di)\b|\bturmushga\b"
    r"|\b(?:opa|xola|amaki)\b|b (?:ketdi|qoldi|keldi|berdi|yubordi)\b"
    rf"|[og][{TURNED_COMMAS}](?=[a-z])|ligi\b"
)
_MARKS: Final = re.compile(r"[*_`~«»“”\"]+")
_TOKEN: Final = re.compile(r"[a-zа-яўқғҳ][a-z0-9а-яўқғҳ-]*(?:\.[a-z][a-z0-9]*)?")
_CLAUSE: Final = re.compile(
    r"[,;:，；：。]|\.\s|\bbut\b|\bно\b|\blekin\b|但是?|—| - |\bbecause\b|из-за|因为|\bsabab(?:li)?\b"
)
_JOINED: Final = re.compile(r"\band\b|\bи\b|\bva\b|并且?")
_SENTENCE: Final = re.compile(r"[\n!?。！？]|(?<=[a-zа-я])[.](?= |$)")
_IN_BRACKETS: Final = re.compile(r"[(（]([^()（）]+)[)）]\s*[.。]?\s*\Z")
_NAME: Final = re.compile(
    r"(?<![.!?] )(?<=[^\W_] )[«“\"]?[a-z]?[A-ZА-ЯЁЎҚҒҲ][\w-]+(?:\.\w+)?|(?<=[,:—] )[A-ZА-ЯЁЎҚҒҲ][\w-]+"
)
_FIRST_NAME: Final = re.compile(rf"\A[A-ZА-ЯЁЎҚҒҲ][\w{APOSTROPHES}-]+")
_PLACE_CASE: Final = re.compile(r"(?:da|ga|dan|ka|qa)\Z")
_TITLES: Final = re.compile("教授|博士|先生|女士|老师|医生|经理|总监|主任|叫做?|是")
_ROLE: Final = re.compile(
    r"\bas an?\b|\bis an?\b|\bработа(?:ет|ю) (?!в\b|на\b|с\b|из\b|по\b|над\b)|\bпо профессии|\bbolib\b|kasbi|当|做"
)
_WORKPLACE: Final = re.compile(
    r"\bjoined\b|\bwork\w* (?:at|for|in)\b|\bработа(?:ет|ю) (?:в|на)\b|\w(?:da|de) ishla|在.+(?:工作|上班)"
)
_NOT_DENYING: Final = re.compile(
    "不错|不同|不但|不仅|不过|差不多|不管|无论|没问题|未来|no\\.? ?\\d|\\bnot only\\b|не только"
)
_NOT_BEFORE: Final = re.compile(r"\b(?:not|isnt|not an?|isnt an?|не) \Z|不是一?个?\Z")
_NOT_BEHIND: Final = re.compile(r" emas\b")
_BESIDE: Final = re.compile(r"\w+ bilan\b.*| \w+\Z")
"""In the first words of an Uzbek fact those of whom it is not: with whom somebody is, and what comes after the two."""
_DWELLING: Final = re.compile("楼|层|公寓|合租|父母|宿舍|房子|附近")
_DENYING_VERB: Final = re.compile(r"\b(?:(\w*[aeiou])|(\w*[^aeiou\W]))ma(?:ydi|yman|ymiz|gan|di|sdi|yapti|y)\b")
"""An Uzbek verb that denies: its root is that of the verb that does not."""
_LOOKS_ENDED: Final = frozenset(
    ("ет", "ит", "ат", "ят", "ел", "ил", "ал", "ов", "ев", "ам", "ям", "ой", "ей", "ия", "ья")
)
_CASE_VOWELS: Final = frozenset("аяеуюыи")
"""Letters in which a Russian noun of three letters ends, by its case, as Уфа does."""
_DAYS: Final = frozenset((WEEKDAY, DATE, MONTH, YEAR))
_STEM: Final = 4
_LONGEST: Final = 400
"""Characters of a fact that are compared; a longer line is no single fact."""
_REMEMBERED: Final = 20_000
"""Answers about single facts that are kept, as each fact of a memory is compared with every other."""


@dataclass(frozen=True, eq=False)
class Fact:
    """Describes one fact as it is compared. `folded` has no case, and digits for numerals; `content` are the stems of
    the words that say something, `names` those that name somebody or something."""

    folded: str
    language: str
    content: frozenset[str]
    names: frozenset[str]
    values: tuple[Value, ...]
    attributes: frozenset[str]
    states: frozenset[tuple[str, str]]
    scopes: frozenset[str]
    kin: frozenset[str]
    note: str
    """The words in brackets at the end."""

    @cached_property
    def _said(self) -> dict[LazyPattern, bool]:
        return {}

    def says(self, pattern: LazyPattern) -> bool:
        """Returns whether it has a word of a pattern. It is looked for once, as a fact is compared with many."""
        if pattern not in self._said:
            self._said[pattern] = pattern.search(self.folded) is not None
        return self._said[pattern]

    @cached_property
    def is_past(self) -> bool:
        """Returns whether it tells of what is over."""
        is_over = words.PAST.search(self.folded) is not None or words.OVER.search(self.folded) is not None
        return is_over and not self.is_valid_until

    @cached_property
    def says_nothing(self) -> bool:
        """Returns whether no word tells what its values are of."""
        return has_only_values(self.folded)

    @cached_property
    def things(self) -> dict[str, frozenset[str]]:
        """Returns what it names of the kinds of which one takes the place of another, by kind."""
        return words.things_in(self.folded)

    @cached_property
    def forms(self) -> frozenset[str]:
        """Returns its times of day and measures in forms that are the same however they are written: 3 pm and 15:00,
        5 km and 5000 m."""
        text = in_plain_numbers(self.folded)
        return frozenset(form for read in (times_of_day, measures) for said in read(text)[0] for form in said.forms)

    @cached_property
    def lacks(self) -> tuple[tuple[LazyPattern, tuple[str, ...]], ...]:
        """Returns the kinds of relatives that it says there are none of."""
        if words.ONLY_CHILD.search(self.folded):
            return (words.SIBLINGS,)
        if not words.denied(self.language).search(self.folded):
            return ()
        return tuple(kind for kind in words.KINDS_OF_KIN if kind[0].search(self.folded))

    @cached_property
    def is_valid_until(self) -> bool:
        """Returns whether it says until when something holds."""
        return words.VALID.search(self.folded) is not None

    @cached_property
    def replaced(self) -> tuple[str, ...]:
        """Returns the stems of what it says that something took the place of."""
        return _stems(verb_objects.replaced_words(self.folded, self.language), self.language)

    @cached_property
    def is_beside(self) -> bool:
        """Returns whether it says that something is so too."""
        return words.ALSO.search(self.folded) is not None

    @cached_property
    def is_replacement(self) -> bool:
        """Returns whether it says that something took the place of something else."""
        return words.REPLACED.search(self.folded) is not None

    @cached_property
    def is_change(self) -> bool:
        """Returns whether it says that something is so now, or is another than it was."""
        return words.CHANGED.search(self.folded) is not None


def disagree(old: str, new: str) -> bool:
    """Returns whether two facts, as lines of a memory, cannot both be true. Lines that are struck, or of different
    users, never disagree."""
    one, other = _read(old), _read(new)
    if one is None or other is None or one.until or other.until or one.user != other.user:
        return False
    if max(len(one.text), len(other.text)) > _LONGEST or fact_key(one.text) == fact_key(other.text):
        return False
    language, second = _language_of(one.text), _language_of(other.text)
    if {language, second} == {"uz", "en"}:
        # A few words in Latin letters may be either.
        language = "uz"
    elif language != second:
        language = rule_language(f"{one.text} {other.text}")
    comparison = (language, _language_of(one.text), second)
    if not _texts_disagree(one.text, other.text, *comparison):
        return False
    if "; " not in one.text and "; " not in other.text:
        return True
    # What is said apart in one line does not disagree together with the other line, unless one of it does.
    parts = product(one.text.split("; "), other.text.split("; "))
    return any(_texts_disagree(part, against, *comparison) for part, against in parts)


def _texts_disagree(old: str, new: str, language: str, old_language: str, new_language: str) -> bool:
    """Returns whether two texts disagree that are compared in one language. Whom they are about is told in that of
    each."""
    whose, others = subjects_of(old, old_language), subjects_of(new, new_language)
    one, other = read_fact(old, language), read_fact(new, language)
    if are_of_two(whose, others):
        is_of_one = is_handed_on(whose, others) or is_part_of(others, one.content) or is_part_of(whose, other.content)
        if not (other.is_change and is_of_one):
            return False
    return _disagree(one, other, whose, others)


@lru_cache(maxsize=_REMEMBERED)
def _read(line: str) -> CapturedLine | None:
    return read_line(f"- {fact_text(line)}")


def spoken_of(line: str) -> frozenset[str]:
    """Returns what a line of memory speaks of, as keys: lines without a key in common never disagree."""
    read = _read(line)
    if read is None:
        return frozenset()
    language = _language_of(read.text)
    keys: set[str] = set()
    # Beside a line in Uzbek it may be read as Uzbek, and the other way round.
    for each in (language,) if language == "zh" else (language, "ru" if language == "uz" else "uz"):
        fact = read_fact(read.text, each)
        keys |= {stem[:_STEM] for stem in fact.content}
        keys |= {f"is {name}" for name in (*fact.attributes, *fact.things, *(kind for kind, _ in fact.states))}
        keys |= {"is car"} if fact.says(words.NO_CAR) else set()
        keys |= {f"at {value.kind}" for value in fact.values if not fact.content}
        keys |= {f"is of {members[0]}" for members in _kinds_of_kin(fact)}
        keys |= {f"does {found[0]}" for found in words.MANY.finditer(fact.folded)}
    return frozenset(keys)


def _kinds_of_kin(fact: Fact) -> Iterator[tuple[str, ...]]:
    """Yields the kinds of relatives that a fact names one of, or says there are none of."""
    lacked = {members for _, members in fact.lacks}
    for _, members in words.KINDS_OF_KIN:
        if members in lacked or any(fact.says(words.KIN[each]) for each in members):
            yield members


def is_own_correction(old: str, new: str, spoken: str) -> bool:
    """Returns whether the person said themselves that the new fact took the place of the old one: a sentence of theirs
    has what is new of it, and a word that says that something changed or is no more."""
    language = rule_language(f"{old} {new}")
    for sentence in _SENTENCE.split(spoken):
        # A few words in Cyrillic letters may be either.
        is_in_uzbek = language == "ru" and rule_language(f"{old} {new} {sentence}") == "uz"
        if _says_correction(old, new, sentence, "uz" if is_in_uzbek else language):
            return True
    return False


def _says_correction(old: str, new: str, sentence: str, language: str) -> bool:
    one, other, said = (read_fact(text, language) for text in (fact_text(old), fact_text(new), sentence))
    fresh = {value.value for value in other.values} - {value.value for value in one.values}
    words_of_new = other.content - _shared(other.content, one.content)
    names_it = len(_shared(words_of_new, said.content)) > 0 or bool(fresh & {value.value for value in said.values})
    return names_it and (said.is_change or said.says(words.ENDED) or said.says(words.denied(language)))


def rule_language(text: str) -> str:
    """Returns `zh`, `ru`, `uz`, or `en` for whatever else."""
    folded = text.casefold()
    if HAN_LETTER.search(folded):
        return "zh"
    if _UZBEK.search(folded) and (_CYRILLIC.search(folded) is None or _looks_uzbek(folded)):
        return "uz"
    return "ru" if _CYRILLIC.search(folded) else "uz" if is_uzbek(text) else "en"


_language_of = lru_cache(maxsize=_REMEMBERED)(rule_language)


def _looks_uzbek(folded: str) -> bool:
    return len(_UZBEK.findall(folded)) > len(
        re.findall(r"\b(?:в|на|и|не|с|по|из|для|за)\b|(?:ет|ит|ть|ся|ый|ая)\b", folded)
    )


@lru_cache(maxsize=_REMEMBERED)
def read_fact(text: str, language: str) -> Fact:
    """Returns a fact as it is compared in this language."""
    text = unicodedata.normalize("NFKC", text)
    noted = _IN_BRACKETS.search(text)
    plain = _MARKS.sub("", text)
    folded = with_values_in_digits(_folded(plain, language), language)
    for pattern, same in words.SAME:
        folded = pattern.sub(same, folded)
    values, rest = values_in(folded)
    names = {_stem(_folded(each.strip('«“"'), language), language) for each in _NAME.findall(plain)}
    first = _FIRST_NAME.match(plain)
    if first is not None and language == "uz" and _PLACE_CASE.search(_folded(first[0], language)):
        names.add(_stem(_folded(first[0], language), language))
    content = _content(rest, language)
    if language == "zh":
        names |= {_stem(each, language) for each in _TOKEN.findall(rest)}
    return Fact(
        folded=folded,
        language=language,
        content=content,
        names=frozenset(names) & content,
        values=tuple(values),
        attributes=frozenset(name for name, pattern in words.ATTRIBUTES.items() if pattern.search(folded)),
        states=frozenset(
            (kind, state)
            for kind, states in words.STATES.items()
            for state, pattern in states.items()
            if pattern.search(folded)
        ),
        scopes=frozenset(name for name, pattern in words.SCOPES.items() if pattern.search(folded)),
        kin=_whose(folded, language),
        note=noted[1].strip() if noted else "",
    )


def _folded(text: str, language: str) -> str:
    folded = APOSTROPHE_OR_BACKTICK.sub("", text.casefold())
    if language == "uz" and _CYRILLIC.search(folded):
        folded = in_latin(re.sub(r"\bе", "йе", folded))
    return folded.replace("ё", "е")


def _whose(folded: str, language: str) -> frozenset[str]:
    """Returns whose fact it is: of the relatives and animals with which it begins."""
    if language == "zh":
        head = "" if re.match("[有养没]|想养|喜欢", folded) else folded[:4]
    else:
        begins = re.match(r"(?:has|have|owns?|no|got|у н|есть|нет)\b|\d", folded)
        head = "" if begins else " ".join(folded.split(",")[0].split()[:2])
        head = _BESIDE.sub("", f"{head} {' '.join(folded.split()[2:3])}") if language == "uz" else head
    return frozenset(name for name, pattern in words.KIN.items() if pattern.search(head))


@lru_cache(maxsize=_REMEMBERED)
def _content(text: str, language: str) -> frozenset[str]:
    found = {
        _stem(token, language)
        for token in _TOKEN.findall(text)
        if token not in words.EMPTY and (len(token) > 1 or language == "zh")
    }
    if language == "zh":
        found |= set(HAN_LETTER.findall(text)) - words.EMPTY_CHARACTERS
    return frozenset(found)


@lru_cache(maxsize=_REMEMBERED)
def _stem(token: str, language: str) -> str:
    if language == "uz":
        return uzbek_stem(_DENYING_VERB.sub(r"\1\2adi", token))
    return russian_stem(token) if _CYRILLIC.search(token) else english_stem(token)


def _disagree(old: Fact, new: Fact, whose: tuple[Subject, ...], others: tuple[Subject, ...]) -> bool:
    if old.says_nothing or new.says_nothing or are_two_items(old.folded, new.folded):
        return False
    if old.is_past and not new.is_change:
        return False
    if _is_one_of_none(old, new) or _is_one_of_none(new, old) or _is_car_of_none(old, new) or _is_car_of_none(new, old):
        return True
    if old.is_past or (new.is_past and not new.is_change and not _is_same_over(old, new)):
        return False
    if (old.kin != new.kin and not _is_gone(old, new)) or _are_two_things(old, new):
        return False
    is_scoped = _are_scoped(old, new)
    if (not is_scoped or _is_denied_altogether(old)) and _states_differ(old, new, shared_names(whose, others)):
        return True
    if not is_scoped and _is_preferred_otherwise(old, new):
        return True
    if is_scoped and _may_hold_apart(old, new):
        return False
    return _said_of_one_differs(old, new, whose, others, is_scoped=is_scoped)


def _said_of_one_differs(
    old: Fact, new: Fact, whose: tuple[Subject, ...], others: tuple[Subject, ...], *, is_scoped: bool
) -> bool:
    """Returns whether what facts say of one subject differs, though it names no states that exclude each other."""
    has_only_subject = _have_only_subject_in_common(old, new, whose, others)
    denied = None if has_only_subject else _is_denied(old, new)
    if denied is not None or is_scoped:
        return denied or False
    if _attributes_differ(old, new, whose, others):
        return True
    if has_only_subject and do_different_things(whose, others):
        return False
    return _values_differ(old, new) or _is_changed(old, new) or _is_another_of_its_kind(old, new)


def _have_only_subject_in_common(old: Fact, new: Fact, whose: tuple[Subject, ...], others: tuple[Subject, ...]) -> bool:
    """Returns whether nothing is in both facts but of whom they are: Sam is allergic, and Sam works on Mondays."""
    named = named_in(whose) | named_in(others)
    same = (old.content & new.content) - words.DENYING
    if not named or len(_shared(same, named)) < len(same):
        return False
    common = _shared(old.content, new.content) - words.DENYING
    is_named = bool(whose and others) or len(_shared(common, old.names | new.names)) == len(common)
    return bool(common) and is_named and len(_shared(common, named)) == len(common)


def _may_hold_apart(old: Fact, new: Fact) -> bool:
    """Returns whether facts of different scopes may both be true: who does not smoke at home may smoke, but who never
    smokes does not smoke at parties."""
    if new.scopes:
        return not _is_denied_altogether(old)
    return bool(old.scopes) and _denies(old) and not _denies(new)


def _denies(fact: Fact) -> bool:
    return any(clause.denies for clause in _clauses(fact.folded, fact.language))


def _is_denied_altogether(fact: Fact) -> bool:
    """Returns whether a fact denies something at all times: who does not drive drives to work neither."""
    return not fact.scopes and all(clause.denies and not clause.ends for clause in _clauses(fact.folded, fact.language))


def _is_another_of_its_kind(old: Fact, new: Fact) -> bool:
    """Returns whether the new fact names another thing of a kind: said to have taken a place, or of what the old fact
    is about."""
    if new.is_beside or old.says(words.HAPPENED):
        return False
    is_replaced = new.is_replacement
    for kind in old.things.keys() & new.things.keys():
        one, other = old.things[kind], new.things[kind]
        if not other <= one and not (one & other and not is_replaced):
            named = _content(" ".join(one | other).replace("|", " "), old.language)
            about, others = (_content(_stripped(fact.folded, words.MANY), fact.language) - named for fact in (old, new))
            about = _shared(about, others)
            if is_replaced or (about and (new.is_change or about & _topic(old))):
                return True
    given = new.replaced
    return _speaks_of(given, old.content, _topic(old), old.language) and len(new.content) > len(set(given))


def _is_one_of_none(none: Fact, one: Fact) -> bool:
    """Returns whether a fact says that there are none of a kind of relatives, and another names one of them."""
    for kind, members in none.lacks:
        if not one.says(kind) and not one.says(words.denied(one.language)):
            named = {each for each in members if one.says(words.KIN[each])}
            is_liked = any(of == "liking" for of, _ in one.states)
            return bool(named) and one.kin <= named and not is_liked
    return False


def _is_car_of_none(none: Fact, one: Fact) -> bool:
    """Returns whether a fact says that there is no car, and another names the car that the same one has."""
    if not none.says(words.NO_CAR) or "car" not in one.things or not one.says(words.OWNS):
        return False
    lacked = words.NO_CAR.search(none.folded)
    whose = _content(none.folded[: lacked.start()] if lacked else "", none.language)
    is_other = (
        one.kin != none.kin or one.scopes != none.scopes or one.is_past or not _shared(whose, one.content) >= whose
    )
    return not (is_other or one.says(words.ENDED) or one.says(words.denied(one.language)))


def _is_same_over(old: Fact, new: Fact) -> bool:
    """Returns whether the new fact says that what the old one says is over: all of the old one's words are in it."""
    objects = _objects(old.folded, old.language)
    return bool(objects) and len(_shared(objects, new.content)) == len(objects)


def _is_gone(old: Fact, new: Fact) -> bool:
    """Returns whether the new fact says that one whom the old one names is there no more."""
    is_ended = new.says(words.ENDED)
    if is_ended and not new.kin and _shared(old.names, new.names):
        return True
    return is_ended and not old.kin and all(old.says(words.KIN[each]) for each in new.kin)


def _are_two_things(old: Fact, new: Fact) -> bool:
    if old.says(words.RETURN) != new.says(words.RETURN) and not new.is_change:
        return True
    if _are_named_apart(old, new) or {old.folded[:4], new.folded[:4]} == {"his ", "her "}:
        return True
    return old.says(words.OLD_THING) and new.says(words.NEW_THING)


def _are_named_apart(old: Fact, new: Fact) -> bool:
    """Returns whether both begin with the same word and then another name, as the projects Alpha and Beta do."""
    (one, first), (other, second) = (([*map(_stem_in(fact), _tokens(fact)), "", ""][:2]) for fact in (old, new))
    is_named = first in old.names and second in new.names and first not in new.content and second not in old.content
    if old.language == "uz" and all(_PLACE_CASE.search([*_tokens(fact), "", ""][1]) for fact in (old, new)):
        # Where somebody lives is no part of a name.
        return False
    return one == other and is_named and min(len(old.content), len(new.content)) > 2


def _are_scoped(old: Fact, new: Fact) -> bool:
    """Returns whether the facts hold at different times or places of a life."""
    if old.note and new.note and fact_key(old.note) != fact_key(new.note):
        return True
    # What came to be another in summer is another since.
    one, other = old.scopes, new.scopes - words.SEASONS if new.is_change else new.scopes
    if "residence" in old.attributes & new.attributes:
        # With whom somebody lives is no other place.
        one, other = one - {"family"}, other - {"family"}
    are_of_two_seasons = bool(one & words.SEASONS) and bool(other & words.SEASONS)
    return one != other and not (one & other) and (are_of_two_seasons or not _days_differ(old, new))


def _days_differ(old: Fact, new: Fact) -> bool:
    """Returns whether both name a weekday or a time, and say the same but for it: then it was moved."""
    kinds = {value.kind for value in old.values} & {value.kind for value in new.values} & {WEEKDAY, TIME}
    if TIME in kinds and new.is_change and {*old.scopes, *new.scopes} <= words.PARTS_OF_DAY:
        return True
    return bool(kinds) and len(_shared(old.content, new.content)) >= max(1, min(len(old.content), len(new.content)) - 1)


def _states_differ(old: Fact, new: Fact, named: frozenset[str]) -> bool:
    """Returns whether facts name states that exclude each other, of the same beside the subject that they have in
    common by the stems of `named`."""
    for kind in {kind for kind, _ in old.states} & {kind for kind, _ in new.states}:
        one, other = _states_of(kind, old), _states_of(kind, new)
        if one & other or not (one and other):
            # "Not married any more, divorced" names both; what both name tells nothing.
            continue
        if kind in words.STANDALONE:
            return True
        pattern = tuple(each for state, each in words.STATES[kind].items() if state in one | other)
        subject, others = (
            _content(_without(pattern, fact.folded, fact.language), fact.language) for fact in (old, new)
        )
        if subject - named and others - named and named & subject & others:
            subject, others = subject - named, others - named
        # "Pays by card" and "pays in cash" say nothing else.
        if _share(subject, others) > 0.5 or not (subject or others):
            return True
    return False


def _states_of(kind: str, fact: Fact) -> set[str]:
    """Returns the states of a kind that a fact names; of several those that it does not deny."""
    named = {state for of, state in fact.states if of == kind and not _is_state_denied(kind, state, fact)}
    if len(named) > 1:
        standing = _standing(fact.folded, fact.language)
        named = {state for state in named if words.STATES[kind][state].search(standing)} or named
    return named


def _is_state_denied(kind: str, state: str, fact: Fact) -> bool:
    """Returns whether a fact names a state and a "not" right beside it, wherever it does."""
    return kind in words.STANDALONE and all(
        _NOT_BEFORE.search(fact.folded[: found.start()]) or _NOT_BEHIND.match(fact.folded[found.end() :])
        for found in words.STATES[kind][state].finditer(fact.folded)
    )


@lru_cache(maxsize=_REMEMBERED)
def _without(patterns: tuple[LazyPattern, ...], folded: str, language: str) -> str:
    text = values_in(_standing(folded, language))[1]
    for pattern in (*patterns, words.CHANGED):
        text = pattern.sub(" ", text)
    return text


def _is_preferred_otherwise(old: Fact, new: Fact) -> bool:
    if not old.says(words.COMPARED) or not new.says(words.COMPARED):
        return False
    one, other = ([_stem(each.removesuffix("dan"), fact.language) for each in _tokens(fact)] for fact in (old, new))
    return len(one) > 1 and sorted(one) == sorted(other) and one != other


def _tokens(fact: Fact) -> list[str]:
    found = [
        token for token in _TOKEN.findall(fact.folded) if token not in words.EMPTY and token not in ("kora", "чем")
    ]
    return found or HAN_LETTER.findall(fact.folded)


def _is_denied(old: Fact, new: Fact) -> bool | None:
    """Returns whether one fact denies what the other says; None where neither denies, False where both do."""
    one, other = (_clauses(fact.folded, fact.language) for fact in (old, new))
    one, other = _without_asides(one, other), _without_asides(other, one)
    is_denied, is_other_denied = (any(clause.denies for clause in each) for each in (one, other))
    if not is_denied and not is_other_denied:
        return None
    if is_denied and is_other_denied and all(clause.denies for clause in (*one, *other)):
        return False
    topic = _topic(old)
    against = max(
        (_covered(a, b, topic, old.language) for a in one for b in other if a.denies != b.denies), default=0.0
    )
    along = max((_covered(a, b, topic, old.language) for a in one for b in other if a.denies == b.denies), default=0.0)
    if against >= 0.5 and (against > along or (against == along and new.is_change)):
        return True
    return None if not (is_denied and is_other_denied) else False


def _without_asides(clauses: list[_Clause], others: list[_Clause]) -> list[_Clause]:
    """Returns the clauses; one that only says what there is none of beside it denies nothing of a fact that does not
    speak of that: short answers without an introduction are short answers."""
    spoken = frozenset[str]().union(*(each.objects for each in others))
    return [each._replace(denies=False) if each.lacks and not _shared(each.lacks, spoken) else each for each in clauses]


class _Clause(NamedTuple):
    """Says what a clause of a fact speaks of, whether it denies it, and whether that is because it came to an end."""

    objects: frozenset[str]
    denies: bool
    ends: bool
    ended: tuple[str, ...]
    """The stems of the words for the thing that came to an end, in their order."""
    lacks: frozenset[str]
    """The objects that the clause says are lacking, if it says something before that and denies nothing else; empty
    otherwise."""


def _speaks_of(said: tuple[str, ...], objects: frozenset[str], topic: frozenset[str], language: str) -> bool:
    """Returns whether what is said, its words in their order, is what is spoken of. The last of English words is what
    they name: the cleaning contract is none of the contracts, but of the contract that is the topic. A word of Chinese
    has two characters."""
    common = _shared(frozenset(said), objects)
    if language == "zh":
        return len(common) > 1
    if language == "en" and said:
        return said[-1] in common and (len(common) == len(set(said)) or bool(_shared(frozenset(said[-1:]), topic)))
    return bool(common)


def _covered(one: _Clause, other: _Clause, topic: frozenset[str], language: str) -> float:
    """Returns how much of what the shorter of two clauses speaks of the other has; nothing where that is one word, and
    both speak of more: calls and what somebody is called. A Chinese character is no word where the other clause has
    more: who eats no fish may catch fish. What came to an end is often all that is named."""
    fewest, most = sorted((len(one.objects), len(other.objects)))
    parts = fewest if language != "zh" else 1 if one.ends or other.ends else most
    if other.ends and not one.ends and _speaks_of(other.ended, one.objects, topic, language):
        return 1.0
    is_slight = len(_shared(one.objects, other.objects)) == 1 and parts > 1
    return 0.0 if is_slight else _share(one.objects, other.objects)


@lru_cache(maxsize=_REMEMBERED)
def _clauses(folded: str, language: str) -> list[_Clause]:
    found = []
    # "Sold the car and goes by bike" ends the one and not the other.
    parts = [
        part
        for clause in _CLAUSE.split(folded)
        for part in (_JOINED.split(clause) if words.ENDED.search(clause) else (clause,))
    ]
    for part in parts:
        plain = _NOT_DENYING.sub(" ", part)
        is_allergic = words.ALLERGY.search(plain) is not None
        plain = words.ALLERGY.sub(" ", plain)
        ends = words.ENDED.search(plain) is not None
        denies = is_allergic != (ends or words.denied(language).search(plain) is not None)
        if objects := _objects(plain, language):
            lacks = _lacking(plain, language) if denies and not (is_allergic or ends) else frozenset()
            found.append(_Clause(objects, denies, ends, _stems(verb_objects.ended(plain, language), language), lacks))
    return found


def _lacking(plain: str, language: str) -> frozenset[str]:
    """Returns what a clause says to be without, where it says something before that and denies nothing else."""
    found = words.LACKING.search(plain)
    before = plain[: found.start()] if found is not None else ""
    if found is None or not _objects(before, language) or words.denied(language).search(before):
        return frozenset()
    return _objects(plain[found.end() :], language)


def _stems(said: Iterable[str], language: str) -> tuple[str, ...]:
    return tuple(each for word in said for each in _content(word, language))


@lru_cache(maxsize=_REMEMBERED)
def _objects(text: str, language: str) -> frozenset[str]:
    """Returns what is spoken of, without denials and verbs that have many objects; with the verbs where nothing else is
    left."""
    text = words.CHANGED.sub(" ", values_in(text)[1])
    if language != "zh":
        text = words.ENDED.sub(" ", text)
    bare = _stripped(text, words.denied(language)) if language != "uz" else text
    bare = _without_scopes(bare)
    objects = _content(_stripped(bare, words.MANY), language)
    if language == "uz":
        objects = _content(_DENYING_VERB.sub(" ", _stripped(bare, words.MANY)), language) - {"emas"} or objects
    return objects or _content(bare, language)


def _without_scopes(text: str) -> str:
    for pattern in words.SCOPES.values():
        text = pattern.sub(" ", text)
    return text


def _stripped(text: str, pattern: LazyPattern) -> str:
    return pattern.sub(" ", text)


def _attributes_differ(old: Fact, new: Fact, whose: tuple[Subject, ...], others: tuple[Subject, ...]) -> bool:
    common = old.attributes & new.attributes
    if not common:
        return False
    named = shared_names(whose, others)
    return any(_attribute_differs(name, old, new, named) for name in common)


def _attribute_differs(name: str, old: Fact, new: Fact, named: frozenset[str]) -> bool:
    """Returns whether an attribute of one subject, which both name by the stems of `named`, has two values."""
    if name == "job" and old.attributes & new.attributes & {"boss", "mentor", "doctor"}:
        return False
    if _subject(name, old) != _subject(name, new):
        return False
    one, other = (_values_of(name, fact.folded, fact.language) for fact in (old, new))
    if name == "location" and all(words.KEPT.search(_head(name, fact)) for fact in (old, new)):
        one, other = one - _subject(name, old), other - _subject(name, new)
        return bool(one and other) and not _shared(one, other)
    if name in ("residence", "location"):
        one, other = one - named, other - named
    common = _shared(one, other)
    if name in words.SEVERAL:
        is_same = bool(common) or new.is_change or not (one and other)
        return is_same and len(one) > len(common) and len(other) > len(common) and _differ_in_names(old, new, name)
    if not one or not other or common:
        return False
    if name == "job":
        return (
            new.is_change
            or all(_ROLE.search(fact.folded) for fact in (old, new))
            or all(_WORKPLACE.search(fact.folded) for fact in (old, new))
        )
    if old.language == "zh":
        return not any(_DWELLING.search(fact.folded) for fact in (old, new))
    return bool(old.names and new.names) or new.is_change


@lru_cache(maxsize=_REMEMBERED)
def _head(name: str, fact: Fact) -> str:
    """Returns what stands before the attribute's verb, from the last comma on."""
    found = words.ATTRIBUTES[name].search(fact.folded)
    return re.split(r"[,;，；]", fact.folded[: found.start()] if found else "")[-1]


def _differ_in_names(old: Fact, new: Fact, name: str) -> bool:
    if name in ("favourite", "school", "health", "phone") or old.language in ("zh", "uz"):
        return True
    return bool(old.names - new.names and new.names - old.names)


@lru_cache(maxsize=_REMEMBERED)
def _subject(name: str, fact: Fact) -> frozenset[str]:
    """Returns the words before the attribute's verb, which say whose it is."""
    if fact.language == "uz" or name in words.SEVERAL or name in ("boss", "landlord", "car", "time_zone"):
        return frozenset()
    head = _head(name, fact)
    return (
        frozenset()
        if words.CHANGED.search(head)
        else _content(_TITLES.sub("", words.denied(fact.language).sub(" ", head)), fact.language)
        - (frozenset("在") if fact.language == "zh" else frozenset())
        if fact.language != "zh" or name != "job"
        else frozenset()
    )


@lru_cache(maxsize=_REMEMBERED)
def _standing(folded: str, language: str) -> str:
    """Returns the clauses of a fact that say what is so, without those that say what is not any more."""
    clauses = _CLAUSE.split(folded)
    denied = words.denied(language)
    standing = [each for each in clauses if not words.ENDED.search(each) and not denied.search(each)]
    return words.GIVEN_UP.sub(" ", " , ".join(standing or clauses))


@lru_cache(maxsize=_REMEMBERED)
def _values_of(name: str, folded: str, language: str) -> frozenset[str]:
    text = values_in(_standing(folded, language))[1]
    if name != "job":
        text = words.ATTRIBUTES[name].sub(" ", text)
    else:
        text = re.sub(
            r"\bwork\w*|\bработа\w*|\bishla\w*|\bprofession|\bпрофессии|\bkasbi\w*|工作|上班|当|做|职业|在|是",
            " ",
            text,
        )
    text = words.CHANGED.sub(" ", words.ENDED.sub(" ", text))
    return _content(_TITLES.sub(" ", text), language)


def _values_differ(old: Fact, new: Fact) -> bool:
    kinds = {value.kind for value in old.values} & {value.kind for value in new.values}
    if not new.is_change and old.says(words.ORDERED) and new.says(words.ORDERED):
        # Who ordered twenty and then forty has two orders.
        kinds -= {COUNT, *_DAYS}
    if not kinds:
        return False
    one, other = (_content(_without((), fact.folded, fact.language), fact.language) for fact in (old, new))
    if not (one or other):
        is_same = new.is_change or _are_alike_but_for_values(old, new)
    else:
        is_same = _is_held_until_both(old, new) or _are_of_the_same(one, other, new)
    if old.says(words.RECURS) and new.says(words.RECURS):
        kinds -= _DAYS
    # The rye loaf has its price, and the wheat loaf another.
    is_of_others = len(_shared(one, other)) < min(len(one), len(other))
    are_of_two_days = _differ_in(frozenset((DATE,)), old, new) or _differ_in(_DAYS, old, new)
    if not new.is_change and _differ_in(frozenset((COUNT,)), old, new) and are_of_two_days:
        # So much on one day, and so much on another.
        kinds -= {COUNT, *_DAYS}
    return is_same and any(_values_of_a_kind_differ(kind, old, new, is_of_others=is_of_others) for kind in kinds)


def _differ_in(kinds: frozenset[str], old: Fact, new: Fact) -> bool:
    """Returns whether both have values of some kinds, and none of them in common."""
    one, other = ({value.value for value in fact.values if value.kind in kinds} for fact in (old, new))
    return bool(one and other) and not one & other


def _are_of_the_same(one: frozenset[str], other: frozenset[str], new: Fact) -> bool:
    """Returns whether what two facts speak of is the same, or, of a change, whether some of it is."""
    if one - words.PERIODS and other - words.PERIODS:
        one, other = one - words.PERIODS, other - words.PERIODS
    shared, fewest = len(_shared(one, other)), min(len(one), len(other))
    return shared > 0 and (shared >= fewest or 2 * shared + 2 * new.is_change > fewest)


def _is_held_until_both(old: Fact, new: Fact) -> bool:
    """Returns whether both say until when the same holds."""
    if not (old.is_valid_until and new.is_valid_until):
        return False
    one, other = (_content(_without((words.VALID,), fact.folded, fact.language), fact.language) for fact in (old, new))
    return _share(one, other) == 1.0


def _values_of_a_kind_differ(kind: str, old: Fact, new: Fact, *, is_of_others: bool) -> bool:
    one, other = (_compared({value for value in fact.values if value.kind == kind}) for fact in (old, new))
    if {value.value for value in one} & {value.value for value in other}:
        return False
    if kind in (TIME, COUNT) and old.forms & new.forms:
        return False
    if kind == PHONE:
        has_country = all(value.value.startswith("+") for value in (*one, *other))
        return has_country or "phone" in old.attributes & new.attributes
    if kind == COUNT:
        return _counts_differ(one, other, old, new) and (new.is_change or not is_of_others)
    if kind in (WEEKDAY, YEAR, MONTH):
        is_alike = _share(old.content, new.content) > (0.45 if new.is_change else 0.5)
        return is_alike or _is_held_until_both(old, new)
    # The train to Leeds has its hour, and the train to York another.
    is_of_two = old.names - new.names and new.names - old.names and not new.is_change
    return not (kind == TIME and is_of_two)


def _compared(values: set[Value]) -> set[Value]:
    """Returns the values of a kind without the one of "one loaf costs 5", which only says what is paid for."""
    return {value for value in values if value.value != "1"} if any(value.is_money for value in values) else values


def _are_alike_but_for_values(old: Fact, new: Fact) -> bool:
    one, other = (values_in(fact.folded)[1].split() for fact in (old, new))
    return one == other


def _counts_differ(one: set[Value], other: set[Value], old: Fact, new: Fact) -> bool:
    units, others = (
        [_stem(value.unit, old.language) for value in each if value.unit and value.unit not in words.EMPTY]
        for each in (one, other)
    )
    if units and others and {*units, *others} == {_stem(NUMBER_OF_NAME, old.language)}:
        return "phone" in old.attributes & new.attributes
    dimensions = [{words.dimension(value.unit) for value in each} for each in (one, other)]
    if all("" not in each for each in dimensions) and not dimensions[0] & dimensions[1]:
        return False
    if _are_paid_and_counted(one, other) or _are_paid_and_counted(other, one):
        return False
    if old.language == "zh":
        return not units or not others or any(a[:1] == b[:1] for a in units for b in others)
    if not units or not others:
        return True
    return any(_alike(a, b) for a in units for b in others) or _share(old.content, new.content) > 0.5


def _are_paid_and_counted(paid: Iterable[Value], counted: Iterable[Value]) -> bool:
    """Returns whether the one are amounts of money, and the other numbers of something else that is named."""
    return all(value.is_money for value in paid) and all(
        not value.is_money and value.unit not in ("", NUMBER_OF_NAME) and value.unit not in words.EMPTY
        for value in counted
    )


def _is_changed(old: Fact, new: Fact) -> bool:
    """Returns whether the new fact puts something in the place of something: most is the same, and a name is
    another."""
    is_replaced = new.is_replacement
    is_one = not new.says(words.MANY)
    given_up = " ".join(found[0] for found in words.GIVEN_UP.finditer(new.folded))
    if is_replaced and _shared(_objects(old.folded, old.language), _content(given_up, new.language)):
        return True
    if is_replaced and not is_one and _takes_the_same(old, new):
        return True
    one, other = (_content(_without((words.MANY,), fact.folded, fact.language), fact.language) for fact in (old, new))
    common = _shared(one, other)
    if not common or len(one) == len(common) or len(other) == len(common):
        return False
    if new.is_change and (is_one or is_replaced):
        if not _is_change_of(common, new):
            return False
        is_slight = len(common) == 1 and min(len(one), len(other)) > 1 and not _begins_alike(old, new)
        if len(common) <= len(old.kin) + 1 and not new.says(words.NOW) and not (old.names - common):
            # Who somebody is says nothing of what became of them.
            return False
        return 2 * len(common) >= min(len(one), len(other)) and not is_slight
    # A name that begins a line is among its words alone.
    has_names = bool(old.names - new.names - new.content and new.names - old.names - old.content)
    has_values = {value.kind for value in old.values} & {value.kind for value in new.values}
    is_same = len(common) >= 2 or (_begins_alike(old, new) and len(one) <= 2)
    is_several = old.says(words.ONE_OF_SEVERAL) and new.says(words.ONE_OF_SEVERAL)
    return is_one and has_names and is_same and not has_values and not is_several and not old.says(words.MANY)


def _is_change_of(common: frozenset[str], new: Fact) -> bool:
    """Returns whether what a fact says to be changed is what is spoken of: "UK only" at the end says nothing of the
    mugs that the line begins with."""
    changed = [clause for clause in _CLAUSE.split(new.folded) if words.CHANGED.search(clause)]
    return any(_shared(said, common) or not said for said in (_content(clause, new.language) for clause in changed))


def _takes_the_same(old: Fact, new: Fact) -> bool:
    """Returns whether the facts have a verb of several objects in common, and no object: "drinks only tea". One that
    denies says nothing of what is taken."""
    if old.says(words.denied(old.language)) or new.says(words.denied(new.language)):
        return False
    one, other = ({each[0] for each in words.MANY.finditer(fact.folded)} for fact in (old, new))
    return bool(one & other) and not _shared(_objects(old.folded, old.language), _objects(new.folded, new.language))


@lru_cache(maxsize=_REMEMBERED)
def _topic(fact: Fact) -> frozenset[str]:
    """Returns what a fact is about, as stems: the word with which it begins, and what it names."""
    first = _TOKEN.findall(fact.folded) if fact.language == "zh" else _tokens(fact)
    return fact.names | {_stem(each, fact.language) for each in first[:1]}


def _begins_alike(old: Fact, new: Fact) -> bool:
    """Returns whether both begin with the same word that says something: what they are about."""
    one, other = (next(map(_stem_in(fact), _tokens(fact)), "") for fact in (old, new))
    return bool(one) and _alike(one, other)


def _stem_in(fact: Fact) -> Callable[[str], str]:
    return lambda token: _stem(token, fact.language)


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    """Returns how much of the shorter of two sets of stems the other has, 0 to 1."""
    return len(_shared(one, other)) / min(len(one), len(other)) if one and other else 0.0


def _shared(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    return frozenset(each for each in one if any(_alike(each, word) for word in other))


def _alike(one: str, other: str) -> bool:
    shorter = min(len(one), len(other))
    if shorter == _STEM - 1:
        short, long = sorted((one, other), key=len)
        # "Run" and "running"; a Russian noun may look as if it had the ending of a verb, and Уфу is Уфа.
        return (
            one == other
            or long == short + one[shorter - 1]
            or (long.startswith(short) and long[3:] in _LOOKS_ENDED)
            or (len(long) == shorter and one[:2] == other[:2] and {one[2], other[2]} <= _CASE_VOWELS)
        )
    return one == other or (
        shorter >= _STEM
        and abs(len(one) - len(other)) <= 4
        and one[: max(_STEM, shorter - 1)] == other[: max(_STEM, shorter - 1)]
    )
