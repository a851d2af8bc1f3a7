from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from mnemoscope.ui.memory.editor.find_bar import FindBar
from mnemoscope.ui.memory.memory_document import MemoryDocument
from mnemoscope.ui.widgets.text.search import BadSearch, Query, find_all, replace_all

TEXT = "# Tea 🍵\n- green tea\n- Tea, black\n- steam\n"


@pytest.fixture
def pane(qtbot: QtBot) -> MemoryDocument:
    pane = MemoryDocument()
    qtbot.addWidget(pane)
    pane.resize(380, 600)
    with qtbot.waitExposed(pane):
        pane.show()
    pane.show_memory(TEXT, "v1")
    return pane


@pytest.fixture
def bar(pane: MemoryDocument, qtbot: QtBot) -> FindBar:
    pane.find(replace=True)
    return pane.body.find_bar.widget


def search(bar: FindBar, words: str) -> None:
    bar.find_field.setText(words)
    bar.open(replace=True)


def test_matches_are_counted_as_they_are_typed(bar: FindBar, qtbot: QtBot) -> None:
    QTest.keyClicks(bar.find_field, "tea")
    qtbot.waitUntil(lambda: bar.count_label.text() == "1 of 4")


def test_the_next_match_comes_into_sight_as_the_words_are_typed(pane: MemoryDocument, qtbot: QtBot) -> None:
    pane.show_memory(TEXT + "- water\n" * 80 + "- steamer and teapot\n" + "- water\n" * 80, "v2")
    pane.find()
    bar = pane.body.find_bar.widget
    QTest.keyClicks(bar.find_field, "tea")
    qtbot.waitUntil(lambda: bar.count_label.text() == "1 of 6")
    QTest.keyClicks(bar.find_field, "p")
    qtbot.waitUntil(lambda: bar.count_label.text() == "1 of 1")
    cursor = pane.editor.textCursor()
    assert cursor.selectedText() == "teap"
    assert pane.editor.viewport().rect().contains(pane.editor.cursorRect(cursor))
    assert not pane.editor.hasFocus()
    # A letter taken back leaves it there.
    QTest.keyClick(bar.find_field, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: bar.count_label.text() == "6 of 6")
    assert pane.editor.textCursor().selectedText() == "tea"


def test_what_is_typed_is_looked_for_from_the_caret_on(pane: MemoryDocument, qtbot: QtBot) -> None:
    pane.show_memory("- tea at one\n" + "- water\n" * 80 + "- tea at two\n" + "- water\n" * 80, "v2")
    pane.editor.go_to_line(40)
    pane.find()
    bar = pane.body.find_bar.widget
    QTest.keyClicks(bar.find_field, "tea")
    qtbot.waitUntil(lambda: bar.count_label.text() == "2 of 2")
    assert pane.editor.caret_line() == 81


def test_of_a_very_long_line_the_matches_in_sight_are_marked(pane: MemoryDocument, qtbot: QtBot) -> None:
    pane.show_memory("- " + "word " * 9_000, "v2")
    pane.find()
    bar, editor = pane.body.find_bar.widget, pane.editor
    QTest.keyClicks(bar.find_field, "word")
    qtbot.waitUntil(lambda: bar.count_label.text() == "1 of 9,000")

    def marked() -> list[int]:
        return [each.cursor.selectionStart() for each in editor.extraSelections()]

    assert editor.textCursor().selectionStart() in marked()
    assert len(marked()) < 1_000, "each of them is laid out and painted with every paint"
    editor.verticalScrollBar().setValue(editor.verticalScrollBar().maximum() // 2)
    start, _ = editor.visible_span()
    qtbot.waitUntil(lambda: bool(marked()) and min(marked()) >= start - 10)
    assert min(marked()) < start + 10


def test_a_match_out_of_sight_comes_with_what_stands_around_it(pane: MemoryDocument) -> None:
    pane.show_memory("- water\n" * 60 + "- teapot\n" + "- water\n" * 60, "v2")
    pane.find()
    bar, editor = pane.body.find_bar.widget, pane.editor
    search(bar, "teapot")
    for way, begin in ((1, 0), (-1, 120)):
        editor.go_to_line(begin)
        bar.step_pressed.emit(way)
        place, height = editor.cursorRect(), editor.fontMetrics().lineSpacing()
        assert place.top() > 2 * height
        assert place.bottom() < editor.viewport().height() - 2 * height


def test_enter_at_once_goes_to_the_first_match(bar: FindBar, pane: MemoryDocument) -> None:
    QTest.keyClicks(bar.find_field, "tea")
    QTest.keyClick(bar.find_field, Qt.Key.Key_Return)
    assert bar.count_label.text() == "1 of 4"
    QTest.keyClick(bar.find_field, Qt.Key.Key_Return)
    assert bar.count_label.text() == "2 of 4"


def test_next_and_previous_go_round(bar: FindBar, pane: MemoryDocument) -> None:
    search(bar, "green")
    bar.find_next()
    assert pane.editor.textCursor().selectedText() == "green"
    assert bar.count_label.text() == "1 of 1"
    bar.find_next()
    assert bar.count_label.text() == "1 of 1"
    bar.find_field.setText("tea")
    bar.step_pressed.emit(-1)
    assert pane.editor.textCursor().selectedText().lower() == "tea"


def test_positions_are_right_behind_a_wide_character(bar: FindBar, pane: MemoryDocument) -> None:
    search(bar, "black")
    bar.find_next()
    assert pane.editor.textCursor().selectedText() == "black"


def test_case_and_whole_words_narrow_the_search(bar: FindBar) -> None:
    search(bar, "tea")
    bar.word_button.setChecked(True)
    assert bar.count_label.text() == "1 of 3"
    bar.case_button.setChecked(True)
    assert bar.count_label.text() == "1 of 1"


def test_a_malformed_expression_is_explained(bar: FindBar) -> None:
    search(bar, "(tea")
    bar.expression_button.setChecked(True)
    assert bar.message.text() == "Not a regular expression: missing ) at character 5."
    assert bar.message.isVisible()


def test_no_match_is_said(bar: FindBar) -> None:
    search(bar, "coffee")
    assert bar.count_label.text() == "No match"


def test_replace_takes_one_and_goes_on(bar: FindBar, pane: MemoryDocument) -> None:
    search(bar, "tea")
    bar.case_button.setChecked(True)
    bar.replace_field.setText("mate")
    bar.replace_one()
    assert pane.editor.text() == TEXT.replace("green tea", "green mate")
    assert pane.editor.textCursor().selectedText() == "tea"


def test_replace_all_is_one_undo_step(bar: FindBar, pane: MemoryDocument) -> None:
    search(bar, r"(\w+) tea")
    bar.expression_button.setChecked(True)
    bar.replace_field.setText(r"tea (\1)")
    bar.replace_every()
    assert "- tea (green)" in pane.editor.text()
    pane.editor.undo()
    assert pane.editor.text() == TEXT
    assert bar.message.text() == "1 replaced"


def test_a_replacement_with_an_unknown_group_is_explained_and_changes_nothing(
    bar: FindBar, pane: MemoryDocument
) -> None:
    search(bar, "tea")
    bar.expression_button.setChecked(True)
    bar.replace_field.setText(r"\7")
    bar.replace_every()
    assert bar.message.text().startswith("The replacement names a group that is not there")
    assert pane.editor.text() == TEXT


def test_escape_closes_and_returns_to_the_text(bar: FindBar, pane: MemoryDocument) -> None:
    QTest.keyClick(bar.find_field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert pane.editor.hasFocus()
    assert pane.editor.extraSelections() == []


def test_control_h_opens_the_replace_row(pane: MemoryDocument) -> None:
    QTest.keyClick(pane.editor, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    assert pane.body.find_bar.widget.replace_field.isVisible()
    assert pane.editor.text() == TEXT


def test_nothing_is_replaced_in_a_read_only_window(bar: FindBar, pane: MemoryDocument) -> None:
    pane.set_read_only(True)
    search(bar, "tea")
    bar.replace_every()
    assert pane.editor.text() == TEXT
    assert not bar.replace_field.isVisible()


def test_an_expression_that_explodes_is_given_up() -> None:
    with pytest.raises(BadSearch, match="takes too long"):
        find_all("a" * 40 + "!", Query(r"(?:a|aa|a?a)+$", expression=True))


def test_empty_matches_are_not_matches() -> None:
    assert find_all("abc", Query("x*", expression=True)) == []
    assert replace_all("abc", Query("x*", expression=True), "-") == ("abc", 0)
