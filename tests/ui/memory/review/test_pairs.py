"""Two facts that disagree stand side by side in the review, and three keys settle them."""

from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtCore import QDate, QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from mnemoscope.domain.disagreement.memory_check import Disagreement, PlacedPair
from mnemoscope.domain.disagreement.settlement import PairItem
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.file_registry import USER_PATH
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.ui.memory.review.pair_view import PairView
from mnemoscope.ui.memory.review.review_dialog import ReviewDialog
from mnemoscope.ui.widgets.theme import Theme
from tests.support.full_disk import FullDisk
from tests.ui.window_fixture import Opened, Stage, click, rest, until, words_in

MEMORY = "# Memory\n\n- Lives in Graz\n- Has a cat\n- Lives in Linz\n"


def memory(stage: Stage) -> str:
    return stage.paths.memory_file.read_text("utf-8")


async def checked(
    stage: Stage, text: str = MEMORY, user: str = "", calls: FileCalls | None = None
) -> tuple[Opened, ReviewDialog]:
    """Returns a window in which the whole memory was compared, and the review that opened."""
    stage.make(("user", "Hello"), ("assistant", "Hello."), memory=text)
    if user:
        stage.paths.file(USER_PATH).write_text(user)
    person = await stage.open(calls=calls or FileCalls())
    person.current.actions["memory.disagreements"].trigger()
    await until(lambda: person.current.reviews.dialog is not None, "the review")
    dialog = person.current.reviews.dialog
    assert dialog is not None
    await until(lambda: dialog.queue.items and dialog.is_ready, "the pair, painted")
    return person, dialog


def test_the_scopes_of_both_facts_stand_at_one_height(qtbot: QtBot) -> None:
    view = PairView()
    qtbot.addWidget(view)
    view.resize(480, 400)
    view.show_pair(
        PlacedPair(
            Disagreement("- Lives in Graz", "- Lives in Linz, in a house by the river, " + "far out " * 12),
            MEMORY_PATH,
            MEMORY_PATH,
        ),
        "You said “I moved” · 12 March",
        date(2026, 3, 12),
    )
    view.show_scopes(True)
    view.show()
    tops = {card.scope.mapTo(view, card.scope.rect().topLeft()).y() for card in (view.old, view.new)}
    assert view.new.words.height() > view.old.words.height()
    assert len(tops) == 1


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
    assert (dialog.pair.old.title.text(), dialog.pair.new.title.text()) == ("Older · MEMORY.md", "Newer · MEMORY.md")
    assert (dialog.pair.old.words.text(), dialog.pair.new.words.text()) == ("Lives in Graz", "Lives in Linz")
    # In the list the words that both begin with stand once, and all of it on hover.
    row = dialog.list.item(1)
    assert (row.text(), row.toolTip()) == ("Lives in Linz · now: … Graz", "Lives in Linz · now: Lives in Graz")
    assert dialog.diff.isHidden()
    dialog.pair.until.setDate(QDate(2020, 3, 12))
    QTest.keyClick(dialog.pair, key)
    await until(lambda: not Ledger(stage.paths).suggestions(), "the pair settled on the disk")
    assert memory(stage) == after
    QTest.keyClick(dialog, Qt.Key.Key_U)
    await until(lambda: memory(stage) == MEMORY, "memory as it was")
    await until(lambda: len(Ledger(stage.paths).suggestions()) == 1, "the pair waits again")


async def test_on_a_low_screen_the_review_does_not_grow_when_all_is_decided(stage: Stage) -> None:
    _, dialog = await checked(stage)
    dialog.resize(dialog.minimumSizeHint())
    before = dialog.height()
    QTest.keyClick(dialog.pair, Qt.Key.Key_R)
    await until(dialog.nothing.isVisible, "that all is decided")
    await rest()
    assert dialog.height() == before


async def test_the_review_does_not_grow_when_scopes_are_asked_for(stage: Stage) -> None:
    _, dialog = await checked(stage)
    before = dialog.size()
    for way in (dialog.edit_button, dialog.leave_button):
        click(way)
        await rest()
        assert dialog.size() == before


def test_the_words_in_which_two_facts_differ_are_marked_and_markup_in_them_is_shown_as_text(qtbot: QtBot) -> None:
    view = PairView()
    qtbot.addWidget(view)
    view.resize(620, 220)
    pair = Disagreement("- 🏠 Lives in <b>Graz</b>", "- 🏠 Lives in <b>Linz</b>")
    view.show_pair(PlacedPair(pair, MEMORY_PATH, USER_PATH), "", date.today())
    with qtbot.waitExposed(view):
        view.show()
    for card, place, role in ((view.old, "Graz", "diff_del"), (view.new, "Linz", "diff_add")):
        label, metrics = card.words, card.words.fontMetrics()
        assert label.text() == f"🏠 Lives in <b>{place}</b>"
        picture, ground = label.grab().toImage(), Theme.current().color(role)
        marked = [
            x
            for x in range(label.width())
            if any(
                picture.pixelColor(int(x * picture.devicePixelRatio()), y) == ground for y in range(picture.height())
            )
        ]
        before = metrics.horizontalAdvance("🏠 Lives in <b>")
        assert abs(marked[0] - before) <= 2
        assert abs(marked[-1] - before - metrics.horizontalAdvance(place)) <= 2


async def test_both_stand_once_each_has_a_scope(stage: Stage) -> None:
    _, dialog = await checked(stage)
    QTest.keyClick(dialog.pair, Qt.Key.Key_B)
    old, new = dialog.pair.old.scope, dialog.pair.new.scope
    await until(old.isVisible, "the field of the scope")
    old.clear()
    assert not dialog.save_button.isEnabled()
    QTest.keyClick(old, Qt.Key.Key_Return)
    assert memory(stage) == MEMORY
    assert len(dialog.queue.items) == 1
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
    assert len(dialog.queue.items) == 1
    assert memory(stage) == MEMORY


async def test_scopes_that_are_typed_stay_in_sight_where_a_fact_of_the_pair_goes_meanwhile(stage: Stage) -> None:
    person, dialog = await checked(stage)
    QTest.keyClick(dialog.pair, Qt.Key.Key_B)
    old, new = dialog.pair.old.scope, dialog.pair.new.scope
    await until(old.isVisible, "the field of the scope")
    for field, words in ((old, "at weekends"), (new, "at work")):
        field.clear()
        QTest.keyClicks(field, words)
    changed = MEMORY.replace("- Lives in Linz\n", "")
    stage.paths.memory_file.write_text(changed, "utf-8")
    await person.current.bench.rescan_files()
    await until(dialog.gone.isVisible, "the line that says that they wait no more")
    assert (old.text(), new.text()) == ("at weekends", "at work")
    assert old.isVisible()
    assert "What you typed cannot be saved here" in words_in(dialog)
    assert not dialog.save_button.isEnabled()
    QTest.keyClick(new, Qt.Key.Key_Return)
    assert len(dialog.queue.items) == 1
    QTest.keyClick(new, Qt.Key.Key_Escape)
    assert dialog.queue.items == []
    assert dialog.gone.isHidden()
    assert memory(stage) == changed


async def test_the_key_that_asks_for_scopes_types_none_while_it_is_held_down_and_enter_held_down_saves_none(
    stage: Stage,
) -> None:
    _, dialog = await checked(stage)
    QTest.keyClick(dialog.pair, Qt.Key.Key_B)
    scope = dialog.pair.old.scope
    await until(scope.isVisible, "the field of the scope")
    before = scope.text()
    for key, text in ((Qt.Key.Key_B, "b"), (Qt.Key.Key_Return, "\r")):
        event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, text, True)
        QApplication.sendEvent(scope, event)
    assert scope.text() == before
    assert len(dialog.queue.items) == 1
    assert scope.isVisible()


async def typed_scopes(dialog: ReviewDialog) -> None:
    QTest.keyClick(dialog.pair, Qt.Key.Key_B)
    await until(dialog.pair.old.scope.isVisible, "the field of the scope")
    for field, words in ((dialog.pair.old.scope, "at weekends"), (dialog.pair.new.scope, "at work")):
        field.clear()
        QTest.keyClicks(field, words)


async def test_scopes_stay_in_their_fields_where_the_disk_refuses_them(stage: Stage) -> None:
    disk = FullDisk("intent.json")
    _, dialog = await checked(stage, calls=disk)
    await typed_scopes(dialog)
    old, new = dialog.pair.old.scope, dialog.pair.new.scope
    disk.is_full = True
    QTest.keyClick(new, Qt.Key.Key_Return)
    await until(lambda: "What you typed is still here." in dialog.said.text(), "the refusal")
    assert dialog.said.text().startswith("The disk is full")
    assert (old.text(), new.text()) == ("at weekends", "at work")
    assert old.isVisible()
    assert not old.hasSelectedText(), "a letter would take its place"
    assert memory(stage) == MEMORY
    disk.is_full = False
    QTest.keyClick(new, Qt.Key.Key_Return)
    await until(lambda: "- Lives in Graz (at weekends)\n" in memory(stage), "the scopes in memory")


async def test_scopes_that_are_refused_once_the_review_is_closed_are_in_the_next_one(stage: Stage) -> None:
    disk = FullDisk("intent.json")
    person, dialog = await checked(stage, calls=disk)
    await typed_scopes(dialog)
    disk.is_full = True
    QTest.keyClick(dialog.pair.new.scope, Qt.Key.Key_Return)
    dialog.close()
    await until(lambda: "the review goes on with it" in words_in(person.window.chat), "the refusal")
    disk.is_full = False
    person.current.reviews.open()
    again = person.current.reviews.dialog
    assert again is not None
    await until(again.pair.old.scope.isVisible, "the scopes, once more")
    assert (again.pair.old.scope.text(), again.pair.new.scope.text()) == ("at weekends", "at work")
    QTest.keyClick(again.pair.new.scope, Qt.Key.Key_Return)
    await until(lambda: "- Lives in Graz (at weekends)\n" in memory(stage), "the scopes in memory")


async def test_scopes_and_a_day_that_were_chosen_are_there_again_after_a_restart(stage: Stage) -> None:
    person, dialog = await checked(stage)
    dialog.pair.until.setDate(QDate(2020, 3, 12))
    await typed_scopes(dialog)
    await person.close()
    person = await stage.open()
    person.current.reviews.open()
    again = person.current.reviews.dialog
    assert again is not None
    await until(lambda: again.queue.items and again.is_ready, "the pair, painted")
    assert again.pair.until.date() == QDate(2020, 3, 12)
    assert (again.pair.old.scope.text(), again.pair.new.scope.text()) == ("at weekends", "at work")


async def test_the_day_that_was_chosen_stays_where_the_disk_refuses_it(stage: Stage) -> None:
    disk = FullDisk("intent.json")
    _, dialog = await checked(stage, calls=disk)
    dialog.pair.until.setDate(QDate(2020, 3, 12))
    disk.is_full = True
    QTest.keyClick(dialog.pair, Qt.Key.Key_A)
    await until(lambda: "The disk is full" in dialog.said.text(), "the refusal")
    assert dialog.pair.until.date() == QDate(2020, 3, 12)


async def test_a_memory_in_which_nothing_disagrees_is_said_to_be_so(stage: Stage) -> None:
    stage.make(("user", "Hello"), ("assistant", "Hello."), memory="# Memory\n\n- Has a cat\n")
    person = await stage.open()
    person.current.actions["memory.disagreements"].trigger()
    await until(lambda: "No facts that disagree" in words_in(person.window.chat), "the notice")
    assert person.current.reviews.dialog is None


async def test_a_fact_that_still_holds_is_not_struck(stage: Stage) -> None:
    _, dialog = await checked(stage)
    [item] = dialog.queue.items
    assert isinstance(item, PairItem)
    dialog.pair.show_pair(item.placed, "", date(2020, 3, 12))
    dialog.pair.until.setDate(QDate(2020, 3, 13))
    assert dialog.pair.settlement("replace").until == date(2020, 3, 12)
    dialog.pair.until.setDate(QDate(2020, 3, 11))
    assert dialog.pair.settlement("replace").until == date(2020, 3, 11)


TWO_FILES = ("# Memory\n\n- Lives in Graz\n- Has a cat\n", "# User\n\n- Lives in Linz\n")


async def across(stage: Stage) -> tuple[Opened, ReviewDialog]:
    """Returns a window in which a fact of MEMORY.md and one of USER.md wait as a pair."""
    return await checked(stage, *TWO_FILES)


def both(stage: Stage) -> tuple[str, str]:
    return memory(stage), stage.paths.file(USER_PATH).read_text("utf-8")


@pytest.mark.parametrize(
    ("key", "after"),
    [
        (Qt.Key.Key_R, (TWO_FILES[0], "# User\n\n")),
        (
            Qt.Key.Key_A,
            (TWO_FILES[0].replace("- Lives in Graz", "- ~~Lives in Graz~~ (until 2020-03-12)"), TWO_FILES[1]),
        ),
        (
            Qt.Key.Key_B,
            tuple(text.replace("Graz", "Graz (at weekends)").replace("Linz", "Linz (at work)") for text in TWO_FILES),
        ),
    ],
)
async def test_two_facts_of_two_files_stand_side_by_side_and_one_key_settles_them(
    stage: Stage, key: Qt.Key, after: tuple[str, str]
) -> None:
    person, dialog = await across(stage)
    assert (dialog.pair.old.title.text(), dialog.pair.new.title.text()) == ("Older · MEMORY.md", "Newer · USER.md")
    assert "USER.md" in dialog.pair.accessibleDescription()
    assert "Two memory files disagree" in words_in(dialog)
    dialog.pair.until.setDate(QDate(2020, 3, 12))
    QTest.keyClick(dialog.pair, key)
    if key == Qt.Key.Key_B:
        for field, words in ((dialog.pair.old.scope, "at weekends"), (dialog.pair.new.scope, "at work")):
            field.setText(words)
        QTest.keyClick(dialog.pair.new.scope, Qt.Key.Key_Return)
    await until(lambda: not Ledger(stage.paths).suggestions(), "the pair settled on the disk")
    assert both(stage) == after
    await until(lambda: person.window.memory.editor.text().rstrip() == after[0].rstrip(), "the editor as the file")
    QTest.keyClick(dialog, Qt.Key.Key_U)
    await until(lambda: both(stage) == TWO_FILES, "both files as they were")
    await until(lambda: len(Ledger(stage.paths).suggestions()) == 1, "the pair waits again")


async def test_a_pair_of_which_a_line_went_meanwhile_is_dropped_with_one_line(stage: Stage) -> None:
    rent = ("- The rent is 900 euros\n", "- The rent is 1100 euros\n")
    _, dialog = await checked(stage, TWO_FILES[0] + rent[0], TWO_FILES[1] + rent[1])
    stage.paths.file(USER_PATH).write_text(rent[1])
    QTest.keyClick(dialog.pair, Qt.Key.Key_A)
    await until(lambda: len(Ledger(stage.paths).suggestions()) == 1, "the pair dropped")
    await until(lambda: "nothing is left to decide" in dialog.said.text(), "the sentence")
    assert both(stage) == (TWO_FILES[0] + rent[0], rent[1])
    await until(lambda: len(dialog.queue.items) == 1, "the other pair alone")
    assert dialog.pair.new.words.text() == "The rent is 1100 euros"


async def test_a_pair_that_was_dropped_before_the_key_came_is_said_to_be_dropped_too(stage: Stage) -> None:
    rent = ("- The rent is 900 euros\n", "- The rent is 1100 euros\n")
    _, dialog = await checked(stage, TWO_FILES[0] + rent[0], TWO_FILES[1] + rent[1])
    assert dialog.queue.current is not None
    Ledger(stage.paths).settle(dialog.queue.current.suggestion.id, "reject")
    QTest.keyClick(dialog.pair, Qt.Key.Key_A)
    await until(lambda: "nothing is left to decide" in dialog.said.text(), "the sentence")
    await until(lambda: len(dialog.queue.items) == 1, "the other pair alone")


@pytest.mark.parametrize("is_on", [True, False])
async def test_what_is_saved_in_the_editor_waits_beside_the_line_of_the_other_file(stage: Stage, is_on: bool) -> None:
    stage.make(("user", "Hello"), ("assistant", "Hello."), memory="- Has a cat\n")
    stage.paths.file(USER_PATH).write_text("- Lives in Graz\n")
    person = await stage.open()
    if not is_on:
        await person.bench.config.change(weekly_check=False)
    editor = person.window.memory.editor
    QTest.keyClick(editor, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClick(editor, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(editor, "- Lives in Linz")
    QTest.keyClick(editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: "Linz" in memory(stage), "the text saved")
    if is_on:
        await until(lambda: bool(Ledger(stage.paths).suggestions()), "the pair waits")
        assert [each.path for each in Ledger(stage.paths).suggestions()] == [USER_PATH]
        person.current.actions["memory.review_all"].trigger()
        await until(lambda: person.current.reviews.dialog is not None, "the review")
        dialog = person.current.reviews.dialog
        assert dialog is not None
        await until(lambda: "in the editor" in words_in(dialog), "who wrote the newer fact")
        assert "Written by you, in the editor" in words_in(dialog)
    else:
        await person.bench.disk.run(lambda: None)
        assert Ledger(stage.paths).suggestions() == []
    assert both(stage) == ("- Lives in Linz\n- Has a cat\n", "- Lives in Graz\n")
