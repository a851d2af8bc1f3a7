"""A person's sentence is told in the third person, by what kind of sentence it is: as much of grammar as is safe."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final, Literal

from mnemoscope.llm.offline.keywords import keywords

SentenceKind = Literal["question", "request", "statement", ""]

_COMMAND: Final = re.compile(r"\s*/[a-z]+\b", re.IGNORECASE)
_OPENING: Final = re.compile(
    r"\A(?:(?:ok(?:ay)?|hi|hello|hey|well|so|and|also|but|yes|no|right|fine|great|thanks|thank you|please|by the way|"
    r"btw|fyi|for the record|actually)\b[\s,;:!.–-]*)+",
    re.IGNORECASE,
)
_TO_KEEP: Final = re.compile(
    r"\A(?:remember|don['’]t forget|keep in mind|note|make a note|take note)(?: this)?(?: that\b|\s*[:,])\s*(?=\S)",
    re.IGNORECASE,
)
_ASKED_FOR: Final = re.compile(
    r"\A(?:(?:can|could|would|will) you|i(?:['’]d| would) like you to|i (?:want|need) you to)(?: please)? ",
    re.IGNORECASE,
)
_WONDERED: Final = re.compile(
    r"\A(?:what|when|where|who|whom|whose|which|why|how|is|are|am|was|were|do|does|did|can|could|would|will|shall|"
    r"should|has|have|had)(?:['’](?:s|re))?\b|\Ai(?: wonder| want to know| need to know| need to find| forgot|"
    r" do not know| don['’]t know| can['’]t remember| cannot remember|['’]m looking for| am looking for)\b|"
    r"\A(?:(?:tell|remind) me|find|search|look up|recall|quote)\b|\A(?:any idea|anything about|something about)\b",
    re.IGNORECASE,
)
_VERBS: Final = (
    "add|answer|ask|build|calculate|change|check|clean|compare|convert|copy|correct|count|create|delete|describe|do|"
    "draft|explain|find|finish|fix|forget|format|get|give|go|help|improve|keep|list|look|look up|make|mention|move|"
    "open|order|plan|prepare|print|put|quote|read|recall|remember|remind|remove|rename|repeat|replace|rewrite|run|"
    "save|search|send|show|sort|start|stop|suggest|summari[sz]e|sum up|tell|test|translate|try|turn|update|use|write"
)
_PROPOSED: Final = re.compile(r"\Alet(?:['’]s| us) ", re.IGNORECASE)
_IMPERATIVE: Final = re.compile(rf"\A(?:{_VERBS})\b(?! (?:is|are|was|were)\b)", re.IGNORECASE)
_DECLARED: Final = re.compile(
    r"\A(?:(?i:i|we|they|he|she|it)(?:['’](?:m|re|ve|ll|d|s))? \w+|"
    r"(?:(?i:the|my|our|his|her|their|its|this|that|there|these|those|an?|every|all|both|nobody|everyone|everybody|"
    r"today|yesterday|tomorrow|on|at|in)\b|[A-ZÀ-Þ][\w'’-]+)(?: [\w'’&,-]+){0,12}? "
    r"(?i:is|are|was|were|will|has|have|had|isn['’]t|aren['’]t|wasn['’]t|won['’]t|can|cannot|should|must|does|did|"
    r"\w{2,}ed|opens?|closes?|starts?|begins?|ends?|comes?|goes|went|takes?|took|costs?|needs?|wants?|likes?|lives?|"
    r"works?|runs?|makes?|made|gets?|got|says?|said|arrives?|happens?|moves?|means?|belongs?|stays?|holds?|weighs?)\b)"
)
_LOWERED_WORDS: Final = (
    "the a an my our his her their its this that there these those we he she they it every all both nobody everyone "
    "everybody today yesterday tomorrow on at in from for after before when if because some most each"
)
_LOWERED: Final = frozenset(_LOWERED_WORDS.split())
_APART_WORDS: Final = "is are was were be been do does did has have had on in at for with to of from about"
_APART: Final = frozenset(_APART_WORDS.split())
_ARTICLE: Final = re.compile(r"\b(?:the|my|our|his|her|their)\b", re.IGNORECASE)

_OF_PERSON: Final[Mapping[str, str]] = {
    "i am": "they are", "i'm": "they are", "am i": "they are", "i was": "they were", "i've": "they have",
    "i'll": "they will", "i'd": "they would", "i": "they", "me": "them", "my": "their", "mine": "theirs",
    "myself": "themselves", "we're": "they are", "we've": "they have", "we'll": "they will", "we": "they",
    "us": "them", "our": "their", "ours": "theirs", "ourselves": "themselves", "you're": "the assistant is",
    "you are": "the assistant is", "your": "the assistant's", "yours": "the assistant's", "you": "the assistant",
}  # fmt: skip
_OF_ASSISTANT: Final[Mapping[str, str]] = {
    "i am": "it is", "i'm": "it is", "i've": "it has", "i have": "it has", "i'll": "it will", "i'd": "it would",
    "i": "it", "me": "it", "my": "its", "mine": "its own", "you're": "they are", "your": "their", "yours": "theirs",
    "you": "they",
}  # fmt: skip
_AFTER_WORDS: Final = re.compile(
    r"\b(for|to|with|of|from|on|about|by|at|tell|give|let|show|help|thank) you\b", re.IGNORECASE
)


def is_slash_command(text: str) -> bool:
    """Returns whether a message is a slash command, such as other programs keep unmarked."""
    return bool(_COMMAND.match(text))


def sentence_kind(sentence: str) -> SentenceKind:
    """Returns the kind of a person's sentence, or "" if that is not plain, as with a few words alone."""
    plain = _OPENING.sub("", sentence.strip())
    if _ASKED_FOR.match(plain):
        return "request"
    if plain.endswith(("?", "？")) or _WONDERED.match(plain):
        return "question"
    if _TO_KEEP.match(plain) or _PROPOSED.match(plain):
        return "statement"
    if _IMPERATIVE.match(plain):
        return "request"
    return "statement" if _DECLARED.match(plain) else ""


def reported(sentence: str, known: Collection[str] = ()) -> str:
    """Returns a person's statement as it follows `said`: `I prefer tea.` gives `they prefer tea`. `known` are words
    that were written small elsewhere, so that their capital here is only the sentence's."""
    plain = _PROPOSED.sub("the plan is to ", _TO_KEEP.sub("", _OPENING.sub("", sentence.strip())))
    return _swapped(_lowered(_bare(plain), known), _OF_PERSON)


def asked_for(sentence: str) -> str:
    """Returns a request as it follows `asked the assistant to`: `Please add a test.` gives `add a test`."""
    plain = _ASKED_FOR.sub("", _OPENING.sub("", sentence.strip()))
    plain = _bare(plain.rstrip(" ?？"))
    return _swapped(plain[:1].lower() + plain[1:], _OF_PERSON)


def reported_of_assistant(sentence: str, known: Collection[str] = ()) -> str:
    """Returns a sentence of the assistant as it follows `The assistant`: `Added a test.` gives `added a test`."""
    plain = _bare(_OPENING.sub("", sentence.strip()))
    first = plain.split(" ", 1)[0]
    if re.fullmatch(r"[A-Z][a-z]+ed", first):
        return _swapped(plain[0].lower() + plain[1:], _OF_ASSISTANT)
    plain = _AFTER_WORDS.sub(r"\1 them", plain)
    return f"said {_swapped(_lowered(plain, known), _OF_ASSISTANT)}"


def topic_of(question: str) -> str:
    """Returns what a question is about, in its own words: `When is the December market?` gives `the December
    market`."""
    words = re.findall(r"[\w'’&-]+", question)
    for place, word in enumerate(words[:-1]):
        if _ARTICLE.fullmatch(word):
            named = _named(words[place + 1 :])
            if named:
                return _swapped(" ".join([word.lower(), *named]), _OF_PERSON)
    wanted = keywords(question)
    first = next((place for place, word in enumerate(words) if word.lower() in wanted), None)
    if first is None:
        return wanted[0] if wanted else ""
    return " ".join(word for word in words[first : first + 2] if word.lower() in wanted)


def _named(words: list[str]) -> list[str]:
    named: list[str] = []
    for word in words:
        low = word.lower()
        if low in _APART or not keywords(word) or (named and low.endswith(("ed", "ing"))) or len(named) == 3:
            break
        named.append(word)
    return named


def _bare(text: str) -> str:
    return text.strip().rstrip(".!;:,。！").strip()


def _lowered(text: str, known: Collection[str]) -> str:
    first = re.match(r"[A-Z][a-z]*\b", text)
    if first and (first.group().lower() in _LOWERED or first.group().lower() in known):
        return text[0].lower() + text[1:]
    return text


def _swapped(text: str, persons: Mapping[str, str]) -> str:
    known = "|".join(re.escape(words) for words in sorted(persons, key=len, reverse=True)).replace("'", "['’]")
    words = re.compile(rf"(?<![\w'’-])(?:{known})(?![\w'’-])", re.IGNORECASE)
    return words.sub(lambda match: persons[match.group().lower().replace("’", "'")], text)
