"""Going from one folder to another: what is asked, what a key does, what is remembered."""

import asyncio
import os
from collections import OrderedDict

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QPlainTextEdit, QPushButton

from mnemoscope.ui.shell.recent_folders import RecentFolders
from mnemoscope.ui.widgets.notices import notice_bar
from tests.ui.application_fixture import AppDriver, foreign_folder, held_elsewhere, open_as_asked, peer_workspace
from tests.ui.window_fixture import PATIENCE, Stage, button, press, question, sentences, tree, until, words_in


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


async def test_a_folder_open_to_write_that_is_to_be_looked_around_in_is_said_to_be_open(
    driver: AppDriver, stage: Stage
) -> None:
    root = stage.make(("user", "Earlier."))
    await open_as_asked(driver, root)
    before, window = driver.application.current, driver.window.window
    window.showMinimized()
    await until(window.isMinimized, "a window put away")
    driver.opening = asyncio.create_task(driver.application.open_folder(root, read_only=True))
    assert "This folder is open here to write" in words_in(await driver.asked())
    assert not window.isMinimized()
    await driver.answer("Close")
    assert not await driver.opened(), "a look that was none counts as done"
    assert driver.application.current is before
    assert not driver.window.bench.read_only


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
    driver: AppDriver, stage: Stage, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A sentence is logged when it is first shown in a process, which another test may have done.
    monkeypatch.setattr(notice_bar, "_shown", OrderedDict())
    root = stage.make(("user", "Earlier."), ("assistant", "Yes."))
    async with held_elsewhere(root) as other:
        driver.ask_to_open(root)
        sheet = await driver.asked()
        assert "is open in another Mnemoscope window" in words_in(sheet)
        assert str(other.pid) not in words_in(sheet)
        [tip] = [label.toolTip() for label in sheet.findChildren(QLabel) if str(other.pid) in label.toolTip()]
        logged = [record for record in caplog.records if record.msg.startswith("shown as")]
        shown = [record.args[0] for record in logged if isinstance(record.args, tuple) and record.args]
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


@pytest.mark.parametrize("answer", ["Open, and write there", "Look around, read-only", "Quit"])
async def test_a_folder_whose_links_lead_out_is_asked_about_with_all_of_them(
    driver: AppDriver, stage: Stage, answer: str
) -> None:
    root = stage.make(("user", "Earlier."))
    outside = driver.folder / "private.md"
    outside.write_text("- Of the person.\n", "utf-8")
    (root / "SESSION-STATE.md").symlink_to(outside)
    (root / ".mnemoscope" / "captures.jsonl").symlink_to(outside)
    opening = asyncio.create_task(driver.application.open_folder(root))
    sheet = await driver.asked()
    (shown,) = sheet.findChildren(QPlainTextEdit)
    for link in (".mnemoscope/captures.jsonl", "SESSION-STATE.md"):
        assert f"{link}  →  {outside}" in shown.toPlainText()
    assert not (root / ".mnemoscope" / "lock").exists()
    await driver.answer(answer)
    assert await asyncio.wait_for(opening, PATIENCE) is (answer != "Quit")
    if answer != "Quit":
        assert driver.window.bench.read_only is (answer != "Open, and write there")
        await driver.window.close()
    assert outside.read_text("utf-8") == "- Of the person.\n"
