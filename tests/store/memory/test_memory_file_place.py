"""MEMORY.md goes where programs of three tiers look for it, unless another program may look for it in memory/."""

import errno
import os
from pathlib import Path

import pytest

from mnemoscope.store.memory.memory_file import move_to_root
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.faulty_calls import CountedCalls, FailingOnce, KillingCalls, SimulatedKill

TEXT = "# Memory\n\n- Tom drives the van\n"


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    (tmp_path / "memory").mkdir()
    (tmp_path / ".mnemoscope").mkdir()
    (tmp_path / "memory" / "MEMORY.md").write_text(TEXT)
    return WorkspacePaths(tmp_path)


def test_it_is_moved_durably_with_all_it_says(paths: WorkspacePaths) -> None:
    calls = CountedCalls()
    assert move_to_root(paths, calls=calls)
    assert calls.names == ["replace", "fsync", "fsync"]
    assert WorkspacePaths.found(paths.root).memory_file == paths.root / "MEMORY.md"
    assert (paths.root / "MEMORY.md").read_text() == TEXT
    assert not move_to_root(paths)


@pytest.mark.parametrize("name", ["memory/HISTORY.md", "memory/history.jsonl", ".mnemoscope/intent.json", "MEMORY.md"])
def test_it_stays_where_another_program_or_a_step_wants_it(paths: WorkspacePaths, name: str) -> None:
    (paths.root / name).write_text("there")
    assert not move_to_root(paths)
    assert paths.memory_file.read_text() == TEXT
    assert (paths.root / name).read_text() == "there"


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_file_of_several_names_stays(paths: WorkspacePaths, link: object) -> None:
    elsewhere = paths.root / "elsewhere.md"
    paths.memory_file.rename(elsewhere)
    link(elsewhere, paths.memory_file)  # type: ignore[operator]
    assert not move_to_root(paths)


def test_where_there_is_none_nothing_is_moved(paths: WorkspacePaths) -> None:
    paths.memory_file.unlink()
    assert not move_to_root(paths)


def test_a_disk_that_refuses_leaves_it_where_it_is(paths: WorkspacePaths, caplog: pytest.LogCaptureFixture) -> None:
    assert not move_to_root(paths, calls=FailingOnce(1, errno.EROFS))
    assert paths.memory_file.read_text() == TEXT
    assert "could not be moved safely" in caplog.text


def test_moved_and_not_yet_forced_it_is_read_where_it_is(paths: WorkspacePaths) -> None:
    assert move_to_root(paths, calls=FailingOnce(2, errno.EIO))
    assert WorkspacePaths.found(paths.root).memory_file.read_text() == TEXT


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("at", [1, 2, 3])
def test_wherever_it_ends_the_text_is_in_one_place_and_the_next_opening_finds_it(
    paths: WorkspacePaths, at: int, when: str
) -> None:
    with pytest.raises(SimulatedKill):
        move_to_root(paths, calls=KillingCalls(at, when))
    move_to_root(WorkspacePaths.found(paths.root))
    assert WorkspacePaths.found(paths.root).memory_file == paths.root / "MEMORY.md"
    assert [file.read_text() for file in paths.root.rglob("MEMORY.md")] == [TEXT]
