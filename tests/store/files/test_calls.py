"""The calls that change files: what cannot be exchanged, and a folder that is gone."""

import os
from pathlib import Path

import pytest

from mnemoscope.store.files.calls import REAL_CALLS, FileCalls, RootedCalls, RootGone


def test_an_exchange_with_a_name_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        FileCalls().exchange(str(tmp_path / "a"), str(tmp_path / "b"))


def test_an_exchange_of_a_folder_with_what_is_in_it_is_not_possible(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert not FileCalls().exchange(str(tmp_path / "a"), str(tmp_path / "a" / "b"))


def test_calls_of_a_folder_that_is_gone_raise_before_anything_happens(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a").write_bytes(b"1")
    calls = RootedCalls(root)
    descriptor = calls.open(str(root / "a"), os.O_WRONLY)
    calls.truncate(descriptor, 0)
    calls.close(descriptor)
    assert not calls.is_open_elsewhere(str(root / "a"))
    (root / "c").write_bytes(b"2")
    assert calls.exchange(str(root / "a"), str(root / "c")) == REAL_CALLS.exchange(str(root / "c"), str(root / "a"))
    calls.link(str(root / "a"), str(root / "d"))
    assert (root / "a").samefile(root / "d")
    root.rename(tmp_path / "moved")
    for refused in (
        lambda: calls.link(str(root / "a"), str(root / "b")),
        lambda: calls.unlink(str(root / "a")),
        lambda: calls.mkdir(str(root / "b")),
        lambda: calls.replace(str(root / "a"), str(root / "b")),
        lambda: calls.exchange(str(root / "a"), str(root / "b")),
    ):
        with pytest.raises(RootGone):
            refused()
