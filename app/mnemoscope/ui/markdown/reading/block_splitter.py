"""Cuts Markdown into its top-level blocks, with the lines of the source that each of them spans. No Qt.

A block is closed by what follows it, so that a streamed text and the same text as a whole give the same blocks. Each
item of a list is a block of its own, with all that is nested in it; the parser cuts what is nested in the same way.
Lists are read as language models write them: they may begin right below a paragraph, and they nest by any two columns.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from mnemoscope.domain.text.fences import closes, opening_mark
from mnemoscope.domain.text.math_marks import LONGEST_FORMULA, opened_by
from mnemoscope.ui.markdown.reading.line_patterns import HEADING, ITEM_MARK, RULE, heading_of
from mnemoscope.ui.markdown.reading.untrusted_text import TAB_WIDTH

BlockKind = Literal["paragraph", "heading", "item", "quote", "code", "table", "rule", "terms", "address", "note"]

TABLE_ROWS: Final = 24
"""Rows after which a table goes on in a further block, so that one more row never draws all of them again."""
TABLE_LIMIT: Final = 500
"""Rows after which a table is shown as text."""

ITEM: Final = re.compile(rf"({ITEM_MARK})(?:([ \t]+)(.*))?$")
NOTE: Final = re.compile(r"\[\^([^\]\s]{1,60})\]:(?:[ \t]+(.*))?$")
QUOTE: Final = re.compile(r" {0,3}>[ ]?")
_UNDERLINE: Final = re.compile(r"(=+|-+)[ \t]*$")
_DELIMITERS: Final = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_ADDRESS: Final = re.compile(r"\[(?!\^)([^\]\[]{1,200})\]:[ \t]*(\S+)(?:[ \t]+[\"'(].*[\"')])?[ \t]*$")
_TERM: Final = re.compile(r" {0,3}:[ \t]+\S")
_PIPE: Final = re.compile(r"(?<!\\)\|")
_BLANK: Final = " \t\u200b"
_HEADING_LINES: Final = 3
"""Lines of a paragraph that an underline can still make a heading of."""
_TERM_LINES: Final = 2
"""Lines of a paragraph that can still be the terms of a definition."""


@dataclass(frozen=True, slots=True)
class Block:
    """Describes one block of a text: lines `first_line` to `last_line` of the source, counted from 0, both included.

    `text` is its source: a heading without its marks, code without its fences, a table with its header and delimiters
    also where an earlier part had them.
    """

    first_line: int
    last_line: int
    kind: BlockKind
    text: str
    info: str = ""
    """The words after the fence of a code block."""
    level: int = 0
    """The level of a heading, 1 to 6."""
    part: int = 0
    """The number of parts of its table that came before this one."""
    continued: bool = False
    """Whether a further part of its table follows."""


@dataclass(slots=True)
class _Open:
    """Holds the block that further lines may still belong to."""

    kind: BlockKind
    first_line: int
    lines: list[str]
    last_line: int
    indent: int = 0
    """The column of an item's marker or of a fence."""
    fence: str = ""
    """The fence that is open, of this block or within it."""
    info: str = ""
    part: int = 0
    header: tuple[str, ...] = ()
    writing: bool = True
    """Whether a line that is not indented simply goes on with the words of the last one."""
    formula: str = ""
    """Of a paragraph: what ends the formula it is in, whose lines begin nothing else."""

    def add(self, line: str, number: int) -> None:
        self.lines.append(line)
        self.last_line = number

    def follow_fence(self, words: str) -> None:
        """Notes whether a line that lies within this block opens or closes a fence."""
        if self.fence:
            if closes(words, self.fence):
                self.fence, self.writing = "", False
        elif mark := opening_mark(words):
            self.fence = mark
        else:
            self.writing = not (HEADING.match(words) or RULE.match(words) or words.startswith("|"))


class BlockSplitter:
    """Takes a text line by line and gives back each block as soon as it is closed.

    `in_list`: the text is what an item of a list holds. There, nothing is code by its indentation alone, and any number
    begins an item.
    """

    def __init__(self, *, in_list: bool = False) -> None:
        self._in_list = in_list
        self._line = 0
        self._open: _Open | None = None
        self._closed: list[Block] = []

    @property
    def in_code(self) -> bool:
        """Returns whether the next line lies within a fence that is still open."""
        return self._open is not None and bool(self._open.fence)

    def feed(self, line: str) -> list[Block]:
        """Takes one whole line, without its end; returns the blocks that it closed."""
        line = line if self.in_code or "\t" not in line else line.expandtabs(TAB_WIDTH)
        words = line.strip(_BLANK)
        if self._open is None or not self._goes_on(self._open, line, words):
            self._close()
            if words:
                self._begin(line, words)
        self._line += 1
        return self._take_closed()

    def finish(self) -> list[Block]:
        """Ends the text; returns what was still open."""
        self._close()
        return self._take_closed()

    def peek(self, partial: str) -> list[Block]:
        """Returns the blocks that are still open, as if `partial` were the last line; nothing is taken."""
        ahead = copy.copy(self)
        ahead._open = replace(self._open, lines=list(self._open.lines)) if self._open else None
        ahead._closed = []
        return (ahead.feed(partial) if partial else []) + ahead.finish()

    def _take_closed(self) -> list[Block]:
        closed, self._closed = self._closed, []
        return closed

    # What is open goes on

    def _goes_on(self, block: _Open, line: str, words: str) -> bool:
        if block.kind == "code":
            return self._goes_on_as_code(block, line, words)
        if block.kind in ("item", "note"):
            return self._goes_on_nested(block, line, words)
        if block.kind == "quote":
            return self._goes_on_as_quote(block, line, words)
        if not words:
            return False
        if block.formula and self._goes_on_as_formula(block, line, words):
            return True
        if block.kind == "table":
            return self._goes_on_as_table(block, line, words)
        if block.kind == "terms":
            return self._goes_on_as_terms(block, line)
        return self._goes_on_as_paragraph(block, line, words)

    def _goes_on_as_code(self, block: _Open, line: str, words: str) -> bool:
        indent = _indent(line)
        if not block.fence:
            if words and (indent < block.indent or opening_mark(line)):
                return False
            block.lines.append(line[block.indent :])
            block.last_line = self._line if words else block.last_line
            return True
        block.last_line = self._line
        if closes(line, block.fence):
            self._close()
        else:
            block.lines.append(line[min(indent, block.indent) :])
        return True

    def _goes_on_nested(self, block: _Open, line: str, words: str) -> bool:
        """An item or a note goes on with what is indented, and with words right below its own."""
        if not words and not block.fence:
            block.lines.append("")
            block.writing = False
            return True
        if not block.fence and _indent(line) < block.indent + 2:
            lazy = block.writing and not _starts_something(line, words) and not words.startswith("|")
            if not lazy:
                return False
        block.add(line, self._line)
        block.follow_fence(line if block.fence else _after_markers(line.lstrip(" ")))
        return True

    def _goes_on_as_quote(self, block: _Open, line: str, words: str) -> bool:
        mark = QUOTE.match(line)
        if mark:
            inside = line[mark.end() :]
            block.add(line, self._line)
            block.writing = bool(inside.strip(_BLANK))
            if block.writing:
                block.follow_fence(inside if block.fence else _after_markers(inside.lstrip("> ")))
            return True
        if not words or block.fence or not block.writing or _starts_something(line, words):
            return False
        block.add(line, self._line)
        return True

    def _goes_on_as_terms(self, block: _Open, line: str) -> bool:
        if opening_mark(line):
            return False
        block.add(line.rstrip(), self._line)
        return True

    def _goes_on_as_table(self, block: _Open, line: str, words: str) -> bool:
        if "|" not in words or opening_mark(line):
            return False
        if len(block.lines) - 2 >= TABLE_ROWS:
            self._closed.append(replace(_closed(block), continued=True))
            further = _Open("table", self._line, list(block.header), self._line, part=block.part + 1)
            further.header = block.header
            self._open = block = further
        block.add(words, self._line)
        return True

    def _goes_on_as_formula(self, block: _Open, line: str, words: str) -> bool:
        if opening_mark(line) or sum(map(len, block.lines)) > LONGEST_FORMULA:
            block.formula = ""
            return False
        if block.formula in words:
            block.formula = ""
        block.add(_running(line), self._line)
        return True

    def _goes_on_as_paragraph(self, block: _Open, line: str, words: str) -> bool:
        if self._becomes_heading(block, words) or self._becomes_table(block, words):
            return True
        if _TERM.match(line) and len(block.lines) <= _TERM_LINES and not _TERM.match(block.lines[0]):
            block.kind = "terms"
        elif _starts_something(line, words) and self._may_interrupt(words):
            return False
        block.add(_running(line), self._line)
        block.formula = opened_by(words)
        return True

    def _may_interrupt(self, words: str) -> bool:
        """Returns whether a line may begin a block right below a paragraph: not every number begins a list."""
        item = ITEM.match(words)
        if item is None or RULE.match(words):
            return True
        return item[3] is not None and (self._in_list or not item[1][0].isdigit() or item[1][:-1] == "1")

    def _becomes_heading(self, block: _Open, words: str) -> bool:
        underline = _UNDERLINE.match(words)
        if not underline or self._in_list or len(block.lines) > _HEADING_LINES:
            return False
        level = 1 if underline[1].startswith("=") else 2
        text = " ".join(line.strip() for line in block.lines)
        self._open = None
        self._closed.append(Block(block.first_line, self._line, "heading", text, level=level))
        return True

    def _becomes_table(self, block: _Open, words: str) -> bool:
        header = block.lines[-1].strip()
        if "|" not in header or not _DELIMITERS.match(words) or _columns(header) != _columns(words):
            return False
        first = self._line - 1
        block.lines.pop()
        block.last_line -= 1
        if block.lines:
            self._close()
        self._open = _Open("table", first, [header, words], self._line, header=(header, words))
        return True

    # What begins

    def _begin(self, line: str, words: str) -> None:
        indent = _indent(line)
        if mark := opening_mark(line):
            info = words.lstrip()[len(mark) :].strip()
            self._open = _Open("code", self._line, [], self._line, indent, mark, info)
        elif heading := heading_of(words):
            level, text = heading
            self._closed.append(Block(self._line, self._line, "heading", text, level=level))
        elif RULE.match(words):
            self._closed.append(Block(self._line, self._line, "rule", ""))
        elif indent >= 4 and not self._in_list:
            self._open = _Open("code", self._line, [line[4:]], self._line, 4)
        elif QUOTE.match(line):
            self._open = _Open("quote", self._line, [], self._line)
            self._goes_on_as_quote(self._open, line, words)
        elif ITEM.match(words) or NOTE.match(words):
            self._open = _Open("item" if ITEM.match(words) else "note", self._line, [line], self._line, indent)
            self._open.follow_fence(_after_markers(words))
        elif _ADDRESS.match(words):
            self._closed.append(Block(self._line, self._line, "address", words))
        else:
            self._open = _Open("paragraph", self._line, [_running(line)], self._line, formula=opened_by(words))

    def _close(self) -> None:
        if self._open is not None:
            self._closed.append(_closed(self._open))
            self._open = None


def _closed(block: _Open) -> Block:
    lines = block.lines
    if block.kind != "code" or not block.fence:
        while lines and not lines[-1]:
            lines.pop()
    return Block(block.first_line, block.last_line, block.kind, "\n".join(lines), info=block.info, part=block.part)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _running(line: str) -> str:
    """Returns a line of a paragraph with what counts of the blanks around it: two at its end break the line."""
    return line.strip() + ("  " if line.endswith("  ") else "")


def _after_markers(words: str) -> str:
    """Returns what a line of a list says behind its marker, such as a fence."""
    item = ITEM.match(words)
    return item[3] or "" if item and not RULE.match(words) else words


def _starts_something(line: str, words: str) -> bool:
    return bool(
        opening_mark(line)
        or QUOTE.match(line)
        or HEADING.match(words)
        or RULE.match(words)
        or ITEM.match(words)
        or NOTE.match(words)
    )


def _columns(row: str) -> int:
    row = row.removeprefix("|")
    row = row[:-1] if row.endswith("|") and not row.endswith("\\|") else row
    return len(_PIPE.findall(row)) + 1


def split_blocks(text: str, *, in_list: bool = False) -> list[Block]:
    """Returns the blocks of `text` in order; blank lines belong to none."""
    splitter = BlockSplitter(in_list=in_list)
    lines = text.removesuffix("\n").split("\n")
    blocks = [block for line in lines for block in splitter.feed(line)]
    return blocks + splitter.finish()


@dataclass(frozen=True, slots=True)
class References:
    """Holds what the words of a message refer to: addresses by name in lower case, footnotes' numbers by name."""

    addresses: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, int] = field(default_factory=dict)


def references_of(blocks: Iterable[Block]) -> References:
    """Returns the addresses and footnotes that a message defines, wherever in it they stand."""
    addresses: dict[str, str] = {}
    notes: dict[str, int] = {}
    for block in blocks:
        if block.kind == "address" and (found := _ADDRESS.match(block.text)):
            addresses.setdefault(found[1].lower(), found[2].strip("<>"))
        elif block.kind == "note" and (found := NOTE.match(block.text.split("\n", 1)[0].strip())):
            notes.setdefault(found[1], len(notes) + 1)
    return References(addresses, notes)
