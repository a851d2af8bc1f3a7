"""Rich text, as a browser or an office program puts it on the clipboard, becomes Markdown.

Qt's own reader of HTML makes a document of it, style sheets included; nothing that it names is loaded. Of that document
what Markdown has words for is written: headings, lists, quotations, tables, code, links, bold, italic, struck.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QFont, QTextBlock, QTextCharFormat, QTextDocument, QTextFormat, QTextListFormat, QTextTable

from mnemoscope.domain.text.fences import fenced, longer_than_any_backticks
from mnemoscope.ui.markdown.reading.link_address import may_be_clicked

LONGEST: Final = 200_000
"""Characters of HTML that are read; of more the plain text is taken, which costs nothing."""
_PLAIN_SOURCES: Final = ("vscode-editor-data", "text/markdown")
"""The formats of programs that copy source text: its colours are no formatting."""
_OBJECT: Final = "\ufffc"
_SPECIAL: Final = re.compile(r"[\\`*\[\]]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|<(?=[\w/!])")
_LEADING: Final = re.compile(r"^([-+#>]+|\d{1,9}[.)])(?=\s|$)")
_OFFICE_BULLET: Final = re.compile(r"[·•▪◦§]\s+")
"""Office programs put the bullet of an item into its text."""
_LISTS: Final = ("bullets", "numbers", "nested")
_MONOSPACE: Final = re.compile(r"mono|courier|consol|menlo", re.IGNORECASE)
_NUMBERED: Final = (
    QTextListFormat.Style.ListDecimal,
    QTextListFormat.Style.ListLowerAlpha,
    QTextListFormat.Style.ListUpperAlpha,
    QTextListFormat.Style.ListLowerRoman,
    QTextListFormat.Style.ListUpperRoman,
)


def is_rich(source: QMimeData) -> bool:
    """Returns whether what is pasted has formatting that Markdown can keep."""
    if not source.hasHtml() or any(source.hasFormat(kind) for kind in _PLAIN_SOURCES):
        return False
    return len(source.html()) <= LONGEST


def html_as_markdown(html: str) -> str:
    """Returns HTML as Markdown, without a line end at its end."""
    document = _Unloaded()
    document.setHtml(html)
    lines: list[str] = []
    kind_above = ""
    for kind, block_lines in _blocks(document):
        goes_on = (kind == kind_above and kind in _LISTS) or (kind == "nested" and kind_above in _LISTS)
        if lines and not goes_on:
            lines.append("")
        lines += block_lines
        kind_above = kind_above if goes_on else kind
    return "\n".join(lines)


class _Unloaded(QTextDocument):
    """Is a document that loads no picture, no style sheet and no file, whatever its text names."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        return None


def _blocks(document: QTextDocument) -> Iterator[tuple[str, list[str]]]:
    """Yields each paragraph, item, table or code block as its kind and its lines; empty ones are left out."""
    block, tables = document.begin(), set[int]()
    code: list[str] = []
    marks: list[int] = []
    while block.isValid():
        table = _table_of(document, block)
        if code and not _is_code(block):
            yield "code", _fenced(code)
            code = []
        if table is not None:
            if table.objectIndex() not in tables:
                tables.add(table.objectIndex())
                yield "table", _table(table)
        elif _is_code(block):
            code += block.text().split("\u2028")
        elif words := _words(block):
            yield _paragraph(block, words, marks)
        block = block.next()
    if code:
        yield "code", _fenced(code)


def _paragraph(block: QTextBlock, words: str, marks: list[int]) -> tuple[str, list[str]]:
    """Returns a paragraph or item. `marks`: the widths of the marks of the items that an item may lie in, outermost
    first, which are brought up to it: what lies in an item is indented to its words."""
    form = block.blockFormat()
    quote = "> " * min(form.intProperty(QTextFormat.Property.BlockQuoteLevel), 6)
    level = form.headingLevel()
    made = block.textList()
    if level:
        return "heading", [f"{quote}{'#' * level} {words.replace(chr(10), ' ')}"]
    if form.objectIndex() < 0:
        if bullet := _OFFICE_BULLET.match(words):
            return "bullets", [f"{quote}- {words[bullet.end() :]}"]
        return ("quote" if quote else "words"), [quote + line for line in _guarded(words).split("\n")]
    style = made.format()
    mark = f"{made.itemNumber(block) + 1}." if style.style() in _NUMBERED else "-"
    del marks[max(0, style.indent() - 1) :]
    marks += [2] * (style.indent() - 1 - len(marks))
    lead = quote + " " * sum(marks)
    marks.append(len(mark) + 1)
    box = {1: "[ ] ", 2: "[x] "}.get(form.marker().value, "")
    first, *rest = words.split("\n")
    kind = "nested" if style.indent() > 1 else "numbers" if mark != "-" else "bullets"
    return kind, [f"{lead}{mark} {box}{first}", *(lead + " " * marks[-1] + line for line in rest)]


def _guarded(words: str) -> str:
    """Returns words of which no line begins like a list, a heading or a quotation."""
    return "\n".join(_LEADING.sub(r"\\\1", line, count=1) for line in words.split("\n"))


def _is_code(block: QTextBlock) -> bool:
    form = block.blockFormat()
    fenced = form.hasProperty(QTextFormat.Property.BlockCodeFence) or form.nonBreakableLines()
    return bool(fenced) and all(_is_monospace(one) for _, one in _pieces(block))


def _fenced(lines: list[str]) -> list[str]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return fenced("\n".join(lines)).split("\n")


def _table_of(document: QTextDocument, block: QTextBlock) -> QTextTable | None:
    frame = document.frameAt(block.position())
    return frame if isinstance(frame, QTextTable) else None


def _table(table: QTextTable) -> list[str]:
    rows: list[str] = []
    for row in range(table.rows()):
        cells: list[str] = []
        for column in range(table.columns()):
            cell = table.cellAt(row, column)
            block, words = cell.firstCursorPosition().block(), list[str]()
            while block.isValid() and block.position() <= cell.lastPosition():
                words.append(_words(block, plain=not row).replace("\n", " ").replace("|", "\\|"))
                block = block.next()
            cells.append(" ".join(filter(None, words)))
        rows.append(f"| {' | '.join(cells)} |")
        if row == 0:
            rows.append("|" + " --- |" * table.columns())
    return rows


def _words(block: QTextBlock, *, plain: bool = False) -> str:
    """Returns the running text of a block with its marks; lines that were broken on purpose are lines. A heading, or
    the `plain` head of a table, is bold by itself."""
    heading = plain or bool(block.blockFormat().headingLevel())
    made: list[tuple[str, str, str]] = []
    for text, form in _pieces(block):
        if form.isImageFormat():
            text = str(form.property(int(QTextFormat.Property.ImageAltText.value)) or "")
        text = text.replace(_OBJECT, "").replace("\u2028", "\n").replace("\u00a0", " ")
        marks = _marks(form, heading=heading)
        address = form.anchorHref() if form.isAnchor() and may_be_clicked(form.anchorHref()) else ""
        if made and made[-1][1:] == (marks, address):
            made[-1] = (made[-1][0] + text, marks, address)
        elif text:
            made.append((text, marks, address))
    return "".join(_marked(*piece) for piece in made).strip()


def _marked(text: str, marks: str, address: str) -> str:
    """Returns words with their marks, which stand close to them: blanks at the ends are left outside."""
    inner = text.strip()
    if not inner:
        return text
    lead, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    if marks == "`":
        fence = longer_than_any_backticks(inner)
        inner = f"{fence}{inner}{fence}"
    else:
        inner = f"{marks}{_SPECIAL.sub(lambda found: chr(92) + found[0], inner)}{marks[::-1]}"
    if address:
        inner = f"[{inner}]({address.replace(')', '%29').replace(' ', '%20')})"
    return lead + inner + tail


def _marks(form: QTextCharFormat, *, heading: bool) -> str:
    if _is_monospace(form):
        return "`"
    marks = "~~" if form.fontStrikeOut() else ""
    if form.fontWeight() >= QFont.Weight.DemiBold and not heading:
        marks += "**"
    return marks + ("*" if form.fontItalic() else "")


def _is_monospace(form: QTextCharFormat) -> bool:
    return form.fontFixedPitch() or any(_MONOSPACE.search(name) for name in (form.fontFamilies() or []))


def _pieces(block: QTextBlock) -> Iterator[tuple[str, QTextCharFormat]]:
    entry = block.begin()
    while not entry.atEnd():
        fragment = entry.fragment()
        yield fragment.text(), fragment.charFormat()
        entry += 1
