"""What a folder is, and who owns it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mnemoscope.domain.errors import NotAWorkspace, StorageError, WorkspaceInUse
from mnemoscope.store.workspace import WorkspacePaths, create_workspace, inspect_workspace, open_workspace


def peers(root: Path) -> Path:
    (root / "memory").mkdir(parents=True)
    (root / "memory" / "MEMORY.md").write_text("- x\n")
    return root


def files_in(root: Path) -> list[Path]:
    return sorted(root.rglob("*"))


@pytest.fixture
def template(tmp_path: Path) -> Path:
    root = tmp_path / "template"
    (root / "memory").mkdir(parents=True)
    (root / "SOUL.md").write_text("soul")
    (root / "memory" / "MEMORY.md").write_text("template")
    return root


def test_each_kind_of_folder_is_told_apart_without_writing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "AGENTS.md").touch()
    (tmp_path / "file").touch()
    peers(tmp_path / "peer")
    kinds = {name: inspect_workspace(tmp_path / name).kind for name in ("empty", "foreign", "file", "peer", "none")}
    assert kinds == {
        "empty": "empty",
        "foreign": "foreign",
        "file": "not-a-folder",
        "peer": "peer",
        "none": "missing",
    }
    assert not (tmp_path / "peer" / ".mnemoscope").exists()


@pytest.mark.parametrize(
    ("name", "profile"),
    [("memory/HISTORY.md", "two-layer"), ("memory/history.jsonl", "dream"), ("SESSION-STATE.md", "three-tier")],
)
def test_a_peers_files_suggest_its_profile(tmp_path: Path, name: str, profile: str) -> None:
    root = peers(tmp_path / "w")
    (root / name).touch()
    assert inspect_workspace(root).profile == profile


def test_a_new_workspace_is_a_copy_of_the_template_and_overwrites_nothing(tmp_path: Path, template: Path) -> None:
    root = tmp_path / "new"
    root.mkdir()
    (root / "SOUL.md").write_text("mine")
    assert create_workspace(root, template=template).kind == "workspace"
    assert (root / "SOUL.md").read_text() == "mine"
    assert (root / "memory" / "MEMORY.md").read_text() == "template"
    with pytest.raises(StorageError, match="is a workspace"):
        create_workspace(root, template=template)


def test_a_folder_that_is_none_is_not_opened(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(NotAWorkspace):
            open_workspace(folder)
    assert files_in(tmp_path) == []


def test_a_second_window_is_refused_and_may_look(tmp_path: Path) -> None:
    root = peers(tmp_path / "w")
    with open_workspace(root):
        with pytest.raises(WorkspaceInUse, match="“w” is open in this window"):
            open_workspace(root)
        assert inspect_workspace(root).in_use_by == "this window"
        before = files_in(root)
        open_workspace(root, read_only=True).close()
        assert files_in(root) == before
    assert inspect_workspace(root).in_use_by == ""
    open_workspace(root).close()


def test_a_process_that_ended_without_a_word_owns_nothing(tmp_path: Path) -> None:
    root = peers(tmp_path / "w")
    script = "import os, sys; from pathlib import Path; from mnemoscope.store.workspace import open_workspace\n"
    script += "open_workspace(Path(sys.argv[1])); os._exit(0)"
    subprocess.run([sys.executable, "-c", script, str(root)], check=True)
    assert WorkspacePaths(root).lock_file.exists()
    open_workspace(root).close()


def test_looking_only_writes_nothing_at_all(tmp_path: Path) -> None:
    root = peers(tmp_path / "w")
    before = files_in(root)
    with open_workspace(root, read_only=True) as workspace:
        assert workspace.read_only
    assert files_in(root) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_said_to_be_so(tmp_path: Path) -> None:
    root = peers(tmp_path / "w")
    root.chmod(0o500)
    try:
        assert not inspect_workspace(root).writable
    finally:
        root.chmod(0o700)
