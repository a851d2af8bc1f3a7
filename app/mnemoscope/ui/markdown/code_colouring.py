"""Gives code cards their colours a few lines at a time, so that no long program holds up the window.

Pygments' tokens are mapped to the theme's colour roles.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING, Final

from pygments.token import Token, _TokenType
from pygments.util import ClassNotFound
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextLayout

from mnemoscope.ui.markdown.text_style import Mark
from mnemoscope.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from pygments.lexer import Lexer

SLICE: Final = 0.004
"""Seconds of one piece of work."""
COLOUR_LIMIT: Final = 100_000
"""Characters after which a code block is shown without colours."""

# Roles, not colours: each theme's roles already hold the contrast a test computes.
_ROLES: Final[dict[_TokenType, str]] = {
    Token.Comment: "text_faint",
    Token.Keyword: "accent",
    Token.Keyword.Constant: "warning",
    Token.Operator.Word: "accent",
    Token.Literal.String: "success",
    Token.Literal.Number: "warning",
    Token.Name.Builtin: "accent",
    Token.Name.Decorator: "warning",
    Token.Name.Exception: "danger",
    Token.Name.Tag: "accent",
    Token.Name.Attribute: "warning",
    Token.Generic.Deleted: "danger",
    Token.Generic.Inserted: "success",
    Token.Generic.Heading: "accent",
    Token.Generic.Subheading: "accent",
    Token.Generic.Prompt: "text_faint",
    Token.Generic.Output: "text_muted",
    Token.Error: "text",
}
_PLAIN_NAMES: Final = frozenset({"", "text", "txt", "plain", "plaintext", "none"})


@dataclass(slots=True)
class CodeCard:
    """A code card that is still without colours; `start` stands at its first line, wherever that moves."""

    start: QTextCursor
    code: str
    language: str


class CodeColouring(QObject):
    """A queue of cards; colours are layout formats, so the document itself does not change."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: deque[CodeCard] = deque()
        self._lines: Iterator[list[Span]] | None = None
        self._cursor: QTextCursor | None = None
        self._formats: dict[tuple[str, bool], QTextCharFormat] = {}
        self._expected: set[str] = set()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._work)

    def add(self, cards: Iterable[CodeCard]) -> None:
        """Queues cards; the newest are at the end of what a person looks at, so they come first."""
        self._waiting.extendleft(cards)
        if self._waiting and not self._timer.isActive():
            self._timer.start(0)

    def expect(self, language: str) -> None:
        """Makes the lexer of this language ready, because code in it is being written.

        The first of a language is imported, which would hold up the window for longer than a frame.
        """
        if language not in self._expected:
            self._expected.add(language)
            Thread(target=lexer_for, args=(language,), name="lexer", daemon=True).start()

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
        self._slice(perf_counter() + SLICE)
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


@dataclass(frozen=True, slots=True)
class Span:
    """`length` characters from column `start` of one line, in the colour of `role`."""

    start: int
    length: int
    role: str
    italic: bool = False


@lru_cache(maxsize=64)
def lexer_for(language: str) -> Lexer | None:
    """Returns the lexer for a language as written after a fence, or `None` where there is none."""
    name = language.strip().split(" ", 1)[0].strip("{}.").lower()
    if name in _PLAIN_NAMES:
        return None
    from pygments.lexers import get_lexer_by_name  # held from the first code block on

    try:
        return get_lexer_by_name(name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def lines_of_spans(code: str, language: str) -> Iterator[list[Span]]:
    """Yields the coloured spans of each line of `code`, so that a long program can be coloured in pieces."""
    lexer = lexer_for(language)
    if lexer is None or len(code) > COLOUR_LIMIT:
        return
    column, spans = 0, list[Span]()
    # Some languages are told by whole lines, such as a difference.
    for token, words in lexer.get_tokens(code if code.endswith("\n") else f"{code}\n"):
        role = _role_of(token)
        for number, piece in enumerate(words.split("\n")):
            if number:
                yield spans
                column, spans = 0, []
            if role and piece.strip():
                spans.append(Span(column, len(piece), role, role == "text_faint"))
            column += len(piece)
    yield spans


@lru_cache(maxsize=512)
def _role_of(token: _TokenType) -> str:
    kind: _TokenType | None = token
    while kind is not None:
        if kind in _ROLES:
            return _ROLES[kind]
        kind = kind.parent
    return ""
