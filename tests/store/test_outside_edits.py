"""Another program that saves without looking loses nothing to us: the bounded form of tests.support.outside_edits."""

from pathlib import Path

import pytest

from mnemoscope.store.memory_file import MemoryFile
from tests.support.outside_edits import STYLES, compete


@pytest.mark.parametrize("style", STYLES)
def test_no_edit_of_another_process_is_lost_while_we_write(tmp_path: Path, style: str) -> None:
    outcome = compete(tmp_path, style, 200)
    assert outcome.inside > 10
    assert outcome.lost == 0
    assert [path.name for path in tmp_path.iterdir() if path.name != "edited"] == ["MEMORY.md"]


def test_a_plain_write_loses_them_so_the_race_is_real(tmp_path: Path) -> None:
    def write_blindly(file: MemoryFile, number: int) -> bool:
        text = file.path.read_text(encoding="utf-8")
        file.path.write_text(f"{text}- inside {number}\n", encoding="utf-8")
        return True

    assert compete(tmp_path, "rename", 200, write_blindly).lost > 0
