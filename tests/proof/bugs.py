"""Puts bugs into the program on purpose, in a fork that is about to run it: what a careless change might do.

Each is one sentence and a few lines; `planted` says which proof finds it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mnemoscope.memory.transactions import transactions
from mnemoscope.memory.transactions.temporary_file_cleanup import TemporaryFileCleanup
from mnemoscope.memory.transactions.transactions import AppliedTransaction, Transactions
from mnemoscope.store.files.append import append_bytes
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls, RootedCalls
from mnemoscope.store.memory import memory_file
from mnemoscope.store.sessions.repair import FileRepair
from mnemoscope.store.transactions.ledger import Ledger
from tests.proof.ground import Plant


@dataclass(frozen=True)
class Bug:
    """Describes a bug. `plant` puts it into the running program, never in the process that runs the proofs. `by`: the
    proof that finds it. `scenario`: the name of the scenario that the proof tries first."""

    name: str
    plant: Plant
    by: str = "kill"
    scenario: str = "consolidate while talking"


def _not_forced(is_meant: Callable[[str], bool]) -> Plant:
    """Returns the fsync of some files or folders is missing."""

    def plant() -> None:
        real = RootedCalls.fsync

        def fsync(self: RootedCalls, descriptor: int) -> None:
            if not is_meant(os.readlink(f"/proc/self/fd/{descriptor}")):
                real(self, descriptor)

        _replace(RootedCalls, "fsync", fsync)

    return plant


def _acts_before_the_commit_point() -> None:
    real = Transactions.run

    def run(self: Any, intent: Any, conversation: Any = None) -> AppliedTransaction:
        self._append_history(intent)
        return real(self, intent, conversation)

    _replace(Transactions, "run", run)


def _finishes_before_memory() -> None:
    def apply(self: Any, intent: Any, conversation: Any) -> AppliedTransaction:
        self._append_history(intent)
        self._ledger.finish(intent)
        applied: AppliedTransaction = self._edit_files(intent)
        self.move_pointer(intent, conversation)
        return applied

    _replace(Transactions, "_apply", apply)


def _pointer_computed_late() -> None:
    real = Transactions.move_pointer

    def move(self: Any, intent: Any, conversation: Any) -> None:
        real(self, intent, conversation)
        if conversation is not None:
            conversation.last_consolidated = len(conversation.messages) - 4
            self._conversations.save(conversation)

    _replace(Transactions, "move_pointer", move)


def _torn_tail_trusted() -> None:
    def keep(self: Any, file: Any) -> None:
        append_bytes(file.path, b"\n", calls=self._calls)
        file.refresh()

    _replace(FileRepair, "_cut_torn_line", keep)


def _recovery_forces_nothing() -> None:
    _replace(Ledger, "confirm", lambda self: None)
    _replace(Transactions, "_force_what_is_seen", lambda self, intent: None)


def _unknown_temporary_files_deleted() -> None:
    _replace(TemporaryFileCleanup, "_is_known", lambda self, path: True)


def _history_appended_blindly() -> None:
    def append(path: Path, data: bytes, mark: object, *, calls: FileCalls = REAL_CALLS) -> str:
        append_bytes(path, data, calls=calls)
        return "added"

    _replace(transactions, "settle_entry", append)


def _memory_written_in_place() -> None:
    def overwrite(path: Path, data: bytes, *_: object, calls: FileCalls = REAL_CALLS, **__: object) -> bytes:
        descriptor = calls.open(str(path), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        calls.write(descriptor, data)
        calls.fsync(descriptor)
        calls.close(descriptor)
        return data

    _replace(memory_file, "replace_if_unchanged", overwrite)


def _replace(owner: Any, name: str, value: object) -> None:
    """Puts `value` in the place of what has this name. After a rename there is no such thing, and no bug would be
    planted."""
    assert hasattr(owner, name), f"{owner.__name__} has no {name}"
    setattr(owner, name, value)


BUGS = (
    Bug("the intent is not forced", _not_forced(lambda path: "/.intent.json." in path), "power"),
    Bug("the intent's folder is not forced", _not_forced(lambda path: path.endswith("/.mnemoscope")), "power"),
    Bug("HISTORY.md is not forced", _not_forced(lambda path: path.endswith("/HISTORY.md")), "power"),
    Bug("the new MEMORY.md is not forced", _not_forced(lambda path: "/.MEMORY.md." in path), "power"),
    Bug("MEMORY.md's folder is not forced", _not_forced(lambda path: path.endswith("/memory")), "power"),
    Bug("messages are not forced", _not_forced(lambda path: path.endswith(".jsonl")), "power"),
    Bug("recovery does not force again what it finds", _recovery_forces_nothing, "kill, then power"),
    Bug("history is written before the commit point", _acts_before_the_commit_point),
    Bug("the intent is finished before MEMORY.md is written", _finishes_before_memory),
    Bug("the pointer is computed after the answer", _pointer_computed_late),
    Bug("a torn last line is trusted", _torn_tail_trusted, scenario="send"),
    Bug(
        "unknown temporary files are deleted",
        _unknown_temporary_files_deleted,
        scenario="consolidate beside an editor",
    ),
    Bug("history is appended without looking", _history_appended_blindly),
    Bug("MEMORY.md is overwritten in place", _memory_written_in_place),
)


def bug_named(name: str) -> Bug:
    """Returns the bug of that name."""
    return next(each for each in BUGS if each.name == name)
