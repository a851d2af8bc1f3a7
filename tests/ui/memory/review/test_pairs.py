"""Two facts that disagree stand side by side in the review, and three keys settle them."""

from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtTest import QTest

from mnemoscope.domain.contradiction.settlement import PairItem
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.ui.memory.review.review_dialog import ReviewDialog
from tests.ui.window_fixture import Opened, Stage, until, words_in

MEMORY = "# Memory\n\n- Lives in Graz\n- Has a cat\n- Lives in Linz\n"


def memory(stage: Stage) -> str:
    return stage.paths.memory_file.read_text("utf-8")


async def checked(stage: Stage, text: str = MEMORY) -> tuple[Opened, ReviewDialog]:
    """Returns a window in which the whole memory was compared, and the review that opened."""
    stage.make(("user", "Hello"), ("assistant", "Hello."), memory=text)
    person = await stage.open()
    person.current.actions["memory.disagreements"].trigger()
    await until(lambda: person.current.reviews.dialog is not None, "the review")
    dialog = person.current.reviews.dialog
    assert dialog is not None
    await until(lambda: dialog.items and dialog.is_ready, "the pair, painted")
    return person, dialog


@pytest.mark.parametrize(
    ("key", "after"),
    [
        (Qt.Key.Key_R, MEMORY.replace("- Lives in Linz\n", "")),
        (Qt.Key.Key_A, MEMORY.replace("- Lives in Graz", "- ~~Lives in Graz~~ (until 2020-03-12)")),
    ],
)
async def test_one_key_keeps_the_old_fact_or_replaces_it_from_a_day(stage: Stage, key: Qt.Key, after: str) -> None:
    _, dialog = await checked(stage)
    assert memory(stage) == MEMORY
    assert (dialog.pair.old.words.text(), dialog.pair.new.words.text()) == ("Lives in Graz", "Lives in Linz")
    assert dialog.diff.isHidden()
    dialog.pair.until.setDate(QDate(2020, 3, 12))
    QTest.keyClick(dialog.pair, key)
    await until(lambda: not Ledger(stage.paths).suggestions(), "the pair settled on the disk")
    assert memory(stage) == after
    QTest.keyClick(dialog, Qt.Key.Key_U)
    await until(lambda: memory(stage) == MEMORY, "memory as it was")
    await until(lambda: len(Ledger(stage.paths).suggestions()) == 1, "the pair waits again")


async def test_both_stand_once_each_has_a_scope(stage: Stage) -> None:
    _, dialog = await checked(stage)
    QTest.keyClick(dialog.pair, Qt.Key.Key_B)
    old, new = dialog.pair.old.scope, dialog.pair.new.scope
    await until(old.isVisible, "the field of the scope")
    old.clear()
    assert not dialog.save_button.isEnabled()
    QTest.keyClick(old, Qt.Key.Key_Return)
    assert memory(stage) == MEMORY
    assert len(dialog.items) == 1
    QTest.keyClicks(old, "at weekends")
    new.clear()
    QTest.keyClicks(new, "at work")
    QTest.keyClick(new, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: not Ledger(stage.paths).suggestions(), "the pair settled on the disk")
    assert "- Lives in Graz (at weekends)\n" in memory(stage)
    assert "- Lives in Linz (at work)\n" in memory(stage)


async def test_escape_leaves_the_scopes_and_not_the_review(stage: Stage) -> None:
    _, dialog = await checked(stage)
    QTest.keyClick(dialog.pair, Qt.Key.Key_B)
    await until(dialog.pair.old.scope.isVisible, "the field of the scope")
    QTest.keyClick(dialog.pair.old.scope, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert dialog.pair.old.scope.isHidden()
    assert len(dialog.items) == 1
    assert memory(stage) == MEMORY


async def test_a_memory_in_which_nothing_disagrees_is_said_to_be_so(stage: Stage) -> None:
    stage.make(("user", "Hello"), ("assistant", "Hello."), memory="# Memory\n\n- Has a cat\n")
    person = await stage.open()
    person.current.actions["memory.disagreements"].trigger()
    await until(lambda: "No two facts" in words_in(person.window.chat), "the notice")
    assert person.current.reviews.dialog is None


async def test_a_fact_that_still_holds_is_not_struck(stage: Stage) -> None:
    _, dialog = await checked(stage)
    [item] = dialog.items
    assert isinstance(item, PairItem)
    dialog.pair.show_pair(item.pair, "", date(2020, 3, 12))
    dialog.pair.until.setDate(QDate(2020, 3, 13))
    assert dialog.pair.settlement("replace").until == date(2020, 3, 12)
    dialog.pair.until.setDate(QDate(2020, 3, 11))
    assert dialog.pair.settlement("replace").until == date(2020, 3, 11)
