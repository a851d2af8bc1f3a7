"""Temporary files of a crash: ours go, another program's text is merged into MEMORY.md or kept for the person."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.workspace.paths import WorkspacePaths

BEFORE = "# Notes\n- Known before\n"
OURS = "# Notes\n- Known before\n- Ours\n"
HOUR_AGO = 1_700_000_000


class Killed(BaseException):
    """The process ends here."""


class SavedInBetween(FileCalls):
    """Another program saves `text` right before the files change places, and the process is killed right after."""

    def __init__(self, text: str) -> None:
        self.text = text

    def exchange(self, one: str, other: str) -> bool:
        Path(other).write_text(self.text)
        os.utime(other, (HOUR_AGO, HOUR_AGO))
        super().exchange(one, other)
        raise Killed


def store_of(root: Path, calls: FileCalls = REAL_CALLS) -> MemoryStore:
    store = MemoryStore(root, calls=calls)
    store.editing.read_text()
    return store


@pytest.fixture
def killed(tmp_path: Path) -> Callable[[str], Path]:
    """Returns a workspace in which our save of OURS met another program's save of a text, and was killed."""

    def kill(text: str) -> Path:
        paths = WorkspacePaths(tmp_path)
        paths.memory_dir.mkdir(exist_ok=True)
        paths.memory_file.write_text(BEFORE)
        store = store_of(tmp_path, SavedInBetween(text))
        with pytest.raises(Killed):
            store.write_long_term(OURS)
        assert paths.memory_file.read_text() == OURS
        return tmp_path

    return kill


def test_what_another_program_added_in_the_moment_of_the_kill_is_merged_in(killed: Callable[[str], Path]) -> None:
    root = killed(BEFORE + "- Theirs\n")
    (sentence,) = store_of(root).recover()
    assert "merged" in sentence
    text = WorkspacePaths(root).memory_file.read_text()
    assert sorted(text.splitlines()) == ["# Notes", "- Known before", "- Ours", "- Theirs"]
    assert not list(root.rglob("*.mnemo-tmp"))


def test_a_text_that_would_take_lines_out_is_kept_for_the_person_instead(killed: Callable[[str], Path]) -> None:
    root = killed("# Notes\n- Theirs\n")
    (sentence,) = store_of(root).recover()
    assert "is kept in" in sentence
    assert WorkspacePaths(root).memory_file.read_text() == OURS
    (kept,) = WorkspacePaths(root).own.quarantine_dir.iterdir()
    assert kept.read_text() == "# Notes\n- Theirs\n"


def test_a_temporary_file_behind_a_symbolic_link_goes_and_those_of_others_beside_it_stay(tmp_path: Path) -> None:
    paths, notes = WorkspacePaths(tmp_path / "workspace"), tmp_path / "notes"
    paths.memory_dir.mkdir(parents=True)
    notes.mkdir()
    (notes / "kept.md").write_text(BEFORE)
    paths.memory_file.symlink_to(notes / "kept.md")
    for name in (".kept.md.0123456789ab.mnemo-tmp", ".other.md.0123456789ab.mnemo-tmp"):
        (notes / name).write_text("half")
    assert store_of(paths.root).recover() == []
    assert sorted(path.name for path in notes.iterdir()) == [".other.md.0123456789ab.mnemo-tmp", "kept.md"]


def test_a_disk_that_refuses_says_so_and_the_text_is_there_for_the_next_try(killed: Callable[[str], Path]) -> None:
    class Full(FileCalls):
        def write(self, descriptor: int, data: bytes) -> int:
            raise OSError(28, "No space left on device")

    root = killed(BEFORE + "- Theirs\n")
    with pytest.raises(StorageError):
        MemoryStore(root, calls=Full()).recover()
    store_of(root).recover()
    assert "- Theirs" in WorkspacePaths(root).memory_file.read_text()
