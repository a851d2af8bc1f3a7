"""The ledger: the transaction under way, the finished ones, and the memory texts that wait for the person.

Renaming the intent into the ledger is what finishes it. The newest files keep all texts, older ones only what the audit
trail shows. Steps and recovery are memory/transactions'; here are the files.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.fact_outcomes import OBSOLETE, SuggestionStates, is_kept_out
from mnemoscope.domain.memory.history_entries import entry_time, message_time
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.store.files.append import fsync_file
from mnemoscope.store.files.atomic import (
    encode_text,
    fsync_directory,
    fsync_move,
    make_directory,
    remove_file,
    replace_bytes,
    storage_errors,
)
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.memory.suggestion_file import decode_suggestion, encode_suggestion, settled_outcome
from mnemoscope.store.transactions.corrections import as_corrected, edits_by_record
from mnemoscope.store.transactions.intent import CONSOLIDATION, CORRECTION, Intent, decode_intent, encode_intent
from mnemoscope.store.workspace.paths import WorkspacePaths

LEFT_OUT: Final = "left out"
"""The outcome of a suggestion that never began to wait: the person had rejected the same in other words."""
Split = Callable[[Suggestion], tuple[Suggestion | None, Suggestion | None]]
"""Parts a suggestion into what waits and what is left out."""
FULL_RECORDS: Final = 200
"""The number of newest ledger files that keep the texts of memory."""


class Ledger:
    """Keeps files under .mnemoscope/. Read-only callers may use `records`, `suggestions` and `pending`."""

    def __init__(
        self,
        paths: WorkspacePaths,
        *,
        calls: FileCalls = REAL_CALLS,
        split: Split = lambda suggestion: (suggestion, None),
    ) -> None:
        self._paths = paths
        self._split = split
        self._calls = calls
        self._finished: dict[str, Intent] = {}
        self._outcomes: dict[str, tuple[int, str]] = {}
        """By the id of a settled suggestion, the time its file was written, in nanoseconds, and its outcome."""
        self._read: dict[str, tuple[tuple[int, int, int], Suggestion | None]] = {}
        """The suggestions that wait, each as of the file it was read from."""

    def workspace_id(self) -> str:
        """Returns a random name of this workspace, made once."""
        path = self._paths.own.identity_file
        with suppress(OSError):
            if found := path.read_text("ascii", "replace").strip():
                return found
        name = secrets.token_hex(8)
        make_directory(self._paths.own.folder, calls=self._calls)
        replace_bytes(path, name.encode() + b"\n", calls=self._calls)
        return name

    def commit(self, intent: Intent) -> None:
        """Writes the intent durably: once it returns, the transaction will happen.

        Raises DiskFull or StorageError, also where another one waits to be finished: that one is never overwritten.
        """
        is_first = not self._paths.own.intent_file.exists()
        if not is_first and ((known := self.pending()) is None or known.id != intent.id):
            raise StorageError("Something that was begun before has to be finished first.", id=intent.id)
        make_directory(self._paths.own.ledger_dir, calls=self._calls)
        try:
            replace_bytes(self._paths.own.intent_file, encode_intent(intent), calls=self._calls)
        except StorageError:
            # Seen, maybe, but not forced: it counts as never committed, as whoever asked is told.
            if is_first and self._paths.own.intent_file.exists():
                with suppress(StorageError):
                    self.drop()
            raise

    def pending(self) -> Intent | None:
        """Returns the committed intent that is not finished; None where there is none. Raises UnreadableFile."""
        with storage_errors(self._paths.own.intent_file, "read"), suppress(FileNotFoundError):
            return decode_intent(self._paths.own.intent_file.read_bytes())
        return None

    def reread(self) -> None:
        """Reads its files afresh when it is asked about the next time, as they were written without words."""
        self._finished.clear()
        self._outcomes.clear()
        self._read.clear()

    def confirm(self) -> None:
        """Makes the intent durable before it is acted upon: what is visible after a crash may not be on the disk."""
        fsync_file(self._paths.own.intent_file, calls=self._calls)
        fsync_directory(self._paths.own.folder, calls=self._calls)

    def set_aside(self) -> Path | None:
        """Moves an intent that cannot be followed to the quarantine; returns where it went, None if there is none."""
        source = self._paths.own.intent_file
        if not source.exists():
            return None
        return self.quarantine(source, "intent.json")

    def quarantine(self, source: Path, name: str) -> Path:
        """Moves a file to the quarantine under a new name; returns where it went."""
        folder = self._paths.own.quarantine_dir
        make_directory(folder, calls=self._calls)
        target = folder / f"{secrets.token_hex(4)}-{name}"
        with storage_errors(source, "write"):
            self._calls.replace(str(source), str(target))
        fsync_move(source, target, calls=self._calls)
        return target

    def add_suggestion(self, suggestion: Suggestion) -> None:
        """Has a suggestion wait for the person; the same id twice is one suggestion. What they rejected before is left
        out, unless they settled this very suggestion and want it back."""
        waits: Suggestion | None = suggestion
        if self._how(suggestion.id) in ("", LEFT_OUT, OBSOLETE):
            waits, out = self._split(suggestion)
            if out is not None:
                self._close(out, LEFT_OUT)
        path = self._suggestion_file(suggestion.id)
        make_directory(path.parent, calls=self._calls)
        if waits is not None:
            replace_bytes(path, encode_suggestion(waits), calls=self._calls)
        elif path.exists():
            remove_file(path, calls=self._calls)

    def left_out(self) -> list[Suggestion]:
        """Returns what never began to wait, since the person had rejected it before; oldest first."""
        folder = self._paths.own.settled_dir
        names = [name for name in self._settled_names() if self._how(name) == LEFT_OUT]
        found = [_suggestion(folder / f"{name}.json") for name in names]
        return sorted((each for each in found if each is not None), key=lambda each: (each.when, each.id))

    def add_left_out(self, suggestion: Suggestion) -> None:
        """Has something wait that was left out. Raises StorageError."""
        make_directory(self._paths.own.suggestions_dir, calls=self._calls)
        replace_bytes(self._suggestion_file(suggestion.id), encode_suggestion(suggestion), calls=self._calls)
        remove_file(self._paths.own.settled_dir / f"{suggestion.id}.json", calls=self._calls)

    def finish(self, intent: Intent) -> None:
        """Moves the intent into the ledger. Raises StorageError."""
        self._keep(self._paths.own.ledger_dir, f"{_stamp(intent.when)}-{intent.id}.json")
        self._slim_oldest()

    def finish_to_trash(self, intent: Intent) -> None:
        """Moves the intent of a deletion to the trash, since it holds what was deleted. Raises StorageError."""
        self._keep(self._paths.own.message_trash_dir, f"{intent.id}.json")

    def deletion(self, deletion_id: str) -> Intent | None:
        """Returns a finished deletion of messages that was not taken back, None where there is none."""
        with suppress(OSError):
            path = self._paths.own.message_trash_dir / f"{deletion_id}.json"
            return decode_intent(path.read_bytes()) if deletion_id.isalnum() else None
        return None

    def finish_undoing(self, intent: Intent) -> None:
        """Takes the deletion that was undone out of the trash, and with it the intent. Raises StorageError."""
        remove_file(self._paths.own.message_trash_dir / f"{intent.undoes}.json", calls=self._calls)
        self.drop()

    def _keep(self, folder: Path, name: str) -> None:
        make_directory(folder, calls=self._calls)
        with storage_errors(self._paths.own.intent_file, "write"):
            self._calls.replace(str(self._paths.own.intent_file), str(folder / name))
        fsync_move(self._paths.own.intent_file, folder / name, calls=self._calls)

    def drop(self) -> None:
        """Takes the intent back: all of what it did was undone. Raises StorageError."""
        remove_file(self._paths.own.intent_file, calls=self._calls)

    def records(self, session_key: str | None = None) -> list[ConsolidationRecord]:
        """Returns finished consolidations, oldest first, of one conversation or all; unreadable files are left out."""
        return [intent.record() for intent in self.finished(session_key)]

    def finished(self, session_key: str | None = None) -> list[Intent]:
        """Returns finished consolidations as slim intents, oldest first, of one conversation or all, each with its
        entry as the person corrected it since."""
        found = self._all_slim()
        edits = edits_by_record(found)
        ours = (each for each in found if each.kind == CONSOLIDATION and session_key in (None, each.session_key))
        corrected = (as_corrected(each, edits.get(each.id, ())) for each in ours)
        return sorted(corrected, key=lambda intent: (intent.when, intent.session_key, intent.start))

    def corrections(self) -> list[Intent]:
        """Returns the finished corrections of entries of the history, oldest first."""
        return _corrections_in(self._all_slim())

    def _all_slim(self) -> list[Intent]:
        names = _names(self._paths.own.ledger_dir)
        return [intent for name in names if (intent := self._slim(name)) is not None]

    def undated_entries(self) -> dict[bytes, str]:
        """Returns the first lines of the entries that were added to HISTORY.md without a date, and when that was: by
        them they are told from the entries before them, which they would be paragraphs of."""
        found: dict[bytes, str] = {}
        for intent in self.finished():
            text = "" if intent.history_path else intent.entry_text.strip()
            if text and not entry_time(text):
                found.setdefault(text.partition("\n")[0].strip().encode(), message_time(intent.when))
        return found

    def intent(self, transaction_id: str) -> Intent | None:
        """Returns a finished transaction with its texts, as far as they are kept, and with its entry as the person
        corrected it since; undo and provenance read it."""
        for name in _names(self._paths.own.ledger_dir):
            if name.endswith(f"-{transaction_id}.json") and (intent := self._load(name)) is not None:
                return as_corrected(intent, edits_by_record(self._all_slim()).get(intent.id, ()))
        return None

    def newest(self, kind: str, among: int = 20) -> Intent | None:
        """Returns the newest finished transaction of a kind, slim, among so many of all kinds."""
        return next(iter(self.newest_of(kind, among)), None)

    def newest_of(self, kind: str, among: int = 50) -> Iterator[Intent]:
        """Yields the finished transactions of a kind, the newest first, slim, among so many of all kinds."""
        found = map(self._slim, reversed(_names(self._paths.own.ledger_dir)[-among:]))
        return (each for each in found if each is not None and each.kind == kind)

    def suggestions(self) -> list[Suggestion]:
        """Returns the memory texts that wait, oldest first. A file is read again only once it is another one."""
        folder, known, read = self._paths.own.suggestions_dir, self._read, {}
        for name in _names(folder):
            with suppress(OSError):
                state = (folder / name).stat()
                mark = state.st_mtime_ns, state.st_size, state.st_ino
                found = known.get(name)
                read[name] = found if found is not None and found[0] == mark else (mark, _suggestion(folder / name))
        self._read = read
        waiting = [each for _, each in read.values() if each is not None]
        return sorted(waiting, key=lambda each: (each.when, each.id))

    def undecided(self) -> list[Suggestion]:
        """Returns what waits once the committed transaction is finished: what the person decided, and the disk refuses
        still, does not wait for them any more. Raises UnreadableFile."""
        waiting, intent = self.suggestions(), self.pending()
        if intent is None:
            return waiting
        held = held_by(intent)
        decided = {*intent.settles, *(each.id for each in held)}
        waiting_on = (each for each in held if each.id not in intent.settles)
        return [*(each for each in waiting if each.id not in decided), *waiting_on]

    def waiting(self, suggestion_id: str) -> Suggestion:
        """Returns the suggestion of this id that waits. Raises StorageError where none does."""
        for suggestion in self.suggestions():
            if suggestion.id == suggestion_id:
                return suggestion
        raise StorageError("This proposal was decided already.", next_step="", id=suggestion_id)

    def knows_suggestion(self, suggestion_id: str) -> bool:
        """Returns whether a suggestion waits, or was settled."""
        path = self._suggestion_file(suggestion_id)
        return path.exists() or (self._paths.own.settled_dir / path.name).exists()

    def asked_about(self, suggestion_id: str) -> bool:
        """Returns whether a suggestion waits, or the person settled it: one that was dropped by itself may be asked
        about again."""
        is_dropped = self._how(suggestion_id) == OBSOLETE and not self._suggestion_file(suggestion_id).exists()
        return self.knows_suggestion(suggestion_id) and not is_dropped

    def suggestion_states(self) -> SuggestionStates:
        """Returns which suggestions wait, and how those that were settled were."""
        waiting = frozenset(each.id for each in self.suggestions())
        return SuggestionStates(waiting, {name: how for name in self._settled_names() if (how := self._how(name))})

    def _settled_names(self) -> list[str]:
        return [name.removesuffix(".json") for name in _names(self._paths.own.settled_dir)]

    def _how(self, suggestion_id: str) -> str:
        """Returns how a suggestion was settled, "" where its file does not say."""
        path = self._paths.own.settled_dir / f"{suggestion_id}.json"
        try:
            modified = path.stat().st_mtime_ns
            known = self._outcomes.get(suggestion_id)
            if known is None or known[0] != modified:
                known = self._outcomes[suggestion_id] = (modified, settled_outcome(path.read_bytes()))
        except OSError:
            return ""
        return known[1]

    def settle(self, suggestion_id: str, outcome: str) -> None:
        """Closes a suggestion; `outcome` (accept, edit or reject) is kept beside it for the audit trail. Of one that
        asked about what the person had forgotten a mark is kept, without the words."""
        path = self._suggestion_file(suggestion_id)
        suggestion = _suggestion(path)
        if suggestion is None:
            return
        self._close(suggestion, outcome)
        remove_file(path, calls=self._calls)

    def settled(self, suggestion_id: str) -> Suggestion | None:
        """Returns a suggestion that waits no more, as it was; None where there is none of this id."""
        if not suggestion_id.isalnum():
            return None
        return _suggestion(self._paths.own.settled_dir / f"{suggestion_id}.json")

    def _close(self, suggestion: Suggestion, outcome: str) -> None:
        path = self._paths.own.settled_dir / self._suggestion_file(suggestion.id).name
        make_directory(path.parent, calls=self._calls)
        is_forgotten = suggestion.is_written_back or (suggestion.names_forgotten and is_kept_out(outcome))
        kept = suggestion.without_words() if is_forgotten else suggestion
        replace_bytes(path, encode_suggestion(kept, outcome=outcome), calls=self._calls)

    def _suggestion_file(self, suggestion_id: str) -> Path:
        if not suggestion_id.isalnum():
            raise StorageError("There is no such proposal.", next_step="Choose one from the list.", id=suggestion_id)
        return self._paths.own.suggestions_dir / f"{suggestion_id}.json"

    def _slim(self, name: str) -> Intent | None:
        if name not in self._finished:
            intent = self._load(name)
            if intent is None:
                return None
            self._finished[name] = intent.slim()
        return self._finished[name]

    def _load(self, name: str) -> Intent | None:
        with suppress(OSError):
            return decode_intent((self._paths.own.ledger_dir / name).read_bytes())
        return None

    def _slim_oldest(self) -> None:
        """Takes the texts out of the file that just left the newest ones; a failure here costs only room."""
        names = _names(self._paths.own.ledger_dir)
        if len(names) <= FULL_RECORDS:
            return
        name = names[-FULL_RECORDS - 1]
        intent = self._load(name)
        if intent is not None and intent.slim() != intent:
            with suppress(StorageError):
                replace_bytes(self._paths.own.ledger_dir / name, encode_intent(intent.slim()), calls=self._calls)


def _corrections_in(intents: Iterable[Intent]) -> list[Intent]:
    """Returns the corrections among these, oldest first; of one moment, in the order in which they are given."""
    return sorted((each for each in intents if each.kind == CORRECTION), key=lambda intent: intent.when)


def held_by(intent: Intent) -> list[Suggestion]:
    """Returns the suggestions that begin to wait, or wait on, with a transaction."""
    return _suggestions_in(intent.holds)


def rejected_by(intent: Intent) -> list[Suggestion]:
    """Returns what the person rejected with a transaction, as suggestions that would have done it."""
    return _suggestions_in(intent.rejects)


def _suggestions_in(texts: Iterable[str]) -> list[Suggestion]:
    found = (decode_suggestion(encode_text(text)) for text in texts)
    return [each for each in found if each is not None]


def _names(folder: Path) -> list[str]:
    with suppress(FileNotFoundError, NotADirectoryError):
        return sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    return []


def _stamp(when: str) -> str:
    return "".join(character for character in when if character.isdigit()).ljust(20, "0")[:20]


def _suggestion(path: Path) -> Suggestion | None:
    """Returns the suggestion in a file, None where it holds none or another one than its name says."""
    with suppress(OSError):
        found = decode_suggestion(path.read_bytes())
        return found if found is not None and found.id == path.stem else None
    return None
