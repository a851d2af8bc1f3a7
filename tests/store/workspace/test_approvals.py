"""Commands approved for always: kept sealed, and nothing that is not sealed by this person is an approval."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.store.workspace.approvals import ApprovalFile, KeptApproval, sealing_key

ONE = KeptApproval(("git", "status"), ".", "/usr/bin/git", "0" * 64, "2026-03-07T09:30:00")


@pytest.fixture
def key(tmp_path: Path) -> bytes:
    return sealing_key(tmp_path / "key")


def test_what_was_approved_is_approved_in_the_next_run(tmp_path: Path, key: bytes) -> None:
    path = tmp_path / ".mnemoscope" / "approvals.json"
    two = replace(ONE, argv=("make", "tëst"))
    ApprovalFile(path, key).save([ONE, two])
    assert ApprovalFile(path, key).load() == [ONE, two]


def test_the_key_is_made_once_for_the_person_alone(tmp_path: Path, key: bytes) -> None:
    assert len(key) == 32
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert sealing_key(tmp_path / "key") == key


def test_a_key_that_a_crash_cut_short_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"short")
    assert len(sealing_key(tmp_path / "key")) == 32
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_a_list_from_another_computer_approves_nothing(tmp_path: Path, key: bytes) -> None:
    path = tmp_path / "approvals.json"
    ApprovalFile(path, b"another key").save([ONE])
    assert ApprovalFile(path, key).load() == []


def test_no_list_is_no_approval(tmp_path: Path, key: bytes) -> None:
    assert ApprovalFile(tmp_path / "none.json", key).load() == []


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 100_000, b"{}", b"7"])
def test_a_list_that_cannot_be_read_approves_nothing(tmp_path: Path, key: bytes, data: bytes) -> None:
    path = tmp_path / "approvals.json"
    path.write_bytes(data)
    assert ApprovalFile(path, key).load() == []


def test_a_folder_in_its_place_approves_nothing(tmp_path: Path, key: bytes) -> None:
    (tmp_path / "approvals.json").mkdir()
    assert ApprovalFile(tmp_path / "approvals.json", key).load() == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("argv", ["git", "push"]), ("argv", "git"), ("argv", [1]), ("folder", None), ("digest", "1" * 64),
        ("seal", "0" * 64), ("seal", "\ud800"), ("more", "x"),
    ],
)  # fmt: skip
def test_an_entry_that_was_changed_by_hand_approves_nothing(
    tmp_path: Path, key: bytes, name: str, value: object
) -> None:
    path = tmp_path / "approvals.json"
    file = ApprovalFile(path, key)
    file.save([ONE, replace(ONE, folder="src")])
    first, second = json.loads(path.read_bytes())
    path.write_text(json.dumps([{**first, name: value}, "odd", second]))
    assert file.load() == [replace(ONE, folder="src")]
