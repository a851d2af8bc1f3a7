"""Rules are matched against a message: words wake rules, and rules look at the sentences that those words stand in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.capture.folded_message import WORD, Folded, Sentence, Sentences, spelt_in_latin
from mnemoscope.domain.capture.rules import STATEMENT, VALUES, Language, Rule, RuleSet
from mnemoscope.domain.capture.values import FINAL_MARKS, clause_end, han_name, is_vague, name_end, normalised_value

_GROUP: Final = re.compile(r"\{([a-z]{1,16})\}")
MOST_HITS: Final = 10_000
"""Of one message: a text made of nothing but hits is cut there."""


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """A match of a rule's pattern in a sentence. Its places are in `folded`, which may be the sentence alone in other
    letters; `span` is in characters of the message."""

    rule: Rule
    folded: Folded
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


def matches_in(folded: Folded, parts: Sentences, words: Sequence[re.Match[str]], rules: RuleSet) -> Iterator[RuleMatch]:
    """Yields all matches of the rules in a message, at most MOST_HITS."""
    count = 0
    for place, found in sorted(_woken(folded.low, parts, words, rules).items()):
        sentence = parts[place]
        latin: Folded | None = None
        for key in sorted(found):
            rule = found[key]
            if key[1]:
                latin = latin or spelt_in_latin(folded, sentence.start, sentence.stop)
                hits = matches_of(rule, latin, Sentence(0, len(latin.text), sentence.asks))
            else:
                hits = matches_of(rule, folded, sentence)
            for hit in hits:
                yield hit
                count += 1
                if count >= MOST_HITS:
                    return


def folded_words(low: str) -> list[re.Match[str]]:
    """Returns the words of a folded text, in order."""
    return list(WORD.finditer(low))


def _woken(
    low: str, parts: Sentences, words: Sequence[re.Match[str]], rules: RuleSet
) -> dict[int, dict[tuple[str, bool], Rule]]:
    """Returns the rules that have a cue in a sentence, by the sentence's place."""
    found: dict[int, dict[tuple[str, bool], Rule]] = {}
    for word in words:
        woken = rules.by_word.get(word[0])
        if woken is not None:
            found.setdefault(parts.index_at(word.start()), {}).update(woken)
    for head in rules.part_heads.finditer(low) if rules.part_heads else ():
        at = head.start()
        for cue in rules.by_head.get(low[at : at + 2]) or rules.by_head.get(low[at], ()):
            if low.startswith(cue, at):
                found.setdefault(parts.index_at(at), {}).update(rules.by_part[cue])
    return found


def matches_of(rule: Rule, folded: Folded, sentence: Sentence) -> Iterable[RuleMatch]:
    """Returns the matches of one rule in one sentence; most rules have none, which is found out first and fast."""
    low, start, stop = folded.low, sentence.start, sentence.stop
    for place, pattern in enumerate(rule.patterns):
        if pattern.search(low, start, stop):
            return _hits(rule.patterns[place:], rule, folded, sentence)
    return ()


def _hits(patterns: Iterable[re.Pattern[str]], rule: Rule, folded: Folded, sentence: Sentence) -> Iterator[RuleMatch]:
    for pattern in patterns:
        for found in pattern.finditer(folded.low, sentence.start, sentence.stop):
            hit = _hit(rule, folded, sentence, found)
            if hit is not None:
                yield hit


def facts_within(hit: RuleMatch, rules: RuleSet) -> Iterator[RuleMatch]:
    """Yields the facts that the statement rules of its language find in a correction or a request to remember."""
    within = Sentence(hit.start, hit.stop, asks=False)
    for rule in rules.statements(hit.rule.language):
        yield from matches_of(rule, hit.folded, within)


def statements_in(folded: Folded, sentence: Sentence, rules: RuleSet) -> Iterator[RuleMatch]:
    """Yields the facts that the statement rules of all languages find in a sentence."""
    for rule in rules.rules:
        if rule.category == STATEMENT:
            yield from matches_of(rule, folded, sentence)


def _hit(rule: Rule, folded: Folded, sentence: Sentence, found: re.Match[str]) -> RuleMatch | None:
    groups = found.groupdict() if found.re.groups else {}
    kind = next((name for name in VALUES if groups.get(name)), "") if groups else ""
    if not kind:
        return RuleMatch(rule, folded, sentence, *found.span(), found.span(), rule.subject, "", is_vague=False)
    start, stop = found.span(kind)
    end = _value_end(rule, kind, folded, start, stop)
    if end <= start:
        return None
    while start < end and folded.text[start] in "\"'“«„「":
        start += 1
    last = end if stop == found.end() else found.end()
    subject = rule.subject
    if "{" in subject:
        subject = _GROUP.sub(lambda each: normalised_value(groups.get(each[1]) or "", rule.language), subject)
    old = folded.text[slice(*found.span("old"))].strip(" .,!") if groups.get("old") else ""
    vague = kind in ("rest", "mid") and is_vague(
        folded.low, start, end, rule.language, whole="too vague" in rule.allows
    )
    if rule.category == "preference" and rule.is_durable:
        vague = vague or _is_momentary(rule, folded, sentence, found, end)
    return RuleMatch(rule, folded, sentence, found.start(), last, (start, end), subject, old, vague)


_BEFORE: Final = 30
"""Characters in front of a preference in which it may be said when it holds."""
_BEHIND: Final = 16
"""Characters behind a value that still say how it is meant."""
_BLANKS: Final = re.compile(r" *+")


def _is_momentary(rule: Rule, folded: Folded, sentence: Sentence, found: re.Match[str], end: int) -> bool:
    """Returns whether a preference is about today, about the two who speak, or in fun."""
    low, guards = folded.low, rule.language.guards
    momentary, fun = guards.get("momentary"), guards.get("fun")
    if fun and fun.search(low, found.start() + 1, end + _BEHIND):
        return True
    if momentary is None:
        return False
    behind = _BLANKS.match(low, end)
    return (
        momentary.search(low, found.start() + 1, end) is not None
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


def _value_end(rule: Rule, kind: str, folded: Folded, start: int, stop: int) -> int:
    if kind in ("name", "anyname"):
        return name_end(folded.text, start, stop, rule.language, any_case=kind == "anyname", strict=rule.is_strict)
    if kind == "midname":
        bare = folded.text[start:stop].lower() not in rule.language.words.get("not_names", ())
        return stop if folded.text[start].isupper() and bare else start
    if kind == "han":
        return han_name(folded.text, start, stop, strict=rule.is_strict)
    if rule.category == "remember":
        return start + len(folded.low[start:stop].rstrip(FINAL_MARKS))
    if kind == "rest":
        return clause_end(folded.low, start, stop, rule.language)
    return stop
