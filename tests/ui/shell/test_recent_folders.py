"""The folders that were opened before: how they are named, listed, and opened again."""

from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from mnemoscope.ui.shell.application import Application, ApplicationSetup
from mnemoscope.ui.shell.recent_folders import RecentFolders, RecentMenu, folder_words
from tests.ui.application_fixture import AppDriver, open_as_asked, peer_workspace
from tests.ui.window_fixture import Stage, press, question, tree, until


def recent_menu(driver: AppDriver) -> QMenu:
    menu = driver.window.window.menus.findChild(RecentMenu)
    assert menu is not None
    menu.fill()
    return menu


def entry(menu: QMenu, name: str) -> QAction:
    return next(action for action in menu.actions() if action.text().startswith(name))


def test_a_folder_beside_home_whose_name_begins_like_it_is_not_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """`/home/nell-pottery` was `~-pottery` in the header."""
    monkeypatch.setenv("HOME", "/home/nell")
    assert folder_words(Path("/home/nell/pottery")) == "pottery  –  ~"
    assert folder_words(Path("/home/nell-pottery/shop")) == "shop  –  /home/nell-pottery"


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
    palette = driver.window.window.command_palette.widget
    await until(palette.isVisible, "the palette")
    assert "Open home" in [choice.text for choice in palette._all]
    press(palette, "Esc")


async def test_a_folder_only_looked_at_is_only_looked_at_the_next_time(driver: AppDriver) -> None:
    root = peer_workspace(driver.folder / "peer")
    before = tree(root)
    await open_as_asked(driver, root, "Only look around")
    await driver.window.close()
    later = Application(ApplicationSetup(driver.application._setup.open_core, driver.sample, driver.settings_file))
    await later.start(None)
    driver.application.deleteLater()
    driver.application = later
    assert question() is None
    assert driver.window.bench.workspace.root == root
    assert driver.window.bench.read_only
    await driver.window.until_ready()
    await driver.window.close()
    assert tree(root) == before


async def test_a_look_for_once_changes_nothing_of_how_a_folder_is_opened(driver: AppDriver, stage: Stage) -> None:
    root = stage.make(("user", "Earlier."))
    folders = RecentFolders(driver.application.settings)
    for chosen_before in (False, True):
        folders.note(root, looking=chosen_before)
        assert await driver.application.open_folder(root, read_only=True)
        assert driver.window.bench.read_only
        assert folders.was_looked_at(root) is chosen_before
        assert folders.folders()[0] == root
        await driver.window.until_ready()
        await driver.window.close()


async def test_looking_is_forgotten_once_the_folder_is_opened_to_write(driver: AppDriver) -> None:
    folders = RecentFolders(driver.application.settings)
    folders.note(driver.folder, looking=True)
    assert folders.was_looked_at(driver.folder)
    folders.note(driver.folder, looking=False)
    assert not folders.was_looked_at(driver.folder)
    assert folders.folders() == [driver.folder]
