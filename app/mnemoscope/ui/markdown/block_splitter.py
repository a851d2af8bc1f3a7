"""Markdown cut into blocks by a scanner that is fed line by line. No Qt.

A block is closed by what follows it, so a streamed text and a whole text give the same blocks: that is what lets the
transcript draw a closed block once and only redraw the open one. Nesting is flattened: a block knows how deep it sits
in lists (`depth`) and in quotations (`quote`). Lists nest by any two columns, as models write them.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

Kind = Literal["paragraph", "heading", "item", "code", "table", "rule", "definition"]

TABLE_ROWS: Final = 24
"""Rows after which a table goes on in a further block, so that one more row never redraws all of them."""
TABLE_LIMIT: Final = 500
"""Rows after which a table is shown as text."""
NESTING_LIMIT: Final = 12

_FENCE: Final = re.compile(r"(`{3,}|~{3,})[ \t]*([^`]*)$")
_HEADING: Final = re.compile(r"(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_RULE: Final = re.compile(r"([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_SETEXT: Final = re.compile(r"(=+|-+)[ \t]*$")
_ITEM: Final = re.compile(r"([-*+]|\d{1,9}[.)])(?:[ \t]+(.*))?$")
_TASK: Final = re.compile(r"\[([ xX])\][ \t]+(.*)")
_QUOTE: Final = re.compile(r" {0,3}>[ ]?")
_DELIMITERS: Final = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_DEFINITION: Final = re.compile(r"\[([^\]\[]{1,200})\]:[ \t]*(\S+)(?:[ \t]+[\"'(].*[\"')])?[ \t]*$")
_PIPE: Final = re.compile(r"(?<!\\)\|")
_ZERO_WIDTH: Final = "\u200b"


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a text: lines `first_line` to `last_line` of the source, counted from 0, both included.

    `text` is its source without the marks that make it this kind: a heading without `#`, an item without its marker,
    a code block without fences, a table with its header and delimiter lines.
    """

    first_line: int
    last_line: int
    kind: Kind
    text: str
    depth: int = 0
    quote: int = 0
    marker: str = ""
    """Of an item: `•`, a number such as `3.`, `☐` or `☑`; a task's box replaces its bullet."""
    info: str = ""
    """Of a code block: the language as written after the fence."""
    level: int = 0
    """Of a heading: 1 to 6."""
    part: int = 0
    """Of a table: 0 for its first block, and how many came before."""
    continued: bool = False
    """Of a table: whether a further block goes on with it."""
    quotation: int = 0
    """Which quotation of the text it lies in, counted from 1; blocks of the same one belong under one bar."""


@dataclass(slots=True)
class _Open:
    """The block that more lines may still belong to."""

    kind: Kind
    first_line: int
    lines: list[str] = field(default_factory=list)
    last_line: int = 0
    depth: int = 0
    quote: int = 0
    marker: str = ""
    info: str = ""
    fence: str = ""
    indent: int = 0
    part: int = 0
    quotation: int = 0
    header: tuple[str, ...] = ()

    def split(self, line: int) -> tuple[Block, _Open]:
        """A table cut before its last row, at `line`, which begins the next block: so it is known that it goes on."""
        row = self.lines.pop()
        self.last_line -= 1
        further = _Open("table", line, [*self.header, row], line, self.depth, self.quote)
        further.part, further.header, further.quotation = self.part + 1, self.header, self.quotation
        return replace(_frozen(self), continued=True), further


class _Lists:
    """The lists a line may lie in, by the columns of their marks."""

    def __init__(self, columns: Iterable[int] = ()) -> None:
        self.columns = list(columns)

    def depth_at(self, indent: int) -> int:
        """How deep a block at this column sits; leaves the lists it is outside of."""
        while self.columns and indent < self.columns[-1] + 2:
            self.columns.pop()
        return len(self.columns)

    def enter(self, indent: int) -> None:
        """An item's mark stands at this column."""
        self.columns.append(indent)
        del self.columns[NESTING_LIMIT:]


class BlockScanner:
    """Takes a text line by line and gives back each block as soon as it is closed."""

    def __init__(self) -> None:
        self._line = 0
        self._open: _Open | None = None
        self._lists = _Lists()
        self._quote = 0
        self._quotations = 0
        self._blank = False
        self._closed: list[Block] = []
        self._rows = 0

    @property
    def in_code(self) -> bool:
        """Whether the next line is inside a fence that is still open."""
        return self._open is not None and bool(self._open.fence)

    def feed(self, line: str) -> list[Block]:
        """Take one whole line, without its end; returns the blocks it closed."""
        self._scan(line.expandtabs(4) if "\t" in line and not self.in_code else line)
        self._line += 1
        closed, self._closed = self._closed, []
        return closed

    def finish(self) -> list[Block]:
        """The text ends here; returns what was still open."""
        self._close()
        closed, self._closed = self._closed, []
        return closed

    def peek(self, partial: str) -> list[Block]:
        """The blocks that are still open, were `partial` the last line; nothing is taken."""
        ahead = copy.copy(self)
        ahead._open = replace(self._open, lines=list(self._open.lines)) if self._open else None
        ahead._lists, ahead._closed = _Lists(self._lists.columns), []
        blocks = ahead.feed(partial) if partial else []
        return blocks + ahead.finish()

    # Lines

    def _scan(self, line: str) -> None:
        if self._open is not None and self._open.fence:
            self._scan_code(self._open, line)
            return
        line, quote = _without_quote_marks(line)
        words = line.strip(" \t" + _ZERO_WIDTH)
        if not words:
            self._scan_blank(quote)
            return
        if quote != self._quote and not (quote < self._quote and self._is_lazy(words)):
            self._close()
            self._quotations += quote > 0 and self._quote == 0
            self._lists, self._quote = _Lists(), quote
        indent = len(line) - len(line.lstrip(" "))
        self._scan_words(indent, line, line.strip())
        self._blank = False

    def _is_lazy(self, words: str) -> bool:
        """Whether a line without its quote mark simply goes on with the paragraph above."""
        writing = self._open is not None and self._open.kind in ("paragraph", "item")
        return writing and not self._blank and not _starts_something(words)

    def _scan_blank(self, quote: int) -> None:
        if self._open is not None and self._open.kind == "code":
            self._open.lines.append("")
        else:
            self._close()
        if quote < self._quote:
            self._close()
            self._lists, self._quote = _Lists(), quote
        self._blank = True

    def _scan_words(self, indent: int, line: str, words: str) -> None:
        if self._goes_on(indent, line, words):
            return
        if fence := _FENCE.match(words):
            self._open_code(indent, fence)
        elif heading := _HEADING.match(words):
            self._single("heading", heading[2], level=len(heading[1]), depth=self._lists.depth_at(indent))
        elif _RULE.match(words):
            self._single("rule", "", depth=self._lists.depth_at(indent))
        elif item := self._item(indent, words):
            self._open_item(indent, item)
        elif self._is_indented_code(indent):
            self._begin("code", [line[4:]], depth=0, indent=4)
        elif _DEFINITION.match(words) and not self._is_writing():
            self._single("definition", words)
        else:
            self._write(indent, words)

    # What is open goes on

    def _goes_on(self, indent: int, line: str, words: str) -> bool:
        block = self._open
        if block is None:
            return False
        if block.kind == "code":
            return self._goes_on_as_code(block, indent, line)
        if block.kind == "table":
            return self._goes_on_as_table(block, words)
        if block.kind == "paragraph":
            return self._becomes_heading(block, words) or self._becomes_table(block, words)
        return False

    def _goes_on_as_code(self, block: _Open, indent: int, line: str) -> bool:
        if indent < block.indent:
            return False
        block.lines.append(line[block.indent :])
        block.last_line = self._line
        return True

    def _goes_on_as_table(self, block: _Open, words: str) -> bool:
        if "|" not in words:
            return False
        block.lines.append(words)
        block.last_line = self._line
        self._rows += 1
        if len(block.lines) - 2 > TABLE_ROWS:
            cut, self._open = block.split(self._line)
            self._closed.append(cut)
        return True

    @property
    def _quotation(self) -> int:
        return self._quotations if self._quote else 0

    def _becomes_heading(self, block: _Open, words: str) -> bool:
        underline = _SETEXT.match(words)
        if self._blank or not underline or block.depth or len(block.lines) > 3:
            return False
        text = " ".join(block.lines)
        self._open = None
        level = 1 if underline[1].startswith("=") else 2
        made = Block(block.first_line, self._line, "heading", text, 0, block.quote, level=level)
        self._closed.append(replace(made, quotation=block.quotation))
        return True

    def _becomes_table(self, block: _Open, words: str) -> bool:
        header = block.lines[-1]
        if "|" not in header or not _DELIMITERS.match(words) or "-" not in words:
            return False
        if len(cells_of(header)) != len(cells_of(words)):
            return False
        first = self._line - 1
        if len(block.lines) > 1:
            block.lines.pop()
            block.last_line -= 1
            self._close()
        table = _Open("table", first, [header, words], self._line, block.depth, block.quote)
        table.header, table.quotation = (header, words), block.quotation
        self._open = table
        return True

    # What begins

    def _item(self, indent: int, words: str) -> re.Match[str] | None:
        item = _ITEM.match(words)
        if item is None or (item[2] is None and self._is_writing()):
            return None
        numbered = item[1][0].isdigit()
        if numbered and self._is_writing() and not self._lists.columns and item[1][:-1] != "1":
            return None
        return item if not self._is_indented_code(indent) else None

    def _open_item(self, indent: int, item: re.Match[str]) -> None:
        depth = min(self._lists.depth_at(indent) + 1, NESTING_LIMIT)
        self._lists.enter(indent)
        marker, words = ("•" if item[1] in "-*+" else item[1][:-1] + "."), item[2] or ""
        if task := _TASK.match(words):
            marker, words = ("☐" if task[1] == " " else "☑"), task[2]
        fence = _FENCE.match(words)
        self._begin("item", [] if fence else [words], depth=depth, marker=marker)
        if fence:
            self._open_code(indent + 2, fence)

    def _open_code(self, indent: int, fence: re.Match[str]) -> None:
        depth = self._lists.depth_at(indent)
        self._begin("code", [], depth=depth, indent=indent, fence=fence[1], info=fence[2].strip())

    def _scan_code(self, block: _Open, line: str) -> None:
        for _ in range(block.quote):
            line = _QUOTE.sub("", line, count=1)
        block.last_line = self._line
        words = line.strip()
        if words.startswith(block.fence) and not words.strip(block.fence[0]):
            self._close()
            return
        lead = len(line) - len(line.lstrip(" "))
        block.lines.append(line[min(lead, block.indent) :])

    def _is_indented_code(self, indent: int) -> bool:
        return indent >= 4 and not self._lists.columns and not self._is_writing()

    def _is_writing(self) -> bool:
        return self._open is not None and self._open.kind in ("paragraph", "item")

    def _write(self, indent: int, words: str) -> None:
        if self._open is not None and self._is_writing():
            self._open.lines.append(words)
            self._open.last_line = self._line
        else:
            self._begin("paragraph", [words], depth=self._lists.depth_at(indent))

    def _begin(self, kind: Kind, lines: list[str], *, depth: int, indent: int = 0, **more: Any) -> None:
        self._close()
        self._open = _Open(kind, self._line, lines, self._line, depth, self._quote, indent=indent, **more)
        self._open.quotation = self._quotation

    def _single(self, kind: Kind, text: str, *, level: int = 0, depth: int = 0) -> None:
        self._close()
        made = Block(self._line, self._line, kind, text, depth, self._quote, level=level, quotation=self._quotation)
        self._closed.append(made)

    def _close(self) -> None:
        if self._open is not None:
            self._closed.append(_frozen(self._open))
            self._open = None


def _without_quote_marks(line: str) -> tuple[str, int]:
    quote = 0
    while quote < NESTING_LIMIT and (mark := _QUOTE.match(line)):
        line, quote = line[mark.end() :], quote + 1
    return line, quote


def _starts_something(words: str) -> bool:
    return any(start.match(words) for start in (_FENCE, _HEADING, _RULE, _ITEM))


def _frozen(block: _Open) -> Block:
    lines = block.lines
    if block.kind == "code" and not block.fence:
        while lines and not lines[-1]:
            lines.pop()
    return Block(
        block.first_line,
        block.last_line,
        block.kind,
        "\n".join(lines),
        block.depth,
        block.quote,
        block.marker,
        block.info,
        part=block.part,
        quotation=block.quotation,
    )


def split_blocks(text: str) -> list[Block]:
    """The blocks of `text` in order; blank lines belong to none."""
    scanner = BlockScanner()
    blocks = [block for line in text.split("\n") for block in scanner.feed(line)]
    return blocks + scanner.finish()


def cells_of(row: str) -> list[str]:
    """The cells of one line of a table, trimmed; `\\|` is a pipe."""
    row = row.strip()
    row = row.removeprefix("|")
    row = row[:-1] if row.endswith("|") and not row.endswith("\\|") else row
    return [cell.strip().replace("\\|", "|") for cell in _PIPE.split(row)]


def alignments_of(delimiters: str) -> list[str]:
    """`left`, `right` or `center` for each column of a table's second line."""
    sides = {(True, True): "center", (False, True): "right"}
    return [sides.get((cell.startswith(":"), cell.endswith(":")), "left") for cell in cells_of(delimiters)]


def definitions_of(blocks: list[Block]) -> dict[str, str]:
    """Addresses by reference name, in lower case, from the link definitions among `blocks`."""
    found = (_DEFINITION.match(block.text) for block in blocks if block.kind == "definition")
    return {entry[1].lower(): entry[2].strip("<>") for entry in found if entry}
