"""Gives code cards their colours a few lines at a time, so that no long program holds up the window."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from threading import Thread
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextLayout

from mnemoscope.ui.markdown.document.text_style import Mark
from mnemoscope.ui.markdown.reading.code_spans import Span, lexer_for, lines_of_spans
from mnemoscope.ui.widgets.theme import Theme

_SLICE: Final = 0.004
"""Seconds of one piece of work."""
_LEXER_MS: Final = 10
"""After so long it is looked for a lexer again that is being made ready."""


@dataclass(slots=True)
class CodeCard:
    """Describes a code card that is still without colours; `start` stands at its first line, wherever that moves."""

    start: QTextCursor
    code: str
    language: str


class CodeColouring(QObject):
    """Colours a queue of cards; colours are layout formats, so the document itself does not change."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: deque[CodeCard] = deque()
        self._lines: Iterator[list[Span]] | None = None
        self._cursor: QTextCursor | None = None
        self._formats: dict[tuple[str, bool], QTextCharFormat] = {}
        self._expected: set[str] = set()
        self._ready: set[str] = set()
        """Of the languages that were expected those whose lexer is there, or will never be."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._work)

    def add(self, cards: Iterable[CodeCard]) -> None:
        """Queues cards; the newest are at the end of what a person looks at, so they come first."""
        self._waiting.extendleft(cards)
        if self._waiting and not self._timer.isActive():
            self._timer.start(0)

    def expect(self, language: str) -> None:
        """Makes the lexer of this language ready beside the window, which the first of a language would hold up for
        longer than a frame: it is imported, and its patterns are compiled."""
        if language not in self._expected:
            self._expected.add(language)
            Thread(target=self._make_ready, args=(language,), name="lexer", daemon=True).start()

    def _make_ready(self, language: str) -> None:
        try:
            lexer_for(language)
        finally:
            self._ready.add(language)

    def forget(self) -> None:
        """Drops what waits: the document or the theme changed."""
        self._waiting.clear()
        self._lines = self._cursor = None
        self._formats.clear()
        self._timer.stop()

    def finish(self) -> None:
        """Colours everything that waits, now."""
        while self._lines is not None or self._waiting:
            self._slice(perf_counter() + 10.0)
        self._timer.stop()

    def _work(self) -> None:
        if self._lines is None and (language := self._waiting[0].language) not in self._ready:
            self.expect(language)
            self._timer.start(_LEXER_MS)
            return
        self._slice(perf_counter() + _SLICE)
        if self._lines is not None or self._waiting:
            self._timer.start(1)

    def _slice(self, until: float) -> None:
        if self._lines is None or self._cursor is None:
            card = self._waiting.popleft()
            self._lines, self._cursor = lines_of_spans(card.code, card.language), card.start
        editing = QTextCursor(self._cursor)
        editing.beginEditBlock()
        try:
            self._colour_lines(self._lines, self._cursor, until)
        finally:
            editing.endEditBlock()

    def _colour_lines(self, lines: Iterator[list[Span]], cursor: QTextCursor, until: float) -> None:
        while perf_counter() < until:
            spans = next(lines, None)
            block = cursor.block()
            if spans is None or not block.blockFormat().intProperty(Mark.CARD):
                self._lines = self._cursor = None
                return
            if spans:
                self._colour(block, spans)
            if not cursor.movePosition(QTextCursor.MoveOperation.NextBlock):
                self._lines = self._cursor = None
                return

    def _colour(self, block: QTextBlock, spans: list[Span]) -> None:
        length = block.length()
        ranges = [self._range(span) for span in spans if span.start < length]
        block.layout().setFormats(ranges)
        block.document().markContentsDirty(block.position(), length)

    def _range(self, span: Span) -> QTextLayout.FormatRange:
        made = QTextLayout.FormatRange()
        made.start, made.length = span.start, span.length
        made.format = self._format(span)
        return made

    def _format(self, span: Span) -> QTextCharFormat:
        key = (span.role, span.italic)
        if key not in self._formats:
            made = QTextCharFormat()
            made.setForeground(Theme.current().color(span.role))
            made.setFontItalic(span.italic)
            self._formats[key] = made
        return self._formats[key]
