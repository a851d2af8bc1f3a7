"""What another program writes back, though the person had it forgotten, is in no prompt and waits for their word."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mnemoscope.domain.events import SuggestionsChanged
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.suggestion import HAD_FORGOTTEN, FactSource, Suggestion
from tests.agent.workspace.forgotten_code import AGAIN, KEPT, opened_after_forgetting, write
from tests.agent.workspace.test_workbench import Opened


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opened]:
    async with opened_after_forgetting(tmp_path) as opened:
        yield opened


async def sent(opened: Opened) -> str:
    session = await opened.bench.conversations.begin()
    prompt = await opened.bench.prompts.of_draft(session.key, "Hello")
    return "\n".join(str(message["content"]) for message in prompt.request)


@pytest.mark.parametrize("path", [MEMORY_PATH, "SOUL.md", "USER.md"])
async def test_it_is_not_sent_and_asked_about_once(opened: Opened, path: str) -> None:
    await opened.bench.rescan_files()
    file = write(opened, path)
    for _ in range(2):
        await opened.bench.rescan_files()
        (waiting,) = opened.bench.memory.ledger.suggestions()
    assert (waiting.path, waiting.proposed) == (path, KEPT)
    assert waiting.reasons[0] == f"You chose to forget this: “{AGAIN}”."
    assert [event.count for event in opened.inner.seen(SuggestionsChanged)][-1] == 1
    prompt = await sent(opened)
    assert "Likes tea" in prompt
    assert "2417" not in prompt
    assert AGAIN in file.read_text("utf-8")
    await opened.bench.memory.editing.settle(waiting.id, "accept")
    assert file.read_text("utf-8") == KEPT


@pytest.mark.parametrize("path", [MEMORY_PATH, "SOUL.md", "USER.md"])
async def test_what_was_written_while_the_window_was_closed_is_asked_about_at_the_first_look(
    opened: Opened, path: str
) -> None:
    write(opened, path)
    await opened.bench.rescan_files()
    (waiting,) = opened.bench.memory.ledger.suggestions()
    assert waiting.path == path
    await opened.bench.memory.editing.settle(waiting.id, "reject")
    assert "2417" in await sent(opened)


UNTRACKED = ["AGENTS.md", "IDENTITY.md", "TOOLS.md", "SESSION-STATE.md", "memory/2026-11-20.md"]


@pytest.mark.parametrize("path", UNTRACKED)
@pytest.mark.parametrize("choice", ["accept", "reject"])
async def test_a_file_without_versions_is_asked_about_too_and_again_once_the_line_is_back(
    opened: Opened, path: str, choice: str
) -> None:
    await opened.bench.rescan_files()
    file = write(opened, path)
    for _ in range(2):
        await opened.bench.rescan_files()
        (waiting,) = opened.bench.memory.ledger.suggestions()
    assert (waiting.path, waiting.proposed) == (path, KEPT)
    assert waiting.is_written_back
    with file.open("a", encoding="utf-8") as writing:
        writing.write("- Has two cats\n")
    await opened.bench.rescan_files()
    await opened.bench.memory.editing.bring_up_to_date()
    (item,) = opened.bench.memory.editing.waiting_items()
    assert item.suggestion.proposed == f"{KEPT}- Has two cats\n"
    await opened.bench.memory.editing.decide(item, choice)
    if choice == "reject":
        assert AGAIN in file.read_text("utf-8")
        assert not opened.bench.memory.files.is_forgotten(AGAIN)
        return
    assert file.read_text("utf-8") == f"{KEPT}- Has two cats\n"
    file.write_text(f"{KEPT}{AGAIN}\n", "utf-8")
    await opened.bench.rescan_files()
    (again,) = opened.bench.memory.ledger.suggestions()
    assert again.id != waiting.id
    file.write_text(KEPT, "utf-8")
    await opened.bench.rescan_files()
    assert (await opened.bench.memory.editing.bring_up_to_date()).dropped == 1


@pytest.mark.parametrize("path", [MEMORY_PATH, "AGENTS.md"])
@pytest.mark.parametrize("choice", ["accept", "reject"])
async def test_once_it_is_decided_no_word_of_it_stays_among_what_was_settled(
    opened: Opened, path: str, choice: str
) -> None:
    await opened.bench.rescan_files()
    write(opened, path)
    await opened.bench.rescan_files()
    (item,) = opened.bench.memory.editing.waiting_items()
    decided = await opened.bench.memory.editing.decide(item, choice)
    ledger, own = opened.bench.memory.ledger, opened.bench.workspace.paths.own
    assert ledger.suggestion_states().settled[item.suggestion.id] == {"accept": "theirs", "reject": "mine"}[choice]
    assert [each for each in own.settled_dir.iterdir() if b"2417" in each.read_bytes()] == []
    await opened.bench.memory.editing.reopen(decided)
    assert ledger.suggestions() == [item.suggestion]


async def test_a_forgotten_fact_that_is_proposed_again_and_rejected_leaves_no_word_among_what_was_settled(
    opened: Opened,
) -> None:
    ledger, own = opened.bench.memory.ledger, opened.bench.workspace.paths.own
    source, reasons = FactSource(AGAIN[2:], "some", 0, 1), (f"{HAD_FORGOTTEN}: “{AGAIN}”.",)
    for name in ("one", "other"):
        ledger.add_suggestion(
            Suggestion(name, "2026-11-20", KEPT, f"{KEPT}{AGAIN}\n", reasons, "some", 0, 1, sources=(source,))
        )
    ledger.settle("one", "reject")
    ledger.settle("other", "accept")
    assert [each.name for each in own.settled_dir.iterdir() if b"2417" in each.read_bytes()] == ["other.json"]
    kept = ledger.settled("one")
    assert kept is not None
    assert (kept.session_key, kept.start, kept.stop) == ("some", 0, 1)


@pytest.mark.parametrize("choice", ["accept", "reject"])
async def test_what_the_history_that_dream_has_not_read_says_again_is_asked_about(opened: Opened, choice: str) -> None:
    await opened.bench.rescan_files()
    file = opened.bench.workspace.paths.history_jsonl
    file.parent.mkdir(exist_ok=True)
    said = {"cursor": 7, "timestamp": "2026-11-20 10:00", "content": f"{AGAIN}\n{KEPT}", "session_key": "cli:direct"}
    file.write_text(json.dumps(said) + "\n", "utf-8")
    before = file.read_bytes()
    for _ in range(2):
        await opened.bench.rescan_files()
        (waiting,) = opened.bench.memory.ledger.suggestions()
    assert (waiting.path, waiting.is_written_back) == ("memory/history.jsonl", True)
    (item,) = opened.bench.memory.editing.waiting_items()
    assert (item.before, item.after) == (AGAIN, "")
    decided = await opened.bench.memory.editing.decide(item, choice)
    assert opened.bench.memory.files.is_forgotten(AGAIN) == (choice == "accept")
    if choice == "accept":
        assert json.loads(file.read_bytes()) == {**said, "content": KEPT}
        await opened.bench.memory.editing.reopen(decided)
    assert file.read_bytes() == before
    assert not opened.bench.memory.files.tracked_changes().get("memory/history.jsonl")


async def test_two_lines_that_come_back_one_after_the_other_are_asked_about_each_once(opened: Opened) -> None:
    opened.bench.tombstones.add(["My sister Oonagh keeps bees in Kerry."])
    file = write(opened, "AGENTS.md")
    await opened.bench.rescan_files()
    with file.open("a", encoding="utf-8") as writing:
        writing.write("- Sister Oonagh: bees in Kerry\n")
    for _ in range(2):
        await opened.bench.rescan_files()
        await opened.bench.memory.editing.bring_up_to_date()
        assert len(opened.bench.memory.editing.waiting_items()) == 2
    for item in opened.bench.memory.editing.waiting_items():
        await opened.bench.memory.editing.decide(item, "accept")
    assert file.read_text("utf-8") == KEPT


async def test_a_file_without_versions_has_none_though_a_line_of_it_was_taken_out(opened: Opened) -> None:
    write(opened, "AGENTS.md")
    await opened.bench.rescan_files()
    (item,) = opened.bench.memory.editing.waiting_items()
    await opened.bench.memory.editing.decide(item, "accept")
    files = opened.bench.memory.files
    assert "AGENTS.md" in files.changes()
    assert "AGENTS.md" not in files.tracked_changes()
