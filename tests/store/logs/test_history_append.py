"""Entries of HISTORY.md, whole and once."""

from pathlib import Path

import pytest

from mnemoscope.store.logs.history_append import append_history_entry, entry_bytes, history_mark, settle_entry

ENTRY = "[2026-03-15 10:00] Talked about tea, and at length, too.\nThen about coffee."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "HISTORY.md"


def test_an_entry_is_its_text_and_a_blank_line(path: Path) -> None:
    append_history_entry(path, "[2026-03-15 10:00] One.  \n")
    append_history_entry(path, "[2026-03-15 10:05] Two.")
    assert path.read_bytes() == b"[2026-03-15 10:00] One.\n\n[2026-03-15 10:05] Two.\n\n"


@pytest.mark.parametrize("end", ["by hand", "by hand\n", "by hand\n\n"])
def test_an_entry_is_never_joined_to_the_line_before(path: Path, end: str) -> None:
    path.write_text(end)
    append_history_entry(path, "[2026-03-15 10:00] One.")
    assert path.read_text() == "by hand\n\n[2026-03-15 10:00] One.\n\n"


@pytest.mark.slow
def test_wherever_the_write_was_cut_off_the_entry_ends_up_whole_and_once(path: Path) -> None:
    before = b"[2026-03-14 09:00] Before.\n\n"
    for cut in range(len(entry_bytes(ENTRY, path)) + 1):
        for zeros in (0, 3):
            path.write_bytes(before)
            data, mark = entry_bytes(ENTRY, path), history_mark(path)
            path.write_bytes(before + data[:cut] + b"\0" * zeros)
            settle_entry(path, data, mark)
            assert path.read_bytes().replace(b"\0", b"") == before + data
            assert settle_entry(path, data, mark) == "found"


def test_what_another_program_added_after_the_fragment_is_kept(path: Path) -> None:
    data, mark = entry_bytes(ENTRY, path), history_mark(path)
    foreign = b"[2026-03-15 11:00] Not ours.\n\n"
    path.write_bytes(data[:30] + foreign)
    settle_entry(path, data, mark)
    assert path.read_bytes() == foreign + data


def test_an_entry_of_another_program_that_begins_alike_is_not_taken_for_a_fragment(path: Path) -> None:
    data, mark = entry_bytes(ENTRY, path), history_mark(path)
    foreign = b"[2026-03-15 10:00] Talked about the weather.\n\n"
    path.write_bytes(foreign)
    settle_entry(path, data, mark)
    assert path.read_bytes() == foreign + data


def test_a_log_that_was_rewritten_in_between_still_gets_the_entry_once(path: Path) -> None:
    path.write_text("[2026-03-14 09:00] Before.\n\n")
    data, mark = entry_bytes(ENTRY, path), history_mark(path)
    path.write_text("edited\n\n")
    assert settle_entry(path, data, mark) == "completed"
    assert settle_entry(path, data, mark) == "found"
    assert path.read_bytes() == b"edited\n\n" + data


def test_no_entry_is_found_at_once(tmp_path: Path) -> None:
    path = tmp_path / "HISTORY.md"
    assert settle_entry(path, b"", history_mark(path)) == "found"
    assert not path.exists()
