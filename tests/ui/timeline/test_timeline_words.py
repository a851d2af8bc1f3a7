"""A row of the timeline is one line of a message."""

from __future__ import annotations

import pytest

from mnemoscope.ui.timeline.timeline_words import row_words


@pytest.mark.parametrize("count", [10, 75, 200])
def test_a_row_says_whether_there_is_more(count: int) -> None:
    words = " ".join(["kiln"] * count)
    row = row_words({"role": "user", "content": words})
    assert row == words if len(words) <= 400 else (row.endswith("…") and len(row) <= 400)
    function = {"name": "write_file", "arguments": f'{{"path": "notes.md", "content": "{words}"}}'}
    call = row_words({"role": "assistant", "tool_calls": [{"function": function}]})
    assert ("…" in call) == (len(words) > 160)
