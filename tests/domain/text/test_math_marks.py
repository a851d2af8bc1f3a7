"""What is a formula in Markdown, and what is money, a path or code."""

import pytest

from mnemoscope.ui.markdown.page.html_writer import formulas_in, html_of
from mnemoscope.ui.markdown.reading.reader import read_text


def formulas_of(text: str) -> list[tuple[str, bool]]:
    pieces = read_text(text, breaks=True)[0]
    cells = [run for piece in pieces for row in piece.table for cell in row for run in cell]
    runs = [*(run for piece in pieces for run in piece.runs), *cells]
    return [(run.text, "display" in run.styles) for run in runs if "math" in run.styles]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is $x^2$ here.", [("$x^2$", False)]),
        (r"So \(a_1 * b_2\), yes", [(r"\(a_1 * b_2\)", False)]),
        ("$n$ and $f(x)$ and $2$", [("$n$", False), ("$f(x)$", False), ("$2$", False)]),
        ("$$x$$", [("$$x$$", True)]),
        (r"\(n\) of \(a/b\)", [(r"\(n\)", False), (r"\(a/b\)", False)]),
        ("$$\n\\frac{a}{b}\n- c\n= d\n$$\nafter", [("$$ \\frac{a}{b} - c = d $$", True)]),
        ("\\[\n a = b\n\\]", [("\\[ a = b \\]", True)]),
        ("words\n\\[\n+ a\n\\]", [("\\[ + a \\]", True)]),
        ("- item $a+b$\n- $$x$$", [("$a+b$", False), ("$$x$$", True)]),
        ("**bold $a_1$**", [("$a_1$", False)]),
        ("| a |\n|---|\n| $x_1$ |", [("$x_1$", False)]),
    ],
)
def test_a_formula_is_known_by_its_marks(text: str, found: list[tuple[str, bool]]) -> None:
    assert formulas_of(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $10.",
        "between $5 and 6$",
        "$5-$10, US$ and A$",
        "$HOME/$USER and $PATH:$HOME",
        "`$x^2$`",
        "```\n$x^2$\n```",
        r"\$x^2\$",
        "$ x^2 $",
        "$x^2",
        "$$\nopen\n\nnext",
        "$" + "x^" * 1_500 + "$",
        "$\n$",
        r"\(\)",
        r"\[not a link\] and \(an aside\)",
        r"a list\[index\] of it",
    ],
)
def test_what_is_none_stays_as_it_is(text: str) -> None:
    assert formulas_of(text) == []


def test_a_formula_that_is_never_closed_takes_no_list_below_it_along() -> None:
    kinds = [piece.kind for piece in read_text("$$\nopen\n\n- one\n- two")[0]]
    assert kinds == ["words", "item", "item"]


def test_in_a_page_a_formula_is_an_image_or_its_source_as_code() -> None:
    text = r"So $a<b$ and $\x$."
    assert list(formulas_in(text)) == [("$a<b$", False), (r"$\x$", False)]
    assert "<code>$a&lt;b$</code>" in html_of(text)
    page = html_of(text, lambda source, display: {"src": "data:x"} if "<" in source else None)
    assert '<img src="data:x" alt="$a<b$" class="formula"> and <code>' in page
