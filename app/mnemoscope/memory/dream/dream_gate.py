"""Decides which of Dream's edits are written as they are, and which a person sees first.

The gate is that of the two-layer profile, file by file. What a journal entry tells of tools and files is quoted text:
it supports nothing, and neither does a line that rests on nothing that was said in the messages that the entry is of.
Skills are followed as instructions, so no edit of one passes by itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import Final

from mnemoscope.domain.answers.repetition import circle_reasons, fold_repeated_lines
from mnemoscope.domain.commits import FileChange
from mnemoscope.domain.disagreement.memory_check import checked
from mnemoscope.domain.memory.facts import fact_lines, fact_text
from mnemoscope.domain.memory.journal_entry import FACT_LINE, QUOTED_MARK, JournalEntry
from mnemoscope.domain.review.evidence import Evidence
from mnemoscope.domain.review.memory_review import review, unheard_reason
from mnemoscope.domain.review.sources import MESSAGE_END, Sources

_RAW_LINE: Final = re.compile(
    r"^\[(?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d|\?)\] ([A-Z]+)(?: \[tools: [^\]]*\])?:", re.MULTILINE
)

_NOTHING_KNOWN: Final[Mapping[JournalEntry, Sources]] = MappingProxyType({})
_NO_FACTS: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class HeldEdit:
    """Describes an edit that waits for the person, with what looks like a key masked, and why, a sentence a reason."""

    change: FileChange
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgedEdits:
    """Edits that may be written, and edits that are held."""

    written: tuple[FileChange, ...]
    held: tuple[HeldEdit, ...]


def judge_edits(
    changes: Iterable[FileChange],
    entries: Sequence[JournalEntry],
    *,
    today: date,
    known: Collection[str] = (),
    said: Mapping[JournalEntry, Sources] = _NOTHING_KNOWN,
    facts: Mapping[str, str] = _NO_FACTS,
) -> JudgedEdits:
    """Sorts edits made after reading `entries`. `known`: keys, which may stand nowhere. `today`: the day from
    which a fact holds that disagrees with another. `said`: who said what in the messages that an entry is of, for those
    of which it is known; of the others the journal's word has to do. `facts`: the texts, by path, of the files of
    which no line may disagree with another, before the edits."""
    voices = _sources_of_entries(entries, said)
    changes = list(changes)
    # A line counts though the run takes it out, and one that it adds counts as well.
    edited = {change.path: f"{change.before or ''}\n{change.after or ''}" for change in changes}
    texts = {path: edited.get(path, text) for path, text in facts.items()}
    judged = [_judged(change, voices, known, today, texts) for change in changes]
    written = tuple(edit.change for edit in judged if not edit.reasons)
    return JudgedEdits(written, tuple(edit for edit in judged if edit.reasons))


@dataclass(frozen=True, slots=True)
class EntrySpeakers:
    """Holds the words of a run's entries by who said them, as far as the journal and the messages behind it tell.

    `unheard` are the journal's lines that rest on nothing in these messages."""

    sources: Sources
    unheard: str = ""


def _sources_of_entries(
    entries: Iterable[JournalEntry], said: Mapping[JournalEntry, Sources] = _NOTHING_KNOWN
) -> EntrySpeakers:
    """Returns who said what, as far as the journal tells, and `said`, which is of the messages behind its entries."""
    spoken: list[str] = []
    quoted: list[str] = []
    pairs: list[tuple[str, str]] = []
    unheard: list[str] = []
    dates: list[str] = []
    for entry in entries:
        dates.append(entry.timestamp[:10])
        behind = said.get(entry)
        if behind is None:
            for text, is_quoted in _parts(entry):
                (quoted if is_quoted else spoken).append(text)
            continue
        spoken.append(behind.spoken)
        dates.append(behind.dates)
        evidence = Evidence(behind, "")
        for text, is_quoted in _parts(entry):
            if is_quoted:
                quoted.append(text)
            elif not entry.raw and evidence.is_unheard(_fact_of(text)):
                unheard.append(text)
            else:
                # What a model wrote of the person's words says what they mean, and is not them.
                pairs.append((text, text))
    found = Sources(
        spoken=MESSAGE_END.join(spoken),
        quoted=MESSAGE_END.join(quoted),
        dates=" ".join(dates),
        exchanges=tuple(pairs),
    )
    return EntrySpeakers(found, MESSAGE_END.join(unheard))


def _judged(
    change: FileChange, voices: EntrySpeakers, known: Collection[str], today: date, facts: Mapping[str, str]
) -> HeldEdit:
    before, sources = change.before or "", voices.sources
    after, often = fold_repeated_lines(change.after or "", before)
    proposal = review(before, after, sources=sources, known=known)
    others = {path: text for path, text in facts.items() if path != change.path} if change.path in facts else {}
    proposal = checked(before, proposal, today, sources.spoken, others, change.path)
    reasons = [*circle_reasons(after, before, often), *proposal.reasons, *_made_up(before, after, voices)]
    if change.path.startswith("skills/"):
        name = change.path.split("/")[1]
        reasons.insert(0, f"It would change the skill “{name}”, which is followed as instructions.")
    return HeldEdit(FileChange(change.path, change.before, proposal.text), tuple(dict.fromkeys(reasons)))


def _made_up(before: str, after: str, voices: EntrySpeakers) -> Iterator[str]:
    """Yields a reason for each new line that only says again what the journal says and nobody said."""
    evidence = Evidence(replace(voices.sources, quoted=voices.unheard), before, after)
    if evidence.is_needed:
        stood = set(fact_lines(before))
        for line in fact_lines(after):
            if line not in stood and evidence.missing(line) == "quoted":
                yield unheard_reason(line)


def _fact_of(line: str) -> str:
    """Returns the words of a line of the journal without its bullet and kind."""
    match = FACT_LINE.match(line.strip())
    return match[2] if match else fact_text(line)


def _parts(entry: JournalEntry) -> list[tuple[str, bool]]:
    """Returns an entry's text in pieces, each with whether it is a tool's or a file's."""
    if not entry.raw:
        return [(line, line.rstrip().endswith(QUOTED_MARK)) for line in entry.content.split("\n") if line.strip()]
    found: list[tuple[str, bool]] = []
    starts = list(_RAW_LINE.finditer(entry.content))
    ends = [match.start() for match in starts[1:]] + [len(entry.content)]
    for match, end in zip(starts, ends, strict=True):
        found.append((entry.content[match.end() : end], match[1] != "USER"))
    return found
