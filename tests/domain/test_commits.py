"""The trailers of a commit say what it came from; what another program wrote there says nothing."""

from __future__ import annotations

import pytest

from mnemoscope.domain.commits import CONVERSATION, ENTRIES, MESSAGES_TRAILER, CommitInfo


def commit(*trailers: str) -> CommitInfo:
    return CommitInfo("a" * 8, "\n\n".join(("Consolidated", "\n".join(trailers))) + "\n", "2026-11-22 12:00")


def test_a_trailer_is_read_by_its_name() -> None:
    made = commit("Conversation: desktop:one", "Messages: 3-17", "Messages: 20-22")
    assert (made.named(CONVERSATION), made.span(MESSAGES_TRAILER)) == ("desktop:one", (3, 17))
    assert (made.named(ENTRIES), made.span(ENTRIES)) == ("", (0, 0))


@pytest.mark.parametrize("value", ["", "3", "3-", "-4", "a-b", "3-4-5", "3 - 4", "1-" + "9" * 5_000, "٣-٤x"])
def test_what_is_no_span_counts_as_none(value: str) -> None:
    assert commit(f"Messages: {value}").span(MESSAGES_TRAILER) == (0, 0)
