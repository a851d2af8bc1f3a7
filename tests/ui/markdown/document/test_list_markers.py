"""A list's marker stands where the lines of its item begin."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import Qt

from mnemoscope.ui.markdown.document.text_style import LIST_INDENT
from tests.ui.markdown.document.painted_text import WIDTH, document_of, inked_columns

ARABIC = "\u0645\u0631\u062d\u0628\u0627 \u0628\u0643"


@pytest.mark.parametrize("marker", ["- ", "1. ", "- [x] "])
@pytest.mark.usefixtures("qapp")
def test_the_marker_stands_where_the_lines_begin(marker: str) -> None:
    latin, arabic = (inked_columns(document_of(f"{marker}{words}")) for words in ("words", ARABIC))
    assert latin
    assert max(latin) < LIST_INDENT
    assert arabic
    assert min(arabic) >= WIDTH - LIST_INDENT


@pytest.mark.usefixtures("qapp")
def test_deeper_items_are_set_in_from_the_right() -> None:
    document = document_of(f"- {ARABIC}\n  - {ARABIC}\n    - {ARABIC}")
    block, ends = document.firstBlock(), []
    while block.isValid():
        assert block.textDirection() == Qt.LayoutDirection.RightToLeft
        assert block.blockFormat().leftMargin() == 0
        line = block.layout().lineAt(0).naturalTextRect()
        ends.append(WIDTH - line.right() - block.blockFormat().leftMargin())
        block = block.next()
    assert len(ends) == 3
    assert all(second - first == pytest.approx(LIST_INDENT, abs=1) for first, second in pairwise(ends))


@pytest.mark.usefixtures("qapp")
def test_the_first_letter_decides() -> None:
    for words, mirrored in ((f"(1) {ARABIC} words", True), (f"words {ARABIC}", False)):
        document = document_of(f"- {words}")
        block = document.firstBlock()
        assert (block.blockFormat().rightMargin() > 0) is mirrored
        assert (block.textDirection() == Qt.LayoutDirection.RightToLeft) is mirrored
