"""Decides which of Dream's edits are written as they are, and which a person sees first.

The gate is that of the two-layer profile, file by file. What a journal entry tells of tools and files is quoted text:
it supports nothing. Skills are followed as instructions, so no edit of one passes by itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.answers.repetition import circle_reasons, fold_repeated_lines
from mnemoscope.domain.commits import FileChange
from mnemoscope.domain.dream.journal import JournalEntry
from mnemoscope.domain.review.memory_review import review
from mnemoscope.domain.review.sources import MESSAGE_END, Sources

QUOTED_MARK: Final = "(said by a tool or file)"
"""What ends a fact line of the journal that the person did not say."""
_RAW_LINE: Final = re.compile(
    r"^\[(?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d|\?)\] ([A-Z]+)(?: \[tools: [^\]]*\])?:", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class HeldEdit:
    """An edit that waits for the person, with what looks like a key masked, and why, a sentence a reason."""

    change: FileChange
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """Edits that may be written, and edits that are held."""

    written: tuple[FileChange, ...]
    held: tuple[HeldEdit, ...]


def judge_edits(
    changes: Iterable[FileChange], entries: Sequence[JournalEntry], *, known: Collection[str] = ()
) -> Judged:
    """Sorts edits made after reading `entries`. `known`: keys, which may stand nowhere."""
    sources = sources_of_entries(entries)
    judged = [_judged(change, sources, known) for change in changes]
    written = tuple(edit.change for edit in judged if not edit.reasons)
    return Judged(written, tuple(edit for edit in judged if edit.reasons))


def sources_of_entries(entries: Iterable[JournalEntry]) -> Sources:
    """Returns who said what, as far as the journal tells."""
    spoken: list[str] = []
    quoted: list[str] = []
    for entry in entries:
        for text, is_quoted in _parts(entry):
            (quoted if is_quoted else spoken).append(text)
    dates = " ".join(entry.timestamp[:10] for entry in entries)
    return Sources(spoken=MESSAGE_END.join(spoken), quoted=MESSAGE_END.join(quoted), dates=dates)


def _judged(change: FileChange, sources: Sources, known: Collection[str]) -> HeldEdit:
    before = change.before or ""
    after, often = fold_repeated_lines(change.after or "", before)
    proposal = review(before, after, sources=sources, known=known)
    reasons = [*circle_reasons(after, before, often), *proposal.reasons]
    if change.path.startswith("skills/"):
        name = change.path.split("/")[1]
        reasons.insert(0, f"It would change the skill “{name}”, which is followed as instructions.")
    return HeldEdit(FileChange(change.path, change.before, proposal.text), tuple(dict.fromkeys(reasons)))


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
