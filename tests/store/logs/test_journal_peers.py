"""history.jsonl and its cursors between Mnemoscope and the published nanobot, both ways."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support import peers

pytestmark = pytest.mark.slow

VERSIONS = ("0.1.5", "0.2.2", "0.3.0", "0.3.5")
LONG = "- [durable] Größe 字 “quoted” \\ back\n- [correction] Second line\n\n[RAW] in words"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "w" / "memory").mkdir(parents=True)
    return tmp_path / "w"


def ours(root: Path) -> Journal:
    return Journal(WorkspacePaths(root), clock=lambda: datetime(2026, 4, 3, 10, 0))


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_written_here_is_read_there(root: Path, tmp_path: Path, version: str) -> None:
    journal = ours(root)
    journal.append("- [durable] One")
    journal.append(LONG, session_key="desktop:a")
    journal.set_dream_cursor(1)
    read = peers.journal_of_nanobot(version, root, tmp_path, "- [durable] Theirs")
    assert (read["dream_cursor"], read["given"]) == (1, [3])
    assert [(each["cursor"], each["timestamp"], each["content"]) for each in read["entries"][:2]] == [
        (1, "2026-04-03 10:00", "- [durable] One"),
        (2, "2026-04-03 10:00", LONG),
    ]


def test_the_store_gives_entries_as_the_peers_does(root: Path, tmp_path: Path) -> None:
    journal = ours(root)
    journal.append("- [durable] One")
    journal.append(LONG, session_key="desktop:a")
    read = MemoryStore(root).read_unprocessed_history(0)
    assert read == peers.journal_of_nanobot("0.3.5", root, tmp_path)["entries"]
    assert [entry["content"] for entry in read] == ["- [durable] One", LONG]
    assert [entry.get("session_key") for entry in read] == [None, "desktop:a"]


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_written_there_is_read_here_and_the_numbers_go_on(root: Path, tmp_path: Path, version: str) -> None:
    peers.journal_of_nanobot(version, root, tmp_path, "- [durable] Theirs", LONG)
    journal = ours(root)
    assert [(each.cursor, each.content) for each in journal.after(1).entries] == [(2, LONG)]
    assert journal.append("- [durable] Ours") == 3
    read = peers.journal_of_nanobot(version, root, tmp_path, "- [durable] Theirs again")
    assert read["given"] == [4]
    assert [each.cursor for each in journal.newest(9)] == [1, 2, 3, 4]


@pytest.mark.parametrize("version", VERSIONS)
def test_an_upgraded_log_is_read_there(root: Path, tmp_path: Path, version: str) -> None:
    (root / "memory" / "HISTORY.md").write_text("[2026-01-01 09:00] One.\n\n[2026-01-02 09:00] Two.\n\n", "utf-8")
    store = MemoryStore(root)
    store.dream.upgrade.upgrade(dream_old=True)
    read = peers.journal_of_nanobot(version, root, tmp_path, "- [durable] Theirs")
    assert [(each["cursor"], each["content"]) for each in read["entries"][:2]] == [(1, "One."), (2, "Two.")]
    assert read["given"] == [3]
    assert [path.name for path in (root / "memory").glob("HISTORY*")] == ["HISTORY.md.bak"]


@pytest.mark.parametrize("version", VERSIONS)
def test_what_dream_wrote_is_what_they_remember(root: Path, tmp_path: Path, version: str) -> None:
    store = MemoryStore(root)
    store.write_long_term("# Memory\n\n- likes tea\n")
    (root / "SOUL.md").write_text("Be brief.\n", encoding="utf-8")
    read = peers.journal_of_nanobot(version, root, tmp_path)
    assert (read["files"][0], read["files"][2]) == ("Be brief.\n", "# Memory\n\n- likes tea\n")


@pytest.mark.parametrize("version", VERSIONS)
def test_an_entry_in_full_is_read_there_in_full(root: Path, tmp_path: Path, version: str) -> None:
    words = ("[RAW] 2 messages\n" + "a long message " * 5_000).rstrip()
    ours(root).append(words)
    read = peers.journal_of_nanobot(version, root, tmp_path)
    assert [each["content"] for each in read["entries"]] == [words]


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_lines_that_are_no_entries_hide_no_other_from_either(root: Path, tmp_path: Path, version: str) -> None:
    # One that is no object at all stops 0.2.2 itself; ours is tried with that alone.
    bad: tuple[dict[str, object], ...] = ({"cursor": True}, {"cursor": "7"}, {"cursor": 1.5}, {})
    journal = ours(root)
    journal.append("Before")
    with journal.file.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps({"timestamp": "2026-04-03 12:00", "content": "no"} | each) + "\n" for each in bad)
        file.write("{cut off\n")
    assert journal.append("After") == 2
    read = peers.journal_of_nanobot(version, root, tmp_path)
    assert [(each["cursor"], each["content"]) for each in read["entries"]] == [(1, "Before"), (2, "After")]
    assert [each.content for each in journal.after(0).entries] == ["Before", "After"]
