"""Writes that are whole or not there at all."""

import errno
import io
import itertools
import os
import time
import tracemalloc
from pathlib import Path

import pytest

from mnemoscope.domain.errors import DiskFull, StorageError, UnreadableFile
from mnemoscope.store.files.append import append_bytes
from mnemoscope.store.files.atomic import (
    StableRead,
    encode_text,
    fsync_directories,
    look_once,
    make_directory,
    read_at_most,
    read_stable,
    replace_bytes,
    see_stable,
)
from tests.support.faulty_calls import CountedCalls, FailingOnce, KillingCalls, SimulatedKill


def test_a_replaced_file_is_forced_before_and_its_folder_after_the_rename(tmp_path: Path) -> None:
    calls = CountedCalls()
    replace_bytes(tmp_path / "a", b"new", calls=calls)
    assert calls.names == ["open", "write", "fsync", "replace", "fsync"]
    assert (tmp_path / "a").read_bytes() == b"new"


@pytest.mark.parametrize("when", ["before", "after", "half"])
def test_a_kill_while_replacing_leaves_the_old_or_the_new(tmp_path: Path, when: str) -> None:
    for at in range(1, 6):
        path = tmp_path / f"{when}-{at}"
        path.write_bytes(b"old")
        with pytest.raises(SimulatedKill):
            replace_bytes(path, b"new text", calls=KillingCalls(at, when))
        assert path.read_bytes() in (b"old", b"new text")


@pytest.mark.parametrize(("error", "kind"), [(errno.ENOSPC, DiskFull), (errno.EROFS, StorageError)])
def test_a_failed_replace_leaves_the_old_and_no_other_file(tmp_path: Path, error: int, kind: type[Exception]) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    for at in range(1, 5):
        with pytest.raises(kind):
            replace_bytes(path, b"new text", calls=FailingOnce(at, error))
        assert path.read_bytes() == b"old"
        assert os.listdir(tmp_path) == ["a"]


def test_a_failed_append_takes_its_fragment_back(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"first\n")
    with pytest.raises(DiskFull) as caught:
        append_bytes(path, b"second\n", calls=FailingOnce(2))
    assert path.read_bytes() == b"first\n"
    assert "disk is full" in caught.value.sentence
    append_bytes(path, b"second\n")
    assert path.read_bytes() == b"first\nsecond\n"


def test_an_append_is_one_write_and_one_fsync(tmp_path: Path) -> None:
    path = tmp_path / "a"
    append_bytes(path, b"x")
    calls = CountedCalls()
    append_bytes(path, b"y" * 100_000, calls=calls)
    assert calls.names == ["open", "write", "fsync"]


def test_a_link_and_the_permissions_survive(tmp_path: Path) -> None:
    real = tmp_path / "elsewhere" / "real.md"
    real.parent.mkdir()
    real.write_bytes(b"old")
    real.chmod(0o640)
    link = tmp_path / "link.md"
    link.symlink_to(real)
    replace_bytes(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_in_place_of_a_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "AGENTS.md")
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else 0
    with pytest.raises(UnreadableFile, match=r"AGENTS\.md could not be read: it is a named pipe"):
        read_stable(tmp_path / "AGENTS.md")
    assert not before or len(os.listdir("/proc/self/fd")) == before


def test_text_that_utf8_cannot_hold_is_written_readably() -> None:
    assert encode_text("a\ud800b\ud83d\ude00") == "a\ufffdb😀".encode()


def test_a_folder_in_place_of_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").mkdir()
    with pytest.raises(UnreadableFile, match="it is a folder"):
        read_stable(tmp_path / "MEMORY.md")
    with pytest.raises(StorageError, match=r"MEMORY\.md could not be written"):
        replace_bytes(tmp_path / "MEMORY.md", b"x")
    assert os.listdir(tmp_path) == ["MEMORY.md"]


def test_a_missing_file_reads_as_none_and_an_old_empty_one_as_empty(tmp_path: Path) -> None:
    assert read_stable(tmp_path / "none") is None
    path = tmp_path / "empty"
    path.touch()
    os.utime(path, (1_000_000_000, 1_000_000_000))
    assert read_stable(path) == b""


def test_a_file_emptied_just_now_is_read_once_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a"
    looks: list[int] = []

    def look(path: Path, most: int) -> StableRead | None:
        # Emptied at each look anew, so that no machine is too slow to see it just emptied.
        looks.append(len(looks))
        path.write_bytes(b"whole" if len(looks) == 3 else b"")
        os.utime(path, (2**32 + len(looks), 2**32 + len(looks)))
        return look_once(path, most)

    seen = see_stable(path, look=look)
    assert seen is not None
    assert seen.data == b"whole"
    assert len(looks) == 3


def test_a_folder_is_made_with_those_above_it(tmp_path: Path) -> None:
    make_directory(tmp_path / "a" / "b")
    make_directory(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()


@pytest.mark.slow
def test_a_folder_that_was_made_and_not_forced_is_forced_later(tmp_path: Path) -> None:
    with pytest.raises(SimulatedKill):
        make_directory(tmp_path / "a" / "b", calls=KillingCalls(4, "before"))
    calls = CountedCalls()
    fsync_directories([tmp_path, tmp_path / "a", tmp_path / "a" / "b", tmp_path / "missing"], calls=calls)
    assert (tmp_path / "a" / "b").is_dir()
    assert calls.names == ["fsync", "fsync"]


def test_a_disk_that_forces_no_folder_stops_nothing(tmp_path: Path) -> None:
    make_directory(tmp_path / "a")
    calls = FailingOnce(1, errno.EIO)
    fsync_directories([tmp_path], calls=calls)
    assert calls.names == ["fsync"]


def test_a_file_that_is_rewritten_without_a_pause_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_bytes(b"")
    moments = itertools.count(time.time_ns() + 3_600 * 10**9)

    def rewritten(path: Path, most: int) -> StableRead | None:
        moment = next(moments)
        os.utime(path, ns=(moment, moment))
        return look_once(path, most)

    # Empty, and at every look another one than before, until so many looks say that it has no rest.
    with pytest.raises(UnreadableFile, match="without a pause"):
        see_stable(path, look=rewritten)


def test_a_file_that_changes_while_it_is_read_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "SOUL.md"
    path.write_bytes(b"half a text")
    looks: list[StableRead | None] = []

    def torn(path: Path, most: int) -> StableRead | None:
        looks.append(None if not looks else look_once(path, most))
        return looks[-1]

    seen = see_stable(path, 4, look=torn)
    assert seen is not None
    assert (seen.data, seen.size, len(looks)) == (b"half", 11, 2)
    (tmp_path / "empty").touch()
    os.utime(tmp_path / "empty", (0, 0))
    assert read_stable(tmp_path / "empty") == b""
    assert see_stable(tmp_path / "none") is None


def test_a_file_of_which_more_comes_than_it_says_is_never_taken_for_whole() -> None:
    if not Path("/proc/uptime").exists():
        pytest.skip("the system has no file whose size says nothing")
    assert look_once(Path("/proc/uptime"), -1) is None


@pytest.mark.parametrize("most", [-1, 3, 6, 7, 100])
def test_at_most_so_many_bytes_are_read_from_where_the_file_stands(tmp_path: Path, most: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a123456")
    with path.open("rb") as file:
        file.read(1)
        assert read_at_most(file, most) == b"123456"[: None if most < 0 else most]


def test_what_a_file_grew_by_while_it_was_read_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"123")

    class Growing(io.BufferedReader):
        """Grows when its length was looked at, before it is read."""

        def read(self, size: int | None = -1, /) -> bytes:
            path.write_bytes(b"123456789")
            return super().read(size)

    with Growing(io.FileIO(path)) as file:
        assert read_at_most(file, 8) == b"12345678"


def test_no_room_is_made_for_more_than_a_file_holds(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"123")
    with path.open("rb") as file:
        tracemalloc.start()
        read_at_most(file, 8_000_000)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 100_000
