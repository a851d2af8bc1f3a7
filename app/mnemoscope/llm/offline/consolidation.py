"""Consolidation without a language model: the most telling sentences for the history, stated facts for the memory.

Only the person's own words become facts; whatever a tool or a file said is at most counted, never kept or obeyed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mnemoscope.llm.offline.facts import Fact, facts_in
from mnemoscope.llm.offline.prompts import Spoken
from mnemoscope.llm.offline.words import clip, holds_secret, keywords, sentences, stem

SENTENCE_LIMIT: Final = 220
TELLING: Final = 4
"""Sentences quoted at most; one more says how much was said and with which tools."""

_HEADING: Final = re.compile(r"^(?P<marks>#{1,6}) +(?P<words>.+?)\s*#*\s*$")
_BULLET: Final = re.compile(r"^\s*(?:[-*+]|\d+[.)]) +")
_DATED: Final = re.compile(r" \(since \d{4}-\d\d-\d\d\)$")
_FIGURE: Final = re.compile(r"\d")

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
_SPEAKERS: Final[Mapping[str, str]] = {"USER": "User", "ASSISTANT": "Assistant"}


@dataclass(frozen=True, slots=True)
class _Candidate:
    place: int
    speaker: str
    text: str
    score: float


def history_entry(spoken: Sequence[Spoken]) -> str:
    """`[YYYY-MM-DD HH:MM]` of the last message, then two to five sentences. `""` where nothing was said."""
    if not spoken:
        return ""
    times = [line.when for line in spoken if line.when != "?"]
    quoted = _told(sorted(_telling(spoken), key=lambda candidate: candidate.place))
    stamp = f"[{times[-1]}]" if times else ""
    return " ".join(part for part in (stamp, quoted, _circumstances(spoken, times)) if part)


def _told(chosen: Sequence[_Candidate]) -> str:
    words, speaker = [], ""
    for candidate in chosen:
        words.append(
            _closed(candidate.text)
            if candidate.speaker == speaker
            else f"{candidate.speaker}: {_closed(candidate.text)}"
        )
        speaker = candidate.speaker
    return " ".join(words)


def _telling(spoken: Sequence[Spoken]) -> list[_Candidate]:
    said = [line for line in spoken if line.role in _SPEAKERS]
    frequency = Counter(stem(word) for line in said for word in set(keywords(line.text)))
    best: dict[frozenset[str], _Candidate] = {}
    for place, (line, sentence) in enumerate(_statements(said)):
        key = frozenset(map(stem, keywords(sentence)))
        candidate = _Candidate(
            place, _SPEAKERS[line.role], clip(sentence, SENTENCE_LIMIT), _score(line, sentence, frequency)
        )
        if key and (key not in best or candidate.score > best[key].score):
            best[key] = candidate
    ranked = sorted(best.values(), key=lambda candidate: (-candidate.score, candidate.place))
    chosen, others = ranked[:TELLING], ranked[TELLING:]
    answer = next((candidate for candidate in others if candidate.speaker == _SPEAKERS["ASSISTANT"]), None)
    if answer is not None and all(candidate.speaker != answer.speaker for candidate in chosen):
        chosen[-1] = answer
    return chosen


def _statements(said: Iterable[Spoken]) -> Iterable[tuple[Spoken, str]]:
    for line in said:
        if _is_own_notice(line):
            continue
        in_fence = False
        for row in line.text.splitlines():
            if row.lstrip().startswith(("```", "~~~")):
                in_fence = not in_fence
            elif not in_fence and not row.lstrip().startswith((">", "|")):
                yield from ((line, plain) for sentence in sentences(row) if (plain := _plain(sentence)))


def _is_own_notice(line: Spoken) -> bool:
    return line.role == "ASSISTANT" and "Built-in, no language model" in line.text


def _plain(sentence: str) -> str:
    text = _BULLET.sub("", sentence).lstrip("#> ").replace("**", "").strip()
    return "" if holds_secret(text) or re.match(r"\[\d{4}-\d\d", text) else text


def _score(line: Spoken, sentence: str, frequency: Mapping[str, int]) -> float:
    words = {stem(word) for word in keywords(sentence)}
    if not words:
        return 0.0
    score = sum(1.0 + min(frequency[word], 5) / 5 for word in words) / (3 + len(words)) * 3
    mine = line.role == "USER"
    score += 1.5 if mine else 0.0
    score += 3.0 if mine and any(facts_in(sentence)) else 0.0
    score += 0.5 if _FIGURE.search(sentence) else 0.0
    score -= 0.8 if sentence.endswith("?") else 0.0
    return score - (1.5 if len(words) < 2 else 0.0)


def _closed(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…", "。", "！", "？")) else f"{text.rstrip(':;,')}."


def _circumstances(spoken: Sequence[Spoken], times: Sequence[str]) -> str:
    tools = list(dict.fromkeys(name for line in spoken for name in line.tools))
    used = f", tools used: {', '.join(tools)}" if tools else ""
    span = f" from {times[0]} to {times[-1]}" if times and times[0] != times[-1] else ""
    count = f"{len(spoken)} message{'s' if len(spoken) != 1 else ''}"
    return f"{count}{span}{used}."


def memory_update(memory: str, spoken: Sequence[Spoken]) -> str:
    """`memory` with what is new as one-line bullets; every line that was there stays. The same text if nothing is."""
    lines = memory.split("\n") if memory else []
    makes_headings = not _headings(lines)
    known = {_key(_BULLET.sub("", line)) for line in lines}
    text = _key(memory)
    for line in spoken:
        if line.role != "USER":
            continue
        for fact in facts_in(line.text):
            key = _key(fact.text)
            if key and key not in known and f" {key} " not in f" {text} ":
                known.add(key)
                _insert(lines, _dated(fact, lines, line.when), makes_headings=makes_headings)
    updated = "\n".join(lines)
    return updated if updated in (memory, "") else updated.rstrip("\n") + "\n"


def _key(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+|[+#]", _DATED.sub("", text).lower()))


def _dated(fact: Fact, lines: Sequence[str], when: str) -> Fact:
    """A fact that differs from an older line about the same thing says since when it holds; the older line stays."""
    subject = re.match(r".{2,40}? (?:is|are|in|as|at|for) ", fact.text)
    if not subject or when == "?":
        return fact
    start = subject.group().lower()
    if any(_BULLET.sub("", line).lower().startswith(start) for line in lines):
        return Fact(f"{fact.text} (since {when[:10]})", fact.kind)
    return fact


def _insert(lines: list[str], fact: Fact, *, makes_headings: bool) -> None:
    headings = _headings(lines)
    if makes_headings and f"## {_NEW_HEADING[fact.kind]}" not in lines:
        _start_section(lines, fact)
        return
    place = _best_heading(headings, fact)
    later = [index for index, _, _ in headings if index > place]
    end = later[0] if later else len(lines)
    while end > place + 1 and _is_footer(lines[end - 1]):
        end -= 1
    before = lines[end - 1]
    # Right under a paragraph a bullet would be part of it; right under a heading it keeps the section's own manner.
    in_a_row = bool(_BULLET.match(before)) or (end == place + 1 and (end == len(lines) or bool(lines[end].strip())))
    lines[end:end] = [f"- {fact.text}"] if in_a_row or before.startswith(" ") else ["", f"- {fact.text}"]


def _start_section(lines: list[str], fact: Fact) -> None:
    gap = [""] if lines and lines[-1].strip() else []
    lines += [*gap, f"## {_NEW_HEADING[fact.kind]}", f"- {fact.text}"]


def _is_footer(line: str) -> bool:
    plain = line.strip()
    return not plain or set(plain) <= set("-*_") or (plain.startswith("*") and plain.endswith("*") and " " in plain)


def _headings(lines: Sequence[str]) -> list[tuple[int, int, str]]:
    """(line, level, words) of every heading outside code fences."""
    found, in_fence = [], False
    for index, line in enumerate(lines):
        if line.lstrip().startswith(("```", "~~~")):
            in_fence = not in_fence
        match = None if in_fence else _HEADING.match(line)
        if match:
            found.append((index, len(match["marks"]), match["words"].lower()))
    return found


def _best_heading(headings: Sequence[tuple[int, int, str]], fact: Fact) -> int:
    """The line of the heading a fact belongs under; a lone title at the top is the last choice."""
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
