"""Notes are added to the day's file, whoever wrote it before."""

from datetime import date, datetime
from pathlib import Path

import pytest

from mnemoscope.domain.context.daily_note import note_entry, read_notes
from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.memory.context.daily_notes import append_note, read_note
from tests.support.faulty_calls import CountedCalls

DAY = date(2026, 11, 22)
ENTRY = note_entry(datetime(2026, 11, 22, 10, 30), "said")


def test_the_first_entry_makes_the_folder_and_the_file_and_the_next_is_one_write(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    path = append_note(folder, DAY, ENTRY)
    assert path == folder / "2026-11-22.md"
    calls = CountedCalls()
    append_note(folder, DAY, ENTRY, calls=calls)
    assert calls.names == ["open", "write", "fsync"]
    assert path.read_text("utf-8") == f"# Daily Notes — 2026-11-22\n\n{ENTRY}{ENTRY}"
    assert read_note(folder, DAY) == path.read_text("utf-8")


def test_an_empty_file_gets_its_title(tmp_path: Path) -> None:
    (tmp_path / "2026-11-22.md").write_bytes(b"")
    append_note(tmp_path, DAY, ENTRY)
    assert read_note(tmp_path, DAY).startswith("# Daily Notes")


def test_a_line_without_an_end_is_not_joined_to_an_entry(tmp_path: Path) -> None:
    (tmp_path / "2026-11-22.md").write_bytes(b"# Daily Notes\n\n## [09:00:00]\nhalf a li")
    append_note(tmp_path, DAY, ENTRY)
    assert [note.text for note in read_notes(read_note(tmp_path, DAY))] == ["half a li", "said"]


def test_a_day_without_notes_reads_as_nothing_and_a_folder_is_no_file(tmp_path: Path) -> None:
    assert read_note(tmp_path, DAY) == ""
    (tmp_path / "2026-11-22.md").mkdir()
    with pytest.raises(UnreadableFile):
        read_note(tmp_path, DAY)
    with pytest.raises(StorageError):
        append_note(tmp_path, DAY, ENTRY)


def test_what_a_power_cut_left_of_an_entry_is_cut_off_before_the_next(tmp_path: Path) -> None:
    path = append_note(tmp_path, DAY, "\n## [10:00:00]\none\n")
    whole = path.read_bytes()
    path.write_bytes(whole + b"\0" * 40)
    assert read_note(tmp_path, DAY).encode() == whole
    append_note(tmp_path, DAY, "\n## [11:00:00]\ntwo\n")
    assert path.read_bytes() == whole + b"\n## [11:00:00]\ntwo\n"


def test_a_file_of_nothing_but_what_a_power_cut_left_is_begun_anew(tmp_path: Path) -> None:
    path = append_note(tmp_path, DAY, "\n## [10:00:00]\none\n")
    whole = path.read_bytes()
    path.write_bytes(b"\0" * len(whole))
    append_note(tmp_path, DAY, "\n## [10:00:00]\none\n")
    assert path.read_bytes() == whole
