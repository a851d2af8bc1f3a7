"""What a command is granted, how bubblewrap is told, and when it counts as there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mnemoscope.agent.tools.bubblewrap import Bubblewrap, find_bubblewrap, how_to_get_it, is_of_the_system
from mnemoscope.agent.tools.grants import Grants, grants_of
from mnemoscope.domain.errors import ToolError

GRANTS = Grants("/w", ("/w", "/w/notes"), ("/w/memory", "/w/AGENTS.md"), ("/w/notes/a", "/w/shop"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in (
        "AGENTS.md", "config.json", "memory/MEMORY.md", "memory/.cursor", "sessions/a.jsonl", ".mnemoscope/x",
        ".git/config", "notes/a.md", "notes/deep/b.md", "code/one/.git/config", "code/one/x.py", "code/two/y.py",
        "skills/s/SKILL.md", "Capture/own.toml",
    ):  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return tmp_path


def named(root: Path, paths: tuple[str, ...]) -> list[str]:
    return sorted(os.path.relpath(path, root) for path in paths)


def test_a_command_writes_in_plain_folders_reads_memory_and_gets_nothing_protected(root: Path) -> None:
    grants = grants_of(root)
    assert named(root, grants.writable) == ["code/one/x.py", "code/two", "notes"]
    assert named(root, grants.read_only) == ["AGENTS.md", "Capture", "memory/MEMORY.md", "skills"]
    assert named(root, grants.listed) == [".", "code", "code/one", "memory"]
    assert grants.listed[0] == str(root)


def test_links_and_special_files_are_granted_to_nobody(root: Path) -> None:
    (root / "notes" / "out").symlink_to("/etc")
    (root / "out").symlink_to("/etc")
    os.mkfifo(root / "pipe")
    grants = grants_of(root)
    assert not {"out", "pipe"} & set(named(root, grants.writable + grants.read_only + grants.listed))


def test_a_file_with_another_name_elsewhere_is_only_read(root: Path) -> None:
    os.link(root / "AGENTS.md", root / "notes" / "deep" / "linked")
    grants = grants_of(root)
    assert named(root, grants.writable) == ["code/one/x.py", "code/two", "notes/a.md", "notes/deep/b.md"]
    assert "notes/deep/linked" in named(root, grants.read_only)


def test_case_and_form_of_a_name_make_no_difference(root: Path) -> None:
    for name in ("notes/.GIT", "Memory", "Sessions", ".Mnemoscope"):
        (root / name).mkdir()
        (root / name / "x").write_text("x")
    grants = grants_of(root)
    assert named(root, grants.writable) == ["code/one/x.py", "code/two", "notes/a.md", "notes/deep"]
    assert "Memory" in named(root, grants.read_only)


def test_a_workspace_too_large_to_look_through_runs_nothing(root: Path) -> None:
    for bounds in ({"most_entries": 3}, {"most_grants": 2}):
        with pytest.raises(ToolError, match="too many files"):
            grants_of(root, **bounds)


def test_bubblewrap_is_given_namespaces_and_only_what_is_granted() -> None:
    arguments = Bubblewrap("/usr/bin/bwrap").wrapper(GRANTS)
    assert arguments[:6] == [
        "/usr/bin/bwrap",
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",
    ]
    line = " ".join(arguments)
    assert "--share-net" not in line
    assert "--proc /proc --dev /dev --tmpfs /tmp --tmpfs /w --dir /w/notes" in line
    assert "--ro-bind /w/memory /w/memory --ro-bind /w/AGENTS.md /w/AGENTS.md" in line
    assert line.endswith("--bind /w/notes/a /w/notes/a --bind /w/shop /w/shop --remount-ro /w --chdir /w")
    bound = {arguments[at + 1] for at, word in enumerate(arguments) if "bind" in word}
    assert not any(path == "/" or path.startswith(("/home", "/root", "/run", "/var", "/etc/shadow")) for path in bound)
    assert "/etc" not in bound


def planted_bwrap(folder: Path, script: str) -> str:
    (folder / "bwrap").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "bwrap").chmod(0o755)
    return str(folder)


def test_bubblewrap_counts_as_there_only_where_a_trial_run_works(tmp_path: Path) -> None:
    assert find_bubblewrap(planted_bwrap(tmp_path, "exit 1")) is None
    assert "a trial run of it failed" in how_to_get_it(str(tmp_path))


def test_the_trial_is_given_the_filter_of_system_calls(tmp_path: Path) -> None:
    found = find_bubblewrap(planted_bwrap(tmp_path, 'case "$*" in *--seccomp*/bin/true) exit 0;; *) exit 1;; esac'))
    assert found is not None
    assert found.program == str(tmp_path / "bwrap")


def test_where_it_is_not_installed_it_is_said_what_to_install(tmp_path: Path) -> None:
    assert find_bubblewrap(str(tmp_path)) is None
    assert how_to_get_it(str(tmp_path)).startswith("Install the package bubblewrap (on Debian and Ubuntu: ")


def test_programs_of_the_system_are_told_by_their_folder() -> None:
    assert is_of_the_system(Path("/usr/share/x"))
    assert not is_of_the_system(Path("/usrlocal"))
