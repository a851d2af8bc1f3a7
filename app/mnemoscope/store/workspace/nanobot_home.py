"""nanobot 0.3.5 keeps the conversations of a workspace outside of it, in `~/.nanobot/sessions/<id>/`.

The id stands in the workspace, in `.nanobot/workspace-id`, and the folder says in `.workspace` whose it is. A folder
that was copied, or came from somebody else, has an id too: only where the folder of that id names this workspace are
its conversations this workspace's. Nothing here follows a symbolic link within the workspace or below the id.

At its start nanobot 0.3.5 moves `sessions/*.jsonl` there under the names they have, and reads only those whose name is
base64url of the key. Whoever reads or writes a file there holds the lock `.session-files.lock`, as nanobot does.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.atomic import storage_errors
from mnemoscope.store.files.file_lock import try_lock

_SUFFIX: Final = ".jsonl"
_ID: Final = re.compile(r"[0-9a-f]{32}")
_LOCK: Final = ".session-files.lock"
_OWNER: Final = ".workspace"
_CONFLICTS: Final = ".migration-conflicts"
_LONGEST: Final = 4_200
"""Bytes read of the id and of the owner's path, which is no longer than a path can be."""
_SECONDS: Final = 5.0
_PAUSE: Final = 0.02


@dataclass(frozen=True, slots=True)
class NanobotHome:
    """Knows the folder of one workspace's conversations in nanobot's own place."""

    folder: Path

    def files(self) -> list[Path]:
        """Returns the session files in it, by name; what is no plain file is none."""
        return sorted(_plain_files(self.folder))

    def conflicts(self) -> list[Path]:
        """Returns the session files that nanobot put aside when it found two of one name."""
        folder = self.folder / _CONFLICTS
        return [] if folder.is_symlink() else sorted(_plain_files(folder))

    def holds(self, path: Path) -> bool:
        """Returns whether a path is in it."""
        return path.parent == self.folder

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds nanobot's lock of these files. Raises StorageError where it holds that for long."""
        descriptor = self._acquire()
        try:
            yield
        finally:
            os.close(descriptor)

    def _acquire(self) -> int:
        path = self.folder / _LOCK
        deadline = time.monotonic() + _SECONDS
        while True:
            with storage_errors(path, "write"):
                descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | _NO_LINKS, 0o600)
            is_held = False
            try:
                # A file that was removed meanwhile locks nobody out.
                is_held = try_lock(descriptor) and _is_at(descriptor, path)
            finally:
                if not is_held:
                    os.close(descriptor)
            if is_held:
                return descriptor
            if time.monotonic() > deadline:
                sentence = "nanobot is holding its conversations, so nothing can be written to them."
                raise StorageError(sentence, next_step="The messages are kept here. Try again.", path=str(path))
            time.sleep(_PAUSE)


def workspace_id(root: Path) -> str:
    """Returns the id that nanobot 0.3.5 gave a workspace: 32 hexadecimal digits; "" where it gave none."""
    with suppress(OSError):
        if stat.S_ISLNK((root / ".nanobot").lstat().st_mode):
            return ""
    found = _first_line(root / ".nanobot" / "workspace-id")
    return found if _ID.fullmatch(found) else ""


def nanobot_home(root: Path) -> NanobotHome | None:
    """Returns the folder of this workspace's conversations; None where there is none, or it is another workspace's."""
    folder = _folder_of(root)
    if folder is None:
        return None
    recorded = _first_line(folder / _OWNER)
    return NanobotHome(folder) if recorded and _is_same_folder(Path(recorded), root) else None


def home_sentence(home: NanobotHome) -> str:
    """Returns the sentence for the person of a workspace whose conversations nanobot keeps."""
    count = len(home.files())
    kept = f"{count:,} conversations of this folder are" if count != 1 else "1 conversation of this folder is"
    return (
        f"{kept} in nanobot's own folder, {home.folder}. They are shown here, and what is said in them is added there."
        " New ones take the name that nanobot 0.3.5 reads; nanobot up to 0.2.2 sees neither."
    )


def unclaimed_home(root: Path) -> str:
    """Returns a sentence where a workspace has an id and no folder of that id names the workspace; "" elsewhere.

    Its conversations may be this workspace's, if it was moved, or another's, if it was copied: they are not opened.
    """
    name, folder = workspace_id(root), _folder_of(root)
    if not name or nanobot_home(root) is not None:
        return ""
    if folder is None:
        return (
            f"nanobot kept the conversations of this folder outside of it, in ~/.nanobot/sessions/{name}."
            " That folder is not here, so they cannot be shown."
        )
    return (
        f"nanobot keeps conversations under the id of this folder, in {folder}, but its record names another folder."
        " They are not shown here. If this folder was moved, start nanobot once."
    )


def _folder_of(root: Path) -> Path | None:
    name = workspace_id(root)
    if not name:
        return None
    with suppress(OSError, RuntimeError):
        folder = (Path.home() / ".nanobot" / "sessions").resolve() / name
        return folder if stat.S_ISDIR(folder.lstat().st_mode) else None
    return None


def _is_same_folder(recorded: Path, root: Path) -> bool:
    if not recorded.is_absolute():
        return False
    with suppress(OSError, ValueError):
        return recorded.resolve() == root.resolve() or recorded.samefile(root)
    return False


def _first_line(path: Path) -> str:
    """Returns what a small plain file says; "" where there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | _NO_LINKS)
    except (OSError, ValueError):
        return ""
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return ""
        return os.read(descriptor, _LONGEST).decode("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    finally:
        os.close(descriptor)


def _plain_files(folder: Path) -> Iterator[Path]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_SUFFIX) and entry.name[0] != "." and entry.is_file(follow_symlinks=False):
                yield folder / entry.name


def _is_at(descriptor: int, path: Path) -> bool:
    with suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    return False


_NO_LINKS: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
