"""In a small context the program's own words are few, and apart from the person's."""

from __future__ import annotations

import json
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.agent.prompt.context_builder import PromptFrame
from mnemoscope.bootstrap import open_core
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.store.files.shipped import shipped


async def prompt(folder: Path, window: int) -> PromptSnapshot:
    """What would be sent with one message in a new workspace."""
    shutil.copytree(shipped("resources", "blank"), folder)
    document = {
        "agents": {"defaults": {"model": "openai/small", "maxTokens": 128, "contextWindowTokens": window}},
        "mnemoscope": {"apiBase": "http://127.0.0.1:9/v1"},
    }
    (folder / "config.json").write_text(json.dumps(document), encoding="utf-8")
    bench = open_core(folder, trusted=True).bench
    try:
        frame = PromptFrame.of(bench.settings, bench.provider, bench.toolbox.schemas())
        return bench.loop.services.context.snapshot(
            [], 0, "Hello there", now=datetime(2026, 3, 15, 10, 0), session_key="cli:direct", frame=frame
        )
    finally:
        await bench.provider.aclose()
        bench.disk.close()


@pytest.mark.parametrize("window", [2_048, 4_096, 8_191])
async def test_the_programs_words_take_at_most_a_quarter(tmp_path: Path, window: int) -> None:
    sent = await prompt(tmp_path / "w", window)
    overhead = [*(each for each in sent.system if each.kind != "memory"), *sent.tools]
    assert sum(each.tokens for each in overhead) <= window // 4
    assert sent.tools


async def test_the_persons_words_stand_alone_and_the_moment_is_told_all_the_same(tmp_path: Path) -> None:
    sent = await prompt(tmp_path / "w", 2_048)
    assert sent.request[-1]["content"] == "Hello there"
    assert "2026-03-15 10:00" in sent.request[0]["content"]
    assert any("left out" in each and "2,048" in each for each in sent.left_out)


async def test_a_larger_context_is_told_all(tmp_path: Path) -> None:
    sent = await prompt(tmp_path / "w", 32_000)
    assert {"Active skills", "Skills"} <= {each.title for each in sent.system}
    assert str(sent.request[-1]["content"]).startswith("[Runtime context")
