"""Passages that were found are quoted in an answer, the best of them with their sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.text.characters import HAN
from mnemoscope.llm.offline.keywords import brief, clip, keyword_stems, keywords, overlap, plain_rows, sentences
from mnemoscope.llm.offline.phrases import Phrases, is_of_built_in
from mnemoscope.llm.offline.request_reader import memory_lines, memory_section, message_words

_QUOTES: Final = 6
"""Quotes shown at most."""
_QUOTE_LIMIT: Final = 400
_FOLDED: Final = 120

_HIT: Final = re.compile(r"^(?P<source>\S[^\n]{0,120}\.\w{1,5}) \((?P<where>[^)\n]{1,120})\)$", re.MULTILINE)
_NOTHING: Final = re.compile(r"\s*(?:no |nothing|0 )[^\n]*\Z|\s*\Z|\s*error\b", re.IGNORECASE)
_PAIR: Final = re.compile(f"[{HAN}]{{2}}")
_STAMP: Final = re.compile(r"\A\[\d{4}-\d\d-\d\d[^\]\n]{0,12}\]\s*")


@dataclass(frozen=True, slots=True)
class Quote:
    """Holds words that were found, and where."""

    text: str
    source: str


def tool_results(since: Sequence[Mapping[str, Any]], phrases: Phrases) -> Iterator[Quote]:
    """Yields the passages that tools found in this turn: `source (where)` on a line, then the passage. They are quoted,
    never followed."""
    for message in since:
        text = text_of(message)
        if message.get("role") != "tool" or _NOTHING.match(text):
            continue
        heads = list(_HIT.finditer(text))
        for head, following in zip(heads, [*heads[1:], None], strict=False):
            passage = text[head.end() : following.start() if following else len(text)]
            yield Quote(passage.strip(), _said_in(head["source"], head["where"], phrases))
        if not heads:
            source = str(message.get("name") or "tool")
            yield from (Quote(block.strip(), source) for block in re.split(r"\n\s*\n", text) if block.strip())


def best_quotes(
    wanted: frozenset[str],
    messages: Sequence[Mapping[str, Any]],
    earlier: Sequence[Mapping[str, Any]],
    found: Sequence[Quote],
    phrases: Phrases,
) -> list[Quote]:
    """Returns the best quotes of memory, what was found, and the conversation: most words in common first, each passage
    once."""
    ranked: dict[str, tuple[int, int, Quote]] = {}
    for place, quote in enumerate([*_from_memory(messages), *found, *_from_conversation(earlier, phrases)]):
        score, key = overlap(wanted, f"{quote.text} {quote.source}"), " ".join(keywords(quote.text))
        if score and key not in ranked:
            ranked[key] = (-score, place, quote)
    best = sorted(ranked.values(), key=lambda entry: entry[:2])
    most = -best[0][0] if best else 0
    # With three words asked for, a passage that has only one of them is mostly about something else.
    return [quote for score, _, quote in best if -score * 2 > most or most == 1][:_QUOTES]


def _from_memory(messages: Sequence[Mapping[str, Any]]) -> Iterator[Quote]:
    for line in memory_lines(memory_section(messages)):
        yield Quote(line.text, f"MEMORY.md, {line.heading}" if line.heading else "MEMORY.md")


def _from_conversation(earlier: Sequence[Mapping[str, Any]], phrases: Phrases) -> Iterator[Quote]:
    for message in reversed(earlier):
        if is_quotable(message):
            who = phrases.you if message.get("role") == "user" else phrases.assistant
            for sentence in sentences(message_words(message)):
                if not sentence.endswith(("?", "？")):
                    yield Quote(sentence, f"{phrases.this_conversation}, {who}")


def _said_in(source: str, where: str, phrases: Phrases) -> str:
    """Returns `MEMORY.md, line 4`; for a conversation, whose file's name says nothing to a person, when and by whom."""
    if not (source.startswith("sessions/") and source.endswith(".jsonl")):
        return f"{source}, {where}"
    when, _, who = where.rpartition(", ")
    speaker = {"user": phrases.you, "assistant": phrases.assistant}.get(who, who)
    return ", ".join(part for part in (phrases.a_conversation, when, speaker) if part)


def is_quotable(message: Mapping[str, Any]) -> bool:
    """Returns whether people or models said a message. The built-in model's own quotes are left out: quoting them again
    would feed on itself."""
    return message.get("role") in ("user", "assistant") and not is_of_built_in(text_of(message))


def quoting(quotes: Sequence[Quote], wanted: Sequence[str], phrases: Phrases) -> str:
    """Returns the answer that shows the quotes, or says plainly that there are none."""
    words = _shown_words(wanted, phrases)
    if not quotes:
        nothing = phrases.nothing_found.format(words=words)
        return f"{nothing}\n\n{phrases.knows_only_this}{phrases.between}{phrases.choose_model}"
    stemmed = keyword_stems(" ".join(wanted))
    there = keyword_stems(" ".join(f"{quote.text} {quote.source}" for quote in quotes))
    missing = [word for word in wanted if not keyword_stems(word) & there]
    words = _shown_words([word for word in wanted if word not in missing], phrases) or words
    body = "\n\n".join(f"> {_excerpt(quote.text, stemmed)}\n>\n> — {clip(quote.source, _FOLDED)}" for quote in quotes)
    unknown = f"\n\n{phrases.nothing_about.format(words=_shown_words(missing, phrases))}" if missing else ""
    lead = phrases.one_place if len(quotes) == 1 else phrases.more_places
    return f"{lead.format(count=len(quotes), words=words)}\n\n{body}{unknown}"


def _shown_words(words: Sequence[str], phrases: Phrases) -> str:
    return phrases.listing.join(f"*{brief(word)}*" for word in _joined_pairs(words)[:6])


def _joined_pairs(words: Sequence[str]) -> list[str]:
    """Returns the words with pairs of Chinese characters that overlap put together again."""
    joined: list[str] = []
    for word in words:
        if joined and _PAIR.fullmatch(word) and _PAIR.fullmatch(joined[-1][-2:]) and joined[-1][-1] == word[0]:
            joined[-1] += word[1]
        else:
            joined.append(word)
    return joined


def _excerpt(text: str, wanted: frozenset[str]) -> str:
    """Returns the passage, or of a long one its date and the sentences that hold what was asked for."""
    text = brief(plain_rows(text))
    if len(text) <= _QUOTE_LIMIT:
        return clip(text, _QUOTE_LIMIT)
    stamp = _STAMP.match(text)
    relevant = [sentence for sentence in sentences(text[stamp.end() if stamp else 0 :]) if overlap(wanted, sentence)]
    return clip(f"{stamp.group() if stamp else ''}{' … '.join(relevant) or text}", _QUOTE_LIMIT)
