"""What an export tells: everything that was said, in its order, with what belongs to it."""

from datetime import datetime
from html.parser import HTMLParser
from typing import Any

import pytest

from mnemoscope.agent.cli.export import wanted_source
from mnemoscope.agent.export.exported_conversation import ExportedConversation, ExportWords, entries_of
from mnemoscope.agent.export.exporter import ExportFormat, ExportSource, file_names_of, parts_of_export
from mnemoscope.domain.capture.record import CaptureRecord
from mnemoscope.domain.conversation.deletion import record_of_deleted
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.sessions.lines import placeholder

WORDS = ExportWords()
CALL = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q": "</pre><b>"}'}}
MESSAGES: list[dict[str, Any]] = [
    {"role": "user", "content": "# Hello\n```\nx", "timestamp": "2026-03-12T09:01:00"},
    {"role": "assistant", "content": None, "tool_calls": [CALL, {"id": "c2"}], "reasoning_content": "I look."},
    {"role": "tool", "tool_call_id": "c1", "name": "search", "content": "````\nfound"},
    {"role": "assistant", "content": "Yes.", "model": "openai/gpt-4o", "interrupted": True},
    {"role": "tool", "tool_call_id": "lost", "name": "<i>", "content": "alone"},
    {"role": "user", "content": "/status", "_command": True},
    placeholder("is no JSON"),
    record_of_deleted({"role": "assistant", "content": "gone"}, "d1", 0),
    record_of_deleted({"role": "tool", "content": "gone"}, "d1", 1),
    {"role": "narrator", "content": [{"type": "text", "text": "from elsewhere"}], "timestamp": "never"},
]


def capture(outcome: str, text: str, line: str = "- x") -> CaptureRecord:
    return CaptureRecord("id", "", "k", "", 0, "fact", text, outcome=outcome, memory_line=line)


CAPTURES = {
    0: [capture("kept", "Likes\n*short* answers"), capture("kept", "no line", ""), capture("undone", "Was wrong")]
}


def exported(**more: Any) -> ExportedConversation:
    given: dict[str, Any] = {"pointer": 3, "captures": CAPTURES}
    return ExportedConversation("k", "Pots & <b>pans</b>", MESSAGES, **(given | more))


class Tags(HTMLParser):
    """Collects what a page consists of."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_everything_is_told_once_and_in_order() -> None:
    told = [(each.kind, each.words) for each in entries_of(exported(), WORDS)]
    assert told == [
        ("user", "# Hello\n```\nx"),
        ("assistant", ""),
        ("pointer", "Consolidated up to here"),
        ("assistant", "Yes."),
        ("system", ""),
        ("command", "/status"),
        ("gap", WORDS.damaged),
        ("gap", WORDS.deleted),
        ("system", "from elsewhere"),
    ]


def test_calls_come_with_their_results_and_captures_under_their_message() -> None:
    entries = list(entries_of(exported(), WORDS))
    assert entries[0].notes == ("Remembered: Likes *short* answers", "Taken back: Was wrong")
    reasoning, call, unanswered = entries[1].asides
    assert reasoning.texts == (("", "I look."),)
    assert call.title == "Tool: search"
    assert call.texts == (("Asked with", '{"q": "</pre><b>"}'), ("Answered", "````\nfound"))
    assert (unanswered.title, unanswered.texts) == ("Tool: ?", (("Asked with", ""),))
    assert (entries[3].speaker, entries[3].notes) == ("Assistant (openai/gpt-4o)", ("Interrupted",))
    assert entries[4].asides[0].texts == (("Answered", "alone"),)


@pytest.mark.parametrize(
    ("pointer", "first", "places"), [(0, 0, []), (10, 0, [9]), (2, 2, []), (12, 2, [9]), (99, 0, [])]
)
def test_the_line_stands_where_the_consolidated_messages_end(pointer: int, first: int, places: list[int]) -> None:
    told = exported(pointer=pointer, first=first, captures={})
    # The result of a tool is told with its call, so it has no entry of its own.
    kinds = [each.kind for each in entries_of(told, WORDS)]
    assert [place + 1 for place, kind in enumerate(kinds) if kind == "pointer"] == places


def test_markdown_holds_the_words_as_they_were_written() -> None:
    text = "".join(parts_of_export(exported(), ExportFormat.MARKDOWN, WORDS, str))
    assert text.startswith(
        "# Pots & <b>pans</b>\n\n*10 messages, exported from Mnemoscope*\n\n## You · 2026-03-12 09:01\n"
    )
    assert "\n\n# Hello\n```\nx\n\n" in text
    assert "`````\n````\nfound\n`````" in text
    assert text.count("---\n\n*Consolidated up to here*\n\n---") == 1


def test_the_page_holds_no_tag_but_its_own() -> None:
    page = "".join(parts_of_export(exported(), ExportFormat.HTML, WORDS, lambda text: "<em>said</em>"))
    found = Tags(page)
    ours = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "article", "time", "div", "em"}
    assert found.tags == ours | {"details", "summary", "pre"}
    assert found.attributes <= {"charset", "name", "content", "http-equiv", "class", "datetime"}
    assert "Pots & <b>pans</b>" in found.text
    assert '{"q": "</pre><b>"}' in found.text
    assert "Tool: <i>" in found.text


def test_marks_that_reorder_and_controls_are_not_written_into_a_page() -> None:
    hostile = ExportedConversation("k", "a\u202eb\x00c", [{"role": "tool", "content": "\u2066x\x1b", "name": "n"}])
    page = "".join(parts_of_export(hostile, ExportFormat.HTML, WORDS, str))
    assert "<h1>ab\ufffdc</h1>" in page
    assert "<pre>x\ufffd</pre>" in page


def source(key: str, title: str) -> ExportSource:
    return ExportSource(key, title, datetime(2026, 3, 12))


def test_names_of_files_are_those_any_file_system_takes() -> None:
    titles = ["Pots", "POTS", 'a/b\\c:*?"<>|\u202e.', "", "x" * 500, "..", "Pots (2)"]
    names = file_names_of([source(str(place), title) for place, title in enumerate(titles)], ExportFormat.RECORDS)
    assert names == [
        "2026-03-12 Pots.jsonl",
        "2026-03-12 POTS (2).jsonl",
        "2026-03-12 a b c.jsonl",
        "2026-03-12 Conversation.jsonl",
        f"2026-03-12 {'x' * 60}.jsonl",
        "2026-03-12 Conversation (2).jsonl",
        "2026-03-12 Pots (2) (2).jsonl",
    ]


def test_a_conversation_is_named_by_key_title_or_how_that_begins() -> None:
    sources = [source("a", "Pots"), source("b", "Pots and pans"), source("Pots", "Other")]
    assert wanted_source(sources, "Pots").key == "Pots"
    assert wanted_source(sources, "pots").key == "a"
    assert wanted_source(sources, "pots a").key == "b"
    with pytest.raises(StorageError, match="No conversation is called “x”"):
        wanted_source(sources, "x")
    with pytest.raises(StorageError, match="2 conversations are called “po”"):
        wanted_source(sources, "po")
