"""Several conversations at once: selected with Ctrl and Shift, deleted with one way back, archived, pinned."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView, QMenu

from mnemoscope.domain.conversation.discretion import is_temporary
from mnemoscope.store.sessions.overview import SessionOverview
from mnemoscope.ui.sessions.sessions_pane import row_name
from tests.ui.sessions.test_deletions import three, titles, until_titles
from tests.ui.sessions.test_export_controller import files_below
from tests.ui.window_fixture import KEY, Opened, Stage, press, until, words_in

CTRL, SHIFT, PLAIN = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.NoModifier,
)


def shown_list(person: Opened) -> QListView:
    found = person.window.sessions.findChild(QListView)
    assert isinstance(found, QListView)
    return found


def place_of(person: Opened, key: str) -> QPoint:
    listed = shown_list(person)
    rows = [listed.model().index(row, 0) for row in range(listed.model().rowCount())]
    index = next(
        each
        for each in rows
        if isinstance(one := each.data(Qt.ItemDataRole.UserRole), SessionOverview) and one.key == key
    )
    return listed.visualRect(index).center()


def click_on(person: Opened, key: str, modifier: Qt.KeyboardModifier = PLAIN) -> None:
    QTest.mouseClick(shown_list(person).viewport(), Qt.MouseButton.LeftButton, modifier, place_of(person, key))


def selected(person: Opened) -> set[str]:
    return set(map(row_name, person.window.sessions.selected()))


def headings(person: Opened) -> list[str]:
    model = shown_list(person).model()
    rows = (model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount()))
    return [row if isinstance(row, str) else row_name(row) for row in rows if isinstance(row, str | SessionOverview)]


@pytest.fixture
async def person(stage: Stage) -> Opened:
    three(stage)
    opened = await stage.open()
    await until(lambda: len(headings(opened)) >= 4, "three conversations in the list")
    return opened


async def test_several_are_deleted_by_del_and_come_back_by_one_undo(person: Opened) -> None:
    click_on(person, KEY)
    await person.until_ready()
    click_on(person, "desktop:b", CTRL)
    assert selected(person) == {KEY, "desktop:b"}
    # What is added to the selection is not opened, and reading the list again keeps it.
    assert person.key == KEY
    await person.current.sessions.refresh()
    assert selected(person) == {KEY, "desktop:b"}
    shown_list(person).setFocus()
    press(shown_list(person), "Del")
    await person.until_said("2 conversations were moved to the trash.")
    assert await titles(person) == ["Three."]
    await person.until_ready()
    person.click("Undo", person.chat)
    await until_titles(person, "One.", "Three.", "Two.")


async def test_the_conversation_on_show_stays_where_only_others_are_deleted(person: Opened) -> None:
    """Another one came in its place, with the words that were being typed out of sight."""
    click_on(person, "desktop:c")
    await person.until_ready()
    for key in (KEY, "desktop:b", "desktop:c"):
        click_on(person, key, CTRL)
    assert selected(person) == {KEY, "desktop:b"}
    shown_list(person).setFocus()
    press(shown_list(person), "Del")
    await person.until_said("2 conversations were moved to the trash.")
    await person.until_ready()
    assert person.key == "desktop:c"
    assert await titles(person) == ["Three."]
    await until(lambda: selected(person) == {"desktop:c"}, "the list without the others")


async def test_a_plain_click_ends_the_selection_and_opens(person: Opened) -> None:
    click_on(person, KEY)
    click_on(person, "desktop:b", SHIFT)
    assert len(selected(person)) >= 2
    click_on(person, "desktop:b")
    await until(lambda: person.key == "desktop:b", "the one that was clicked")
    assert selected(person) == {"desktop:b"}
    await person.until_ready()


async def test_what_is_pinned_stands_first_and_stays_so(stage: Stage, person: Opened) -> None:
    person.window.sessions.pin_requested.emit(("desktop:b",), True)
    await until(lambda: headings(person)[:2] == ["PINNED", "desktop:b"], "the pinned one first")
    assert [one.key for one in await person.bench.conversations.overviews() if one.is_pinned] == ["desktop:b"]
    person.current.sessions.open("desktop:b")
    await person.until_ready()
    person.current.actions["conversation.pin"].trigger()
    await until(lambda: "PINNED" not in headings(person), "the list without it")


async def test_several_are_archived_from_their_menu_and_leave_nothing_behind(stage: Stage, person: Opened) -> None:
    click_on(person, KEY)
    click_on(person, "desktop:b", CTRL)
    listed = shown_list(person)
    listed.customContextMenuRequested.emit(place_of(person, "desktop:b"))
    menu = person.window.sessions.findChild(QMenu)
    assert isinstance(menu, QMenu)
    actions = {action.text(): action for action in menu.actions()}
    assert "Rename…" not in actions
    assert {"Pin", "Archive", "Delete 2 conversations", "Export 2 conversations…"} <= set(actions)
    actions["Archive"].trigger()
    menu.close()
    await until(lambda: len(list(stage.paths.archive_dir.glob("*.jsonl"))) == 2, "both in the archive")
    await until_titles(person, "Three.")
    await person.until_ready()


async def test_a_temporary_conversation_that_is_not_archived_stays_on_show(stage: Stage, person: Opened) -> None:
    person.current.actions["conversation.temporary"].trigger()
    await until(lambda: is_temporary(person.key), "the temporary conversation")
    await person.until_ready()
    temporary = person.key
    person.composer.set_draft("Half a thought")
    person.window.sessions.archive_requested.emit([temporary, "desktop:b"])
    await person.until_said("1 conversations stay as they are:")
    assert len(list(stage.paths.archive_dir.glob("*.jsonl"))) == 1
    assert (person.key, person.composer.draft()) == (temporary, "Half a thought")


async def test_a_conversation_gone_to_by_a_key_is_selected_alone(person: Opened) -> None:
    """Ctrl may still be down when the list shows it: the one before stayed selected, and Del would have taken both."""
    click_on(person, KEY)
    await person.until_ready()
    QTest.keyPress(person.window, Qt.Key.Key_Control, CTRL)
    try:
        person.window.sessions.show_current("desktop:b")
        assert selected(person) == {"desktop:b"}
    finally:
        QTest.keyRelease(person.window, Qt.Key.Key_Control)


async def test_where_one_of_several_is_refused_the_others_go_and_it_is_said_which_stays_and_why(
    person: Opened,
) -> None:
    click_on(person, KEY)
    await person.until_ready()
    click_on(person, "desktop:b", CTRL)
    click_on(person, "desktop:c", CTRL)
    with person.bench.loop.kept_idle(["desktop:b"]):
        person.window.sessions.deletion_of_several_requested.emit([KEY, "desktop:b", "desktop:c"])
        await person.until_said("2 conversations were moved to the trash.")
        await person.until_said("1 conversations stay as they are:\n“Two.”: This conversation is still at work.")
    assert await titles(person) == ["Two."]
    await person.until_ready()
    person.click("Undo", person.chat)
    await until_titles(person, "One.", "Three.", "Two.")
    with person.bench.loop.kept_idle(["desktop:b"]):
        person.window.sessions.archive_requested.emit([KEY, "desktop:b", "desktop:c"])
        await person.until_said("2 conversations were archived.")
        await person.until_said("1 conversations stay as they are:\n“Two.”: This conversation is still at work.")
    await until_titles(person, "Two.")
    await person.until_ready()


async def test_an_export_says_how_many_were_written_and_which_were_not(person: Opened, tmp_path: Path) -> None:
    await person.bench.conversations.begin_again("desktop:empty")
    await person.current.sessions.refresh()
    file = person.bench.sessions.path_of("desktop:b")
    assert file is not None
    person.bench.sessions.invalidate("desktop:b")
    file.unlink()
    file.mkdir()
    await person.current.exports.export_all("md", tmp_path, [KEY, "desktop:b", "desktop:c", "desktop:empty"])
    await person.until_said("2 conversations were exported. 2 could not be:")
    assert "“New conversation”: Nothing was said in it." in words_in(person.chat)
    assert ": The conversation could not be read: it is a folder." in words_in(person.chat)
    assert len(files_below(tmp_path, "Conversations*/*.md")) == 2
