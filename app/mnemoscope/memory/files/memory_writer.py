"""Saves a memory file. No text of the person is lost, and no model adds again what the person deleted.

A save goes this way: the text is kept as a text version; what the file says now is read, and what others did to it is
noted (`memory_changes`); both are merged; the result is put in place by compare-and-swap (`store/memory/memory_file`);
the change is noted with whose it is. What cannot be merged waits for the person as a suggestion, in one transaction
with the write.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

from mnemoscope.domain.disagreement.memory_check import checked
from mnemoscope.domain.errors import StorageError, Unfinished
from mnemoscope.domain.forgetting.forgotten_lines import taken_out
from mnemoscope.domain.forgetting.forgotten_text import MARK
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryConflict, MemoryOrigin
from mnemoscope.domain.memory.fact_outcomes import OBSOLETE
from mnemoscope.domain.memory.file_registry import HISTORY_PATH, STATE_PATH, file_of_page, is_paged
from mnemoscope.domain.memory.history_entries import NONE_UNDATED
from mnemoscope.domain.memory.suggestion import (
    HAD_FORGOTTEN,
    HALF_TAKEN_BACK,
    STANDS_AGAIN,
    STAYED,
    WRITTEN_BACK,
    Suggestion,
)
from mnemoscope.domain.merge.conflict_resolution import changed_passages, whole_passages
from mnemoscope.domain.merge.held_back import HeldBack
from mnemoscope.domain.merge.three_way import Conflict, Merge, is_rewrite, merge_memory
from mnemoscope.domain.review.memory_review import Proposal, review
from mnemoscope.domain.review.sources import Sources
from mnemoscope.memory.files.memory_changes import MemoryChanges, keys_of_new, same_text
from mnemoscope.store.files.atomic import digest_of, encode_text
from mnemoscope.store.forgetting.tombstones_file import put_back_if_refused
from mnemoscope.store.logs.entry_links import EntryLinks
from mnemoscope.store.logs.standing_entries import has_entries, reworded_entries, standing_entries
from mnemoscope.store.memory.log_page import LogPage
from mnemoscope.store.memory.memory_file import MemoryFile, MemoryMoved, MemoryText
from mnemoscope.store.memory.suggestion_file import encode_suggestion
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.transactions.intent import EDIT, RESTORE, REVIEW, EntryEdit, Intent, TextEdit, with_facts
from mnemoscope.store.transactions.ledger import Ledger

log = logging.getLogger(__name__)
_ALWAYS_WHOLE: Final = frozenset({"restore", "undo", "review"})
"""Origins whose writes are always a transaction of their own, which the ledger keeps."""
_KINDS: Final = {"restore": RESTORE, "undo": RESTORE, "review": REVIEW}
_TRIES: Final = 5
_GONE: Final = ("accept", "theirs")
"""The outcomes of a suggestion with which the person let a line go."""


@dataclass(frozen=True, slots=True)
class MemorySaved:
    """Reports what a memory file says after a save. `merged`: it had moved on, and both changes are in `text`.

    `conflicts`: passages both sides changed; the person's stands in `text`, the other is among the suggestions.
    `held`: why nothing was written and the text waits among them, a sentence each.
    """

    text: str
    digest: str
    merged: bool = False
    conflicts: tuple[Conflict, ...] = ()
    held: tuple[str, ...] = ()
    change_id: str = ""
    """The change that a model's text made, "" where it made none."""
    suggestion_id: str = ""
    """The suggestion that a model's text became, "" where it became none."""


@dataclass(frozen=True, slots=True)
class Proposer:
    """Describes a model that wants to write memory: what was said before it, and keys that may not be kept."""

    sources: Sources
    keys: frozenset[str]
    session_key: str
    when: str


@dataclass(frozen=True, slots=True)
class SuggestionEffects:
    """Adds to the transaction of a write: suggestions are closed with an `outcome`, others begin to wait, and what the
    person rejected is remembered, each as the suggestion that would have done it."""

    settles: tuple[str, ...] = ()
    outcome: str = ""
    holds: tuple[Suggestion, ...] = ()
    rejects: tuple[Suggestion, ...] = ()

    @property
    def fields(self) -> dict[str, Any]:
        """Returns the fields by which an intent says so."""
        holds, rejects = (
            tuple(encode_suggestion(each).decode("utf-8") for each in them) for them in (self.holds, self.rejects)
        )
        return {"settles": self.settles, "outcome": self.outcome, "holds": holds, "rejects": rejects}

    def carry_out(self, ledger: Ledger, changes: MemoryChanges) -> None:
        """Does so. Raises StorageError."""
        for suggestion in self.holds:
            ledger.add_suggestion(suggestion)
        for suggestion in self.rejects:
            changes.remember_rejected(suggestion)
        for suggestion_id in self.settles:
            ledger.settle(suggestion_id, self.outcome)


Sides = tuple[MemoryOrigin | None, MemoryOrigin | None]


class MemoryWriter:
    """Writes one memory file. Blocks on the disk; the disk thread owns it.

    `file` is the file with compare-and-swap, `changes` the log of what became of it and by whom. Which method writes:

    - `save`: a person, a capture or a tool made a text from one they had read. It is merged where the file moved on.
    - `save_with_base`: the same, where the text it was made from is at hand, as of a suggestion or within a capture.
    - `propose`: a model wants a text to be saved. It passes the gate or waits.
    - `suggest`: nothing is written. The text waits for the person, as a suggestion.
    - `save_merge`: the merge is made already, as of an undo. What it withholds becomes a suggestion.
    - `replace_current`: the text is final, and only what was just read may be replaced. What writes above ends here.
    - `overwrite`: whatever stands there is replaced, as `write_long_term` promises.
    """

    def __init__(
        self,
        file: MemoryFile,
        changes: MemoryChanges,
        versions: TextVersions,
        ledger: Ledger,
        *,
        finish_pending: Callable[[], object] = lambda: None,
        others: Callable[[], Mapping[str, str]] = dict,
        half_undone: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        """`finish_pending` rolls forward what a crash left: it is called before every transaction. `others` gives the
        texts of the memory files, by path, that no line of this one may disagree with; `half_undone` the ids of the
        forgettings of which the way back is not finished."""
        self.file = file
        self.changes = changes
        self._versions = versions
        self._ledger = ledger
        self._finish_pending = finish_pending
        self._others = others
        self._half_undone = half_undone

    def read(self, *, keep: bool = True) -> MemoryText:
        """Returns the present text, which is kept as a base for later merges. Raises UnreadableFile."""
        found = self.file.read()
        if keep and found.exists:
            # Reading must work on a full disk too; only a later merge is then poorer.
            with suppress(StorageError):
                self.changes.notice(found)
                self._versions.keep(found.text, found.digest)
        return found

    def overwrite(self, text: str) -> MemoryText:
        """Replaces whatever is there, merging nothing; the text before stays among the text versions."""
        for _ in range(_TRIES):
            with suppress(MemoryMoved):
                return self.replace_current(text, self.read(), MemoryOrigin("editor", self.changes.now()))
        raise keeps_changing(self.changes.name)

    def save(
        self, text: str, based_on: str | None, origin: MemoryOrigin, effects: SuggestionEffects | None = None
    ) -> MemorySaved:
        """Saves a text made from that of digest `based_on`, merged where the file moved on. The text is on disk before
        anything else is tried. Raises StorageError."""
        # On disk before anything else is tried: no crash takes it from here on.
        self._versions.keep_text(text)
        return self.save_with_base(text, based_on, self._versions.text(based_on), origin, effects)

    def propose(self, text: str, based_on: str | None, origin: str, proposer: Proposer) -> MemorySaved:
        """Saves a model's text where it passes the gate that a consolidation's answer passes too; else it is `held`
        with the reasons, and nothing is written. Raises StorageError.

        The text is judged against the text it was made from, or the present one where that is not known any more.
        """
        current = self.read()
        known = self._versions.text(based_on) if based_on else None
        before = current.text if known is None else known
        proposal = review(before, text, sources=proposer.sources, known=proposer.keys)
        proposal = self.checked(before, proposal, datetime.fromisoformat(proposer.when).date(), proposer.sources.spoken)
        source = MemoryOrigin(origin, proposer.when, proposer.session_key)
        if not proposal.reasons:
            saved = self.save(proposal.text, based_on, source)
            return replace(saved, change_id=self.changes.made_by(source))
        suggestion_id = self.suggest(before, proposal.text, proposal.reasons, source)
        return MemorySaved(current.text, current.digest, held=proposal.reasons, suggestion_id=suggestion_id)

    def checked(self, before: str, proposal: Proposal, today: date, spoken: str = "") -> Proposal:
        """Returns a reviewed proposal with a reason for each line of memory that disagrees with it, in this file or
        another."""
        return checked(before, proposal, today, spoken, self._others(), self.changes.path)

    def save_with_base(
        self,
        text: str,
        based_on: str | None,
        base: str | None,
        origin: MemoryOrigin,
        effects: SuggestionEffects | None = None,
    ) -> MemorySaved:
        """Saves as `save` does a text made from `base`, without a text version of what is to be saved. `based_on` is
        the digest of `base`, None where the file is not known to have held it. Raises StorageError."""
        is_own_word = origin.is_own_word and (base is not None or based_on is None)
        # Captures are the person's own words, too: these no rejection stands against, but what is forgotten is held.
        own_facts = keys_of_new(base or "", text) if is_own_word or origin.kind == "capture" else frozenset()
        for _ in range(_TRIES):
            current = self.read()
            moved = current.exists and current.digest != based_on
            merge = _merged(base if moved else current.text, text, current.text, personal=origin.is_personal)
            with suppress(MemoryMoved):
                return self.save_merge(merge, text, current, origin, effects=effects, own_facts=own_facts)
        raise keeps_changing(self.changes.name)

    def save_merge(
        self,
        merge: Merge,
        wanted: str,
        current: MemoryText,
        origin: MemoryOrigin,
        *,
        sides: Sides | None = None,
        effects: SuggestionEffects | None = None,
        own_facts: Collection[str] = (),
    ) -> MemorySaved:
        """Writes the merge of `wanted` with `current`, which the caller made; what may not be written becomes a
        suggestion.

        `sides`: where the merge's two texts came from, None for what the log of changes says. `own_facts` is as in
        `hold_back` of the changes. Raises MemoryMoved or StorageError.
        """
        safe = self.changes.hold_back(current.text, merge.text, is_personal=origin.is_personal, own_facts=own_facts)
        # A conflict's other side is kept whole before anything is written.
        for text in (wanted, merge.proposed) if merge.conflicts or safe.conflicts else ():
            self._versions.keep_text(text)
        sides = sides or ((origin, None) if origin.is_personal else (None, origin))
        found = (*merge.conflicts, *safe.conflicts)
        held = self._held(safe, merge, found, origin, sides) if found else None
        if held is not None:
            effects = replace(effects or SuggestionEffects(), holds=(held,))
        if origin.kind in _ALWAYS_WHOLE or (
            origin.is_own_word and self.changes.brings_back_forgotten(current.text, safe.text)
        ):
            # Else a kill after the text is written would leave the person's own word held as forgotten.
            effects = effects or SuggestionEffects()
        written = self.replace_current(safe.text, current, origin, effects)
        lost = _lost_to_concurrent_write(current.text, written.text, safe.text)
        if lost:
            again = self._held(replace(safe, text=written.text), merge, (*found, *lost), origin, sides)
            self._ledger.add_suggestion(replace(again, id=held.id) if held else again)
        return MemorySaved(written.text, written.digest, not same_text(written.text, wanted), (*found, *lost))

    def replace_current(
        self, text: str, current: MemoryText, origin: MemoryOrigin, effects: SuggestionEffects | None = None
    ) -> MemoryText:
        """Replaces `current`, if the file still says it, and notes whose change it was; with `effects` as one
        transaction, which a crash cannot halve.

        Raises MemoryMoved or StorageError, with nothing done. Where the disk refuses what follows once the text
        stands, that is Unfinished: the transaction is committed, and the next recovery does the rest.
        """
        if effects is not None:
            self._finish_pending()
            if (found := self.file.read()).digest != current.digest:
                raise MemoryMoved(self.file.path.name, found)
        self.changes.notice(current, before_writing=True)
        change_id = secrets.token_hex(8)
        intent = None if effects is None else self._commit(change_id, text, current, origin, effects)
        try:
            written = self.file.write(text, based_on=current.digest)
        except StorageError as error:
            if intent is None:
                raise
            if isinstance(error, MemoryMoved) or not self._stands(text):
                self._ledger.drop()
                raise
            raise Unfinished(error.sentence, id=change_id) from error
        try:
            self._versions.keep(written.text, written.digest)
            self.changes.note(change_id, origin, text, written)
            if intent is not None and effects is not None:
                effects.carry_out(self._ledger, self.changes)
                self._ledger.finish(intent)
        except StorageError as error:
            if intent is not None:
                raise Unfinished(error.sentence, id=change_id) from error
            # It is saved; whose it is, is noted when the file is looked at next.
            self.changes.note_later(change_id, origin, written)
            log.warning("a change of %s is not noted yet: %s", self.changes.name, error)
        return written

    def finish_refused(self) -> None:
        """Does the rest of a transaction that the disk refused half-way, if there is one. Raises StorageError."""
        if self._ledger.pending() is not None:
            self._finish_pending()

    def waiting(self, suggestion_id: str) -> Suggestion:
        """Returns the suggestion of this id that waits, once what was refused half-way is finished. Raises StorageError
        where none does."""
        self.finish_refused()
        return self._ledger.waiting(suggestion_id)

    def asked_about(self, suggestion_id: str) -> bool:
        """Returns whether a suggestion waits, or the person settled it."""
        return self._ledger.asked_about(suggestion_id)

    def _stands(self, text: str) -> bool:
        """Returns whether the file says it though writing failed: then what belongs to it is done by the next
        recovery."""
        with suppress(StorageError):
            return same_text(self.file.read().text, text)
        return False

    def _commit(
        self, change_id: str, text: str, current: MemoryText, origin: MemoryOrigin, effects: SuggestionEffects
    ) -> Intent:
        self._versions.keep(current.text, current.digest)
        intent = Intent.of_kind(
            _KINDS.get(origin.kind, EDIT),
            workspace_id=self._ledger.workspace_id(),
            when=origin.when,
            id=change_id,
            **self._texts(current, text),
            **effects.fields,
            rewordings=self._rewordings(text, origin),
            origin_kind=origin.kind,
            origin_detail=origin.detail,
        )
        self._ledger.commit(with_facts(intent))
        return intent

    def _rewordings(self, text: str, origin: MemoryOrigin) -> tuple[EntryEdit, ...]:
        """Returns what a text of a log makes of the entries that consolidations wrote."""
        path = file_of_page(self.changes.path)
        if not isinstance(self.file, LogPage) or not has_entries(path):
            return ()
        before, after = self.file.logs_with(text)
        undone = self._ledger.intent(origin.detail) if origin.kind == "undo" else None
        back = tuple(each.reverse for each in undone.rewordings) if undone is not None else ()
        # An entry of which nothing was left is not among those that stand.
        if back and all(each.before == MARK or encode_text(each.before) in before for each in back):
            return back
        undated = self._ledger.undated_entries() if path == HISTORY_PATH else NONE_UNDATED
        entries, now = standing_entries(path, before, undated), standing_entries(path, after, undated)
        links, found = EntryLinks(self._ledger.records()), list[EntryEdit]()
        for entry, reworded in reworded_entries(entries, now):
            newer = sum(each.text == entry.text and each.at > entry.at for each in entries)
            record = links.record_for(entry.text, entry.cursor, newer)
            if record is not None:
                raw = entry.raw.decode("utf-8", "replace")
                found.append(EntryEdit(path, entry.at, raw, reworded, record.transaction_id))
        return tuple(found)

    def _texts(self, current: MemoryText, text: str) -> dict[str, Any]:
        if self.changes.path != MEMORY_PATH:
            return {"edits": (TextEdit(self.changes.path, current.text, current.digest, text),)}
        return {"memory_before": current.text, "memory_before_version": current.digest, "memory_after": text}

    def _held(
        self, safe: HeldBack, merge: Merge, found: tuple[Conflict, ...], origin: MemoryOrigin, sides: Sides
    ) -> Suggestion:
        reasons = (*map(_sentence, merge.conflicts), *safe.reasons)
        conflicts = self.changes.attributed((*whole_passages(merge), *found[len(merge.conflicts) :]), *sides)
        return self._suggestion(safe.text, merge.proposed, reasons, conflicts, origin)

    def ask_about_forgotten(self, current: MemoryText, *, stayed: bool = False) -> bool:
        """Asks about lines that came back though the person had them forgotten, since another program wrote them or
        the way back was cut off; about each once, as long as that waits, and once for each text, unless it went by the
        person's word and came back. `stayed`: a forgetting just now left them, also in a text that was asked about
        before. Returns whether anything is asked. Raises StorageError."""
        found = self.changes.forgotten_lines(current.text)
        if not found:
            return False
        known_as = digest_of(encode_text(f"{self.changes.path}\n{current.digest}"))[:16]
        if self._ledger.asked_about(known_as):
            if not stayed and self._ledger.suggestion_states().settled.get(known_as) not in _GONE:
                return False
            known_as = ""
        asked = {
            line for each in self._asked() for line in set(each.before.split("\n")) - set(each.proposed.split("\n"))
        }
        found = [line for line in found if line not in asked]
        if found:
            self._ask(current, found, known_as, stayed=stayed)
        return bool(found)

    def drop_questions(self) -> bool:
        """Drops what waits about lines of a file that is not there any more, or has another name. Returns whether
        anything did. Raises StorageError."""
        asked = self._asked()
        for each in asked:
            self._ledger.settle(each.id, OBSOLETE)
        return bool(asked)

    def _asked(self) -> list[Suggestion]:
        """Returns what waits since lines of this file came back that the person had forgotten."""
        return [each for each in self._ledger.suggestions() if each.path == self.changes.path and each.is_written_back]

    def lift_forgotten(self, line: str) -> None:
        """Lets a forgotten line that came back stand and be sent, since the person says so; what else came back waits
        on. Raises StorageError."""
        lifted = self.changes.lift_forgotten([line])
        asked = self._asked()
        with put_back_if_refused(lifted):
            for each in asked:
                self._ledger.settle(each.id, "reject")
        current = self.read()
        if asked and (left := self.changes.forgotten_lines(current.text)):
            self._ask(current, left)

    def _ask(self, current: MemoryText, found: Sequence[str], known_as: str = "", *, stayed: bool = False) -> None:
        # In the log the time of an entry stays, by which other programs and our records find the entry.
        keeps_time = file_of_page(self.changes.path) == HISTORY_PATH
        left = {line: taken_out(line, keeps_time=keeps_time) for line in found}
        kept = [row for line in current.text.split("\n") if (row := left.get(line, line)) is not None]
        passages = [Conflict(line, line, left[line] or "") for line in found] if any(left.values()) else ()
        origin = MemoryOrigin("outside", self.changes.now())
        reasons = [f"{HAD_FORGOTTEN}: “{line.strip()[:120]}”." for line in found]
        begun = self._half_undone()
        path = self.changes.path
        # Of these not only other programs are the writers: what is said is noted there.
        back = STANDS_AGAIN if path == STATE_PATH or is_paged(file_of_page(path)) else WRITTEN_BACK
        why = STAYED if stayed else back
        reasons += [HALF_TAKEN_BACK if self.changes.forgotten_by(line) & set(begun) else why for line in found]
        self.suggest(current.text, "\n".join(kept), reasons, origin, known_as=known_as, passages=passages)

    def suggest(
        self,
        before: str,
        proposed: str,
        reasons: Iterable[str],
        origin: MemoryOrigin,
        *,
        known_as: str = "",
        passages: Sequence[Conflict] = (),
        rests_on: str = "",
    ) -> str:
        """Has a text wait for the person as a suggestion, in these passages or else as it can be taken apart; with the
        id `known_as`, or a new one. `rests_on` is as in Suggestion. Returns the id. Raises StorageError."""
        reasons = (*reasons, *self.changes.hold_back(before, proposed).reasons)
        conflicts = self.changes.attributed(passages or changed_passages(before, proposed), None, origin)
        held = self._suggestion(before, proposed, reasons, conflicts, origin)
        self._ledger.add_suggestion(replace(held, id=known_as or held.id, rests_on=rests_on))
        return known_as or held.id

    def _suggestion(
        self,
        before: str,
        proposed: str,
        reasons: Iterable[str],
        conflicts: tuple[MemoryConflict, ...],
        origin: MemoryOrigin,
    ) -> Suggestion:
        return Suggestion(
            id=secrets.token_hex(8),
            when=self.changes.now(),
            before=before,
            proposed=proposed,
            reasons=tuple(dict.fromkeys(reasons)),
            session_key=origin.session_key,
            start=origin.start,
            stop=origin.stop,
            conflicts=conflicts,
            path=self.changes.path,
            claimed_by=origin.detail if origin.kind == "mcp" else "",
        )


def _merged(base: str | None, text: str, current: str, *, personal: bool) -> Merge:
    if personal:
        return Merge(text, text) if base == current else merge_memory(base, text, current)
    if base == current and is_rewrite(current, text):
        return Merge(current, text, (Conflict(current, current, text),))
    return merge_memory(base, current, text)


def _lost_to_concurrent_write(before: str, written: str, wanted: str) -> tuple[Conflict, ...]:
    """Returns what was to be written where another program wrote in the very moment of writing and its lines stand."""
    return () if same_text(written, wanted) else merge_memory(before, written, wanted, rewrites=True).conflicts


def _sentence(conflict: Conflict) -> str:
    line = (conflict.base or conflict.theirs or conflict.mine).strip().partition("\n")[0][:120]
    return f"“{line}” was changed on both sides; your text stands."


def keeps_changing(name: str) -> StorageError:
    """Returns the error that says that another program writes a file all the time."""
    return StorageError(f"{name} is being changed by another program without a pause.")
