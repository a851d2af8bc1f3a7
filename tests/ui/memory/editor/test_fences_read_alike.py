"""Core, editor and preview read the code fences of a text alike.

What a prompt takes for code, what the editor colours as code and what the preview shows as code are the same lines.
The core and the editor know a fence only at the beginning of its line, at any indentation. The reader knows it behind
the mark of a quotation or an item, too; there it reads what stands behind the marks as the core reads it without them.
"""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication, QPlainTextDocumentLayout

from mnemoscope.domain.text.fences import parts_of
from mnemoscope.ui.markdown.reading.block_splitter import BlockSplitter
from mnemoscope.ui.markdown.reading.reader import read_text
from mnemoscope.ui.memory.editor.markdown_highlighter import MarkdownHighlighter, fence_state, fenced_lines, tokens

Parts = list[str]
"""For each line: text, fence or code."""

FENCES = [
    "```",
    "~~~",
    "````",
    "~~~~~",
    "``",
    "~~",
    "```python",
    "``` python title=`x`",
    "~~~ a`b",
    "~~~ ~~~",
    "``` ~~~",
    "```a`b```",
    "``` |",
    "~~~ |a|b|",
    "`~`",
    "``~",
    "~~~`",
    "```~",
    "\\```",
    "text ```",
    "```   ",
    "~~~\t",
    "\t```",
    "\u00a0```",
    "```\u00a0",
    "\u200b```",
    "```\u200b",
    "\x0b~~~",
]
"""Lines that are fences or only look like one."""
INDENTED = [f"{' ' * indent}{mark}" for indent in range(1, 6) for mark in ("```", "~~~ a`b", "~~~")]
OTHERS = [
    "",
    "   ",
    "text",
    "more  ",
    "    indented",
    "\tindented",
    "# Heading",
    "##",
    "---",
    "===",
    "- item",
    "  words of the item",
    "  - item in it",
    "12. item",
    "|a|b|",
    "|-|-|",
    "term",
    ": meaning",
    "$$",
    "\\[",
    "[^1]: note",
    "[name]: https://example.org",
]
"""Lines that begin or go on with every other kind of block."""

EXAMPLES = [
    ("~~~ a`b", "code", "~~~", "after"),
    ("```a`b", "text", "```", "code"),
    ("````", "```", "~~~~", "```` no end", "`````", "after"),
    ("~~~~", "~~~", "  ~~~~~  ", "after"),
    ("    ```", "code", "    ```", "after"),
    ("```", "code", "    ```", "after"),
    ("    indented", "    ```", "code", "    ```", "after"),
    ("\u00a0```", "code", "```\u00a0", "after"),
    ("\u200b```", "text"),
    ("```", "code", "```\u200b", "code"),
    ("|a|b|", "|-|-|", "|c|d|", "``` |", "|code|", "```", "after"),
    ("term", ": meaning", "```", "code", "```", "after"),
    ("$$", "x", "~~~ `", "code", "~~~", "after"),
    ("paragraph", "~~~ `x`", "code", "~~~", "paragraph"),
    ("- item", "  ~~~ `x`", "  code", "code too", "  ~~~", "after"),
    ("- item", "  - item", "    ```", "    ~~~", "    ```", "  words"),
    ("- item", "\t```", "code", "\t```", "words"),
    ("[^1]: note", "    ~~~ a`b", "    code", "    ~~~", "after"),
    ("```", "never closed", "", "# code"),
    ("~~~ `", ""),
    ("text", "```"),
]


def core_parts(lines: Sequence[str]) -> Parts:
    return [part for _, part in parts_of(lines)]


def splitter_parts(lines: Sequence[str]) -> Parts:
    splitter = BlockSplitter()
    parts = []
    for line in lines:
        before = splitter.in_code
        splitter.feed(line)
        parts.append(_part(before, splitter.in_code))
    return parts


def state_parts(lines: Sequence[str]) -> Parts:
    state, parts = 0, []
    for line in lines:
        before, state = state, fence_state(line, state)
        parts.append(_part(before != 0, state != 0))
    return parts


def loaded_parts(lines: Sequence[str]) -> Parts:
    text = "\n".join(lines)
    opened = {line for first, stop, _ in fenced_lines(text) for line in range(first, stop)}
    return [_part(line - 1 in opened, line in opened) for line in range(len(lines))]


def _part(before: bool, after: bool) -> str:
    return "text" if not before and not after else "code" if before and after else "fence"


def code_of(lines: Sequence[str]) -> list[str]:
    """Returns the lines of code in a text, without what blanks and marks stand around them."""
    return [line.strip() for line, part in parts_of(lines) if part == "code"]


@pytest.mark.parametrize("lines", EXAMPLES, ids=lambda lines: "/".join(lines))
def test_hostile_fences_are_read_alike(lines: tuple[str, ...]) -> None:
    expected = core_parts(lines)
    assert splitter_parts(lines) == expected
    assert state_parts(lines) == expected
    assert loaded_parts(lines) == expected


def test_a_fence_of_tildes_may_have_backticks_behind_it() -> None:
    lines = ("~~~ a`b", "code", "~~~", "after")
    assert splitter_parts(lines) == state_parts(lines) == core_parts(lines) == ["fence", "code", "fence", "text"]
    code, after = read_text("\n".join(lines))[0]
    assert (code.kind, code.info, code.code) == ("code", "a`b", "code")
    assert (after.kind, "".join(run.text for run in after.runs)) == ("words", "after")


@given(st.lists(st.sampled_from([*FENCES, *INDENTED, *OTHERS]), max_size=12))
def test_fences_are_read_alike_whatever_stands_around_them(lines: list[str]) -> None:
    expected = core_parts(lines)
    assert splitter_parts(lines) == expected
    assert state_parts(lines) == expected
    assert loaded_parts(lines) == expected


@given(st.lists(st.sampled_from([*FENCES, *INDENTED, "text", "# Heading", ""]), max_size=12))
def test_a_quotation_and_an_item_hold_the_fences_that_their_text_has_alone(lines: list[str]) -> None:
    # Nothing but the fences may differ: a control is shown by its stand-in, and a line of an item stands in its column.
    lines = [re.sub("[\x0b\t]", " ", line) for line in lines]
    expected = [line for line in code_of(lines) if line]
    quoted = [f"> {line}" for line in lines]
    in_item = ["- item", *(f"  {line}" for line in lines)]
    for text, mark in ((quoted, "> "), (in_item, "")):
        pieces = [piece for piece in read_text("\n".join(text))[0] if piece.kind == "code"]
        inside = [line for piece in pieces if _opens(text[piece.first_line], mark) for line in piece.code.split("\n")]
        assert [line.strip() for line in inside if line.strip()] == expected, text


def _opens(line: str, mark: str) -> bool:
    return core_parts([line.removeprefix(mark)]) == ["fence"]


@pytest.mark.parametrize("first", ["> ~~~ a`b", "- ~~~ a`b", "3. ```"])
def test_the_reader_alone_knows_a_fence_behind_a_mark(first: str) -> None:
    mark = "> " if first.startswith(">") else "   "
    last = "```" if "```" in first else "~~~"
    lines = [first, f"{mark}code", f"{mark}{last}", "", "after"]
    assert splitter_parts(lines) == ["fence", "code", "fence", "text", "text"]
    assert core_parts(lines)[0] == state_parts(lines)[0] == "text"


@pytest.mark.parametrize("lines", EXAMPLES, ids=lambda lines: "/".join(lines))
def test_the_editor_colours_fences_and_code_as_the_core_reads_them(qapp: QApplication, lines: tuple[str, ...]) -> None:
    document = QTextDocument()
    document.setDocumentLayout(QPlainTextDocumentLayout(document))
    highlighter = MarkdownHighlighter(document)
    text = "\n".join(lines)
    with highlighter.loading(text):
        document.setPlainText(text)
    state = 0
    for number, part in enumerate(core_parts(lines)):
        block = document.findBlockByNumber(number)
        assert highlighter.is_fenced(block) == (state != 0)
        styles = [style for _, _, style in tokens(block.text(), state)]
        assert (styles == ["block"]) == (part == "code" and block.text() != "")
        assert styles == ["mark"] or part != "fence"
        state = fence_state(block.text(), state)
