"""Which lines are headings, rules and items, for the reader and for the editor."""

import re

import pytest

from mnemoscope.domain.memory.facts import heading_title
from mnemoscope.ui.markdown.reading.block_splitter import split_blocks
from mnemoscope.ui.markdown.reading.line_patterns import HEADING, ITEM_MARK, RULE, TASK_BOX, heading_of


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# Home", (1, "Home")),
        ("   ###### six  ", (6, "six")),
        ("## Garden ##", (2, "Garden")),
        ("## Garden \t####\t", (2, "Garden")),
        ("# C#", (1, "C#")),
        ("# a \\#", (1, "a \\#")),
        ("# #tag", (1, "#tag")),
        ("#\ttea", (1, "tea")),
        ("##", (2, "")),
        ("#  ", (1, "")),
        ("### ###", (3, "")),
        ("####### seven", None),
        ("#hashtag", None),
        ("#\u00a0tea", None),
        ("    # indented", None),
        ("tea # pot", None),
        ("", None),
    ],
)
def test_these_lines_are_headings_and_these_are_none(line: str, heading: tuple[int, str] | None) -> None:
    assert heading_of(line) == heading
    assert (HEADING.match(line) is not None) == (heading is not None)
    assert (heading_title(line) is not None) == (heading is not None)


def test_a_heading_without_words_ends_a_paragraph_as_any_other_does() -> None:
    blocks = [(block.kind, block.level, block.text) for block in split_blocks("tea\n##\nmore")]
    assert blocks == [("paragraph", 0, "tea"), ("heading", 2, ""), ("paragraph", 0, "more")]


@pytest.mark.parametrize("line", ["---", "* * *", "_____", "   - - -  "])
def test_these_lines_are_rules(line: str) -> None:
    assert RULE.match(line)


@pytest.mark.parametrize("line", ["--", "- - x", "-*-", "    ---", "===", "--- x"])
def test_these_lines_are_none(line: str) -> None:
    assert not RULE.match(line)


def test_an_item_has_a_bullet_or_a_number_and_a_task_a_box() -> None:
    marks = ["-", "*", "+", "1.", "123456789)", "1234567890.", "a.", "•", "1"]
    assert [mark for mark in marks if re.fullmatch(ITEM_MARK, mark)] == ["-", "*", "+", "1.", "123456789)"]
    assert [box for box in ["[ ]", "[x]", "[X]", "[]", "[-]"] if re.fullmatch(TASK_BOX, box)] == ["[ ]", "[x]", "[X]"]
