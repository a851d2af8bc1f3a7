"""Finds the places that hold some words, and removes the words from the chosen places in one transaction.

It can be undone while the caller still has the former contents. Everything here blocks on the disk; methods that only
read may run on any thread.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError, Unfinished
from mnemoscope.domain.forgetting.forgetting_receipt import BY_CHOICE, ForgettingReceipt
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.forgetting.plan import ForgettingPlan, FoundPlace, goes_as_chosen, in_order
from mnemoscope.domain.merge.three_way import with_what_came_since
from mnemoscope.memory.files.memory_files import MemoryFiles
from mnemoscope.memory.transactions.transactions import Transactions
from mnemoscope.store.files.atomic import (
    digest_of,
    make_directory,
    read_stable,
    remove_file,
    replace_bytes,
    storage_errors,
)
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.compare_and_swap import replace_if_unchanged
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.forgetting.forgetting_files import CompletedForgetting
from mnemoscope.store.forgetting.forgetting_receipts import ForgettingReceipts
from mnemoscope.store.forgetting.places import ForgettingPlaces
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.transactions.intent import FORGET, ForgetStep, Intent
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

_Held = tuple[bytes | None, bytes | None]
"""The contents of a file before a forgetting and after it; None stands for no file."""
_SECRET: Final = 32
"""Bytes of the key that takes the place of plain hashes."""
_TOO_LITTLE: Final = "This is too little to be told from anything else."


class ForgettingTransactions:
    """Carries out the forgettings of one workspace. `reread` has read afresh whatever else was read of the files."""

    def __init__(
        self,
        paths: WorkspacePaths,
        ledger: Ledger,
        files: MemoryFiles,
        transactions: Transactions,
        *,
        reread: Callable[[], None],
        tombstones: Tombstones,
        outside: Iterable[Path] = (),
        clock: Callable[[], datetime] = datetime.now,
        calls: FileCalls = REAL_CALLS,
    ) -> None:
        self._paths = paths
        self._ledger = ledger
        self._files = files
        self._transactions = transactions
        self._reread = reread
        self._tombstones = tombstones
        self._outside = tuple(outside)
        self._clock = clock
        self._calls = calls
        self._receipts = ForgettingReceipts(paths.own.forgetting_receipts_dir, calls=calls)
        self._versions = TextVersions(paths.own.text_versions_dir, calls=calls)

    def plan(self, selections: Sequence[str], notify: Callable[[FoundPlace], object] | None = None) -> ForgettingPlan:
        """Returns every place that has the words of what was selected; `notify` is called with each as it is found.
        Writes nothing. Raises StorageError where that says too little."""
        text = ForgottenText.of(*selections)
        if not text.phrases:
            raise StorageError(_TOO_LITTLE, next_step="Select more of it.")
        places = ForgettingPlaces(self._paths, outside=self._outside)
        found: list[FoundPlace] = []
        for each in places.find(text):
            found.append(each)
            if notify is not None:
                notify(each)
        return ForgettingPlan(text, tuple(in_order(found)), tuple(places.related(text)))

    def carry_out(
        self, text: ForgottenText, chosen: Iterable[FoundPlace], left: Iterable[FoundPlace] = ()
    ) -> CompletedForgetting:
        """Takes the words out of the chosen places, as one transaction, and keeps the receipt; it names what is `left`
        with the reason.

        Raises StorageError: before the commit nothing was written. After it that is Unfinished, and `go_on` or the next
        `recover` goes on.
        """
        for path, changes in self._files.changes().items():
            with suppress(StorageError):
                # Whose the present text is can be told only as long as it is there.
                changes.notice(self._files.of(path).file.read())
        places = ForgettingPlaces(self._paths)
        chosen, left = list(chosen), list(left)
        listed = {(each.kind, each.path) for each in (*chosen, *left)}
        # What was said, sent and noted while the person was choosing.
        chosen += [
            each
            for each in places.find(text)
            if each.can_be_taken
            and (each.kind, each.path) not in listed
            and goes_as_chosen(each.kind, list(chosen), left)
        ]
        steps = [self._step(each, "", places) for each in chosen if each.can_be_taken]
        steps += [self._step(each, each.why_not or BY_CHOICE, places) for each in left]
        intent = Intent.of_kind(
            FORGET,
            workspace_id=self._ledger.workspace_id(),
            when=self._clock().isoformat(),
            forgotten=text.phrases,
            forgets=tuple(steps),
            forgotten_marks=tuple(sorted(places.marks(text))),
            secret=secrets.token_hex(_SECRET),
        )
        try:
            # First of all: what a crash leaves is a fact that is held back and still there, never one that comes back.
            self._tombstones.add(text.phrases, owner=intent.id)
            return self._transactions.forget(intent)
        except Unfinished:
            raise
        except StorageError:
            self._tombstones.remove(intent.id)
            raise
        finally:
            self._reread()

    def is_unfinished(self) -> bool:
        """Returns whether a forgetting was begun and is not finished yet. Raises StorageError."""
        intent = self._ledger.pending()
        return intent is not None and intent.kind == FORGET

    def when_finished(self, listener: Callable[[CompletedForgetting], object]) -> None:
        """Has each forgetting told that was begun in this process and that a later try finished, by whomever it was
        made. It is told on the thread of the disk."""
        self._transactions.when_forgotten(listener)

    def undo(self, carried: CompletedForgetting) -> list[str]:
        """Puts back what a forgetting took, with what was added to the files since; returns the names of the files that
        were changed otherwise meanwhile and stay as they are. Raises StorageError.

        What is forgotten is held to the last: where this is cut off, a line that is back stands marked, is not sent,
        and is asked about, and the receipt says that it was begun.
        """
        name = carried.receipt.id
        self._receipts.mark_taking_back(name, self._clock().isoformat())
        try:
            stayed = [path for path, held in self._in_order(carried.files) if not self._put_back(path, *held)]
            self._receipts.mark_undone(name, self._clock().isoformat())
            self._tombstones.remove(name)
        finally:
            self._transactions.reread()
            self._reread()
        return [path_within(path, self._paths.root) for path in stayed]

    def half_undone(self) -> frozenset[str]:
        """Returns the ids of the forgettings of which the way back was begun and is not finished."""
        return frozenset(each.id for each in self._receipts.newest_first() if each.taking_back)

    def finish_undoing(self) -> None:
        """Takes away the tombstones of forgettings that were taken back, where a crash came before that. Raises
        StorageError."""
        held = self._tombstones.owners
        undone = [each for each in self._receipts.newest_first() if each.undone and each.id in held]
        for receipt in undone:
            # The disk may not have the mark yet that a run made which was killed then.
            self._receipts.keep(receipt)
        if undone:
            self._tombstones.remove(*(each.id for each in undone))

    def before_index(self, throw_away: Callable[[], None]) -> None:
        """Has the search index that is open thrown away by this call, before its file is removed."""
        self._transactions.forgetting.before_removing_index(throw_away)

    def receipts(self) -> list[ForgettingReceipt]:
        """Returns the receipts of all forgettings, the newest first."""
        return self._receipts.newest_first()

    def _put_back(self, path: Path, before: bytes | None, after: bytes | None) -> bool:
        """Returns whether a file says again what it said, and what was added since."""
        if before == after:
            return True
        now = read_stable(path)
        if before is None:
            # What was there before goes by another name again.
            if now == after:
                remove_file(path, calls=self._calls)
            return True
        wanted = with_what_came_since(path.name, before, after, now)
        if wanted is None:
            return False
        if path in self._memory_files():
            # Whose it is, is told by its text version where this is cut off before its log of changes is back.
            self._versions.keep(wanted.decode("utf-8", "replace"), digest_of(wanted))
        if now is None:
            make_directory(path.parent, calls=self._calls)
            replace_bytes(path, wanted, calls=self._calls)
            return True
        with storage_errors(path, "write"):
            return replace_if_unchanged(path, wanted, now, _theirs, calls=self._calls) == wanted

    def _in_order(self, files: Mapping[Path, _Held]) -> list[tuple[Path, _Held]]:
        """Returns the files as they are put back: first those that are gone, then those that may name them, as the
        heads of a git repository do, the logs of changes behind the memory files that they tell of, and last those that
        go."""
        logs = {self._paths.own.change_log_of(path) for path in self._files.changes()}

        def place_of(path: Path, before: bytes | None) -> int:
            if before is None:
                return 3
            return 2 if path in logs else int(path.exists())

        return sorted(files.items(), key=lambda each: place_of(each[0], each[1][0]))

    def _memory_files(self) -> frozenset[Path]:
        return frozenset(self._paths.file(path) for path in self._files.changes())

    def _step(self, place: FoundPlace, reason: str, places: ForgettingPlaces) -> ForgetStep:
        name, in_home = places.name_of(place)
        return ForgetStep(place.kind.value, name, place.count, reason, in_home)


def _theirs(expected: bytes | None, found: bytes, mine: bytes) -> bytes:
    """Returns what another program wrote in this very moment, which stays; one that only has the file open, as a backup
    has, wrote nothing."""
    return mine if found == expected else found
