"""A memory file has other writers than the editor; this decides what the editor does when one of them wrote. No Qt.

The editor's text always states the digest of what it was made from. A text from elsewhere replaces a clean editor; over
unsaved words it waits until the person merges or keeps theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mnemoscope.domain.merge.three_way import Conflict, merge_memory


@dataclass(frozen=True, slots=True)
class FileText:
    """Describes a text of the file: `digest` names its bytes, `origin` who wrote it."""

    text: str
    digest: str
    origin: str = "editor"


@dataclass(frozen=True, slots=True)
class Rebased:
    """Holds what the editor shows after someone else's text was brought together with the person's."""

    text: str
    unsaved: bool
    conflicts: tuple[Conflict, ...] = ()


Standing = tuple[FileText, str | None]
"""A version the editor rests on, and the text both sides of the next merge were made from."""


class WorkingCopy:
    """Holds the file's text as last known, what arrived meanwhile, and what is on its way to the disk."""

    def __init__(self) -> None:
        self.base = FileText("", "")
        self._ancestor: str | None = ""
        self.incoming: FileText | None = None
        self.sent: str | None = None

    @property
    def latest(self) -> FileText:
        """Returns the newest text of the file, whether the editor has it or not."""
        return self.incoming or self.base

    def load(self, text: str, digest: str) -> None:
        """Begins with this text."""
        self._rest_on(FileText(text, digest))
        self.incoming = self.sent = None

    def announce(self, theirs: FileText, mine: str, *, dirty: bool) -> Literal["nothing", "take", "ask"]:
        """Returns what to do about a new text: `take` it, `ask` the person, or `nothing` where it is known already."""
        if theirs.digest == self.base.digest:
            self.incoming = None
            return "nothing"
        if self.sent is not None and theirs.origin == "editor":
            return "nothing"
        if not dirty or theirs.text == mine:
            self.load(theirs.text, theirs.digest)
            return "take"
        self.incoming = theirs
        return "ask"

    def merge_incoming(self, mine: str) -> Rebased:
        """Rebases the person's words on what arrived and returns them."""
        theirs = self.incoming or self.base
        merged = merge_memory(self._ancestor, mine, theirs.text)
        self._rest_on(theirs)
        self.incoming = None
        return Rebased(merged.text, merged.text != theirs.text, merged.conflicts)

    def keep_mine(self) -> Standing:
        """Lets the person's words stand against what arrived; returns what `bring_back` needs."""
        before = self.base, self._ancestor
        if self.incoming is not None:
            self._rest_on(self.incoming)
            self.incoming = None
        return before

    def bring_back(self, before: Standing) -> None:
        """Undoes `keep_mine`, unless the file moved on since and something newer waits anyway."""
        self.incoming = self.incoming or self.base
        self.base, self._ancestor = before

    def send(self, mine: str) -> tuple[str, str]:
        """Returns what to save and the digest of the text it is based on."""
        self.sent = mine
        return mine, self.base.digest

    def saved(self, text: str, digest: str, mine: str) -> Rebased:
        """Returns what the editor is to show now that the disk has `text`; `mine` is what it holds by now."""
        sent, self.sent = (mine if self.sent is None else self.sent), None
        # Whatever had been announced before is in this text or was replaced by it; what comes later is announced.
        self.load(text, digest)
        if mine == sent:
            return Rebased(text, False)
        merged = merge_memory(sent, mine, text)
        return Rebased(merged.text, merged.text != text, merged.conflicts)

    def save_failed(self) -> None:
        """Takes note that nothing reached the disk."""
        self.sent = None

    def resume(self, based_on: str) -> None:
        """Takes a draft of an earlier run: if the file moved on since, it waits to be merged with it."""
        if based_on == self.base.digest:
            return
        self.incoming = FileText(self.base.text, self.base.digest, "draft")
        self.base, self._ancestor = FileText(self.base.text, based_on), None

    def applied_to_latest(self, before: str, proposed: str) -> Rebased:
        """Returns what accepting a proposal made for `before` would make of the file as it is now."""
        current = self.latest.text
        if current == before:
            return Rebased(proposed, proposed != current)
        merged = merge_memory(before, current, proposed)
        return Rebased(merged.proposed, merged.proposed != current, merged.conflicts)

    def _rest_on(self, file_text: FileText) -> None:
        self.base, self._ancestor = file_text, file_text.text
