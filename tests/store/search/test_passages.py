"""Files cut into passages: every one with its line, its message and what stands beside it."""

import json

import pytest

from mnemoscope.store.search.passages import (
    PART,
    HistoryEntries,
    HistoryLines,
    MarkdownLines,
    Passage,
    ReadPosition,
    SessionMessages,
    reader_for,
)
from mnemoscope.store.search.search_sources import SearchKind
from tests.support.search_files import message


def texts(pieces: list[Passage]) -> list[tuple[int, str]]:
    return [(piece.line, piece.text) for piece in pieces]


def test_a_line_of_memory_is_a_passage_beside_its_heading() -> None:
    data = "\ufeff# Memory\r\n\r\n## Food\n- tea\n\n- bread".encode()
    pieces, place = MarkdownLines().read(data, ReadPosition(), last=True)
    assert [(piece.line, piece.text, piece.beside, piece.when) for piece in pieces] == [
        (4, "- tea", "Food", ""),
        (6, "- bread", "Food", ""),
    ]
    assert place.offset == len(data)


def test_zero_bytes_of_a_file_are_no_words() -> None:
    pieces, place = MarkdownLines().read(b"- tea\0\0\n\0\0\n- br\0ead", ReadPosition(), last=True)
    assert texts(pieces) == [(1, "- tea"), (3, "- bread")]
    assert place.offset == 19
    entries, _ = HistoryEntries().read(b"[2026-03-06 10:30] Tea\0\0.\n\n", ReadPosition(), last=True)
    assert texts(entries) == [(1, "[2026-03-06 10:30] Tea.")]


def test_a_line_of_a_note_has_the_day_and_the_time() -> None:
    data = b"# Daily Notes\n\n## [10:30:00]\n**User:** tea\n**Agent:** yes\n## Later\n- more\n"
    pieces, _ = reader_for(SearchKind.NOTES, "memory/2026-03-06.md").read(data, ReadPosition(), last=True)
    assert [(piece.when, piece.text, piece.beside) for piece in pieces] == [
        ("2026-03-06 10:30", "**User:** tea", ""),
        ("2026-03-06 10:30", "**Agent:** yes", "**User:** tea"),
        ("2026-03-06", "- more", "Later"),
    ]


def test_an_entry_of_the_history_is_a_passage_and_the_last_one_may_grow() -> None:
    data = b"[2026-03-01 10:00] One.\n\nMore of it.\n\n[2026-03-02 10:00] Two.\n"
    pieces, place = HistoryEntries().read(data, ReadPosition(), last=True)
    assert texts(pieces) == [(1, "[2026-03-01 10:00] One.\n\nMore of it."), (5, "[2026-03-02 10:00] Two.")]
    assert [piece.when for piece in pieces] == ["2026-03-01 10:00", "2026-03-02 10:00"]
    assert (place.offset, place.line) == (data.index(b"[2026-03-02"), 4)
    assert texts(HistoryEntries().read(data, ReadPosition(), last=False)[0]) == texts(pieces)[:1]
    assert HistoryEntries().read(b"\n\n", ReadPosition(), last=True) == ([], ReadPosition())


def test_a_line_of_the_journal_is_an_entry() -> None:
    lines = [{"cursor": 1, "timestamp": "2026-03-01 10:00", "content": "One."}, {"cursor": 2}]
    data = b"\xef\xbb\xbf" + "".join(json.dumps(line) + "\n" for line in lines).encode()
    pieces, place = HistoryLines().read(data, ReadPosition(), last=True)
    assert [(piece.line, piece.when, piece.text) for piece in pieces] == [(1, "2026-03-01 10:00", "One.")]
    assert place == ReadPosition(len(data), 2)


def test_messages_are_counted_as_the_conversation_counts_them() -> None:
    data = (
        json.dumps({"_type": "metadata", "key": "cli:direct"})
        + "\n\n"
        + message("Which tea?", "assistant")
        + "broken\n"
        + message("/help", _command=True)
        + message("green", timestamp=None)
        + message("a tool's words", "tool")
        + message("a tool's results", "tool", name="search_memory")
        + message("", "assistant")
        + message("told", "system")
        + message("and sugar")
    ).encode()
    pieces, place = SessionMessages().read(data, ReadPosition(), last=True)
    assert [(piece.message_index, piece.role, piece.text, piece.when) for piece in pieces] == [
        (0, "assistant", "Which tea?", "2026-03-06 14:20"),
        (3, "user", "green", ""),
        (4, "tool", "a tool's words", "2026-03-06 14:20"),
        (8, "user", "and sugar", "2026-03-06 14:20"),
    ]
    assert (place.key, place.message_index, place.line, place.offset) == ("cli:direct", 9, 11, len(data))


def test_a_question_stands_beside_a_message() -> None:
    said = [message("Which tea?", "assistant"), message("a tool's words", "tool"), message("green"), message("and now")]
    pieces, _ = SessionMessages().read("".join(said).encode(), ReadPosition(), last=True)
    assert [piece.beside for piece in pieces] == ["", "Which tea?", "Which tea?", ""]


def test_a_line_that_is_not_finished_is_given_and_read_again() -> None:
    whole = message("one").encode()
    data = whole + message("two").encode().rstrip()
    pieces, place = SessionMessages().read(data, ReadPosition(), last=True)
    assert texts(pieces) == [(1, "one"), (2, "two")]
    assert (place.offset, place.message_index) == (len(whole), 1)
    assert texts(SessionMessages().read(data, ReadPosition(), last=False)[0]) == [(1, "one")]


@pytest.mark.parametrize("joint", [". ", "\n", " ", "", "。"])
def test_a_long_text_is_several_passages_with_every_word_in_one(joint: str) -> None:
    text = joint.join(["word"] * 1_000)
    pieces, _ = MarkdownLines().read(text.replace("\n", " ").encode(), ReadPosition(), last=True)
    assert len(pieces) > 1
    assert all(len(piece.text) <= PART and piece.line == 1 for piece in pieces)
    assert "".join(piece.text for piece in pieces) == text.replace("\n", " ")


def test_every_kind_of_file_has_its_form() -> None:
    assert isinstance(reader_for(SearchKind.ARCHIVE, "sessions/archive/a.jsonl"), SessionMessages)
    assert isinstance(reader_for(SearchKind.ARCHIVE, "sessions/archive/a.SESSION-STATE.md"), MarkdownLines)
    assert isinstance(reader_for(SearchKind.HISTORY, "memory/history.jsonl"), HistoryLines)
    assert isinstance(reader_for(SearchKind.HISTORY, "memory/HISTORY.md"), HistoryEntries)
    assert isinstance(reader_for(SearchKind.MEMORY, "memory/MEMORY.md"), MarkdownLines)
