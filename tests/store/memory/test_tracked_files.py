"""Which files of a workspace have commits, and which are beside them though models are told of them."""

from __future__ import annotations

from pathlib import Path

from mnemoscope.store.memory.tracked_files import is_tracked, newest_untracked_paths, untracked_paths
from mnemoscope.store.workspace.paths import WorkspacePaths


def test_files_without_commits_are_listed_as_they_stand_in_prompts_and_notes_from_the_newest(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    assert untracked_paths(paths) == []
    for name in ("AGENTS.md", "USER.md", "SESSION-STATE.md", "memory/2026-11-20.md", "memory/2026-11-21.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("- Likes tea\n", "utf-8")
    (tmp_path / "memory" / "MEMORY.md").write_text("- Likes tea\n", "utf-8")
    (tmp_path / "memory" / "2026-11-22.md").mkdir()
    found = untracked_paths(paths)
    assert found == ["AGENTS.md", "SESSION-STATE.md", "memory/2026-11-21.md", "memory/2026-11-20.md"]
    assert not any(map(is_tracked, found))


def test_of_many_notes_lines_are_asked_about_in_the_newest(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.memory_dir.mkdir()
    for number in range(1, 51):
        (tmp_path / f"memory/2026-{1 + number // 28:02}-{1 + number % 28:02}.md").write_text("- Likes tea\n", "utf-8")
    assert newest_untracked_paths(paths) == untracked_paths(paths)[:40] != untracked_paths(paths)
