"""A suggestion as a file reads back as it was written."""

from mnemoscope.domain.memory.change import MemoryConflict, MemoryOrigin
from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.store.memory.suggestion_file import decode_suggestion, encode_suggestion, settled_outcome


def test_a_suggestion_reads_back_with_its_passages() -> None:
    passage = MemoryConflict("was", "mine", "theirs", MemoryOrigin("editor", "2026-03-07T09:00:00"), MemoryOrigin())
    suggestion = Suggestion("a1", "2026-03-07", "", "x", ("why",), "", 0, 0, (passage,))
    assert decode_suggestion(encode_suggestion(suggestion)) == suggestion


def test_it_says_how_it_was_settled_where_its_file_does() -> None:
    suggestion = Suggestion("a1", "2026-03-07", "", "x", ("why",), "", 0, 0)
    assert settled_outcome(encode_suggestion(suggestion, outcome="edit")) == "edit"
    for data in (encode_suggestion(suggestion), b"{", b"[]", b'{"outcome": 1}', b"[" * 100_000):
        assert settled_outcome(data) == ""
