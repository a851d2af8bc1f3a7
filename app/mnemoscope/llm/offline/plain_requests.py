"""Some requests are recognised by their words alone: greetings, help, the whole memory, a summary, the time, a file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.conversation.message import Message, text_of, tool_call_name, tool_calls_of
from mnemoscope.domain.text.fences import fenced
from mnemoscope.llm.offline.keywords import brief, clip, plain_rows, sentences
from mnemoscope.llm.offline.phrases import Phrases, phrases_for
from mnemoscope.llm.offline.quotes import is_quotable
from mnemoscope.llm.offline.request_reader import memory_lines, memory_section, message_words, time_in

_SUMMARY_LINES: Final = 20
_SHOWN_LIMIT: Final = 4_000
"""Characters of a file shown at most."""
_REQUEST_LIMIT: Final = 160
"""Longer words are more than such a request."""


def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{pattern})[\s!?.,，。！？]*\Z", re.IGNORECASE)


_GREETING_WORDS: Final = (
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings|你好|您好|привет(?:ствую)?|здравствуй(?:те)?|"
    r"добрый (?:день|вечер)|доброе утро)(?: there| again| everyone)?"
)
_GREETING: Final = _whole(_GREETING_WORDS)
_COURTESY_BEFORE: Final = re.compile(
    rf"\s*(?:{_GREETING_WORDS}[\s,.!，。！]+|please[\s,]+|(?:can|could|would|will) you (?:please )?|请(?:你|您)?)+",
    re.IGNORECASE,
)
_COURTESY_AFTER: Final = re.compile(r"[\s,.!?，]+(?:please|thanks|thank you|谢谢)[\s.!?。！？]*\Z", re.IGNORECASE)
_THANKS: Final = _whole(
    r"(?:thanks?|thank you|cheers|ta|谢谢|多谢|спасибо|благодарю)(?: very much| a lot| so much| again| большое)*"
)
_HELP: Final = re.compile(
    r"\s*(?:help\b|what can (?:you|i) do|how (?:do|does) (?:this|you|it) work|how can you help|(?:who|what) are you|"
    r"are you (?:an? )?(?:ai|llm|language model|real|bot|chat)|(?:which|what) model|what is this|"
    r"帮助(?:一下)?[\s!?.！？。]*\Z|你(?:能|会|可以)做什么|你是谁|помощь[\s!?.]*\Z|что (?:ты|вы) уме|кто (?:ты|вы)\b)",
    re.IGNORECASE,
)
_EVERYTHING: Final = _whole(
    r".{0,40}\b(?:what|everything|all)\b.{0,20}\b(?:you|is)\b.{0,20}\b(?:remember|know|memory|kept|stored)"
    r"(?:ed)?(?: (?:about|of) (?:me|us|this|so far)| so far)?|"
    r"(?:show|list|quote)(?: me)? (?:your |my |the )?(?:whole |long-term )?memory|"
    r"你(?:还)?(?:记得|知道|记住了?)(?:关于)?我?的?(?:哪些|什么)(?:东西|事情|内容)?|"
    r"что (?:ты|вы) (?:обо мне )?(?:помнишь|помните|знаешь|знаете)(?: обо мне)?|покажи(?:те)? (?:всю )?память"
)
_SUMMARY: Final = _whole(
    r"(?:please |can you |could you )*(?:summari[sz]e|recap|sum up)(?: (?:this|the|our|it|that))?"
    r"(?: (?:conversation|chat|talk|discussion))?(?: so far)?(?: please)?|"
    r"(?:give me )?an? (?:summary|recap)(?: of .{0,40})?|"
    r"what (?:have we|did we|were we) (?:talk|discuss|speak|chat)(?:ed|ing)?(?: about)?(?: so far)?|"
    r"(?:总结|概括)(?:一下)?(?:这次|本次|我们的)?(?:会话|对话|谈话)?|подведи(?:те)? итоги?(?: разговора)?"
)
_TIME: Final = _whole(
    r"what(?:'s| is|’s)? (?:the )?(?:current )?(?:time|date|day)(?: is it)?(?: today| now)?|what time is it(?: now)?"
)
_READ: Final = _whole(
    r"(?:please )?(?:read|show|open|print|display)(?: me)?(?: the)?(?: file)? "
    r"[`\"“']?(?P<path>[\w][\w ./-]*\.[a-z]{1,5})[`\"”']?"
)
_LIST: Final = _whole(
    r"(?:please )?(?:list|show)(?: me)?(?: all)?(?: the| my| your)? files"
    r"(?: (?:in|of|under) [`\"“']?(?P<folder>[\w./-]+?)/?[`\"”']?)?"
)


@dataclass(frozen=True, slots=True)
class FileRequest:
    """Describes a file or folder that the person wants to see: the tool for it, and its arguments."""

    tool: str
    arguments: Mapping[str, str]


def plain_reply(asked: str, earlier: Sequence[Message], messages: Sequence[Message]) -> str:
    """Returns the reply to a request of this kind, `""` to anything else."""
    if len(asked) > _REQUEST_LIMIT:
        return ""
    phrases = phrases_for(asked)
    if _GREETING.match(asked):
        return phrases.greeting
    if _THANKS.match(asked):
        return phrases.welcome
    if len(asked) < 80 and _HELP.match(asked):
        return f"{phrases.help}{phrases.between}{phrases.choose_model}"
    asked = without_courtesy(asked)
    if _EVERYTHING.match(asked):
        return _whole_memory(messages, phrases)
    if _SUMMARY.match(asked):
        return _summary(earlier, phrases)
    return _time(messages) if _TIME.match(asked) else ""


def without_courtesy(asked: str) -> str:
    """Returns a request without the greeting and the "please" around it; all of it where nothing else is said."""
    if len(asked) > _REQUEST_LIMIT:
        return asked
    before = _COURTESY_BEFORE.match(asked)
    return _COURTESY_AFTER.sub("", asked[before.end() :] if before else asked) or asked


def file_request(asked: str) -> FileRequest | None:
    """Returns the file or folder a person asks to see."""
    asked = without_courtesy(asked)
    if match := _READ.match(asked):
        return FileRequest("read_file", {"path": match["path"].strip()})
    if match := _LIST.match(asked):
        return FileRequest("list_files", {"folder": match["folder"]} if match["folder"] else {})
    return None


def file_reply(request: FileRequest, since: Sequence[Mapping[str, Any]]) -> str | None:
    """Returns the tool's result, shown as it is, or None before it has been called."""
    called = any(tool_call_name(call) == request.tool for message in since for call in tool_calls_of(message))
    if not called:
        return None
    text = next((text_of(message) for message in reversed(since) if message.get("role") == "tool"), "")
    cut = "" if len(text) <= _SHOWN_LIMIT else f"\n\nThe first {_SHOWN_LIMIT:,} of {len(text):,} characters."
    name = next((f"`{value}`" for value in request.arguments.values()), "The workspace")
    return f"{name}:\n\n{fenced(text[:_SHOWN_LIMIT].rstrip())}{cut}"


def _whole_memory(messages: Sequence[Message], phrases: Phrases) -> str:
    lines = list(memory_lines(memory_section(messages)))
    if not lines:
        return phrases.empty_memory
    parts, heading = [f"{phrases.whole_memory}\n"], None
    for line in lines:
        if line.heading != heading:
            parts += [f"\n**{line.heading}**\n"] if line.heading else []
            heading = line.heading
        parts.append(f"- {brief(plain_rows(line.text))}")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts))


def _summary(earlier: Sequence[Message], phrases: Phrases) -> str:
    lines = [
        f"- {_speaker(message, phrases)}: {clip(brief(plain_rows(first)), 160)}"
        for message in earlier
        if is_quotable(message) and (first := next(iter(sentences(message_words(message))), ""))
    ]
    if not lines:
        return phrases.nothing_said
    older = len(lines) - _SUMMARY_LINES
    omission = (phrases.left_out if older == 1 else phrases.left_out_all).format(count=older)
    left_out = f"\n\n{omission}" if older > 0 else ""
    return f"{phrases.first_words}\n\n" + "\n".join(lines[-_SUMMARY_LINES:]) + left_out


def _speaker(message: Message, phrases: Phrases) -> str:
    return phrases.person_label if message.get("role") == "user" else phrases.assistant_label


def _time(messages: Sequence[Message]) -> str:
    now = time_in(messages)
    return f"By this computer's clock it was {now} when you asked." if now else ""
