"""Changes of lines made in a document: one step to undo, and nothing is touched that stays the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument

from mnemoscope.domain.text.diff import LineEdit, common_length
from mnemoscope.ui.widgets.text_offsets import to_utf16

PARAGRAPH: Final = "\u2029"
"""What Qt gives for the end of a line."""


def apply_edits(document: QTextDocument, edits: Sequence[LineEdit], caret: int) -> None:
    """Make the edits, which are in order and number lines as they are before any of them.

    Undone, they leave the editor's caret at `caret`, a UTF-16 offset.
    """
    cursor = QTextCursor(document)
    cursor.setPosition(caret)
    cursor.beginEditBlock()
    for edit in reversed(edits):
        _apply(cursor, edit)
    cursor.endEditBlock()


def _apply(cursor: QTextCursor, edit: LineEdit) -> None:
    document = cursor.document()
    first = document.findBlockByNumber(edit.start)
    words = "\n".join(edit.lines)
    if edit.start == edit.stop:
        _insert_lines(cursor, first, words)
    elif not edit.lines:
        _remove_lines(cursor, first, document.findBlockByNumber(edit.stop))
    else:
        last = document.findBlockByNumber(edit.stop - 1)
        _rewrite(cursor, first.position(), last.position() + last.length() - 1, words)


def _insert_lines(cursor: QTextCursor, first: QTextBlock, words: str) -> None:
    if first.isValid():
        cursor.setPosition(first.position())
        cursor.insertText(words + "\n")
    else:
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText("\n" + words)


def _remove_lines(cursor: QTextCursor, first: QTextBlock, following: QTextBlock) -> None:
    if following.isValid():
        cursor.setPosition(first.position())
        cursor.setPosition(following.position(), QTextCursor.MoveMode.KeepAnchor)
    else:
        cursor.setPosition(max(0, first.position() - 1))
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()


def _rewrite(cursor: QTextCursor, start: int, stop: int, words: str) -> None:
    """Replace [start, stop) by `words`, leaving alone what they begin and end with in common."""
    cursor.setPosition(start)
    cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
    old = cursor.selectedText().replace(PARAGRAPH, "\n")
    head = common_length(old, words)
    tail = common_length(old[head:][::-1], words[head:][::-1])
    kept = to_utf16(old, len(old)) - to_utf16(old, len(old) - tail)
    cursor.setPosition(start + to_utf16(old, head))
    cursor.setPosition(stop - kept, QTextCursor.MoveMode.KeepAnchor)
    cursor.insertText(words[head : len(words) - tail])
