"""A daily note in the History pane: labels as words, and every match where it stands in the file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.memory.journal_entry import plain_entry
from mnemoscope.ui.history.history_card import _plain_labels


def test_the_labels_of_both_sides_lose_their_asterisks_and_no_place_moves() -> None:
    note = "**User:** Is **this** bold?\n**Agent:** Yes.\n**Error lesson:** x"
    shown = _plain_labels(note)
    assert shown.replace("\u200b", "") == "User: Is **this** bold?\nAgent: Yes.\nError lesson: x"
    assert shown.index("Yes") == note.index("Yes")


def test_facts_of_the_journal_lose_the_kind_that_is_told_to_dream_and_no_place_moves() -> None:
    entry = "- [durable] Fires on Sundays\n* [Correction] Tea, not coffee\n- [ ] ask Priya\nsaid [durable] goods"
    shown = _plain_labels(entry)
    expected = "- Fires on Sundays\n* Tea, not coffee\n- [ ] ask Priya\nsaid [durable] goods"
    assert shown.replace("\u200b", "") == expected
    assert shown.index("coffee") == entry.index("coffee")


def test_the_timeline_tells_facts_as_words_in_a_row() -> None:
    assert plain_entry("- [durable] Fires on **Sundays**\n\n- [ephemeral] Said so") == "Fires on Sundays · Said so"
    assert plain_entry("Talked:\n- [durable] Likes tea") == "Talked: · Likes tea"
    assert plain_entry("# Talked\n\n- about *tea*") == "Talked about tea"


@given(st.text("*User:Agent \n", max_size=80) | st.text("-*[]durable \n", max_size=40))
def test_no_text_changes_its_length(text: str) -> None:
    assert len(_plain_labels(text)) == len(text)
