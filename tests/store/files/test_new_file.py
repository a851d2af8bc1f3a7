"""A file a person asked for is whole or not there, theirs alone, and takes nothing's place unasked."""

import errno
import os
import stat
from pathlib import Path

import pytest

from mnemoscope.domain.errors import DiskFull, StorageError
from mnemoscope.store.files.new_file import write_new_file
from tests.support.faulty_calls import CountedCalls, FailingOnce, KillingCalls, SimulatedKill

PARTS = (b"one\n", b"two\n")


class NoLinks(CountedCalls):
    """A file system that gives a file one name only."""

    def link(self, source: str, target: str) -> None:
        del source, target
        raise OSError(errno.EPERM, "the test says so")


def test_a_new_file_is_forced_to_the_disk_and_is_its_owners_alone(tmp_path: Path) -> None:
    calls = CountedCalls()
    write_new_file(tmp_path / "a", PARTS, calls=calls)
    assert (tmp_path / "a").read_bytes() == b"one\ntwo\n"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600
    assert calls.names == ["open", "write", "write", "fsync", "link", "unlink", "fsync"]
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("calls", [CountedCalls(), NoLinks()])
def test_what_is_there_stays_as_it_is(tmp_path: Path, calls: CountedCalls) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(StorageError, match=r"“a” is there already, so nothing was written\."):
        write_new_file(tmp_path / "a", PARTS, calls=calls)
    assert (tmp_path / "a").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


def test_where_a_file_has_one_name_only_it_is_renamed(tmp_path: Path) -> None:
    write_new_file(tmp_path / "a", PARTS, calls=NoLinks())
    assert (tmp_path / "a").read_bytes() == b"one\ntwo\n"
    assert os.listdir(tmp_path) == ["a"]


def test_it_takes_the_place_of_another_where_that_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    write_new_file(tmp_path / "a", PARTS, replaces=True)
    assert (tmp_path / "a").read_bytes() == b"one\ntwo\n"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


@pytest.mark.parametrize("replaces", [False, True])
def test_a_disk_that_refuses_leaves_nothing_behind(tmp_path: Path, replaces: bool) -> None:
    for at in range(1, 6):
        with pytest.raises(DiskFull, match="The disk is full: “a” could not be written"):
            write_new_file(tmp_path / "a", PARTS, replaces=replaces, calls=FailingOnce(at))
        assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("when", ["before", "after", "half"])
def test_a_kill_leaves_the_whole_file_or_none(tmp_path: Path, when: str) -> None:
    for at in range(1, 8):
        path = tmp_path / f"{when}-{at}"
        with pytest.raises(SimulatedKill):
            write_new_file(path, PARTS, calls=KillingCalls(at, when))
        assert not path.exists() or path.read_bytes() == b"one\ntwo\n"


def test_what_fails_to_be_made_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        write_new_file(tmp_path / "a", (bytes(1 // part) for part in (1, 0)))
    assert os.listdir(tmp_path) == []
