"""The manual's pages: all are listed, whole, and tied to each other by links that lead somewhere."""

import re
from typing import Any

import pytest
from PySide6.QtGui import QKeySequence, QTextDocument
from PySide6.QtWidgets import QApplication

from mnemoscope.store.files.shipped import shipped
from mnemoscope.ui.manual.manual import FIRST_PAGE, Manual, PageLink, heading_slug, read_inner_link, with_inner_links
from mnemoscope.ui.manual.manual_search import ManualSearch, passages_of
from mnemoscope.ui.manual.manual_window import write_page
from mnemoscope.ui.shell.help.window_keys import KEY_TABLES
from mnemoscope.ui.widgets.accessibility.part_keys import PartKeys, chord
from tests.documents.generated import with_table
from tests.documents.key_tables import PLACES, keys_table
from tests.documents.window_commands import every_command, window_table

FOLDER = shipped("resources", "manual")
NAMES = sorted(path.stem for path in FOLDER.glob("*.md"))
WORD = re.compile(r"[^\W_]+")
KEYS = re.compile(r"(?:(?:Ctrl|Alt|Shift|Meta)\+)+(?:F\d+|[A-Z][a-z]\w*|[A-Z0-9?,+=/-])|\bF[1-9]\d?\b")
"""Keys as the manual writes them: Ctrl+K, Shift+F10, F2."""


@pytest.fixture
def manual(qapp: QApplication) -> Manual:
    return Manual(FOLDER)


@pytest.fixture
def search(manual: Manual) -> ManualSearch:
    found = ManualSearch()
    for page in manual.pages.values():
        found.add(page, document_of(manual, page.name))
    return found


def document_of(manual: Manual, name: str) -> QTextDocument:
    document = QTextDocument()
    write_page(document, manual.pages[name])
    return document


def links_of(document: QTextDocument) -> list[str]:
    """Returns the addresses of the links in a document, in order."""
    found = []
    block = document.begin()
    while block.isValid():
        step = block.begin()
        while not step.atEnd():
            if address := step.fragment().charFormat().anchorHref():
                found.append(address)
            step += 1
        block = block.next()
    return list(dict.fromkeys(found))


def headings_of(manual: Manual, name: str) -> set[str]:
    passages = passages_of(manual.pages[name], document_of(manual, name))
    return {heading_slug(each.text) for each in passages if each.is_heading}


def test_each_word_stands_once_and_in_its_place() -> None:
    rows = re.findall(r"^\| (.+?) \| .+ \|$", (FOLDER / "words.md").read_text("utf-8"), re.MULTILINE)
    words = [row.lower() for row in rows if row != "word"]
    assert words == sorted(set(words))
    assert len(words) > 30
    texts = {name: (FOLDER / f"{name}.md").read_text("utf-8").lower() for name in NAMES}
    assert [name for name, text in texts.items() if "suggestion" in text.replace("suggestions/", "")] == []


def test_no_page_says_a_sentence_twice() -> None:
    for name in NAMES:
        prose = " ".join(line for line in (FOLDER / f"{name}.md").read_text("utf-8").split("\n") if "|" not in line)
        said = [each.strip() for each in re.split(r"(?<=[.!?])\s", prose) if len(each) > 40]
        assert [each for each in said if said.count(each) > 1] == [], name


def test_the_first_page_lists_every_page(manual: Manual) -> None:
    assert sorted(manual.pages) == NAMES
    assert next(iter(manual.pages)) == FIRST_PAGE


def test_each_page_has_a_title_of_its_own_and_stands_in_a_chapter(manual: Manual) -> None:
    titles = [page.title for page in manual.pages.values()]
    assert len(set(titles)) == len(titles)
    assert [page.name for page in manual.pages.values() if not page.chapter] == [FIRST_PAGE]


def test_the_first_page_says_that_the_manual_is_in_english(manual: Manual) -> None:
    assert "in English only" in manual.pages[FIRST_PAGE].text


def test_the_table_of_commands_is_what_the_window_has() -> None:
    text = (FOLDER / "commands.md").read_text(encoding="utf-8")
    assert text == with_table(text, "window", window_table()), "run `python -m tests.documents`"


@pytest.mark.parametrize(("page", "name", "tables"), PLACES, ids=lambda given: given if isinstance(given, str) else "")
def test_a_table_of_keys_is_what_the_parts_of_the_window_answer(
    page: str, name: str, tables: tuple[PartKeys[Any], ...]
) -> None:
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    assert text == with_table(text, name, keys_table(page, tables)), "run `python -m tests.documents`"


@pytest.mark.parametrize("name", NAMES)
def test_no_other_table_lists_keys(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text("utf-8")
    by_hand = re.sub(r"<!-- generated: .*?<!-- end -->", "", text, flags=re.DOTALL)
    first_cells = re.findall(r"^\| ([^|]+) \|", by_hand, re.MULTILINE)
    assert [cell for cell in first_cells if cell in ("keys", "Enter", "Esc", "Del") or KEYS.fullmatch(cell)] == []


@pytest.mark.parametrize("name", NAMES)
def test_keys_that_a_page_names_are_keys_of_the_window(name: str) -> None:
    own = {keys for command in every_command() for keys in command.shortcuts}
    own |= {key for table in KEY_TABLES for keys, _ in table.rows() for key in keys}
    known = {chord(QKeySequence(keys)) for keys in own}
    named = KEYS.findall((FOLDER / f"{name}.md").read_text("utf-8"))
    assert [keys for keys in named if chord(QKeySequence(keys)) not in known] == []


def test_the_panes_are_listed_in_the_order_of_their_keys() -> None:
    panes = [command for command in every_command() if command.id.startswith("pane.")]
    assert [command.shortcuts[0] for command in panes] == [f"Ctrl+{at}" for at in range(1, len(panes) + 1)]
    listed = re.findall(r"^  - \[\w+\]\((\w+)\.md\)", (FOLDER / "first-steps.md").read_text("utf-8"), re.MULTILINE)
    assert [f"pane.{name}" for name in listed] == [command.id for command in panes]


@pytest.mark.parametrize("name", NAMES)
def test_every_link_to_a_page_resolves(manual: Manual, name: str) -> None:
    document = document_of(manual, name)
    written = re.findall(r"\]\(([a-z-]+\.md)?(#[^)]*)?\)", manual.pages[name].text)
    links = [link for link in map(read_inner_link, links_of(document)) if link is not None]
    assert len(links) == len(set(written))
    for link in links:
        target = link.page or name
        assert target in manual.pages, link
        assert not link.heading or link.heading in headings_of(manual, target), link


@pytest.mark.parametrize("name", NAMES)
def test_no_page_is_cut(manual: Manual, name: str) -> None:
    page = manual.pages[name]
    shown = WORD.findall(document_of(manual, name).toPlainText())
    source = re.sub(r"\]\([^)]*\)|^```\w+$|^\d+\. ", " ", page.text, flags=re.MULTILINE)
    assert shown == WORD.findall(source)


@pytest.mark.parametrize("name", NAMES)
def test_no_mark_of_markdown_is_left_on_a_page(manual: Manual, name: str) -> None:
    prose = "\n".join(
        each.text for each in passages_of(manual.pages[name], document_of(manual, name)) if "`" not in each.text
    )
    assert re.findall(r"\*\*|\]\(|^#+ |<!--|\|---", prose, re.MULTILINE) == []


def test_a_page_written_again_has_its_blocks_where_they_were(manual: Manual) -> None:
    first, second = (passages_of(manual.pages["timeline"], document_of(manual, "timeline")) for _ in range(2))
    assert first == second


def test_an_address_inside_the_manual_is_told_from_one_outside() -> None:
    assert with_inner_links("[a](chat.md) [b](files.md#yours)") == "[a](#chat#) [b](#files#yours)"
    assert read_inner_link("#files#yours") == PageLink("files", "yours")
    assert read_inner_link("#chat#") == PageLink("chat")
    assert read_inner_link("#yours") == PageLink("", "yours")
    assert read_inner_link("https://example.org/#a") is None


def test_words_are_found_on_all_pages_in_any_order(search: ManualSearch) -> None:
    pages = {passage.page.name for passage in search.find("memory.md").passages}
    assert {"memory", "files", "memory-systems"} < pages
    assert search.find("kiln fires").passages == search.find("fires kiln").passages != []


def test_a_heading_stands_before_the_text(search: ManualSearch) -> None:
    found = search.find("versions").passages
    kinds = [passage.is_heading for passage in found]
    assert kinds == sorted(kinds, reverse=True)
    assert found[0].page.name == "versions"


def test_a_row_of_a_table_is_one_passage(search: ManualSearch) -> None:
    row = next(each for each in search.find("rename the conversation").passages if each.page.name == "conversations")
    assert row.text == "F2 · rename the conversation"


def test_words_of_a_section_that_no_passage_holds_together_lead_to_its_heading(search: ManualSearch) -> None:
    found = search.find("bubblewrap seconds chmod").passages
    assert [passage.section for passage in found] == ["Running commands"]


def test_other_forms_of_a_word_are_found_where_its_own_is_not(search: ManualSearch) -> None:
    found = search.find("archiving conversations")
    assert found.words == ["archiv", "convers"]
    assert {"conversations", "files"} <= {passage.page.name for passage in found.passages}


def test_what_stands_nowhere_is_not_found(search: ManualSearch) -> None:
    assert search.find("quokka").passages == []
    assert search.find("   ").passages == []


def test_an_excerpt_is_short_and_holds_the_word(search: ManualSearch) -> None:
    for passage in search.find("quarantine").passages:
        excerpt = passage.excerpt(["quarantine"])
        assert "quarantine" in excerpt.casefold()
        assert len(excerpt) <= 152
