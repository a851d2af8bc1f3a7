"""Carries a committed forgetting out: each place, the change logs, the search afterwards, the receipt.

Taking words out twice is taking them out once, so a forgetting that a crash cut off is simply begun anew. The intent is
dropped last, since it holds the words. Everything here blocks on the disk.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from mnemoscope.domain.disagreement.settlement import pair_id, pairs_of
from mnemoscope.domain.errors import FileShared, StorageError
from mnemoscope.domain.forgetting.forgetting_receipt import (
    ASKS_ABOUT_LEFT,
    STILL_THERE,
    ForgettingReceipt,
    LeftPlace,
    TakenPlace,
)
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.forgetting.plan import FoundPlace, PlaceKind
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryChange, MemoryOrigin
from mnemoscope.domain.memory.file_registry import COMPARED_FILES
from mnemoscope.domain.merge.three_way import with_what_came_since
from mnemoscope.store.files.atomic import TEMPORARY_SUFFIX, digest_of, read_stable, remove_file
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.compare_and_swap import is_known_leftover
from mnemoscope.store.forgetting.byte_search import SearchedFiles
from mnemoscope.store.forgetting.forgetting_receipts import ForgettingReceipts
from mnemoscope.store.forgetting.places import ForgettingPlaces
from mnemoscope.store.forgetting.plain_hashes import PlainHashes, new_suggestion_id
from mnemoscope.store.memory.change_log import ChangeLog, LoggedChange
from mnemoscope.store.memory.memory_file import MemoryFile
from mnemoscope.store.memory.suggestion_file import decode_suggestion
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.memory.tracked_files import is_tracked
from mnemoscope.store.sessions.folder import SessionFolder
from mnemoscope.store.transactions.intent import ForgetStep, Intent
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)
FORGETTING_ORIGIN: Final = "forgotten"
"""The kind of a change of memory that took forgotten words out."""


@dataclass(frozen=True, slots=True)
class CompletedForgetting:
    """Describes a forgetting that is done: its receipt, and each file as it was before and is now, for an undo; None:
    no file."""

    receipt: ForgettingReceipt
    files: Mapping[Path, tuple[bytes | None, bytes | None]]


class ForgettingFiles:
    """Carries forgettings out in the files of one workspace. `outside` as ForgettingPlaces has it."""

    def __init__(
        self,
        paths: WorkspacePaths,
        ledger: Ledger,
        *,
        outside: Iterable[Path] = (),
        calls: FileCalls = REAL_CALLS,
        before_search: Callable[[], None] = lambda: None,
    ) -> None:
        """`before_search` is called when the words are out, before the search that the receipt tells of, so that it
        names what this writes with them. It is called again where a crash or the disk cuts it off. It may raise
        StorageError."""
        self._paths = paths
        self._ledger = ledger
        self._outside = tuple(outside)
        self._calls = calls
        self.receipts = ForgettingReceipts(paths.own.forgetting_receipts_dir, calls=calls)
        self._former: dict[str, dict[Path, bytes | None]] = {}
        """By the id of a forgetting that this process began and did not finish, the contents of its files before."""
        self._last_try: dict[Path, bytes | None] = {}
        """The contents of these files after its last try, which failed."""
        self._throw_index_away: Callable[[], None] = lambda: None
        self._before_search = before_search

    def before_removing_index(self, throw_away: Callable[[], None]) -> None:
        """Has the search index that is open thrown away by this call, before its file is removed."""
        self._throw_index_away = throw_away

    def begin(self, intent: Intent) -> CompletedForgetting:
        """Carries out what was committed in this moment. Raises StorageError, as `apply` does; what the files held is
        then remembered until a later try has finished it."""
        self._former = {intent.id: {}}
        return self.apply(intent)

    def is_whole(self, forgetting_id: str) -> bool:
        """Returns whether a forgetting that is not finished was begun in this process, so that all of it can be taken
        back afterwards."""
        return forgetting_id in self._former

    def apply(self, intent: Intent) -> CompletedForgetting:
        """Takes the words out of every place that the intent takes, and keeps the receipt. Raises StorageError where
        the disk refuses; the intent stays then."""
        before = self._former.get(intent.id, {})
        try:
            self._take_in(before)
            carried = self._apply(intent, before)
        except StorageError:
            self._last_try = {path: read_stable(path) for path in before}
            raise
        self._former.pop(intent.id, None)
        return carried

    def _take_in(self, before: dict[Path, bytes | None]) -> None:
        """Adds what came into the files since the last try to what they held before it, so that a way back has it too.
        Where that cannot be told, the way back is to what they hold now."""
        left, self._last_try = self._last_try, {}
        for path, data in left.items():
            now = read_stable(path)
            if path in before and now != data:
                former = before[path]
                before[path] = None if former is None else with_what_came_since(path.name, former, data, now) or now

    def _apply(self, intent: Intent, before: dict[Path, bytes | None]) -> CompletedForgetting:
        what = ForgottenText(intent.forgotten)
        places = ForgettingPlaces(self._paths, intent.id, outside=self._outside, calls=self._calls)
        shared: dict[tuple[str, str], str] = {}
        with SessionFolder(self._paths.sessions_dir, self._paths.root).writing():
            self._take(intent, places, what, before, shared)
        self._note_changes(intent)
        hashes = self._hashes(intent, places)
        if hashes is not None:
            hashes.replace(before)
        self._before_search()
        receipt = self._receipt(intent, places, what, shared, hashes.name_of if hashes is not None else str)
        self.receipts.keep(receipt)
        # One that an earlier try kept tells of this forgetting, and is none of what it took.
        before.pop(self.receipts.path_of(receipt.id), None)
        try:
            self._ledger.drop()
        except StorageError:
            if self._paths.own.intent_file.exists():
                raise
            log.warning("the intent of a forgetting is gone, but the disk may have it again after a power cut")
        return CompletedForgetting(receipt, {path: (data, read_stable(path)) for path, data in before.items()})

    def _hashes(self, intent: Intent, places: ForgettingPlaces) -> PlainHashes | None:
        if not intent.secret:
            return None
        steps = _taken(intent)
        names = {Path(step.path).stem for step in steps if step.kind == PlaceKind.SUGGESTIONS}
        names |= self._marks_of_questions()
        # What a transaction or another program named is named by no words.
        named = {each.id for each in self._ledger.finished()} | {
            path.stem for path in self._paths.own.inbox_dir.glob("*")
        }
        return PlainHashes(
            self._paths,
            intent.secret,
            places.conversations,
            suggestions={
                name: new_suggestion_id(intent.secret, name)
                for name in sorted(names - named)
                if not self._is_of_words_that_stand(name)
            },
            marks=intent.forgotten_marks,
            taken={step.path for step in steps},
            commits=places.commit_ids() if any(step.kind == PlaceKind.COMMITS for step in steps) else None,
            calls=self._calls,
        )

    def _marks_of_questions(self) -> set[str]:
        """Returns the ids of what is kept of questions about lines that came back: each is made of a text with such a
        line."""
        found = (
            (path.stem, decode_suggestion(read_stable(path) or b""))
            for path in sorted(self._paths.own.settled_dir.glob("*.json"))
        )
        return {name for name, held in found if held is not None and held.is_written_back and not held.before}

    def _is_of_words_that_stand(self, suggestion_id: str) -> bool:
        """Returns whether the id is that of two facts that disagree, none of which had the words: it can be made of
        what stands in the suggestion still, and by it the pair is known as one that waits, or was settled."""
        own, texts = self._paths.own, dict[str, str]()
        for path in COMPARED_FILES:
            with suppress(StorageError):
                texts[path] = MemoryFile(self._paths.file(path)).read().text
        for folder in (own.suggestions_dir, own.settled_dir):
            held = decode_suggestion(read_stable(folder / f"{suggestion_id}.json") or b"")
            if held is not None:
                ids = (pair_id(each.old_path, each.pair, each.new_path) for each in pairs_of(held, texts))
                return suggestion_id in ids
        return False

    def _take(
        self,
        intent: Intent,
        places: ForgettingPlaces,
        what: ForgottenText,
        before: dict[Path, bytes | None],
        shared: dict[tuple[str, str], str],
    ) -> None:
        order = {place.kind: number for number, place in enumerate(places.all)}
        for step in sorted(_taken(intent), key=lambda each: order.get(PlaceKind(each.kind), 0)):
            if step.kind == PlaceKind.INDEX:
                self._throw_index_away()
            for path, data in self._as_it_is(step, places).items():
                before.setdefault(path, data)
            try:
                places.take(step.kind, step.path, what, in_home=step.in_home)
                self._drop_leftovers(places.path_of(step.path, in_home=step.in_home))
            except FileShared as error:
                # A file with other names: these would keep the words, whatever was done here.
                shared[step.kind, step.path] = error.sentence

    def _drop_leftovers(self, path: Path) -> None:
        """Removes what a try that the disk cut off left beside a file: its text as it was, with the words. A text of
        another program stays."""
        for left in sorted(path.parent.glob(f".{path.name}.*{TEMPORARY_SUFFIX}")):
            if is_known_leftover(left):
                remove_file(left, calls=self._calls)

    def _as_it_is(self, step: ForgetStep, places: ForgettingPlaces) -> dict[Path, bytes | None]:
        """Returns the files of a place with their bytes; of an index, which is made anew, none."""
        path = places.path_of(step.path, in_home=step.in_home)
        if step.kind == PlaceKind.INDEX:
            return {}
        if path.is_dir():
            return {each: read_stable(each) for each in sorted(path.rglob("*")) if each.is_file()}
        if step.kind == PlaceKind.MEMORY:
            log = self._paths.own.change_log_of(_tracked_name(step.path))
            return {path: read_stable(path), log: read_stable(log)}
        return {path: read_stable(path)}

    def _note_changes(self, intent: Intent) -> None:
        """Notes, once, that memory files were changed by the forgetting: without a word of what they said."""
        versions = TextVersions(self._paths.own.text_versions_dir, calls=self._calls)
        for step in _taken(intent):
            if step.kind != PlaceKind.MEMORY or not is_tracked(_tracked_name(step.path)):
                continue
            name = _tracked_name(step.path)
            changes = ChangeLog(self._paths.own.change_log_of(name), calls=self._calls)
            now = MemoryFile(self._paths.file(name), calls=self._calls).read()
            last = changes.last_digest()
            if last in (None, now.digest) or changes.holds(intent.id):
                continue
            versions.keep(now.text, now.digest)
            origin = MemoryOrigin(FORGETTING_ORIGIN, intent.when, detail=intent.id)
            changes.add(LoggedChange(MemoryChange(intent.id, intent.when, origin, last or "", now.digest)))

    def _receipt(
        self,
        intent: Intent,
        places: ForgettingPlaces,
        what: ForgottenText,
        shared: Mapping[tuple[str, str], str],
        name_of: Callable[[str], str],
    ) -> ForgettingReceipt:
        searched = SearchedFiles()
        reasons = {(step.kind, step.path): step.reason for step in intent.forgets if step.reason} | dict(shared)
        left = [self._left(found, places, reasons) for found in places.find(what, searched)]
        still = {(each.kind, each.path) for each in left}
        # What was only named, as it lies where nobody searches afterwards.
        left += [
            LeftPlace(PlaceKind(step.kind), step.path, step.count, step.reason)
            for step in intent.forgets
            if step.kind == PlaceKind.OTHER_AGENTS
        ]
        # A file may be called by the words, and the receipt holds none of them.
        left = [replace(each, path=what.redacted(each.path)) for each in left]
        taken = tuple(
            TakenPlace(PlaceKind(step.kind), what.redacted(step.path), step.count, self._digest(places, step))
            for step in (replace(each, path=name_of(each.path)) for each in _taken(intent))
            if (step.kind, step.path) not in still
        )
        return ForgettingReceipt(intent.id, intent.when, taken, tuple(left), searched.files, searched.bytes)

    def _left(self, found: FoundPlace, places: ForgettingPlaces, reasons: Mapping[tuple[str, str], str]) -> LeftPlace:
        name = places.name_of(found)[0]
        reason = reasons.get((found.kind, name)) or found.why_not or self._why_there(found.kind, places.path_of(name))
        return LeftPlace(found.kind, name, found.count, reason)

    def _why_there(self, kind: PlaceKind, path: Path) -> str:
        """Returns why a place has the words that is none of those the person was shown."""
        held = decode_suggestion(read_stable(path) or b"") if kind is PlaceKind.SUGGESTIONS else None
        return ASKS_ABOUT_LEFT if held is not None and held.is_written_back else STILL_THERE

    def _digest(self, places: ForgettingPlaces, step: ForgetStep) -> str:
        path = places.path_of(step.path, in_home=step.in_home)
        data = read_stable(path) if path.is_file() else None
        return "" if data is None else digest_of(data)


def _taken(intent: Intent) -> list[ForgetStep]:
    return [step for step in intent.forgets if not step.reason]


def _tracked_name(name: str) -> str:
    """Returns how a memory file is known: MEMORY.md by one path, wherever it lies."""
    return MEMORY_PATH if name == "MEMORY.md" else name
