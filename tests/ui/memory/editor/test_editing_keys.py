"""The editor's keys: each test presses them. `¦` stands for the caret, `«»` around what is selected."""

from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QDrag, QDropEvent, QKeySequence, QMouseEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.memory.editor.line_commands import box_of
from mnemoscope.ui.memory.editor.memory_editor import LineGutter, MemoryEditor
from mnemoscope.ui.memory.editor.source_and_preview import SourceAndPreview
from mnemoscope.ui.widgets.text.offsets import Offsets, to_utf16
from tests.ui.window_fixture import Stage, until


def put(editor: MemoryEditor, marked: str) -> str:
    """Shows a text with its caret or selection; returns the text."""
    text = marked.replace("¦", "").replace("«", "").replace("»", "")
    editor.load(text)
    start = marked.find("«") if "«" in marked else marked.find("¦")
    stop = marked.find("»") - 1 if "»" in marked else start
    cursor = editor.textCursor()
    cursor.setPosition(to_utf16(text, start))
    cursor.setPosition(to_utf16(text, stop), QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    return text


def shown(editor: MemoryEditor) -> str:
    """Returns the text with its caret or selection."""
    text, cursor = editor.text(), editor.textCursor()
    offsets = Offsets(text)
    start, stop = offsets.from_qt(cursor.selectionStart()), offsets.from_qt(cursor.selectionEnd())
    if start == stop:
        return f"{text[:start]}¦{text[start:]}"
    return f"{text[:start]}«{text[start:stop]}»{text[stop:]}"


def press(editor: MemoryEditor, keys: str) -> None:
    chord = QKeySequence(keys)[0]  # type: ignore[index]  # a sequence, whatever its stub says
    QTest.keyClick(editor, chord.key(), chord.keyboardModifiers())


CASES = [
    # Enter
    ("Return", "- tea¦", "- tea\n- ¦"),
    ("Return", "* green ¦tea 🍵", "* green \n* ¦tea 🍵"),
    ("Return", "  + tea¦\n", "  + tea\n  + ¦\n"),
    ("Return", "- [x] done¦", "- [x] done\n- [ ] ¦"),
    ("Return", "1. one¦\n2. two\n3. three", "1. one\n2. ¦\n3. two\n4. three"),
    ("Return", "9) nine¦", "9) nine\n10) ¦"),
    ("Return", "1. one¦\n1. two", "1. one\n2. ¦\n1. two"),
    ("Return", "> quoted¦", "> quoted\n> ¦"),
    ("Return", "> - tea¦", "> - tea\n> - ¦"),
    ("Return", "- tea\n- ¦", "- tea\n¦"),
    ("Return", "- tea\n- [ ] ¦", "- tea\n¦"),
    ("Return", "- tea\n  - ¦", "- tea\n- ¦"),
    ("Return", "> tea\n> ¦", "> tea\n¦"),
    ("Return", "- one «two» three", "- one \n- ¦three"),
    ("Return", "- - -¦", "- - -\n¦"),
    ("Return", "# Tea¦", "# Tea\n¦"),
    ("Return", "¦- tea", "\n¦- tea"),
    ("Return", "```\n- tea¦\n```", "```\n- tea\n¦\n```"),
    ("Shift+Return", "- tea¦", "- tea\n  ¦"),
    ("Shift+Return", "12. tea¦", "12. tea\n    ¦"),
    ("Return", "- tea\n  and milk¦", "- tea\n  and milk\n  ¦"),
    ("Shift+Return", "tea¦ and milk", "tea\n¦and milk"),
    # Indent
    ("Tab", "- a\n- b¦", "- a\n  - b¦"),
    ("Tab", "1. a\n2. b¦\n3. c", "1. a\n   1. b¦\n2. c"),
    ("Tab", "- a\n- b¦\n  - of b\n- c", "- a\n  - b¦\n    - of b\n- c"),
    ("Tab", "- a\n«- b\n- c»\n- d", "- a\n  «- b\n  - c»\n- d"),
    ("Tab", "- a\n  - b¦", "- a\n    - b¦"),
    ("Tab", "> - a\n> - b¦", "> - a\n>   - b¦"),
    ("Shift+Tab", "- a\n  - b¦\n    - of b", "- a\n- b¦\n  - of b"),
    ("Shift+Tab", "1. a\n   1. b¦\n2. c", "1. a\n2. b¦\n3. c"),
    ("Shift+Tab", "- a¦", "- a¦"),
    # Marks
    ("Ctrl+B", "green «tea»", "green **«tea»**"),
    ("Ctrl+B", "green **«tea»**", "green «tea»"),
    ("Ctrl+B", "green «**tea**»", "green «tea»"),
    ("Ctrl+B", "green t¦ea", "green **t¦ea**"),
    ("Ctrl+B", "green **t¦ea**", "green t¦ea"),
    ("Ctrl+B", "green ¦", "green **¦**"),
    ("Ctrl+B", "green **¦**", "green ¦"),
    ("Ctrl+B", "**green¦** tea", "**green**¦ tea"),
    ("Ctrl+B", "**green tea¦**", "**green tea**¦"),
    ("Ctrl+B", "***green¦***", "***green**¦*"),
    ("Ctrl+B", "**green tea  ¦**", "**green tea**  ¦"),
    ("Ctrl+B", "green ¦**tea**", "green **¦****tea**"),
    ("Ctrl+I", "* a *green ¦* tea", "* a *green* ¦ tea"),
    ("Ctrl+I", "*green¦*", "*green*¦"),
    ("Ctrl+I", "**green¦**", "***green¦***"),
    ("Ctrl+E", "`green tea¦`", "`green tea`¦"),
    ("Ctrl+I", "«tea »", "*«tea»* "),
    ("Ctrl+I", "**«tea»**", "***«tea»***"),
    ("Ctrl+I", "***«tea»***", "**«tea»**"),
    ("Ctrl+B", "***«tea»***", "*«tea»*"),
    ("Ctrl+B", "«- green\n- black» tea", "- **«green**\n- **black»** tea"),
    ("Ctrl+E", "«ls -l»", "`«ls -l»`"),
    ("Ctrl+E", "`«ls -l»`", "«ls -l»"),
    ("Ctrl+E", "«a`b»", "``«a`b»``"),
    ("Ctrl+B", "🍵 «tea 🍵»", "🍵 **«tea 🍵»**"),
    # Links
    ("Ctrl+K", "see «the page»", "see [the page](¦)"),
    ("Ctrl+K", "see pa¦ge", "see [page](¦)"),
    ("Ctrl+K", "see «https://example.org»", "see [¦](https://example.org)"),
    ("Ctrl+K", "see [pa¦ge](https://example.org)", "see [page](«https://example.org»)"),
    ("Ctrl+K", "see ¦", "see [¦]()"),
    # Lines
    ("Alt+Up", "a\nb¦\nc", "b¦\na\nc"),
    ("Alt+Down", "a\nb¦\nc", "a\nc\nb¦"),
    ("Alt+Down", "«a\nb»\nc\nd", "c\n«a\nb»\nd"),
    ("Alt+Up", "¦a\nb", "¦a\nb"),
    ("Alt+Down", "a\nb¦", "a\nb¦"),
    ("Alt+Up", "1. a\n2. b¦\n3. c", "1. b¦\n2. a\n3. c"),
    ("Alt+Down", "```\na¦\nb\n```", "```\nb\na¦\n```"),
    ("Ctrl+D", "a\nb¦\nc", "a\nb\nb¦\nc"),
    ("Ctrl+D", "«a\nb»\nc", "a\nb\n«a\nb»\nc"),
    ("Ctrl+D", "green «tea»", "green tea«tea»"),
    ("Ctrl+D", "1. a¦\n2. b", "1. a\n2. a¦\n3. b"),
    # Tasks
    ("Ctrl+Return", "- [ ] te¦a", "- [x] te¦a"),
    ("Ctrl+Return", "- [X] te¦a", "- [ ] te¦a"),
    ("Ctrl+Return", "- te¦a", "- [ ] te¦a"),
    ("Ctrl+Return", "«- [x] a\n- [ ] b»", "«- [x] a\n- [x] b»"),
    ("Ctrl+Return", "«- [x] a\n- [x] b»", "«- [ ] a\n- [ ] b»"),
    ("Ctrl+Return", "words¦", "words¦"),
]


@pytest.mark.parametrize(("keys", "before", "after"), CASES)
def test_a_key_makes_of_a_text_what_it_is_for_in_one_step(
    editor: MemoryEditor, keys: str, before: str, after: str
) -> None:
    text = put(editor, before)
    press(editor, keys)
    assert shown(editor) == after
    if editor.text() != text:
        editor.undo()
        assert editor.text() == text
        editor.redo()
        assert editor.text() == after.replace("¦", "").replace("«", "").replace("»", "")


def test_enter_twice_leaves_the_list_and_each_is_undone_by_itself(editor: MemoryEditor) -> None:
    put(editor, "- tea¦")
    press(editor, "Return")
    press(editor, "Return")
    QTest.keyClicks(editor, "after")
    assert editor.text() == "- tea\nafter"
    editor.undo()
    assert editor.text() == "- tea\n"
    editor.undo()
    assert editor.text() == "- tea\n- "
    editor.undo()
    assert editor.text() == "- tea"


def test_what_is_typed_after_a_command_is_undone_without_it(editor: MemoryEditor) -> None:
    put(editor, "green t¦ea")
    press(editor, "Ctrl+D")
    QTest.keyClicks(editor, "xy")
    editor.undo()
    assert editor.text() == "green tea\ngreen tea"
    editor.undo()
    assert editor.text() == "green tea"


@pytest.mark.parametrize("head", ["- ", "  * ", "- [ ] "])
def test_a_fact_is_struck_out_with_its_date_and_holds_again(editor: MemoryEditor, head: str) -> None:
    text = put(editor, f"# Facts\n{head}lives in Pa¦ris\n")
    before = date.today()
    press(editor, "Ctrl+/")
    days = {before.isoformat(), date.today().isoformat()}
    assert editor.text() in {f"# Facts\n{head}~~lives in Paris~~ (until {day})\n" for day in days}
    assert editor.textCursor().block().text()[editor.textCursor().positionInBlock() :].startswith("ris~~")
    press(editor, "Ctrl+/")
    assert editor.text() == text
    assert shown(editor) == f"# Facts\n{head}lives in Pa¦ris\n"


def test_headings_and_blank_lines_are_no_facts(editor: MemoryEditor) -> None:
    put(editor, "«# Facts\n\n- tea»")
    press(editor, "Ctrl+/")
    first, second, third = editor.text().split("\n")
    assert (first, second) == ("# Facts", "")
    assert third.startswith("- ~~tea~~ (until 2")


def test_nothing_of_markdown_is_done_in_a_code_block(editor: MemoryEditor) -> None:
    text = put(editor, "```\n- te¦a\n```")
    for keys in ("Ctrl+B", "Ctrl+K", "Ctrl+/", "Ctrl+Return"):
        press(editor, keys)
    assert editor.text() == text


def test_nothing_is_changed_where_nothing_may_be_written(editor: MemoryEditor) -> None:
    text = put(editor, "- [ ] te¦a")
    editor.setReadOnly(True)
    for keys in ("Return", "Tab", "Ctrl+B", "Ctrl+D", "Ctrl+/", "Ctrl+Return", "Alt+Up"):
        press(editor, keys)
    click_box(editor, 0)
    assert editor.text() == text


def test_tab_leaves_where_there_is_no_list(qtbot: QtBot) -> None:
    both = QWidget()
    qtbot.addWidget(both)
    column = QVBoxLayout(both)
    editor, other = MemoryEditor(both), MemoryEditor(both, "SOUL.md")
    column.addWidget(editor)
    column.addWidget(other)
    with qtbot.waitExposed(both):
        both.show()
    editor.setFocus()
    put(editor, "words¦")
    press(editor, "Tab")
    assert other.hasFocus()
    assert editor.text() == "words"


def place_of(editor: MemoryEditor, line: int, column: int) -> QPoint:
    block = editor.document().findBlockByNumber(line)
    cursor = QTextCursor(block)
    cursor.setPosition(block.position() + column)
    return editor.cursorRect(cursor).center()


def click_box(editor: MemoryEditor, line: int) -> None:
    box = box_of(editor.document().findBlockByNumber(line).text())
    assert box is not None
    QTest.mouseClick(
        editor.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place_of(editor, line, box[0] + 1)
    )


def test_a_click_on_the_box_of_a_task_ticks_it(editor: MemoryEditor) -> None:
    put(editor, "- [ ] green\n  - [x] black¦")
    click_box(editor, 1)
    assert editor.text() == "- [ ] green\n  - [ ] black"
    click_box(editor, 0)
    assert editor.text() == "- [x] green\n  - [ ] black"
    editor.undo()
    assert editor.text() == "- [ ] green\n  - [ ] black"
    QTest.mouseClick(
        editor.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place_of(editor, 0, 8)
    )
    assert editor.text() == "- [ ] green\n  - [ ] black"


LONG = "".join(f"## Part {n}\n\n- [ ] task {n}\n  1. [x] of {n}\n\nSome words.\n\n" for n in range(600))


@pytest.mark.parametrize("text", ["# A\n\n> - [ ] quoted\n\n- [ ] one\n- two\n  - [x] three\n", LONG])
def test_a_click_on_a_box_in_the_preview_ticks_its_line_of_the_source(qtbot: QtBot, text: str) -> None:
    split = SourceAndPreview()
    qtbot.addWidget(split)
    split.resize(900, 500)
    with qtbot.waitExposed(split):
        split.show()
    split.editor.load(text)
    split.render_now()
    split.editor.verticalScrollBar().setValue(split.editor.verticalScrollBar().maximum())
    split.render_now()
    preview = split.preview
    expected = text.split("\n")
    for _ in range(2):
        found = {}
        for y in range(0, preview.viewport().height(), 3):
            for x in range(0, 90, 6):
                if (line := preview.task_at(QPoint(x, y))) is not None:
                    found[line] = QPoint(x, y)
        assert found
        for line, place in found.items():
            row = expected[line]
            expected[line] = row.replace("[x]", "[ ]") if "[x]" in row else row.replace("[ ]", "[x]")
            QTest.mouseClick(preview.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
            assert split.editor.text() == "\n".join(expected)


def test_ctrl_enter_ticks_the_task_that_has_the_caret_of_the_preview(qtbot: QtBot) -> None:
    split = SourceAndPreview()
    qtbot.addWidget(split)
    split.resize(900, 500)
    with qtbot.waitExposed(split):
        split.show()
    split.editor.load("# A\n\n- [ ] one\n- two\n- [x] three\n")
    split.render_now()
    preview = split.preview
    QTest.keyClick(preview, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert split.editor.text() == "# A\n\n- [ ] one\n- two\n- [x] three\n"
    QTest.keyClick(preview, Qt.Key.Key_Down)
    QTest.keyClick(preview, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert split.editor.text() == "# A\n\n- [x] one\n- two\n- [x] three\n"
    QTest.keyClick(preview, Qt.Key.Key_Down)
    QTest.keyClick(preview, Qt.Key.Key_Down)
    QTest.keyClick(preview, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert split.editor.text() == "# A\n\n- [x] one\n- two\n- [ ] three\n"


async def test_in_the_editor_its_keys_come_before_the_windows(stage: Stage) -> None:
    stage.make(("user", "Hello."), memory="# A\n\n- green tea\n")
    person = await stage.open()
    person.window.resize(1440, 900)
    editor = person.memory.editor
    editor.setFocus()
    editor.go_to_line(2)
    editor.moveCursor(QTextCursor.MoveOperation.EndOfBlock)
    listed = person.window.sessions.isVisible()
    person.press("Ctrl+B")
    person.press("Ctrl+K")
    assert editor.text() == "# A\n\n- green **[tea]()**\n"
    assert person.window.sessions.isVisible() == listed
    assert not person.window.command_palette.widget.isVisible()
    person.press("Ctrl+Shift+P")
    await until(person.window.command_palette.widget.isVisible, "the palette")
    person.press("Esc")
    person.composer.edit.setFocus()
    person.press("Ctrl+B")
    assert person.window.sessions.isVisible() != listed


async def test_esc_and_then_tab_leave_a_list(stage: Stage) -> None:
    stage.make(("user", "Hello."), memory="- green tea\n- black tea\n")
    person = await stage.open()
    person.window.resize(1440, 900)
    editor = person.memory.editor
    editor.setFocus()
    editor.go_to_line(1)
    person.press("Tab")
    assert editor.text() == "- green tea\n  - black tea\n"
    person.press("Esc")
    assert editor.hasFocus()
    person.press("Tab")
    assert not editor.hasFocus()
    assert editor.text() == "- green tea\n  - black tea\n"
    editor.setFocus()
    person.press("Esc")
    person.press("Esc")
    await until(person.composer.edit.hasFocus, "the message field with the keyboard")


async def test_the_palette_has_the_editors_commands(stage: Stage) -> None:
    stage.make(("user", "Hello."), memory="tea\n")
    person = await stage.open()
    person.window.resize(1440, 900)
    person.composer.edit.setFocus()
    person.current.actions["text.bold"].trigger()
    assert person.memory.editor.text() == "**tea**\n"
    assert person.memory.editor.hasFocus()


def drag_numbers(editor: MemoryEditor, start: int, stop: float, *, let_go: bool = True) -> None:
    """Presses the number of a line, from 0, and drags it to a line and a fraction of it."""
    gutter = editor.findChild(LineGutter)
    assert gutter is not None
    height = editor.top_of_line(1) - editor.top_of_line(0)

    def at(line: float) -> QPoint:
        return QPoint(5, round(editor.top_of_line(0) + line * height))

    QTest.mousePress(gutter, Qt.MouseButton.LeftButton, pos=at(start + 0.5))
    for step in (start + 0.5, (start + stop) / 2, stop):
        position = QPointF(at(step))
        move = QMouseEvent(
            QEvent.Type.MouseMove,
            position,
            gutter.mapToGlobal(position),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(gutter, move)
    if let_go:
        QTest.mouseRelease(gutter, Qt.MouseButton.LeftButton, pos=at(stop))


FIVE = "1. one\n2. two\n3. three\n\nend\n"


def test_lines_are_selected_at_their_numbers_and_dragged_in_one_step(editor: MemoryEditor) -> None:
    put(editor, "¦" + FIVE)
    drag_numbers(editor, 1, 2.5)
    assert shown(editor) == "1. one\n«2. two\n3. three\n»\nend\n"
    drag_numbers(editor, 2, 0.2)
    # The list counts on, and the lines stay selected.
    assert shown(editor) == "«1. two\n2. three\n»3. one\n\nend\n"
    editor.undo()
    assert editor.text() == FIVE
    editor.redo()
    editor.select_rows(0, 1)
    drag_numbers(editor, 0, 4.9)
    assert shown(editor) == "1. one\n\nend\n«1. two\n2. three\n»"


def test_a_click_on_a_number_selects_its_line_and_a_drag_can_be_left(editor: MemoryEditor) -> None:
    put(editor, "«" + FIVE + "»")
    drag_numbers(editor, 1, 4.2, let_go=False)
    gutter = editor.findChild(LineGutter)
    assert gutter is not None
    held = gutter.drop_line
    assert held == 4
    press(editor, "Esc")
    left = gutter.drop_line
    assert left is None
    drag_numbers(editor, 1, 1.5)
    assert shown(editor) == "1. one\n«2. two\n»3. three\n\nend\n"
    editor.setReadOnly(True)
    drag_numbers(editor, 1, 4)
    assert editor.text() == FIVE


@pytest.mark.parametrize(
    ("before", "line", "after"),
    [
        # Whole lines go between lines, wherever in a line they are dropped.
        ("a\n«bb\n»cc\nd\n", 2.8, "a\ncc\n«bb\n»d\n"),
        ("a\nbb\n«cc»\nd\n", 0.2, "«cc»\na\nbb\nd\n"),
        # The end of the text keeps its line break.
        ("«a\n»bb\n", 2.9, "bb\n«a\n»"),
        # Onto itself nothing moves.
        ("a\n«bb\n»cc\n", 1.6, "a\n«bb\n»cc\n"),
    ],
)
def test_whole_lines_that_are_dropped_in_the_text_break_none(
    editor: MemoryEditor, before: str, line: float, after: str
) -> None:
    text = put(editor, before)
    height = editor.top_of_line(1) - editor.top_of_line(0)
    drop_selection(editor, QPointF(60, editor.top_of_line(0) + line * height))
    assert shown(editor) == after
    if after != before:
        editor.undo()
        assert editor.text() == text


def drop_selection(editor: MemoryEditor, position: QPointF) -> None:
    """Drops what is selected, as at the end of a drag that began in this editor."""
    data = editor.createMimeDataFromSelection()
    drag = QDrag(editor.viewport())
    drag.setMimeData(data)
    event = OwnDrop(editor.viewport(), position, data)
    editor.dropEvent(event)
    assert event.isAccepted()
    drag.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


class OwnDrop(QDropEvent):
    """A drop of what the editor's own viewport dragged: Qt knows the source only while a drag runs."""

    def __init__(self, source: QWidget, position: QPointF, data: QMimeData) -> None:
        super().__init__(
            position,
            Qt.DropAction.MoveAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        self._source = source

    def source(self) -> QObject:
        return self._source
