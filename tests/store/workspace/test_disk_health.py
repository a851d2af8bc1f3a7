"""The disk's refusals are learnt from the writes themselves, and a message gets the reserve."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.errors import DiskFull, StorageError
from mnemoscope.store.files.atomic import replace_bytes
from mnemoscope.store.workspace.disk_health import (
    RESERVE_BYTES,
    DiskHealth,
    DiskTrouble,
    WatchedCalls,
    keep_reserve,
    try_disk,
)
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import create_workspace
from tests.support.faulty_calls import CountedCalls


class Refusing(CountedCalls):
    """Real calls that fail with `error` while it is set, except that a full disk takes what the reserve gave back."""

    def __init__(self) -> None:
        super().__init__()
        self.error = 0
        self.room = 0

    def unlink(self, path: str) -> None:
        super().unlink(path)
        self.room += path.endswith("reserve")

    def _do(self, name: str, work: Callable[[], Any], half: Callable[[], Any] | None = None) -> Any:
        if self.error and not self.room and name in {"write", "fsync", "mkdir", "replace"}:
            raise OSError(self.error, os.strerror(self.error))
        return work()


class Place:
    """A workspace behind watched calls."""

    def __init__(self, root: Path) -> None:
        create_workspace(root)
        self.paths, self.disk, self.health = WorkspacePaths(root), Refusing(), DiskHealth()
        self.calls = WatchedCalls(root, self.health, self.disk)
        self.heard: list[DiskTrouble | None] = []
        self.health.when_changed(self.heard.append)

    def write(self, path: Path) -> None:
        replace_bytes(path, b"x", calls=self.calls)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "home")


@pytest.mark.parametrize(
    ("number", "reason"),
    [(errno.ENOSPC, "full"), (errno.EDQUOT, "full"), (errno.EROFS, "read-only"), (errno.EIO, "failing")],
)
def test_a_refused_write_is_told_with_its_reason_and_place(place: Place, number: int, reason: str) -> None:
    place.disk.error = number
    with pytest.raises(StorageError):
        place.write(place.paths.memory_file)
    assert place.heard == [DiskTrouble(reason, frozenset({"memory"}))]


def test_a_missing_file_says_nothing_about_the_disk(place: Place) -> None:
    with pytest.raises(OSError, match="No such file"):
        place.calls.replace(str(place.paths.own.folder / "nothing"), str(place.paths.memory_file))
    assert place.health.trouble is None


def test_each_area_is_told_until_it_is_written_again(place: Place) -> None:
    place.disk.error = errno.EROFS
    for path in (place.paths.memory_file, place.paths.sessions_dir / "a.jsonl", place.paths.config_file):
        with pytest.raises(StorageError):
            place.write(path)
    assert place.health.trouble == DiskTrouble("read-only", frozenset({"memory", "chat", "settings"}))
    place.disk.error = 0
    place.write(place.paths.sessions_dir / "a.jsonl")
    assert place.health.trouble == DiskTrouble("read-only", frozenset({"memory", "settings"}), chat_saved=True)
    place.write(place.paths.memory_file)
    place.write(place.paths.config_file)
    assert place.heard[-1] is None


def test_a_message_on_a_full_disk_gets_the_reserve_and_memory_does_not(place: Place) -> None:
    assert keep_reserve(place.paths, place.calls)
    assert place.paths.own.reserve_file.stat().st_size == RESERVE_BYTES
    place.disk.error = errno.ENOSPC
    with pytest.raises(DiskFull):
        place.write(place.paths.memory_file)
    assert place.paths.own.reserve_file.exists()
    place.write(place.paths.sessions_dir / "a.jsonl")
    assert (place.paths.sessions_dir / "a.jsonl").read_bytes() == b"x"
    assert not place.paths.own.reserve_file.exists()
    assert place.health.trouble == DiskTrouble("full", frozenset({"memory"}), chat_saved=True)


def test_without_room_there_is_no_reserve_and_no_error(place: Place) -> None:
    place.disk.error = errno.ENOSPC
    assert not keep_reserve(place.paths, place.calls)
    assert not place.paths.own.reserve_file.exists()


def test_trying_the_disk_leaves_nothing_and_says_whether_it_takes(place: Place) -> None:
    before = sorted(place.paths.own.folder.iterdir())
    try_disk(place.paths, place.calls)
    assert sorted(place.paths.own.folder.iterdir()) == before
    place.disk.error = errno.ENOSPC
    with pytest.raises(DiskFull):
        try_disk(place.paths, place.calls)


def test_trouble_that_is_over_is_told_once(place: Place) -> None:
    place.disk.error = errno.EIO
    with pytest.raises(StorageError):
        place.write(place.paths.memory_file)
    place.health.clear()
    place.health.clear()
    assert place.heard == [DiskTrouble("failing", frozenset({"memory"})), None]


def test_a_draft_gets_the_reserve_too_and_a_new_folder_is_watched(place: Place) -> None:
    keep_reserve(place.paths, place.calls)
    keep_reserve(place.paths, place.calls)
    place.disk.error = errno.ENOSPC
    with pytest.raises(OSError, match="No space"):
        place.calls.mkdir(str(place.paths.own.drafts_dir))
    assert place.health.trouble == DiskTrouble("full", frozenset({"drafts"}))
    place.disk.error = 0
    place.calls.mkdir(str(place.paths.own.drafts_dir))
    place.disk.error = errno.ENOSPC
    place.write(place.paths.own.drafts_dir / "a.json")
    assert (place.paths.own.drafts_dir / "a.json").read_bytes() == b"x"
    assert place.health.trouble is None


def test_without_a_reserve_a_message_is_refused_as_anything_else(place: Place) -> None:
    place.disk.error = errno.ENOSPC
    with pytest.raises(DiskFull):
        place.write(place.paths.sessions_dir / "a.jsonl")
    assert place.health.trouble == DiskTrouble("full", frozenset({"chat"}))


def test_what_lies_outside_of_the_workspace_counts_as_memory(place: Place, tmp_path: Path) -> None:
    # MEMORY.md may be a link to a file elsewhere.
    place.disk.error = errno.EROFS
    with pytest.raises(StorageError):
        place.write(tmp_path / "elsewhere.md")
    assert place.health.trouble == DiskTrouble("read-only", frozenset({"memory"}))


def test_what_was_opened_for_reading_is_of_no_area(place: Place) -> None:
    descriptor = place.calls.open(str(place.paths.memory_dir), os.O_RDONLY)
    place.disk.error = errno.EIO
    with pytest.raises(OSError, match="Input/output"):
        place.calls.fsync(descriptor)
    place.calls.close(descriptor)
    assert place.health.trouble is None
