"""A window that cannot be opened: the workspace is given back, and the person is told why."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from mnemoscope.agent.workspace.workbench import Core
from mnemoscope.bootstrap import open_core
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.workspace.workspace import open_workspace
from mnemoscope.ui.shell.application import ApplicationSetup
from tests.ui.application_fixture import AppDriver
from tests.ui.window_fixture import Stage, until, words_in

FAILURES = {
    "unforeseen": (ValueError("three left feet"), "could not be opened: three left feet"),
    "a disk that refuses": (StorageError("The disk is gone."), "The disk is gone."),
}


def failing(driver: AppDriver, failure: Exception, name: str) -> None:
    """Has the workspace in the folder `name` fail while its window opens."""

    def open_failing(root: Path, read_only: bool) -> Core:
        core = open_core(root, read_only)

        async def begin() -> None:
            raise failure

        if root.name == name:
            core.bench.repairs.begin = begin  # type: ignore[method-assign]
        return core

    driver.application._setup = ApplicationSetup(open_failing, driver.sample, driver.settings_file)


@pytest.mark.parametrize("kind", FAILURES)
@pytest.mark.logs_errors
async def test_at_the_start_another_folder_is_offered(driver: AppDriver, stage: Stage, kind: str) -> None:
    failure, said = FAILURES[kind]
    root = stage.make()
    failing(driver, failure, root.name)
    driver.ask_to_open(root)
    sheet = await driver.asked()
    assert said in words_in(sheet)
    assert not [one for one in QApplication.topLevelWidgets() if one.isVisible() and one is not sheet]
    await driver.answer("Quit")
    assert not await driver.opened()
    assert driver.application.current is None
    open_workspace(root).close()


@pytest.mark.logs_errors
async def test_while_switching_the_window_before_stays(driver: AppDriver, stage: Stage) -> None:
    before = driver.sample()
    driver.ask_to_open(before)
    assert await driver.opened()
    root = stage.make()
    failing(driver, ValueError("three left feet"), root.name)
    driver.ask_to_open(root)
    assert "three left feet" in words_in(await driver.asked())
    await driver.answer("Close")
    assert not await driver.opened()
    assert driver.window.bench.workspace.root == before
    await until(driver.is_alone, "the end of the window that failed")
    await driver.window.say("Still here?")
    open_workspace(root).close()
