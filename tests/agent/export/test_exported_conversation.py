"""What an export tells: everything that was said, in its order, with what belongs to it."""

import base64
import hashlib
from collections.abc import Iterable
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.cli.export_command import wanted_source
from mnemoscope.agent.export.exported_conversation import ExportedConversation, ExportWords, entries_of
from mnemoscope.agent.export.exporter import (
    ExportFormat,
    ExportSource,
    encoded_parts,
    file_names_of,
    images_beside,
    no_image_bytes,
    parts_of_export,
    write_export,
)
from mnemoscope.domain.capture.record import CaptureRecord
from mnemoscope.domain.conversation.attachment import Attachment
from mnemoscope.domain.conversation.deletion import record_of_deleted
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.sessions.file_format.record_line import placeholder

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


def text_of_parts(parts: Iterable[str | bytes | Attachment]) -> str:
    return b"".join(encoded_parts(parts, no_image_bytes)).decode()


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
    entries = [(each.kind, each.words) for each in entries_of(exported(), WORDS)]
    assert entries == [
        ("user", "# Hello\n```\nx"),
        ("assistant", ""),
        ("pointer", "Consolidated up to here"),
        ("assistant", "Yes."),
        ("system", ""),
        ("command", "/status"),
        ("gap", WORDS.damaged),
        ("gap", "2 messages were deleted here."),
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
    conversation = exported(pointer=pointer, first=first, captures={})
    # The result of a tool is told with its call, so it has no entry of its own.
    kinds = [each.kind for each in entries_of(conversation, WORDS)]
    assert [place + 1 for place, kind in enumerate(kinds) if kind == "pointer"] == places


def test_markdown_holds_the_words_as_they_were_written() -> None:
    text = text_of_parts(parts_of_export(exported(), ExportFormat.MARKDOWN, WORDS, str))
    assert text.startswith(
        "# Pots & <b>pans</b>\n\n*8 messages, exported from Mnemoscope*\n\n## You · 2026-03-12 09:01\n"
    )
    assert "\n\n# Hello\n```\nx\n\n" in text
    assert "`````\n````\nfound\n`````" in text
    assert text.count("---\n\n*Consolidated up to here*\n\n---") == 1


def test_the_page_holds_no_tag_but_its_own() -> None:
    page = text_of_parts(parts_of_export(exported(), ExportFormat.HTML, WORDS, lambda text: "<em>said</em>"))
    found = Tags(page)
    ours = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "article", "time", "div", "em"}
    assert found.tags == ours | {"details", "summary", "pre"}
    assert found.attributes <= {"charset", "name", "content", "http-equiv", "class", "datetime"}
    assert "Pots & <b>pans</b>" in found.text
    assert '{"q": "</pre><b>"}' in found.text
    assert "Tool: <i>" in found.text


def test_marks_that_reorder_and_controls_are_not_written_into_a_page() -> None:
    hostile = ExportedConversation("k", "a\u202eb\x00c", [{"role": "tool", "content": "\u2066x\x1b", "name": "n"}])
    page = text_of_parts(parts_of_export(hostile, ExportFormat.HTML, WORDS, str))
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


PICTURE = b"\x89PNG\r\n\x1a\n" + b"pixels"
IMAGE = Attachment(hashlib.sha256(PICTURE).hexdigest(), "image/png", 30, 20, len(PICTURE), "a ](b).png")
GONE = Attachment("f" * 64, "image/jpeg", 30, 20, 7, "lost.jpg")


def with_images() -> ExportedConversation:
    message = {"role": "user", "content": "Look.", "attachments": [IMAGE.as_record(), GONE.as_record()]}
    return ExportedConversation("k", "Pots", [message, dict(message)])


def read_image(attachment: Attachment) -> bytes | None:
    return PICTURE if attachment == IMAGE else None


def test_a_page_holds_the_images_themselves_and_words_for_those_that_are_gone(tmp_path: Path) -> None:
    path = tmp_path / "pots.html"
    write_export(path, parts_of_export(with_images(), ExportFormat.HTML, WORDS, str), read_image)
    page = path.read_text(encoding="utf-8")
    assert page.count(f"data:image/png;base64,{base64.b64encode(PICTURE).decode()}") == 2
    assert page.count("[image: lost.jpg]") == 2
    assert Tags(page).tags >= {"img"}
    assert list(tmp_path.iterdir()) == [path]


def test_markdown_has_its_images_beside_it_each_once(tmp_path: Path) -> None:
    path = tmp_path / "2026 Pots.md"
    conversation = with_images()
    places = images_beside(path, conversation, read_image)
    write_export(path, parts_of_export(conversation, ExportFormat.MARKDOWN, WORDS, str, places))
    text = path.read_text(encoding="utf-8")
    folder = tmp_path / "2026 Pots images"
    assert [each.read_bytes() for each in folder.iterdir()] == [PICTURE]
    assert text.count(f"](2026%20Pots%20images/{IMAGE.sha256[:16]}.png)") == 2
    assert text.count("image: lost.jpg") == 2
    assert folder.stat().st_mode & 0o077 == 0
    # Again over the same images nothing is written anew, and a file that is not replaced gets none beside it.
    assert images_beside(path, conversation, read_image, replaces=True) == places
    assert images_beside(path, conversation, read_image) == {}
    assert images_beside(tmp_path / "none.md", exported(), read_image) == {}
    assert not (tmp_path / "none images").exists()
