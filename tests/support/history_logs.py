"""Workspaces with history logs, for tests."""

from datetime import datetime, timedelta
from pathlib import Path

from mnemoscope.store.workspace.paths import WorkspacePaths

FIRST = datetime(2026, 1, 1)


def workspace(root: Path, history: str | bytes | None = None) -> WorkspacePaths:
    """Returns a folder with a memory/ and, if given, a HISTORY.md in it; the program was here before."""
    paths = WorkspacePaths(root)
    paths.memory_dir.mkdir(parents=True, exist_ok=True)
    paths.own.folder.mkdir(exist_ok=True)
    if history is not None:
        paths.history_file.write_bytes(history.encode() if isinstance(history, str) else history)
    return paths


def entry(number: int, words: str) -> str:
    """Returns one dated entry; later numbers are later."""
    return f"[{FIRST + timedelta(hours=number):%Y-%m-%d %H:%M}] {words}\n\n"


def log_of(*words: str) -> str:
    """Returns a log with an entry for each of the words."""
    return "".join(entry(number, one) for number, one in enumerate(words))
