"""Whole tool results are kept under names of their own, the newest of them."""

import os
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.tool_results import ToolResultFiles, whole_result

WHEN = datetime(2026, 11, 22, 14, 30)


def test_two_of_the_same_second_are_both_kept(tmp_path: Path) -> None:
    files = ToolResultFiles(tmp_path / "tool-results")
    one, other = files.keep("exec", "a" * 9_000, WHEN), files.keep("exec", "б", WHEN)
    assert (one.name, other.name) == ("20261122-143000-exec.txt", "20261122-143000-exec-2.txt")
    assert one.read_text("utf-8") == "a" * 9_000
    assert other.read_text("utf-8") == "б"


def test_a_name_of_a_tool_leads_nowhere_else(tmp_path: Path) -> None:
    path = ToolResultFiles(tmp_path / "results").keep("../../x\n", "a", WHEN)
    assert path.parent == tmp_path / "results"
    assert ToolResultFiles(tmp_path / "results").keep("", "a", WHEN).name == "20261122-143000-tool.txt"


def test_only_a_file_of_these_is_the_whole_of_a_result(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.own.folder.mkdir()
    kept = ToolResultFiles(paths.own.tool_results_dir).keep("exec", "all of it", WHEN)
    assert whole_result(paths, kept.relative_to(tmp_path).as_posix()) == kept
    (tmp_path / "run.txt").write_text("x")
    (paths.own.tool_results_dir / "run.desktop").write_text("x")
    (paths.own.tool_results_dir / "link.txt").symlink_to(tmp_path / "run.txt")
    folder = ".mnemoscope/tool-results"
    for name in ("", "run.txt", f"{folder}/run.desktop", f"{folder}/link.txt", f"{folder}/gone.txt", "/etc/passwd"):
        assert whole_result(paths, name) is None
    assert whole_result(paths, f"{folder}/../../run.txt") is None


@pytest.mark.parametrize("bound", [{"most_files": 2}, {"most_bytes": 20}])
def test_beyond_the_bound_the_oldest_go(tmp_path: Path, bound: dict[str, Any]) -> None:
    files = ToolResultFiles(tmp_path, **bound)
    for number in range(4):
        path = files.keep(f"t{number}", "ten bytes.", WHEN)
        os.utime(path, (number, number))
    assert sorted(path.name[16:] for path in tmp_path.iterdir()) == ["t2.txt", "t3.txt"]


class NoRemoval(FileCalls):
    def unlink(self, path: str) -> None:
        raise PermissionError(13, "refused", path)


def test_one_that_cannot_be_removed_stays_and_the_new_one_is_kept(tmp_path: Path) -> None:
    files = ToolResultFiles(tmp_path, most_files=1, calls=NoRemoval())
    files.keep("a", "1", WHEN)
    files.keep("b", "2", WHEN)
    assert len(list(tmp_path.iterdir())) == 2
