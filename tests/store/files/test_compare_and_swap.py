"""A file that others write too is replaced without losing what they wrote in the same instant."""

import errno
import os
import threading
from pathlib import Path
from typing import ClassVar

import pytest

from mnemoscope.domain.errors import FileShared, StorageError
from mnemoscope.store.files.atomic import temporary_path
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.files.compare_and_swap import (
    Unmergeable,
    is_known_leftover,
    is_ours_alone,
    replace_if_unchanged,
    replaced_digest,
    separate_file,
)
from tests.support.faulty_calls import FailingOnce, KillingCalls, SimulatedKill


def joined(_expected: bytes | None, found: bytes, mine: bytes) -> bytes:
    return found + mine


def union(_expected: bytes | None, found: bytes, mine: bytes) -> bytes:
    """Returns as a true merge, it may be made of the same text more than once."""
    return b" ".join(sorted({*found.split(), *mine.split()}))


def refused(_expected: bytes | None, _found: bytes, _mine: bytes) -> bytes:
    raise Unmergeable


class Interfering(FileCalls):
    """Another program writes in the very moment before the exchange; `can`: whether the system knows exchanges."""

    def __init__(self, path: Path, *texts: bytes, can: bool = True) -> None:
        self._path, self._texts, self._can = path, list(texts), can

    def exchange(self, one: str, other: str) -> bool:
        if self._texts:
            self._path.write_bytes(self._texts.pop(0))
        return self._can and super().exchange(one, other)


@pytest.mark.parametrize("can", [True, False])
def test_what_was_found_instead_is_merged_and_swapped_in_again(tmp_path: Path, can: bool) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old ")
    assert (
        replace_if_unchanged(path, b"mine", b"old ", joined, calls=Interfering(path, b"theirs ", can=can))
        == b"theirs mine"
    )
    assert path.read_bytes() == b"theirs mine"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.slow
def test_two_interruptions_in_a_row_are_both_merged(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"0")
    calls = Interfering(path, b"1 ", b"2 ")
    assert replace_if_unchanged(path, b"mine", b"0", joined, calls=calls) == b"2 1 mine"


def test_what_was_displaced_is_not_lost_to_who_read_our_text_and_saves_once_it_was_taken_out(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"0")

    class ReadingBetween(Interfering):
        """Saves "1", reads what we have put in its place, and saves upon that when the two have changed back."""

        read: ClassVar[list[bytes]] = []

        def exchange(self, one: str, other: str) -> bool:
            done = super().exchange(one, other)
            if len(self.read) == 1:
                path.write_bytes(self.read[0] + b" 2")
            self.read.append(path.read_bytes())
            return done

    calls = ReadingBetween(path, b"0 1")
    assert replace_if_unchanged(path, b"0 mine", b"0", union, calls=calls) == b"0 1 2 mine"
    assert path.read_bytes() == b"0 1 2 mine"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("can", [True, False])
def test_what_cannot_be_merged_is_kept_beside_the_file(tmp_path: Path, can: bool) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    assert replace_if_unchanged(path, b"mine", b"old", refused, calls=Interfering(path, b"\xff", can=can)) == b"mine"
    assert path.read_bytes() == b"mine"
    kept = [name for name in os.listdir(tmp_path) if name != "a"]
    assert [(tmp_path / name).read_bytes() for name in kept] == [b"\xff"]


@pytest.mark.parametrize("can", [True, False])
def test_a_file_that_was_removed_meanwhile_is_not_resurrected(tmp_path: Path, can: bool) -> None:
    path = tmp_path / "a"
    with pytest.raises(FileNotFoundError):
        replace_if_unchanged(path, b"mine", b"old", joined, calls=Interfering(path, can=can))
    assert os.listdir(tmp_path) == []


def test_a_file_that_came_into_being_meanwhile_is_merged(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"theirs ")
    assert replace_if_unchanged(path, b"mine", None, joined) == b"theirs mine"


@pytest.mark.slow
def test_a_file_that_never_rests_is_given_up_with_its_text_kept(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_bytes(b"old")
    calls = Interfering(path, *(b"%d" % number for number in range(60)), can=False)
    with pytest.raises(StorageError, match="without a pause"):
        replace_if_unchanged(path, b"mine", b"old", lambda _, __, mine: mine, calls=calls)
    assert path.read_bytes() == b"49"
    assert os.listdir(tmp_path) == ["MEMORY.md"]


def test_a_link_is_followed_and_the_temporary_file_lies_beside_the_real_one(tmp_path: Path) -> None:
    real = tmp_path / "elsewhere" / "real"
    real.parent.mkdir()
    real.write_bytes(b"old")
    real.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(real)
    with pytest.raises(SimulatedKill):
        replace_if_unchanged(link, b"mine", b"old", joined, calls=KillingCalls(4))
    assert len(os.listdir(real.parent)) == 2
    replace_if_unchanged(link, b"mine", b"old", joined)
    assert link.is_symlink()
    assert real.read_bytes() == b"mine"
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_file_with_other_names_is_not_replaced_before_the_person_said_so(tmp_path: Path) -> None:
    path, other = tmp_path / "MEMORY.md", tmp_path / "other"
    path.write_bytes(b"old")
    os.link(path, other)
    with pytest.raises(FileShared, match=r"MEMORY\.md has other names"):
        replace_if_unchanged(path, b"mine", b"old", joined)
    assert path.read_bytes() == other.read_bytes() == b"old"
    separate_file(path)
    assert replace_if_unchanged(path, b"mine", b"old", joined) == b"mine"
    assert other.read_bytes() == b"old"
    separate_file(tmp_path / "none")
    assert sorted(os.listdir(tmp_path)) == ["MEMORY.md", "other"]


def test_who_has_the_displaced_file_open_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old ")
    opened, let_write = threading.Event(), threading.Event()

    def append() -> None:
        with path.open("ab") as file:
            opened.set()
            let_write.wait()
            file.write(b"theirs ")

    class Watched(FileCalls):
        def is_open_elsewhere(self, path: str) -> bool:
            found = super().is_open_elsewhere(path)
            if found:
                let_write.set()
            return found

    writer = threading.Thread(target=append)
    writer.start()
    opened.wait()
    assert replace_if_unchanged(path, b"mine", b"old ", union, calls=Watched()) == b"mine old theirs"
    writer.join()


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
def test_a_refusing_disk_leaves_the_old_text_or_the_new_and_never_loses_what_was_displaced(
    tmp_path: Path, error: int
) -> None:
    for at in range(1, 7):
        path = tmp_path / str(at) / "a"
        path.parent.mkdir()
        path.write_bytes(b"old")
        try:
            replace_if_unchanged(path, b"mine", b"old", joined, calls=FailingOnce(at, error))
        except (OSError, StorageError):
            texts = {each.read_bytes() for each in path.parent.iterdir()}
            assert b"old" in texts
        assert path.read_bytes() in (b"old", b"mine")


@pytest.mark.parametrize("when", ["before", "after", "half"])
def test_what_a_kill_leaves_is_known_unless_it_is_somebody_elses_text(tmp_path: Path, when: str) -> None:
    for at in range(1, 7):
        for foreign in (b"old", b"theirs"):
            path = tmp_path / f"{at}-{foreign.decode()}" / "a"
            path.parent.mkdir()
            path.write_bytes(foreign)
            with pytest.raises(SimulatedKill):
                replace_if_unchanged(path, b"mine, longer", b"old", joined, calls=KillingCalls(at, when))
            left = [each for each in path.parent.iterdir() if each != path]
            lost = [each for each in left if is_known_leftover(each)]
            kept = {each.read_bytes() for each in path.parent.iterdir() if each not in lost}
            assert foreign in kept or path.read_bytes() == b"mine, longer"
            assert foreign == b"old" or foreign in kept
            assert foreign != b"old" or lost == left


def test_a_file_whose_name_says_nothing_is_not_known(tmp_path: Path) -> None:
    assert not is_known_leftover(tmp_path / "notes.md")
    assert not is_known_leftover(tmp_path / f".a.{'0' * 16}-{'0' * 16}.mnemo-tmp")


@pytest.mark.slow
def test_who_opened_our_text_before_it_was_taken_out_again_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old ")

    class Held(FileCalls):
        """Somebody has the file open for so many looks, and writes before it is closed: by then into our text."""

        left = 3

        def is_open_elsewhere(self, path: str) -> bool:
            self.left -= 1
            if self.left == 0:
                with open(path, "ab") as file:
                    file.write(b"theirs ")
            return self.left > 0

    assert replace_if_unchanged(path, b"mine", b"old ", joined, calls=Held()) == b"minetheirs old mine"
    assert os.listdir(tmp_path) == ["a"]


def test_the_name_of_a_temporary_file_says_what_it_was_to_replace(tmp_path: Path) -> None:
    new, old = "0" * 16, "1" * 16
    assert replaced_digest(tmp_path / f".MEMORY.md.{new}-{old}.mnemo-tmp") == old
    assert replaced_digest(tmp_path / f".MEMORY.md.{new}-{old}-3.mnemo-tmp") == old
    assert replaced_digest(tmp_path / f".MEMORY.md.{new}-new.mnemo-tmp") == ""
    assert replaced_digest(tmp_path / "notes.md") == ""


def test_what_never_changes_places_is_told_from_what_does(tmp_path: Path) -> None:
    assert is_ours_alone(temporary_path(tmp_path / "MEMORY.md"))
    assert not is_ours_alone(tmp_path / f".MEMORY.md.{'0' * 16}-new.mnemo-tmp")
    assert not is_ours_alone(tmp_path / "MEMORY.md")
