"""Without a language model, a history entry tells what the person stated, in the third person, and what was asked
about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.text.fences import outside_code
from mnemoscope.llm.offline.keywords import BULLET, clip, holds_secret, keywords, sentences, stem
from mnemoscope.llm.offline.phrases import is_of_built_in
from mnemoscope.llm.offline.reported_speech import (
    asked_for,
    is_slash_command,
    reported,
    reported_of_assistant,
    sentence_kind,
    topic_of,
)
from mnemoscope.llm.offline.request_reader import SpokenMessage, fence_in, spoken_messages
from mnemoscope.llm.offline.stated_facts import facts_in

_CLAUSE_LIMIT: Final = 180
_KEY_SENTENCES: Final = 4
"""Things the person said that are told at most."""
_TOPICS: Final = 4
_FIGURE: Final = re.compile(r"\d")
_NAME: Final = re.compile(
    r"(?:^|\n)\s*(?:[-*+] +)?(?:\*\*)?(?:the )?(?:user'?s? )?name(?:\*\*)?(?:\s*:(?:\*\*)?| is)\s+"
    r"(?P<name>[A-ZÀ-Þ][\w'’-]*)",
    re.IGNORECASE,
)

_SUMMARY_HEADING: Final = "\n## Conversation to Summarise\n"
_JOURNAL_KINDS: Final[Mapping[str, str]] = {"person": "permanent", "preference": "permanent"}
_NOTHING: Final = "(nothing)"


@dataclass(frozen=True, slots=True)
class _RankedSentence:
    place: int
    kind: str
    text: str
    score: float


def history_entry(spoken: Sequence[SpokenMessage], memory: str = "") -> str:
    """Returns `[YYYY-MM-DD HH:MM]` of the last message, then what was said, or `""` if nothing was. Commands are passed
    over.

    `memory` may know the person's name.
    """
    spoken = [line for line in spoken if not (line.role == "USER" and is_slash_command(line.text))]
    if not spoken:
        return ""
    times = [line.when for line in spoken if line.when != "?"]
    stamp = f"[{times[-1]}]" if times else ""
    known = _small_words(spoken)
    parts = (_of_person(spoken, _name(memory, spoken), known), _of_assistant(spoken, known), _around(spoken, times))
    words = " ".join(part for part in parts if part) or f"{len(spoken)} message{'s' if len(spoken) != 1 else ''}."
    return f"{stamp} {words}".lstrip()


def _of_person(spoken: Sequence[SpokenMessage], name: str, known: frozenset[str]) -> str:
    sentences_of_person = _key_sentences(line for line in spoken if line.role == "USER")
    said = [_clip(reported(each.text, known)) for each in sentences_of_person if each.kind == "said"]
    wanted = [_clip(asked_for(each.text)) for each in sentences_of_person if each.kind == "request"]
    topics = _topics(spoken)
    clauses = [f"said {'; '.join(said)}"] if said else []
    clauses += [f"asked the assistant to {'; to '.join(wanted)}"] if wanted else []
    clauses += [f"asked about {_listed(topics)}"] if topics else []
    return f"{name} {'; '.join(clauses)}." if clauses else ""


def _of_assistant(spoken: Sequence[SpokenMessage], known: frozenset[str]) -> str:
    ranked = _key_sentences(line for line in spoken if line.role == "ASSISTANT")
    best = max(ranked, key=lambda each: (each.score, -each.place), default=None)
    return f"The assistant {_clip(reported_of_assistant(best.text, known))}." if best else ""


def _key_sentences(said: Iterable[SpokenMessage]) -> list[_RankedSentence]:
    """Returns the most telling sentences, in their order; no questions, none twice."""
    lines = list(said)
    frequency = Counter(stem(word) for line in lines for word in set(keywords(line.text)))
    best: dict[frozenset[str], _RankedSentence] = {}
    for place, (line, sentence) in enumerate(_sentences(lines)):
        key = frozenset(map(stem, keywords(sentence)))
        kind = sentence_kind(sentence)
        if kind == "question" or len(key) < 2:
            continue
        candidate = _RankedSentence(
            place, "request" if kind == "request" else "said", sentence, _score(line, sentence, frequency)
        )
        if key not in best or candidate.score > best[key].score:
            best[key] = candidate
    ranked = sorted(best.values(), key=lambda candidate: (-candidate.score, candidate.place))[:_KEY_SENTENCES]
    return sorted(ranked, key=lambda candidate: candidate.place)


def _topics(spoken: Sequence[SpokenMessage]) -> list[str]:
    found: dict[str, str] = {}
    for _, sentence in _sentences(line for line in spoken if line.role == "USER"):
        if sentence_kind(sentence) == "question" and (topic := topic_of(sentence)):
            found.setdefault(topic.lower(), _clip(topic))
    return list(found.values())[:_TOPICS]


def _sentences(said: Iterable[SpokenMessage]) -> Iterator[tuple[SpokenMessage, str]]:
    for line in said:
        if line.role == "ASSISTANT" and is_of_built_in(line.text):
            continue
        for row in outside_code(line.text.splitlines()):
            if not row.lstrip().startswith((">", "|")):
                yield from ((line, plain) for sentence in sentences(row) if (plain := _plain(sentence)))


def _plain(sentence: str) -> str:
    text = BULLET.sub("", sentence).lstrip("#> ").replace("**", "").strip()
    return "" if holds_secret(text) or re.match(r"\[\d{4}-\d\d", text) else text


def _score(line: SpokenMessage, sentence: str, frequency: Mapping[str, int]) -> float:
    words = {stem(word) for word in keywords(sentence)}
    score = sum(1.0 + min(frequency[word], 5) / 5 for word in words) / (3 + len(words)) * 3
    score += 3.0 if line.role == "USER" and any(facts_in(sentence)) else 0.0
    return score + (0.5 if _FIGURE.search(sentence) else 0.0)


def _small_words(spoken: Sequence[SpokenMessage]) -> frozenset[str]:
    """Returns the words that are somewhere written small; their capital at a sentence's start is no name's."""
    return frozenset(word for line in spoken for word in re.findall(r"\b[a-z]+\b", line.text))


def _name(memory: str, spoken: Sequence[SpokenMessage]) -> str:
    stated = "\n".join(
        fact.text for line in spoken if line.role == "USER" for fact in facts_in(line.text) if fact.kind == "person"
    )
    match = _NAME.search(memory) or _NAME.search(stated)
    return match["name"] if match else "The person"


def _clip(text: str) -> str:
    return clip(text, _CLAUSE_LIMIT)


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _around(spoken: Sequence[SpokenMessage], times: Sequence[str]) -> str:
    """Returns when it was said and with which tools; how many messages it were is told where the entry's messages
    are."""
    tools = list(dict.fromkeys(name for line in spoken for name in line.tools))
    span = [f"from {times[0]} to {times[-1]}"] if times and times[0] != times[-1] else []
    used = [f"tools used: {', '.join(tools)}"] if tools else []
    words = ", ".join([*span, *used])
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def asks_for_summary(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Returns whether a part of a conversation is to be summarised for the journal."""
    return _SUMMARY_HEADING in _question(messages) and any(message.get("role") == "system" for message in messages)


def journal_summary(messages: Sequence[Mapping[str, Any]]) -> str:
    """Returns fact lines for history.jsonl, or `(nothing)`. Only the person's own words become facts."""
    spoken = spoken_messages(_question(messages), fence_in(messages))
    facts = [fact for line in spoken if line.role == "USER" for fact in facts_in(line.text)]
    lines = [f"- [{_JOURNAL_KINDS.get(fact.kind, 'durable')}] {fact.text}" for fact in facts]
    happened = history_entry(spoken).partition("] ")[2].strip()
    lines += [f"- [ephemeral] {happened}"] if happened else []
    return "\n".join(dict.fromkeys(lines)) or _NOTHING


def _question(messages: Sequence[Mapping[str, Any]]) -> str:
    asked = [text_of(message) for message in messages if message.get("role") == "user"]
    return "\n" + asked[-1] if asked else ""
