"""The system that the manual shows is one that can be tried."""

from __future__ import annotations

import textwrap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

MANUAL = Path(__file__).parents[3] / "resources" / "manual" / "bench.md"


def test_the_system_of_the_manual_keeps_what_it_is_given_and_forgets_it(tmp_path: Path) -> None:
    text = MANUAL.read_text(encoding="utf-8")
    begin = text.index("    class Line:")
    code = textwrap.dedent(text[begin : text.index("\nThis one is whole", begin)])
    names: dict[str, Any] = {}
    exec(code, names)
    memory = names["Memory"](tmp_path, "- Likes tea\n")
    memory.take(SimpleNamespace(id="m1", role="user"))
    assert memory.settle(SimpleNamespace(added=["- Lives in Linz"])) is True
    assert [(line.text, line.source) for line in memory.remembered()] == [
        ("- Likes tea", ""),
        ("- Lives in Linz", "m1"),
    ]
    assert memory.forget("tea") is True
    assert [line.text for line in memory.remembered()] == ["- Lives in Linz"]
