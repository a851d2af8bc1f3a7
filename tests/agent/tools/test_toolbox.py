"""What the tools do, and what a model is told where they do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.tools.result_text import cut_result
from mnemoscope.agent.tools.tool import ToolContext
from mnemoscope.domain.llm import ToolCallRequest
from tests.support.agent_bench import KEY, Bench, make_bench
from tests.support.scripted_memory import ScriptedMemory
from tests.support.scripted_provider import asks, call


async def run(bench: Bench, name: str, context: ToolContext | None = None, **arguments: Any) -> str:
    outcome = await bench.toolbox.run(call(name, **arguments), context or ToolContext("k"))
    return outcome.text


async def test_a_file_is_written_read_edited_and_listed(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    assert (
        await run(bench, "write_file", path="notes/a.md", content="one\ntwo\n") == "Created notes/a.md (8 characters)."
    )
    assert await run(bench, "read_file", path="notes/a.md") == "one\ntwo\n"
    assert await run(bench, "edit_file", path="notes/a.md", old_text="two", new_text="three") == "Edited notes/a.md."
    assert (tmp_path / "notes" / "a.md").read_text() == "one\nthree\n"
    assert await run(bench, "list_files", folder="notes") == "a.md"
    assert await run(bench, "list_files") == "memory/\nnotes/"


async def test_a_second_memory_file_that_other_programs_read_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    for name in ("MEMORY.md", "memory/MEMORY.md"):
        (tmp_path / name).write_text("# Memory\n")
    bench = make_bench(tmp_path)
    for name in ("MEMORY.md", "Memory.MD"):
        assert "other programs take it" in await run(bench, "write_file", path=name, content="- forged\n")
    assert "other programs" in await run(bench, "edit_file", path="MEMORY.md", old_text="Memory", new_text="Forged")
    assert (tmp_path / "MEMORY.md").read_text() == "# Memory\n"


async def test_a_range_of_lines_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n".join(f"line {n}" for n in range(1, 101)))
    text = await run(make_bench(tmp_path), "read_file", path="a.txt", first_line=10, line_count=2)
    assert text == "line 10\nline 11\n[lines 10 to 11 of 100]"


async def test_an_edit_has_to_name_exactly_one_place(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x x")
    bench = make_bench(tmp_path)
    assert "2 times" in await run(bench, "edit_file", path="a.txt", old_text="x", new_text="y")
    assert "is not in" in await run(bench, "edit_file", path="a.txt", old_text="z", new_text="y")
    assert "empty" in await run(bench, "edit_file", path="a.txt", old_text="", new_text="y")
    assert (tmp_path / "a.txt").read_text() == "x x"


async def test_an_edit_keeps_the_files_own_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\r\ntwo\r\n")
    await run(make_bench(tmp_path), "edit_file", path="a.txt", old_text="one\ntwo", new_text="1\n2")
    assert (tmp_path / "a.txt").read_bytes() == b"1\r\n2\r\n"


async def test_what_is_no_text_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"\x00\x01")
    (tmp_path / "b.txt").write_bytes(b"caf\xe9")
    bench = make_bench(tmp_path)
    assert "is not a text file" in await run(bench, "read_file", path="a.bin")
    assert "is not text in UTF-8" in await run(bench, "read_file", path="b.txt")


async def test_a_lone_surrogate_does_not_cost_the_file(tmp_path: Path) -> None:
    await run(make_bench(tmp_path), "write_file", path="a.txt", content="a\ud800b")
    assert (tmp_path / "a.txt").read_text() == "a\ufffdb"


async def test_memory_is_written_through_the_store_from_the_version_the_model_saw(tmp_path: Path) -> None:
    memory = ScriptedMemory(tmp_path)
    bench = make_bench(tmp_path, memory=memory)
    context = ToolContext("k", memory_digest="seen")
    await run(bench, "write_file", context, path="memory/MEMORY.md", content="# One\n")
    await run(bench, "edit_file", context, path="memory/MEMORY.md", old_text="One", new_text="Two")
    assert [(text, origin) for text, _, origin in memory.saved] == [("# One\n", "agent"), ("# Two\n", "agent")]
    assert memory.saved[0][1] == "seen"
    assert memory.saved[1][1] != "seen"
    assert context.memory_digest == memory.editing.read_text().digest


async def test_reading_memory_makes_it_the_version_the_model_knows(tmp_path: Path) -> None:
    memory = ScriptedMemory(tmp_path)
    bench = make_bench(tmp_path, memory=memory)
    memory.file.write_text("# Facts\n")
    context = ToolContext("k", memory_digest="old")
    assert await run(bench, "read_file", context, path="memory/MEMORY.md") == "# Facts\n"
    assert context.memory_digest == memory.editing.read_text().digest


async def test_search_memory_quotes_with_the_source(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    (tmp_path / "memory" / "HISTORY.md").write_text("[2026-10-03 14:20] Ordered the kiln shelves from Leeds.\n\n")
    text = await run(bench, "search_memory", query="kiln shelves")
    assert text == "memory/HISTORY.md (2026-10-03 14:20)\n[2026-10-03 14:20] Ordered the kiln shelves from Leeds."
    assert await run(bench, "search_memory", query="submarine") == "Nothing found for “submarine”."
    assert len(await run(bench, "search_memory", query="x" * 3_000)) < 200


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "`path` is missing"),
        ({"path": 5}, "`path` has to be text"),
        ({"path": "a", "first_line": "1"}, "`first_line` has to be a whole number"),
        ({"path": "a", "first_line": True}, "`first_line` has to be a whole number"),
        ({"path": "a", "first_line": 0}, "`first_line` has to be at least 1"),
        ("{not json", "not a JSON object"),
        ([1, 2], "not a JSON object"),
        ('[{"path": "../up"}]', "was refused"),
    ],
)
async def test_wrong_arguments_are_told_to_the_model(tmp_path: Path, arguments: object, message: str) -> None:
    outcome = await make_bench(tmp_path).toolbox.run(ToolCallRequest("1", "read_file", arguments), ToolContext("k"))
    assert not outcome.succeeded
    assert message in outcome.text


async def test_an_unknown_tool_is_told_to_the_model(tmp_path: Path) -> None:
    assert "There is no tool “fly”. There are: read_file" in await run(make_bench(tmp_path), "fly")


@pytest.mark.logs_errors("tool list_files failed")
async def test_a_tool_that_breaks_gives_a_result_all_the_same(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    bench.toolbox._tools["list_files"].files = None  # type: ignore[attr-defined]
    assert "failed for a reason of its own" in await run(bench, "list_files")


def test_a_long_result_keeps_its_head_and_tail_and_says_what_is_missing() -> None:
    text = "a" * 10_000 + "b" * 10_000
    cut = cut_result(text)
    assert cut.startswith("a" * 5_600 + "\n")
    assert cut.endswith("\n" + "b" * 1_600)
    assert "[… 12,800 of 20,000 characters left out here …]" in cut
    assert cut_result("c" * 8_000) == "c" * 8_000


async def test_the_record_of_a_call_names_the_change_of_memory_it_made_and_only_that_call_does(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "MEMORY.md").write_text("# User\n\n- Name is Sam\n")
    bench = make_bench(
        tmp_path,
        asks(call("edit_file", path="memory/MEMORY.md", old_text="Sam\n", new_text="Sam\n- Has a cat\n")),
        asks(call("write_file", path="notes.txt", content="cat")),
        "Done.",
        real_memory=True,
    )
    await bench.loop.process(KEY, "I have a cat.")
    results = [each for each in bench.messages() if each["role"] == "tool"]
    (change,) = (each for each in bench.memory.editing.changes() if each.origin.kind == "agent")
    assert [each.get("memory_change") for each in results] == [change.id, None]
    assert "memory_change" not in str(bench.provider.requests)
