from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent
from PySide6.QtGui import QGuiApplication, QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication, QPlainTextDocumentLayout

from mnemoscope.ui.memory.editor.markdown_highlighter import MarkdownHighlighter, fence_state, fenced_lines, tokens
from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor
from mnemoscope.ui.widgets.text.offsets import Offsets
from tests.support.own_time import at_most

LINES = st.sampled_from(
    ["", "# Project", "- tea 🍵", "- coffee", "- green tea", "```", "~~~", "x\u2028y", "no\u00a0break"]
)
TEXTS = st.lists(LINES, max_size=10).map("\n".join)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=TEXTS, after=TEXTS)
def test_replacing_gives_exactly_the_new_text_and_one_undo_the_old(
    editor: MemoryEditor, before: str, after: str
) -> None:
    editor.load(before)
    editor.replace_text(after)
    assert editor.text() == after
    editor.undo()
    assert editor.text() == before
    assert not editor.document().isUndoAvailable()


@pytest.mark.parametrize("after", ["{0}\n- outside\n", "# New\n{0}", "# A\n- one\n- three 🍵"])
def test_undoing_a_change_made_elsewhere_leaves_the_caret_where_it_was(editor: MemoryEditor, after: str) -> None:
    before = "# A\n" + "\n".join(f"- tea {number} 🍵" for number in range(60)) + "\n- mine"
    editor.load(before)
    editor.moveCursor(QTextCursor.MoveOperation.End)
    place = editor.textCursor().position()
    editor.replace_text(after.format(before))
    editor.undo()
    assert editor.textCursor().position() == place
    assert editor.cursorRect().bottom() <= editor.viewport().height()
    assert editor.text() == before


def test_a_change_above_keeps_the_caret_at_its_words(editor: MemoryEditor) -> None:
    editor.load("# A\n- one\n- two\n- three")
    editor.go_to_line(3)
    editor.replace_text("# A\n- zero\n- one\n- two\n- three")
    assert editor.textCursor().block().text() == "- three"
    assert editor.caret_line() == 4


def test_a_change_inside_a_line_leaves_the_rest_of_the_line_alone(editor: MemoryEditor) -> None:
    editor.load("- Deadline is 12 May 🍵 tea")
    cursor = editor.textCursor()
    cursor.movePosition(cursor.MoveOperation.EndOfBlock)
    editor.setTextCursor(cursor)
    editor.replace_text("- Deadline is 14 May 🍵 tea")
    assert editor.textCursor().atBlockEnd()
    assert editor.text() == "- Deadline is 14 May 🍵 tea"


def test_the_view_stays_where_it_was(editor: MemoryEditor) -> None:
    text = "\n".join(f"- item {n}" for n in range(300))
    editor.load(text)
    editor.verticalScrollBar().setValue(100)
    editor.replace_text(text.replace("- item 250", "- thing 250"))
    assert editor.verticalScrollBar().value() == 100


def test_five_megabytes_are_loaded_painted_and_typed_into_without_a_pause(editor: MemoryEditor) -> None:
    text = "\n".join(f"- item {n} with **bold** and `code` words" for n in range(120_000))
    editor.load("warm up")
    editor.grab()
    with at_most(2.0):
        editor.load(text)
        editor.grab()
    with at_most(0.25):
        editor.textCursor().insertText("```\n")
        editor.grab()


def test_one_unbroken_line_of_a_million_characters_does_not_hang(editor: MemoryEditor) -> None:
    with at_most(3.0):
        editor.load("a" * 1_000_000)
        editor.grab()


@pytest.mark.parametrize(
    ("line", "styles"),
    [
        ("# Project", {"heading"}),
        ("#hashtag", set()),
        ("- uses **bold** and `code`", {"mark", "strong", "code"}),
        ("3. see [docs](https://example.org)", {"mark", "link"}),
        ("> a quote with *words*", {"mark", "emphasis"}),
        ("2 * 3 * 4 snake_case_name", set()),
        ("---", {"mark"}),
        ("- [x] done ~~old~~", {"mark", "strike"}),
        ("<!-- note -->", {"comment"}),
        ("", set()),
    ],
)
def test_what_is_what_in_a_line(line: str, styles: set[str]) -> None:
    assert {style for _, _, style in tokens(line, 0)} == styles


def test_what_is_put_in_at_the_end_of_the_text_has_its_fences(editor: MemoryEditor) -> None:
    editor.load("tea\n")
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QGuiApplication.clipboard().setText("# Glaze\n\n```\na = 1\n```")
    editor.paste_plain()
    editor.insertPlainText("\n\nCall Marta")
    fenced = [editor.highlighter.is_fenced(editor.document().findBlockByNumber(line)) for line in range(8)]
    assert fenced == [False, False, False, False, True, True, False, False]


def test_a_line_that_an_undo_brings_back_has_its_colours(editor: MemoryEditor) -> None:
    editor.load("- **green** tea\n- **black** tea\n")

    def coloured() -> list[int]:
        editor.grab()
        document = editor.document()
        return [len(document.findBlockByNumber(line).layout().formats()) for line in range(2)]

    assert coloured() == [2, 2]
    editor.replace_text("- **green** tea\n")
    editor.grab()
    editor.undo()
    assert coloured() == [2, 2]


def test_a_fence_is_closed_only_by_its_own_kind_and_length() -> None:
    assert fence_state("````", 3) == 0
    assert fence_state("```", 4) == 4
    assert fence_state("~~~", 3) == 3
    assert fence_state("``` not a close", 3) == 3
    assert fence_state("``inline``", 0) == 0


def test_runs_of_fenced_lines_are_found_from_the_text() -> None:
    assert list(fenced_lines("a\n```py\nx\n```\nb\n~~~\ny")) == [(1, 3, 3), (5, 7, -3)]


@given(text=TEXTS, inserted=TEXTS, place=st.integers(0, 60), removed=st.integers(0, 30))
def test_fences_are_followed_through_any_edit(
    qapp: QApplication, text: str, inserted: str, place: int, removed: int
) -> None:
    document = QTextDocument()
    document.setDocumentLayout(QPlainTextDocumentLayout(document))
    highlighter = MarkdownHighlighter(document)
    with highlighter.loading(text):
        document.setPlainText(text)
    selected(document, place, removed).insertText(inserted)
    state, block = 0, document.begin()
    while block.isValid():
        assert highlighter.is_fenced(block) == (state != 0), document.toPlainText()
        state, block = fence_state(block.text(), state), block.next()
    document.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def selected(document: QTextDocument, place: int, length: int) -> QTextCursor:
    last = document.characterCount() - 1
    cursor = QTextCursor(document)
    cursor.setPosition(min(place, last))
    cursor.setPosition(min(place + length, last), QTextCursor.MoveMode.KeepAnchor)
    return cursor


@given(st.text(alphabet="ab🍵é", max_size=30))
def test_offsets_agree_with_utf16(text: str) -> None:
    offsets = Offsets(text)
    for index in range(len(text) + 1):
        units = len(text[:index].encode("utf-16-le")) // 2
        assert offsets.to_qt(index) == units
        assert offsets.from_qt(units) == index
