"""The folders of a person are named, and not made."""

from __future__ import annotations

from mnemoscope.store.workspace.program_folders import ProgramFolders


def test_the_folders_are_this_program_s_own() -> None:
    folders = ProgramFolders.of_this_person()
    assert all("mnemoscope" in str(each) for each in (folders.config, folders.data, folders.state, folders.log))
    assert folders.sample == folders.data / "sample"
    assert folders.trusted == folders.state / "trusted-folders"
    assert folders.log_file == folders.log / "mnemoscope.log"
