"""Why a model's new memory text should be seen by a person before it is written. RELIABILITY: memory poisoning.

A filter alone does not stop text from a web page becoming a lasting instruction; a gate does. Here is the gate's list.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.facts import dropped_facts, fact_lines, heading_title, headings, kept_share, normalised, words_of
from mnemoscope.domain.secret_patterns import find_secrets, mask_secrets

_REWRITE_FACTS: Final = 6
_REWRITE_SHARE: Final = 0.5
_LONG_LINE: Final = 2_000
_SHOWN: Final = 120
_QUOTED_SHARE: Final = 0.75
_SAID_SHARE: Final = 0.5
_TELLING_LETTERS: Final = 4


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the words of a conversation came from: the person, the assistant, and tools and files (`quoted`)."""

    spoken: str = ""
    answered: str = ""
    quoted: str = ""


def review_reasons(before: str, update: str, *, sources: Sources | None = None) -> list[str]:
    """One sentence a reason; `[]` where the text may be written as it is.

    Drops: each fact that is gone. Adds: sections with unusual names, instructions, links, images, HTML, secrets, hidden
    characters, facts that only a tool or file stated. An address the person typed themselves is theirs.
    """
    reasons = [f"It would drop “{_short(fact)}”." for fact in dropped_facts(before, update)]
    if not reasons and _rewrites(before, update):
        reasons.append("It would rewrite more than half of the memory.")
    reasons += _headings(before, update)
    known = {line.strip() for line in before.split("\n")}
    fresh = [line for line in update.split("\n") if line.strip() and line.strip() not in known]
    sources = sources or Sources()
    for line in fresh:
        reasons += _line_reasons(line, sources.spoken)
    reasons += _unsupported(fresh, before, sources)
    secrets = (secret for secret in find_secrets(update) if secret not in before)
    reasons += [f"It would store what looks like a secret: “{_masked(secret)}”." for secret in secrets]
    return list(dict.fromkeys(reasons))


def _rewrites(before: str, update: str) -> bool:
    return len(fact_lines(before)) >= _REWRITE_FACTS and kept_share(before, update) < _REWRITE_SHARE


def _headings(before: str, update: str) -> list[str]:
    known = {normalised(title) for title in headings(before)}
    has_facts = bool(fact_lines(before))
    fresh = [title for title in headings(update) if normalised(title) not in known]
    return [f"It would add the section “{_short(title)}”." for title in fresh if not _may_open(title, has_facts)]


def _may_open(title: str, has_facts: bool) -> bool:
    """Whether a new section is ordinary growth.

    A memory without facts has to grow its first sections somehow, so only a title that gives orders is held there.
    Later the rule is "no new headings", but for those that memory templates use: an honest model opens "Preferences"
    the first time it learns one, and holding that for review each time would teach people to accept without reading.
    """
    words = re.findall(r"[^\W_]+", title.casefold())
    if not words or any(word in _COMMANDING for word in words) or len(title) > _SHOWN:
        return False
    if not has_facts or all(word in _ORDINARY for word in words):
        return True
    # "Project Atlas": the kind is ordinary, the rest its name.
    return len(words) <= 3 and words[0] in _NAMED_KINDS and title[:1].isupper()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COMMANDING: Final = _words("""
    system instruction instructions prompt prompts rule rules policy policies assistant agent ai developer admin
    administrator root override overrides command commands directive directives mandatory must always never ignore
    jailbreak mode protocol security permission permissions authorisation authorization guideline guidelines
    behaviour behavior execute run tool tools 系统 指令 规则 提示
""")
_ORDINARY: Final = _words("""
    a about activities additional address addresses and appointments art availability background basic basics bio books
    birthdays calendar career city code communication company configuration contact contacts context conversation core
    current daily data date dates deadline deadlines decision decisions details devices diet dietary education
    environment equipment event events exercise experience fact facts family favorite favorites favourite favourites
    films finance finances food for friend friends game games garden general goal goals habits hardware health hobbies
    hobby home house identity important in info information interests job key known language languages learning life
    links living location locations long medical meetings memory milestones misc miscellaneous movies music my name
    names notable note notes of on ongoing open organisation organization other others past people person personal pets
    places plan plans preference preferences preferred professional profile progress project projects purchases
    questions reading recent recipes related relationship relationships reminders research resources routine routines
    schedule schedules school setup shopping skills social software sports stack status study style summary team tech
    technical technologies technology term the things time timeline timezone to todo todos topics travel trip trips
    upcoming user users vehicle vehicles with work working workplace writing tasks
    用户 用户信息 偏好 项目 项目背景 重要 重要事项 备注 长期记忆 关系 工作 个人信息
""")
_NAMED_KINDS: Final = _words("project work team family people trip company course book client school")


def _line_reasons(line: str, spoken: str) -> list[str]:
    words = words_of(line)
    reasons = [sentence(words) for pattern, sentence in _SUSPECTS if pattern.search(words)]
    if any(address.rstrip(".,;:!?)") not in spoken for address in _ADDRESS.findall(words)) and not reasons:
        reasons.append(f"It would add a link: “{_short(words)}”.")
    if len(words) > _LONG_LINE:
        reasons.append(f"It would add a line of {len(words):,} characters.")
    if heading_title(line) is None and _gives_orders(words):
        reasons.append(f"It would add what reads like an instruction: “{_short(words)}”.")
    return reasons


def _unsupported(fresh: list[str], before: str, sources: Sources) -> list[str]:
    """Facts whose words stand in quoted text and not in what the two said: this is how a web page gets into memory."""
    if not sources.quoted:
        return []
    quoted = _telling(sources.quoted)
    said = _telling(sources.spoken) | _telling(sources.answered) | _telling(before)
    found = []
    for line in fact_lines("\n".join(fresh)):
        words = _telling(line)
        if words and len(words & quoted) >= _QUOTED_SHARE * len(words) and len(words & said) < _SAID_SHARE * len(words):
            found.append(f"Only a tool or file said “{_short(words_of(line))}”.")
    return found


def _telling(text: str) -> set[str]:
    """The words that carry what a text says: long ones and numbers."""
    words = re.findall(r"\w+", text.casefold())
    return {
        each for each in words if len(each) >= _TELLING_LETTERS or not each.isascii() or any(map(str.isdigit, each))
    }


def _says(what: str) -> Callable[[str], str]:
    return lambda words: f"It would add {what}: “{_short(words)}”."


_ADDRESS = re.compile(r"(?:https?|ftp|wss?)://[^\s<>\"'”]+|\bwww\.[^\s<>\"'”]+", re.IGNORECASE)
_SUSPECTS: Final = (
    (re.compile(r"!\[[^\]]*\]\s*[\[(]"), _says("an image")),
    (re.compile(r"(?<!!)\[[^\]]*\]\([^)]*\)|(?<!!)\[[^\]]+\]\[[^\]]*\]|^\[[^\]]+\]:\s*\S"), _says("a link")),
    (re.compile(r"\b(?:javascript|data|vbscript|file):\s*[\w/%+]+[/,;:(]", re.IGNORECASE), _says("a link")),
    (re.compile(r"<\s*(?:/?[a-zA-Z][\w-]*(?:\s[^<>]*)?/?|!--.*)>|<!--|<\w+\s+\w+\s*="), _says("HTML")),
    (
        re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]"),
        _says("hidden characters"),
    ),
)
_ORDERS: Final = (
    re.compile(
        r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}"
        r"\b(?:previous|prior|above|all|any|earlier|these|your|safety)\b.{0,40}\b(?:instructions?|rules?|prompts?|polic(?:y|ies)|guidelines?|directions?|warnings?)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bsystem prompt\b|\byou are now\b|\bdo not (?:tell|inform|warn|reveal to) the (?:user|person)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:always|never|must|before|after|whenever|each time|every time|from now on|first)\b.{0,60}"
        r"\b(?:curl|wget|powershell|bash|sh -c|eval|rm -rf|sudo|nc|ssh|exfiltrate|upload|download|fetch|run the command"
        r"|execute|send (?:it|them|all|the|a copy)|forward (?:it|them|all|the)|post (?:it|them|all|the))\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:the )?(?:assistant|agent|model|ai|you) (?:must|should|shall|has to|will) (?:always|never)\b",
        re.IGNORECASE,
    ),
    re.compile(r"(?:\||;|&&|`)\s*(?:curl|wget|bash|sh|nc|rm)\b|\bcurl\s+(?:-\w+\s+)*https?:", re.IGNORECASE),
    re.compile(r"<\|[^|]*\|>|\[/?INST\]|^\s*(?:system|assistant|developer)\s*:", re.IGNORECASE),
)


def _gives_orders(words: str) -> bool:
    return any(pattern.search(words) for pattern in _ORDERS)


def _masked(secret: str) -> str:
    return f"{secret[:4]}…" if len(secret) > 8 else "…"


def _short(words: str) -> str:
    words = mask_secrets(" ".join(words.split()))
    return words if len(words) <= _SHOWN else words[: _SHOWN - 1] + "…"
