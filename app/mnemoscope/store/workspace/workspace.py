"""Inspects a folder that a person chose, makes a workspace in one, and opens it with its lock."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.domain.errors import NotAWorkspace, StorageError, WorkspaceInUse, WorkspaceReadOnly
from mnemoscope.domain.memory.file_registry import HEARTBEAT_PATH, PROMPT_FILES
from mnemoscope.domain.settings import DREAM, THREE_TIER, TWO_LAYER
from mnemoscope.store.files.atomic import (
    fsync_directory,
    make_directory,
    real_path,
    remove_file,
    replace_bytes,
    storage_errors,
    temporary_path,
)
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.display_names import OWN_FOLDER
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.workspace import lock as workspace_lock
from mnemoscope.store.workspace.nanobot_home import nanobot_home
from mnemoscope.store.workspace.paths import MEMORY_NAME, WorkspacePaths


@dataclass(frozen=True, slots=True)
class WorkspaceReport:
    """Says what a folder is.

    `kind`: workspace, peer (another program's), begun (making it was cut off), empty, foreign, missing, not-a-folder.
    `profile`: two-layer, dream or three-tier, as its files suggest. `in_use_by` names the owner or is "".
    `sentence` says it all to the person.
    """

    root: Path
    kind: str
    profile: str
    writable: bool
    in_use_by: str
    sentence: str


@dataclass(frozen=True)
class Workspace:
    """Describes an open workspace; `close` gives the lock back."""

    root: Path
    paths: WorkspacePaths
    read_only: bool
    report: WorkspaceReport
    lock: workspace_lock.WorkspaceLock | None = None

    def close(self) -> None:
        """Lets another process own the workspace; safe to call twice."""
        if self.lock is not None:
            self.lock.release()

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def inspect_workspace(path: Path) -> WorkspaceReport:
    """Looks at a folder without writing anything."""
    root = path.expanduser().absolute()
    paths = WorkspacePaths.found(root)
    kind = _kind(root, paths)
    writable = _writable(root)
    in_use_by = workspace_lock.holder(paths.own.lock_file) if kind == "workspace" else ""
    sentence = _sentence(root, kind, writable, in_use_by)
    return WorkspaceReport(root, kind, _profile(paths), writable, in_use_by, sentence)


def folder_to_open(path: Path) -> Path:
    """Returns the folder that is opened where a path is named: of a file, the nearest folder above it that is a
    workspace, of this program or another; the path itself where there is none, or it is no file."""
    with suppress(OSError):
        if path.expanduser().is_file():
            above = path.expanduser().absolute().parents
            return next((folder for folder in above if inspect_workspace(folder).kind in {"workspace", "peer"}), path)
    return path


def create_workspace(path: Path, *, template: Path | None = None, calls: FileCalls = REAL_CALLS) -> WorkspaceReport:
    """Copies the template into a folder, durably; a file that is there already is left as it is.

    A folder that was missing is there with everything in it, or not at all. One that was there is `begun` until it is
    whole, and the next call goes on with it. Raises StorageError where something of that name is no folder, the folder
    is a workspace already, or the disk refuses.
    """
    report = inspect_workspace(path)
    if report.kind in ("workspace", "peer", "not-a-folder"):
        raise StorageError(report.sentence, next_step="Open it, or choose another folder.", path=str(path))
    source = template or shipped("workspace")
    if report.kind == "missing":
        _make_whole(source, real_path(report.root), calls)
    else:
        begun = WorkspacePaths(report.root).begun_file
        replace_bytes(begun, b"", calls=calls)
        _copy_missing(source, report.root, calls)
        remove_file(begun, calls=calls)
    return inspect_workspace(path)


def names_to_create(path: Path, *, template: Path | None = None) -> list[str]:
    """Returns the files and folders `create_workspace` would add to a folder, folders with a slash; nothing is
    written."""
    source = template or shipped("workspace")
    names = {item.name + "/" * item.is_dir() for item in source.iterdir()}
    names |= {"memory/", "sessions/", f"{OWN_FOLDER}/"}
    return sorted(name for name in names if not (path / name).exists())


def open_workspace(path: Path, *, read_only: bool = False, calls: FileCalls = REAL_CALLS) -> Workspace:
    """Opens a workspace to own it, or only to look at it; where it is read-only nothing is written at all.

    Raises NotAWorkspace, WorkspaceInUse or WorkspaceReadOnly.
    """
    report = inspect_workspace(path)
    if report.kind not in ("workspace", "peer"):
        raise NotAWorkspace(report.sentence, path=str(report.root))
    paths = WorkspacePaths.found(report.root)
    if read_only:
        return Workspace(report.root, paths, True, report)
    lock = _own(paths, calls)
    if lock is None:
        owner = workspace_lock.holder(paths.own.lock_file) or "another process"
        raise WorkspaceInUse(f"“{report.root.name}” {_open_where(owner)}.", path=str(report.root), owner=owner)
    return Workspace(report.root, paths, False, report, lock)


def _own(paths: WorkspacePaths, calls: FileCalls) -> workspace_lock.WorkspaceLock | None:
    try:
        missing = [folder for folder in (paths.own.folder, paths.memory_dir, paths.sessions_dir) if not folder.exists()]
        for folder in missing:
            with suppress(FileExistsError):
                calls.mkdir(str(folder))
        if missing:
            # What is written durably in a folder is no safer than the folder.
            fsync_directory(paths.root, calls=calls)
        return workspace_lock.acquire(paths.own.lock_file)
    except OSError as error:
        if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            sentence = f"“{paths.root.name}” can be read but not written."
            raise WorkspaceReadOnly(sentence, path=str(paths.root)) from error
        sentence = f"“{paths.root.name}” could not be opened: {error.strerror or error}."
        raise StorageError(sentence, path=str(paths.root)) from error


def _kind(root: Path, paths: WorkspacePaths) -> str:
    try:
        if not root.exists():
            return "missing"
        if not root.is_dir():
            return "not-a-folder"
        if paths.begun_file.exists():
            return "begun"
        if paths.own.folder.is_dir():
            return "workspace"
        if _is_peer(paths):
            return "peer"
        return "foreign" if any(root.iterdir()) else "empty"
    except OSError:
        return "not-a-folder"


def _is_peer(paths: WorkspacePaths) -> bool:
    usual = paths.memory_dir / MEMORY_NAME
    if any(file.exists() for file in (usual, paths.history_file, paths.history_jsonl)):
        return True
    # A MEMORY.md in the root may be anybody's, unless a state of the session or notes stand beside it.
    if paths.memory_at_root and (paths.session_state.exists() or paths.memory_dir.is_dir()):
        return True
    # AGENTS.md alone is common in source trees of all kinds.
    if sum((paths.root / name).is_file() for name in (*PROMPT_FILES, HEARTBEAT_PATH)) >= 2:
        return True
    if paths.sessions_dir.is_dir() and any(paths.sessions_dir.glob("*.jsonl")):
        return True
    home = nanobot_home(paths.root)
    return home is not None and bool(home.files())


def _profile(paths: WorkspacePaths) -> str:
    if paths.memory_at_root:
        return THREE_TIER
    dreaming = (paths.history_jsonl, paths.memory_dir / ".dream_cursor", paths.memory_dir / ".cursor")
    if any(map(os.path.exists, dreaming)):
        return DREAM
    # Any profile may capture: its files alone do not say which one is in force.
    states = (paths.session_state, paths.memory_dir / "working-buffer.md")
    others = (paths.memory_file, paths.history_file)
    return THREE_TIER if any(map(os.path.exists, states)) and not any(map(os.path.exists, others)) else TWO_LAYER


def _writable(root: Path) -> bool:
    nearest = next((folder for folder in (root, *root.parents) if os.path.exists(folder)), root)
    return os.access(nearest, os.W_OK)


def _sentence(root: Path, kind: str, writable: bool, in_use_by: str) -> str:
    name = f"“{root.name or root}”"
    if in_use_by:
        return f"{name} {_open_where(in_use_by)}."
    if kind in ("workspace", "peer") and not writable:
        return f"{name} is a workspace that can be read but not written."
    return {
        "workspace": f"{name} is a workspace.",
        "peer": f"{name} is a workspace that another program made.",
        "begun": f"{name} is a workspace whose making was cut off; what is missing can be added.",
        "empty": f"{name} is an empty folder.",
        "foreign": f"{name} is a folder without any of the files of a workspace.",
        "missing": f"{name} is not there.",
        "not-a-folder": f"{name} is not a folder that can be opened.",
    }[kind]


def _open_where(owner: str) -> str:
    if owner == workspace_lock.OURS:
        return "is open in this program already"
    elsewhere = " on another computer" if " on " in owner else ""
    return f"is open in another Mnemoscope window{elsewhere}"


def _make_whole(source: Path, root: Path, calls: FileCalls) -> None:
    """Makes all of it beside the place first, then puts it under its name in one step."""
    make_directory(root.parent, calls=calls)
    making = temporary_path(root, "new")
    # What a crash left of an earlier try.
    shutil.rmtree(making, ignore_errors=True)
    try:
        _copy_missing(source, making, calls)
        with storage_errors(root, "create"):
            calls.replace(str(making), str(root))
    except StorageError:
        shutil.rmtree(making, ignore_errors=True)
        raise
    fsync_directory(root.parent, calls=calls)


def _copy_missing(source: Path, target: Path, calls: FileCalls) -> None:
    for item in sorted(source.rglob("*")):
        place = target / item.relative_to(source)
        if item.is_dir():
            make_directory(place, calls=calls)
        elif not os.path.lexists(place):
            make_directory(place.parent, calls=calls)
            replace_bytes(place, item.read_bytes(), calls=calls)
    for name in ("memory", "sessions", OWN_FOLDER):
        make_directory(target / name, calls=calls)
