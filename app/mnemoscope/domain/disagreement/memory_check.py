"""The lines of memory texts are compared: what a model proposes before it is written (`checked`), what a person saved
(`new_disagreements`), and all that stands with all (`disagreements_in`).

A line of SOUL.md says what the assistant is and does, and a line of another file what is so of the person: of these two
only what both say of answers is compared. A proposal that disagrees waits for the person; an old line of its own file
is struck in it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import product
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final

from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.capture.captured_line import is_struck, read_line, standing_line, struck_line
from mnemoscope.domain.disagreement.fact_comparison import disagree, is_own_correction, spoken_of
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.facts import fact_key, fact_lines, fact_text
from mnemoscope.domain.memory.file_registry import SOUL_PATH
from mnemoscope.domain.review.memory_review import Proposal
from mnemoscope.domain.text.excerpt import shortened

_SHOWN: Final = 120
_ANSWERS: Final = re.compile(
    r"\b(?:answer|repl(?:y|ies)|respon[sd]|explanation|explain|emoji|отве[чт]|объясн|эмодзи|javob|tushuntir|жавоб|"
    r"тушунтир)|回答|回复|解释|表情",
    re.IGNORECASE,
)
"""Words for what an assistant gives and a person gets."""
_NO_OTHERS: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Describes two lines of memory that cannot both be true, as they stand: the one that was there, and the newer
    one."""

    old: str
    new: str

    @property
    def sentence(self) -> str:
        """Returns the reason for which they wait."""
        return f"Two facts disagree: {quoted(self.old)} and {quoted(self.new)}."


def brought_disagreements(before: str, proposed: str) -> tuple[Disagreement, ...]:
    """Returns what of a proposed text disagrees with what `before` says: each new line with each old one. An old line
    counts though the proposal strikes or drops it; nothing is settled silently."""
    return tuple(_disagreeing(_fresh(before, proposed), before))


def disagreements_with_others(
    before: str, proposed: str, others: Mapping[str, str], path: str = MEMORY_PATH
) -> tuple[str, ...]:
    """Returns a sentence for each new line of a text proposed for the memory file at `path` with which a line of
    another memory text, by path, disagrees. Nothing is settled by it: the other text stays as it is."""
    fresh = _fresh(before, proposed)
    return tuple(
        sentence_across(pair.new, pair.old, other)
        for other, text in others.items()
        for pair in _disagreeing(fresh, text)
        if may_disagree(other, pair.old, path, pair.new)
    )


def may_disagree(path: str, line: str, other_path: str, other: str) -> bool:
    """Returns whether lines of these memory files are about the same: the assistant, the person, or answers."""
    if (path == SOUL_PATH) == (other_path == SOUL_PATH):
        return True
    return _ANSWERS.search(line) is not None and _ANSWERS.search(other) is not None


def sentence_across(line: str, other: str, path: str) -> str:
    """Returns the reason for which a line waits that a line of the memory file at `path` disagrees with."""
    return f"Two memory files disagree: {PurePosixPath(path).name} says {quoted(other)}, this one {quoted(line)}."


def _fresh(before: str, proposed: str) -> list[str]:
    stood = {fact_key(line) for line in fact_lines(before)}
    return [line for line in fact_lines(proposed) if fact_key(line) not in stood and not is_struck(line)]


def _disagreeing(fresh: Sequence[str], text: str, goes_on: GoesOn = to_the_end) -> Iterator[Disagreement]:
    """Yields each new line with each standing line of a text that it disagrees with."""
    standing = [line for line in fact_lines(text) if not is_struck(line)] if fresh else []
    for new, old in product(fresh, standing):
        if not goes_on():
            return
        if disagree(old, new):
            yield Disagreement(old, new)


@dataclass(frozen=True, slots=True)
class PlacedPair:
    """Describes two lines that disagree, with the memory files in which they stand, or would stand."""

    pair: Disagreement
    old_path: str
    new_path: str

    @property
    def is_across(self) -> bool:
        """Returns whether the lines are of two files."""
        return self.old_path != self.new_path

    def reason(self, path: str) -> str:
        """Returns the reason for which a suggestion about the file at `path` waits because of them."""
        if not self.is_across:
            return self.pair.sentence
        if path == self.old_path:
            return sentence_across(self.pair.old, self.pair.new, self.new_path)
        return sentence_across(self.pair.new, self.pair.old, self.old_path)


def disagreements_in(texts: Mapping[str, str], goes_on: GoesOn = to_the_end) -> tuple[PlacedPair, ...]:
    """Returns each pair of lines of memory texts, by path, that cannot both be true, in their order. The line
    further up, or in the text that comes first, counts as the older one, unless only the other order disagrees, as with
    "no longer". Struck lines state nothing, and a line that stands twice in a text is compared once. `goes_on` is as in
    `disagreeing_places`."""
    standing = list(
        {
            (path, fact_key(line)): (path, line)
            for path, text in texts.items()
            for line in fact_lines(text)
            if not is_struck(line)
        }.values()
    )
    places = disagreeing_places([line for _, line in standing], goes_on)
    return tuple(
        PlacedPair(Disagreement(standing[old][1], standing[new][1]), standing[old][0], standing[new][0])
        for old, new in places
        if may_disagree(*standing[old], *standing[new])
    )


def new_disagreements(
    path: str, before: str, texts: Mapping[str, str], goes_on: GoesOn = to_the_end
) -> tuple[PlacedPair, ...]:
    """Returns each pair of a line that the memory file at `path` says newly since the text `before`, the newer one of
    the two, and any other line of the texts, by path, that it disagrees with. Of two new lines that further up counts
    as the older one, as in `disagreements_in`. `goes_on` is as in `disagreeing_places`."""
    fresh = _fresh(before, texts[path])
    found = [
        PlacedPair(pair, other, path)
        for other, text in texts.items()
        for pair in _disagreeing(fresh, text, goes_on)
        if (other != path or pair.old not in fresh) and may_disagree(other, pair.old, path, pair.new)
    ]
    among = disagreeing_places(fresh, goes_on)
    return (*found, *(PlacedPair(Disagreement(fresh[old], fresh[new]), path, path) for old, new in among))


def disagreeing_places(lines: Sequence[str], goes_on: GoesOn = to_the_end) -> list[tuple[int, int]]:
    """Returns the places of each two lines that cannot both be true, the older line first: that further up, unless only
    the other order disagrees. The pairs come in the order of the lines. `goes_on` is asked before each two lines, as
    the comparison of a long memory takes minutes: once it says no, what was found so far is returned."""
    found = []
    for earlier, place in _places_of_the_same(lines):
        if not goes_on():
            break
        if disagree(lines[earlier], lines[place]):
            found.append((earlier, place))
        elif disagree(lines[place], lines[earlier]):
            found.append((place, earlier))
    return sorted(found, key=lambda pair: (min(pair), max(pair)))


def _places_of_the_same(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yields the places of each two lines that speak of something in common, that further up first."""
    by_key: defaultdict[str, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        keys = spoken_of(line)
        for earlier in sorted({each for key in keys for each in by_key[key]}):
            yield earlier, place
        for key in keys:
            by_key[key].append(place)


def checked(
    before: str,
    proposal: Proposal,
    today: date,
    spoken: str = "",
    others: Mapping[str, str] = _NO_OTHERS,
    path: str = MEMORY_PATH,
) -> Proposal:
    """Returns a reviewed proposal for the memory file at `path` with a reason for each disagreement that it brings;
    the old lines are struck in its text, so that whoever accepts it replaces them from today on, and what was true
    stays to be read. What the person corrected in their own words, which are `spoken`, is settled by them: that its
    old line goes is no loss. A line of the `others`, which are memory texts by their paths, would stand all the
    same: what disagrees with one waits whoever said it."""
    across = disagreements_with_others(before, proposal.text, others, path)
    found = brought_disagreements(before, proposal.text)
    pairs = tuple(pair for pair in found if not is_own_correction(pair.old, pair.new, spoken))
    drops = tuple(f"It would drop “{fact_text(pair.old)[: _SHOWN - 1]}" for pair in found)
    rest = tuple(reason for reason in proposal.reasons if not reason.startswith(drops))
    if not pairs and not across and rest == proposal.reasons:
        return proposal
    reasons = dict.fromkeys((*(pair.sentence for pair in pairs), *across, *rest))
    return Proposal(with_struck_lines(proposal.text, pairs, today, before), tuple(reasons))


def with_struck_lines(text: str, pairs: Iterable[Disagreement], until: date, before: str = "") -> str:
    """Returns the text with the old line of each pair struck, wherever it stands: it held until this day. One that is
    not there any more is put before the new one. `before` is the text that is changed: what was struck there held at an
    earlier time, and keeps its day."""
    lines = text.split("\n")
    earlier = {line for line in before.split("\n") if is_struck(line)}
    for pair in pairs:
        standing = [place for place, line in enumerate(lines) if says(line, pair.old)]
        struck = [place for place, line in enumerate(lines) if line not in earlier and is_struck_form(line, pair.old)]
        for place in standing:
            lines[place] = struck_line(lines[place], until)
        if standing:
            continue
        if struck:
            lines[struck[0]] = struck_line(pair.old, until)
        elif pair.new in lines:
            lines.insert(lines.index(pair.new), struck_line(pair.old, until))
    return "\n".join(lines)


def says(line: str, fact: str) -> bool:
    """Returns whether a line states the fact of another one, be it with another bullet or full stop. A struck line and
    a heading state nothing."""
    if line == fact:
        return True
    return fact_key(line) == fact_key(fact) and not is_struck(line) and bool(fact_lines(line))


def is_struck_form(line: str, old: str) -> bool:
    """Returns whether a line is a fact that is struck out."""
    return is_struck(line) and fact_key(standing_line(line)) == fact_key(old)


def quoted(line: str) -> str:
    """Returns the beginning of what a line says, in quotation marks, as the reasons name it."""
    kept = read_line(line)
    return f"“{shortened(' '.join((kept.text if kept else fact_text(line)).split()), _SHOWN)}”"
