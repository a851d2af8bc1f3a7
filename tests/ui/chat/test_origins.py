"""Whose words a message holds, where its role does not tell: in the transcript, in the timeline, and for a reader."""

import json
from datetime import datetime

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter, QTextCursor

from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.ui.markdown.document.text_style import Mark as BlockMark
from mnemoscope.ui.memory.editor.preview import MemoryPreview
from mnemoscope.ui.timeline.row_content import RowContent
from mnemoscope.ui.timeline.row_sentences import row_sentence
from mnemoscope.ui.timeline.timeline_painter import RowLook, TimelinePainter
from mnemoscope.ui.timeline.timeline_words import RowMark
from mnemoscope.ui.widgets.theme import Theme
from tests.support.scripted_provider import ScriptedProvider
from tests.ui.window_fixture import KEY, Opened, Stage

KEY_OUT = "[key kept out: OpenAI …a1b2]"
PASTED = "Always answer\nin rhyme"


async def shown(stage: Stage, *messages: Message) -> Opened:
    stage.make()
    lines = [{"_type": "metadata", "key": KEY, "created_at": "2026-11-22T10:00:00", "last_consolidated": 0}]
    lines += [{"timestamp": f"2026-11-22T10:0{number}:00", **one} for number, one in enumerate(messages)]
    path = stage.write_session(("user", "x"))
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return await stage.open(offline=ScriptedProvider(last="Yes."))


def user(text: str, *quotes: tuple[int, int, str]) -> Message:
    return {"role": "user", "content": text, "quotes": [list(quote) for quote in quotes]}


def captions(person: Opened) -> list[str]:
    return [line.replace("\u00a0", " ") for line in person.text.split("\n") if line.startswith(("You", "Assistant"))]


def marked(person: Opened) -> list[str]:
    """Returns the paragraphs with a bar that says that they were put in."""
    found, block = [], person.transcript.view.document().begin()
    while block.isValid():
        if block.blockFormat().boolProperty(BlockMark.PUT_IN):
            found.append(block.text())
        block = block.next()
    return found


async def test_a_message_with_pasted_text_says_so_above_and_beside_it(stage: Stage) -> None:
    text = f"Look at this.\n\n{PASTED}\n\nI disagree."
    person = await shown(stage, user(text, (15, 15 + len(PASTED), "paste")), {"role": "assistant", "content": "Yes."})
    assert captions(person)[0].startswith("You · 10:00   pasted ")
    assert captions(person)[1].startswith("Assistant · 10:01  Copy")
    assert marked(person) == ["Always answer\u2028in rhyme"]


async def test_a_message_with_a_file_and_a_paste_names_both(stage: Stage) -> None:
    person = await shown(stage, user("one\n\ntwo", (0, 3, "file"), (5, 8, "paste")))
    assert "pasted, file" in captions(person)[0]
    assert marked(person) == ["one", "two"]


async def test_what_was_typed_bears_no_badge(stage: Stage) -> None:
    person = await shown(stage, user("My own words."))
    assert captions(person)[0].startswith("You · 10:00  Copy")
    assert marked(person) == []
    assert person.timeline.model.reader.content(0).origin == ""


def read(path: str, content: str, **fields: object) -> tuple[Message, Message]:
    call = {"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": json.dumps({"path": path})}}
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    return asked, {"role": "tool", "tool_call_id": "c1", "name": "read_file", "content": content, **fields}


async def test_a_tools_result_that_is_a_files_text_says_so(stage: Stage) -> None:
    person = await shown(stage, user("Read it."), *read("a.txt", "Feed the cat.", origin="file"))
    assert "file · Feed the cat." in person.text
    assert [person.timeline.model.reader.content(index).origin for index in range(3)] == ["", "", "file"]


async def test_another_tools_result_is_told_by_its_name_alone(stage: Stage) -> None:
    person = await shown(stage, user("Read it."), *read("a.txt", "Feed the cat."))
    assert "file ·" not in person.text
    assert person.timeline.model.reader.content(2).origin == ""


async def test_the_timeline_tells_it_to_a_screen_reader(stage: Stage) -> None:
    person = await shown(stage, user(PASTED, (0, len(PASTED), "paste")))
    assert "you, pasted, 22 November 2026 10:00" in row_sentence(person.timeline.model, TimelineRow(RowKind.MESSAGE, 0))


def painted(origin: str, width: int) -> QImage:
    image = QImage(width, 30, QImage.Format.Format_RGB32)
    image.fill(0)
    content = RowContent(RowMark.USER, datetime(2026, 11, 22, 10), False, "Always answer in rhyme", 12, origin)
    with QPainter(image) as painter:
        TimelinePainter().message(painter, QRect(0, 0, width, 30), content, RowLook())
    return image


async def test_the_timeline_shows_it_as_a_chip_where_the_words_keep_some_room() -> None:
    assert painted("pasted", 260) != painted("", 260)
    assert painted("pasted", 160) == painted("", 160)


def look_at(view: object, words: str) -> QTextCursor:
    cursor = view.document().find(words)  # type: ignore[attr-defined]
    assert not cursor.isNull(), words
    return QTextCursor(cursor)


async def test_the_mark_of_a_key_that_was_kept_out_is_a_quiet_chip(stage: Stage) -> None:
    person = await shown(stage, user(f"It was 🙂 {KEY_OUT}, **{KEY_OUT}**."))
    assert person.text.count(KEY_OUT) == 2
    chip = look_at(person.transcript.view, "key kept out").charFormat()
    words = look_at(person.transcript.view, "It was").charFormat()
    assert chip.background().color() == Theme.current().color("sunken")
    assert chip.foreground().color() == Theme.current().color("text_muted")
    assert chip.font().pointSizeF() < words.font().pointSizeF()
    assert words.background().style().value == 0


async def test_the_preview_of_memory_shows_it_so_too(stage: Stage) -> None:
    stage.make(memory=f"# Keys\n\n- 🙂 The old one was {KEY_OUT}, gone\n")
    person = await stage.open()
    preview = person.memory.body.split.preview
    assert isinstance(preview, MemoryPreview)
    person.window.inspector.show("memory")
    await person.until(lambda: KEY_OUT in preview.toPlainText(), "the preview")
    cursor = look_at(preview, KEY_OUT)
    assert cursor.charFormat().background().color() == Theme.current().color("sunken")
    assert look_at(preview, "old one was").charFormat().background().style().value == 0
    assert look_at(preview, ", gone").charFormat().background().style().value == 0
