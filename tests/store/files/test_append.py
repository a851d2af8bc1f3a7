"""Adding to files: what a failing disk is never trusted with again."""

import errno
import os
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.append import append_bytes, end_line, fsync_file, truncate_file
from mnemoscope.store.files.calls import FileCalls


class Failing(FileCalls):
    """Forcing fails for the inodes in `failing`. `forced`: the inodes that were, in order."""

    def __init__(self) -> None:
        self.failing: set[int] = set()
        self.forced: list[int] = []
        self.refuses_new = False

    def fsync(self, descriptor: int) -> None:
        inode = os.fstat(descriptor).st_ino
        self.forced.append(inode)
        if inode in self.failing:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        super().fsync(descriptor)

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        if self.refuses_new and path.endswith(".mnemo-tmp"):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return super().open(path, flags, mode)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "HISTORY.md"
    path.write_bytes(b"one\n")
    return path


def test_after_an_error_of_the_disk_everything_is_in_a_new_file(path: Path) -> None:
    calls, old = Failing(), path.stat().st_ino
    calls.failing = {old}
    append_bytes(path, b"two\n", calls=calls)
    assert path.read_bytes() == b"one\ntwo\n"
    assert path.stat().st_ino != old
    assert calls.forced.count(old) == 1
    append_bytes(path, b"three\n", calls=calls)
    assert path.read_bytes() == b"one\ntwo\nthree\n"
    assert os.listdir(path.parent) == ["HISTORY.md"]


def test_where_no_new_file_can_be_had_the_old_one_is_not_forced_again(path: Path) -> None:
    calls, old = Failing(), path.stat().st_ino
    calls.failing, calls.refuses_new = {old}, True
    with pytest.raises(StorageError, match="reports an error"):
        append_bytes(path, b"two\n", calls=calls)
    assert path.read_bytes() == b"one\n"
    # The system may call the next fsync of the same file a success: it is not asked.
    calls.failing.clear()
    calls.refuses_new = False
    append_bytes(path, b"two\n", calls=calls)
    assert calls.forced.count(old) == 1
    assert path.read_bytes() == b"one\ntwo\n"


def test_forcing_and_cutting_write_anew_as_well(path: Path) -> None:
    calls = Failing()
    calls.failing = {path.stat().st_ino}
    fsync_file(path, calls=calls)
    assert path.read_bytes() == b"one\n"
    calls.failing = {path.stat().st_ino}
    truncate_file(path, 1, calls=calls)
    assert path.read_bytes() == b"o"


def test_what_another_program_adds_in_that_instant_is_taken_along(path: Path) -> None:
    class Adding(Failing):
        def exchange(self, one: str, other: str) -> bool:
            with path.open("ab") as file:
                file.write(b"theirs\n")
            Adding.exchange = Failing.exchange  # type: ignore[method-assign]
            return super().exchange(one, other)

    calls = Adding()
    calls.failing = {path.stat().st_ino}
    append_bytes(path, b"two\n", calls=calls)
    assert path.read_bytes() == b"one\ntwo\ntheirs\n"


def test_a_file_that_was_rewritten_in_that_instant_stays_as_it_is(path: Path) -> None:
    class Rewriting(Failing):
        def exchange(self, one: str, other: str) -> bool:
            path.write_bytes(b"anew\n")
            return super().exchange(one, other)

    calls = Rewriting()
    calls.failing = {path.stat().st_ino}
    with pytest.raises(StorageError):
        append_bytes(path, b"two\n", calls=calls)
    assert path.read_bytes() == b"anew\n"


def test_a_missing_file_that_cannot_be_opened_is_an_error(path: Path) -> None:
    class Broken(FileCalls):
        def open(self, path: str, flags: int, mode: int = 0o666) -> int:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    with pytest.raises(StorageError):
        append_bytes(path.with_name("none"), b"x", calls=Broken())


def test_an_end_that_others_wrote_to_is_not_cut(path: Path) -> None:
    class Crowded(FileCalls):
        def fsync(self, descriptor: int) -> None:
            with path.open("ab") as file:
                file.write(b"theirs\n")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(StorageError):
        append_bytes(path, b"two\n", calls=Crowded())
    assert path.read_bytes() == b"one\ntwo\ntheirs\n"


def test_a_write_that_took_nothing_leaves_nothing_to_take_back(path: Path) -> None:
    class Full(FileCalls):
        def write(self, descriptor: int, data: bytes) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(StorageError, match="disk is full"):
        append_bytes(path, b"two\n", calls=Full())
    assert path.read_bytes() == b"one\n"


@pytest.mark.parametrize(
    ("data", "before", "left"),
    [(b"", "", b""), (b"one\n", "", b"one\n"), (b"one", "\n", b"one"), (b"one\n\0\0", "", b"one\n"), (b"\0", "", b"")],
)
def test_a_line_that_was_never_ended_is_ended_and_what_a_power_cut_left_is_cut_off(
    tmp_path: Path, data: bytes, before: str, left: bytes
) -> None:
    file = tmp_path / "notes.md"
    file.write_bytes(data)
    assert end_line(file) == before
    assert file.read_bytes() == left
