"""The folders of a person are named, and not made."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemoscope.store.workspace.program_folders import ProgramFolders, runtime_folder


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


def test_the_folder_for_sockets_is_the_program_s_own_also_where_the_system_names_none(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/7")
    assert runtime_folder() == Path("/run/user/7/mnemoscope")
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert runtime_folder().name == "mnemoscope"
    assert not recwarn.list
