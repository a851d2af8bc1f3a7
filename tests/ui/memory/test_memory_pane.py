"""The memory pane as a person edits a file in it: saved, kept as a draft, unreadable, empty, read-only."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from mnemoscope.domain.settings import DREAM, THREE_TIER, TWO_LAYER
from mnemoscope.ui.memory.memory_document import MemoryDocument
from mnemoscope.ui.widgets.theme import apply_theme
from tests.ui.memory.memory_fixture import FILE, THEIRS, pane, press, type_at_end

__all__ = ["pane"]


@pytest.mark.parametrize("view", ["source", "both"])
@pytest.mark.parametrize("width", [320, 700])
def test_the_line_being_typed_stays_where_it_is_while_a_bar_comes_and_goes(
    pane: MemoryDocument, width: int, view: str
) -> None:
    pane.resize(width, 560)
    pane.show_memory("".join(f"- Fact number {number}\n" for number in range(80)), "v1")
    pane.choose_view(view)
    QApplication.processEvents()
    editor = pane.editor
    editor.setFocus()
    for share in (0.2, 0.5, 0.98):
        pane.show_memory("".join(f"- Fact number {number}\n" for number in range(80)), "v1")
        editor.verticalScrollBar().setValue(40)
        row = int(editor.line_at(share * editor.viewport().height() - 8))
        cursor = QTextCursor(editor.document().findBlockByNumber(row))
        editor.setTextCursor(cursor)
        editor.insertPlainText("typed ")
        QApplication.processEvents()
        before = caret_height(pane)
        pane.memory_changed(editor.text().replace("typed ", "") + "- Theirs\n", "v2", "outside")
        QApplication.processEvents()
        assert pane.bars.bar("incoming") is not None
        line = editor.fontMetrics().lineSpacing()
        assert in_sight(pane), share
        top = editor.viewport().mapTo(pane, QPoint(0, 0)).y()
        bottom = top + editor.viewport().height() - line
        assert abs(caret_height(pane) - min(max(before, top), bottom)) <= line, share
        pane.bars.take("incoming")
        QApplication.processEvents()
        assert abs(caret_height(pane) - before) <= line, share


def caret_height(pane: MemoryDocument) -> int:
    return pane.editor.viewport().mapTo(pane, pane.editor.cursorRect().topLeft()).y()


def in_sight(pane: MemoryDocument) -> bool:
    place = pane.editor.cursorRect()
    return place.top() >= 0 and place.bottom() <= pane.editor.viewport().height()


def test_lines_that_come_above_leave_the_line_being_typed_in_place(pane: MemoryDocument) -> None:
    text = "".join(f"- Fact number {number}\n" for number in range(80))
    pane.show_memory(text, "v1")
    pane.editor.setFocus()
    pane.editor.go_to_line(50)
    QApplication.processEvents()
    before = caret_height(pane)
    pane.memory_changed("- One more\n" * 5 + text, "v2", "consolidation")
    QApplication.processEvents()
    assert pane.editor.caret_line() == 55
    assert caret_height(pane) == before


def test_what_is_shown_is_the_files_text_and_is_not_unsaved(pane: MemoryDocument) -> None:
    assert pane.editor.text() == FILE
    assert not pane.is_dirty()
    assert not pane.toolbar.save_button.isEnabled()


def test_no_character_is_changed_by_passing_through_the_editor(pane: MemoryDocument) -> None:
    text = "no\u00a0break, line\u2028separator, tab\t, wide \U0001f600, zero\u200bwidth\n"
    pane.show_memory(text, "v2")
    assert pane.editor.text() == text


def test_typing_marks_the_text_unsaved_and_undo_takes_the_mark_away(pane: MemoryDocument) -> None:
    type_at_end(pane, "x")
    assert pane.is_dirty()
    assert "Unsaved" in pane.toolbar.state_label.accessibleName()
    pane.editor.undo()
    assert not pane.is_dirty()


def test_save_states_the_version_the_text_is_based_on(pane: MemoryDocument, qtbot: QtBot) -> None:
    type_at_end(pane, "- new\n")
    with qtbot.waitSignal(pane.save_requested) as asked:
        QTest.keyClick(pane.editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert asked.args == [FILE + "- new\n", "v1"]
    pane.saved(FILE + "- new\n", "v2", False)
    assert not pane.is_dirty()


def test_a_save_that_failed_keeps_every_word_and_offers_to_try_again(pane: MemoryDocument, qtbot: QtBot) -> None:
    type_at_end(pane, "- new\n")
    pane.save()
    pane.save_failed("The disk is full.", "Free some space, then try again.")
    assert pane.editor.text().endswith("- new\n")
    assert pane.is_dirty()
    with qtbot.waitSignal(pane.save_requested):
        press(pane, "Try again")
    pane.saved(pane.editor.text(), "v2", False)
    assert pane.bars.bar("failed") is None


def test_what_was_typed_while_a_save_was_under_way_is_still_unsaved(pane: MemoryDocument) -> None:
    type_at_end(pane, "- one\n")
    pane.save()
    type_at_end(pane, "- two\n")
    pane.saved(FILE + "- one\n", "v2", False)
    assert pane.editor.text() == FILE + "- one\n- two\n"
    assert pane.is_dirty()


def test_a_save_that_was_merged_on_disk_shows_the_merged_text(pane: MemoryDocument) -> None:
    type_at_end(pane, "- mine\n")
    pane.save()
    pane.saved(THEIRS + "- mine\n", "v3", True)
    assert pane.editor.text() == THEIRS + "- mine\n"
    assert not pane.is_dirty()
    pane.editor.undo()
    assert pane.editor.text() == FILE + "- mine\n"


def test_unsaved_words_are_announced_as_a_draft_within_a_second(pane: MemoryDocument, qtbot: QtBot) -> None:
    with qtbot.waitSignal(pane.draft_changed, timeout=60_000) as emitted:
        type_at_end(pane, "- draft\n")
    assert emitted.args == [FILE + "- draft\n", "v1"]
    assert pane.unsaved() == (FILE + "- draft\n", "v1")


def test_a_draft_is_dropped_once_its_words_are_saved(pane: MemoryDocument, qtbot: QtBot) -> None:
    with qtbot.waitSignal(pane.draft_changed):
        type_at_end(pane, "- draft\n")
    pane.save()
    with qtbot.waitSignal(pane.draft_dropped):
        pane.saved(FILE + "- draft\n", "v2", False)
    with qtbot.assertNotEmitted(pane.draft_changed, wait=900):
        pass


def test_a_draft_is_dropped_when_its_words_are_undone(pane: MemoryDocument, qtbot: QtBot) -> None:
    with qtbot.waitSignal(pane.draft_changed):
        type_at_end(pane, "- draft\n")
    with qtbot.waitSignal(pane.draft_dropped):
        pane.editor.undo()


def test_a_draft_comes_back_as_unsaved_text(pane: MemoryDocument) -> None:
    pane.restore_draft(FILE + "- draft\n", "v1")
    assert pane.is_dirty()
    assert pane.bars.bar("incoming") is None
    assert pane.editor.text() == FILE + "- draft\n"


def test_an_unreadable_file_shows_why_and_invents_no_text(pane: MemoryDocument) -> None:
    pane.show_unreadable("MEMORY.md is a folder.")
    bar = pane.bars.bar("unreadable")
    assert bar is not None
    assert bar.sentence == "MEMORY.md is a folder."
    assert not pane.body.isVisible()
    pane.save()
    assert pane.unsaved() is None
    pane.memory_changed(FILE, "v2", "outside")
    assert pane.body.isVisible()
    assert pane.editor.text() == FILE


def test_a_file_that_was_never_read_can_be_unreadable(qtbot: QtBot) -> None:
    pane = MemoryDocument()
    qtbot.addWidget(pane)
    pane.show_unreadable("MEMORY.md is a folder.")
    assert not pane.is_dirty()
    assert pane.body.isHidden()
    assert not pane.toolbar.isEnabled()


def test_a_file_that_becomes_unreadable_while_typing_leaves_the_words_alone(pane: MemoryDocument) -> None:
    type_at_end(pane, "- unsaved\n")
    pane.show_unreadable("MEMORY.md cannot be read.")
    assert pane.editor.text() == FILE + "- unsaved\n"
    assert pane.body.isVisible()


def test_read_only_shows_and_does_not_edit(pane: MemoryDocument) -> None:
    pane.set_read_only(True)
    QTest.keyClicks(pane.editor, "words")
    assert pane.editor.text() == FILE
    assert pane.toolbar.state_label.accessibleName() == "Read-only"
    pane.memory_changed(THEIRS, "v2", "outside")
    pane.toolbar.undo_button.click()
    assert pane.editor.text() == THEIRS


def test_an_empty_memory_says_when_it_is_written_and_lets_one_begin(pane: MemoryDocument) -> None:
    pane.show_memory("", "v0")
    pane.set_keeping(TWO_LAYER, 40)
    assert pane.body.page == "empty"
    assert pane.body.empty.sentence.text() == "Memory is written after about 40 messages."
    pane.set_keeping(DREAM, 40)
    assert pane.body.empty.sentence.text() == "Dream writes memory, from the history log."
    pane.set_keeping(THREE_TIER, 40)
    assert pane.body.empty.sentence.text().startswith("Memory is written at once")
    press(pane, "Write something yourself")
    assert pane.body.page == "text"


def test_nothing_is_counted_before_the_text_was_read(qtbot: QtBot) -> None:
    document = MemoryDocument()
    qtbot.addWidget(document)
    with qtbot.assertNotEmitted(document.body.count_requested):
        document.set_keeping(DREAM, 40)
    document.show_memory(FILE, "v1")
    with qtbot.waitSignal(document.body.count_requested):
        document.set_keeping(DREAM, 40)


def test_an_empty_memory_shows_the_text_that_consolidation_writes(pane: MemoryDocument) -> None:
    pane.show_memory("", "v0")
    pane.memory_changed(FILE, "v1", "consolidation")
    assert pane.body.page == "text"


def test_every_control_has_a_name_a_screen_reader_can_say(pane: MemoryDocument) -> None:
    pane.find(replace=True)
    controls = [
        *pane.findChildren(QAbstractButton),
        *pane.findChildren(QLineEdit),
        *pane.findChildren(QComboBox),
        pane.editor,
        pane.body.split.preview,
    ]
    nameless = [control for control in controls if not (control.accessibleName() or getattr(control, "text", str)())]
    assert nameless == []


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_theme_is_followed_while_open(pane: MemoryDocument, qapp: QApplication, mode: str) -> None:
    theme = apply_theme(qapp, mode)
    pane.resize(320, 560)
    picture = pane.editor.grab().toImage()
    ground = picture.pixelColor(picture.width() // 2, 2)
    assert ground.name().lower() == theme.roles["surface"].lower()
    apply_theme(qapp, "light")


def test_a_narrow_pane_fits_and_stacks_its_halves(pane: MemoryDocument) -> None:
    pane.resize(320, 560)
    QApplication.processEvents()
    assert pane.minimumSizeHint().width() <= 320
    assert pane.body.split.preview_card.y() > pane.body.split.source_card.y()
    pane.resize(700, 560)
    QApplication.processEvents()
    assert pane.body.split.preview_card.x() > pane.body.split.source_card.x()


def test_below_the_source_the_preview_has_room_for_a_heading_and_four_lines(pane: MemoryDocument) -> None:
    lines = "".join(f"- Fact number {number}\n" for number in range(30))
    pane.show_memory(f"# Facts\n\n{lines}", "v1")
    # As high as it is on a screen of 1366x768.
    pane.resize(380, 567)
    QApplication.processEvents()
    split = pane.body.split
    split.render_now()
    split.preview.verticalScrollBar().setValue(0)
    assert split.preview_card.y() > split.source_card.y()
    assert split.preview.end_of_block(5) <= split.preview.viewport().height(), "the fourth line"


def test_the_bar_over_unsaved_words_goes_once_the_file_is_readable_again(pane: MemoryDocument) -> None:
    type_at_end(pane, "- Mine\n")
    pane.show_unreadable("MEMORY.md cannot be read.")
    pane.memory_changed(FILE, "v1", "outside")
    assert pane.bars.bar("unreadable") is None
    assert pane.editor.text() == f"{FILE}- Mine\n"


def test_an_unreadable_file_can_be_looked_at_again(pane: MemoryDocument, qtbot: QtBot) -> None:
    pane.show_unreadable("MEMORY.md is not UTF-8.")
    with qtbot.waitSignal(pane.reload_requested):
        press(pane, "Try again")


def test_several_bars_are_one_line_where_they_would_leave_too_little_of_the_text(
    pane: MemoryDocument, qtbot: QtBot
) -> None:
    for name, level in (("failed", "danger"), ("shared", "warning"), ("undone", "info")):
        pane.bars.put(name, level, f"Something is to be said of {name}.", [("Look", lambda: None)])
    bars = [pane.bars.bar(name) for name in ("failed", "shared", "undone")]
    qtbot.waitUntil(lambda: all(bar is not None and bar.isVisible() for bar in bars))
    pane.resize(460, 380)
    qtbot.waitUntil(lambda: not any(bar is not None and bar.isVisible() for bar in bars))
    assert pane.editor.isVisible()
    press(pane, "Show all")
    assert all(bar is not None and bar.isVisible() for bar in bars)
    press(pane, "Fold")
    assert not any(bar is not None and bar.isVisible() for bar in bars)
    for name in ("shared", "undone"):
        pane.bars.take(name)
    assert bars[0] is not None
    assert bars[0].isVisible()
