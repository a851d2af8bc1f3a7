"""Opening a folder, whatever it is: asked first, nothing written without consent, nothing hidden."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog

from mnemoscope.bootstrap import open_core
from mnemoscope.domain.errors import WorkspaceReadOnly
from mnemoscope.store.sessions import SessionManager
from mnemoscope.store.shipped import shipped
from mnemoscope.store.workspace import create_workspace
from mnemoscope.ui.application import Application, Ways
from tests.ui.window_fixture import (
    KEY,
    Opened,
    Stage,
    button,
    click,
    press,
    question,
    rest,
    sentences,
    tree,
    until,
    words_in,
)


class Door:
    """The application before its first window, and what it asks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        self.application = Application(app, Ways(open_core, self.sample, folder / "window.ini"))
        self.opening: asyncio.Task[bool] | None = None

    def sample(self) -> Path:
        root = self.folder / "sample"
        if not root.exists():
            create_workspace(root, template=shipped("resources", "blank"))
        return root

    def knock(self, root: Path) -> None:
        """Ask for a folder to be opened."""
        self.opening = asyncio.create_task(self.application.open_folder(root))

    async def asked(self) -> QDialog:
        """The question on the screen."""
        await until(question, "a question")
        sheet = question()
        assert sheet is not None
        return sheet

    async def answer(self, words: str) -> None:
        """Click one of the answers."""
        sheet = await self.asked()
        found = button(sheet, words)
        assert found is not None, f"no answer “{words}”"
        click(found)

    async def opened(self) -> bool:
        assert self.opening is not None
        return await self.opening

    @property
    def window(self) -> Opened:
        assert self.application.current is not None
        return Opened(self.application.current)


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    made = Door(tmp_path)
    yield made
    while made.application.current is not None:
        await made.window.close()
    if made.opening is not None and not made.opening.done():
        made.opening.cancel()
        await asyncio.gather(made.opening, return_exceptions=True)
    made.application.deleteLater()


def peer_workspace(root: Path) -> Path:
    """What nanobot leaves behind: no folder of ours."""
    (root / "memory").mkdir(parents=True)
    (root / "sessions").mkdir()
    (root / "memory" / "MEMORY.md").write_text("# Facts\n\n- Likes tea\n", "utf-8")
    (root / "memory" / "HISTORY.md").write_text("[2026-01-01 10:00] Spoke about tea.\n\n", "utf-8")
    lines = [
        {"_type": "metadata", "key": "cli:direct", "created_at": "2026-01-01T09:00:00", "last_consolidated": 1},
        {"role": "user", "content": "Tea?", "timestamp": "2026-01-01T09:00:00"},
        {"role": "assistant", "content": "Yes.", "timestamp": "2026-01-01T09:00:01"},
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (root / "sessions" / "cli_direct.jsonl").write_text(text, "utf-8")
    return root


def foreign_folder(root: Path) -> Path:
    root.mkdir()
    (root / "notes.txt").write_text("not yours", "utf-8")
    return root


@pytest.mark.parametrize("kind", ["foreign", "empty", "missing"])
async def test_a_folder_that_is_no_workspace_is_asked_about_and_left_alone_on_esc(door: Door, kind: str) -> None:
    root = door.folder / "place"
    if kind == "foreign":
        foreign_folder(root)
    elif kind == "empty":
        root.mkdir()
    before = tree(door.folder)
    door.knock(root)
    sheet = await door.asked()
    assert "place" in words_in(sheet)
    press(sheet, "Esc")
    assert not await door.opened()
    assert door.application.current is None
    assert tree(door.folder) == before


@pytest.mark.parametrize("kind", ["foreign", "empty", "missing"])
async def test_with_consent_a_workspace_is_made_beside_what_is_there(door: Door, kind: str) -> None:
    root = door.folder / "place"
    if kind == "foreign":
        foreign_folder(root)
    elif kind == "empty":
        root.mkdir()
    door.knock(root)
    await door.answer("Create a workspace here")
    assert await door.opened()
    assert (root / "memory").is_dir()
    if kind == "foreign":
        assert (root / "notes.txt").read_text("utf-8") == "not yours"
    assert "place" in door.window.window.windowTitle()


async def test_a_file_is_no_folder_and_another_one_can_be_chosen(door: Door) -> None:
    file = door.folder / "file.txt"
    file.write_text("words", "utf-8")
    door.knock(file)
    sheet = await door.asked()
    assert "not a folder" in words_in(sheet)
    await door.answer("Choose another folder…")
    await until(lambda: isinstance(question(), QFileDialog), "the folder chooser")
    chooser = question()
    assert chooser is not None
    chooser.reject()
    assert not await door.opened()
    assert file.read_text("utf-8") == "words"


async def test_a_peers_workspace_gets_our_folder_only_with_consent(door: Door) -> None:
    root = peer_workspace(door.folder / "peer")
    before = tree(root)
    door.knock(root)
    sheet = await door.asked()
    assert ".mnemoscope" in words_in(sheet)
    assert tree(root) == before
    await door.answer("Open")
    assert await door.opened()
    person = door.window
    await person.until_ready()
    assert "Tea?" in person.text
    assert person.timeline.model.pointer == 1
    after = {name: data for name, data in tree(root).items() if not name.startswith(".mnemoscope")}
    assert after == before


async def test_only_looking_around_writes_nothing_at_all(door: Door) -> None:
    root = peer_workspace(door.folder / "peer")
    (root / "memory" / "history.jsonl").write_text('{"cursor": 1, "timestamp": "x", "content": "y"}\n', "utf-8")
    before = tree(root)
    door.knock(root)
    await door.answer("Only look around")
    assert await door.opened()
    person = door.window
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
    assert any("reading only" in one for one in sentences(person.window))
    assert "Tea?" in person.text
    assert not person.composer.busy
    await person.close()
    assert tree(root) == before


def refusing(root: Path, read_only: bool) -> object:
    if not read_only:
        message = "“home” can be read but not written."
        raise WorkspaceReadOnly(message)
    return open_core(root, read_only)


async def test_a_folder_that_cannot_be_written_is_offered_for_looking(door: Door, stage: Stage) -> None:
    root = stage.make(("user", "Earlier."), ("assistant", "Yes."))
    door.application._ways = Ways(partial(refusing), door.sample, door.folder / "window.ini")  # type: ignore[arg-type]
    door.knock(root)
    sheet = await door.asked()
    assert "can be read but not written" in words_in(sheet)
    await door.answer("Look around, read-only")
    assert await door.opened()
    assert "Read-only" in words_in(door.window.window.header)


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="the superuser may write everywhere")
async def test_a_folder_without_the_right_to_write_opens_for_looking(door: Door, stage: Stage) -> None:
    root = stage.make(("user", "Earlier."))
    root.chmod(0o555)
    try:
        door.knock(root)
        assert await door.opened()
        assert "Read-only" in words_in(door.window.window.header)
    finally:
        root.chmod(0o755)


HOLDER = """
import sys
from pathlib import Path
from mnemoscope.store.sessions import SessionManager
from mnemoscope.store.workspace import open_workspace
root = Path(sys.argv[1])
with open_workspace(root):
    print("held", flush=True)
    for line in sys.stdin:
        manager = SessionManager(root)
        session = manager.get_or_create("desktop:test")
        session.add_message("user", line.strip())
        manager.append(session)
        print("said", flush=True)
"""


def holder_of(root: Path) -> subprocess.Popen[str]:
    """Another process that owns the workspace, and writes what it is told line by line."""
    command = [sys.executable, "-c", HOLDER, str(root)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


async def test_a_workspace_in_use_is_followed_live_and_not_written(door: Door, stage: Stage) -> None:
    root = stage.make(("user", "Earlier."), ("assistant", "Yes."))
    other = holder_of(root)
    assert other.stdin is not None
    assert other.stdout is not None
    with other, other.stdin, other.stdout:
        assert await asyncio.to_thread(other.stdout.readline) == "held\n"
        door.knock(root)
        sheet = await door.asked()
        assert f"process {other.pid}" in words_in(sheet)
        await door.answer("Look around, read-only")
        assert await door.opened()
        person = door.window
        await person.until_ready()
        other.stdin.write("Said over there\n")
        other.stdin.flush()
        assert await asyncio.to_thread(other.stdout.readline) == "said\n"
        await until(lambda: "Said over there" in person.text, "the other window's message")
        assert person.timeline.model.total == 3
        (root / "memory" / "MEMORY.md").write_text("# Facts\n\n- Changed over there\n", "utf-8")
        await until(lambda: "Changed over there" in person.memory.editor.text(), "the other window's memory")
        await person.close()


async def test_the_last_workspace_opens_by_itself_and_else_the_sample(door: Door, stage: Stage) -> None:
    await door.application.start(None)
    assert door.window.bench.workspace.root == door.folder / "sample"
    root = stage.make(("user", "Earlier."))
    door.knock(root)
    assert await door.opened()
    assert door.window.bench.workspace.root == root
    await until(lambda: len([one for one in QApplication.topLevelWidgets() if one.isVisible()]) == 1, "one window")
    assert door.application.recent()[0] == root
    assert SessionManager(root, read_only=True).load(KEY) is not None
