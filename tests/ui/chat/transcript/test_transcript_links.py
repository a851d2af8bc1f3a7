"""What a person does in the conversation: links, copying, finding words, going about by keys."""

from time import process_time
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage, QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from mnemoscope.domain.capture.record import CaptureRecord
from mnemoscope.ui.chat.message_actions import CopyCode, CopyMessage, FoldCall, MessageAction, SaveMessage
from mnemoscope.ui.chat.transcript.link_spans import link_spans
from mnemoscope.ui.chat.transcript.message_drawer import MessageDrawer
from mnemoscope.ui.chat.transcript.transcript import Transcript
from mnemoscope.ui.markdown.document.link_dialog import LinkDialog
from mnemoscope.ui.widgets.theme import Theme
from tests.ui.chat.transcript.offered_actions import click_action, words_of
from tests.ui.chat.transcript.transcript_fixture import RICH, STAMP, calling, follow, pane, said

__all__ = ["pane"]


def test_nothing_is_ever_loaded(pane: Transcript) -> None:
    for address in ("https://evil.example/p", "file:///etc/passwd", "data:image/png;base64,AAAA", "x.png"):
        assert pane.view.loadResource(2, QUrl(address)) is None


def test_a_link_is_opened_only_after_its_address_was_seen(pane: Transcript) -> None:
    wanted: list[str] = []
    pane.link_requested.connect(wanted.append)
    follow(pane, "https://bank.example@evil.example/?q=SECRET")
    dialog = pane.findChild(LinkDialog)
    assert dialog is not None
    assert dialog.address.host == "evil.example"
    assert wanted == []
    dialog.accept()
    assert wanted == ["https://evil.example/?q=SECRET"]


@pytest.mark.parametrize("href", ["#top", "file:///etc/passwd", "javascript:alert(1)", "../x.md", "vscode://file/x"])
def test_other_addresses_ask_nothing_and_open_nothing(pane: Transcript, href: str) -> None:
    wanted: list[str] = []
    pane.link_requested.connect(wanted.append)
    follow(pane, href)
    assert pane.findChild(LinkDialog) is None
    assert wanted == []


def test_copy_links_put_markdown_and_code_on_the_clipboard(pane: Transcript) -> None:
    pane.show_messages("k", [said("assistant", RICH)])
    click_action(pane, CopyMessage(0))
    assert QGuiApplication.clipboard().text() == RICH
    number = next(iter(pane.transcript.codes))
    click_action(pane, CopyCode(number))
    assert QGuiApplication.clipboard().text() == "[databases]\napp = host=127.0.0.1\n"


def test_a_selection_across_messages_is_copied_as_markdown_and_rich_text(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", "How **so**?"), said("assistant", RICH)])
    pane.view.selectAll()
    mime = pane.view.createMimeDataFromSelection()
    assert mime.text() == f"**You**\n\nHow **so**?\n\n**Assistant**\n\n{RICH}"
    assert "<strong>pgbouncer</strong>" in mime.html()


def _band(pane: Transcript, position: int) -> QImage:
    """Returns the picture of the line of the conversation that a character position lies in."""
    layout = pane.transcript.document.documentLayout()
    rect = layout.blockBoundingRect(pane.transcript.document.findBlock(position))
    area = rect.translated(0, -pane.view.offset()).toRect()
    return pane.view.viewport().grab(area).toImage()


def test_only_what_is_read_is_highlighted_where_all_is_selected(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", "How **so**?"), said("assistant", "So.\n\n```python\npass\n```\n\nAnd so.")])
    document = pane.transcript.document
    read = [document.find(words).position() for words in ("How", "So.", "pass", "And so")]
    beside = [document.find(words).position() for words in ("You ", "Assistant", "python")]
    before = {place: _band(pane, place) for place in (*read, *beside)}
    pane.view.selectAll()
    assert [_band(pane, place) == before[place] for place in beside] == [True] * 3
    assert [_band(pane, place) != before[place] for place in read] == [True] * 4


def test_what_a_call_did_is_copied_without_what_is_offered_about_it(pane: Transcript) -> None:
    call = calling("c", text="I look it up.")
    result = {"role": "tool", "tool_call_id": "c", "content": "found\nmore", "cut": 9_000, "whole": "results/1.txt"}
    pane.show_messages("k", [said("user", "Look it up."), call, result, said("assistant", "There it is.")])
    pane.view.selectAll()
    folded = pane.view.createMimeDataFromSelection().text()
    click_action(pane, FoldCall(1, "c"))
    pane.view.selectAll()
    unfolded = pane.view.createMimeDataFromSelection().text()
    for copied in (folded, unfolded):
        assert copied.startswith("**You**\n\nLook it up.\n\n**Assistant**\n\nI look it up.\n\nsearch_memory")
        assert copied.endswith("**Assistant**\n\nThere it is.")
        for words in ("Copy", "Regenerate", "Branch", "Open the whole result", "▸", "▾"):
            assert words not in copied
    assert "found\nmore" in unfolded


def test_a_link_out_of_sight_is_seen_while_the_keyboard_is_at_it(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", "How so?")])
    place = pane.transcript.document.find("You").position()
    before = _band(pane, place)
    pane.view.setFocus()
    QTest.keyClick(pane.view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert pane.view.textCursor().selectedText() == "Copy"
    assert _band(pane, place) != before
    beside = pane.transcript.document.find("Edit")
    block = beside.block()
    shown = [each.start for each in block.layout().formats()]
    assert beside.selectionStart() - block.position() in shown, "what else the message offers"


def test_part_of_a_paragraph_is_copied_as_its_words(pane: Transcript) -> None:
    pane.show_messages("k", [said("assistant", "one **two** three")])
    cursor = pane.transcript.document.find("two thr")
    pane.view.setTextCursor(cursor)
    assert pane.view.createMimeDataFromSelection().text() == "two thr"


def _select(pane: Transcript, first: str, last: str) -> None:
    document = pane.transcript.document
    exactly = QTextDocument.FindFlag.FindCaseSensitively
    start, stop = document.find(first, 0, exactly), document.find(last, 0, exactly)
    cursor = QTextCursor(document)
    cursor.setPosition(start.selectionStart())
    cursor.setPosition(stop.selectionEnd(), QTextCursor.MoveMode.KeepAnchor)
    pane.view.setTextCursor(cursor)


LONG = "x" * 2_500
CODE = [
    "BEGIN \tone\u00a0two   ",
    "",
    "\t\tthree \U0001f600 \u202efour\u202c\u200b  ",
    f"    {LONG}\x07y",
    "\U0001f600 last END",
]


@pytest.mark.parametrize(
    ("before", "prefix", "fence"),
    [
        ("", "", "```python"),
        ("words\n\n", "", "~~~"),
        ("- item\n\n", "  ", "```"),
        ("", "> ", "```"),
        ("a\n\n", "    ", ""),
    ],
)
def test_part_of_a_code_block_is_copied_byte_for_byte(pane: Transcript, before: str, prefix: str, fence: str) -> None:
    marks = ([fence], [fence[:3]]) if fence else ([], [])
    written = [f"{prefix}{line}" for line in (*marks[0], *CODE, *marks[1])]
    pane.show_messages("k", [said("assistant", before + "\n".join(written) + "\n\nafter")])
    code = "\n".join(CODE)
    for first, last in (("BEGIN", "END"), ("EGIN", "EN"), ("two", "last"), ("three", "four"), ("\U0001f600 ", "last")):
        _select(pane, first, last)
        stop = code.index(last) + len(last)
        copied = pane.view.createMimeDataFromSelection().text()
        assert copied == code[code.index(first) : stop], (first, last)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("before", "prefix", "fence"),
    [
        ("", "", "```python"),
        ("words\n\n", "", "~~~"),
        ("- item\n\n", "  ", "```"),
        ("", "> ", "```"),
        ("a\n\n", "    ", ""),
    ],
)
def test_the_link_of_a_code_block_copies_it_byte_for_byte(
    pane: Transcript, before: str, prefix: str, fence: str, end: str
) -> None:
    marks = ([fence], [fence[:3]]) if fence else ([], [])
    written = "\n".join(f"{prefix}{line}" for line in (*marks[0], *CODE, *marks[1]))
    text = f"{before}{written}\n\nafter\n\n```\nlast  "
    pane.show_messages("k", [said("user", "Code?"), said("assistant", text.replace("\n", end)), said("user", "Thanks")])
    first, second = pane.transcript.codes
    click_action(pane, CopyCode(first))
    assert QGuiApplication.clipboard().text() == "".join(f"{line}{end}" for line in CODE)
    # A block whose fence was never closed has no last line end.
    click_action(pane, CopyCode(second))
    assert QGuiApplication.clipboard().text() == "last  "


def test_the_link_of_a_block_without_a_line_copies_nothing_of_its_fence(pane: Transcript) -> None:
    pane.show_messages("k", [said("assistant", "```\n```\n\nwords")])
    click_action(pane, CopyCode(next(iter(pane.transcript.codes))))
    assert QGuiApplication.clipboard().text() == ""


def test_what_goes_beyond_a_code_block_keeps_its_blank_lines(pane: Transcript) -> None:
    pane.show_messages("k", [said("assistant", "words\n\n```\none\n\n\ttwo\nthree\n```")])
    _select(pane, "words", "two")
    assert pane.view.createMimeDataFromSelection().text() == "words\n\none\n\n\ttwo"


@pytest.mark.parametrize(("first", "last"), [("words", "END"), ("words", "three END"), ("two", "three")])
def test_a_long_program_is_copied_at_once(pane: Transcript, first: str, last: str) -> None:
    program = "\n".join(["one two", *["    same = line"] * 1_500, "three END"])
    pane.show_messages("k", [said("assistant", f"words\n\n```\n{program}\n```\n\nafter")])
    _select(pane, first, last)
    before = process_time()
    copied = pane.view.createMimeDataFromSelection().text()
    assert process_time() - before < 1.0
    assert copied.count("    same = line\n") == 1_500


def test_tool_tips_in_a_conversation_say_words_to_the_letter(pane: Transcript) -> None:
    offer = {"label": "Run", "command": "/dream-log <b>x</b>"}
    pane.show_messages("k", [said("user", "tea"), said("assistant", "made", _command=True, _actions=[offer])])
    kept = CaptureRecord("1", STAMP % 0, "k", STAMP % 0, 0, "preference", "tea <i>hot</i>", memory_line="- Tea")
    pane.show_kept({0: [kept]})
    document = pane.transcript.document
    tips = [document.find(words).charFormat().toolTip() for words in ("Run", "<i>hot")]
    assert tips[0] == "<qt>/dream-log &lt;b&gt;x&lt;/b&gt;</qt>"
    assert tips[1].startswith("<qt>tea &lt;i&gt;hot&lt;/i&gt;<br>")


def test_a_selection_of_words_counts_emoji_as_one_character(pane: Transcript) -> None:
    pane.show_messages("k", [said("assistant", "a \U0001f600\U0001f600 bold moon")])
    _select(pane, "bold", "bold")
    assert pane.view.createMimeDataFromSelection().text() == "bold"


def test_a_click_on_a_message_activates_it(pane: Transcript) -> None:
    activated: list[int] = []
    pane.message_activated.connect(activated.append)
    pane.show_messages("k", [said("user", "one"), said("assistant", "two")])
    row = pane.transcript.row_of(1)
    assert row is not None
    point = QPoint(40, int(pane.view.row_rect(row).bottom() - pane.view.offset() - 6))
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert activated == [1]


def test_found_words_are_counted_and_stepped_through(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", f"the pool {number}") for number in range(3)])
    pane.find_bar.start()
    pane.find_bar.field.setText("pool")
    assert pane.find_bar.count.text().endswith("of 3")
    pane.find_bar.field.setText("Copy")
    assert pane.find_bar.count.text().startswith("none")
    QTest.keyClick(pane.find_bar.field, Qt.Key.Key_Escape)
    assert not pane.find_bar.isVisible()


def test_the_text_cursor_reaches_the_end_by_keys(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", "one"), said("assistant", "two")])
    pane.view.setFocus()
    QTest.keyClick(pane.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert pane.view.textCursor().selectionEnd() > 0
    assert pane.view.accessibleName()
    pane.view.moveCursor(QTextCursor.MoveOperation.Start)


def test_tab_leaves_the_conversation_and_alt_down_goes_through_its_links(pane: Transcript, qtbot: QtBot) -> None:
    wanted: list[MessageAction] = []
    pane.view.action_chosen.connect(wanted.append)
    pane.show_messages("k", [said("user", "one"), said("assistant", "[two](https://example.org/)")])
    pane.view.setFocus()
    QTest.keyClick(pane.view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(pane.view, Qt.Key.Key_Return)
    assert wanted == [CopyMessage(0)]
    assert QGuiApplication.clipboard().text() == "one"
    pane.find_bar.start()
    pane.view.setFocus()
    QTest.keyClick(pane.view, Qt.Key.Key_Tab)
    assert not pane.view.hasFocus()


def test_words_far_above_what_is_loaded_are_found_and_brought_in(pane: Transcript, qtbot: QtBot) -> None:
    messages = [said("user", f"line {number}") for number in range(2_000)]
    messages[3] = said("user", "the celadon recipe")
    pane.show_messages("k", messages)
    assert pane.transcript.first > 3
    pane.find_bar.start()
    pane.find_bar.field.setText("celadon")
    qtbot.waitUntil(lambda: pane.transcript.row_of(3) is not None)
    assert pane.view.textCursor().block().text() == "the celadon recipe"
    assert pane.find_bar.count.text() == "1 of 1 around here"
    pane.find_bar.field.setText("zeppelin")
    qtbot.waitUntil(lambda: pane.find_bar.count.text() == "none in this conversation")


def test_every_link_of_a_caption_shows_while_the_pointer_is_over_its_message(
    pane: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_another_link(drawer: MessageDrawer, words: str, index: int, **more: Any) -> None:
        draw(drawer, words, index, **more)
        drawer.writer.words(" ", drawer.style.caption)
        drawer.writer.words("Save", drawer.style.action(SaveMessage(index), role="canvas"))

    draw = MessageDrawer.caption
    # No message has such a link yet.
    monkeypatch.setattr(MessageDrawer, "caption", with_another_link)
    pane.show_messages("k", [said("user", "find"), said("assistant", "Found.", 2)])
    row, other = pane.transcript.row_of(1), pane.transcript.row_of(0)
    assert row is not None
    caption = pane.transcript.caption_of(row)
    assert caption is not None
    pane.view.emphasis.hover(row)
    shown = caption.layout().formats()
    texts = [caption.text()[each.start : each.start + each.length].replace("\u00a0", " ") for each in shown]
    links = [words_of(pane, each) for each in link_spans(pane.transcript, caption)]
    assert texts == links
    assert {"Copy", "Regenerate", "Save"} <= set(texts)
    assert {each.format.foreground().color().name() for each in shown} == {Theme.current().color("accent").name()}
    pane.view.emphasis.hover(other)
    assert not caption.layout().formats()


def test_after_the_wheel_was_turned_the_links_are_those_of_the_message_now_under_the_pointer(
    pane: Transcript, qtbot: QtBot
) -> None:
    pane.show_messages("k", [said("user", f"{number} of many", number) for number in range(40)])
    bar = pane.view.verticalScrollBar()
    place = QPoint(200, 150)
    bar.setValue(bar.maximum() // 2)

    def linked() -> list[int]:
        captions = [(row, pane.transcript.caption_of(row)) for row in pane.transcript.rows]
        return [row.index for row, caption in captions if caption is not None and caption.layout().formats()]

    for notches in (-3, -3, 5):
        there = QPointF(pane.view.viewport().mapTo(pane.window(), place))
        QTest.wheelEvent(pane.window().windowHandle(), there, QPoint(0, 120 * notches))
        row = pane.view.row_under(place)
        assert row is not None
        assert linked() == [row.index]


def test_the_copy_link_of_a_message_shows_while_it_flashes_after_a_jump(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("user", "find"), said("assistant", "Found.", 2)])
    row = pane.transcript.row_of(1)
    assert row is not None
    caption = pane.transcript.caption_of(row)
    assert caption is not None
    pane.scroll_to_message(1)
    shown = caption.layout().formats()[0]
    assert caption.text()[shown.start : shown.start + shown.length] == "Copy"
    pane.view.emphasis.still()
    assert not caption.layout().formats()
