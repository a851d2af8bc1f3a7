"""In a small context the program's own words are few, and apart from the person's."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import MappingProxyType

import pytest

from mnemoscope.agent.prompt.context_builder import PromptFrame
from mnemoscope.bootstrap import open_core
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.conversation.discretion import TEMPORARY_PREFIX
from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.store.files.shipped import shipped


async def prompt(
    folder: Path,
    window: int,
    memory: str = "",
    files: Mapping[str, str] = MappingProxyType({}),
    *,
    model: str = "openai/small",
    key: str = "cli:direct",
    captured: str = "",
) -> PromptSnapshot:
    """Returns what would be sent with one message in a new workspace."""
    shutil.copytree(shipped("resources", "blank"), folder)
    if memory:
        (folder / "memory" / "MEMORY.md").write_text(memory, encoding="utf-8")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    if captured:
        (folder / ".mnemoscope").mkdir()
        (folder / "SESSION-STATE.md").write_text(f"# SESSION-STATE\n\n- [2026-03-15T09:00:00] {captured}\n", "utf-8")
        (folder / ".mnemoscope" / "session-state").write_text(json.dumps([key, key.replace(":", "_")]), "utf-8")
    document = {
        "agents": {"defaults": {"model": model, "maxTokens": 128, "contextWindowTokens": window}},
        "mnemoscope": {"apiBase": "http://127.0.0.1:9/v1"},
    }
    (folder / "config.json").write_text(json.dumps(document), encoding="utf-8")
    bench = open_core(folder, trusted=True).bench
    try:
        frame = PromptFrame.of(bench.settings, bench.provider, bench.toolbox.schemas)
        context = bench.loop.services.context
        return context.snapshot(
            [],
            0,
            "Hello there",
            now=datetime(2026, 3, 15, 10, 0),
            session_key=key,
            frame=frame,
            system=context.system_sections(session_key=key),
        )
    finally:
        await bench.provider.aclose()
        bench.disk.close()


@pytest.mark.parametrize("window", [2_048, 4_096, 8_191, 8_192])
async def test_the_programs_words_take_at_most_a_quarter(tmp_path: Path, window: int) -> None:
    sent = await prompt(tmp_path / "w", window)
    overhead = [*(each for each in sent.system if each.kind != "memory"), *sent.tools]
    assert sum(each.tokens for each in overhead) <= window // 4
    assert sent.tools


@pytest.mark.parametrize("window", [2_048, 4_096, 8_192])
async def test_a_long_memory_leaves_half_of_a_small_context_to_the_conversation(tmp_path: Path, window: int) -> None:
    lines = "".join(f"- Fact {number} about the harbour and its boats\n" for number in range(800))
    memory = f"# Notes\n\n{lines}"
    assert 7_900 <= estimate_tokens(memory) <= 12_000
    sent = await prompt(tmp_path / "w", window, memory)
    assert sent.memory_tokens <= window // 4
    assert sum(each.tokens for each in (*sent.system, *sent.tools)) <= window // 2
    assert "Fact 0 about" in sent.request[0]["content"]
    assert any("cut to" in each for each in sent.left_out)
    assert sent.memory_budget == min(8_000, window // 4)


@pytest.mark.parametrize("window", [2_048, 8_192])
async def test_the_persons_words_stand_alone_and_the_moment_is_told_all_the_same(tmp_path: Path, window: int) -> None:
    sent = await prompt(tmp_path / "w", window)
    assert sent.request[-1]["content"] == "Hello there"
    assert "2026-03-15 10:00" in sent.request[0]["content"]


async def test_what_has_no_room_in_a_small_context_is_left_out_and_told(tmp_path: Path) -> None:
    sent = await prompt(tmp_path / "w", 2_048)
    assert any("left out" in each and "2,048" in each for each in sent.left_out)


async def test_long_instructions_of_the_person_are_sent_whole_and_told(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    words = "Answer in plain words and show each sum. " * 60
    sent = await prompt(folder, 2_048, files={"AGENTS.md": words, "SOUL.md": "Be calm."})
    assert words.strip() in sent.request[0]["content"]
    (sentence,) = [each for each in sent.left_out if "sent whole" in each]
    assert sentence.startswith("AGENTS.md, SOUL.md")
    assert "of the 2,048 tokens" in sentence
    assert not any("sent whole" in each for each in (await prompt(tmp_path / "v", 8_192)).left_out)


async def test_a_larger_context_is_told_all(tmp_path: Path) -> None:
    sent = await prompt(tmp_path / "w", 32_000)
    assert {"Active skills", "Skills"} <= {each.title for each in sent.system}
    assert str(sent.request[-1]["content"]).startswith("[Runtime context")


@pytest.mark.parametrize("model", ["ollama/llama3.2:1b", "openai/SmolLM2-135M-Instruct"])
async def test_beside_the_persons_words_a_small_model_is_told_nothing_however_much_it_reads(
    tmp_path: Path, model: str
) -> None:
    sent = await prompt(tmp_path / "w", 32_000, model=model, captured="I drink tea.")
    assert sent.request[-1]["content"] == "Hello there"
    assert "I drink tea." in sent.request[0]["content"]
    assert "2026-03-15 10:00" in sent.request[0]["content"]


async def test_what_changes_with_each_message_stands_behind_the_conversation_for_a_large_model(tmp_path: Path) -> None:
    sent = await prompt(tmp_path / "w", 32_000, model="openai/large-70b", captured="I drink tea.")
    assert "I drink tea." in sent.request[-1]["content"]
    assert "I drink tea." not in sent.request[0]["content"]
    assert "2026-03-15 10:00" not in sent.request[0]["content"]


@pytest.mark.parametrize("window", [2_048, 32_000])
async def test_a_model_of_any_size_knows_that_nothing_is_remembered(tmp_path: Path, window: int) -> None:
    sent = await prompt(tmp_path / "w", window, key=f"{TEMPORARY_PREFIX}1")
    assert "which is kept nowhere" in "".join(str(message["content"]) for message in sent.request)
