"""Going from one folder to another: what is asked, what a key does, what is remembered."""

import asyncio
import os
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QLabel, QMenu, QPushButton

from mnemoscope.ui.shell.application import Application, Ways
from mnemoscope.ui.shell.recent_folders import RecentFolders, RecentMenu
from tests.ui.application_fixture import Door, foreign_folder, holder_of, peer_workspace
from tests.ui.window_fixture import PATIENCE, Stage, button, press, question, sentences, tree, until, words_in


def recent_menu(door: Door) -> QMenu:
    menu = door.window.window.menus.findChild(RecentMenu)
    assert menu is not None
    menu.fill()
    return menu


def entry(menu: QMenu, name: str) -> QAction:
    return next(action for action in menu.actions() if action.text().startswith(name))


async def open_as_asked(door: Door, root: Path, answer: str = "") -> None:
    door.knock(root)
    if answer:
        await door.answer(answer)
    assert await door.opened()
    await door.window.until_ready()


@pytest.mark.parametrize("way", ["itself", "a link"])
async def test_the_folder_on_show_comes_to_the_front_without_a_question(door: Door, stage: Stage, way: str) -> None:
    root = stage.make(("user", "Earlier."))
    await open_as_asked(door, root)
    before = door.application.current
    again = root
    if way == "a link":
        again = door.folder / "link"
        os.symlink(root, again)
    assert await door.application.open_folder(again)
    assert question() is None
    assert door.application.current is before
    assert not door.window.bench.read_only


async def test_folders_opened_before_stand_in_the_menu_and_missing_ones_are_grey(door: Door, stage: Stage) -> None:
    gone = stage.folder / "gone"
    await open_as_asked(door, gone, "Create a workspace here")
    root = stage.make(("user", "Earlier."))
    await open_as_asked(door, root)
    assert entry(recent_menu(door), "gone").isEnabled()
    gone.rename(door.folder / "elsewhere")
    assert not entry(recent_menu(door), "gone").isEnabled()
    assert "missing" in entry(recent_menu(door), "gone").text()
    (door.folder / "elsewhere").rename(gone)
    entry(recent_menu(door), "gone").trigger()
    await until(lambda: door.window.bench.workspace.root == gone and door.is_alone(), "the folder opened before")
    assert entry(recent_menu(door), "home").isEnabled()


async def test_folders_opened_before_are_in_the_palette(door: Door, stage: Stage) -> None:
    root = stage.make(("user", "Earlier."))
    await open_as_asked(door, root)
    await open_as_asked(door, door.sample())
    door.window.press("Ctrl+K")
    palette = door.window.window.command_palette
    await until(palette.isVisible, "the palette")
    assert "Open home" in [choice.text for choice in palette._all]
    press(palette, "Esc")


async def test_a_folder_only_looked_at_is_only_looked_at_the_next_time(door: Door) -> None:
    root = peer_workspace(door.folder / "peer")
    before = tree(root)
    await open_as_asked(door, root, "Only look around")
    await door.window.close()
    later = Application(door.application.app, Ways(door.application._ways.open_core, door.sample, door.settings_file))
    await later.start(None)
    door.application.deleteLater()
    door.application = later
    assert question() is None
    assert door.window.bench.workspace.root == root
    assert door.window.bench.read_only
    await door.window.until_ready()
    await door.window.close()
    assert tree(root) == before


async def test_looking_is_forgotten_once_the_folder_is_opened_to_write(door: Door) -> None:
    folders = RecentFolders(door.application.settings)
    folders.note(door.folder, looking=True)
    assert folders.was_looked_at(door.folder)
    folders.note(door.folder, looking=False)
    assert not folders.was_looked_at(door.folder)
    assert folders.folders() == [door.folder]


@pytest.mark.parametrize("kind", ["foreign", "missing", "peer"])
async def test_enter_never_writes_into_a_folder_that_is_not_ours(door: Door, kind: str) -> None:
    root = door.folder / "place"
    if kind == "foreign":
        foreign_folder(root)
    elif kind == "peer":
        peer_workspace(root)
    before = tree(door.folder)
    door.knock(root)
    press(await door.asked(), "Enter")
    if kind == "peer":
        assert await door.opened()
        assert door.window.bench.read_only
        await door.window.close()
    else:
        await until(lambda: isinstance(question(), QFileDialog), "the folder chooser")
        chooser = question()
        assert chooser is not None
        chooser.reject()
        assert not await door.opened()
    left = {name: data for name, data in tree(door.folder).items() if name != "window.ini"}
    assert left == before


async def test_the_question_says_what_would_be_written_and_can_be_refused(door: Door) -> None:
    root = foreign_folder(door.folder / "place")
    before = tree(door.folder)
    opening = asyncio.create_task(door.application.run_until_closed(root))
    sheet = await door.asked()
    for name in ("AGENTS.md", "memory/", "sessions/", ".mnemoscope/", "stays as it is"):
        assert name in words_in(sheet)
    assert "notes.txt" not in words_in(sheet)
    await door.answer("Quit")
    await asyncio.wait_for(opening, PATIENCE)
    assert tree(door.folder) == before


async def test_escape_at_the_start_opens_no_other_dialog_and_ends_the_program(door: Door) -> None:
    foreign_folder(door.folder / "place")
    opening = asyncio.create_task(door.application.run_until_closed(door.folder / "place"))
    press(await door.asked(), "Esc")
    await asyncio.wait_for(opening, PATIENCE)
    assert question() is None


async def test_beside_a_window_each_question_can_be_cancelled(door: Door, stage: Stage) -> None:
    await open_as_asked(door, stage.make(("user", "Earlier.")))
    before = door.application.current
    foreign_folder(door.folder / "place")
    door.knock(door.folder / "place")
    await door.answer("Cancel")
    assert not await door.opened()
    assert door.application.current is before


async def test_the_process_of_the_other_window_is_only_for_the_curious(
    door: Door, stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    root = stage.make(("user", "Earlier."), ("assistant", "Yes."))
    other = holder_of(root)
    assert other.stdin is not None
    assert other.stdout is not None
    with other, other.stdin, other.stdout:
        assert await asyncio.to_thread(other.stdout.readline) == "held\n"
        door.knock(root)
        sheet = await door.asked()
        assert "is open in another Mnemoscope window" in words_in(sheet)
        assert str(other.pid) not in words_in(sheet)
        [tip] = [label.toolTip() for label in sheet.findChildren(QLabel) if str(other.pid) in label.toolTip()]
        shown = [record.args[0] for record in caplog.records if record.msg.startswith("shown as") and record.args]
        assert any(f"· {fault}" in tip for fault in shown), "the id under which the log has it"
        assert [one.text() for one in sheet.findChildren(QPushButton)].count("Quit") == 1
        await door.answer("Look around, read-only")
        assert await door.opened()
        await door.window.until_ready()
        assert "Another Mnemoscope window" in sentences(door.window.chat)[0]
        assert button(door.window.chat, "Open for writing") is None
        assert not RecentFolders(door.application.settings).was_looked_at(root)
    await until(lambda: button(door.window.chat, "Open for writing"), "the way out", 6)
    before = door.application.current
    door.window.click("Open for writing")
    await until(lambda: door.application.current is not before and door.is_alone(), "another window")
    assert not door.window.bench.read_only
