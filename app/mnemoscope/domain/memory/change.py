"""A change of MEMORY.md is recorded: when it was, whose it was, what became of it, and where each side of a conflict
came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MEMORY_PATH: Final = "memory/MEMORY.md"
"""Relative to the workspace."""
_AUTHORS: Final = {
    "editor": "the person, in the editor",
    "outside": "another program, or by hand",
    "consolidation": "a consolidation",
    "agent": "a tool",
    "dream": "Dream",
    "capture": "the person, in a conversation",
    "kept": "the person, in a conversation",
    "review": "a proposal the person reviewed",
}
_PERSONAL_KINDS: Final = frozenset({"editor", "outside", "restore", "undo", "review", "recovered", "kept", "forgotten"})
"""Kinds of changes that are the person's own: what these take out of memory, no model brings back."""
CAPTURED_KINDS: Final = frozenset({"capture", "kept"})
"""Kinds of changes that keep the person's own words of a conversation, at once or after all."""
OUTSIDE_KINDS: Final = frozenset({"outside", "recovered"})
"""Kinds of changes that came without an event of ours: another program made them, or this one before a crash."""
_OWN_WORD_KINDS: Final = frozenset({"editor", "review", "kept"})
RESTORING_KINDS: Final = frozenset({"restore", "undo"})
"""Kinds of changes that put lines back which somebody else wrote."""


@dataclass(frozen=True, slots=True)
class MemoryOrigin:
    """Tells the origin of a text of memory.

    `kind` is editor; outside (another program); consolidation, of messages [start, stop) of `session_key`; agent (a
    tool call in `session_key`); capture (of message `start` of `session_key`); kept (the same, after all, by the
    person); restore (of the version `detail`); undo (of the changes `detail`, with a space between each two, oldest
    first); review (the suggestion `detail`, settled by the person); recovered (written just before a crash);
    forgotten (words taken out by the forgetting `detail`); mcp (a program outside that calls itself `detail`); ""
    if it is not known. `when` is naive local ISO 8601.
    """

    kind: str = ""
    when: str = ""
    session_key: str = ""
    start: int = 0
    stop: int = 0
    detail: str = ""
    """The run, for the kind dream, of which `start` and `stop` are the first and last entry of the journal."""

    @property
    def is_personal(self) -> bool:
        """Returns whether the change is the person's own."""
        return self.kind in _PERSONAL_KINDS

    @property
    def is_own_word(self) -> bool:
        """Returns whether the person says it in this window: that may bring back what they once had forgotten."""
        return self.kind in _OWN_WORD_KINDS

    @property
    def undone(self) -> tuple[str, ...]:
        """Returns the ids of the changes that this one takes back, oldest first; several in records of old."""
        return tuple(self.detail.split()) if self.kind == "undo" else ()


@dataclass(frozen=True, slots=True)
class MemoryConflict:
    """Describes a passage for the person to settle: as it was, as memory has it, as the other side wants it. "" means
    absent.

    `mine_from` and `theirs_from` are the origins of either wording.
    """

    base: str
    mine: str
    theirs: str
    mine_from: MemoryOrigin = MemoryOrigin()
    theirs_from: MemoryOrigin = MemoryOrigin()


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """Describes one change. `before` and `after` name versions ("" for a missing file).

    `added` and `removed` are the first few facts, shortened, of `count_added` and `count_removed`. `entry` is what the
    history log tells of it, if anything.
    """

    id: str
    when: str
    origin: MemoryOrigin
    before: str
    after: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    count_added: int = 0
    count_removed: int = 0
    entry: str = ""

    @property
    def is_forgetting(self) -> bool:
        """Returns whether it took forgotten words out: it cannot be taken back as a change of memory."""
        return self.origin.kind == "forgotten"


def author_for_model(kind: str) -> str:
    """Returns who wrote what a change of this kind added, for a model: "another program, or by hand"; "" where that is
    not known."""
    return _AUTHORS.get(kind, "")


def undone_changes(changes: Sequence[MemoryChange]) -> dict[str, str]:
    """Returns those of the changes, oldest first, that are taken back now: the id of each with the id of what took it
    back."""
    undone: dict[str, str] = {}
    for change in reversed(changes):
        # What takes a change back comes later than it, so whether that was taken back itself is known by now.
        if change.id not in undone:
            for earlier in change.origin.undone:
                undone.setdefault(earlier, change.id)
    return undone
