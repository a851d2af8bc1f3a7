"""Marks the passages of the composer's text that were pasted or came from a file.

The mark is a property of the characters' format, so the document itself moves it along with every edit, undo and redo.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QTextEdit, QWidget

from mnemoscope.domain.conversation.origin import FILE, PASTE, QuotedSpan
from mnemoscope.ui.chat.composer.composer_text import ComposerText, cut_quotes
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.text.offsets import Offsets
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_PAINT_AFTER: Final = 30
"""Milliseconds: thousands of pasted lines take some to be looked through."""
_ORIGIN: Final = int(QTextFormat.Property.UserProperty.value) + 1


class PastedRanges(QObject):
    """Marks passages of one text edit. What is typed within one belongs to it, what is typed beside one does not."""

    changed = Signal()
    """Passages, or where the cursor stands to them, may be others now."""

    def __init__(self, edit: QPlainTextEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        self._any = False
        self._known: list[QuotedSpan] | None = []
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_PAINT_AFTER)
        self._soon.timeout.connect(self._show)
        edit.textChanged.connect(self._on_text)
        edit.cursorPositionChanged.connect(self._on_cursor)
        theme_notifier().changed.connect(self._paint)

    def insert_content(self, content: ComposerText) -> None:
        """Puts words in at the cursor with their marks, as one step."""
        self._any = self._any or bool(content.quotes)
        self.keep_apart()
        cursor, own = self._edit.textCursor(), self._edit.currentCharFormat()
        cursor.beginEditBlock()
        place = 0
        for start, stop, origin in content.quotes:
            cursor.insertText(content.text[place:start], own)
            cursor.insertText(content.text[start:stop], _look(origin))
            place = stop
        cursor.insertText(content.text[place:], own)
        cursor.endEditBlock()

    def content(self, start: int = 0, stop: int = -1) -> ComposerText:
        """Returns the text between two places in UTF-16 units, all of it unless told, with its marks."""
        text = self._edit.toPlainText()
        offsets = Offsets(text)
        begin, end = offsets.from_qt(start), len(text) if stop < 0 else offsets.from_qt(stop)
        quotes = [(offsets.from_qt(first), offsets.from_qt(last), origin) for first, last, origin in self.passages]
        return ComposerText(text[begin:end], cut_quotes(quotes, begin, end))

    @property
    def passages(self) -> list[QuotedSpan]:
        """Returns start, stop and origin of each, in UTF-16 units as Qt counts."""
        if self._known is None:
            self._known = _joined(list(_marked(self._edit.document())), self._edit.document())
        return self._known

    @property
    def at_cursor(self) -> QuotedSpan | None:
        """Returns the passage the cursor stands in or at, where there are others too."""
        place = self._edit.textCursor().position()
        found = (one for one in self.passages if one[0] <= place <= one[1])
        return next(found, None) if len(self.passages) > 1 else None

    def release(self) -> None:
        """Makes the passage at the cursor, or else all, the person's own words; undo takes that back."""
        one = self.at_cursor
        cursor = QTextCursor(self._edit.document())
        cursor.beginEditBlock()
        for start, stop, _ in [one] if one else list(self.passages):
            cursor.setPosition(start)
            cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(QTextCharFormat())
        cursor.endEditBlock()

    def keep_apart(self) -> None:
        """Takes the look of a passage off what is about to be typed beside it: Qt would give it the look of what stands
        before."""
        cursor = self._edit.textCursor()
        first, last = cursor.selectionStart(), cursor.selectionEnd()
        if not self._any or any(start < first and last < stop for start, stop, _ in self.passages):
            return
        if cursor.hasSelection():
            # Else the format would be that of what is replaced.
            cursor.removeSelectedText()
            self._edit.setTextCursor(cursor)
        if self._edit.currentCharFormat().hasProperty(_ORIGIN):
            self._edit.setCurrentCharFormat(QTextCharFormat())

    def _on_text(self) -> None:
        if self._any:
            self._known = None
            self._soon.start()

    def _on_cursor(self) -> None:
        if self._any:
            self._soon.start()

    def _show(self) -> None:
        self._paint()
        self.changed.emit()

    def _paint(self) -> None:
        ground = QTextCharFormat()
        ground.setBackground(Theme.current().color("sunken"))
        selections = []
        for start, stop, _ in self.passages:
            one = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self._edit.document())
            cursor.setPosition(start)
            cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
            cursor.setKeepPositionOnInsert(True)
            one.cursor, one.format = cursor, ground
            selections.append(one)
        self._edit.setExtraSelections(selections)


def _look(origin: str) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setProperty(_ORIGIN, origin)
    return look


def _marked(document: QTextDocument) -> Iterator[QuotedSpan]:
    block = document.begin()
    while block.isValid():
        for piece in block.textFormats():
            origin = piece.format.property(_ORIGIN)
            if origin:
                start = block.position() + piece.start
                yield start, start + piece.length, str(origin)
        block = block.next()


def _joined(pieces: list[QuotedSpan], document: QTextDocument) -> list[QuotedSpan]:
    """Pieces of one origin with nothing but blank lines between them are one passage."""
    joined: list[QuotedSpan] = []
    for start, stop, origin in pieces:
        last = joined[-1] if joined else None
        if last and last[2] == origin and (start == last[1] or _is_blank(document, last[1], start)):
            joined[-1] = (last[0], stop, origin)
        else:
            joined.append((start, stop, origin))
    return joined


def _is_blank(document: QTextDocument, start: int, stop: int) -> bool:
    return all(document.characterAt(place).isspace() for place in range(start, stop))


class PastedChip(QWidget):
    """Is hidden while all that is typed is the person's own."""

    def __init__(self, marks: PastedRanges, parent: QWidget) -> None:
        super().__init__(parent)
        self._marks = marks
        self._chip = QLabel(self)
        self._chip.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self._chip, role="chip")
        self._meaning = ElidedLabel(self)
        set_role(self._meaning, role="caption")
        self.setToolTip(self.tr("What is said only there is shown to you before it is written to memory."))
        self.release_button = QPushButton(self)
        self.release_button.setCursor(Qt.CursorShape.ArrowCursor)
        set_role(self.release_button, kind="link")
        self.release_button.clicked.connect(marks.release)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._chip)
        row.addWidget(self._meaning, 1)
        row.addWidget(self.release_button)
        marks.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        passages = self._marks.passages
        one = self._marks.at_cursor
        self._chip.setText(self._origins({origin for _, _, origin in ([one] if one else passages)}))
        self._meaning.setText(self.tr("not taken for your own words"))
        self.release_button.setText(self.tr("This is my own") if one else self.tr("These are my words"))
        self.setVisible(bool(passages))

    def _origins(self, origins: set[str]) -> str:
        if origins == {FILE}:
            return self.tr("from a file")
        return self.tr("pasted") if origins == {PASTE} else self.tr("pasted, from a file")
