"""A text offers an action by the number that its format has; nothing else of a document names one."""

from dataclasses import dataclass

import pytest
from PySide6.QtGui import QTextCursor, QTextDocument, QTextDocumentFragment, QTextFormat

from mnemoscope.ui.markdown.document.document_writer import fragments_of
from mnemoscope.ui.markdown.document.text_style import ActionTable, TextStyle
from mnemoscope.ui.widgets.theme import Theme


@dataclass(frozen=True, slots=True)
class Jump:
    """An action of this test."""

    place: int
    name: str = ""


@pytest.fixture
def table() -> ActionTable[Jump]:
    return ActionTable[Jump]()


@pytest.fixture
def style(table: ActionTable[Jump], qapp: object) -> TextStyle:
    return TextStyle(Theme.current(), actions=table)


def offered(document: QTextDocument, table: ActionTable[Jump]) -> list[tuple[str, Jump]]:
    """Returns the text of each action in the first block, and the action."""
    found = [(each.text(), table.action_of(each.charFormat())) for each in fragments_of(document.begin())]
    return [(words, action) for words, action in found if action is not None]


def written(style: TextStyle) -> QTextDocument:
    document = QTextDocument()
    cursor = QTextCursor(document)
    cursor.insertText("Go ", style.body)
    cursor.insertText("there", style.action(Jump(1, "a/b %2F")))
    cursor.insertText(" or ", style.body)
    cursor.insertText("elsewhere", style.action(Jump(2)))
    return document


def test_equal_actions_make_equal_formats_and_others_do_not(style: TextStyle) -> None:
    assert style.action(Jump(1)) == style.action(Jump(1))
    assert style.action(Jump(1)) != style.action(Jump(2))


def test_a_text_has_its_action_back_as_the_value_it_was(style: TextStyle, table: ActionTable[Jump]) -> None:
    assert offered(written(style), table) == [("there", Jump(1, "a/b %2F")), ("elsewhere", Jump(2))]


def test_an_action_has_no_address_and_a_link_no_action(style: TextStyle, table: ActionTable[Jump]) -> None:
    action, link = style.action(Jump(1)), style.link("https://example.org/")
    assert not action.isAnchor()
    assert action.anchorHref() == ""
    assert table.action_of(link) is None


def test_a_text_keeps_its_action_when_it_is_moved_about(style: TextStyle, table: ActionTable[Jump]) -> None:
    document = written(style)
    cursor = QTextCursor(document)
    cursor.insertText("Now: ", style.body)
    cursor.select(QTextCursor.SelectionType.Document)
    look = style.body
    look.clearProperty(QTextFormat.Property.ForegroundBrush)
    look.setFontItalic(True)
    cursor.mergeCharFormat(look)
    expected = [("there", Jump(1, "a/b %2F")), ("elsewhere", Jump(2))]
    assert offered(document, table) == expected
    document.undo()
    document.redo()
    other = QTextDocument()
    QTextCursor(other).insertFragment(QTextDocumentFragment(document))
    assert offered(other, table) == expected
    cursor.setPosition(5)
    cursor.removeSelectedText()
    cursor.insertBlock()
    assert offered(document, table) == []


def test_what_goes_through_html_has_no_action_any_more(style: TextStyle, table: ActionTable[Jump]) -> None:
    html = written(style).toHtml()
    assert "Jump" not in html
    other = QTextDocument()
    other.setHtml(html)
    assert other.toPlainText() == "Go there or elsewhere"
    assert offered(other, table) == []


def test_a_format_of_another_document_or_of_a_text_that_is_gone_has_no_action(
    style: TextStyle, table: ActionTable[Jump]
) -> None:
    old = style.action(Jump(1))
    assert ActionTable[Jump]().action_of(old) is None
    table.clear()
    assert table.action_of(old) is None
    style.action(Jump(2))
    assert table.action_of(old) is None, "its number is not given again"
    assert table.action_of(style.action(Jump(1))) == Jump(1)
