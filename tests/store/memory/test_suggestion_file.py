"""A suggestion as a file reads back as it was written."""

from dataclasses import replace

from mnemoscope.domain.memory.change import MemoryConflict, MemoryOrigin
from mnemoscope.domain.memory.suggestion import FactSource, Suggestion
from mnemoscope.store.memory.suggestion_file import decode_suggestion, encode_suggestion, settled_outcome


def test_a_suggestion_reads_back_with_its_passages() -> None:
    passage = MemoryConflict("was", "mine", "theirs", MemoryOrigin("editor", "2026-03-07T09:00:00"), MemoryOrigin())
    suggestion = Suggestion("a1", "2026-03-07", "", "x", ("why",), "", 0, 0, (passage,))
    assert decode_suggestion(encode_suggestion(suggestion)) == suggestion


def test_the_name_that_a_program_gave_itself_reads_back_as_one_short_line() -> None:
    suggestion = Suggestion("a1", "2026-03-07", "", "x", ("why",), "", 0, 0, claimed_by="Claude Code")
    assert decode_suggestion(encode_suggestion(suggestion)) == suggestion
    strange = decode_suggestion(encode_suggestion(replace(suggestion, claimed_by="two\nlines " + "x" * 100)))
    assert strange is not None
    assert strange.claimed_by == ("two lines " + "x" * 100)[:60]
    older = encode_suggestion(suggestion).replace(b'"claimed_by": "Claude Code"', b'"claimed_by": 7')
    assert decode_suggestion(older) == replace(suggestion, claimed_by="")


def test_what_was_decided_of_it_is_kept_and_an_older_file_tells_of_nothing() -> None:
    suggestion = Suggestion("a1", "2026-03-07", "", "x", ("why",), "", 0, 0, decided=("theirs", "mine"))
    data = encode_suggestion(suggestion)
    assert decode_suggestion(data) == suggestion
    for strange in (b"7", b"[7, {}]", b"null"):
        decoded = decode_suggestion(data.replace(b'["theirs", "mine"]', strange))
        assert decoded == replace(suggestion, decided=())


def test_where_an_import_found_a_fact_reads_back_and_what_is_no_source_is_left_out() -> None:
    found = (FactSource("Likes tea", "chatgpt:c", 0, 2),)
    suggestion = Suggestion("a1", "2026-03-07", "", "x", (), "", 0, 0, brought_from="ChatGPT", sources=found)
    data = encode_suggestion(suggestion)
    assert decode_suggestion(data) == suggestion
    assert decode_suggestion(data.replace(b'"stop": 2}]', b'"stop": "2"}, 7]')) == replace(suggestion, sources=())
    assert decode_suggestion(data.replace(b'"sources": [', b'"sources": 7, "x": [')) == replace(suggestion, sources=())
    assert decode_suggestion(data.replace(b'"ChatGPT"', b"7")) == replace(suggestion, brought_from="")


def test_it_says_how_it_was_settled_where_its_file_does() -> None:
    suggestion = Suggestion("a1", "2026-03-07", "", "x", ("why",), "", 0, 0)
    assert settled_outcome(encode_suggestion(suggestion, outcome="edit")) == "edit"
    for data in (encode_suggestion(suggestion), b"{", b"[]", b'{"outcome": 1}', b"[" * 100_000):
        assert settled_outcome(data) == ""
