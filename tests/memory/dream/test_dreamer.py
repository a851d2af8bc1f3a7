"""One run of Dream: all of its edits, what is held and the cursor, or nothing; and a plain record either way."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.dream.run import DreamRun
from mnemoscope.domain.errors import ContextTooLong, ModelError
from mnemoscope.domain.forgetting.forgotten_lines import LEFT_OUT
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.memory.dream.dream_session import DreamLimits, DreamProgress
from mnemoscope.memory.dream.dreamer import Dreamer, DreamRequest, FinishedRun
from mnemoscope.memory.files.committer import Committer
from mnemoscope.memory.files.memory_files import MemoryFiles
from mnemoscope.memory.structured_output.output_modes import OutputModes
from mnemoscope.memory.transactions.transactions import Transactions
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.files.disk import InlineDisk
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.logs.dream_runs import DreamRuns
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.output_modes_file import OutputModesFile
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.faulty_calls import KillingCalls, SimulatedKill
from tests.support.scripted_provider import Gate, ScriptedProvider, asks, call, keeps_nothing, says

MEMORY = "memory/MEMORY.md"
TEXT = "# Memory\n\n## Project\n\n- The database is MySQL\n\n## Preferences\n\n- likes tea\n"
CAT = "- likes tea\n- has a cat called Mau\n"


class DreamWorkspace:
    """A workspace in which a cat was spoken of."""

    def __init__(self, root: Path, calls: FileCalls | None = None) -> None:
        self.paths = WorkspacePaths(root)
        self.paths.memory_dir.mkdir(parents=True, exist_ok=True)
        options: dict[str, Any] = {"calls": calls} if calls else {}
        self.journal = Journal(self.paths, clock=lambda: datetime(2026, 4, 3, 10, 0), **options)
        self.ledger = Ledger(self.paths, **options)
        versions = TextVersions(self.paths.own.text_versions_dir, **options)
        self.files = MemoryFiles(self.paths, versions, self.ledger, **options)
        self.keeper = Committer(self.paths, versions, lambda: self.files.changes())
        self.transactions = Transactions(self.paths, self.ledger, self.files, versions, SessionManager(root), **options)
        self.runs = DreamRuns(self.paths, **options)
        self.dreamer = Dreamer(
            self.paths, self.journal, self.ledger, self.files, self.transactions, self.runs,
            disk=InlineDisk(), modes=OutputModes(OutputModesFile(self.paths.own.model_modes_file), InlineDisk()),
            clock=lambda: datetime(2026, 4, 3, 12, 0),
        )  # fmt: skip

    def begin(self, *entries: str) -> None:
        self.paths.memory_file.write_text(TEXT, encoding="utf-8")
        for entry in entries or ("- [durable] Has a cat called Mau",):
            self.journal.append(entry)

    def memory(self) -> str:
        return self.paths.memory_file.read_text(encoding="utf-8")

    def cursor(self) -> int:
        return self.journal.dream_cursor().value

    async def dream(self, *script: Any, **more: Any) -> DreamRun:
        finished = await self.finish(*script, **more)
        assert finished is not None
        return finished.run

    async def finish(self, *script: Any, **more: Any) -> FinishedRun | None:
        provider = ScriptedProvider(*script, last=more.pop("last", None))
        return await self.dreamer.run(DreamRequest(provider, "m", **more))


@pytest.fixture
def workspace(tmp_path: Path) -> DreamWorkspace:
    workspace = DreamWorkspace(tmp_path)
    workspace.begin()
    return workspace


def edit(old: str, new: str, path: str = MEMORY) -> LLMResponse:
    return asks(call("edit_file", path=path, old_text=old, new_text=new))


async def test_a_run_edits_the_files_and_moves_the_cursor(workspace: DreamWorkspace) -> None:
    run = await workspace.dream(edit("- likes tea\n", CAT), says("Added the cat."))
    assert (run.outcome, run.first, run.last, run.entries, run.rounds) == ("changed", 1, 1, 1, 2)
    assert run.words == "Added the cat."
    assert run.spend.tokens == 30
    assert workspace.memory() == TEXT.replace("- likes tea\n", CAT)
    assert workspace.cursor() == 1
    assert [(change.origin.kind, change.origin.start, change.origin.stop) for change in
            workspace.files.memory.changes.changes()] == [("dream", 1, 1)]  # fmt: skip
    assert workspace.runs.newest() == [run]


def forget(workspace: DreamWorkspace, *texts: str) -> None:
    tombstones = Tombstones(workspace.paths.own.tombstones_file, TombstoneKey())
    workspace.files = MemoryFiles(
        workspace.paths, TextVersions(workspace.paths.own.text_versions_dir), workspace.ledger, tombstones=tombstones
    )
    workspace.dreamer._files = workspace.files
    tombstones.add(texts)


async def test_a_model_is_not_sent_what_the_person_had_forgotten(workspace: DreamWorkspace) -> None:
    forget(workspace, "Has a cat called Mau", "The locker code is 2417")
    workspace.paths.dream_guide.parent.mkdir()
    workspace.paths.dream_guide.write_text("Keep what lasts.\n- The locker has the code 2417\n")
    workspace.journal.append("- [durable] The code of the locker: 2417\n- [durable] Moved to York")
    workspace.paths.file("SOUL.md").write_text("- Is calm\n- Locker code 2417\n")
    provider = ScriptedProvider(keeps_nothing())
    await workspace.dreamer.run(DreamRequest(provider, "m"))
    sent = json.dumps(provider.requests[0].messages)
    assert "Moved to York" in sent
    assert "Is calm" in sent
    assert "Keep what lasts." in sent
    assert "Mau" not in sent
    assert "2417" not in sent
    assert "2417" in workspace.paths.file("SOUL.md").read_text()


async def test_a_file_that_a_model_reads_has_a_mark_where_a_line_is_forgotten_and_keeps_the_line(
    workspace: DreamWorkspace,
) -> None:
    forget(workspace, "The locker code is 2417")
    skill = workspace.paths.file("skills/gym/SKILL.md")
    skill.parent.mkdir(parents=True)
    skill.write_text("# Gym\n- The locker has the code 2417\n- Opens at six\n")
    path = "skills/gym/SKILL.md"
    provider = ScriptedProvider(
        asks(call("read_file", path=path)),
        asks(call("write_file", path=path, content="# Gym\n- Opens at six\n- Has a cat\n")),
        says("Done."),
    )
    await workspace.dreamer.run(DreamRequest(provider, "m"))
    assert all("2417" not in json.dumps(request.messages) for request in provider.requests)
    assert LEFT_OUT in json.dumps(provider.requests[1].messages)
    (held,) = workspace.ledger.suggestions()
    assert held.proposed == "# Gym\n- Opens at six\n- Has a cat\n- The locker has the code 2417\n"


async def test_nothing_waiting_asks_no_model(workspace: DreamWorkspace) -> None:
    workspace.journal.set_dream_cursor(1)
    assert await workspace.finish() is None


async def test_a_run_that_keeps_nothing_has_read_the_entries_all_the_same(workspace: DreamWorkspace) -> None:
    run = await workspace.dream(keeps_nothing("Nothing to keep."))
    assert run.outcome == "nothing"
    assert workspace.cursor() == 1
    assert workspace.memory() == TEXT


async def test_what_would_drop_a_fact_waits_for_the_person_and_the_rest_is_written(workspace: DreamWorkspace) -> None:
    run = await workspace.dream(
        asks(
            call("edit_file", id="1", path=MEMORY, old_text="- The database is MySQL\n", new_text=""),
            call("edit_file", id="2", path="USER.md", old_text="", new_text="- has a cat called Mau"),
        ),
        says("Done."),
    )
    assert run.outcome == "changed"
    assert [(each.path, each.held) for each in run.edits] == [("USER.md", False), (MEMORY, True)]
    assert workspace.memory() == TEXT
    (waiting,) = workspace.ledger.suggestions()
    assert waiting.path == MEMORY
    assert waiting.reasons == ("It would drop “The database is MySQL”.",)
    assert workspace.cursor() == 1


@pytest.mark.parametrize(
    ("script", "outcome", "said"),
    [
        ([LLMResponse("half", finish_reason="length")], "cut", "cut off"),
        ([LLMResponse("<html>502", finish_reason="error")], "cut", "error"),
        ([LLMResponse("")], "unusable", "empty"),
        ([ModelError("The server is down.", next_step="Try later.")], "failed", "The server is down."),
        ([edit("tea", "green tea"), *[edit("no such words", "x")] * 3], "stuck", "3 rounds in a row changed nothing"),
        ([asks(call("read_file", path=MEMORY))] * 3, "unusable", "called read_file instead of edits"),
    ],
)
async def test_a_run_that_fails_touches_nothing_and_says_why(
    workspace: DreamWorkspace, script: list[Any], outcome: str, said: str
) -> None:
    run = await workspace.dream(*script, last=script[-1])
    assert run.outcome == outcome
    assert said in run.reason
    assert workspace.memory() == TEXT
    assert workspace.cursor() == 0
    assert workspace.runs.newest() == [run]


async def test_half_of_the_edits_is_none_of_them(workspace: DreamWorkspace) -> None:
    run = await workspace.dream(edit("- likes tea\n", CAT), LLMResponse("cut", finish_reason="length"))
    assert run.outcome == "cut"
    assert workspace.memory() == TEXT


async def test_the_spend_of_a_run_is_capped(workspace: DreamWorkspace) -> None:
    script = [edit("tea", "green tea"), edit("green", "black")]
    run = await workspace.dream(*script, limits=DreamLimits(tokens=20))
    assert run.outcome == "capped"
    assert workspace.memory() == TEXT


async def test_a_run_can_be_stopped_between_its_rounds(workspace: DreamWorkspace) -> None:
    provider = ScriptedProvider(edit("tea", "green tea"), says("Done."))
    progress: list[DreamProgress] = []
    finished = await workspace.dreamer.run(
        DreamRequest(provider, "m"), on_progress=progress.append, stopped=lambda: bool(progress)
    )
    assert finished is not None
    assert (finished.run.outcome, finished.run.reason) == ("stopped", "Stopped by you.")
    assert workspace.memory() == TEXT
    assert workspace.cursor() == 0


async def test_closing_while_the_model_thinks_changes_nothing_and_is_recorded(workspace: DreamWorkspace) -> None:
    gate = Gate()
    running = asyncio.ensure_future(workspace.finish(gate))
    await gate.reached.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert workspace.memory() == TEXT
    (run,) = workspace.runs.newest()
    assert run.outcome == "stopped"
    assert workspace.cursor() == 0


async def test_a_batch_too_long_for_the_model_is_halved(workspace: DreamWorkspace) -> None:
    for number in range(3):
        workspace.journal.append(f"- [durable] Fact {number}")
    run = await workspace.dream(ContextTooLong("Too long."), keeps_nothing())
    assert (run.first, run.last, workspace.cursor()) == (1, 2, 2)


async def test_entries_of_one_number_that_are_too_long_together_are_a_failure_too(workspace: DreamWorkspace) -> None:
    record = {"cursor": 2, "timestamp": "2026-04-03 12:00", "content": ""}
    with workspace.journal.file.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(record | {"content": words}) + "\n" for words in ("One", "Another"))
    workspace.journal.set_dream_cursor(1)
    run = await workspace.dream(ContextTooLong("Too long."), ContextTooLong("Too long."))
    assert (run.outcome, run.entries, workspace.cursor()) == ("failed", 2, 1)


async def test_a_long_entry_is_read_part_after_part_and_its_cursor_moves_with_the_last(
    workspace: DreamWorkspace,
) -> None:
    workspace.journal.append("[RAW] 1 messages\n[2026-04-03 10:00] USER: " + "word " * 10_000 + "the end")
    workspace.journal.set_dream_cursor(1)
    sent, runs = "", []
    for cursor in (1, 1, 2):
        model = ScriptedProvider(keeps_nothing())
        finished = await workspace.dreamer.run(DreamRequest(model, "m"))
        assert finished is not None
        assert workspace.cursor() == cursor
        sent += str(model.requests[0].messages[1]["content"])
        runs.append(finished.run)
    assert sent.count("word") == 10_000
    assert "the end" in sent
    assert [(run.first, run.last, run.begun > 0, run.rest > 0) for run in runs] == [
        (2, 2, False, True), (2, 2, True, True), (2, 2, True, False)]  # fmt: skip
    assert await workspace.finish() is None


async def test_a_part_too_long_for_the_model_is_halved(workspace: DreamWorkspace) -> None:
    workspace.journal.append("word " * 4_000)
    workspace.journal.set_dream_cursor(1)
    run = await workspace.dream(ContextTooLong("Too long."), ContextTooLong("Too long."), keeps_nothing())
    assert (run.outcome, run.rest, workspace.cursor()) == ("nothing", 5_000, 1)


async def test_one_entry_too_long_for_the_model_is_a_failure_that_is_told(workspace: DreamWorkspace) -> None:
    run = await workspace.dream(ContextTooLong("Too long."))
    assert (run.outcome, workspace.cursor()) == ("failed", 0)


async def test_what_the_person_wrote_meanwhile_stays(workspace: DreamWorkspace) -> None:
    class Meanwhile(ScriptedProvider):
        async def chat(self, *args: Any, **kwargs: Any) -> LLMResponse:
            workspace.paths.memory_file.write_text(TEXT.replace("likes tea", "likes coffee"), encoding="utf-8")
            return await super().chat(*args, **kwargs)

    provider = Meanwhile(edit("- likes tea\n", CAT), says("Done."))
    finished = await workspace.dreamer.run(DreamRequest(provider, "m"))
    assert finished is not None
    assert workspace.memory() == TEXT.replace("- likes tea\n", "- likes coffee\n- has a cat called Mau\n")


@pytest.mark.parametrize("cursor", [b"abc", b"\xff\xfe", b"999", b"-1", b""])
async def test_a_corrupt_cursor_is_set_right_by_the_next_run(workspace: DreamWorkspace, cursor: bytes) -> None:
    workspace.journal.dream_cursor_file.write_bytes(cursor)
    await workspace.dream(keeps_nothing())
    assert workspace.journal.dream_cursor_file.read_bytes() == b"1"


async def test_the_workspaces_own_guide_is_followed_and_an_empty_one_ignored(workspace: DreamWorkspace) -> None:
    workspace.paths.dream_guide.parent.mkdir()
    workspace.paths.dream_guide.write_text("Keep only cats.", encoding="utf-8")
    provider = ScriptedProvider(keeps_nothing())
    await workspace.dreamer.run(DreamRequest(provider, "m"))
    assert provider.requests[0].messages[0]["content"] == "Keep only cats."
    assert "## Conversation History\n[2026-04-03 10:00] - [durable]" in provider.requests[0].messages[1]["content"]
    workspace.paths.dream_guide.write_text(" \n", encoding="utf-8")
    workspace.journal.append("- [durable] More")
    provider = ScriptedProvider(keeps_nothing())
    await workspace.dreamer.run(DreamRequest(provider, "m"))
    assert provider.requests[0].messages[0]["content"].startswith("You tend the long-term memory")


@pytest.mark.slow
async def test_killed_anywhere_the_files_cursor_and_version_agree_afterwards(tmp_path: Path, stride: int) -> None:
    script = [
        asks(
            call("edit_file", id="1", path=MEMORY, old_text="- likes tea\n", new_text=CAT),
            call("edit_file", id="2", path="USER.md", old_text="", new_text="- has a cat called Mau"),
        ),
        says("Done."),
    ]
    kills = 0
    for number in range(1, 400, stride):
        root = tmp_path / str(number)
        DreamWorkspace(root).begin()
        workspace = DreamWorkspace(root, calls=KillingCalls(number))
        try:
            await workspace.dreamer.run(DreamRequest(ScriptedProvider(*script), "m"))
        except SimulatedKill:
            kills += 1
        else:
            break
        again = DreamWorkspace(root)
        again.transactions.recover(opening=True)
        user = (root / "USER.md").read_text() if (root / "USER.md").exists() else ""
        states = (again.cursor(), "Mau" in again.memory(), "Mau" in user)
        assert states in ((0, False, False), (1, True, True)), (number, states)
        assert not list(root.rglob("*.mnemo-tmp"))
        # Where Dream was the last to change a file, its version is made at once; else with the next change.
        assert again.keeper.is_behind() == (states[0] == 1)
        assert again.keeper.commit_changes() == []
        newest = GitStore(again.paths).log(1)[0]
        assert newest.author == ("Dream" if states[0] else "Mnemoscope"), number
        assert GitStore(again.paths).differing() == {}
    else:
        pytest.fail("it never came to an end")
    assert kills >= 30 // stride
