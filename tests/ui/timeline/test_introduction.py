"""The first start points at the pointer's line, once; where there is no line, it waits for one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.workspace.workspace import create_workspace
from mnemoscope.ui.timeline.introduction import Introduction
from tests.ui.application_fixture import AppDriver
from tests.ui.window_fixture import until


def introductions(driver: AppDriver) -> list[Introduction]:
    current = driver.application.current
    assert current is not None
    return current.main_window.timeline.view.findChildren(Introduction)


async def first_start(driver: AppDriver, folder: Path | None = None) -> Introduction:
    """Starts with a folder, else the sample, in a window that has room for the timeline, and waits for the card."""
    await driver.application.start(folder)
    current = driver.application.current
    assert current is not None
    current.main_window.resize(1366, 768)
    current.main_window.inspector.show("timeline")
    await until(lambda: introductions(driver), "the introduction")
    return introductions(driver)[0]


async def test_the_first_start_points_at_the_line_and_the_second_does_not(driver: AppDriver) -> None:
    create_workspace(driver.folder / "sample", template=shipped("workspace"))
    shown = await first_start(driver)
    assert shown.isVisible()
    assert len(shown.sentences) == 3
    assert shown.button.hasFocus() or not shown.window().isActiveWindow()
    QTest.mouseClick(shown.button, Qt.MouseButton.LeftButton)
    await until(lambda: not introductions(driver), "no introduction any more")
    assert driver.application.settings.value("window/introduced", False, bool) is True
    driver.application._introduce()
    assert introductions(driver) == []


async def test_the_first_start_with_a_folder_of_ones_own_points_at_its_line_too(driver: AppDriver) -> None:
    own = driver.folder / "own"
    create_workspace(own, template=shipped("workspace"))
    shown = await first_start(driver, own)
    assert shown.isVisible()


async def test_escape_closes_it(driver: AppDriver) -> None:
    create_workspace(driver.folder / "sample", template=shipped("workspace"))
    shown = await first_start(driver)
    QTest.keyClick(shown.button, Qt.Key.Key_Escape)
    await until(lambda: not introductions(driver), "no introduction any more")


async def test_what_is_typed_meanwhile_reaches_the_composer(driver: AppDriver) -> None:
    create_workspace(driver.folder / "sample", template=shipped("workspace"))
    shown = await first_start(driver)
    window = shown.window()
    composer = driver.window.composer.edit
    composer.setFocus()
    shown.point()
    for letter in "Remember me":
        focused = window.focusWidget()
        assert focused is not None
        QTest.keyClicks(focused, letter)
    await until(lambda: not introductions(driver), "no introduction any more")
    assert composer.toPlainText() == "Remember me"


async def test_the_keyboard_is_back_in_the_composer_afterwards(driver: AppDriver) -> None:
    create_workspace(driver.folder / "sample", template=shipped("workspace"))
    shown = await first_start(driver)
    window = shown.window()
    composer = driver.window.composer.edit
    composer.setFocus()
    shown.point()
    assert window.focusWidget() is shown.button
    QTest.keyClick(shown.button, Qt.Key.Key_Space)
    await until(lambda: not introductions(driver), "no introduction any more")
    assert window.focusWidget() is composer


async def test_without_a_line_nothing_is_pointed_at_yet(driver: AppDriver) -> None:
    await driver.application.start(None)
    assert introductions(driver) == []
    assert driver.application.settings.value("window/introduced", False, bool) is False
