"""MEMORY.md keeps what everyone wrote."""

import errno
import os
import threading
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.memory.memory_file import MemoryFile, MemoryMoved
from tests.support.faulty_calls import CountedCalls


def test_a_write_based_on_the_present_version_is_written_to_the_letter(tmp_path: Path) -> None:
    file = MemoryFile(tmp_path / "memory" / "MEMORY.md")
    assert file.read().exists is False
    first = file.write("# A\n- b", based_on="")
    assert file.path.read_bytes() == b"# A\n- b"
    second = file.write("# A\n- c", based_on=first.digest)
    assert file.read() == second
    assert os.listdir(file.path.parent) == ["MEMORY.md"]


def test_a_write_based_on_an_older_version_writes_nothing(tmp_path: Path) -> None:
    file = MemoryFile(tmp_path / "MEMORY.md")
    first = file.write("one", based_on=None)
    file.path.write_text("two")
    with pytest.raises(MemoryMoved) as caught:
        file.write("three", based_on=first.digest)
    assert caught.value.current.text == "two"
    assert str(caught.value).startswith("MEMORY.md was changed in the meantime.")
    assert file.path.read_text() == "two"


def test_a_write_that_was_refused_names_its_file(tmp_path: Path) -> None:
    with pytest.raises(MemoryMoved, match=r"^SOUL\.md was changed in the meantime"):
        MemoryFile(tmp_path / "SOUL.md").write("one", based_on="older")


@pytest.mark.parametrize("style", [b"\xef\xbb\xbf# A\r\n- b\r\n", b"\xef\xbb\xbf# A\n- b\n", b"# A\r\n- b\r\n"])
def test_the_files_own_bom_and_line_ends_are_kept(tmp_path: Path, style: bytes) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_bytes(style)
    file = MemoryFile(path)
    found = file.read()
    assert found.text == "# A\n- b\n"
    file.write(found.text + "- c\n", based_on=found.digest)
    assert path.read_bytes() == style + style[-5:].replace(b"- b", b"- c")[-5 if style.endswith(b"\r\n") else -4 :]


UTF_16 = "# Notes\n\n- Likes tea\n"


@pytest.mark.parametrize(
    "data",
    [b"caf\xe9", b"- x\n" * 600_000, UTF_16.encode("utf-16"), UTF_16.encode("utf-16-le"), b"- Likes tea\0\0\0\n"],
    ids=["Latin-1", "too long", "UTF-16", "UTF-16 without BOM", "NUL bytes"],
)
def test_a_file_that_cannot_be_used_as_memory_is_left_as_it_is(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_bytes(data)
    file = MemoryFile(path)
    with pytest.raises(UnreadableFile, match=r"MEMORY\.md"):
        file.read()
    with pytest.raises(UnreadableFile):
        file.write("new", based_on=None)
    assert path.read_bytes() == data


class Interfering(FileCalls):
    """Another program writes in the very moment before the exchange."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._texts = [text]

    def exchange(self, one: str, other: str) -> bool:
        if self._texts:
            self._path.write_text(self._texts.pop())
        return super().exchange(one, other)


def test_what_another_program_writes_at_the_same_instant_is_merged_in(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_text("# A\n- b\n")
    file = MemoryFile(path, calls=Interfering(path, "# A\n- b\n- outside\n"))
    found = file.read()
    written = file.write("# A\n- b\n- inside\n", based_on=found.digest)
    assert written.text == path.read_text() == "# A\n- b\n- outside\n- inside\n"
    assert os.listdir(tmp_path) == ["MEMORY.md"]


@pytest.mark.slow
@pytest.mark.parametrize("style", ["replace", "append"])
def test_no_outside_edit_is_lost_among_many(tmp_path: Path, style: str) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_text("# Notes\n")
    edits = 150
    file = MemoryFile(path)
    guard = threading.Event()

    def outside() -> None:
        for number in range(edits):
            line = f"- outside {number}\n"
            if style == "replace":
                target = tmp_path / "edit"
                target.write_text(path.read_text() + line)
                target.replace(path)
            else:
                with path.open("a") as open_file:
                    open_file.write(line)
        guard.set()

    writer = threading.Thread(target=outside)
    writer.start()
    ours = 0
    while not guard.is_set() and ours < 400:
        found = file.read()
        try:
            file.write(found.text + f"- inside {ours}\n", based_on=found.digest)
        except MemoryMoved:
            continue
        ours += 1
    writer.join()
    text = path.read_text()
    assert [number for number in range(edits) if f"- outside {number}\n" not in text] == []
    assert "<<<<" not in text


def test_memory_that_is_removed_in_the_very_moment_is_told_as_moved(tmp_path: Path) -> None:
    class Removing(FileCalls):
        def exchange(self, one: str, other: str) -> bool:
            os.unlink(other)
            return super().exchange(one, other)

    path = tmp_path / "MEMORY.md"
    path.write_text("one")
    with pytest.raises(MemoryMoved) as caught:
        MemoryFile(path, calls=Removing()).write("two", based_on=None)
    assert not caught.value.current.exists
    assert os.listdir(tmp_path) == []


def test_a_folder_that_is_gone_is_no_moved_memory(tmp_path: Path) -> None:
    class Gone(FileCalls):
        def replace(self, source: str, target: str) -> None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), target)

    with pytest.raises(StorageError, match="not there"):
        MemoryFile(tmp_path / "MEMORY.md", calls=Gone()).write("one", based_on="")


def test_what_is_no_text_is_kept_beside_memory(tmp_path: Path) -> None:
    class Garbling(FileCalls):
        def exchange(self, one: str, other: str) -> bool:
            Path(other).write_bytes(b"\xff\xfe")
            Garbling.exchange = FileCalls.exchange  # type: ignore[method-assign]
            return super().exchange(one, other)

    path = tmp_path / "MEMORY.md"
    path.write_text("one")
    assert MemoryFile(path, calls=Garbling()).write("two", based_on=None).text == "two"
    assert [each.read_bytes() for each in tmp_path.glob("*.kept")] == [b"\xff\xfe"]


def test_memory_is_parted_from_its_other_names(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_text("one")
    os.link(path, tmp_path / "other")
    file = MemoryFile(path)
    file.separate()
    file.write("two", based_on=None)
    assert (tmp_path / "other").read_text() == "one"


def test_a_text_that_is_there_already_is_forced_and_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_text("one")
    calls = CountedCalls()
    MemoryFile(path, calls=calls).write("one", based_on=None)
    assert calls.names == ["fsync"]
