"""Corrects entries of the history logs and of daily notes where they stand, and takes corrections back.

Nothing else rewrites these logs, which are added to. A correction is a transaction of its own: the ledger keeps the
words before it, so that it is known what was said once, and it can be undone.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import EntryCorrected, Event, HistoryChanged
from mnemoscope.domain.memory.change import MemoryOrigin
from mnemoscope.domain.memory.facts import fact_key
from mnemoscope.domain.memory.file_registry import HISTORY_PATH
from mnemoscope.domain.memory.history_entries import NONE_UNDATED, UndatedEntries, bare_words
from mnemoscope.domain.memory.journal_entry import entry_of
from mnemoscope.domain.text.json_text import parsed_json
from mnemoscope.memory.files.memory_changes import keys_of_new
from mnemoscope.memory.files.memory_files import MemoryFiles
from mnemoscope.store.files.atomic import encode_text, read_stable, real_path
from mnemoscope.store.files.compare_and_swap import require_single
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.logs.entry_links import EntryLinks
from mnemoscope.store.logs.standing_entries import (
    StandingEntry,
    has_entries,
    standing_entries,
    stays_one_entry,
)
from mnemoscope.store.transactions.corrections import EntryCorrection, entry_words, standing_corrections
from mnemoscope.store.transactions.file_steps import is_open_correction
from mnemoscope.store.transactions.intent import CORRECTION, EntryEdit, Intent
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.write_access import WriteAccess

log = logging.getLogger(__name__)

_LEAST: Final = 8
"""Letters of a passage by which an entry that has more is found."""
_HEADING: Final = re.compile(r"\A##[ \t]+\[?\d{2}:\d{2}(?::\d{2})?\]?[^\n]*\n")
_CUT: Final = re.compile(r"(?:\s*\n)?(?:\.\.\. \(truncated\)|…)\s*\Z")


@dataclass(frozen=True, slots=True)
class CorrectableEntry:
    """Describes an entry that can be corrected: its `words` as they stand, without what says when. `correction` is the
    newest that it has had and that stands, None for none."""

    standing: StandingEntry
    words: str
    correction: EntryCorrection | None = None


class EntryCorrections:
    """Corrects the entries of one workspace's logs."""

    def __init__(
        self,
        paths: WorkspacePaths,
        ledger: Ledger,
        files: MemoryFiles,
        access: WriteAccess,
        *,
        disk: Disk,
        announce: Callable[[Event], None],
        clock: Callable[[], datetime],
        transact: Callable[[Intent], object],
        finish: Callable[[], Intent | None],
    ) -> None:
        """`transact` and `finish` are as JointChanges has them."""
        self._paths = paths
        self._ledger = ledger
        self._files = files
        self._access = access
        self._disk = disk
        self._announce = announce
        self._clock = clock
        self._transact = transact
        self._finish = finish

    async def find(self, path: str, passage: str, number: int | None = None) -> CorrectableEntry | None:
        """Returns the entry of a log that a passage is, or is part of, the newest of several; also where it was
        corrected since. None where there is none. `number`: its place in the log, where that is known. Raises
        StorageError, also where its bytes are no text."""
        return await self._disk.run(self._find, path, passage, number)

    async def correct(self, entry: CorrectableEntry, words: str) -> str:
        """Gives an entry other words in its place, and returns the id of the correction.

        Raises StorageError, with nothing written, where it does not stand any more as it was shown, or readers of the
        log would take the words for none or several entries.
        """
        self._access.require()
        change_id = await self._disk.run(self._correct, entry, words)
        self._announce_corrected()
        return change_id

    async def undo(self, correction_id: str) -> None:
        """Gives an entry its words before a correction back, as a correction that undoes it. Raises StorageError where
        something later changed the entry."""
        self._access.require()
        await self._disk.run(self._undo, correction_id)
        self._announce_corrected()

    def standing(self) -> dict[tuple[str, str], EntryCorrection]:
        """Returns the corrections that stand, by the log and the text of the entry as readers of the log have it.
        Blocks on the disk."""
        found: dict[tuple[str, str], EntryCorrection] = {}
        for (path, raw), correction in standing_corrections(self._ledger.corrections()).items():
            known = {_first_line(raw): correction.when[:16].replace("T", " ")} if path == HISTORY_PATH else NONE_UNDATED
            for entry in standing_entries(path, encode_text(raw), known):
                found[path, entry.text] = correction
        return found

    def _announce_corrected(self) -> None:
        self._announce(HistoryChanged())
        self._announce(EntryCorrected())

    def _find(self, path: str, passage: str, number: int | None) -> CorrectableEntry | None:
        if not has_entries(path):
            return None
        if not self._access.read_only:
            # What the disk refused half-way is shown as it is going to be.
            with suppress(StorageError):
                self._finish()
        entries = standing_entries(path, self._data(path), self._undated(path))
        corrections = self._ledger.corrections()
        wanted = _plain(passage)
        place = _place_of(entries, wanted)
        if number is not None and number < len(entries) and entries[number].text == passage:
            place = number
        for edit in (edit for intent in corrections for edit in intent.corrections if edit.path == path):
            if place is None and _holds(_plain(entry_words(path, edit.before)), wanted):
                wanted = _plain(entry_words(path, edit.after))
                place = _place_of(entries, wanted)
        if place is None:
            return None
        entry = entries[place]
        words = entry.words
        if words is None:
            raise StorageError("This entry has bytes that are no text, so it cannot be corrected.", next_step="")
        key = entry.path, entry.raw.decode("utf-8")
        return CorrectableEntry(entry, words, standing_corrections(corrections).get(key))

    def _correct(self, shown: CorrectableEntry, words: str) -> str:
        finished = self._finish()
        entry, words = shown.standing, words.strip()
        if finished is not None and _does(finished, entry, words):
            # It was refused half-way before, and is done now.
            return self._lift_forgotten(shown.words, words, finished.id)
        data, undated = self._data(entry.path), self._undated(entry.path)
        entries = standing_entries(entry.path, data, undated)
        same = [place for place, each in enumerate(entries) if each.raw == entry.raw]
        here = [place for place in same if entries[place].at == entry.at]
        if not here and len(same) != 1:
            raise StorageError("This entry was changed meanwhile.", next_step="Open it once more.")
        place = (here or same)[0]
        after = entries[place].with_words(words)
        if not words or not stays_one_entry(entries, place, after, data, undated):
            raise StorageError(
                "Readers of the history would not find one entry in these words.",
                next_step="Begin no line with a date in brackets or with two number signs, and leave some words.",
            )
        name = self._paths.name_on_disk(entry.path)
        edit = EntryEdit(name, entries[place].at, entry.raw.decode("utf-8"), after, self._record_of(entries, place))
        change_id = self._run(edit, MemoryOrigin("editor", self._clock().isoformat()))
        return self._lift_forgotten(shown.words, words, change_id)

    def _undo(self, correction_id: str) -> None:
        finished = self._finish()
        if finished is not None and (finished.origin_kind, finished.origin_detail) == ("undo", correction_id):
            self._files.memory.changes.reinstate(correction_id)
            return
        intent = self._ledger.intent(correction_id)
        if intent is None or not intent.corrections:
            raise StorageError("There is no such correction.", next_step="", id=correction_id)
        edit = intent.corrections[0].reverse
        if not is_open_correction(self._paths.root, edit):
            raise StorageError("Something later changed this entry.", next_step="", id=correction_id)
        self._run(edit, MemoryOrigin("undo", self._clock().isoformat(), detail=correction_id))
        self._files.memory.changes.reinstate(correction_id)

    def _run(self, edit: EntryEdit, origin: MemoryOrigin) -> str:
        # One that cannot be replaced is asked about before anything is written.
        require_single(real_path(self._paths.root / edit.path))
        intent = Intent.of_kind(
            CORRECTION,
            workspace_id=self._ledger.workspace_id(),
            when=origin.when,
            corrections=(edit,),
            origin_kind=origin.kind,
            origin_detail=origin.detail,
        )
        self._transact(intent)
        return intent.id

    def _lift_forgotten(self, before: str, after: str, change_id: str) -> str:
        """Lifts what the person wrote anew, where they once had it forgotten: it is their own word. Where the
        disk refuses that, it is asked about as what another program wrote. Returns the id of the correction."""
        new = keys_of_new(before, after)
        lines = [line for line in after.split("\n") if fact_key(line) in new]
        try:
            self._files.memory.changes.lift_forgotten(lines, change_id)
        except StorageError as error:
            log.warning("what an entry says newly is held as forgotten still: %s", error)
        return change_id

    def _record_of(self, entries: Sequence[StandingEntry], place: int) -> str:
        """Returns the consolidation that wrote an entry, "" where none is known."""
        entry = entries[place]
        newer = sum(each.text == entry.text for each in entries[place + 1 :])
        record = EntryLinks(self._ledger.records()).record_for(entry.text, entry.cursor, newer)
        return "" if record is None else record.transaction_id

    def _undated(self, path: str) -> UndatedEntries:
        return self._ledger.undated_entries() if path == HISTORY_PATH else NONE_UNDATED

    def _data(self, path: str) -> bytes:
        return read_stable(self._paths.file(path)) or b""


def _does(intent: Intent, entry: StandingEntry, words: str) -> bool:
    """Returns whether a transaction gives an entry these words."""
    wanted = [(entry.path, entry.raw.decode("utf-8"), entry.with_words(words))]
    return [(each.path, each.before, each.after) for each in intent.corrections] == wanted


def _place_of(entries: Sequence[StandingEntry], wanted: str) -> int | None:
    """Returns the newest entry of these words, else the newest that has them among others."""
    plain = [_plain(each.text) for each in entries]
    places = [place for place, words in enumerate(plain) if words == wanted]
    places = places or [place for place, words in enumerate(plain) if _holds(words, wanted)]
    return places[-1] if places else None


def _holds(words: str, wanted: str) -> bool:
    return words == wanted or (len(wanted) >= _LEAST and wanted in words)


def _plain(passage: str) -> str:
    """Returns the words of a passage as it stands in a prompt, in a log, or in a line of JSON, without its date."""
    passage = passage.strip()
    record = entry_of(parsed_json(passage)) if passage.startswith("{") else None
    text = passage if record is None else record.content
    text = _HEADING.sub("", text.removeprefix("- "))
    return bare_words(_CUT.sub("", text))


def _first_line(text: str) -> bytes:
    return encode_text(text.partition("\n")[0].strip())
