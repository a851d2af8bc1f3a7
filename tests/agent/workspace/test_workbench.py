"""The façade: opening, outside changes, settings and closing, as the window sees them."""

from __future__ import annotations

import asyncio
import errno
import json
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.errors import AnswerCutOff, StorageError, WorkspaceInUse, WorkspaceReadOnly
from mnemoscope.domain.events import (
    HistoryChanged,
    MemoryChanged,
    MemoryUnreadable,
    Noticed,
    NoticePast,
    RecordAppended,
    RecordsDamaged,
    SessionsChanged,
    SettingsChanged,
)
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.disk import DiskThread
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import open_workspace
from tests.support.agent_bench import KEY, Clock, make_bench, make_workbench
from tests.support.closing import closed
from tests.support.scripted_provider import Gate, ScriptedProvider, asks, call


class Opened:
    """A workbench over a real folder and a scripted model."""

    def __init__(self, root: Path, *scripts: Any, read_only: bool = False, calls: FileCalls = REAL_CALLS) -> None:
        paths = WorkspacePaths(root)
        if not read_only:
            paths.own.folder.mkdir(parents=True, exist_ok=True)
        self.workspace = open_workspace(root, read_only=read_only)
        self.disk = DiskThread()
        self.bench, self.inner = make_workbench(
            self.workspace, ScriptedProvider(*scripts, last="Yes."), disk=self.disk, clock=Clock(), calls=calls
        )


def roles(messages: Sequence[dict[str, Any]]) -> list[str]:
    return [message["role"] for message in messages]


def states(root: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in root.rglob("*")}


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opened]:
    opened = Opened(tmp_path)
    yield opened
    await opened.bench.close()


async def test_a_conversation_is_made_talked_in_renamed_deleted_and_restored(opened: Opened) -> None:
    bench = opened.bench
    session = await bench.conversations.begin()
    assert await bench.loop.process(session.key, "Hello")
    await bench.conversations.rename(session.key, "  Morning \n talk ")
    (overview,) = await bench.conversations.overviews()
    assert (overview.key, overview.title, overview.count) == (session.key, "Morning talk", 2)
    await bench.conversations.rename(session.key, "Tea \u202egnp.exe\x1b[31m\u2028and " + "x" * 5_000)
    (overview,) = await bench.conversations.overviews()
    assert overview.title == "Tea gnp.exe [31m and " + "x" * 179
    trashed = await bench.conversations.delete(session.key)
    assert await bench.conversations.overviews() == []
    await bench.conversations.restore(trashed)
    assert [each.count for each in await bench.conversations.overviews()] == [2]
    assert len(opened.inner.seen(SessionsChanged)) >= 4


async def test_what_was_captured_is_told_by_message(tmp_path: Path) -> None:
    opened = Opened(tmp_path)
    session = await opened.bench.conversations.begin()
    assert await opened.bench.memory.captures.of_conversation(session.key, session.branch) == {}
    await opened.bench.loop.process(session.key, "I prefer tea")
    ((index, (record,)),) = (await opened.bench.memory.captures.of_conversation(session.key, session.branch)).items()
    assert (index, record.memory_line) == (0, "- **preference**: I prefer tea")
    await opened.bench.close()
    again = Opened(tmp_path)
    session = await again.bench.conversations.open(session.key)
    of_key = (session.key, session.branch)
    assert await again.bench.memory.captures.of_conversation(*of_key) == {0: [record]}
    await again.bench.close()


async def test_an_empty_conversation_is_used_before_another_is_made(opened: Opened) -> None:
    bench = opened.bench
    first = await bench.conversations.begin()
    assert await bench.conversations.begin() is first
    await bench.loop.process(first.key, "Hello")
    second = await bench.conversations.begin()
    assert second.key != first.key
    await bench.conversations.rename(second.key, "Plans")
    assert (await bench.conversations.begin()).key != second.key
    assert len(await bench.conversations.overviews()) == 3


async def test_a_conversation_begun_in_an_earlier_run_is_listed_again(opened: Opened) -> None:
    bench = opened.bench
    await bench.conversations.begin_again("desktop:then")
    await bench.conversations.begin_again("desktop:then")
    assert [one.key for one in await bench.conversations.overviews()] == ["desktop:then"]


async def test_deleted_conversations_are_listed_and_restored(opened: Opened) -> None:
    bench = opened.bench
    for words in ("One", "Two"):
        session = await bench.conversations.begin()
        await bench.loop.process(session.key, words)
        await bench.conversations.delete(session.key)
    listed = await bench.conversations.trashed()
    assert {one.title for one in listed} == {"One", "Two"}
    await bench.conversations.restore(listed[0].trashed)
    assert [one.title for one in await bench.conversations.overviews()] == [listed[0].title]
    assert [one.title for one in await bench.conversations.trashed()] == [listed[1].title]


async def test_the_tail_is_there_before_the_whole(opened: Opened, tmp_path: Path) -> None:
    lines = [{"_type": "metadata", "key": KEY, "created_at": "2026-01-01T00:00:00", "last_consolidated": 0}]
    lines += [{"role": "user", "content": str(n), "timestamp": "2026-01-01T00:00:00"} for n in range(1_000)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "sessions" / "desktop_test.jsonl").write_text(text)
    tail = await opened.bench.conversations.open_tail(KEY, 10)
    assert [message["content"] for message in tail.messages] == [str(n) for n in range(990, 1_000)]
    assert len((await opened.bench.conversations.open(KEY)).messages) == 1_000


async def test_damaged_records_are_announced_on_opening(opened: Opened, tmp_path: Path) -> None:
    good = '{"role": "user", "content": "x", "timestamp": "2026-01-01T00:00:00"}\n'
    head = json.dumps({"_type": "metadata", "key": KEY, "created_at": "2026-01-01T00:00:00", "last_consolidated": 0})
    (tmp_path / "sessions" / "desktop_test.jsonl").write_bytes((head + "\n" + good + "\x00\x00\n" + good).encode())
    await opened.bench.conversations.open(KEY)
    (damaged,) = opened.inner.seen(RecordsDamaged)
    assert damaged.count == 1
    assert (tmp_path / damaged.kept_in).exists()


async def test_deleting_a_conversation_at_work_is_refused(tmp_path: Path) -> None:
    gate = Gate()
    opened = Opened(tmp_path, [gate])
    turn = asyncio.create_task(opened.bench.loop.process(KEY, "Hello"))
    await gate.reached.wait()
    with pytest.raises(StorageError, match="still at work"):
        await opened.bench.conversations.delete(KEY)
    await opened.bench.close()
    await turn


async def test_memory_saved_in_the_editor_is_announced_once(opened: Opened) -> None:
    await opened.bench.recover()
    before = await opened.bench.disk.run(opened.bench.memory.editing.read_text)
    await opened.bench.memory.editing.save_text("# Facts\n", before.digest)
    await opened.bench.rescan_files()
    assert [(event.text, event.origin) for event in opened.inner.seen(MemoryChanged)] == [("# Facts\n", "editor")]


async def test_memory_changed_by_another_program_is_announced_once(opened: Opened, tmp_path: Path) -> None:
    await opened.bench.recover()
    (tmp_path / "memory" / "MEMORY.md").write_text("# Outside\n")
    await opened.bench.rescan_files()
    await opened.bench.rescan_files()
    assert [(event.text, event.origin) for event in opened.inner.seen(MemoryChanged)] == [("# Outside\n", "outside")]


async def test_a_touched_but_unchanged_memory_is_not_announced(opened: Opened, tmp_path: Path) -> None:
    file = tmp_path / "memory" / "MEMORY.md"
    file.write_text("# Facts\n")
    await opened.bench.recover()
    os.utime(file, (1, 1))
    await opened.bench.rescan_files()
    assert opened.inner.seen(MemoryChanged) == []


async def test_memory_that_became_unreadable_is_said(opened: Opened, tmp_path: Path) -> None:
    await opened.bench.recover()
    (tmp_path / "memory" / "MEMORY.md").write_bytes(b"caf\xe9")
    await opened.bench.rescan_files()
    assert opened.inner.seen(MemoryUnreadable)[0].sentence.startswith("MEMORY.md is not UTF-8 text")
    assert await opened.bench.loop.process(KEY, "Are you still there?")
    (tmp_path / "memory" / "MEMORY.md").write_text("# Facts\n")
    await opened.bench.rescan_files()
    # What was said of it while it could not be read is past.
    said = opened.inner.seen(MemoryUnreadable)[0].sentence
    assert any(each.sentence in said for each in opened.inner.seen(NoticePast))


async def test_lines_another_program_appended_are_announced(opened: Opened, tmp_path: Path) -> None:
    await opened.bench.loop.process(KEY, "Hello")
    session = await opened.bench.conversations.open(KEY)
    await opened.bench.rescan_files()
    with (tmp_path / "sessions" / "desktop_test.jsonl").open("a") as file:
        file.write('{"role": "user", "content": "from outside", "timestamp": "2026-11-21T10:00:00"}\n')
    await opened.bench.rescan_files()
    assert opened.inner.seen(RecordAppended)[-1].message["content"] == "from outside"
    assert len(session.messages) == 3
    await opened.bench.rescan_files()
    assert len(opened.inner.seen(RecordAppended)) == 3


async def test_history_and_the_list_changed_outside_are_announced(opened: Opened, tmp_path: Path) -> None:
    await opened.bench.recover()
    (tmp_path / "memory" / "HISTORY.md").write_text("[2026-11-01 09:00] x\n\n")
    await opened.bench.rescan_files()
    assert opened.inner.seen(HistoryChanged) == [HistoryChanged()]
    (tmp_path / "sessions" / "new.jsonl").write_text('{"role": "user", "content": "x"}\n')
    await opened.bench.rescan_files()
    assert opened.inner.seen(SessionsChanged) == [SessionsChanged()]


async def test_an_agents_write_of_memory_is_its_own(tmp_path: Path) -> None:
    opened = Opened(tmp_path, asks(call("write_file", path="memory/MEMORY.md", content="# Garden\n")))
    await opened.bench.recover()
    await opened.bench.loop.process(KEY, "Note it")
    await opened.bench.rescan_files()
    assert [event.origin for event in opened.inner.seen(MemoryChanged)] == ["agent"]
    assert (tmp_path / "memory" / "MEMORY.md").read_text() == "# Garden\n"
    await opened.bench.close()


async def test_settings_are_written_and_announced(opened: Opened, tmp_path: Path) -> None:
    await opened.bench.config.change(theme="dark")
    assert opened.bench.settings.theme == "dark"
    assert opened.inner.seen(SettingsChanged) == [SettingsChanged()]
    await opened.bench.loop.process(KEY, "/model ollama/qwen3:8b")
    assert json.loads((tmp_path / "config.json").read_text())["agents"]["defaults"]["model"] == "ollama/qwen3:8b"


async def test_the_preview_is_what_would_be_sent(opened: Opened) -> None:
    await opened.bench.loop.process(KEY, "Hello")
    shot = await opened.bench.prompts.of_draft(KEY, "And then?")
    await opened.bench.loop.process(KEY, "And then?")
    sent = opened.inner.provider.requests[-1].messages
    assert [dict(each) for each in shot.request[:-1]] == sent[:-1]
    assert shot.request[-1]["content"].endswith("And then?")


async def test_the_timeline_gets_its_facts(opened: Opened) -> None:
    await opened.bench.loop.process(KEY, "Hello")
    facts = await opened.bench.timeline.facts(KEY)
    assert (facts.records, facts.selection.kept, facts.pointer, facts.window) == ([], (0, 1), 0, 100)


async def test_a_failed_turn_is_answered_again_without_running_its_tools_twice(tmp_path: Path) -> None:
    gone = asks(call("write_file", path="a.txt", content="once"))
    opened = Opened(tmp_path, gone, ["Half", AnswerCutOff("Cut.")], "Whole.")
    await opened.bench.loop.process(KEY, "Write it")
    assert await opened.bench.loop.retry(KEY)
    assert [message["role"] for message in opened.inner.messages()] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "assistant",
    ]
    assert [message["role"] for message in opened.inner.provider.requests[-1].messages] == [
        "system", "user", "assistant", "tool",
    ]  # fmt: skip
    assert opened.inner.messages()[-1]["content"] == "Whole."
    await opened.bench.close()


class RefusesOnce(FileCalls):
    """A disk that is full for one write: the first that holds `text`."""

    def __init__(self, text: bytes) -> None:
        self.text = text

    def write(self, descriptor: int, data: bytes) -> int:
        if self.text and self.text in data:
            self.text = b""
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(descriptor, data)


async def test_an_answer_the_disk_refused_is_written_by_a_retry_and_not_asked_for_again(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, "Good morning.", calls=RefusesOnce(b"Good morning."))
    assert await bench.loop.process(KEY, "Hello")
    assert roles(bench.messages()) == ["user"]
    assert await bench.loop.retry(KEY)
    assert [message["content"] for message in bench.messages()] == ["Hello", "Good morning."]
    assert len(bench.provider.requests) == 1


async def test_reading_only_writes_nothing_at_all(tmp_path: Path) -> None:
    first = Opened(tmp_path)
    await first.bench.loop.process(KEY, "Hello")
    await first.bench.close()
    before = states(tmp_path)
    opened = Opened(tmp_path, read_only=True)
    bench = opened.bench
    await bench.recover()
    await bench.conversations.open(KEY)
    await bench.prompts.of_draft(KEY, "x")
    await bench.timeline.facts(KEY)
    await bench.rescan_files()
    assert not await bench.loop.process(KEY, "No")
    assert not await bench.loop.consolidate_now(KEY)
    assert not await closed(bench.loop, KEY)
    for refused in (
        bench.conversations.begin(),
        bench.conversations.rename(KEY, "x"),
        bench.conversations.delete(KEY),
        bench.config.change(theme="dark"),
    ):
        with pytest.raises(WorkspaceReadOnly):
            await refused
    with pytest.raises(WorkspaceReadOnly):
        await bench.memory.editing.save_text("x", "")
    await bench.close()
    assert states(tmp_path) == before


async def test_what_is_wrong_in_the_settings_is_said_on_opening(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{oops")
    opened = Opened(tmp_path)
    await opened.bench.recover()
    assert "not well-formed JSON" in opened.inner.seen(Noticed)[0].sentence
    await opened.bench.close()


async def test_closing_gives_the_workspace_back(tmp_path: Path) -> None:
    opened = Opened(tmp_path)
    with pytest.raises(WorkspaceInUse):
        open_workspace(tmp_path)
    await opened.bench.close()
    assert opened.inner.provider.is_closed
    open_workspace(tmp_path).close()


async def test_prompts_go_with_a_conversation_that_was_not_opened_again(tmp_path: Path) -> None:
    opened = Opened(tmp_path)
    await opened.bench.loop.process(KEY, "Hello")
    await opened.bench.close()
    later = Opened(tmp_path)
    kept = WorkspacePaths(tmp_path).own.prompts_dir
    assert list(kept.iterdir())
    await later.bench.conversations.delete(KEY)
    await later.bench.close()
    assert not list(kept.iterdir())


async def test_what_was_rejected_is_compared_by_the_model_of_this_computer(opened: Opened) -> None:
    bench = opened.bench
    assert bench.memory.rejected_meanings._meanings == bench.search.local_meanings


async def test_a_prompt_has_the_context_of_the_model_that_is_asked(opened: Opened) -> None:
    bench = opened.bench
    await bench.loop.process(KEY, "Hello")
    await bench.config.change(model="openai/large", context_window_tokens=32_000)
    await bench.loop.process(KEY, "/model openai/middle")
    await bench.config.change(context_window_tokens=16_000)
    await bench.config.change(context_sizes=bench.settings.with_context_size("openai/tiny", 2_048).context_sizes)
    assert (await bench.prompts.of_draft(KEY, "Hi")).context_window == 16_000
    await bench.conversations.choose_model(KEY, "openai/tiny")
    draft = await bench.prompts.of_draft(KEY, "Hi")
    assert (draft.model, draft.context_window, draft.memory_budget) == ("openai/tiny", 2_048, 512)
    session = await bench.conversations.open(KEY)
    assert (await bench.loop.consolidation.usage.measure(session)).window == 2_048
    await bench.loop.process(KEY, "And sent?")
    sent = (await bench.prompts.of_past_turns(KEY))[-1].prompt
    assert (sent.model, sent.context_window) == ("openai/tiny", 2_048)
    # In a small context the program's own words are few, whatever the model of the settings holds.
    assert sum(each.tokens for each in (*sent.system, *sent.tools)) <= 2_048 // 4
    await bench.loop.process(KEY, "/model openai/large")
    assert bench.settings.context_window_tokens == 32_000
