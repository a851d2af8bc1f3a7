"""Markdown as plain words, and Markdown that was broken off."""

import pytest

from mnemoscope.domain.conversation.message import first_words
from mnemoscope.domain.text.one_line_text import one_line_text, with_closed_marks
from tests.support.own_time import at_most

WORDS = {
    "**bold** and *italic* and __both__ _of_ them": "bold and italic and both of them",
    "***all*** at ~~once~~": "all at once",
    "## A heading\n\nand its text": "A heading and its text",
    "- milk\n* eggs\n+ [x] bread\n1. first": "milk eggs bread 1. first",
    "> a *quote*\n> goes on": "a quote goes on",
    "See [the page](https://example.org/a_(b)) and ![a plan](x.png)": "See the page and a plan",
    "[text][ref] at <https://example.org>": "text at https://example.org",
    "Run `a*b*c` and ``x ` y``": "Run a*b*c and x ` y",
    "```python\nx = a * b * c\n```\nDone": "x = a * b * c Done",
    "| a | b |\n|---|:-:|\n| 1 | *2* |": "a b 1 2",
    "one\n\n---\n\ntwo": "one two",
    "\\*not\\* marked": "*not* marked",
    r"So $\frac{a_1}{b_1}$ and \(a*b*c\)": r"So \frac{a_1}{b_1} and a*b*c",
    "Then\n\n$$\nx^2 + y\n$$\n\nor\n\\[\nz_i\n\\]": "Then x^2 + y or z_i",
    "$5 and $10 for `$x^2$`": "$5 and $10 for $x^2$",
}
UNTOUCHED = [
    "2 * 3 * 4 = 24",
    "all *.py and *.md files",
    "snake_case_name and __init__.py",
    "def f(*args, **kwargs)",
    "a ~ b, ~/notes and 50 % of [this]",
    "C:\\Users\\me",
    "it's 5 > 4, - 3",
]


@pytest.mark.parametrize("source", WORDS)
def test_marks_are_left_off(source: str) -> None:
    assert one_line_text(source) == WORDS[source]


@pytest.mark.parametrize("words", UNTOUCHED)
def test_words_that_only_look_like_marks_stay(words: str) -> None:
    assert one_line_text(words) == words


@pytest.mark.parametrize(
    ("cut", "whole"),
    [
        ("The kiln is **blue", "The kiln is **blue**"),
        ("The kiln is **blue*", "The kiln is **blue**"),
        ("The kiln is **", "The kiln is"),
        ("Set `pool_si", "Set `pool_si`"),
        ("See [the page](https://exa", "See the page"),
        ("**Done.** And *then", "**Done.** And *then*"),
        ("```\nx = **y", "```\nx = **y"),
        ("* an item", "* an item"),
        ("2 * 3", "2 * 3"),
        ("all *.py", "all *.py"),
        ("**Done.** It `works`.", "**Done.** It `works`."),
    ],
)
def test_what_was_broken_off_is_brought_to_an_end(cut: str, whole: str) -> None:
    assert with_closed_marks(cut) == whole
    assert with_closed_marks(whole) == whole


def test_a_messages_first_words_are_plain_and_a_tools_are_as_they_are() -> None:
    assert first_words({"role": "assistant", "content": "- **Kiln**: 1240 °C"}) == "Kiln: 1240 °C"
    assert first_words({"role": "assistant", "content": "It is **blue", "interrupted": True}) == "It is blue"
    assert first_words({"role": "assistant", "content": f"**{'Kiln ' * 40}**"}, 20) == "Kiln Kiln Kiln Kiln "
    assert first_words({"role": "assistant", "content": "在*设置*的*记忆*中，2*3*4"}) == "在设置的记忆中，2*3*4"
    assert first_words({"role": "tool", "content": "# notes\n*.md"}) == "# notes *.md"
    assert first_words({"role": "user", "content": "/memory **x**", "_command": True}) == "/memory **x**"
    assert first_words({"role": "user", "content": "**"}) == "**"


@pytest.mark.parametrize("knot", ["*" * 700, "**a" * 250, "`" * 700, "[" * 700, "_a" * 350, "[a](" * 170, "|-" * 350])
def test_a_knot_of_marks_costs_no_time(knot: str) -> None:
    with at_most(0.1):
        one_line_text(knot)
        with_closed_marks(knot)
