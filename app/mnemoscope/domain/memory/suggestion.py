"""A suggestion: a text of a memory file that waits for the person to settle it, with the reasons for which it waits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryConflict
from mnemoscope.domain.memory.facts import fact_text


@dataclass(frozen=True, slots=True)
class FactSource:
    """Holds the messages [start, stop) of a conversation in which a fact was noted."""

    fact: str
    session_key: str
    start: int
    stop: int


WRITTEN_BACK: Final = "Another program wrote it back. It is in no prompt; reject this to keep it."
HALF_TAKEN_BACK: Final = (
    "Taking the forgetting back began, is not finished, and put it back. It is in no prompt; reject this to keep it."
)
STANDS_AGAIN: Final = "It stands in this file again. It is in no prompt; reject this to keep it."
STAYED: Final = "It stayed when you chose to forget this. It is in no prompt; reject this to keep it."
_STAYED_BEFORE: Final = "It stayed when you had this forgotten. It is in no prompt; reject this to keep it."
"""`STAYED` in the words of earlier versions, whose suggestions may still wait."""
BACK_AGAIN: Final = (WRITTEN_BACK, HALF_TAKEN_BACK, STANDS_AGAIN, STAYED, _STAYED_BEFORE)
"""The reasons of a suggestion to take out again what the person had forgotten. To reject it lets the line come back."""
HAD_FORGOTTEN: Final = "You chose to forget this"
"""The beginning of the reason for which a text waits that says something the person had forgotten."""
HAD_FORGOTTEN_BEFORE: Final = "You had this forgotten"
"""`HAD_FORGOTTEN` in the words of earlier versions, whose suggestions may still wait."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Describes a text of a memory file that a person has to settle: a model's, or one side of a conflict.

    `before` is what the model was shown, or what stands in memory beside the conflict. `conflicts` are the passages
    that differ, if each can be settled by itself.
    """

    id: str
    when: str
    before: str
    proposed: str
    reasons: tuple[str, ...]
    """One sentence each, such as `It would drop “Deadline is May 12”.`"""
    session_key: str
    start: int
    stop: int
    conflicts: tuple[MemoryConflict, ...] = ()
    path: str = MEMORY_PATH
    """The file it is about, relative to the workspace."""
    claimed_by: str = ""
    """The name that a program outside gave itself when it proposed this; "" where no such program did."""
    decided: tuple[str, ...] = ()
    """The choices for the passages that are settled and do not wait any more: each `mine`, `theirs`, `both` or `edit`,
    or, of two facts that disagree, `reject` or `edit`."""
    brought_from: str = ""
    """The assistant whose memory an import brought; "" for anything else."""
    sources: tuple[FactSource, ...] = ()
    """The messages in which the facts that an import brought were noted, for those facts of which they are known."""
    rests_on: str = ""
    """The text, without its bullet, of a line that has to stand in a memory file afterwards: it repeats or contradicts
    the line that would be taken out. "" where the suggestion rests on no such line."""

    def leaves_standing(self, texts: Mapping[str, str]) -> bool:
        """Returns whether what it rests on stands in a memory file once its own has the text proposed. `texts` are
        those that stand now, by path."""
        after = {**texts, self.path: self.proposed}.values()
        return not self.rests_on or any(fact_text(line) == self.rests_on for text in after for line in text.split("\n"))

    @property
    def is_written_back(self) -> bool:
        """Tells whether it would take out what the person had forgotten and that came back."""
        return any(reason in self.reasons for reason in BACK_AGAIN)

    @property
    def names_forgotten(self) -> bool:
        """Tells whether it says what the person had forgotten: to take it out again, or to add it."""
        beginnings = HAD_FORGOTTEN, HAD_FORGOTTEN_BEFORE
        return self.is_written_back or any(reason.startswith(beginnings) for reason in self.reasons)

    @property
    def lines_out(self) -> tuple[str, ...]:
        """Returns the lines that it would take out of its text."""
        after = set(self.proposed.split("\n"))
        return tuple(line for line in self.before.split("\n") if line not in after)

    def without_words(self) -> Suggestion:
        """Returns what is kept of one that names what the person had forgotten, once it is settled: its id, its file,
        and from which messages it was made. Of its sources those stay whose facts stand in memory."""
        return replace(
            self,
            before="",
            proposed="",
            reasons=tuple(each for each in self.reasons if each in BACK_AGAIN),
            conflicts=(),
            sources=tuple(each for each in self.sources if each.fact in self.before),
            rests_on="",
        )


def undo_waits(suggestions: Iterable[Suggestion], change_id: str) -> bool:
    """Returns whether the text before a change waits already, because of an undo that met later words."""
    origins = (each.theirs_from for suggestion in suggestions for each in suggestion.conflicts)
    return any(change_id in origin.undone for origin in origins)
