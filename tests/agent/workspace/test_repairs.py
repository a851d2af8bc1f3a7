"""What is offered when something went wrong: archiving raw, damage with what can be read of it, a copy elsewhere."""

import json
from pathlib import Path

import pytest

from mnemoscope.agent.workspace.folder_trust import FolderTrust
from mnemoscope.agent.workspace.repairs import Repairs, export_text
from mnemoscope.agent.workspace.workspace_settings import WorkspaceSettings
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import Consolidated
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.disk import InlineDisk
from mnemoscope.store.workspace.disk_health import DiskHealth
from mnemoscope.store.workspace.draft_store import DraftStore
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.settings_store import SettingsStore
from mnemoscope.store.workspace.trust_store import TrustStore
from mnemoscope.store.workspace.workspace import create_workspace, open_workspace
from tests.support.agent_bench import KEY, Bench, make_bench


class ForcedFolders(FileCalls):
    """Real calls that note which folders are forced to the disk."""

    def __init__(self) -> None:
        self.forced: list[str] = []
        self._folders: dict[int, str] = {}

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        descriptor = super().open(path, flags, mode)
        self._folders[descriptor] = path
        return descriptor

    def fsync(self, descriptor: int) -> None:
        super().fsync(descriptor)
        self.forced.append(self._folders[descriptor])


def repairs_of(bench: Bench, calls: FileCalls = REAL_CALLS) -> Repairs:
    workspace = open_workspace(bench.root)
    workspace.close()
    store, disk = SettingsStore(workspace.paths), InlineDisk()
    trust = FolderTrust(bench.root, lambda: store.settings, TrustStore(), disk, bench.bus, is_given=True)
    config = WorkspaceSettings(store, disk, bench.bus, trust)
    return Repairs(
        workspace,
        bench.sessions,
        bench.memory,
        config,
        consolidation=bench.loop.consolidation,
        bus=bench.bus,
        disk=InlineDisk(),
        health=DiskHealth(),
        calls=calls,
    )


def said(bench: Bench, count: int) -> None:
    session = bench.sessions.get_or_create(KEY)
    for number in range(count):
        session.add_message(
            "user" if number % 2 == 0 else "assistant", f"Message {number}.\n\n[2020-01-01 09:00] no entry"
        )
    bench.sessions.save(session)


async def test_what_waits_is_archived_as_it_is_without_a_model(tmp_path: Path) -> None:
    create_workspace(tmp_path / "home")
    bench = make_bench(tmp_path / "home", real_memory=True, memory_window=4)
    said(bench, 6)
    before = bench.memory.read_long_term()
    assert await repairs_of(bench).archive_raw(KEY)
    entry = bench.memory.history_file.read_text("utf-8")
    assert "[RAW] 4 messages\n" in entry
    assert "USER: Message 0." in entry
    assert "ASSISTANT: Message 3." in entry
    assert "Message 4." not in entry
    assert "\n[2020-01-01" not in entry
    assert bench.memory.read_long_term() == before
    assert bench.sessions.get_or_create(KEY).last_consolidated == 4
    assert bench.provider.requests == []
    assert [event.stop for event in bench.seen(Consolidated)] == [4]
    assert await repairs_of(bench).archive_raw(KEY)
    assert bench.memory.history_file.read_text("utf-8") == entry


async def test_folders_that_a_killed_process_made_are_forced_before_anything_is_kept_in_them(tmp_path: Path) -> None:
    create_workspace(tmp_path / "home")
    bench = make_bench(tmp_path / "home", real_memory=True)
    calls = ForcedFolders()
    (bench.root / ".mnemoscope" / "drafts").mkdir()
    await repairs_of(bench, calls).begin()
    assert calls.forced[:2] == [str(bench.root), str(bench.root / ".mnemoscope")]


async def test_a_damaged_record_is_shown_with_what_can_be_read_of_it(tmp_path: Path) -> None:
    bench = make_bench(tmp_path / "home", real_memory=True)
    said(bench, 2)
    file = bench.sessions.path_of(KEY)
    assert file is not None
    torn = json.dumps({"role": "user", "content": "Do not lose this, please"}).encode()[:-8]
    file.write_bytes(file.read_bytes() + torn + b"\n")
    again = make_bench(tmp_path / "home", real_memory=True)
    (found,) = await repairs_of(again).damaged(KEY)
    assert found.record.line == 4
    assert (found.salvaged.role, found.salvaged.words) == ("user", "Do not lose this, ")
    assert found.text.strip() == torn.decode().strip()


async def test_a_copy_elsewhere_has_everything(tmp_path: Path) -> None:
    create_workspace(tmp_path / "home")
    bench = make_bench(tmp_path / "home", real_memory=True)
    said(bench, 2)
    (tmp_path / "elsewhere" / "home").mkdir(parents=True)
    copy = await repairs_of(bench).copy_to(tmp_path / "elsewhere")
    assert copy == tmp_path / "elsewhere" / "home 2"
    paths = WorkspacePaths(copy)
    assert {path.name for path in paths.sessions_dir.glob("*.jsonl")} == {
        path.name for path in (bench.root / "sessions").glob("*.jsonl")
    }
    assert not paths.own.lock_file.exists()
    await repairs_of(bench).keep_drafts_in(copy, {"one": {"text": "Is there"}, "two": {"text": "tea?"}})
    assert DraftStore(paths.own.drafts_dir).load("two") == {"text": "tea?"}
    with open_workspace(copy) as opened:
        assert not opened.read_only
    with pytest.raises(StorageError):
        await repairs_of(bench).copy_to(tmp_path / "home")


def test_an_export_holds_what_was_said_what_was_not_sent_and_the_memory() -> None:
    text = export_text([{"role": "user", "content": "Tea?", "timestamp": "T"}], "- Likes tea", unsent="And cake")
    assert text.index("Tea?") < text.index("**not sent**\n\nAnd cake") < text.index("# MEMORY.md\n\n- Likes tea\n")
    assert "not sent" not in export_text([], "", unsent=" ")
