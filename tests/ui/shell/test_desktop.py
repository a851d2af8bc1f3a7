"""What the program makes is for this person alone, with a window and without one."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mnemoscope import __main__ as program
from mnemoscope import desktop
from mnemoscope.store.files.atomic import replace_bytes
from mnemoscope.ui.shell.application import ApplicationSetup
from tests.foreign_stores import chatgpt


def test_new_files_are_0600_in_0700_and_a_file_that_is_there_keeps_its_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = tmp_path / "MEMORY.md"
    theirs.touch()
    theirs.chmod(0o644)

    def run(_arguments: list[str], setup: ApplicationSetup, _workspace: Path | None, **_asked: bool) -> int:
        (tmp_path / "new" / "folder").mkdir(parents=True)
        replace_bytes(tmp_path / "new" / "file.md", b"words")
        replace_bytes(theirs, b"words")
        setup.settings_file.write_text("", encoding="utf-8")
        return 0

    monkeypatch.setattr(desktop, "run", run)
    monkeypatch.setattr(desktop, "_start_log", lambda _folders, _keys: None)
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    before = os.umask(0o022)
    try:
        assert program.main([]) == 0
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*")}
    assert modes.pop("MEMORY.md") == 0o644
    assert {name: modes[name] for name in ("new", "folder", "config", "mnemoscope")} == dict.fromkeys(
        ("new", "folder", "config", "mnemoscope"), 0o700
    )
    assert modes["file.md"] == modes["window.ini"] == 0o600


def test_a_workspace_that_an_import_makes_is_for_this_person_alone(tmp_path: Path) -> None:
    export = chatgpt.write_folder(tmp_path / "export", [chatgpt.talk("c", "a", "b")])
    into = tmp_path / "workspace"
    before = os.umask(0o022)
    try:
        assert program.main(["import", str(export), "--into", str(into)]) == 0
    finally:
        os.umask(before)
    assert [*into.glob("sessions/*.jsonl")]
    for path in (into, *into.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


_LATER = (
    "mnemoscope.agent.cli.",
    "mnemoscope.store.foreign.agents",
    "mnemoscope.store.search.vectors",
    "mnemoscope.ui.tour",
)
"""What is loaded only where it is asked for: commands of the command line, readers of other agents' stores, what
compares vectors in the worker of the search, the tour."""
_EVER = ("mnemoscope.agent.cli.system_libraries",)


@pytest.mark.slow
def test_a_window_that_starts_loads_no_command_and_no_reader_of_other_agents_stores() -> None:
    code = (
        f"import sys, mnemoscope.__main__, mnemoscope.desktop; "
        f"print(sorted(name for name in sys.modules if name.startswith({_LATER!r}) and name not in {_EVER!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
