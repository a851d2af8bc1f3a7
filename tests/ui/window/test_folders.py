"""Going from one folder to another: what is asked, what a key does, what is remembered."""

import asyncio
import os
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QLabel, QMenu, QPushButton

from mnemoscope.ui.shell.application import Application, ApplicationSetup
from mnemoscope.ui.shell.recent_folders import RecentFolders, RecentMenu
from tests.ui.application_fixture import AppDriver, foreign_folder, holder_of, peer_workspace
from tests.ui.window_fixture import PATIENCE, Stage, button, press, question, sentences, tree, until, words_in


def recent_menu(driver: AppDriver) -> QMenu:
    menu = driver.window.window.menus.findChild(RecentMenu)
    assert menu is not None
    menu.fill()
    return menu


def entry(menu: QMenu, name: str) -> QAction:
    return next(action for action in menu.actions() if action.text().startswith(name))


async def open_as_asked(driver: AppDriver, root: Path, answer: str = "") -> None:
    driver.ask_to_open(root)
    if answer:
        await driver.answer(answer)
    assert await driver.opened()
    await driver.window.until_ready()


@pytest.mark.parametrize("way", ["itself", "a link"])
async def test_the_folder_on_show_comes_to_the_front_without_a_question(
    driver: AppDriver, stage: Stage, way: str
) -> None:
    root = stage.make(("user", "Earlier."))
    await open_as_asked(driver, root)
    before = driver.application.current
    again = root
    if way == "a link":
        again = driver.folder / "link"
        os.symlink(root, again)
    assert await driver.application.open_folder(again)
    assert question() is None
    assert driver.application.current is before
    assert not driver.window.bench.read_only


async def test_a_folder_looked_around_in_twice_comes_to_the_front(driver: AppDriver) -> None:
    root = peer_workspace(driver.folder / "peer")
    await open_as_asked(driver, root, "Only look around")
    before, window = driver.application.current, driver.window.window
    window.showMinimized()
    await until(window.isMinimized, "a window put away")
    await open_as_asked(driver, root, "Only look around")
    assert driver.application.current is before
    assert driver.is_alone()
    assert not window.isMinimized()
    # From the list of folders it is opened as it was, without a question.
    window.showMinimized()
    assert await driver.application.open_again(root)
    assert question() is None
    assert driver.application.current is before
    assert not window.isMinimized()
    # To write there is another matter: the window that only looks gives way.
    await open_as_asked(driver, root, "Open")
    assert driver.application.current is not before
    assert not driver.window.bench.read_only
    await until(driver.is_alone, "one window")


async def test_folders_opened_before_stand_in_the_menu_and_missing_ones_are_grey(
    driver: AppDriver, stage: Stage
) -> None:
    gone = stage.folder / "gone"
    await open_as_asked(driver, gone, "Create a workspace here")
    root = stage.make(("user", "Earlier."))
    await open_as_asked(driver, root)
    assert entry(recent_menu(driver), "gone").isEnabled()
    gone.rename(driver.folder / "elsewhere")
    assert not entry(recent_menu(driver), "gone").isEnabled()
    assert "missing" in entry(recent_menu(driver), "gone").text()
    (driver.folder / "elsewhere").rename(gone)
    entry(recent_menu(driver), "gone").trigger()
    await until(lambda: driver.window.bench.workspace.root == gone and driver.is_alone(), "the folder opened before")
    assert entry(recent_menu(driver), "home").isEnabled()


async def test_folders_opened_before_are_in_the_palette(driver: AppDriver, stage: Stage) -> None:
    root = stage.make(("user", "Earlier."))
    await open_as_asked(driver, root)
    await open_as_asked(driver, driver.sample())
    driver.window.press("Ctrl+K")
    palette = driver.window.window.command_palette
    await until(palette.isVisible, "the palette")
    assert "Open home" in [choice.text for choice in palette._all]
    press(palette, "Esc")


async def test_a_folder_only_looked_at_is_only_looked_at_the_next_time(driver: AppDriver) -> None:
    root = peer_workspace(driver.folder / "peer")
    before = tree(root)
    await open_as_asked(driver, root, "Only look around")
    await driver.window.close()
    later = Application(
        driver.application.app,
        ApplicationSetup(driver.application._setup.open_core, driver.sample, driver.settings_file),
    )
    await later.start(None)
    driver.application.deleteLater()
    driver.application = later
    assert question() is None
    assert driver.window.bench.workspace.root == root
    assert driver.window.bench.read_only
    await driver.window.until_ready()
    await driver.window.close()
    assert tree(root) == before


async def test_looking_is_forgotten_once_the_folder_is_opened_to_write(driver: AppDriver) -> None:
    folders = RecentFolders(driver.application.settings)
    folders.note(driver.folder, looking=True)
    assert folders.was_looked_at(driver.folder)
    folders.note(driver.folder, looking=False)
    assert not folders.was_looked_at(driver.folder)
    assert folders.folders() == [driver.folder]


@pytest.mark.parametrize("kind", ["foreign", "missing", "peer"])
async def test_enter_never_writes_into_a_folder_that_is_not_ours(driver: AppDriver, kind: str) -> None:
    root = driver.folder / "place"
    if kind == "foreign":
        foreign_folder(root)
    elif kind == "peer":
        peer_workspace(root)
    before = tree(driver.folder)
    driver.ask_to_open(root)
    press(await driver.asked(), "Enter")
    if kind == "peer":
        assert await driver.opened()
        assert driver.window.bench.read_only
        await driver.window.close()
    else:
        await until(lambda: isinstance(question(), QFileDialog), "the folder chooser")
        chooser = question()
        assert chooser is not None
        chooser.reject()
        assert not await driver.opened()
    left = {name: data for name, data in tree(driver.folder).items() if name != "window.ini"}
    assert left == before


async def test_the_question_says_what_would_be_written_and_can_be_refused(driver: AppDriver) -> None:
    root = foreign_folder(driver.folder / "place")
    before = tree(driver.folder)
    opening = asyncio.create_task(driver.application.run_until_closed(root))
    sheet = await driver.asked()
    for name in ("AGENTS.md", "memory/", "sessions/", ".mnemoscope/", "stays as it is"):
        assert name in words_in(sheet)
    assert "notes.txt" not in words_in(sheet)
    await driver.answer("Quit")
    await asyncio.wait_for(opening, PATIENCE)
    assert tree(driver.folder) == before


async def test_escape_at_the_start_opens_no_other_dialog_and_ends_the_program(driver: AppDriver) -> None:
    foreign_folder(driver.folder / "place")
    opening = asyncio.create_task(driver.application.run_until_closed(driver.folder / "place"))
    press(await driver.asked(), "Esc")
    await asyncio.wait_for(opening, PATIENCE)
    assert question() is None


async def test_beside_a_window_each_question_can_be_cancelled(driver: AppDriver, stage: Stage) -> None:
    await open_as_asked(driver, stage.make(("user", "Earlier.")))
    before = driver.application.current
    foreign_folder(driver.folder / "place")
    driver.ask_to_open(driver.folder / "place")
    await driver.answer("Cancel")
    assert not await driver.opened()
    assert driver.application.current is before


async def test_the_process_of_the_other_window_is_only_for_the_curious(
    driver: AppDriver, stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    root = stage.make(("user", "Earlier."), ("assistant", "Yes."))
    other = holder_of(root)
    assert other.stdin is not None
    assert other.stdout is not None
    with other, other.stdin, other.stdout:
        assert await asyncio.to_thread(other.stdout.readline) == "held\n"
        driver.ask_to_open(root)
        sheet = await driver.asked()
        assert "is open in another Mnemoscope window" in words_in(sheet)
        assert str(other.pid) not in words_in(sheet)
        [tip] = [label.toolTip() for label in sheet.findChildren(QLabel) if str(other.pid) in label.toolTip()]
        told = [record for record in caplog.records if record.msg.startswith("shown as")]
        shown = [record.args[0] for record in told if isinstance(record.args, tuple) and record.args]
        assert any(f"· {fault}" in tip for fault in shown), "the id under which the log has it"
        assert [one.text() for one in sheet.findChildren(QPushButton)].count("Quit") == 1
        await driver.answer("Look around, read-only")
        assert await driver.opened()
        await driver.window.until_ready()
        assert "Another Mnemoscope window" in sentences(driver.window.chat)[0]
        assert button(driver.window.chat, "Open for writing") is None
        assert not RecentFolders(driver.application.settings).was_looked_at(root)
    await until(lambda: button(driver.window.chat, "Open for writing"), "the way out", 6)
    before = driver.application.current
    driver.window.click("Open for writing")
    await until(lambda: driver.application.current is not before and driver.is_alone(), "another window")
    assert not driver.window.bench.read_only


async def test_a_folder_that_took_the_place_of_the_one_on_show_is_opened_and_both_windows_close(
    driver: AppDriver, stage: Stage
) -> None:
    stage.make(("user", "Of the first."))
    driver.ask_to_open(stage.root)
    assert await driver.opened()
    first = driver.window
    os.replace(stage.root, stage.folder / "elsewhere")
    stage.make(("user", "Of the second."))
    driver.ask_to_open(stage.root)
    assert await driver.opened()
    await until(lambda: "Of the second." in driver.window.text, "the other folder's conversation")
    await until(lambda: first.is_closed, "the end of the first window")
    os.replace(stage.root, stage.folder / "further")
    await driver.window.close()
    assert driver.application.current is None


async def test_a_window_closes_beside_another_folder_at_its_place_and_leaves_that_alone(
    driver: AppDriver, stage: Stage
) -> None:
    stage.make(("user", "Of the first."))
    await open_as_asked(driver, stage.root)
    os.replace(stage.root, stage.folder / "elsewhere")
    stage.make(("user", "Of the second."))
    before = tree(stage.root)
    driver.window.composer.set_draft("Unsent.")
    await driver.window.close()
    assert driver.application.current is None
    assert tree(stage.root) == before
