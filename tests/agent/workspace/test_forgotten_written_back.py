"""What another program writes back, though the person had it forgotten, is in no prompt and waits for their word."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mnemoscope.domain.events import SuggestionsChanged
from mnemoscope.domain.memory.change import MEMORY_PATH
from tests.agent.workspace.test_workbench import Opened

SAID = "The locker at the harbour gym opens with code 2417."
AGAIN = "- Harbour gym, locker code 2417"
KEPT = "- Likes tea\n"


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opened]:
    opened = Opened(tmp_path)
    await opened.bench.recover()
    opened.bench.tombstones.add([SAID])
    yield opened
    await opened.bench.close()


def write_back(opened: Opened, path: str) -> Path:
    file = opened.bench.workspace.root / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"{KEPT}{AGAIN}\n", "utf-8")
    return file


async def sent(opened: Opened) -> str:
    session = await opened.bench.conversations.begin()
    prompt = await opened.bench.prompts.of_draft(session.key, "Hello")
    return "\n".join(str(message["content"]) for message in prompt.request)


@pytest.mark.parametrize("path", [MEMORY_PATH, "SOUL.md", "USER.md"])
async def test_it_is_not_sent_and_asked_about_once(opened: Opened, path: str) -> None:
    await opened.bench.rescan_files()
    file = write_back(opened, path)
    for _ in range(2):
        await opened.bench.rescan_files()
        (waiting,) = opened.bench.memory.ledger.suggestions()
    assert (waiting.path, waiting.proposed) == (path, KEPT)
    assert waiting.reasons[0] == f"You had this forgotten: “{AGAIN}”."
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
    write_back(opened, path)
    await opened.bench.rescan_files()
    (waiting,) = opened.bench.memory.ledger.suggestions()
    assert waiting.path == path
    await opened.bench.memory.editing.settle(waiting.id, "reject")
    assert "2417" in await sent(opened)
