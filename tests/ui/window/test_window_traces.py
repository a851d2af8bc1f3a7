"""The quick form of the proof that a window which is killed leaves nothing of a temporary conversation."""

from __future__ import annotations

from tests.proof.window_traces import window_traces


def test_nothing_of_a_temporary_conversation_is_left_where_a_whole_window_is_killed() -> None:
    table = window_traces(quick=True)
    assert table.kills == 2
    assert table.found == []
