"""Colours for Markdown source, only for the lines that are looked at.

A QSyntaxHighlighter visits every line of a document; at 5 MB that is seconds. Here a line is formatted when it is about
to be painted, and its block's revision remembers that it was: Qt resets it whenever the line is edited. What a line
cannot know by itself, whether it lies within a code fence, is kept in the block's user state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QFont, QTextBlock, QTextCharFormat, QTextDocument, QTextLayout

from mnemoscope.domain.text.fences import FENCE_MARK, closes, opening_mark
from mnemoscope.ui.markdown.reading.line_patterns import HEADING, ITEM_MARK, RULE, TASK_BOX
from mnemoscope.ui.widgets.text.offsets import to_utf16
from mnemoscope.ui.widgets.text.scripts import has_italics
from mnemoscope.ui.widgets.theme import Theme

Token = tuple[int, int, str]
"""(start, stop, style): characters of the line and one of the names in `_STYLES`."""

_FENCES: Final = re.compile(rf"^[^\S\n]*{FENCE_MARK}[^\n]*", re.MULTILINE)
_QUOTE: Final = re.compile(r"\s*((?:>\s?)+)")
_ITEM: Final = re.compile(rf"\s*(?:>\s?)*({ITEM_MARK})(\s+{TASK_BOX})?(?=\s)")
_INLINE: Final = re.compile(
    r"(?P<code>(`+)(?!`).+?(?<!`)\2(?!`))"
    r"|(?P<comment><!--.*?-->)"
    r"|(?P<link>!?\[[^\]\n]*\]\([^)\n]*\)|<https?://[^>\s]+>|https?://[^\s)>\]]+)"
    r"|(?P<strong>\*\*(?=\S)[^*\n]+?\*\*|__(?=\S)[^_\n]+?__)"
    r"|(?P<emphasis>(?<![\w*])\*(?=[^\s*])[^*\n]+?\*(?![\w*])|(?<!\w)_(?=[^\s_])[^_\n]+?_(?!\w))"
    r"|(?P<strike>~~(?=\S)[^~\n]+?~~)"
)
_LOOKED_AT: Final = 4_000
"""Characters of one line that are coloured; the rest of a longer line stays plain."""
_OUTSIDE: Final = 0
_AT_ONCE: Final = 4_000
"""Lines whose fence state is followed before the window gets its turn again."""


def fence_state(line: str, before: int) -> int:
    """Returns whether a code fence is open after `line`: 0, or its length, negative for one of tildes."""
    if before == _OUTSIDE:
        mark = opening_mark(line)
        return len(mark) if mark.startswith("`") else -len(mark)
    # Most lines need no mark to be made, which may be as long as a line.
    if "```" not in line and "~~~" not in line:
        return before
    return _OUTSIDE if closes(line, "`" * before if before > 0 else "~" * -before) else before


def fenced_lines(text: str) -> Iterator[tuple[int, int, int]]:
    """Runs of lines after which a fence is open: (first, past the last, state). Looks at fence lines alone."""
    state, start, number, position = _OUTSIDE, 0, 0, 0
    for match in _FENCES.finditer(text):
        number += text.count("\n", position, match.start())
        position = match.start()
        after = fence_state(match[0], state)
        if state == _OUTSIDE and after != _OUTSIDE:
            start = number
        elif state != _OUTSIDE and after == _OUTSIDE:
            yield start, number, state
        state = after
    if state != _OUTSIDE:
        yield start, number + text.count("\n", position) + 1, state


def tokens(line: str, fence_before: int) -> list[Token]:
    """Returns what is what in one line of Markdown, given the state before it."""
    line = line[:_LOOKED_AT]
    if fence_before or fence_state(line, fence_before):
        is_edge = fence_state(line, fence_before) != fence_before
        return [(0, len(line), "mark" if is_edge else "block")] if line else []
    if HEADING.match(line):
        return [(0, len(line), "heading")]
    if RULE.match(line):
        return [(0, len(line), "mark")]
    return [*_leading(line), *_inline(line)]


def _leading(line: str) -> Iterator[Token]:
    if quote := _QUOTE.match(line):
        yield quote.start(1), quote.end(1), "mark"
    if item := _ITEM.match(line):
        yield item.start(1), item.end(), "mark"


def _inline(line: str) -> Iterator[Token]:
    for match in _INLINE.finditer(line):
        kind = str(match.lastgroup)
        upright = kind == "emphasis" and not has_italics(match.group())
        yield match.start(), match.end(), "strong" if upright else kind


def _emphasis(role: str, *, bold: bool = False, italic: bool = False, ground: str = "") -> QTextCharFormat:
    theme = Theme.current()
    shape = QTextCharFormat()
    shape.setForeground(theme.color(role))
    if ground:
        shape.setBackground(theme.color(ground))
    if bold:
        shape.setFontWeight(QFont.Weight.DemiBold)
    shape.setFontItalic(italic)
    return shape


def _struck() -> QTextCharFormat:
    shape = _emphasis("text_muted")
    shape.setFontStrikeOut(True)
    return shape


_STYLES: Final[Mapping[str, Callable[[], QTextCharFormat]]] = {
    "heading": partial(_emphasis, "text", bold=True),
    "mark": partial(_emphasis, "text_faint"),
    "block": partial(_emphasis, "success"),
    "code": partial(_emphasis, "success", ground="sunken"),
    "comment": partial(_emphasis, "text_faint", italic=True),
    "link": partial(_emphasis, "accent"),
    "strong": partial(_emphasis, "text", bold=True),
    "emphasis": partial(_emphasis, "text", italic=True),
    "strike": _struck,
}


class MarkdownHighlighter(QObject):
    """Formats single blocks of a document on demand; `document()` may be of any size."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._document = document
        self._stamp = -1
        self._styles: dict[str, QTextCharFormat] = {}
        self._pending = QTimer(self, singleShot=True, interval=0)
        self._pending.timeout.connect(self._go_on)
        self._waiting = (0, 0)
        self._loading = False
        document.contentsChange.connect(self._on_change)
        self.restyle()

    def restyle(self) -> None:
        """Reads the theme again; lines are reformatted as they come into sight."""
        self._stamp -= 1
        self._styles = {name: make() for name, make in _STYLES.items()}

    @contextmanager
    def loading(self, text: str) -> Iterator[None]:
        """Learns the fences of a whole new text that the document is given, without visiting its lines."""
        self._pending.stop()
        self._loading = True
        try:
            yield
        finally:
            self._loading = False
        for first, stop, state in fenced_lines(text):
            block = self._document.findBlockByNumber(first)
            for _ in range(first, stop):
                block.setUserState(state)
                block = block.next()

    def format_block(self, block: QTextBlock) -> None:
        """Makes sure that this block has its colours; does nothing for one that has."""
        if block.revision() == self._stamp:
            return
        block.layout().setFormats(self._ranges(block))
        block.setRevision(self._stamp)
        # Without it the next edit would be announced as a change of everything formatted since the last.
        self._document.markContentsDirty(block.position(), block.length())

    def is_fenced(self, block: QTextBlock) -> bool:
        """Returns whether a code fence is open before this block."""
        return _state(block.previous()) != _OUTSIDE

    def _ranges(self, block: QTextBlock) -> list[QTextLayout.FormatRange]:
        line = block.text()
        ranges = []
        for start, stop, style in tokens(line, _state(block.previous())):
            piece = QTextLayout.FormatRange()
            piece.start = to_utf16(line, start)
            piece.length = to_utf16(line, stop) - piece.start
            piece.format = self._styles[style]
            ranges.append(piece)
        return ranges

    def _on_change(self, position: int, _removed: int, added: int) -> None:
        if self._loading:
            return
        first = self._document.findBlock(position).blockNumber()
        # One block more: where lines with a fence were deleted, the first that follows has to be looked at again.
        # At the end of the document Qt may count one character more than there is, where no block is found.
        end = self._document.findBlock(position + added)
        last = end.blockNumber() + 1 if end.isValid() else self._document.blockCount()
        if self._pending.isActive():
            # The lines that wait were counted before this edit: count from the earlier one, to the end.
            first, last = min(first, self._waiting[0]), self._document.blockCount()
        self._follow(first, last)

    def _go_on(self) -> None:
        self._follow(*self._waiting)

    def _follow(self, first: int, last: int) -> None:
        """Computes fence states anew from line `first` until, past line `last`, one is what it was.

        The lines it goes through are coloured anew: one that an undo brings back has the revision it was taken out
        with, and no colours.
        """
        self._pending.stop()
        block = self._document.findBlockByNumber(first)
        state = _state(block.previous())
        for number in range(first, first + _AT_ONCE):
            if not block.isValid():
                return
            state = fence_state(block.text(), state)
            unchanged = _state(block) == state
            if unchanged and number > last:
                return
            block.setRevision(0)
            if not unchanged:
                block.setUserState(state)
                block.next().setRevision(0)
            block = block.next()
        self._waiting = (first + _AT_ONCE, last)
        self._pending.start()


def _state(block: QTextBlock) -> int:
    """Returns a block's fence state; Qt says -1 for one that was never set, which no fence can be (they are 3 and
    longer)."""
    state = block.userState() if block.isValid() else _OUTSIDE
    return _OUTSIDE if state == -1 else state
