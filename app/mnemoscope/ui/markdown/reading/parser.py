"""The parser: python-markdown, and what it needs to read Markdown as language models write it. No Qt.

A block of the splitter becomes an element tree. Whatever nests, items, quotations and notes, is cut by the same
splitter again, so that nesting follows its rules. Tables and definition lists are read by python-markdown's own block
processors, running text by its inline patterns. Raw HTML is text, an image is its description, and an address that may
not be opened is no link: what the tree holds can be shown as it is.

Importing python-markdown costs time and memory, so `reader` imports this module when a text first needs it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Final
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.blockparser import BlockParser
from markdown.blockprocessors import BlockProcessor
from markdown.extensions.def_list import DefListProcessor
from markdown.extensions.tables import TableProcessor
from markdown.inlinepatterns import InlineProcessor, SimpleTagInlineProcessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from mnemoscope.domain.text.math_marks import DISPLAYED, WITHIN, is_formula
from mnemoscope.ui.markdown.reading.block_splitter import (
    ITEM,
    NOTE,
    QUOTE,
    TABLE_LIMIT,
    TABLE_ROWS,
    Block,
    References,
    split_blocks,
)
from mnemoscope.ui.markdown.reading.line_patterns import TASK_BOX
from mnemoscope.ui.markdown.reading.link_address import may_be_clicked
from mnemoscope.ui.markdown.reading.untrusted_text import MARKDOWN_SIGN, NO_DESCRIPTION

_NESTING_LIMIT: Final = 12
"""Levels of lists and quotations; what is nested deeper is shown as it is written."""
_INLINE_LIMIT: Final = 20_000
"""Characters of running text that are parsed; a longer one is shown as it is written."""
_KNOT_LIMIT: Final = 400
"""Marks of one kind in one running text; more of them cost quadratic time and are no text a person wrote."""
_COLUMN_LIMIT: Final = 100

_MARKS: Final = "[]*_`<~&|$"
_TASK: Final = re.compile(rf"({TASK_BOX})(?:[ \t]+(.*)|$)")
_BARE_ADDRESS: Final = r"(?<![\w/@.])(https?://[^\s<>\"'`\]\[]*[\w/#=&+%-])"
_MAIL: Final = r"<([^<> !]+@[^@<> ]+)>"
_ENTITY: Final = r"(&(?:\#[0-9]+|\#x[0-9a-fA-F]+|[a-zA-Z0-9]+);)"
_NOTE_MARK: Final = r"\[\^([^\]\s]{1,60})\]"


class TreeParser(BlockParser):
    """Parses the blocks of the splitter, and what is nested in them, into one element tree.

    Each element of a block says in its attributes `first` and `last` which lines of the source it spans.
    """

    def __init__(self, md: Markdown) -> None:
        super().__init__(md)
        self.notes: Mapping[str, int] = {}
        self._base = self._depth = 0
        self._table = TableProcessor(self, {"use_align_attribute": True})
        self._terms = DefListProcessor(self)
        self.blockprocessors.register(_Words(self), "words", 10)

    def add(self, parent: Element, block: Block) -> None:
        """Adds what a block holds to a tree."""
        there = len(parent)
        if block.kind == "item":
            self._add_item(parent, block)
        elif block.kind == "quote":
            lines = [QUOTE.sub("", line, count=1) for line in block.text.split("\n")]
            self._add_nested(SubElement(parent, "blockquote"), lines, block)
        elif block.kind == "note":
            self._add_note(parent, block)
        elif block.kind == "table":
            self._add_table(parent, block)
        elif block.kind == "terms":
            self._add_terms(parent, block)
        elif block.kind != "address":
            _add_simple(parent, block)
        for element in parent[there:]:
            self._set_lines(element, block)

    def _set_lines(self, element: Element, block: Block) -> None:
        element.set("first", str(self._base + block.first_line))
        element.set("last", str(self._base + block.last_line))

    def _add_item(self, parent: Element, block: Block) -> None:
        first, *rest = block.text.split("\n")
        indent = len(first) - len(first.lstrip(" "))
        found = ITEM.match(first.strip())
        marker, space, words = (found[1], found[2] or " ", found[3] or "") if found else ("-", " ", first)
        tag = "ol" if marker[0].isdigit() else "ul"
        above = parent[-1] if len(parent) else None
        siblings = above if above is not None and above.tag == tag else SubElement(parent, tag)
        item = SubElement(siblings, "li")
        if tag == "ol":
            item.set("value", str(int(marker[:-1])))
        if task := _TASK.match(words):
            item.set("task", "open" if task[1] == "[ ]" else "done")
            # One without words yet is a task that is being written.
            words = task[2] or ""
        self._set_lines(item, block)
        width = indent + len(marker) + (len(space) if len(space) <= 4 else 1)
        self._add_nested(item, [words, *_dedented(rest, width, indent + 2)], block, in_list=True)

    def _add_note(self, parent: Element, block: Block) -> None:
        first, *rest = block.text.split("\n")
        found = NOTE.match(first.strip())
        note = SubElement(parent, "div", {"note": str(self.notes.get(found[1], 0) if found else 0)})
        self._add_nested(note, [found[2] or "" if found else first, *_dedented(rest, 4, 0)], block, in_list=True)

    def _add_nested(self, parent: Element, lines: list[str], block: Block, *, in_list: bool = False) -> None:
        text = "\n".join(lines)
        if self._depth >= _NESTING_LIMIT:
            _add_words(SubElement(parent, "p"), text, as_written=True)
            return
        base, self._base = self._base, self._base + block.first_line
        self._depth += 1
        for nested in split_blocks(text, in_list=in_list):
            self.add(parent, nested)
        self._depth -= 1
        self._base = base

    def _add_terms(self, parent: Element, block: Block) -> None:
        terms, *definitions = re.split(r"\n[ ]*:[ \t]+", block.text)
        blocks = [terms + "".join(f"\n:   {' '.join(each.split())}" for each in definitions)]
        while blocks:
            self._terms.run(parent, blocks)
        for term in parent.iter("dt"):
            _add_words(term, term.text or "")

    def _add_table(self, parent: Element, block: Block) -> None:
        header, delimiters, *rows = block.text.split("\n")
        if block.part * TABLE_ROWS >= TABLE_LIMIT:
            SubElement(parent, "pre", {"rows": ""}).text = AtomicString("\n".join(rows))
        elif delimiters.count("|") > _COLUMN_LIMIT or not self._table.test(parent, f"{header}\n{delimiters}"):
            _add_words(SubElement(parent, "p"), block.text, as_written=True)
        else:
            self._table.run(parent, [block.text])
            table = parent[-1]
            table.set("part", str(block.part))
            table.set("continued", str(int(block.continued)))
            if not rows:
                # python-markdown gives it an empty one.
                table.remove(table[-1])
            for cell in (*table.iter("th"), *table.iter("td")):
                _add_words(cell, cell.text or "")


def _add_simple(parent: Element, block: Block) -> None:
    if block.kind == "code":
        SubElement(parent, "pre", {"info": block.info}).text = AtomicString(block.text)
    elif block.kind == "rule":
        SubElement(parent, "hr")
    else:
        _add_words(SubElement(parent, f"h{block.level}" if block.kind == "heading" else "p"), block.text)


class _Words(BlockProcessor):
    """Takes the text of a definition as running text; nothing else is left for the processors to find."""

    def test(self, parent: Element, block: str) -> bool:
        return True

    def run(self, parent: Element, blocks: list[str]) -> None:
        _add_words(SubElement(parent, "p"), " ".join(blocks.pop(0).split()))


def _add_words(element: Element, text: str, *, as_written: bool = False) -> None:
    """Gives an element its running text, to be parsed if it has any marks, is not too long and not tied into a knot."""
    as_written = as_written or len(text) > _INLINE_LIMIT or not MARKDOWN_SIGN.search(text)
    knotted = as_written or max(text.count(mark) for mark in _MARKS) > _KNOT_LIMIT
    element.text = AtomicString(text) if knotted else text


def _dedented(lines: list[str], width: int, least: int) -> list[str]:
    """Takes away the indentation that makes lines part of an item: as far as its words are indented, or its sub-items.

    Lines with less than `least` belong to it without being indented.
    """
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    items = [
        indent
        for line, indent in zip(lines, indents, strict=True)
        if indent >= least and ITEM.match(line.strip()) and indent < width
    ]
    width = min([width, *items])
    return [line[min(indent, width) :] for line, indent in zip(lines, indents, strict=True)]


class _BareAddress(InlineProcessor):
    """An address in running text is a link."""

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:  # type: ignore[override]
        return _link(m[1], m[1]), m.start(0), m.end(0)


class _Formula(InlineProcessor):
    """A formula is code to whoever does not draw it: its source, marks and all, as it is written."""

    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[Element | None, int | None, int | None]:
        if not is_formula(m[1]):
            return None, None, None
        formula = Element("code", {"math": "display" if m[1].startswith(("$$", "\\[")) else "inline"})
        formula.text = AtomicString(m[1])
        return formula, m.start(0), m.end(0)


class _MailAddress(InlineProcessor):
    """A mail address between angle brackets is a link."""

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:  # type: ignore[override]
        return _link(f"mailto:{m[1].removeprefix('mailto:')}", m[1]), m.start(0), m.end(0)


class _Entity(InlineProcessor):
    """An entity is the character that it names."""

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[str, int, int]:  # type: ignore[override]
        return html.unescape(m[1]), m.start(0), m.end(0)


class _NoteMark(InlineProcessor):
    """The mark of a footnote that the message has is its number, raised."""

    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[Element | None, int | None, int | None]:
        parser = self.md.parser
        number = parser.notes.get(m[1]) if isinstance(parser, TreeParser) else None
        if number is None:
            return None, None, None
        mark = Element("sup")
        mark.text = AtomicString(str(number))
        return mark, m.start(0), m.end(0)


def _link(href: str, words: str) -> Element:
    link = Element("a", {"href": href})
    link.text = AtomicString(words)
    return link


class _Harmless(Treeprocessor):
    """Images are their descriptions, code is as it was written, and only links that may be opened are links."""

    def run(self, root: Element) -> None:
        for element in list(root.iter()):
            if element.tag == "img":
                words, tail = element.get("alt", "") or NO_DESCRIPTION, element.tail
                address = html.unescape(element.get("src", ""))
                element.clear()
                element.tag = "span"
                element.text = f"[image: {words}]"
                element.tail = tail
                element.set("picture", address)
            elif element.tag == "code" and not element.get("math"):
                element.text = html.unescape(element.text or "")
            elif element.tag == "a":
                href = html.unescape(element.get("href", ""))
                element.attrib.clear()
                if may_be_clicked(href):
                    element.set("href", href)


def _markdown() -> Markdown:
    parser = Markdown(output_format="html")
    tree = parser.parser = TreeParser(parser)
    assert isinstance(tree, TreeParser)
    parser.ESCAPED_CHARS += ["|", "$"]
    patterns = parser.inlinePatterns
    patterns.deregister("html")
    # Code comes before a formula, and that before the backslash of its marks is one that escapes.
    patterns.register(_Formula(DISPLAYED, parser), "displayed_formula", 187)
    patterns.register(_Formula(WITHIN, parser), "formula", 186)
    patterns.register(_Entity(_ENTITY, parser), "entity", 80)
    patterns.register(_MailAddress(_MAIL, parser), "automail", 110)
    patterns.register(_BareAddress(_BARE_ADDRESS, parser), "bare_address", 115)
    patterns.register(_NoteMark(_NOTE_MARK, parser), "note_mark", 175)
    patterns.register(SimpleTagInlineProcessor(r"(~~)(.+?)~~", "del"), "strike", 65)
    parser.treeprocessors.deregister("prettify")
    parser.treeprocessors.register(_Harmless(parser), "harmless", -5)
    return parser


_MARKDOWN: Final = _markdown()


def parse(blocks: list[Block], references: References) -> Element:
    """Returns the tree of blocks; raises RecursionError where marks are nested too deep."""
    tree = _MARKDOWN.parser
    assert isinstance(tree, TreeParser)
    _MARKDOWN.reset()
    _MARKDOWN.references.update({name: (address, "") for name, address in references.addresses.items()})
    tree.notes = references.notes
    root = Element("div")
    for block in blocks:
        tree.add(root, block)
    for processor in _MARKDOWN.treeprocessors:
        processor.run(root)
    return root
