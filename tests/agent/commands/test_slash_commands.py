"""Slash commands: completed while typing, shown in the transcript, never sent to a model."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mnemoscope.agent.commands.slash_commands import COMMANDS, SlashCommand, offered, read_command
from mnemoscope.domain.events import TurnEnded, TurnStarted
from mnemoscope.domain.settings import DREAM, PROFILES, THREE_TIER, TWO_LAYER
from tests.support.agent_bench import KEY, Bench, make_bench
from tests.support.dream_bench import DreamBench
from tests.support.scripted_memory import ScriptedMemory
from tests.support.scripted_provider import Gate


async def answer(bench: Bench, text: str) -> str:
    assert await bench.loop.process(KEY, text)
    return str(bench.messages()[-1]["content"])


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/new", SlashCommand("new", "")),
        ("  /History  7 ", SlashCommand("history", "7")),
        ("/model ollama/qwen3:8b", SlashCommand("model", "ollama/qwen3:8b")),
        ("/etc/hosts is broken", None),
        ("/", None),
        ("// comment", None),
        ("half a /help", None),
        ("/2", None),
    ],
)
def test_a_command_is_told_from_a_message(text: str, command: SlashCommand | None) -> None:
    assert read_command(text) == command


def test_a_profile_offers_what_is_of_use_in_it() -> None:
    names = {profile: {info.name for info in offered(profile)} for profile in PROFILES}
    assert names[TWO_LAYER] == {"new", "memory", "history", "consolidate", "model", "help", "stop"}
    assert names[DREAM] - names[TWO_LAYER] == {"compact", "dream", "dream-log", "dream-restore", "dream-prompt"}
    assert names[TWO_LAYER] - names[DREAM] == {"consolidate"}
    assert set.union(*names.values()) == {info.name for info in COMMANDS}


@pytest.mark.parametrize("profile", [TWO_LAYER, DREAM])
@pytest.mark.parametrize("name", [info.name for info in COMMANDS])
async def test_every_command_is_answered(tmp_path: Path, name: str, profile: str) -> None:
    async with DreamBench(tmp_path, profile=profile) as bench:
        before = len(bench.inner.messages())
        assert await bench.bench.loop.process(KEY, f"/{name}")
        sent = [each["content"] for each in bench.inner.messages()[before:]]
        assert sent[-1:] != [f"/{name}"]
        assert not sent or sent[-1].strip()
        assert name == "new" or sent[0] == f"/{name}"
        assert "There is no command" not in "".join(sent)


@pytest.mark.parametrize("typed", ["/dream", "/dream-log", "/dream-restore abc", "/dream-prompt"])
async def test_what_belongs_to_dream_names_what_to_switch_on(tmp_path: Path, typed: str) -> None:
    bench = make_bench(tmp_path)
    name = typed.split()[0]
    assert await answer(bench, typed) == (
        f"`{name}` belongs to the *dream* profile. Choose *Dream* under *Settings, How memory is kept* to use it."
    )
    assert bench.provider.requests == []


async def test_a_command_and_its_answer_are_kept_and_never_sent(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, "Yes.")
    text = await answer(bench, "/help")
    assert all(f"`{info.usage}`  {info.help}." in text for info in offered(TWO_LAYER))
    assert "dream" not in text
    assert [message["_command"] for message in bench.messages()] == [True, True]
    assert bench.provider.requests == []
    assert bench.seen(TurnStarted) == []
    assert bench.seen(TurnEnded) == [TurnEnded(KEY, "command")]
    await bench.loop.process(KEY, "Hello")
    assert len(bench.provider.requests[0].messages) == 2
    assert "/help" not in str(bench.provider.requests[0].messages)


async def test_an_unknown_command_is_said_with_those_there_are(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    assert (await answer(bench, "/fly")).startswith("There is no command `/fly`.")
    assert bench.provider.requests == []


async def test_memory_shows_what_is_remembered(tmp_path: Path) -> None:
    memory = ScriptedMemory(tmp_path)
    bench = make_bench(tmp_path, memory=memory)
    assert await answer(bench, "/memory") == "Nothing is remembered yet: MEMORY.md is empty."
    memory.file.write_text("# Facts\n\n- Tea\n")
    assert await answer(bench, "/memory") == "# Facts\n\n- Tea\n"


async def test_with_three_tiers_history_shows_the_exchanges_noted_by_day(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, real_memory=True, profile=THREE_TIER)
    assert await answer(bench, "/history") == "The history is empty: no exchange was noted yet."
    folder = tmp_path / "memory"
    folder.mkdir(exist_ok=True)
    (folder / "2026-03-14.md").write_text("# Daily Notes\n\n## [09:00:00]\nOne.\n\n## [10:00:00]\nTwo.\n", "utf-8")
    (folder / "2026-03-16.md").write_text("# Daily Notes\n\n## [11:00:00]\nFour.\n", "utf-8")
    (folder / "notes.md").write_text("## [12:00:00]\nNo note of a day.\n", "utf-8")
    (folder / "HISTORY.md").write_text("[2026-03-15 10:00] Three.\n\n", "utf-8")
    every = [
        "[2026-03-14 09:00]\n\nOne.",
        "[2026-03-14 10:00]\n\nTwo.",
        "[2026-03-15 10:00] Three.",
        "[2026-03-16 11:00]\n\nFour.",
    ]
    assert await answer(bench, "/history") == "\n\n".join(every)
    assert await answer(bench, "/history 2") == "\n\n".join(every[2:])
    (folder / "2026-03-17.md").mkdir()
    assert "2026-03-17.md could not be read: it is a folder." in await answer(bench, "/history")


async def test_history_shows_the_last_entries(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    assert "history log is empty" in await answer(bench, "/history")
    entries = [f"[2026-11-{day:02} 09:00] Day {day}." for day in range(1, 10)]
    (tmp_path / "memory" / "HISTORY.md").write_text("".join(f"{entry}\n\n" for entry in entries))
    assert await answer(bench, "/history 2") == "\n\n".join(entries[-2:])
    assert await answer(bench, "/history") == "\n\n".join(entries[-5:])
    for wrong in ("0", "51", "-1", "two", "1.5", "²", "99999"):
        assert "takes a number from 1 to 50" in await answer(bench, f"/history {wrong}")


async def test_model_shows_and_chooses(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, "Yes.")
    assert await answer(bench, "/model") == "`scripted` answers. Choose another with `/model name`."
    assert await answer(bench, "/model offline") == "From now on the built-in assistant (no language model) answers."
    await bench.loop.process(KEY, "Hello")
    assert bench.provider.requests[0].model == "offline"


async def test_consolidate_tells_what_it_did(tmp_path: Path) -> None:
    memory = ScriptedMemory(tmp_path, True, False)
    bench = make_bench(tmp_path, "Yes.", "Yes.", memory=memory, memory_window=6)
    assert "nothing to consolidate yet: the newest 3 messages stay" in await answer(bench, "/consolidate")
    await bench.loop.process(KEY, "Hello")
    assert await answer(bench, "/consolidate") == ("Messages 1 to 2 are consolidated; the newest stay as they are.")
    assert await answer(bench, "/consolidate") == "Nothing was consolidated. The model did not call save_memory."


async def test_stop_as_a_command_ends_the_answer_and_leaves_no_record(tmp_path: Path) -> None:
    gate = Gate()
    bench = make_bench(tmp_path, ["Half", gate])
    turn = asyncio.create_task(bench.loop.process(KEY, "Tell me"))
    await gate.reached.wait()
    assert await bench.loop.process(KEY, "/stop")
    await turn
    assert [message["content"] for message in bench.messages()] == ["Tell me", "Half"]
    assert await answer(bench, "/stop") == "Nothing is being written at the moment."
