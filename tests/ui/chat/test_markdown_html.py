"""What untrusted Markdown is turned into."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mnemoscope.ui.markdown.block_splitter import TABLE_ROWS, BlockScanner
from mnemoscope.ui.markdown.code_spans import lines_of_spans
from mnemoscope.ui.markdown.inline_runs import Run, runs_of
from mnemoscope.ui.markdown.link_address import inspect_link
from mnemoscope.ui.markdown.markdown_html import render_markdown, split_blocks
from mnemoscope.ui.markdown.markdown_inline import simple_html
from mnemoscope.ui.markdown.markdown_parser import parsed_html
from mnemoscope.ui.markdown.untrusted_text import tidied
from mnemoscope.ui.widgets.theme import DARK, LIGHT
from tests.support.own_time import at_most

CORPUS = json.loads((Path(__file__).parents[2] / "corpus" / "markdown.json").read_text(encoding="utf-8"))["cases"]
GENERATED = {
    "1 MB unbroken": "a" * 1_000_000,
    "50k brackets": "[" * 50_000,
    "20k entities": "&amp;" * 20_000,
    "5000-row table": "|a|b|\n|-|-|\n" + "|x|y|\n" * 5_000,
}


def source_of(case: dict[str, str]) -> str:
    return case["markdown"] if "markdown" in case else GENERATED[case["case"]]


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case["case"])
def test_every_case_of_the_corpus_is_rendered_in_time_and_loads_nothing(case: dict[str, str]) -> None:
    with at_most(1.0):
        made = render_markdown(source_of(case), LIGHT)
    assert not re.search(r"<(img|script|iframe|svg|meta|form|input|object|style|link)\b", made)
    for href in re.findall(r'href="([^"]*)"', made):
        assert inspect_link(href).kind != "blocked"


@pytest.mark.parametrize(
    "case", [case for case in CORPUS if case["expect"] in ("text", "shown as text", "visible text")]
)
def test_raw_html_is_shown_as_text(case: dict[str, str]) -> None:
    made = render_markdown(case["markdown"], LIGHT)
    assert "&lt;" in made
    assert re.sub(r"<[^>]*>", "", made).startswith("&lt;")


@pytest.mark.parametrize(
    "case", [case for case in CORPUS if case["expect"] == "click blocked"], ids=lambda c: c["case"]
)
def test_other_schemes_are_words_without_a_link(case: dict[str, str]) -> None:
    assert "href" not in render_markdown(case["markdown"], LIGHT)


def test_an_image_is_its_description() -> None:
    assert "[image: a]" in render_markdown("![a](https://evil.example/p?d=SECRET)", LIGHT)


def test_a_nul_is_a_replacement_character_and_reordering_marks_are_gone() -> None:
    assert tidied("a\0b") == "a\ufffdb"
    assert tidied("safe\u202egpj.exe") == "safegpj.exe"
    assert tidied("a\r\nb\rc\u2028d") == "a\nb\nc\nd"


def test_an_overlong_run_is_broken_every_2000_characters() -> None:
    assert max(map(len, tidied("x" * 9_000).split("\u200b"))) == 2_000


@pytest.mark.parametrize(
    "knot", ["*a ", "`", "_a", "![a](b", "<a", "[a](", "**a", "> ", "- ", "\\", "||", "(", "http://"]
)
def test_text_tied_into_knots_is_rendered_in_time(knot: str) -> None:
    with at_most(1.0):
        render_markdown(knot * 20_000, LIGHT)


def test_a_spoofed_user_name_is_not_taken_for_the_host() -> None:
    found = inspect_link("https://bank.example@evil.example/")
    assert found.host == "evil.example"
    assert "bank.example" not in found.target
    assert (found.warnings[0].kind, found.warnings[0].about) == ("user", "bank.example")


def test_letters_of_other_alphabets_are_shown_as_they_are_looked_up() -> None:
    found = inspect_link("https://аpple.example/")
    assert found.host.startswith("xn--")
    assert found.shown == f"https://{found.host}/"


@pytest.mark.parametrize(
    "href", ["https://a b/", "https://x\\y/", "//host/x", "https://", "https://h:99999/", "HTTPS:", "mailto:x"]
)
def test_malformed_addresses_are_blocked(href: str) -> None:
    assert inspect_link(href).kind == "blocked"


def test_blocks_know_their_lines_their_depth_and_their_kind() -> None:
    text = "# T\n\npara\nmore\n\n1. one\n   ```py\n   x\n   ```\n  - in\n> q\n\n|a|b|\n|-|-|\n|1|2|\n---\n"
    found = [(block.first_line, block.last_line, block.kind, block.depth, block.quote) for block in split_blocks(text)]
    assert found == [
        (0, 0, "heading", 0, 0),
        (2, 3, "paragraph", 0, 0),
        (5, 5, "item", 1, 0),
        (6, 8, "code", 1, 0),
        (9, 9, "item", 2, 0),
        (10, 10, "paragraph", 0, 1),
        (12, 14, "table", 0, 0),
        (15, 15, "rule", 0, 0),
    ]


def test_blocks_fed_line_by_line_are_those_of_the_whole_text() -> None:
    text = "\n\n".join(
        ["# H", "a\nb", "- x\n  y\n- z", "```\ncode\n\nmore\n```", "> q\nlazy", "|a|\n|-|\n" + "|x|\n" * 60]
    )
    scanner = BlockScanner()
    closed = []
    for line in text.split("\n"):
        scanner.peek(line[: len(line) // 2])
        closed += scanner.feed(line)
    assert closed + scanner.finish() == split_blocks(text)


def test_a_long_table_is_cut_into_parts_that_agree_on_their_header() -> None:
    parts = split_blocks("|a|\n|-|\n" + "|x|\n" * (TABLE_ROWS + 3))
    assert [part.continued for part in parts] == [True, False]
    assert parts[1].text.split("\n")[:2] == ["|a|", "|-|"]
    assert render_markdown("|a|\n|-|\n" + "|x|\n" * (TABLE_ROWS + 3), LIGHT).count("<table") == 1


def test_reference_links_find_their_definition_wherever_it_is() -> None:
    assert 'href="https://x.example/"' in render_markdown("See [it][r].\n\n[r]: https://x.example/", LIGHT)


def test_block_ids_name_source_lines() -> None:
    assert re.findall(r'name="b(\d+)"', render_markdown("# A\n\nb\n\n- c\n- d\n", LIGHT, block_ids=True)) == list(
        "0245"
    )


def test_single_line_ends_are_kept_only_where_asked() -> None:
    assert "<br" not in render_markdown("a\nb", LIGHT)
    assert "<br" in render_markdown("a\nb", LIGHT, breaks=True)


def test_code_is_coloured_by_roles_of_the_theme() -> None:
    light, dark = (render_markdown("```python\nreturn 1\n```", colours) for colours in (LIGHT, DARK))
    assert LIGHT["accent"] in light
    assert DARK["accent"] in dark
    assert [span.role for span in next(iter(lines_of_spans("return 1", "python")))] == ["accent", "warning"]


def test_paragraphs_of_one_quotation_are_told_from_those_of_two() -> None:
    assert [block.quotation for block in split_blocks("> a\n>\n> b\n>> c")] == [1, 1, 1]
    assert [block.quotation for block in split_blocks("> a\n\n> b\n\nc")] == [1, 2, 0]


@given(st.text(alphabet="ab *`!>\"'#+-.1é", min_size=1, max_size=24))
@example("a **b** c *d* `e*f`!")
@example("`a``b`")
@example("*a***b**")
@settings(max_examples=1_000, deadline=None)
def test_simple_marks_are_read_as_the_parser_reads_them(text: str) -> None:
    simple = simple_html(text)
    assert simple is None or simple == parsed_html(text, (), breaks=True)


def test_simple_marks_need_no_parser() -> None:
    shown = simple_html("Say **what** is *in* `MUG-C`, if 1 > 0!")
    assert shown == "Say <strong>what</strong> is <em>in</em> <code>MUG-C</code>, if 1 &gt; 0!"
    assert simple_html("a [link](https://example.org)") is None


def test_sanitised_html_is_read_as_runs_of_text() -> None:
    assert runs_of(
        'a <strong>b <em>c</em></strong><br>&lt;d&gt; &amp;lt; <a href="https://e.org/?a=1&amp;b=2">e</a>'
    ) == (
        Run("a "),
        Run("b ", frozenset({"bold"})),
        Run("c", frozenset({"bold", "italic"})),
        Run("\u2028"),
        Run("<d> &lt; "),
        Run("e", href="https://e.org/?a=1&b=2"),
    )


EXPECTED = """
import sys, threading, time
from mnemoscope.ui.markdown.markdown_inline import PARSER, expect_marks, inline_html

class Watching:
    names = []
    def find_spec(self, name, path=None, target=None):
        if threading.current_thread() is threading.main_thread():
            self.names.append(name)

assert PARSER not in sys.modules
sys.meta_path.insert(0, Watching())
expect_marks()
for loading in [each for each in threading.enumerate() if each.name == "markdown"]:
    loading.join()
assert PARSER in sys.modules
print(inline_html("see [docs](https://example.org)"))
print(*Watching.names)
"""


def test_the_parser_is_loaded_beside_the_window_once_an_answer_begins() -> None:
    done = subprocess.run([sys.executable, "-c", EXPECTED], capture_output=True, text=True, timeout=60, check=True)
    html, loaded = done.stdout.split("\n", 1)
    assert '<a href="https://example.org"' in html
    assert loaded.split() == []
