"""Opening a folder, whatever it is: asked first, nothing written without consent, nothing hidden."""

import asyncio
import json
import shutil
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from mnemoscope.bootstrap import open_core
from mnemoscope.domain.errors import WorkspaceReadOnly
from mnemoscope.llm.router import TypedModel
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.ui.shell.application import ApplicationSetup
from tests.support.loopback_server import LoopbackServer
from tests.support.privileges import as_nobody, reachable_folder
from tests.ui.application_fixture import AppDriver, foreign_folder, held_elsewhere, peer_workspace
from tests.ui.window_fixture import (
    KEY,
    Stage,
    press,
    question,
    rest,
    sentences,
    tree,
    until,
    words_in,
)


def place_of(driver: AppDriver, kind: str) -> Path:
    """Returns a folder that is no workspace: another program's, one whose making was cut off, an empty or no one."""
    root = driver.folder / "place"
    if kind == "foreign":
        foreign_folder(root)
    elif kind == "empty":
        root.mkdir()
    elif kind == "begun":
        root.mkdir()
        WorkspacePaths(root).begun_file.touch()
    return root


@pytest.mark.parametrize("kind", ["foreign", "begun", "empty", "missing"])
async def test_a_folder_that_is_no_workspace_is_asked_about_and_left_alone_on_esc(driver: AppDriver, kind: str) -> None:
    root = place_of(driver, kind)
    before = tree(driver.folder)
    driver.ask_to_open(root)
    sheet = await driver.asked()
    assert "place" in words_in(sheet)
    press(sheet, "Esc")
    assert not await driver.opened()
    assert driver.application.current is None
    assert tree(driver.folder) == before


@pytest.mark.parametrize("kind", ["foreign", "begun", "empty", "missing"])
async def test_with_consent_a_workspace_is_made_beside_what_is_there(driver: AppDriver, kind: str) -> None:
    root = place_of(driver, kind)
    driver.ask_to_open(root)
    await driver.answer("Create a workspace here")
    assert await driver.opened()
    assert (root / "memory").is_dir()
    if kind == "foreign":
        assert (root / "notes.txt").read_text("utf-8") == "not yours"
    assert "place" in driver.window.window.windowTitle()


async def test_a_file_is_no_folder_and_another_one_can_be_chosen(driver: AppDriver) -> None:
    file = driver.folder / "file.txt"
    file.write_text("words", "utf-8")
    driver.ask_to_open(file)
    sheet = await driver.asked()
    assert "not a folder" in words_in(sheet)
    await driver.answer("Choose another folder…")
    await until(lambda: isinstance(question(), QFileDialog), "the folder chooser")
    chooser = question()
    assert chooser is not None
    chooser.reject()
    assert not await driver.opened()
    assert file.read_text("utf-8") == "words"


async def name_of_new_folder(driver: AppDriver) -> QFileDialog:
    """Return the dialog that asks what the folder of a new workspace is called."""
    driver.opening = asyncio.create_task(driver.application.create_folder())
    chooser = await driver.asked()
    assert isinstance(chooser, QFileDialog)
    return chooser


def type_name(chooser: QFileDialog, name: str) -> None:
    field = chooser.findChild(QLineEdit)
    assert field is not None
    field.setText(name)
    QTest.keyClick(field, Qt.Key.Key_Return)


async def test_a_workspace_is_created_in_a_folder_that_is_named_there_and_then(driver: AppDriver) -> None:
    chooser = await name_of_new_folder(driver)
    assert [Path(each).name for each in chooser.selectedFiles()] == ["Mnemoscope"]
    type_name(chooser, str(driver.folder / "my notes"))
    assert await driver.opened()
    assert (driver.folder / "my notes" / "memory" / "MEMORY.md").exists()
    assert "my notes" in driver.window.window.windowTitle()


async def test_a_new_workspace_looks_as_the_window_it_was_created_from(driver: AppDriver) -> None:
    driver.ask_to_open(driver.sample())
    assert await driver.opened()
    await driver.window.until_ready()
    await driver.window.bench.config.change(theme="light", language="zh_CN")
    chooser = await name_of_new_folder(driver)
    type_name(chooser, str(driver.folder / "new"))
    assert await driver.opened()
    settings = driver.window.bench.settings
    assert (settings.theme, settings.language) == ("light", "zh_CN")
    kept = json.loads((driver.folder / "new" / "config.json").read_text("utf-8"))
    assert kept == {"mnemoscope": {"theme": "light", "language": "zh_CN"}}, "nothing else is said for the person"


async def test_models_that_were_found_are_offered_in_the_next_workspace_too_and_none_is_chosen(
    driver: AppDriver,
) -> None:
    driver.ask_to_open(driver.sample())
    assert await driver.opened()
    current = driver.application.current
    assert current is not None
    with LoopbackServer(models=("small",)) as server:
        found = await current.models.models_at(TypedModel("", server.base_url))
    assert found
    chooser = await name_of_new_folder(driver)
    type_name(chooser, str(driver.folder / "new"))
    assert await driver.opened()
    now = driver.application.current
    assert now is not None
    assert now is not current
    assert set(found) <= set(now.models.choices())
    assert now.bench.settings.model == "offline"


async def test_nothing_is_put_unasked_into_a_folder_that_was_there_before(
    driver: AppDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = foreign_folder(driver.folder / "place")
    before = tree(root)
    chooser = await name_of_new_folder(driver)
    # Some systems' dialogs give back a folder that is there.
    monkeypatch.setattr(chooser, "selectedFiles", lambda: [str(root)])
    chooser.done(QFileDialog.DialogCode.Accepted)
    await until(lambda: question() not in {None, chooser}, "the question")
    assert "not a workspace yet" in words_in(await driver.asked())
    assert tree(root) == before
    await driver.answer("Create a workspace here")
    assert await driver.opened()
    assert (root / "memory" / "MEMORY.md").exists()


async def test_a_peers_workspace_gets_our_folder_only_with_consent(driver: AppDriver) -> None:
    root = peer_workspace(driver.folder / "peer")
    before = tree(root)
    driver.ask_to_open(root)
    sheet = await driver.asked()
    words = words_in(sheet)
    assert all(name in words for name in (".mnemoscope", "SESSION-STATE.md", "memory/.git"))
    assert tree(root) == before
    await driver.answer("Open")
    assert await driver.opened()
    person = driver.window
    await person.until_ready()
    assert "Tea?" in person.text
    assert person.timeline.model.pointer == 1
    after = {name: data for name, data in tree(root).items() if not name.startswith(".mnemoscope")}
    assert after == before


async def test_only_looking_around_writes_nothing_at_all(driver: AppDriver) -> None:
    root = peer_workspace(driver.folder / "peer")
    (root / "memory" / "history.jsonl").write_text('{"cursor": 1, "timestamp": "x", "content": "y"}\n', "utf-8")
    before = tree(root)
    driver.ask_to_open(root)
    await driver.answer("Only look around")
    assert await driver.opened()
    person = driver.window
    await person.until_ready()
    assert "Tea?" in person.text
    assert not person.composer.isEnabled()
    assert "Read-only" in words_in(person.window.header)
    person.press("Ctrl+2")
    assert person.memory.editor.isReadOnly()
    person.press("Ctrl+S")
    person.press("Ctrl+N")
    person.current.actions["conversation.delete"].trigger()
    person.current.actions["memory.consolidate"].trigger()
    person.current.actions["conversation.start_new"].trigger()
    await rest(0.3)
    assert sentences(person.window) == ["You are only looking around: nothing in this folder is changed."]
    assert "Tea?" in person.text
    assert not person.composer.busy
    await person.close()
    assert tree(root) == before


def refusing(root: Path, read_only: bool) -> object:
    if not read_only:
        message = "“home” can be read but not written."
        raise WorkspaceReadOnly(message)
    return open_core(root, read_only)


async def test_a_folder_that_cannot_be_written_is_offered_for_looking(driver: AppDriver, stage: Stage) -> None:
    root = stage.make(("user", "Earlier."), ("assistant", "Yes."))
    driver.application._setup = ApplicationSetup(partial(refusing), driver.sample, driver.folder / "window.ini")  # type: ignore[arg-type]
    driver.ask_to_open(root)
    sheet = await driver.asked()
    assert "can be read but not written" in words_in(sheet)
    await driver.answer("Look around, read-only")
    assert await driver.opened()
    assert "Read-only" in words_in(driver.window.window.header)


async def test_a_folder_without_the_right_to_write_opens_for_looking(driver: AppDriver, stage: Stage) -> None:
    made = stage.make(("user", "Earlier."))
    with reachable_folder() as outside:
        root = outside / "home"
        shutil.copytree(made, root)
        for path in (root, *root.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        with as_nobody():
            driver.ask_to_open(root)
            assert await driver.opened()
            assert "Read-only" in words_in(driver.window.window.header)


async def test_a_workspace_in_use_is_followed_live_and_not_written(driver: AppDriver, stage: Stage) -> None:
    root = stage.make(("user", "Earlier."), ("assistant", "Yes."))
    async with held_elsewhere(root) as other:
        driver.ask_to_open(root)
        sheet = await driver.asked()
        assert "is open in another Mnemoscope window" in words_in(sheet)
        await driver.answer("Look around, read-only")
        assert await driver.opened()
        person = driver.window
        await person.until_ready()
        await other.write("Said over there")
        await until(lambda: "Said over there" in person.text, "the other window's message")
        assert person.timeline.model.total == 3
        (root / "memory" / "MEMORY.md").write_text("# Facts\n\n- Changed over there\n", "utf-8")
        await until(lambda: "Changed over there" in person.memory.editor.text(), "the other window's memory")
        await person.close()


async def test_the_last_workspace_opens_by_itself_and_else_the_sample(driver: AppDriver, stage: Stage) -> None:
    await driver.application.start(None)
    assert driver.window.bench.workspace.root == driver.folder / "sample"
    root = stage.make(("user", "Earlier."))
    driver.ask_to_open(root)
    assert await driver.opened()
    assert driver.window.bench.workspace.root == root
    await until(lambda: len([one for one in QApplication.topLevelWidgets() if one.isVisible()]) == 1, "one window")
    assert driver.application.recent()[0] == root
    assert SessionManager(root, read_only=True).load(KEY) is not None


async def test_a_file_of_memory_opens_its_workspace_and_is_in_front(driver: AppDriver, stage: Stage) -> None:
    root = stage.make(("user", "Earlier."))
    (root / "USER.md").write_text("- Likes tea\n")
    await driver.application.start(root / "USER.md")
    person = driver.window
    assert person.bench.workspace.root == root
    assert person.window.memory.current.path == "USER.md"
    await person.until(lambda: "Likes tea" in person.window.memory.current.editor.text(), "the file")


async def test_with_three_tiers_memory_lies_where_their_programs_look_for_it(stage: Stage) -> None:
    root = stage.make()
    WorkspacePaths(root).config_file.write_text('{"mnemoscope": {"profile": "three-tier"}}')
    usual = WorkspacePaths(root).memory_file
    usual.write_text("- Tom drives the van\n")
    looking = await stage.open(root, read_only=True)
    assert usual.exists()
    await looking.close()
    person = await stage.open(root)
    assert not usual.exists()
    assert (root / "MEMORY.md").read_text() == "- Tom drives the van\n"
    assert person.bench.memory.read_long_term() == "- Tom drives the van\n"
    assert "MEMORY.md" in {section.source for section in (await person.bench.prompts.of_draft(KEY, "")).system}
