"""Without a language model, a consolidation puts stated facts into the memory; the history entry is made next door.

Only the person's own words become facts; what a tool or a file said is at most counted, never kept or obeyed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from mnemoscope.domain.capture.captured_line import read_line
from mnemoscope.domain.memory.facts import fact_lines
from mnemoscope.domain.text.fences import parts_of
from mnemoscope.llm.offline.keywords import BULLET
from mnemoscope.llm.offline.relative_dates import with_absolute_dates
from mnemoscope.llm.offline.request_reader import SpokenMessage
from mnemoscope.llm.offline.stated_facts import StatedFact, facts_in

_HEADING: Final = re.compile(r"^(?P<marks>#{1,6}) +(?P<words>.+?)\s*#*\s*$")
_DATED: Final = re.compile(r" \(since \d{4}-\d\d-\d\d\)$")

_CAPTURED: Final = "auto-captured"
"""The section of lines that capture wrote, in the words of `_headings_of`."""
_WISH: Final = re.compile(
    r"[,;.!–—-]*\s+(?:and |so )?(?:please )?(?:remember|don['’]t forget|do not forget|keep|note)(?: (?:this|that|it))?"
    r"(?: in mind)?(?:,? please)?[.!]*$",
    re.IGNORECASE,
)
"""A wish to keep what stands before it."""
_CUT: Final = 160
"""Characters of a key after which two lines may have been cut at different places."""
_AND_NOT: Final = re.compile(r",? (?:and )?not .*$")

_HEADING_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "person": ("user", "about", "person", "profile", "people", "identity", "who"),
    "preference": ("prefer", "style", "like", "habit", "user", "about", "person", "profile"),
    "project": ("project", "work", "context", "fact", "task"),
    "decision": ("decision", "decided", "agreed", "project", "work", "context"),
    "note": ("note", "important", "remember", "fact", "misc", "other", "general"),
}
_NEW_HEADING: Final[Mapping[str, str]] = {
    "person": "User",
    "preference": "Preferences",
    "project": "Project",
    "decision": "Decisions",
    "note": "Notes",
}


def memory_update(memory: str, spoken: Sequence[SpokenMessage]) -> str:
    """Returns `memory` with what is new as one-line bullets. Every line that was there stays; the same text is returned
    if nothing is new."""
    lines = memory.split("\n") if memory else []
    makes_headings = begins_sections(lines)
    known = {likeness_key(BULLET.sub("", line)) for line in lines}
    kept = set(captured_keys(lines))
    text = likeness_key(memory)
    for line in spoken:
        if line.role != "USER":
            continue
        for stated in facts_in(line.text):
            words = with_absolute_dates(stated.text, line.when)
            if words is None:
                continue
            fact = StatedFact(words, stated.kind)
            key = likeness_key(fact.text)
            if key and key not in known and f" {key} " not in f" {text} " and not is_captured(fact.text, kept):
                known.add(key)
                insert_fact(lines, _dated(fact, lines, line.when), makes_headings=makes_headings)
    updated = "\n".join(lines)
    return updated if updated in (memory, "") else updated.rstrip("\n") + "\n"


def captured_keys(lines: Sequence[str]) -> Iterator[str]:
    """Yields the `likeness_key` of what captured lines say, in the words a fact of ours would have: “I prefer tea”,
    “Prefers tea”. What is known of a user who is named is not known of the person who talks here."""
    for line in lines:
        kept = read_line(line)
        if kept is not None and kept.category and not kept.user:
            yield from (likeness_key(fact.text) for fact in facts_in(kept.text))


def is_captured(fact: str, kept: Collection[str]) -> bool:
    """Returns whether `kept`, as `captured_keys` gives it, says a fact. Of a correction only what holds now was
    captured, without the wish to keep it what was wished, and of many words no more than a line holds."""
    keys = {likeness_key(each) for each in (fact, _AND_NOT.sub("", fact), _WISH.sub("", fact))}
    return not keys.isdisjoint(kept) or any(len(key) > _CUT and key[:_CUT] in each for key in keys for each in kept)


def likeness_key(text: str) -> str:
    """Returns what two lines that say the same have in common."""
    return " ".join(re.findall(r"[^\W_]+|[+#]", _DATED.sub("", text).lower()))


def _dated(fact: StatedFact, lines: Sequence[str], when: str) -> StatedFact:
    """Returns a fact with since when it holds, if it differs from an older line about the same thing; the older line
    stays."""
    subject = re.match(r".{2,40}? (?:is|are|in|as|at|for) ", fact.text)
    if not subject or when == "?":
        return fact
    start = subject.group().lower()
    if any(BULLET.sub("", line).lower().startswith(start) for line in lines):
        return StatedFact(f"{fact.text} (since {when[:10]})", fact.kind)
    return fact


def begins_sections(lines: Sequence[str]) -> bool:
    """Returns whether sections are begun: if there are facts without any, a person would be asked about each."""
    return not _headings_of(lines) and not fact_lines("\n".join(lines))


def insert_fact(lines: list[str], fact: StatedFact, *, makes_headings: bool) -> None:
    """Puts a fact under the heading it belongs to, or at the end if there is none; with `makes_headings` one is
    made."""
    headings = _headings_of(lines)
    if makes_headings and f"## {_NEW_HEADING[fact.kind]}" not in lines:
        _start_section(lines, fact)
        return
    place = _best_heading(headings, fact) if headings else -1
    later = [index for index, _, _ in headings if index > place]
    end = later[0] if later else len(lines)
    while end > max(place, 0) + 1 and _is_footer(lines[end - 1]):
        end -= 1
    before = lines[end - 1]
    # Right under a paragraph a bullet would be part of it; right under a heading it keeps the section's own manner.
    in_a_row = bool(BULLET.match(before)) or (end == place + 1 and (end == len(lines) or bool(lines[end].strip())))
    lines[end:end] = [f"- {fact.text}"] if in_a_row or before.startswith(" ") else ["", f"- {fact.text}"]


def _start_section(lines: list[str], fact: StatedFact) -> None:
    gap = [""] if lines and lines[-1].strip() else []
    lines += [*gap, f"## {_NEW_HEADING[fact.kind]}", f"- {fact.text}"]


def _is_footer(line: str) -> bool:
    plain = line.strip()
    return not plain or set(plain) <= set("-*_") or (plain.startswith("*") and plain.endswith("*") and " " in plain)


def _headings_of(lines: Sequence[str]) -> list[tuple[int, int, str]]:
    """Returns (line, level, words) of every heading outside code fences."""
    found = []
    for index, (line, part) in enumerate(parts_of(lines)):
        match = _HEADING.match(line)
        if part == "text" and match:
            found.append((index, len(match["marks"]), match["words"].lower()))
    return found


def _best_heading(headings: Sequence[tuple[int, int, str]], fact: StatedFact) -> int:
    """Returns the line of the heading a fact belongs under; a lone title at the top is the last choice.

    The section of captures is no choice while there is another: what is put there would pass for a capture.
    """
    headings = [each for each in headings if each[2] != _CAPTURED] or headings
    own = _NEW_HEADING[fact.kind].lower()
    for index, _, words in headings:
        if words == own:
            return index
    is_title = len(headings) > 1 and headings[0][1] < min(level for _, level, _ in headings[1:])
    choices = headings[1:] if is_title else headings
    for wanted in _HEADING_WORDS[fact.kind]:
        for index, _, words in choices:
            if wanted in words:
                return index
    return choices[0][0] if fact.kind in ("person", "preference") else choices[-1][0]
