"""The inbox: whole files that their owner alone may read, and nothing else that lies there is followed or believed."""

import json
import os
import stat
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.outside_proposal import LONGEST_PROPOSAL, OutsideProposal
from mnemoscope.store.memory.proposal_inbox import FORMAT, MOST_LOOKED_AT, InboxLook, ProposalInbox
from mnemoscope.store.workspace.paths import WorkspacePaths

ONE = OutsideProposal("00000000000000a1", "2026-11-23T10:00:00", "Claude Code", "Likes tea", "User")
TWO = OutsideProposal("00000000000000a0", "2026-11-23T11:00:00", "Cursor", "喝茶\nHas a cat")


@pytest.fixture
def inbox(tmp_path: Path) -> ProposalInbox:
    paths = WorkspacePaths(tmp_path)
    paths.own.folder.mkdir()
    return ProposalInbox(paths)


def test_a_proposal_is_one_file_for_its_owner_alone(inbox: ProposalInbox) -> None:
    assert inbox.look() == InboxLook()
    inbox.put(TWO)
    inbox.put(ONE)
    assert inbox.look() == InboxLook((ONE, TWO))
    assert stat.S_IMODE(inbox.folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in inbox.folder.iterdir()} == {0o600}
    inbox.remove(ONE.id)
    inbox.remove(ONE.id)
    assert inbox.look() == InboxLook((TWO,))


def test_no_proposal_takes_anothers_place(inbox: ProposalInbox) -> None:
    inbox.put(ONE)
    with pytest.raises(StorageError):
        inbox.put(replace(TWO, id=ONE.id))
    assert inbox.look() == InboxLook((ONE,))


def test_a_folder_that_was_never_opened_here_gets_no_inbox(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="never opened"):
        ProposalInbox(WorkspacePaths(tmp_path)).put(ONE)
    assert list(tmp_path.iterdir()) == []


def test_an_inbox_that_leads_elsewhere_is_neither_filled_nor_read(inbox: ProposalInbox, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / f"{ONE.id}.json").write_text(json.dumps({"format": FORMAT, **asdict(ONE)}))
    inbox.folder.symlink_to(elsewhere)
    with pytest.raises(StorageError):
        inbox.put(TWO)
    assert inbox.look() == InboxLook()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no JSON",
        b"[" * 100_000,
        b"[]",
        b"\xff\xfe{}",
        b"{}",
        {"format": 2},
        {"id": "00000000000000a2"},
        {"id": 7},
        {"text": None},
        {"text": "x" * (LONGEST_PROPOSAL + 1)},
        {"when": "9" * 100},
        {"caller": ""},
        {"caller": "two\nlines"},
        {"heading": ["User"]},
    ],
    ids=lambda content: repr(content)[:40],
)
def test_what_is_no_proposal_is_a_stray(inbox: ProposalInbox, content: bytes | dict[str, Any]) -> None:
    inbox.prepare()
    whole = {"format": FORMAT, **asdict(ONE)}
    data = content if isinstance(content, bytes) else json.dumps(whole | content).encode()
    (inbox.folder / f"{ONE.id}.json").write_bytes(data)
    assert inbox.look() == InboxLook(strays=(f"{ONE.id}.json",))


def test_strange_names_links_pipes_folders_and_long_files_are_strays(inbox: ProposalInbox, tmp_path: Path) -> None:
    inbox.put(ONE)
    good = inbox.folder / f"{ONE.id}.json"
    names = {"a.json", "..json", f"{TWO.id}.txt", "A" * 16 + ".json", "\x1b[2J\n.json", "x" * 255}
    for name in names - {"..json"}:
        (inbox.folder / name).write_bytes(good.read_bytes())
    (inbox.folder / "0000000000000001.json").symlink_to(good)
    os.mkfifo(inbox.folder / "0000000000000002.json")
    (inbox.folder / "0000000000000003.json").mkdir()
    (inbox.folder / "0000000000000004.json").write_bytes(good.read_bytes() + b" " * 10 * LONGEST_PROPOSAL)
    found = inbox.look()
    assert found.proposals == (ONE,)
    assert set(found.strays) == names - {"..json"} | {f"000000000000000{number}.json" for number in range(1, 5)}


def test_what_is_on_its_way_is_left_alone(inbox: ProposalInbox) -> None:
    inbox.prepare()
    (inbox.folder / ".half.mnemo-tmp").write_bytes(b'{"form')
    assert inbox.look() == InboxLook()


def test_what_a_killed_process_left_goes_after_an_hour(inbox: ProposalInbox) -> None:
    inbox.put(ONE)
    left = inbox.folder / ".half.mnemo-tmp"
    for name in (left.name, ".kept"):
        (inbox.folder / name).write_bytes(b"{")
        os.utime(inbox.folder / name, (1_000_000, 1_000_000))
    inbox.tidy(1_000_000 + 3_599)
    assert left.exists()
    inbox.tidy(1_000_000 + 3_601)
    assert sorted(path.name for path in inbox.folder.iterdir()) == [".kept", f"{ONE.id}.json"]


def test_a_look_goes_through_so_many_names_at_most(inbox: ProposalInbox) -> None:
    inbox.prepare()
    for number in range(MOST_LOOKED_AT + 1):
        (inbox.folder / f"{number}").touch()
    assert len(inbox.look().strays) == MOST_LOOKED_AT


def test_what_goes_while_it_is_looked_at_is_passed_over(inbox: ProposalInbox, monkeypatch: pytest.MonkeyPatch) -> None:
    inbox.put(ONE)
    # It goes between two reads, which are no file calls.
    monkeypatch.setattr(ProposalInbox, "_names", lambda self, **_: iter([f"{TWO.id}.json", f"{ONE.id}.json"]))
    assert inbox.look() == InboxLook((ONE,))


def test_a_stray_is_moved_as_it_is(inbox: ProposalInbox, tmp_path: Path) -> None:
    inbox.prepare()
    outside = tmp_path / "outside"
    outside.write_text("stays")
    (inbox.folder / "link.json").symlink_to(outside)
    aside = tmp_path / "aside"
    inbox.move_strays(["link.json", "gone.json"], aside)
    (moved,) = aside.iterdir()
    assert moved.name.endswith("-inbox")
    assert moved.is_symlink()
    assert outside.read_text() == "stays"
