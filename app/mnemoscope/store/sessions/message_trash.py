"""Deletes single messages and brings them back: each record is replaced in its place, in every branch that holds it.

The intent is committed first and holds every record before and after. Then each file is brought to what it says, and
the intent itself goes to the trash, where it is what brings the messages back. So a crash between any two calls leaves
a deletion that is rolled forward at the next opening. What the disk refuses is taken back; where it refuses that too,
the deletion stays committed, which is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from mnemoscope.domain.conversation.deletion import MessageDeletion, deletable, deletion_mark, record_of_deleted
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.atomic import encode_text, read_stable
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.json_record import RecordDamaged, decode_object
from mnemoscope.store.sessions.branches import SessionBranches
from mnemoscope.store.sessions.file_format.record_changes import apply_changes, records_in, records_left_by
from mnemoscope.store.sessions.file_format.record_line import decode_message, encode_record
from mnemoscope.store.sessions.folder import SessionFolder
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.transactions.intent import DELETE, UNDELETE, Intent, RecordChange
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

_CHANGED: Final = "The message was changed by another program meanwhile."
_LATER: Final = "It is finished when the workspace is opened the next time."


@dataclass(frozen=True, slots=True)
class ChosenMessages:
    """Holds messages of one conversation that are to be deleted: `indices`, ascending, and what they were `seen` to
    say."""

    session: Session
    indices: tuple[int, ...]
    seen: tuple[Message, ...]


class MessageTrash:
    """Keeps the deleted messages of one workspace. Everything here blocks on the disk."""

    def __init__(
        self, paths: WorkspacePaths, folder: SessionFolder, branches: SessionBranches, *, calls: FileCalls = REAL_CALLS
    ) -> None:
        self._paths = paths
        self._folder = folder
        self._branches = branches
        self._ledger = Ledger(paths, calls=calls)
        self._archive = SessionFolder(paths.archive_dir)
        self._calls = calls

    def delete(self, chosen: Iterable[ChosenMessages], when: datetime) -> MessageDeletion:
        """Deletes messages of one conversation or several, all of them or none.

        Raises StorageError with nothing changed: where one says something else than was seen, or the disk refuses; or,
        where not even that could be had, with a sentence that says so.
        """
        intent = self._intent(DELETE, when)
        with self._folder.writing():
            changes: list[RecordChange] = []
            for each in chosen:
                changes += self._changes_of(each, intent.id, first=len(changes))
            if not changes:
                raise StorageError("There is nothing there that could be deleted.", next_step="Choose a message.")
            return self._run(replace(intent, records=tuple(changes)))

    def restore(self, deletion_id: str, when: datetime) -> MessageDeletion:
        """Brings the messages of a deletion back, wherever their conversation goes on now. Raises StorageError with
        nothing changed, as `delete` does."""
        deleted = self._ledger.deletion(deletion_id)
        if deleted is None:
            raise StorageError("What was deleted is not in the trash any more.", next_step="Nothing was changed.")
        with self._folder.writing():
            changes = list(self._changes_back(deleted))
            if {_record_in(each.before) for each in changes} != {_record_in(each.after) for each in deleted.records}:
                sentence = "The place where a deleted message stood is not there any more."
                step = "Where its conversation was deleted, restore that first; the message stays in the trash."
                raise StorageError(sentence, next_step=step)
            return self._run(replace(self._intent(UNDELETE, when), records=tuple(changes), undoes=deletion_id))

    def find(self, deletion_id: str) -> MessageDeletion | None:
        """Returns a deletion that stands, None where there is none of that name."""
        deleted = self._ledger.deletion(deletion_id)
        return _deletion_of(deleted) if deleted is not None else None

    def conversations_of(self, deletion_id: str) -> frozenset[str]:
        """Returns the keys of the conversations that a deletion is about."""
        found = self.find(deletion_id)
        return frozenset(found.messages) if found is not None else frozenset()

    def roll_forward(self, intent: Intent) -> None:
        """Finishes a deletion, or the way back, that was committed. What another program changed since stays as that
        program wrote it. Raises StorageError."""
        with self._folder.writing():
            self._apply(intent.records)
            self._finish(intent)

    def _run(self, intent: Intent) -> MessageDeletion:
        self._ledger.commit(intent)
        try:
            if not self._apply(intent.records):
                raise StorageError(_CHANGED, next_step="Look at it again.")
        except StorageError as error:
            self._take_back(intent, error)
            raise
        # All is done: were the intent to stay, recovery would find nothing left to do but this.
        with suppress(StorageError):
            self._finish(intent)
        return _deletion_of(intent)

    def _take_back(self, intent: Intent, error: StorageError) -> None:
        try:
            self._apply([change.reverse for change in intent.records])
            self._ledger.drop()
        except StorageError:
            raise StorageError(error.sentence, next_step=_LATER, **error.context) from error

    def _apply(self, changes: Iterable[RecordChange]) -> bool:
        """Changes the records file by file; returns whether all of them stand."""
        by_file: dict[Path, list[RecordChange]] = {}
        for change in changes:
            by_file.setdefault(self._place(change), []).append(change)
        standing = [apply_changes(path, ours, calls=self._calls) for path, ours in by_file.items()]
        return all(standing)

    def _finish(self, intent: Intent) -> None:
        if intent.kind == DELETE:
            self._ledger.finish_to_trash(intent)
        else:
            self._ledger.finish_undoing(intent)

    def _intent(self, kind: str, when: datetime) -> Intent:
        return Intent.of_kind(kind, workspace_id=self._ledger.workspace_id(), when=when.isoformat())

    def _changes_of(self, chosen: ChosenMessages, deletion_id: str, first: int) -> Iterator[RecordChange]:
        """Yields the changes of one conversation's messages, in each branch that holds them; their records are numbered
        from `first` on."""
        session = chosen.session
        if session.messages.file is None:
            raise StorageError("The message is not on the disk yet.", next_step="Try again when it is.")
        active = session.messages.file.path
        beside = self._branches.beside(session)
        ways = [(each.path, session.branch.shared_with(each.branch) or 0) for each in beside]
        wanted = dict(zip(chosen.indices, chosen.seen, strict=True))
        going = [index for index in sorted(wanted) if deletable([wanted[index]], (0,))]
        for path, stop in [(active, len(session.messages)), *ways]:
            lines = records_in(read_stable(path) or b"")
            for number, index in enumerate(going, first):
                is_here = index < min(stop, len(lines)) and _holds(lines[index], wanted[index])
                if is_here:
                    after = record_of_deleted(wanted[index], deletion_id, number)
                    yield self._change(session.key, path, index, lines[index], after)
                elif path == active:
                    raise StorageError(_CHANGED, next_step="Look at it again.", path=str(path))

    def _change(self, key: str, path: Path, index: int, line: bytes, after: Message) -> RecordChange:
        end = b"\r" if line.endswith(b"\r") else b""
        text = encode_record(after).removesuffix(b"\n") + end
        name, in_home = self._name_of(path)
        return RecordChange(key, name, index, line.decode("utf-8"), text.decode("utf-8"), in_home)

    def _changes_back(self, deleted: Intent) -> Iterator[RecordChange]:
        originals = {_record_in(change.after): change.before for change in reversed(deleted.records)}
        own = {(change.path, _record_in(change.after)): change.before for change in deleted.records}
        key_of = {_record_in(change.after): change.key for change in deleted.records}
        for path in self._files_of(deleted):
            name, in_home = self._name_of(path)
            for index, record, line in records_left_by(read_stable(path) or b"", deleted.id):
                if record in originals:
                    after = own.get((name, record), originals[record])
                    yield RecordChange(key_of[record], name, index, line, after, in_home)

    def _files_of(self, deleted: Intent) -> list[Path]:
        """Returns the files that may hold what a deletion left: a conversation is closed, and its branches change
        places."""
        keys = {change.key for change in deleted.records}
        found = [self._place(change) for change in deleted.records]
        found += [path for key in keys if (path := self._folder.find(key)) is not None]
        found += [each.path for key in keys for each in self._branches.of_key(key)]
        found += [entry.path for entry in self._archive.every() if entry.key in keys]
        return [path for path in dict.fromkeys(found) if path.exists()]

    def _place(self, change: RecordChange) -> Path:
        home = self._folder.home() if change.in_home else None
        return home.folder / change.path if home is not None else self._paths.root / change.path

    def _name_of(self, path: Path) -> tuple[str, bool]:
        if self._folder.is_moved(path):
            return path.name, True
        if not path.is_relative_to(self._paths.root):
            raise StorageError("The conversation is no longer one of this workspace.", path=str(path))
        return path.relative_to(self._paths.root).as_posix(), False


def _deletion_of(intent: Intent) -> MessageDeletion:
    """Returns what a committed deletion, or the way back, is about."""
    found: dict[str, set[int]] = {}
    for change in intent.records:
        found.setdefault(change.key, set()).add(change.index)
    deleted = intent.undoes or intent.id
    return MessageDeletion(deleted, intent.when, {key: tuple(sorted(indices)) for key, indices in found.items()})


def _holds(line: bytes, message: Message) -> bool:
    with suppress(RecordDamaged):
        return decode_message(line) == message
    return False


def _record_in(line: str) -> int:
    """Returns the number within its deletion of the record that a line holds."""
    mark = deletion_mark(decode_object(encode_text(line)))
    assert mark is not None, "only records that a deletion left are looked at"
    return mark.record
