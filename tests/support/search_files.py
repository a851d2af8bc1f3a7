"""Workspaces with something to search, for tests."""

import json
from pathlib import Path

from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.workspace.paths import WorkspacePaths


def workspace(root: Path) -> WorkspacePaths:
    """Returns a folder with the folders of a workspace."""
    paths = WorkspacePaths(root)
    for folder in (paths.own.folder, paths.memory_dir, paths.archive_dir):
        folder.mkdir(parents=True, exist_ok=True)
    return paths


def message(text: str, role: str = "user", **more: object) -> str:
    """Returns one line of a session file."""
    return json.dumps({"role": role, "content": text, "timestamp": "2026-03-06T14:20:01"} | more) + "\n"


def session(paths: WorkspacePaths, *lines: str, key: str = "cli:direct", name: str = "cli_direct") -> Path:
    """Returns a session file of these lines, after its metadata."""
    path = paths.sessions_dir / f"{name}.jsonl"
    path.write_text(json.dumps({"_type": "metadata", "key": key}) + "\n" + "".join(lines), encoding="utf-8")
    return path


def found(search: WorkspaceSearch, text: str, **how: object) -> list[tuple[str, int, str]]:
    """Returns what is found once everything is taken in: (file, line, text), best first."""
    search.passages.catch_up()
    return [(hit.path, hit.line, hit.text) for hit in search.passages.find(text, **how)]  # type: ignore[arg-type]


def again(paths: WorkspacePaths, text: str) -> list[tuple[str, int, str]]:
    """Returns what a program started now would find."""
    search = WorkspaceSearch(paths)
    try:
        return found(search, text)
    finally:
        search.close()
