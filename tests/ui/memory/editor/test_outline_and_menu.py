"""The outline of a memory file, the menu of its text, and the way of Tab through the find bar."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QListView, QMenu, QPushButton

from mnemoscope.ui.markdown.reading.reader import read_text
from mnemoscope.ui.memory.editor.markdown_highlighter import tokens
from mnemoscope.ui.memory.memory_document import MemoryDocument
from tests.ui.memory.memory_fixture import pane
from tests.ui.window_fixture import Opened, Stage, until

__all__ = ["pane"]

OUTLINE = (
    "# Home\n\n- tea\n\n## Garden ##\n\n```\n# no heading\n```\n\n" + "- filler\n" * 60 + "\n### Tools\n\n- spade\n"
)


async def opened(stage: Stage, memory: str = OUTLINE) -> Opened:
    stage.make(("user", "Hello."), memory=memory)
    person = await stage.open()
    person.window.resize(1440, 900)
    return person


async def test_the_outline_leads_to_a_heading(stage: Stage) -> None:
    person = await opened(stage)
    person.press("Ctrl+Shift+O")
    sheet = person.window.command_palette.widget
    await until(sheet.isVisible, "the outline")
    field, listed = sheet.findChild(QLineEdit), sheet.findChild(QListView)
    assert field is not None
    assert listed is not None
    model = listed.model()
    words = [model.data(model.index(row, 0)).strip() for row in range(model.rowCount())]
    assert words == ["Home", "Garden", "Tools"]
    assert field.accessibleName() == "Go to a heading"
    person.type(field, "too")
    person.press("Return")
    editor = person.memory.editor
    assert editor.textCursor().block().text() == "### Tools"
    assert editor.hasFocus()
    assert 0 <= editor.cursorRect().top() <= editor.cursorRect().bottom() <= editor.viewport().height()


def test_the_outline_has_the_headings_that_the_preview_shows(pane: MemoryDocument) -> None:
    lines = ["# C#", "##", "   ### Garden ## ##", "### ###", "#\u3000tea", "#hashtag", "####### seven", "#\tTools"]
    pane.show_memory("\n".join(lines), "v2")
    found = [(each.line, each.level, each.words) for each in pane.editor.headings()]
    shown = [piece for piece in read_text("\n".join(lines))[0] if piece.kind == "heading"]
    assert found == [(each.first_line, each.level, "".join(run.text for run in each.runs)) for each in shown]
    assert found == [(0, 1, "C#"), (1, 2, ""), (2, 3, "Garden ##"), (3, 3, ""), (7, 1, "Tools")]
    coloured = [number for number, line in enumerate(lines) if tokens(line, 0)[:1] == [(0, len(line), "heading")]]
    assert coloured == [line for line, _, _ in found]


async def test_a_file_without_headings_says_so(stage: Stage) -> None:
    person = await opened(stage, "- tea\n")
    person.press("Ctrl+Shift+O")
    assert not person.window.command_palette.widget.isVisible()
    said = [label.text() for label in person.window.status.findChildren(QLabel) if label.isVisible()]
    assert any("no headings" in words for words in said)


def entries(menu: QMenu) -> list[str]:
    return [action.text().partition("\t")[0] for action in menu.actions() if not action.isSeparator()]


async def choose(person: Opened, words: str) -> None:
    """Opens the menu by its key, and clicks an entry."""
    editor = person.memory.editor
    QApplication.sendEvent(
        editor.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0))
    )
    await until(lambda: QApplication.activePopupWidget() is not None, "the menu")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(one for one in menu.actions() if one.text().partition("\t")[0] == words)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


async def test_the_menu_of_a_line_tells_who_wrote_it(stage: Stage) -> None:
    person = await opened(stage)
    editor = person.memory.editor
    editor.setFocus()
    editor.go_to_line(2)
    blame = person.current.memory.controllers["memory/MEMORY.md"].blame
    for words in ("Who wrote this", "Show messages"):
        await choose(person, words)
        await until(lambda: blame.card.isVisible(), "the card of the line")
        blame.card.leave()
        await until(lambda: not blame.card.isVisible(), "no card")


async def test_the_menu_finds_and_lists(stage: Stage) -> None:
    person = await opened(stage)
    person.memory.editor.setFocus()
    await choose(person, "Replace…")
    assert person.memory.body.find_bar.widget.replace_field.isVisible()
    person.memory.editor.setFocus()
    await choose(person, "Outline…")
    await until(person.window.command_palette.widget.isVisible, "the outline")
    person.press("Esc")


def test_the_menu_offers_what_can_be_done(pane: MemoryDocument) -> None:
    menu = pane.editor.menu()
    found = entries(menu)
    formats = next(one for one in menu.findChildren(QMenu) if one.title() == "Format")
    assert "Bold" in entries(formats)
    assert {"Undo", "Cut", "Paste", "Format", "Find…", "Who wrote this", "Show messages"} <= set(found)
    menu.close()
    pane.set_read_only(True)
    reading = pane.editor.menu()
    assert not {"Undo", "Cut", "Paste", "Format", "Replace…"} & set(entries(reading))
    assert {"Copy", "Find…", "Who wrote this"} <= set(entries(reading))
    reading.close()


def test_both_ways_to_paste_are_offered_where_there_are_words_to_paste(pane: MemoryDocument) -> None:
    clipboard = QGuiApplication.clipboard()
    for words in ("", "Likes tea"):
        clipboard.setText(words) if words else clipboard.clear()
        menu = pane.editor.menu()
        pastes = [action for action in menu.actions() if action.text().startswith("Paste")]
        assert [action.isEnabled() for action in pastes] == [bool(words)] * 2
        menu.close()


async def test_tab_leads_from_what_is_found_to_what_takes_its_place(stage: Stage) -> None:
    person = await opened(stage)
    person.memory.editor.setFocus()
    person.press("Ctrl+H")
    bar = person.memory.body.find_bar.widget
    assert bar.find_field.hasFocus()
    person.press("Tab")
    assert bar.replace_field.hasFocus()
    names = list[str]()
    while not person.memory.editor.hasFocus() and len(names) < 20:
        here = person.window.focusWidget()
        names.append(here.text() if isinstance(here, QPushButton) else here.accessibleName())
        person.press("Tab")
    assert names == [
        "Replace with",
        "Replace",
        "Replace all",
        "Match case",
        "Whole words",
        "Regular expression",
        "Previous match (Shift+Enter)",
        "Next match (Enter)",
        "Close find (Esc)",
    ]


@pytest.mark.parametrize("size", [(700, 600), (380, 420), (300, 330), (300, 260)])
def test_a_match_is_never_hidden(pane: MemoryDocument, size: tuple[int, int]) -> None:
    pane.show_memory("".join(f"- item {n}\n" for n in range(200)), "v2")
    pane.resize(*size)
    QApplication.processEvents()
    pane.find(replace=True)
    bar, editor = pane.body.find_bar.widget, pane.editor
    bar.find_field.setText("item")
    QTest.keyClick(bar.find_field, Qt.Key.Key_Return)
    for _ in range(40):
        QTest.keyClick(bar.find_field, Qt.Key.Key_Return)
        QApplication.processEvents()
        place = editor.cursorRect()
        assert editor.textCursor().selectedText() == "item"
        assert 0 <= place.top() <= place.bottom() <= editor.viewport().height()
    # A sentence of the bar takes room from the text.
    bar.show_sentence("A sentence that is long enough to be broken into some lines, as those about expressions are.")
    QApplication.processEvents()
    place = editor.cursorRect()
    assert 0 <= place.top() <= place.bottom() <= editor.viewport().height()
    assert editor.textCursor().hasSelection()
    editor.moveCursor(QTextCursor.MoveOperation.Start)
