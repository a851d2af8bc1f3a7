"""What was left out of the review is counted in it, listed, and let in again."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.ui.memory.review.left_out_controller import LeftOutDialog
from tests.support.full_disk import FullDisk
from tests.ui.memory.review.review_fixture import FACTS, decide, hold, memory, reviewing, waiting
from tests.ui.window_fixture import Stage, press, rest, until


async def test_what_was_rejected_is_left_out_in_other_words_said_in_one_line_and_let_in_again(held: Stage) -> None:
    hold(held, "Prefers tea from Assam")
    disk = FullDisk(".json")
    person = await held.open(calls=disk)
    dialog = await reviewing(person)
    assert dialog.left_out.isHidden()
    await decide(dialog, Qt.Key.Key_R)
    await until(lambda: not waiting(held), "the rejection on the disk")
    memory_of_core = person.current.bench.memory
    again = "Tea from Assam is what Sam prefers"
    await memory_of_core.editing.propose(FACTS, f"{FACTS}- {again}\n", "Nobody spoke of it.")
    await until(lambda: not dialog.left_out.isHidden(), "the line")
    assert "you rejected the same before (" in dialog.left_out.text()
    assert dialog.queue.items == []
    lists: list[LeftOutDialog] = []
    person.current.reviews.left_out.opened.connect(lists.append)
    for _ in range(2):
        QTest.keyClick(dialog.left_out, Qt.Key.Key_Space)
    await until(lambda: lists, "the list")
    await rest()
    assert len(lists) == 1, "a second press opens no second one"
    assert lists[0].list.item(0).text() == f"- {again}"
    await until(lists[0].isActiveWindow, "the list in front")
    press(lists[0], "F1")
    manual = person.current.manual
    await until(lambda: manual.window is not None and manual.window.page == "review", "its page of the manual")
    manual.close()
    disk.is_full = True
    QTest.keyClick(lists[0].button, Qt.Key.Key_Space)
    await until(lambda: "The disk is full" in lists[0].said.text(), "the refusal")
    assert lists[0].list.count() == 1
    disk.is_full = False
    QTest.keyClick(lists[0].button, Qt.Key.Key_Space)
    await until(lambda: dialog.queue.items and dialog.left_out.isHidden(), "it waits again")
    assert memory(held) == FACTS
    await until(lambda: dialog.is_ready, "it is painted")
    await decide(dialog, Qt.Key.Key_A)
    await until(lambda: memory(held) == f"{FACTS}- {again}\n", "accepted by the person")


async def test_the_keyboard_stays_at_the_button_that_lets_a_proposal_in_which_does_so_once(held: Stage) -> None:
    hold(held, "Has a cat", "Has a dog")
    dialog = LeftOutDialog()
    dialog.show_left_out(waiting(held))
    wanted: list[Suggestion] = []
    dialog.let_in.connect(wanted.append)
    dialog.show()
    dialog.button.setFocus()
    await until(dialog.button.hasFocus, "the keyboard at the button")
    dialog.button.click()
    await rest(QApplication.doubleClickInterval() / 1000 + 0.05)
    dialog.button.click()
    assert len(wanted) == 1
    assert dialog.button.hasFocus()
    dialog.take_out(wanted[0])
    assert dialog.list.count() == 1
    assert dialog.button.hasFocus()
    dialog.close()
    dialog.deleteLater()
