"""Damage in the store of versions: set aside, never deleted, and new versions are kept again."""

import os
from pathlib import Path

import pytest

from mnemoscope.store.files.atomic import digest_of
from mnemoscope.store.memory.text_versions import KEPT, TextVersions, set_aside_damaged
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import create_workspace


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    create_workspace(tmp_path / "home")
    return WorkspacePaths(tmp_path / "home")


def keep(paths: WorkspacePaths, text: str) -> str:
    return TextVersions(paths.own.text_versions_dir).keep_text(text)


def test_sound_versions_stay(paths: WorkspacePaths) -> None:
    digest, empty = keep(paths, "- Café\n"), keep(paths, "")
    assert set_aside_damaged(paths) == 0
    assert TextVersions(paths.own.text_versions_dir).text(digest) == "- Café\n"
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
    assert keep(paths, "- Tea\n") == digest_of(b"- Tea\n")
    assert [path.read_bytes() for path in paths.own.quarantine_dir.iterdir()] == [b"not a folder"]


def test_without_versions_there_is_nothing_to_do(tmp_path: Path) -> None:
    assert set_aside_damaged(WorkspacePaths(tmp_path / "nowhere")) == 0


def test_versions_that_are_not_kept_are_none(tmp_path: Path) -> None:
    versions = TextVersions(tmp_path / "versions")
    assert versions.text("") == ""
    assert versions.text(None) is None
    assert versions.text("../x") is None
    assert versions.text("0" * 64) is None
    assert versions.text_beginning("00") is None
    assert not versions.holds_prefix(b"text")
    digest = versions.keep_text("a text")
    versions.keep("a text", "no version")
    assert versions.text_beginning(digest[:8]) == "a text"
    assert versions.text_beginning("") is None
    assert versions.holds_prefix(b"a t")
    assert versions.holds_prefix(b"a text")
    assert not versions.holds_prefix(b"another")


def test_a_version_that_was_kept_by_another_run_is_known(tmp_path: Path) -> None:
    digest = TextVersions(tmp_path).keep_text("a text")
    again = TextVersions(tmp_path)
    again.keep("a text", digest)
    assert [path.name for path in tmp_path.iterdir()] == [digest]


def test_the_oldest_versions_go_when_there_are_too_many(tmp_path: Path) -> None:
    for number in range(KEPT):
        text = tmp_path / digest_of(f"text {number}".encode())
        text.write_text(f"text {number}")
        os.utime(text, (number, number))
    versions = TextVersions(tmp_path)
    for number in range(KEPT, KEPT + 3):
        versions.keep_text(f"text {number}")
    assert len(list(tmp_path.iterdir())) == KEPT
    assert versions.text(digest_of(b"text 0")) is None
    assert versions.text(digest_of(f"text {KEPT + 2}".encode())) is not None
