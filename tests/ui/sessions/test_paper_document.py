"""What a conversation looks like on paper: nothing is cut that belongs together, nothing stands outside of the page."""

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QImage,
    QPainter,
    QPalette,
    QPicture,
    QTextBlock,
    QTextFrame,
    QTextTable,
)

from mnemoscope.agent.export.exported_conversation import ExportedConversation, ExportWords
from mnemoscope.domain.conversation.attachment import Attachment, attachment_field
from mnemoscope.domain.conversation.message import Message
from mnemoscope.ui.markdown.document.document_writer import fragments_of
from mnemoscope.ui.sessions.pagination import CODE_LINE
from mnemoscope.ui.sessions.paper_document import (
    PaperDocument,
    PaperPictures,
    image_address,
    paper_of,
    paper_parts,
    pdf_of,
)
from mnemoscope.ui.widgets.palettes import LIGHT

WIDTH, HEIGHT = 640.0, 900.0
PHOTO = Attachment(sha256(b"photo").hexdigest(), "image/png", 400, 300, 100, "photo.png")


async def laid_out(*said: tuple[str, str], images: bool = False, height: float = HEIGHT) -> PaperDocument:
    messages: list[Message] = [{"role": role, "content": words} for role, words in said]
    pictures = PaperPictures()
    if images:
        photo = QImage(PHOTO.width, PHOTO.height, QImage.Format.Format_RGB32)
        photo.fill(Qt.GlobalColor.red)
        pictures = PaperPictures(images={image_address(PHOTO): photo})
        messages[-1] = {**messages[-1], **attachment_field([PHOTO])}
    conversation = ExportedConversation("key", "About kilns", messages)
    parts = paper_parts(conversation, ExportWords(), images=pictures.images)
    document = await paper_of(parts, "About kilns", pictures)
    await document.lay_out(QSizeF(WIDTH, height))
    return document


def blocks_of(document: PaperDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def block_with(document: PaperDocument, words: str) -> QTextBlock:
    return next(block for block in blocks_of(document) if words in block.text())


def pages_with(document: PaperDocument, block: QTextBlock) -> list[int]:
    """Returns the pages that each line of a block stands on, as a whole; each stands on one."""
    top = document.documentLayout().blockBoundingRect(block).top()
    found = []
    for number in range(block.layout().lineCount()):
        line = block.layout().lineAt(number)
        first, last = top + line.y(), top + line.y() + line.height()
        on = [place for place, page in enumerate(document.pages) if page.top - 1 <= first and last <= page.bottom + 1]
        assert len(on) == 1, (block.text(), first, last, document.pages)
        found += on
    return found


def spaced(lines: int) -> tuple[str, str]:
    return "assistant", "\n\n".join(["tea"] * lines)


def tables_in(frame: QTextFrame) -> list[QTextTable]:
    return [each for each in frame.childFrames() if isinstance(each, QTextTable)]


def table_of(document: PaperDocument) -> QTextTable:
    return tables_in(document.rootFrame())[0]


def painted(document: PaperDocument, number: int, scale: float = 1.0) -> QImage:
    picture = QImage(round(WIDTH * scale), round((HEIGHT + 30) * scale), QImage.Format.Format_RGB32)
    picture.setDotsPerMeterX(round(96 * scale / 0.0254))
    picture.setDotsPerMeterY(round(96 * scale / 0.0254))
    picture.fill(Qt.GlobalColor.white)
    with QPainter(picture) as painter:
        painter.scale(scale, scale)
        document.paint_page(painter, number)
    return picture


def greys(picture: QImage) -> NDArray[np.uint8]:
    """Returns how light each pixel is, row by row: 0 is black."""
    plain = picture.convertToFormat(QImage.Format.Format_Grayscale8)
    held = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    # The picture owns these bytes.
    return held[:, : plain.width()].copy()


@pytest.mark.parametrize("before", range(18, 33))
async def test_no_speaker_and_no_heading_stands_alone_at_the_foot_of_a_page(qtbot: object, before: int) -> None:
    document = await laid_out(
        spaced(before), ("user", "And wheels?"), ("assistant", f"## Wheels\n\n{'They turn. ' * 60}")
    )
    for above, below in (("You", "And wheels?"), ("Wheels", "They turn."), ("Assistant", "tea")):
        first = block_with(document, above)
        assert pages_with(document, first)[0] == pages_with(document, block_with(document, below))[0]
    on = pages_with(document, block_with(document, "They turn."))
    assert all(on.count(number) >= 2 for number in on)


@pytest.mark.parametrize("before", range(14, 34, 2))
async def test_no_picture_is_cut_and_its_lines_do_not_show_on_the_page_before(qtbot: object, before: int) -> None:
    document = await laid_out(spaced(before), ("user", "Look"), images=True)
    (number,) = pages_with(document, block_with(document, "\ufffc"))
    red = QColor(Qt.GlobalColor.red).rgb()
    for place in range(len(document.pages)):
        page = painted(document, place)
        rows = sum(page.pixel(200, row) == red for row in range(page.height()))
        assert abs(rows - (PHOTO.height if place == number else 0)) <= 1


@pytest.mark.parametrize("before", range(10, 34, 3))
async def test_code_that_fits_is_cut_only_where_half_a_page_would_stay_empty(qtbot: object, before: int) -> None:
    code = "\n".join(f"line {number};" for number in range(18))
    document = await laid_out(spaced(before), ("user", "Show"), ("assistant", f"```c\n{code}\n```"))
    on = [pages_with(document, block_with(document, f"line {number};"))[0] for number in range(18)]
    assert len(set(on)) == 1


async def test_code_longer_than_a_page_is_cut_between_its_lines_and_has_them_all(qtbot: object) -> None:
    code = "\n".join(f"line {number};" for number in range(150))
    document = await laid_out(("user", "Show"), ("assistant", f"```c\n{code}\n```\n\nThe end"))
    on = [pages_with(document, block_with(document, f"line {number};"))[0] for number in range(150)]
    assert on == sorted(on)
    assert {on.count(number) >= 3 for number in on} == {True}
    assert len(document.pages) > 2


async def test_lines_of_code_are_wrapped_and_a_tab_is_as_wide_as_four_characters(qtbot: object) -> None:
    document = await laid_out(("assistant", f"```c\n\t{'long ' * 100};\n    four\n\tfour\n```\n\n`{'w' * 400}`"))
    assert document.size().width() <= WIDTH
    assert block_with(document, "long").layout().lineCount() > 3
    spaces, tab = [block for block in blocks_of(document) if "four" in block.text()]
    begins = [
        block.layout().lineAt(0).cursorToX(block.text().index("f"))[0]  # type: ignore[index] # the stubs say float
        for block in (spaces, tab)
    ]
    assert begins[0] == pytest.approx(begins[1], abs=1)


@pytest.mark.parametrize("columns", [3, 20, 40, 99])
async def test_a_table_has_lines_and_stays_within_the_page(qtbot: object, columns: int) -> None:
    rows = ["c|" * columns, "-|" * columns, "value|" * (columns - 1) + "**last**|"]
    document = await laid_out(("assistant", "\n".join(f"|{row}" for row in rows)))
    assert table_of(document).format().border() == 1
    page = painted(document, 0)
    (right,) = np.nonzero((greys(page)[100:800] < 230).any(axis=0))
    # The table's own line at the right is the last thing that is drawn.
    cell = document.documentLayout().blockBoundingRect(block_with(document, "last"))
    # Its place is no whole pixel.
    assert cell.right() * WIDTH / document.textWidth() - 1 < right[-1] <= WIDTH - 1


async def test_a_long_tables_rows_are_whole_and_its_header_stands_on_each_page(qtbot: object) -> None:
    rows = "\n".join(f"| row {number}; | {'words ' * 40} |" for number in range(40))
    document = await laid_out(("assistant", f"| Name | Words |\n|---|---|\n{rows}\n"))
    table = table_of(document)
    assert len(document.pages) > 2
    headers = [page.header for page in document.pages]
    assert headers[0] is None
    assert None not in headers[1:]
    for row in range(table.rows()):
        on = set[int]()
        for column in range(table.columns()):
            on.update(pages_with(document, table.cellAt(row, column).firstCursorPosition().block()))
        assert len(on) == 1
    head = painted(document, 1).copy(0, 0, round(WIDTH), 20)
    assert head == painted(document, 2).copy(0, 0, round(WIDTH), 20)
    assert head.pixelColor(200, 3) != QColor(Qt.GlobalColor.white)


async def test_a_row_higher_than_a_page_is_cut_between_lines(qtbot: object) -> None:
    document = await laid_out(("assistant", f"| Name |\n|---|\n| {'words ' * 2_000} |\n| end; |\n"))
    assert len(document.pages) > 2
    assert set(pages_with(document, block_with(document, "words"))) == set(range(len(document.pages)))
    assert pages_with(document, block_with(document, "end;")) == [len(document.pages) - 1]


async def test_a_long_words_bubble_goes_on_over_the_pages(qtbot: object) -> None:
    document = await laid_out(("user", "pasted " * 3_000), ("assistant", "Read."))
    assert len(set(pages_with(document, block_with(document, "pasted")))) > 2
    pages_with(document, block_with(document, "Read."))


async def test_a_link_is_followed_by_its_address_unless_it_is_its_address(qtbot: object) -> None:
    said = "[Kilns](https://example.org/kilns) https://example.org <a@example.org>"
    document = await laid_out(("assistant", said))
    assert "Kilns (https://example.org/kilns) https://example.org a@example.org" in document.toPlainText()


async def test_a_task_has_a_box_in_the_place_of_a_bullet(qtbot: object) -> None:
    document = await laid_out(("assistant", "- [ ] glaze\n- [x] fire"))
    markers = [block_with(document, words).blockFormat().marker() for words in ("glaze", "fire")]
    assert [marker.name for marker in markers] == ["Unchecked", "Checked"]
    assert "☐" not in document.toPlainText()


async def test_a_line_end_within_an_item_begins_no_other_item(qtbot: object) -> None:
    items = "- one that is\n  wrapped\n- two\n  [a link](https://example.org/)\n  and *more*\n\n"
    document = await laid_out(("assistant", items + "A paragraph\nof two lines."))
    found = [block.text() for block in blocks_of(document) if block.textList()]
    assert found == ["one that is\u2028wrapped", "two\u2028a link (https://example.org/)\u2028and more"]
    assert [block.text() for block in blocks_of(document)][-1] == "A paragraph\u2028of two lines."


async def test_paper_is_light_in_a_dark_window(qtbot: object) -> None:
    before = QGuiApplication.palette()
    QGuiApplication.setPalette(QPalette(QColor("#1e2125")))
    try:
        document = await laid_out(("user", "Dark?"), ("assistant", "> No.\n\n---\n\n| a |\n|---|\n| b |\n"))
        page = painted(document, 0)
    finally:
        QGuiApplication.setPalette(before)
    lightness = greys(page)
    assert (lightness > 200).mean() > 0.9
    assert lightness.min() < 60


async def test_each_page_has_the_title_and_its_number_in_letters_of_one_size_on_any_printer(qtbot: object) -> None:
    document = await laid_out(spaced(80))
    assert len(document.pages) > 1
    heights = []
    for scale in (1.0, 6.0):
        page = painted(document, 1, scale)
        foot = page.copy(0, round(HEIGHT * scale), page.width(), page.height() - round(HEIGHT * scale))
        is_inked = greys(foot) < 200
        (inked,) = np.nonzero(is_inked.any(axis=1))
        assert is_inked[:, : foot.width() // 2].any()
        heights.append((inked[-1] - inked[0] + 1) / scale)
    assert heights[0] == pytest.approx(heights[1], abs=2)


async def test_an_empty_conversation_is_one_page(qtbot: object) -> None:
    document = await laid_out()
    assert [(page.top, page.header) for page in document.pages] == [(0.0, None)]
    assert document.pages[0].bottom > 0


def drawn(document: PaperDocument) -> bytes:
    """Returns what is drawn for all pages, with the texts in UTF-16, as a PDF holds them: seen or not."""
    data = b""
    for number in range(len(document.pages)):
        picture = QPicture()
        with QPainter(picture) as painter:
            document.paint_page(painter, number)
        data += bytes(cast("memoryview", picture.data())[: picture.size()])
    return data


WORDS = [f"w{number:04}w" for number in range(500)]
"""So few that a paragraph of them is drawn without a cut within a word."""


@pytest.mark.parametrize(
    "said",
    [
        " ".join(WORDS),
        "\n\n".join(WORDS),
        "\n".join(f"- {word}" for word in WORDS),
        "\n".join("- " + " ".join(WORDS[place : place + 30]) for place in range(0, 500, 30)),
        "> " + " ".join(WORDS),
        "```\n" + "\n".join(WORDS) + "\n```",
        "| |\n|---|\n" + "\n".join(f"| {word} |" for word in WORDS),
    ],
    ids=["paragraph", "paragraphs", "list", "long items", "quotation", "code", "table"],
)
@pytest.mark.parametrize("height", [300.0, 303.7])
async def test_no_line_is_drawn_on_two_pages_though_it_is_seen_on_one(said: str, height: float) -> None:
    document = await laid_out(("assistant", said), height=height)
    assert len(document.pages) > 2
    found = Counter(re.findall(rb"\0w(?:\0\d){4}\0w", drawn(document)))
    assert found == {word.encode("utf-16-be"): 1 for word in WORDS}


@pytest.mark.parametrize(
    ("named", "width"), [({"LC_PAPER": "en_US.UTF-8"}, 612), ({"LC_PAPER": "de_DE.UTF-8", "LANG": "en_US.UTF-8"}, 595)]
)
async def test_a_pdf_has_the_paper_that_is_used_where_the_system_stands(
    qtbot: object, monkeypatch: pytest.MonkeyPatch, named: dict[str, str], width: int
) -> None:
    for name in ("LC_ALL", "LC_PAPER", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in named.items():
        monkeypatch.setenv(name, value)
    made = await pdf_of(["<p>tea</p>"], "Tea", PaperPictures())
    found = re.search(rb"/MediaBox \[0 0 (\d+)", made)
    assert found is not None
    assert int(found[1]) == width


async def test_code_has_its_colours_on_paper_and_is_as_it_was_written(qtbot: object) -> None:
    code = "def brew(tea):\n\n    # <b> & so on\n    return 'tea' * 3"
    document = await laid_out(("assistant", f"```python\n{code}\n```"))
    lines = [block for block in blocks_of(document) if block.blockFormat().boolProperty(CODE_LINE)]
    assert "\n".join(block.text() for block in lines) == code
    found = {each.text(): each.charFormat().foreground().color() for line in lines for each in fragments_of(line)}
    assert found["'tea'"] == QColor(LIGHT["success"])
    assert found["# <b> & so on"] == QColor(LIGHT["text_faint"])
    assert found["def"] == found["return"] == QColor(LIGHT["accent"])


HOSTILE = "<pre>raw</pre> <table><thead><tr><th>h</th></tr></thead></table> <blockquote>q</blockquote> <img src='x'>"


async def test_tags_in_a_message_are_printed_as_they_are_written(qtbot: object) -> None:
    said = f"{HOSTILE}\n\n`{HOSTILE}`\n\n```\n{HOSTILE}\n```\n\n> {HOSTILE}\n\n| a |\n|---|\n| {HOSTILE} |"
    document = await laid_out(("assistant", said), ("tool", HOSTILE))
    assert document.toPlainText().count(HOSTILE) == 6
    # The code, the quotation, the table, and what the tool returned.
    assert len(tables_in(document.rootFrame())) == 4


async def test_what_stands_in_a_quotation_has_its_looks_there_too(qtbot: object) -> None:
    said = "> ```\n> code\n> ```\n>\n> > inner\n>\n> | a |\n> |---|\n> | b |\n\nafter"
    document = await laid_out(("assistant", said))
    (quotation,) = tables_in(document.rootFrame())
    card, inner, table = tables_in(quotation)
    assert [each.columns() for each in (quotation, card, inner, table)] == [2, 1, 2, 1]
    assert [each.format().border() for each in (quotation, card, inner, table)] == [0, 0, 0, 1]
    assert card.format().background().color() == QColor("#f3f4f6")
    assert block_with(document, "after").position() > quotation.lastPosition()
