"""What nanobot's assistant writes to memory with its tools leads to the person's message before the call."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.cli.audit import main
from tests.foreign_stores.hashes import hashes_of

KEY = "cli:direct"


def call(id_: str, name: str, arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments)}
    return {"role": "assistant", "content": "", "tool_calls": [{"id": id_, "type": "function", "function": function}]}


def result(id_: str, text: str = "Successfully wrote") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id_, "name": "x", "content": text}


def said(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def write(root: Path, memory: str, *messages: dict[str, Any]) -> None:
    head = {"_type": "metadata", "key": KEY, "created_at": "2026-03-06T14:20:00"}
    (root / "sessions").mkdir(parents=True)
    (root / "memory").mkdir()
    (root / "memory" / "MEMORY.md").write_text(memory, encoding="utf-8")
    timed = [{**each, "timestamp": f"2026-03-06T14:20:{place:02}"} for place, each in enumerate(messages)]
    lines = "".join(json.dumps(each) + "\n" for each in [head, *timed])
    (root / "sessions" / "cli_direct.jsonl").write_text(lines, encoding="utf-8")


def sources(root: Path) -> list[tuple[str, str, str, bool]]:
    out = io.StringIO()
    assert main([str(root), "--json", "--lines"], out) == 0
    lines = json.loads(out.getvalue())["lines"]
    return [(each["text"], each["session"], each["message_text"], each["outside"]) for each in lines]


def test_a_line_belongs_to_the_call_that_wrote_it(tmp_path: Path) -> None:
    root = tmp_path / "w"
    edit = {"path": str(root / "memory" / "MEMORY.md"), "old_text": "- tea", "new_text": "- tea\n- clay"}
    write(
        root,
        "# Memory\n- tea\n- clay\n- by hand\n",
        said("I like tea"),
        call("1", "write_file", {"path": "memory/MEMORY.md", "content": "# Memory\n- tea\n"}),
        result("1"),
        said("And clay"),
        call("2", "edit_file", edit),
        result("2"),
        said("And nothing"),
        call("3", "write_file", {"path": "memory/MEMORY.md", "content": "lost"}),
        result("3", "Error: no permission"),
    )
    before = hashes_of(root)
    assert sources(root) == [
        ("# Memory", KEY, "I like tea", False),
        ("- tea", KEY, "I like tea", False),
        ("- clay", KEY, "And clay", False),
        ("- by hand", "", "", True),
    ]
    assert hashes_of(root) == before


@pytest.mark.parametrize(
    "broken",
    [
        call("1", "write_file", "[1"),
        call("1", "write_file", {"path": 7, "content": "x"}),
        call("1", "write_file", {"path": "memory/MEMORY.md", "content": 7}),
        call("1", "edit_file", {"path": "memory/MEMORY.md", "old_text": None, "new_text": "x"}),
        call("1", "read_file", {"path": "memory/MEMORY.md"}),
        {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "function": 7}]},
    ],
)
def test_what_is_no_call_that_writes_is_passed_over(tmp_path: Path, broken: dict[str, Any]) -> None:
    write(tmp_path / "w", "- tea\n", said("x"), broken, result("1"))
    assert sources(tmp_path / "w") == [("- tea", "", "", True)]
