"""The misspelled words of an editor: underlined where they are in sight, offered in its menu, gone to one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final

from PySide6.QtCore import QObject, QPointF, QRectF, QTimer, Signal
from PySide6.QtGui import QAction, QPainter, QPen, QPolygonF, QTextBlock, QTextCursor, QTextLine
from PySide6.QtWidgets import QMenu, QPlainTextEdit

from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.text.fences import opening_mark
from mnemoscope.domain.text.spelled_words import spelled_words
from mnemoscope.ui.memory.editor.markdown_highlighter import MarkdownHighlighter
from mnemoscope.ui.support.spelling import language_name, spelling
from mnemoscope.ui.widgets.menus import submenu
from mnemoscope.ui.widgets.text.offsets import Offsets
from mnemoscope.ui.widgets.theme import Theme

_WAVE: Final = 2.0
_WAVE_HEIGHT: Final = 1.6
_AT_ONCE: Final = 150
"""Lines that are searched for a misspelled word before the window gets its turn again."""


@dataclass(frozen=True, slots=True)
class Misspelling:
    """Describes a misspelled word of a document: UTF-16 offsets [start, stop)."""

    start: int
    stop: int
    word: str


class Misspellings(QObject):
    """Looks at the spelling of what an editor shows, as far as it may be written in."""

    sought = Signal(bool)
    """Whether `go_to_next` found a misspelled word."""
    failed = Signal(str)
    """A word could not be added to the dictionary, with the reason."""

    def __init__(self, editor: QPlainTextEdit, highlighter: MarkdownHighlighter) -> None:
        """Looks at what `editor` shows but for code, which `highlighter` knows."""
        super().__init__(editor)
        self._editor = editor
        self._highlighter = highlighter
        self._typed_to: int | None = None
        """The place of the caret after the last key that wrote something."""
        self._seeking: _Search | None = None
        self._go_on_soon = QTimer(self, singleShot=True, interval=0)
        self._go_on_soon.timeout.connect(self._seek)
        editor.document().contentsChange.connect(self._on_change)
        editor.cursorPositionChanged.connect(self._on_caret)
        spelling().answered.connect(self._on_answered)

    def paint(self, block: QTextBlock, place: QRectF, painter: QPainter) -> None:
        """Underlines the misspelled words of a block, which lies at `place` in the viewport."""
        if not self._is_looked_at():
            return
        typed = self._word_being_typed()
        for found in self._words(block):
            is_typed = typed is not None and found.start <= typed <= found.stop
            if not is_typed and spelling().is_wrong(found.word):
                for line in _underlines(block, place, found):
                    painter.drawPolyline(line)

    def pen(self) -> QPen:
        """Returns the pen of the underlines."""
        return QPen(Theme.current().color("danger"), 1.1)

    def at(self, position: int) -> Misspelling | None:
        """Returns the misspelled word at a UTF-16 offset, or that ends there."""
        if not self._is_looked_at():
            return None
        block = self._editor.document().findBlock(position)
        found = next((one for one in self._words(block) if one.start <= position <= one.stop), None)
        return found if found is not None and spelling().is_wrong(found.word) else None

    def offer(self, menu: QMenu) -> None:
        """Puts what may be meant by the word at the caret at the top of a menu, and the way into the dictionary."""
        found = self.at(self._editor.textCursor().position())
        if found is not None:
            Offers(menu, found, self)
            add = menu.addAction(self.tr("Add to the dictionary"))
            add.triggered.connect(partial(self.add, found.word))
            menu.addSeparator()

    def offer_languages(self, menu: QMenu) -> None:
        """Adds what is looked at, and in which languages, where the system has dictionaries."""
        known = spelling()
        if self._editor.isReadOnly() or not known.available:
            return
        choice = submenu(menu, self.tr("Spelling"))
        self._add_check(choice, self.tr("Check spelling"), known.is_on).toggled.connect(known.turn_on)
        choice.addAction(self.tr("Next misspelled word") + "\tF7", self.go_to_next).setEnabled(known.is_on)
        choice.addSeparator()
        for tag in known.available:
            action = self._add_check(choice, language_name(tag), tag in known.languages)
            action.setEnabled(known.is_on)
            action.toggled.connect(partial(self._choose, tag))

    def replace(self, found: Misspelling, word: str) -> None:
        """Puts another word in place of a misspelled one, as a step of its own."""
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(found.start)
        cursor.setPosition(found.stop, QTextCursor.MoveMode.KeepAnchor)
        if cursor.selectedText().replace("’", "'") != found.word or self._editor.isReadOnly():
            return
        cursor.beginEditBlock()
        cursor.insertText(word)
        # What is typed next is undone without it.
        cursor.setBlockFormat(cursor.blockFormat())
        cursor.endEditBlock()
        self._editor.setTextCursor(cursor)

    def add(self, word: str) -> None:
        """Adds a word to the person's dictionary."""
        try:
            spelling().add(word)
        except MnemoscopeError as error:
            self.failed.emit(error.sentence)

    def go_to_next(self) -> None:
        """Selects the next misspelled word behind the caret, from the end on to the beginning; `sought` tells."""
        document = self._editor.document()
        start = self._editor.textCursor().selectionEnd()
        self._seeking = _Search(document.findBlock(start).blockNumber(), start, document.blockCount() + 1)
        self._seek()

    def _seek(self) -> None:
        """Goes on with the search; where it is not known yet how a word is spelled, once it is."""
        search, document = self._seeking, self._editor.document()
        if search is None:
            return
        for _ in range(_AT_ONCE):
            if not search.left or not self._is_looked_at():
                self._end_search(None)
                return
            block = document.findBlockByNumber(search.line % max(1, document.blockCount()))
            for found in self._words(block):
                if found.start < search.behind:
                    continue
                is_wrong = spelling().is_wrong(found.word)
                if is_wrong is None:
                    return
                if is_wrong:
                    self._end_search(found)
                    return
            search.line = search.line + 1
            search.left = search.left - 1
            search.behind = 0
        self._go_on_soon.start()

    def _end_search(self, found: Misspelling | None) -> None:
        self._seeking = None
        if found is not None:
            cursor = self._editor.textCursor()
            cursor.setPosition(found.start)
            cursor.setPosition(found.stop, QTextCursor.MoveMode.KeepAnchor)
            self._editor.setTextCursor(cursor)
            self._editor.centerCursor()
            spelling().meant(found.word)
        self.sought.emit(found is not None)

    def _is_looked_at(self) -> bool:
        return spelling().is_on and not self._editor.isReadOnly()

    def _words(self, block: QTextBlock) -> Iterator[Misspelling]:
        line = block.text()
        if self._highlighter.is_fenced(block) or opening_mark(line):
            return
        for start, stop, word in _words_of(line):
            yield Misspelling(block.position() + start, block.position() + stop, word)

    def _word_being_typed(self) -> int | None:
        """Returns the caret's place while a word is being typed there: it may not be finished."""
        caret = self._editor.textCursor().position()
        return caret if caret == self._typed_to and self._editor.hasFocus() else None

    def _choose(self, tag: str, wanted: bool) -> None:
        chosen = set(spelling().languages)
        (chosen.add if wanted else chosen.discard)(tag)
        spelling().choose(sorted(chosen))

    @staticmethod
    def _add_check(menu: QMenu, words: str, on: bool) -> QAction:
        action = menu.addAction(words)
        action.setCheckable(True)
        action.setChecked(on)
        return action

    def _on_change(self, position: int, _removed: int, added: int) -> None:
        self._typed_to = position + added

    def _on_caret(self) -> None:
        if self._typed_to is not None and self._editor.textCursor().position() != self._typed_to:
            self._typed_to = None
            self._editor.viewport().update()

    def _on_answered(self) -> None:
        if self._editor.isVisible():
            self._editor.viewport().update()
        self._seek()


class Offers(QObject):
    """Offers the words that may be meant at the top of an open menu; those that are not known yet come later."""

    def __init__(self, menu: QMenu, found: Misspelling, misspellings: Misspellings) -> None:
        super().__init__(menu)
        self._menu = menu
        self._found = found
        self._misspellings = misspellings
        self._last = menu.addAction(self.tr("Looking for what is meant…"))
        self._last.setEnabled(False)
        self._is_filled = False
        spelling().answered.connect(self._fill)
        self._fill()

    def _fill(self) -> None:
        if self._is_filled:
            return
        words = spelling().meant(self._found.word)
        if words is None:
            return
        self._is_filled = True
        for word in words:
            action = QAction(word.replace("&", "&&"), self._menu)
            action.triggered.connect(partial(self._misspellings.replace, self._found, word))
            self._menu.insertAction(self._last, action)
        self._last.setText(self.tr("Nothing near it in the dictionary"))
        self._last.setVisible(not words)


@dataclass(slots=True)
class _Search:
    line: int
    behind: int
    left: int


@lru_cache(maxsize=4_000)
def _words_of(line: str) -> tuple[tuple[int, int, str], ...]:
    """Returns the words of a line, [start, stop) in UTF-16."""
    offsets = Offsets(line)
    return tuple((offsets.to_qt(start), offsets.to_qt(stop), word) for start, stop, word in spelled_words(line))


def _underlines(block: QTextBlock, place: QRectF, found: Misspelling) -> Iterator[QPolygonF]:
    """Yields a wave below each row of a block that a word stands in."""
    layout = block.layout()
    start, stop = found.start - block.position(), found.stop - block.position()
    for number in range(layout.lineForTextPosition(start).lineNumber(), layout.lineCount()):
        row = layout.lineAt(number)
        first, last = max(start, row.textStart()), min(stop, row.textStart() + row.textLength())
        if first >= last:
            return
        left, right = place.left() + _x(row, first), place.left() + _x(row, last)
        base = place.top() + row.y() + min(row.ascent() + 2.5, row.height() - _WAVE_HEIGHT)
        steps = max(2, round((right - left) / _WAVE) + 1)
        yield QPolygonF([QPointF(left + step * _WAVE, base + _WAVE_HEIGHT * (step % 2)) for step in range(steps)])


def _x(row: QTextLine, at: int) -> float:
    """Returns where a character stands in its row; Qt gives the place in the text beside it."""
    found: Any = row.cursorToX(at)
    return float(found[0])
