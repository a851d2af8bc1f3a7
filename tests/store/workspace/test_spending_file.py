"""What was spent is kept by day, as figures alone; what cannot be read counts as nothing spent."""

from pathlib import Path

import pytest

from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.spending_file import SpendingFile, Spent


def test_what_was_spent_is_read_again(tmp_path: Path) -> None:
    file = SpendingFile(WorkspacePaths.found(tmp_path).own.spending_file)
    assert file.load() == {}
    days = {"2026-11-23": {"chat": Spent(1_200, 0.004), "background": Spent(800, 0.0, 3)}}
    file.save(days)
    assert file.load() == days
    assert Spent(1, 0.5) + Spent(2, 0.25) == Spent(3, 0.75)
    assert Spent(unpriced=1) + Spent(2, 0.5, 2) == Spent(2, 0.5, 3)


def test_the_newest_two_months_are_kept(tmp_path: Path) -> None:
    file = SpendingFile(tmp_path / "own" / "spending.json")
    file.save({f"day-{number:03}": {"chat": Spent(number, 1.0)} for number in range(100)})
    assert list(file.load()) == [f"day-{number:03}" for number in range(38, 100)]


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"[1]",
        b"{",
        b'{"2026-11-23": 7}',
        b'{"2026-11-23": {"chat": "much"}}',
        b'{"2026-11-23": {"chat": [-1, 1.0]}}',
        b'{"2026-11-23": {"chat": [1, NaN]}}',
        b'{"2026-11-23": {"chat": [1, 1.0, -1]}}',
        b'{"2026-11-23": {"chat": [1, 1.0, "three"]}}',
        b'{"2026-11-23": {"chat": [1, 1.0, 2, 3]}}',
        b'{"2026-11-23": {"chat": [1, Infinity]}}',
        b"[" * 50_000,
    ],
)
def test_a_damaged_file_counts_as_nothing(tmp_path: Path, damaged: bytes) -> None:
    path = tmp_path / "spending.json"
    path.write_bytes(damaged)
    assert SpendingFile(path).load() in ({}, {"2026-11-23": {}})
