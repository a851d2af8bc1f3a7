"""The folders of a person are named, and not made."""

from __future__ import annotations

from pathlib import Path

from mnemoscope.store.workspace.program_folders import ProgramFolders


def test_the_folders_are_this_program_s_own() -> None:
    folders = ProgramFolders.of_this_person()
    assert all("mnemoscope" in str(each) for each in (folders.config, folders.data, folders.state, folders.log))
    assert folders.sample == folders.data / "sample"
    assert folders.trusted == folders.state / "trusted-folders"
    assert folders.log_file == folders.log / "mnemoscope.log"


def test_the_folders_beyond_workspaces_are_named_once_and_none_lies_in_another() -> None:
    one, state = Path("/one"), Path("/state")
    assert ProgramFolders(one, one, state, state / "log").beyond_workspaces == (one, state)
    assert ProgramFolders(one, one, one, one / "log").beyond_workspaces == (one,)
