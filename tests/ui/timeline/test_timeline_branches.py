"""The timeline when the conversation goes over to another branch: what stays in place, and the row where they part."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mnemoscope.domain.conversation.history_selection import select_history
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.ui.timeline.row_sentences import row_sentence
from mnemoscope.ui.timeline.timeline_pane import TimelinePane
from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.ui.timeline.timeline_fixture import Watched, fill, in_sight, message, pane, point_of, record
from tests.ui.window_fixture import Opened, Stage, until

__all__ = ["pane"]

POINTER = TimelineRow(RowKind.POINTER, 100)


def go_over(pane: TimelinePane, fork: int, count: int, pointer: int = 20) -> Watched:
    """Shows another branch of the conversation, which begins with the same `fork` messages."""
    messages = Watched(count)
    records = [record(start, start + 20) for start in range(0, pointer, 20)]
    pane.show_timeline(messages, pointer, records, select_history(messages, pointer), 100, fork=fork)
    QApplication.processEvents()
    return messages


def is_whole(pane: TimelinePane, row: TimelineRow) -> bool:
    """Returns whether a row is wholly in sight and the pinned pointer does not cover it."""
    scene, top = pane.view.scene, pane.view.scrolling.top
    rect = next((rect for _, shown, rect in scene.in_sight(top) if shown == row), None)
    pin = scene.pinned(top)
    covered = rect is not None and pin is not None and pin[0].intersects(rect)
    return rect is not None and not covered and pane.view.viewport().rect().contains(rect)


def test_what_both_branches_have_stays_where_it_is(pane: TimelinePane) -> None:
    fill(pane, count=170)
    pane.view.select_message(84)
    shown = [message(index) for index in range(74, 80)]
    places = [point_of(pane, row) for row in shown]
    for count in (150, 170):
        go_over(pane, fork=80, count=count)
        assert [point_of(pane, row) for row in shown] == places
        assert is_whole(pane, message(80))


@pytest.mark.parametrize("key", [Qt.Key.Key_Home, Qt.Key.Key_End])
def test_the_row_where_branches_part_comes_into_sight_from_either_side(pane: TimelinePane, key: Qt.Key) -> None:
    fill(pane, count=300)
    QTest.keyClick(pane.view, key)
    assert message(150) not in in_sight(pane)
    go_over(pane, fork=150, count=290)
    assert is_whole(pane, message(150))
    # What both have, and what they have not, is seen with it.
    assert is_whole(pane, message(149))
    assert is_whole(pane, message(151))


def test_a_new_branch_ends_at_its_fork_and_its_answer_is_followed(pane: TimelinePane) -> None:
    fill(pane, count=170)
    pane.view.scrolling.to_end()
    messages = go_over(pane, fork=169, count=169)
    assert is_whole(pane, message(168))
    assert TimelineRow(RowKind.POINTER, 20) not in in_sight(pane)
    for index in (169, 170):
        messages.length += 1
        pane.model.append(index)
        assert is_whole(pane, message(index))


def test_a_reader_who_is_brought_to_the_end_follows_it_and_one_who_is_not_stays(pane: TimelinePane) -> None:
    fill(pane, count=170)
    QTest.keyClick(pane.view, Qt.Key.Key_Home)
    messages = go_over(pane, fork=169, count=169)
    assert is_whole(pane, message(168))
    messages.length += 1
    pane.model.append(169)
    assert is_whole(pane, message(169))
    QTest.keyClick(pane.view, Qt.Key.Key_Home)
    messages = go_over(pane, fork=90, count=170)
    top = pane.view.scrolling.top
    messages.length += 1
    pane.model.append(170)
    assert pane.view.scrolling.top == top


def test_the_row_of_the_keyboard_stays_where_both_branches_have_it(pane: TimelinePane) -> None:
    fill(pane, count=170)
    pane.view.select_message(78)
    go_over(pane, fork=80, count=150)
    assert pane.view.current == message(78)
    pane.view.select_message(81)
    go_over(pane, fork=80, count=170)
    assert pane.view.current is None


def test_entries_stay_unfolded_and_the_one_is_unfolded_in_which_branches_part(pane: TimelinePane) -> None:
    fill(pane, count=200, pointer=120)
    pane.model.fold(1, folded=False)
    go_over(pane, fork=90, count=180, pointer=120)
    assert pane.model.unfolded == {1, 4}
    assert is_whole(pane, message(90))
    # Where the pointer of the other branch is at the fork, the entries before it are the same.
    go_over(pane, fork=80, count=81, pointer=80)
    assert pane.model.unfolded == {1}
    assert is_whole(pane, message(80))


def test_a_pane_that_changes_its_height_stays_at_the_fork(pane: TimelinePane) -> None:
    fill(pane, count=170)
    go_over(pane, fork=120, count=150)
    top = pane.view.scrolling.top
    pane.resize(300, 660)
    QApplication.processEvents()
    assert pane.view.scrolling.top == top


def test_another_conversation_and_one_not_counted_yet_are_shown_from_the_pointer(pane: TimelinePane) -> None:
    fill(pane, count=170)
    pane.view.select_message(90)
    fill(pane, count=170)
    assert TimelineRow(RowKind.POINTER, 20) in in_sight(pane)
    pane.show_tail(Watched(200))
    go_over(pane, fork=90, count=170)
    assert TimelineRow(RowKind.POINTER, 20) in in_sight(pane)


async def talked(stage: Stage, *script: object) -> Opened:
    said = ((role, f"{role}, thing {number}") for number in range(85) for role in ("user", "assistant"))
    stage.make(*said, pointer=100)
    person = await stage.open(offline=ScriptedProvider(*script))
    await until(lambda: person.timeline.model.total == 170, "the rows")
    assert POINTER in in_sight(person.timeline)
    return person


async def test_an_answer_that_is_written_anew_is_followed_while_it_is_written(stage: Stage) -> None:
    gate = Gate()
    person = await talked(stage, ["Slow", gate, "ly."])
    pane = person.timeline
    pane.view.scrolling.to_end()
    person.current.actions["turn.regenerate"].trigger()
    await gate.reached.wait()
    await until(lambda: pane.model.total == 169 and list(pane.model.branches) == [168], "the new branch")
    assert is_whole(pane, message(168))
    gate.open.set()
    await person.answered()
    await until(lambda: pane.model.total == 170, "the row of the answer")
    assert is_whole(pane, message(169))


async def test_going_between_branches_keeps_the_place_in_the_timeline(stage: Stage) -> None:
    person = await talked(stage, "Said otherwise.")
    pane = person.timeline
    person.current.actions["turn.regenerate"].trigger()
    await until(lambda: list(pane.model.branches) == [169], "the fork in the timeline")
    await person.answered()
    pane.view.select_message(163)
    pane.view.scrolling.to(pane.view.verticalScrollBar().maximum())
    place = point_of(pane, message(163))
    for action, words in (("branch.before", "assistant, thing 84"), ("branch.next", "Said otherwise.")):
        person.current.actions[action].trigger()
        await until(lambda: words in row_sentence(pane.model, message(169)), f"a branch that ends with {words}")  # noqa: B023
        assert pane.view.current == message(163)
        assert point_of(pane, message(163)) == place
        assert is_whole(pane, message(169))
    # From further up the fork comes into sight, and from there on nothing moves.
    pane.view.select_message(110)
    person.current.actions["branch.before"].trigger()
    await until(lambda: "thing 84" in row_sentence(pane.model, message(169)), "the first branch")
    assert is_whole(pane, message(169))
    await person.current.conversation.whole()
    assert is_whole(pane, message(169))
