"""Notes every change of a memory file and who made it, also those other programs made meanwhile.

From this it is known what the person deleted, whose a passage is, and how any change can be taken back. Blocks on the
disk; the disk thread owns it.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.forgetting.forgotten_lines import without_forgotten, words_after_head
from mnemoscope.domain.forgetting.tombstone import Recall
from mnemoscope.domain.memory.change import (
    MEMORY_PATH,
    RESTORING_KINDS,
    MemoryChange,
    MemoryConflict,
    MemoryOrigin,
)
from mnemoscope.domain.memory.facts import added_facts, fact_key, fact_lines
from mnemoscope.domain.memory.file_registry import file_of_page
from mnemoscope.domain.memory.suggestion import HAD_FORGOTTEN, Suggestion
from mnemoscope.domain.merge.held_back import HeldBack, fact_hashes, hold_back
from mnemoscope.domain.merge.three_way import Conflict
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.forgetting.rejections import Rejections
from mnemoscope.store.forgetting.tombstones_file import Lifted, Tombstones
from mnemoscope.store.memory.change_log import ChangeLog, LoggedChange
from mnemoscope.store.memory.memory_file import MemoryText
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)

_SHOWN_FACTS: Final = 12
_SHOWN_LENGTH: Final = 160
_LOOKED_BACK: Final = 40
"""The number of newest changes that are searched for the author of a passage."""
_KEPT: Final = "kept"
"""Stands for the decision that a line which came back may stay."""
_REJECTED: Final = "You rejected this"
_OBJECTIONS: Final = {
    Recall.FORGOTTEN: HAD_FORGOTTEN,
    Recall.UNCHECKED: "It cannot be told whether you chose to forget this",
}
_KnownChange = tuple[MemoryOrigin, set[str], set[str]]
"""A change: whose it is, the lines before and the lines after."""


class MemoryChanges:
    """Lists the changes of one memory file, `path` relative to the workspace, and knows what may not come back into it.

    What the person had forgotten or rejected is held back from a text (`hold_back`), is lifted when they say it again
    or ask for it (`lift_forgotten`, `lift_rejections`), and is reinstated when that is undone (`reinstate`).
    """

    def __init__(
        self,
        paths: WorkspacePaths,
        versions: TextVersions,
        ledger: Ledger,
        *,
        path: str = MEMORY_PATH,
        clock: Callable[[], datetime] = datetime.now,
        calls: FileCalls = REAL_CALLS,
        tombstones: Tombstones | None = None,
        rejections: Rejections | None = None,
    ) -> None:
        self.path = path
        self._paths = paths
        self._versions = versions
        self._ledger = ledger
        self._clock = clock
        self._tombstones = tombstones
        self._rejections = rejections
        self._log = ChangeLog(paths.own.change_log_of(path), calls=calls)
        self._authors: dict[str, MemoryOrigin] = {}
        self._beginnings: list[tuple[str, MemoryOrigin]] = []
        """Of facts that are noted shortened, and whose text is not kept any more."""
        self._authors_up_to = ""
        """The newest change that the authors are known of."""
        self._not_noted: tuple[str, str, MemoryOrigin] | None = None
        """The digest that a write left which the disk did not let be noted, with the change's id and whose it was."""

    @property
    def name(self) -> str:
        """Returns the file's name, as a person calls it."""
        return file_of_page(self.path).rpartition("/")[2]

    def now(self) -> str:
        """Returns the time, as changes note it."""
        return self._clock().isoformat()

    def notice(self, current: MemoryText, *, before_writing: bool = False) -> None:
        """Notes what other programs did to MEMORY.md since the newest change. Raises StorageError.

        While a transaction waits for recovery it is not known whose the text is; and a file that is missing may only be
        on its way to being replaced. Both are waited for, unless something is about to be written (`before_writing`).
        """
        if not before_writing and (not current.exists or self._paths.own.intent_file.exists()):
            return
        last = self._log.last_digest()
        if last == current.digest or (last is None and not current.exists):
            return
        kept = self._versions.text(current.digest) is not None
        if current.exists:
            self._versions.keep(current.text, current.digest)
        if last is None:
            last, origin = current.digest, MemoryOrigin(when=self.now())
        else:
            is_ours = kept and not any(line.change.after == current.digest for line in self._log.lines())
            origin = MemoryOrigin("recovered" if is_ours and current.exists else "outside", self._written_at())
        change_id = secrets.token_hex(8)
        if self._not_noted is not None and self._not_noted[0] == current.digest:
            _, change_id, origin = self._not_noted
        self._add(change_id, origin, last, self._versions.text(last), current)
        self._not_noted = None

    def note(
        self, change_id: str, origin: MemoryOrigin, wanted: str, written: MemoryText, *, for_good: bool = True
    ) -> None:
        """Notes, once, that `wanted` was written over what was noticed last. Raises StorageError.

        What else `written` says, another program wrote in the same moment: that is noted as its own change.
        """
        if self._log.holds(change_id):
            return
        self._versions.keep(written.text, written.digest)
        ours = written
        if not same_text(written.text, wanted):
            ours = MemoryText(wanted, self._versions.keep_text(wanted), True)
        last = self._log.last_digest() or ""
        self._follow(change_id, origin, self._versions.text(last) or "", ours.text)
        if last != ours.digest:
            self._add(change_id, origin, last, self._versions.text(last), ours, for_good=for_good)
        self.notice(written, before_writing=True)

    def _follow(self, change_id: str, origin: MemoryOrigin, before: str, after: str) -> None:
        """Lifts what the person wrote anew, where they once had it forgotten or rejected; what an undone change had
        lifted, or a version put back does not say, is forgotten and rejected again. It comes after the
        text is written: a write that fails leaves all as it was. Raises StorageError where the disk refuses the
        latter."""
        if origin.is_own_word:
            self._lift_written_anew(before, after, change_id)
        elif origin.kind == "capture":
            # They said it once more in their own words, which no rejection stands against.
            self._lift_written_anew(before, after, change_id, forgotten=False)
        if origin.kind in RESTORING_KINDS:
            known = self.forgotten_lines(after)
            self.reinstate(*origin.undone)
            self._reinstate_gone(before, after)
            # What stands all the same, as a later change of the person's touched it, is not forgotten by it.
            by = origin.undone[-1] if origin.undone else change_id
            self.lift_forgotten([line for line in self.forgotten_lines(after) if line not in known], by)

    def _reinstate_gone(self, before: str, after: str) -> None:
        """Has what changes of this file lifted, and the text `after` does not say any more, be forgotten and rejected
        again. Raises StorageError."""
        names = {line.change.id for line in self._log.lines()} | set(self._ledger.suggestion_states().settled)
        gone = keys_of_new(after, before)
        lines = [line for line in before.split("\n") if fact_key(line) in gone]
        if self._tombstones is not None:
            said = [text for line in lines for text in (line, words_after_head(line))]
            self._tombstones.reinstate(*names, _KEPT, texts=said)
        if self._rejections is not None:
            self._rejections.reinstate_gone(before, after, *names)

    def note_later(self, change_id: str, origin: MemoryOrigin, written: MemoryText) -> None:
        """Has a change that the disk did not let be noted be noted as this one by the next `notice`, if nothing else
        was written till then."""
        self._not_noted = written.digest, change_id, origin

    def reread(self) -> None:
        """Forgets what it read: the log was written without words."""
        self._log.reread()
        self._authors_up_to = ""
        self._authors.clear()
        self._beginnings.clear()

    def knows(self, change_id: str) -> bool:
        """Returns whether a change was noted. Raises StorageError."""
        return self._log.holds(change_id)

    def made_by(self, origin: MemoryOrigin) -> str:
        """Returns the id of the newest change if it is this one's, "" where nothing was changed. Raises
        StorageError."""
        # What another program wrote in the same moment may stand behind it.
        newest = (line.change for line in reversed(self._log.lines()[-2:]))
        return next((each.id for each in newest if each.origin == origin and each.before != each.after), "")

    def deleted(self) -> Mapping[str, str]:
        """Returns the hashes of the facts that the person deleted (`domain.merge.held_back.fact_hash`), with the time.
        Raises StorageError."""
        return self._log.deleted()

    def hold_back(
        self, current: str, wanted: str, *, is_personal: bool = False, own_facts: Collection[str] = ()
    ) -> HeldBack:
        """Returns a text without what the person had forgotten, and a model's also without what they deleted or
        rejected. `own_facts` are the keys of those that they wrote anew, which may come back. Raises StorageError."""
        if is_personal:
            return hold_back(
                current, wanted, (), lambda line: "" if fact_key(line) in own_facts else self.objection(line)
            )
        return hold_back(current, wanted, self._log.deleted(), lambda line: self._objection_to_a_model(line, own_facts))

    def remember_rejected(self, suggestion: Suggestion, when: str = "") -> None:
        """Remembers what the person rejected, so that it does not come again in other words. What they would not have
        taken out of memory, they want to stand there, though they once had it forgotten or rejected."""
        for each in suggestion.conflicts:
            self._lift_written_anew(each.theirs, each.mine, suggestion.id)
        if self._rejections is not None:
            self._rejections.remember(suggestion, when or self.now())

    def lift_rejections(self, suggestion: Suggestion) -> tuple[Lifted, ...]:
        """Has what a suggestion would do be rejected no more. Returns what was lifted. Raises StorageError."""
        return self._rejections.lift_suggestion(suggestion) if self._rejections is not None else ()

    def reinstate(self, *names: str) -> None:
        """Has what these changes or decisions lifted be forgotten and rejected again, as they were undone. Raises
        StorageError."""
        for held in (self._tombstones, self._rejections):
            if held is not None and names:
                held.reinstate(*names)

    def _objection_to_a_model(self, line: str, own_facts: Collection[str]) -> str:
        """`own_facts`: the keys of what the person said in their own words, which may be rejected."""
        if (why := self.objection(line)) or self._rejections is None or fact_key(line) in own_facts:
            return why
        return _REJECTED if self._rejections.since(line) is not None else self._rejections.objection(line)

    def objection(self, line: str) -> str:
        """Returns why a line may not come back by itself, as the beginning of a sentence, "" where it may."""
        recall = self._tombstones.match(line) if self._tombstones is not None else None
        return _OBJECTIONS[recall] if recall is not None else ""

    def name_of(self, line: str) -> str:
        """Returns the name of the suggestion that asks about a forgotten line: it is kept when that is settled, so it
        does not tell the words. "" where nothing is ever forgotten."""
        return self._tombstones.name_of(line) if self._tombstones is not None else ""

    def _lift_written_anew(self, before: str, after: str, by: str, *, forgotten: bool = True) -> None:
        """Has what a text says newly be forgotten and rejected no more, until `reinstate` is called with the name
        `by`. Where the disk refuses that, the line stands marked, and is asked about."""
        new = keys_of_new(before, after)
        try:
            if forgotten:
                self.lift_forgotten([line for line in after.split("\n") if fact_key(line) in new], by)
            if self._rejections is not None:
                self._rejections.lift(before, after, by)
        except StorageError as error:
            log.warning("what was written anew is held as forgotten or rejected still: %s", error)

    def brings_back_forgotten(self, before: str, after: str) -> bool:
        """Returns whether a text newly says what the person once had forgotten."""
        new = keys_of_new(before, after)
        return bool(new) and any(fact_key(line) in new for line in self.forgotten_lines(after))

    def lift_forgotten(self, lines: Sequence[str], by: str = _KEPT) -> tuple[Lifted, ...]:
        """Has these lines be forgotten no more. Returns what was lifted, which is reinstated when the change or
        decision named `by` is undone. Raises StorageError."""
        said = [text for line in lines for text in (line, words_after_head(line))]
        if self._tombstones is not None and any(self._tombstones.match(text) is Recall.FORGOTTEN for text in said):
            return (self._tombstones.lift(said, by),)
        return ()

    def forgotten_lines(self, text: str) -> list[str]:
        """Returns the lines of a text that say what the person had forgotten."""
        stones = self._tombstones
        if stones is None:
            return []

        def is_forgotten(line: str) -> bool:
            return stones.match(line) is Recall.FORGOTTEN

        return [line for line in text.split("\n") if without_forgotten(line, is_forgotten)[1]]

    def forgotten_by(self, line: str) -> frozenset[str]:
        """Returns the ids of the forgettings by which a line, or what it says, is forgotten."""
        stones = self._tombstones
        return stones.owners_of(line) | stones.owners_of(words_after_head(line)) if stones is not None else frozenset()

    def changes(self) -> list[MemoryChange]:
        """Returns all changes that are kept, oldest first, with what the history log tells of them. Raises
        StorageError."""
        entries = {intent.id: intent.history_entry.strip("\n") for intent in self._ledger.finished()}
        found = (line.change for line in self._log.lines())
        return [replace(each, entry=entries.get(each.id, "")) for each in found if each.before != each.after]

    def with_forgettings(self) -> list[MemoryChange]:
        """Returns all changes that are kept, oldest first, also forgettings, of which no former text is left. Raises
        StorageError."""
        found = (line.change for line in self._log.lines())
        return [each for each in found if each.before != each.after or each.is_forgetting]

    def newest(self) -> MemoryChange | None:
        """Returns the newest change, also a forgetting. Raises StorageError."""
        return next(reversed(self.with_forgettings()), None)

    def texts(self, change_id: str) -> tuple[str, str]:
        """Returns MEMORY.md before and after a change. Raises StorageError where they are not kept any more."""
        for line in self._log.lines():
            if line.change.id == change_id:
                return self.text(line.change.before), self.text(line.change.after)
        intent = self._ledger.intent(change_id)
        if intent is None or intent.memory_after is None:
            raise StorageError("There is no such change of memory, or it is too long ago.", next_step="", id=change_id)
        return intent.memory_before, intent.memory_after

    def text(self, digest: str) -> str:
        """Returns the text version of this digest. Raises StorageError where it is not kept any more."""
        found = self._versions.text(digest)
        if found is None:
            sentence = f"This version of {self.name} is not kept any more."
            raise StorageError(sentence, next_step="Memory is as it was. Choose a later version.", digest=digest)
        return found

    def attributed(
        self, conflicts: Sequence[Conflict], mine: MemoryOrigin | None, theirs: MemoryOrigin | None
    ) -> tuple[MemoryConflict, ...]:
        """Returns the conflicts with where either side came from; None: found in the log."""
        known = self._newest() if conflicts and not (mine and theirs) else []
        return tuple(
            MemoryConflict(
                each.base,
                each.mine,
                each.theirs,
                mine or _origin_of(each.mine, each.base, known),
                theirs or _origin_of(each.theirs, each.base, known),
            )
            for each in conflicts
        )

    def author_of(self, line: str) -> MemoryOrigin:
        """Returns the origin of a line of the file: of the newest change that wrote it, not of one that only brought it
        back; of no kind where no change that is kept says so. Raises StorageError.

        What stood there when the file was first looked at, another program wrote, or somebody by hand.
        """
        lines = self._log.lines()
        if lines and lines[-1].change.id != self._authors_up_to:
            self._find_authors(lines)
            self._authors_up_to = lines[-1].change.id
        key = fact_key(line)
        if not key or key in self._authors:
            return self._authors.get(key, MemoryOrigin())
        return next((origin for begins, origin in self._beginnings if key.startswith(begins)), MemoryOrigin())

    def _find_authors(self, lines: Sequence[LoggedChange]) -> None:
        self._authors.clear()
        self._beginnings.clear()
        first = lines[0].change
        if first.before == first.after and not first.origin.kind:
            stood = fact_lines(self._versions.text(first.after) or "")
            self._authors.update((fact_key(fact), MemoryOrigin("outside")) for fact in stood)
        for change in (each.change for each in lines):
            for fact in self._facts_of(change):
                key = fact_key(fact.removesuffix("…"))
                if fact.endswith("…"):
                    self._beginnings.insert(0, (key, change.origin))
                if change.origin.kind in RESTORING_KINDS:
                    self._authors.setdefault(key, change.origin)
                else:
                    self._authors[key] = change.origin

    def _facts_of(self, change: MemoryChange) -> Sequence[str]:
        """Returns the facts that a change added; all of them, as long as its texts are kept."""
        if change.count_added == len(change.added) and not any(fact.endswith("…") for fact in change.added):
            return change.added
        before, after = self._versions.text(change.before), self._versions.text(change.after)
        return change.added if before is None or after is None else added_facts(before, after)

    def _newest(self) -> list[_KnownChange]:
        """Returns the newest changes with their lines, the newest first."""
        found: list[_KnownChange] = []
        with suppress(StorageError):
            for line in reversed(self._log.lines()[-_LOOKED_BACK:]):
                before, after = self._versions.text(line.change.before), self._versions.text(line.change.after)
                if before is not None and after is not None:
                    found.append((line.change.origin, _lines(before), _lines(after)))
        return found

    def _add(
        self,
        change_id: str,
        origin: MemoryOrigin,
        before: str,
        before_text: str | None,
        after: MemoryText,
        *,
        for_good: bool = True,
    ) -> None:
        known = after.text if before_text is None else before_text
        marks = fact_hashes(after.text)
        deleted = sorted(fact_hashes(known) - marks) if origin.is_personal and for_good else []
        restored = sorted(mark for mark in marks if mark in self._log.deleted())
        added, removed = added_facts(known, after.text), added_facts(after.text, known)
        change = MemoryChange(
            id=change_id,
            when=origin.when or self.now(),
            origin=origin,
            before=before,
            after=after.digest,
            added=_shown(added),
            removed=_shown(removed),
            count_added=len(added),
            count_removed=len(removed),
        )
        self._log.add(LoggedChange(change, tuple(deleted), tuple(restored)))

    def _written_at(self) -> str:
        try:
            return datetime.fromtimestamp(self._paths.file(self.path).stat().st_mtime).isoformat()
        except (OSError, OverflowError, ValueError):
            return self.now()


def same_text(one: str, other: str) -> bool:
    """Returns whether two texts differ in their line ends at most: those are the file's own."""
    return one.replace("\r\n", "\n") == other.replace("\r\n", "\n")


def _origin_of(passage: str, base: str, changes: Sequence[_KnownChange]) -> MemoryOrigin:
    """Returns whose the newest change is that wrote a passage, or took `base` out where the passage is empty."""
    lines, was = _lines(passage), _lines(base)
    for origin, before, after in changes:
        if lines <= after and not lines <= before if lines else was and was <= before and not was <= after:
            return origin
    return MemoryOrigin()


def _lines(text: str) -> set[str]:
    return {stripped for line in text.split("\n") if (stripped := line.strip())}


def _shown(facts: Sequence[str]) -> tuple[str, ...]:
    return tuple(shortened(each, _SHOWN_LENGTH) for each in facts[:_SHOWN_FACTS])


def keys_of_new(before: str, after: str) -> frozenset[str]:
    """Returns the keys of the facts that a text has and the one before it has not."""
    known = {fact_key(line) for line in before.split("\n")}
    return frozenset(map(fact_key, after.split("\n"))) - known
