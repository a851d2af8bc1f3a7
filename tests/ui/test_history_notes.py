"""A daily note in the History pane: labels as words, and every match where it stands in the file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.ui.history.history_card import _plain_labels


def test_the_labels_of_both_sides_lose_their_asterisks_and_no_place_moves() -> None:
    note = "**User:** Is **this** bold?\n**Agent:** Yes.\n**Error lesson:** x"
    shown = _plain_labels(note)
    assert shown.replace("\u200b", "") == "User: Is **this** bold?\nAgent: Yes.\nError lesson: x"
    assert shown.index("Yes") == note.index("Yes")


@given(st.text("*User:Agent \n", max_size=80))
def test_no_text_changes_its_length(text: str) -> None:
    assert len(_plain_labels(text)) == len(text)
