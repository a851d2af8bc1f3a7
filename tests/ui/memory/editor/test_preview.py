from __future__ import annotations

import pytest
from PySide6.QtCore import QBuffer, QPoint, Qt
from PySide6.QtGui import QColor, QImage, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.sessions.attachment_store import AttachmentStore
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.ui.markdown.document.formula_object import OBJECT
from mnemoscope.ui.markdown.document.text_style import Mark
from mnemoscope.ui.markdown.reading.picture_links import PictureLink
from mnemoscope.ui.memory.editor.source_and_preview import PART, WHOLE, SourceAndPreview
from mnemoscope.ui.widgets.theme import Theme, apply_theme
from tests.ui.window_fixture import Stage, until

SECTION = (
    "## Section {n}\n\n- item one of {n}\n- item two\n\nA paragraph of {n}.\n\n```\ncode {n}\nmore\nmore\nmore\n```\n\n"
)
LONG = "".join(SECTION.format(n=n) for n in range(60))


@pytest.fixture
def split(qtbot: QtBot) -> SourceAndPreview:
    split = SourceAndPreview()
    qtbot.addWidget(split)
    split.resize(800, 400)
    with qtbot.waitExposed(split):
        split.show()
    split.editor.load(LONG)
    split.render_now()
    return split


def block_at_middle(split: SourceAndPreview) -> tuple[int, int]:
    """Source lines in the middle of the editor and of the preview."""
    editor = int(split.editor.line_at(split.editor.viewport().height() / 2))
    bar, height = split.preview.verticalScrollBar(), split.preview.viewport().height()
    return editor, int(split.preview.line_at(bar.value() + height / 2))


def test_each_source_line_has_a_place_below_the_one_before(split: SourceAndPreview) -> None:
    heights = [split.preview.y_of_line(line) for line in range(0, LONG.count("\n"), 3)]
    assert heights == sorted(heights)
    assert len(set(heights)) > len(heights) // 2


def test_a_height_leads_back_to_its_line(split: SourceAndPreview) -> None:
    for line in (0, 14, 140, 280):
        assert abs(split.preview.line_at(split.preview.y_of_line(line) + 1) - line) < 1


def test_scrolling_the_source_brings_the_preview_to_the_same_block(split: SourceAndPreview) -> None:
    bar = split.editor.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    source, preview = block_at_middle(split)
    assert abs(source - preview) <= 4
    assert bar.value() == bar.maximum() // 2


def test_scrolling_the_preview_brings_the_source_to_the_same_block(split: SourceAndPreview) -> None:
    bar = split.preview.verticalScrollBar()
    bar.setValue(bar.maximum() // 3)
    source, preview = block_at_middle(split)
    assert abs(source - preview) <= 4
    assert bar.value() == bar.maximum() // 3


def apart(split: SourceAndPreview) -> float:
    """Returns how many lines lie between what the two views hold where they are tied."""
    editor, preview = split.editor, split.preview
    bar, tied = editor.verticalScrollBar(), preview.verticalScrollBar()
    share = bar.value() / max(1, bar.maximum())
    source = editor.line_at(share * editor.viewport().height())
    return abs(source - preview.line_at(tied.value() + share * preview.viewport().height()))


def settle(split: SourceAndPreview) -> None:
    """Has both views laid out to their ends: a scroll bar that comes late makes a view narrower, and all moves."""
    before = None
    while before != (now := _extent(split)):
        before = now
        # A layout that is asked for asks for another one: of what is in sight, and what that leaves room for.
        for _ in range(4):
            QApplication.processEvents()


def _extent(split: SourceAndPreview) -> list[object]:
    views = (split.editor, split.preview)
    # Asked for its size, a document is laid out to its end.
    return [(v.document().size(), v.viewport().size(), v.verticalScrollBar().maximum()) for v in views]


SAMPLE = (shipped("workspace") / "memory" / "MEMORY.md").read_text("utf-8")
SIZES = ((900, 420), (360, 380), (420, 560), (300, 300), (800, 300))


@pytest.mark.parametrize("text", [SAMPLE, LONG], ids=["sample", "long"])
@pytest.mark.parametrize("place", [0.1, 0.4, 0.75, 1.0])
def test_resizing_leaves_the_first_line_in_place_and_both_views_in_step(
    split: SourceAndPreview, text: str, place: float, qtbot: QtBot
) -> None:
    split.resize(360, 380)
    split.editor.load(text)
    split.render_now()
    settle(split)
    bar = split.editor.verticalScrollBar()
    bar.setValue(round(place * bar.maximum()))
    settle(split)
    top = split.editor.firstVisibleBlock().blockNumber()
    for size in (*SIZES, (360, 380)):
        split.resize(*size)
        settle(split)
        qtbot.waitUntil(lambda: apart(split) < 1)
        assert split.editor.firstVisibleBlock().blockNumber() <= top, size
    assert split.editor.firstVisibleBlock().blockNumber() == top


def test_rows_that_are_laid_out_while_there_is_no_room_for_the_place_do_not_make_it_forgotten(
    split: SourceAndPreview,
) -> None:
    split.resize(360, 380)
    split.editor.load(SAMPLE)
    settle(split)
    bar = split.editor.verticalScrollBar()
    bar.setValue(bar.maximum() * 3 // 4)
    settle(split)
    top = split.editor.firstVisibleBlock().blockNumber()
    split.resize(900, 900)
    assert split.editor.firstVisibleBlock().blockNumber() < top
    # As where rows above are laid out: the same words have another number then.
    bar.valueChanged.emit(bar.value())
    split.resize(360, 380)
    settle(split)
    assert split.editor.firstVisibleBlock().blockNumber() == top


def test_both_views_are_in_step_when_they_are_shown_and_when_letters_grow(qtbot: QtBot, qapp: QApplication) -> None:
    split = SourceAndPreview()
    qtbot.addWidget(split)
    split.resize(360, 380)
    split.editor.load(SAMPLE)
    split.editor.verticalScrollBar().setValue(25)
    split.render_now()
    with qtbot.waitExposed(split):
        split.show()
    settle(split)
    assert apart(split) < 1
    split.editor.verticalScrollBar().setValue(25)
    top = split.editor.firstVisibleBlock().blockNumber()
    split.hide()
    split.resize(300, 330)
    split.show()
    settle(split)
    assert apart(split) < 1
    try:
        apply_theme(qapp, "dark", zoom=1.5)
        settle(split)
        assert apart(split) < 1
        assert split.editor.firstVisibleBlock().blockNumber() == top
    finally:
        apply_theme(qapp, "light")


def test_whoever_scrolls_the_preview_keeps_it_while_the_source_finds_its_heights(split: SourceAndPreview) -> None:
    split.resize(360, 380)
    split.editor.load(LONG)
    split.render_now()
    settle(split)
    bar = split.preview.verticalScrollBar()
    for value in range(0, bar.maximum(), bar.maximum() // 12):
        bar.setValue(value)
        settle(split)
        assert bar.value() == min(value, bar.maximum())


def test_rendering_leaves_both_views_in_step(split: SourceAndPreview, qtbot: QtBot) -> None:
    split.resize(360, 380)
    split.editor.load(SAMPLE)
    split.render_now()
    split.editor.verticalScrollBar().setValue(25)
    settle(split)
    with qtbot.waitSignal(split.rendered, timeout=60_000):
        split.editor.replace_text(SAMPLE.replace("# Preferences", "# Preferences\n\n" + "- One more of them\n" * 9))
    settle(split)
    assert apart(split) < 1


def test_both_reach_their_ends_together(split: SourceAndPreview) -> None:
    source, preview = split.editor.verticalScrollBar(), split.preview.verticalScrollBar()
    source.setValue(source.maximum())
    assert preview.value() == preview.maximum()
    source.setValue(0)
    assert preview.value() == 0
    preview.setValue(preview.maximum())
    assert source.value() == source.maximum()


@pytest.mark.parametrize("line", [4, 40, 200, 440, 700])
def test_what_the_caret_is_put_into_is_in_sight_in_the_preview(split: SourceAndPreview, line: int) -> None:
    split.editor.go_to_line(line)
    # As the outline has it: at the top of the view, where the preview holds other lines.
    split.editor.show_line_at(line, 0)
    QApplication.processEvents()
    bar, height = split.preview.verticalScrollBar(), split.preview.viewport().height()
    assert bar.value() - 1 <= split.preview.y_of_line(line) < bar.value() + height
    split.editor.verticalScrollBar().setValue(0)
    assert bar.value() == 0


def test_what_is_typed_low_in_the_view_is_in_sight_in_the_preview(split: SourceAndPreview, qtbot: QtBot) -> None:
    split.resize(300, 400)
    split.editor.load("# Words\n\n" + "- " + "tall " * 30 + "\n" + "- one\n" * 40)
    split.render_now()
    QApplication.processEvents()
    lines = split.editor.viewport().height() // split.editor.fontMetrics().lineSpacing()
    low = int(split.editor.line_at(split.editor.viewport().height() - 20))
    assert lines > low > 3
    split.editor.setTextCursor(QTextCursor(split.editor.document().findBlockByNumber(low)))
    with qtbot.waitSignal(split.rendered, timeout=60_000):
        split.editor.textCursor().insertText("- new\n")
    qtbot.wait(50)
    line, bar = split.editor.caret_line(), split.preview.verticalScrollBar()
    assert split.editor.verticalScrollBar().value() == 0
    assert split.preview.y_of_line(line) < bar.value() + split.preview.viewport().height()


def test_the_preview_follows_typing(split: SourceAndPreview, qtbot: QtBot) -> None:
    with qtbot.waitSignal(split.rendered, timeout=60_000):
        split.editor.textCursor().insertText("# Brand new\n\n")
    assert split.preview.toPlainText().startswith("Brand new")


def test_the_preview_waits_for_a_pause_in_typing(split: SourceAndPreview, qtbot: QtBot) -> None:
    split.set_view("source")
    split.set_view("both")
    shown = split.preview.toPlainText()
    split.pause = 3_600_000
    for letter in "typin":
        split.editor.textCursor().insertText(letter)
        QApplication.processEvents()
        assert split.preview.toPlainText() == shown
    split.pause = 1
    with qtbot.waitSignal(split.rendered):
        split.editor.textCursor().insertText("g")
    assert split.preview.toPlainText() != shown


def test_typing_does_not_move_the_source(split: SourceAndPreview, qtbot: QtBot) -> None:
    bar = split.editor.verticalScrollBar()
    bar.setValue(200)
    with qtbot.waitSignal(split.rendered, timeout=60_000):
        split.editor.textCursor().insertText("x")
    assert bar.value() == 200


def test_the_carets_block_is_marked(split: SourceAndPreview) -> None:
    split.editor.setFocus()
    split.preview.verticalScrollBar().setValue(0)
    before = split.preview.grab().toImage()
    split.editor.go_to_line(2)
    split.preview.verticalScrollBar().setValue(0)
    assert split.preview.grab().toImage() != before


def test_a_click_on_a_block_leads_to_its_line(split: SourceAndPreview) -> None:
    y = round(split.preview.y_of_line(3)) + 5
    QTest.mouseClick(split.preview.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, y))
    assert split.editor.caret_line() == 3


def test_a_link_is_told_and_not_opened(split: SourceAndPreview, qtbot: QtBot) -> None:
    split.editor.load("[docs](https://example.org/x)")
    split.render_now()
    with qtbot.waitSignal(split.preview.link_chosen) as emitted:
        QTest.mouseClick(split.preview.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    assert emitted.args == ["https://example.org/x"]


def test_html_and_images_in_memory_are_words(split: SourceAndPreview) -> None:
    split.editor.load('<img src="file:///etc/passwd"> <b>x</b>\n\n![alt](file:///etc/passwd)')
    split.render_now()
    assert "<b>x</b>" in split.preview.toPlainText()
    assert "<img" not in split.preview.toHtml()


def test_of_a_long_text_the_part_in_sight_is_rendered(split: SourceAndPreview, qtbot: QtBot) -> None:
    text = LONG * 40
    assert len(text) > WHOLE
    split.editor.load(text)
    split.render_now()
    first, stop = split.preview.shown_lines
    assert first == 0
    assert len(split.preview.toPlainText()) <= PART
    bar = split.editor.verticalScrollBar()
    with qtbot.waitSignal(split.rendered, timeout=60_000):
        bar.setValue(bar.maximum() // 2)
    QApplication.processEvents()
    first, stop = split.preview.shown_lines
    source, preview = block_at_middle(split)
    assert first < source < stop
    assert abs(source - preview) <= 4


def test_a_part_never_begins_inside_a_code_block(split: SourceAndPreview) -> None:
    split.editor.load(LONG * 40)
    for line in (3_000, 3_333, 7_001):
        split.editor.verticalScrollBar().setValue(line)
        split.render_now()
        first, _ = split.preview.shown_lines
        block = split.editor.document().findBlockByNumber(first)
        assert not split.editor.highlighter.is_fenced(block)


def test_one_half_alone_can_be_shown(split: SourceAndPreview) -> None:
    split.set_view("source")
    assert split.preview_card.isHidden()
    split.set_view("preview")
    assert split.source_card.isHidden()
    assert not split.preview_card.isHidden()


def test_with_all_of_the_source_in_sight_the_preview_keeps_the_carets_block_in_view(split: SourceAndPreview) -> None:
    split.editor.load("\n".join(f"# Heading {n}" for n in range(20)))
    split.editor.setFocus()
    split.editor.go_to_line(19)
    split.render_now()
    bar = split.preview.verticalScrollBar()
    assert split.editor.verticalScrollBar().maximum() == 0
    assert bar.value() == bar.maximum() > 0


def test_items_are_indented_to_leave_room_for_their_bullets(split: SourceAndPreview) -> None:
    block = split.preview.document().begin()
    while not block.blockFormat().hasProperty(Mark.MARKER):
        block = block.next()
    assert block.blockFormat().stringProperty(Mark.MARKER) == "•"
    assert block.blockFormat().leftMargin() >= 16


def test_a_picture_that_was_not_there_is_asked_for_again_once_it_may_have_come(split: SourceAndPreview) -> None:
    source = f"![the plan](sessions/attachments/{'a' * 64})"
    wanted = list[PictureLink]()
    preview = split.preview
    preview.picture_requested.connect(wanted.append)
    preview.show_text(f"{source}\n")
    preview.show_text(f"{source}\n")
    assert len(wanted) == 1
    preview.show_text(f"{source}\n\nMore.\n")
    assert len(wanted) == 2
    preview.hide()
    preview.show()
    assert len(wanted) == 3
    picture = QImage(600, 300, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.red)
    preview.show_picture(wanted[0], picture)
    preview.show_text(f"{source}\n\nStill more.\n")
    preview.hide()
    preview.show()
    assert len(wanted) == 3


def test_a_picture_of_the_workspace_stands_where_the_text_has_it_and_is_copied_as_its_source(
    split: SourceAndPreview,
) -> None:
    source = f"![the plan](sessions/attachments/{'a' * 64})"
    wanted = list[PictureLink]()
    preview = split.preview
    preview.picture_requested.connect(wanted.append)
    split.editor.load(
        f"See {source} here.\n\n![tea](https://example.org/tea.png) ![x](file:///etc/passwd)\n\n- {source}\n"
    )
    split.render_now()
    split.render_now()
    assert [(each.sha256, each.words) for each in wanted] == [("a" * 64, "the plan")]
    assert "[image: the plan] here." in preview.toPlainText()
    picture = QImage(600, 300, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.red)
    preview.show_picture(wanted[0], picture)
    shown = preview.toPlainText()
    assert f"See {OBJECT} here." in shown
    assert (shown.count(OBJECT), "[image: tea] [image: x]" in shown) == (2, True)
    seen = preview.viewport().grab().toImage()
    assert QColor("red").rgb() in {seen.pixel(x, y) for x in range(0, 300, 5) for y in range(0, 200, 5)}
    preview.selectAll()
    preview.copy()
    assert QApplication.clipboard().text().startswith(f"See {source} here.")


async def test_the_preview_of_a_memory_file_reads_the_picture_from_the_workspace(stage: Stage) -> None:
    stage.make()
    image, buffer = QImage(20, 10, QImage.Format.Format_RGB32), QBuffer()
    image.fill(Qt.GlobalColor.red)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    assert image.save(buffer, "PNG")  # type: ignore[call-overload]
    kept = AttachmentStore(WorkspacePaths(stage.root).attachments_dir).keep(bytes(buffer.data().data()), 20, 10)
    stage.paths.memory_file.write_text(f"# Memory\n\n![plan](sessions/attachments/{kept.sha256})\n", "utf-8")
    person = await stage.open()
    split = person.window.memory.main.body.split
    split.set_view("preview")
    await until(lambda: OBJECT in split.preview.toPlainText(), "the picture in the preview")


def test_the_half_that_has_the_keyboard_has_a_ring(split: SourceAndPreview) -> None:
    ring = QColor(Theme.current().color("focus"))
    for card, half in ((split.source_card, split.editor), (split.preview_card, split.preview)):
        split.setFocus()
        quiet = card.grab().toImage().pixelColor(0, card.height() // 2)
        place = half.geometry()
        half.setFocus()
        assert card.grab().toImage().pixelColor(0, card.height() // 2) == ring != quiet
        assert half.geometry() == place
