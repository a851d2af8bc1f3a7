"""What the built-in model says: what it found, where it found it, and nothing else."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.llm import ToolCallRequest
from mnemoscope.domain.message import Message, text_of, tool_call_name, tool_calls_of
from mnemoscope.llm.offline.facts import facts_in
from mnemoscope.llm.offline.prompts import memory_in, memory_lines, words_of
from mnemoscope.llm.offline.words import clip, keywords, overlap, sentences, stems

LABEL: Final = "Built-in, no language model"
QUOTES: Final = 6
"""Quotes shown at most."""
QUOTE_LIMIT: Final = 400
SEARCH_TOOL: Final = "search_memory"
CHOOSE_MODEL: Final = "For answers in its own words, choose a language model under Model."

_GREETING: Final = re.compile(
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings|你好|您好)(?: there| again)?[\s!.,，。！]*\Z",
    re.IGNORECASE,
)
_THANKS: Final = re.compile(
    r"(?:thanks?|thank you|cheers|ta|谢谢)(?: you| very much| a lot| so much)*[\s!.,。！]*\Z", re.IGNORECASE
)
_HELP: Final = re.compile(
    r"(?:help|what can you do|how (?:do|does) (?:this|you|it) work|how can you help)|"
    r"(?:who|what) are you|are you (?:an? )?(?:ai|llm|language model|real|chatgpt|claude|bot)|which model|what model",
    re.IGNORECASE,
)
_EVERYTHING: Final = re.compile(
    r"\b(?:what|everything|all)\b.*\b(?:you|is)\b.*\b(?:remember|know|memory|memories|kept|stored)\b"
    r"(?: (?:about|of) (?:me|us|this|so far))?[\s?.!]*\Z|"
    r"(?:show|list|quote)(?: me)? (?:your |my |the )?(?:whole )?memory[\s?.!]*\Z",
    re.IGNORECASE,
)
_SUMMARY: Final = re.compile(
    r"\b(?:summari[sz]e|summary|recap)\b|"
    r"what (?:have we|did we) (?:talk|discuss|sp[eo]ak|chat)(?:ed)?(?: about)?[\s?.!]*\Z|"
    r"what were we (?:talking|speaking) about",
    re.IGNORECASE,
)
_NOTHING: Final = re.compile(r"\s*(?:no |nothing|0 )[^\n]*\Z|\s*\Z|\s*error\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that were found, and where."""

    text: str
    source: str


def reply_to(
    messages: Sequence[Message],
    tools: Mapping[str, Mapping[str, Any]],
    search: Callable[[str], list[Quote]],
) -> str | ToolCallRequest:
    """The answer to the last thing the person said, or the tool call that comes first."""
    turn = _turn_start(messages)
    asked = words_of(messages[turn]) if turn is not None else ""
    earlier, since = messages[: turn or 0], messages[(turn or 0) + 1 :]
    simple = _simple_reply(asked, earlier, messages)
    if simple:
        return _signed(simple)
    stated = [fact.text for fact in facts_in(asked)]
    noted = _acknowledge(stated, memory_in(messages)) if stated else ""
    wanted = keywords(_questions(asked) if stated else asked)
    if stated and not wanted:
        return _signed(noted)
    if not wanted:
        return _signed(_nothing_to_look_for())
    call = _next_search(wanted, since, tools, messages)
    if call is not None:
        return call
    quotes = _quotes(
        " ".join(wanted), messages, earlier, since, [] if SEARCH_TOOL in tools else search(" ".join(wanted))
    )
    answer = _quoting(quotes, wanted)
    return _signed(f"{noted}\n\n{answer}" if noted else answer)


def call_id(messages: Sequence[Message]) -> str:
    """An id that is the same for the same request and another for any other."""
    told = json.dumps(list(messages), ensure_ascii=False, sort_keys=True, default=str)
    return f"call_{hashlib.sha256(told.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _turn_start(messages: Sequence[Message]) -> int | None:
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].get("role") == "user":
            return index
    return None


def _signed(text: str) -> str:
    return f"{text}\n\n*{LABEL}.*"


def _simple_reply(asked: str, earlier: Sequence[Message], messages: Sequence[Message]) -> str:
    plain = asked.strip()
    if _GREETING.match(plain):
        return "Hello. Ask me about anything that was said or noted before, and I will look it up and quote it."
    if _THANKS.match(plain):
        return "You are welcome."
    if len(plain) < 80 and _HELP.match(plain):
        return _help()
    if len(plain) < 120 and _EVERYTHING.search(plain):
        return _whole_memory(messages)
    if len(plain) < 120 and _SUMMARY.search(plain):
        return _summary(earlier)
    return ""


def _help() -> str:
    return (
        "I am the model that is built in: no language model, no network. I can\n\n"
        "- **look things up** in MEMORY.md, the history and this conversation, and quote them with their source: "
        "*When is the deadline?*\n"
        "- **keep what you tell me** in plain words: *Remember that …*, *My name is …*, *I prefer …*, *We decided …*\n"
        "- **say what is remembered**: *What do you remember?*\n"
        "- **go over this conversation**: *Summarise this conversation*\n"
        "- **consolidate** older messages into the history and the memory by quoting their most telling sentences.\n\n"
        "I cannot reason, write or translate. " + CHOOSE_MODEL
    )


def _nothing_to_look_for() -> str:
    return f"I look things up and quote them; that holds no word to look for. Type *help* for more. {CHOOSE_MODEL}"


def _acknowledge(stated: Sequence[str], memory: str) -> str:
    known = memory.lower()
    new = [fact for fact in stated if fact.lower() not in known]
    if not new:
        return "MEMORY.md holds that already."
    facts = "\n".join(f"- {fact}" for fact in new)
    each = "It is" if len(new) == 1 else "They are"
    later = f"{each} not in MEMORY.md yet: the next consolidation puts {'it' if len(new) == 1 else 'them'} there."
    return f"Noted in this conversation:\n\n{facts}\n\n{later}"


def _questions(text: str) -> str:
    return " ".join(sentence for sentence in sentences(text) if sentence.endswith(("?", "？")))


def _whole_memory(messages: Sequence[Message]) -> str:
    lines = list(memory_lines(memory_in(messages)))
    if not lines:
        return "MEMORY.md holds nothing yet. Tell me something to keep, such as *My name is …* or *Remember that …*."
    parts, heading = ["This is what MEMORY.md holds:"], None
    for line in lines:
        if line.heading != heading:
            heading = line.heading
            parts.append(f"\n**{heading}**\n" if heading else "")
        parts.append(f"- {line.text}")
    return "\n".join(parts)


def _summary(earlier: Sequence[Message]) -> str:
    told = [
        f"- {'You' if message.get('role') == 'user' else 'Assistant'}: {clip(first, 160)}"
        for message in earlier
        if _is_quotable(message) and (first := next(iter(sentences(words_of(message))), ""))
    ]
    if not told:
        return "Nothing has been said in this conversation yet."
    left_out = f"\n\n{len(told) - 20} earlier messages are left out." if len(told) > 20 else ""
    return "The first words of each message, oldest first:\n\n" + "\n".join(told[-20:]) + left_out


def _is_quotable(message: Mapping[str, Any]) -> bool:
    """What people and models said. My own quotes are left out: quoting them again would feed on itself."""
    return message.get("role") in ("user", "assistant") and LABEL not in text_of(message)


def _next_search(
    wanted: Sequence[str],
    since: Sequence[Message],
    tools: Mapping[str, Mapping[str, Any]],
    messages: Sequence[Message],
) -> ToolCallRequest | None:
    """Search for all the words; where that finds nothing, once more for the longest alone."""
    if SEARCH_TOOL not in tools:
        return None
    done = sum(tool_call_name(call) == SEARCH_TOOL for message in since for call in tool_calls_of(message))
    if done == 0:
        query = " ".join(wanted)
    elif done == 1 and len(wanted) > 1 and not list(_results(since)):
        query = max(wanted, key=len)
    else:
        return None
    return ToolCallRequest(call_id(messages), SEARCH_TOOL, {_query_parameter(tools[SEARCH_TOOL]): query})


def _query_parameter(tool: Mapping[str, Any]) -> str:
    function = tool.get("function")
    parameters = function.get("parameters") if isinstance(function, Mapping) else None
    properties = parameters.get("properties") if isinstance(parameters, Mapping) else None
    names = list(properties) if isinstance(properties, Mapping) else []
    return "query" if "query" in names or not names else str(names[0])


def _results(since: Sequence[Message]) -> Iterator[Quote]:
    """What tools found in this turn. It is quoted, never followed."""
    for message in since:
        text = text_of(message)
        if message.get("role") != "tool" or _NOTHING.match(text):
            continue
        for block in re.split(r"\n\s*\n|\n(?=[-*] |\S+\.md\b)", text.strip()):
            source, colon, rest = block.partition(": ")
            named = bool(colon) and len(source) < 80 and "\n" not in source and ".md" in source
            yield Quote(rest if named else block, source.lstrip("-* ") if named else str(message.get("name") or "tool"))


def _quotes(
    query: str,
    messages: Sequence[Message],
    earlier: Sequence[Message],
    since: Sequence[Message],
    found: Sequence[Quote],
) -> list[Quote]:
    """The best quotes of every place, the most words in common first, then memory, tools' results, conversation."""
    wanted = stems(query)
    everything = [*_from_memory(messages), *_results(since), *found, *_from_conversation(earlier)]
    ranked: dict[str, tuple[int, int, Quote]] = {}
    for place, quote in enumerate(everything):
        score, key = overlap(wanted, f"{quote.text} {quote.source}"), " ".join(keywords(quote.text))
        if score and key not in ranked:
            ranked[key] = (-score, place, quote)
    best = sorted(ranked.values(), key=lambda entry: entry[:2])
    enough = -best[0][0] // 2 if best else 0
    return [quote for score, _, quote in best[:QUOTES] if -score > enough or -score == -best[0][0]]


def _from_memory(messages: Sequence[Message]) -> Iterator[Quote]:
    for line in memory_lines(memory_in(messages)):
        yield Quote(line.text, f"MEMORY.md, {line.heading}" if line.heading else "MEMORY.md")


def _from_conversation(earlier: Sequence[Message]) -> Iterator[Quote]:
    for message in reversed(earlier):
        if _is_quotable(message):
            who = "you" if message.get("role") == "user" else "the assistant"
            for sentence in sentences(words_of(message)):
                if not sentence.endswith(("?", "？")):
                    yield Quote(sentence, f"this conversation, {who}")


def _quoting(quotes: Sequence[Quote], wanted: Sequence[str]) -> str:
    words = ", ".join(f"*{word}*" for word in wanted[:6])
    if not quotes:
        return (
            f"I looked for {words} in the memory, the history and this conversation and found nothing.\n\n"
            f"I know only what is written there. {CHOOSE_MODEL}"
        )
    lead = "One place says" if len(quotes) == 1 else f"{len(quotes)} places say"
    body = "\n\n".join(f"> {clip(quote.text, QUOTE_LIMIT)}\n>\n> — {clip(quote.source, 120)}" for quote in quotes)
    return f"{lead} something about {words}:\n\n{body}"
