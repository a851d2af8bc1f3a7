"""Markdown outside of the window is HTML of our own: whatever a text holds, no tag of it is one there."""

from html.parser import HTMLParser

import pytest

from mnemoscope.ui.markdown.page.html_writer import html_of
from mnemoscope.ui.markdown.reading.link_address import may_be_clicked
from tests.ui.markdown.reading.test_reader import CORPUS, source_of

TAGS = {
    "a", "blockquote", "br", "code", "dd", "del", "div", "dl", "dt", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
    "li", "ol", "p", "pre", "span", "strong", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip


class Page(HTMLParser):
    """Collects the tags, the addresses and the words of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.addresses: list[str] = []
        self.words = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        self.addresses += [value or "" for name, value in attrs if name == "href"]

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case["case"])
def test_a_hostile_text_becomes_no_tag_and_no_address_of_its_own(case: dict[str, str]) -> None:
    page = Page(html_of(source_of(case)))
    assert page.tags <= TAGS
    assert page.names <= {"align", "href", "style", "value"}
    assert all(map(may_be_clicked, page.addresses))


def test_html_in_a_text_is_shown_as_it_is_written() -> None:
    written = '<script>alert("1")</script> <img src=x onerror=y> &lt;b&gt; </div>'
    page = Page(html_of(written))
    assert page.tags == {"div", "p"}
    assert '<script>alert("1")</script> <img src=x onerror=y> <b> </div>' in page.words


def test_what_is_too_long_is_all_there() -> None:
    page = Page(html_of("**word** \n" * 30_000 + "<end>"))
    assert page.words.count("word") == 30_000
    assert page.words.endswith("<end>")
    assert "pre" in page.tags


def test_tasks_and_notes_are_told_in_words() -> None:
    page = Page(html_of("- [x] done\n- [ ] open[^1]\n\n[^1]: the note"))
    assert "☑ done" in page.words
    assert "☐ open" in page.words
    assert "1. the note" in page.words


def test_what_is_nested_too_deep_is_shown_as_it_is_written() -> None:
    deep = "*_" * 350 + "x" + "_*" * 350
    assert "x" in Page(html_of(deep)).words


def test_a_link_with_words_of_its_own_is_followed_by_its_address_for_paper() -> None:
    written = "[Kilns **now**](https://example.org/k) then <a@example.org> and https://example.org."
    assert "(https" not in html_of(written)
    page = html_of(written, addresses=True)
    assert page.count('class="address"') == 1
    assert '</a><span class="address"> (https://example.org/k)</span> then ' in page
