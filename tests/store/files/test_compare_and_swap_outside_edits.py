"""Another program that saves without looking loses nothing to us: the bounded form of tests.support.outside_edits."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemoscope.store.memory.memory_file import MemoryFile
from tests.support.outside_edits import STYLES, compete

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("style", STYLES)
def test_no_edit_of_another_process_is_lost_while_we_write(tmp_path: Path, style: str) -> None:
    inside = 0
    for folder in rounds(tmp_path):
        outcome = compete(folder, style, 200)
        assert outcome.lost == 0
        assert [path.name for path in folder.iterdir() if path.name != "edited"] == ["MEMORY.md"]
        inside += outcome.inside
        if inside > 10:
            return
    pytest.fail(f"only {inside} edits of ours came between")


def rounds(folder: Path) -> Iterator[Path]:
    """Folders to try it in, one after the other: a busy machine may not let the two meet at first."""
    for number in range(30):
        (folder / str(number)).mkdir()
        yield folder / str(number)


def test_a_plain_write_loses_them_so_the_race_is_real(tmp_path: Path) -> None:
    def write_blindly(file: MemoryFile, number: int) -> bool:
        text = file.path.read_text(encoding="utf-8")
        file.path.write_text(f"{text}- inside {number}\n", encoding="utf-8")
        return True

    assert any(compete(folder, "rename", 200, write_blindly).lost > 0 for folder in rounds(tmp_path))
