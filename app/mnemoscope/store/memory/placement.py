"""Where MEMORY.md lies: in memory/ as two-layer programs have it, or in the root as qanot 2.0 has it."""

from __future__ import annotations

import logging
import os
import stat
from contextlib import suppress
from pathlib import Path

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.atomic import fsync_directory, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.workspace.paths import MEMORY_NAME, WorkspacePaths

log = logging.getLogger(__name__)


def move_to_root(paths: WorkspacePaths, *, calls: FileCalls = REAL_CALLS) -> bool:
    """Move MEMORY.md into the root, where programs of three tiers look for it; False where it stays.

    It stays where a history log tells of a program that looks for it in memory/, where something is unfinished or has
    its name already, and where the disk refuses: it is read in either place.
    """
    source, target = paths.memory_dir / MEMORY_NAME, paths.root / MEMORY_NAME
    taken = (paths.history_file, paths.history_jsonl, paths.own.intent_file, target)
    if any(map(os.path.lexists, taken)) or not _is_plain(source):
        return False
    try:
        with storage_errors(target, "write"):
            calls.replace(str(source), str(target))
        # The place it went to first: a power cut in between leaves two names rather than none.
        fsync_directory(target.parent, calls=calls)
        fsync_directory(source.parent, calls=calls)
    except StorageError as error:
        log.warning("MEMORY.md could not be moved safely: %s", error)
    return os.path.lexists(target)


def _is_plain(path: Path) -> bool:
    """Whether it is a file under this one name: links of any kind are the person's arrangement."""
    with suppress(OSError):
        status = path.lstat()
        return stat.S_ISREG(status.st_mode) and status.st_nlink == 1
    return False
