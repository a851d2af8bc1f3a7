"""Words are forgotten from the window: their places are listed, what is ticked goes, the receipt says so, and it can be
taken back."""

from __future__ import annotations

import asyncio
import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTreeWidgetItem, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from mnemoscope.domain.conversation.attachment import Attachment
from mnemoscope.domain.conversation.text_file import TextFile
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.forgetting.plan import ForgettingPlan, FoundPlace, PlaceKind
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.ui.chat.composer.composer_text import ComposerText
from mnemoscope.ui.forgetting.forgetting_dialog import ForgettingDialog
from mnemoscope.ui.forgetting.forgetting_receipts_dialog import ForgettingReceiptsDialog
from tests.foreign_stores import claude_code
from tests.support.scripted_provider import ScriptedProvider
from tests.ui.window_fixture import Opened, Stage, click, press, sentences, until, words_in

FACT = "Keeps a quokka called Pumpernickel"
MEMORY = f"# Facts\n\n- Rent is 940\n- {FACT}\n"


class FullDisk(FileCalls):
    """Has no room for the files whose path has `full_for`."""

    full_for = ""

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        if self.full_for and self.full_for in path and flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(errno.ENOSPC, "No space left on device", path)
        return super().open(path, flags, mode)


async def planned(
    stage: Stage, calls: FileCalls = REAL_CALLS, memory: str = MEMORY, answer: str = "Noted."
) -> tuple[Opened, ForgettingDialog]:
    """Returns a window whose conversation, history and memory have the fact, with the places of it listed."""
    stage.make(("user", FACT), ("assistant", answer), memory=memory)
    stage.paths.history_file.write_text(f"[2026-11-20 10:00] {FACT}\n\n", encoding="utf-8")
    person = await stage.open(offline=ScriptedProvider("Yes."), calls=calls)
    editor = person.window.memory.editor
    await until(lambda: FACT in editor.text(), "memory in the editor")
    editor.setTextCursor(editor.document().find(FACT))
    menu = editor.menu()
    next(each for each in menu.actions() if each.text() == "Forget…").trigger()
    menu.close()
    return person, await listed(person)


async def listed(person: Opened) -> ForgettingDialog:
    dialog = person.current.forgetting.dialog
    assert dialog is not None
    await until(lambda: dialog.plan is not None and dialog.busy.isHidden(), "the places")
    return dialog


async def forgetting_receipt_shown(person: Opened) -> ForgettingReceiptsDialog:
    controller = person.current.forgetting
    await until(lambda: controller.receipts is not None and controller.receipts.chosen is not None, "the receipt")
    assert controller.receipts is not None
    return controller.receipts


def hits(stage: Stage) -> list[str]:
    """Returns the files of the workspace whose bytes have the fact."""
    words = b"Pumpernickel"
    return [str(path) for path in stage.paths.root.rglob("*") if path.is_file() and words in path.read_bytes()]


async def test_everything_is_gone_by_bytes_and_comes_back_by_one_press(stage: Stage) -> None:
    person, dialog = await planned(stage)
    kinds = {each.kind for each in dialog.plan.places} if dialog.plan else set()
    assert kinds >= {PlaceKind.MEMORY, PlaceKind.HISTORY, PlaceKind.CONVERSATIONS}
    assert PlaceKind.CONVERSATIONS not in {each.kind for each in dialog.chosen}
    assert "A message becomes a mark." not in dialog.warning.text()
    click(dialog.everything)
    assert PlaceKind.CONVERSATIONS in {each.kind for each in dialog.chosen}
    assert "A message becomes a mark." in dialog.warning.text()
    click(dialog.forget)
    receipts = await forgetting_receipt_shown(person)
    assert hits(stage) == []
    said = receipts.text.toPlainText()
    assert "It is made anew with" not in said
    assert "The words were found nowhere." in said
    assert "Not searched: pictures" in said
    assert "Kept:\n- .mnemoscope/tombstones.json: Hashes of the words and values" in said
    assert "Pumpernickel" not in words_in(receipts) + said
    click(receipts.take_back)
    await until(lambda: receipts.state.text() == "Everything is as it was.", "the end of taking back")
    assert stage.paths.memory_file.read_text(encoding="utf-8") == MEMORY
    assert FACT in stage.paths.history_file.read_text(encoding="utf-8")
    assert not receipts.take_back.isEnabled()
    assert "Taken back on" in receipts.text.toPlainText()
    assert receipts.which.currentText().endswith(" · taken back")
    assert "found nowhere" not in receipts.text.toPlainText()
    assert "tombstones" not in receipts.text.toPlainText()
    receipts.close()


async def test_everything_ticks_no_line_in_other_words_and_the_window_says_so_before(stage: Stage) -> None:
    other = "Pumpernickel is the quokka kept here"
    person, dialog = await planned(stage, memory=f"{MEMORY}- {other}\n")
    assert dialog.plan is not None
    assert [each.text for each in dialog.plan.related] == [other]
    click(dialog.everything)
    said = "“Everything” does not tick the lines that say the same in other words: tick them, or they stay."
    assert said in words_in(dialog)
    (line,) = dialog.tree.findItems(other, Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
    assert line.checkState(0) == Qt.CheckState.Unchecked
    line.setCheckState(0, Qt.CheckState.Checked)
    await until(lambda: dialog.plan is not None and not dialog.plan.related, "its places, too")
    assert said not in words_in(dialog)
    click(dialog.everything)
    click(dialog.forget)
    await forgetting_receipt_shown(person)
    assert hits(stage) == []


async def test_a_line_in_other_words_that_was_ticked_stays_in_sight_and_can_be_left_again(stage: Stage) -> None:
    others = ("Pumpernickel is the quokka kept here", "The quokka kept is Pumpernickel, called so")
    person, dialog = await planned(stage, memory=f"{MEMORY}- {others[0]}\n- {others[1]}\n")

    def row(words: str) -> QTreeWidgetItem:
        [found] = dialog.tree.findItems(words, Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive)
        return found

    dialog.tree.setCurrentItem(row(others[0]))
    press(dialog.tree, "Space")
    assert not dialog.forget.isEnabled(), "its places are not listed yet"
    await until(lambda: dialog.busy.isHidden(), "its places, too")
    assert row(others[0]).checkState(0) == Qt.CheckState.Checked
    assert (now := dialog.tree.currentItem()) is not None
    assert now.text(0).startswith(others[0])
    press(dialog.tree, "Space")
    await until(lambda: dialog.busy.isHidden(), "the places without it")
    assert row(others[0]).checkState(0) == Qt.CheckState.Unchecked
    press(dialog.tree, "Down")
    press(dialog.tree, "Space")
    await until(lambda: dialog.busy.isHidden(), "the places of the other one")
    click(dialog.forget)
    await forgetting_receipt_shown(person)
    left = stage.paths.memory_file.read_text(encoding="utf-8")
    assert others[0] in left
    assert others[1] not in left


async def test_what_an_answer_said_in_other_words_goes_with_its_conversation_once_it_is_ticked(stage: Stage) -> None:
    said = "Pumpernickel must be a happy quokka!"
    person, dialog = await planned(stage, answer=f"Noted, thank you. {said}")
    [line] = dialog.tree.findItems(said, Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive)
    assert line.checkState(0) == Qt.CheckState.Unchecked
    assert line.text(0) == f"{said} · “{FACT}”", "a conversation is named by its title"
    assert f"“{FACT}” × 1" in item_of(dialog, PlaceKind.CONVERSATIONS).text(0)
    assert PlaceKind.CONVERSATIONS not in {each.kind for each in dialog.chosen}
    line.setCheckState(0, Qt.CheckState.Checked)
    await until(lambda: dialog.busy.isHidden(), "its places, too")
    assert PlaceKind.CONVERSATIONS in {each.kind for each in dialog.chosen}, "where it stands is ticked with it"
    click(dialog.forget)
    await forgetting_receipt_shown(person)
    await until(lambda: said not in person.text, "the mark in the place of the answer")
    assert not any("/sessions/" in path for path in hits(stage))


async def test_two_presses_forget_once(stage: Stage) -> None:
    person, dialog = await planned(stage)
    asked: list[object] = []
    dialog.forgetting_requested.connect(lambda chosen, _left: asked.append(chosen))
    QTest.mouseClick(dialog.forget, Qt.MouseButton.LeftButton)
    QTest.mouseClick(dialog.forget, Qt.MouseButton.LeftButton)
    assert len(asked) == 1
    await forgetting_receipt_shown(person)


async def test_other_words_take_the_place_of_those_whose_places_are_listed(stage: Stage) -> None:
    person, dialog = await planned(stage)
    person.current.forgetting.forget(FACT)
    assert person.current.forgetting.dialog is dialog
    person.current.forgetting.forget("Rent is 940")
    other = await listed(person)
    assert other is not dialog
    assert "Rent is 940" in other.said.text()
    assert other.plan is not None
    assert {each.kind for each in other.plan.places} >= {PlaceKind.MEMORY}
    assert PlaceKind.HISTORY not in {each.kind for each in other.plan.places}
    other.reject()


async def test_the_window_says_before_that_what_says_it_in_quite_other_words_may_come_back(stage: Stage) -> None:
    _, dialog = await planned(stage)
    assert "What says the same in quite other words is not found, and may come back unnoticed." in words_in(dialog)
    assert "other words: tick them" not in words_in(dialog)


async def test_the_window_says_before_that_a_conversation_that_stays_is_still_sent(stage: Stage) -> None:
    _, dialog = await planned(stage)
    said = "A conversation that stays is still sent while it goes on."
    assert said in words_in(dialog)
    click(dialog.everything)
    assert said not in words_in(dialog)
    click(dialog.keep)
    assert said in words_in(dialog)


async def test_return_and_escape_change_nothing(stage: Stage) -> None:
    person, dialog = await planned(stage)
    assert dialog.cancel.isDefault()
    press(dialog.tree, "Escape")
    await until(lambda: person.current.forgetting.dialog is None, "the end of the dialog")
    assert stage.paths.memory_file.read_text(encoding="utf-8") == MEMORY
    assert await person.current.bench.forgetting.receipts() == []


async def test_a_place_is_left_by_a_key_and_the_receipt_says_so(stage: Stage) -> None:
    person, dialog = await planned(stage)
    item = item_of(dialog, PlaceKind.HISTORY)
    dialog.tree.setCurrentItem(item)
    QTest.keyClick(dialog.tree, Qt.Key.Key_Space)
    assert PlaceKind.HISTORY not in {each.kind for each in dialog.chosen}
    click(dialog.forget)
    receipts = await forgetting_receipt_shown(person)
    assert "You left it as it is." in receipts.text.toPlainText()
    places = len([each for each in receipts.chosen.left if each.count]) if receipts.chosen is not None else 0
    assert f"{places} places have the words still: they are named below" in receipts.text.toPlainText()
    assert FACT in stage.paths.history_file.read_text(encoding="utf-8")
    assert FACT not in stage.paths.memory_file.read_text(encoding="utf-8")
    receipts.close()


async def test_places_that_are_found_after_the_dialog_went_with_its_window_are_passed_over(stage: Stage) -> None:
    _, dialog = await planned(stage)
    dialog.plan_requested.emit([FACT])
    [search] = [task for task in asyncio.all_tasks() if task.get_name() == "places of words"]
    delete(dialog)
    await search


def test_places_of_a_kind_are_folded_and_ticked_below_one_title(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = ForgettingDialog(window, FACT)
    assert dialog.counts.text() == "Every place is being searched"
    versions = [
        FoundPlace(PlaceKind.VERSIONS, f".mnemoscope/versions/{number}", 2, (f"{FACT}.",)) for number in range(4)
    ]
    memory = FoundPlace(PlaceKind.MEMORY, "memory/MEMORY.md", 1, (f"Since May {FACT.lower()} at home",))
    plan = ForgettingPlan(ForgottenText.of(FACT), (memory, *versions))
    dialog.show_plan(plan)
    groups = [dialog.tree.topLevelItem(place) for place in range(2)]
    first, many = (group for group in groups if group is not None)
    assert (first.isExpanded(), many.isExpanded()) == (True, False)
    assert (first.text(0), many.text(0)) == ("Memory files × 1", "Former texts × 8 · 4 places")
    single, one = first.child(0), many.child(0)
    assert single is not None
    assert one is not None
    assert single.text(0) == f"Since May {FACT.lower()} at home · memory/MEMORY.md × 1"
    assert one.text(0) == "A former text of memory × 2", "the words stand above the list"
    assert one.toolTip(0).startswith(".mnemoscope/versions/0\n")
    captured = ForgettingDialog(window, f"- **remember**: {FACT}")
    captures = FoundPlace(PlaceKind.CAPTURES, ".mnemoscope/captures.jsonl", 3, (FACT,))
    captured.show_plan(ForgettingPlan(ForgottenText.of(FACT), (captures,)))
    assert item_of(captured, PlaceKind.CAPTURES).text(0) == "What was remembered, and what was not × 3"
    many.setExpanded(True)
    dialog.tree.setCurrentItem(one)
    press(dialog.tree, "Space")
    assert many.checkState(0) == Qt.CheckState.PartiallyChecked
    assert [each.path for each in dialog.chosen] == [
        "memory/MEMORY.md",
        *(f".mnemoscope/versions/{place}" for place in (1, 2, 3)),
    ]
    for state in (Qt.CheckState.Unchecked, Qt.CheckState.Checked):
        many.setCheckState(0, state)
        assert len(dialog.chosen) == (5 if state is Qt.CheckState.Checked else 1)
    dialog.show_plan(plan)
    again = dialog.tree.topLevelItem(1)
    assert again is not None
    assert again.isExpanded(), "what was unfolded stays so"


async def test_it_says_that_something_is_at_work_and_can_be_tried_again(stage: Stage) -> None:
    person, dialog = await planned(stage)
    with person.current.bench.loop.kept_idle([person.key]):
        click(dialog.forget)
        await until(lambda: bool(dialog.failure.text()), "the reason")
    assert "still at work" in dialog.failure.text()
    assert stage.paths.memory_file.read_text(encoding="utf-8") == MEMORY
    click(dialog.forget)
    receipts = await forgetting_receipt_shown(person)
    assert FACT not in stage.paths.memory_file.read_text(encoding="utf-8")
    receipts.close()


async def refused_half_way(stage: Stage) -> tuple[Opened, ForgettingDialog, FullDisk]:
    """A forgetting that was begun and that the disk does not let be finished."""
    disk = FullDisk()
    person, dialog = await planned(stage, disk)
    disk.full_for = "HISTORY.md"
    click(dialog.forget)
    await until(lambda: dialog.is_unfinished, "the reason")
    return person, dialog, disk


async def test_a_disk_that_fills_half_way_is_said_and_try_again_ends_what_was_begun(stage: Stage) -> None:
    person, dialog, disk = await refused_half_way(stage)
    assert dialog.failure.text().startswith("Forgetting began and is not finished: The disk is full")
    assert (dialog.forget.text(), dialog.cancel.text()) == ("Try again", "Close")
    assert not dialog.tree.isEnabled()
    assert "Pumpernickel" not in stage.paths.memory_file.read_text(encoding="utf-8")
    assert "another program" not in words_in(person.window)
    click(dialog.forget)
    await until(lambda: dialog.forget.isEnabled(), "the next reason")
    assert dialog.failure.text().startswith("Forgetting began and is not finished: The disk is full")
    disk.full_for = ""
    click(dialog.forget)
    receipts = await forgetting_receipt_shown(person)
    assert person.current.forgetting.dialog is None
    assert len(await person.current.bench.forgetting.receipts()) == 1
    click(receipts.take_back)
    await until(lambda: receipts.state.text() == "Everything is as it was.", "the end of taking back")
    assert stage.paths.memory_file.read_text(encoding="utf-8") == MEMORY
    receipts.close()


async def test_a_forgetting_that_is_not_finished_is_named_among_the_receipts_until_it_is(stage: Stage) -> None:
    person, dialog, disk = await refused_half_way(stage)
    click(dialog.cancel)
    person.current.forgetting.show_receipts()
    receipts = person.current.forgetting.receipts
    assert receipts is not None
    await until(lambda: "not finished" in receipts.state.text() and receipts.state.isVisible(), "what is to come")
    assert "Nothing was forgotten" not in words_in(receipts) + receipts.text.toPlainText()
    disk.full_for = ""
    assert await person.current.bench.repairs.try_disk()
    shown = await forgetting_receipt_shown(person)
    assert shown.take_back.isEnabled()
    assert not shown.state.isVisible()
    receipts.close()


async def test_a_way_back_that_the_disk_refuses_half_way_is_said_by_the_receipt(stage: Stage) -> None:
    disk = FullDisk()
    person, dialog = await planned(stage, disk)
    click(dialog.forget)
    receipts = await forgetting_receipt_shown(person)
    disk.full_for = "HISTORY.md"
    click(receipts.take_back)
    await until(lambda: "is not finished" in receipts.text.toPlainText(), "what the receipt says")
    assert "disk is full" in receipts.state.text()
    assert "Kept:" in receipts.text.toPlainText()
    disk.full_for = ""
    click(receipts.take_back)
    await until(lambda: receipts.state.text() == "Everything is as it was.", "the end of taking back")
    assert stage.paths.memory_file.read_text(encoding="utf-8") == MEMORY
    assert "is not finished" not in receipts.text.toPlainText()
    receipts.close()


async def test_after_a_restart_it_is_said_that_it_cannot_be_taken_back(stage: Stage) -> None:
    person, dialog = await planned(stage)
    click(dialog.forget)
    receipts = await forgetting_receipt_shown(person)
    assert receipts.take_back.isEnabled()
    assert not receipts.state.isVisible()
    await person.close()
    person = await stage.open(offline=ScriptedProvider("Yes."))
    person.current.forgetting.show_receipts()
    receipts = await forgetting_receipt_shown(person)
    assert not receipts.take_back.isEnabled()
    assert receipts.state.isVisible()
    assert receipts.state.text().startswith("This cannot be taken back any more")
    receipts.close()


async def test_a_message_begins_it_too(stage: Stage) -> None:
    stage.make(("user", FACT), ("assistant", "Noted."), memory=MEMORY)
    person = await stage.open(offline=ScriptedProvider("Yes."))
    view = person.window.chat.transcript.view
    row = next(each for each in view.transcript.rows if each.index == 0)
    view.menu_requested.emit(view.row_rect(row).translated(0, -view.offset()).center().toPoint())
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    next(each for each in menu.actions() if each.text() == "Forget…").trigger()
    menu.close()
    dialog = await listed(person)
    assert FACT in dialog.said.text()
    assert dialog.chosen
    dialog.close()


async def test_an_entry_of_the_history_begins_it_and_goes_with_all_of_its_sentences(stage: Stage) -> None:
    stage.make(("user", "Hello"), ("assistant", "Hello."), memory=MEMORY)
    entry = f"[2026-11-20 10:00] {FACT}. The vet of the harbour saw it twice."
    stage.paths.history_file.write_text(f"[2026-11-19 10:00] Else.\n\n{entry}\n\n", encoding="utf-8")
    person = await stage.open(offline=ScriptedProvider("Yes."))
    view = person.window.history.view
    await until(lambda: len(view.model.matches) == 2, "the entries")
    row = next(row for row, match in enumerate(view.model.matches) if FACT in match.entry.text)
    menu = view.entry_menu(row)
    next(each for each in menu.actions() if each.text() == "Forget…").trigger()
    menu.close()
    dialog = await listed(person)
    assert {PlaceKind.HISTORY, PlaceKind.MEMORY} <= {each.kind for each in dialog.chosen}
    click(dialog.forget)
    (await forgetting_receipt_shown(person)).close()
    assert stage.paths.history_file.read_text(encoding="utf-8").startswith("[2026-11-19 10:00] Else.\n")
    assert "harbour" not in stage.paths.history_file.read_text(encoding="utf-8")
    assert hits(stage) == []
    await until(lambda: not any("quokka" in match.entry.text for match in view.model.matches), "the list without it")


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("everything", [True, False])
async def test_what_is_typed_and_not_sent_goes_with_the_drafts_and_is_no_draft_again(
    stage: Stage, everything: bool, waits: bool
) -> None:
    """Also in the names of files and images that go with it, and in messages that wait for an answer to end."""
    stage.make(("user", "Hello"), ("assistant", "Hello."), memory=MEMORY)
    person = await stage.open(offline=ScriptedProvider("Yes."))
    field = person.window.chat.composer.edit
    field.insertPlainText(f"\U0001f426 Say that somebody {FACT.lower()}, please")
    person.composer.files.add(TextFile(f"{FACT}.md", f"In a file somebody {FACT.lower()}"))
    person.composer.images.add(Attachment("ab" * 32, "image/png", 1, 1, 4, f"{FACT}.png"))
    if waits:
        conversation = person.current.conversation
        queue, key = conversation.drafts.queue, conversation.key
        typed = person.composer.content()
        queue.add(key, ComposerText(f"It waits: {FACT}", images=typed.images).with_files(person.composer.files.items))
        queue.add(key, ComposerText(images=typed.images).sent())
        queue.hold(key)
        person.composer.begin_editing(0, ComposerText("Hello"), "Sent anew")
    person.current.forgetting.forget(FACT)
    dialog = await listed(person)
    if everything:
        click(dialog.everything)
    click(dialog.forget)
    receipts = await forgetting_receipt_shown(person)
    receipts.close()
    if waits:
        person.composer.leave_editing()
        person.current.conversation.flush_draft()
    else:
        field.undo()
    if everything:
        assert field.toPlainText() == "\U0001f426 Say that somebody […], please"
        assert [each.name for each in person.composer.files.items] == ["[…].md"]
        assert [each.name for each in person.composer.images.items] == ["[…].png"]
    if everything and waits:
        assert [each.content.text.partition("\n")[0] for each in queue.of(key)] == ["It waits: […]", "[image: […].png]"]
    await person.close()
    drafts = "".join(path.read_text("utf-8") for path in stage.paths.own.drafts_dir.iterdir())
    assert "somebody" in drafts
    assert ("waits" in drafts) is waits
    assert ("pumpernickel" in drafts.lower()) is not everything


async def test_no_undo_of_the_editor_brings_back_what_was_forgotten(stage: Stage) -> None:
    person, dialog = await planned(stage)
    click(dialog.forget)
    receipts = await forgetting_receipt_shown(person)
    receipts.close()
    editor = person.window.memory.editor
    await until(lambda: FACT not in editor.text(), "memory without it")
    editor.undo()
    assert FACT not in editor.text()
    assert not editor.document().isModified()


async def test_the_editor_says_that_forgotten_words_were_taken_out_and_no_version_restored(stage: Stage) -> None:
    person, dialog = await planned(stage)
    editor = person.window.memory.editor
    editor.moveCursor(QTextCursor.MoveOperation.End)
    editor.insertPlainText("- Owns a kayak\n")
    click(dialog.forget)
    receipts = await forgetting_receipt_shown(person)
    receipts.close()
    await person.until_said("Forgotten words were taken out of MEMORY.md while you were typing.", person.memory)


async def test_copies_in_other_agents_are_named_and_no_more_where_the_person_agreed_that_they_are_looked_at(
    stage: Stage, tmp_path: Path
) -> None:
    root = claude_code.sample_store(tmp_path / "person" / ".claude")
    file = next(path for path in root.rglob("MEMORY.md") if path.parent.name == "memory")
    file.write_text(f"{file.read_text('utf-8')}\n- {FACT}\n", "utf-8")
    person, dialog = await planned(stage)
    assert "Other agents on this computer were not looked at" in dialog.counts.text()
    dialog.close()
    await until(lambda: person.current.forgetting.dialog is None, "the end of the dialog")
    agents = person.current.agents
    agents.consent.look_below(tmp_path / "person", {})
    agents.open()
    assert agents.window is not None
    agents.window.look.click()
    agents.close()
    before = file.read_bytes()
    person.current.forgetting.forget(FACT)
    dialog = await listed(person)
    assert "not looked at" not in dialog.counts.text()
    item = item_of(dialog, PlaceKind.OTHER_AGENTS)
    assert item.data(0, Qt.ItemDataRole.CheckStateRole) is None
    assert str(file) in item.text(0)
    click(dialog.everything)
    click(dialog.forget)
    receipts = await forgetting_receipt_shown(person)
    assert f"Other agents: {file} × 1. It belongs to another program. Change it there." in receipts.text.toPlainText()
    assert file.read_bytes() == before
    receipts.close()


def item_of(dialog: ForgettingDialog, kind: PlaceKind) -> QTreeWidgetItem:
    """Returns the item of the first place of a kind."""
    for item in dialog.tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive):
        place = item.data(0, Qt.ItemDataRole.UserRole)
        if isinstance(place, FoundPlace) and place.kind is kind:
            return item
    raise AssertionError(kind)


async def test_a_temporary_conversation_is_a_place_and_shows_a_mark_afterwards(stage: Stage) -> None:
    stage.make(("user", "Hello"), ("assistant", "Yes."), memory=MEMORY)
    person = await stage.open(offline=ScriptedProvider(last="Yes."))
    session = await person.bench.discretion.begin_temporary()
    await person.current.sessions.open(session.key)
    await person.bench.loop.process(session.key, f"It {FACT.lower()}")
    transcript = person.window.chat.transcript
    await until(lambda: "pumpernickel" in transcript.view.toPlainText(), "the message")
    person.current.forgetting.forget(FACT)
    dialog = await listed(person)
    item = item_of(dialog, PlaceKind.TEMPORARY)
    assert "In the memory of this program alone" in item.text(0)
    assert PlaceKind.TEMPORARY not in {each.kind for each in dialog.chosen}
    click(dialog.everything)
    click(dialog.forget)
    receipts = await forgetting_receipt_shown(person)
    assert "pumpernickel" not in str(list(session.messages)).casefold()
    await until(lambda: "pumpernickel" not in transcript.view.toPlainText(), "the message gone from the transcript")
    click(receipts.take_back)
    await until(lambda: "pumpernickel" in transcript.view.toPlainText(), "the message again")
    receipts.close()
    # A window asks before it closes what is kept nowhere.
    person.bench.sessions.temporary.close(session.key)


def test_places_are_listed_as_they_are_found_and_nothing_is_taken_before_all_are_known(
    qtbot: QtBot,
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ForgettingDialog(parent, FACT)
    dialog.show()
    memory = FoundPlace(PlaceKind.MEMORY, "memory/MEMORY.md", 1, (FACT,))
    version = FoundPlace(PlaceKind.VERSIONS, ".mnemoscope/versions/1", 1, (FACT,))
    dialog.show_found(version)
    dialog.show_found(memory)
    qtbot.waitUntil(lambda: dialog.tree.topLevelItemCount() == 2)
    assert "so far: 2" in dialog.counts.text()
    assert dialog.busy.isVisible()
    assert dialog.chosen
    assert not dialog.forget.isEnabled()
    assert not dialog.everything.isEnabled()
    groups = [dialog.tree.topLevelItem(place) for place in range(2)]
    first = [child for group in groups if group is not None and (child := group.child(0)) is not None]
    row = next(each for each in first if each.data(0, Qt.ItemDataRole.UserRole) == memory)
    row.setCheckState(0, Qt.CheckState.Unchecked)
    assert not dialog.forget.isEnabled()
    (versions,) = [group for group in groups if group is not None and group.indexOfChild(row) < 0]
    assert versions.isExpanded()
    more = tuple(replace(version, path=f".mnemoscope/versions/{number}") for number in range(2, 6))
    dialog.show_plan(ForgettingPlan(ForgottenText.of(FACT), (memory, version, *more)))
    grown = dialog.tree.topLevelItem(1)
    assert grown is not None
    assert not grown.isExpanded(), "many of a kind stand below their title"
    assert dialog.chosen == [version, *more], "what was unticked meanwhile stays so"
    assert dialog.forget.isEnabled()
    assert dialog.busy.isHidden()
    dialog.reject()


async def test_that_nothing_is_selected_is_said_until_something_is(stage: Stage) -> None:
    stage.make(("user", FACT), ("assistant", "Noted."), memory=MEMORY)
    person = await stage.open()
    forgetting = person.current.forgetting
    forgetting.forget("")
    asked = "Select the words that are to be forgotten first."
    assert asked in sentences(person.window)
    forgetting.forget(FACT)
    await listed(person)
    assert asked not in sentences(person.window)
    forgetting.forget("")
    assert asked in sentences(person.window)
