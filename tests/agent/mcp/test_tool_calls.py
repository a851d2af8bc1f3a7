"""A call that cannot be followed is answered with a sentence that says what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.mcp.shared_memory import SharedMemory
from mnemoscope.agent.mcp.tool_calls import TOOLS
from mnemoscope.domain.errors import ToolError


@pytest.fixture
def memory(tmp_path: Path) -> SharedMemory:
    (tmp_path / ".mnemoscope").mkdir()
    return SharedMemory(tmp_path)


def test_there_are_five_tools_and_one_of_them_proposes() -> None:
    assert list(TOOLS) == ["memory_search", "memory_read", "memory_source", "memory_propose", "memory_status"]
    assert [tool.name for tool in TOOLS.values() if not tool.is_reading] == ["memory_propose"]


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("memory_search", {}, "memory_search needs query."),
        ("memory_search", None, "memory_search needs query."),
        ("memory_search", {"query": 3}, "query has to be a text."),
        ("memory_search", {"query": ["tea"]}, "query has to be a text."),
        ("memory_search", {"query": " \n"}, "query is empty."),
        ("memory_search", {"query": "x" * 1_001}, "query has at most 1,000 characters."),
        ("memory_search", {"query": "tea", "limit": True}, "limit has to be a whole number."),
        ("memory_search", {"query": "tea", "limit": 41}, "limit is a number from 1 to 40."),
        ("memory_search", {"query": "tea", "path": "/etc"}, "memory_search takes query, limit"),
        ("memory_read", {"from_line": 0}, "from_line is a number from 1 to 1,000,000."),
        ("memory_read", {"from_line": 1.5}, "from_line has to be a whole number."),
        ("memory_source", {"line": None}, "line has to be a text."),
        ("memory_propose", {"text": "Likes tea", "accept": True}, "memory_propose takes text, heading"),
        ("memory_propose", {"text": "x" * 3_000}, "text has at most 2,048 characters."),
        ("memory_status", {"caller": "the person"}, "memory_status takes nothing"),
    ],
)
def test_what_does_not_fit_is_said(memory: SharedMemory, name: str, arguments: Any, sentence: str) -> None:
    with pytest.raises(ToolError) as error:
        TOOLS[name].call(memory, arguments, "Cursor")
    assert error.value.sentence.startswith(sentence)


def test_what_fits_is_answered(memory: SharedMemory) -> None:
    assert TOOLS["memory_search"].call(memory, {"query": "tea"}, "Cursor") == "Nothing was found for this query."
    assert "1 of at most 50" in TOOLS["memory_propose"].call(memory, {"text": "Likes tea", "heading": ""}, "Cursor")
    assert "“Cursor”" in TOOLS["memory_status"].call(memory, None, "Cursor")
    with pytest.raises(ToolError, match="There are: none yet"):
        TOOLS["memory_read"].call(memory, {}, "Cursor")
    with pytest.raises(ToolError, match="No single line"):
        TOOLS["memory_source"].call(memory, {"line": "Likes tea"}, "Cursor")
