"""Words of other scripts among ours: each keeps its own direction, and none is set in italics it does not have."""

from __future__ import annotations

import pytest

from mnemoscope.ui.memory.editor.markdown_highlighter import tokens
from mnemoscope.ui.timeline.timeline_words import row_words
from mnemoscope.ui.widgets.text.scripts import has_italics, isolated

OVEN = "موعد الفرن"


@pytest.mark.parametrize("text", ["", "tea", "Ωμέγα", "чай", "茶", "🫖"])
def test_words_from_left_to_right_are_left_as_they_are(text: str) -> None:
    assert isolated(text) == text


@pytest.mark.parametrize("text", [OVEN, "תה", f"Nothing found for “{OVEN}”."])
def test_words_from_right_to_left_are_kept_apart(text: str) -> None:
    assert isolated(text) == f"\u2068{text}\u2069"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("tea", True), ("Ωμέγα", True), ("чай", True), ("tea 🫖", True), (OVEN, False), ("茶", False), ("चाय", False)],
)
def test_scripts_without_italics_are_known(text: str, expected: bool) -> None:
    assert has_italics(text) is expected


def test_the_timeline_keeps_a_tools_name_apart_from_what_it_was_asked() -> None:
    function = {"name": "search_memory", "arguments": f'{{"query": "{OVEN}"}}'}
    assert row_words({"role": "assistant", "tool_calls": [{"id": "1", "function": function}]}) == (
        f"search_memory  \u2068{OVEN}\u2069"
    )
    found = {"role": "tool", "name": "search_memory", "content": OVEN}
    assert row_words(found) == f"search_memory  \u2068{OVEN}\u2069"


def test_the_memory_editor_sets_emphasis_upright_where_there_are_no_italics() -> None:
    assert [kind for _, _, kind in tokens(f"*{OVEN}* and *tea*", 0)] == ["strong", "emphasis"]


def test_a_command_in_the_timeline_reads_as_its_words() -> None:
    function = {"name": "exec", "arguments": '{"argv": ["sort", "-n", "stock.csv"]}'}
    assert row_words({"role": "assistant", "tool_calls": [{"function": function}]}).startswith(
        "exec  sort -n stock.csv"
    )
