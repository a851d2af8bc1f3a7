"""The built-in model says what it found, where it found it, and nothing else."""

from __future__ import annotations

import hmac
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mnemoscope.domain.conversation.message import SEARCH_TOOL, Message, tool_call_name, tool_calls_of
from mnemoscope.domain.llm import ToolCallRequest
from mnemoscope.llm.offline.captured_words import CapturedWords, captured_of
from mnemoscope.llm.offline.keywords import brief, clip, holds_secret, keyword_stems, keywords, sentences
from mnemoscope.llm.offline.phrases import ENGLISH, Phrases, phrases_for
from mnemoscope.llm.offline.plain_requests import file_reply, file_request, plain_reply
from mnemoscope.llm.offline.quotes import best_quotes, quoting, tool_results
from mnemoscope.llm.offline.reported_speech import sentence_kind
from mnemoscope.llm.offline.request_reader import is_remembered, memory_section, message_words
from mnemoscope.llm.offline.stated_facts import facts_in

_REPEATED: Final = 5
_REPEATED_LIMIT: Final = 240
"""Statements that are repeated, and characters of each."""
_ENDS: Final = (".", "!", "…", "。", "！")
_WANTS: Final = re.compile(
    r"[吗呢么谁哪怎]|多少|几[个点时]|是否|为何|能不能|有没有|想(?:知道|问|查|找)|要(?:查|找)|(?<!别)忘了|不记得|"
    r"\A(?:请|帮|给我|告诉|写|查|找|翻译|解释|列出|显示|总结)|"
    r"\A(?:что|кто|кого|где|когда|почему|зачем|как|куда|откуда|чей|интересно|(?:найди|покажи|скажи|расскажи|напомни|"
    r"переведи|напиши|объясни|сделай|помоги|дай|поищи|открой|прочитай|ответь|подскажи)(?:те)?|пожалуйста)\b|"
    r"\b(?:как(?:ой|ая|ое|ие|ого|ому|ом|ую|им|ими|их)|сколько|ли|ищу|забыл[аи]?|не (?:помню|знаю))\b|"
    r"\b(?:хочу|хотим|хотел[аи]? бы|нужно|надо) (?:знать|узнать|найти|понять|вспомнить|спросить)\b",
    re.IGNORECASE,
)
"""Words that ask for something, where a sentence of Russian or Chinese has or begins with them."""
_STATES: Final = re.compile(
    r"\A(?:я|мы|меня|нас|мне|нам|у (?:меня|нас))\b(?!.*\b(?:хо(?:чу|тим)|интересно|нужн[аоы]?|нужен|надо|найти)\b)|"
    r"\A[我咱]们?(?![们的想要])",
    re.IGNORECASE,
)
"""The beginning of a sentence in which persons tell of themselves and wish for nothing."""
_KEY: Final = secrets.token_bytes(32)
"""The key of the ids of calls, for one run of the program."""

Tools = Mapping[str, Mapping[str, Any]]
"""The tools a request offers, by name."""


def reply_to(messages: Sequence[Message], tools: Tools) -> str | ToolCallRequest:
    """Returns the answer to the last thing the person said, or the tool call that comes first."""
    turn = _turn_start(messages)
    asked = message_words(messages[turn]) if turn is not None else ""
    earlier, since = messages[: turn or 0], messages[(turn or 0) + 1 :]
    phrases = phrases_for(asked)
    plain = plain_reply(asked, earlier, messages) or _file_answer(asked, since, tools, messages)
    if plain:
        return plain if isinstance(plain, ToolCallRequest) else _signed(plain, phrases)
    kept = captured_of(asked, messages)
    stated = [fact.text for fact in facts_in(asked) if not kept.says(fact.text)]
    noted = _acknowledge(kept, stated, memory_section(messages), is_remembered(messages), phrases)
    statements = [] if noted else _statements(asked)
    asking = [each for each in _questions(asked) if not kept.has_heard(each)] if noted else _wondered(asked)
    wondered = " ".join(asking)
    if statements and not wondered:
        return _signed(_heard(statements, is_remembered(messages), phrases), phrases)
    wanted = keywords(wondered if noted or statements else asked)
    if not wanted:
        return _signed(noted or f"{phrases.no_keyword}{phrases.between}{phrases.choose_model}", phrases)
    call = _next_search(wanted, since, tools, messages, phrases)
    if call is not None:
        return call
    found = best_quotes(keyword_stems(" ".join(wanted)), messages, earlier, list(tool_results(since, phrases)), phrases)
    if not found and not (noted or statements or wondered) and (possible := _possible_statements(asked)):
        return _signed(_heard(possible, is_remembered(messages), phrases), phrases)
    answer = quoting(found, wanted, phrases)
    return _signed(f"{noted}\n\n{answer}" if noted else answer, phrases)


def call_id(messages: Sequence[Message]) -> str:
    """Returns an id that is the same for the same request of one run of the program, and another for any other.

    It stays in the conversation, so it is no plain hash: who guesses what was said could tell by it that it was said.
    """
    text = json.dumps(list(messages), ensure_ascii=False, sort_keys=True, default=str)
    return f"call_{hmac.digest(_KEY, text.encode('utf-8', 'surrogatepass'), 'sha256').hex()[:16]}"


def _turn_start(messages: Sequence[Message]) -> int | None:
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].get("role") == "user":
            return index
    return None


def _signed(text: str, phrases: Phrases) -> str:
    return f"{text}\n\n*{phrases.label}{phrases.full_stop}*"


def _file_answer(
    asked: str, since: Sequence[Message], tools: Tools, messages: Sequence[Message]
) -> str | ToolCallRequest | None:
    request = file_request(asked)
    if request is None or request.tool not in tools:
        return None
    answer = file_reply(request, since)
    return answer or ToolCallRequest(call_id(messages), request.tool, dict(request.arguments))


def _acknowledge(kept: CapturedWords, stated: Sequence[str], memory: str, remembered: bool, phrases: Phrases) -> str:
    """Returns what was captured of the message and where it stands, and what else it states; "" if there is nothing of
    either."""
    if not (kept.in_memory or kept.in_state or stated):
        return ""
    known = memory.lower()
    there = [*kept.in_memory, *(each for each in kept.in_state if each.lower() in known)]
    here = [each for each in kept.in_state if each not in there]
    new = [fact for fact in stated if fact.lower() not in known]
    parts = [f"{phrases.in_memory}\n\n{_listed(there)}"] if there else []
    if here:
        parts.append(f"{phrases.in_conversation}\n\n{_listed(here)}")
    if new and not remembered:
        parts.append(f"{phrases.said}\n\n{_listed(new)}\n\n{phrases.not_remembered}")
    elif new:
        # Who writes there, a consolidation or Dream, is a matter of the profile.
        later = phrases.later if len(new) == 1 else phrases.later_all
        parts.append(f"{phrases.noted}\n\n{_listed(new)}\n\n{later}")
    return "\n\n".join(parts) or phrases.known_already


def _listed(facts: Sequence[str]) -> str:
    return "\n".join(f"- {brief(fact)}" for fact in facts)


def _questions(text: str) -> list[str]:
    """Returns the sentences that want something looked up."""
    wanting = (each for each in sentences(text) if sentence_kind(each) in ("question", "request"))
    return [sentence for sentence in wanting if not any(facts_in(sentence))]


def _wondered(text: str) -> list[str]:
    """Returns the sentences that want something looked up, those of Russian and Chinese that end with a full stop
    too."""
    wanting = _questions(text)
    return [sentence for sentence in sentences(text) if sentence in wanting or _asks(sentence)]


def _statements(text: str) -> list[str]:
    """Returns the sentences that state something, if one of them plainly does."""
    possible = _possible_statements(text)
    return possible if any(sentence_kind(each) == "statement" or _states(each) for each in possible) else []


def _possible_statements(text: str) -> list[str]:
    """Returns the sentences that may state something. Of Russian and Chinese these are all that end and do not ask,
    also `Расписание встреч.`, which may as well be a thing to look up."""
    return [each for each in sentences(text) if sentence_kind(each) == "statement" or _may_state(each)]


def _asks(sentence: str) -> bool:
    return phrases_for(sentence) is not ENGLISH and bool(_WANTS.search(sentence))


def _may_state(sentence: str) -> bool:
    return phrases_for(sentence) is not ENGLISH and sentence.endswith(_ENDS) and not _WANTS.search(sentence)


def _states(sentence: str) -> bool:
    """Returns whether a sentence that may state something does; what holds a secret is never looked up."""
    return bool(_STATES.search(sentence)) or holds_secret(sentence)


def _heard(statements: Sequence[str], remembered: bool, phrases: Phrases) -> str:
    if any(map(holds_secret, statements)):
        return phrases.looks_secret
    lines = "\n".join(f"- {clip(brief(sentence), _REPEATED_LIMIT)}" for sentence in statements[:_REPEATED])
    if not remembered:
        return f"{phrases.said}\n\n{lines}\n\n{phrases.not_remembered}"
    return f"{phrases.noted}\n\n{lines}\n\n{phrases.how_to_keep}"


def _next_search(
    wanted: Sequence[str], since: Sequence[Message], tools: Tools, messages: Sequence[Message], phrases: Phrases
) -> ToolCallRequest | None:
    """Returns a search for all the words; if that found nothing, one more for the longest alone."""
    if SEARCH_TOOL not in tools:
        return None
    done = sum(tool_call_name(call) == SEARCH_TOOL for message in since for call in tool_calls_of(message))
    if done == 0:
        query = " ".join(wanted)
    elif done == 1 and len(wanted) > 1 and not any(True for _ in tool_results(since, phrases)):
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
