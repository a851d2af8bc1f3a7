"""A proposal for MEMORY.md that a program outside sent in: what it may be, and what memory would say with it.

Such a program reaches the workspace through `mnemoscope mcp`. Whatever it says of itself is its own claim.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.memory.facts import fact_key, fact_lines, fact_text, heading_title
from mnemoscope.domain.text.characters import LINE_BREAK, on_one_line

LONGEST_PROPOSAL: Final = 2_048
"""Bytes of a proposal's text in UTF-8."""
MOST_OF_A_CALLER: Final = 50
"""Proposals of one name that wait at a time, for the person and in the inbox together."""
MOST_PROPOSALS: Final = 200
"""Proposals that wait at a time, whatever names they were sent under."""
LONGEST_NAME: Final = 60
NAMELESS: Final = "an unnamed program"
_QUOTES: Final = re.compile('[“”«»„‟"`]+')
_CONTROL: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f]")


@dataclass(frozen=True, slots=True)
class OutsideProposal:
    """Describes one proposal. `id` is 16 hexadecimal digits; `when` is naive local ISO 8601; `caller` is the name that
    the program gave itself. `heading` is the title of a section of MEMORY.md, "" for the end of the file."""

    id: str
    when: str
    caller: str
    text: str
    heading: str = ""


def claimed_name(name: str) -> str:
    """Returns a program's name for itself as it is shown and counted: one short line without quotation marks."""
    words = on_one_line(_QUOTES.sub("'", name[: 10 * LONGEST_NAME]))
    return words[:LONGEST_NAME].strip() or NAMELESS


def proposed_lines(text: str) -> list[str]:
    """Returns what a proposal says as bullets of one line each, so that it can bring facts and nothing of Markdown's
    structure; none where it says nothing."""
    rows = (fact_text(" ".join(_CONTROL.sub(" ", row).split())) for row in LINE_BREAK.split(text))
    return list(dict.fromkeys(f"- {row}" for row in rows if fact_key(row)))


def with_proposal(memory: str, proposal: OutsideProposal) -> str:
    """Returns the memory with the lines of the proposal that it does not say yet: at the end of the section that it
    names, or of the file where there is none."""
    known = {fact_key(line) for line in fact_lines(memory)}
    lines = [line for line in proposed_lines(proposal.text) if fact_key(line) not in known]
    if not lines:
        return memory
    rows = memory.split("\n")
    stop = _end_of_section(rows, proposal.heading)
    while stop and not rows[stop - 1].strip():
        stop -= 1
    gap = [""] if stop and heading_title(rows[stop - 1]) is not None and len(rows) == stop + 1 else []
    return "\n".join([*rows[:stop], *gap, *lines, *(rows[stop:] or [""])])


def _end_of_section(rows: list[str], heading: str) -> int:
    titles = {place: title for place, row in enumerate(rows) if (title := heading_title(row)) is not None}
    start = next((place for place, title in titles.items() if heading and title == heading), None)
    return next((place for place in titles if start is not None and place > start), len(rows))
