"""Damage in the store of versions: set aside, never deleted, and new versions are kept again."""

from pathlib import Path

import pytest

from mnemoscope.store.files.atomic import digest
from mnemoscope.store.memory.text_versions import TextVersions, set_aside_damaged
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import create_workspace


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    create_workspace(tmp_path / "home")
    return WorkspacePaths(tmp_path / "home")


def keep(paths: WorkspacePaths, text: str) -> str:
    return TextVersions(paths.own.text_versions_dir).keep_text(text)


def test_sound_versions_stay(paths: WorkspacePaths) -> None:
    version, empty = keep(paths, "- Café\n"), keep(paths, "")
    assert set_aside_damaged(paths) == 0
    assert TextVersions(paths.own.text_versions_dir).text(version) == "- Café\n"
    assert TextVersions(paths.own.text_versions_dir).text(empty) == ""


@pytest.mark.parametrize("data", [b"\xff\xfe\xfa", b"\x00" * 40])
def test_a_text_that_is_none_is_set_aside_with_its_bytes(paths: WorkspacePaths, data: bytes) -> None:
    sound, hurt = keep(paths, "- Tea\n"), keep(paths, "- Cake\n")
    (paths.own.text_versions_dir / hurt).write_bytes(data)
    assert set_aside_damaged(paths) == 1
    assert TextVersions(paths.own.text_versions_dir).text(hurt) is None
    assert TextVersions(paths.own.text_versions_dir).text(sound) == "- Tea\n"
    assert [path.read_bytes() for path in paths.own.quarantine_dir.iterdir()] == [data]
    assert set_aside_damaged(paths) == 0


def test_a_folder_in_the_place_of_a_text_is_set_aside(paths: WorkspacePaths) -> None:
    hurt = keep(paths, "- Cake\n")
    (paths.own.text_versions_dir / hurt).unlink()
    (paths.own.text_versions_dir / hurt / "inside").mkdir(parents=True)
    assert set_aside_damaged(paths) == 1


def test_a_file_in_the_place_of_the_folder_is_set_aside_and_versions_begin_anew(paths: WorkspacePaths) -> None:
    for path in paths.own.text_versions_dir.iterdir() if paths.own.text_versions_dir.exists() else ():
        path.unlink()
    if paths.own.text_versions_dir.exists():
        paths.own.text_versions_dir.rmdir()
    paths.own.text_versions_dir.write_bytes(b"not a folder")
    assert set_aside_damaged(paths) == 1
    assert keep(paths, "- Tea\n") == digest(b"- Tea\n")
    assert [path.read_bytes() for path in paths.own.quarantine_dir.iterdir()] == [b"not a folder"]


def test_without_versions_there_is_nothing_to_do(tmp_path: Path) -> None:
    assert set_aside_damaged(WorkspacePaths(tmp_path / "nowhere")) == 0
