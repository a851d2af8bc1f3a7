"""A window that cannot be opened: the workspace is given back, and the person is told why."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from mnemoscope.agent.workspace.workbench import Core
from mnemoscope.bootstrap import open_core
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.workspace.workspace import open_workspace
from mnemoscope.ui.shell.application import Ways
from tests.ui.application_fixture import Door
from tests.ui.window_fixture import Stage, until, words_in

FAILURES = {
    "unforeseen": (ValueError("three left feet"), "could not be opened: three left feet"),
    "a disk that refuses": (StorageError("The disk is gone."), "The disk is gone."),
}


def failing(door: Door, failure: Exception, name: str) -> None:
    """Have the workspace in the folder `name` fail while its window opens."""

    def open_failing(root: Path, read_only: bool) -> Core:
        core = open_core(root, read_only)

        async def recover() -> None:
            raise failure

        if root.name == name:
            core.bench.recover = recover  # type: ignore[method-assign]
        return core

    door.application._ways = Ways(open_failing, door.sample, door.settings_file)


@pytest.mark.parametrize("kind", FAILURES)
@pytest.mark.logs_errors
async def test_at_the_start_another_folder_is_offered(door: Door, stage: Stage, kind: str) -> None:
    failure, said = FAILURES[kind]
    root = stage.make()
    failing(door, failure, root.name)
    door.knock(root)
    sheet = await door.asked()
    assert said in words_in(sheet)
    assert not [one for one in QApplication.topLevelWidgets() if one.isVisible() and one is not sheet]
    await door.answer("Quit")
    assert not await door.opened()
    assert door.application.current is None
    open_workspace(root).close()


@pytest.mark.logs_errors
async def test_while_switching_the_window_before_stays(door: Door, stage: Stage) -> None:
    before = door.sample()
    door.knock(before)
    assert await door.opened()
    root = stage.make()
    failing(door, ValueError("three left feet"), root.name)
    door.knock(root)
    assert "three left feet" in words_in(await door.asked())
    await door.answer("Close")
    assert not await door.opened()
    assert door.window.bench.workspace.root == before
    assert not door.application.switching
    await until(door.is_alone, "the end of the window that failed")
    await door.window.say("Still here?")
    open_workspace(root).close()
