"""Another writer changes the file that is being edited: nothing is lost, and the person decides."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.ui.memory.memory_document import MemoryDocument
from tests.ui.memory.memory_fixture import FILE, THEIRS, pane, press, type_at_end

__all__ = ["pane"]


def test_a_clean_editor_follows_an_outside_change_in_one_undoable_step(pane: MemoryDocument) -> None:
    pane.editor.go_to_line(7)
    pane.memory_changed(THEIRS, "v2", "consolidation")
    assert pane.editor.text() == THEIRS
    assert not pane.is_dirty()
    assert pane.editor.flash.numbers == {4}
    assert pane.editor.textCursor().block().text() == "- Short answers"
    pane.editor.undo()
    assert pane.editor.text() == FILE
    assert pane.is_dirty()


@pytest.mark.parametrize("is_in_use", [False, True])
def test_a_new_line_comes_into_sight_where_nobody_writes(pane: MemoryDocument, is_in_use: bool) -> None:
    long = FILE + "".join(f"- Fact {number}\n" for number in range(80))
    pane.show_memory(long, "v2")
    pane.editor.go_to_line(0)
    if is_in_use:
        pane.editor.setFocus()
    else:
        pane.editor.clearFocus()
    assert pane.editor.hasFocus() == is_in_use
    pane.editor.verticalScrollBar().setValue(0)
    pane.memory_changed(long + "- **remember**: the kiln is fired on Friday\n", "v3", "capture")
    last = pane.editor.document().lastBlock().previous()
    assert last.text() == "- **remember**: the kiln is fired on Friday"
    place = pane.editor.blockBoundingGeometry(last).translated(pane.editor.contentOffset())
    assert (place.bottom() <= pane.editor.viewport().height() + 1) == (not is_in_use)


@pytest.mark.parametrize("view", ["both", "preview"])
def test_what_was_just_remembered_stands_out_in_the_preview_too(pane: MemoryDocument, qtbot: QtBot, view: str) -> None:
    long = FILE + "".join(f"- Fact {number}\n" for number in range(80))
    pane.show_memory(long, "v2")
    split = pane.body.split
    split.set_view(view)
    pane.editor.clearFocus()
    preview = split.preview
    preview.verticalScrollBar().setValue(0)
    pane.memory_changed(long + "- **remember**: the kiln is fired on Friday\n", "v3", "capture")
    line = pane.editor.blockCount() - 2
    assert pane.editor.flash.numbers == {line}
    qtbot.waitUntil(lambda: preview.verticalScrollBar().value() > 0)
    seen = preview.verticalScrollBar().value() + preview.viewport().height()
    assert preview.y_of_line(line) < preview.end_of_block(line) <= seen + 1

    def greenest() -> int:
        picture = preview.viewport().grab().toImage()
        middle = round((preview.y_of_line(line) + preview.end_of_block(line)) / 2) - preview.verticalScrollBar().value()
        colour = picture.pixelColor(picture.width() - 12, middle)
        return colour.green() - colour.red()

    assert greenest() > 5
    pane.editor.flash.forget()
    assert greenest() <= 5


def test_whoever_reads_in_the_preview_stays_there(pane: MemoryDocument, qtbot: QtBot) -> None:
    long = FILE + "".join(f"- Fact {number}\n" for number in range(80))
    pane.show_memory(long, "v2")
    pane.body.split.set_view("preview")
    preview = pane.body.split.preview
    pane.activateWindow()
    preview.setFocus()
    qtbot.waitUntil(preview.hasFocus)
    preview.verticalScrollBar().setValue(0)
    with qtbot.waitSignal(pane.body.split.rendered):
        pane.memory_changed(long + "- **remember**: the kiln is fired on Friday\n", "v3", "capture")
    assert preview.hasFocus()
    assert preview.verticalScrollBar().value() == 0


def test_its_own_save_announced_again_changes_nothing(pane: MemoryDocument) -> None:
    type_at_end(pane, "- new\n")
    pane.save()
    pane.memory_changed(FILE + "- new\n", "v2", "editor")
    pane.saved(FILE + "- new\n", "v2", False)
    pane.memory_changed(FILE + "- new\n", "v2", "editor")
    assert pane.bars.bar("incoming") is None
    assert not pane.is_dirty()


def test_a_change_while_typing_touches_nothing_and_asks(pane: MemoryDocument) -> None:
    type_at_end(pane, "- unsaved\n")
    pane.memory_changed(THEIRS, "v2", "consolidation")
    assert pane.editor.text() == FILE + "- unsaved\n"
    bar = pane.bars.bar("incoming")
    assert bar is not None
    assert bar.sentence.startswith("MEMORY.md was changed by consolidation while you were typing.")


def test_merge_brings_both_together_in_one_undoable_step(pane: MemoryDocument, qtbot: QtBot) -> None:
    type_at_end(pane, "- unsaved\n")
    pane.memory_changed(THEIRS, "v2", "outside")
    press(pane, "Merge")
    assert pane.editor.text() == THEIRS + "- unsaved\n"
    assert pane.is_dirty()
    with qtbot.waitSignal(pane.save_requested) as asked:
        pane.save()
    assert asked.args == [THEIRS + "- unsaved\n", "v2"]
    pane.editor.undo()
    assert pane.editor.text() == FILE + "- unsaved\n"


@pytest.mark.parametrize("at_end", [False, True])
@pytest.mark.parametrize("changed", [3, 40, 76])
def test_after_merging_the_first_line_that_came_is_in_sight(pane: MemoryDocument, changed: int, at_end: bool) -> None:
    lines = [f"- Fact number {number}\n" for number in range(80)]
    # So high that the preview too holds both the line and the caret at the end.
    pane.resize(380, 860)
    pane.show_memory("".join(lines), "v1")
    pane.editor.setFocus()
    type_at_end(pane, "- unsaved\n")
    if at_end:
        pane.editor.moveCursor(QTextCursor.MoveOperation.End)
    pane.memory_changed("".join([*lines[:changed], "- New here\n", *lines[changed:]]), "v2", "consolidation")
    QApplication.processEvents()
    press(pane, "Merge")
    for _ in range(4):
        QApplication.processEvents()
    shown = [block.text() for block, place in pane.editor.visible_blocks() if place.bottom() <= pane.editor.height()]
    assert "- New here" in shown
    pane.body.split.render_now()
    top = pane.body.split.preview.line_at(pane.body.split.preview.verticalScrollBar().value())
    bottom = pane.body.split.preview.verticalScrollBar().value() + pane.body.split.preview.viewport().height()
    assert top <= changed <= pane.body.split.preview.line_at(bottom)


def test_merged_text_counts_as_unsaved_however_far_it_is_undone(pane: MemoryDocument) -> None:
    type_at_end(pane, "- unsaved\n")
    pane.memory_changed(THEIRS, "v2", "outside")
    press(pane, "Merge")
    pane.editor.undo()
    pane.editor.undo()
    assert pane.editor.text() == FILE
    assert pane.is_dirty()


def test_the_newest_of_several_changes_is_the_one_that_is_merged(pane: MemoryDocument) -> None:
    type_at_end(pane, "- unsaved\n")
    pane.memory_changed("something else\n", "v2", "outside")
    pane.memory_changed(THEIRS, "v3", "consolidation")
    press(pane, "Merge")
    assert pane.editor.text() == THEIRS + "- unsaved\n"


def test_diff_shows_what_the_other_side_changed_and_leads_back(pane: MemoryDocument) -> None:
    type_at_end(pane, "- unsaved\n")
    pane.memory_changed(THEIRS, "v2", "outside")
    press(pane, "Diff")
    assert pane.body.page == "compare"
    assert "+ - pgbouncer, transaction mode" in pane.body.compare.widget.diff.text.toPlainText()
    press(pane, "Back")
    assert pane.body.page == "text"
    assert pane.editor.text() == FILE + "- unsaved\n"


def test_keep_mine_lets_my_text_stand_and_can_be_undone(pane: MemoryDocument, qtbot: QtBot) -> None:
    type_at_end(pane, "- unsaved\n")
    pane.memory_changed(THEIRS, "v2", "outside")
    press(pane, "Keep mine")
    assert pane.bars.bar("incoming") is None
    press(pane, "Undo")
    assert pane.bars.bar("incoming") is not None
    press(pane, "Keep mine")
    with qtbot.waitSignal(pane.save_requested) as asked:
        pane.save()
    assert asked.args == [FILE + "- unsaved\n", "v2"]


@pytest.mark.parametrize(
    ("choice", "line"),
    [("Keep mine", "- Deadline is 14 May\n"), ("Take theirs", "- Deadline is 16 May\n")],
)
def test_a_conflict_shows_both_sides_and_is_settled_either_way(pane: MemoryDocument, choice: str, line: str) -> None:
    mine = FILE.replace("12 May", "14 May")
    pane.editor.replace_text(mine)
    pane.memory_changed(FILE.replace("12 May", "16 May"), "v2", "outside")
    press(pane, "Merge")
    assert pane.editor.text() == mine
    assert len(pane.body.conflicts.widget.waiting) == 1
    press(pane, "Review")
    assert (
        pane.body.conflicts.widget.mine.text.toPlainText(),
        pane.body.conflicts.widget.theirs.text.toPlainText(),
    ) == (
        "- Deadline is 14 May",
        "- Deadline is 16 May",
    )
    press(pane, choice)
    assert pane.body.conflicts.widget.waiting == []
    assert pane.body.page == "text"
    assert pane.editor.text() == FILE.replace("- Deadline is 12 May\n", line)


def test_both_sides_of_a_conflict_can_be_kept(pane: MemoryDocument) -> None:
    pane.editor.replace_text(FILE.replace("12 May", "14 May"))
    pane.memory_changed(FILE.replace("12 May", "16 May"), "v2", "outside")
    press(pane, "Merge")
    press(pane, "Review")
    press(pane, "Both")
    assert "- Deadline is 14 May\n- Deadline is 16 May\n" in pane.editor.text()


@pytest.mark.parametrize("choice", ["Keep mine", "Take theirs", "Both"])
def test_after_more_typing_in_the_passage_the_other_wording_is_still_there_to_choose(
    pane: MemoryDocument, choice: str
) -> None:
    pane.editor.replace_text(FILE.replace("12 May", "14 May"))
    pane.memory_changed(FILE.replace("12 May", "16 May"), "v2", "outside")
    press(pane, "Merge")
    pane.editor.replace_text(FILE.replace("12 May", "14 May at noon"))
    press(pane, "Review")
    press(pane, choice)
    if pane.body.conflicts.widget.waiting:
        bar = pane.bars.bar("passage")
        assert bar is not None
        assert "choose once more" in bar.sentence
        conflicts = pane.body.conflicts.widget
        assert (conflicts.mine.text.toPlainText(), conflicts.theirs.text.toPlainText()) == (
            "- Deadline is 14 May at noon",
            "- Deadline is 16 May",
        )
        press(pane, choice)
    both = "- Deadline is 14 May at noon\n- Deadline is 16 May\n"
    wanted = {"Keep mine": "- Deadline is 14 May at noon\n", "Take theirs": "- Deadline is 16 May\n", "Both": both}
    assert pane.editor.text() == FILE.replace("- Deadline is 12 May\n", wanted[choice])
    assert not pane.body.conflicts.widget.waiting
    assert pane.bars.bar("passage") is None
    assert pane.body.page == "text"


def test_a_passage_that_the_person_took_out_meanwhile_can_still_be_had_in_the_other_wording(
    pane: MemoryDocument,
) -> None:
    pane.editor.replace_text(FILE.replace("12 May", "14 May"))
    pane.memory_changed(FILE.replace("12 May", "16 May"), "v2", "outside")
    press(pane, "Merge")
    pane.editor.replace_text(FILE.replace("- Deadline is 12 May\n", ""))
    press(pane, "Review")
    press(pane, "Take theirs")
    if pane.body.conflicts.widget.waiting:
        press(pane, "Take theirs")
    assert "- Deadline is 16 May\n" in pane.editor.text()
    assert not pane.body.conflicts.widget.waiting


def test_a_conflict_that_was_not_settled_still_waits_after_saving(pane: MemoryDocument) -> None:
    pane.editor.replace_text(FILE.replace("12 May", "14 May"))
    pane.memory_changed(FILE.replace("12 May", "16 May"), "v2", "outside")
    press(pane, "Merge")
    pane.save()
    pane.saved(pane.editor.text(), "v3", False)
    assert len(pane.body.conflicts.widget.waiting) == 1


def test_long_wordings_of_a_conflict_are_scrolled_together(pane: MemoryDocument) -> None:
    pane.resize(400, 420)
    long = "- Deadline is 12 May, " + "when the van comes and the kiln is cold again, " * 8
    pane.show_memory(long, "v1")
    pane.editor.replace_text(long.replace("12 May", "14 May"))
    pane.memory_changed(long.replace("12 May", "16 May"), "v2", "outside")
    press(pane, "Merge")
    press(pane, "Review")
    QApplication.processEvents()
    for side in (pane.body.conflicts.widget.mine, pane.body.conflicts.widget.theirs):
        assert side.text.verticalScrollBar().maximum() == 0
    pane.resize(330, 420)
    QApplication.processEvents()
    assert pane.body.conflicts.widget.mine.text.verticalScrollBar().maximum() == 0


def test_a_draft_of_an_older_file_is_merged_without_losing_a_line_of_either(pane: MemoryDocument) -> None:
    pane.show_memory(THEIRS, "v2")
    pane.restore_draft(FILE + "- draft\n", "v1")
    assert pane.editor.text() == FILE + "- draft\n"
    press(pane, "Merge")
    assert pane.editor.text() == THEIRS + "- draft\n"


def test_dropped_suggestions_and_incoming_changes_never_share_the_room(pane: MemoryDocument) -> None:
    pane.show_suggestions([Suggestion("s", "", FILE, "x\n", ("It would drop a line.",), "k", 0, 3)])
    type_at_end(pane, "- unsaved\n")
    pane.memory_changed(THEIRS, "v2", "outside")
    assert pane.bars.bar("suggestion") is None
    press(pane, "Merge")
    assert pane.bars.bar("suggestion") is not None


def test_a_file_emptied_by_another_program_can_be_put_back(pane: MemoryDocument, qtbot: QtBot) -> None:
    pane.memory_changed("", "v-empty", "outside")
    assert pane.bars.bar("emptied") is not None
    with qtbot.waitSignal(pane.save_requested) as saved:
        press(pane, "Put back the last text")
    assert saved.args == [FILE, "v-empty"]
    assert pane.bars.bar("emptied") is None
    pane.saved(FILE, "v3", False)


def test_a_file_emptied_on_purpose_is_left_empty(pane: MemoryDocument) -> None:
    pane.memory_changed("", "v-empty", "outside")
    assert pane.body.page == "empty"
    assert "last text is kept" in pane.body.empty.sentence.text()
    press(pane, "Leave it")
    assert "Memory is written after" in pane.body.empty.sentence.text()
    assert pane.bars.bar("emptied") is None
    assert pane.editor.text() == ""
