"""A model's new memory text is reviewed: for some reasons a person should see it before it is written.

A filter alone does not stop text from a web page becoming a lasting instruction; a gate does. Here is the gate's list.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from mnemoscope.domain.memory.facts import (
    RULE,
    SIMILAR,
    dropped_facts,
    fact_lines,
    fact_text,
    heading_title,
    kept_share,
    normalised_fact,
    reworded_facts,
    similarity,
    states_facts,
)
from mnemoscope.domain.review.evidence import Evidence
from mnemoscope.domain.review.prompt_injection import is_imperative, is_prompt_injection
from mnemoscope.domain.review.sources import Sources
from mnemoscope.domain.secrets.detection import mask_known, mask_secrets, secrets_in
from mnemoscope.domain.text.characters import BYTE_ORDER_MARK, LINE_BREAK, has_hidden_characters
from mnemoscope.domain.text.confusables import folded
from mnemoscope.domain.text.escape_markdown import has_nested_block
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.domain.text.markup import addresses_in, markup_in, plain_addresses

_REWRITE_FACTS: Final = 6
_REWRITE_SHARE: Final = 0.5
_LONG_LINE: Final = 2_000
_JUDGED: Final = 2 * _LONG_LINE
"""Characters of a line that are searched; a longer line is held whatever it says."""
_SHOWN: Final = 120
_BULLET: Final = re.compile(r"^\s*(?:[-*+•·]|\d{1,9}[.)])\s+\S")
_UNDERLINE: Final = re.compile(r"^\s*(?:=+|-+)[ \t\r]*$")
_BLANKS: Final = " \t\r"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Describes a memory text as it may be written or shown, with its new secrets masked. `reasons` say why a person
    should look."""

    text: str
    reasons: tuple[str, ...]


def review(before: str, update: str, *, sources: Sources | None = None, known: Collection[str] = ()) -> Proposal:
    """Returns the text with a sentence for each reason to hold it, or none if it may be written as it is.

    A drop of a fact is a reason, and so is adding anything but one-line bullets under headings that are there:
    instructions, links, images, HTML, secrets (`known` ones and what looks like one), hidden characters, facts that the
    person did not say if a tool or file spoke too. An address the person typed themselves is theirs. A memory without
    facts may grow its first plain sections.
    """
    secrets = [each for each in secrets_in(update, known) if update[each.start : each.stop] not in before]
    for each in reversed(secrets):
        update = update[: each.start] + each.mark + update[each.stop :]
    reasons = [*_reasons(before, update, sources or Sources())]
    reasons += [f"It would have stored what looks like a secret, which was left out: {each.mark}." for each in secrets]
    return Proposal(update, tuple(dict.fromkeys(mask_known(reason, known) for reason in reasons)))


def _reasons(before: str, update: str, sources: Sources) -> Iterator[str]:
    evidence = Evidence(sources, before, update)
    dropped = dropped_facts(before, update)
    yield from (f"It would drop “{_short(fact)}”." for fact in dropped)
    if not dropped and _rewrites(before, update):
        yield "It would rewrite more than half of the memory."
    yield from _headings(before, update, evidence)
    stood = {line.strip(_BLANKS) for line in before.split("\n")}
    written = update.removeprefix(BYTE_ORDER_MARK).split("\n")
    fresh = [line for line in written if line.strip(_BLANKS) and line.strip(_BLANKS) not in stood]
    spoken = plain_addresses(sources.spoken)
    for line in fresh:
        yield from _line_reasons(line, spoken, evidence)
    yield from _shapes(before, fresh)
    yield from _unsupported(fresh, evidence)
    yield from _unheard(before, update, fresh, evidence)
    yield from _under_another_heading(before, update, evidence)


def _rewrites(before: str, update: str) -> bool:
    return len(fact_lines(before)) >= _REWRITE_FACTS and kept_share(before, update) < _REWRITE_SHARE


def _headings(before: str, update: str, evidence: Evidence) -> Iterator[str]:
    """Yields a reason for each heading that is new, doubled, of another level or gone, if there are facts.

    A memory without facts may grow plain titles, since the first ones have to come from somewhere; if a tool or file
    spoke, they have to be those that memory templates use, or the person's words.
    """
    old, new = _titles(before), _titles(update)
    known = {normalised_fact(title) for _, title in old}
    has_facts = states_facts(before)
    for _, title in new:
        is_ours = not has_facts and _is_plain(title) and (not evidence.is_needed or _is_ordinary(title, evidence))
        if normalised_fact(title) not in known and not is_ours:
            yield f"It would add the section “{_short(title)}”."
    if has_facts:
        yield from _moved(old, new, known)
        yield from _emptied(before, {normalised_fact(title) for _, title in new})


def _moved(old: list[tuple[int, str]], new: list[tuple[int, str]], known: set[str]) -> Iterator[str]:
    """Yields a reason for each heading that is there already, once more or of another level."""
    stood = Counter((level, normalised_fact(title)) for level, title in old)
    for level, title in new:
        key = level, normalised_fact(title)
        stood[key] -= 1
        if key[1] in known and stood[key] < 0:
            yield f"It would add the heading “{_short(title)}” again, or change its level."


def _emptied(before: str, left: set[str]) -> Iterator[str]:
    """Yields a reason for each heading that goes although facts stood under it, which may mean something else
    elsewhere, or as the last one."""
    title = ""
    for line in before.removeprefix(BYTE_ORDER_MARK).split("\n"):
        found = heading_title(line)
        title = title if found is None else found
        is_needed = bool(fact_lines(line)) or not left
        if title and is_needed and normalised_fact(title) not in left:
            yield f"It would take the heading “{_short(title)}” away."


def _titles(text: str) -> list[tuple[int, str]]:
    """Returns the headings with their levels, also those that are underlined rather than marked, or look like code to
    some."""
    lines = LINE_BREAK.split(text.removeprefix(BYTE_ORDER_MARK))
    found = []
    for line, below in pairwise([*lines, ""]):
        title = heading_title(line)
        if title is not None:
            level = len(line.lstrip()) - len(line.lstrip().lstrip("#"))
            found.append((level, title))
        elif _UNDERLINE.match(below) and fact_lines(line) and not below.lstrip().startswith("- "):
            found.append((1 if "=" in below else 2, line.strip()))
    return found


def _is_plain(title: str) -> bool:
    words = re.findall(r"[^\W_]+", folded(title))
    is_title = bool(words) and len(title) <= _SHOWN and not _BULLET.match(title)
    return is_title and not any(word in _COMMANDING for word in words)


def _is_ordinary(title: str, evidence: Evidence) -> bool:
    """Returns whether a title is one that memory templates use, or in the person's own words."""
    words = re.findall(r"[^\W_]+", title.casefold())
    return all(word in _ORDINARY for word in words) or (evidence.is_needed and not evidence.missing(title))


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


def _line_reasons(line: str, spoken: str, evidence: Evidence) -> list[str]:
    whole = fact_text(line)
    words = whole[:_JUDGED]
    reasons = [_would_add(what)(words) for what in markup_in(words)]
    if has_hidden_characters(line.removesuffix("\r")):
        reasons.append(_would_add("hidden characters")(words))
    if has_nested_block(line):
        reasons.append(_would_add("a heading, quotation or code within a bullet")(words))
    if any(address not in spoken for address in addresses_in(words)) and not reasons:
        reasons.append(f"It would add a link: “{_short(words)}”.")
    if len(whole) > _LONG_LINE:
        reasons.append(f"It would add a line of {len(whole):,} characters.")
    if heading_title(line) is None and (
        is_prompt_injection(words) or (is_imperative(words) and not evidence.was_said(words))
    ):
        reasons.append(f"It would add what reads like an instruction: “{_short(words)}”.")
    return reasons


def _shapes(before: str, fresh: list[str]) -> list[str]:
    """Returns reasons for lines that are no bullet of one line, and for bullets above every heading, if the memory has
    its form already."""
    old = fact_lines(before)
    if not old:
        return []
    pool = [normalised_fact(line) for line in old if not _BULLET.match(line)]
    reasons = []
    for line in fresh:
        if heading_title(line) is not None or RULE.match(line) or _BULLET.match(line):
            continue
        key = normalised_fact(line)
        if not any(similarity(key, other) >= SIMILAR for other in pool):
            reasons.append(f"It would add what is no bullet of one line: “{_short(line)}”.")
    return reasons


def _unsupported(fresh: list[str], evidence: Evidence) -> list[str]:
    """Returns reasons for facts the person did not say if a tool or file spoke too: this is how a web page gets into
    memory."""
    if not evidence.is_needed:
        return []
    found = []
    for line in fresh:
        why = "" if heading_title(line) is not None or RULE.match(line) else evidence.missing(line)
        if why == "quoted":
            found.append(f"Only a tool or file said “{_short(fact_text(line))}”.")
        elif why:
            found.append(f"You did not say “{_short(fact_text(line))}”, and a tool or file was read meanwhile.")
    return found


def _unheard(before: str, update: str, fresh: list[str], evidence: Evidence) -> Iterator[str]:
    """Yields reasons for facts that are made up or altered without a word in the conversation that they could rest
    on."""
    reworded = reworded_facts(before, update)
    for old, new in reworded:
        if max(len(old), len(new)) <= _LONG_LINE and evidence.is_change_unheard(old, new):
            yield f"Nobody spoke of what it would change: “{_short(old)}” to “{_short(new)}”."
    known = {normalised_fact(new) for _, new in reworded}
    for line in fresh:
        is_judged = len(line) <= _LONG_LINE and bool(fact_lines(line)) and normalised_fact(line) not in known
        if is_judged and evidence.is_unheard(line):
            yield unheard_reason(line)


def unheard_reason(line: str) -> str:
    """Returns the sentence for a line that rests on nothing that was spoken of."""
    return f"Nobody spoke of “{_short(fact_text(line))}”."


def _under_another_heading(before: str, update: str, evidence: Evidence) -> Iterator[str]:
    """Yields reasons for facts that stay to the letter and come to mean something else: what was under “Likes” is under
    “Dislikes”."""
    if not evidence.is_needed:
        return
    stood = _places(before)
    for line, titles in _places(update).items():
        moved = sorted(titles.keys() - stood.get(line, titles).keys())
        if moved and "" not in stood[line] and not evidence.was_said(line):
            yield f"It would move “{_short(fact_text(line))}” to “{_short(titles[moved[0]])}”."


def _places(text: str) -> dict[str, dict[str, str]]:
    """Returns the headings that each fact stands under, as they are compared and as they are; "" if there is none."""
    found: dict[str, dict[str, str]] = {}
    title = ""
    for line in text.removeprefix(BYTE_ORDER_MARK).split("\n"):
        heading = heading_title(line)
        title = title if heading is None else heading
        if fact_lines(line):
            found.setdefault(line.strip(_BLANKS), {})[normalised_fact(title)] = title
    return found


def _would_add(what: str) -> Callable[[str], str]:
    return lambda words: f"It would add {what}: “{_short(words)}”."


def _short(words: str) -> str:
    return shortened(mask_secrets(" ".join(words.split())), _SHOWN)
