"""What the text of a transcript on screen offers, and clicks on it."""

from collections.abc import Iterator

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from mnemoscope.ui.chat.message_actions import MessageAction
from mnemoscope.ui.chat.transcript.link_spans import LinkSpan, link_spans
from mnemoscope.ui.chat.transcript.transcript import Transcript


def spans_of(pane: Transcript) -> Iterator[LinkSpan]:
    """Yields all that can be pressed in the text, from its beginning on."""
    block = pane.transcript.document.begin()
    while block.isValid():
        yield from link_spans(pane.transcript, block)
        block = block.next()


def actions_of(pane: Transcript) -> list[MessageAction]:
    return [each.action for each in spans_of(pane) if each.action is not None]


def words_of(pane: Transcript, span: LinkSpan) -> str:
    """Returns the text that is pressed, with ordinary spaces."""
    cursor = QTextCursor(pane.transcript.document)
    cursor.setPosition(span.start)
    cursor.setPosition(span.stop, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText().replace("\u00a0", " ")


def place_of_span(pane: Transcript, span: LinkSpan) -> QPoint:
    """Returns where the first letter of what can be pressed stands in the viewport, after scrolling to it."""
    view, bar = pane.view, pane.view.verticalScrollBar()
    # Blanks may hang over the end of a line.
    words = words_of(pane, span)
    start = span.start + len(words) - len(words.lstrip())
    first, second = QTextCursor(pane.transcript.document), QTextCursor(pane.transcript.document)
    first.setPosition(start)
    second.setPosition(start + 1)
    if not view.viewport().rect().contains(view.cursorRect(second)):
        bar.setValue(bar.value() + view.cursorRect(second).center().y() - view.viewport().height() // 2)
    left, right = view.cursorRect(first).center(), view.cursorRect(second).center()
    return QPoint((left.x() + right.x()) // 2, right.y())


def place_of_action(pane: Transcript, action: MessageAction) -> QPoint:
    """Returns where an action is offered, which has to be so."""
    span = next((each for each in spans_of(pane) if each.action == action), None)
    assert span is not None, f"{action} is not offered, only {actions_of(pane)}"
    return place_of_span(pane, span)


def click_action(pane: Transcript, action: MessageAction) -> None:
    """Clicks on what offers an action."""
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=place_of_action(pane, action))
