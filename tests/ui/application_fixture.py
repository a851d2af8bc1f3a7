"""The application before it has a window (fixture `driver`), and folders that it is asked to open."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

import pytest
from PySide6.QtWidgets import QApplication, QDialog

from mnemoscope.bootstrap import open_core
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.workspace.workspace import create_workspace
from mnemoscope.ui.shell.application import Application, ApplicationSetup
from mnemoscope.ui.shell.main_window import MainWindow
from tests.ui.window_fixture import Opened, button, click, question, until


class AppDriver:
    """The application before its first window, and what it asks."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.settings_file = folder, folder / "window.ini"
        self.application = Application(ApplicationSetup(open_core, self.sample, self.settings_file))
        self.opening: asyncio.Task[bool] | None = None

    def sample(self) -> Path:
        root = self.folder / "sample"
        if not root.exists():
            create_workspace(root, template=shipped("resources", "blank"))
        return root

    def ask_to_open(self, root: Path) -> None:
        """Asks for a folder to be opened."""
        self.opening = asyncio.create_task(self.application.open_folder(root))

    async def asked(self) -> QDialog:
        """Returns the question on the screen."""
        await until(question, "a question")
        sheet = question()
        assert sheet is not None
        return sheet

    async def answer(self, words: str) -> None:
        """Clicks one of the answers."""
        sheet = await self.asked()
        found = button(sheet, words)
        assert found is not None, f"no answer “{words}”"
        click(found)

    def is_alone(self) -> bool:
        """Returns whether no window is left but the one in front, which shows a conversation."""
        current = self.application.current
        windows = [one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow)]
        if current is None:
            return not windows
        return windows == [current.main_window] and bool(current.conversation.key)

    async def opened(self) -> bool:
        assert self.opening is not None
        return await self.opening

    @property
    def window(self) -> Opened:
        assert self.application.current is not None
        return Opened(self.application.current)


@pytest.fixture
async def driver(tmp_path: Path) -> AsyncIterator[AppDriver]:
    made = AppDriver(tmp_path)
    yield made
    while made.application.current is not None:
        await until(made.is_alone, "the window that is being opened, alone")
        await made.window.close()
    await until(made.is_alone, "the end of every window")
    if made.opening is not None and not made.opening.done():
        made.opening.cancel()
        await asyncio.gather(made.opening, return_exceptions=True)
    made.application.deleteLater()


def peer_workspace(root: Path) -> Path:
    """Makes a workspace as nanobot leaves it behind: no folder of ours."""
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


HOLDER = """
import sys
from pathlib import Path
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.workspace import open_workspace
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


@dataclass(frozen=True)
class Holder:
    """Another process that owns a workspace."""

    pid: int
    _input: IO[str]
    _output: IO[str]

    async def write(self, words: str) -> None:
        """Has it add a message to the workspace, and waits until that is on the disk."""
        self._input.write(f"{words}\n")
        self._input.flush()
        assert await self.said() == "said"

    async def said(self) -> str:
        return (await asyncio.to_thread(self._output.readline)).strip()


@asynccontextmanager
async def held_elsewhere(root: Path) -> AsyncIterator[Holder]:
    """Gives another process that owns the workspace, as long as this is entered."""
    command = [sys.executable, "-c", HOLDER, str(root)]
    begin = partial(subprocess.Popen[str], command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with await asyncio.to_thread(begin) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        with process.stdin, process.stdout:
            other = Holder(process.pid, process.stdin, process.stdout)
            assert await other.said() == "held"
            yield other


async def open_as_asked(driver: AppDriver, root: Path, answer: str = "") -> None:
    """Opens a folder, answers the question that it leads to if there is one, and waits for the window."""
    driver.ask_to_open(root)
    if answer:
        await driver.answer(answer)
    assert await driver.opened()
    await driver.window.until_ready()
