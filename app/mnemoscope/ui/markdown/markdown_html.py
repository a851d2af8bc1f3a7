"""Untrusted Markdown as HTML for a QTextDocument. No Qt.

Raw HTML is shown as text, images are their descriptions, and what is left passes nh3. Colours are inline styles from
the theme's roles, because a QTextDocument knows little CSS.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Final

from mnemoscope.ui.markdown.block_splitter import (
    TABLE_LIMIT,
    TABLE_ROWS,
    Block,
    BlockScanner,
    alignments_of,
    cells_of,
    definitions_of,
    split_blocks,
)
from mnemoscope.ui.markdown.markdown_inline import inline_html
from mnemoscope.ui.markdown.untrusted_text import shortened, tidied

if TYPE_CHECKING:
    from mnemoscope.ui.markdown.code_spans import Span

__all__ = ["Block", "BlockScanner", "render_block", "render_markdown", "split_blocks"]

_HEADING_SIZES: Final = (150, 130, 115, 105, 100, 100)


def render_markdown(
    text: str,
    theme_colours: Mapping[str, str],
    *,
    block_ids: bool = False,
    breaks: bool = False,
) -> str:
    """The HTML body of `text`.

    `theme_colours` maps the theme's roles to `#rrggbb`; roles used: text, text_muted, text_faint, accent, sunken,
    border, success, warning, danger. With `block_ids` each block begins with `<a name="b{line}"></a>`, `line` being its
    first source line counted from 0 (the numbering of `split_blocks` and of `QTextBlock.blockNumber`). `breaks` keeps
    single line ends.
    """
    shown, left_out = shortened(text)
    blocks = list(_whole_tables(split_blocks(tidied(shown))))
    definitions = definitions_of(blocks)
    body = "".join(_nested(blocks, definitions, theme_colours, block_ids, breaks))
    if left_out:
        body += f'<p style="color:{theme_colours["text_muted"]}">… {left_out:,} more characters are not shown here.</p>'
    return body


def _whole_tables(blocks: list[Block]) -> Iterator[Block]:
    """Puts the parts of long tables together again; a table past the limit goes on as text."""
    held: Block | None = None
    for block in blocks:
        if block.kind == "table" and block.part and held is not None and block.part * TABLE_ROWS < TABLE_LIMIT:
            rows = block.text.split("\n")[2:]
            held = replace(held, last_line=block.last_line, text="\n".join([held.text, *rows]))
            continue
        if held is not None:
            yield held
        held = block
    if held is not None:
        yield held


def _nested(
    blocks: list[Block], definitions: Mapping[str, str], colours: Mapping[str, str], block_ids: bool, breaks: bool
) -> Iterator[str]:
    lists: list[str] = []
    for block in blocks:
        if block.kind == "definition":
            continue
        yield from _list_steps(lists, block)
        anchor = f'<a name="b{block.first_line}"></a>' if block_ids else ""
        body = render_block(block, definitions, colours, breaks=breaks, anchor=anchor)
        yield _in_quotes(body, block.quote) if block.kind != "item" else body
    yield from (f"</{name}>" for name in reversed(lists))


def _list_steps(lists: list[str], block: Block) -> Iterator[str]:
    """Opens and closes the lists between the block before and this one."""
    kind = "ol" if block.marker[:1].isdigit() else "ul"
    keep = block.depth
    if block.kind == "item" and len(lists) >= keep and lists[keep - 1 : keep] != [kind]:
        keep -= 1
    while len(lists) > keep:
        yield f"</{lists.pop()}>"
    while block.kind == "item" and len(lists) < block.depth:
        lists.append(kind)
        start = f' start="{int(block.marker[:-1])}"' if kind == "ol" and len(lists) == block.depth else ""
        yield f"<{kind}{start}>"


def render_block(
    block: Block,
    definitions: Mapping[str, str],
    theme_colours: Mapping[str, str],
    *,
    breaks: bool = False,
    anchor: str = "",
) -> str:
    """The HTML of one block; an item is its `<li>` without the list around it."""
    if block.kind == "code":
        return anchor + _code(block, theme_colours)
    if block.kind == "table":
        return anchor + _table(block, definitions, theme_colours)
    if block.kind == "rule":
        return anchor + "<hr>"
    words = anchor + inline_html(block.text, definitions, breaks=breaks)
    if block.kind == "heading":
        size = _HEADING_SIZES[block.level - 1]
        return f'<h{block.level} style="font-size:{size}%;font-weight:600">{words}</h{block.level}>'
    if block.kind == "item":
        box = f"{block.marker} " if block.marker in "☐☑" else ""
        return f"<li>{box}{words}</li>"
    return f"<p>{words}</p>"


def _in_quotes(body: str, quote: int) -> str:
    return "<blockquote>" * quote + body + "</blockquote>" * quote


def _code(block: Block, colours: Mapping[str, str]) -> str:
    from mnemoscope.ui.markdown.code_spans import lines_of_spans  # with Pygments: not before there is code

    lines = block.text.split("\n")
    spans = list(lines_of_spans(block.text, block.info)) or [[] for _ in lines]
    body = "<br>".join(_coloured(line, line_spans, colours) for line, line_spans in zip(lines, spans, strict=False))
    return (
        f'<table width="100%" cellpadding="8" cellspacing="0" bgcolor="{colours["sunken"]}"><tr><td>'
        f'<span style="white-space:pre-wrap;font-family:monospace;color:{colours["text"]}">{body}</span>'
        "</td></tr></table>"
    )


def _coloured(line: str, spans: list[Span], colours: Mapping[str, str]) -> str:
    pieces, at = [], 0
    for span in spans:
        pieces.append(escape(line[at : span.start], quote=False))
        at = span.start + span.length
        style = f"color:{colours[span.role]}" + (";font-style:italic" if span.italic else "")
        pieces.append(f'<span style="{style}">{escape(line[span.start : at], quote=False)}</span>')
    pieces.append(escape(line[at:], quote=False))
    return "".join(pieces)


def _table(block: Block, definitions: Mapping[str, str], colours: Mapping[str, str]) -> str:
    header, delimiters, *rows = block.text.split("\n")
    if block.part:
        return f"<p>{escape(chr(10).join(rows), quote=False).replace(chr(10), '<br>')}</p>"
    sides = alignments_of(delimiters)
    lines = [_row(cells_of(header), sides, definitions, "th")]
    lines += [_row(cells_of(row), sides, definitions, "td") for row in rows]
    return (
        f'<table border="1" cellpadding="6" cellspacing="0" '
        f'style="border-collapse:collapse;border-style:solid;border-color:{colours["border"]}">{"".join(lines)}</table>'
    )


def _row(cells: list[str], sides: list[str], definitions: Mapping[str, str], tag: str) -> str:
    padded = (cells + [""] * len(sides))[: len(sides)]
    return (
        "<tr>"
        + "".join(
            f'<{tag} align="{side}">{inline_html(cell, definitions)}</{tag}>'
            for cell, side in zip(padded, sides, strict=True)
        )
        + "</tr>"
    )
