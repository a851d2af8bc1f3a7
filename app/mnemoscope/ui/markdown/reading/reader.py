"""Reads Markdown: blocks of text become pieces, which are what a document shows one below the other. No Qt.

The one reader of the window. A piece is flat: it knows how deep it lies in lists and quotations, which marker stands
before it, which lines of the source it shows, and its words as runs of one style each. The parser is imported with the
first text that has marks at all.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from threading import Thread
from typing import Final, Literal
from xml.etree.ElementTree import Element

from mnemoscope.domain.secrets.detection import KEY_MARK, MARK_OPENS
from mnemoscope.ui.markdown.reading.block_splitter import Block, References, references_of, split_blocks
from mnemoscope.ui.markdown.reading.untrusted_text import MARKDOWN_SIGN, rendered_part, tidied

_PARSER: Final = "mnemoscope.ui.markdown.reading.parser"
TASK_MARKERS: Final = ("☐", "☑")
"""The mark before a task that is open, and the one before a task that is done."""
_LINE_BREAK: Final = "\u2028"
_STYLES: Final = {
    "strong": "bold",
    "em": "italic",
    "code": "code",
    "del": "strike",
    "sup": "raised",
    "span": "image",
    "dt": "bold",
}


@dataclass(frozen=True, slots=True)
class Run:
    """Holds text in one style; `styles` are of bold, italic, code, strike, raised, image, key, math, display; `href` is
    a link's or "".

    A key is the mark that stands for one that was masked. Math is the source of a formula with its marks, displayed
    where it stands by itself.
    """

    text: str
    styles: frozenset[str] = frozenset()
    href: str = ""
    picture: str = ""
    """The address of the picture that the text describes."""


Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """Describes one paragraph, item, heading, code block, table or rule; its lines are counted from 0, both
    included."""

    kind: Literal["words", "heading", "item", "code", "table", "rows", "rule"]
    first_line: int
    last_line: int
    runs: Runs = ()
    depth: int = 0
    """The number of lists it lies in."""
    quote: int = 0
    """The number of quotations it lies in."""
    quotation: int = 0
    """The number of the quotation it lies in; neighbours in the same one stand at one bar."""
    outside: int = 0
    """The number of lists the quotation itself lies in."""
    close: bool = False
    """Whether it stands close to what is above it, as a definition to its term."""
    marker: str = ""
    """The mark before an item: `•`, a number such as `3.`, `☐` or `☑`."""
    level: int = 0
    """The level of a heading, 1 to 6."""
    code: str = ""
    """The text of a code block, or the rows of a table that is too long to be drawn as one."""
    info: str = ""
    """The words after the fence of a code block."""
    table: tuple[tuple[Runs, ...], ...] = ()
    """The rows of a table; the first is its header, also where an earlier part has shown it."""
    sides: tuple[str, ...] = ()
    """`left`, `right`, `center` or "" for each column."""
    part: int = 0
    continued: bool = False
    """Whether a further part of its table follows."""


def read_text(text: str, *, breaks: bool = False) -> tuple[list[Piece], int]:
    """Returns the pieces of an untrusted text, and how many characters at its end were left out as too many.

    `breaks` keeps single line ends.
    """
    shown, left_out = rendered_part(text)
    blocks = split_blocks(tidied(shown))
    references = references_of(blocks)
    return [piece for block in blocks for piece in read_block(block, references, breaks=breaks)], left_out


def reading(text: str) -> Iterator[None]:
    """Reads a text of a message block by block, to be gone on with when there is time: it is known when it is drawn."""
    blocks = split_blocks(tidied(rendered_part(text)[0]))
    references = references_of(blocks)
    yield
    for block in blocks:
        read_block(block, references)
        yield


def read_block(
    block: Block, references: References | None = None, *, breaks: bool = True, is_open: bool = False
) -> list[Piece]:
    """Returns the pieces of one block. `references`: what the message defines; `breaks` keeps single line ends;
    `is_open`: more of the block is to come, and what is read of it is not kept."""
    if block.kind == "code":
        return [Piece("code", block.first_line, block.last_line, code=block.text, info=block.info)]
    if block.kind == "address":
        return []
    if block.kind == "paragraph" and not MARKDOWN_SIGN.search(block.text):
        words = block.text.strip().replace("\n", _LINE_BREAK if breaks else " ")
        return [Piece("words", block.first_line, block.last_line, (Run(words),))]
    refers = references if references is not None and ("[" in block.text) else None
    addresses = tuple(refers.addresses.items()) if refers else ()
    notes = tuple(refers.notes.items()) if refers else ()
    start = block.first_line
    still = replace(block, first_line=0, last_line=block.last_line - start)
    pieces = (_read if is_open else _read_once)(still, addresses, notes, breaks)
    if not start:
        return list(pieces)
    return [
        replace(
            piece,
            first_line=piece.first_line + start,
            last_line=piece.last_line + start,
            quotation=piece.quotation and piece.quotation + start,
        )
        for piece in pieces
    ]


def load_parser_soon() -> None:
    """Loads the parser soon, because text is being written: it is at hand when a mark comes.

    Its import would hold up the window for longer than a frame; this one is done beside it.
    """
    if _PARSER not in sys.modules:
        Thread(target=import_module, args=(_PARSER,), name="markdown", daemon=True).start()


def tree_of(text: str) -> Element:
    """Returns the element tree of a whole text, harmless as all that is parsed here."""
    blocks = split_blocks(tidied(rendered_part(text)[0]))
    return _parsed(blocks, references_of(blocks))


def _parsed(blocks: list[Block], references: References) -> Element:
    from mnemoscope.ui.markdown.reading.parser import parse

    return parse(blocks, references)


def _read(
    block: Block, addresses: tuple[tuple[str, str], ...], notes: tuple[tuple[str, int], ...], breaks: bool
) -> tuple[Piece, ...]:
    try:
        root = _parsed([block], References(dict(addresses), dict(notes)))
    except RecursionError:
        words = block.text.replace("\n", _LINE_BREAK if breaks else " ")
        return (Piece("words", block.first_line, block.last_line, (Run(words),)),)
    return tuple(_Walk(breaks).pieces_of(root, Piece("words", 0, 0)))


# As many as the blocks of the longest answers, which are read in slices before they are written: some 3 kB each.
_read_once = lru_cache(maxsize=1_024)(_read)


class _Walk:
    """Goes through a tree of blocks; `here` is where in lists and quotations an element lies."""

    def __init__(self, breaks: bool) -> None:
        self._line_end = _LINE_BREAK if breaks else " "

    def pieces_of(self, parent: Element, here: Piece) -> Iterator[Piece]:
        """Returns the pieces of all children of an element."""
        for element in parent:
            yield from self._piece(element, self._place(element, here))

    @staticmethod
    def _place(element: Element, here: Piece) -> Piece:
        first, last = element.get("first"), element.get("last")
        return replace(here, first_line=int(first), last_line=int(last)) if first and last else here

    def _piece(self, element: Element, here: Piece) -> Iterator[Piece]:
        tag = element.tag
        if tag in ("ul", "ol", "dl"):
            yield from self.pieces_of(element, here)
        elif tag == "blockquote":
            inside = replace(here, quote=here.quote + 1)
            if not here.quote:
                inside = replace(inside, quotation=here.first_line + 1, outside=here.depth)
            yield from self.pieces_of(element, inside)
        elif tag == "li":
            yield from self._item(element, replace(here, depth=here.depth + 1), _marker_of(element))
        elif tag == "div":
            yield from self._item(element, replace(here, depth=here.depth + 1), f"{element.get('note')}.")
        elif tag == "dd":
            yield from self.pieces_of(element, replace(here, depth=here.depth + 1, close=True))
        else:
            yield self._leaf(element, here)

    def _leaf(self, element: Element, here: Piece) -> Piece:
        tag = element.tag
        if tag == "hr":
            return replace(here, kind="rule")
        if tag == "pre":
            kind: Literal["rows", "code"] = "code" if element.get("rows") is None else "rows"
            return replace(here, kind=kind, code=element.text or "", info=element.get("info", ""))
        if tag == "table":
            return self._table(element, here)
        if tag[0] == "h":
            return replace(here, kind="heading", level=int(tag[1]), runs=self._runs_of(element))
        return replace(here, runs=self._runs_of(element))

    def _item(self, element: Element, here: Piece, marker: str) -> Iterator[Piece]:
        words = element[0] if len(element) and element[0].tag == "p" else None
        runs = self._runs_of(words) if words is not None else ()
        own = self._place(words, here) if words is not None else replace(here, last_line=here.first_line)
        yield replace(own, kind="item", marker=marker, runs=runs)
        rest = Element("li")
        rest.extend(element[1:] if words is not None else element[:])
        yield from self.pieces_of(rest, here)

    def _table(self, element: Element, here: Piece) -> Piece:
        rows = [tuple(row) for row in element.iter("tr")]
        return replace(
            here,
            kind="table",
            table=tuple(tuple(self._runs_of(cell) for cell in row) for row in rows),
            sides=tuple(cell.get("align", "") for cell in rows[0]),
            part=int(element.get("part", "0")),
            continued=element.get("continued") == "1",
        )

    def _runs_of(self, element: Element) -> Runs:
        style = _STYLES.get(element.tag)
        runs = list(self._runs(element, _styled(frozenset(), style) if style else frozenset(), ""))
        if any(MARK_OPENS in run.text for run in runs):
            runs = [part for run in runs for part in _with_keys_apart(run)]
        return tuple(runs)

    def _runs(self, element: Element, styles: frozenset[str], href: str) -> Iterator[Run]:
        if element.text:
            yield self._run(element.text, styles, href)
        for child in element:
            if child.tag == "br":
                yield Run(_LINE_BREAK, styles, href)
            elif kind := child.get("math"):
                made = ("math", "display") if kind == "display" else ("math",)
                yield Run((child.text or "").replace("\n", " "), _styled(styles, *made), href)
            elif address := child.get("picture"):
                words = self._run(child.text or "", _styled(styles, "image"), href)
                yield replace(words, picture=address)
            else:
                style = _STYLES.get(child.tag)
                yield from self._runs(child, _styled(styles, style) if style else styles, child.get("href", href))
            if child.tail:
                yield self._run(child.tail, styles, href)

    def _run(self, text: str, styles: frozenset[str], href: str) -> Run:
        return Run(text.replace("\n", " " if "code" in styles else self._line_end), styles, href)


@lru_cache(maxsize=64)
def _styled(styles: frozenset[str], *more: str) -> frozenset[str]:
    """Returns styles with more of them, one object for all runs that have these: it is larger than most runs' text."""
    return styles.union(more)


def _marker_of(item: Element) -> str:
    if task := item.get("task"):
        return TASK_MARKERS[task != "open"]
    number = item.get("value")
    return f"{number}." if number else "•"


def _with_keys_apart(run: Run) -> Iterator[Run]:
    place = 0
    for found in KEY_MARK.finditer(run.text):
        if found.start() > place:
            yield replace(run, text=run.text[place : found.start()])
        yield replace(run, text=found[0], styles=_styled(run.styles, "key"))
        place = found.end()
    if place < len(run.text):
        yield replace(run, text=run.text[place:])
