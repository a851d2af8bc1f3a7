"""Fixtures that several files of these tests use: a workspace with versions, and one that is searched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.git_workspace import Clock
from tests.support.search_files import workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / "memory" / "MEMORY.md").write_text("# Memory\n\n- likes tea\n- lives in Graz\n", encoding="utf-8")
    (root / "SOUL.md").write_text("Be brief.\n", encoding="utf-8")
    return root


@pytest.fixture
def store(root: Path) -> GitStore:
    store = GitStore(root, clock=Clock())
    store.init()
    return store


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    return workspace(tmp_path)


@pytest.fixture
def search(paths: WorkspacePaths) -> Iterator[WorkspaceSearch]:
    one = WorkspaceSearch(paths)
    yield one
    one.close()
