"""Which version wrote each line of the text as it stands in the editor. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mnemoscope.domain.text.characters import BYTE_ORDER_MARK
from mnemoscope.domain.text.diff import line_edits, split_lines

if TYPE_CHECKING:
    from mnemoscope.domain.commits import BlameLine, CommitInfo

NOBODY: Final = -1
"""Owner of a line that is in no version yet."""


@dataclass(slots=True)
class LineOwners:
    """`owners`: for each line of the editor's text a place in `commits`, or NOBODY."""

    commits: list[CommitInfo] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)

    def owner(self, line: int) -> CommitInfo | None:
        """Who wrote a line; None for one that is in no version."""
        place = self.owners[line] if 0 <= line < len(self.owners) else NOBODY
        return self.commits[place] if place != NOBODY else None

    def begins_run(self, line: int) -> bool:
        """Whether another owner's line stands above."""
        return line <= 0 or self.owners[line - 1 : line] != self.owners[line : line + 1]

    def note_edit(self, line: int, more: int) -> None:
        """A line was edited, and so many came or went below it: a guess until the texts are compared."""
        if not 0 <= line < len(self.owners):
            return
        if more < 0:
            del self.owners[line + 1 : line + 1 - more]
        else:
            self.owners[line + 1 : line + 1] = [NOBODY] * more
        self.owners[line] = NOBODY


def owners_of(blame: Sequence[BlameLine], text: str) -> LineOwners:
    """Who wrote each line of `text`, given who wrote those of the newest version."""
    places: dict[str, int] = {}
    commits: list[CommitInfo] = []
    owners: list[int] = []
    for line in blame:
        if line.commit.id not in places:
            places[line.commit.id] = len(commits)
            commits.append(line.commit)
        owners.append(places[line.commit.id])
    # Files of other programs may have line ends of their own and a mark at the start; the editor shows neither.
    before = "\n".join(line.text.removesuffix("\r") for line in blame).removeprefix(BYTE_ORDER_MARK)
    if not blame:
        owners = [NOBODY] * len(split_lines(text))
    elif before != text:
        for edit in reversed(line_edits(before, text)):
            owners[edit.start : edit.stop] = [NOBODY] * len(edit.lines)
    return LineOwners(commits, owners)
